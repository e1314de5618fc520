//===- Graph.h - Graphs, blocks, nodes and values ---------------*- C++ -*-===//
//
// A Graph owns everything in it; all pointers into it are plain. Node lists and
// use lists are intrusive: insert, erase, move and replace cost O(1) an element,
// also for a value with 100,000 uses.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_GRAPH_H
#define TSC_IR_GRAPH_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Symbol.h"
#include "tsc/Support/Source.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/ilist_node.h"
#include "llvm/ADT/iterator.h"
#include "llvm/ADT/iterator_range.h"
#include "llvm/ADT/simple_ilist.h"
#include "llvm/Support/Allocator.h"
#include <atomic>
#include <memory>
#include <variant>

namespace tsc {

class Block;
class Context;
class FunctionSchema;
class Graph;
class Node;
class Operator;
class Value;

/// A point in the scope tree: `, scope: __module.Foo/__module.bar.Baz`. Uniqued by its graph; null is the root.
struct Scope {
  const Scope *parent;
  std::string name;
  std::string path() const; ///< "a/b/c"
};

/// One operand: which node reads a value, and at which position. Links into the value's use list.
class Use {
public:
  Node *user() const { return owner; }
  unsigned index() const;
  Value *get() const { return used; }
  void set(Value *value);
  Use *next() const { return nextUse; }

private:
  friend class Node;
  friend class Value;
  Value *used = nullptr;
  Node *owner = nullptr;
  Use *nextUse = nullptr;
  Use **link = nullptr; ///< What points at this use.
};

class UseIterator : public llvm::iterator_facade_base<UseIterator, std::forward_iterator_tag, Use> {
public:
  explicit UseIterator(Use *use = nullptr) : use(use) {}
  Use &operator*() const { return *use; }
  UseIterator &operator++() {
    use = use->next();
    return *this;
  }
  bool operator==(const UseIterator &o) const { return use == o.use; }

private:
  Use *use;
};

/// Defined by a node (an output) or a block (a parameter).
class Value {
public:
  const Type *type() const { return valueType; }
  Value *setType(const Type *type) {
    valueType = type;
    return this;
  }
  /// The node that defines it; for a block parameter, the block's parameter node.
  Node *node() const { return owner; }
  unsigned offset() const { return position; } ///< Among the node's outputs.
  /// The node that computes it; null for a parameter of the graph; the holder of the block for another parameter.
  Node *definingNode() const;
  Graph &graph() const;
  Block &block() const; ///< In which it is visible.
  /// A number unique within the graph, never reused.
  unsigned id() const { return number; }

  llvm::iterator_range<UseIterator> uses() const { return {UseIterator(firstUse), UseIterator()}; }
  bool hasUses() const { return firstUse; }
  bool hasOneUse() const { return firstUse && !firstUse->next(); }
  unsigned numUses() const { return useCount; }
  void replaceAllUsesWith(Value *other);

  /// A value without a name prints as its id.
  bool hasName() const { return nameEntry; }
  StringRef name() const { return nameEntry ? nameEntry->getKey() : StringRef(); }
  std::string displayName() const; ///< Without '%'.
  /// Makes the name unique in the graph as PyTorch does (x, x.1, x.2, …). An empty name takes it away.
  Value *setName(StringRef name);

private:
  friend class Use;
  friend class Node;
  friend class Graph;
  friend class Block;
  ~Value() = default;
  Value(Node *owner, unsigned position, const Type *type, unsigned number)
      : owner(owner), valueType(type), position(position), number(number) {}
  Node *owner;
  const Type *valueType;
  Use *firstUse = nullptr;
  unsigned position, number, useCount = 0;
  const llvm::StringMapEntry<Value *> *nameEntry = nullptr; ///< In the graph's table of names.
};

/// Attribute values of every kind the IR has. Strings and numbers, tensors, graphs, types, any IValue; lists of them.
using AttributeValue = std::variant<int64_t, double, std::complex<double>, std::string, Tensor, std::shared_ptr<Graph>,
                                    const Type *, IValue, std::vector<int64_t>, std::vector<double>,
                                    std::vector<std::complex<double>>, std::vector<std::string>, std::vector<Tensor>,
                                    std::vector<std::shared_ptr<Graph>>, std::vector<const Type *>>;
struct NamedAttribute {
  Symbol name;
  AttributeValue value;
};

/// An operation: its kind, operands, results, blocks and attributes.
///
/// Ownership:  belongs to its graph from `create` to `erase`, inserted or not; owns its outputs and blocks. A
///             pointer to a node or value is good until that is erased, and its address is never used again.
/// Threads:    as its graph. What op() looks up and the order of isBefore() are kept in the node: asking writes, too.
/// Errors:     a position out of range, an attribute of another kind, or the erasure of what is used is asserted.
class Node : public llvm::ilist_node<Node> {
public:
  Symbol kind() const { return nodeKind; }
  void setKind(Symbol kind) {
    nodeKind = kind;
    forgetOp();
  }
  Graph &graph() const { return *ownerGraph; }
  unsigned id() const { return number; }      ///< Unique within the graph, never used again.
  Block *block() const { return ownerBlock; } ///< Null while it is not inserted.
  /// The node whose block holds this one; null at the top.
  Node *parentNode() const;

