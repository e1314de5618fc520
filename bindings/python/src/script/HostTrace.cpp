//===- HostTrace.cpp - Traces of what Python calls ------------------------===//
#include "HostTrace.h"
#include "../ModuleObject.h"
#include "../Values.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/HostDefinitions.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Transforms/TracedModules.h"
#include "tsc/Transforms/UnusedOperators.h"
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

HostTrace::HostTrace(std::shared_ptr<ScriptUnit> unit)
    : unit(std::move(unit)), state(std::make_unique<TracingState>(this->unit->program()->program->context())) {
  blocks.emplace_back(graph().block());
  state->setSourceCallback([this] { return place; });
}

Graph &HostTrace::graph() const {
  if (!state)
    raise(PyExc_RuntimeError, "the trace is over");
  return state->graph();
}

Value *HostTrace::valueOf(const RecordedValue &value) const {
  if (!state || value.trace.get() != this)
    raise(PyExc_RuntimeError, "a value of a trace is used that is over");
  return value.value;
}

//===----------------------------------------------------------------------===//
// Where nodes come from
//===----------------------------------------------------------------------===//

void HostTrace::setPlace(const std::string &file, unsigned line) {
  SourceManager &sources = graph().context().sources();
  place = line ? SourceRange::atLine(sources.addNameOnly(file), {line, 0}) : SourceRange();
}

void HostTrace::enterModule(const std::string &scope) {
  Node *call = graph().create(prim::TracedModuleForward, 0);
  call->setAttribute(attr::scope, scope);
  Block &body = call->addBlock();
  state->insert(call);
  blocks.emplace_back(body);
  state->enterScope(scope);
  graph().setInsertPoint(body);
}

void HostTrace::leaveModule() {
  if (blocks.size() == 1)
    raise(PyExc_RuntimeError, "no call of a module is under way");
  blocks.pop_back();
  state->leaveScope();
  graph().setInsertPoint(*blocks.back().block);
}

void HostTrace::enterFork() {
  Node *fork = graph().create(prim::TracedFork, 1);
  Block &body = fork->addBlock();
  state->insert(fork);
  blocks.emplace_back(body);
  graph().setInsertPoint(body);
}

RecordedValue HostTrace::leaveFork(nb::handle result) {
  Value *value = record(result, nullptr);
  Node *fork = blocks.back().block->owner();
  if (!fork || fork->kind() != prim::TracedFork)
    raise(PyExc_RuntimeError, "no fork is under way");
  blocks.back().block->addOutput(value);
  fork->output()->setType(graph().context().futureOf(value->type()));
  blocks.pop_back();
  graph().setInsertPoint(*blocks.back().block);
  return recorded(fork->output());
}

RecordedValue HostTrace::wait(const RecordedValue &future) {
  Value *waited = valueOf(future);
  if (waited->type()->kind() != TypeKind::Future)
    raise(PyExc_TypeError, "a value of type " + waited->type()->annotation() + " is no future");
  return recorded(insert(aten::wait, {waited}, waited->type()->contained()[0]));
}

bool HostTrace::isVisible(const RecordedValue &value) const {
  const Block *block = &valueOf(value)->block();
  return llvm::any_of(blocks, [&](const OpenBlock &open) { return open.block == block; });
}

