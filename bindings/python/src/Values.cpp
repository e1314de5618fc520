//===- Values.cpp - Values of Python as those of programs -----------------===//
#include "Values.h"
#include "Elements.h"
#include "ModuleObject.h"
#include "TensorObject.h"
#include "Types.h"
#include "script/Containers.h"
#include "script/EagerTrace.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include <atomic>

using namespace tsc;
using namespace tsc::bindings;

static constexpr unsigned maxDepth = 200;
/// A program's types may nest further than what Python gives; a list of Any may hold itself.
static constexpr unsigned maxDepthOfResults = 1000;

//===----------------------------------------------------------------------===//
// From Python
//===----------------------------------------------------------------------===//

namespace {
/// Converts an object with what is in it.
class FromPython {
public:
  explicit FromPython(const LoadedProgram *program) : program(program) {}
  IValue convert(nb::handle object, unsigned depth = 0);

private:
  IValue convertOther(nb::handle object, unsigned depth);
  IValue convertInt(nb::handle object);
  IValue convertList(nb::handle list, unsigned depth);
  IValue convertDict(nb::handle dict, unsigned depth);
  [[noreturn]] void refuse(nb::handle object);
  const LoadedProgram *program;
};
} // namespace

IValue bindings::toIValue(nb::handle object, const LoadedProgram *program) {
  if (Py_TYPE(object.ptr()) == tensorType) [[likely]]
    return tensorOf(object);
  return FromPython(program).convert(object);
}

/// The type of the array that was converted last, which it keeps: as a rule, that of the next one. What an object of
/// another type is, has to be asked many questions.
static std::atomic<PyTypeObject *> arrayType{nullptr};
static void noteArrayType(PyTypeObject *type) {
  Py_INCREF(reinterpret_cast<PyObject *>(type));
  Py_XDECREF(reinterpret_cast<PyObject *>(arrayType.exchange(type)));
}

IValue FromPython::convert(nb::handle object, unsigned depth) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  if (type == tensorType)
    return tensorOf(object);
  if (object.ptr() == Py_None)
    return IValue();
  if (type == &PyLong_Type)
    return convertInt(object);
  if (type == &PyFloat_Type)
    return PyFloat_AsDouble(object.ptr());
  if (type == &PyBool_Type)
    return object.ptr() == Py_True;
  if (type == &PyUnicode_Type)
    return textOf(object);
  if (type == arrayType.load(std::memory_order_relaxed))
    return tensorOfArray(object, WhereStrange::Copy);
  if (depth > maxDepth)
    raise(PyExc_RecursionError, "a value is nested more deeply than " + std::to_string(maxDepth) + " levels");
  if (type == &PyList_Type || type == &PyTuple_Type)
    return convertList(object, depth);
  if (type == &PyDict_Type)
    return convertDict(object, depth);
  return convertOther(object, depth);
}

IValue FromPython::convertInt(nb::handle object) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (number == -1 && PyErr_Occurred())
    raiseCurrent();
  if (overflow)
    raise(PyExc_OverflowError, "an int of a program has 64 bits, and " + represented(object) + " needs more");
  if (EagerTrace *trace = EagerTrace::current()) [[unlikely]]
    noteNumber(*trace, object, number);
  return int64_t{number};
}

IValue bindings::makeListOf(std::vector<IValue> elements) {
  const IValue::Tag tag = elements.empty() ? IValue::Tag::None : elements.front().getTag();
  const bool isUniform = llvm::all_of(elements, [&](const IValue &one) { return one.getTag() == tag; });
  const Type *type = nullptr;
  if (isUniform && tag == IValue::Tag::Int)
    type = Type::intType();
  else if (isUniform && tag == IValue::Tag::Double)
    type = Type::floatType();
  else if (isUniform && tag == IValue::Tag::Bool)
    type = Type::boolType();
  else if (isUniform && tag == IValue::Tag::Tensor)
    type = Type::tensorType();
  if (!type)
    return IValue(makeRef<GenericList>(Type::anyType(), std::move(elements)));
  IValue list = tsc::makeList(type, elements.size());
  for (IValue &element : elements)
    appendToList(list, std::move(element));
  return list;
}

IValue FromPython::convertList(nb::handle list, unsigned depth) {
  const bool isTuple = PyTuple_Check(list.ptr());
  std::vector<IValue> elements;
  elements.reserve(static_cast<size_t>(isTuple ? PyTuple_Size(list.ptr()) : PyList_Size(list.ptr())));
  allElements(list, [&](nb::handle element) {
    elements.push_back(convert(element, depth + 1));
    return true;
  });
  return isTuple ? tsc::makeTuple(std::move(elements)) : makeListOf(std::move(elements));
}

