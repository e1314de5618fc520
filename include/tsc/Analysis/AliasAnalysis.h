//===- AliasAnalysis.h - Who shares memory, and who writes it ---*- C++ -*-===//
//
// Passes ask this analysis before they move, merge or erase a node of a program
// that mutates values: whether two values may share memory, which nodes write it,
// whether it is visible outside of the graph, and whether two nodes may change places.
//
// The answers do not depend on the order of nodes and hold while nodes are only
// moved or erased. Values that are newer than the analysis are assumed to alias
// everything of their kind, except constants, which alias nothing. What an operator writes and returns is read off the
// annotations of its schema; type variables tell where the elements of
// containers go. Building is linear in practice; the cost of a query hardly depends
// on the size of the graph.
//
// It assumes that inputs of the graph and attributes of objects from outside may
// alias each other where their types agree, that a constant's storage is not an
// input's, and that unseen code (calls, operators without a schema) reads and writes
// all that it can reach.
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

/// The effects of a node on memory and beyond, those of the nodes in its blocks and subgraph included.
struct MemoryEffects {
  llvm::SmallVector<Location, 2> reads, writes; ///< Locations it may read and write; sorted.
  llvm::SmallVector<Value *, 4> uses;           ///< The values from around the node that it needs; sorted.
  bool readsOutside = false;                    ///< It may read any memory that is visible outside.
  bool writesOutside = false;                   ///< It may write any memory that is visible outside.
  bool hasSideEffects = false;                  ///< It does something besides: prints, draws random numbers, …
  bool mayLeave = false;                        ///< It raises, returns or breaks, and what comes after may not run.
};

/// Whether the node draws random numbers or seeds the generator, whose state has to be restored before a call is
/// repeated.
bool changesGenerator(const Node &node);

/// The alias analysis of one graph, made as a whole by the constructor. The graph must outlive it.
///
/// Threads:  one at a time, since queries cache their results.
class AliasAnalysis {
public:
  explicit AliasAnalysis(const Graph &graph);
  ~AliasAnalysis();
  AliasAnalysis(const AliasAnalysis &) = delete;

  // Values. A tuple stands for its fields.

  /// Whether the two may refer to the same memory, so that a write through one changes the other. What containers hold
  /// does not count.
  bool mayAlias(const Value *a, const Value *b) const;
  /// Whether some value of `a` may alias some value of `b`.
  bool mayAlias(llvm::ArrayRef<const Value *> a, llvm::ArrayRef<const Value *> b) const;
  /// Whether memory that can be reached from `a`, through containers and attributes, may also be reached from `b`.
  bool mayContainAlias(const Value *a, const Value *b) const;
  /// Whether some memory may be reached from a value of `a` and from a value of `b`.
  bool mayContainAlias(llvm::ArrayRef<const Value *> a, llvm::ArrayRef<const Value *> b) const;
  /// Whether values of its type can be written, or hold what can.
  static bool isMutable(const Value *value);
  /// Whether some node may write what the value refers to, or anything that it contains.
  bool hasWriters(const Value *value) const;
  /// Returns the nodes that may write what the value refers to or contains, in program order. A node that holds a
  /// subgraph stands for the nodes in it. The value must not be newer than the analysis.
  llvm::SmallVector<Node *, 4> writers(const Value *value) const;
  /// Whether code outside of the graph can see the memory that the value refers to, during the call or after it.
  bool escapes(const Value *value) const;
  /// Whether code outside of the graph can see the memory that the value refers to, or any that it contains.
  bool reachesEscaping(const Value *value) const;

  // Nodes.

  /// Whether some node may write what an input or output of this one refers to or contains.
  bool hasWriters(const Node &node) const;
  /// Whether the node makes memory, new with each run, that code outside of the graph can see: its results reach it,
  /// its operands do not.
  bool makesEscaping(const Node &node) const;
  /// Whether some node may write what an input refers to or contains.
  bool hasInputWriters(const Node &node) const;
  /// Whether some node may write what an output refers to or contains.
  bool hasOutputWriters(const Node &node) const;
  /// Whether the node may write what the value refers to, or anything that it contains.
  bool writesTo(const Node &node, const Value *value) const;
  /// Whether the node may write what one of the values refers to, or anything that it contains.
  bool writesTo(const Node &node, llvm::ArrayRef<const Value *> values) const;
  /// Whether the node, or one inside it, may write anything.
  bool mayWrite(const Node &node) const;
  /// Whether a write of the node can be seen from outside the graph. Nodes in its blocks answer for themselves.
  bool isWriteObservable(const Node &node) const;
  /// Whether the node does something besides computing results and writing memory. Differs from Node::hasSideEffects()
  /// in what this analysis follows: attributes that are set and subgraphs that run. Nodes in its blocks answer for
  /// themselves.
  bool hasSideEffects(const Node &node) const;
  /// Whether code outside can see that the node, or one in its blocks, has run: it prints, writes memory that outlives
  /// the call, or runs code that might. Raising does not count, nor does a change of the random generator.
  bool isObservable(const Node &node) const;
  /// Whether a node of the graph isObservable().
  bool hasObservableEffects() const;
  /// Returns the effects of the node, those of its blocks and subgraph included.
  MemoryEffects effects(const Node &node) const;
  /// Whether `first`, which runs before `second`, must stay before it: one may write what the other reads or writes,
  /// both have side effects, one may leave before the other's write, or `second` uses a result of `first`.
  bool mustPrecede(const Node &first, const Node &second) const;