  // The overload. Looked up from kind and input types on first question and kept until inputs or kind change.
  const Operator *op() const; ///< Null when no overload is known.
  void setOp(const Operator *op) {
    resolved.store(op, std::memory_order_relaxed);
    opLookedUp.store(true, std::memory_order_release);
  }
  const OpRecord *record() const; ///< Null when unknown or registered at run time.
  OpKind opKind() const;          ///< OpKind::Unknown when there is no record.
  const FunctionSchema *schema() const;
  bool hasTrait(Trait trait) const;
  /// Printing, raising, state of the generator, attributes set, …: must stay even when no output is used.
  bool hasSideEffects() const;

  // Inputs.
  unsigned numInputs() const { return inputCount; }
  Value *input(unsigned i = 0) const {
    assert(i < inputCount);
    return operands[i].used;
  }
  auto inputs() const {
    return llvm::map_range(ArrayRef<Use>(operands, inputCount), [](const Use &u) { return u.get(); });
  }
  llvm::SmallVector<Value *, 4> inputVector() const;
  Value *namedInput(StringRef name) const; ///< By the schema's argument name; null when there is none.
  Value *addInput(Value *value);
  void insertInput(unsigned index, Value *value);
  void setInput(unsigned index, Value *value);
  void eraseInput(unsigned index);
  void eraseAllInputs();
  Use &use(unsigned i) { return operands[i]; }

  // Outputs.
  ArrayRef<Value *> outputs() const { return outputList; }
  unsigned numOutputs() const { return outputList.size(); }
  Value *output() const {
    assert(outputList.size() == 1);
    return outputList[0];
  }
  Value *output(unsigned i) const { return outputList[i]; }
  Value *addOutput(const Type *type = Type::tensorType());
  Value *insertOutput(unsigned index, const Type *type = Type::tensorType());
  void eraseOutput(unsigned index); ///< It must have no uses.
  void replaceAllUsesWith(Node *other);

  // Blocks.
  unsigned numBlocks() const { return blockList.size(); }
  Block &block(unsigned i) const { return *blockList[i]; }
  auto blocks() const { return llvm::make_pointee_range(blockList); }
  Block &addBlock();
  void eraseBlock(unsigned i);

  // Attributes, in order of setting.
  ArrayRef<NamedAttribute> attributes() const { return attrs; }
  const AttributeValue *attribute(Symbol name) const;
  bool hasAttribute(Symbol name) const { return attribute(name); }
  template <typename T> const T &get(Symbol name) const { return std::get<T>(*attribute(name)); }
  void setAttribute(Symbol name, AttributeValue value);
  void removeAttribute(Symbol name);

  // Position.
  Node *insertBefore(Node *other);
  Node *insertAfter(Node *other);
  void moveBefore(Node *other);
  void moveAfter(Node *other);
  void removeFromBlock(); ///< Unlinks; stays owned by the graph.
  void erase();           ///< No output may have uses. Erases its blocks too.
  Node *next() const;     ///< Null at the end (the return node is not in the list).
  Node *previous() const;
  /// Whether this comes before `other` in execution order; both in one graph. Amortized O(1) within a block.
  bool isBefore(const Node *other) const;

