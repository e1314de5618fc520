//===- LoopNest.cpp - A kernel before it is code --------------------------===//
#include "LoopNest.h"
#include "VectorBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

static Level levelOfAccess(Access access) {
  switch (access) {
  case Access::Single: return Level::Once;
  case Access::Repeated: return Level::Row;
  default: return Level::Element;
  }
}

Level LoopNest::levelOf(const NestStep &step) const {
  if (step.kind == NestStep::Fold)
    return Level::Row;
  Level level = step.kind == NestStep::Load ? levelOfAccess(operands[step.index].access) : Level::Once;
  for (unsigned input : step.inputs)
    level = std::max(level, steps[input].level);
  return level;
}

void LoopNest::findLevels() {
  for (NestStep &step : steps)
    step.level = levelOf(step);
}

unsigned LoopNest::add(NestStep step) {
  step.level = levelOf(step);
  for (unsigned i = 0; i != steps.size(); ++i)
    if (steps[i] == step)
      return i;
  steps.push_back(std::move(step));
  return static_cast<unsigned>(steps.size() - 1);
}

unsigned LoopNest::load(unsigned operand) {
  NestStep step{NestStep::Load, operands[operand].dtype};
  step.index = operand;
  return add(std::move(step));
}

unsigned LoopNest::convert(unsigned from, DType dtype) {
  if (steps[from].dtype == dtype)
    return from;
  NestStep step{NestStep::Convert, dtype};
  step.inputs = {from};
  return add(std::move(step));
}

unsigned LoopNest::uniform(unsigned slot, DType dtype) {
  numUniforms = std::max(numUniforms, slot + 1);
  NestStep step{NestStep::Uniform, dtype};
  step.index = slot;
  return add(std::move(step));
}

unsigned LoopNest::constant(const Scalar &value, DType dtype) {
  NestStep step{NestStep::Constant, dtype};
  switch (dtype) {
  case DType::Float: step.bits = std::bit_cast<uint32_t>(static_cast<float>(value.toDouble())); break;
  case DType::Double: step.bits = std::bit_cast<uint64_t>(value.toDouble()); break;
  default: step.bits = static_cast<uint64_t>(value.toInt()); break;
  }
  return add(std::move(step));
}

static llvm::StringRef nameOf(Access access) {
  static constexpr llvm::StringLiteral names[] = {"contiguous", "repeated", "strided", "single"};
  return names[static_cast<size_t>(access)];
}
static llvm::StringRef nameOf(FoldKind fold) {
  static constexpr llvm::StringLiteral names[] = {"sum", "product", "max", "min", "mean"};
  return names[static_cast<size_t>(fold)];
}

static void printConstant(llvm::raw_ostream &os, const NestStep &step) {
  double value = step.dtype == DType::Float ? std::bit_cast<float>(static_cast<uint32_t>(step.bits)) : std::bit_cast<double>(step.bits);
  if (step.dtype != DType::Float && step.dtype != DType::Double)
    os << static_cast<int64_t>(step.bits);
  else if (value == static_cast<int>(value))
    os << static_cast<int>(value) << (std::signbit(value) && value == 0 ? " (negative)" : "");
  else
    os << llvm::format("%.17g", value);
}

void LoopNest::printStep(llvm::raw_ostream &os, unsigned index) const {
  const NestStep &step = steps[index];
  os << "    %" << operands.size() + index << " = ";
  auto value = [&](unsigned input) { return "%" + std::to_string(operands.size() + input); };
  auto values = [&] { return llvm::join(llvm::map_range(step.inputs, value), ", "); };
  switch (step.kind) {
  case NestStep::Load: os << "load %" << step.index; break;
  case NestStep::Uniform: os << "number " << step.index << " : " << irName(step.dtype); break;
  case NestStep::Constant:
    printConstant(os, step);
    os << " : " << irName(step.dtype);
    break;
  case NestStep::Convert: os << irName(step.dtype) << "(" << values() << ")"; break;
  case NestStep::Body: os << bodyName(step.compute, step.index) << "." << irName(step.compute) << "(" << values() << ")"; break;
  case NestStep::Fold: os << "fold " << nameOf(step.fold) << "(" << values() << ")"; break;
  }
  os << "\n";
}

void LoopNest::print(llvm::raw_ostream &os) const {
  auto operandsOf = [&](bool outputs) {
    llvm::ListSeparator comma;
    for (auto [i, operand] : llvm::enumerate(operands))
      if (operand.isOutput == outputs)
        os << comma << "%" << i << " : " << irName(operand.dtype) << " " << nameOf(operand.access);
  };
  os << "kernel(";
  operandsOf(false);
  os << ") -> (";
  operandsOf(true);
  os << ")\n";
  static constexpr llvm::StringLiteral headings[] = {"  once:\n", "  row:\n", "  element:\n"};
  for (Level level : {Level::Once, Level::Row, Level::Element}) {
    bool any = false;
    for (unsigned i = 0; i != steps.size(); ++i)
      if (steps[i].level == level) {
        if (!any)
          os << headings[static_cast<size_t>(level)];
        any = true;
        printStep(os, i);
      }
  }
  for (const NestStore &store : stores)
    os << "    store %" << operands.size() + store.step << " -> %" << store.operand << "\n";
}

std::string LoopNest::text() const {
  std::string out;
  llvm::raw_string_ostream os(out);
  print(os);
  return out;
}

std::string LoopNest::symbolName() const {
  std::string name = "tsc";
  for (const NestStep &step : steps)
    if ((step.kind == NestStep::Body || step.kind == NestStep::Fold) && name.size() < 48) {
      llvm::StringRef body = step.kind == NestStep::Fold ? nameOf(step.fold) : bodyName(step.compute, step.index);
      body.consume_front("Aten_");
      name += "_" + body.split('_').first.str();
    }
  return name + "_" + llvm::utohexstr(llvm::xxh3_64bits(text()), true);
}
