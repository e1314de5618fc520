//===- EmitSteps.cpp - The steps of a nest as statements ------------------===//
#include "KernelEmitter.h"
#include "tsc/Fusion/Bodies.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

SourceValue KernelEmitter::loaded(unsigned k, const std::string &element) {
  DType dtype = nest.operands[k].dtype;
  return {s.define(valueType(dtype), dtype == DType::Bool ? element + " != 0" : element)};
}

SourceValue KernelEmitter::emitLoad(const NestStep &step) {
  const unsigned k = step.index;
  switch (nest.operands[k].access) {
  case Access::Single: return loaded(k, elementOf(k, "0"));
  case Access::Repeated: return loaded(k, elementOf(k, offset(k, "at")));
  case Access::Contiguous:
    if (readsVectors)
      return loaded(k, "x" + number(k) + whichVector + ".at[j]");
    return loaded(k, elementOf(k, offset(k, "at") + " + " + element));
  case Access::Strided:
    if (readsVectors && nest.operands[k].recordSize)
      return loaded(k, "x" + number(nest.operands[k].record) + "[j].at[" + number(nest.operands[k].field) + "]");
    return loaded(k, elementOf(k, offset(k, "at") + " + " + element + " * (tsc_index)" + offset(k, "p.inner")));
  case Access::Transposed: return loaded(k, "tile" + number(k) + "[lane][t]");
  }
  return {};
}

SourceValue KernelEmitter::emitUniform(const NestStep &step) {
  std::string word = "p.number[" + number(step.index) + "]";
  switch (step.dtype) {
  case DType::Float: return {s.define("float", "tsc_number_float(" + word + ")")};
  case DType::Double: return {s.define("double", "tsc_number_double(" + word + ")")};
  case DType::Bool: return {s.define("bool", "(" + word + " & 1) != 0")};
  default: return {s.define(valueType(step.dtype), "(" + valueType(step.dtype) + ")" + word)};
  }
}

SourceValue KernelEmitter::emitConstant(const NestStep &step) {
  switch (step.dtype) {
  case DType::Float: return {s.name(realLiteral(std::bit_cast<float>(static_cast<uint32_t>(step.bits)), false))};
  case DType::Double: return {s.name(realLiteral(std::bit_cast<double>(step.bits), true))};
  case DType::Bool: return {s.name(step.bits & 1 ? "true" : "false")};
  default: {
    std::string literal = integerLiteral(static_cast<int64_t>(step.bits));
    bool isWide = step.dtype == DType::Int64;
    return {s.name(isWide ? literal : "((" + valueType(step.dtype).str() + ")" + literal + ")")};
  }
  }
}

std::string KernelEmitter::policy(const NestStep &step) const {
  static constexpr const char *names[] = {"tsc_sum", "tsc_product", "tsc_max", "tsc_min", "tsc_sum"};
  return std::string(names[static_cast<size_t>(step.fold)]) + "<" + valueType(step.dtype).str() + ">";
}

SourceValue KernelEmitter::emitStep(const NestStep &step) {
  auto input = [&](unsigned i) { return values[step.inputs[i]]; };
  switch (step.kind) {
  case NestStep::Load: return emitLoad(step);
  case NestStep::Uniform: return emitUniform(step);
  case NestStep::Constant: return emitConstant(step);
  case NestStep::Convert: return emitConversion(s, input(0), nest.steps[step.inputs[0]].dtype, step.dtype);
  case NestStep::Body: {
    llvm::SmallVector<SourceValue, 8> inputs;
    for (unsigned i = 0; i != step.inputs.size(); ++i)
      inputs.push_back(input(i));
    inputs.resize(std::max<size_t>(inputs.size(), 1));
    llvm::ArrayRef<SourceValue> all = inputs;
    SourceValue result =
        emitBody(s, step.compute, step.index, all.take_front(step.numTensors), all.drop_front(step.numTensors));
    if (s.failed && missing.empty())
      missing = bodyName(step.compute, step.index).str();
    return result;
  }
  case NestStep::Combine:
    return {s.define(valueType(step.dtype), policy(step) + "::combine(" + s[input(0)] + ", " + s[input(1)] + ")")};
  case NestStep::Keep: return input(0);
  case NestStep::Fold: break;
  }
  return values[&step - nest.steps.data()];
}

void KernelEmitter::emitLevel(Level level, unsigned phase) {
  for (unsigned i = 0; i != nest.steps.size(); ++i)
    if (nest.steps[i].level == level && nest.steps[i].kind != NestStep::Fold && phases[i] == phase)
      values[i] = emitStep(nest.steps[i]);
}

bool KernelEmitter::writesElements(const NestStore &store) const {
  Access access = nest.operands[store.operand].access;
  return access == Access::Contiguous || access == Access::Strided;
}

bool KernelEmitter::isStoredIn(const NestStore &store, unsigned phase) const {
  return writesElements(store) && phases[store.step] == phase;
}

std::vector<bool> KernelEmitter::neededElements(unsigned phase) const {
  std::vector<bool> needed(nest.steps.size(), false);
  if (nest.foldMode == FoldMode::Rows)
    for (const NestStore &store : nest.stores)
      if (isStoredIn(store, phase))
        needed[store.step] = true;
  for (unsigned i = static_cast<unsigned>(nest.steps.size()); i-- > 0;) {
    const NestStep &step = nest.steps[i];
    bool endsHere = step.kind == NestStep::Fold && phases[i] == phase + 1;
    if (endsHere || (needed[i] && step.level == Level::Element))
      for (unsigned input : step.inputs)
        needed[input] = true;
  }
  return needed;
}

void KernelEmitter::emitElement(const std::vector<bool> &needed) {
  for (unsigned i = 0; i != nest.steps.size(); ++i)
    if (needed[i] && nest.steps[i].level == Level::Element && nest.steps[i].kind != NestStep::Fold)
      values[i] = emitStep(nest.steps[i]);
}

void KernelEmitter::emitScalarStore(const NestStore &store, const std::string &at) {
  const unsigned k = store.operand;
  std::string value = s[values[store.step]];
  const bool isContiguous = nest.operands[k].access == Access::Contiguous;
  const std::string stride = isContiguous ? "" : " * (tsc_index)" + offset(k, "p.inner");
  s.line(elementOf(k, offset(k, "at") + " + " + at + stride) + " = " + value + ";");
}
