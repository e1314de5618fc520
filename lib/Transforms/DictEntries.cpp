//===- DictEntries.cpp - Entries of dicts as values -----------------------===//
//
// Purpose: what is known to stand in a dict under a constant key, or in an attribute of
//          an object that the graph makes, is taken from where it was put, or was read
//          first: modules hand tensors on in dicts, and passes see through. A loop over
//          the entries of a dict that is known becomes its trips.
// Cost:    linear, times the number of keys where blocks nest; loops of up to 16 trips
//          and 4096 nodes in all are copied.
// Limits:  dicts with strings for keys that the graph makes or gets, and objects that it
//          makes, of which all uses are in sight; what a branch or a loop stores or removes
//          is not known behind it.
//
// Before:
//   graph(%d : Dict(str, Tensor), %x : Tensor):
//     %k : str = prim::Constant[value="x"]()
//      = aten::_set_item(%d, %k, %x)
//     %y : Tensor = aten::__getitem__(%d, %k)
//     %z : Tensor = aten::neg(%y)
//     return (%z)
// After:
//   graph(%d : Dict(str, Tensor),
//         %x : Tensor):
//     %2 : str = prim::Constant[value="x"]()
//      = aten::_set_item(%d, %2, %x)
//     %4 : Tensor = aten::neg(%x)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "Loops/Loop.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>
#define DEBUG_TYPE "forward-dict-entries"
using namespace tsc;

TSC_STATISTIC(NumForwarded, "Entries taken from where they were put");
TSC_STATISTIC(NumAnswered, "Questions whether a key is there answered");

static bool isDictOfStrings(const Type *type) {
  const auto *dict = dyn_cast<DictType>(type);
  return dict && dict->key()->kind() == TypeKind::String;
}

/// The key of a load or store, or what is asked for.
static std::optional<std::string> keyOf(const Node &node) {
  if (node.kind() == prim::SetAttr || node.kind() == prim::GetAttr)
    return node.get<std::string>(attr::name);
  auto key = node.numInputs() > 1 ? constantValue(node.input(1)) : std::nullopt;
  return key && key->isString() ? std::optional(key->toString()) : std::nullopt;
}

bool tsc::isDictLoad(const Node &node) {
  return node.kind() == aten::__getitem__ && isDictOfStrings(node.input(0)->type());
}
bool tsc::isDictStore(const Node &node) {
  return node.kind() == aten::_set_item && isDictOfStrings(node.input(0)->type());
}

bool tsc::isDictRemoval(const Node &node) {
  return (node.kind() == aten::Delete || (node.kind() == aten::pop && node.numInputs() == 2)) &&
         isDictOfStrings(node.input(0)->type());
}
/// `d.get("key")`, also with what stands for it where it is missing.
static bool isDictLookup(const Node &node) {
  return containerQuery(node.opKind()) == ContainerQuery::Lookup && isDictOfStrings(node.input(0)->type());
}

static bool isObjectOfGraph(const Value *value) { return value->node()->kind() == prim::CreateObject; }
static bool isStore(const Node &node) { return isDictStore(node) || node.kind() == prim::SetAttr; }
static bool isLoad(const Node &node) {
  return isDictLoad(node) || (node.kind() == prim::GetAttr && isObjectOfGraph(node.input()));
}
static bool isEdit(const Node &node) { return isStore(node) || isDictRemoval(node); }
static Value *storedBy(const Node &node) { return node.input(node.kind() == prim::SetAttr ? 1 : 2); }

namespace {

/// What is known of the dicts at a point: the value under a key, and keys that may be there or not, or with a value
/// that nobody knows.
struct Contents {
  std::map<std::string, Value *> entries;
  std::vector<std::string> order; ///< In which keys were first put.
  std::set<std::string> unknown;
  bool isComplete = false; ///< No other keys are there.
  bool isOrdered = true;   ///< `order` is the dict's: no branch or loop may have put a key in or taken one out.
};
/// Trips of a loop over entries, and nodes in all of them, that are copied at most.
static constexpr unsigned maxTrips = 16, maxNodes = 4096;

using State = llvm::DenseMap<const Value *, Contents>;

class EntryForwarder {
public:
  EntryForwarder(Graph &graph, const AliasAnalysis &aliases) : graph(graph) {
    if (!aliases.unknownWriters().empty())
      return;
    auto consider = [&](Value *value) {
      if (isDictOfStrings(value->type()) && isTracked(value, aliases))
        tracked.insert(value);
    };
    for (Value *input : graph.inputs())
      consider(input);
    graph.walk([&](Node &node) {
      if (node.kind() == prim::DictConstruct)
        consider(node.output());
      else if (node.kind() == prim::CreateObject && isTracked(node.output(), aliases))
        tracked.insert(node.output());
    });
  }

