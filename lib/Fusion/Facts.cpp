//===- Facts.cpp - Shapes and dtypes of a group's values ------------------===//
#include "tsc/Fusion/Facts.h"
#include "tsc/Fusion/Bodies.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Tensor/Promotion.h"

using namespace tsc;
using namespace tsc::fuser;

std::optional<Tensor> fuser::tensorWithoutStorage(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype) {
  assert(sizes.size() == strides.size() && "one stride for each dimension");
  auto count = elementCount(sizes);
  if (!count.ok())
    return std::nullopt;
  auto *impl = new TensorImpl;
  impl->count = *count;
  impl->sizes.assign(sizes.begin(), sizes.end());
  impl->strides.assign(strides.begin(), strides.end());
  impl->dtype = dtype;
  impl->contiguous = isContiguous(sizes, strides);
  return Tensor(Ref<TensorImpl>::adopt(impl));
}

static bool isSupported(DType dtype) { return isFloating(dtype) || isIntegral(dtype, true); }

static bool isSupported(const TensorImpl &t) { return isSupported(t.dtype) && !t.conjugate && !t.negative; }

bool Facts::find(ArrayRef<const IValue *> inputs) {
  assert(inputs.size() == group.numInputs && "one value for each input of the group");
  values.resize(group.definitions.size());
  calls.resize(group.steps.size());
  folds.resize(group.steps.size());
  fillings.resize(group.steps.size());
  checked.assign(inputs.size(), false);
  for (unsigned i = 0; i != values.size(); ++i)
    if (group.constants[i])
      values[i] = *group.constants[i];
  for (unsigned i = 0; i != inputs.size(); ++i) {
    if (!inputs[i]->isTensor()) {
      values[i] = *inputs[i];
      continue;
    }
    const TensorImpl &t = *inputs[i]->asTensor().get();
    auto facts =
        isSupported(t) && t.device() == device ? tensorWithoutStorage(t.sizes, t.strides, t.dtype) : std::nullopt;
    if (!facts)
      return false;
    values[i] = std::move(*facts);
  }
  for (unsigned i = 0; i != group.steps.size(); ++i)
    if (!findStep(i))
      return false;
  return llvm::all_of(group.requirements, [&](const GroupRequirement &r) { return holds(r); });
}

bool Facts::holds(const GroupRequirement &requirement) const {
  const bool isOfTensor =
      requirement.kind == FusionRequirement::Real || requirement.kind == FusionRequirement::NotEmpty;
  if (isOfTensor && !value(requirement.value).isTensor())
    return false;
  switch (requirement.kind) {
  case FusionRequirement::Real: {
    DType dtype = tensor(requirement.value).dtype();
    return dtype == DType::Float || dtype == DType::Double;
  }
  case FusionRequirement::NotEmpty: return tensor(requirement.value).numel() != 0;
  case FusionRequirement::True: return value(requirement.value).toBool();
  case FusionRequirement::False: return !value(requirement.value).toBool();
  }
  return false;
}

bool Facts::findStep(unsigned index) {
  const GroupStep &step = group.steps[index];
  // A tensor that a program leaves undefined is None. The operator says what is wrong with it.
  if (step.kind != GroupStep::Pointwise && step.kind != GroupStep::Number) {
    ArrayRef<unsigned> read = step.operands;
    if (!llvm::all_of(step.kind == GroupStep::Join ? read : read.take_front(),
                      [&](unsigned operand) { return values[operand].isTensor(); }))
      return false;
  }
  switch (step.kind) {
  case GroupStep::Pointwise: return findPointwise(index);
  case GroupStep::Cast: return step.op == OpKind::Aten_contiguous ? findRowMajor(step) : findCast(step);
  case GroupStep::Fill: return findFill(index);
  case GroupStep::Join: return findJoin(step);
  case GroupStep::Fold: return findReduction(index);
  case GroupStep::Number: return findNumber(step);
  case GroupStep::Reshape: return findReshape(step);
  case GroupStep::IndexMap: break;
  }
  std::vector<Tensor> results = applyIndexMap(step, tensor(step.operands[0]));
  if (results.size() != step.results.size())
    return false;
  for (unsigned i = 0; i != results.size(); ++i)
    values[step.results[i]] = std::move(results[i]);
  return true;
}

bool Facts::findPointwise(unsigned index) {
  const GroupStep &step = group.steps[index];
  llvm::SmallVector<PointwiseArg, 4> args;
  for (auto [param, operand] : llvm::zip(pointwiseParams(step.pointwise), step.operands)) {
    const IValue &v = values[operand];
    if (v.isNone())
      args.emplace_back();
    else if (v.isTensor())
      args.emplace_back(v.asTensor());
    else if (v.isString())
      args.emplace_back(llvm::StringRef(v.toString()));
    else if (v.isScalar() && param.kind != PointwiseParam::Tensor)
      args.emplace_back(v.toScalar());
    else
      return false;
  }
  auto call = describeCall(step.pointwise, args);
  if (!call.ok() || !isSupported(call->result) || !hasBody(call->compute, call->body))
    return false;
  auto result = tensorWithoutStorage(call->sizes, call->strides, call->result);
  if (!result)
    return false;
  values[step.results[0]] = std::move(*result);
  if (call->checksNumbers)
    for (unsigned operand : step.operands)
      if (operand < group.numInputs)
        checked[operand] = true;
  calls[index] = std::move(*call);
  return true;
}

