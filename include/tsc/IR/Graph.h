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

/// The module that a node comes from, as a path of names: `, scope: __module.Foo/__module.bar.Baz` in the text. A graph
/// owns its scopes and makes one for each path, so that they compare by pointer. Null is the root.
struct Scope {
  const Scope *parent; ///< The scope around this one, or null.
  std::string name;
  std::string path() const; ///< Returns the names from the outermost scope to this one: "a/b/c".
};

/// One operand of a node, which is also an entry in the use list of the value it reads. Belongs to its node, and is
/// invalid once that adds an input or is erased.
class Use {
public:
  Node *user() const { return owner; } ///< Returns the node that reads the value.
  unsigned index() const;              ///< Returns the operand's position among the node's inputs.
  Value *get() const { return used; }
  void set(Value *value);               ///< Makes the node read `value` here, and forget the overload it resolved to.
  Use *next() const { return nextUse; } ///< Returns the next use of the same value, or null.

private:
  friend class Node;
  friend class Value;
  Value *used = nullptr;
  Node *owner = nullptr;
  Use *nextUse = nullptr;
  Use **link = nullptr; ///< The pointer that points at this use: the value's, or that of the use before.
};

/// Walks the use list of a value, in no particular order. Step past a use before it is set to another value.
class UseIterator : public llvm::iterator_facade_base<UseIterator, std::forward_iterator_tag, Use> {
public:
  explicit UseIterator(Use *use = nullptr) : use(use) {}
  Use &operator*() const { return *use; }
  UseIterator &operator++() {
    assert(use && "there is a use to step past");
    use = use->next();
    return *this;
  }
  bool operator==(const UseIterator &o) const { return use == o.use; }

private:
  Use *use;
};

/// A value in SSA form, defined once: an output of a node, or a parameter of a block. Its graph owns it.
class Value {
public:
  const Type *type() const { return valueType; } ///< Returns the type, which is never null.
  Value *setType(const Type *type) {
    assert(type && "every value has a type");
    valueType = type;
    return this;
  }
  /// Returns the node that defines the value; for a block parameter, the block's paramNode(). Never null.
  Node *node() const { return owner; }
  unsigned offset() const { return position; } ///< The value's position among the outputs of node().
  /// Returns the node that computes the value; for a block parameter, the node that holds the block, which is null for
  /// an input of the graph.
  Node *definingNode() const;
  Graph &graph() const;
  Block &block() const; ///< Returns the block it is defined in. Its node must be inserted.
  /// Returns a number that no other value of the graph has had. Graph::renumberValues() assigns them anew.
  unsigned id() const { return number; }

  llvm::iterator_range<UseIterator> uses() const { return {UseIterator(firstUse), UseIterator()}; }
  bool hasUses() const { return firstUse; }
  bool hasOneUse() const { return firstUse && !firstUse->next(); }
  unsigned numUses() const { return useCount; }
  /// Makes every user read `other`, which must be another value.
  void replaceAllUsesWith(Value *other);

  /// Whether the value has a name; one without prints as its id.
  bool hasName() const { return nameEntry; }
  /// Returns the name without '%', empty where there is none. Valid until the name changes.
  StringRef name() const { return nameEntry ? nameEntry->getKey() : StringRef(); }
  std::string displayName() const; ///< Returns the name, or else the id, without '%'.
  /// Names the value, and makes the name unique in the graph as PyTorch does (x, x.1, x.2, …). An empty `name` removes
  /// its name. Returns the value itself.
  Value *setName(StringRef name);

private:
  friend class Use;
  friend class Node;
  friend class Graph;
  friend class Block;
  ~Value() = default;
  Value(Node *owner, unsigned position, const Type *type, unsigned number)
      : owner(owner), valueType(type), position(position), number(number) {
    assert(owner && type && "every value has a definition and a type");
  }
  Node *owner;
  const Type *valueType;
  Use *firstUse = nullptr;
  unsigned position, number, useCount = 0;
  const llvm::StringMapEntry<Value *> *nameEntry = nullptr; ///< Its entry in Graph::names; null without a name.
};

