//===- TapedGraph.cpp - A graph that a tape takes for one operator --------===//
#include "tsc/Autodiff/TapedGraph.h"
#include "GraphSplitter.h"
#include "ReverseScope.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Types.h"
using namespace tsc;

TapedGraph::TapedGraph() = default;
TapedGraph::~TapedGraph() = default;

/// The graph with its gradients behind it, and what was found out on the way.
struct TapedGraph::Sweep {
  std::unique_ptr<Graph> whole;
  Node *start = nullptr;
  llvm::SmallVector<unsigned, 4> gradients; ///< Of which result each is that the graph gets.
  llvm::SmallVector<unsigned, 4> inputs;    ///< Those that have gradients,
  llvm::SmallVector<Value *, 4> found;      ///< and these.
  llvm::SmallBitVector tracked, operators;
  llvm::DenseSet<const Value *> readable; ///< Inputs and results whose elements formulas read.
  llvm::SmallVector<Read, 4> checked;
};

/// The value of which this one is a view.
static Value *rootOf(Value *value) {
  while (value->definingNode() && value->node()->hasTrait(Trait::View))
    value = value->node()->input(0);
  return value;
}

/// What makes a view of its root, as a graph of that one; null for the root itself, and where it takes another input.
static std::shared_ptr<const Graph> viewOf(Graph &whole, Value *value, Value *root) {
  if (value == root)
    return nullptr;
  llvm::SmallPtrSet<const Node *, 8> needed;
  llvm::SmallVector<Value *> pending{value};
  while (!pending.empty()) {
    Value *next = pending.pop_back_val();
    if (next == root)
      continue;
    Node *node = next->definingNode();
    if (!node)
      return nullptr;
    if (needed.insert(node).second)
      llvm::append_range(pending, node->inputs());
  }
  auto graph = std::make_shared<Graph>(whole.context());
  graph->setInsertPoint(graph->block());
  llvm::DenseMap<Value *, Value *> copies{{root, graph->addInput("", root->type())}};
  llvm::SmallVector<const Node *, 8> inOrder(needed.begin(), needed.end());
  llvm::sort(inOrder, [](const Node *a, const Node *b) { return a->isBefore(b); });
  for (const Node *node : inOrder) {
    Node *copy = graph->insertNodeHere(graph->copyNode(*node, [&](Value *old) { return copies.lookup(old); }));
    for (auto [old, made] : llvm::zip(node->outputs(), copy->outputs()))
      copies[old] = made;
  }
  graph->addOutput(copies.lookup(value));
  return graph;
}

llvm::SmallVector<int64_t, 4> TapedGraph::Read::sizes(llvm::ArrayRef<int64_t> ofSource) const {
  assert((!view || view->inputs().size() == 1) && "a view is made of its source alone");
  llvm::SmallVector<int64_t, 4> found(ofSource);
  if (!view)
    return found;
  std::unique_ptr<Graph> graph = view->clone();
  TensorFacts facts = cast<TensorType>(graph->inputs()[0]->type())->facts();
  facts.strides.reset();
  facts.sizes.emplace();
  for (int64_t size : ofSource)
    facts.sizes->push_back(Dimension::known(size));
  graph->inputs()[0]->setType(graph->context().tensor(facts));
  AnalysisManager analyses;
  ShapePropagation().run(*graph, analyses);
  auto *type = dyn_cast<TensorType>(graph->block().returnNode().input(0)->type());
  if (!type || !type->facts().sizes || !llvm::all_of(*type->facts().sizes, [](Dimension d) { return d.isKnown(); }))
    return found;
  found.clear();
  for (Dimension dimension : *type->facts().sizes)
    found.push_back(dimension.value());
  return found;
}

