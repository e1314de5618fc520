//===- Differentiation.cpp - A graph and its derivative -------------------===//
//
// The gradients are first made nodes of the graph, behind its own (ReverseMode). Then
// the two parts are taken apart: what the second one reads of the first is an input or a
// result, is computed again, or becomes one more result.
//
//===----------------------------------------------------------------------===//
#include "tsc/Autodiff/Differentiation.h"
#include "ReverseScope.h"
#include "tsc/IR/Context.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
using namespace tsc;

bool tsc::mayRequireGradient(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  if (!type)
    return false;
  const std::optional<DType> dtype = type->facts().dtype;
  return type->facts().requiresGrad.value_or(true) && (!dtype || isFloating(*dtype) || isComplex(*dtype));
}

namespace {

class Splitter {
public:
  /// `gradients` are inputs of the graph that stand for those of the results; what comes from `start` on computes
  /// `found`, the gradients of inputs.
  Splitter(std::unique_ptr<Graph> graph, Node &start, unsigned numInputs, unsigned numResults,
           llvm::ArrayRef<unsigned> gradients, llvm::ArrayRef<Value *> found)
      : whole(std::move(graph)), start(start), numInputs(numInputs), gradients(gradients), found(found) {
    pair.numResults = numResults;
  }

  DifferentiatedGraph run() {
    const auto backward = std::make_unique<Graph>(whole->context());
    df = backward.get();
    for (auto [i, result] : llvm::enumerate(whole->outputs()))
      resultNumbers.try_emplace(result, static_cast<unsigned>(i));
    decideCaptures();
    for (Node *node = start.next(); node; node = node->next())
      copy(*node);
    for (Value *gradient : found)
      df->addOutput(valueInReverse(gradient));
    eraseReverse();
    simplify();
    dropUnread();
    pair.forward = std::move(whole);
    pair.backward = df->clone(); // its values in their order
    pair.backward->renumberValues();
    return std::move(pair);
  }

private:
  bool isForward(const Value *value) const {
    const Node *maker = const_cast<Value *>(value)->definingNode();
    if (!maker)
      return &value->block() != &whole->block() || value->offset() < numInputs;
    return maker->isBefore(&start);
  }

