//===- Operators.cpp - Operators as objects -------------------------------===//
//
// `tsc.ops.aten.add` is an operator; so is the method `add` of tensors, which the type
// finds in its table, and the function `tsc.add`.
//
//===----------------------------------------------------------------------===//
#include "Calls.h"
#include "Eager.h"
#include "TensorObject.h"
#include "Values.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/StringSet.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// An operator with all its overloads, or one overload: its name, "aten::add" or "aten::add.Tensor". As a method it is
/// bound to a tensor, which is its first argument.
struct OperatorObject {
  PyObject base;
  vectorcallfunc vectorcall;
  std::string name;
  PyObject *self; ///< Null for an operator that is not bound.
};
} // namespace

static PyTypeObject *operatorType = nullptr;

static OperatorObject &operatorOf(PyObject *self) { return *reinterpret_cast<OperatorObject *>(self); }

static std::vector<const Operator *> overloadsOf(llvm::StringRef name) {
  auto [qualified, overload] = name.split('.');
  std::vector<const Operator *> found;
  for (const Operator *op : eagerContext().operators().overloads(eagerContext().symbol(qualified)))
    if (!name.contains('.') || op->schema().overloadName() == overload)
      found.push_back(op);
  return found;
}

/// Whether a keyword argument is one that torch's functions have beside those of the schema; takes it then: factories
/// may make leaves that require a gradient, and no `out` is none.
static bool takeTorchKeyword(const std::string &name, nb::handle value, bool &requiresGrad) {
  if (name == "out")
    return value.is_none();
  if (name != "requires_grad")
    return false;
  const int wanted = PyObject_IsTrue(value.ptr());
  if (wanted < 0)
    raiseCurrent();
  requiresGrad = wanted != 0;
  return true;
}

/// The name that a schema has for a keyword argument: torch takes NumPy's names, too, and calls `self` `input` where it
/// is no method.
static std::string schemaName(std::string name, const OperatorObject &op) {
  const char *other = name == "axis"                ? "dim"
                      : name == "keepdims"          ? "keepdim"
                      : name == "input" && !op.self ? "self"
                                                    : "";
  if (!*other)
    return name;
  for (const Operator *overload : overloadsOf(op.name))
    if (overload->schema().argumentIndex(name))
      return name;
  return other;
}

static PyObject *callOperatorObject(PyObject *self, PyObject *const *args, size_t numArgsAndFlag,
                                    PyObject *keywords) noexcept {
  return guardedObject([&] {
    const OperatorObject &op = operatorOf(self);
    const CallArguments arguments(args, numArgsAndFlag, keywords);
    std::vector<IValue> values;
    values.reserve(arguments.numArgs + 1);
    if (op.self)
      values.push_back(tensorOf(op.self));
    for (size_t i = 0; i != arguments.numArgs; ++i)
      values.push_back(toIValue(arguments.args[i], nullptr));
    KeywordArguments kwargs;
    bool requiresGrad = false;
    for (size_t i = 0; i != arguments.numKeywords(); ++i)
      if (!takeTorchKeyword(textOf(arguments.keyword(i)), arguments.keywordValue(i), requiresGrad))
        kwargs.emplace_back(schemaName(textOf(arguments.keyword(i)), op), toIValue(arguments.keywordValue(i), nullptr));
    std::vector<IValue> results = callEager(op.name, std::move(values), std::move(kwargs));
    if (requiresGrad && results.size() == 1 && results.front().isTensor())
      requireGrad(results.front().asTensor(), true);
    return resultsOf(op.name, std::move(results));
  });
}

static nb::object makeOperator(std::string name, PyObject *self = nullptr) {
  nb::object object = owned(PyType_GenericAlloc(operatorType, 0));
  OperatorObject &made = operatorOf(object.ptr());
  made.vectorcall = callOperatorObject;
  new (&made.name) std::string(std::move(name));
  Py_XINCREF(self);
  made.self = self;
  return object;
}

static void deallocate(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  operatorOf(self).name.~basic_string();
  Py_XDECREF(operatorOf(self).self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/// A method that is read from a tensor: `x.add`.
static PyObject *bind(PyObject *self, PyObject *object, PyObject *) noexcept {
  if (!object || object == Py_None) {
    Py_INCREF(self);
    return self;
  }
  return guardedObject([&] { return makeOperator(operatorOf(self).name, object); });
}

/// An overload, as in `tsc.ops.aten.add.Tensor`; the one without a name is `default`.
static PyObject *getAttribute(PyObject *self, PyObject *attribute) noexcept {
  if (PyObject *known = PyObject_GenericGetAttr(self, attribute))
    return known;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError))
    return nullptr;
  PyErr_Clear();
  return guardedObject([&] {
    const OperatorObject &op = operatorOf(self);
    const std::string text = textOf(attribute);
    const std::string overload = op.name + "." + (text == "default" ? "" : text);
    if (llvm::StringRef(op.name).contains('.') || overloadsOf(overload).empty())
      raise(PyExc_AttributeError, "operator '" + op.name + "' has no overload '" + text + "'");
    return makeOperator(overload, op.self);
  });
}