  bool run() {
    State state;
    for (const Value *dict : tracked)
      if (!const_cast<Value *>(dict)->definingNode())
        state[dict];
    visit(graph.block(), state);
    for (Node *node : llvm::reverse(erased))
      node->erase();
    for (Node *load : marked) // which cannot fail
      if (!load->output()->hasUses())
        load->erase();
    for (const Value *container : tracked)
      eraseUnread(*const_cast<Value *>(container));
    for (auto [list, size] : lists)
      goThrough(*list, size);
    return changed || !marked.empty();
  }

private:
  /// Whether every node that may read or write the dict names it, and a key.
  static bool isTracked(const Value *dict, const AliasAnalysis &aliases) {
    for (const Use &use : dict->uses()) {
      const Node &user = *use.user();
      const bool isReturned = !user.block() || user.kind() == prim::Return;
      if (isReturned || (user.kind() == prim::TupleConstruct && isReturnedOnly(*user.output())))
        continue;
      if (use.index() != 0)
        return false;
      const bool hasKey = isEdit(user) || isLoad(user) || isDictLookup(user) || user.kind() == aten::__contains__;
      if (hasKey ? isEdit(user) && !keyOf(user) : !isPureQuestion(user))
        return false;
    }
    const Node *maker = const_cast<Value *>(dict)->definingNode();
    if (maker && maker->kind() == prim::DictConstruct)
      for (unsigned i = 0; i < maker->numInputs(); i += 2)
        if (auto key = constantValue(maker->input(i)); !key || !key->isString())
          return false;
    return llvm::all_of(aliases.locations(dict), [&](Location location) {
      return llvm::all_of(aliases.writersOf(location), [&](const Node *writer) {
        return writer == maker || (isEdit(*writer) && writer->input(0) == dict);
      });
    });
  }

  static bool isReturnedOnly(const Value &value) {
    return llvm::all_of(value.uses(), [](const Use &use) { return use.user()->kind() == prim::Return; });
  }

  /// Whether the node lists all keys, values or entries of a dict.
  static bool listsEntries(const Node &node) {
    const std::optional<ContainerQuery> query = containerQuery(node.opKind());
    return query == ContainerQuery::Keys || query == ContainerQuery::Values || query == ContainerQuery::Items;
  }
  /// Whether the node asks for all entries, or how many there are, and gives no view of the dict.
  static bool isPureQuestion(const Node &node) {
    return listsEntries(node) || containerQuery(node.opKind()) == ContainerQuery::Length;
  }

  void visit(Block &block, State &state) {
    for (Node &node : block.nodes())
      visit(node, state);
  }

  void visit(Node &node, State &state) {
    if (node.numBlocks())
      return visitBlocks(node, state);
    if (node.numOutputs() == 1 && tracked.contains(node.output())) {
      Contents &made = state[node.output()];
      made = {};
      made.isComplete = node.kind() == prim::DictConstruct;
      for (unsigned i = 0; i + 1 < node.numInputs() && made.isComplete; i += 2)
        store(made, constantValue(node.input(i))->toString(), node.input(i + 1));
      return;
    }
    const bool isMarked = isDictLoad(node) && node.hasAttribute(attr::name);
    if (isMarked) { // the first reads of an argument, of which the plan knows the keys
      node.removeAttribute(attr::name);
      marked.push_back(&node);
    }
    auto dict = node.numInputs() ? state.find(node.input(0)) : state.end();
    if (dict == state.end())
      return;
    if (listsEntries(node))
      return list(node, dict->second);
    auto key = keyOf(node);
    if (!key)
      return;
    Contents &contents = dict->second;
    contents.isComplete |= isMarked;
    if (isStore(node)) {
      store(contents, *key, storedBy(node));
    } else if (isLoad(node)) {
      load(node, contents, *key);
    } else if (isDictRemoval(node)) {
      remove(node, contents, *key);
    } else if (isDictLookup(node)) {
      lookUp(node, contents, *key);
    } else if (node.kind() == aten::__contains__) {
      answer(node, contents, *key);
    }
  }

