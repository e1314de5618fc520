//===- NodeMotionTest.cpp - Moves that keep the program's meaning ---------===//
#include "ParsedGraph.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

using namespace tsc;

/// The nodes of the block as they stand.
static std::vector<const Node *> orderOf(Block &block) {
  std::vector<const Node *> order;
  for (Node &node : block.nodes())
    order.push_back(&node);
  return order;
}

TEST_CASE("a pure node moves freely, users along") {
  ParsedGraph graph(R"(graph(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::relu(%a)
  %c : Tensor = aten::exp(%x)
  %d : Tensor = aten::mul(%c, %b)
  return (%d)
)");
  AliasAnalysis aliases(*graph);
  Node *a = graph.node("a"), *b = graph.node("b"), *c = graph.node("c"), *d = graph.node("d");
  CHECK_FALSE(aliases.couldMoveAfterTopologically(a, d));
  CHECK(aliases.couldMoveBeforeTopologically(a, c));
  REQUIRE(aliases.moveAfterTopologicallyValid(a, c));
  CHECK(orderOf(graph->block()) == std::vector<const Node *>{c, a, b, d});
  REQUIRE(aliases.moveBeforeTopologicallyValid(b, c));
  CHECK(orderOf(graph->block()) == std::vector<const Node *>{a, b, c, d});
  CHECK_FALSE(aliases.moveBeforeTopologicallyValid(a, d)); // b has to stay between
  CHECK_FALSE(aliases.moveBeforeTopologicallyValid(d, c));
}

TEST_CASE("reads keep their order with writes to what they may alias") {
  ParsedGraph graph(R"(graph(%x : Tensor, %y : Tensor, %k : int):
  %f : Tensor = aten::neg(%x)
  %g : Tensor = aten::neg(%y)
  %r : Tensor = aten::relu(%f)
  %w : Tensor = aten::add_(%f, %y, %k)
  %v : Tensor = aten::add_(%g, %y, %k)
  %s : Tensor = aten::relu(%f)
  return (%r, %s)
)");
  AliasAnalysis aliases(*graph);
  CHECK_FALSE(aliases.couldMoveAfterTopologically(graph.node("r"), graph.node("w")));
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("s"), graph.node("w")));
  CHECK(aliases.couldMoveBeforeTopologically(graph.node("v"), graph.node("r")));
  CHECK(aliases.couldMoveAfterTopologically(graph.node("v"), graph.node("s")));
  CHECK(aliases.couldMoveBeforeTopologically(graph.node("s"), graph.node("v")));
  CHECK(aliases.mustPrecede(*graph.node("r"), *graph.node("w")));
  CHECK_FALSE(aliases.mustPrecede(*graph.node("w"), *graph.node("v")));
}

TEST_CASE("writes keep their order, and side effects theirs") {
  ParsedGraph graph(R"(graph(%x : Tensor, %k : int):
  %w : Tensor = aten::add_(%x, %k, %k)
  %v : Tensor = aten::mul_(%x, %k)
  %p : Tensor = aten::rand_like(%x)
  %q : Tensor = aten::rand_like(%x)
  return (%x)
)");
  AliasAnalysis aliases(*graph);
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("v"), graph.node("w")));
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("q"), graph.node("p")));
}

TEST_CASE("nodes with blocks count what is in them") {
  ParsedGraph graph(R"(graph(%x : Tensor, %c : bool, %k : int):
  %f : Tensor = aten::neg(%x)
  %g : Tensor = aten::neg(%x)
  %i : Tensor = prim::If(%c)
    block0():
      %w : Tensor = aten::add_(%f, %x, %k)
      -> (%w)
    block1():
      -> (%g)
  %r : Tensor = aten::relu(%f)
  %s : Tensor = aten::relu(%x)
  return (%r)
)");
  AliasAnalysis aliases(*graph);
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("r"), graph.node("i")));
  CHECK(aliases.couldMoveBeforeTopologically(graph.node("s"), graph.node("i")));
  CHECK_FALSE(aliases.couldMoveAfterTopologically(graph.node("g"), graph.node("i")));
  CHECK(aliases.mayWrite(*graph.node("i")));
}

