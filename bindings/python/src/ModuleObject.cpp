//===- ModuleObject.cpp - Modules and other objects of programs -----------===//
#include "ModuleObject.h"
#include "Callee.h"
#include "Calls.h"
#include "Eager.h"
#include "Loading.h"
#include "TensorObject.h"
#include "Types.h"
#include "Values.h"
#include "tsc/IR/Function.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/PythonPrinter.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// A tsc.Module or a tsc.Object, as `callee->module` or `callee->object`.
struct ModuleObject {
  PyObject base;
  vectorcallfunc vectorcall;
  PyObject *weakReferences;
  Callee *callee; ///< The object's own.
};
} // namespace

static PyTypeObject *moduleType = nullptr, *objectType = nullptr;

static bool isObject(nb::handle object) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  return type == moduleType || type == objectType;
}
static Callee &calleeOf(nb::handle self) { return *reinterpret_cast<ModuleObject *>(self.ptr())->callee; }
Callee *bindings::calleeOfModule(nb::handle object) { return isObject(object) ? &calleeOf(object) : nullptr; }
static const Object &objectIn(nb::handle self) { return *calleeOf(self).self(); }
static const Module &moduleIn(nb::handle self) {
  assert(calleeOf(self).module && "a tsc.Module");
  return *calleeOf(self).module;
}
static LoadedProgram &programOf(nb::handle self) { return *calleeOf(self).program; }

//===----------------------------------------------------------------------===//
// Life, and calls
//===----------------------------------------------------------------------===//

static PyObject *callModule(PyObject *self, PyObject *const *args, size_t numArgs, PyObject *keywords) noexcept {
  return guardedObject([&] { return calleeOf(self).call(CallArguments(args, numArgs, keywords)); });
}

static nb::object makeObject(PyTypeObject *type, Callee callee) {
  nb::object object = owned(PyType_GenericAlloc(type, 0));
  auto *made = reinterpret_cast<ModuleObject *>(object.ptr());
  made->vectorcall = callModule;
  made->callee = new Callee(std::move(callee));
  return object;
}

nb::object bindings::objectOf(const IValue &object, const ProgramRef &program) {
  Object held = program->orRaise(program->program->object(object));
  Callee callee;
  callee.program = program;
  if (!held.type().isModule()) {
    callee.object = std::move(held);
    return makeObject(objectType, std::move(callee));
  }
  callee.module.emplace(std::move(held));
  return makeObject(moduleType, std::move(callee));
}

nb::object bindings::ownModuleOf(const ProgramRef &program) {
  Callee callee;
  callee.program = program;
  callee.module = program->orRaise(program->program->findModule(""));
  if (callee.module->findMethod("forward")) // a module may have other methods alone
    callee.entryName = "";
  return makeObject(moduleType, std::move(callee));
}

std::optional<IValue> bindings::valueOfObject(nb::handle object, const LoadedProgram *program) {
  if (!isObject(object))
    return std::nullopt;
  if (!program || !program->sharesTypesWith(programOf(object)))
    raise(PyExc_TypeError, "an object of class '" + objectIn(object).type().name().str() +
                               "' can be given to its own program alone: types of programs are their own");
  return IValue(objectIn(object).object());
}

