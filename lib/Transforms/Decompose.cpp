//===- Decompose.cpp - Composite operators as what they are made of -------===//
//
// Purpose: puts the definition of a composite operator (addmm, linear, layer_norm,
//          losses), which is TorchScript in the operator's record, in the place of
//          the operator, so that fusion and differentiation see through it.
//          constprop then takes the branches that constant arguments decide.
//          fuse-linear and fuse-addmm go the other way.
// Options: only=NAME: the one operator, without aten::, that is decomposed.
// Better:  PyTorch knows addmm, layer_norm and batch_norm by heart.
// Cost:    linear in the size of the result.
// Limits:  an operator without a definition in its record stays; so do in-place and
//          out= forms.
//
// Before:
//   graph(%x : Tensor, %a : Tensor, %b : Tensor, %k : int):
//     %2 : int = prim::Constant[value=1]()
//     %4 : Tensor = aten::addmm(%x, %a, %b, %2, %k)
//     return (%4)
// After:
//   graph(%x : Tensor,
//         %a : Tensor,
//         %b : Tensor,
//         %k : int):
//     %4 : int = prim::Constant[value=1]()
//     %6 : int = prim::Constant[value=0]()
//     %7 : int = prim::Constant[value=1]()
//     %8 : Tensor = aten::mm(%a, %b)
//     %9 : bool = aten::ne(%k, %7)
//     %10 : Tensor = prim::If(%9)
//       block0():
//         %11 : Tensor = aten::mul(%8, %k)
//         -> (%11)
//       block1():
//         -> (%8)
//     %12 : bool = aten::ne(%4, %6)
//     %13 : Tensor = prim::If(%12)
//       block0():
//         %14 : Tensor = aten::add(%10, %x, %4)
//         -> (%14)
//       block1():
//         -> (%10)
//     return (%13)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/Passes/Kernels.h"
#define DEBUG_TYPE "decompose"
using namespace tsc;

TSC_STATISTIC(NumDecomposed, "Operators replaced by their definition");

namespace {

class Decomposer {
public:
  Decomposer(Graph &graph, llvm::StringRef only)
      : graph(graph), only(only), definitions(graph.context().extension<Definitions>()) {}

  bool run() {
    llvm::SmallVector<Node *> found;
    graph.walk([&](Node &node) { found.push_back(&node); });
    for (Node *node : found)
      visit(*node);
    return changed;
  }

private:
  void visit(Node &node) {
    const OpKind kind = node.opKind();
    if (node.numOutputs() == 0 || node.numBlocks() || (!only.empty() && node.kind().name() != only) ||
        llvm::is_contained(within, kind))
      return;
    const Graph *definition = definitions.find(kind);
    if (!definition || definition->inputs().size() != node.numInputs() || !TSC_OPT_ALLOWED)
      return;
    TSC_GRAPH_UPDATE("decomposing " << node.kind().qualified());
    llvm::SmallVector<Node *> made = insert(node, *definition);
    node.erase();
    changed = true;
    ++NumDecomposed;
    within.push_back(kind);
    for (Node *inner : made)
      visit(*inner);
    within.pop_back();
  }

  /// Copies the definition to where the node is, whose users take its results; gives the copies.
  llvm::SmallVector<Node *> insert(Node &node, const Graph &definition) {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    Node *before = node.previous();
    std::vector<Value *> results = definition.inlineInto(graph, node.inputVector());
    if (node.numOutputs() != 1) {
      Node *unpack = graph.insertNodeHere(graph.create(prim::TupleUnpack, {results[0]}, node.numOutputs()));
      for (auto [part, output] : llvm::zip(unpack->outputs(), node.outputs()))
        part->setType(output->type());
      results.assign(unpack->outputs().begin(), unpack->outputs().end());
    }
    llvm::SmallVector<Node *> made;
    auto adopt = [&](Node &fresh, auto &adoptAll) -> void {
      made.push_back(&fresh);
      fresh.setRange(node.range());
      fresh.setScope(node.scope());
      for (Value *output : fresh.outputs())
        output->setName("");
      for (Block &block : fresh.blocks())
        for (Node &inner : block.nodes())
          adoptAll(inner, adoptAll);
    };
    for (Node *fresh = before ? before->next() : &node.block()->nodes().front(); fresh != &node; fresh = fresh->next())
      adopt(*fresh, adopt);
    for (auto [output, result] : llvm::zip(node.outputs(), results))
      output->replaceAllUsesWith(result);
    return made;
  }

  Graph &graph;
  const llvm::StringRef only;
  Definitions &definitions;
  llvm::SmallVector<OpKind, 4> within; ///< A definition may call its own operator: for other operands.
  bool changed = false;
};

} // namespace

Status Decompose::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"only"}, options));
  if (auto at = options.find("only"); at != options.end())
    only = at->second;
  return okStatus();
}

PreservedAnalyses Decompose::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Decomposer(graph, only).run());
}
