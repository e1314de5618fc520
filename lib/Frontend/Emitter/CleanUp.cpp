//===- CleanUp.cpp - What emission leaves behind --------------------------===//
//
// Tuples that are taken apart where they were made, equal constants, and constants
// and unpackings that nobody reads. Linear in the graph.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Python/Slices.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tsc;

static bool isPure(const Node &node) {
  return node.kind() == prim::Constant || node.kind() == prim::TupleConstruct || node.kind() == prim::TupleUnpack ||
         node.kind() == prim::TupleIndex || node.kind() == prim::Uninitialized || node.kind() == prim::GetAttr ||
         node.kind() == prim::unchecked_cast;
}

static void eraseUnread(Block &block) {
  for (Node &node : llvm::make_early_inc_range(llvm::reverse(block.nodes()))) {
    for (Block &inner : node.blocks())
      eraseUnread(inner);
    if (isPure(node) && llvm::none_of(node.outputs(), [](Value *v) { return v->hasUses(); }))
      node.erase();
  }
}

static void lowerTuples(Block &block) {
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      lowerTuples(inner);
    if (node.kind() == prim::TupleUnpack) {
      Node *made = node.input()->node();
      if (made->kind() != prim::TupleConstruct || made->numInputs() != node.numOutputs())
        continue;
      for (unsigned i = 0; i != node.numOutputs(); ++i)
        node.output(i)->replaceAllUsesWith(made->input(i));
    } else if (node.kind() == prim::TupleIndex) {
      Node *made = node.input()->node();
      std::optional<IValue> index = made->kind() == prim::TupleConstruct ? constantValue(node.input(1)) : std::nullopt;
      if (!index || !index->isInt())
        continue;
      if (std::optional<int64_t> place = python::elementPlace(index->toInt(), made->numInputs()))
        node.output()->replaceAllUsesWith(made->input(static_cast<unsigned>(*place)));
    }
  }
}

/// What tells constants apart; empty for those that are not pooled.
static std::string keyOf(const Node &node) {
  std::optional<IValue> value = constantValue(node.output());
  if (!value)
    return "";
  std::string key;
  llvm::raw_string_ostream os(key);
  switch (value->getTag()) {
  case IValue::Tag::None: os << 'n'; break;
  case IValue::Tag::Bool: os << 'b' << value->toBool(); break;
  case IValue::Tag::Int: os << 'i' << value->toInt(); break;
  case IValue::Tag::Double: os << 'd' << std::bit_cast<uint64_t>(value->toDouble()); break;
  case IValue::Tag::String: os << 's' << value->toString(); break;
  case IValue::Tag::Device: os << 'D' << value->toDevice().str(); break;
  case IValue::Tag::Function: os << 'f' << value->toFunction(); break;
  default: return "";
  }
  os << '|' << node.output()->type();
  return key;
}

static void poolConstants(Block &block, std::map<std::string, Node *> &pool, Block &top, Node *&lastPooled) {
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      poolConstants(inner, pool, top, lastPooled);
    if (node.kind() != prim::Constant)
      continue;
    std::string key = keyOf(node);
    if (key.empty())
      continue;
    auto [it, isNew] = pool.try_emplace(key, &node);
    if (!isNew) {
      node.output()->replaceAllUsesWith(it->second->output());
      node.erase();
      continue;
    }
    // Constants stand at the top of the graph, the one met last first, as PyTorch prints them.
    node.removeFromBlock();
    top.prepend(&node);
  }
}

void tsc::cleanUp(Graph &graph) {
  lowerTuples(graph.block());
  eraseUnread(graph.block());
  std::map<std::string, Node *> pool;
  Node *last = nullptr;
  poolConstants(graph.block(), pool, graph.block(), last);
}