static void deallocate(PyObject *self) noexcept {
  auto *object = reinterpret_cast<ModuleObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
  if (object->weakReferences)
    PyObject_ClearWeakRefs(self);
  destroyCallee(object->callee);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// Returns a method bound to the object; none where the object has no such method.
static nb::object findMethod(nb::handle self, llvm::StringRef name) {
  const Callee &own = calleeOf(self);
  Function *function = objectIn(self).findMethod(name);
  if (!function)
    return nb::object();
  Callee callee;
  callee.program = own.program;
  callee.method.emplace(objectIn(self), *function);
  if (own.entryName)
    callee.entryName = name.str();
  return makeFunction(std::move(callee));
}

static nb::object readAttribute(nb::handle self, llvm::StringRef name) {
  LoadedProgram &program = programOf(self);
  StatusOr<IValue> value = IValue();
  bool isThere = false;
  auto read = [&] {
    isThere = objectIn(self).hasAttribute(name);
    if (isThere)
      value = objectIn(self).attribute(name);
  };
  program.read(read);
  if (const IValue *constant = isThere ? nullptr : objectIn(self).type().findConstant(name))
    return toPython(*constant, calleeOf(self).program);
  return isThere ? toPython(program.orRaise(std::move(value)), calleeOf(self).program) : nb::object();
}

/// Returns what compiled code has under a name: an attribute or a method. Python's own attributes of these objects,
/// such as `program` or a module's `half`, may have the same name, and hide what compiled code has.
static PyObject *getCompiled(PyObject *self, PyObject *name) noexcept {
  return guardedObject([&] {
    const std::string text = textOf(name);
    nb::object found = readAttribute(self, text);
    if (!found)
      found = findMethod(self, text);
    if (!found)
      raise(PyExc_AttributeError,
            "'" + objectIn(self).type().name().rsplit('.').second.str() + "' object has no attribute '" + text + "'");
    return found;
  });
}

static PyObject *getAttribute(PyObject *self, PyObject *name) noexcept {
  if (PyObject *known = PyObject_GenericGetAttr(self, name))
    return known;
  if (!PyErr_ExceptionMatches(PyExc_AttributeError))
    return nullptr;
  PyErr_Clear();
  return getCompiled(self, name);
}

static int setAttribute(PyObject *self, PyObject *name, PyObject *value) noexcept {
  return guarded(
      [&] {
        const std::string text = textOf(name);
        if (!value)
          raise(PyExc_AttributeError, "attribute '" + text + "' cannot be deleted");
        LoadedProgram &program = programOf(self);
        const ClassType &type = objectIn(self).type();
        std::optional<unsigned> slot = type.findAttribute(text);
        if (!slot) {
          const bool isOwn = PyObject_GenericSetAttr(self, name, value) == 0; // one of Python's, such as `training`
          if (isOwn)
            return 0;
          PyErr_Clear();
          raise(PyExc_AttributeError, "'" + type.name().rsplit('.').second.str() + "' object has no attribute '" +
                                          text + "': attributes of compiled modules are fixed");
        }
        IValue given = toIValue(value, &program);
        if (auto converted = convertTo(program.program->context(), given, type.attribute(*slot).type))
          given = *std::move(converted);
        program.write([&] { return objectIn(self).setAttribute(text, std::move(given)); });
        return 0;
      },
      -1);
}

static PyObject *listNames(PyObject *self, PyObject *) noexcept {
  return guardedObject([&] {
    nb::object names = owned(PyImport_ImportModule("builtins")).attr("dir")(nb::borrow((PyObject *)Py_TYPE(self)));
    nb::list list = nb::list(names);
    const ClassType &type = objectIn(self).type();
    for (const ClassAttribute &attribute : type.attributes())
      list.append(makeStr(attribute.name));
    for (const Function *method : type.methods())
      list.append(makeStr(std::string_view(method->name())));
    return nb::object(list);
  });
}

//===----------------------------------------------------------------------===//
// What a module holds
//===----------------------------------------------------------------------===//

static nb::object namedValues(nb::handle self, const std::vector<ModuleAttribute> &attributes) {
  nb::list list;
  for (const ModuleAttribute &attribute : attributes)
    list.append(nb::make_tuple(makeStr(attribute.path), toPython(attribute.value, calleeOf(self).program)));
  return list;
}

static nb::object namedModules(nb::handle self, const std::vector<NamedModule> &modules) {
  nb::list list;
  for (const NamedModule &one : modules)
    list.append(nb::make_tuple(makeStr(one.path), one.path.empty() && calleeOf(self).entryName
                                                      ? nb::borrow(self)
                                                      : objectOf(IValue(one.module.object()), calleeOf(self).program)));
  return list;
}

/// Reads something of a module's state.
template <typename F> static nb::object read(nb::handle self, F &&body) {
  const Module &module = moduleIn(self);
  nb::object result;
  programOf(self).read([&] { result = body(module); });
  return result;
}

static bool truth(PyObject *object) {
  const int value = PyObject_IsTrue(object);
  if (value < 0)
    raiseCurrent();
  return value != 0;
}

#define TSC_METHOD(NAME) static PyObject *NAME(PyObject *self, PyObject *argument) noexcept
TSC_METHOD(listParameters) {
  return guardedObject([&] {
    const bool recurse = truth(argument);
    return read(self, [&](const Module &m) { return namedValues(self, m.namedParameters(recurse)); });
  });
}
TSC_METHOD(listBuffers) {
  return guardedObject([&] {
    const bool recurse = truth(argument);
    return read(self, [&](const Module &m) { return namedValues(self, m.namedBuffers(recurse)); });
  });
}
TSC_METHOD(listAttributes) {
  return guardedObject([&] {
    const bool recurse = truth(argument);
    return read(self, [&](const Module &m) { return namedValues(self, m.namedAttributes(recurse)); });
  });
}
TSC_METHOD(listChildren) {
  return guardedObject(
      [&] { return read(self, [&](const Module &m) { return namedModules(self, m.namedChildren()); }); });
}
TSC_METHOD(listModules) {
  return guardedObject(
      [&] { return read(self, [&](const Module &m) { return namedModules(self, m.namedModules()); }); });
}
TSC_METHOD(setTraining) {
  return guardedObject([&] {
    const bool isTraining = truth(argument);
    programOf(self).write([&] {
      moduleIn(self).train(isTraining);
      return okStatus();
    });
    return nb::object(nb::borrow(self));
  });
}
TSC_METHOD(convertTo_) {
  return guardedObject([&] {
    std::optional<DType> dtype;
    std::optional<Device> device;
    PyObject *wantedDevice = nullptr, *wantedDType = nullptr;
    if (!PyArg_ParseTuple(argument, "OO", &wantedDevice, &wantedDType))
      raiseCurrent();
    if (wantedDType != Py_None)
      dtype = dtypeOf(wantedDType);
    if (wantedDevice != Py_None)
      device = nb::cast<Device>(nb::handle(wantedDevice));
    programOf(self).write([&] { return moduleIn(self).to(device, dtype); });
    return nb::object(nb::borrow(self));
  });
}
TSC_METHOD(archiveBytes) {
  return guardedObject([&] {
    PyObject *folder = nullptr, *extra = nullptr;
    if (!PyArg_ParseTuple(argument, "OO", &folder, &extra))
      raiseCurrent();
    SaveOptions options;
    options.folder = textOf(folder);
    options.extraFiles = extraFilesOf(nb::borrow(extra));
    LoadedProgram &program = programOf(self);
    IValue module(objectIn(self).object());
    StatusOr<std::string> bytes = [&] {
      WithoutGil released;
      return program.program->save(module, std::move(options));
    }();
    const std::string archive = program.orRaise(std::move(bytes));
    return owned(PyBytes_FromStringAndSize(archive.data(), static_cast<Py_ssize_t>(archive.size())));
  });
}
TSC_METHOD(defineMethods) {
  return guardedObject([&] {
    const std::string text = textOf(argument);
    programOf(self).write([&] { return objectIn(self).define(text); });
    return nb::object(nb::none());
  });
}
TSC_METHOD(dumpText) {
  return guardedObject([&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    programOf(self).read([&] { moduleIn(self).dump(os); });
    return makeStr(text);
  });
}
TSC_METHOD(countSlots) { return PyLong_FromSize_t(objectIn(self).numSlots()); }
#undef TSC_METHOD

static PyObject *getCode(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    LoadedProgram &program = programOf(self);
    IValue module(objectIn(self).object());
    StatusOr<PythonCode> code = [&] {
      WithoutGil released;
      return program.program->source(module);
    }();
    nb::dict files;
    for (const auto &file : program.orRaise(std::move(code)).modules)
      files[makeStr(file.first)] = makeStr(file.second);
    return nb::object(files);
  });
}
static PyObject *getTraining(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    bool isTraining = false;
    programOf(self).read([&] { isTraining = moduleIn(self).isTraining(); });
    return nb::object(nb::bool_(isTraining));
  });
}
static PyObject *getClassName(PyObject *self, void *) noexcept {
  return guardedObject([&] { return makeStr(std::string_view(objectIn(self).type().name())); });
}
static PyObject *getProgram(PyObject *self, void *) noexcept {
  return guardedObject([&] { return nb::object(nb::cast(calleeOf(self).program)); });
}
static PyObject *getDraws(PyObject *self, void *) noexcept {
  return guardedObject([&] { return nb::object(nb::bool_(calleeOf(self).traits().mayDraw)); });
}
static PyObject *getUsesGradients(PyObject *self, void *) noexcept {
  return guardedObject([&] { return nb::object(nb::bool_(calleeOf(self).traits().usesGradients)); });
}
static PyObject *getNames(PyObject *self, void *) noexcept {
  return guardedObject([&] {
    nb::list names;
    for (const Function *method : objectIn(self).type().methods())
      names.append(makeStr(std::string_view(method->name())));
    return nb::object(names);
  });
}

