//===- Graphs.cpp - Graphs and blocks as Python has them ------------------===//
//
// The names are those of PyTorch's interface. A graph is a copy: what is done to it changes
// no compiled function.
//
//===----------------------------------------------------------------------===//
#include "Graphs.h"
#include "../Callee.h"
#include "../Values.h"
#include "GraphObjects.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Parser.h"
#include "tsc/Serialization/PythonPrinter.h"
#include "tsc/Support/Diagnostics.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// What is still there
//===----------------------------------------------------------------------===//

void bindings::raiseInvalidated(const char *what) {
  raise(PyExc_RuntimeError,
        std::string("this ") + what + " has been invalidated: a pass or a change of the graph erased it");
}

static void collect(Node &node, llvm::DenseSet<const void *> &parts);

static void collect(Block &block, llvm::DenseSet<const void *> &parts) {
  parts.insert(&block);
  collect(block.paramNode(), parts);
  collect(block.returnNode(), parts);
  for (Node &node : block.nodes())
    collect(node, parts);
}

static void collect(Node &node, llvm::DenseSet<const void *> &parts) {
  parts.insert(&node);
  for (const Value *output : node.outputs())
    parts.insert(output);
  for (Block &block : node.blocks())
    collect(block, parts);
}

bool Held::isAlive(const void *part) {
  if (seen != *edits) {
    alive.clear();
    collect(graph->block(), alive);
    for (Node *node : loose)
      collect(*node, alive);
    seen = *edits;
  }
  return alive.contains(part);
}

void Held::checkInsertPoint() {
  const Node *before = graph->insertPointNode();
  if (before ? !isAlive(before) || !before->block() : !isAlive(&graph->insertPointBlock()))
    graph->setInsertPoint(graph->block());
}

