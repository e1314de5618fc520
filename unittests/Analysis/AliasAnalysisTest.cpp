//===- AliasAnalysisTest.cpp - Questions about memory ---------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "ParsedGraph.h"

using namespace tsc;

static const char *const program = R"(graph(%a : Tensor, %b : Tensor, %c : bool, %l : Tensor[], %n : int):
  %one : int = prim::Constant[value=1]()
  %fresh : Tensor = aten::neg(%a)
  %view : Tensor = aten::select(%fresh, %one, %one)
  %other : Tensor = aten::relu(%a)
  %list : Tensor[] = prim::ListConstruct(%fresh)
  %tuple : (Tensor, Tensor[]) = prim::TupleConstruct(%other, %list)
  %written : Tensor = aten::add_(%view, %b, %one)
  %joined : Tensor = aten::cat(%list, %one)
  return (%joined, %l)
)";

TEST_CASE("values that share memory") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  auto mayAlias = [&](const char *a, const char *b) { return aliases.mayAlias(graph.value(a), graph.value(b)); };
  CHECK(mayAlias("a", "b"));
  CHECK(mayAlias("fresh", "view"));
  CHECK(mayAlias("view", "written"));
  CHECK_FALSE(mayAlias("fresh", "a"));
  CHECK_FALSE(mayAlias("fresh", "other"));
  CHECK_FALSE(mayAlias("list", "fresh"));
  CHECK_FALSE(mayAlias("n", "n"));
  CHECK(mayAlias("tuple", "list"));
  CHECK(mayAlias("tuple", "other"));
  CHECK_FALSE(mayAlias("tuple", "fresh"));
}

TEST_CASE("sets of values that share memory") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  const Value *fresh = graph.value("fresh"), *view = graph.value("view"), *other = graph.value("other"),
              *a = graph.value("a");
  using Values = std::vector<const Value *>;
  CHECK(aliases.mayAlias(Values{other, view}, Values{a, fresh}));
  CHECK_FALSE(aliases.mayAlias(Values{other, view}, Values{a}));
  CHECK_FALSE(aliases.mayAlias(Values{}, Values{a}));
}

TEST_CASE("what containers hold") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  auto mayContain = [&](const char *a, const char *b) {
    return aliases.mayContainAlias(graph.value(a), graph.value(b));
  };
  CHECK(mayContain("list", "view"));
  CHECK(mayContain("tuple", "fresh"));
  CHECK(mayContain("l", "a"));
  CHECK_FALSE(mayContain("list", "other"));
  CHECK_FALSE(mayContain("l", "fresh"));
}

TEST_CASE("who writes what") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  Node *writer = graph.node("written");
  CHECK(aliases.hasWriters(graph.value("fresh")));
  CHECK(aliases.hasWriters(graph.value("list"))); // what it holds
  CHECK_FALSE(aliases.hasWriters(graph.value("other")));
  CHECK_FALSE(aliases.hasWriters(graph.value("b")));
  CHECK(aliases.writers(graph.value("tuple")) == llvm::SmallVector<Node *, 4>{writer});
  CHECK(aliases.writers(graph.value("other")).empty());
  CHECK(aliases.writesTo(*writer, graph.value("fresh")));
  CHECK(aliases.writesTo(*writer, graph.value("list")));
  CHECK_FALSE(aliases.writesTo(*writer, graph.value("b")));
  CHECK(aliases.mayWrite(*writer));
  CHECK_FALSE(aliases.mayWrite(*graph.node("joined")));
  CHECK_FALSE(aliases.isWriteObservable(*writer));
  CHECK(aliases.hasInputWriters(*graph.node("joined")));
  CHECK_FALSE(aliases.hasOutputWriters(*graph.node("joined")));
  CHECK(aliases.isMutable(graph.value("tuple")));
  CHECK_FALSE(aliases.isMutable(graph.value("one")));
}

TEST_CASE("what escapes") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  CHECK(aliases.escapes(graph.value("a")));
  CHECK(aliases.escapes(graph.value("joined")));
  CHECK_FALSE(aliases.escapes(graph.value("fresh")));
}

TEST_CASE("values newer than the analysis") {
  ParsedGraph graph(program);
  AliasAnalysis aliases(*graph);
  Node *copy = graph->create(graph.node("fresh")->kind(), {graph.value("b")})->insertAfter(graph.node("fresh"));
  CHECK(aliases.mayAlias(copy->output(), graph.value("other")));
  CHECK(aliases.hasWriters(copy->output()));
  aliases.copyValue(graph.value("other"), copy->output());
  CHECK_FALSE(aliases.hasWriters(copy->output()));
  CHECK_FALSE(aliases.mayAlias(copy->output(), graph.value("fresh")));
  graph->setInsertPoint(graph.node("fresh"));
  CHECK_FALSE(aliases.hasWriters(graph->insertConstant(IValue(std::vector<int64_t>{1}))));
}

TEST_CASE("a set of locations that grows too large becomes one") {
  std::string text = "graph(%a : Tensor, %i : int):\n";
  std::string list;
  for (unsigned i = 0; i != 2 * MemoryDAG::maxLocations; ++i) {
    text += "  %x" + std::to_string(i) + " : Tensor = aten::neg(%a)\n";
    list += (i ? ", %x" : "%x") + std::to_string(i);
  }
  text += "  %apart : Tensor = aten::neg(%a)\n  %l : Tensor[] = prim::ListConstruct(" + list + ")\n";
  text += "  %e : Tensor = aten::__getitem__(%l, %i)\n  return (%a)\n";
  ParsedGraph graph(text);
  AliasAnalysis aliases(*graph);
  CHECK(aliases.mayAlias(graph.value("x0"), graph.value("x1")));
  CHECK(aliases.mayAlias(graph.value("e"), graph.value("x63")));
  CHECK_FALSE(aliases.mayAlias(graph.value("e"), graph.value("apart")));
  CHECK(aliases.locations(graph.value("e")).size() <= MemoryDAG::maxLocations);
}
