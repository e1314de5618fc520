//===- GraphTest.cpp - Edits of graphs ------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/GraphTable.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Tensor/Opaque.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {
/// A graph from text, and what keeps it alive.
struct Parsed {
  explicit Parsed(const char *text) : buffer("test.ir", text) {
    auto graphs = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
  }
  bool verifies() { return succeeded(verify(*graph, diags)); }
  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  std::unique_ptr<Graph> graph;
};
} // namespace

static const char branchText[] = "graph(%c : bool,\n"
                                 "      %x : Tensor):\n"
                                 "  %2 : Tensor = prim::If(%c)\n"
                                 "    block0():\n"
                                 "      %3 : Tensor = aten::relu(%x)\n"
                                 "      -> (%3)\n"
                                 "    block1():\n"
                                 "      -> (%x)\n"
                                 "  %4 : Tensor = aten::neg(%2)\n"
                                 "  return (%4)\n";

TEST_CASE("uses follow replacements", "[graph]") {
  Parsed parsed(branchText);
  Graph &graph = *parsed.graph;
  Value *x = graph.inputs()[1];
  CHECK(x->numUses() == 2);
  Node &branch = graph.nodes().front();
  branch.output(0)->replaceAllUsesWith(x);
  CHECK_FALSE(branch.output(0)->hasUses());
  CHECK(x->numUses() == 3);
  branch.erase(); // and what was in its blocks
  CHECK(x->numUses() == 1);
  CHECK(parsed.verifies());
}

TEST_CASE("a value with 100,000 uses loses and gains one at constant cost", "[graph]") {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x"), *y = graph.addInput("y");
  Symbol relu = context.symbol("aten::relu");
  std::vector<Node *> nodes;
  for (int i = 0; i != 100000; ++i)
    nodes.push_back(graph.insertNodeHere(graph.create(relu, {x})));
  for (Node *node : nodes) { // quadratic, were a use looked for in its list
    node->setInput(0, y);
    node->setInput(0, x);
  }
  CHECK(x->numUses() == 100000);
  x->replaceAllUsesWith(y);
  CHECK(y->numUses() == 100000);
  for (Node *node : nodes)
    node->erase();
  CHECK_FALSE(y->hasUses());
}

TEST_CASE("order is known after nodes were moved", "[graph]") {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x");
  Symbol relu = context.symbol("aten::relu");
  Node *first = graph.insertNodeHere(graph.create(relu, {x})), *last = graph.insertNodeHere(graph.create(relu, {x}));
  CHECK(first->isBefore(last));
  for (int i = 0; i != 1000; ++i) // no room is left between them but by renumbering
    graph.create(relu, {x})->insertAfter(first);
  CHECK(first->isBefore(last));
  first->moveAfter(last);
  CHECK(last->isBefore(first));
}

TEST_CASE("a node in a block comes before what follows its holder", "[graph]") {
  Parsed parsed(branchText);
  Node &branch = parsed.graph->nodes().front(), &inner = branch.block(0).nodes().front();
  CHECK(inner.isBefore(branch.next()));
  CHECK(inner.parentNode() == &branch);
  CHECK(branch.parentNode() == nullptr);
}

TEST_CASE("a clone prints the same and shares nothing", "[graph]") {
  Parsed parsed(branchText);
  llvm::DenseMap<Value *, Value *> map;
  std::unique_ptr<Graph> copy = parsed.graph->clone(&map);
  CHECK(copy->str() == parsed.graph->str());
  CHECK(map.lookup(parsed.graph->inputs()[0]) == copy->inputs()[0]);
  parsed.graph.reset();
  CHECK(copy->str(/*withRanges=*/false) == branchText);
}

TEST_CASE("a graph inlined into another takes its arguments there", "[graph]") {
  Parsed parsed(branchText);
  Graph outer(parsed.context);
  Value *c = outer.addInput("c", Type::boolType()), *y = outer.addInput("y");
  std::vector<Value *> results = parsed.graph->inlineInto(outer, {c, y});
  REQUIRE(results.size() == 1);
  outer.addOutput(results[0]);
  CHECK(succeeded(verify(outer, parsed.diags)));
  CHECK(y->numUses() == 2);
}

TEST_CASE("names stay unique, as PyTorch makes them", "[graph]") {
  Context context;
  Graph graph(context);
  Value *a = graph.addInput("x"), *b = graph.addInput(), *c = graph.addInput();
  b->setName("x");
  CHECK(b->name() == "x.1");
  c->setName("x.1");
  CHECK(c->name() == "x.2");
  CHECK(a->name() == "x");
}

TEST_CASE("the overload follows the operands", "[graph]") {
  Context context;
  Graph graph(context);
  Value *x = graph.addInput("x"), *n = graph.addInput("n", Type::intType());
  Value *sum = graph.insert(aten::add, {x, n});
  CHECK(sum->node()->schema()->overloadName() == "Scalar");
  CHECK(sum->node()->namedInput("alpha") != nullptr);
  Value *count = graph.insert(aten::add, {n, n});
  CHECK(count->node()->schema()->overloadName() == "int");
  count->node()->setInput(0, graph.insertConstant(IValue(2.0)));
  CHECK(count->node()->schema()->overloadName() != "int");
}

TEST_CASE("a sparse constant of one element is printed", "[graph]") {
  auto parts = makeRef<SparseParts>();
  parts->indices = *Tensor::full({1, 1}, Scalar(0), DType::Int64);
  parts->values = *Tensor::full({1}, Scalar(2), DType::Float);
  Context context;
  Graph graph(context);
  graph.addOutput(graph.insertConstant(IValue(*makeOpaque({1}, parts))));
  CHECK_THAT(graph.str(), Catch::Contains("value=<Tensor>"));
}

TEST_CASE("attributes of every kind are kept and replaced", "[graph]") {
  Context context;
  Graph graph(context);
  Node *node = graph.create(context.symbol("my::node"), 1);
  node->setAttribute(attr::name, std::string("a"));
  node->setAttribute(attr::value, std::vector<int64_t>{1, 2});
  node->setAttribute(attr::name, std::string("b"));
  CHECK(node->get<std::string>(attr::name) == "b");
  CHECK(node->get<std::vector<int64_t>>(attr::value).size() == 2);
  node->removeAttribute(attr::name);
  CHECK_FALSE(node->hasAttribute(attr::name));
  CHECK(node->attributes().size() == 1);
}

TEST_CASE("tables know nodes that are newer than they, and never take one for another", "[graph]") {
  Parsed parsed(branchText);
  Graph &graph = *parsed.graph;
  GraphTable<Node, int> numbers(graph);
  GraphSet<Value> values(graph);
  Node *last = (*graph.outputs().begin())->node();
  numbers[last] = 7;
  Node *erased = graph.insertNodeHere(graph.create(prim::Print, 0));
  CHECK(numbers.lookup(erased) == 0);
  CHECK(numbers.find(erased) == nullptr);
  numbers[erased] = 8;
  unsigned id = erased->id();
  erased->erase();
  Node *newest = graph.insertNodeHere(graph.create(prim::Print, 0));
  CHECK(newest->id() > id);
  CHECK(numbers.lookup(newest) == 0);
  CHECK(numbers.lookup(last) == 7);

  CHECK(values.insert(graph.inputs()[1]));
  CHECK_FALSE(values.insert(graph.inputs()[1]));
  CHECK_FALSE(values.contains(graph.inputs()[0]));
  values.erase(graph.inputs()[1]);
  CHECK_FALSE(values.contains(graph.inputs()[1]));
}