nb::object bindings::makeGraph(const Graph &graph, const ProgramRef &program) {
  return nb::cast(GraphObject{std::make_shared<Held>(program, graph.clone())});
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

std::vector<NodeObject> bindings::nodesOf(const HeldRef &held, Block &block) {
  std::vector<NodeObject> nodes;
  for (Node &node : block.nodes())
    nodes.push_back(nodeOf(held, &node));
  return nodes;
}

static void findNodes(const HeldRef &held, Block &block, StringRef kind, bool recurse, std::vector<NodeObject> &found) {
  for (Node &node : block.nodes()) {
    if (node.kindName() == kind)
      found.push_back(nodeOf(held, &node));
    for (Block &inner : node.blocks())
      if (recurse)
        findNodes(held, inner, kind, recurse, found);
  }
}

std::vector<NodeObject> bindings::findAll(const HeldRef &held, Block &block, const std::string &kind, bool recurse) {
  std::vector<NodeObject> found;
  findNodes(held, block, kind, recurse, found);
  return found;
}

std::optional<NodeObject> bindings::findOne(const HeldRef &held, Block &block, const std::string &kind, bool recurse) {
  std::vector<NodeObject> found = findAll(held, block, kind, recurse);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Whether str(graph) shows where nodes come from.
static std::atomic<bool> printsRanges{true};

static constexpr StringRef functionConstant = " : Function = prim::Constant[value=";

/// Returns a graph's text in which constants that are functions are shown by the last part of their name, as PyTorch
/// shows them.
static std::string withFunctionNames(StringRef text) {
  std::string named;
  for (size_t at; (at = text.find(functionConstant)) != StringRef::npos;) {
    at += functionConstant.size();
    named += text.take_front(at - StringRef("value=").size());
    text = text.drop_front(at);
    const StringRef function = text.take_until([](char c) { return c == ']'; });
    named += "name=\"" + function.substr(function.rfind('.') + 1).str() + "\"";
    text = text.drop_front(function.size());
  }
  return named + text.str();
}

static std::string textOfGraph(const GraphObject &self) { return withFunctionNames(self->str(printsRanges)); }

static void checkGraph(const GraphObject &self) {
  DiagnosticEngine diagnostics;
  if (failed(verify(*self, diagnostics)))
    raise(PyExc_RuntimeError, "the graph is not well-formed:\n" + diagnostics.str());
}

static GraphObject parseIR(const ProgramRef &program, const std::string &text) {
  Context &context = program->program->context();
  DiagnosticEngine diagnostics;
  const SourceBuffer &source = context.sources().add("<graph>", text);
  auto graphs = parseGraphs(context, source, diagnostics);
  if (failed(graphs))
    raise(PyExc_RuntimeError, diagnostics.str());
  if (graphs->size() != 1)
    raise(PyExc_ValueError, "the text holds " + std::to_string(graphs->size()) + " graphs, and not one");
  return {std::make_shared<Held>(program, std::move(graphs->front()))};
}

/// Makes an empty graph, which belongs to the program of tsc.jit's functions.
static void initGraph(GraphObject *self) {
  const nb::object unit = owned(PyImport_ImportModule("tsc.jit._unit")).attr("unit")();
  const auto program = nb::cast<ProgramRef>(unit.attr("program"));
  new (self) GraphObject{std::make_shared<Held>(program, std::make_shared<Graph>(program->program->context()))};
}

/// Returns the method that a tsc.Function is, with its graph. Raises TypeError for another function.
static std::pair<Callee &, const Graph &> methodOf(nb::handle function) {
  Callee *callee = calleeOfFunction(function);
  if (callee)
    callee->findEntry();
  const Graph *graph = callee && callee->method ? callee->method->graph() : nullptr;
  if (!graph)
    raise(PyExc_TypeError, "a " + typeNameOf(function) + " has no graph");
  return {*callee, *graph};
}

static nb::object graphOfFunction(nb::handle function) {
  auto [callee, graph] = methodOf(function);
  return makeGraph(graph, callee.program);
}

static nb::object schemaOfFunction(nb::handle function) {
  Callee *callee = calleeOfFunction(function);
  if (!callee)
    raise(PyExc_TypeError, "a " + typeNameOf(function) + " has no schema");
  return makeSchema(callee->schema(), callee->program);
}

static nb::object codeOfFunction(nb::handle function) {
  auto [callee, graph] = methodOf(function);
  return codeOf(callee.method->function(), graph, callee.program);
}

nb::object bindings::codeOf(Function &function, const Graph &graph, const ProgramRef &program) {
  const FunctionSchema &schema = function.schema();
  const bool isMethod = !schema.arguments().empty() && llvm::isa<ClassType>(schema.arguments()[0].type) &&
                        schema.arguments()[0].name == "self";
  CompilationUnit scratch(program->program->context());
  Function *shown = scratch.create(function.qualifiedName());
  shown->setSchema(schema);
  std::unique_ptr<Graph> body = graph.clone();
  bringToShownForm(*body);
  shown->setGraph(std::move(body));
  std::vector<IValue> constants;
  std::string text = pythonSource(*shown, isMethod, &constants);
  const size_t type = text.find("(self: "), end = text.find_first_of(",)", type);
  if (isMethod && type != std::string::npos && end != std::string::npos) // an archive says of what class it is
    text.erase(type + 5, end - type - 5);
  nb::list values;
  for (const IValue &constant : constants)
    values.append(toPython(constant, program));
  return nb::make_tuple(makeStr(text), values);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static NodeObject createNode(const GraphObject &self, const std::string &kind, const std::vector<ValueObject> &inputs,
                             unsigned outputs) {
  llvm::SmallVector<Value *, 4> values;
  for (const ValueObject &input : inputs)
    values.push_back(&partOf(self.held, input));
  Node *node = self->create(kindOf(self.held->context(), kind), values, outputs);
  self.held->loose.push_back(node);
  self.held->changed();
  return nodeOf(self.held, node);
}

static Node &loose(const GraphObject &self, const NodeObject &object) {
  Node &node = partOf(self.held, object);
  if (!llvm::is_contained(self.held->loose, &node))
    raise(PyExc_RuntimeError, "the node is in a block already");
  return node;
}

/// Puts a node that is in no block where `insert` says.
template <typename F> static NodeObject inserted(const GraphObject &self, const NodeObject &object, F &&insert) {
  Node &node = loose(self, object);
  insert(node);
  llvm::erase(self.held->loose, &node);
  self.held->changed();
  return object;
}

static ValueObject insertConstant(const GraphObject &self, nb::handle value) {
  IValue constant = takeValue(value, self.held->program);
  if (!Graph::canBeConstant(constant))
    raise(PyExc_RuntimeError, "a " + typeNameOf(value) + " cannot be a constant of a graph");
  self.held->checkInsertPoint();
  Value *made = self->insertConstant(constant);
  self.held->changed();
  return valueOf(self.held, made);
}

static std::vector<ValueObject> insertGraph(const GraphObject &self, const GraphObject &callee,
                                            const std::vector<ValueObject> &arguments) {
  if (&callee.held->context() != &self.held->context())
    raise(PyExc_ValueError, "the graphs belong to different programs");
  if (callee->inputs().size() != arguments.size())
    raise(PyExc_ValueError, "the graph takes " + std::to_string(callee->inputs().size()) + " arguments, and " +
                                std::to_string(arguments.size()) + " are given");
  llvm::SmallVector<Value *, 4> values;
  for (const ValueObject &argument : arguments)
    values.push_back(&partOf(self.held, argument));
  self.held->checkInsertPoint();
  std::unique_ptr<Graph> copy = callee->clone(); // the graph may be inserted into itself
  std::vector<Value *> results = copy->inlineInto(*self, values);
  self.held->changed();
  return valuesOf(self.held, results);
}

/// Gives the inputs another order: the input at position i is the one that was at `order[i]`.
static void permuteInputs(const GraphObject &self, const std::vector<size_t> &order) {
  const size_t count = self->inputs().size();
  std::vector<size_t> sorted = order;
  llvm::sort(sorted);
  for (size_t i = 0; i != sorted.size(); ++i)
    if (sorted.size() != count || sorted[i] != i)
      raise(PyExc_ValueError, "a permutation names each of the " + std::to_string(count) + " inputs once");
  std::vector<Value *> old(self->inputs().begin(), self->inputs().end());
  for (size_t from : order) {
    const std::string name = old[from]->name().str();
    old[from]->setName("");
    Value *made = self->addInput(name, old[from]->type());
    old[from]->replaceAllUsesWith(made);
  }
  for (size_t i = 0; i != count; ++i)
    self->block().eraseInput(0);
  self.held->changed();
}

static void eraseInput(const GraphObject &self, unsigned index) {
  if (index >= self->inputs().size())
    raise(PyExc_IndexError, "the graph has no such input");
  if (self->inputs()[index]->hasUses())
    raise(PyExc_RuntimeError, "input %" + self->inputs()[index]->displayName() + " is used");
  self->block().eraseInput(index);
  self.held->changed();
}

static ValueObject addInput(const GraphObject &self, const std::string &name) {
  checkValueName(name);
  Value *made = self->addInput(name);
  self.held->changed();
  return valueOf(self.held, made);
}

/// Packs the outputs of a graph that has several into a tuple.
static void packOutputs(Graph &graph) {
  if (graph.block().numOutputs() < 2)
    return;
  llvm::SmallVector<Value *, 4> outputs;
  llvm::SmallVector<const Type *, 4> types;
  for (Value *output : graph.outputs()) {
    outputs.push_back(output);
    types.push_back(output->type());
  }
  Node *tuple = graph.create(prim::TupleConstruct, outputs);
  tuple->output()->setType(graph.context().tupleOf(types));
  graph.block().append(tuple);
  graph.block().returnNode().eraseAllInputs();
  graph.addOutput(tuple->output());
}

std::unique_ptr<Graph> bindings::bodyOf(nb::handle object, const LoadedProgram &program) {
  GraphObject graph;
  if (!nb::try_cast(object, graph))
    raise(PyExc_TypeError, "a Graph is wanted, and not a " + typeNameOf(object));
  if (&graph.held->context() != &program.program->context())
    raise(PyExc_ValueError, "the graph belongs to another program");
  checkGraph(graph);
  std::unique_ptr<Graph> body = graph->clone();
  packOutputs(*body);
  return body;
}

namespace {
/// A context manager that sets a graph's insertion point, and restores it.
struct InsertPoint {
  HeldRef held;
  Block *block; ///< Where it was, and is again in the end.
  Node *node;
  Block *wantedBlock;
  Node *wantedNode;
};
} // namespace

static void setInsertPoint(const GraphObject &self, nb::handle place) {
  NodeObject node;
  BlockObject block;
  if (nb::try_cast(place, node)) {
    Node &before = partOf(self.held, node);
    if (!before.block() && llvm::is_contained(self.held->loose, &before))
      raise(PyExc_RuntimeError, "the node is in no block");
    if (before.kind() == prim::Param)
      raise(PyExc_RuntimeError, "nothing comes before a block's parameters");
    if (before.block() && &before == &before.block()->returnNode())
      self->setInsertPoint(*before.block());
    else
      self->setInsertPoint(&before);
  } else if (nb::try_cast(place, block)) {
    self->setInsertPoint(partOf(self.held, block));
  } else {
    raise(PyExc_TypeError, "an insertion point is a Node or a Block, and not a " + typeNameOf(place));
  }
}

static InsertPoint insertPointGuard(const GraphObject &self, nb::handle place) {
  self.held->checkInsertPoint();
  InsertPoint made{self.held, &self->insertPointBlock(), self->insertPointNode(), nullptr, nullptr};
  setInsertPoint(self, place);
  made.wantedBlock = &self->insertPointBlock();
  made.wantedNode = self->insertPointNode();
  self->setInsertPoint(*made.block);
  if (made.node)
    self->setInsertPoint(made.node);
  return made;
}

static void moveInsertPoint(const HeldRef &held, Block *block, Node *node) {
  if (node && held->isAlive(node) && node->block())
    held->graph->setInsertPoint(node);
  else if (!node && held->isAlive(block))
    held->graph->setInsertPoint(*block);
  else
    held->graph->setInsertPoint(held->graph->block());
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static void bindInsertPoint(nb::module_ &module) {
  nb::class_<InsertPoint>(module, "InsertPointGuard", "A place where a graph grows, within a `with`.")
      .def("__enter__", [](const InsertPoint &self) { moveInsertPoint(self.held, self.wantedBlock, self.wantedNode); })
      .def(
          "__exit__",
          [](const InsertPoint &self, nb::handle, nb::handle, nb::handle) {
            moveInsertPoint(self.held, self.block, self.node);
          },
          nb::arg("type").none(), nb::arg("value").none(), nb::arg("traceback").none());
}

/// Adds what graphs and blocks have in common: walks over their nodes. `blockIn` returns the block of an object.
template <typename T, typename F> static void bindWalks(nb::class_<T> &type, F blockIn) {
  type.def("inputs", [=](const T &self) { return iteratorOver(valuesOf(self.held, blockIn(self).inputs())); })
      .def("outputs", [=](const T &self) { return iteratorOver(valuesOf(self.held, blockIn(self).outputs())); })
      .def("nodes", [=](const T &self) { return iteratorOver(nodesOf(self.held, blockIn(self))); })
      .def("param_node", [=](const T &self) { return nodeOf(self.held, &blockIn(self).paramNode()); })
      .def("return_node", [=](const T &self) { return nodeOf(self.held, &blockIn(self).returnNode()); })
      .def("paramNode", [=](const T &self) { return nodeOf(self.held, &blockIn(self).paramNode()); })
      .def("returnNode", [=](const T &self) { return nodeOf(self.held, &blockIn(self).returnNode()); })
      .def(
          "findNode",
          [=](const T &self, const std::string &kind, bool recurse) {
            return findOne(self.held, blockIn(self), kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true)
      .def(
          "findAllNodes",
          [=](const T &self, const std::string &kind, bool recurse) {
            return findAll(self.held, blockIn(self), kind, recurse);
          },
          nb::arg("kind"), nb::arg("recurse") = true)
      .def(
          "registerOutput",
          [=](const T &self, const ValueObject &value) {
            const unsigned position = blockIn(self).addOutput(&partOf(self.held, value));
            self.held->changed();
            return position;
          },
          nb::arg("value"));
}

static void bindText(nb::class_<GraphObject> &type) {
  type.def("__str__", textOfGraph)
      .def("__repr__", textOfGraph)
      .def(
          "str", [](const GraphObject &self, bool places) { return withFunctionNames(self->str(places)); },
          nb::arg("print_source_ranges") = true)
      .def_prop_ro_static("global_print_source_ranges", [](nb::handle) { return printsRanges.load(); })
      .def_static(
          "set_global_print_source_ranges", [](bool enabled) { return printsRanges.exchange(enabled); },
          nb::arg("enabled") = true)
      .def("copy", [](const GraphObject &self) { return makeGraph(*self, self.held->program); })
      .def("lint", checkGraph, "Raises RuntimeError, with what is wrong, for a graph that is not well-formed.")
      .def("__eq__",
           [](const GraphObject &self, nb::handle other) {
             GraphObject graph;
             return nb::try_cast(other, graph) && graph.held->graph == self.held->graph;
           })
      .def("__hash__", [](const GraphObject &self) { return reinterpret_cast<intptr_t>(self.held->graph.get()) >> 4; });
}

static void bindChanges(nb::class_<GraphObject> &type) {
  type.def(
          "create",
          [](const GraphObject &self, const std::string &kind, unsigned outputs) {
            return createNode(self, kind, {}, outputs);
          },
          nb::arg("kind"), nb::arg("outputs") = 1)
      .def("create", createNode, nb::arg("kind"), nb::arg("inputs"), nb::arg("outputs") = 1)
      .def(
          "createClone",
          [](const GraphObject &self, const NodeObject &node, nb::callable map) {
            Node *made = self->copyNode(*node, [&](Value *value) {
              return &partOf(self.held, nb::cast<ValueObject>(map(valueOf(node.held, value))));
            });
            self.held->loose.push_back(made);
            self.held->changed();
            return nodeOf(self.held, made);
          },
          nb::arg("node"), nb::arg("fn"))
      .def(
          "insertNode",
          [](const GraphObject &self, const NodeObject &node) {
            return inserted(self, node, [&](Node &inner) {
              self.held->checkInsertPoint();
              self->insertNodeHere(&inner);
            });
          },
          nb::arg("node"))
      .def(
          "appendNode",
          [](const GraphObject &self, const NodeObject &node) {
            return inserted(self, node, [&](Node &inner) { self->block().append(&inner); });
          },
          nb::arg("node"))
      .def(
          "prependNode",
          [](const GraphObject &self, const NodeObject &node) {
            return inserted(self, node, [&](Node &inner) { self->block().prepend(&inner); });
          },
          nb::arg("node"))
      .def("insertConstant", insertConstant, nb::arg("value").none())
      .def("insertGraph", insertGraph, nb::arg("callee"), nb::arg("inputs"))
      .def("addInput", addInput, nb::arg("name") = "")
      .def("eraseInput", eraseInput, nb::arg("index"))
      .def("permuteInputs", permuteInputs, nb::arg("new_order"))
      .def("makeMultiOutputIntoTuple",
           [](const GraphObject &self) {
             packOutputs(*self);
             self.held->changed();
           })
      .def("setInsertPoint", setInsertPoint, nb::arg("place"))
      .def("insertPoint",
           [](const GraphObject &self) {
             self.held->checkInsertPoint();
             Node *before = self->insertPointNode();
             return nodeOf(self.held, before ? before : &self->insertPointBlock().returnNode());
           })
      .def("insert_point_guard", insertPointGuard, nb::arg("place"));
}

void bindings::bindGraphs(nb::module_ &module) {
  nb::class_<GraphObject> graph(module, "Graph", "A copy of a function's graph, or a graph of its own.");
  bindWalks(graph, [](const GraphObject &self) -> Block & { return self->block(); });
  bindText(graph);
  bindChanges(graph);
  graph.def("__init__", initGraph);
  graph.def("block", [](const GraphObject &self) { return blockOf(self.held, &self->block()); });
  nb::class_<BlockObject> block(module, "Block", "A block of a node, or the nodes of a graph.");
  bindWalks(block, [](const BlockObject &self) -> Block & { return self.get(); });
  block
      .def("owningNode",
           [](const BlockObject &self) {
             Node *owner = self->owner();
             return owner ? std::optional(nodeOf(self.held, owner)) : std::nullopt;
           })
      .def("owningGraph", [](const BlockObject &self) { return GraphObject{self.held}; })
      .def("addInputToBlock",
           [](const BlockObject &self) {
             Value *made = self->addInput();
             self.held->changed();
             return valueOf(self.held, made);
           })
      .def("__eq__",
           [](const BlockObject &self, nb::handle other) {
             BlockObject block;
             return nb::try_cast(other, block) && block.part == self.part;
           })
      .def("__hash__", [](const BlockObject &self) { return reinterpret_cast<intptr_t>(self.part) >> 4; });
  bindInsertPoint(module);
  bindNodes(module);
  bindGraphTypes(module);
  bindPasses(module, graph);
  module.def("_parse_ir", parseIR, nb::arg("program"), nb::arg("text"));
  module.def("_graph_of", graphOfFunction, nb::arg("function"));
  module.def("_schema_of", schemaOfFunction, nb::arg("function"));
  module.def("_code_of", codeOfFunction, nb::arg("function"));
}
