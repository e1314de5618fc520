//===- GraphPasses.cpp - Passes over Python's graphs ----------------------===//
#include "GraphObjects.h"
#include "Graphs.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Transforms/PassManager.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/SubgraphRewriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Passes by name
//===----------------------------------------------------------------------===//

static const PassRegistry &registry() {
  static const PassRegistry known = [] {
    PassRegistry made;
    registerTransformsPasses(made);
    registerAutodiffPasses(made);
    return made;
  }();
  return known;
}

/// Raises RuntimeError for a graph that passes may not see: what changed it by hand may have left it broken.
static void checkForPasses(const GraphObject &self) {
  if (!self.held->loose.empty())
    raise(PyExc_RuntimeError,
          "a node of the graph is in no block: insert or destroy it first\n" + textOfNode(*self.held->loose.front()));
  DiagnosticEngine diagnostics;
  if (failed(verify(*self, diagnostics)))
    raise(PyExc_RuntimeError, "the graph is not well-formed:\n" + diagnostics.str());
}

/// Runs a pipeline on a graph, and returns whether its text changed.
static bool runPasses(const GraphObject &self, const std::string &pipeline) {
  checkForPasses(self);
  PassManager passes(registry());
  if (Status status = passes.parsePipeline(pipeline); !status.ok())
    raise(PyExc_ValueError, messageOf(status).str());
  const std::string before = self->str(false);
  KernelEvaluator evaluator(self.held->context());
  Status status = passes.run(*self, &evaluator);
  self.held->changed();
  self.held->checkInsertPoint();
  raiseIfError(status);
  return self->str(false) != before;
}

using Listed = std::tuple<std::string, std::string, std::string>;

