//===- Scalars.cpp - Rules for numbers, bools and strings -----------------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
using namespace tsc;

static bool isInt(const Value *value, int64_t wanted) { return constantInt(value) == wanted; }
static bool isFloat(const Value *value, double wanted) {
  auto constant = constantValue(value);
  return constant && constant->isDouble() && constant->toDouble() == wanted;
}
static bool isBool(const Value *value, bool wanted) { return constantBool(value) == wanted; }
static bool isEmptyString(const Value *value) {
  auto constant = constantValue(value);
  return constant && constant->isString() && constant->toString().empty();
}

bool PeepholeRewriter::simplifyScalars(Node &node) {
  if (node.kind() == prim::If)
    return simplifyIf(node);
  if (node.numOutputs() != 1)
    return false;
  switch (node.opKind()) {
  case OpKind::Aten_add_int:
    return (isInt(node.input(1), 0) && replace(node, node.input(0))) ||
           (isInt(node.input(0), 0) && replace(node, node.input(1)));
  case OpKind::Aten_sub_int:
    if (node.input(0) == node.input(1))
      return replaceWithConstant(node, 0);
    return isInt(node.input(1), 0) && replace(node, node.input(0));
  case OpKind::Aten_sub_float: // x + 0.0 is not x where x is -0.0
    return isFloat(node.input(1), 0) && !std::signbit(constantValue(node.input(1))->toDouble()) &&
           replace(node, node.input(0));
  case OpKind::Aten_mul_int:
    if (isInt(node.input(0), 0) || isInt(node.input(1), 0))
      return replaceWithConstant(node, 0);
    return (isInt(node.input(1), 1) && replace(node, node.input(0))) ||
           (isInt(node.input(0), 1) && replace(node, node.input(1)));
  case OpKind::Aten_mul_float:
    return (isFloat(node.input(1), 1) && replace(node, node.input(0))) ||
           (isFloat(node.input(0), 1) && replace(node, node.input(1)));
  case OpKind::Aten_floordiv_int:
  case OpKind::Aten___round_to_zero_floordiv_int: return isInt(node.input(1), 1) && replace(node, node.input(0));
  case OpKind::Aten_div_float: return isFloat(node.input(1), 1) && replace(node, node.input(0));
  case OpKind::Aten_neg_int:
  case OpKind::Aten_neg_float:
  case OpKind::Aten___not__:
    return node.input(0)->node()->opKind() == node.opKind() && replace(node, node.input(0)->node()->input(0));
  case OpKind::Prim_min_int:
  case OpKind::Prim_max_int: return node.input(0) == node.input(1) && replace(node, node.input(0));
  case OpKind::Aten_add_str:
    return (isEmptyString(node.input(1)) && replace(node, node.input(0))) ||
           (isEmptyString(node.input(0)) && replace(node, node.input(1)));
  case OpKind::Aten_str: return node.input(0)->type()->isString() && replace(node, node.input(0));
  case OpKind::Aten_Bool_int: // of an int that was a bool
    return node.input(0)->node()->opKind() == OpKind::Aten_Int_bool && replace(node, node.input(0)->node()->input(0));
  case OpKind::Aten_Int_Scalar:
  case OpKind::Aten_Float_Scalar: return replace(node, node.input(0)); // when its type is the wanted one already
  default: return simplifyComparison(node) || simplifyLogic(node);
  }
}

/// A value compared with itself. Floats and tensors are left alone for NaN's sake.
bool PeepholeRewriter::simplifyComparison(Node &node) {
  if (node.numInputs() != 2 || node.input(0) != node.input(1))
    return false;
  switch (node.opKind()) {
  case OpKind::Aten_eq_int:
  case OpKind::Aten_eq_str:
  case OpKind::Aten_eq_bool:
  case OpKind::Aten_eq_device:
  case OpKind::Aten_eq_enum:
  case OpKind::Aten_eq_int_list:
  case OpKind::Aten_eq_str_list:
  case OpKind::Aten_eq_bool_list:
  case OpKind::Aten_le_int:
  case OpKind::Aten_ge_int:
  case OpKind::Aten_le_str:
  case OpKind::Aten_ge_str:
  case OpKind::Aten___is__: return replaceWithConstant(node, true);
  case OpKind::Aten_ne_int:
  case OpKind::Aten_ne_str:
  case OpKind::Aten_ne_bool:
  case OpKind::Aten_ne_device:
  case OpKind::Aten_ne_enum:
  case OpKind::Aten_ne_int_list:
  case OpKind::Aten_ne_str_list:
  case OpKind::Aten_ne_bool_list:
  case OpKind::Aten_lt_int:
  case OpKind::Aten_gt_int:
  case OpKind::Aten_lt_str:
  case OpKind::Aten_gt_str:
  case OpKind::Aten___isnot__: return replaceWithConstant(node, false);
  default: return false;
  }
}

bool PeepholeRewriter::simplifyLogic(Node &node) {
  const bool isAnd = node.opKind() == OpKind::Aten___and___bool, isOr = node.opKind() == OpKind::Aten___or___bool;
  if (isAnd || isOr) {
    for (unsigned i = 0; i != 2; ++i) {
      if (isBool(node.input(i), isAnd) || node.input(0) == node.input(1))
        return replace(node, node.input(1 - i));
      if (isBool(node.input(i), isOr))
        return replace(node, node.input(i));
    }
    return false;
  }
  // bool == True and bool != False are the bool, the others its negation.
  if (node.opKind() != OpKind::Aten_eq_bool && node.opKind() != OpKind::Aten_ne_bool &&
      node.opKind() != OpKind::Aten___xor___bool)
    return false;
  const bool neutral = node.opKind() == OpKind::Aten_eq_bool;
  for (unsigned i = 0; i != 2; ++i) {
    if (isBool(node.input(i), neutral))
      return replace(node, node.input(1 - i));
    if (isBool(node.input(i), !neutral))
      return replace(node, insertBefore(node, aten::__not__, {node.input(1 - i)}, Type::boolType()));
  }
  return false;
}

/// Outputs that say no more than the condition does.
bool PeepholeRewriter::simplifyIf(Node &node) {
  if (node.numBlocks() != 2)
    return false;
  bool changed = false;
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    Value *first = node.block(0).returnNode().input(i), *second = node.block(1).returnNode().input(i),
          *output = node.output(i);
    if (!output->hasUses())
      continue;
    Value *by = nullptr;
    if (first == second && first->type() == output->type())
      by = first;
    else if (isBool(first, true) && isBool(second, false))
      by = node.input(0);
    else if (isBool(first, false) && isBool(second, true))
      by = insertBefore(node, aten::__not__, {node.input(0)}, Type::boolType());
    if (!by)
      continue;
    output->replaceAllUsesWith(by);
    changed = true;
  }
  return changed;
}
