//===- InlineTest.cpp - Bodies in the place of calls ----------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Tensor/Tensor.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Remarks.h"
#include <catch2/catch.hpp>
using namespace tsc;

/// Parses one graph.
static std::unique_ptr<Graph> parse(Context &context, const char *text) {
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, context.sources().add("test.ir", text), diags);
  INFO(diags.str());
  REQUIRE(succeeded(graphs));
  return std::move(graphs->front());
}

/// Makes a graph that returns the negative of what the function returns for its argument.
static std::unique_ptr<Graph> callerOf(Context &context, Function &callee) {
  auto graph = std::make_unique<Graph>(context);
  Value *x = graph->addInput("x");
  Value *function = graph->insertNodeHere(graph->createConstant(IValue(&callee)))->output();
  Node *call = graph->insertNodeHere(graph->create(prim::CallFunction, {function, x}));
  call->output()->setType(Type::tensorType());
  graph->addOutput(graph->insert(aten::neg, {call->output()}));
  return graph;
}

static double run(Context &context, const Graph &graph, int64_t size) {
  GraphExecutor executor;
  CallContext call(context);
  auto results = executor.call(graph, "caller", call, {IValue(*Tensor::full({size}, Scalar(1.0), DType::Float))});
  INFO(results.status().message());
  REQUIRE(results.ok());
  return results->front().asTensor().at(0).toDouble();
}

static bool inlineKnown(Graph &graph) {
  const Remarks silent;
  return inlineCalls(graph, [](Node &node) { return calleeOf(node); }, silent);
}

TEST_CASE("A call of a function is replaced by its body") {
  Context context;
  CompilationUnit unit(context);
  Function &callee = *unit.create("callee");
  callee.setGraph(parse(context, R"(
graph(%x : Tensor):
  %1 : Tensor = aten::abs(%x)
  return (%1)
)"));
  std::unique_ptr<Graph> caller = callerOf(context, callee);
  CHECK(inlineKnown(*caller));
  CHECK(caller->str().find("aten::abs") != std::string::npos);
  CHECK(run(context, *caller, 2) == -1);
}

TEST_CASE("A call of a function with bailouts stays, since they would end the caller") {
  Context context;
  CompilationUnit unit(context);
  Function &callee = *unit.create("callee");
  callee.setGraph(parse(context, R"(
graph(%x : Tensor):
  %1 : Float(2) = prim::BailOut_0[index=0](%x)
  %2 : Tensor = aten::abs(%1)
  return (%2)
with prim::BailOut_0 = graph(%x : Tensor):
  %1 : Tensor = aten::abs(%x)
  return (%1)
)"));
  std::unique_ptr<Graph> caller = callerOf(context, callee);
  CHECK_FALSE(inlineKnown(*caller));
  CHECK(run(context, *caller, 2) == -1);
  CHECK(run(context, *caller, 3) == -1); // the guard fails
}
