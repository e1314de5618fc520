//===- AutodiffRuns.cpp - Differentiable nodes in a row -------------------===//
//
// What create-autodiff-subgraphs<in-order> does: a group is nodes that follow one another
// in the program, so that a tape that takes it for one operator adds gradients in the
// order in which it would add those of the nodes.
//
// A tape tells the gradient of a result as what the users outside of the group hand to it.
// Where somebody may ask for that gradient itself, nothing within the group uses the
// result.
//
//===----------------------------------------------------------------------===//
#include "AutodiffRuns.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Logging.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#define DEBUG_TYPE "create-autodiff-subgraphs"
using namespace tsc;

static bool isIndexMap(const Node &node) { return node.hasTrait(Trait::View) && node.hasTrait(Trait::IndexMap); }

static bool isTensorOrNone(const Type *type) {
  const auto *optional = dyn_cast<OptionalType>(type);
  return type->isTensor() || type->isNone() || (optional && optional->element()->isTensor());
}

/// Whether the type holds no tensors: numbers, flags, strings, and lists of such.
static bool isPlain(const Type *type) {
  if (const auto *optional = dyn_cast<OptionalType>(type))
    return isPlain(optional->element());
  if (const auto *list = dyn_cast<ListType>(type))
    return isPlain(list->element());
  switch (type->kind()) {
  case TypeKind::Number:
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Bool:
  case TypeKind::String:
  case TypeKind::None:
  case TypeKind::Device: return true;
  default: return false;
  }
}

/// Whether a tape takes the operator down as one node of one result, which is a tensor of its own or a view.
static bool belongs(const Node &node, bool hasDerivative) {
  if (!hasDerivative || node.numBlocks() || node.numOutputs() != 1 || !node.output()->type()->isTensor() ||
      !node.schema() || node.schema()->isMutating() || changesGenerator(node) || node.hasTrait(Trait::OutForm) ||
      node.hasTrait(Trait::Geometry) || node.hasTrait(Trait::Detached))
    return false;
  if ((node.hasTrait(Trait::Aliases) || node.hasTrait(Trait::View)) && !isIndexMap(node))
    return false;
  return llvm::all_of(node.inputs(),
                      [](const Value *input) { return isTensorOrNone(input->type()) || isPlain(input->type()); });
}

/// Whether the node computes numbers that no tensor of the run decides, so that it may stand before it.
static bool mayGoAhead(const Node &node, const llvm::SmallPtrSetImpl<const Node *> &run) {
  const bool isNumbers = node.kind() == prim::ListConstruct || (node.schema() && !node.schema()->isMutating());
  return isNumbers && !node.numBlocks() && !node.hasSideEffects() && !changesGenerator(node) &&
         llvm::all_of(node.outputs(), [](const Value *output) { return isPlain(output->type()); }) &&
         llvm::none_of(node.inputs(), [&](const Value *input) { return run.contains(input->node()); }) &&
         (node.kind() != prim::ListConstruct ||
          llvm::none_of(node.output()->uses(), [](const Use &use) { return listEdit(use.user()->opKind()); }));
}

/// A cut looks at the rest of its run anew.
static constexpr size_t maxRun = 1000;

namespace {
class RunBuilder {
public:
  RunBuilder(llvm::function_ref<bool(const Node &)> hasDerivative, unsigned threshold)
      : hasDerivative(hasDerivative), threshold(threshold) {}

  void visit(Block &block) {
    NodeList run;
    llvm::SmallPtrSet<const Node *, 16> members;
    auto finish = [&] {
      build(run);
      run.clear();
      members.clear();
    };
    for (Node &node : llvm::make_early_inc_range(block.nodes())) {
      if (run.size() == maxRun)
        finish();
      for (Block &inner : node.blocks())
        visit(inner);
      if (node.kind() == prim::Constant) {
        if (!run.empty())
          node.moveBefore(run.front());
      } else if (belongs(node, hasDerivative(node))) {
        run.push_back(&node);
        members.insert(&node);
      } else if (!run.empty() && mayGoAhead(node, members)) {
        node.moveBefore(run.front());
      } else if (!run.empty()) {
        finish();
      }
    }
    finish();
  }
  unsigned numGroups = 0;

private:
  /// Puts nodes in a row into groups, of which one ends where it would give a view, or a result that a node behind it
  /// uses and whose own gradient somebody may ask for.
  void build(llvm::ArrayRef<Node *> run) {
    if (run.size() < threshold)
      return;
    llvm::SmallPtrSet<const Node *, 16> members(run.begin(), run.end());
    auto isOutside = [&](const Use &use) { return !members.contains(use.user()); };
    for (auto [i, node] : llvm::enumerate(run)) {
      if (isIndexMap(*node) && llvm::any_of(node->output()->uses(), isOutside)) {
        build(run.take_front(i));
        return build(run.drop_front(i + 1));
      }
      for (const Value *input : node->inputs())
        if (members.contains(input->node()) && llvm::any_of(input->uses(), isOutside) && isAskedFor(input)) {
          build(run.take_front(i));
          return build(run.drop_front(i));
        }
    }
    if (!TSC_OPT_ALLOWED)
      return;
    TSC_GRAPH_UPDATE("putting " << run.size() << " nodes in a row into a differentiable graph");
    createSubgraph(run, prim::DifferentiableGraph);
    ++numGroups;
  }

  /// Whether something but operators on its elements may get hold of the tensor.
  static bool isAskedFor(const Value *value) {
    llvm::DenseSet<const Value *> seen;
    llvm::SmallVector<const Value *> pending{value};
    while (!pending.empty()) {
      const Value *next = pending.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      for (const Use &use : next->uses())
        if (!followUse(use, pending))
          return true;
    }
    return false;
  }

  /// Adds the values that are the same tensor. False: the use may do anything with it.
  static bool followUse(const Use &use, llvm::SmallVectorImpl<const Value *> &pending) {
    const Node &user = *use.user();
    if (user.kind() == prim::Loop) {
      if (use.index() < 2)
        return true;
      pending.push_back(user.block(0).inputs()[use.index() - 1]);
      pending.push_back(user.output(use.index() - 2));
      return true;
    }
    if (const Node *owner = user.block()->owner(); &user == &user.block()->returnNode() && owner) {
      if (owner->kind() == prim::If) {
        pending.push_back(owner->output(use.index()));
        return true;
      }
      if (owner->kind() == prim::Loop) {
        if (use.index() == 0)
          return true;
        pending.push_back(owner->block(0).inputs()[use.index()]);
        pending.push_back(owner->output(use.index() - 1));
        return true;
      }
      return false;
    }
    if (user.kind() == prim::If)
      return true;
    // What may be the same tensor under another name, or in a list, is anything's.
    return user.record() && user.schema() && !user.numBlocks() && !user.schema()->isVararg() &&
           !user.hasTrait(Trait::Geometry) && (!user.hasTrait(Trait::Aliases) || isIndexMap(user)) &&
           user.opKind() != OpKind::Aten_retain_grad;
  }

  llvm::function_ref<bool(const Node &)> hasDerivative;
  const unsigned threshold;
};
} // namespace

unsigned tsc::createAutodiffRuns(Graph &graph, llvm::function_ref<bool(const Node &)> hasDerivative,
                                 unsigned threshold) {
  RunBuilder builder(hasDerivative, threshold);
  builder.visit(graph.block());
  return builder.numGroups;
}
