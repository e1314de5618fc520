//===- SymbolicVariableTest.cpp - Graphs written as expressions -----------===//
#include "tsc/IR/SymbolicVariable.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::succeeded;

/// A graph that verifies, as text.
static std::string textOf(const Graph &graph) {
  DiagnosticEngine diags;
  CHECK(succeeded(verify(graph, diags)));
  INFO(diags.str());
  return graph.str(/*withRanges=*/false);
}

TEST_CASE("an expression becomes the nodes TorchScript would emit", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto x = SymbolicVariable::asNewInput(graph, "x");
  auto w = SymbolicVariable::asNewInput(graph, "w");
  (x.mm(w) + 1).tanh().addAsOutput();
  CHECK(textOf(graph) == "graph(%x : Tensor,\n"
                         "      %w : Tensor):\n"
                         "  %2 : Tensor = aten::mm(%x, %w)\n"
                         "  %5 : int = prim::Constant[value=1]()\n"
                         "  %6 : int = prim::Constant[value=1]()\n"
                         "  %7 : Tensor = aten::add(%2, %5, %6)\n"
                         "  %8 : Tensor = aten::tanh(%7)\n"
                         "  return (%8)\n");
}

TEST_CASE("a number on the left means what it means in TorchScript", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto x = SymbolicVariable::asNewInput(graph, "x");
  auto kindOf = [](SymbolicVariable v) { return v.value()->node()->kind().qualified(); };
  CHECK(kindOf(1 - x) == "aten::rsub");
  CHECK(kindOf(2.0 * x) == "aten::mul");
  CHECK(kindOf(1 < x) == "aten::gt");
  CHECK(kindOf(1 >= x) == "aten::le");
  CHECK(kindOf(1 != x) == "aten::ne");
  CHECK(kindOf(1 ^ x) == "aten::__xor__");
  CHECK((1 ^ x).value()->node()->input(0) == x.value());
  auto remainder = 7 % x;
  CHECK(kindOf(remainder) == "aten::remainder");
  CHECK(remainder.value()->node()->input(1) == x.value());
  auto quotient = 1.5 / x;
  CHECK(kindOf(quotient) == "aten::mul");
  CHECK(quotient.value()->node()->input(0)->node()->kind().qualified() == "aten::reciprocal");
}

TEST_CASE("numbers have overloads of their own", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto n = SymbolicVariable::asNewInput(graph, "n", Type::intType());
  CHECK((n + 1).value()->type()->isInt());
  CHECK((10 - n).value()->node()->kind().qualified() == "aten::sub");
  CHECK((n / 2).value()->type()->isFloat());
  CHECK((2 / n).value()->node()->kind().qualified() == "aten::div");
  CHECK((n * 0.5).value()->type()->isFloat());
  CHECK((n < 3).value()->type() == Type::boolType());
  CHECK((n == n).value()->type() == Type::boolType());
}

TEST_CASE("an LSTM cell by hand", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto input = SymbolicVariable::asNewInput(graph, "input"), hx = SymbolicVariable::asNewInput(graph, "hx"),
       cx = SymbolicVariable::asNewInput(graph, "cx");
  auto wIh = SymbolicVariable::asNewInput(graph, "w_ih"), wHh = SymbolicVariable::asNewInput(graph, "w_hh");
  auto gates = (input.mm(wIh.t()) + hx.mm(wHh.t())).chunk(4, 1);
  auto cell = gates[1].sigmoid() * cx + gates[0].sigmoid() * gates[2].tanh();
  (gates[3].sigmoid() * cell.tanh()).addAsOutput();
  cell.addAsOutput();
  std::string text = textOf(graph);
  CHECK(text.find(" = prim::ListUnpack(") != std::string::npos);
  CHECK(graph.block().numOutputs() == 2);
}

TEST_CASE("parts are joined, and shapes are lists", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto x = SymbolicVariable::asNewInput(graph, "x");
  SymbolicVariable parts[] = {x, x.view({2, -1}), x.transpose(0, 1)};
  SymbolicVariable::cat(parts, 1).sum({0}, true).addAsOutput();
  SymbolicVariable::stack(parts, 0).pow(2).addAsOutput();
  CHECK(x.size().value()->type()->annotation() == "List[int]");
  CHECK(x.size(0).value()->type()->isInt());
  textOf(graph);
}

TEST_CASE("nodes go to the insertion point", "[symbolic]") {
  Context context;
  Graph graph(context);
  auto x = SymbolicVariable::asNewInput(graph, "x");
  auto last = x.relu();
  last.addAsOutput();
  {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(last.value()->node());
    auto first = x.exp();
    CHECK(&graph.nodes().front() == first.value()->node());
  }
  CHECK(&graph.nodes().back() == last.value()->node());
}
