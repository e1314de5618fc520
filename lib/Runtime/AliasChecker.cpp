//===- AliasChecker.cpp - Alias analysis against what happens -------------===//
//
// The nodes that are added call four operators:
//
//   %call : int = tsc::begin_alias_check(graph)        at the head of the graph
//   tsc::skip_placeholders(%call, values...)           behind a prim::Uninitialized
//   tsc::before_node(%call, site, operands...)         takes fingerprints of what the node can reach
//   tsc::after_node(%call, site, operands and results...)   compares them, and learns what the results are
//
// A site is one node of one graph, or the parameters of a block.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/AliasChecker.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace tsc;

namespace {

/// Where a report comes from.
struct Site {
  const Node *node = nullptr;                 ///< Null for the parameters of a block.
  llvm::SmallVector<const Value *, 4> values; ///< What is learned: results or parameters.
  unsigned numOperands = 0;
  bool runsOtherCode = false; ///< It may change more than its operands reach.
  unsigned timesRun = 0;
  MemoryEffects effects;
};

struct CheckedGraph {
  explicit CheckedGraph(const Graph &graph) : aliases(graph) {}
  AliasAnalysis aliases;
  std::vector<Site> sites;
  llvm::DenseSet<std::pair<const Value *, const Value *>> compared; ///< Pairs that may share memory.
};

/// A storage, list, dict or object that a call has seen.
struct Memory {
  IValue keep;                                       ///< Keeps its address from being used again.
  llvm::SmallSetVector<const Value *, 2> holders;    ///< Values that are it.
  llvm::SmallSetVector<const Value *, 2> containers; ///< Values that contain it.
};

/// One call of a graph under way.
struct Activation {
  CheckedGraph *graph;
  llvm::DenseMap<const void *, Memory> known;
  llvm::DenseMap<const void *, std::pair<IValue, uint64_t>> before; ///< Fingerprints.
  llvm::DenseMap<const void *, IValue> placeholders; ///< What stands for values that the program never reads.
};

constexpr unsigned maxKnown = 20000;
constexpr unsigned maxContents = 256;
constexpr size_t maxHashedBytes = 1 << 20;
// A node in a loop does the same in each turn, nearly always. One that may change anything is compared with all memory
// in its first turns, and then in turns ever further apart: a loop that makes memory would take quadratic time
// otherwise.
constexpr unsigned firstTurns = 16;

const void *addressOf(const IValue &value) {
  return value.isTensor() ? static_cast<const void *>(value.asTensor().get()->storage.get()) : value.counted();
}

bool isMemory(const IValue &value) {
  if (value.isTensor())
    return value.asTensor().get()->storage && value.asTensor().get()->storage->size() != 0;
  return value.isList() || value.isDict() || value.isObject() || value.isFuture();
}

/// Calls for the memory that the value is, a tuple's fields taken one by one.
void forEachMemory(const IValue &value, llvm::function_ref<void(const IValue &)> visit) {
  if (value.isTuple())
    for (const IValue &field : value.toTuple().elements)
      forEachMemory(field, visit);
  else if (isMemory(value))
    visit(value);
}

/// Calls for what a list, dict or future contains, to a limit. Objects are left alone: their attributes are memory of
/// their own, seen when they are loaded.
void forEachContained(const IValue &value, unsigned &left, llvm::function_ref<void(const IValue &)> visit) {
  auto enter = [&](const IValue &inner) {
    forEachMemory(inner, [&](const IValue &memory) {
      if (left == 0)
        return;
      --left;
      visit(memory);
      forEachContained(memory, left, visit);
    });
  };
  if (value.isTensorList() || value.isGenericList())
    for (size_t i = 0, size = value.listSize(); i != size && left; ++i)
      enter(value.listElement(i));
  else if (value.isDict())
    value.toDict().forEach([&](const IValue &key, const IValue &item) {
      enter(key);
      enter(item);
    });
  else if (value.isFuture())
    enter(value.toFuture().value);
}

uint64_t identity(const IValue &value) {
  if (value.isDouble())
    return llvm::bit_cast<uint64_t>(value.toDouble());
  return value.isInt() || value.isBool() ? value.toInt() : reinterpret_cast<uint64_t>(value.counted());
}

/// Differs when somebody wrote to the memory itself.
uint64_t fingerprint(const IValue &memory) {
  if (memory.isTensor()) {
    const Storage &storage = *memory.asTensor().get()->storage;
    if (storage.size() > maxHashedBytes)
      return storage.version;
    return llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(storage.data()), storage.size()));
  }
  uint64_t hash = 0;
  if (memory.isList())
    for (size_t i = 0, size = memory.listSize(); i != size; ++i)
      hash = llvm::hash_combine(hash, identity(memory.listElement(i)));
  else if (memory.isDict())
    memory.toDict().forEach([&](const IValue &key, const IValue &value) {
      hash = llvm::hash_combine(hash, identity(key), identity(value));
    });
  return hash;
}

