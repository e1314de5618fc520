//===- SubgraphMatcherTest.cpp - What a pattern matches -------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Transforms/SubgraphRewriter.h"
#include <catch2/catch.hpp>
using namespace tsc;

static std::unique_ptr<Graph> parseOne(Context &context, const char *text) {
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, context.sources().add("<test>", text), diags);
  INFO(diags.str());
  REQUIRE(succeeded(graphs));
  return std::move(graphs->front());
}

/// How often the pattern is found.
static unsigned countMatches(const char *pattern, const char *text) {
  Context context;
  auto wanted = parseOne(context, pattern), graph = parseOne(context, text);
  REQUIRE(SubgraphMatcher::check(*wanted).ok());
  SubgraphMatcher matcher(*wanted);
  unsigned count = 0;
  graph->walk([&](Node &node) { count += matcher.match(node).has_value(); });
  return count;
}

TEST_CASE("A value that is used twice in a pattern must be one value") {
  const char *square = "graph(%x):\n  %r : Tensor = aten::mul(%x, %x)\n  return (%r)\n";
  CHECK(countMatches(square, "graph(%a : Tensor):\n  %r : Tensor = aten::mul(%a, %a)\n  return (%r)\n") == 1);
  CHECK(countMatches(square, "graph(%a : Tensor, %b : Tensor):\n  %r : Tensor = aten::mul(%a, %b)\n  return (%r)\n") ==
        0);
}

TEST_CASE("Constants and attributes must be equal") {
  const char *pattern = "graph(%x, %y):\n  %one : int = prim::Constant[value=1]()\n"
                        "  %r : Tensor = aten::add(%x, %y, %one)\n  return (%r)\n";
  CHECK(countMatches(pattern, "graph(%a : Tensor):\n  %k : int = prim::Constant[value=1]()\n"
                              "  %r : Tensor = aten::add(%a, %a, %k)\n  return (%r)\n") == 1);
  CHECK(countMatches(pattern, "graph(%a : Tensor):\n  %k : int = prim::Constant[value=2]()\n"
                              "  %r : Tensor = aten::add(%a, %a, %k)\n  return (%r)\n") == 0);
  CHECK(countMatches(pattern, "graph(%a : Tensor):\n  %k : float = prim::Constant[value=1.]()\n"
                              "  %r : Tensor = aten::add(%a, %a, %k)\n  return (%r)\n") == 0);
}

TEST_CASE("What a pattern does not return may not be used elsewhere") {
  const char *pattern = "graph(%x):\n  %a : Tensor = aten::neg(%x)\n  %r : Tensor = aten::relu(%a)\n  return (%r)\n";
  CHECK(countMatches(
            pattern,
            "graph(%x : Tensor):\n  %a : Tensor = aten::neg(%x)\n  %b : Tensor = aten::relu(%a)\n  return (%b)\n") ==
        1);
  CHECK(
      countMatches(
          pattern,
          "graph(%x : Tensor):\n  %a : Tensor = aten::neg(%x)\n  %b : Tensor = aten::relu(%a)\n  return (%b, %a)\n") ==
      0);
}

TEST_CASE("An input with a type matches values of that type") {
  const char *pattern = "graph(%x : Tensor, %n : int):\n  %r : Tensor = aten::add(%x, %n, %n)\n  return (%r)\n";
  CHECK(countMatches(pattern,
                     "graph(%x : Tensor, %n : int):\n  %r : Tensor = aten::add(%x, %n, %n)\n  return (%r)\n") == 1);
  CHECK(countMatches(pattern,
                     "graph(%x : Tensor, %n : float):\n  %r : Tensor = aten::add(%x, %n, %n)\n  return (%r)\n") == 0);
}

TEST_CASE("A pattern that cannot be looked for is refused") {
  Context context;
  auto refusal = [&](const char *text) { return messageOf(SubgraphMatcher::check(*parseOne(context, text))).str(); };
  CHECK(refusal("graph(%x : Tensor):\n  return (%x)\n") == "a pattern needs a node that is no constant");
  CHECK(refusal(
            "graph(%x : Tensor):\n  %a : Tensor = aten::neg(%x)\n  %b : Tensor = aten::abs(%x)\n  return (%a, %b)\n") ==
        "every node of a pattern must lead to its last one, but a aten::neg node does not");
  SubgraphRewriter rewriter(context);
  Status status = rewriter.addPattern("graph(%x : Tensor):\n  %a : Tensor = aten::neg(%x)\n  return (%a)\n",
                                      "graph(%x : Tensor, %y : Tensor):\n  return (%x)\n");
  CHECK(messageOf(status).str() == "the pattern has 1 inputs, but its replacement has 2");
}