/// The passes and pipelines: the name, PyTorch's name or "", what it does.
static std::vector<Listed> listPasses() {
  std::vector<Listed> all;
  for (const PassInfo &pass : registry().all())
    all.emplace_back(pass.name.str(), pass.pytorchName.str(), pass.description.str());
  for (const PipelineInfo &pipeline : registry().pipelines())
    all.emplace_back(pipeline.name.str(), pipeline.pytorchName.str(), pipeline.description.str());
  return all;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

static std::unique_ptr<Graph> graphOfText(Context &context, const std::string &text) {
  DiagnosticEngine diagnostics;
  auto graphs = parseGraphs(context, context.sources().add("<pattern>", text), diagnostics);
  if (failed(graphs))
    raise(PyExc_RuntimeError, diagnostics.str());
  if (graphs->size() != 1)
    raise(PyExc_ValueError, "a pattern is one graph, and so is what replaces it");
  return std::move(graphs->front());
}

/// Returns the value that the text of a graph without blocks calls `name`. A graph keeps the names of its inputs alone:
/// those of other values stand in its text, a line for each node.
static Value *named(Graph &graph, StringRef text, StringRef name) {
  for (Value *input : graph.inputs())
    if (input->name() == name)
      return input;
  auto node = graph.nodes().begin(), end = graph.nodes().end();
  for (StringRef line : llvm::split(text, '\n')) {
    auto [definitions, call] = line.trim().split(" = ");
    if (!definitions.starts_with("%") || call.empty() || node == end)
      continue;
    unsigned position = 0;
    for (StringRef definition : llvm::split(definitions, '%')) {
      if (definition.empty())
        continue;
      if (definition.take_until([](char c) { return c == ',' || c == ' ' || c == ':'; }) == name)
        return node->output(position);
      ++position;
    }
    ++node;
  }
  raise(PyExc_ValueError, "the pattern or its replacement has no value %" + name.str());
}

/// Whether the text of a graph gives its input `name` a type.
static bool hasType(StringRef text, StringRef name) {
  for (size_t at = 0; (at = text.find(("%" + name).str(), at)) != StringRef::npos; ++at) {
    StringRef rest = text.substr(at + 1 + name.size());
    if (!rest.empty() && (llvm::isAlnum(rest.front()) || rest.front() == '_' || rest.front() == '.'))
      continue; // another name that begins so
    return rest.ltrim().starts_with(":");
  }
  return false;
}

/// Replaces what looks like a pattern. `names` says for values of the replacement which value of the pattern they come
/// from, so that their nodes get its place in the source. Returns whether something was replaced.
static bool rewrite(const GraphObject &self, const std::string &pattern, const std::string &replacement,
                    const std::vector<std::pair<std::string, std::string>> &names) {
  checkForPasses(self);
  Context &context = self.held->context();
  std::unique_ptr<Graph> from = graphOfText(context, pattern), to = graphOfText(context, replacement);
  for (Value *input : from->inputs())
    if (!hasType(pattern, input->displayName()))
      input->setType(Type::inferredTensorType()); // it matches any value
  // Copies of the replacement's nodes have numbers in the order of that. Where a match is not replaced after all, the
  // next one has the same numbers.
  std::vector<std::pair<unsigned, const Value *>> places;
  for (const auto &[made, origin] : names) {
    const Node *node = named(*to, replacement, made)->node();
    unsigned position = 0;
    while ((node = node->previous()))
      ++position;
    places.emplace_back(position, named(*from, pattern, origin));
  }
  llvm::DenseMap<unsigned, SourceRange> ranges;
  SubgraphRewriter rewriter(context);
  raiseIfError(rewriter.addPattern(std::move(from), std::move(to), [&](const Match &match) {
    for (auto [position, origin] : places)
      if (Value *matched = match[origin])
        ranges[self->numIds<Node>() + position] = matched->node()->range();
    return true;
  }));
  const AliasAnalysis aliases(*self);
  const bool changed = rewriter.run(*self, aliases);
  self->walk([&](Node &node) {
    if (auto known = ranges.find(node.id()); known != ranges.end())
      node.setRange(known->second);
  });
  self.held->changed();
  self.held->checkInsertPoint();
  return changed;
}

//===----------------------------------------------------------------------===//
// What a function shows
//===----------------------------------------------------------------------===//

/// What PyTorch's compiler writes otherwise, by pairs of a pattern and what it writes: bools are compared by their
/// values, and rsub is a sub.
static constexpr StringRef writtenOtherwise = R"(
graph(%a : bool, %b : bool):
  %r : bool = aten::__is__(%a, %b)
  return (%r)
graph(%a : bool, %b : bool):
  %r : bool = aten::eq(%a, %b)
  return (%r)
graph(%a : bool, %b : bool):
  %r : bool = aten::__isnot__(%a, %b)
  return (%r)
graph(%a : bool, %b : bool):
  %r : bool = aten::ne(%a, %b)
  return (%r)
graph(%a : Tensor, %b : Tensor, %alpha : Scalar):
  %r : Tensor = aten::rsub(%a, %b, %alpha)
  return (%r)
graph(%a : Tensor, %b : Tensor, %alpha : Scalar):
  %r : Tensor = aten::sub(%b, %a, %alpha)
  return (%r)
)";

/// Whether functions show the bodies of what they call in the place of calls.
static std::atomic<bool> inlinesEverything{false};

/// Gives constants that are tensors the type with all that they show.
static void refineTensorConstants(Graph &graph) {
  graph.walk([&](Node &node) {
    auto value = node.kind() == prim::Constant ? constantValue(node.output()) : std::nullopt;
    if (!value || !value->isTensor())
      return;
    TensorFacts facts = factsOfTensor(value->toTensor());
    if (!facts.dtype) // sparse and nested
      return;
    facts.requiresGrad = value->toTensor().requiresGrad();
    node.output()->setType(graph.context().tensor(facts));
  });
}

/// Returns the values of a graph that have names, in the order of its text.
static llvm::SmallVector<Value *> namedValues(Graph &graph) {
  llvm::SmallVector<Value *> named;
  auto add = [&](auto values) {
    for (Value *value : values)
      if (value->hasName())
        named.push_back(value);
  };
  add(graph.inputs());
  graph.walk([&](Node &node) {
    add(node.outputs());
    for (Block &block : node.blocks())
      add(block.inputs());
  });
  return named;
}