Value *HostTrace::insert(Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type) {
  Node *node = graph().create(kind, inputs, 1);
  node->output()->setType(type);
  return state->insert(node)->output();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RecordedValue HostTrace::addInput(const std::string &name, const Definition &type) {
  if (!type.type)
    raise(PyExc_TypeError, "an input has a type");
  return recorded(graph().addInput(name, type.type));
}

/// Returns the class of a module of the unit's.
static const ClassType *traceableClass(nb::handle module, const ScriptUnit &unit) {
  std::optional<IValue> object = valueOfObject(module, unit.program().get());
  if (!object || !object->isObject())
    raise(PyExc_TypeError, "expected a module, and not a " + typeNameOf(module));
  return object->toObject().type;
}

RecordedValue HostTrace::addModule(nb::handle module) {
  return recorded(graph().addInput("self", traceableClass(module, *unit)));
}

RecordedValue HostTrace::attribute(const std::string &scope, nb::handle module) {
  const Type *type = module.is_none() ? Type::tensorType() : traceableClass(module, *unit);
  Node *node = graph().create(prim::TracedAttr, 1);
  node->setAttribute(attr::scope, scope);
  node->setScope(nullptr);
  node->output()->setType(type);
  graph().block().prepend(node);
  return recorded(node->output());
}

Value *HostTrace::recordConstant(const IValue &value) {
  if (value.isObject() || value.isFuture() || value.isDict() || !Graph::canBeConstant(value))
    raise(PyExc_RuntimeError, "the trace cannot hold a constant of type " + pythonTypeName(value));
  const bool isPlain = value.isNone() || value.isBool() || value.isInt();
  if (!isPlain)
    return state->insert(graph().createConstant(value))->output();
  const std::pair key(static_cast<unsigned>(value.getTag()), value.isNone() ? 0 : value.toInt());
  Value *&known = blocks.back().constants[key];
  if (!known)
    known = state->insert(graph().createConstant(value))->output();
  return known;
}

RecordedValue HostTrace::constant(nb::handle object) {
  return recorded(recordConstant(toIValue(object, unit->program().get())));
}

void HostTrace::setName(const RecordedValue &value, const std::string &name) {
  if (Value *named = valueOf(value); !named->hasName())
    named->setName(name);
}

RecordedValue HostTrace::construct(nb::handle object) { return recorded(record(object, nullptr)); }

std::vector<RecordedValue> HostTrace::unpack(const RecordedValue &container, unsigned count) {
  Value *packed = valueOf(container);
  const Type *type = packed->type();
  const bool isTuple = type->kind() == TypeKind::Tuple;
  if (isTuple ? type->contained().size() != count : type->kind() != TypeKind::List)
    raise(PyExc_TypeError, "a value of type " + type->annotation() + " has not " + std::to_string(count) + " elements");
  Node *node = graph().create(isTuple ? prim::TupleUnpack : prim::ListUnpack, {packed}, count);
  std::vector<RecordedValue> parts;
  for (unsigned i = 0; i != count; ++i) {
    node->output(i)->setType(type->contained()[isTuple ? i : 0]);
    parts.push_back(recorded(node->output(i)));
  }
  state->insert(node);
  return parts;
}

RecordedValue HostTrace::item(const RecordedValue &dict, nb::handle key) {
  Value *held = valueOf(dict);
  if (held->type()->kind() != TypeKind::Dict)
    raise(PyExc_TypeError, "a value of type " + held->type()->annotation() + " has no keys");
  return recorded(insert(aten::__getitem__, {held, record(key, nullptr)}, held->type()->contained()[1]));
}

const RecordedValue *HostTrace::recordedOf(nb::handle object) {
  RecordedValue *value = nullptr;
  return nb::try_cast(object, value) ? value : nullptr;
}

static bool isSequence(nb::handle object) { return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()); }

bool HostTrace::holdsRecorded(nb::handle object) {
  if (isSequence(object)) {
    for (nb::handle one : nb::borrow(object))
      if (holdsRecorded(one))
        return true;
    return false;
  }
  if (PyDict_Check(object.ptr())) {
    for (auto [key, value] : nb::borrow<nb::dict>(object))
      if (holdsRecorded(key) || holdsRecorded(value))
        return true;
    return false;
  }
  return recordedOf(object);
}

Value *HostTrace::record(nb::handle object, const Type *type) {
  Context &context = graph().context();
  if (const RecordedValue *known = recordedOf(object)) {
    Value *value = valueOf(*known);
    return type && type->kind() == TypeKind::Float && value->type()->kind() == TypeKind::Int
               ? insert(aten::Float, {value}, Type::floatType())
               : value;
  }
  if (holdsRecorded(object))
    return recordContainer(object, type);
  IValue value = toIValue(object, unit->program().get());
  if (value.isDict() || (value.isTuple() && !type)) // no constants
    return recordContainer(object, type);
  if (std::optional<IValue> converted = type ? convertTo(context, value, type) : std::nullopt)
    value = *std::move(converted);
  return recordConstant(value);
}