bool Facts::findReduction(unsigned index) {
  const GroupStep &step = group.steps[index];
  auto fold =
      findFold(step.op, tensor(step.operands[0]), [&](int i) -> const IValue & { return values[step.operands[i]]; });
  if (!fold || !isSupported(fold->result))
    return false;
  auto result = tensorWithoutStorage(fold->sizes, contiguousStrides(fold->sizes), fold->result);
  if (!result)
    return false;
  values[step.results[0]] = std::move(*result);
  folds[index] = std::move(*fold);
  return true;
}

/// Asks an operator about operands that have no memory. It reads none, so it doesn't matter on which device they are,
/// and observers of the group see nothing of it.
Status Facts::ask(OpKind op, llvm::ArrayRef<const IValue *> args, IValue &result) const {
  return callOnHost(context, operatorCallOf(context.context(), op), args, &result);
}

bool Facts::findNumber(const GroupStep &step) {
  if (step.op == OpKind::Unknown) { // a list
    std::vector<int64_t> numbers;
    for (unsigned operand : step.operands)
      numbers.push_back(values[operand].toInt());
    values[step.results[0]] = IValue(std::move(numbers));
    return true;
  }
  llvm::SmallVector<const IValue *, 2> args;
  for (unsigned operand : step.operands)
    args.push_back(&values[operand]);
  IValue result;
  if (!ask(step.op, args, result).ok() || !(result.isInt() || result.isIntList() || result.isBool()))
    return false;
  values[step.results[0]] = std::move(result);
  return true;
}

/// zeros_like(self, …), full_like(self, fill_value, …): what the operator makes of one element is what it makes of all.
bool Facts::findFill(unsigned index) {
  const GroupStep &step = group.steps[index];
  const Tensor &self = tensor(step.operands[0]);
  const IValue &option = values[step.operands.back()];
  MemoryFormat format = option.isInt() ? static_cast<MemoryFormat>(option.toInt()) : MemoryFormat::Preserve;
  StatusOr<Dims> strides = cpu::stridesLike(self, format);
  if (!strides.ok())
    return false;
  StatusOr<Tensor> one = Tensor::empty({}, self.dtype());
  if (!one.ok())
    return false;
  IValue first(std::move(*one)), filled;
  llvm::SmallVector<const IValue *, 7> args = {&first};
  for (unsigned operand : ArrayRef(step.operands).drop_front())
    args.push_back(&values[operand]);
  if (!ask(step.op, args, filled).ok() || !isSupported(*filled.asTensor().get()))
    return false;
  auto result = tensorWithoutStorage(self.sizes(), *strides, filled.asTensor().dtype());
  if (!result)
    return false;
  values[step.results[0]] = std::move(*result);
  fillings[index] = filled.asTensor().at(0);
  return true;
}

/// Whether nobody could tell that a value and what the only step that reads it makes of it are one tensor: it is
/// computed here.
bool Facts::isReadOnce(unsigned value) const {
  unsigned definition = group.definitions[value].step, readers = 0;
  if (definition == Group::none || llvm::is_contained(group.outputs, value))
    return false;
  for (const GroupStep &step : group.steps)
    readers += static_cast<unsigned>(llvm::count(step.operands, value));
  static constexpr GroupStep::Kind computing[] = {GroupStep::Pointwise, GroupStep::Fill, GroupStep::Fold,
                                                  GroupStep::Join};
  return readers == 1 && llvm::is_contained(computing, group.steps[definition].kind);
}

/// aten::to(self, dtype?, …, copy, memory_format?), type_as(self, other) and tsc::written(value, self).
bool Facts::findCast(const GroupStep &step) {
  const Tensor &self = tensor(step.operands[0]);
  const IValue &wanted = values[step.operands[1]];
  if (!wanted.isTensor() && !(wanted.isInt() && isValidDType(wanted.toInt())))
    return false;
  if (step.op == OpKind::Aten_to_dtype && !values[step.operands[4]].isNone())
    return false;
  DType dtype = wanted.isTensor() ? wanted.asTensor().dtype() : static_cast<DType>(wanted.toInt());
  bool isItself = dtype == self.dtype() && !isReadOnce(step.operands[0]);
  if (!isSupported(dtype) || (isItself && llvm::is_contained(group.outputs, step.results[0])))
    return false; // what may be its operand itself is no memory of the group's own
  if (step.op == OpKind::Tsc_written && !cpu::checkWritten(self.sizes(), self.dtype(), wanted.asTensor()).ok())
    return false; // the operator says what is wrong
  StatusOr<Dims> strides = dtype == self.dtype() ? StatusOr<Dims>(self.get()->strides) : cpu::stridesLike(self);
  if (!strides.ok())
    return false;
  auto result = tensorWithoutStorage(self.sizes(), *strides, dtype);
  if (result)
    values[step.results[0]] = std::move(*result);
  return result.has_value();
}

