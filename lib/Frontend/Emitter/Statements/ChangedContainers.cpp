//===- ChangedContainers.cpp - Lists and dicts that loops over them change ===//
//
// `for x in l` is emitted as a loop of len(l) trips. That is Python's meaning only
// where the body leaves the length alone: Python asks for it before every trip,
// and refuses dicts that have changed their size. Loops whose bodies may do such
// things get these tests here, when the whole function has been emitted and its
// variables are still variables; all others stay as they are.
//
// What a body may change: by types, then by where the containers come from. A list
// that the function has made itself and has given to nobody yet is no other list.
// Callees that are known are looked into. Linear in the function for each loop
// whose body writes to a container of the right type.
//
//===----------------------------------------------------------------------===//
#include "ChangedContainers.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Conversions.h"
#include "../FunctionContext.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Python/Slices.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include <functional>

using namespace tsc;

namespace {

/// Whether an operator gives a list of what a dict holds.
bool givesEntries(const Node &node) {
  const std::optional<ContainerQuery> query = containerQuery(node.opKind());
  return query == ContainerQuery::Keys || query == ContainerQuery::Values || query == ContainerQuery::Items;
}

bool isContainer(const Type *type) { return llvm::isa<ListType, DictType>(type) || type->kind() == TypeKind::AnyList; }

/// Whether a value of one type may be a value of the other.
bool mayBeSame(const Type *a, const Type *b) { return a->isSubtypeOf(b) || b->isSubtypeOf(a); }

/// Whether a container of type `wanted` may be reached through a value of type `type`.
bool reaches(const Type *type, const Type *wanted, llvm::SmallPtrSetImpl<const Type *> &visited) {
  if (!visited.insert(type).second)
    return false;
  switch (type->kind()) {
  case TypeKind::Any:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::AnyClass:
  case TypeKind::Interface:
  case TypeKind::PyObject: return true;
  case TypeKind::Class:
    return llvm::any_of(llvm::cast<ClassType>(type)->attributes(),
                        [&](const ClassAttribute &attribute) { return reaches(attribute.type, wanted, visited); });
  default: break;
  }
  return (isContainer(type) && mayBeSame(type, wanted)) ||
         llvm::any_of(type->contained(), [&](const Type *part) { return reaches(part, wanted, visited); });
}
bool reaches(const Type *type, const Type *wanted) {
  llvm::SmallPtrSet<const Type *, 8> visited;
  return reaches(type, wanted, visited);
}

/// The containers whose sizes an operator may change.
llvm::SmallVector<Value *, 1> resizedBy(const Node &node) {
  llvm::SmallVector<Value *, 1> resized;
  const FunctionSchema *schema = node.schema();
  if (!schema)
    return resized;
  StringRef name = node.kind().name();
  for (size_t i = 0; i != std::min<size_t>(node.numInputs(), schema->arguments().size()); ++i) {
    const Argument &argument = schema->arguments()[i];
    bool isList = llvm::isa<ListType>(node.input(i)->type());
    if (!argument.alias || !argument.alias->isWrite || !isContainer(node.input(i)->type()) ||
        (isList && (name == "_set_item" || name == "sort" || name == "reverse")))
      continue;
    resized.push_back(node.input(i));
  }
  return resized;
}

/// Whether a callee may change the size of a container of type `wanted`, whichever that is.
class CalleeScan {
public:
  explicit CalleeScan(const Type *wanted) : wanted(wanted) {}