  static void store(Contents &contents, const std::string &key, Value *value) {
    contents.unknown.erase(key);
    if (contents.entries.insert_or_assign(key, value).second && !llvm::is_contained(contents.order, key))
      contents.order.push_back(key);
  }

  /// All keys, values or entries, in their order.
  void list(Node &node, const Contents &contents) {
    if (!contents.isComplete || !contents.isOrdered || !contents.unknown.empty() || !TSC_OPT_ALLOWED)
      return;
    const auto *type = cast<ListType>(node.output()->type());
    const std::optional<ContainerQuery> query = containerQuery(node.opKind());
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    llvm::SmallVector<Value *, 8> elements;
    for (const std::string &name : contents.order) {
      Value *value = contents.entries.at(name);
      if (query == ContainerQuery::Values) {
        elements.push_back(value);
        continue;
      }
      Value *key = graph.insertConstant(IValue(name), node.range());
      if (query == ContainerQuery::Items) {
        key = graph.insertNodeHere(graph.create(prim::TupleConstruct, {key, value}))->output();
        key->setType(type->element());
      }
      elements.push_back(key);
    }
    Node *made = graph.insertNodeHere(graph.create(prim::ListConstruct, elements));
    made->output()->setType(type);
    made->setRange(node.range());
    node.output()->replaceAllUsesWith(made->output());
    lists.emplace_back(made->output(), elements.size());
    erased.push_back(&node);
    changed = true;
  }

  /// Makes loops over the list its trips.
  void goThrough(Value &list, size_t size) {
    llvm::SmallVector<Node *> loops;
    auto isRead = [](const Use &use) {
      return use.user()->kind() == aten::len || use.user()->kind() == aten::__getitem__;
    };
    if (!llvm::all_of(list.uses(), isRead))
      return;
    for (const Use &use : list.uses())
      if (use.user()->kind() == aten::len)
        for (const Use &counted : use.user()->output()->uses())
          if (counted.user()->kind() == prim::Loop && counted.index() == 0)
            loops.push_back(counted.user());
    for (Node *node : loops) {
      const Loop loop(*node);
      if (!loop.isCounted() || size > maxTrips || countNodes(loop.body(), maxNodes) * size > maxNodes)
        continue;
      InsertPointGuard guard(graph);
      graph.setInsertPoint(node);
      ValueList carried = loop.initialValues();
      for (size_t i = 0; i != size; ++i) {
        Value *number = graph.insertConstant(IValue(static_cast<int64_t>(i)), node->range());
        carried = copyTrip(loop, number, carried).carried;
        takeElement(list, *number, *list.node()->input(i));
      }
      for (auto [output, value] : llvm::zip(node->outputs(), carried))
        output->replaceAllUsesWith(value);
      node->erase();
    }
  }

  static void takeElement(Value &list, const Value &number, Value &element) {
    llvm::SmallVector<Node *> reads;
    for (const Use &use : list.uses())
      if (use.user()->kind() == aten::__getitem__ && use.user()->input(1) == &number)
        reads.push_back(use.user());
    for (Node *read : reads) {
      read->output()->replaceAllUsesWith(&element);
      read->erase();
    }
  }

  /// What nobody takes out again need not be put in.
  static void eraseUnread(Value &container) {
    Node *maker = container.definingNode();
    if (!maker ||
        llvm::any_of(container.uses(), [](const Use &use) { return use.index() != 0 || !isStore(*use.user()); }))
      return;
    llvm::SmallVector<Node *> stores;
    for (const Use &use : container.uses())
      stores.push_back(use.user());
    for (Node *store : stores)
      store->erase();
    maker->erase();
  }