Value *HostTrace::recordContainer(nb::handle object, const Type *type) {
  Context &context = graph().context();
  if (type && type->kind() == TypeKind::Optional)
    type = type->contained()[0];
  llvm::SmallVector<Value *, 8> parts;
  if (PyDict_Check(object.ptr())) {
    for (auto [key, value] : nb::borrow<nb::dict>(object)) {
      parts.push_back(record(key, nullptr));
      parts.push_back(record(value, nullptr));
    }
    const Type *made = parts.empty() ? context.dictOf(Type::stringType(), Type::tensorType())
                                     : context.dictOf(context.unshaped(parts[0]->type()), parts[1]->type());
    return insert(prim::DictConstruct, parts, made);
  }
  const Type *element = type && type->kind() == TypeKind::List ? type->contained()[0] : nullptr;
  for (nb::handle one : nb::borrow(object))
    parts.push_back(record(one, element));
  if (element)
    return insert(prim::ListConstruct, parts, type);
  if (PyList_Check(object.ptr()))
    return insert(prim::ListConstruct, parts,
                  context.listOf(parts.empty() ? Type::tensorType() : context.unshaped(parts.front()->type())));
  llvm::SmallVector<const Type *, 8> types;
  for (Value *part : parts)
    types.push_back(part->type());
  return insert(prim::TupleConstruct, parts, context.tupleOf(types));
}

//===----------------------------------------------------------------------===//
// Which overload
//===----------------------------------------------------------------------===//

bool HostTrace::fits(nb::handle object, const Type *type) const {
  if (type->kind() == TypeKind::Optional) {
    if (object.is_none())
      return true;
    type = type->contained()[0];
  }
  if (const RecordedValue *known = recordedOf(object)) {
    const Type *own = valueOf(*known)->type();
    return own->isSubtypeOf(type) || (own->kind() == TypeKind::Int && type->kind() == TypeKind::Float);
  }
  if (isSequence(object) && holdsRecorded(object)) {
    if (type->kind() != TypeKind::List)
      return false;
    for (nb::handle one : nb::borrow(object))
      if (!fits(one, type->contained()[0]))
        return false;
    return true;
  }
  if (type->isTensor() && (PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr()) || PyComplex_Check(object.ptr())))
    return false; // an overload for numbers is meant
  return convertTo(graph().context(), toIValue(object, unit->program().get()), type).has_value();
}

bool HostTrace::fits(nb::handle object, const Argument &argument) const {
  return fits(object, argument.type) || (argument.fixedLength && argument.type->kind() == TypeKind::List &&
                                         fits(object, argument.type->contained()[0]));
}

bool HostTrace::fits(const FunctionSchema &schema, const nb::dict &given) const {
  size_t found = 0;
  for (const Argument &argument : schema.arguments()) {
    nb::object value = itemOf(given, makeStr(argument.name));
    if (value.is_valid() ? !fits(value, argument) : !argument.defaultValue)
      return false;
    found += value.is_valid();
  }
  return found == given.size();
}

std::vector<RecordedValue> HostTrace::call(const std::string &name, const std::string &overload,
                                           const nb::dict &given) {
  OperatorTable &table = graph().context().operators();
  const Operator *op = table.find(name, overload);
  if (op && !fits(op->schema(), given))
    op = nullptr;
  for (const Operator *other : table.overloads(graph().context().symbol(name)))
    if (!op && fits(other->schema(), given))
      op = other;
  if (!op)
    raise(PyExc_NotImplementedError,
          "tsc has no operator " + name + (overload.empty() ? "" : "." + overload) + " that takes these arguments");
  llvm::SmallVector<Value *, 8> inputs;
  for (const Argument &argument : op->schema().arguments()) {
    nb::object value = itemOf(given, makeStr(argument.name));
    inputs.push_back(value.is_valid() ? record(value, argument.type) : recordConstant(*argument.defaultValue));
  }
  const auto returns = op->schema().returns();
  Node *node = graph().create(op->symbol(), inputs, returns.size());
  node->setOp(op);
  std::vector<RecordedValue> results;
  for (auto [output, result] : llvm::zip_equal(node->outputs(), returns)) {
    output->setType(result.type->hasFreeVariables() ? Type::tensorType() : result.type);
    results.push_back(recorded(output));
  }
  state->insert(node);
  return results;
}

//===----------------------------------------------------------------------===//
// Calls of compiled code
//===----------------------------------------------------------------------===//

