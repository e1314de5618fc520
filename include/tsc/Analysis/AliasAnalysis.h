//===- AliasAnalysis.h - Who shares memory, and who writes it ---*- C++ -*-===//
//
// What passes ask before they move, merge or erase a node of a program that
// mutates: may two values share memory, who writes it, can anybody outside see
// it, may this node go past that one.
//
// The answers do not depend on the order of nodes and hold while nodes are only
// moved or erased. Values that are newer than the analysis are assumed to alias
// everything of their kind, except constants, which alias nothing. What an operator writes and returns is read off the
// annotations of its schema; type variables tell where the elements of
// containers go. Building is linear in practice, a query touches a handful of
// numbers.
//
// What is assumed: inputs of the graph and attributes of objects from outside may
// alias each other, type by type; a constant's storage is not an input's. Code
// that is not seen (calls, operators without a schema) reads and writes all that
// it can reach.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_ALIASANALYSIS_H
#define TSC_ANALYSIS_ALIASANALYSIS_H

#include "tsc/Analysis/MemoryDAG.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class Block;
class Graph;
class Node;

/// What a node does to memory, the nodes in its blocks and subgraph included.
struct MemoryEffects {
  llvm::SmallVector<Location, 2> reads, writes; ///< Sorted.
  llvm::SmallVector<Value *, 4> uses;           ///< Values from around the node that it needs; sorted.
  bool readsOutside = false;                    ///< Anything that is visible outside.
  bool writesOutside = false;
  bool hasSideEffects = false; ///< Other than on memory: prints, random numbers, …
  bool mayLeave = false;       ///< Raises, returns, breaks: what comes after may not run.
};

/// Whether the node draws random numbers, or seeds the generator: whoever repeats a call has to put the generator back.
bool changesGenerator(const Node &node);

class AliasAnalysis {
public:
  explicit AliasAnalysis(const Graph &graph);
  ~AliasAnalysis();
  AliasAnalysis(const AliasAnalysis &) = delete;

  // Values. A tuple counts as its fields.

  /// Whether writing what one refers to may change what the other refers to. Elements of lists do not count.
  bool mayAlias(const Value *a, const Value *b) const;
  bool mayAlias(llvm::ArrayRef<const Value *> a, llvm::ArrayRef<const Value *> b) const;
  /// The same for all that can be reached through containers and attributes of the two.
  bool mayContainAlias(const Value *a, const Value *b) const;
  bool mayContainAlias(llvm::ArrayRef<const Value *> a, llvm::ArrayRef<const Value *> b) const;
  /// Whether values of its type can be written at all.
  static bool isMutable(const Value *value);
  /// Whether some node may write what the value refers to, or anything that it contains.
  bool hasWriters(const Value *value) const;
  /// The nodes that may write what the value refers to or contains, in program order. A node that holds a subgraph
  /// stands for the nodes in it.
  llvm::SmallVector<Node *, 4> writers(const Value *value) const;
  /// Whether somebody outside can see what the value refers to, during the call or after it.
  bool escapes(const Value *value) const;
  /// The same for what the value refers to and all that it contains.
  bool reachesEscaping(const Value *value) const;

  // Nodes.

  /// Whether some node may write what this one reads or returns.
  bool hasWriters(const Node &node) const;
  /// Whether somebody outside can see memory that a result is or contains and no operand does: a fresh one each time.
  bool makesEscaping(const Node &node) const;
  bool hasInputWriters(const Node &node) const;
  bool hasOutputWriters(const Node &node) const;
  /// Whether the node may write what the value refers to, or anything that it contains.
  bool writesTo(const Node &node, const Value *value) const;
  bool writesTo(const Node &node, llvm::ArrayRef<const Value *> values) const;
  /// Whether the node, or one inside it, may write anything.
  bool mayWrite(const Node &node) const;
  /// Whether a write of the node can be seen from outside the graph. Nodes in its blocks answer for themselves.
  bool isWriteObservable(const Node &node) const;
  /// Whether the node does something besides its results and its writes: Node::hasSideEffects without what this
  /// analysis follows (attributes set, subgraphs run). Nodes in its blocks answer for themselves.
  bool hasSideEffects(const Node &node) const;
  /// Whether somebody outside can see that the node, or one in its blocks, has run: it prints, writes to what is known
  /// outside, or runs code that might. Raising and what random numbers do to their generator do not count.
  bool isObservable(const Node &node) const;
  /// Whether the graph has such nodes.
  bool hasObservableEffects() const;
  MemoryEffects effects(const Node &node) const;
  /// Whether `first`, which runs before `second`, must stay before it.
  bool mustPrecede(const Node &first, const Node &second) const;

