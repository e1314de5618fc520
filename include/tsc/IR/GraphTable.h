//===- GraphTable.h - What a pass knows of values and nodes -----*- C++ -*-===//
//
// Arrays by the numbers of one graph's values or nodes. Neighbours in the program
// are neighbours in memory, so that a walk costs the same per node in a large graph
// as in a small one, which it would not with a hash table.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_GRAPHTABLE_H
#define TSC_IR_GRAPHTABLE_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// From values or nodes (`Key`) of one graph to T; T() for those that nobody has set. New ones may come at any time.
///
/// Threads:  as a vector. Errors: keys of other graphs, such as a node's subgraph, must not be given: their numbers are
///           others' here.
template <typename Key, typename T> class GraphTable {
public:
  explicit GraphTable(const Graph &graph) { entries.resize(graph.template numIds<Key>()); }

  /// Null: newer than the table. Not for bool.
  const T *find(const Key *key) const { return key->id() < entries.size() ? &entries[key->id()] : nullptr; }
  T lookup(const Key *key) const { return key->id() < entries.size() ? entries[key->id()] : T(); }
  /// Good until the next call with a key that is newer than the table.
  typename std::vector<T>::reference operator[](const Key *key) {
    if (key->id() >= entries.size())
      entries.resize(key->id() + key->id() / 2 + 1);
    return entries[key->id()];
  }

private:
  std::vector<T> entries;
};

/// A set of values or nodes of one graph.
template <typename Key> class GraphSet {
public:
  explicit GraphSet(const Graph &graph) : members(graph) {}

  bool contains(const Key *key) const { return members.lookup(key); }
  /// Whether it is new.
  bool insert(const Key *key) {
    auto isMember = members[key];
    bool isNew = !isMember;
    isMember = true;
    return isNew;
  }
  void erase(const Key *key) {
    if (contains(key))
      members[key] = false;
  }

private:
  GraphTable<Key, bool> members;
};

} // namespace tsc

#endif
