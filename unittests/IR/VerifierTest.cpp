//===- VerifierTest.cpp - What only code can break ------------------------===//
//
// Most of what the verifier refuses is shown on text, in test/IR/verifier.ir.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

static std::string verifierSays(const Graph &graph) {
  DiagnosticEngine diags;
  return succeeded(verify(graph, diags)) ? "" : diags.str();
}

TEST_CASE("a node that uses a value and was never inserted is found", "[verifier]") {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x");
  graph.addOutput(x);
  Node *forgotten = graph.create(context.symbol("aten::relu"), {x});
  CHECK(verifierSays(graph) == "error: the use list of '%x' does not agree with its uses\n");
  forgotten->erase();
  CHECK(verifierSays(graph).empty());
}

TEST_CASE("a node moved before what it uses is found", "[verifier]") {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x");
  Node *first = graph.insertNodeHere(graph.create(context.symbol("aten::relu"), {x}));
  Node *second = graph.insertNodeHere(graph.create(context.symbol("aten::neg"), {first->output()}));
  graph.addOutput(second->output());
  CHECK(verifierSays(graph).empty());
  second->moveBefore(first);
  CHECK_THAT(verifierSays(graph), Catch::Contains("is used by 'aten::neg' where its definition does not reach"));
}
