//===- TensorMutation.cpp - In-place operators made functional ------------===//
#include "TensorMutation.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "remove-mutation"
using namespace tsc;

TSC_STATISTIC(NumTensorMutations, "In-place operators made functional");

namespace {

/// Works on one fresh tensor at a time: one that an operator makes, that has no alias when it is made, and that is
/// written in its own block only. Its uses, and those of what the writes return (the same tensor), are ordered; each
/// write then makes a new value, which later uses take.
class TensorMutationRemover {
public:
  TensorMutationRemover(Graph &graph, llvm::function_ref<bool(const Node &)> accepts, bool isWide)
      : graph(graph), accepts(accepts), isWide(isWide) {
    number(graph.block());
  }

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node; node = node->next()) {
      for (Block &inner : node->blocks())
        changed |= visit(inner);
      for (Value *output : node->outputs())
        if (output->type()->isTensor() && isFresh(*node))
          changed |= rewrite(output);
    }
    return changed;
  }

private:
  enum class Effect { Read, Write, Escape, Unknown };
  struct Event {
    unsigned position;
    Use *use;
    Effect effect;
  };

  void number(Block &block) {
    for (Node &node : block.nodes()) {
      positions[&node] = ++lastPosition;
      for (Block &inner : node.blocks())
        number(inner);
    }
    positions[&block.returnNode()] = ++lastPosition;
  }

  /// Whether the results of the node are tensors of their own. Those of normalization are, which writes its statistics.
  static bool isFresh(const Node &node) {
    const OpRecord *record = node.record();
    if (!record || record->has(Trait::Aliases) || record->has(Trait::View) || node.numBlocks() != 0)
      return false;
    return !record->has(Trait::Writes) ||
           llvm::none_of(node.schema()->returns(), [](const Argument &result) { return result.alias.has_value(); });
  }

  /// The operator that gives what this one writes; where it is wide, also of operators that have records of their own.
  const OpRecord *functionalOf(const OpRecord &record) const {
    const OpRecord *form = functionalFormOf(record);
    return form || !isWide ? form : functionalNamesake(graph.context(), record);
  }

  /// A write of its first operand that returns it and has a functional form.
  bool isRemovableWrite(const Use &use) const {
    const Node &node = *use.user();
    const OpRecord *record = node.record();
    if (!record || use.index() != 0 || node.numOutputs() != 1 || !accepts(node))
      return false;
    if (!functionalNameOf(node.opKind()).empty())
      return true;
    const OpRecord *functional = functionalOf(*record);
    return functional && !functional->has(Trait::Aliases) && !functional->has(Trait::Writes) &&
           !functional->has(Trait::View);
  }

  Effect effectOf(const Use &use) const {
    const Node &node = *use.user();
    if (isRemovableWrite(use))
      return llvm::count(node.inputs(), use.get()) == 1 ? Effect::Write : Effect::Unknown;
    const OpRecord *record = node.record();
    if (!record)
      return Effect::Escape; // returned, put into a container, given to a call
    const FunctionSchema &schema = *node.schema();
    const bool writesIt = use.index() >= schema.arguments().size() ||
                          (schema.arguments()[use.index()].alias && schema.arguments()[use.index()].alias->isWrite);
    if (writesIt)
      return Effect::Unknown;
    if (record->has(Trait::View) || (use.index() < schema.arguments().size() && schema.arguments()[use.index()].alias))
      return Effect::Escape; // a view, or an element of a list
    return Effect::Read;
  }

  static bool isWithinBranches(const Node &node, const Block &block) {
    const Node *outer = &node;
    while (outer->block() != &block)
      if (outer = outer->parentNode(); outer->kind() != prim::If)
        return false;
    return true;
  }

  /// Adds the uses of `value` to the events; false when one of them leaves the reach of this pass.
  bool collect(Value *value, const Block &block, std::vector<Event> &events) {
    for (Use &use : value->uses()) {
      Node *holder = use.user();
      while (holder->block() != &block && holder->parentNode())
        holder = holder->parentNode();
      if (holder->block() != &block)
        return false;
      Effect effect = effectOf(use);
      events.push_back({positions.lookup(use.user()), &use, effect});
      if (effect == Effect::Unknown || (effect == Effect::Write && use.user()->block() != &block &&
                                        !(isWide && isWithinBranches(*use.user(), block))))
        return false;
      if (effect == Effect::Write && !collect(use.user()->output(), block, events))
        return false;
      // What escapes inside a loop may be read by its next trip.
      if (effect == Effect::Escape)
        lastEscape = std::min(lastEscape, positions.lookup(holder));
    }
    return true;
  }

  bool rewrite(Value *tensor) {
    auto isWrite = [&](const Use &use) { return effectOf(use) == Effect::Write; };
    if (llvm::none_of(tensor->uses(), isWrite))
      return false;
    std::vector<Event> events;
    lastEscape = UINT_MAX;
    if (!collect(tensor, *tensor->node()->block(), events))
      return false;
    llvm::stable_sort(events, [](const Event &a, const Event &b) { return a.position < b.position; });
    for (const Event &event : events)
      if (event.effect == Effect::Write && event.position > lastEscape)
        return false; // somebody else sees the tensor by then
    const Block &block = *tensor->node()->block();
    const bool isInBranch = llvm::any_of(events, [&](const Event &event) {
      return event.effect == Effect::Write && event.use->user()->block() != &block;
    });
    return isInBranch ? replaceInBranches(tensor, events) : replaceWrites(tensor, events);
  }

  bool replaceInBranches(Value *tensor, llvm::ArrayRef<Event> events) {
    llvm::SmallVector<Node *> replaced;
    thread(*tensor->node()->block(), tensor, tensor->type(), events, replaced);
    for (Node *node : llvm::reverse(replaced)) {
      node->output()->replaceAllUsesWith(node->input(0));
      node->erase();
    }
    return true;
  }

  /// Gives the events of a block the values that the tensor has there; what a branch writes becomes a result of its If.
  /// Returns the value at the end.
  Value *thread(Block &block, Value *current, const Type *type, llvm::ArrayRef<Event> events,
                llvm::SmallVectorImpl<Node *> &replaced) {
    while (!events.empty()) {
      Node *user = events.front().use->user(), *holder = user;
      while (holder->block() != &block)
        holder = holder->parentNode();
      if (holder == user) {
        events.front().use->set(current);
        if (events.front().effect == Effect::Write) {
          current = makeFunctional(*user);
          replaced.push_back(user);
          ++NumTensorMutations;
        }
        events = events.drop_front();
        continue;
      }
      auto inside = events.take_while([&](const Event &event) { return isWithin(*event.use->user(), *holder); });
      events = events.drop_front(inside.size());
      if (llvm::none_of(inside, [](const Event &event) { return event.effect == Effect::Write; })) {
        for (const Event &event : inside)
          event.use->set(current);
        continue;
      }
      llvm::SmallVector<Value *, 2> ends;
      for (Block &branch : holder->blocks()) {
        auto here = inside.take_while([&](const Event &event) { return isInBlock(*event.use->user(), branch); });
        inside = inside.drop_front(here.size());
        ends.push_back(thread(branch, current, type, here, replaced));
      }
      for (auto [branch, end] : llvm::zip(holder->blocks(), ends))
        branch.addOutput(end);
      current = holder->addOutput(type);
    }
    return current;
  }

  static bool isWithin(const Node &node, const Node &holder) {
    for (const Node *outer = node.parentNode(); outer; outer = outer->parentNode())
      if (outer == &holder)
        return true;
    return false;
  }
  static bool isInBlock(const Node &node, const Block &block) {
    const Node *outer = &node;
    while (outer && outer->block() != &block)
      outer = outer->parentNode();
    return outer;
  }

  bool replaceWrites(Value *tensor, llvm::ArrayRef<Event> events) {
    Value *current = tensor;
    llvm::SmallVector<Node *> replaced;
    for (const Event &event : events) {
      Node *user = event.use->user();
      if (event.use->get() != current)
        event.use->set(current);
      if (event.effect != Effect::Write)
        continue;
      if (!TSC_OPT_ALLOWED) {
        current = user->output();
        continue;
      }
      current = makeFunctional(*user);
      replaced.push_back(user);
      ++NumTensorMutations;
    }
    for (Node *node : llvm::reverse(replaced)) {
      node->output()->replaceAllUsesWith(node->input(0));
      node->erase();
    }
    return !replaced.empty();
  }

  /// Inserts the functional form before the write; gives the value the tensor has after it.
  Value *makeFunctional(Node &write) {
    TSC_GRAPH_UPDATE("replacing a " << write.kind().qualified() << " node by its functional form");
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&write);
    Value *old = write.input(0);
    if (llvm::StringRef name = functionalNameOf(write.opKind()); !name.empty())
      return makeLike(write, name);
    const OpRecord &functional = *functionalOf(*write.record());
    Node *node = graph.create(graph.context().symbol(functional.qualified), write.inputVector());
    place(*node, write);
    const bool keepsDtype =
        functional.has(Trait::KeepsDtype) || (functional.has(Trait::Promotes) && promotesToSelf(write));
    if (keepsDtype && llvm::none_of(llvm::drop_begin(write.inputs()), mayHoldTensors))
      return node->output()->setType(write.output()->type());
    node->output()->setType(unshaped(write.output()->type(), keepsDtype));
    Node *checked = graph.create(graph.context().symbol("tsc::written"), {node->output(), old});
    place(*checked, write);
    return checked->output()->setType(write.output()->type());
  }

  /// What an operator computes before it is known to fit.
  const Type *unshaped(const Type *type, bool keepsDtype) const {
    TensorFacts facts = cast<TensorType>(type)->facts();
    facts.sizes.reset(), facts.strides.reset();
    if (!keepsDtype)
      facts.dtype.reset();
    return graph.context().tensor(facts);
  }

  static bool mayHoldTensors(const Value *value) {
    return value->type()->isTensor() || !value->type()->contained().empty();
  }

  /// Whether promotion is known to give self's dtype: that of all tensors, and one that holds all numbers.
  static bool promotesToSelf(const Node &write) {
    auto self = knownDType(write.input(0));
    return self && isFloating(*self) && llvm::all_of(llvm::drop_begin(write.inputs()), [&](const Value *v) {
             const Type *type = v->type();
             return mayHoldTensors(v) ? knownDType(v) == self : type->isInt() || type->isFloat() || type->isBool();
           });
  }

  /// By an operator of another name, which takes None for what it has more of.
  Value *makeLike(Node &write, llvm::StringRef name) {
    llvm::SmallVector<Value *, 8> inputs(write.inputs());
    Value *none = graph.insertConstant(IValue(), write.range());
    Symbol symbol = graph.context().symbol(name);
    inputs.resize(graph.context().operators().overloads(symbol).front()->schema().arguments().size(), none);
    Node *node = graph.create(symbol, inputs);
    place(*node, write);
    return node->output()->setType(write.output()->type());
  }

  void place(Node &node, const Node &like) {
    node.setRange(like.range());
    node.setScope(like.scope());
    graph.insertNodeHere(&node);
    positions[&node] = positions.lookup(&like);
  }

  Graph &graph;
  llvm::function_ref<bool(const Node &)> accepts;
  const bool isWide;
  llvm::DenseMap<const Node *, unsigned> positions;
  unsigned lastPosition = 0, lastEscape = 0;
};

} // namespace

bool tsc::removeTensorMutation(Graph &graph, llvm::function_ref<bool(const Node &)> accepts, bool isWide) {
  return TensorMutationRemover(graph, accepts, isWide).visit(graph.block());
}