/// Gives values that stand for variables PyTorch's names. Its compiler counts what is stored and what is read: where
/// tsc has `x`, `x.2`, `x.4`, it has `x.1`, `x.5`, `x.9`. The last result of an If or a Loop is the variable's own
/// name, as is an argument that nobody reads.
static void nameAsPyTorch(Graph &graph) {
  const llvm::SmallVector<Value *> named = namedValues(graph);
  llvm::StringMap<Value *> merged;
  llvm::SmallVector<std::string> names;
  for (Value *value : named) {
    names.push_back(value->displayName());
    auto [base, number] = StringRef(names.back()).rsplit('.');
    unsigned count = 0;
    if (value->node()->kind() == prim::If || value->node()->kind() == prim::Loop)
      merged[number.getAsInteger(10, count) ? StringRef(names.back()) : base] = value;
  }
  for (Value *value : named)
    value->setName("");
  for (auto [value, name] : llvm::zip(named, names)) {
    auto [base, number] = StringRef(name).rsplit('.');
    unsigned count = 0;
    if (number.getAsInteger(10, count))
      base = name, count = 0;
    const bool isArgument = value->node()->kind() == prim::Param && &value->block() == &graph.block();
    const bool isPlain = merged.lookup(base) == value || (isArgument && (base == "self" || !value->hasUses()));
    value->setName(isPlain ? base.str() : (base + "." + llvm::Twine(2 * count + 1)).str());
  }
}

void bindings::bringToShownForm(Graph &graph, bool isTraced) {
  SubgraphRewriter rewriter(graph.context());
  raiseIfError(readRewriteRules(graph.context(), "<shown>", writtenOtherwise, rewriter));
  rewriter.run(graph, AliasAnalysis(graph));
  PassManager passes(registry());
  constexpr StringRef pipeline = "lower-simple-tuples,constprop-immutable,dce,constant-pooling,canonicalize";
  constexpr StringRef ofTraces = "lower-simple-tuples,dce,canonicalize";
  raiseIfError(passes.parsePipeline((inlinesEverything ? "inline," : "") + (isTraced ? ofTraces : pipeline).str()));
  KernelEvaluator evaluator(graph.context());
  raiseIfError(passes.run(graph, &evaluator));
  refineTensorConstants(graph);
}

void bindings::showAsPyTorch(Graph &graph, bool isTraced) {
  PassManager passes(registry());
  raiseIfError(passes.parsePipeline("inline,lower-simple-tuples,constprop-immutable,dce"));
  KernelEvaluator evaluator(graph.context());
  graph.walk([&](Node &node) {
    if (Graph *body = node.kind() == prim::fork ? subgraphOf(node) : nullptr)
      raiseIfError(passes.run(*body, &evaluator));
  });
  if (!isTraced)
    nameAsPyTorch(graph);
}

//===----------------------------------------------------------------------===//
// Aliases
//===----------------------------------------------------------------------===//

namespace {
/// Who shares memory with whom in a graph, as long as nobody but itself changes the graph.
class AliasObject {
public:
  explicit AliasObject(HeldRef held) : held(std::move(held)), analysis(*this->held->graph), edits(*this->held->edits) {}
  const AliasAnalysis &operator*() const {
    check();
    return analysis;
  }
  const AliasAnalysis *operator->() const { return &**this; }
  const HeldRef &graph() const { return held; }
  bool move(const NodeObject &node, const NodeObject &point, bool after) {
    check();
    Node *moved = &partOf(held, node), *at = &partOf(held, point);
    if (isEndOfBlock(*moved) || at->kind() == (after ? prim::Return : prim::Param))
      raise(PyExc_RuntimeError, "a block's parameters and results stay where they are, at its begin and its end");
    if (!moved->block() || !at->block() || moved->block() != at->block())
      raise(PyExc_RuntimeError, "nodes move within their block");
    const bool done =
        after ? analysis.moveAfterTopologicallyValid(moved, at) : analysis.moveBeforeTopologicallyValid(moved, at);
    held->changed();
    edits = *held->edits;
    return done;
  }

private:
  void check() const {
    if (edits != *held->edits)
      raise(PyExc_RuntimeError, "the graph has changed: make another alias_db()");
  }
  HeldRef held;
  AliasAnalysis analysis;
  uint64_t edits;
};
} // namespace

static std::vector<const Value *> valuesIn(const AliasObject &self, nb::handle given) {
  ValueObject one;
  if (nb::try_cast(given, one))
    return {&partOf(self.graph(), one)};
  std::vector<const Value *> values;
  for (nb::handle value : given)
    values.push_back(&partOf(self.graph(), nb::cast<ValueObject>(value)));
  return values;
}