  bool mayResize(Node &call) {
    if (llvm::none_of(call.inputs(), [&](Value *input) { return reaches(input->type(), wanted); }))
      return false;
    if (call.kind() == prim::CallFunction) {
      const auto *type = llvm::dyn_cast<FunctionType>(call.input(0)->type());
      return !type || mayResize(const_cast<Function *>(type->function()));
    }
    const auto *type = call.numInputs() ? llvm::dyn_cast<ClassType>(call.input(0)->type()) : nullptr;
    if (call.kind() == prim::CallMethod && type)
      return mayResize(type->findMethod(call.get<std::string>(attr::name)));
    if (call.kind() == prim::Enter || call.kind() == prim::Exit)
      return !type || mayResize(type->findMethod(call.kind() == prim::Enter ? "__enter__" : "__exit__"));
    return true;
  }

private:
  bool mayResize(Function *function) {
    if (function && !visited.insert(function).second)
      return false; // being looked into
    if (!function || function->isBeingDefined() || failed(function->ensureDefined()) || !function->graph())
      return true;
    bool may = false;
    function->graph()->walk([&](Node &node) {
      may = may || (isCall(node) && mayResize(node)) ||
            llvm::any_of(resizedBy(node), [&](Value *value) { return mayBeSame(value->type(), wanted); });
    });
    return may;
  }

public:
  static bool isCall(const Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_CallFunction:
    case SymbolId::prim_CallMethod:
    case SymbolId::prim_InterfaceCall:
    case SymbolId::prim_PythonOp:
    case SymbolId::prim_Enter:
    case SymbolId::prim_Exit:
    case SymbolId::prim_fork: return true;
    default: return false;
    }
  }

private:
  const Type *wanted;
  llvm::SmallPtrSet<Function *, 8> visited;
};

/// Where the containers of a function come from, variables seen through.
class Origins {
public:
  explicit Origins(Graph &graph) {
    unsigned count = 0;
    graph.walk([&](Node &node) {
      positions[&node] = count++;
      if (node.kind() == prim::Store)
        stores[node.get<std::string>(attr::name)].push_back(&node);
      else if (node.kind() == prim::Load)
        loads.push_back(&node);
    });
  }

  /// Whether the two may be one container while `loop` runs.
  bool mayAlias(Value *a, Value *b, Node &loop) {
    if (!mayBeSame(a->type(), b->type()))
      return false;
    Roots first = rootsOf(a), second = rootsOf(b);
    if (first.isUnknown && second.isUnknown)
      return true;
    for (Node *root : first.made)
      if (second.made.contains(root) || (second.isUnknown && isSharedIn(loop, *root)))
        return true;
    return first.isUnknown && llvm::any_of(second.made, [&](Node *root) { return isSharedIn(loop, *root); });
  }

private:
  struct Roots {
    bool isUnknown = false; ///< Some come from outside of the function.
    llvm::SmallSetVector<Node *, 4> made;
  };

  Roots rootsOf(Value *value) {
    Roots roots;
    llvm::StringSet<> names;
    collect(value, roots, names);
    return roots;
  }

  void collect(Value *value, Roots &roots, llvm::StringSet<> &names) {
    Node *node = value->definingNode();
    if (!node) {
      roots.isUnknown = true;
    } else if (node->kind() == prim::Load) {
      const std::string &name = node->get<std::string>(attr::name);
      if (names.insert(name).second)
        for (Node *store : stores[name])
          collect(store->input(), roots, names);
    } else if (isFresh(*node)) {
      roots.made.insert(node);
    } else if (Value *same = resultOfChange(*node)) {
      collect(same, roots, names);
    } else {
      roots.isUnknown = true;
    }
  }

