//===- Differentiate.cpp - The pair of a graph, to be looked at -----------===//
//
// Purpose: shows what somebody gets who differentiates a graph: f, whose results are
//          followed by what it keeps, and df, which takes that and the gradients of
//          f's results. The graph runs both.
// Options: may-be-absent=false: gradients of results may be undefined. df guards what
//          it computes by prim::GradOf and adds by prim::AutogradAdd, which
//          `specialize-zero-gradients` and `lower-grad-of` make plain.
// Better:  what is cheap to compute again is not kept: point-wise operators of one or
//          two instructions, views, sizes. Branches and loops are differentiated.
// Cost:    linear in nodes.
// Limits:  those of differentiate-calls. A graph without a derivative is an error.
//
// Before:
//   graph(%x : Float(3), %y : Float(3)):
//     %t : Float(3) = aten::tanh(%x)
//     %r : Float(3) = aten::mul(%t, %y)
//     return (%r)
// After:
//   graph(%x : Float(3),
//         %y : Float(3),
//         %4 : Float(3)):
//     %5 : Float(3), %6 : Float(3) = prim::DifferentiableGraph_0(%x, %y)
//     %7 : Float(3), %8 : Float(3) = prim::DifferentiableGraph_1(%y, %4, %6)
//     return (%5, %7, %8)
//   with prim::DifferentiableGraph_0 = graph(%x : Float(3),
//         %y : Float(3)):
//     %2 : Float(3) = aten::tanh(%x)
//     %3 : Float(3) = aten::mul(%2, %y)
//     return (%3, %2)
//   with prim::DifferentiableGraph_1 = graph(%0 : Float(3),
//         %1 : Float(3),
//         %2 : Float(3)):
//     %3 : Float(3) = aten::mul(%1, %0)
//     %4 : Float(3) = aten::mul(%1, %2)
//     %5 : Float(3) = aten::mul(%2, %2)
//     %6 : int = prim::Constant[value=1]()
//     %7 : Float(3) = aten::rsub(%5, %6, %6)
//     %8 : Float(3) = aten::mul(%3, %7)
//     return (%8, %4)
//
//===----------------------------------------------------------------------===//
#include "ReverseScope.h"
#include "tsc/Autodiff/Differentiation.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Statistic.h"
#define DEBUG_TYPE "differentiate"
using namespace tsc;

TSC_STATISTIC(NumKept, "Values kept for df");
TSC_STATISTIC(NumRecomputed, "Nodes that df runs again");

Status Differentiate::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"may-be-absent"}, options));
  return readOption(options, "may-be-absent", mayBeAbsent);
}

/// A node that runs `part`, with what its outputs are known to be.
static Node *insertCall(Graph &graph, std::unique_ptr<Graph> part, llvm::ArrayRef<Value *> operands) {
  Node *call = graph.create(prim::DifferentiableGraph, operands, 0);
  for (Value *output : part->outputs())
    call->addOutput(output->type());
  call->setAttribute(attr::Subgraph, std::shared_ptr<Graph>(std::move(part)));
  return graph.insertNodeHere(call);
}

PreservedAnalyses Differentiate::run(Graph &graph, AnalysisManager &) {
  StatusOr<DifferentiatedGraph> pair = differentiate(graph, {mayBeAbsent});
  if (!pair.ok())
    return PreservedAnalyses::failure(pair.status());
  NumKept += pair->forward->block().numOutputs() - pair->numResults;
  NumRecomputed += pair->numRecomputed;
  const unsigned numInputs = graph.inputs().size();
  llvm::DenseMap<unsigned, Value *> gradients; // of results
  for (auto [i, result] : llvm::enumerate(pair->forward->outputs()))
    if (i < pair->numResults && mayRequireGradient(result))
      gradients[i] = graph.addInput("", gradientType(result));
  while (graph.block().numOutputs())
    graph.block().eraseOutput(0);
  while (!graph.nodes().empty())
    graph.nodes().back().erase();
  graph.setInsertPoint(graph.block());
  Node *forward = insertCall(graph, std::move(pair->forward), graph.inputs().take_front(numInputs));
  llvm::SmallVector<Value *, 8> operands;
  for (const DifferentiatedGraph::Capture &capture : pair->captures)
    operands.push_back(capture.kind == DifferentiatedGraph::Capture::Input      ? graph.inputs()[capture.index]
                       : capture.kind == DifferentiatedGraph::Capture::Gradient ? gradients.lookup(capture.index)
                                                                                : forward->output(capture.index));
  Node *backward = insertCall(graph, std::move(pair->backward), operands);
  for (unsigned i = 0; i != pair->numResults; ++i)
    graph.addOutput(forward->output(i));
  for (unsigned candidate : pair->candidates) {
    const auto *at = llvm::find(pair->inputs, candidate);
    graph.addOutput(at != pair->inputs.end() ? backward->output(at - pair->inputs.begin())
                                             : graph.insertNodeHere(graph.create(prim::AutogradZero))->output());
  }
  return PreservedAnalyses::none();
}
