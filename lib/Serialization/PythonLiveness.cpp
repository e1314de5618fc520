//===- PythonLiveness.cpp - What of a body is written, and where ----------===//
//
// Conditions refine the types of variables: a graph that was read has a cast for
// each, and branches hand on what becomes of them, whether anybody asks or not.
// Written as they are, there would be more of them with every reading.
//
//===----------------------------------------------------------------------===//
#include "PythonFunction.h"

using namespace tsc;

bool PythonFunction::isLive(const Use &use) {
  const Node &user = *use.user();
  if (user.kind() == prim::unchecked_cast)
    return isLive(user.output());
  const Node *holder = user.parentNode();
  if (!holder || llvm::none_of(holder->blocks(), [&](const Block &block) { return &block.returnNode() == &user; }))
    return true;
  if (holder->kind() == prim::If)
    return isLive(holder->output(use.index()));
  if (holder->kind() != prim::Loop || use.index() == 0)
    return true;
  return holder->output(use.index() - 1)->hasUses() || holder->block(0).inputs()[use.index()]->hasUses();
}

bool PythonFunction::isLive(const Value *value) {
  if (auto known = liveness.find(value); known != liveness.end())
    return known->second;
  const bool result = llvm::any_of(value->uses(), [&](const Use &use) { return isLive(use); });
  return liveness[value] = result;
}

bool PythonFunction::canBeInlined(const Node &node) {
  if (node.numOutputs() != 1 || node.numBlocks() ||
      llvm::count_if(node.output()->uses(), [&](const Use &use) { return isLive(use); }) != 1)
    return false;
  switch (node.kind().id()) {
  case SymbolId::prim_fork:
  case SymbolId::prim_awaitable:
  case SymbolId::prim_SetAttr:
  case SymbolId::prim_Enter:
  case SymbolId::prim_Exit:
  case SymbolId::prim_Uninitialized:
  case SymbolId::prim_CreateObject: return false;
  default: return node.output()->type()->kind() != TypeKind::None;
  }
}

bool PythonFunction::isWritten(const Node &node) {
  return node.kind() != prim::Constant && (node.kind() != prim::unchecked_cast || isLive(node.output()));
}

Node *PythonFunction::previousWritten(Node *node) {
  do
    node = node->previous();
  while (node && !isWritten(*node));
  return node;
}

/// Inlines operands of `node` from the last one on, where each is what stands before the rest. Others are variables,
/// which may stand between them. Returns the node that stands before them all.
Node *PythonFunction::inlineOperands(Node &node, Node *before) {
  // The operand whose text comes last is computed last.
  for (unsigned i = node.numInputs(); i-- != 0;) {
    Value *operand = node.input(i);
    if (operand->node()->kind() == prim::Constant || !isLive(node.use(i)))
      continue;
    if (operand->node() != before)
      continue;
    if (!before || !canBeInlined(*before))
      return before;
    inlined.insert(before);
    before = inlineOperands(*before, previousWritten(before));
  }
  return before;
}

void PythonFunction::chooseInlined(Block &block) {
  Node *last = block.nodes().empty() ? nullptr : &block.nodes().back();
  if (last && !isWritten(*last))
    last = previousWritten(last);
  Node *cursor = inlineOperands(block.returnNode(), last);
  while (cursor) {
    Node *before = previousWritten(cursor);
    if (cursor->kind() == prim::Loop) { // all that is written before its condition are copies of variables
      const bool isCondition = before && before == cursor->input(1)->node() && canBeInlined(*before);
      if (isCondition)
        inlined.insert(before);
      cursor = isCondition ? inlineOperands(*before, previousWritten(before)) : before;
    } else {
      // An attribute's object is written before its value.
      cursor = cursor->kind() == prim::SetAttr ? before : inlineOperands(*cursor, before);
    }
  }
}
