//===- ListMutation.cpp - Lists made in one go ----------------------------===//
#include "ListMutation.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/ListEdits.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "remove-mutation"
using namespace tsc;

TSC_STATISTIC(NumListMutations, "Changes of lists made when the list is made");

/// Lists of the same elements that are made again for readers in between may have so many operands together.
static constexpr size_t maxOperands = 4096;

namespace {

using Elements = std::vector<Value *>;

class ListMutationRemover {
public:
  explicit ListMutationRemover(Graph &graph) : graph(graph) { number(graph.block()); }

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(), *next; node; node = next) {
      next = node->next();
      for (Block &inner : node->blocks())
        changed |= visit(inner);
      if (Node *construct = constructOfCopy(*node)) {
        node = construct;
        changed = true;
      }
      if (node->kind() == prim::ListConstruct && rewrite(*node, next))
        changed = true;
    }
    return changed;
  }

private:
  enum class Effect { Read, Change, Escape };

  struct Event {
    unsigned position;
    Node *holder; ///< The node of the list's block that is, or holds, the user.
    Use *use;
    Effect effect;
  };

  /// A copy of a constant list that somebody changes, `size = list(x.size())` of known sizes, as a list of its
  /// elements. Null for all others.
  Node *constructOfCopy(Node &node) {
    constexpr size_t mostElements = 64;
    if (node.opKind() != OpKind::Aten_list_t ||
        llvm::none_of(node.output()->uses(), [](const Use &use) { return effectOf(use) == Effect::Change; }))
      return nullptr;
    const std::optional<IValue> list = constantValue(node.input(0));
    if (!list || !list->isList() || list->isTensorList() || list->listSize() > mostElements)
      return nullptr;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    Elements elements;
    for (size_t i = 0; i != list->listSize(); ++i)
      elements.push_back(graph.insertConstant(list->listElement(i), node.range()));
    Node *construct = graph.create(prim::ListConstruct, elements)->insertBefore(&node);
    construct->output()->setType(node.output()->type());
    construct->setRange(node.range());
    construct->setScope(node.scope());
    positions[construct] = positions.lookup(&node);
    node.output()->replaceAllUsesWith(construct->output());
    node.erase();
    return construct;
  }

  void number(Block &block) {
    for (Node &node : block.nodes()) {
      positions[&node] = lastPosition += 2;
      for (Block &inner : node.blocks())
        number(inner);
    }
    positions[&block.returnNode()] = lastPosition += 2;
  }

  static Effect effectOf(const Use &use) {
    const Node &node = *use.user();
    const FunctionSchema *schema = node.schema();
    if (!schema || !node.record() || use.index() >= schema->arguments().size())
      return Effect::Escape;
    const auto &alias = schema->arguments()[use.index()].alias;
    if (alias && alias->isWrite)
      return Effect::Change;
    // A list that is stored in another one, or comes back as a result, is seen by others from then on. Elements are not
    // the list: `t[](a) self -> t(*)` is a read.
    const bool isStored = llvm::any_of(node.inputs(),
                                       [&](const Value *v) {
                                         return v != use.get() && v->type()->isMutable() && !v->type()->isTensor();
                                       }) &&
                          node.hasTrait(Trait::Writes);
    const bool comesBack =
        llvm::any_of(node.outputs(), [&](const Value *v) { return v->type() == use.get()->type(); }) &&
        node.hasTrait(Trait::Aliases);
    return isStored || comesBack ? Effect::Escape : Effect::Read;
  }

  /// Does to `elements` what `node` does to the list; false when that is not known, or what comes in is of another
  /// type. `popped` is the element that it takes out.
  static bool apply(const Node &node, Elements &elements, Value *&popped) {
    const auto *list = dyn_cast<ListType>(node.input(0)->type());
    auto fits = [&](const Value *element) { return list && element->type()->isSubtypeOf(list->element()); };
    std::optional<ListEdit> edit = listEdit(node.opKind());
    if (!edit)
      return false;
    ListEditOperands<Value *> operands;
    if (unsigned index = indexOperand(*edit))
      operands.index = constantInt(node.input(index));
    if (unsigned element = elementOperand(*edit)) {
      operands.element = const_cast<Value *>(node.input(element));
      if (!fits(operands.element))
        return false;
    }
    Elements others;
    if (*edit == ListEdit::Extend) {
      const Node *other = node.input(1)->node();
      if (other->kind() != prim::ListConstruct || !isOnlyRead(node.input(1)) || !llvm::all_of(other->inputs(), fits))
        return false;
      others.assign(other->inputs().begin(), other->inputs().end());
      operands.others = others;
    }
    return applyListEdit(*edit, elements, operands, popped);
  }

  /// Whether the list is as it was made wherever it is used.
  static bool isOnlyRead(const Value *list) {
    return llvm::all_of(list->uses(),
                        [](const Use &use) { return effectOf(use) == Effect::Read || isOperandOfExtend(use); });
  }
  static bool isOperandOfExtend(const Use &use) {
    OpKind kind = use.user()->opKind();
    return use.index() == 1 && (kind == OpKind::Aten_extend_t || kind == OpKind::Aten_add__t);
  }

  /// Whether what a change of a list gives back is the list.
  static bool givesList(const Node &change) {
    const FunctionSchema *schema = change.schema();
    return change.numOutputs() == 1 && schema->returns().size() == 1 && schema->returns()[0].alias &&
           schema->returns()[0].alias->isWrite;
  }

  /// All uses of the list and of what changes of it return (the same list), in order; false when one is out of reach.
  bool collect(Value *list, const Block &block, std::vector<Event> &events, llvm::SmallVectorImpl<Value *> &pending) {
    for (Use &use : list->uses()) {
      Node *holder = use.user();
      while (holder->block() != &block && holder->parentNode())
        holder = holder->parentNode();
      Effect effect = effectOf(use);
      if (effect == Effect::Change &&
          (use.user()->block() != &block || use.index() != 0 || llvm::count(use.user()->inputs(), list) != 1))
        return false;
      events.push_back({positions.lookup(use.user()), holder, &use, effect});
      if (effect == Effect::Change && givesList(*use.user())) {
        if (use.user()->output()->type() != list->type())
          return false;
        pending.push_back(use.user()->output());
      }
    }
    return true;
  }

  bool rewrite(Node &construct, Node *&next) {
    std::vector<Event> events;
    llvm::SmallVector<Value *> pending = {construct.output()};
    while (!pending.empty())
      if (!collect(pending.pop_back_val(), *construct.block(), events, pending))
        return false;
    llvm::stable_sort(events, [](const Event &a, const Event &b) { return a.position < b.position; });
    size_t numChanges = 0, numOperands = 0;
    if (!isPossible(construct, events, numChanges, numOperands) || numChanges == 0 || !TSC_OPT_ALLOWED)
      return false;
    replay(construct, events, next);
    NumListMutations += numChanges;
    return true;
  }

  /// Whether every change is understood, comes before the list is seen by others, and costs little.
  static bool isPossible(const Node &construct, llvm::ArrayRef<Event> events, size_t &numChanges, size_t &numOperands) {
    Elements elements(construct.inputs().begin(), construct.inputs().end());
    numOperands = elements.size();
    bool isSeen = false, isDirty = false;
    for (const Event &event : events) {
      Value *popped = nullptr;
      if (event.effect == Effect::Change) {
        if (isSeen || !apply(*event.use->user(), elements, popped))
          return false;
        if (popped && event.use->user()->numOutputs() == 1 && popped->type() != event.use->user()->output()->type())
          return false;
        ++numChanges;
        isDirty = true;
        continue;
      }
      isSeen |= event.effect == Effect::Escape;
      numOperands += isDirty ? elements.size() : 0;
      isDirty = false;
      if (numOperands > maxOperands + construct.numInputs() + events.size())
        return false;
    }
    return true;
  }

  void replay(Node &construct, llvm::ArrayRef<Event> events, Node *&next) {
    Elements elements(construct.inputs().begin(), construct.inputs().end());
    Value *current = construct.output();
    bool isDirty = false;
    llvm::SmallVector<Node *> changes;
    for (const Event &event : events) {
      if (event.effect == Effect::Change) {
        Value *popped = nullptr;
        Node *change = event.use->user();
        apply(*change, elements, popped);
        if (popped && change->numOutputs() == 1)
          change->output()->replaceAllUsesWith(popped);
        changes.push_back(change);
        isDirty = true;
        continue;
      }
      if (isDirty) {
        Node *list = graph.create(prim::ListConstruct, elements);
        list->setRange(construct.range());
        list->setScope(construct.scope());
        list->insertBefore(event.holder);
        positions[list] = positions.lookup(event.holder) - 1;
        current = list->output()->setType(construct.output()->type());
        isDirty = false;
      }
      if (event.use->get() != current)
        event.use->set(current);
    }
    for (Node *change : llvm::reverse(changes)) {
      if (next == change)
        next = change->next();
      if (change->numOutputs() == 1 && change->output()->hasUses())
        change->output()->replaceAllUsesWith(change->input(0));
      change->erase();
    }
    if (construct.output()->hasUses())
      return;
    if (current != construct.output() && construct.output()->hasName()) {
      std::string name = construct.output()->name().str();
      construct.output()->setName("");
      current->setName(name);
    }
    construct.erase();
  }

  Graph &graph;
  llvm::DenseMap<const Node *, unsigned> positions;
  unsigned lastPosition = 0;
};

} // namespace

bool tsc::removeListMutation(Graph &graph) { return ListMutationRemover(graph).visit(graph.block()); }