/// Calls `visit` with each value of a graph that refers to memory, and the name by which the graph's text has it.
static void forEachReference(Graph &graph, llvm::function_ref<void(const Value &, const std::string &)> visit) {
  auto visitAll = [&](auto values) {
    for (const Value *value : values)
      if (AliasAnalysis::isMutable(value))
        visit(*value, "%" + value->displayName());
  };
  visitAll(graph.inputs());
  graph.walk([&](Node &node) {
    visitAll(node.outputs());
    for (Block &block : node.blocks())
      visitAll(block.inputs());
  });
}

/// PyTorch's name for the memory that code outside of a graph may see.
static constexpr llvm::StringLiteral wildcard = "WILDCARD";

static std::string textOfAliases(const AliasObject &self) {
  std::string text;
  llvm::raw_string_ostream os(text);
  self->print(os);
  os << "May be seen outside (" << wildcard << "):";
  forEachReference(*self.graph()->graph, [&](const Value &value, const std::string &name) {
    if (self->escapes(&value))
      os << ' ' << name;
  });
  os << '\n';
  return text;
}

/// Returns a picture of which values refer to which memory, in Graphviz's language.
static std::string graphvizOfAliases(const AliasObject &self) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "digraph alias_db {\n  rankdir = LR\n  node [shape = rect]\n";
  forEachReference(*self.graph()->graph, [&](const Value &value, const std::string &name) {
    for (Location location : self->locations(&value)) {
      os << "  \"" << name << "\" -> ";
      if (self->isVisibleOutside(location))
        os << '"' << wildcard << "\"\n";
      else
        os << "\"memory " << static_cast<size_t>(location) << "\"\n";
    }
  });
  os << "}\n";
  return text;
}

static void saveGraphviz(const AliasObject &self, const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error)
    os << graphvizOfAliases(self);
  if (error || (os.flush(), os.has_error())) {
    os.clear_error();
    raise(PyExc_OSError, "cannot write " + path);
  }
}

static void bindAliases(nb::module_ &module) {
  nb::class_<AliasObject>(module, "AliasDb", "Which values of a graph share memory, and which nodes write it.")
      .def("__str__", textOfAliases)
      .def("to_graphviz_str", graphvizOfAliases, "A picture of who refers to which memory, in Graphviz's language.")
      .def("save_graphviz", saveGraphviz, nb::arg("path"), "Writes that picture to a file.")
      .def("dump", [](const AliasObject &self) { nb::print(textOfAliases(self).c_str()); })
      .def("may_alias", [](const AliasObject &self, nb::handle a,
                           nb::handle b) { return self->mayAlias(valuesIn(self, a), valuesIn(self, b)); })
      .def("may_contain_alias",
           [](const AliasObject &self, nb::handle a, nb::handle b) {
             return self->mayContainAlias(valuesIn(self, a), valuesIn(self, b));
           })
      .def("has_writers", [](const AliasObject &self,
                             const ValueObject &value) { return self->hasWriters(&partOf(self.graph(), value)); })
      .def("move_after_topologically_valid", [](AliasObject &self, const NodeObject &node,
                                                const NodeObject &point) { return self.move(node, point, true); })
      .def("move_before_topologically_valid", [](AliasObject &self, const NodeObject &node, const NodeObject &point) {
        return self.move(node, point, false);
      });
}

void bindings::bindPasses(nb::module_ &module, nb::class_<GraphObject> &graph) {
  bindAliases(module);
  graph.def(
      "alias_db",
      [](const GraphObject &self, bool isFrozen, bool descendsIntoCalls) {
        checkForPasses(self);
        return std::make_unique<AliasObject>(self.held);
      },
      nb::arg("isFrozen") = false, nb::arg("descend_function_calls") = false,
      "Analyzes who shares memory with whom. A call may do anything, whatever the arguments say.");
  module.def("_run_passes", runPasses, nb::arg("graph"), nb::arg("pipeline"));
  module.def("_list_passes", listPasses);
  module.def("_set_inline_everything", [](bool enabled) { return inlinesEverything.exchange(enabled); });
  module.def("_rewrite", rewrite, nb::arg("graph"), nb::arg("pattern"), nb::arg("replacement"), nb::arg("names"));
}