IValue FromPython::convertDict(nb::handle dict, unsigned depth) {
  auto made = makeRef<DictValue>(Type::anyType(), Type::anyType());
  allItems(dict, [&](nb::handle key, nb::handle value) {
    IValue converted = convert(key, depth + 1);
    if (!converted.isScalar() && !converted.isString() && !converted.isTensor())
      raise(PyExc_TypeError,
            "a key of a dict is a str, a number or a tensor in TorchScript, and no " + typeNameOf(key));
    made->set(std::move(converted), convert(value, depth + 1));
    return true;
  });
  return IValue(std::move(made));
}

bool bindings::isNumberOfNumPy(nb::handle object) {
  return nb::hasattr(object, "dtype") && nb::hasattr(object, "item") && !nb::hasattr(object, "__setitem__");
}

static bool isEnumMember(nb::handle object) {
  static PyObject *const enumClass = nb::object(owned(PyImport_ImportModule("enum")).attr("Enum")).release().ptr();
  return PyObject_IsInstance(object.ptr(), enumClass) == 1;
}

/// Returns the member of the program's enum for one of a class of Python's that stands for it; nothing for other
/// classes.
static std::optional<IValue> memberOfProgram(nb::handle object, const LoadedProgram *program) {
  const Type *type = program ? program->typeOfClass(Py_TYPE(object.ptr())) : nullptr;
  const auto *enumType = type ? dyn_cast<EnumType>(type) : nullptr;
  if (!enumType)
    return std::nullopt;
  const std::string wanted = nb::cast<std::string>(object.attr("name"));
  for (const auto &[name, value] : enumType->members())
    if (name == wanted)
      return IValue(makeRef<EnumValue>(enumType, name, value));
  return std::nullopt;
}

IValue FromPython::convertOther(nb::handle object, unsigned depth) {
  PyObject *given = object.ptr();
  if (isTensor(object))
    return tensorOf(object);
  if (std::optional<IValue> value = valueOfObject(object, program))
    return *std::move(value);
  if (std::optional<IValue> value = typeLikeValue(object))
    return *std::move(value);
  if (std::optional<IValue> value = valueOfContainer(object))
    return *std::move(value);
  if (isEnumMember(object)) { // before ints and strings, as a member may be one
    if (std::optional<IValue> member = memberOfProgram(object, program))
      return *std::move(member);
    return convert(object.attr("value"), depth + 1);
  }
  if (PyBool_Check(given))
    return given == Py_True;
  if (PyLong_Check(given))
    return convertInt(object);
  if (PyFloat_Check(given))
    return PyFloat_AsDouble(given);
  if (PyComplex_Check(given))
    return std::complex<double>(PyComplex_RealAsDouble(given), PyComplex_ImagAsDouble(given));
  if (PyUnicode_Check(given))
    return textOf(object);
  if (PyTuple_Check(given) || PyList_Check(given))
    return convertList(object, depth);
  if (PyDict_Check(given))
    return convertDict(object, depth);
  if (Py_TYPE(given) == &PyRange_Type)
    return convertList(owned(PySequence_List(given)), depth);
  if (isNumberOfNumPy(object))
    return convert(object.attr("item")(), depth + 1);
  if (!isArrayLike(object))
    refuse(object);
  noteArrayType(Py_TYPE(given));
  return tensorOfArray(object, WhereStrange::Copy);
}

void FromPython::refuse(nb::handle object) {
  std::string type = typeNameOf(object);
  if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()))
    raise(PyExc_TypeError, "TorchScript has no " + type + ": give a str, or tsc.frombuffer(…, dtype=tsc.uint8)");
  if (PyCallable_Check(object.ptr()))
    raise(PyExc_TypeError,
          "a program cannot be given a " + type + ": functions of Python are not values in TorchScript");
  raise(PyExc_TypeError, "an object of type " + type +
                             " has no counterpart in TorchScript: values are None, bool, int, float, complex, str, "
                             "tensors, arrays, lists, tuples and dicts of these, and objects of the program");
}

//===----------------------------------------------------------------------===//
// To Python
//===----------------------------------------------------------------------===//

/// Converts a value that stands within `depth` others.
static nb::object convertBack(const IValue &value, const ProgramRef &program, unsigned depth);

