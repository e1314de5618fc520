//===- BatchMM.cpp - Few large matrix products instead of many small ones -===//
//
// Purpose: a sum of products a @ b + c @ d + … is one product of a, c, … side by
//          side with b, d, … on top of one another (prim::MMTreeReduce). Products
//          that share an operand and do not need one another are one product with
//          all other operands side by side (prim::MMBatchSide). Both decide when
//          they run whether the shapes allow it, and multiply one by one if not.
//          Unrolled recurrent networks have many of both.
// Options: min-tree=4: products in a sum that is replaced.
//          min-side=8: products that share an operand and are replaced.
// Better:  products that share an operand are found by dependence levels, for all
//          operands of a block at once.
// Cost:    linear.
// Limits:  products of matrices that somebody writes stay as they are; operands of
//          a side are shared within one block.
//
// Before:
//   graph(%a : Tensor, %b : Tensor, %c : Tensor, %d : Tensor):
//     %4 : int = prim::Constant[value=1]()
//     %5 : Tensor = aten::mm(%a, %b)
//     %6 : Tensor = aten::mm(%c, %d)
//     %7 : Tensor = aten::add(%5, %6, %4)
//     %8 : Tensor = aten::mm(%a, %d)
//     %9 : Tensor = aten::add(%7, %8, %4)
//     %10 : Tensor = aten::mm(%c, %b)
//     %11 : Tensor = aten::add(%9, %10, %4)
//     return (%11)
// After:
//   graph(%a : Tensor,
//         %b : Tensor,
//         %c : Tensor,
//         %d : Tensor):
//     %12 : Tensor = prim::MMTreeReduce(%a, %c, %a, %c, %b, %d, %d, %b)
//     return (%12)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#include "tsc/Transforms/Subgraph.h"
#include <limits>
#define DEBUG_TYPE "batch-mm"
using namespace tsc;

TSC_STATISTIC(NumTrees, "Sums of matrix products made one product");
TSC_STATISTIC(NumSides, "Groups of matrix products with a common operand made one product");

namespace {

class Batcher {
public:
  Batcher(Graph &graph, const AliasAnalysis &aliases, FailureAnalysis &failures, unsigned minTree, unsigned minSide)
      : graph(graph), aliases(aliases), failures(failures), minTree(minTree), minSide(minSide) {}

  void visit(Block &block) {
    reduceTrees(block);
    batchSides(block);
    for (Node &node : block.nodes())
      for (Block &inner : node.blocks())
        visit(inner);
  }
  bool changed = false;

private:
  bool isProduct(const Node &node) const { return isa<MmOp>(&node) && !aliases.hasWriters(node); }
  bool isSum(const Node &node) const;
  void reduceTrees(Block &block);
  void reduceTree(Node &root);
  static void eraseSums(const NodeList &sums);
  void batchSides(Block &block);
  void batchSide(ArrayRef<Node *> products, Value *common);
  Value *sharedOperand(const Node &node) const;

  Graph &graph;
  const AliasAnalysis &aliases;
  FailureAnalysis &failures;
  const unsigned minTree, minSide;
  llvm::DenseMap<const Node *, unsigned> treeSize; ///< Products below a product or a sum of such.
};

} // namespace

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

bool Batcher::isSum(const Node &node) const {
  const auto *add = dyn_cast<AddTensorOp>(&node);
  if (!add || aliases.hasWriters(node))
    return false;
  auto alpha = constantValue(add->alpha());
  return alpha && alpha->isInt() && alpha->toInt() == 1;
}

/// Sizes of trees from the leaves up; a tree ends where its sum is not part of a larger one.
void Batcher::reduceTrees(Block &block) {
  NodeList roots;
  treeSize.clear();
  auto sizeOf = [&](const Value *operand) {
    return operand->node()->block() == &block ? treeSize.lookup(operand->node()) : 0;
  };
  for (Node &node : block.nodes()) {
    if (isProduct(node)) {
      treeSize[&node] = 1;
    } else if (isSum(node)) {
      unsigned left = sizeOf(node.input(0)), right = sizeOf(node.input(1));
      if (left && right && node.input(0)->hasOneUse() && node.input(1)->hasOneUse()) {
        treeSize[&node] = left + right;
        roots.push_back(&node);
      }
    }
  }
  for (Node *root : roots) {
    bool isPart =
        root->output()->hasOneUse() && treeSize.lookup(root->output()->uses().begin()->user()) > 1; // of a larger one
    if (!isPart && treeSize.lookup(root) >= minTree && TSC_OPT_ALLOWED)
      reduceTree(*root);
  }
}