  SourceRange range() const { return location; }
  void setRange(SourceRange r) { location = r; }
  const Scope *scope() const { return nodeScope; }
  void setScope(const Scope *s) { nodeScope = s; }

private:
  friend class Block;
  friend class Graph;
  friend class Use;
  Node(Graph &graph, Symbol kind, unsigned number) : nodeKind(kind), ownerGraph(&graph), number(number) {}
  ~Node();
  void forgetOp() {
    opLookedUp.store(false, std::memory_order_relaxed);
    resolved.store(nullptr, std::memory_order_relaxed);
  }
  void reserveOperands(unsigned capacity);
  void freeOperands();
  // What every walk reads comes first, in one cache line.
  Symbol nodeKind;
  unsigned inputCount = 0, inputCapacity = 0;
  // Threads may ask about a graph that nobody changes.
  mutable std::atomic<bool> opLookedUp = false;
  Use *operands = nullptr;
  llvm::SmallVector<Block *, 0> blockList;
  mutable std::atomic<const Operator *> resolved = nullptr;
  llvm::SmallVector<Value *, 1> outputList;
  Block *ownerBlock = nullptr;
  mutable uint64_t order = 0; ///< Position in the block, with gaps; see isBefore.
  SourceRange location;
  const Scope *nodeScope = nullptr;
  llvm::SmallVector<NamedAttribute, 0> attrs;
  Graph *ownerGraph;
  unsigned ownerIndex = 0; ///< In the graph's list of all its nodes.
  unsigned number;
};

/// Parameters, nodes in order, and what it returns. Parameters are outputs of paramNode(); what it returns are inputs
/// of returnNode(); neither of these two is in nodes().
class Block {
public:
  Graph &graph() const { return ownerGraph; }
  Node *owner() const { return ownerNode; } ///< Null for the graph's top block.
  Node &paramNode() const { return *params; }
  Node &returnNode() const { return *returns; }
  ArrayRef<Value *> inputs() const { return params->outputs(); }
  auto outputs() const { return returns->inputs(); }
  unsigned numOutputs() const { return returns->numInputs(); }
  Value *addInput(StringRef name = "", const Type *type = Type::tensorType());
  Value *insertInput(unsigned index, const Type *type = Type::tensorType());
  void eraseInput(unsigned index) { params->eraseOutput(index); }
  unsigned addOutput(Value *value) {
    returns->addInput(value);
    return returns->numInputs() - 1;
  }
  void eraseOutput(unsigned index) { returns->eraseInput(index); }

  using NodeList = llvm::simple_ilist<Node>;
  NodeList &nodes() { return list; }
  const NodeList &nodes() const { return list; }
  bool empty() const { return list.empty(); }
  Node *append(Node *node);
  Node *prepend(Node *node);

private:
  friend class Node;
  friend class Graph;
  Block(Graph &graph, Node *owner);
  ~Block();
  void renumber() const;
  Graph &ownerGraph;
  Node *ownerNode;
  Node *params, *returns;
  NodeList list;
};

/// An argument of Graph::insert: a Value, or a constant made on the spot; with a name when it is a keyword.
struct NamedValue {
  NamedValue(Value *v) : value(v) {}
  template <typename T>
    requires(!std::is_convertible_v<T, Value *> && std::is_constructible_v<IValue, T>)
  NamedValue(T constant) : constant(IValue(std::move(constant))) {}
  NamedValue(std::string name, NamedValue v) : name(std::move(name)), value(v.value), constant(std::move(v.constant)) {}
  std::string name;
  Value *value = nullptr;
  IValue constant;
  SourceRange range;
};

/// A function's body in SSA: a top block of nodes, which may hold blocks in turn.
///
/// Ownership:  owns its blocks, nodes, values and scopes, and all of them go with it; borrows types and symbols
///             from its Context, which outlives it.
/// Threads:    one at a time, for readers as well (see Node). Different graphs of one Context may be used side by side.
/// Errors:     what is built through this interface is well-formed piece by piece and not checked as a whole; text is
///             diagnosed by parseGraphs, and the verifier says what a graph breaks.
class Graph {
public:
  explicit Graph(Context &context);
  ~Graph();
  Graph(const Graph &) = delete;
  Context &context() const { return ctx; }
  StringRef name() const { return graphName; } ///< `graph @name`; usually empty.
  void setName(StringRef n) { graphName = n.str(); }

  Block &block() const { return *top; }
  ArrayRef<Value *> inputs() const { return top->inputs(); }
  auto outputs() const { return top->outputs(); }
  Block::NodeList &nodes() { return top->nodes(); }
  Value *addInput(StringRef name = "", const Type *type = Type::tensorType()) { return top->addInput(name, type); }
  unsigned addOutput(Value *v) { return top->addOutput(v); }

  /// A node that is not inserted anywhere yet, with `numOutputs` Tensor outputs.
  Node *create(Symbol kind, unsigned numOutputs = 1);
  Node *create(Symbol kind, ArrayRef<Value *> inputs, unsigned numOutputs = 1);
  Node *createConstant(const IValue &value); ///< prim::Constant; see isConstant/constantValue.
  /// Whether a prim::Constant can hold such a value.
  static bool canBeConstant(const IValue &value);

