//===- GroupFormation.cpp - Find nodes that may become one ----------------===//
//
// Each node of a block gets a level: that of what it needs, and one more where a
// node of a group lies behind a node outside. Nodes of one level can stand next
// to each other, whatever the order they were in; those that use one another's
// results become a group. (For independent groups the level rises behind every
// candidate, so that no node needs another of its level.) One walk finds the levels, a second one lays the block
// out: a group comes where its last node was, or earlier if somebody needs it.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"
using namespace tsc;

namespace {

/// For each node of a block, the earlier ones that must stay before it: they define what it uses, one of the two writes
/// memory that the other touches, or one may raise and somebody could tell which came first. Not every such pair: the
/// rest follows by transitivity.
class BlockDependences {
public:
  using NodeTest = llvm::function_ref<bool(const Node &)>;
  /// `mayBeGrouped`: which nodes groups will be formed of.
  BlockDependences(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures, NodeTest mayBeGrouped)
      : aliases(aliases), failures(failures) {
    isActed = &block != &block.graph().block();
    for (Node &node : block.nodes()) {
      numbers[&node] = nodes.size();
      nodes.push_back(&node);
    }
    uses.resize(nodes.size());
    memory.resize(nodes.size());
    touches.resize(nodes.size());
    for (unsigned i = 0; i != nodes.size(); ++i)
      visit(i, mayBeGrouped(*nodes[i]));
  }

  std::vector<Node *> nodes;
  std::vector<llvm::SmallVector<unsigned, 4>> uses;   ///< By what they use.
  std::vector<llvm::SmallVector<unsigned, 1>> memory; ///< By what they read and write.
  std::vector<bool> touches; ///< Whether the node writes or is otherwise more than its results.

private:
  /// Accesses of one location, of everything that is visible outside, or of what an exception leaves behind.
  struct Accesses {
    std::optional<unsigned> lastWrite;
    llvm::SmallVector<unsigned, 4> readsSince;
  };
  void visit(unsigned number, bool mayBeGrouped);
  void read(Accesses &accesses, unsigned number) {
    if (accesses.lastWrite)
      memory[number].push_back(*accesses.lastWrite);
    accesses.readsSince.push_back(number);
  }
  void write(Accesses &accesses, unsigned number) {
    if (accesses.lastWrite && *accesses.lastWrite != number)
      memory[number].push_back(*accesses.lastWrite);
    for (unsigned reader : accesses.readsSince)
      if (reader != number) // it may read what it writes
        memory[number].push_back(reader);
    accesses.readsSince.clear();
    accesses.lastWrite = number;
  }

  void visitFailures(unsigned number, bool mayBeGrouped);

  const AliasAnalysis &aliases;
  FailureAnalysis *failures; ///< Null where the order of what may raise does not matter.
  bool isActed;              ///< Something may have been seen before: the call cannot be repeated.
  llvm::DenseMap<const Node *, unsigned> numbers;
  llvm::DenseMap<Location, Accesses> accesses;
  Accesses outside, raising;
};

} // namespace

void BlockDependences::visit(unsigned number, bool mayBeGrouped) {
  const Node &node = *nodes[number];
  if (node.kind() == prim::Constant)
    return;
  MemoryEffects effects = aliases.effects(node);
  auto use = [&](const Value *value) {
    auto at = numbers.find(value->node());
    if (at != numbers.end() && at->second < number) // a wait may run any fork, but none that comes later
      uses[number].push_back(at->second);
  };
  llvm::for_each(node.inputs(), use);
  if (node.numBlocks())
    llvm::for_each(effects.uses, use);
  bool readsOutside = effects.readsOutside;
  bool writesOutside = effects.writesOutside || effects.hasSideEffects || effects.mayLeave;
  touches[number] = writesOutside || !effects.writes.empty();
  for (Location location : effects.reads) {
    if (!aliases.writersOf(location).empty())
      read(accesses[location], number);
    readsOutside |= aliases.isVisibleOutside(location);
  }
  for (Location location : effects.writes) {
    write(accesses[location], number);
    writesOutside |= aliases.isVisibleOutside(location);
  }
  if (writesOutside)
    write(outside, number);
  else if (readsOutside)
    read(outside, number);
  if (failures)
    visitFailures(number, mayBeGrouped);
}