StatusOr<TapedGraph::Sweep> TapedGraph::sweep(const Graph &base, unsigned numResults,
                                              const llvm::SmallBitVector &arrived, const llvm::SmallBitVector &inputs) {
  assert(arrived.size() == numResults && "one bit for each result");
  assert(inputs.size() == base.inputs().size() && "one bit for each input");
  Sweep sweep;
  sweep.whole = base.clone();
  Graph &whole = *sweep.whole;
  llvm::DenseMap<const Node *, unsigned> numbers;
  for (const Node &node : whole.nodes())
    numbers.try_emplace(&node, static_cast<unsigned>(numbers.size()));
  ReverseRequest request;
  request.isWhole = true;
  for (unsigned i : arrived.set_bits()) {
    Value *result = whole.block().returnNode().input(i);
    sweep.gradients.push_back(i);
    request.outputs.push_back(result);
    request.weights.push_back(whole.addInput("", gradientType(result)));
  }
  llvm::SmallVector<unsigned, 4> candidates(inputs.set_bits_begin(), inputs.set_bits_end());
  for (unsigned i : candidates)
    request.inputs.push_back(whole.inputs()[i]);
  // Between these two stands what the gradients are computed by.
  Node *start = whole.createConstant(IValue()), *end = whole.createConstant(IValue());
  whole.setInsertPoint(whole.block());
  whole.insertNodeHere(start);
  whole.insertNodeHere(end);
  request.before = end;
  AnalysisManager analyses;
  auto refine = [&] {
    analyses.invalidate();
    ShapePropagation().run(whole, analyses);
    analyses.invalidate();
  };
  ReverseMode reverse(whole, request);
  auto found = reverse.run(refine);
  if (!found || reverse.hasExpanded())
    return unimplemented("a graph cannot be differentiated as one: " + reverse.problem());
  sweep.start = start;
  sweep.tracked.resize(numResults);
  for (unsigned i = 0; i != numResults; ++i)
    if (reverse.dependsOnInputs(whole.block().returnNode().input(i)))
      sweep.tracked.set(i);
  sweep.operators.resize(numbers.size());
  for (const Node *node : reverse.keepers())
    sweep.operators.set(numbers.lookup(node));
  llvm::DenseMap<const Value *, unsigned> results;
  for (unsigned i = 0; i != numResults; ++i)
    results.try_emplace(whole.block().returnNode().input(i), i);
  for (Value *value : reverse.read()) {
    Value *root = rootOf(value);
    auto result = results.find(root);
    if (!root->type()->isTensor() || (root->definingNode() && result == results.end()))
      continue;
    const Source source{root->definingNode() ? Source::Result : Source::Input,
                        root->definingNode() ? result->second : static_cast<unsigned>(root->offset())};
    if (sweep.readable.insert(root).second)
      sweep.checked.push_back({source, viewOf(whole, value, root)});
  }
  for (auto [input, gradient] : llvm::zip(candidates, *found))
    if (gradient) {
      sweep.inputs.push_back(input);
      sweep.found.push_back(gradient);
    }
  end->erase();
  eraseUnneeded(whole, *start, sweep.found);
  return std::move(sweep);
}

/// Gives each use of an input that may require a gradient an input of its own. False: an input is handed on.
bool TapedGraph::splitUses(Graph &graph) {
  struct InputUse {
    Node *user;
    unsigned operand, input;
  };
  llvm::SmallVector<InputUse, 8> all;
  const unsigned numInputs = graph.inputs().size();
  for (unsigned i = 0; i != numInputs; ++i) {
    originals.push_back(i);
    if (!mayRequireGradient(graph.inputs()[i]))
      continue;
    for (const Use &use : graph.inputs()[i]->uses())
      all.push_back({use.user(), static_cast<unsigned>(use.index()), i});
  }
  if (llvm::any_of(all, [&](const InputUse &use) { return use.user == &graph.block().returnNode(); }))
    return false;
  llvm::sort(all, [](const InputUse &a, const InputUse &b) {
    return a.user == b.user ? a.operand < b.operand : b.user->isBefore(a.user);
  });
  llvm::SmallBitVector isTaken(numInputs);
  for (const InputUse &use : all) {
    unsigned number = use.input;
    if (isTaken.test(use.input)) {
      Value *own = graph.addInput("", graph.inputs()[use.input]->type());
      use.user->setInput(use.operand, own);
      number = originals.size();
      originals.push_back(use.input);
    }
    isTaken.set(use.input);
    uses.push_back(use.input);
    splitInputs.push_back(number);
  }
  return true;
}

/// Puts the inputs together that stand for one of the first `numInputs`.
static void mergeInputs(Graph &graph, llvm::ArrayRef<unsigned> originals, unsigned numInputs) {
  assert(graph.inputs().size() == originals.size() && numInputs <= originals.size() &&
         "each input has an original, which is one of the first");
  for (unsigned i = originals.size(); i-- != numInputs;) {
    graph.inputs()[i]->replaceAllUsesWith(graph.inputs()[originals[i]]);
    graph.block().eraseInput(i);
  }
}

