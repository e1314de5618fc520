//===- Differentiation.cpp - A graph and its derivative -------------------===//
//
// The gradients are first made nodes of the graph, behind its own (ReverseMode). Then
// the two parts are taken apart: what the second one reads of the first is an input or a
// result, is computed again, or becomes one more result.
//
//===----------------------------------------------------------------------===//
#include "tsc/Autodiff/Differentiation.h"
#include "GraphSplitter.h"
#include "ReverseScope.h"
#include "tsc/IR/Context.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

bool tsc::mayRequireGradient(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  if (!type)
    return false;
  const std::optional<DType> dtype = type->facts().dtype;
  return type->facts().requiresGrad.value_or(true) && (!dtype || isFloating(*dtype) || isComplex(*dtype));
}

StatusOr<DifferentiatedGraph> tsc::differentiate(const Graph &graph, DifferentiationOptions options) {
  std::unique_ptr<Graph> whole = graph.clone();
  AnalysisManager analyses;
  auto refine = [&] {
    analyses.invalidate();
    ShapePropagation().run(*whole, analyses);
    analyses.invalidate();
  };
  refine();
  const unsigned numInputs = whole->inputs().size(), numResults = whole->block().numOutputs();
  ReverseRequest request;
  request.isWhole = true;
  request.mayBeAbsent = options.mayBeAbsent;
  llvm::SmallVector<unsigned, 4> gradients;
  for (auto [i, result] : llvm::enumerate(whole->outputs())) {
    if (!mayRequireGradient(result))
      continue;
    gradients.push_back(i);
    request.outputs.push_back(result);
    request.weights.push_back(whole->addInput("", gradientType(result)));
  }
  llvm::SmallVector<unsigned, 4> candidates;
  for (unsigned i = 0; i != numInputs; ++i)
    if (Value *input = whole->inputs()[i]; mayRequireGradient(input)) {
      candidates.push_back(i);
      request.inputs.push_back(input);
    }
  // Between these two stands what the gradients are computed by.
  Node *start = whole->createConstant(IValue()), *end = whole->createConstant(IValue());
  whole->setInsertPoint(whole->block());
  whole->insertNodeHere(start);
  whole->insertNodeHere(end);
  request.before = end;
  ReverseMode reverse(*whole, request);
  auto found = reverse.run(refine);
  if (!found)
    return unimplemented("a graph cannot be differentiated: " + reverse.problem());
  llvm::SmallVector<Value *, 4> present;
  llvm::SmallVector<unsigned, 4> inputs;
  for (auto [candidate, gradient] : llvm::zip(candidates, *found))
    if (gradient) {
      inputs.push_back(candidate);
      present.push_back(gradient);
    }
  end->erase();
  eraseUnneeded(*whole, *start, present);
  DifferentiatedGraph split =
      GraphSplitter(std::move(whole), *start, {numInputs, numResults, gradients, present}, nullptr).run();
  split.inputs = std::move(inputs);
  split.candidates = std::move(candidates);
  return split;
}
