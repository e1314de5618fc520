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
#include <deque>
#define DEBUG_TYPE "remove-mutation"
using namespace tsc;

TSC_STATISTIC(NumTensorMutations, "In-place operators made functional");

namespace {

/// Works on one fresh tensor at a time: one that an operator makes, or each branch of an If, that has no alias when it
/// is made, and that is written in its own block only. Its uses, and those of what the writes return (the same tensor),
/// are ordered; each write then makes a new value, which later uses take. In a wide search views of it are followed,
/// too: a write through one puts what it wrote back in its place (slice_scatter and its like), and who reads a view
/// later takes one of the new value.
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
        if (output->type()->isTensor() && (isFresh(*node) || isFreshResult(*output)))
          changed |= rewrite(output);
    }
    return changed;
  }

private:
  enum class Effect { Read, Write, View, Escape, Unknown };
  /// A view of the tensor, or of another view of it.
  struct View {
    Node *node;
    const View *of;        ///< Null: the tensor.
    Value *root = nullptr; ///< The value of the tensor that the node looks at, once that is known.
  };
  struct Event {
    unsigned position;
    Use *use;
    Effect effect;
    const View *on; ///< Of which view the use is; null: of the tensor.
    View *made;     ///< By a View.
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

  /// Whether the value is a result of an If whose branches each make it: a tensor of its own that the branch only
  /// reads.
  bool isFreshResult(const Value &value) const {
    Node *node = value.node();
    return node->kind() == prim::If && llvm::all_of(node->blocks(), [&](Block &branch) {
             const Value *made = branch.returnNode().input(value.offset());
             const Node *maker = made->definingNode();
             return maker && maker->block() == &branch && isFresh(*maker) &&
                    llvm::all_of(made->uses(), [&](const Use &use) {
                      return use.user() == &branch.returnNode() ? use.index() == value.offset()
                                                                : effectOf(use) == Effect::Read;
                    });
           });
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
    if (isWide && use.index() == 0 && isInvertibleView(node))
      return Effect::View;
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

  /// Whether an operator is known that puts what such a view shows back in its place.
  static bool isInvertibleView(const Node &node) {
    if (node.opKind() == OpKind::Aten_narrow)
      return constantInt(node.input(2)).value_or(-1) >= 0 && constantInt(node.input(3));
    if (!node.hasTrait(Trait::View) || node.numOutputs() != 1)
      return false;
    return node.hasTrait(Trait::SelfInverse) || !scatterNameOf(node.opKind()).empty() ||
           !inverseNameOf(node.opKind()).empty();
  }

  bool isWritten(const Value &value) const {
    return llvm::any_of(value.uses(), [&](const Use &use) {
      const Effect effect = effectOf(use);
      return effect == Effect::Write || (effect == Effect::View && isWritten(*use.user()->output()));
    });
  }

  static bool isWithinBranches(const Node &node, const Block &block) {
    const Node *outer = &node;
    while (outer->block() != &block)
      if (outer = outer->parentNode(); outer->kind() != prim::If)
        return false;
    return true;
  }

  /// Adds the uses of `value` to the events; false when one of them leaves the reach of this pass.
  bool collect(Value *value, const View *on, const Block &block, std::vector<Event> &events) {
    for (Use &use : value->uses()) {
      Node *holder = use.user();
      while (holder->block() != &block && holder->parentNode())
        holder = holder->parentNode();
      if (holder->block() != &block)
        return false;
      Effect effect = effectOf(use);
      View *made = effect == Effect::View ? &views.emplace_back(View{use.user(), on}) : nullptr;
      events.push_back({positions.lookup(use.user()), &use, effect, on, made});
      if (effect == Effect::Unknown || (effect == Effect::Write && use.user()->block() != &block &&
                                        !(isWide && isWithinBranches(*use.user(), block))))
        return false;
      if (effect == Effect::Write && !collect(use.user()->output(), on, block, events))
        return false;
      if (made && !collect(use.user()->output(), made, block, events))
        return false;
      // What escapes inside a loop may be read by its next trip.
      if (effect == Effect::Escape)
        lastEscape = std::min(lastEscape, positions.lookup(holder));
    }
    return true;
  }

  bool rewrite(Value *tensor) {
    if (!isWritten(*tensor))
      return false;
    std::vector<Event> events;
    views.clear();
    lastEscape = UINT_MAX;
    if (!collect(tensor, nullptr, *tensor->node()->block(), events))
      return false;
    llvm::stable_sort(events, [](const Event &a, const Event &b) { return a.position < b.position; });
    for (const Event &event : events)
      if (event.effect == Effect::Write && event.position > lastEscape)
        return false; // somebody else sees the tensor by then
    const Block &block = *tensor->node()->block();
    const bool isInBranch = llvm::any_of(events, [&](const Event &event) {
      return event.effect == Effect::Write && event.use->user()->block() != &block;
    });
    return isInBranch || !views.empty() ? replaceInBranches(tensor, events) : replaceWrites(tensor, events);
  }

  bool replaceInBranches(Value *tensor, llvm::ArrayRef<Event> events) {
    if (!TSC_OPT_ALLOWED)
      return false;
    llvm::SmallVector<Node *> replaced;
    const Type *type = views.empty() ? tensor->type() : withoutGrad(tensor->type());
    thread(*tensor->node()->block(), tensor, type, events, replaced);
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
        const Event &event = events.front();
        take(event, current, *user);
        if (event.effect == Effect::Write) {
          Value *written = makeFunctional(*user);
          current = event.on ? putBack(*event.on, written, current, *user) : written;
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
          take(event, current, *holder);
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

  /// Gives the use what it is of, with the tensor's current value.
  void take(const Event &event, Value *current, Node &before) {
    event.use->set(event.on ? viewOf(*event.on, current, before) : current);
    if (event.made)
      event.made->root = current;
  }

  /// The view of the tensor's current value: as it stands, if nothing was written since, else one of its own.
  Value *viewOf(const View &view, Value *current, Node &before) {
    if (view.root == current)
      return view.node->output();
    llvm::SmallVector<Value *, 5> inputs(view.node->inputs());
    inputs[0] = view.of ? viewOf(*view.of, current, before) : current;
    return insertBefore(before, view.node->kind(), inputs, view.node->output()->type());
  }

  /// The tensor's value after `written` has taken the place of what the view shows of the current one.
  Value *putBack(const View &view, Value *written, Value *current, Node &before) {
    Value *base = view.of ? viewOf(*view.of, current, before) : current;
    const Node &node = *view.node;
    auto made = [&](llvm::StringRef name, llvm::ArrayRef<Value *> operands) {
      llvm::SmallVector<Value *, 6> inputs(operands);
      inputs.append(node.inputs().begin() + 1, node.inputs().end());
      return insertBefore(before, graph.context().symbol(name), inputs, base->type());
    };
    if (llvm::StringRef scatter = scatterNameOf(node.opKind()); !scatter.empty()) {
      written = made(scatter, {base, written});
    } else if (llvm::StringRef inverse = inverseNameOf(node.opKind()); !inverse.empty()) {
      written = made(inverse, {written});
    } else if (node.hasTrait(Trait::SelfInverse)) {
      written = made(node.kind().qualified(), {written});
    } else {
      assert(node.opKind() == OpKind::Aten_narrow && "a view that isInvertibleView does not know");
      InsertPointGuard guard(graph);
      graph.setInsertPoint(&before);
      const int64_t start = *constantInt(node.input(2)), length = *constantInt(node.input(3));
      Value *end = graph.insertConstant(IValue(start + length), before.range());
      Value *step = graph.insertConstant(IValue(int64_t{1}), before.range());
      written = insertBefore(before, graph.context().symbol("aten::slice_scatter"),
                             {base, written, node.input(1), node.input(2), end, step}, base->type());
    }
    return view.of ? putBack(*view.of, written, current, before) : written;
  }

  Value *insertBefore(Node &before, Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type) {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&before);
    Node *node = graph.create(kind, inputs);
    place(*node, before);
    return node->output()->setType(withoutGrad(type));
  }

  /// What is written may require a gradient where the tensor did not.
  const Type *withoutGrad(const Type *type) const {
    const auto *tensor = dyn_cast<TensorType>(type);
    if (!tensor || !tensor->facts().requiresGrad)
      return type;
    TensorFacts facts = tensor->facts();
    facts.requiresGrad.reset();
    return graph.context().tensor(facts);
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
  std::deque<View> views; ///< Of the tensor that is worked on.
  unsigned lastPosition = 0, lastEscape = 0;
};

} // namespace

bool tsc::removeTensorMutation(Graph &graph, llvm::function_ref<bool(const Node &)> accepts, bool isWide) {
  return TensorMutationRemover(graph, accepts, isWide).visit(graph.block());
}