/// The operators copy what is no view in the wanted shape, so they are asked about a row-major operand, which always
/// is.
bool Facts::findReshape(const GroupStep &step) {
  const Tensor &self = tensor(step.operands[0]);
  auto rowMajor = tensorWithoutStorage(self.sizes(), contiguousStrides(self.sizes()), self.dtype());
  std::vector<Tensor> reshaped = rowMajor ? applyIndexMap(step, *rowMajor) : std::vector<Tensor>();
  if (reshaped.empty())
    return false;
  bool isOutput = llvm::is_contained(group.outputs, step.results[0]);
  if (isOutput && !isReadOnce(step.operands[0])) // maybe a view of what somebody knows
    return false;
  bool hasItsSizes = reshaped[0].sizes() == self.sizes(), needsView = viewKind(step.op) == ViewKind::Regrouping;
  if (auto view = cpu::view(self, reshaped[0].sizes()); view.ok())
    reshaped[0] = hasItsSizes && step.op == OpKind::Aten_flatten_using_ints ? self : std::move(*view);
  else if (needsView)
    return false; // the operator says what is wrong
  values[step.results[0]] = std::move(reshaped[0]);
  return true;
}

/// contiguous(self).
bool Facts::findRowMajor(const GroupStep &step) {
  const Tensor &self = tensor(step.operands[0]);
  bool isItself = self.isContiguous() && !isReadOnce(step.operands[0]);
  if (isItself && llvm::is_contained(group.outputs, step.results[0]))
    return false;
  auto result =
      self.isContiguous() ? self : tensorWithoutStorage(self.sizes(), contiguousStrides(self.sizes()), self.dtype());
  if (result)
    values[step.results[0]] = std::move(*result);
  return result.has_value();
}

bool Facts::findJoin(const GroupStep &step) {
  llvm::SmallVector<Tensor, 8> pieces;
  auto dim = wrapDim(step.dim, step.operands.empty() ? 0 : tensor(step.operands[0]).dim() + step.stacks());
  if (step.operands.empty() || !dim.ok())
    return false;
  bool divides = step.stacks() && *dim != tensor(step.operands[0]).dim(); // as the operator does
  for (unsigned operand : step.operands) {
    StatusOr<Tensor> piece =
        step.stacks() && !divides ? cpu::unsqueeze(tensor(operand), *dim) : StatusOr<Tensor>(tensor(operand));
    // Legacy empty pieces are left to the operator.
    if (!piece.ok() || piece->dim() == 0 || (!step.stacks() && piece->dim() == 1 && piece->size(0) == 0))
      return false;
    pieces.push_back(std::move(*piece));
  }
  Dims sizes = pieces[0].get()->sizes;
  for (const Tensor &piece : ArrayRef(pieces).drop_front()) {
    if (piece.dim() != pieces[0].dim())
      return false;
    for (int64_t d = 0; d != piece.dim(); ++d)
      if ((d != *dim || step.stacks()) && piece.size(d) != pieces[0].size(d))
        return false;
    if (__builtin_add_overflow(sizes[*dim], piece.size(*dim), &sizes[*dim]))
      return false;
  }
  auto strides = cpu::joinedStrides(sizes, pieces);
  if (!strides.ok())
    return false;
  auto result = tensorWithoutStorage(sizes, *strides, resultType(pieces));
  if (result && divides) {
    auto divided = cpu::unflatten(*result, *dim, {static_cast<int64_t>(pieces.size()), pieces[0].size(*dim)});
    if (!divided.ok())
      return false;
    result = std::move(*divided);
  }
  if (result)
    values[step.results[0]] = std::move(*result);
  return result.has_value();
}

std::vector<Tensor> Facts::applyIndexMap(const GroupStep &step, const Tensor &self) const {
  assert((step.kind == GroupStep::IndexMap || step.kind == GroupStep::Reshape) && self.defined() &&
         "a step that gives the elements of a tensor in other places");
  if (step.op == OpKind::Unknown) {
    auto pieces = cpu::chunk(self, step.chunks, step.dim);
    return pieces.ok() ? std::move(*pieces) : std::vector<Tensor>();
  }
  IValue first(self), result;
  llvm::SmallVector<const IValue *, 4> args = {&first};
  for (unsigned operand : ArrayRef(step.operands).drop_front())
    args.push_back(&values[operand]);
  if (!ask(step.op, args, result).ok())
    return {};
  if (result.isTensorList())
    return result.toTensorList().elements;
  return {result.toTensor()};
}
