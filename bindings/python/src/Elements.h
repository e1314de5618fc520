//===- Elements.h - What Python's lists, tuples and dicts hold --*- C++ -*-===//
//
// Of lists, tuples and dicts themselves: classes that derive from these may give other
// elements to those who iterate over them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_ELEMENTS_H
#define TSC_BINDINGS_PYTHON_ELEMENTS_H

#include "Python.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc::bindings {

/// Calls `body` with the elements of a list or tuple, as long as it returns true, and returns whether it always did.
template <typename F> bool allElements(nb::handle sequence, F &&body) {
  const bool isTuple = PyTuple_Check(sequence.ptr());
  const Py_ssize_t size = isTuple ? PyTuple_Size(sequence.ptr()) : PyList_Size(sequence.ptr());
  for (Py_ssize_t i = 0; i != size; ++i) {
    if (!body(isTuple ? nb::borrow(PyTuple_GetItem(sequence.ptr(), i)) : elementOf(sequence, i)))
      return false;
  }
  return true;
}

/// Calls `body` with the keys and values of a dict, as allElements() does with elements.
template <typename F> bool allItems(nb::handle dict, F &&body) {
  return allElements(owned(PyDict_Items(dict.ptr())), [&](nb::handle item) {
    return body(nb::handle(PyTuple_GetItem(item.ptr(), 0)), nb::handle(PyTuple_GetItem(item.ptr(), 1)));
  });
}

inline bool isExactList(nb::handle object) { return Py_TYPE(object.ptr()) == &PyList_Type; }
inline bool isExactTuple(nb::handle object) { return Py_TYPE(object.ptr()) == &PyTuple_Type; }
inline bool isExactDict(nb::handle object) { return Py_TYPE(object.ptr()) == &PyDict_Type; }

/// Whether an object is what compiled code takes as it is, and is no tensor.
inline bool isNumberOrText(nb::handle object) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyUnicode_Type ||
         type == &PyComplex_Type || object.is_none();
}

/// How deep values nest that are told by isMadeOf(). Deeper ones may hold themselves.
constexpr unsigned deepestTold = 20;

/// Whether `isLeaf` holds for an object, or for all that a list, tuple or dict is made of. Keys of dicts are leaves.
inline bool isMadeOf(nb::handle object, llvm::function_ref<bool(nb::handle)> isLeaf, unsigned depth = 0) {
  if (isLeaf(object))
    return true;
  if (depth == deepestTold)
    return false;
  auto isMade = [&](nb::handle one) { return isMadeOf(one, isLeaf, depth + 1); };
  if (isExactList(object) || isExactTuple(object))
    return allElements(object, isMade);
  return isExactDict(object) &&
         allItems(object, [&](nb::handle key, nb::handle value) { return isLeaf(key) && isMade(value); });
}

} // namespace tsc::bindings

#endif
