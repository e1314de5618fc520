//===- GraphNodes.cpp - Nodes and values as Python has them ---------------===//
#include "../Types.h"
#include "../Values.h"
#include "GraphObjects.h"
#include "Graphs.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/GraphView.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

std::string bindings::textOfNode(const Node &node) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printNode(os, node, nb::cast<bool>(nb::type<GraphObject>().attr("global_print_source_ranges")));
  return text;
}

/// Whether a graph's text can have the name: it is made of letters, digits, underscores and dots.
static bool isName(StringRef name) {
  return !name.empty() && llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

void bindings::checkValueName(const std::string &name) {
  if (!name.empty() && (!isName(name) || llvm::all_of(name, llvm::isDigit)))
    raise(PyExc_RuntimeError,
          "Invalid name: '" + name +
              "': a value's name is made of letters, digits, underscores and dots, and is no number");
}

Symbol bindings::kindOf(Context &context, const std::string &name) {
  const auto [space, local] = StringRef(name).split("::");
  if (!isName(space) || !isName(local))
    raise(PyExc_RuntimeError, "'" + name + "' is no kind of nodes: a kind has a namespace, as in aten::add");
  return context.symbol(name);
}

bool bindings::isPlaced(const Held &held, const Node &node) {
  const Node *outermost = &node;
  while (const Node *around = outermost->parentNode())
    outermost = around;
  return outermost->block() == &held.graph->block();
}

static nb::object valuesModule() { return owned(PyImport_ImportModule("tsc.jit._values")); }

IValue bindings::takeValue(nb::handle object, const ProgramRef &program) {
  return toIValue(valuesModule().attr("to_tsc")(object), program.get());
}

nb::object bindings::giveValue(const IValue &value, const ProgramRef &program) {
  return nb::object(valuesModule().attr("to_python")(toPython(value, program)));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// The letters by which PyTorch names the types of attributes, in the order of AttributeValue.
static constexpr const char *attributeKinds[] = {"i",  "f",  "c",  "s",  "t",  "g",  "ty", "ival",
                                                 "is", "fs", "cs", "ss", "ts", "gs", "tys"};
static_assert(std::size(attributeKinds) == std::variant_size_v<AttributeValue>, "a name for each type of attributes");

static Symbol nameOf(const NodeObject &self, const std::string &name) {
  return self.held->context().symbol("attr", name);
}

static const AttributeValue &attributeOf(const NodeObject &self, const std::string &name) {
  const AttributeValue *value = self->attribute(nameOf(self, name));
  if (!value)
    raise(PyExc_RuntimeError, "required keyword attribute '" + name + "' is undefined");
  return *value;
}

/// A graph that an attribute holds. It is shared: a pass that is run on it changes the node's.
static nb::object subgraph(const HeldRef &held, const std::shared_ptr<Graph> &graph) {
  auto inner = std::make_shared<Held>(held->program, graph);
  inner->edits = held->edits;
  return nb::cast(GraphObject{std::move(inner)});
}

static nb::object giveAttribute(const NodeObject &self, const std::string &name) {
  const ProgramRef &program = self.held->program;
  auto convert = [&](const auto &value) -> nb::object {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, std::shared_ptr<Graph>>)
      return subgraph(self.held, value);
    else if constexpr (std::is_same_v<T, const Type *>)
      return nb::cast(TypeObject{program, value});
    else if constexpr (std::is_same_v<T, IValue>)
      return giveValue(value, program);
    else
      return giveValue(IValue(value), program);
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

static void setAttribute(const NodeObject &self, const std::string &name, AttributeValue value) {
  if (!isName(name))
    raise(PyExc_RuntimeError, "'" + name +
                                  "' is no name of an attribute: such a name is made of letters, digits, "
                                  "underscores and dots");
  self->setAttribute(nameOf(self, name), std::move(value));
  self.held->changed();
}

static Tensor takeTensor(const NodeObject &self, nb::handle object) {
  IValue value = takeValue(object, self.held->program);
  if (!value.isTensor())
    raise(PyExc_TypeError, "the attribute takes a tensor, and not a " + typeNameOf(object));
  return value.toTensor();
}

template <typename T> static void bindSetter(nb::class_<NodeObject> &type, const char *name) {
  type.def(
      name,
      [](nb::object self, const std::string &attribute, T value) {
        setAttribute(nb::cast<NodeObject &>(self), attribute, std::move(value));
        return self;
      },
      nb::arg("name"), nb::arg("value"));
}

static void bindAttributes(nb::class_<NodeObject> &type) {
  type.def("hasAttributes", [](const NodeObject &self) { return !self->attributes().empty(); })
      .def("hasAttribute",
           [](const NodeObject &self, const std::string &name) { return self->hasAttribute(nameOf(self, name)); })
      .def("attributeNames",
           [](const NodeObject &self) {
             std::vector<std::string> names;
             for (const NamedAttribute &attribute : self->attributes())
               names.push_back(attribute.name.name().str());
             return names;
           })
      .def("kindOf", [](const NodeObject &self,
                        const std::string &name) { return attributeKinds[attributeOf(self, name).index()]; })
      .def("removeAttribute",
           [](const NodeObject &self, const std::string &name) {
             (void)attributeOf(self, name);
             self->removeAttribute(nameOf(self, name));
             self.held->changed();
           })
      .def("copyAttributes",
           [](nb::object object, const NodeObject &other) {
             auto &self = nb::cast<NodeObject &>(object);
             for (const NamedAttribute &attribute : other->attributes())
               setAttribute(self, attribute.name.name().str(), attribute.value);
             return object;
           })
      .def("__getitem__", giveAttribute);
  for (const char *kind : attributeKinds)
    type.def(kind, giveAttribute, nb::arg("name"));
  bindSetter<int64_t>(type, "i_");
  bindSetter<double>(type, "f_");
  bindSetter<std::complex<double>>(type, "c_");
  bindSetter<std::string>(type, "s_");
  bindSetter<std::vector<int64_t>>(type, "is_");
  bindSetter<std::vector<double>>(type, "fs_");
  bindSetter<std::vector<std::complex<double>>>(type, "cs_");
  bindSetter<std::vector<std::string>>(type, "ss_");
  type.def(
      "t_",
      [](nb::object self, const std::string &name, nb::handle value) {
        auto &node = nb::cast<NodeObject &>(self);
        setAttribute(node, name, takeTensor(node, value));
        return self;
      },
      nb::arg("name"), nb::arg("value"));
  type.def(
      "ty_",
      [](nb::object self, const std::string &name, const TypeObject &value) {
        setAttribute(nb::cast<NodeObject &>(self), name, value.type);
        return self;
      },
      nb::arg("name"), nb::arg("value"));
  type.def(
      "g_",
      [](nb::object self, const std::string &name, const GraphObject &value) {
        auto &node = nb::cast<NodeObject &>(self);
        if (&value.held->context() != &node.held->context())
          raise(PyExc_ValueError, "the graphs belong to different programs");
        setAttribute(node, name, std::shared_ptr<Graph>(value->clone())); // a graph that held itself would have no end
        return self;
      },
      nb::arg("name"), nb::arg("value"));
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

static ValueObject only(const NodeObject &self, bool isInput) {
  const unsigned count = isInput ? self->numInputs() : self->numOutputs();
  if (count != 1)
    raise(PyExc_RuntimeError,
          std::string("the node has ") + std::to_string(count) + (isInput ? " inputs" : " outputs") + ", and not one");
  return valueOf(self.held, isInput ? self->input(0) : self->output(0));
}

static ValueObject at(const NodeObject &self, unsigned index, bool isInput) {
  if (index >= (isInput ? self->numInputs() : self->numOutputs()))
    raise(PyExc_IndexError, "the node has no such value");
  return valueOf(self.held, isInput ? self->input(index) : self->output(index));
}

static Node &ordinary(const NodeObject &self) {
  Node &node = *self;
  if (isEndOfBlock(node))
    raise(PyExc_RuntimeError, "a block's parameters and results stay where they are");
  return node;
}

static void checkInputAt(const NodeObject &self, unsigned index) {
  if (index >= self->numInputs())
    raise(PyExc_IndexError, "the node has no such input");
}

static void replaceInput(const NodeObject &self, unsigned index, const ValueObject &value) {
  checkInputAt(self, index);
  self->setInput(index, &partOf(self.held, value));
  self.held->changed();
}

static void replaceInputWith(const NodeObject &self, const ValueObject &from, const ValueObject &to) {
  Value *old = &partOf(self.held, from), *made = &partOf(self.held, to);
  for (unsigned i = 0; i != self->numInputs(); ++i)
    if (self->input(i) == old)
      self->setInput(i, made);
  self.held->changed();
}

static void replaceAllUses(const NodeObject &self, const NodeObject &other) {
  Node &to = partOf(self.held, other);
  if (to.numOutputs() != self->numOutputs())
    raise(PyExc_RuntimeError, "the nodes have different numbers of outputs");
  if (&to != &*self)
    self->replaceAllUsesWith(&to);
  self.held->changed();
}

static void eraseOutput(const NodeObject &self, unsigned index) {
  if (index >= self->numOutputs())
    raise(PyExc_IndexError, "the node has no such output");
  if (self->output(index)->hasUses())
    raise(PyExc_RuntimeError, "output %" + self->output(index)->displayName() + " is used");
  self->eraseOutput(index);
  self.held->changed();
}

/// Adds what reads inputs and outputs, and changes them.
static void bindOperands(nb::class_<NodeObject> &type) {
  type.def("inputs", [](const NodeObject &self) { return iteratorOver(valuesOf(self.held, self->inputs())); })
      .def("outputs", [](const NodeObject &self) { return iteratorOver(valuesOf(self.held, self->outputs())); })
      .def("input", [](const NodeObject &self) { return only(self, true); })
      .def("output", [](const NodeObject &self) { return only(self, false); })
      .def("inputsAt", [](const NodeObject &self, unsigned index) { return at(self, index, true); })
      .def("outputsAt", [](const NodeObject &self, unsigned index) { return at(self, index, false); })
      .def("inputsSize", [](const NodeObject &self) { return self->numInputs(); })
      .def("outputsSize", [](const NodeObject &self) { return self->numOutputs(); })
      .def("hasMultipleOutputs", [](const NodeObject &self) { return self->numOutputs() > 1; })
      .def("namedInput",
           [](const NodeObject &self, const std::string &name) {
             Value *input = self->namedInput(name);
             if (!input)
               raise(PyExc_RuntimeError, "the node has no input '" + name + "'");
             return valueOf(self.held, input);
           })
      .def("hasUses",
           [](const NodeObject &self) {
             return llvm::any_of(self->outputs(), [](const Value *value) { return value->hasUses(); });
           })
      .def("addInput",
           [](const NodeObject &self, const ValueObject &value) {
             self->addInput(&partOf(self.held, value));
             self.held->changed();
             return value;
           })
      .def("replaceInput", replaceInput)
      .def("replaceInputWith", replaceInputWith)
      .def("replaceAllUsesWith", replaceAllUses)
      .def("removeInput",
           [](const NodeObject &self, unsigned index) {
             checkInputAt(self, index);
             self->eraseInput(index);
             self.held->changed();
           })
      .def("removeAllInputs",
           [](const NodeObject &self) {
             self->eraseAllInputs();
             self.held->changed();
           })
      .def("addOutput",
           [](const NodeObject &self) {
             Value *made = self->addOutput();
             self.held->changed();
             return valueOf(self.held, made);
           })
      .def("eraseOutput", eraseOutput);
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// Inserts or moves a node to behind or before another one.
static nb::object place(nb::object object, const NodeObject &other, bool behind, bool moves) {
  auto &self = nb::cast<NodeObject &>(object);
  Node &node = ordinary(self), &at = partOf(self.held, other);
  const bool isLoose = llvm::is_contained(self.held->loose, &node);
  if (isLoose == moves)
    raise(PyExc_RuntimeError, isLoose ? "the node is in no block" : "the node is in a block already");
  if (&at == &node || llvm::is_contained(self.held->loose, &at))
    raise(PyExc_RuntimeError, "a node is placed beside another one that is in a block");
  for (const Node *around = at.parentNode(); around; around = around->parentNode())
    if (around == &node)
      raise(PyExc_RuntimeError, "a node cannot be put into its own block");
  if ((behind && at.kind() == prim::Return) || (!behind && at.kind() == prim::Param))
    raise(PyExc_RuntimeError, "nothing comes before a block's parameters, or after its results");
  if (moves)
    behind ? node.moveAfter(&at) : node.moveBefore(&at);
  else
    behind ? node.insertAfter(&at) : node.insertBefore(&at);
  llvm::erase(self.held->loose, &node);
  self.held->changed();
  return object;
}

static void destroyNode(const NodeObject &self) {
  Node &node = ordinary(self);
  for (const Value *output : node.outputs())
    if (output->hasUses())
      raise(PyExc_RuntimeError, "output %" + output->displayName() + " of the node is used");
  llvm::erase(self.held->loose, &node);
  node.erase();
  self.held->changed();
  self.held->checkInsertPoint();
}

static bool comesBefore(const NodeObject &self, const NodeObject &other) {
  Node &first = ordinary(self), &second = partOf(self.held, other);
  if (!isPlaced(*self.held, first) || !isPlaced(*self.held, second) || isEndOfBlock(second))
    raise(PyExc_RuntimeError, "nodes are compared where both are in a block");
  return first.isBefore(&second);
}

/// The text of a place as stack traces have it.
static std::string textOfRange(SourceRange range) {
  if (!range.isValid())
    return std::string();
  const LineColumn at = range.lineColumn();
  std::string text = "  File \"" + range.buffer()->name().str() + "\", line " + std::to_string(at.line) + "\n";
  if (range.buffer()->hasText()) {
    const size_t length = std::max<size_t>(1, range.text().split('\n').first.size());
    text += range.buffer()->line(at.line).str() + "\n" + std::string(at.column, ' ') + std::string(length, '~') +
            " <--- HERE\n";
  }
  return text;
}

/// Whether the node is a call of the operator with this schema.
static bool matches(const NodeObject &self, const std::string &schema) {
  const FunctionSchema *own = self->schema();
  if (!own)
    return false;
  DiagnosticEngine diagnostics;
  auto parsed = parseSchema(self.held->context(), self.held->context().sources().add("<schema>", schema), diagnostics);
  if (failed(parsed))
    raise(PyExc_RuntimeError, diagnostics.str());
  // A text without an overload's name stands for the one whose arguments it lists.
  if (own->name() != parsed->name() || own->arguments().size() != parsed->arguments().size())
    return false;
  if (!parsed->overloadName().empty() && parsed->overloadName() != own->overloadName())
    return false;
  return llvm::all_of(llvm::zip(own->arguments(), parsed->arguments()), [](const auto &pair) {
    const auto &[mine, theirs] = pair;
    return mine.name == theirs.name && mine.type == theirs.type;
  });
}

static void bindPlaces(nb::class_<NodeObject> &type) {
  type.def("blocks",
           [](const NodeObject &self) {
             std::vector<BlockObject> blocks;
             for (Block &block : self->blocks())
               blocks.push_back(blockOf(self.held, &block));
             return iteratorOver(blocks);
           })
      .def("addBlock",
           [](const NodeObject &self) {
             Block &made = self->addBlock();
             self.held->changed();
             return blockOf(self.held, &made);
           })
      .def("owningBlock",
           [](const NodeObject &self) {
             Block *block = self->block();
             return block ? std::optional(blockOf(self.held, block)) : std::nullopt;
           })
      .def("owningGraph", [](const NodeObject &self) { return GraphObject{self.held}; })
      .def("insertBefore", [](nb::object self, const NodeObject &other) { return place(self, other, false, false); })
      .def("insertAfter", [](nb::object self, const NodeObject &other) { return place(self, other, true, false); })
      .def("moveBefore", [](nb::object self, const NodeObject &other) { return place(self, other, false, true); })
      .def("moveAfter", [](nb::object self, const NodeObject &other) { return place(self, other, true, true); })
      .def("isBefore", comesBefore)
      .def("isAfter", [](const NodeObject &self,
                         const NodeObject &other) { return self.part != other.part && !comesBefore(self, other); })
      .def("destroy", destroyNode)
      .def("scopeName", [](const NodeObject &self) { return self->scope() ? self->scope()->path() : ""; })
      .def("sourceRange", [](const NodeObject &self) { return textOfRange(self->range()); })
      .def("copyMetadata", [](nb::object object, const NodeObject &other) {
        auto &self = nb::cast<NodeObject &>(object);
        self->setRange(other->range());
        if (other.held->graph == self.held->graph)
          self->setScope(other->scope());
        return object;
      });
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static void bindNode(nb::module_ &module) {
  nb::class_<NodeObject> type(module, "Node", "A node of a graph.");
  type.def("kind", [](const NodeObject &self) { return self->kindName().str(); })
      .def("__str__", [](const NodeObject &self) { return textOfNode(*self); })
      .def("__repr__", [](const NodeObject &self) { return textOfNode(*self); })
      .def("__eq__",
           [](const NodeObject &self, nb::handle other) {
             NodeObject node;
             return nb::try_cast(other, node) && self.part == node.part;
           })
      .def("__hash__", [](const NodeObject &self) { return reinterpret_cast<intptr_t>(self.part) >> 4; })
      .def("schema",
           [](const NodeObject &self) {
             const FunctionSchema *schema = self->schema();
             return schema ? schema->str() : "(no schema)";
           })
      .def("matches", matches, nb::arg("schema"))
      .def("isNondeterministic", [](const NodeObject &self) { return changesGenerator(*self); })
      .def("mustBeNone",
           [](const NodeObject &self) {
             std::optional<IValue> value =
                 self->numOutputs() == 1 ? constantValue(self->output()) : std::optional<IValue>();
             return value && value->isNone();
           })
      .def(
          "findNode",
          [](const NodeObject &self, const std::string &kind, bool recurse) {
            for (Block &block : self->blocks())
              if (std::optional<NodeObject> found = findOne(self.held, block, kind, recurse))
                return found;
            return std::optional<NodeObject>();
          },
          nb::arg("kind"), nb::arg("recurse") = true)
      .def(
          "findAllNodes",
          [](const NodeObject &self, const std::string &kind, bool recurse) {
            std::vector<NodeObject> found;
            for (Block &block : self->blocks())
              for (NodeObject &one : findAll(self.held, block, kind, recurse))
                found.push_back(std::move(one));
            return found;
          },
          nb::arg("kind"), nb::arg("recurse") = true);
  bindOperands(type);
  bindPlaces(type);
  bindAttributes(type);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Whether `self` is read after `other`: by a later node, or by the same one in a later place.
static bool isAfter(const UseObject &self, const UseObject &other) {
  Node &mine = *self.user, &theirs = partOf(self.user.held, other.user);
  if (!isPlaced(*self.user.held, mine) || !isPlaced(*self.user.held, theirs))
    raise(PyExc_RuntimeError, "uses are compared where both nodes are in a block");
  if (&mine == &theirs)
    return self.offset > other.offset;
  // A block's results are read when all of its nodes have run.
  auto before = [](Node &first, Node &second) {
    if (first.kind() == prim::Return && first.block())
      for (const Node *node = &second; node; node = node->parentNode())
        if (node->block() == first.block())
          return false;
    if (second.kind() == prim::Return && second.block())
      for (const Node *node = &first; node; node = node->parentNode())
        if (node->block() == second.block())
          return true;
    const Node *one = first.kind() == prim::Return ? first.parentNode() : &first;
    const Node *two = second.kind() == prim::Return ? second.parentNode() : &second;
    return one && two && one != two && one->isBefore(two);
  };
  return before(theirs, mine);
}

static void setType(const ValueObject &self, const Type *type) {
  self->setType(type);
  llvm::SmallVector<Use *, 4> uses;
  for (Use &use : self->uses())
    uses.push_back(&use);
  for (Use *use : uses) { // so that the nodes look for their overloads anew
    use->set(nullptr);
    use->set(&*self);
  }
  self.held->changed();
}

static void replaceUses(const ValueObject &self, const ValueObject &other) {
  Value &to = partOf(self.held, other);
  if (&to != &*self)
    self->replaceAllUsesWith(&to);
  self.held->changed();
}

/// Replaces the uses by nodes that come after `node`.
static void replaceUsesAfter(const ValueObject &self, const NodeObject &node, const ValueObject &other) {
  Node &point = partOf(self.held, node);
  Value &to = partOf(self.held, other);
  llvm::SmallVector<Use *, 4> uses;
  for (Use &use : self->uses()) {
    const UseObject here{nodeOf(self.held, use.user()), use.index()};
    if (use.user() != &point && isAfter(here, UseObject{node, 0}))
      uses.push_back(&use);
  }
  for (Use *use : uses)
    use->set(&to);
  self.held->changed();
}

static std::vector<UseObject> usesOf(const ValueObject &self) {
  std::vector<UseObject> uses;
  for (Use &use : self->uses())
    uses.push_back({nodeOf(self.held, use.user()), use.index()});
  std::reverse(uses.begin(), uses.end()); // the list has the youngest first
  return uses;
}

static bool requiresGrad(const ValueObject &self) {
  auto *type = llvm::dyn_cast<TensorType>(self->type());
  return type && type->facts().requiresGrad.value_or(true);
}

static bool isComplete(const ValueObject &self) {
  auto *type = llvm::dyn_cast<TensorType>(self->type());
  if (!type)
    return false;
  const TensorFacts &facts = type->facts();
  auto known = [](const auto &dimensions) {
    return dimensions && llvm::all_of(*dimensions, [](const Dimension &one) { return one.isKnown(); });
  };
  return facts.dtype && facts.device && known(facts.sizes) && known(facts.strides);
}

static nb::object withNewType(nb::object object, const Type *type) {
  setType(nb::cast<ValueObject &>(object), type);
  return object;
}

/// Returns the type with all that a tensor shows: sizes, strides, dtype, device, whether it requires a gradient.
static const Type *typeOfTensor(nb::handle tensor, const ProgramRef &program) {
  IValue value = takeValue(tensor, program);
  if (!value.isTensor())
    raise(PyExc_TypeError, "the type is inferred from a tensor, and not from a " + typeNameOf(tensor));
  TensorFacts facts = factsOfTensor(value.toTensor());
  facts.requiresGrad = nb::cast<bool>(tensor.attr("requires_grad"));
  return program->program->context().tensor(facts);
}

static void bindValueChanges(nb::class_<ValueObject> &type) {
  type.def("setType",
           [](nb::object self, nb::handle type) {
             return withNewType(self, takeType(type, nb::cast<ValueObject &>(self).held->program));
           })
      .def("setTypeAs",
           [](nb::object self, const ValueObject &other) {
             return withNewType(self, partOf(nb::cast<ValueObject &>(self).held, other).type());
           })
      .def("copyMetadata",
           [](nb::object self, const ValueObject &other) {
             return withNewType(self, partOf(nb::cast<ValueObject &>(self).held, other).type());
           })
      .def("inferTypeFrom",
           [](const ValueObject &self, nb::handle tensor) { setType(self, typeOfTensor(tensor, self.held->program)); })
      .def("setDebugName",
           [](nb::object object, const std::string &name) {
             auto &self = nb::cast<ValueObject &>(object);
             checkValueName(name);
             self->setName(name);
             self.held->changed();
             return object;
           })
      .def("replaceAllUsesWith", replaceUses)
      .def("replaceAllUsesAfterNodeWith", replaceUsesAfter);
}

static void bindValue(nb::module_ &module) {
  nb::class_<ValueObject> type(module, "Value", "A value of a graph.");
  type.def("type", [](const ValueObject &self) { return TypeObject{self.held->program, self->type()}; })
      .def("debugName", [](const ValueObject &self) { return self->displayName(); })
      .def("hasDebugName", [](const ValueObject &self) { return self->hasName(); })
      .def("debugNameBase",
           [](const ValueObject &self) {
             const std::string name = self->displayName();
             auto [base, number] = StringRef(name).rsplit('.');
             unsigned suffix;
             return number.getAsInteger(10, suffix) ? name : base.str();
           })
      .def("unique", [](const ValueObject &self) { return self->id(); })
      .def("offset", [](const ValueObject &self) { return self->offset(); })
      .def("node", [](const ValueObject &self) { return nodeOf(self.held, self->node()); })
      .def("requires_grad", requiresGrad)
      .def("requiresGrad", requiresGrad)
      .def("isCompleteTensor", isComplete)
      .def("uses", usesOf)
      .def("toIValue",
           [](const ValueObject &self) -> nb::object {
             std::optional<IValue> value = constantValue(&*self);
             return value ? giveValue(*value, self.held->program) : nb::none();
           })
      .def("__eq__",
           [](const ValueObject &self, nb::handle other) {
             ValueObject value;
             return nb::try_cast(other, value) && self.part == value.part;
           })
      .def("__hash__", [](const ValueObject &self) { return reinterpret_cast<intptr_t>(self.part) >> 4; })
      .def("__str__", [](const ValueObject &self) {
        return self->displayName() + " defined in (" + StringRef(textOfNode(*self->node())).rtrim().str() + ")";
      });
  bindValueChanges(type);
  nb::class_<UseObject>(module, "Use", "A place where a value is read.")
      .def_prop_ro("user", [](const UseObject &self) { return self.user; })
      .def_prop_ro("offset", [](const UseObject &self) { return self.offset; })
      .def("isAfter", isAfter);
}

void bindings::bindNodes(nb::module_ &module) {
  bindNode(module);
  bindValue(module);
  module.def("_type_of_tensor", [](const ProgramRef &program, nb::handle tensor) {
    return TypeObject{program, typeOfTensor(tensor, program)};
  });
}