/// The value of a node's attribute: a number, string, tensor, graph, type or other IValue, or a list of one of the
/// first five.
using AttributeValue = std::variant<int64_t, double, std::complex<double>, std::string, Tensor, std::shared_ptr<Graph>,
                                    const Type *, IValue, std::vector<int64_t>, std::vector<double>,
                                    std::vector<std::complex<double>>, std::vector<std::string>, std::vector<Tensor>,
                                    std::vector<std::shared_ptr<Graph>>, std::vector<const Type *>>;
/// An attribute of a node, such as `value=1` of a prim::Constant.
struct NamedAttribute {
  Symbol name;
  AttributeValue value;
};

/// An operation: its kind, operands, results, blocks and attributes.
///
/// Ownership:  belongs to its graph from `create` to `erase`, inserted or not; owns its outputs and blocks. A
///             pointer to a node or value is good until that is erased, and its address is never used again.
/// Threads:    as its graph. The overload that op() looks up is kept in the node, atomically.
/// Errors:     a position out of range, an attribute of another kind, or the erasure of what is used is asserted.
class Node : public llvm::ilist_node<Node> {
public:
  Symbol kind() const { return nodeKind; }
  /// Returns the kind's name for people, as the text of the IR has it: spellingOf(kind()).
  StringRef kindName() const;
  void setKind(Symbol kind) {
    nodeKind = kind;
    forgetOp();
  }
  Graph &graph() const { return *ownerGraph; }
  unsigned id() const { return number; }      ///< A number that no other node of the graph has or had.
  Block *block() const { return ownerBlock; } ///< Returns the block that holds it; null while it is not inserted.
  /// Returns the node whose block holds this one; null in the graph's top block, and while it is not inserted.
  Node *parentNode() const;

  // The overload. Looked up from kind and input types on first question and kept until inputs or kind change.
  const Operator *op() const; ///< Returns the first overload of kind() that the inputs fit, or null.
  /// Sets the overload that op() returns until the kind or an input changes.
  void setOp(const Operator *op) {
    resolved.store(op, std::memory_order_relaxed);
    opLookedUp.store(true, std::memory_order_release);
  }
  const OpRecord *record() const;       ///< Returns the overload's record; null where it has none or is unknown.
  OpKind opKind() const;                ///< Returns the record's kind, or OpKind::Unknown.
  const FunctionSchema *schema() const; ///< Returns the overload's schema, or null where it is unknown.
  bool hasTrait(Trait trait) const;     ///< Whether the record has the trait; false without a record.
  /// Whether the node must stay even when no output is used: it prints, raises, draws random numbers, sets an attribute
  /// or the like. Writes to operands do not count (see AliasAnalysis), nor does what its blocks hold.
  bool hasSideEffects() const;

  // Inputs.
  unsigned numInputs() const { return inputCount; }
  Value *input(unsigned i = 0) const {
    assert(i < inputCount && "one of the inputs");
    return operands[i].used;
  }
  auto inputs() const {
    return llvm::map_range(ArrayRef<Use>(operands, inputCount), [](const Use &u) { return u.get(); });
  }
  llvm::SmallVector<Value *, 4> inputVector() const;
  /// Returns the input for the schema's argument called `name`; null where the schema is unknown or has no such
  /// argument.
  Value *namedInput(StringRef name) const;
  // Each of these makes the node forget the overload it resolved to.
  Value *addInput(Value *value);
  void insertInput(unsigned index, Value *value);
  void setInput(unsigned index, Value *value);
  void eraseInput(unsigned index);
  void eraseAllInputs();
  /// Returns the operand at position `i`, valid until an input is added.
  Use &use(unsigned i) {
    assert(i < inputCount && "one of the inputs");
    return operands[i];
  }

  // Outputs.
  ArrayRef<Value *> outputs() const { return outputList; }
  unsigned numOutputs() const { return outputList.size(); }
  /// Returns the only output.
  Value *output() const {
    assert(outputList.size() == 1 && "the node has one output");
    return outputList[0];
  }
  Value *output(unsigned i) const {
    assert(i < outputList.size() && "one of the outputs");
    return outputList[i];
  }
  /// Appends an output and returns it.
  Value *addOutput(const Type *type = Type::tensorType());
  /// Inserts an output at a position, at most numOutputs(), and returns it. Those behind it move on by one.
  Value *insertOutput(unsigned index, const Type *type = Type::tensorType());
  void eraseOutput(unsigned index); ///< Erases an output, which must have no uses.
  /// Makes the users of each output read the output of `other` at that position. Both have equally many outputs.
  void replaceAllUsesWith(Node *other);