static const Type *resultType(const Function &function) {
  const auto returns = function.schema().returns();
  return returns.empty() ? Type::noneType() : returns.front().type;
}

/// Gives the arguments that a call leaves out their defaults.
template <typename F> static void addDefaults(const FunctionSchema &schema, size_t given, F &&add) {
  for (const Argument &argument : schema.arguments().drop_front(std::min(given, schema.arguments().size()))) {
    if (!argument.defaultValue)
      raise(PyExc_TypeError, "'" + schema.name().str() + "' needs the argument '" + argument.name + "'");
    add(*argument.defaultValue);
  }
}

RecordedValue HostTrace::callFunction(const Definition &definition, const nb::list &args) {
  if (!definition.function)
    raise(PyExc_TypeError, "expected a compiled function");
  unit->compile(definition);
  Function &function = *definition.function;
  const FunctionSchema &schema = function.schema();
  llvm::SmallVector<Value *, 8> inputs{recordConstant(IValue(&function))};
  for (size_t i = 0; i != args.size(); ++i)
    inputs.push_back(record(args[i], i < schema.arguments().size() ? schema.arguments()[i].type : nullptr));
  addDefaults(schema, args.size(), [&](const IValue &value) { inputs.push_back(recordConstant(value)); });
  return recorded(insert(prim::CallFunction, inputs, resultType(function)));
}