StatusOr<std::unique_ptr<TapedGraph>> TapedGraph::make(const Graph &graph) {
  std::unique_ptr<TapedGraph> made(new TapedGraph);
  std::unique_ptr<Graph> base = graph.clone();
  AnalysisManager analyses;
  ShapePropagation().run(*base, analyses);
  const unsigned numInputs = base->inputs().size(), numResults = base->block().numOutputs();
  made->resultCount = numResults;
  if (!made->splitUses(*base))
    return unimplemented("a graph hands on what it is given");
  llvm::SmallBitVector results(numResults), inputs(base->inputs().size());
  for (unsigned i = 0; i != numResults; ++i)
    if (mayRequireGradient(base->block().returnNode().input(i)))
      results.set(i);
  for (unsigned i : made->splitInputs)
    inputs.set(i);
  TSC_ASSIGN_OR_RETURN(Sweep all, sweep(*base, numResults, results, inputs));
  made->activeResults = std::move(all.tracked);
  made->readByAll = all.checked;
  const SplitParts parts{static_cast<unsigned>(made->originals.size()), numResults, all.gradients, all.found};
  DifferentiatedGraph pair = GraphSplitter(std::move(all.whole), *all.start, parts, &all.readable).run();
  made->split = std::move(pair.forward);
  made->kept = made->split->clone();
  mergeInputs(*made->kept, made->originals, numInputs);
  return made;
}

StatusOr<TapedGraph::Backward> TapedGraph::backward(const llvm::SmallBitVector &arrived,
                                                    const llvm::SmallBitVector &wanted) const {
  assert(arrived.size() == resultCount && "one bit for each result");
  assert(wanted.size() == uses.size() && "one bit for each operand");
  TSC_ASSIGN_OR_RETURN(Backward made, backward(arrived, wanted, /*readsAll=*/false));
  if (!made.graph) {
    TSC_ASSIGN_OR_RETURN(made, backward(arrived, wanted, /*readsAll=*/true));
  }
  if (!made.graph)
    return unimplemented("a graph keeps less than its gradients read");
  return std::move(made);
}

/// What the graph keeps was chosen for all gradients: some of these alone may have to compute something again from what
/// only the formulas of others read. `readsAll`: that is done, and checked; else there is no graph in such a case.
StatusOr<TapedGraph::Backward> TapedGraph::backward(const llvm::SmallBitVector &arrived,
                                                    const llvm::SmallBitVector &wanted, bool readsAll) const {
  llvm::SmallBitVector inputs(originals.size());
  for (unsigned i : wanted.set_bits())
    inputs.set(splitInputs[i]);
  TSC_ASSIGN_OR_RETURN(Sweep some, sweep(*split, resultCount, arrived, inputs));
  auto valueOf = [&](const Source &source) {
    return source.kind == Source::Input ? some.whole->inputs()[source.index]
                                        : some.whole->block().returnNode().input(source.index);
  };
  if (readsAll)
    for (const Read &read : readByAll)
      if (some.readable.insert(valueOf(read.source)).second)
        some.checked.push_back(read);
  // The gradients in the order of the operands.
  Backward backward;
  llvm::SmallVector<Value *, 4> found;
  for (unsigned i : wanted.set_bits())
    if (const auto *at = llvm::find(some.inputs, splitInputs[i]); at != some.inputs.end()) {
      backward.operands.push_back(i);
      found.push_back(some.found[at - some.inputs.begin()]);
    }
  const SplitParts parts{static_cast<unsigned>(originals.size()), resultCount, some.gradients, found,
                         /*isFixed=*/true};
  DifferentiatedGraph pair = GraphSplitter(std::move(some.whole), *some.start, parts, &some.readable).run();
  if (!pair.backward)
    return Backward();
  backward.graph = std::move(pair.backward);
  backward.numRecomputed = pair.numRecomputed;
  backward.operators = std::move(some.operators);
  auto isThat = [](const Source &source) { return [source](const Source &other) { return other == source; }; };
  for (Read &read : some.checked) {
    if (read.source.kind == Source::Input)
      read.source.index = originals[read.source.index];
    if (llvm::none_of(backward.checked, [&](const Read &other) { return other.source == read.source; }))
      backward.checked.push_back(std::move(read));
  }
  for (const DifferentiatedGraph::Capture &capture : pair.captures) {
    Source source{static_cast<Source::Kind>(capture.kind), capture.index};
    if (source.kind == Source::Input)
      source.index = originals[source.index];
    const auto *known = llvm::find_if(backward.captures, isThat(source));
    if (known == backward.captures.end()) {
      backward.captures.push_back(source);
      continue;
    }
    const unsigned at = backward.captures.size();
    backward.graph->inputs()[at]->replaceAllUsesWith(backward.graph->inputs()[known - backward.captures.begin()]);
    backward.graph->block().eraseInput(at);
  }
  return std::move(backward);
}
