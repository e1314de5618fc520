//===- GraphSplitter.cpp - A graph and its derivative, apart --------------===//
#include "GraphSplitter.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
using namespace tsc;

void tsc::eraseUnneeded(Graph &whole, Node &start, llvm::ArrayRef<Value *> gradients) {
  assert(&start.graph() == &whole && start.numOutputs() == 1 && "the marker between the graph and its gradients");
  const unsigned numResults = whole.block().numOutputs();
  whole.addOutput(start.output());
  for (Value *gradient : gradients)
    whole.addOutput(gradient);
  AnalysisManager analyses;
  DeadCodeElimination(/*keepsFailing=*/false).run(whole, analyses);
  while (whole.block().numOutputs() != numResults)
    whole.block().eraseOutput(whole.block().numOutputs() - 1);
}

GraphSplitter::GraphSplitter(std::unique_ptr<Graph> graph, Node &start, const SplitParts &parts,
                             const llvm::DenseSet<const Value *> *readable)
    : whole(std::move(graph)), start(start), parts(parts), readable(readable) {
  assert(whole && &start.graph() == whole.get() && "the marker is a node of the graph");
  assert(parts.numInputs + parts.gradients.size() == whole->inputs().size() &&
         "behind the inputs of the graph come the gradients of results");
  assert(parts.numResults <= whole->block().numOutputs() && "the graph returns its results first");
  pair.numResults = parts.numResults;
}

DifferentiatedGraph GraphSplitter::run() {
  const auto backward = std::make_unique<Graph>(whole->context());
  df = backward.get();
  for (auto [i, result] : llvm::enumerate(whole->outputs()))
    resultNumbers.try_emplace(result, static_cast<unsigned>(i));
  if (!decideCaptures())
    return std::move(pair);
  for (Node *node = start.next(); node; node = node->next())
    copy(*node);
  for (Value *gradient : parts.found)
    df->addOutput(valueInReverse(gradient));
  eraseReverse();
  simplify();
  dropUnread();
  pair.forward = std::move(whole);
  pair.backward = df->clone(); // its values in their order
  pair.backward->renumberValues();
  return std::move(pair);
}

bool GraphSplitter::isForward(const Value *value) const {
  const Node *maker = const_cast<Value *>(value)->definingNode();
  if (!maker)
    return &value->block() != &whole->block() || value->offset() < parts.numInputs;
  return maker->isBefore(&start);
}

static void readBy(Node &node, llvm::function_ref<void(Value *)> read) {
  for (Value *input : node.inputs())
    read(input);
  for (Block &block : node.blocks()) {
    for (Node &inner : block.nodes())
      readBy(inner, read);
    for (Value *output : block.outputs())
      read(output);
  }
}

/// Values of f at its top that df reads, in the order in which f has them.
void GraphSplitter::collectNeeded() {
  llvm::SetVector<Value *> values;
  auto read = [&](Value *value) {
    if (value->definingNode() && &value->block() == &whole->block() && isForward(value))
      values.insert(value);
  };
  for (Node *node = &start; node; node = node->next())
    readBy(*node, read);
  for (Value *gradient : parts.found) // what was handed on as it is
    read(gradient);
  llvm::append_range(needed, values);
  llvm::sort(needed, [](const Value *a, const Value *b) {
    return a->node() == b->node() ? a->offset() < b->offset() : a->node()->isBefore(b->node());
  });
}

bool GraphSplitter::decideCaptures() {
  collectNeeded();
  for (Value *value : needed)
    if (!isAvailable(value, /*depth=*/0, /*isMeasured=*/false)) {
      if (parts.isFixed)
        return false;
      resultNumbers.try_emplace(value, static_cast<unsigned>(whole->block().numOutputs()));
      whole->addOutput(value);
    }
  return true;
}

static bool isEdited(const Value &list) {
  return llvm::any_of(list.uses(), [](const Use &use) { return listEdit(use.user()->opKind()).has_value(); });
}

/// Operators in a row that are computed again at most.
static constexpr unsigned maxDepth = 8;

/// Whether others have the tensor, and may write to it.
bool GraphSplitter::isVisible(const Value *value) const {
  if (!const_cast<Value *>(value)->definingNode())
    return true;
  auto number = resultNumbers.find(value);
  return number != resultNumbers.end() && number->second < parts.numResults;
}