  void load(Node &node, Contents &contents, const std::string &key) {
    if (!contents.entries.count(key) && !llvm::is_contained(contents.order, key))
      contents.order.push_back(key);
    auto [at, isFirst] = contents.entries.try_emplace(key, node.output());
    if (isFirst || !at->second->type()->isSubtypeOf(node.output()->type()) || !TSC_OPT_ALLOWED)
      return;
    node.output()->replaceAllUsesWith(at->second);
    erased.push_back(&node);
    changed = true;
    ++NumForwarded;
  }

  /// The node stays: it removes the entry, or raises. What it gives is what stood there.
  void remove(Node &node, Contents &contents, const std::string &key) {
    if (auto at = contents.entries.find(key); at != contents.entries.end()) {
      if (node.numOutputs() && node.output()->hasUses() && at->second->type()->isSubtypeOf(node.output()->type()) &&
          TSC_OPT_ALLOWED) {
        node.output()->replaceAllUsesWith(at->second);
        changed = true;
        ++NumForwarded;
      }
      contents.entries.erase(at);
    }
    contents.unknown.erase(key);
    llvm::erase(contents.order, key);
  }

  /// Whether the key is there; nullopt where that is not known.
  static std::optional<bool> contains(const Contents &contents, const std::string &key) {
    if (contents.entries.count(key))
      return true;
    return contents.isComplete && !contents.unknown.count(key) ? std::optional(false) : std::nullopt;
  }

  void lookUp(Node &node, const Contents &contents, const std::string &key) {
    const std::optional<bool> isThere = contains(contents, key);
    if (!isThere || !TSC_OPT_ALLOWED)
      return;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    Value *found = *isThere               ? contents.entries.at(key)
                   : node.numInputs() > 2 ? node.input(2)
                                          : graph.insertConstant(IValue(), node.range());
    if (!found->type()->isSubtypeOf(node.output()->type()))
      return;
    node.output()->replaceAllUsesWith(found);
    erased.push_back(&node);
    changed = true;
    ++NumForwarded;
  }

  void answer(Node &node, const Contents &contents, const std::string &key) {
    const std::optional<bool> isThere = contains(contents, key);
    if (!isThere || !TSC_OPT_ALLOWED)
      return;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    node.output()->replaceAllUsesWith(graph.insertConstant(IValue(*isThere), node.range()));
    erased.push_back(&node);
    changed = true;
    ++NumAnswered;
  }

  /// What the blocks store or remove is not known behind them, nor at the head of a loop.
  void visitBlocks(Node &node, State &state) {
    auto forget = [&] {
      for (Block &block : node.blocks())
        forgetEdited(block, state);
    };
    if (node.kind() != prim::If)
      forget();
    for (Block &block : node.blocks()) {
      State inner = state;
      visit(block, inner);
    }
    forget();
  }

  static void forgetEdited(Block &block, State &state) {
    for (Node &node : block.nodes()) {
      for (Block &inner : node.blocks())
        forgetEdited(inner, state);
      auto dict = isEdit(node) ? state.find(node.input(0)) : state.end();
      if (dict == state.end())
        continue;
      const std::string key = *keyOf(node);
      const bool wasThere = dict->second.entries.erase(key) != 0;
      dict->second.isOrdered &= isStore(node) && wasThere;
      dict->second.unknown.insert(key);
    }
  }

  Graph &graph;
  llvm::DenseSet<const Value *> tracked;
  llvm::SmallVector<Node *> erased, marked;
  llvm::SmallVector<std::pair<Value *, size_t>> lists; ///< Of entries, and how many.
  bool changed = false;
};

} // namespace

PreservedAnalyses ForwardDictEntries::run(Graph &graph, AnalysisManager &analyses) {
  const bool hasDicts = llvm::any_of(graph.inputs(), [](const Value *v) { return isDictOfStrings(v->type()); });
  bool makesDicts = false;
  graph.walk(
      [&](Node &node) { makesDicts |= node.kind() == prim::DictConstruct || node.kind() == prim::CreateObject; });
  if (!hasDicts && !makesDicts)
    return PreservedAnalyses::all();
  return PreservedAnalyses::allUnless(EntryForwarder(graph, analyses.get<AliasAnalysis>(graph)).run());
}
