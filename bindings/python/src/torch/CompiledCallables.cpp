//===- CompiledCallables.cpp - What ScriptFunction and ScriptModule derive from -===//
//
// Python's classes of tsc.jit derive from these, whose calls do not run Python's code where
// that would find nothing to do. Where it would, they call `_call_slowly` of the class.
//
// A module that compiled code was called for has what calls need in its dict, as `_plan`: a
// tuple of the number of swaps (below), the compiled module, whether the tensors are
// torch's, and then the shared tensors of the module and of all modules in it.
//
//===----------------------------------------------------------------------===//
#include "CompiledCallables.h"
#include "../Callee.h"
#include "../Calls.h"
#include "../Elements.h"
#include "../ModuleObject.h"
#include "../TensorObject.h"
#include "TorchCall.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
struct CompiledFunction {
  PyObject base;
  vectorcallfunc vectorcall;
  PyObject *compiled; ///< The tsc.Function, or null.
};
struct CompiledModule {
  PyObject base;
  vectorcallfunc vectorcall;
};

/// The names of attributes, as objects that dicts find quickly.
struct Names {
  nb::object plan = interned("_plan"), hooks = interned("_forward_hooks"), preHooks = interned("_forward_pre_hooks"),
             slowly = interned("_call_slowly");
  static nb::object interned(const char *name) { return owned(PyUnicode_InternFromString(name)); }
  static const Names &get() {
    static const Names &names = *new Names; // as long as the process
    return names;
  }
};

/// What was called last, for `last_executed_optimized_graph`.
struct LastCall {
  PyObject *called = nullptr; ///< Owned, or null.
  bool withGradients = false; ///< Whether it was given tensors that require gradients.
};
} // namespace

static LastCall lastCall; ///< It belongs to who holds the lock.
static nb::ft_mutex lastCallMutex;
static std::atomic<bool> givesTorch{false}; ///< Whether results are torch's also where no argument is.
/// How often a module took the place of another one: what is known of the modules within one may be old then.
static std::atomic<long> swaps{0};

static void noteCall(PyObject *called, bool withGradients) {
  nb::object before; // goes behind the lock
  nb::ft_lock_guard lock(lastCallMutex);
  if (lastCall.called != called)
    before = nb::steal(std::exchange(lastCall.called, nb::borrow(called).release().ptr()));
  lastCall.withGradients = withGradients;
}

/// Whether an object is one that compiled code takes and gives as it is: with tsc's own tensors, and of no user's
/// class. Sets `withGradients` where a tensor in it requires gradients.
static bool isOwnValue(nb::handle object, bool &withGradients) {
  return isMadeOf(object, [&](nb::handle one) {
    if (Py_TYPE(one.ptr()) != tensorType)
      return isNumberOrText(one);
    withGradients |= tensorOf(one).requiresGrad();
    return true;
  });
}

/// Calls compiled code with tsc's own tensors; returns no object where an argument is another one.
static TorchResult callWithOwn(Callee &callee, const CallArguments &arguments) {
  const ThreadState &thread = ThreadState::get();
  if (thread.trace || thread.isTraced)
    return {};
  bool withGradients = false;
  for (size_t i = 0; i != arguments.numArgs + arguments.numKeywords(); ++i)
    if (!isOwnValue(arguments.args[i], withGradients))
      return {};
  return {callee.call(arguments), withGradients};
}

/// Makes a call for Python's code, of a tsc.Function or tsc.Module with the tensors that a module shares; returns
/// NotImplemented where callWithTorch() does not make it.
static nb::object callFromPython(nb::object compiled, nb::list shared, nb::tuple args, nb::dict kwargs) {
  Callee *callee = calleeOfFunction(compiled);
  if (!callee)
    callee = calleeOfModule(compiled);
  llvm::SmallVector<SharedTensor *, 16> tensors;
  for (nb::handle one : shared)
    tensors.push_back(sharedTensorOf(one));
  llvm::SmallVector<PyObject *, 8> given;
  for (nb::handle one : args)
    given.push_back(one.ptr());
  nb::list names;
  for (auto [name, value] : kwargs) {
    names.append(name);
    given.push_back(value.ptr());
  }
  nb::tuple keywords(names);
  if (!callee || llvm::is_contained(tensors, nullptr))
    return nb::borrow(Py_NotImplemented);
  TorchResult result =
      callWithTorch(*callee, tensors, CallArguments(given.data(), args.size(), keywords.ptr()), /*needsTensor=*/false);
  return result.value.is_valid() ? result.value : nb::borrow(Py_NotImplemented);
}