  // Blocks.
  unsigned numBlocks() const { return blockList.size(); }
  Block &block(unsigned i) const {
    assert(i < blockList.size() && "one of the blocks");
    return *blockList[i];
  }
  auto blocks() const { return llvm::make_pointee_range(blockList); }
  Block &addBlock(); ///< Appends an empty block.
  /// Destroys block `i` with its nodes. None of its values may have uses outside of it.
  void eraseBlock(unsigned i);

  // Attributes, in order of setting.
  ArrayRef<NamedAttribute> attributes() const { return attrs; }
  const AttributeValue *attribute(Symbol name) const; ///< Returns the value, or null where it has no such attribute.
  bool hasAttribute(Symbol name) const { return attribute(name); }
  /// Returns the value of an attribute that the node has, and that is a T.
  template <typename T> const T &get(Symbol name) const {
    assert(hasAttribute(name) && std::holds_alternative<T>(*attribute(name)) && "an attribute of this type");
    return std::get<T>(*attribute(name));
  }
  void setAttribute(Symbol name, AttributeValue value); ///< Adds the attribute, or replaces its value.
  void removeAttribute(Symbol name);

  // Position.
  /// Inserts a node that is in no block before `other`, which may be a returnNode() and then stands for the block's
  /// end. Returns this node.
  Node *insertBefore(Node *other);
  /// Inserts a node that is in no block after `other`, which may be a paramNode() and then stands for the block's
  /// start. Returns this node.
  Node *insertAfter(Node *other);
  void moveBefore(Node *other); ///< Moves an inserted node before `other`, perhaps into another block of the graph.
  void moveAfter(Node *other);  ///< Moves an inserted node after `other`, perhaps into another block of the graph.
  void removeFromBlock();       ///< Takes the node out of its block. The graph still owns it.
  void erase();                 ///< Destroys the node with its blocks and outputs, which must have no uses.
  Node *next() const;           ///< Returns the node after it in its block, or null (returnNode() is not in the list).
  Node *previous() const;       ///< Returns the node before it in its block, or null.
  /// Whether this comes before `other` in execution order; a node comes before those in its blocks. Both are inserted
  /// in one graph. The cost grows with the depth of nesting only.
  bool isBefore(const Node *other) const;

  SourceRange range() const { return location; } ///< Returns where in the source it comes from; may be invalid.
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
  // What op() found out, in atomics: threads that read one graph may ask at once.
  mutable std::atomic<bool> opLookedUp = false;
  Use *operands = nullptr;
  llvm::SmallVector<Block *, 0> blockList;
  mutable std::atomic<const Operator *> resolved = nullptr;
  llvm::SmallVector<Value *, 1> outputList;
  Block *ownerBlock = nullptr;
  mutable uint64_t order = 0; ///< Its position in the block, with gaps between neighbours, for isBefore().
  SourceRange location;
  const Scope *nodeScope = nullptr;
  llvm::SmallVector<NamedAttribute, 0> attrs;
  Graph *ownerGraph;
  unsigned ownerIndex = 0; ///< Its position in Graph::allNodes.
  unsigned number;
};

/// A list of nodes in order of execution, with parameters and returned values: a graph's body, a branch of an If, or
/// the body of a Loop. The parameters are the outputs of paramNode(), the returned values the inputs of returnNode();
/// neither of these two is in nodes(). Its graph or the node that holds it owns it.
class Block {
public:
  Graph &graph() const { return ownerGraph; }
  Node *owner() const { return ownerNode; } ///< Returns the node that holds the block; null for the graph's top block.
  Node &paramNode() const { return *params; }
  Node &returnNode() const { return *returns; }
  ArrayRef<Value *> inputs() const { return params->outputs(); }
  auto outputs() const { return returns->inputs(); }
  unsigned numOutputs() const { return returns->numInputs(); }
  /// Appends an input and returns it. With a name, the value prints as that.
  Value *addInput(StringRef name = "", const Type *type = Type::tensorType());
  /// Inserts an input at a position, at most the number of inputs, and returns it.
  Value *insertInput(unsigned index, const Type *type = Type::tensorType());
  void eraseInput(unsigned index) { params->eraseOutput(index); }
  /// Makes the block return `value` behind its other results, and gives the position.
  unsigned addOutput(Value *value) {
    returns->addInput(value);
    return returns->numInputs() - 1;
  }
  void eraseOutput(unsigned index) { returns->eraseInput(index); }

