//===- FusionRoles.cpp - What a node can be in a fusion group -------------===//
//
// Point-wise operators say what they are by their trait; the rest is a table of the
// view operators whose result is an index map of the operand with numbers as
// parameters. (view, reshape and their kin are none: whether they give a view
// depends on strides.) Reductions are those of one result that kernels fold, along any
// dimensions, and composites made of them; softmax only along the last dimension,
// where a kernel walks its rows while they are in the cache.
//
//===----------------------------------------------------------------------===//
#include "tsc/Transforms/FusionRoles.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Type.h"
#include "tsc/Transforms/FoldSignature.h"
#include "tsc/Transforms/FusionDecomposition.h"
using namespace tsc;

/// Of operators that no trait describes.
static FusionRole roleInTable(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_to_dtype:
  case OpKind::Aten_to_prim_dtype:
  case OpKind::Aten_type_as: return FusionRole::Cast;
  case OpKind::Aten_select_int:
  case OpKind::Aten_slice_Tensor:
  case OpKind::Aten_narrow:
  case OpKind::Aten_unsqueeze:
  case OpKind::Aten_squeeze:
  case OpKind::Aten_squeeze_dim:
  case OpKind::Aten_expand:
  case OpKind::Aten_expand_as:
  case OpKind::Aten_broadcast_to:
  case OpKind::Aten_transpose_int:
  case OpKind::Aten_swapaxes:
  case OpKind::Aten_swapdims:
  case OpKind::Aten_t:
  case OpKind::Aten_permute:
  case OpKind::Aten_unflatten_int: return FusionRole::IndexMap;
  case OpKind::Aten_chunk:
  case OpKind::Aten_split_Tensor:
  case OpKind::Aten_split_sizes:
  case OpKind::Aten_split:
  case OpKind::Aten_split_with_sizes:
  case OpKind::Aten_unbind_int: return FusionRole::Split;
  case OpKind::Aten_cat:
  case OpKind::Aten_stack: return FusionRole::Concatenation;
  default: return FusionRole::None;
  }
}

/// Whether `dim` is constant and the last dimension of `self`, as far as is known.
static bool isLastDim(const Value *dim, const Value *self) {
  auto constant = constantValue(dim);
  if (!constant || !constant->isInt())
    return false;
  const auto *type = dyn_cast<TensorType>(self->type());
  bool hasRank = type && type->facts().sizes;
  return constant->toInt() == -1 ||
         (hasRank && constant->toInt() + 1 == static_cast<int64_t>(type->facts().sizes->size()));
}

/// Folded by a kernel, along any dimensions, or made of such folds.
static bool isFusedReduction(const Node &node) {
  if (foldSignature(node.opKind()))
    return true;
  switch (node.opKind()) {
  case OpKind::Aten_softmax_int:
  case OpKind::Aten__softmax:
  case OpKind::Aten_log_softmax_int:
  case OpKind::Aten__log_softmax: return hasFusionDecomposition(node) && isLastDim(node.input(1), node.input(0));
  default: return hasFusionDecomposition(node);
  }
}

bool tsc::isCheap(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_add_Tensor:
  case OpKind::Aten_add_Scalar:
  case OpKind::Aten_sub_Tensor:
  case OpKind::Aten_sub_Scalar:
  case OpKind::Aten_mul_Tensor:
  case OpKind::Aten_mul_Scalar:
  case OpKind::Aten_neg:
  case OpKind::Aten_abs:
  case OpKind::Aten_relu:
  case OpKind::Aten_eq_Scalar:
  case OpKind::Aten_ne_Scalar:
  case OpKind::Aten_lt_Scalar:
  case OpKind::Aten_le_Scalar:
  case OpKind::Aten_gt_Scalar:
  case OpKind::Aten_ge_Scalar:
  case OpKind::Aten_eq_Tensor:
  case OpKind::Aten_ne_Tensor:
  case OpKind::Aten_lt_Tensor:
  case OpKind::Aten_le_Tensor:
  case OpKind::Aten_gt_Tensor:
  case OpKind::Aten_ge_Tensor:
  case OpKind::Aten_logical_not: return true;
  default: return false;
  }
}

bool tsc::isShapeQuery(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_size:
  case OpKind::Aten_size_int:
  case OpKind::Aten_dim:
  case OpKind::Aten_numel: return true;
  default: return false;
  }
}

FusionRole tsc::fusionRole(const Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_ConstantChunk: return FusionRole::IndexMap;
  case SymbolId::prim_ListUnpack: return FusionRole::Pick;
  case SymbolId::prim_ListConstruct: return FusionRole::Gather;
  default: break;
  }
  const OpRecord *record = node.record();
  if (!record || node.numBlocks())
    return FusionRole::None;
  bool isPlain = record->has(Trait::Pure) && !record->has(Trait::Writes) && !record->has(Trait::Detached);
  if (record->has(Trait::Pointwise))
    return isPlain && node.numOutputs() == 1 ? FusionRole::Pointwise : FusionRole::None;
  // These decompose only where they write nothing.
  bool isChannelNorm = record->kind == OpKind::Aten_batch_norm || record->kind == OpKind::Aten_instance_norm;
  if ((isPlain || isChannelNorm) && isFusedReduction(node))
    return FusionRole::Reduction;
  return roleInTable(record->kind);
}

/// A kind of value that a group takes from outside: tensors, numbers, lists of ints. What stays the same in all calls
/// may be anything, and goes along.
static bool isGroupOperand(const Value *value) {
  if (isConstant(value))
    return true;
  const Type *type = value->type();
  if (const auto *list = dyn_cast<ListType>(type))
    return list->element()->isInt();
  return type->isTensor() || type->isInt() || type->isFloat() || type->isBool() || type->isNumber() ||
         type->isScalarType();
}

/// No fuser takes complex numbers.
static bool hasKnownComplexDType(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type && type->facts().dtype && isComplex(*type->facts().dtype);
}

/// A list that is made to be used once, by a node of this role beside it.
static bool isPrivateList(const Value *list, FusionRole role, const AliasAnalysis &aliases) {
  if (!list->hasOneUse() || aliases.hasWriters(list))
    return false;
  const Node *user = list->uses().begin()->user();
  return user->block() == list->node()->block() && fusionRole(*user) == role;
}

bool tsc::mayBeFused(const Node &node, const AliasAnalysis &aliases) {
  FusionRole role = fusionRole(node);
  if (role == FusionRole::None || llvm::any_of(node.inputs(), hasKnownComplexDType) ||
      llvm::any_of(node.outputs(), hasKnownComplexDType))
    return false;
  switch (role) {
  case FusionRole::Gather: return isPrivateList(node.output(), FusionRole::Concatenation, aliases);
  case FusionRole::Concatenation: {
    const Node &list = *node.input(0)->node();
    return list.block() == node.block() && fusionRole(list) == FusionRole::Gather &&
           isPrivateList(list.output(), role, aliases) && isConstant(node.input(1));
  }
  case FusionRole::Split:
    return isPrivateList(node.output(), FusionRole::Pick, aliases) && llvm::all_of(node.inputs(), isGroupOperand);
  case FusionRole::Pick: {
    const Node &split = *node.input(0)->node();
    return split.block() == node.block() && fusionRole(split) == FusionRole::Split &&
           isPrivateList(split.output(), role, aliases);
  }
  default: return llvm::all_of(node.inputs(), isGroupOperand);
  }
}