/// An exception shows what was done before it. Nodes that may raise have no order among themselves as long as nothing
/// was done: then the call is repeated. Nodes that may be grouped never have: if two that depended on each other this
/// way came into two groups, neither group could come first.
void BlockDependences::visitFailures(unsigned number, bool mayBeGrouped) {
  const Node &node = *nodes[number];
  const bool acts = aliases.isObservable(node), mayFail = !acts && failures->mayFailWithin(node);
  if (acts || (mayFail && isActed && !mayBeGrouped))
    write(raising, number);
  else if (mayFail)
    read(raising, number);
  isActed |= acts;
}

namespace {

class GroupFormer {
public:
  GroupFormer(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
              BlockDependences::NodeTest mayBeGrouped)
      : block(block), before(block, aliases, failures, mayBeGrouped) {}

  /// Nodes that use one another's results.
  void findConnected(llvm::function_ref<bool(const Node &)> belongs, unsigned smallest);
  /// Nodes of one key that do not need one another.
  void findIndependent(llvm::function_ref<const void *(const Node &)> keyOf, unsigned smallest);
  llvm::DenseSet<const Node *> memberSet() const;
  std::vector<NodeList> layOut();

private:
  using Numbers = llvm::SmallVector<unsigned, 8>;
  /// `steps` tells whether the level rises from a candidate to a node that needs it.
  void findLevels(llvm::function_ref<bool(const Node &)> belongs, llvm::function_ref<bool(unsigned)> steps);
  void addGroup(Numbers part, unsigned smallest);
  bool isMember(unsigned number) const { return groupOf[number] != none; }
  void place(unsigned number);
  template <typename F> void forEachNeed(unsigned number, F &&f) {
    llvm::for_each(before.uses[number], f);
    llvm::for_each(before.memory[number], f);
  }

  static constexpr unsigned none = ~0u;
  Block &block;
  BlockDependences before;
  std::vector<unsigned> level, groupOf;
  std::vector<Numbers> members; ///< By group.
  std::vector<bool> candidate, placed;
  std::vector<Node *> order;
};

} // namespace

void GroupFormer::findLevels(llvm::function_ref<bool(const Node &)> belongs, llvm::function_ref<bool(unsigned)> steps) {
  size_t size = before.nodes.size();
  level.assign(size, 0);
  candidate.assign(size, false);
  groupOf.assign(size, none);
  for (unsigned i = 0; i != size; ++i) {
    candidate[i] = !before.touches[i] && belongs(*before.nodes[i]);
    forEachNeed(
        i, [&](unsigned needed) { level[i] = std::max(level[i], level[needed] + (candidate[needed] && steps(i))); });
  }
}

void GroupFormer::addGroup(Numbers part, unsigned smallest) {
  if (part.empty() || part.size() < smallest)
    return;
  for (unsigned i : part)
    groupOf[i] = members.size();
  members.push_back(std::move(part));
}

void GroupFormer::findConnected(llvm::function_ref<bool(const Node &)> belongs, unsigned smallest) {
  findLevels(belongs, [&](unsigned number) { return !candidate[number]; });
  size_t size = before.nodes.size();
  llvm::IntEqClasses classes(size);
  for (unsigned i = 0; i != size; ++i)
    if (candidate[i])
      for (unsigned needed : before.uses[i])
        if (candidate[needed] && level[needed] == level[i])
          classes.join(i, needed);
  classes.compress();
  std::vector<Numbers> parts(classes.getNumClasses());
  for (unsigned i = 0; i != size; ++i)
    if (candidate[i])
      parts[classes[i]].push_back(i);
  for (Numbers &part : parts)
    addGroup(std::move(part), smallest);
}

void GroupFormer::findIndependent(llvm::function_ref<const void *(const Node &)> keyOf, unsigned smallest) {
  findLevels([&](const Node &node) { return keyOf(node) != nullptr; }, [](unsigned) { return true; });
  llvm::MapVector<std::pair<const void *, unsigned>, Numbers> parts;
  for (unsigned i = 0; i != before.nodes.size(); ++i)
    if (candidate[i])
      parts[{keyOf(*before.nodes[i]), level[i]}].push_back(i);
  for (auto &[key, part] : parts)
    addGroup(std::move(part), smallest);
}