  using NodeList = llvm::simple_ilist<Node>;
  NodeList &nodes() { return list; }
  const NodeList &nodes() const { return list; }
  bool empty() const { return list.empty(); }
  Node *append(Node *node);  ///< Inserts a node that is in no block at the end, and returns it.
  Node *prepend(Node *node); ///< Inserts a node that is in no block at the start, and returns it.

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

/// An argument of a call that is matched against schemas: a Value, or a constant for which a prim::Constant is
/// inserted. A keyword argument has a name.
struct NamedValue {
  NamedValue(Value *v) : value(v) {}
  template <typename T>
    requires(!std::is_convertible_v<T, Value *> && std::is_constructible_v<IValue, T>)
  NamedValue(T constant) : constant(IValue(std::move(constant))) {}
  NamedValue(std::string name, NamedValue v) : name(std::move(name)), value(v.value), constant(std::move(v.constant)) {}
  std::string name;
  Value *value = nullptr; ///< Null where the argument is `constant`.
  IValue constant;
  SourceRange range; ///< Where the argument stands in the source; may be invalid.
};

/// A function's body in SSA: a top block of nodes, which may hold blocks in turn.
///
/// Ownership:  owns its blocks, nodes, values and scopes, and all of them go with it; borrows types and symbols from
///             its Context, which outlives it.
/// Threads:    many threads may read a graph that nobody changes. Different graphs of one Context may be used side by
///             side.
/// Errors:     what is built through this interface is well-formed piece by piece and not checked as a whole; text is
///             diagnosed by parseGraphs, and the verifier says what a graph breaks.
class Graph {
public:
  explicit Graph(Context &context);
  ~Graph();
  Graph(const Graph &) = delete;
  Context &context() const { return ctx; }
  StringRef name() const { return graphName; } ///< Returns the name of `graph @name`; usually empty.
  void setName(StringRef n) { graphName = n.str(); }

  Block &block() const { return *top; }
  ArrayRef<Value *> inputs() const { return top->inputs(); }
  auto outputs() const { return top->outputs(); }
  Block::NodeList &nodes() { return top->nodes(); }
  /// Appends an input. As with Value::setName(), the name is made unique.
  Value *addInput(StringRef name = "", const Type *type = Type::tensorType()) { return top->addInput(name, type); }
  /// Makes the graph return `v` behind its other results, and gives the position.
  unsigned addOutput(Value *v) { return top->addOutput(v); }

  /// Makes a node that is not inserted yet, with `numOutputs` outputs of type Tensor.
  Node *create(Symbol kind, unsigned numOutputs = 1);
  Node *create(Symbol kind, ArrayRef<Value *> inputs, unsigned numOutputs = 1);
  /// Makes a prim::Constant that is not inserted yet, and whose output has the value's type. constantValue() reads it
  /// back.
  Node *createConstant(const IValue &value);
  /// Whether a pass may put a prim::Constant in the place of `value`: it holds no object, future, generator or capsule,
  /// no tensor that requires a gradient, and at most 65,536 parts.
  static bool canBeConstant(const IValue &value);

  /// Sets the insertion point to the end of `block`.
  void setInsertPoint(Block &block) {
    assert(&block.graph() == this && "a block of the graph");
    insertBlock = &block;
    insertNode = nullptr;
  }
  /// Sets the insertion point to the place before an inserted node.
  void setInsertPoint(Node *before) {
    assert(before && before->block() && &before->graph() == this && "an inserted node of the graph");
    insertBlock = before->block();
    insertNode = before;
  }
  Block &insertPointBlock() const { return *insertBlock; }
  /// Returns the node that the insertion point is before; null where it is the end of insertPointBlock().
  Node *insertPointNode() const { return insertNode; }
  Node *insertNodeHere(Node *node); ///< Inserts a node that is in no block at the insertion point, and returns it.
  /// Inserts a prim::Constant at the insertion point and returns its output.
  Value *insertConstant(const IValue &value, SourceRange range = {});
  /// Inserts a call of the operator `op` at the insertion point: chooses an overload and converts the arguments as
  /// TorchScript does. Returns the result; several results as one tuple, none as None. Asserts that some overload fits;
  /// where that is not certain, insertCall() of SchemaMatching.h reports it.
  Value *insert(Symbol op, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs = {}, SourceRange range = {});

