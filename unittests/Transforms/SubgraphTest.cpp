//===- SubgraphTest.cpp - Nodes that hold a graph of their own ------------===//
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>
using namespace tsc;

namespace {

/// A graph from text, which verifies at the end.
class Sample {
public:
  explicit Sample(const char *text) : buffer("<test>", text) {
    DiagnosticEngine diags;
    auto graphs = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
  }
  Node &node(StringRef kind, unsigned index = 0) {
    for (Node &node : graph->nodes())
      if (node.kind().qualified() == kind && index-- == 0)
        return node;
    FAIL("there is no " << kind.str());
    return graph->nodes().front();
  }
  /// The graph as text, when it and its subgraphs verify.
  std::string text() {
    DiagnosticEngine diags;
    bool good = succeeded(verify(*graph, diags));
    for (Node &node : graph->nodes())
      if (Graph *inner = subgraphOf(node))
        good &= succeeded(verify(*inner, diags));
    INFO(diags.str() << graph->str());
    REQUIRE(good);
    return graph->str();
  }
  std::vector<std::string> kinds(Graph *of = nullptr) {
    std::vector<std::string> names;
    for (Node &node : (of ? of : graph.get())->nodes())
      names.push_back(node.kind().name().str());
    return names;
  }

  Context context;
  SourceBuffer buffer;
  std::unique_ptr<Graph> graph;
};

constexpr char threeNodes[] = R"(graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::mul(%a, %x)
  %c : Tensor = aten::neg(%b)
  return (%c, %a)
)";

using Kinds = std::vector<std::string>;

} // namespace

TEST_CASE("A new group takes constants along and hands out what is used outside") {
  Sample sample(threeNodes);
  Node *group = createSubgraph({&sample.node("aten::add"), &sample.node("aten::mul")}, prim::FusionGroup);
  Graph &inner = *subgraphOf(*group);
  CHECK(sample.kinds(&inner) == Kinds{"Constant", "add", "mul"});
  CHECK(group->numInputs() == 2);  // x, y; the constant is inside
  CHECK(group->numOutputs() == 2); // a for the return, b for neg
  CHECK(sample.kinds() == Kinds{"Constant", "FusionGroup", "neg"});
  sample.text();
}

TEST_CASE("A producer merges into a group and is handed out only where somebody else uses it") {
  Sample sample(threeNodes);
  Node *group = createSubgraph({&sample.node("aten::mul")}, prim::FusionGroup);
  mergeIntoSubgraph(sample.node("aten::add"), *group);
  CHECK(sample.kinds(subgraphOf(*group)) == Kinds{"Constant", "add", "mul"});
  CHECK(group->numInputs() == 2);
  CHECK(group->numOutputs() == 2);
  sample.text();
}

TEST_CASE("A consumer merges into a group, whose inner results then stay inside") {
  Sample sample(threeNodes);
  Node *group = createSubgraph({&sample.node("aten::mul")}, prim::FusionGroup);
  mergeIntoSubgraph(sample.node("aten::neg"), *group);
  CHECK(sample.kinds(subgraphOf(*group)) == Kinds{"mul", "neg"});
  CHECK(group->numOutputs() == 1);
  sample.text();
}

TEST_CASE("Two groups merge node by node") {
  Sample sample(threeNodes);
  Node *first = createSubgraph({&sample.node("aten::add")}, prim::FusionGroup);
  Node *second = createSubgraph({&sample.node("aten::mul"), &sample.node("aten::neg")}, prim::FusionGroup);
  mergeIntoSubgraph(*first, *second);
  CHECK(sample.kinds() == Kinds{"Constant", "FusionGroup"});
  CHECK(subgraphOf(*second)->nodes().size() == 4);
  sample.text();
}

TEST_CASE("A group that is put back leaves the nodes it had") {
  Sample sample(threeNodes);
  Node *group = createSubgraph({&sample.node("aten::add"), &sample.node("aten::mul"), &sample.node("aten::neg")},
                               prim::FusionGroup);
  NodeList nodes = unmergeSubgraph(*group);
  CHECK(nodes.size() == 4); // with the copy of the constant
  CHECK(sample.kinds() == Kinds{"Constant", "Constant", "add", "mul", "neg"});
  sample.text();
}

TEST_CASE("A node lifted out of a group stands behind it") {
  Sample sample(threeNodes);
  Node *group = createSubgraph({&sample.node("aten::add"), &sample.node("aten::mul"), &sample.node("aten::neg")},
                               prim::FusionGroup);
  Node *lifted = liftOutOfSubgraph(subgraphOf(*group)->nodes().back(), *group);
  CHECK(lifted->kind() == aten::neg);
  CHECK(lifted->previous() == group);
  CHECK(group->numOutputs() == 2); // a and b
  sample.text();
}

TEST_CASE("Groups form across nodes that neither need them nor are needed") {
  Sample sample(R"(graph(%x : Tensor, %n : int):
  %a : Tensor = aten::neg(%x)
   = prim::Print(%n)
  %b : Tensor = aten::abs(%a)
  %c : Tensor = aten::nonzero(%b)
  %d : Tensor = aten::neg(%c)
  return (%d, %b)
)");
  AliasAnalysis aliases(*sample.graph);
  auto isUnary = [](const Node &node) { return node.hasTrait(Trait::Pointwise); };
  auto groups = formGroups(sample.graph->block(), aliases, /*failures=*/nullptr, isUnary);
  REQUIRE(groups.size() == 2); // neg and abs; the second neg needs nonzero between
  CHECK(groups[0].size() == 2);
  CHECK(groups[1].size() == 1);
  CHECK(groups[0][0]->next() == groups[0][1]);
  sample.text();
}

TEST_CASE("A group does not form across a write to what it reads") {
  Sample sample(R"(graph(%x : Tensor):
  %a : Tensor = aten::neg(%x)
  %w : Tensor = aten::relu_(%x)
  %b : Tensor = aten::mul(%a, %x)
  return (%b)
)");
  AliasAnalysis aliases(*sample.graph);
  auto isFusible = [](const Node &node) { return node.hasTrait(Trait::Pointwise); };
  auto groups = formGroups(sample.graph->block(), aliases, /*failures=*/nullptr, isFusible, 2);
  CHECK(groups.empty());
  CHECK(sample.kinds() == Kinds{"neg", "relu_", "mul"});
}

TEST_CASE("Independent nodes of one key stand together") {
  Sample sample(R"(graph(%x : Tensor, %y : Tensor):
  %a : Tensor = aten::mm(%x, %y)
  %b : Tensor = aten::neg(%y)
  %c : Tensor = aten::mm(%x, %b)
  %d : Tensor = aten::mm(%x, %a)
  return (%a, %c, %d)
)");
  AliasAnalysis aliases(*sample.graph);
  auto keyOf = [](const Node &node) -> const void * { return node.kind().name() == "mm" ? node.input(0) : nullptr; };
  auto groups = formIndependentGroups(sample.graph->block(), aliases, /*failures=*/nullptr, keyOf);
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].size() == 2); // the third needs the first
  CHECK(sample.kinds() == Kinds{"neg", "mm", "mm", "mm"});
  sample.text();
}