/// Places a node, or all nodes of its group, after all that they need.
void GroupFormer::place(unsigned number) {
  llvm::SmallVector<std::pair<unsigned, bool>> pending{{number, false}}; // and whether its needs are placed
  while (!pending.empty()) {
    auto [next, ready] = pending.pop_back_val();
    if (placed[next])
      continue;
    ArrayRef<unsigned> unit = isMember(next) ? ArrayRef<unsigned>(members[groupOf[next]]) : ArrayRef<unsigned>(next);
    if (ready) {
      for (unsigned i : unit) {
        placed[i] = true;
        order.push_back(before.nodes[i]);
      }
      continue;
    }
    pending.push_back({next, true});
    llvm::SmallVector<unsigned, 4> missing;
    for (unsigned i : unit)
      forEachNeed(i, [&](unsigned needed) {
        bool isSameGroup = isMember(needed) && groupOf[needed] == groupOf[next];
        if (!placed[needed] && !isSameGroup)
          missing.push_back(needed);
      });
    llvm::sort(missing, std::greater<unsigned>()); // the first one is taken first
    for (unsigned needed : missing)
      pending.push_back({needed, false});
  }
}

llvm::DenseSet<const Node *> GroupFormer::memberSet() const {
  llvm::DenseSet<const Node *> all;
  for (const Numbers &part : members)
    for (unsigned number : part)
      all.insert(before.nodes[number]);
  return all;
}

std::vector<NodeList> GroupFormer::layOut() {
  std::vector<NodeList> groups;
  if (members.empty())
    return groups;
  placed.assign(before.nodes.size(), false);
  for (unsigned i = 0; i != before.nodes.size(); ++i)
    if (!isMember(i) || members[groupOf[i]].back() == i)
      place(i);
  if (order != before.nodes)
    for (Node *node : order)
      node->moveBefore(&block.returnNode());
  for (const auto &part : members) {
    NodeList &group = groups.emplace_back();
    for (unsigned i : part)
      group.push_back(before.nodes[i]);
  }
  return groups;
}

/// How often groups are formed anew without what no group took. More are hardly ever needed, and each costs as much as
/// the first.
static constexpr unsigned maxRounds = 8;

std::vector<NodeList> tsc::formGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                      llvm::function_ref<bool(const Node &)> belongs, unsigned smallest) {
  if (llvm::none_of(block.nodes(), belongs))
    return {};
  if (!failures || !aliases.hasObservableEffects()) { // a call that fails is repeated as it is written
    GroupFormer former(block, aliases, nullptr, belongs);
    former.findConnected(belongs, smallest);
    return former.layOut();
  }
  // What no group took keeps its order like any other node, and may keep nodes apart that were together.
  llvm::DenseSet<const Node *> taken;
  for (const Node &node : block.nodes())
    if (belongs(node))
      taken.insert(&node);
  for (unsigned round = 1;; ++round) {
    auto isTaken = [&](const Node &node) { return taken.contains(&node); };
    GroupFormer former(block, aliases, failures, isTaken);
    former.findConnected(isTaken, smallest);
    const size_t before = taken.size();
    taken = former.memberSet();
    if (taken.size() == before || round == maxRounds)
      return former.layOut();
  }
}

std::vector<NodeList> tsc::formIndependentGroups(Block &block, const AliasAnalysis &aliases, FailureAnalysis *failures,
                                                 llvm::function_ref<const void *(const Node &)> keyOf,
                                                 unsigned smallest) {
  if (llvm::none_of(block.nodes(), keyOf))
    return {};
  if (failures && !aliases.hasObservableEffects())
    failures = nullptr; // a call that fails is repeated as it is written
  GroupFormer former(block, aliases, failures, [&](const Node &node) { return keyOf(node) != nullptr; });
  former.findIndependent(keyOf, smallest);
  return former.layOut();
}