std::string describe(const Value *value) {
  return ("%" + llvm::Twine(value->displayName()) + " of " + value->node()->kindName()).str();
}

} // namespace

class AliasChecker::Observer {
public:
  explicit Observer(Context &context) : context(context) {}
  Status instrument(Graph &graph);

private:
  Status registerOperators();
  void observeParameters(Block &block, Value *call, Node *before);
  void observeNode(Node &node, Value *call);
  void skipPlaceholders(Node &node, Value *call);
  void addReport(StringRef op, Value *call, ArrayRef<Value *> values, Node *before, Node *after);

  Status before(const IValue *const *args, unsigned count);
  Status after(const IValue *const *args, unsigned count);
  void skip(const IValue *const *args, unsigned count);
  Status learn(Activation &activation, const Value *value, const IValue &is);
  Status checkPair(CheckedGraph &graph, const Value *a, const Value *b, bool contents) const;
  Status checkWrite(const CheckedGraph &graph, const Site &site, const Memory &memory) const;

  Context &context;
  bool areRegistered = false;
  std::vector<std::unique_ptr<CheckedGraph>> graphs;
  std::vector<std::unique_ptr<Activation>> activations;
};

AliasChecker::AliasChecker(Context &context) : observer(std::make_unique<Observer>(context)) {}
AliasChecker::~AliasChecker() = default;
Status AliasChecker::instrument(Graph &graph) { return observer->instrument(graph); }

//===----------------------------------------------------------------------===//
// Reports in the graph
//===----------------------------------------------------------------------===//