  // Moves, within one block. Each reorders nodes so that every value is still defined before its uses and every read
  // still sees the same writes; nodes in between that `node` needs, or that need it, move along.

  bool moveAfterTopologicallyValid(Node *node, Node *point) const;
  bool moveBeforeTopologicallyValid(Node *node, Node *point) const;
  bool couldMoveAfterTopologically(const Node *node, const Node *point) const;
  bool couldMoveBeforeTopologically(const Node *node, const Node *point) const;

  // Memory, for passes that follow it themselves.

  llvm::SmallVector<Location, 4> locations(const Value *value) const;
  /// In program order; without nodes that write everything outside.
  llvm::ArrayRef<Node *> writersOf(Location location) const;
  /// Nodes that write everything that is visible outside.
  llvm::ArrayRef<Node *> unknownWriters() const { return unknown; }
  bool isVisibleOutside(Location location) const { return memory.isVisibleOutside(location); }
  size_t numLocations() const { return memory.numLocations(); }

  // Keeping up with a pass.

  /// `added` is a copy of `existing`: it refers to the same memory.
  void copyValue(const Value *existing, const Value *added);

  /// For each value its memory, for each node what it writes.
  void print(llvm::raw_ostream &os) const;

private:
  bool hasObservableEffects(const Block &block) const;
  friend class AliasBuilder;
  /// What a node without blocks writes, and what a node with a subgraph reads.
  struct Access {
    llvm::SmallVector<Location, 2> writes, reads;
    unsigned order = 0; ///< Of the program.
    bool isUnknown = false, hasSideEffects = false, holdsSubgraph = false, waits = false;
  };
  std::optional<Element> knownElement(const Value *value) const;
  std::optional<Element> elementOf(const Value *value) const;
  void setElement(const Value *value, Element element);
  /// Whether what `writer` writes is read or written by `other`.
  bool disturbs(const MemoryEffects &writer, const MemoryEffects &other) const;
  void collectReads(const Node &node, MemoryEffects &effects) const;
  void readDeeply(llvm::ArrayRef<Location> locations, MemoryEffects &effects) const;
  /// Kept for a node that holds others, put into `storage` for any other.
  const MemoryEffects &effectsOf(const Node &node, MemoryEffects &storage) const;
  void collectEffects(const Node &node, MemoryEffects &effects) const;
  bool mustPrecede(const MemoryEffects &first, const MemoryEffects &second) const;
  enum class Side { Before, After };
  bool planMove(const Node *node, const Node *point, Side side, llvm::SmallVectorImpl<Node *> &along) const;
  bool tryMove(Node *node, Node *point, Side side) const;

  const Graph &graph;
  MemoryDAG memory;
  /// Of the graph's own values by number, which is never used twice; of the values in subgraphs by address.
  std::vector<std::optional<Element>> elementOfNumber;
  llvm::DenseMap<const Value *, Element> elementsInSubgraphs;
  llvm::MapVector<const Node *, Access> accesses;
  /// By location: which list holds its writers. Most locations have none, and the first list, which is empty.
  std::vector<unsigned> writerListOf;
  std::vector<llvm::SmallVector<Node *, 0>> writerLists{1};
  std::vector<bool> deeplyWritten; ///< By location: it, or something that it contains, is written.
  llvm::SmallVector<Node *, 0> unknown, forks;
  mutable llvm::DenseMap<const Node *, std::unique_ptr<MemoryEffects>> effectsOfHolders;
};

} // namespace tsc

#endif
