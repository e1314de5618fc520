//===- PythonMeaningTest.cpp - Operators that mean what Python means ------===//
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

TEST_CASE("each operator with Python's meaning has one of PyTorch's beside it", "[python]") {
  unsigned count = 0;
  for (const OpRecord &plain : allOpRecords()) {
    std::optional<PythonMeaning> meaning = pythonMeaningOf(plain.kind);
    if (!meaning)
      continue;
    ++count;
    const OpRecord &python = opRecord(meaning->op);
    INFO(python.schema.str());
    CHECK(StringRef(python.qualified).starts_with("python::"));
    CHECK(python.overload == plain.overload);
    CHECK(StringRef(python.qualified).split("::").second == StringRef(plain.qualified).split("::").second);
    CHECK(!pythonMeaningOf(python.kind));
    Context context;
    CHECK(spellingOf(context.symbol(python.qualified)) == plain.qualified);
    // Neither operator takes other operands.
    auto parameters = [](StringRef schema) { return schema.split('(').second.rsplit(" -> ").first; };
    CHECK(parameters(python.schema) == parameters(plain.schema));
  }
  const auto all = llvm::count_if(
      allOpRecords(), [](const OpRecord &record) { return StringRef(record.qualified).starts_with("python::"); });
  CHECK(count + 1 == all); // prim::Print is no operator
}

TEST_CASE("a node that means what Python means is of another kind, and keeps its overload", "[python]") {
  Context context;
  Graph graph(context);
  graph.setInsertPoint(graph.block());
  Value *x = graph.addInput("x", Type::floatType());
  Value *quotient = graph.insert(aten::div, {x, x});
  Node &node = *quotient->node();
  CHECK(mayMeanPython(node));
  CHECK(!meansPython(node));
  setMeansPython(node);
  CHECK(meansPython(node));
  CHECK(!mayMeanPython(node));
  CHECK(node.opKind() == OpKind::Python_div_float);
  CHECK(node.kindName() == "aten::div");
  CHECK(node.attributes().empty());
  std::unique_ptr<Graph> copy = graph.clone();
  CHECK(copy->block().nodes().front().opKind() == OpKind::Python_div_float);

  Node *print = graph.insertNodeHere(graph.create(prim::Print, {x}, 0));
  CHECK(mayMeanPython(*print));
  setMeansPython(*print);
  CHECK(print->kind() == python::Print);
  CHECK(print->hasSideEffects());
  CHECK_THAT(graph.str(),
             Catch::Contains(" = aten::div[python=1](%x, %x)\n") && Catch::Contains(" = prim::Print[python=1](%x)\n"));

  Node *sum = graph.insert(aten::add, {x, x})->node();
  CHECK(!mayMeanPython(*sum));
}

TEST_CASE("no suggestion for a misspelt name is an operator with Python's meaning", "[python]") {
  Context context;
  for (const std::string &name : context.operators().similarNames("python::divx"))
    CHECK(!StringRef(name).starts_with("python::"));
}
