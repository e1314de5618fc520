//===- Tensors.cpp - Rules for tensors ------------------------------------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

bool PeepholeRewriter::simplifyTensors(Node &node) {
  if (node.numOutputs() != 1 || node.numInputs() == 0)
    return false;
  return passThroughNumber(node) || answerQuestion(node) || dropCast(node) || dropComplexity(node) ||
         (!keepsOperators &&
          (dropRepetition(node) || dropArithmetic(node) || dropResizing(node) || computeConjugate(node)));
}

/// A number that was put into a tensor and comes out again.
bool PeepholeRewriter::passThroughNumber(Node &node) {
  if (!node.hasTrait(Trait::Item))
    return false;
  const Value *tensor = node.input(0);
  const bool holdsNumber = tensor->node()->kind() == prim::NumToTensor && tensor->node()->numInputs() == 1;
  return holdsNumber && isUnwritten(tensor) && replace(node, tensor->node()->input(0));
}

/// Facts of types: dtype and device never change, rank and sizes may where somebody writes the tensor.
bool PeepholeRewriter::answerQuestion(Node &node) {
  std::optional<TensorQuery> query = tensorQuery(node.opKind());
  if (!query)
    return false;
  Value *self = node.input(0);
  const TensorFacts *facts = factsOf(self);
  auto dtype = facts ? facts->dtype : std::nullopt;
  auto device = facts ? facts->device : std::nullopt;
  switch (*query) {
  case TensorQuery::DType: return dtype && replaceWithConstant(node, *dtype);
  case TensorQuery::IsFloating: return dtype && replaceWithConstant(node, isFloating(*dtype));
  case TensorQuery::IsComplex: return dtype && replaceWithConstant(node, isComplex(*dtype));
  case TensorQuery::Device: return device && replaceWithConstant(node, *device);
  case TensorQuery::IsOnDevice: return device && replaceWithConstant(node, device->kind == deviceKindOf(node.opKind()));
  case TensorQuery::Rank: {
    if (facts && facts->sizes && isUnwritten(self))
      return replaceWithConstant(node, static_cast<int64_t>(facts->sizes->size()));
    const Node &maker = *self->node();
    if (maker.hasTrait(Trait::KeepsRank) && isUnwritten(self) && isUnwritten(maker.input(0)))
      return replace(node, insertBefore(node, aten::dim, {maker.input(0)}, Type::intType()));
    return false;
  }
  case TensorQuery::Sizes: {
    auto sizes = sizesOf(self);
    return sizes && isUnwritten(node.output()) && !escapes(node.output()) && replaceWithConstant(node, *sizes);
  }
  case TensorQuery::Size:
  case TensorQuery::Length: {
    auto dim = *query == TensorQuery::Length ? std::optional<int64_t>(0) : constantInt(node.input(1));
    if (!facts || !facts->sizes || !dim || !isUnwritten(self))
      return false;
    auto at = pythonIndex(*dim, facts->sizes->size());
    return at && (*facts->sizes)[*at].isKnown() && replaceWithConstant(node, (*facts->sizes)[*at].value());
  }
  case TensorQuery::Count: {
    auto sizes = sizesOf(self);
    int64_t product = 1;
    for (int64_t size : sizes.value_or(std::vector<int64_t>()))
      if (__builtin_mul_overflow(product, size, &product))
        return false;
    return sizes && replaceWithConstant(node, product);
  }
  case TensorQuery::Strides: // views and memory formats decide these
  case TensorQuery::Stride:
  case TensorQuery::StorageOffset:
  case TensorQuery::IsContiguous: return false;
  }
  return false;
}

static bool isNumber(const Value *value, int64_t wanted) {
  auto constant = constantValue(value);
  return constant && ((constant->isInt() && constant->toInt() == wanted) ||
                      (constant->isDouble() && constant->toDouble() == static_cast<double>(wanted)));
}

/// Whether arithmetic with the number leaves a tensor of this dtype in it.
static bool keepsDtypeWith(DType dtype, const Value *number) {
  return isFloating(dtype) || isComplex(dtype) || (dtype != DType::Bool && constantInt(number).has_value());
}

static unsigned countTensors(const Node &node) {
  return static_cast<unsigned>(
      llvm::count_if(node.inputs(), [](const Value *input) { return input->type()->isTensor(); }));
}

/// Whether nobody sees that a point-wise result, which has no gaps, is replaced by a tensor that may have some: it has
/// none, or all that read it lay out a result of their own in the same way.
static bool hidesLayout(const Node &node, const Value *by) {
  auto isComputed = [](const Node *n) { return n->hasTrait(Trait::Pointwise) && !n->hasTrait(Trait::Writes); };
  return isComputed(by->node()) || llvm::all_of(node.output()->uses(), [&](const Use &use) {
           return isComputed(use.user()) && countTensors(*use.user()) == 1;
         });
}

static bool isSameNumber(const Value *a, const Value *b) {
  return a == b || (constantInt(a) && constantInt(a) == constantInt(b));
}

/// An operator applied to its own result, with the same further operands.
bool PeepholeRewriter::dropRepetition(Node &node) {
  Value *self = node.input(0);
  const Node &inner = *self->node();
  if (!self->type()->isTensor() || inner.opKind() != node.opKind() || inner.numInputs() != node.numInputs() ||
      node.hasTrait(Trait::Writes) ||
      !llvm::equal(llvm::drop_begin(node.inputs()), llvm::drop_begin(inner.inputs()), isSameNumber))
    return false;
  if (node.hasTrait(Trait::Idempotent))
    return replaceWithOperand(node, self);
  return node.hasTrait(Trait::SelfInverse) && isUnwritten(self) &&
         (node.hasTrait(Trait::View) || hidesLayout(node, inner.input(0))) && replaceWithOperand(node, inner.input(0));
}