  /// Whether the node makes a container that nobody else has.
  static bool isFresh(const Node &node) {
    if (node.kind() == prim::ListConstruct || node.kind() == prim::DictConstruct)
      return true;
    const FunctionSchema *schema = node.schema();
    if (!schema || !node.kindName().starts_with("aten::") || node.numOutputs() != 1 || schema->returns().size() != 1)
      return false;
    // Their annotations are about the elements.
    return !schema->returns()[0].alias || givesEntries(node);
  }

public:
  /// What an operator like `+=` of lists changes and gives back; null for others.
  static Value *resultOfChange(const Node &node) {
    const FunctionSchema *schema = node.schema();
    bool isSame = schema && !schema->arguments().empty() && schema->arguments()[0].alias &&
                  schema->arguments()[0].alias->isWrite && node.numOutputs() == 1 && schema->returns().size() == 1 &&
                  schema->returns()[0].alias && schema->returns()[0].alias->isWrite;
    return isSame ? node.input(0) : nullptr;
  }

private:
  /// Whether somebody else may have what `root` made when `loop` runs. What the loop sees was made last when every run
  /// of the loop follows one of `root`, and variables took it in between: then it counts what is given away until the
  /// end of the loop. Else what is given away anywhere does.
  bool isSharedIn(Node &loop, Node &root) {
    unsigned begin = positions.lookup(&root), at = positions.lookup(&loop), end = lastPosition(loop);
    bool isLast = begin < at;
    for (Node *holder = &loop; isLast && holder->block() != root.block();) {
      holder = holder->parentNode();
      isLast = holder && holder->kind() != prim::Loop;
    }
    llvm::SmallVector<Value *, 8> seen = {root.output()};
    for (Node *load : loads)
      if (rootsOf(load->output()).made.contains(&root))
        seen.push_back(load->output());
    bool isGiven = false, isGivenBefore = false;
    for (Value *value : seen)
      for (const Use &use : value->uses()) {
        Node &user = *use.user();
        unsigned position = positions.lookup(&user);
        if (user.kind() == prim::Store) {
          isLast = isLast && user.block() == root.block() && begin < position && position < at;
        } else if (!keeps(user, use.index())) {
          isGiven = true;
          isGivenBefore |= position <= end;
        }
      }
    return isLast ? isGivenBefore : isGiven;
  }

  unsigned lastPosition(Node &node) {
    unsigned last = positions.lookup(&node);
    for (Block &block : node.blocks())
      for (Node &inner : block.nodes())
        last = std::max(last, lastPosition(inner));
    return last;
  }

  /// Whether the user lets nobody else have the container that is its input `index`.
  static bool keeps(const Node &user, unsigned index) {
    if (user.kind() == prim::ReturnStmt || user.kind() == prim::ListUnpack || user.kind() == prim::Print ||
        user.kind() == python::Print)
      return true;
    const FunctionSchema *schema = user.schema();
    if (!schema || index >= schema->arguments().size())
      return false;
    const Argument &argument = schema->arguments()[index];
    if (!argument.alias)
      return true;
    // The container itself and not an element of another one: what is changed, or what elements are read of.
    return argument.alias->after == argument.alias->before &&
           (!resultOfChange(user) ||
            llvm::all_of(user.output()->uses(), [](const Use &use) { return use.user()->kind() == prim::Store; }));
  }

  llvm::DenseMap<const Node *, unsigned> positions; ///< In the order of the text.
  llvm::StringMap<llvm::SmallVector<Node *, 4>> stores;
  std::vector<Node *> loads; ///< Of any type: an Optional or a Union may hold a container, too.
};

/// Lists and dicts that an iterable goes over.
struct Iterated {
  llvm::SmallVector<Value *, 2> lists;
  llvm::SmallVector<Value *, 2> views; ///< The keys, values or items of a dict, as a list.
};

void collectIterated(SugaredValue *iterable, Iterated &iterated) {
  if (auto *tree = llvm::dyn_cast<IterableTree>(iterable)) {
    for (SugaredValue *child : tree->children)
      collectIterated(child, iterated);
    return;
  }
  auto *simple = llvm::dyn_cast<SimpleValue>(iterable);
  Value *value = simple ? simple->get() : nullptr;
  if (!value || !llvm::isa<ListType>(value->type()))
    return;
  Node *node = value->definingNode();
  const bool isView =
      node && node->numInputs() == 1 && llvm::isa<DictType>(node->input()->type()) && givesEntries(*node);
  (isView ? iterated.views : iterated.lists).push_back(value);
}

bool mayResize(Block &body, Value *container, Node &loop, std::optional<Origins> &origins, Graph &graph) {
  const Type *type = container->type();
  llvm::SmallVector<Value *, 4> resized;
  llvm::SmallVector<Node *, 4> calls;
  std::function<void(Block &)> scan = [&](Block &block) {
    for (Node &node : block.nodes()) {
      for (Value *value : resizedBy(node))
        if (mayBeSame(value->type(), type))
          resized.push_back(value);
      if (CalleeScan::isCall(node))
        calls.push_back(&node);
      for (Block &inner : node.blocks())
        scan(inner);
    }
  };
  scan(body);
  if (resized.empty() && calls.empty())
    return false;
  if (!resized.empty() && !origins)
    origins.emplace(graph);
  return llvm::any_of(resized, [&](Value *value) { return origins->mayAlias(container, value, loop); }) ||
         llvm::any_of(calls, [&](Node *call) { return CalleeScan(type).mayResize(*call); });
}

} // namespace