  /// Where insert() puts nodes: before a node, or at the end of a block.
  void setInsertPoint(Block &block) {
    insertBlock = &block;
    insertNode = nullptr;
  }
  void setInsertPoint(Node *before) {
    insertBlock = before->block();
    insertNode = before;
  }
  Block &insertPointBlock() const { return *insertBlock; }
  Node *insertPointNode() const { return insertNode; } ///< Null: the end of the block.
  Node *insertNodeHere(Node *node);
  Value *insertConstant(const IValue &value, SourceRange range = {});
  /// Matches schemas, converts arguments, inserts; asserts that some overload fits. Several results give a tuple's
  /// first; use insertCall of SchemaMatching.h for diagnostics.
  Value *insert(Symbol op, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs = {}, SourceRange range = {});

  const Scope *scope(const Scope *parent, StringRef name);
  const Scope *currentScope = nullptr; ///< Given to new nodes.

  /// A deep copy; `map`, when given, receives old value -> new value.
  std::unique_ptr<Graph> clone(llvm::DenseMap<Value *, Value *> *map = nullptr) const;
  /// Copies this graph's nodes to the insertion point of `into`, its inputs being `arguments`; returns its outputs
  /// there.
  std::vector<Value *> inlineInto(Graph &into, ArrayRef<Value *> arguments) const;
  /// Copies one node (with blocks); `valueMap` gives the new value of each old input.
  Node *copyNode(const Node &node, llvm::function_ref<Value *(Value *)> valueMap);

  /// Numbers the values anew from 0, in the order in which they are printed. Returns whether a number changed.
  bool renumberValues();

  /// More than any id of a Value, or of a Node, so far.
  template <typename Key> unsigned numIds() const { return std::is_same_v<Key, Node> ? nextNode : nextValue; }

  /// Every node, outer before inner, in execution order; the callback may not erase nodes.
  template <typename F> void walk(F &&f) { walkBlock(*top, f); }
  void print(llvm::raw_ostream &os, bool withRanges = true) const;
  std::string str(bool withRanges = true) const;

private:
  friend class Node;
  friend class Block;
  friend class Value;
  template <typename F> static void walkBlock(Block &block, F &f) {
    for (Node &node : block.nodes()) {
      f(node);
      for (Block &inner : node.blocks())
        walkBlock(inner, f);
    }
  }
  Value *makeValue(Node *owner, unsigned position, const Type *type);
  void destroy(Value *value);
  void destroy(Node *node);
  /// Nodes, values and operands lie side by side in the order of their making, which is mostly that of walks. An
  /// address is used once: what somebody remembers of an erased value must not pass for knowledge of a new one. Slabs
  /// start small, as most graphs are, and double.
  using Slabs = llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 4096, 4096, 4>;
  Slabs nodeMemory, valueMemory, operandMemory;
  Context &ctx;
  std::string graphName;
  Block *top;
  Block *insertBlock;
  Node *insertNode = nullptr;
  unsigned nextValue = 0, nextNode = 0;
  std::vector<Node *> allNodes;         ///< Inserted or not.
  llvm::StringMap<Value *> names;       ///< Every debug name in use.
  llvm::StringMap<unsigned> nextSuffix; ///< Base name -> next suffix to try.
  std::vector<std::unique_ptr<Scope>> scopes;
  llvm::DenseMap<std::pair<const Scope *, StringRef>, const Scope *> scopeTable;
};

/// The value of a prim::Constant (None when it has no `value` attribute and type None).
bool isConstant(const Value *value);
std::optional<IValue> constantValue(const Value *value);
/// The same of a constant that is an int, or a bool; nullopt for all else.
std::optional<int64_t> constantInt(const Value *value);
std::optional<bool> constantBool(const Value *value);
/// The dtype that a tensor's type names; nullopt where it names none, or the value is no tensor.
std::optional<DType> knownDType(const Value *value);

/// Restores a graph's insertion point when it goes out of scope.
class InsertPointGuard {
public:
  explicit InsertPointGuard(Graph &graph)
      : graph(graph), block(graph.insertPointBlock()), node(graph.insertPointNode()) {}
  ~InsertPointGuard() { node ? graph.setInsertPoint(node) : graph.setInsertPoint(block); }

private:
  Graph &graph;
  Block &block;
  Node *node;
};

} // namespace tsc

#endif