/// A conjugate that several point-wise operators read is computed once: none of them sees that it is no view.
bool PeepholeRewriter::computeConjugate(Node &node) {
  auto isRead = [](const Use &use) {
    return use.user()->hasTrait(Trait::Pointwise) && !use.user()->hasTrait(Trait::Writes);
  };
  if (node.opKind() != OpKind::Aten_conj || !llvm::hasNItemsOrMore(node.output()->uses(), 2) ||
      !isUnwritten(node.input(0)) || !isUnwritten(node.output()) || !llvm::all_of(node.output()->uses(), isRead))
    return false;
  const Symbol physical = graph.context().symbol("aten::conj_physical");
  return replace(node, insertBefore(node, physical, {node.input(0)}, node.output()->type()));
}

/// Whether the type knows all sizes, numbers or symbols, and they are those of the other.
static bool haveEqualSizes(const TensorFacts *a, const TensorFacts *b) {
  return a && b && a->sizes && b->sizes && *a->sizes == *b->sizes &&
         llvm::none_of(*a->sizes, [](Dimension dimension) { return dimension.isUnknown(); });
}

/// A cast to the dtype, and onto the device, that the operand has gives the operand itself, history and all.
bool PeepholeRewriter::dropCast(Node &node) {
  Value *self = node.input(0);
  // The two are one object, also where both are seen outside. Which writes come between them is left to others.
  auto dropIt = [&] { return isUnwritten(node.output()) && isUnwritten(self) && replace(node, self); };
  const TensorFacts *facts = factsOf(self);
  if (!facts || !facts->dtype)
    return false;
  if (auto *cast = dyn_cast<TypeAsOp>(&node)) {
    const TensorFacts *other = factsOf(cast->other());
    return facts->device && other && other->dtype == facts->dtype && other->device == facts->device && dropIt();
  }
  auto *cast = dyn_cast<ToDtypeOp>(&node);
  return cast && constantInt(cast->dtype()) == static_cast<int64_t>(*facts->dtype) &&
         constantBool(cast->copy()) == false && cast->memory_format()->type()->isNone() && dropIt();
}

/// What operators on complex numbers do to real ones: nothing, or what one that other rules and passes know does.
bool PeepholeRewriter::dropComplexity(Node &node) {
  Value *self = node.input(0);
  const TensorFacts *facts = factsOf(self);
  if (!facts || !facts->dtype || isComplex(*facts->dtype))
    return false;
  if (node.hasTrait(Trait::KeepsReals))
    return replace(node, self);
  return node.opKind() == OpKind::Aten_adjoint && facts->sizes && facts->sizes->size() == 2 && isUnwritten(self) &&
         replace(node, insertBefore(node, aten::t, {self}, node.output()->type()));
}

/// Whether arithmetic with the number gives each element of this dtype as it is. The sum -0.0 + 0 is 0.0.
static bool isNeutral(ArithmeticKind arithmetic, DType dtype, const Value *number) {
  const bool isReal = isFloating(dtype);
  switch (arithmetic) {
  case ArithmeticKind::Add: return isNumber(number, 0) && !isReal && !isComplex(dtype);
  case ArithmeticKind::Subtract: return isNumber(number, 0) && !isComplex(dtype);
  case ArithmeticKind::Multiply: return isNumber(number, 1);
  case ArithmeticKind::Divide: return isNumber(number, 1) && isReal;
  }
  return false;
}

/// x - 0, x * 1 and their like.
bool PeepholeRewriter::dropArithmetic(Node &node) {
  Value *self = node.input(0);
  const std::optional<ArithmeticKind> arithmetic = arithmeticKind(node.opKind());
  const TensorFacts *facts = arithmetic ? factsOf(self) : nullptr;
  return facts && facts->dtype && isNeutral(*arithmetic, *facts->dtype, node.input(1)) &&
         keepsDtypeWith(*facts->dtype, node.input(1)) && hidesLayout(node, self) && replaceWithOperand(node, self);
}

/// An operator that gives its operand the sizes that this has.
bool PeepholeRewriter::dropResizing(Node &node) {
  if (!node.hasTrait(Trait::ToSizes))
    return false;
  Value *self = node.input(0), *wanted = node.input(1);
  const Node *asked = wanted->node(); // the sizes of another tensor
  if (asked->opKind() == OpKind::Aten_size && isUnwritten(wanted) && isUnwritten(self) &&
      isUnwritten(asked->input(0)) && haveEqualSizes(factsOf(self), factsOf(asked->input(0))))
    return replaceWithOperand(node, self);
  auto sizes = sizesOf(self);
  auto constant = constantValue(wanted);
  if (sizes && constant && constant->isIntList() && isUnwritten(wanted))
    return constant->toIntList().elements == *sizes && replaceWithOperand(node, self);
  const Node *list = sizes ? knownList(wanted) : nullptr;
  auto isSize = [](const auto &pair) { return constantInt(std::get<1>(pair)) == std::get<0>(pair); };
  return list && list->numInputs() == sizes->size() && llvm::all_of(llvm::zip(*sizes, list->inputs()), isSize) &&
         replaceWithOperand(node, self);
}
