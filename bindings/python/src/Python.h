//===- Python.h - CPython, nanobind, and what joins them to tsc -*- C++ -*-===//
//
// The extension is compiled for the stable ABI of Python 3.10. What that has and its
// headers show later only, such as buffers, is declared here.
//
// An error of Python's is a C++ exception within the extension (nb::python_error). It
// becomes one of Python's where Python calls: nanobind does that for functions that it
// binds, and guarded() for slots of types.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_PYTHON_H
#define TSC_BINDINGS_PYTHON_PYTHON_H

#include "tsc/Support/Status.h"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <new>
#include <string>
#include <structmember.h>

#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030B0000
extern "C" {
/// Elements of an exporter's memory, as PEP 3118 describes them. The layout is part of the stable ABI since 3.11, and
/// was the same before.
typedef struct {
  void *buf;
  PyObject *obj;
  Py_ssize_t len;
  Py_ssize_t itemsize;
  int readonly;
  int ndim;
  char *format;
  Py_ssize_t *shape;
  Py_ssize_t *strides;
  Py_ssize_t *suboffsets;
  void *internal;
} Py_buffer;
/// What follows is as later headers declare it.
int PyObject_CheckBuffer(PyObject *object);
int PyObject_GetBuffer(PyObject *object, Py_buffer *view, int flags);
void PyBuffer_Release(Py_buffer *view);
}
#define PyBUF_WRITABLE 0x0001
#define PyBUF_FORMAT 0x0004
#define PyBUF_ND 0x0008
#define PyBUF_STRIDES (0x0010 | PyBUF_ND)
#define PyBUF_C_CONTIGUOUS (0x0020 | PyBUF_STRIDES)
#define PyBUF_F_CONTIGUOUS (0x0040 | PyBUF_STRIDES)
#define PyBUF_ANY_CONTIGUOUS (0x0080 | PyBUF_STRIDES)
#define PyBUF_RECORDS_RO (PyBUF_STRIDES | PyBUF_FORMAT)
#define Py_bf_getbuffer 1
#define Py_bf_releasebuffer 2
#endif
#if defined(Py_LIMITED_API) && Py_LIMITED_API < 0x030C0000
extern "C" {
typedef PyObject *(*vectorcallfunc)(PyObject *callable, PyObject *const *args, size_t numArgs, PyObject *keywords);
PyObject *PyVectorcall_Call(PyObject *callable, PyObject *args, PyObject *keywords);
}
#endif
#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif

namespace tsc::bindings {

namespace nb = nanobind;

/// Raises an exception of a class of Python's.
[[noreturn]] void raise(PyObject *type, const std::string &message);
/// Raises the error that a function of Python's has left.
[[noreturn]] inline void raiseCurrent() { nb::raise_python_error(); }
/// Takes a new reference that a function of Python's gave, or raises the error that it left.
inline nb::object owned(PyObject *object) {
  if (!object) [[unlikely]]
    raiseCurrent();
  return nb::steal(object);
}

/// Returns an item of a dict; no object where there is none. Another thread may take it out of the dict meanwhile,
/// where no GIL keeps it away.
inline nb::object itemOf(nb::handle dict, nb::handle key) {
#ifdef Py_GIL_DISABLED
  PyObject *found = nullptr;
  if (PyDict_GetItemRef(dict.ptr(), key.ptr(), &found) < 0)
    raiseCurrent();
  return nb::steal(found);
#else
  PyObject *found = PyDict_GetItemWithError(dict.ptr(), key.ptr());
  if (!found && PyErr_Occurred())
    raiseCurrent();
  return nb::borrow(found);
#endif
}
/// Returns an element of a list, or raises IndexError: another thread may make the list shorter meanwhile.
inline nb::object elementOf(nb::handle list, Py_ssize_t index) {
#ifdef Py_GIL_DISABLED
  return owned(PyList_GetItemRef(list.ptr(), index));
#else
  PyObject *found = PyList_GetItem(list.ptr(), index);
  if (!found)
    raiseCurrent();
  return nb::borrow(found);
#endif
}
/// Writes to sys.stdout, where there is one.
void writeToStdout(std::string_view text);

/// Raises the exception for a failure of tsc's (Errors.cpp); does nothing for success.
void raiseIfError(const Status &status);
/// Returns the value, or raises the exception for the failure.
template <typename T> T orRaise(StatusOr<T> result) {
  if (!result.ok()) [[unlikely]]
    raiseIfError(result.status());
  return *std::move(result);
}

/// Leaves the C++ exception that is being handled as the error of Python's.
void setErrorOfException() noexcept;

/// Leaves a TypeError for a value of Python's that is of another type than C++ takes, where nothing says more.
void setErrorOfCast() noexcept;

/// Runs what a slot of a type does, and returns what that returns. Where it throws, Python has the error, and the slot
/// returns `failed`.
template <typename F, typename R = std::invoke_result_t<F>> R guarded(F &&body, R failed) noexcept {
  try {
    return body();
  } catch (...) {
    setErrorOfException();
    return failed;
  }
}
/// Runs what a slot does that returns a new reference: `body` returns an nb::object.
template <typename F> PyObject *guardedObject(F &&body) noexcept {
  try {
    return body().release().ptr();
  } catch (...) {
    setErrorOfException();
    return nullptr;
  }
}

/// Returns the text of a str as UTF-8. Bytes that were none in a program's string are given back as they were.
std::string textOf(nb::handle str);
/// Makes a str of a program's string, which may hold any bytes: those that are no UTF-8 become lone surrogates, as file
/// names have them.
nb::object makeStr(std::string_view text);
/// Returns str(object).
std::string shown(nb::handle object);
/// Returns str(object), or the name of its type where that raises.
std::string shownSafely(nb::handle object);
/// Returns repr(object).
std::string represented(nb::handle object);
/// Returns the name of an object's type, for messages: "list", "numpy.ndarray".
std::string typeNameOf(nb::handle object);

/// The positional and keyword arguments of a vector call.
struct CallArguments {
  PyObject *const *args;
  size_t numArgs; ///< How many positional ones there are.
  PyObject
      *keywords; ///< A tuple of str, whose values stand behind the positional arguments; null where there are none.
  CallArguments(PyObject *const *args, size_t numArgsAndFlag, PyObject *keywords)
      : args(args), numArgs(static_cast<size_t>(NB_VECTORCALL_NARGS(numArgsAndFlag))), keywords(keywords) {}
  size_t numKeywords() const { return keywords ? static_cast<size_t>(NB_TUPLE_GET_SIZE(keywords)) : 0; }
  nb::handle keyword(size_t index) const { return PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(index)); }
  nb::handle keywordValue(size_t index) const { return args[numArgs + index]; }
};

/// Makes a type of the extension, which has instances of `size` bytes, and adds it to the module under the last part of
/// its name, "tsc.Tensor". Where there is no slot Py_tp_new, Python cannot make instances.
PyTypeObject *makeType(nb::module_ &module, const char *name, size_t size, unsigned long flags, PyType_Slot *slots);

} // namespace tsc::bindings

#endif