  const Scope *scope(const Scope *parent, StringRef name); ///< Returns the scope `name` in `parent`, made on first use.
  const Scope *currentScope = nullptr;                     ///< The scope that create() gives to new nodes.

  /// Copies the graph, its blocks and subgraphs. `map`, when given, receives the new value of each value.
  std::unique_ptr<Graph> clone(llvm::DenseMap<Value *, Value *> *map = nullptr) const;
  /// Copies this graph's nodes to the insertion point of `into`, a graph of the same Context, with `arguments` in the
  /// place of its inputs. Returns the copies of its outputs.
  std::vector<Value *> inlineInto(Graph &into, ArrayRef<Value *> arguments) const;
  /// Copies a node, which may be that of another graph of the same Context, with its blocks into this graph, without
  /// inserting the copy. `valueMap` gives the new value for each value from around the node.
  Node *copyNode(const Node &node, llvm::function_ref<Value *(Value *)> valueMap);

  /// Gives the values new ids from 0, in the order in which they are printed. Returns whether an id changed. Tables by
  /// id (GraphTable) are invalid afterwards, and no node that is not inserted may have outputs.
  bool renumberValues();

  /// Returns a number greater than the id of any value (Key = Value) or of any node (Key = Node).
  template <typename Key> unsigned numIds() const { return std::is_same_v<Key, Node> ? nextNode : nextValue; }

  /// Calls `f` for every inserted node in execution order, a node before those in its blocks. `f` may not erase nodes.
  template <typename F> void walk(F &&f) { walkBlock(*top, f); }
  /// Prints the graph as PyTorch does. `withRanges` adds source locations: `# file.py:3:11`.
  void print(llvm::raw_ostream &os, bool withRanges = true) const;
  /// Returns what print() writes.
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
  /// Nodes, values and operands lie side by side in the order in which they were made, which is mostly the order in
  /// which they are walked. No address is used twice, so that what a pass remembers of an erased value cannot be
  /// mistaken for knowledge of a new one. Slabs start small, since most graphs are, and grow.
  using Slabs = llvm::BumpPtrAllocatorImpl<llvm::MallocAllocator, 4096, 4096, 4>;
  Slabs nodeMemory, valueMemory, operandMemory;
  Context &ctx;
  std::string graphName;
  Block *top;
  Block *insertBlock;
  Node *insertNode = nullptr;
  unsigned nextValue = 0, nextNode = 0;
  std::vector<Node *> allNodes;         ///< All nodes, inserted or not.
  llvm::StringMap<Value *> names;       ///< The named values by name.
  llvm::StringMap<unsigned> nextSuffix; ///< The next suffix to try, by base name.
  std::vector<std::unique_ptr<Scope>> scopes;
  llvm::DenseMap<std::pair<const Scope *, StringRef>, const Scope *> scopeTable;
};

/// Whether the value is the output of a prim::Constant.
bool isConstant(const Value *value);
/// Returns the value that a prim::Constant holds; None where it has no attribute `value`. Returns nullopt for the
/// output of any other node, and for a constant whose value the textual IR did not hold (a tensor's elements, a
/// function).
std::optional<IValue> constantValue(const Value *value);
/// Returns the value of a constant that is an int, and nullopt for all else.
std::optional<int64_t> constantInt(const Value *value);
/// Returns the value of a constant that is a bool, and nullopt for all else.
std::optional<bool> constantBool(const Value *value);
/// Returns the dtype that the value's type names; nullopt where it names none or the value is no tensor.
std::optional<DType> knownDType(const Value *value);

/// Restores the graph's insertion point when it goes out of scope. The node it was before must still exist then.
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
