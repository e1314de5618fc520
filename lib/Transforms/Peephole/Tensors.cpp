//===- Tensors.cpp - Rules for tensors ------------------------------------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

bool PeepholeRewriter::simplifyTensors(Node &node) {
  if (node.numOutputs() != 1 || node.numInputs() == 0)
    return false;
  return passThroughNumber(node) || answerQuestion(node) || dropIdentity(node);
}

/// A number that was put into a tensor and comes out again.
bool PeepholeRewriter::passThroughNumber(Node &node) {
  switch (node.opKind()) {
  case OpKind::Aten_Int_Tensor:
  case OpKind::Aten_Float_Tensor:
  case OpKind::Aten_Bool_Tensor:
  case OpKind::Aten_IntImplicit:
  case OpKind::Aten_FloatImplicit:
  case OpKind::Aten_ScalarImplicit:
  case OpKind::Aten_item: break;
  default: return false;
  }
  const Value *tensor = node.input(0);
  const bool holdsNumber = tensor->node()->kind() == prim::NumToTensor && tensor->node()->numInputs() == 1;
  return holdsNumber && isUnwritten(tensor) && replace(node, tensor->node()->input(0));
}

/// Whether dimension and batch of the result are those of the first operand.
static bool keepsRank(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_conv1d:
  case OpKind::Aten_conv2d:
  case OpKind::Aten_conv3d:
  case OpKind::Aten_conv1d_padding:
  case OpKind::Aten_conv2d_padding:
  case OpKind::Aten_conv3d_padding:
  case OpKind::Aten_batch_norm:
  case OpKind::Aten_layer_norm: return true;
  default: return false;
  }
}

/// Facts of types: dtype and device never change, rank and sizes may where somebody writes the tensor.
bool PeepholeRewriter::answerQuestion(Node &node) {
  Value *self = node.input(0);
  const TensorFacts *facts = factsOf(self);
  switch (node.opKind()) {
  case OpKind::Prim_dtype: return facts && facts->dtype && replaceWithConstant(node, *facts->dtype);
  case OpKind::Prim_device: return facts && facts->device && replaceWithConstant(node, *facts->device);
  case OpKind::Prim_is_cuda:
    return facts && facts->device && replaceWithConstant(node, facts->device->kind == DeviceKind::CUDA);
  case OpKind::Prim_is_cpu:
    return facts && facts->device && replaceWithConstant(node, facts->device->kind == DeviceKind::CPU);
  case OpKind::Aten_is_floating_point:
    return facts && facts->dtype && replaceWithConstant(node, isFloating(*facts->dtype));
  case OpKind::Aten_is_complex: return facts && facts->dtype && replaceWithConstant(node, isComplex(*facts->dtype));
  case OpKind::Aten_dim:
    if (facts && facts->sizes && isUnwritten(self))
      return replaceWithConstant(node, static_cast<int64_t>(facts->sizes->size()));
    if (keepsRank(self->node()->opKind()) && isUnwritten(self) && isUnwritten(self->node()->input(0)))
      return replace(node, insertBefore(node, aten::dim, {self->node()->input(0)}, Type::intType()));
    return false;
  case OpKind::Aten_size:
  case OpKind::Prim_shape: {
    auto sizes = sizesOf(self);
    return sizes && isUnwritten(node.output()) && !escapes(node.output()) && replaceWithConstant(node, *sizes);
  }
  case OpKind::Aten_size_int:
  case OpKind::Aten_len_Tensor: {
    auto dim = node.opKind() == OpKind::Aten_len_Tensor ? std::optional<int64_t>(0) : constantInt(node.input(1));
    if (!facts || !facts->sizes || !dim || !isUnwritten(self))
      return false;
    auto at = pythonIndex(*dim, facts->sizes->size());
    return at && (*facts->sizes)[*at].isKnown() && replaceWithConstant(node, (*facts->sizes)[*at].value());
  }
  case OpKind::Aten_numel: {
    auto sizes = sizesOf(self);
    int64_t product = 1;
    for (int64_t size : sizes.value_or(std::vector<int64_t>()))
      if (__builtin_mul_overflow(product, size, &product))
        return false;
    return sizes && replaceWithConstant(node, product);
  }
  default: return false;
  }
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

/// Operators whose result is their operand.
bool PeepholeRewriter::dropIdentity(Node &node) {
  Value *self = node.input(0);
  const TensorFacts *facts = factsOf(self);
  const bool knowsDtype = facts && facts->dtype;
  switch (node.opKind()) {
  case OpKind::Aten_add_Scalar:
  case OpKind::Aten_sub_Scalar: // -0.0 + 0 is 0.0, so only what cannot be -0.0
    return knowsDtype && (node.opKind() == OpKind::Aten_sub_Scalar || !isFloating(*facts->dtype)) &&
           !isComplex(*facts->dtype) && isNumber(node.input(1), 0) && keepsDtypeWith(*facts->dtype, node.input(1)) &&
           hidesLayout(node, self) && replaceWithOperand(node, self);
  case OpKind::Aten_mul_Scalar:
    return knowsDtype && isNumber(node.input(1), 1) && keepsDtypeWith(*facts->dtype, node.input(1)) &&
           hidesLayout(node, self) && replaceWithOperand(node, self);
  case OpKind::Aten_div_Scalar:
    return knowsDtype && isFloating(*facts->dtype) && isNumber(node.input(1), 1) && hidesLayout(node, self) &&
           replaceWithOperand(node, self);
  case OpKind::Aten_relu: return self->node()->opKind() == OpKind::Aten_relu && replaceWithOperand(node, self);
  case OpKind::Aten_neg:
    return self->node()->opKind() == OpKind::Aten_neg && isUnwritten(self) &&
           hidesLayout(node, self->node()->input(0)) && replaceWithOperand(node, self->node()->input(0));
  case OpKind::Aten_t:
    return self->node()->opKind() == OpKind::Aten_t && isUnwritten(self) &&
           replaceWithOperand(node, self->node()->input(0));
  case OpKind::Aten_transpose_int: {
    const Node *other = self->node();
    return other->opKind() == OpKind::Aten_transpose_int && isUnwritten(self) && constantInt(node.input(1)) &&
           constantInt(node.input(2)) && constantInt(node.input(1)) == constantInt(other->input(1)) &&
           constantInt(node.input(2)) == constantInt(other->input(2)) && replaceWithOperand(node, other->input(0));
  }
  case OpKind::Aten_type_as: {
    const TensorFacts *other = factsOf(node.input(1));
    return knowsDtype && facts->device && other && other->dtype == facts->dtype && other->device == facts->device &&
           replaceWithOperand(node, self);
  }
  case OpKind::Aten_to_dtype:
    return knowsDtype && constantInt(node.input(1)) == static_cast<int64_t>(*facts->dtype) &&
           constantBool(node.input(3)) == false && node.input(4)->type()->isNone() && replaceWithOperand(node, self);
  case OpKind::Aten_expand:
  case OpKind::Aten_view:
  case OpKind::Aten_reshape: {
    auto sizes = sizesOf(self);
    const Node *wanted = node.input(1)->node();
    auto constant = constantValue(node.input(1));
    if (sizes && constant && constant->isIntList() && isUnwritten(node.input(1)))
      return constant->toIntList().elements == *sizes && replaceWithOperand(node, self);
    if (!sizes || !knownList(node.input(1)) || wanted->numInputs() != sizes->size())
      return false;
    for (auto [size, value] : llvm::zip(*sizes, wanted->inputs()))
      if (constantInt(value) != size)
        return false;
    return replaceWithOperand(node, self);
  }
  default: return false;
  }
}
