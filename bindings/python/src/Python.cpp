//===- Python.cpp - What joins CPython and nanobind to tsc ----------------===//
#include "Python.h"
#include "llvm/ADT/StringRef.h"

using namespace tsc;
using namespace tsc::bindings;

void bindings::raise(PyObject *type, const std::string &message) {
  nb::object text = makeStr(message);
  PyErr_SetObject(type, text.ptr());
  raiseCurrent();
}

void bindings::setErrorOfCast() noexcept {
  PyErr_SetString(PyExc_TypeError, "an argument, or what an object answered, is of another type than is taken here");
}

void bindings::setErrorOfException() noexcept {
  try {
    throw;
  } catch (nb::python_error &error) {
    error.restore();
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::bad_cast &) {
    setErrorOfCast();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

std::string bindings::textOf(nb::handle str) {
  Py_ssize_t size = 0;
  if (const char *text = PyUnicode_AsUTF8AndSize(str.ptr(), &size))
    return std::string(text, static_cast<size_t>(size));
  PyErr_Clear(); // it has surrogates
  nb::object bytes = owned(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "surrogateescape"));
  char *data = nullptr;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0)
    raiseCurrent();
  return std::string(data, static_cast<size_t>(size));
}

nb::object bindings::makeStr(std::string_view text) {
  return owned(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

std::string bindings::shown(nb::handle object) { return textOf(owned(PyObject_Str(object.ptr()))); }
std::string bindings::shownSafely(nb::handle object) {
  try {
    return shown(object);
  } catch (nb::python_error &) {
    return typeNameOf(object);
  }
}
std::string bindings::represented(nb::handle object) { return textOf(owned(PyObject_Repr(object.ptr()))); }

std::string bindings::typeNameOf(nb::handle object) {
  nb::object type = nb::borrow(reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())));
  std::string name = shown(type.attr("__qualname__"));
  nb::object home = nb::getattr(type, "__module__", nb::none());
  std::string module = home.is_none() ? "builtins" : shown(home);
  return module == "builtins" ? name : module + "." + name;
}

PyTypeObject *bindings::makeType(nb::module_ &module, const char *name, size_t size, unsigned long flags,
                                 PyType_Slot *slots) {
  bool isMadeByPython = false;
  for (const PyType_Slot *slot = slots; slot->slot; ++slot)
    isMadeByPython |= slot->slot == Py_tp_new;
  if (!isMadeByPython)
    flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
  PyType_Spec spec{name, static_cast<int>(size), 0, static_cast<unsigned>(Py_TPFLAGS_DEFAULT | flags), slots};
  nb::object type = owned(PyType_FromSpec(&spec));
  module.attr(llvm::StringRef(name).rsplit('.').second.data()) = type;
  return reinterpret_cast<PyTypeObject *>(type.release().ptr());
}

/// PySys_GetObject gives a reference that another thread may take back, where no GIL keeps it away.
void bindings::writeToStdout(std::string_view text) {
  if (text.empty())
    return;
  nb::object stream = nb::getattr(owned(PyImport_ImportModule("sys")), "stdout", nb::none());
  if (!stream.is_none())
    stream.attr("write")(makeStr(text));
}