/// Whether df has the value, or can compute it of what it has. What df reads itself it may read; of what it is computed
/// from again, elements are read unless all that is asked are sizes.
bool GraphSplitter::isAvailable(Value *value, unsigned depth, bool isMeasured) const {
  Node *maker = value->definingNode();
  if (maker && maker->kind() == prim::Constant)
    return true;
  if (!maker || resultNumbers.contains(value))
    return depth == 0 || isMeasured || !readable || !value->type()->isTensor() || !isVisible(value) ||
           readable->contains(value);
  if (depth == maxDepth || maker->numOutputs() != 1 || maker->numBlocks() || maker->block() != &whole->block())
    return false;
  const bool isQuestion = maker->hasTrait(Trait::SizeQuery) || maker->hasTrait(Trait::Answers);
  const bool isCheap = (maker->hasTrait(Trait::Cheap) && maker->hasTrait(Trait::Pointwise)) ||
                       maker->hasTrait(Trait::View) || (maker->kind() == prim::ListConstruct && !isEdited(*value)) ||
                       isQuestion;
  return isCheap && llvm::all_of(maker->inputs(),
                                 [&](Value *input) { return isAvailable(input, depth + 1, isMeasured || isQuestion); });
}

void GraphSplitter::copy(const Node &node) {
  Node *made = df->copyNode(node, [&](Value *value) { return valueInReverse(value); });
  df->insertNodeHere(made);
  for (auto [old, output] : llvm::zip(node.outputs(), made->outputs()))
    known[old] = output;
}

/// The value in df, which is one of its inputs, or is computed there.
Value *GraphSplitter::valueInReverse(Value *value) {
  auto [at, isNew] = known.try_emplace(value, nullptr);
  if (!isNew)
    return at->second;
  Value *here = nullptr;
  Node *maker = value->definingNode();
  if (!maker) {
    const bool isGradient = value->offset() >= parts.numInputs;
    here = input(value, isGradient ? DifferentiatedGraph::Capture::Gradient : DifferentiatedGraph::Capture::Input,
                 isGradient ? parts.gradients[value->offset() - parts.numInputs] : value->offset());
  } else if (auto number = resultNumbers.find(value); number != resultNumbers.end()) {
    here = input(value, DifferentiatedGraph::Capture::Result, number->second);
    if (isa<ListType>(value->type()) && isEdited(*value)) // df takes from it, and may run again
      here = df->insert(aten::list, {here})->setType(value->type());
  } else {
    for (Value *operand : maker->inputs())
      valueInReverse(operand);
    pair.numRecomputed += maker->kind() != prim::Constant;
    copy(*maker);
    return known[value];
  }
  return known[value] = here;
}

/// What formulas say for any dtype, for those that are known.
void GraphSplitter::simplify() {
  AnalysisManager analyses;
  auto run = [&](Pass &&pass) {
    pass.run(*df, analyses);
    analyses.invalidate();
  };
  run(ShapePropagation());
  run(Peephole());
  run(CommonSubexpressionElimination());
  run(DeadCodeElimination());
}

/// Captures that df turns out not to read.
void GraphSplitter::dropUnread() {
  for (size_t i = pair.captures.size(); i-- != 0;)
    if (!df->inputs()[i]->hasUses()) {
      df->block().eraseInput(i);
      pair.captures.erase(pair.captures.begin() + i);
    }
  for (unsigned i = whole->block().numOutputs(); !parts.isFixed && i-- != pair.numResults;) {
    auto isThat = [&](const DifferentiatedGraph::Capture &c) {
      return c.kind == DifferentiatedGraph::Capture::Result && c.index == i;
    };
    if (llvm::any_of(pair.captures, isThat))
      continue;
    whole->block().eraseOutput(i);
    for (DifferentiatedGraph::Capture &capture : pair.captures)
      capture.index -= capture.kind == DifferentiatedGraph::Capture::Result && capture.index > i;
  }
}

Value *GraphSplitter::input(const Value *value, DifferentiatedGraph::Capture::Kind kind, unsigned index) {
  assert(df && "inputs are those of the graph that is being made");
  pair.captures.push_back({kind, index});
  return df->addInput("", value->type());
}

void GraphSplitter::eraseReverse() {
  assert(start.block() == &whole->block() && "the gradients stand behind the marker");
  for (bool isStart = false; !isStart;) {
    Node &last = whole->nodes().back();
    isStart = &last == &start;
    last.erase();
  }
  while (whole->inputs().size() != parts.numInputs)
    whole->block().eraseInput(whole->inputs().size() - 1);
}