Status AliasChecker::Observer::registerOperators() {
  if (areRegistered)
    return okStatus();
  areRegistered = true;
  auto begin = [this](CallContext &, const IValue *const *args, IValue *results) {
    activations.push_back(std::make_unique<Activation>());
    activations.back()->graph = graphs[args[0]->toInt()].get();
    results[0] = static_cast<int64_t>(activations.size() - 1);
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(context.operators().registerOperator("tsc::begin_alias_check(int graph) -> int", begin));
  TSC_RETURN_IF_ERROR(context.operators().registerOperator(
      "tsc::before_node(int call, int site, ...) -> ()",
      [this](CallContext &call, const IValue *const *args, IValue *) { return before(args, call.site->numArgs); }));
  TSC_RETURN_IF_ERROR(context.operators().registerOperator(
      "tsc::skip_placeholders(int call, ...) -> ()", [this](CallContext &call, const IValue *const *args, IValue *) {
        skip(args, call.site->numArgs);
        return okStatus();
      }));
  return context.operators().registerOperator(
      "tsc::after_node(int call, int site, ...) -> ()",
      [this](CallContext &call, const IValue *const *args, IValue *) { return after(args, call.site->numArgs); });
}

static bool isObserved(const Value *value) { return AliasAnalysis::isMutable(value); }

/// Two values may be the same placeholder: the analysis has no memory for what nobody reads.
void AliasChecker::Observer::skipPlaceholders(Node &node, Value *call) {
  llvm::SmallVector<Value *, 4> operands{call};
  llvm::copy_if(node.outputs(), std::back_inserter(operands), isObserved);
  if (operands.size() > 1)
    call->graph().create(context.symbol("tsc::skip_placeholders"), operands, 0)->insertAfter(&node);
}

void AliasChecker::Observer::addReport(StringRef op, Value *call, ArrayRef<Value *> values, Node *before, Node *after) {
  Graph &graph = call->graph();
  Node *site = graph.createConstant(static_cast<int64_t>(graphs.back()->sites.size() - 1));
  llvm::SmallVector<Value *, 8> operands{call, site->output()};
  operands.append(values.begin(), values.end());
  Node *report = graph.create(context.symbol(op), operands, 0);
  report->setRange((before ? before : after)->range());
  if (before)
    report->insertBefore(before);
  else
    report->insertAfter(after);
  site->insertBefore(report);
}

void AliasChecker::Observer::observeParameters(Block &block, Value *call, Node *before) {
  Site site;
  llvm::SmallVector<Value *, 4> parameters;
  llvm::copy_if(block.inputs(), std::back_inserter(parameters), isObserved);
  if (parameters.empty())
    return;
  site.values.append(parameters.begin(), parameters.end());
  graphs.back()->sites.push_back(std::move(site));
  addReport("tsc::after_node", call, parameters, before, nullptr);
}

void AliasChecker::Observer::observeNode(Node &node, Value *call) {
  if (node.kind() == prim::Uninitialized)
    return skipPlaceholders(node, call);
  const AliasAnalysis &aliases = graphs.back()->aliases;
  Site site;
  site.node = &node;
  llvm::SmallVector<Value *, 8> operands, all;
  if (!node.numBlocks() && node.kind() != prim::Constant)
    llvm::copy_if(node.inputs(), std::back_inserter(operands), isObserved);
  all = operands;
  llvm::copy_if(node.outputs(), std::back_inserter(all), isObserved);
  site.numOperands = operands.size();
  site.values.append(all.begin() + operands.size(), all.end());
  if (!node.numBlocks())
    site.effects = aliases.effects(node);
  site.runsOtherCode = site.effects.writesOutside || node.hasAttribute(attr::Subgraph);
  bool isCompared = !operands.empty() || site.runsOtherCode;
  if (all.empty() && !isCompared)
    return;
  graphs.back()->sites.push_back(std::move(site));
  if (isCompared)
    addReport("tsc::before_node", call, operands, &node, nullptr);
  addReport("tsc::after_node", call, all, nullptr, &node);
}

Status AliasChecker::Observer::instrument(Graph &graph) {
  TSC_RETURN_IF_ERROR(registerOperators());
  graphs.push_back(std::make_unique<CheckedGraph>(graph));
  std::vector<Node *> nodes;
  graph.walk([&](Node &node) { nodes.push_back(&node); });
  Node *first = graph.block().empty() ? &graph.block().returnNode() : &graph.block().nodes().front();
  Node *number = graph.createConstant(static_cast<int64_t>(graphs.size() - 1))->insertBefore(first);
  Node *begin = graph.create(context.symbol("tsc::begin_alias_check"), {number->output()}, 1)->insertBefore(first);
  Value *call = begin->output()->setType(Type::intType());
  observeParameters(graph.block(), call, first);
  for (Node *node : nodes) {
    for (Block &block : node->blocks())
      observeParameters(block, call, block.empty() ? &block.returnNode() : &block.nodes().front());
    observeNode(*node, call);
  }
  return okStatus();
}

//===----------------------------------------------------------------------===//
// What the reports say
//===----------------------------------------------------------------------===//

/// Takes the fingerprints of all that the operands reach, or of all that the call knows.
Status AliasChecker::Observer::before(const IValue *const *args, unsigned count) {
  Activation &activation = *activations[args[0]->toInt()];
  Site &site = activation.graph->sites[args[1]->toInt()];
  activation.before.clear();
  auto take = [&](const IValue &memory) {
    if (!memory.isObject())
      activation.before.try_emplace(addressOf(memory), memory, fingerprint(memory));
  };
  unsigned turn = site.timesRun++;
  if (site.runsOtherCode && (turn < firstTurns || llvm::isPowerOf2_32(turn)))
    for (auto &entry : activation.known)
      take(entry.second.keep);
  unsigned left = maxContents;
  for (unsigned i = 2; i < count; ++i)
    forEachMemory(*args[i], [&](const IValue &memory) {
      take(memory);
      forEachContained(memory, left, take);
    });
  return okStatus();
}

Status AliasChecker::Observer::after(const IValue *const *args, unsigned count) {
  Activation &activation = *activations[args[0]->toInt()];
  const Site &site = activation.graph->sites[args[1]->toInt()];
  for (auto &[address, taken] : activation.before) {
    auto known = activation.known.find(address);
    if (known != activation.known.end() && fingerprint(taken.first) != taken.second)
      TSC_RETURN_IF_ERROR(checkWrite(*activation.graph, site, known->second));
  }
  activation.before.clear();
  for (unsigned i = 0; i != site.values.size() && 2 + site.numOperands + i < count; ++i)
    TSC_RETURN_IF_ERROR(learn(activation, site.values[i], *args[2 + site.numOperands + i]));
  return okStatus();
}

void AliasChecker::Observer::skip(const IValue *const *args, unsigned count) {
  Activation &activation = *activations[args[0]->toInt()];
  for (unsigned i = 1; i < count; ++i)
    forEachMemory(*args[i],
                  [&](const IValue &memory) { activation.placeholders.try_emplace(addressOf(memory), memory); });
}

/// Enters what a value is, and compares it with all values that were the same or contained it.
Status AliasChecker::Observer::learn(Activation &activation, const Value *value, const IValue &is) {
  if (activation.known.size() > maxKnown)
    return okStatus();
  Status status = okStatus();
  CheckedGraph &graph = *activation.graph;
  auto compare = [&](ArrayRef<const Value *> others, bool contents) {
    for (const Value *other : others)
      if (status.ok())
        status = checkPair(graph, value, other, contents);
  };
  auto enter = [&](const IValue &memory) -> Memory & {
    Memory &known = activation.known[addressOf(memory)];
    known.keep = memory;
    return known;
  };
  unsigned left = maxContents;
  forEachMemory(is, [&](const IValue &memory) {
    if (activation.placeholders.contains(addressOf(memory)))
      return;
    Memory &same = enter(memory);
    compare(same.holders.getArrayRef(), /*contents=*/false);
    compare(same.containers.getArrayRef(), /*contents=*/true);
    same.holders.insert(value);
    forEachContained(memory, left, [&](const IValue &inner) {
      Memory &contained = enter(inner);
      compare(contained.holders.getArrayRef(), /*contents=*/true);
      contained.containers.insert(value);
    });
  });
  return status;
}

Status AliasChecker::Observer::checkPair(CheckedGraph &graph, const Value *a, const Value *b, bool contents) const {
  if (a == b || graph.compared.contains({a, b}))
    return okStatus();
  if (!(contents ? graph.aliases.mayContainAlias(a, b) : graph.aliases.mayAlias(a, b)))
    return internalError("alias analysis said that " + describe(a) + " and " + describe(b) +
                         (contents ? " cannot contain each other, but they do" : " cannot share memory, but they do"));
  graph.compared.insert({a, b});
  return okStatus();
}

Status AliasChecker::Observer::checkWrite(const CheckedGraph &graph, const Site &site, const Memory &memory) const {
  auto isSaid = [&](const Value *value) {
    return llvm::any_of(graph.aliases.locations(value), [&](Location location) {
      return std::binary_search(site.effects.writes.begin(), site.effects.writes.end(), location) ||
             (site.effects.writesOutside && graph.aliases.isVisibleOutside(location));
    });
  };
  for (const Value *value : memory.holders)
    if (!isSaid(value))
      return internalError(("alias analysis said that a node " + site.node->kindName() + " does not write " +
                            describe(value) + ", but it did")
                               .str());
  return okStatus();
}