TEST_CASE("no write that is seen passes a raise") {
  ParsedGraph graph(R"(graph(%x : Tensor, %c : bool, %m : str, %k : int):
  %f : Tensor = aten::neg(%x)
  %i : int = prim::If(%c)
    block0():
       = prim::RaiseException(%m, %m)
      -> (%k)
    block1():
      -> (%k)
  %w : Tensor = aten::add_(%x, %k, %k)
  %v : Tensor = aten::add_(%f, %k, %k)
  return (%k)
)");
  AliasAnalysis aliases(*graph);
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("w"), graph.node("i")));
  CHECK(aliases.couldMoveBeforeTopologically(graph.node("v"), graph.node("i")));
}

TEST_CASE("moves to the edges of a block") {
  ParsedGraph graph(R"(graph(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  %b : Tensor = aten::relu(%x)
  %c : Tensor = aten::mul(%a, %b)
  return (%c)
)");
  AliasAnalysis aliases(*graph);
  Block &block = graph->block();
  CHECK(aliases.moveAfterTopologicallyValid(graph.node("b"), &block.paramNode()));
  CHECK(&block.nodes().front() == graph.node("b"));
  CHECK_FALSE(aliases.couldMoveAfterTopologically(graph.node("c"), &block.paramNode()));
  CHECK_FALSE(aliases.couldMoveBeforeTopologically(graph.node("a"), &block.returnNode()));
  CHECK(aliases.couldMoveBeforeTopologically(graph.node("c"), &block.returnNode()));
}

/// Straight-line code over a few tensors, with views, writes and a list; every result is a named value.
static std::string randomProgram(std::mt19937 &random, unsigned length) {
  std::vector<std::string> tensors{"x", "y"};
  auto pick = [&] { return "%" + tensors[random() % tensors.size()]; };
  std::string text =
      "graph(%x : Tensor, %y : Tensor, %k : int, %s : str):\n  %l : Tensor[] = prim::ListConstruct(%x)\n";
  for (unsigned i = 0; i != length; ++i) {
    std::string name = "v" + std::to_string(i), line = "  %" + name + " : Tensor = ";
    switch (random() % 7) {
    case 0: line += "aten::neg(" + pick() + ")"; break;
    case 1: line += "aten::mul(" + pick() + ", " + pick() + ")"; break;
    case 2: line += "aten::select(" + pick() + ", %k, %k)"; break;
    case 3: line += "aten::add_(" + pick() + ", " + pick() + ", %k)"; break;
    case 4: line += "aten::__getitem__(%l, %k)"; break;
    case 5: line += "aten::cat(%l, %k)"; break;
    default: text += "  %m" + std::to_string(i) + " : Tensor[] = aten::append(%l, " + pick() + ")\n"; continue;
    }
    text += line + "\n";
    tensors.push_back(name);
  }
  return text + "  return (%l)\n";
}

TEST_CASE("moves keep the order of every pair of nodes that has one") {
  std::mt19937 random(1);
  for (unsigned round = 0; round != 40; ++round) {
    ParsedGraph graph(randomProgram(random, 25));
    AliasAnalysis aliases(*graph);
    std::vector<const Node *> before = orderOf(graph->block());
    std::vector<std::pair<const Node *, const Node *>> ordered;
    for (size_t i = 0; i != before.size(); ++i)
      for (size_t j = i + 1; j != before.size(); ++j)
        if (aliases.mustPrecede(*before[i], *before[j]))
          ordered.push_back({before[i], before[j]});
    for (unsigned move = 0; move != 30; ++move) {
      auto *node = const_cast<Node *>(before[random() % before.size()]),
           *point = const_cast<Node *>(before[random() % before.size()]);
      bool after = random() % 2;
      bool could =
          after ? aliases.couldMoveAfterTopologically(node, point) : aliases.couldMoveBeforeTopologically(node, point);
      bool moved =
          after ? aliases.moveAfterTopologicallyValid(node, point) : aliases.moveBeforeTopologicallyValid(node, point);
      REQUIRE(could == moved);
      if (moved && node != point)
        CHECK((after ? point->next() : point->previous()) == node);
      for (auto [first, second] : ordered)
        REQUIRE(first->isBefore(second));
    }
    DiagnosticEngine diags;
    CHECK(succeeded(verify(*graph, diags)));
  }
}
