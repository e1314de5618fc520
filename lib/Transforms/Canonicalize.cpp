//===- Canonicalize.cpp - One text for equal graphs -----------------------===//
//
// Purpose: makes graphs that differ in numbering only equal as text. Outputs of
//   If and Loop, with what the blocks return and the loop carries, are put in the
//   order of their first use; then values are numbered from 0 in the order in
//   which they are printed.
//
// Cost:   linear in the number of uses, and n log n in the outputs of one node.
// Limits: does not sort independent nodes, and keeps names.
//
// Before:
//   graph(%x : int, %c : bool):
//     %5 : int, %9 : int = prim::If(%c)
//       block0():
//         %7 : int = prim::Constant[value=1]()
//         -> (%x, %7)
//       block1():
//         %8 : int = prim::Constant[value=2]()
//         -> (%8, %x)
//     %20 : int = aten::sub(%9, %5)
//     return (%20)
// After:
//   graph(%x : int,
//         %c : bool):
//     %2 : int, %3 : int = prim::If(%c)
//       block0():
//         %4 : int = prim::Constant[value=1]()
//         -> (%4, %x)
//       block1():
//         %5 : int = prim::Constant[value=2]()
//         -> (%x, %5)
//     %6 : int = aten::sub(%2, %3)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "canonicalize"
using namespace tsc;

namespace {

/// Puts the outputs of If and Loop into the order of their first uses.
class OutputSorter {
public:
  explicit OutputSorter(Graph &graph) : graph(graph) {}

  /// Later nodes first: sorting a node changes the positions of uses that only earlier ones look at.
  bool visit(Block &block) {
    bool changed = false;
    for (Node &node : llvm::reverse(block.nodes())) {
      if (node.numOutputs() > 1 && (node.kind() == prim::If || node.kind() == prim::Loop))
        changed |= sortOutputs(node);
      for (Block &inner : node.blocks())
        changed |= visit(inner);
    }
    return changed;
  }

private:
  using Position = std::pair<unsigned, unsigned>; ///< Of the using node, and of the operand in it.

  void number(Block &block) {
    for (Node &node : block.nodes()) {
      positions[&node] = ++lastPosition;
      for (Block &inner : node.blocks())
        number(inner);
    }
    positions[&block.returnNode()] = ++lastPosition;
  }

  Position firstUse(const Value *value) const {
    Position first(UINT_MAX, UINT_MAX);
    for (const Use &use : value->uses())
      first = std::min(first, Position(positions.lookup(use.user()), use.index()));
    return first;
  }

  bool sortOutputs(Node &node) {
    if (positions.empty())
      number(graph.block());
    llvm::SmallVector<std::pair<Position, unsigned>, 8> order;
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      order.emplace_back(firstUse(node.output(i)), i);
    if (llvm::is_sorted(order))
      return false;
    llvm::sort(order);
    llvm::SmallVector<unsigned, 8> permutation;
    for (auto &[position, index] : order)
      permutation.push_back(index);
    permuteOutputs(node, permutation);
    if (node.kind() == prim::Loop) {
      permuteInputs(node, 2, permutation);
      permuteInputs(node.block(0).returnNode(), 1, permutation);
      permuteParameters(node.block(0), permutation);
    } else {
      for (Block &block : node.blocks())
        permuteInputs(block.returnNode(), 0, permutation);
    }
    return true;
  }

  static void permuteInputs(Node &node, unsigned first, llvm::ArrayRef<unsigned> permutation) {
    llvm::SmallVector<Value *, 8> old(llvm::drop_begin(node.inputs(), first));
    for (auto [to, from] : llvm::enumerate(permutation))
      node.setInput(first + to, old[from]);
  }
  /// Values cannot change their places, so the uses move to new values.
  static void moveUses(Value *from, Value *to) {
    to->setType(from->type());
    from->replaceAllUsesWith(to);
    if (!from->hasName())
      return;
    std::string name = from->name().str();
    from->setName("");
    to->setName(name);
  }
  static void permuteOutputs(Node &node, llvm::ArrayRef<unsigned> permutation) {
    unsigned count = permutation.size();
    for (unsigned from : permutation)
      moveUses(node.output(from), node.addOutput());
    for (unsigned i = count; i-- > 0;)
      node.eraseOutput(i);
  }
  static void permuteParameters(Block &block, llvm::ArrayRef<unsigned> permutation) {
    for (unsigned from : permutation)
      moveUses(block.inputs()[from + 1], block.addInput());
    for (unsigned i = permutation.size(); i-- > 0;)
      block.eraseInput(i + 1);
  }

  Graph &graph;
  llvm::DenseMap<const Node *, unsigned> positions; ///< Empty until somebody asks.
  unsigned lastPosition = 0;
};

} // namespace

PreservedAnalyses Canonicalize::run(Graph &graph, AnalysisManager &) {
  bool changed = OutputSorter(graph).visit(graph.block());
  changed |= graph.renumberValues();
  return PreservedAnalyses::allUnless(changed);
}