  /// Values of f at its top that df reads, in the order in which f has them.
  void collectNeeded() {
    llvm::SetVector<Value *> values;
    auto read = [&](Value *value) {
      if (value->definingNode() && &value->block() == &whole->block() && isForward(value))
        values.insert(value);
    };
    for (Node *node = &start; node; node = node->next())
      readBy(*node, read);
    for (Value *gradient : found) // what was handed on as it is
      read(gradient);
    llvm::append_range(needed, values);
    llvm::sort(needed, [](const Value *a, const Value *b) {
      return a->node() == b->node() ? a->offset() < b->offset() : a->node()->isBefore(b->node());
    });
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

  void decideCaptures() {
    collectNeeded();
    for (Value *value : needed)
      if (!isAvailable(value, /*depth=*/0)) {
        resultNumbers.try_emplace(value, static_cast<unsigned>(whole->block().numOutputs()));
        whole->addOutput(value);
      }
  }

  static bool isEdited(const Value &list) {
    return llvm::any_of(list.uses(), [](const Use &use) { return listEdit(use.user()->opKind()).has_value(); });
  }

  /// Operators in a row that are computed again at most.
  static constexpr unsigned maxDepth = 8;

  /// Whether df has the value, or can compute it of what it has.
  bool isAvailable(Value *value, unsigned depth) const {
    Node *maker = value->definingNode();
    if (!maker || maker->kind() == prim::Constant || resultNumbers.contains(value))
      return true;
    if (depth == maxDepth || maker->numOutputs() != 1 || maker->numBlocks() || maker->block() != &whole->block())
      return false;
    const bool isQuestion = maker->hasTrait(Trait::SizeQuery) || maker->hasTrait(Trait::Answers);
    const bool isCheap = (maker->hasTrait(Trait::Cheap) && maker->hasTrait(Trait::Pointwise)) ||
                         maker->hasTrait(Trait::View) || (maker->kind() == prim::ListConstruct && !isEdited(*value)) ||
                         isQuestion;
    return isCheap && llvm::all_of(maker->inputs(), [&](Value *input) { return isAvailable(input, depth + 1); });
  }

  void copy(const Node &node) {
    Node *made = df->copyNode(node, [&](Value *value) { return valueInReverse(value); });
    df->insertNodeHere(made);
    for (auto [old, output] : llvm::zip(node.outputs(), made->outputs()))
      known[old] = output;
  }

  /// The value in df, which is one of its inputs, or is computed there.
  Value *valueInReverse(Value *value) {
    auto [at, isNew] = known.try_emplace(value, nullptr);
    if (!isNew)
      return at->second;
    Value *here = nullptr;
    Node *maker = value->definingNode();
    if (!maker) {
      const bool isGradient = value->offset() >= numInputs;
      here = input(value, isGradient ? DifferentiatedGraph::Capture::Gradient : DifferentiatedGraph::Capture::Input,
                   isGradient ? gradients[value->offset() - numInputs] : value->offset());
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
  void simplify() {
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
  void dropUnread() {
    for (size_t i = pair.captures.size(); i-- != 0;)
      if (!df->inputs()[i]->hasUses()) {
        df->block().eraseInput(i);
        pair.captures.erase(pair.captures.begin() + i);
      }
    for (unsigned i = whole->block().numOutputs(); i-- != pair.numResults;) {
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

  Value *input(const Value *value, DifferentiatedGraph::Capture::Kind kind, unsigned index) {
    pair.captures.push_back({kind, index});
    return df->addInput("", value->type());
  }

  void eraseReverse() {
    for (bool isStart = false; !isStart;) {
      Node &last = whole->nodes().back();
      isStart = &last == &start;
      last.erase();
    }
    while (whole->inputs().size() != numInputs)
      whole->block().eraseInput(whole->inputs().size() - 1);
  }

  std::unique_ptr<Graph> whole;
  Graph *df = nullptr;
  Node &start;
  const unsigned numInputs;
  llvm::ArrayRef<unsigned> gradients;
  llvm::ArrayRef<Value *> found;
  llvm::SmallVector<Value *> needed;
  llvm::DenseMap<const Value *, unsigned> resultNumbers;
  llvm::DenseMap<const Value *, Value *> known;
  DifferentiatedGraph pair;
};

} // namespace

/// Erases what neither results nor gradients need.
static void eraseDead(Graph &whole, Node &start, llvm::ArrayRef<Value *> gradients) {
  const unsigned numResults = whole.block().numOutputs();
  whole.addOutput(start.output());
  for (Value *gradient : gradients)
    whole.addOutput(gradient);
  AnalysisManager analyses;
  DeadCodeElimination(/*keepsFailing=*/false).run(whole, analyses);
  while (whole.block().numOutputs() != numResults)
    whole.block().eraseOutput(whole.block().numOutputs() - 1);
}

StatusOr<DifferentiatedGraph> tsc::differentiate(const Graph &graph, DifferentiationOptions options) {
  std::unique_ptr<Graph> whole = graph.clone();
  AnalysisManager analyses;
  auto refine = [&] {
    analyses.invalidate();
    ShapePropagation().run(*whole, analyses);
    analyses.invalidate();
  };
  refine();
  const unsigned numInputs = whole->inputs().size(), numResults = whole->block().numOutputs();
  ReverseRequest request;
  request.isWhole = true;
  request.mayBeAbsent = options.mayBeAbsent;
  llvm::SmallVector<unsigned, 4> gradients;
  for (auto [i, result] : llvm::enumerate(whole->outputs())) {
    if (!mayRequireGradient(result))
      continue;
    gradients.push_back(i);
    request.outputs.push_back(result);
    request.weights.push_back(whole->addInput("", gradientType(result)));
  }
  llvm::SmallVector<unsigned, 4> candidates;
  for (unsigned i = 0; i != numInputs; ++i)
    if (Value *input = whole->inputs()[i]; mayRequireGradient(input)) {
      candidates.push_back(i);
      request.inputs.push_back(input);
    }
  // Between these two stands what the gradients are computed by.
  Node *start = whole->createConstant(IValue()), *end = whole->createConstant(IValue());
  whole->setInsertPoint(whole->block());
  whole->insertNodeHere(start);
  whole->insertNodeHere(end);
  request.before = end;
  ReverseMode reverse(*whole, request);
  auto found = reverse.run(refine);
  if (!found)
    return unimplemented("a graph cannot be differentiated: " + reverse.problem());
  llvm::SmallVector<Value *, 4> present;
  llvm::SmallVector<unsigned, 4> inputs;
  for (auto [candidate, gradient] : llvm::zip(candidates, *found))
    if (gradient) {
      inputs.push_back(candidate);
      present.push_back(gradient);
    }
  end->erase();
  eraseDead(*whole, *start, present);
  DifferentiatedGraph split = Splitter(std::move(whole), *start, numInputs, numResults, gradients, present).run();
  split.inputs = std::move(inputs);
  split.candidates = std::move(candidates);
  return split;
}
