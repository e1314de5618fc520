//===- FrozenTensor.cpp - Constant tensors, and arithmetic on them --------===//
#include "FrozenTensor.h"
#include "tsc/IR/Context.h"
#include "tsc/Transforms/ConstantEvaluator.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Shape and dtype from a type that has all of both. Where it says nothing at all, one number of the usual dtype: what
/// such a constant is given where graphs read from text are run (UnprintedTensors.h).
static std::optional<FrozenTensor> fromType(const Type *type) {
  const auto *tensorType = dyn_cast<TensorType>(type);
  if (tensorType && !tensorType->facts().dtype && !tensorType->facts().sizes)
    return FrozenTensor{Tensor(), DType::Float, {}};
  if (!tensorType || !tensorType->facts().dtype || !tensorType->facts().sizes)
    return std::nullopt;
  FrozenTensor result{Tensor(), *tensorType->facts().dtype, {}};
  for (const Dimension &dimension : *tensorType->facts().sizes) {
    if (!dimension.isKnown())
      return std::nullopt;
    result.sizes.push_back(dimension.value());
  }
  return result;
}

std::optional<FrozenTensor> tsc::frozenTensor(const Value *value) {
  if (!isConstant(value) || !value->type()->isTensor())
    return std::nullopt;
  std::optional<IValue> constant = constantValue(value);
  if (!constant || !constant->isTensor())
    return fromType(value->type());
  Tensor tensor = constant->toTensor();
  return FrozenTensor{tensor, tensor.dtype(), Dims(tensor.sizes())};
}

bool tsc::isNoneConstant(const Value *value) {
  std::optional<IValue> constant = constantValue(value);
  return constant && constant->isNone() && !value->type()->isTensor();
}

const TensorType *tsc::completeType(Context &context, DType dtype, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  TensorFacts facts;
  facts.dtype = dtype;
  facts.device = Device();
  facts.requiresGrad = false;
  Dims contiguous = contiguousStrides(sizes);
  facts.sizes.emplace(llvm::map_range(sizes, Dimension::known));
  facts.strides.emplace(
      llvm::map_range(strides.size() == sizes.size() ? strides : ArrayRef<int64_t>(contiguous), Dimension::known));
  return context.tensor(facts);
}

Value *tsc::insertFrozen(Graph &graph, const FrozenTensor &tensor, const Value &origin, llvm::StringRef suffix) {
  Node *constant = graph.insertNodeHere(graph.create(prim::Constant));
  constant->setAttribute(attr::value, tensor.elements);
  constant->setRange(origin.node()->range());
  constant->setScope(origin.node()->scope());
  ArrayRef<int64_t> strides = tensor.elements.defined() ? tensor.elements.strides() : ArrayRef<int64_t>();
  constant->output()->setType(completeType(graph.context(), tensor.dtype, tensor.sizes, strides));
  if (origin.hasName())
    constant->output()->setName((origin.name() + suffix).str());
  return constant->output();
}

void tsc::eraseIfUnused(Value *value) {
  if (isConstant(value) && !value->hasUses())
    value->node()->erase();
}

Tensor WeightArithmetic::apply(Symbol op, ArrayRef<NamedValue> operands) {
  Node *node = scratch.insert(op, operands)->node();
  std::vector<IValue> values;
  for (Value *input : node->inputs())
    values.push_back(*constantValue(input));
  auto results = evaluator ? evaluator->evaluate(*node, values) : std::nullopt;
  return results && results->size() == 1 && results->front().isTensor() ? results->front().toTensor() : Tensor();
}

Tensor WeightArithmetic::toDType(const Tensor &tensor, DType dtype) {
  return !tensor.defined() || tensor.dtype() == dtype ? tensor : apply(aten::to, {tensor, static_cast<int64_t>(dtype)});
}