/// Lets Python's code make the call.
static nb::object callSlowly(PyObject *self, const CallArguments &arguments) {
  nb::object slowly = owned(PyObject_GetAttr(self, Names::get().slowly.ptr()));
  nb::object positional = owned(PyTuple_New(static_cast<Py_ssize_t>(arguments.numArgs)));
  for (size_t i = 0; i != arguments.numArgs; ++i)
    PyTuple_SetItem(positional.ptr(), static_cast<Py_ssize_t>(i), nb::borrow(arguments.args[i]).release().ptr());
  nb::object named;
  if (arguments.numKeywords()) {
    named = nb::dict();
    for (size_t i = 0; i != arguments.numKeywords(); ++i)
      named[arguments.keyword(i)] = arguments.keywordValue(i);
  }
  return owned(PyObject_Call(slowly.ptr(), positional.ptr(), named.ptr()));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static nb::object callFunction(PyObject *self, const CallArguments &arguments) {
  PyObject *compiled = reinterpret_cast<CompiledFunction *>(self)->compiled;
  Callee *callee = compiled ? calleeOfFunction(compiled) : nullptr;
  if (callee) {
    nb::object keepsCallee = nb::borrow(compiled);
    noteCall(self, false);
    TorchResult result = callWithTorch(*callee, {}, arguments, /*needsTensor=*/!givesTorch);
    if (!result.value.is_valid() && !givesTorch) {
      result = callWithOwn(*callee, arguments);
      bool isOfGradients = false;
      if (result.value.is_valid() && !isOwnValue(result.value, isOfGradients)) // an object, or what holds some
        result.value = owned(PyImport_ImportModule("tsc.jit._values")).attr("lift")(result.value);
    }
    if (result.value.is_valid()) {
      noteCall(self, result.withGradients);
      return result.value;
    }
  }
  return callSlowly(self, arguments);
}

static PyObject *vectorcallFunction(PyObject *self, PyObject *const *args, size_t numArgs,
                                    PyObject *keywords) noexcept {
  return guardedObject([&] { return callFunction(self, CallArguments(args, numArgs, keywords)); });
}

static PyObject *newFunction(PyTypeObject *type, PyObject *, PyObject *) noexcept {
  PyObject *made = PyType_GenericAlloc(type, 0);
  if (made)
    reinterpret_cast<CompiledFunction *>(made)->vectorcall = vectorcallFunction;
  return made;
}

static void deallocateFunction(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<CompiledFunction *>(self)->compiled);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Whether a dict of hooks has none.
static bool isEmpty(const nb::object &hooks) {
  return hooks.is_valid() && PyDict_Check(hooks.ptr()) && PyDict_Size(hooks.ptr()) == 0;
}

namespace {
/// What a module's `_plan` says.
struct Plan {
  nb::object tuple;
  Callee *callee = nullptr;
  bool isOfTorch = false;
  llvm::SmallVector<SharedTensor *, 16> shared;
  bool read(nb::object plan);
};
} // namespace

bool Plan::read(nb::object given) {
  tuple = std::move(given);
  PyObject *plan = tuple.ptr();
  if (!plan || !PyTuple_CheckExact(plan) || PyTuple_Size(plan) < 3 || PyLong_AsLong(PyTuple_GetItem(plan, 0)) != swaps)
    return false;
  callee = calleeOfModule(PyTuple_GetItem(plan, 1));
  isOfTorch = PyTuple_GetItem(plan, 2) == Py_True;
  for (Py_ssize_t i = 3; i != PyTuple_Size(plan); ++i)
    shared.push_back(sharedTensorOf(PyTuple_GetItem(plan, i)));
  return callee && !llvm::is_contained(shared, nullptr);
}

/// Lets the live modules have what compiled code has assigned.
static void takeBack(const Plan &plan) {
  if (plan.shared.empty())
    return;
  bool isAsShared = false;
  plan.callee->program->read(
      [&] { isAsShared = llvm::all_of(plan.shared, [](const SharedTensor *one) { return one->isAsShared(); }); });
  if (!isAsShared)
    for (SharedTensor *one : plan.shared)
      one->takeBack();
}

static nb::object callModule(PyObject *self, const CallArguments &arguments) {
  const Names &names = Names::get();
  nb::object own = owned(PyObject_GenericGetDict(self, nullptr));
  Plan plan;
  const ThreadState &thread = ThreadState::get();
  if (!thread.trace && !thread.isTraced && plan.read(itemOf(own, names.plan)) && isEmpty(itemOf(own, names.hooks)) &&
      isEmpty(itemOf(own, names.preHooks))) {
    if (!plan.isOfTorch)
      for (SharedTensor *one : plan.shared)
        one->refresh();
    noteCall(self, false);
    TorchResult result = plan.isOfTorch ? callWithTorch(*plan.callee, plan.shared, arguments, /*needsTensor=*/false)
                                        : callWithOwn(*plan.callee, arguments);
    if (result.value.is_valid()) {
      takeBack(plan);
      noteCall(self, result.withGradients);
      return result.value;
    }
  }
  return callSlowly(self, arguments);
}

static PyObject *vectorcallModule(PyObject *self, PyObject *const *args, size_t numArgs, PyObject *keywords) noexcept {
  return guardedObject([&] { return callModule(self, CallArguments(args, numArgs, keywords)); });
}

static PyObject *newModule(PyTypeObject *type, PyObject *, PyObject *) noexcept {
  PyObject *made = PyType_GenericAlloc(type, 0);
  if (made)
    reinterpret_cast<CompiledModule *>(made)->vectorcall = vectorcallModule;
  return made;
}

static void deallocateModule(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static PyMemberDef functionMemberTable[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(CompiledFunction, vectorcall), READONLY, nullptr},
    {"_compiled", T_OBJECT, offsetof(CompiledFunction, compiled), 0, "The tsc.Function that calls run, or None."},
    {nullptr, 0, 0, 0, nullptr}};
static PyMemberDef moduleMemberTable[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(CompiledModule, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

/// Adds a class that Python's classes derive from.
static void addBase(nb::module_ &module, const char *name, size_t size, newfunc make, destructor destroy,
                    PyMemberDef *members, const char *doc) {
  PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void *>(make)},
                         {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
                         {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
                         {Py_tp_members, members},
                         {Py_tp_doc, const_cast<char *>(doc)},
                         {0, nullptr}};
  (void)makeType(module, name, size, Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_BASETYPE, slots);
}

void bindings::bindCompiledCallables(nb::module_ &module) {
  addBase(module, "tsc._CompiledFunction", sizeof(CompiledFunction), newFunction, deallocateFunction,
          functionMemberTable, "A function whose calls run compiled code.");
  addBase(module, "tsc._CompiledModule", sizeof(CompiledModule), newModule, deallocateModule, moduleMemberTable,
          "A module whose calls run compiled code.");
  module.def("_set_gives_torch", [](bool gives) { givesTorch = gives; });
  module.def("_set_traced", [](bool isTraced) { ThreadState::get().isTraced = isTraced; });
  module.def("_call_with_torch", callFromPython);
  module.def("_note_swap", [] { ++swaps; });
  module.def("_num_swaps", [] { return swaps.load(); });
  module.def("_note_call", [](nb::object called, bool withGradients) { noteCall(called.ptr(), withGradients); });
  module.def("_last_call", []() -> nb::object {
    nb::ft_lock_guard lock(lastCallMutex);
    if (!lastCall.called)
      return nb::none();
    return nb::make_tuple(nb::borrow(lastCall.called), lastCall.withGradients);
  });
}
