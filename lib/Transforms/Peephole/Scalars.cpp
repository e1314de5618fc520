//===- Scalars.cpp - Rules for numbers, bools and strings -----------------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include <cmath>
using namespace tsc;

static bool isBool(const Value *value, bool wanted) { return constantBool(value) == wanted; }

/// Whether the value is the literal: of its type too, and of its sign where that is a zero.
static bool isLiteral(const Value *value, const Law &law) {
  std::optional<IValue> constant = law && !law.isSelf() ? constantValue(value) : std::nullopt;
  if (!constant)
    return false;
  if (const auto *number = std::get_if<int64_t>(&law.value))
    return constant->isInt() && constant->toInt() == *number;
  if (const auto *number = std::get_if<double>(&law.value))
    return constant->isDouble() && constant->toDouble() == *number &&
           std::signbit(constant->toDouble()) == std::signbit(*number);
  if (const auto *truth = std::get_if<bool>(&law.value))
    return constant->isBool() && constant->toBool() == *truth;
  return constant->isString() && constant->toString() == std::get<llvm::StringLiteral>(law.value);
}

static IValue valueOf(const Law &law) {
  if (const auto *number = std::get_if<int64_t>(&law.value))
    return *number;
  if (const auto *number = std::get_if<double>(&law.value))
    return *number;
  if (const auto *truth = std::get_if<bool>(&law.value))
    return *truth;
  return IValue(llvm::StringRef(std::get<llvm::StringLiteral>(law.value)));
}

bool PeepholeRewriter::simplifyScalars(Node &node) {
  if (node.kind() == prim::If)
    return simplifyIf(node);
  if (node.numOutputs() != 1 || node.numInputs() == 0)
    return false;
  return convertNothing(node) || simplifyByLaws(node) || simplifyRepetition(node);
}

/// A conversion to the type that the operand has, or that of an int that was a bool.
bool PeepholeRewriter::convertNothing(Node &node) {
  Value *operand = node.input(0);
  if (node.opKind() == OpKind::Aten_Bool_int && operand->node()->opKind() == OpKind::Aten_Int_bool)
    return replace(node, operand->node()->input(0));
  // Where the types fit. A tensor, to which EraseNumberTypes turns numbers, has a history besides its number.
  return conversionKind(node.opKind()) && !operand->type()->isTensor() && replace(node, operand);
}

/// Operators on one number, text or bool, applied to their own result. Those on tensors are dropRepetition's.
bool PeepholeRewriter::simplifyRepetition(Node &node) {
  Value *operand = node.input(0);
  if (node.numInputs() != 1 || operand->type()->isTensor() || operand->node()->opKind() != node.opKind())
    return false;
  if (node.hasTrait(Trait::Idempotent))
    return replace(node, operand);
  return node.hasTrait(Trait::SelfInverse) && replace(node, operand->node()->input(0));
}

/// What holds whatever the other operand is.
bool PeepholeRewriter::simplifyByLaws(Node &node) {
  const OpLaws *laws = node.numInputs() == 2 ? lawsOf(node.opKind()) : nullptr;
  if (!laws)
    return false;
  Value *left = node.input(0), *right = node.input(1);
  for (Value *operand : {left, right})
    if (isLiteral(operand, laws->absorbs))
      return replace(node, operand);
  if (laws->ofSame && left == right)
    return laws->ofSame.isSelf() ? replace(node, left) : replaceWithConstant(node, valueOf(laws->ofSame));
  if (isLiteral(right, laws->rightNeutral))
    return replace(node, left);
  if (isLiteral(left, laws->leftNeutral))
    return replace(node, right);
  for (unsigned i = 0; i != 2; ++i)
    if (isLiteral(node.input(i), laws->negates))
      return replace(node, insertBefore(node, aten::__not__, {node.input(1 - i)}, Type::boolType()));
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
    if (isa<OptionalType>(output->type()) && first->type() == second->type() && first->type() != output->type() &&
        first->type()->isSubtypeOf(output->type()) && !first->type()->isNone()) {
      output->setType(first->type()); // neither branch gives None
      changed = true;
    }
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
