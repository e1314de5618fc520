//===- CommonSubexpressions.cpp - Compute equal expressions once ----------===//
//
// Purpose: a node equal to an earlier one takes its results. Walks the blocks in
//   order with a table of the expressions computed so far in this block and those
//   around it. Pure nodes take part, and attributes that are read twice, where
//   nobody writes what they read between the two, and nobody writes what they
//   made. Two fresh tensors or lists that the caller can see stay two.
//
// Cost:   linear.
// Limits: the branches of an If are not compared with each other, and nothing is
//   hoisted.
//
// Before:
//   graph(%x : Tensor, %n : int):
//     %2 : int = aten::mul(%n, %n)
//     %3 : Tensor = aten::neg(%x)
//     %4 : int = aten::mul(%n, %n)
//     %5 : Tensor = aten::neg(%x)
//     %6 : Tensor = aten::add(%3, %5, %2)
//     %7 : Tensor = aten::mul(%6, %4)
//     return (%7)
// After:
//   graph(%x : Tensor,
//         %n : int):
//     %2 : int = aten::mul(%n, %n)
//     %3 : Tensor = aten::neg(%x)
//     %6 : Tensor = aten::add(%3, %3, %2)
//     %7 : Tensor = aten::mul(%6, %2)
//     return (%7)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/ProgramOrder.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "cse"
using namespace tsc;

TSC_STATISTIC(NumMerged, "Nodes replaced by an earlier equal one");