static PyObject *getName(PyObject *self, void *) noexcept {
  return guardedObject(
      [&] { return makeStr(std::string_view(llvm::StringRef(operatorOf(self).name).split("::").second)); });
}
static PyObject *getQualifiedName(PyObject *self, void *) noexcept {
  return guardedObject([&] { return makeStr(operatorOf(self).name); });
}
static PyObject *getSchemas(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    nb::list schemas;
    for (const Operator *op : overloadsOf(operatorOf(self).name))
      schemas.append(makeStr(op->schema().str()));
    return nb::object(schemas);
  });
}
static PyObject *getDocumentation(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    std::string text;
    for (const Operator *op : overloadsOf(operatorOf(self).name)) {
      text += op->schema().str() + "\n";
      if (op->record() && !op->record()->summary.empty())
        text += "    " + op->record()->summary.str() + ".\n";
    }
    return makeStr(text);
  });
}
static PyObject *represent(PyObject *self) noexcept {
  return guardedObject([&] { return makeStr("<operator '" + operatorOf(self).name + "'>"); });
}

static PyMemberDef memberTable[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(OperatorObject, vectorcall), READONLY, nullptr},
    {"__self__", T_OBJECT, offsetof(OperatorObject, self), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
static PyGetSetDef attributeTable[] = {
    {"__name__", getName, nullptr, nullptr, nullptr},
    {"name", getQualifiedName, nullptr, "The name, \"aten::add\", with its overload where it is one.", nullptr},
    {"schemas", getSchemas, nullptr, "The signatures of the overloads, in the order in which they are tried.", nullptr},
    {"__doc__", getDocumentation, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

/// Whether tensors have the operator as a method: its first argument is a tensor called `self`.
static bool isMethod(const OpRecord &record) {
  llvm::StringRef arguments = llvm::StringRef(record.schema).split('(').second;
  if (!arguments.consume_front("Tensor"))
    return false;
  if (arguments.starts_with("(")) // an alias annotation
    arguments = arguments.split(')').second;
  return arguments.consume_front(" self") && (arguments.starts_with(",") || arguments.starts_with(")"));
}

/// Gives the type of tensors a method for each operator that has a tensor first.
static void addMethods() {
  auto *type = reinterpret_cast<PyObject *>(tensorType);
  llvm::StringSet<> added;
  for (const OpRecord &record : allOpRecords()) {
    llvm::StringRef name = record.qualified;
    if (!name.consume_front("aten::") || (name.starts_with("__") && name.ends_with("__")) || !isMethod(record) ||
        !added.insert(name).second)
      continue;
    const std::string text = name.str();
    if (PyObject_HasAttrString(type, text.c_str())) // an attribute, or a method that does more
      continue;
    if (PyObject_SetAttrString(type, text.c_str(), makeOperator("aten::" + text).ptr()) != 0)
      raiseCurrent();
  }
}

/// Whether there is an operator of that name. Those that have records are known without a Context, which costs time
/// when the package is imported.
static bool isOperator(const std::string &name) {
  return !opRecordsNamed(name).empty() || (llvm::StringRef(name).contains("::") && !overloadsOf(name).empty());
}

void bindings::bindOperators(nb::module_ &module) {
  PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
                         {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                         {Py_tp_descr_get, reinterpret_cast<void *>(bind)},
                         {Py_tp_getattro, reinterpret_cast<void *>(getAttribute)},
                         {Py_tp_repr, reinterpret_cast<void *>(represent)},
                         {Py_tp_members, memberTable},
                         {Py_tp_getset, attributeTable},
                         {0, nullptr}};
  operatorType = makeType(module, "tsc.Operator", sizeof(OperatorObject),
                          Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR, slots);
  addMethods();
  module.def(
      "_find_operator",
      [](const std::string &name) -> nb::object {
        return isOperator(name) ? makeOperator(name) : nb::object(nb::none());
      },
      nb::arg("name"));
  module.def("_operator_names", [](const std::string &space) {
    nb::list names;
    llvm::StringRef previous;
    for (const OpRecord &record : allOpRecords()) {
      llvm::StringRef name = record.qualified;
      if (name == previous || !name.consume_front(space) || !name.consume_front("::"))
        continue;
      previous = record.qualified;
      names.append(makeStr(std::string_view(name)));
    }
    return names;
  });
}