RecordedValue HostTrace::callMethod(const RecordedValue &object, const std::string &name, const nb::list &args) {
  Value *self = valueOf(object);
  const auto *type = llvm::dyn_cast<ClassType>(self->type());
  Definition owner;
  owner.type = type;
  const Function *method = type ? type->findMethod(name) : nullptr;
  if (!method && type)
    method = unit->findMethod(owner, name).function;
  if (!method)
    raise(PyExc_TypeError, "the module has no method '" + name + "'");
  const FunctionSchema &schema = method->schema();
  llvm::SmallVector<Value *, 8> inputs{self};
  for (size_t i = 0; i != args.size(); ++i)
    inputs.push_back(record(args[i], i + 1 < schema.arguments().size() ? schema.arguments()[i + 1].type : nullptr));
  addDefaults(schema, args.size() + 1, [&](const IValue &value) { inputs.push_back(recordConstant(value)); });
  Value *result = insert(prim::CallMethod, inputs, resultType(*method));
  result->node()->setAttribute(attr::name, name);
  return recorded(result);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

std::string HostTrace::text() const { return graph().str(/*withRanges=*/false); }

std::unique_ptr<Graph> HostTrace::finish(nb::handle output) {
  if (blocks.size() != 1)
    raise(PyExc_RuntimeError, "a call of a module is still under way");
  graph().addOutput(record(output, nullptr));
  std::unique_ptr<Graph> made = state->takeGraph();
  state.reset();
  return made;
}

Definition bindings::functionOfTrace(ScriptUnit &unit, std::unique_ptr<Graph> trace, const std::string &name) {
  std::optional<Status> status;
  Definition traced = unit.declare([&](Compiler &compiler) {
    Definition definition;
    status = fixupTraceScopes(*trace, compiler.unit());
    if (!status->ok())
      return definition;
    eraseUnusedOperators(*trace);
    std::vector<Argument> arguments;
    for (const Value *input : trace->inputs())
      arguments.push_back({input->displayName(), input->type(), {}, {}, false, {}});
    std::vector<Argument> returns{{"", trace->block().returnNode().input(0)->type(), {}, {}, false, {}}};
    Function *function = compiler.unit().create(name);
    function->setSchema(FunctionSchema(function->name().str(), "", std::move(arguments), std::move(returns)));
    function->setGraph(std::move(trace));
    definition.function = function;
    definition.value = valueOfFunction(compiler, {function});
    definition.isTraced = true;
    return definition;
  });
  raiseIfError(*status);
  return traced;
}

Definition HostTrace::finishFunction(nb::handle output, const std::string &name) {
  return functionOfTrace(*unit, finish(output), name);
}

Definition HostTrace::finishMethod(nb::handle module, nb::handle output, const std::string &name) {
  std::optional<IValue> object = valueOfObject(module, unit->program().get());
  if (!object || !object->isObject())
    raise(PyExc_TypeError, "expected a module, and not a " + typeNameOf(module));
  std::unique_ptr<Graph> made = finish(output);
  std::optional<Status> status;
  Definition traced = unit->declare([&](Compiler &compiler) {
    Definition definition;
    eraseUnusedOperators(*made);
    StatusOr<Function *> method = addTracedMethod(object->toObject(), name, std::move(made), compiler.unit());
    status = method.status();
    definition.function = method.ok() ? *method : nullptr;
    definition.isTraced = true;
    return definition;
  });
  raiseIfError(*status);
  return traced;
}

//===----------------------------------------------------------------------===//
// Modules of traces
//===----------------------------------------------------------------------===//

nb::object ScriptUnit::tracedModule(const std::string &name,
                                    const std::vector<std::tuple<std::string, nb::object, std::string>> &attributes) {
  Module made = loaded->orRaise(engine().createModule(name, /*mangle=*/true));
  for (const auto &[attribute, object, kind] : attributes) {
    IValue value = toIValue(object, loaded.get());
    const Type *type = value.dynamicType(engine().context());
    if (!type)
      raise(PyExc_TypeError, "attribute '" + attribute + "' is a " + typeNameOf(object) + ", which has no type");
    if (value.isTensor())
      type = Type::tensorType();
    loaded->raiseIfError(made.registerAttribute(attribute, type, std::move(value),
                                                kind == "parameter" ? AttributeKind::Parameter
                                                : kind == "buffer"  ? AttributeKind::Buffer
                                                                    : AttributeKind::Regular));
  }
  return toPython(IValue(made.object()), loaded);
}

Definition ScriptUnit::typeOfModule(nb::handle module) {
  const Type *type = traceableClass(module, *this);
  return declare([&](Compiler &compiler) {
    Definition made;
    made.type = type;
    made.value = valueOfType(compiler, type);
    return made;
  });
}

void bindings::bindTraces(nb::module_ &module) {
  nb::class_<RecordedValue>(module, "Recorded", "A value of the graph of a trace.")
      .def_prop_ro("type", [](const RecordedValue &self) { return self.value->type()->annotation(); });
  nb::class_<HostTrace>(module, "Trace", "A trace under way.")
      .def(nb::new_([](std::shared_ptr<ScriptUnit> unit) { return std::make_shared<HostTrace>(std::move(unit)); }),
           nb::arg("unit"))
      .def("set_place", &HostTrace::setPlace, nb::arg("file"), nb::arg("line"))
      .def("enter_module", &HostTrace::enterModule, nb::arg("scope"))
      .def("leave_module", &HostTrace::leaveModule)
      .def("enter_fork", &HostTrace::enterFork)
      .def("leave_fork", &HostTrace::leaveFork, nb::arg("result").none())
      .def("wait", &HostTrace::wait, nb::arg("future"))
      .def("set_name", &HostTrace::setName, nb::arg("value"), nb::arg("name"))
      .def("is_visible", &HostTrace::isVisible, nb::arg("value"))
      .def("add_input", &HostTrace::addInput, nb::arg("name"), nb::arg("type"))
      .def("add_module", &HostTrace::addModule, nb::arg("module"))
      .def("attribute", &HostTrace::attribute, nb::arg("scope"), nb::arg("module").none() = nb::none())
      .def("constant", &HostTrace::constant, nb::arg("object").none())
      .def("construct", &HostTrace::construct, nb::arg("object").none())
      .def("unpack", &HostTrace::unpack, nb::arg("container"), nb::arg("count"))
      .def("item", &HostTrace::item, nb::arg("dict"), nb::arg("key"))
      .def("call", &HostTrace::call, nb::arg("name"), nb::arg("overload"), nb::arg("given"))
      .def("call_function", &HostTrace::callFunction, nb::arg("function"), nb::arg("args"))
      .def("call_method", &HostTrace::callMethod, nb::arg("object"), nb::arg("name"), nb::arg("args"))
      .def("text", &HostTrace::text)
      .def("finish_function", &HostTrace::finishFunction, nb::arg("output").none(), nb::arg("name"))
      .def("finish_method", &HostTrace::finishMethod, nb::arg("module"), nb::arg("output").none(), nb::arg("name"));
}
