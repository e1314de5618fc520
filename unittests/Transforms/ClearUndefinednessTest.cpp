//===- ClearUndefinednessTest.cpp - Facts that have no text ---------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include <catch2/catch.hpp>

using namespace tsc;

static bool isSurelyUndefined(const Value *value) { return llvm::cast<TensorType>(value->type())->facts().undefined; }

TEST_CASE("clear-undefinedness forgets that tensors are absent, and nothing else") {
  Context context;
  TensorFacts absent;
  absent.undefined = true;
  absent.dtype = DType::Float;
  Graph graph(context);
  Value *input = graph.addInput("x", context.tensor(absent));
  Node *zero = graph.insertNodeHere(graph.create(prim::AutogradZero));
  zero->output()->setType(context.tensor(absent));
  Node *sum = graph.insertNodeHere(graph.create(prim::AutogradAdd, {input, zero->output()}));
  sum->output()->setType(context.tensor(absent));
  graph.addOutput(sum->output());

  AnalysisManager analyses;
  ClearUndefinedness().run(graph, analyses);
  CHECK(!isSurelyUndefined(input));
  CHECK(!isSurelyUndefined(sum->output()));
  CHECK(isSurelyUndefined(zero->output())); // it is absent whatever gradients there are
  CHECK(llvm::cast<TensorType>(input->type())->facts().dtype == DType::Float);
}