/// Before each trip, the loop asks whether there is one more element, by a count of the trips that are done.
static bool askForLength(FunctionContext &fn, Node &loop, SugaredValue *iterable, SourceRange range) {
  Graph &graph = fn.graph();
  Block &body = loop.block(0), &condition = loop.block(1);
  std::string name = "$trips" + std::to_string(body.inputs()[0]->id());
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&loop);
  fn.env.store(name, fn.constant(int64_t{0}, range), range);
  loop.setInput(0, fn.constant(std::numeric_limits<int64_t>::max(), range));
  body.empty() ? graph.setInsertPoint(body) : graph.setInsertPoint(&body.nodes().front());
  fn.env.store(name, callBuiltin(fn, range, aten::add, {body.inputs()[0], fn.constant(int64_t{1}, range)}), range);
  graph.setInsertPoint(condition);
  Value *length = iterable->length(fn, range);
  if (!length)
    return false;
  Value *isThere = callBuiltin(fn, range, aten::gt, {length, fn.env.load(name, Type::intType(), range)});
  condition.returnNode().setInput(0, isThere);
  return true;
}

/// Before each trip, the loop asks whether the dict has as many entries as it had.
static void askForSize(FunctionContext &fn, Node &loop, Value *dict, SourceRange range) {
  Graph &graph = fn.graph();
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&loop);
  Value *before = callBuiltin(fn, range, aten::len, {dict});
  graph.setInsertPoint(loop.block(1));
  Value *isChanged = callBuiltin(fn, range, aten::ne, {callBuiltin(fn, range, aten::len, {dict}), before});
  Node *test = fn.insertNode(prim::If, {isChanged}, 0, range);
  graph.setInsertPoint(test->addBlock());
  test->addBlock();
  fn.insertNode(prim::RaiseException,
                {fn.constant(IValue("dictionary changed size during iteration"), range), fn.none(range)}, 0, range);
}

/// Makes the loop read the values of its dict when it comes to them.
static void readValuesAnew(FunctionContext &fn, Node &loop, Value *view, Value *dict, SourceRange range) {
  Graph &graph = fn.graph();
  const std::optional<ContainerQuery> shown = containerQuery(view->definingNode()->opKind());
  if (shown == ContainerQuery::Keys)
    return;
  llvm::SmallVector<Node *, 2> reads;
  for (const Use &use : view->uses())
    if (containerQuery(use.user()->opKind()) == ContainerQuery::Element && use.user()->block() == &loop.block(0))
      reads.push_back(use.user());
  InsertPointGuard guard(graph);
  for (Node *read : reads) {
    graph.setInsertPoint(read->next());
    if (shown == ContainerQuery::Items) {
      auto *entry = llvm::cast<TupleType>(read->output()->type());
      Value *key = tupleIndex(fn, read->output(), entry->elements()[0], 0, range);
      Value *value = callBuiltin(fn, range, aten::__getitem__, {dict, key});
      Node *pair = fn.insertNode(prim::TupleConstruct, {key, value}, 1, range);
      pair->output()->setType(entry);
      read->output()->replaceAllUsesWith(pair->output());
      key->node()->setInput(0, read->output());
      continue;
    }
    Value *index = read->input(1);
    graph.setInsertPoint(&loop);
    Value *keys = callBuiltin(fn, range, aten::keys, {dict});
    graph.setInsertPoint(read);
    Value *key = callBuiltin(fn, range, aten::__getitem__, {keys, index});
    read->output()->replaceAllUsesWith(callBuiltin(fn, range, aten::__getitem__, {dict, key}));
    read->erase();
  }
}

