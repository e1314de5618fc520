//===- GraphTable.h - What a pass knows of values and nodes -----*- C++ -*-===//
//
// Arrays indexed by the ids of one graph's values or nodes. Neighbours in the program
// are neighbours in memory, so that a walk costs the same per node in a large graph
// as in a small one, which it would not with a hash table.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_GRAPHTABLE_H
#define TSC_IR_GRAPHTABLE_H

#include "tsc/IR/Graph.h"

namespace tsc {

/// A map from the values or nodes (`Key`) of one graph to T. An entry that was never set is T(). Values and nodes that
/// are made later may be used as keys, too.
///
/// Threads:  as a std::vector.
/// Errors:   a key of another graph, such as a node's subgraph, gives the entry of an unrelated value, unnoticed.
template <typename Key, typename T> class GraphTable {
public:
  explicit GraphTable(const Graph &graph) { entries.resize(graph.template numIds<Key>()); }

  /// Returns the key's entry, or null where the key is newer than the table. Not available for T = bool.
  const T *find(const Key *key) const { return key->id() < entries.size() ? &entries[key->id()] : nullptr; }
  /// Returns a copy of the key's entry, or T().
  T lookup(const Key *key) const { return key->id() < entries.size() ? entries[key->id()] : T(); }
  /// Returns a reference to the key's entry, valid until the next call with a key that is newer than the table.
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
  /// Adds `key`. Returns whether it is new.
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