  // Moves within one block. They keep every value defined before its uses, and every read behind the same writes. Nodes
  // in between that `node` needs, or that need it, move along. `point` may be the block's paramNode() or returnNode().

  /// Moves `node` to behind `point`. Returns false, and moves nothing, where that is not possible.
  bool moveAfterTopologicallyValid(Node *node, Node *point) const;
  /// Moves `node` to before `point`. Returns false, and moves nothing, where that is not possible.
  bool moveBeforeTopologicallyValid(Node *node, Node *point) const;
  /// Whether moveAfterTopologicallyValid() would succeed.
  bool couldMoveAfterTopologically(const Node *node, const Node *point) const;
  /// Whether moveBeforeTopologicallyValid() would succeed.
  bool couldMoveBeforeTopologically(const Node *node, const Node *point) const;

  // Memory, for passes that follow it themselves.

  /// Returns the locations that the value may refer to, sorted; none for a value that is newer than the analysis.
  llvm::SmallVector<Location, 4> locations(const Value *value) const;
  /// Returns the nodes that may write the location, in program order, without unknownWriters().
  llvm::ArrayRef<Node *> writersOf(Location location) const;
  /// Returns the nodes that run unseen code, and so may write everything that is visible outside.
  llvm::ArrayRef<Node *> unknownWriters() const { return unknown; }
  /// Whether unseen code can reach the location while the graph runs.
  bool isVisibleOutside(Location location) const { return memory.isVisibleOutside(location); }
  size_t numLocations() const { return memory.numLocations(); }

  // Keeping up with a pass.

  /// Notes that the new value `added` refers to the same memory as `existing`.
  void copyValue(const Value *existing, const Value *added);

  /// Prints the memory of each value and what each node writes, for tests.
  void print(llvm::raw_ostream &os) const;

private:
  bool hasObservableEffects(const Block &block) const;
  friend class AliasBuilder;
  /// The locations that a node without blocks writes, and that a node with a subgraph reads.
  struct Access {
    llvm::SmallVector<Location, 2> writes, reads;
    unsigned order = 0; ///< The node's position in program order.
    bool isUnknown = false, hasSideEffects = false, holdsSubgraph = false, waits = false;
  };
  std::optional<Element> knownElement(const Value *value) const;
  std::optional<Element> elementOf(const Value *value) const;
  void setElement(const Value *value, Element element);
  /// Whether what `writer` writes is read or written by `other`.
  bool disturbs(const MemoryEffects &writer, const MemoryEffects &other) const;
  void collectReads(const Node &node, MemoryEffects &effects) const;
  void readDeeply(llvm::ArrayRef<Location> locations, MemoryEffects &effects) const;
  /// Returns the effects of a node: cached for one that holds others, put into `storage` for any other.
  const MemoryEffects &effectsOf(const Node &node, MemoryEffects &storage) const;
  void collectEffects(const Node &node, MemoryEffects &effects) const;
  bool mustPrecede(const MemoryEffects &first, const MemoryEffects &second) const;
  enum class Side { Before, After };
  bool planMove(const Node *node, const Node *point, Side side, llvm::SmallVectorImpl<Node *> &along) const;
  bool tryMove(Node *node, Node *point, Side side) const;

  const Graph &graph;
  MemoryDAG memory;
  /// The elements of the graph's own values, by id. Those of values in subgraphs are found by address.
  std::vector<std::optional<Element>> elementOfNumber;
  llvm::DenseMap<const Value *, Element> elementsInSubgraphs;
  llvm::MapVector<const Node *, Access> accesses;
  /// The index into `writerLists` of each location. Most have no writers, and share the first list, which is empty.
  std::vector<unsigned> writerListOf;
  std::vector<llvm::SmallVector<Node *, 0>> writerLists{1};
  std::vector<bool> deeplyWritten; ///< Whether each location, or something that it contains, is written.
  llvm::SmallVector<Node *, 0> unknown, forks;
  mutable llvm::DenseMap<const Node *, std::unique_ptr<MemoryEffects>> effectsOfHolders;
};

} // namespace tsc

#endif
