//===- Graphs.cpp - Graphs as Python reads them ---------------------------===//
//
// Objects for what a graph consists of, with PyTorch's names. They read a copy of the
// graph, which all of them share with the program that its types belong to.
//
//===----------------------------------------------------------------------===//
#include "Graphs.h"
#include "../Values.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/StringExtras.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

namespace {
/// A graph with what it needs.
struct Held {
  ProgramRef program;
  std::unique_ptr<Graph> graph;
  ~Held() { graph.reset(); }
};
using HeldRef = std::shared_ptr<Held>;

struct GraphObject {
  HeldRef held;
};
struct BlockObject {
  HeldRef held;
  Block *block;
};
struct NodeObject {
  HeldRef held;
  Node *node;
};
struct ValueObject {
  HeldRef held;
  Value *value;
};
struct UseObject {
  HeldRef held;
  Node *user;
  unsigned offset;
};
struct TypeObject {
  ProgramRef program;
  const Type *type;
};
} // namespace

nb::object bindings::makeGraph(const Graph &graph, const ProgramRef &program) {
  auto held = std::make_shared<Held>();
  held->program = program;
  held->graph = graph.clone();
  return nb::cast(GraphObject{std::move(held)});
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

template <typename Range> static std::vector<ValueObject> valuesOf(const HeldRef &held, Range &&range) {
  std::vector<ValueObject> values;
  for (Value *value : range)
    values.push_back({held, value});
  return values;
}

static std::vector<NodeObject> nodesOf(const HeldRef &held, Block &block) {
  std::vector<NodeObject> nodes;
  for (Node &node : block.nodes())
    nodes.push_back({held, &node});
  return nodes;
}

/// Appends the nodes of a kind, in their order; those of blocks in nodes too, where `recurse`.
static void findNodes(const HeldRef &held, Block &block, StringRef kind, bool recurse, std::vector<NodeObject> &found) {
  for (Node &node : block.nodes()) {
    if (node.kindName() == kind)
      found.push_back({held, &node});
    for (Block &inner : node.blocks())
      if (recurse)
        findNodes(held, inner, kind, recurse, found);
  }
}

static std::vector<NodeObject> findAll(const HeldRef &held, Block &block, const std::string &kind, bool recurse) {
  std::vector<NodeObject> found;
  findNodes(held, block, kind, recurse, found);
  return found;
}

static std::optional<NodeObject> findOne(const HeldRef &held, Block &block, const std::string &kind, bool recurse) {
  std::vector<NodeObject> found = findAll(held, block, kind, recurse);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

/// Python's iterators are taken by `next`, as PyTorch's are.
template <typename T> static nb::object iteratorOver(std::vector<T> values) {
  return nb::iter(nb::cast(std::move(values)));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The letter or letters by which PyTorch names the type of an attribute.
static const char *kindOf(const AttributeValue &value) {
  static constexpr const char *kinds[] = {"i",  "f",  "c",  "s",  "t",  "g",  "ty", "ival",
                                          "is", "fs", "cs", "ss", "ts", "gs", "tys"};
  return kinds[value.index()];
}

static const AttributeValue &attributeOf(const NodeObject &self, const std::string &name) {
  const Symbol symbol = self.held->graph->context().symbol("attr", name);
  const AttributeValue *value = self.node->attribute(symbol);
  if (!value)
    raise(PyExc_RuntimeError, "required keyword attribute '" + name + "' is undefined");
  return *value;
}

static nb::object valueOfAttribute(const NodeObject &self, const std::string &name) {
  const ProgramRef &program = self.held->program;
  auto convert = [&](const auto &value) -> nb::object {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::shared_ptr<Graph>>)
      return makeGraph(*value, program);
    else if constexpr (std::is_same_v<T, const Type *>)
      return nb::cast(TypeObject{program, value});
    else if constexpr (std::is_same_v<T, IValue>)
      return toPython(value, program);
    else
      return toPython(IValue(value), program);
  };
  auto visit = [&](const auto &value) -> nb::object {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, IValue> || std::is_scalar_v<T> ||
                  std::is_same_v<T, std::complex<double>> || std::is_same_v<T, Tensor> ||
                  std::is_same_v<T, std::shared_ptr<Graph>>) {
      return convert(value);
    } else {
      nb::list list;
      for (const auto &one : value)
        list.append(convert(one));
      return list;
    }
  };
  return std::visit(visit, attributeOf(self, name));
}

static std::vector<std::string> attributeNames(const NodeObject &self) {
  std::vector<std::string> names;
  for (const NamedAttribute &attribute : self.node->attributes())
    names.push_back(StringRef(attribute.name.qualified()).rsplit(':').second.str());
  return names;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

/// The line of a node, without its attributes and blocks: "%y : Tensor = aten::relu(%x)".
static std::string textOfNode(const NodeObject &self) {
  std::string text;
  for (const Value *value : self.node->outputs())
    text += (text.empty() ? "%" : ", %") + value->displayName() + " : " + value->type()->str();
  if (!text.empty())
    text += " = ";
  text += self.node->kindName().str() + "(";
  llvm::ListSeparator comma;
  for (const Value *value : self.node->inputs())
    text += (llvm::StringRef(comma) + "%" + value->displayName()).str();
  return text + ")";
}

static NodeObject nodeOf(const ValueObject &self) { return {self.held, self.value->node()}; }

static ValueObject only(const NodeObject &self, bool isInput) {
  const unsigned count = isInput ? self.node->numInputs() : self.node->numOutputs();
  if (count != 1)
    raise(PyExc_RuntimeError,
          std::string("the node has ") + std::to_string(count) + (isInput ? " inputs" : " outputs") + ", and not one");
  return {self.held, isInput ? self.node->input(0) : self.node->output(0)};
}

static ValueObject at(const NodeObject &self, unsigned index, bool isInput) {
  if (index >= (isInput ? self.node->numInputs() : self.node->numOutputs()))
    raise(PyExc_IndexError, "the node has no such value");
  return {self.held, isInput ? self.node->input(index) : self.node->output(index)};
}

static void bindGraph(nb::module_ &module) {
  nb::class_<GraphObject>(module, "Graph", "The graph of a function, to be read.")
      .def("__str__", [](const GraphObject &self) { return self.held->graph->str(); })
      .def("__repr__", [](const GraphObject &self) { return self.held->graph->str(); })
      .def(
          "str", [](const GraphObject &self, bool places) { return self.held->graph->str(places); },
          nb::arg("print_source_ranges") = true)
      .def("copy", [](const GraphObject &self) { return makeGraph(*self.held->graph, self.held->program); })
      .def(
          "inputs",
          [](const GraphObject &self) { return iteratorOver(valuesOf(self.held, self.held->graph->block().inputs())); })
      .def("outputs",
           [](const GraphObject &self) {
             return iteratorOver(valuesOf(self.held, self.held->graph->block().outputs()));
           })
      .def("nodes", [](const GraphObject &self) { return iteratorOver(nodesOf(self.held, self.held->graph->block())); })
      .def("param_node",
           [](const GraphObject &self) { return NodeObject{self.held, &self.held->graph->block().paramNode()}; })
      .def("return_node",
           [](const GraphObject &self) { return NodeObject{self.held, &self.held->graph->block().returnNode()}; })
      .def(
          "findNode",
          [](const GraphObject &self, const std::string &kind, bool recurse) {
            return findOne(self.held, self.held->graph->block(), kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true)
      .def(
          "findAllNodes",
          [](const GraphObject &self, const std::string &kind, bool recurse) {
            return findAll(self.held, self.held->graph->block(), kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true);
  nb::class_<BlockObject>(module, "Block", "A block of a node.")
      .def("nodes", [](const BlockObject &self) { return iteratorOver(nodesOf(self.held, *self.block)); })
      .def("inputs", [](const BlockObject &self) { return iteratorOver(valuesOf(self.held, self.block->inputs())); })
      .def("outputs", [](const BlockObject &self) { return iteratorOver(valuesOf(self.held, self.block->outputs())); })
      .def("paramNode", [](const BlockObject &self) { return NodeObject{self.held, &self.block->paramNode()}; })
      .def("returnNode", [](const BlockObject &self) { return NodeObject{self.held, &self.block->returnNode()}; })
      .def(
          "findNode",
          [](const BlockObject &self, const std::string &kind, bool recurse) {
            return findOne(self.held, *self.block, kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true)
      .def(
          "findAllNodes",
          [](const BlockObject &self, const std::string &kind, bool recurse) {
            return findAll(self.held, *self.block, kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true);
}

static void bindNode(nb::module_ &module) {
  auto type = nb::class_<NodeObject>(module, "Node", "A node of a graph.");
  type.def("kind", [](const NodeObject &self) { return self.node->kindName().str(); })
      .def("__str__", textOfNode)
      .def("__repr__", textOfNode)
      .def("__eq__", [](const NodeObject &self, const NodeObject &other) { return self.node == other.node; })
      .def("__hash__", [](const NodeObject &self) { return reinterpret_cast<intptr_t>(self.node) >> 4; })
      .def("inputs", [](const NodeObject &self) { return iteratorOver(valuesOf(self.held, self.node->inputs())); })
      .def("outputs", [](const NodeObject &self) { return iteratorOver(valuesOf(self.held, self.node->outputs())); })
      .def("input", [](const NodeObject &self) { return only(self, true); })
      .def("output", [](const NodeObject &self) { return only(self, false); })
      .def("inputsAt", [](const NodeObject &self, unsigned index) { return at(self, index, true); })
      .def("outputsAt", [](const NodeObject &self, unsigned index) { return at(self, index, false); })
      .def("inputsSize", [](const NodeObject &self) { return self.node->numInputs(); })
      .def("outputsSize", [](const NodeObject &self) { return self.node->numOutputs(); })
      .def("hasMultipleOutputs", [](const NodeObject &self) { return self.node->numOutputs() > 1; })
      .def("hasUses",
           [](const NodeObject &self) {
             return llvm::any_of(self.node->outputs(), [](const Value *value) { return value->hasUses(); });
           })
      .def("blocks",
           [](const NodeObject &self) {
             std::vector<BlockObject> blocks;
             for (Block &block : self.node->blocks())
               blocks.push_back({self.held, &block});
             return iteratorOver(std::move(blocks));
           })
      .def("owningBlock", [](const NodeObject &self) { return BlockObject{self.held, self.node->block()}; })
      .def("scopeName", [](const NodeObject &self) { return self.node->scope() ? self.node->scope()->path() : ""; })
      .def("sourceRange",
           [](const NodeObject &self) {
             const SourceRange range = self.node->range();
             if (!range.isValid())
               return std::string();
             const LineColumn at = range.lineColumn();
             return range.buffer()->name().str() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
           })
      .def("schema",
           [](const NodeObject &self) { return self.node->schema() ? self.node->schema()->str() : "(no schema)"; })
      .def("hasAttributes", [](const NodeObject &self) { return !self.node->attributes().empty(); })
      .def("hasAttribute",
           [](const NodeObject &self, const std::string &name) {
             return self.node->hasAttribute(self.held->graph->context().symbol("attr", name));
           })
      .def("attributeNames", attributeNames)
      .def("kindOf", [](const NodeObject &self, const std::string &name) { return kindOf(attributeOf(self, name)); })
      .def("__getitem__", valueOfAttribute);
  for (const char *kind : {"i", "f", "c", "s", "t", "g", "ty", "ival", "is", "fs", "cs", "ss", "ts", "gs", "tys"})
    type.def(kind, valueOfAttribute);
}

static void bindValue(nb::module_ &module) {
  nb::class_<ValueObject>(module, "Value", "A value of a graph.")
      .def("type", [](const ValueObject &self) { return TypeObject{self.held->program, self.value->type()}; })
      .def("debugName", [](const ValueObject &self) { return self.value->displayName(); })
      .def("unique", [](const ValueObject &self) { return self.value->id(); })
      .def("offset", [](const ValueObject &self) { return self.value->offset(); })
      .def("node", nodeOf)
      .def("requires_grad", [](const ValueObject &self) { return self.value->type()->isTensor(); })
      .def("uses",
           [](const ValueObject &self) {
             std::vector<UseObject> uses;
             for (Use &use : self.value->uses())
               uses.push_back({self.held, use.user(), use.index()});
             return uses;
           })
      .def("toIValue",
           [](const ValueObject &self) -> nb::object {
             std::optional<IValue> value = constantValue(self.value);
             return value ? toPython(*value, self.held->program) : nb::none();
           })
      .def("__eq__", [](const ValueObject &self, const ValueObject &other) { return self.value == other.value; })
      .def("__hash__", [](const ValueObject &self) { return reinterpret_cast<intptr_t>(self.value) >> 4; })
      .def("__str__", [](const ValueObject &self) {
        return self.value->displayName() + " defined in (" + textOfNode(nodeOf(self)) + ")";
      });
  nb::class_<UseObject>(module, "Use", "A place where a value is read.")
      .def_prop_ro("user", [](const UseObject &self) { return NodeObject{self.held, self.user}; })
      .def_prop_ro("offset", [](const UseObject &self) { return self.offset; });
  nb::class_<TypeObject>(module, "Type", "The type of a value.")
      .def("str", [](const TypeObject &self) { return self.type->str(); })
      .def("__str__", [](const TypeObject &self) { return self.type->str(); })
      .def("__repr__", [](const TypeObject &self) { return self.type->str(); })
      .def_prop_ro("annotation_str", [](const TypeObject &self) { return self.type->annotation(); })
      .def("isSubtypeOf",
           [](const TypeObject &self, const TypeObject &other) { return self.type->isSubtypeOf(other.type); })
      .def("__hash__", [](const TypeObject &self) { return reinterpret_cast<intptr_t>(self.type) >> 4; })
      .def("__eq__", [](const TypeObject &self, nb::handle other) {
        TypeObject *type = nullptr;
        if (nb::try_cast(other, type) && type)
          return self.type == type->type;
        return nb::hasattr(other, "str") && nb::cast<std::string>(nb::str(other)) == self.type->str();
      });
}

void bindings::bindGraphs(nb::module_ &module) {
  bindGraph(module);
  bindNode(module);
  bindValue(module);
}
