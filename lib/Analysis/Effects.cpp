//===- Effects.cpp - What a graph may write -------------------------------===//
#include "tsc/Analysis/Effects.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

Effects::Effects(const Graph &graph) {
  for (Value *input : graph.inputs())
    escape(input);
  visitBlock(graph.block());
  for (Value *output : graph.outputs())
    escape(output);
}

bool Effects::mayWrite(const Node &node) {
  if (node.numBlocks())
    return false; // what its blocks write, their nodes write
  if (const OpRecord *record = node.record())
    return record->has(Trait::Writes);
  switch (node.kind().id()) {
  case SymbolId::prim_Constant:
  case SymbolId::prim_ListConstruct:
  case SymbolId::prim_ListUnpack:
  case SymbolId::prim_TupleConstruct:
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_TupleIndex:
  case SymbolId::prim_TupleSlice:
  case SymbolId::prim_DictConstruct:
  case SymbolId::prim_GetAttr:
  case SymbolId::prim_CreateObject:
  case SymbolId::prim_Uninitialized:
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_isinstance:
  case SymbolId::prim_Print:
  case SymbolId::prim_RaiseException:
  case SymbolId::prim_NumToTensor:
  case SymbolId::prim_tolist:
    return false;
  default:
    return true; // calls, attribute stores, unknown operators
  }
}

unsigned Effects::find(unsigned group) const {
  while (groups[group].parent != group)
    group = groups[group].parent = groups[groups[group].parent].parent;
  return group;
}

unsigned Effects::groupOf(const Value *value) {
  auto [at, isNew] = groupNumbers.try_emplace(value, groups.size());
  if (isNew)
    groups.push_back({static_cast<unsigned>(groups.size()), false, {}});
  return find(at->second);
}

const Effects::Group *Effects::lookup(const Value *value) const {
  auto at = groupNumbers.find(value);
  return at == groupNumbers.end() ? nullptr : &groups[find(at->second)];
}

void Effects::join(unsigned a, unsigned b) {
  if (a == b)
    return;
  if (groups[a].writers.size() < groups[b].writers.size())
    std::swap(a, b);
  groups[b].parent = a;
  groups[a].escapes |= groups[b].escapes;
  groups[a].writers.append(groups[b].writers);
  groups[b].writers.clear();
}

void Effects::joinValues(const Value *a, const Value *b) {
  if (a->type()->isMutable() && b->type()->isMutable())
    join(groupOf(a), groupOf(b));
}

void Effects::escape(const Value *value) {
  if (value->type()->isMutable())
    groups[groupOf(value)].escapes = true;
}

void Effects::visitBlock(const Block &block) {
  for (const Node &node : block.nodes())
    visit(const_cast<Node &>(node));
}

/// All mutable operands and results of a node may alias.
void Effects::joinAll(const Node &node) {
  const Value *first = nullptr;
  auto add = [&](const Value *value) {
    if (!value->type()->isMutable())
      return;
    if (first)
      join(groupOf(first), groupOf(value));
    else
      first = value;
  };
  llvm::for_each(node.inputs(), add);
  llvm::for_each(node.outputs(), add);
}

void Effects::visit(Node &node) {
  for (const Block &block : node.blocks())
    visitBlock(block);
  if (node.kind() == prim::If) {
    for (const Block &block : node.blocks())
      for (auto [inner, outer] : llvm::zip(block.outputs(), node.outputs()))
        joinValues(inner, outer);
    return;
  }
  if (node.kind() == prim::Loop && node.numInputs() >= 2 && node.numBlocks() == 1) {
    const Block &body = node.block(0);
    for (unsigned i = 0; i < node.numOutputs(); ++i) {
      joinValues(node.input(i + 2), body.inputs()[i + 1]);
      joinValues(node.input(i + 2), node.output(i));
      joinValues(body.returnNode().input(i + 1), node.output(i));
    }
    return;
  }

  const OpRecord *record = node.record();
  bool isKnown = record || !mayWrite(node);
  if (!isKnown || record == nullptr || record->has(Trait::Aliases) || record->has(Trait::Writes))
    joinAll(node);
  if (!isKnown || node.kind() == prim::GetAttr || node.numBlocks()) {
    llvm::for_each(node.inputs(), [&](const Value *v) { escape(v); });
    llvm::for_each(node.outputs(), [&](const Value *v) { escape(v); });
  }
  if (!mayWrite(node))
    return;
  const FunctionSchema *schema = record ? node.schema() : nullptr;
  for (unsigned i = 0; i < node.numInputs(); ++i) {
    bool writes = !schema || i >= schema->arguments().size() ||
                  (schema->arguments()[i].alias && schema->arguments()[i].alias->isWrite);
    if (!writes || !node.input(i)->type()->isMutable())
      continue;
    auto &writers = groups[groupOf(node.input(i))].writers;
    if (writers.empty() || writers.back() != &node)
      writers.push_back(&node);
  }
}

bool Effects::isWritten(const Value *value) const {
  const Group *group = lookup(value);
  return group && !group->writers.empty();
}
bool Effects::escapes(const Value *value) const {
  const Group *group = lookup(value);
  return group && group->escapes;
}
llvm::ArrayRef<Node *> Effects::writers(const Value *value) const {
  const Group *group = lookup(value);
  return group ? llvm::ArrayRef<Node *>(group->writers) : llvm::ArrayRef<Node *>();
}
