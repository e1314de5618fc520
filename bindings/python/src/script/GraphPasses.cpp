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
static bool inlinesEverything = false;

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

static std::string textOfAliases(const AliasObject &self) {
  std::string text;
  llvm::raw_string_ostream os(text);
  self->print(os);
  return text;
}

static void bindAliases(nb::module_ &module) {
  nb::class_<AliasObject>(module, "AliasDb", "Which values of a graph share memory, and which nodes write it.")
      .def("__str__", textOfAliases)
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
  module.def("_set_inline_everything", [](bool enabled) { return std::exchange(inlinesEverything, enabled); });
  module.def("_rewrite", rewrite, nb::arg("graph"), nb::arg("pattern"), nb::arg("replacement"), nb::arg("names"));
}