/// The containers that a value is, or is an element of, variables seen through.
static void collectSources(Value *value, const llvm::StringMap<llvm::SmallVector<Node *, 4>> &stores,
                           llvm::SmallPtrSetImpl<Value *> &sources) {
  if (!sources.insert(value).second)
    return;
  Node *node = value->definingNode();
  auto collect = [&](Value *other) { collectSources(other, stores, sources); };
  if (!node)
    return;
  switch (node->kind().id()) {
  case SymbolId::prim_Load:
    for (Node *store : stores.lookup(node->get<std::string>(attr::name)))
      collect(store->input());
    return;
  case SymbolId::prim_If:
    for (Block &block : node->blocks())
      collect(block.returnNode().input(value->offset()));
    return;
  case SymbolId::prim_TupleIndex:
  case SymbolId::prim_TupleUnpack: { // the element of each tuple that this may be
    std::optional<IValue> index = node->kind() == prim::TupleIndex
                                      ? constantValue(node->input(1))
                                      : std::optional<IValue>(static_cast<int64_t>(value->offset()));
    llvm::SmallPtrSet<Value *, 4> tuples;
    collectSources(node->input(0), stores, tuples);
    for (Value *tuple : tuples) {
      sources.insert(tuple);
      Node *made = tuple->definingNode();
      if (!made || made->kind() != prim::TupleConstruct)
        continue;
      if (index && index->isInt())
        if (std::optional<int64_t> at = python::elementPlace(index->toInt(), made->numInputs()))
          collect(made->input(static_cast<unsigned>(*at)));
    }
    return;
  }
  case SymbolId::prim_unchecked_cast:
  case SymbolId::aten___getitem__:
    for (Value *input : node->inputs())
      collect(input);
    return;
  default:
    if (Value *same = Origins::resultOfChange(*node))
      collect(same);
  }
}

bool tsc::checkSharedContainers(FunctionContext &fn) {
  if (fn.containers.shared.empty())
    return true;
  llvm::StringMap<llvm::SmallVector<Node *, 4>> stores;
  llvm::SmallVector<std::pair<Node *, Value *>, 8> writes;
  fn.graph().walk([&](Node &node) {
    if (node.kind() == prim::Store)
      stores[node.get<std::string>(attr::name)].push_back(&node);
    const FunctionSchema *schema = node.schema();
    for (size_t i = 0; schema && i != std::min<size_t>(node.numInputs(), schema->arguments().size()); ++i)
      if (const auto &alias = schema->arguments()[i].alias;
          alias && alias->isWrite && llvm::isa<ListType, DictType>(node.input(i)->type()))
        writes.emplace_back(&node, node.input(i));
  });
  for (auto [node, written] : writes) {
    llvm::SmallPtrSet<Value *, 8> sources;
    collectSources(written, stores, sources);
    for (const SharedContainer &shared : fn.containers.shared)
      if (sources.contains(shared.value))
        return fn.error(node->range(), shared.isParameter ? diag::ChangedDefault : diag::ChangedGlobal, shared.name);
  }
  return true;
}

bool tsc::finishLoops(FunctionContext &fn) {
  std::optional<Origins> origins; // of the graph as emitted: what is inserted here takes nothing away and adds no alias
  struct Change {
    const ContainerLoop *loop;
    bool isListChanged = false;
    llvm::SmallVector<Value *, 1> views;
  };
  std::vector<Change> changes;
  for (const ContainerLoop &loop : fn.containers.loops) {
    Iterated iterated;
    collectIterated(loop.iterable, iterated);
    auto isResized = [&](Value *container) {
      return mayResize(loop.node->block(0), container, *loop.node, origins, fn.graph());
    };
    Change change{&loop, false, {}};
    change.isListChanged = llvm::any_of(iterated.lists, isResized);
    for (Value *view : iterated.views)
      if (isResized(view->definingNode()->input()))
        change.views.push_back(view);
    if (change.isListChanged || !change.views.empty())
      changes.push_back(std::move(change));
  }
  for (Change &change : changes) {
    Node &loop = *change.loop->node;
    SourceRange range = change.loop->range;
    for (Value *view : change.views) {
      Value *dict = view->definingNode()->input();
      readValuesAnew(fn, loop, view, dict, range);
      askForSize(fn, loop, dict, range);
    }
    if (change.isListChanged && !askForLength(fn, loop, change.loop->iterable, range))
      return false;
  }
  return true;
}