/// Equal values of one kind; 1, 1.0 and True differ, and a list is only equal to itself.
static bool sameConstant(const IValue &a, const IValue &b) {
  if (a.getTag() != b.getTag())
    return false;
  if (a.isDouble()) { // -0.0 is not 0.0, and a NaN is the same constant as itself
    double x = a.toDouble(), y = b.toDouble();
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
  if (a.isInt() || a.isBool())
    return a.toInt() == b.toInt();
  return a.isString() ? a.toString() == b.toString() : a.isSameAs(b);
}

namespace {

struct AttributesEqual {
  template <typename T> bool operator()(const T &a, const T &b) const { return a == b; }
  bool operator()(const Tensor &a, const Tensor &b) const { return a.isSameAs(b); }
  bool operator()(const IValue &a, const IValue &b) const { return sameConstant(a, b); }
  bool operator()(double a, double b) const { return std::memcmp(&a, &b, sizeof a) == 0; }
  bool operator()(const std::vector<Tensor> &a, const std::vector<Tensor> &b) const {
    return llvm::equal(a, b, [](const Tensor &x, const Tensor &y) { return x.isSameAs(y); });
  }
  template <typename T, typename U> bool operator()(const T &, const U &) const { return false; }
};

/// Hashes and compares nodes by what they compute.
struct ExpressionInfo {
  static Node *getEmptyKey() { return llvm::DenseMapInfo<Node *>::getEmptyKey(); }
  static Node *getTombstoneKey() { return llvm::DenseMapInfo<Node *>::getTombstoneKey(); }
  static unsigned getHashValue(const Node *node) {
    llvm::hash_code hash = llvm::hash_value(node->kind().get());
    for (const Value *input : node->inputs())
      hash = llvm::hash_combine(hash, input);
    for (const NamedAttribute &attribute : node->attributes()) {
      hash = llvm::hash_combine(hash, attribute.name.get(), attribute.value.index());
      if (const auto *number = std::get_if<int64_t>(&attribute.value))
        hash = llvm::hash_combine(hash, *number);
      else if (const auto *text = std::get_if<std::string>(&attribute.value))
        hash = llvm::hash_combine(hash, *text);
    }
    return static_cast<unsigned>(static_cast<size_t>(hash));
  }
  static bool isEqual(const Node *a, const Node *b) {
    if (a == b)
      return true;
    if (a == getEmptyKey() || a == getTombstoneKey() || b == getEmptyKey() || b == getTombstoneKey())
      return false;
    return a->kind() == b->kind() && a->op() == b->op() && llvm::equal(a->inputs(), b->inputs()) &&
           llvm::equal(a->outputs(), b->outputs(), [](Value *x, Value *y) { return x->type() == y->type(); }) &&
           llvm::equal(a->attributes(), b->attributes(), [](const NamedAttribute &x, const NamedAttribute &y) {
             return x.name == y.name && std::visit(AttributesEqual(), x.value, y.value);
           });
  }
};

class Eliminator {
public:
  Eliminator(const AliasAnalysis &aliases, const ProgramOrder &order) : aliases(aliases), order(order) {}

  bool visit(Block &block) {
    bool changed = false;
    llvm::SmallVector<Node *> added;
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      for (Block &inner : node.blocks())
        changed |= visit(inner);
      if (!isExpression(node))
        continue;
      auto [at, isNew] = expressions.insert(&node);
      if (isNew) {
        added.push_back(&node);
        continue;
      }
      if (!mayReplace(**at, node)) {
        if ((*at)->block() == &block) // what comes later is nearer to this one
          *at = &node;
        continue;
      }
      if (!TSC_OPT_ALLOWED)
        continue;
      TSC_GRAPH_UPDATE("merging a " << node.kind().qualified() << " node into an earlier one");
      node.replaceAllUsesWith(*at);
      node.erase();
      ++NumMerged;
      changed = true;
    }
    for (Node *node : added)
      expressions.erase(node);
    return changed;
  }

private:
  /// Whether the results are the operands, or what is in them: no memory of its own.
  static bool handsOn(const Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_Constant: case SymbolId::prim_GetAttr: case SymbolId::prim_TupleConstruct:
    case SymbolId::prim_TupleIndex: case SymbolId::prim_TupleUnpack: case SymbolId::prim_TupleSlice:
    case SymbolId::prim_ListUnpack: case SymbolId::prim_unchecked_cast: case SymbolId::prim_unchecked_unwrap_optional:
      return true;
    default:
      return false;
    }
  }

  /// Whether the node gives the same results whenever its operands, and what it reads of memory, are the same.
  static bool isExpression(const Node &node) {
    if (node.numBlocks() || node.numOutputs() == 0)
      return false;
    return handsOn(node) || node.kind() == prim::ListConstruct || node.kind() == prim::isinstance || node.hasTrait(Trait::Pure);
  }

  /// Whether somebody asks which object a result is: two equal ones must stay two.
  static bool isComparedByIdentity(const Node &node) {
    return llvm::any_of(node.outputs(), [](const Value *output) {
      return output->type()->isMutable() && llvm::any_of(output->uses(), [](const Use &use) {
               Symbol user = use.user()->kind();
               return user == aten::__is__ || user == aten::__isnot__;
             });
    });
  }

  /// Whether the results of `first`, which is equal to `second`, can be used instead.
  bool mayReplace(const Node &first, const Node &second) const {
    if ((isFreshAndVisible(first) && isFreshAndVisible(second)) || (!handsOn(second) && isComparedByIdentity(second)))
      return false;
    MemoryEffects effects = aliases.effects(second);
    bool readsVisible = effects.readsOutside;
    for (Location location : effects.reads) {
      if (order.anyBetween(aliases.writersOf(location), first, second))
        return false;
      readsVisible |= aliases.isVisibleOutside(location);
    }
    if (readsVisible && order.anyBetween(aliases.unknownWriters(), first, second))
      return false;
    if (effects.readsOutside && llvm::any_of(second.inputs(), [&](Value *v) { return aliases.hasWriters(v); }))
      return false;
    return handsOn(second) || !(aliases.hasOutputWriters(first) || aliases.hasOutputWriters(second));
  }
  /// The caller would see that two things became one.
  bool isFreshAndVisible(const Node &node) const {
    return !handsOn(node) && llvm::any_of(node.outputs(), [&](Value *v) { return aliases.escapes(v); });
  }
  const AliasAnalysis &aliases;
  const ProgramOrder &order;
  llvm::DenseSet<Node *, ExpressionInfo> expressions;
};

} // namespace

PreservedAnalyses CommonSubexpressionElimination::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(Eliminator(analyses.get<AliasAnalysis>(graph), analyses.get<ProgramOrder>(graph)).visit(graph.block()));
}
