//===- LoopNest.cpp - A kernel before it is code --------------------------===//
#include "tsc/Fusion/LoopNest.h"
#include "tsc/Fusion/Bodies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"
#include <bit>
#include <cmath>

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
  assert((step.kind != NestStep::Load || step.index < operands.size()) && "what is loaded is an operand");
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

std::vector<unsigned> LoopNest::findPhases() const {
  std::vector<unsigned> phases;
  for (const NestStep &step : steps) {
    unsigned phase = 0;
    for (unsigned input : step.inputs)
      phase = std::max(phase, phases[input] + (step.kind == NestStep::Fold));
    phases.push_back(phase);
  }
  return phases;
}

std::vector<bool> LoopNest::neededElements(llvm::ArrayRef<unsigned> phases, unsigned phase) const {
  assert(phases.size() == steps.size() && "one phase for each step");
  std::vector<bool> needed(steps.size(), false);
  for (const NestStore &store : stores)
    if (writesRow(store) && phases[store.step] == phase)
      needed[store.step] = true;
  for (unsigned i = static_cast<unsigned>(steps.size()); i-- > 0;) {
    const NestStep &step = steps[i];
    if (step.kind == NestStep::Keep && phases[i] == phase)
      needed[i] = true;
    bool isRead = step.kind == NestStep::Keep && phases[i] < phase;
    bool endsHere = step.kind == NestStep::Fold && phases[i] == phase + 1;
    if (endsHere || (needed[i] && step.level == Level::Element && !isRead))
      for (unsigned input : step.inputs)
        needed[input] = true;
  }
  return needed;
}

void LoopNest::keepRows() {
  constexpr unsigned enough = 12; // instructions: a store and a load of the first-level cache, and some
  std::vector<unsigned> phases = findPhases(), uses(steps.size(), 0);
  unsigned numPhases = steps.empty() ? 0 : 1 + *llvm::max_element(phases);
  for (unsigned phase = 0; phase != numPhases; ++phase)
    for (auto [use, needed] : llvm::zip(uses, neededElements(phases, phase)))
      use += needed;
  std::vector<NestStep> all;
  std::vector<unsigned> place; // of the old steps
  for (unsigned i = 0; i != steps.size(); ++i) {
    NestStep step = std::move(steps[i]);
    for (unsigned &input : step.inputs)
      input = place[input];
    bool isKept = step.kind == NestStep::Body && step.level == Level::Element && step.dtype != DType::Bool &&
                  uses[i] > 1 && bodyCost(step.compute, step.index) >= enough;
    all.push_back(std::move(step));
    if (isKept) {
      NestStep keep{NestStep::Keep, all.back().dtype};
      keep.level = Level::Element;
      keep.index = addOperand({keep.dtype, Access::Contiguous, false, true});
      keep.inputs = {static_cast<unsigned>(all.size() - 1)};
      all.push_back(std::move(keep));
    }
    place.push_back(static_cast<unsigned>(all.size() - 1));
  }
  for (NestStore &store : stores)
    store.step = place[store.step];
  steps = std::move(all);
}

unsigned LoopNest::add(NestStep step) {
  assert(llvm::all_of(step.inputs, [&](unsigned input) { return input < steps.size(); }) &&
         "a step reads earlier ones");
  step.level = levelOf(step);
  for (unsigned i = 0; i != steps.size(); ++i)
    if (steps[i] == step)
      return i;
  steps.push_back(std::move(step));
  return static_cast<unsigned>(steps.size() - 1);
}

unsigned LoopNest::load(unsigned operand) {
  assert(operand < operands.size() && "an operand of this nest");
  NestStep step{NestStep::Load, operands[operand].dtype};
  step.index = operand;
  return add(std::move(step));
}

unsigned LoopNest::convert(unsigned from, DType dtype) {
  assert(from < steps.size() && "a step of this nest");
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
  assert((dtype == DType::Float || dtype == DType::Double || isIntegral(dtype, true)) &&
         "a step's bits hold such a number");
  NestStep step{NestStep::Constant, dtype};
  switch (dtype) {
  case DType::Float: step.bits = std::bit_cast<uint32_t>(static_cast<float>(value.toDouble())); break;
  case DType::Double: step.bits = std::bit_cast<uint64_t>(value.toDouble()); break;
  default: step.bits = static_cast<uint64_t>(value.toInt()); break;
  }
  return add(std::move(step));
}

static llvm::StringRef nameOf(Access access) {
  static constexpr llvm::StringLiteral names[] = {"contiguous", "repeated", "strided", "single", "transposed"};
  return names[static_cast<size_t>(access)];
}
static llvm::StringRef nameOf(FoldKind fold) {
  static constexpr llvm::StringLiteral names[] = {"sum", "product", "max", "min", "mean"};
  return names[static_cast<size_t>(fold)];
}

static void printConstant(llvm::raw_ostream &os, const NestStep &step) {
  double value = step.dtype == DType::Float ? std::bit_cast<float>(static_cast<uint32_t>(step.bits))
                                            : std::bit_cast<double>(step.bits);
  if (step.dtype != DType::Float && step.dtype != DType::Double)
    os << static_cast<int64_t>(step.bits);
  else if (std::fabs(value) < 1e9 && value == static_cast<int>(value))
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
  case NestStep::Body:
    os << bodyName(step.compute, step.index) << "." << irName(step.compute) << "(" << values() << ")";
    break;
  case NestStep::Combine: os << nameOf(step.fold) << "(" << values() << ")"; break;
  case NestStep::Keep: os << "keep " << values() << " in %" << step.index; break;
  case NestStep::Fold:
    os << "fold " << nameOf(step.fold) << "(" << values() << ")" << (step.alongRow ? " along the row" : "");
    if (foldMode != FoldMode::Rows)
      os << " -> %" << step.index;
    break;
  }
  os << "\n";
}

void LoopNest::print(llvm::raw_ostream &os) const {
  auto operandsOf = [&](bool outputs, bool kept = false) {
    llvm::ListSeparator comma;
    for (auto [i, operand] : llvm::enumerate(operands))
      if (operand.isOutput == outputs && operand.isKept == kept) {
        os << comma << "%" << i << " : " << irName(operand.dtype) << " " << nameOf(operand.access);
        if (numStrideClasses > 1 && operand.access != Access::Single)
          os << " at " << operand.strideClass;
        if (operand.recordSize)
          os << " field " << operand.field << " of " << operand.recordSize << " in %" << operand.record;
      }
  };
  os << "kernel(";
  operandsOf(false);
  os << ") -> (";
  operandsOf(true);
  os << ")";
  if (llvm::any_of(operands, [](const NestOperand &operand) { return operand.isKept; })) {
    os << " keeping (";
    operandsOf(false, true);
    os << ")";
  }
  static constexpr llvm::StringLiteral modes[] = {"", " folding blocks", " folding columns"};
  os << modes[static_cast<size_t>(foldMode)] << (foldsVectors ? " by vectors" : "")
     << (wideOffsets ? " with wide offsets" : "") << "\n";
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
