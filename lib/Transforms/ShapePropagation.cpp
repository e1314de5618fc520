//===- ShapePropagation.cpp - Types with all that can be known ------------===//
//
// Purpose: gives each tensor the type that follows from the types of the graph's
//   inputs, its constants and the records' rules: dtype, sizes, strides, device,
//   requires_grad. Equal sizes that are not known become equal symbols. Through
//   If, Loop (to a fixed point), lists and tuples. propagate-dtype does the same
//   for dtypes alone.
//
// Cost:   linear: a value changes a bounded number of times, however deep loops
//   are nested.
// Limits: what a call or an attribute gives has the type that the program states.
//   Grad mode is taken to be on at the start.
//
// Before (propagate-shapes):
//   graph(%x : Float(8, 3, requires_grad=0, device=cpu), %w : Float(3, *, requires_grad=0, device=cpu)):
//     %2 : Tensor = aten::mm(%x, %w)
//     %3 : Tensor = aten::relu(%2)
//     return (%3)
// After:
//   graph(%x : Float(8, 3, requires_grad=0, device=cpu),
//         %w : Float(3, SS(-2), requires_grad=0, device=cpu)):
//     %2 : Float(8, SS(-2), requires_grad=0, device=cpu) = aten::mm(%x, %w)
//     %3 : Float(8, SS(-2), requires_grad=0, device=cpu) = aten::relu(%2)
//     return (%3)
//
// Before (propagate-dtype):
//   graph(%x : Long(2, 3), %y : Float(3)):
//     %2 : Tensor(2, 3) = aten::mul(%x, %y)
//     return (%2)
// After:
//   graph(%x : Long(2, 3),
//         %y : Float(3)):
//     %2 : Float(2, 3) = aten::mul(%x, %y)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/ShapeAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/ShapeRuleCompiler.h"
#define DEBUG_TYPE "propagate-shapes"
using namespace tsc;

TSC_STATISTIC(NumRefined, "Types refined");

/// Calls f for every value of the graph: inputs, outputs of nodes, parameters of blocks.
template <typename F> static void forEachValue(Graph &graph, F f) {
  for (Value *input : graph.inputs())
    f(*input);
  graph.walk([&](Node &node) {
    for (Value *output : node.outputs())
      f(*output);
    for (Block &block : node.blocks())
      for (Value *parameter : block.inputs())
        f(*parameter);
  });
}

static bool setType(Value &value, const Type *type) {
  if (type == value.type())
    return false;
  value.setType(type);
  ++NumRefined;
  return true;
}

PreservedAnalyses ShapePropagation::run(Graph &graph, AnalysisManager &analyses) {
  ShapeAnalysis shapes(graph, analyses.shapeRules());
  bool changed = false;
  forEachValue(graph, [&](Value &value) { changed |= setType(value, shapes.refinedType(&value)); });
  return PreservedAnalyses::allUnless(changed);
}

PreservedAnalyses DTypePropagation::run(Graph &graph, AnalysisManager &analyses) {
  ShapeAnalysis shapes(graph, analyses.shapeRules());
  bool changed = false;
  forEachValue(graph, [&](Value &value) {
    const auto *tensor = llvm::dyn_cast<TensorType>(value.type());
    const AbstractTensor *known = shapes.of(&value).asTensor();
    if (!tensor || !known || !known->dtype)
      return;
    TensorFacts facts = tensor->facts();
    facts.dtype = known->dtype;
    facts.inferred = false;
    changed |= setType(value, graph.context().tensor(facts));
  });
  return PreservedAnalyses::allUnless(changed);
}
