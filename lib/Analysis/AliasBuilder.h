//===- AliasBuilder.h - From a graph to its MemoryDAG -----------*- C++ -*-===//
//
// Visits the nodes in program order and records what each points to what, and
// what each writes. The DAG is solved after every node, so that nearly
// everything is known when it is first asked for.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_ANALYSIS_ALIASBUILDER_H
#define TSC_LIB_ANALYSIS_ALIASBUILDER_H

#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tsc {

/// Walks a graph once and notes in an AliasAnalysis what each value may share memory with, and what each node reads and
/// writes.
class AliasBuilder {
public:
  explicit AliasBuilder(AliasAnalysis &result) : result(result), memory(result.memory) {}
  /// Visits the nodes of the graph, and those of its blocks and subgraphs.
  void run(const Graph &graph);

private:
  friend class SchemaAliases;
  /// A write or read whose locations are known when all is solved. `field` says that an attribute is meant.
  struct PendingAccess {
    Node *node;
    Element element;
    Field field;
    bool isWrite;
  };

  Element elementOf(const Value *value);
  void makeFresh(Element element, const Type *type, const Value *origin);
  AliasAnalysis::Access &accessOf(Node &node);
  void write(Node &node, Element element, Field field = Field::Contents);
  /// The node that stands for `node` in the graph that is analyzed: the holder of the subgraph it is in.
  Node &standIn(Node &node) { return holder ? *holder : node; }

  void visitBlock(const Block &block);
  void visit(Node &node);
  bool visitStructure(Node &node);
  bool visitGroup(Node &node);
  bool visitByFacts(Node &node);
  void visitConstant(Node &node);
  Element elementOfConstant(const IValue &constant, const Type *type, const Value *origin);
  void visitIf(Node &node);
  void visitLoop(Node &node);
  void visitSubgraph(Node &node, const Graph &subgraph);
  void visitBailOut(Node &node);
  void visitFork(Node &node);
  void visitWait(Node &node);
  void visitTupleAccess(Node &node);
  void visitDictConstruct(Node &node);
  void visitAttribute(Node &node);
  void passThrough(Node &node);
  void joinAll(Node &node);
  void visitUnknown(Node &node);
  void accessGradMode(Node &node);
  void finishWaits();
  void resolveAccesses();
  void markDeeplyWritten();

  AliasAnalysis &result;
  MemoryDAG &memory;
  Node *holder = nullptr;
  std::optional<Element> gradMode; ///< Where something in the graph may switch it.
  std::vector<PendingAccess> pending;
  llvm::SmallVector<Node *, 0> waits;
  llvm::SmallVector<Element, 0> returned;                   ///< What the graphs of bailouts return.
  llvm::DenseMap<const void *, Location> constantLocations; ///< The location of constants that share a payload.
  llvm::SmallPtrSet<const Graph *, 4> open;                 ///< Subgraphs being visited.
};

/// What a call of an operator does, read off its schema.
class SchemaAliases {
public:
  SchemaAliases(AliasBuilder &builder, Node &node, const FunctionSchema &schema)
      : builder(builder), memory(builder.memory), node(node), schema(schema) {}
  /// Notes what the call reads, writes, keeps and returns.
  void apply();

private:
  bool isLeftAlone(const Argument &argument) const;
  void bindArgument(const AliasInfo &info, Element element, const Type *type);
  void bindVariables(const Type *pattern, Element element, const Type *type);
  void storeElements();
  void bindReturn(const AliasInfo *info, const Type *pattern, Element element, const Type *type, const Value *origin);
  void bindFresh(const Type *pattern, Element element, const Type *type, const Value *origin, const AliasInfo *info);
  bool bindElementOfArguments(Element element, const Type *type);
  bool bindHeld(Element element, const Type *wanted, Element held, const Type *type);
  Element contentsOf(Element container, const Type *type);

  AliasBuilder &builder;
  MemoryDAG &memory;
  Node &node;
  const FunctionSchema &schema;
  bool isGeneric = false;                                   ///< Some argument's type has a variable.
  llvm::StringMap<llvm::SmallVector<Element, 2>> sets;      ///< Alias sets by letter.
  llvm::StringMap<llvm::SmallVector<Element, 2>> variables; ///< What arguments hold where the schema says `t`.
  llvm::SmallVector<std::string, 1> writtenSets;
  llvm::SmallVector<Element, 2> stored; ///< Arguments marked `-> *`.
  llvm::SmallVector<std::pair<Element, const Type *>, 2>
      writtenContainers; ///< Containers that are written to, with the schema's types.
};

} // namespace tsc

#endif