static nb::object makePythonList(const IValue &list, const ProgramRef &program, unsigned depth) {
  const size_t size = list.listSize();
  nb::object made = owned(PyList_New(static_cast<Py_ssize_t>(size)));
  for (size_t i = 0; i != size; ++i)
    PyList_SetItem(made.ptr(), static_cast<Py_ssize_t>(i),
                   convertBack(list.listElement(i), program, depth + 1).release().ptr());
  return made;
}

static nb::object makeTupleOf(const TupleValue &tuple, const ProgramRef &program, unsigned depth) {
  nb::object made = owned(PyTuple_New(static_cast<Py_ssize_t>(tuple.elements.size())));
  for (size_t i = 0; i != tuple.elements.size(); ++i)
    PyTuple_SetItem(made.ptr(), static_cast<Py_ssize_t>(i),
                    convertBack(tuple.elements[i], program, depth + 1).release().ptr());
  if (!tuple.type || !tuple.type->isNamed() || !program)
    return made;
  nb::object type = program->classOf(tuple.type, [&] {
    nb::list fields;
    for (const std::string &field : tuple.type->fieldNames())
      fields.append(makeStr(field));
    return nb::object(owned(PyImport_ImportModule("tsc._values"))
                          .attr("named_tuple")(makeStr(std::string_view(tuple.type->name())), fields));
  });
  return owned(PyObject_Call(type.ptr(), made.ptr(), nullptr));
}

static nb::object makeDict(const DictValue &dict, const ProgramRef &program, unsigned depth) {
  nb::object made = owned(PyDict_New());
  dict.forEach([&](const IValue &key, const IValue &value) {
    if (PyDict_SetItem(made.ptr(), convertBack(key, program, depth + 1).ptr(),
                       convertBack(value, program, depth + 1).ptr()) != 0)
      raiseCurrent();
  });
  return made;
}

static nb::object makeEnumMember(const EnumValue &member, const ProgramRef &program) {
  if (!program)
    return makeStr(member.name);
  nb::object type = program->classOf(member.type, [&] {
    nb::list members;
    for (const auto &[name, value] : member.type->members())
      members.append(nb::make_tuple(makeStr(name), toPython(value, program)));
    return nb::object(owned(PyImport_ImportModule("tsc._values"))
                          .attr("enum")(makeStr(std::string_view(member.type->name())), members));
  });
  return type.attr(member.name.c_str());
}

/// A Future is done when a program gives it: forks run before the call returns.
static nb::object makeFuture(const FutureValue &future, const ProgramRef &program, unsigned depth) {
  nb::object type = owned(PyImport_ImportModule("tsc._values")).attr("Future");
  if (future.status.ok())
    return type(convertBack(future.value, program, depth + 1), nb::none());
  try {
    raiseIfError(future.status);
  } catch (nb::python_error &error) {
    return type(nb::none(), error.value());
  }
  return nb::none();
}

static nb::object convertBack(const IValue &value, const ProgramRef &program, unsigned depth) {
  if (depth > maxDepthOfResults)
    raise(PyExc_RecursionError, "a value of a program is nested more deeply than " + std::to_string(maxDepthOfResults) +
                                    " levels, or holds itself");
  switch (value.getTag()) {
  case IValue::Tag::Tensor: return wrapTensor(value.toTensor());
  case IValue::Tag::None: return nb::none();
  case IValue::Tag::Bool: return nb::bool_(value.toBool());
  case IValue::Tag::Int: return owned(PyLong_FromLongLong(value.toInt()));
  case IValue::Tag::Double: return owned(PyFloat_FromDouble(value.toDouble()));
  case IValue::Tag::Complex: return owned(PyComplex_FromDoubles(value.toComplex().real(), value.toComplex().imag()));
  case IValue::Tag::String: return makeStr(value.toString());
  case IValue::Tag::Device: return deviceObject(value.toDevice());
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList: return makePythonList(value, program, depth);
  case IValue::Tag::Tuple: return makeTupleOf(value.toTuple(), program, depth);
  case IValue::Tag::Dict: return makeDict(value.toDict(), program, depth);
  case IValue::Tag::Enum: return makeEnumMember(value.toEnum(), program);
  case IValue::Tag::Future: return makeFuture(value.toFuture(), program, depth);
  case IValue::Tag::Object:
    if (program)
      return objectOf(value, program);
    break;
  case IValue::Tag::Generator: return nb::cast(GeneratorObject{Ref<GeneratorValue>::share(&value.toGenerator())});
  case IValue::Tag::Function:
  case IValue::Tag::Capsule: break;
  }
  return nb::cast(OpaqueObject{value});
}

nb::object bindings::toPython(const IValue &value, const ProgramRef &program) { return convertBack(value, program, 0); }
