//===- GraphObjects.h - What stands behind Python's graphs ------*- C++ -*-===//
//
// Objects of Python's refer to the parts of a graph that they share. A pass, or a
// change by hand, may erase a part; each use of an object looks first whether its part
// is still there, and raises RuntimeError where it is not.
//
// Threads: a graph that somebody changes is used by one thread. All of this is called with
//          the GIL.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_GRAPHOBJECTS_H
#define TSC_BINDINGS_PYTHON_SCRIPT_GRAPHOBJECTS_H

#include "../LoadedProgram.h"
#include "../Python.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace tsc::bindings {

/// A graph with what it needs.
struct Held {
  ProgramRef program;           ///< Its types belong to this program's context.
  std::shared_ptr<Graph> graph; ///< Goes before the program. A subgraph is shared with the node that has it.
  std::shared_ptr<uint64_t> edits = std::make_shared<uint64_t>(1); ///< Grows with each change; subgraphs share it.
  llvm::SmallVector<Node *, 2> loose; ///< Nodes that were made and are in no block, in the order of making.

  Held(ProgramRef program, std::shared_ptr<Graph> graph) : program(std::move(program)), graph(std::move(graph)) {}
  Held(const Held &) = delete;
  ~Held() { graph.reset(); }
  Context &context() const { return graph->context(); }
  /// Notes that the graph was changed: what objects refer to is looked for again.
  void changed() { ++*edits; }
  /// Whether a node, block or value is still a part of the graph.
  bool isAlive(const void *part);
  /// Sets the insertion point to the end of the graph where what it stood at is gone.
  void checkInsertPoint();

private:
  uint64_t seen = 0;                  ///< The number of edits when `alive` was collected.
  llvm::DenseSet<const void *> alive; ///< All nodes, blocks and values.
};
using HeldRef = std::shared_ptr<Held>;

/// Raises the RuntimeError for an object whose part is gone.
[[noreturn]] void raiseInvalidated(const char *what);

/// A tsc.jit.Graph.
struct GraphObject {
  HeldRef held;
  Graph &operator*() const { return *held->graph; }
  Graph *operator->() const { return held->graph.get(); }
};
/// A part of a graph, of type T, that may be gone.
template <typename T> struct PartOfGraph {
  HeldRef held;
  T *part;
  /// Returns the part, or raises RuntimeError.
  T &get() const {
    if (!held->isAlive(part)) [[unlikely]]
      raiseInvalidated(name());
    return *part;
  }
  T &operator*() const { return get(); }
  T *operator->() const { return &get(); }
  static const char *name();
};
template <> inline const char *PartOfGraph<Block>::name() { return "Block"; }
template <> inline const char *PartOfGraph<Node>::name() { return "Node"; }
template <> inline const char *PartOfGraph<Value>::name() { return "Value"; }

/// A tsc.jit.Block.
struct BlockObject : PartOfGraph<Block> {};
/// A tsc.jit.Node.
struct NodeObject : PartOfGraph<Node> {};
/// A tsc.jit.Value.
struct ValueObject : PartOfGraph<Value> {};
/// A tsc.jit.Use.
struct UseObject {
  NodeObject user;
  unsigned offset;
};
/// A tsc.jit.Type.
struct TypeObject {
  ProgramRef program;
  const Type *type;
};

inline ValueObject valueOf(const HeldRef &held, Value *value) { return {{held, value}}; }
inline NodeObject nodeOf(const HeldRef &held, Node *node) { return {{held, node}}; }
inline BlockObject blockOf(const HeldRef &held, Block *block) { return {{held, block}}; }

/// Raises ValueError where the object is of another graph than `held`; returns its part.
template <typename T> auto &partOf(const HeldRef &held, const T &object) {
  auto &part = object.get();
  if (object.held->graph != held->graph)
    raise(PyExc_ValueError, std::string("the ") + T::name() + " belongs to another graph");
  return part;
}

/// Python's iterators are taken by `next`, as PyTorch's are.
template <typename T> nb::object iteratorOver(const std::vector<T> &values) {
  nb::list list;
  for (const T &value : values)
    list.append(nb::cast(value));
  return nb::iter(list);
}
/// Returns the objects for a range of values.
template <typename Range> std::vector<ValueObject> valuesOf(const HeldRef &held, Range &&range) {
  std::vector<ValueObject> values;
  for (Value *value : range)
    values.push_back(valueOf(held, value));
  return values;
}
/// Returns the objects for the nodes of a block.
std::vector<NodeObject> nodesOf(const HeldRef &held, Block &block);
/// Returns the nodes of a kind, in their order; those of blocks in nodes too, where `recurse`.
std::vector<NodeObject> findAll(const HeldRef &held, Block &block, const std::string &kind, bool recurse);
/// Returns the first of findAll(), or None.
std::optional<NodeObject> findOne(const HeldRef &held, Block &block, const std::string &kind, bool recurse);

/// Whether the node stands for a block's parameters or results.
inline bool isEndOfBlock(const Node &node) { return node.kind() == prim::Param || node.kind() == prim::Return; }
/// Whether a node is in a block of the graph: neither it nor a node around it is loose.
bool isPlaced(const Held &held, const Node &node);
/// Returns the node as its graph prints it, with its blocks.
std::string textOfNode(const Node &node);
/// Returns the symbol of a kind, "aten::add". Raises RuntimeError for a name without a namespace.
Symbol kindOf(Context &context, const std::string &name);
/// Raises RuntimeError for a name that a graph's text cannot have for a value. "" stands for no name.
void checkValueName(const std::string &name);
/// Converts a value of Python's, in which tensors may be torch's, for a program.
IValue takeValue(nb::handle object, const ProgramRef &program);
/// Converts a program's value; tensors become torch's where torch is in use.
nb::object giveValue(const IValue &value, const ProgramRef &program);

/// Returns a FunctionSchema of Python's.
nb::object makeSchema(FunctionSchema schema, const ProgramRef &program);
/// Returns the type that a Type, the text of one, or an object that PyTorch has for a type stands for. Raises TypeError
/// for another object, and RuntimeError for a wrong text.
const Type *takeType(nb::handle object, const ProgramRef &program);

// Each adds its classes to the extension's module.
void bindNodes(nb::module_ &module);
void bindGraphTypes(nb::module_ &module);
void bindPasses(nb::module_ &module, nb::class_<GraphObject> &graph);

} // namespace tsc::bindings

#endif
