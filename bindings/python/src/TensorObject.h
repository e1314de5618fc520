//===- TensorObject.h - Tensors as objects ----------------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TENSOROBJECT_H
#define TSC_BINDINGS_PYTHON_TENSOROBJECT_H

#include "Python.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::bindings {

/// A tsc.Tensor: it shares the tensor with whoever else has it, programs among them.
struct TensorObject {
  PyObject base;
  Tensor tensor; ///< Defined.
  PyObject *weakReferences;
};

/// The type tsc.Tensor.
extern PyTypeObject *tensorType;

/// Whether an object is a tsc.Tensor, or of a class that derives from it.
inline bool isTensor(nb::handle object) {
  PyTypeObject *type = Py_TYPE(object.ptr());
  return type == tensorType || PyType_IsSubtype(type, tensorType);
}
/// Returns the tensor of a tsc.Tensor.
inline const Tensor &tensorOf(nb::handle object) {
  assert(isTensor(object) && "a tsc.Tensor");
  return reinterpret_cast<TensorObject *>(object.ptr())->tensor;
}
/// Makes a tsc.Tensor of a tensor, or None of an undefined one.
nb::object wrapTensor(Tensor tensor);

/// Makes sizes, strides or any other numbers a tuple.
nb::object makeTuple(ArrayRef<int64_t> numbers);
/// Makes sizes a tsc.Size.
nb::object makeSize(ArrayRef<int64_t> sizes);

/// Binds tsc.Tensor.
void bindTensor(nb::module_ &module);

//===----------------------------------------------------------------------===//
// Its parts, each in a file of its own
//===----------------------------------------------------------------------===//

/// Slots and functions that TensorObject.cpp puts together.
namespace tensor_slots {
/// Lends the elements to a consumer of buffers.
int getBuffer(PyObject *self, Py_buffer *view, int flags) noexcept;
/// Takes back what getBuffer() lent.
void releaseBuffer(PyObject *self, Py_buffer *view) noexcept;
/// Reads `self[index]`.
PyObject *getItem(PyObject *self, PyObject *index) noexcept;
/// Writes `self[index] = value`.
int setItem(PyObject *self, PyObject *index, PyObject *value) noexcept;
/// The slots of arithmetic and comparison.
llvm::ArrayRef<PyType_Slot> arithmetic();
/// The attributes that every tensor has, such as `shape`.
PyGetSetDef *attributes();
/// The methods that are no operators, such as `numpy`.
PyMethodDef *methods();
} // namespace tensor_slots

//===----------------------------------------------------------------------===//
// From other objects, and to them
//===----------------------------------------------------------------------===//

/// What to do where an array's layout is none of a tensor's.
enum class WhereStrange : uint8_t { Copy, Raise };
/// Whether `makeTensor` would look at an object: it exports a buffer or DLPack's tensors, and is no bytes.
bool isArrayLike(nb::handle object);
/// Makes a tensor over an array of NumPy, or any other object with a buffer or `__dlpack__`, sharing its memory. The
/// tensor keeps the array.
Tensor tensorOfArray(nb::handle array, WhereStrange strange);
/// Makes a tensor over the tensor that an object exports by `__dlpack__`, or that is in a capsule.
Tensor tensorOfDLPack(nb::handle object);
/// Exports a tensor as a capsule; a versioned one where the consumer knows version 1.
nb::object exportDLPack(const Tensor &tensor, bool isVersioned);
/// Makes a tensor of a number, or of nested lists of numbers and tensors, as torch.tensor does.
Tensor tensorOfData(nb::handle data, std::optional<DType> dtype);
/// Returns a tensor's elements as numbers in nested lists.
nb::object makeNestedLists(const Tensor &tensor);
/// Returns a number as an object of Python's.
nb::object makeNumber(const Scalar &number);

} // namespace tsc::bindings

#endif