/// Erases sums, from the root down, and the factors 1 of their second operands.
void Batcher::eraseSums(const NodeList &sums) {
  for (Node *node : sums) {
    Node *alpha = cast<AddTensorOp>(node)->alpha()->node();
    node->erase();
    if (!alpha->output()->hasUses())
      alpha->erase();
  }
}

void Batcher::reduceTree(Node &root) {
  NodeList sums, products, pending{&root};
  while (!pending.empty()) {
    Node *node = pending.pop_back_val();
    if (isProduct(*node)) {
      products.push_back(node);
      continue;
    }
    sums.push_back(node);
    pending.push_back(node->input(1)->node());
    pending.push_back(node->input(0)->node()); // the left one is taken first
  }
  TSC_GRAPH_UPDATE("one product instead of a sum of " << products.size());
  Node *reduce = graph.create(prim::MMTreeReduce);
  for (Node *product : products)
    reduce->addInput(cast<MmOp>(product)->self());
  for (Node *product : products)
    reduce->addInput(cast<MmOp>(product)->mat2());
  reduce->setRange(root.range());
  reduce->setScope(root.scope());
  reduce->output()->setType(root.output()->type());
  reduce->insertBefore(&root);
  root.output()->replaceAllUsesWith(reduce->output());
  eraseSums(sums);
  for (Node *node : products)
    node->erase();
  ++NumTrees;
  changed = true;
}

//===----------------------------------------------------------------------===//
// Products with a common operand
//===----------------------------------------------------------------------===//

/// The operand of a product that most products use; null when it is not used often enough.
Value *Batcher::sharedOperand(const Node &node) const {
  if (!isProduct(node))
    return nullptr;
  Value *left = node.input(0), *right = node.input(1), *shared = left->numUses() >= right->numUses() ? left : right;
  return left != right && shared->numUses() >= minSide ? shared : nullptr;
}

void Batcher::batchSides(Block &block) {
  llvm::DenseMap<const Node *, Value *> shared;
  for (Node &node : block.nodes())
    if (Value *operand = sharedOperand(node))
      shared[&node] = operand;
  if (shared.size() < minSide)
    return;
  auto keyOf = [&](const Node &node) -> const void * { return shared.lookup(&node); };
  for (const NodeList &group : formIndependentGroups(block, aliases, &failures, keyOf, minSide)) {
    changed = true; // nodes may have moved
    Value *common = shared.lookup(group.front());
    NodeList sides[2];
    for (Node *product : group)
      sides[product->input(0) == common ? 0 : 1].push_back(product);
    for (const NodeList &side : sides)
      if (side.size() >= minSide && TSC_OPT_ALLOWED)
        batchSide(side, common);
  }
}

/// MMBatchSide[side=0](b, d, …, common) is common @ b, common @ d, …; with side=1 it is b @ common, d @ common, ….
void Batcher::batchSide(ArrayRef<Node *> products, Value *common) {
  TSC_GRAPH_UPDATE("one product instead of " << products.size() << " with a common operand");
  Node *batch = graph.create(prim::MMBatchSide, 0);
  int64_t side = products.front()->input(0) == common ? 0 : 1;
  batch->setAttribute(attr::side, side);
  batch->setRange(products.front()->range());
  batch->setScope(products.front()->scope());
  batch->insertAfter(products.back());
  for (Node *product : products) {
    batch->addInput(product->input(1 - side));
    product->output()->replaceAllUsesWith(batch->addOutput(product->output()->type()));
  }
  batch->addInput(common);
  for (Node *product : products)
    product->erase();
  ++NumSides;
}

Status BatchMM::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"min-tree", "min-side"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "min-tree", 2, minTree));
  return readOption(options, "min-side", 2, minSide);
}

PreservedAnalyses BatchMM::run(Graph &graph, AnalysisManager &analyses) {
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  FailureAnalysis failures(graph, analyses.shapeRules());
  Batcher batcher(graph, analyses.get<AliasAnalysis>(graph), failures, std::min(minTree, largest),
                  std::min(minSide, largest));
  batcher.visit(graph.block());
  return PreservedAnalyses::allUnless(batcher.changed);
}