static Py_hash_t hash(PyObject *self) noexcept {
  return static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(objectIn(self).object().get()) >> 4);
}
static PyObject *compare(PyObject *self, PyObject *other, int how) noexcept {
  if ((how != Py_EQ && how != Py_NE) || !isObject(other)) {
    Py_INCREF(Py_NotImplemented);
    return Py_NotImplemented;
  }
  const bool same = objectIn(self).object().get() == objectIn(other).object().get();
  return PyBool_FromLong(same == (how == Py_EQ));
}

static PyMethodDef methodTable[] = {
    {"__dir__", listNames, METH_NOARGS, nullptr},
    {"_archive", archiveBytes, METH_VARARGS, nullptr},
    {"_num_slots", countSlots, METH_NOARGS, nullptr},
    {"define", defineMethods, METH_O, "Compiles the methods in a text, `def f(self, x): …`, and adds them."},
    {nullptr, nullptr, 0, nullptr}};
static PyMethodDef moduleMethodTable[] = {
    {"__dir__", listNames, METH_NOARGS, nullptr},
    {"_archive", archiveBytes, METH_VARARGS, nullptr},
    {"_num_slots", countSlots, METH_NOARGS, nullptr},
    {"define", defineMethods, METH_O, "Compiles the methods in a text, `def f(self, x): …`, and adds them."},
    {"_named_parameters", listParameters, METH_O, nullptr},
    {"_named_buffers", listBuffers, METH_O, nullptr},
    {"_named_attributes", listAttributes, METH_O, nullptr},
    {"_named_children", listChildren, METH_NOARGS, nullptr},
    {"_named_modules", listModules, METH_NOARGS, nullptr},
    {"_compiled", getCompiled, METH_O, nullptr},
    {"_set_training", setTraining, METH_O, nullptr},
    {"_to", convertTo_, METH_VARARGS, nullptr},
    {"_dump", dumpText, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};
static PyGetSetDef attributeTable[] = {
    {"original_name", getClassName, nullptr, "The qualified name of the class, such as __torch__.Net.", nullptr},
    {"program", getProgram, nullptr, "The tsc.Program that the object belongs to.", nullptr},
    {"_method_names", getNames, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
static PyGetSetDef moduleAttributeTable[] = {
    {"original_name", getClassName, nullptr, "The qualified name of the class, such as __torch__.Net.", nullptr},
    {"program", getProgram, nullptr, "The tsc.Program that the module belongs to.", nullptr},
    {"_method_names", getNames, nullptr, nullptr, nullptr},
    {"_draws", getDraws, nullptr, nullptr, nullptr},
    {"_uses_gradients", getUsesGradients, nullptr, nullptr, nullptr},
    {"_code_files", getCode, nullptr, nullptr, nullptr},
    {"training", getTraining, nullptr, "Whether the module is in training mode.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
static PyMemberDef memberTable[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ModuleObject, weakReferences), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
static PyMemberDef moduleMemberTable[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(ModuleObject, vectorcall), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ModuleObject, weakReferences), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

void bindings::bindModules(nb::module_ &module) {
  std::vector<PyType_Slot> common = {{Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
                                     {Py_tp_getattro, reinterpret_cast<void *>(getAttribute)},
                                     {Py_tp_setattro, reinterpret_cast<void *>(setAttribute)},
                                     {Py_tp_hash, reinterpret_cast<void *>(hash)},
                                     {Py_tp_richcompare, reinterpret_cast<void *>(compare)}};
  std::vector<PyType_Slot> slots = common;
  slots.insert(slots.end(), {{Py_tp_members, memberTable},
                             {Py_tp_getset, attributeTable},
                             {Py_tp_methods, methodTable},
                             {Py_tp_doc, const_cast<char *>("An object of a program's class, with its attributes and "
                                                            "compiled methods.")},
                             {0, nullptr}});
  objectType = makeType(module, "tsc.Object", sizeof(ModuleObject), 0, slots.data());
  slots = common;
  slots.insert(slots.end(), {{Py_tp_members, moduleMemberTable},
                             {Py_tp_getset, moduleAttributeTable},
                             {Py_tp_methods, moduleMethodTable},
                             {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                             {Py_tp_doc, const_cast<char *>("A compiled module. Call it as a function; other threads "
                                                            "of Python run meanwhile.")},
                             {0, nullptr}});
  moduleType = makeType(module, "tsc.Module", sizeof(ModuleObject), Py_TPFLAGS_HAVE_VECTORCALL, slots.data());
}
