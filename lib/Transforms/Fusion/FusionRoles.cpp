//===- FusionRoles.cpp - What a node can be in a fusion group -------------===//
//
// Operators say what they are by their traits. (view, reshape and flatten are no index
// maps: whether they give a view depends on strides.) Reductions are those of
// one result that kernels fold, along any dimensions, and composites made of them;
// softmax only along the last dimension, where a kernel walks its rows while they are
// in the cache.
//
//===----------------------------------------------------------------------===//
#include "tsc/Transforms/FusionRoles.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Type.h"
#include "tsc/Transforms/FusionDecomposition.h"
using namespace tsc;

/// Whether `dim` is constant and the last dimension of `self`, as far as is known.
static bool isLastDim(const Value *dim, const Value *self) {
  auto number = constantInt(dim);
  if (!number)
    return false;
  const auto *type = dyn_cast<TensorType>(self->type());
  bool hasRank = type && type->facts().sizes;
  return *number == -1 || (hasRank && *number + 1 == static_cast<int64_t>(type->facts().sizes->size()));
}

/// Folded by a kernel, along any dimensions, or made of such folds.
static bool isFusedReduction(const Node &node) {
  if (foldSignature(node.opKind()))
    return true;
  return hasFusionDecomposition(node) && (!node.hasTrait(Trait::AlongRows) || isLastDim(node.input(1), node.input(0)));
}

/// Whether the result may be the first operand, in rows without gaps: the same elements and dtype.
static bool isRowMajorCopy(const Node &node) {
  return node.opKind() == OpKind::Aten_contiguous &&
         constantInt(node.input(1)) == static_cast<int64_t>(MemoryFormat::Contiguous);
}

/// Of operators that write nothing, and give elements of their operands, elsewhere or in another dtype, or one number.
static FusionRole roleOfMove(const Node &node, const OpRecord &record) {
  if (record.has(Trait::Writes))
    return FusionRole::None;
  if (isRowMajorCopy(node))
    return FusionRole::Cast;
  static constexpr std::pair<Trait, FusionRole> roles[] = {
      {Trait::Cast, FusionRole::Cast},       {Trait::IndexMap, FusionRole::IndexMap},
      {Trait::Split, FusionRole::Split},     {Trait::Fill, FusionRole::Fill},
      {Trait::Reshape, FusionRole::Reshape}, {Trait::Concatenation, FusionRole::Concatenation}};
  for (auto [trait, role] : roles)
    if (record.has(trait))
      return role;
  return FusionRole::None;
}

static bool isInts(const Value *value) {
  const auto *list = dyn_cast<ListType>(value->type());
  return value->type()->isInt() || (list && list->element()->isInt());
}

/// Computed from sizes, dtypes and other numbers; a bool says what holds of these.
static bool isNumber(const Node &node) {
  if (node.numOutputs() != 1 || !node.hasTrait(Trait::Pure))
    return false;
  if (isInts(node.output()) && (node.hasTrait(Trait::SizeQuery) || tensorQuery(node.opKind()) == TensorQuery::DType))
    return true;
  const bool ofNumbers = llvm::all_of(
      node.inputs(), [](const Value *v) { return isInts(v) || v->type()->isBool() || v->type()->isNone(); });
  return ofNumbers && (isInts(node.output()) || node.output()->type()->isBool());
}

FusionRole tsc::fusionRole(const Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_ConstantChunk: return FusionRole::IndexMap;
  case SymbolId::prim_ListUnpack: return FusionRole::Pick;
  case SymbolId::prim_ListConstruct: return isInts(node.output()) ? FusionRole::Number : FusionRole::Gather;
  default: break;
  }
  const OpRecord *record = node.record();
  if (!record || node.numBlocks())
    return FusionRole::None;
  const bool isPure = record->has(Trait::Pure) && !record->has(Trait::Writes);
  // Also one without a gradient: a group's outputs know which inputs their gradients come from.
  if (record->has(Trait::Pointwise))
    return isPure && node.numOutputs() == 1 ? FusionRole::Pointwise : FusionRole::None;
  const bool isPlain = isPure && !record->has(Trait::Detached);
  // A composite that may write is one that does not where its definition is straight.
  if ((isPlain || hasFusionDecomposition(node)) && isFusedReduction(node))
    return FusionRole::Reduction;
  if (isPlain && isNumber(node))
    return FusionRole::Number;
  return roleOfMove(node, *record);
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
  auto dtype = knownDType(value);
  return dtype && isComplex(*dtype);
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
  case FusionRole::Number: // not a list that somebody changes
    return llvm::all_of(node.inputs(), isGroupOperand) && !aliases.hasWriters(node.output());
  case FusionRole::Fill: // by a number and options that are known
    return isGroupOperand(node.input(0)) && llvm::all_of(llvm::drop_begin(node.inputs()), isConstant);
  default: return llvm::all_of(node.inputs(), isGroupOperand);
  }
}
