//===- TensorMethods.cpp - Methods of tensors that are no operators -------===//
#include "Calls.h"
#include "Eager.h"
#include "TensorObject.h"
#include "Types.h"
#include "Values.h"
#include "script/EagerTrace.h"
#include "tsc/Kernels/Copy.h"

using namespace tsc;
using namespace tsc::bindings;

#define TSC_METHOD(NAME) static PyObject *NAME(PyObject *self, [[maybe_unused]] PyObject *argument) noexcept

TSC_METHOD(item) {
  return guardedObject([&] {
    const Tensor &tensor = tensorOf(self);
    if (tensor.numel() != 1)
      raise(PyExc_ValueError, "only one element tensors can be converted to Python scalars");
    refuseReading(tensor);
    return makeNumber(orRaise(tensor.item()));
  });
}

TSC_METHOD(toList) {
  return guardedObject([&] { return makeNestedLists(tensorOf(self)); });
}

static int64_t dimensionOf(const Tensor &tensor, PyObject *dim) {
  const long long wanted = PyLong_AsLongLong(dim);
  if (wanted == -1 && PyErr_Occurred())
    raiseCurrent();
  StatusOr<int64_t> wrapped = wrapDim(wanted, tensor.dim());
  if (!wrapped.ok() || tensor.dim() == 0)
    raise(PyExc_IndexError, wrapped.ok()
                                ? "Dimension specified as " + std::to_string(wanted) + " but tensor has no dimensions"
                                : messageOf(wrapped.status()).str());
  return *wrapped;
}

/// size() and size(dim), stride() and stride(dim).
template <typename Whole, typename One>
static PyObject *geometry(PyObject *self, PyObject *args, PyObject *kwargs, Whole &&whole, One &&one) {
  return guardedObject([&]() -> nb::object {
    static const char *const names[] = {"dim", nullptr};
    PyObject *dim = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O", const_cast<char **>(names), &dim))
      raiseCurrent();
    const Tensor &tensor = tensorOf(self);
    if (dim == Py_None)
      return whole(tensor);
    const int64_t at = dimensionOf(tensor, dim);
    nb::object all = EagerTrace::current() ? whole(tensor) : nb::object();
    return all.is_valid() ? nb::object(all[at]) : owned(PyLong_FromLongLong(one(tensor, at)));
  });
}
static PyObject *size(PyObject *self, PyObject *args, PyObject *kwargs) noexcept {
  return geometry(
      self, args, kwargs, [](const Tensor &t) { return sizesOf(t); },
      [](const Tensor &t, int64_t dim) { return t.size(dim); });
}
static PyObject *stride(PyObject *self, PyObject *args, PyObject *kwargs) noexcept {
  return geometry(
      self, args, kwargs, [](const Tensor &t) { return bindings::makeTuple(t.strides()); },
      [](const Tensor &t, int64_t dim) { return t.stride(dim); });
}

TSC_METHOD(rank) {
  return guardedObject([&] { return owned(PyLong_FromLongLong(tensorOf(self).dim())); });
}
TSC_METHOD(count) {
  return guardedObject([&] { return owned(PyLong_FromLongLong(tensorOf(self).numel())); });
}
TSC_METHOD(storageOffset) {
  return guardedObject([&] { return owned(PyLong_FromLongLong(tensorOf(self).storageOffset())); });
}
TSC_METHOD(dataPointer) {
  return guardedObject([&] {
    const Tensor &tensor = tensorOf(self);
    if (!tensor.get()->storage)
      raise(PyExc_RuntimeError, "the tensor has no storage");
    return owned(PyLong_FromVoidPtr(tensor.numel() ? tensor.mutableData() : nullptr));
  });
}
TSC_METHOD(elementSize) {
  return guardedObject([&] { return owned(PyLong_FromSize_t(itemSize(tensorOf(self).dtype()))); });
}
TSC_METHOD(isFloatingPoint) {
  return guardedObject([&] { return nb::object(nb::bool_(isFloating(tensorOf(self).dtype()))); });
}
TSC_METHOD(isSameTensor) {
  return guardedObject(
      [&] { return nb::object(nb::bool_(isTensor(argument) && tensorOf(self).isSameAs(tensorOf(argument)))); });
}

//===----------------------------------------------------------------------===//
// Protocols
//===----------------------------------------------------------------------===//

static void checkForNumPy(const Tensor &tensor) {
  if (tensor.requiresGrad())
    raise(PyExc_RuntimeError, "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
  if (tensor.get()->conjugate)
    raise(PyExc_RuntimeError,
          "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.");
  if (tensor.get()->negative)
    raise(PyExc_RuntimeError,
          "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.");
  if (tensor.dtype() == DType::BFloat16 || tensor.dtype() == DType::ComplexHalf)
    raise(PyExc_TypeError,
          "Got unsupported ScalarType " + std::string(tensor.dtype() == DType::BFloat16 ? "BFloat16" : "ComplexHalf"));
}

static nb::object numpyArrayOf(PyObject *self) {
  checkForNumPy(tensorOf(self));
  nb::object view = owned(PyMemoryView_FromObject(self));
  return owned(PyImport_ImportModule("numpy")).attr("asarray")(view);
}

static PyObject *toNumPy(PyObject *self, PyObject *args, PyObject *kwargs) noexcept {
  return guardedObject([&] {
    static const char *const names[] = {"force", nullptr};
    int force = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$p", const_cast<char **>(names), &force))
      raiseCurrent();
    if (!force)
      return numpyArrayOf(self);
    Tensor plain = Tape::detached(tensorOf(self));
    if (cpu::isLazy(plain))
      plain = orRaise(cpu::clone(plain));
    return numpyArrayOf(wrapTensor(std::move(plain)).ptr());
  });
}

/// NumPy's: the array may have another dtype, and NumPy 2 says whether it has to be a copy.
static PyObject *toArray(PyObject *self, PyObject *args, PyObject *kwargs) noexcept {
  return guardedObject([&] {
    static const char *const names[] = {"dtype", "copy", nullptr};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO", const_cast<char **>(names), &dtype, &copy))
      raiseCurrent();
    nb::object array = numpyArrayOf(self);
    if (dtype != Py_None)
      array = array.attr("astype")(nb::borrow(dtype), nb::arg("copy") = false);
    if (copy == Py_True)
      array = array.attr("copy")();
    return array;
  });
}

static PyObject *toDLPack(PyObject *self, PyObject *args, PyObject *kwargs) noexcept {
  return guardedObject([&] {
    static const char *const names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO", const_cast<char **>(names), &stream, &version, &device,
                                     &copy))
      raiseCurrent();
    if (stream != Py_None)
      raise(PyExc_BufferError, "tensors in the processor's memory have no stream");
    if (device != Py_None && nb::cast<int>(nb::object(nb::borrow(device)[0])) != 1)
      raise(PyExc_BufferError, "the tensor is in the processor's memory");
    const bool isVersioned = version != Py_None && nb::cast<int>(nb::object(nb::borrow(version)[0])) >= 1;
    Tensor tensor = tensorOf(self);
    if (copy == Py_True)
      tensor = orRaise(cpu::clone(tensor));
    return exportDLPack(tensor, isVersioned);
  });
}
TSC_METHOD(dlpackDevice) {
  return guardedObject([&] {
    if (tensorOf(self).device().kind != DeviceKind::CPU)
      raise(PyExc_BufferError, "DLPack of tensors on devices is not supported");
    return nb::object(nb::make_tuple(1, 0));
  });
}

static PyObject *format(PyObject *self, PyObject *specification) noexcept {
  return guardedObject([&] {
    if (!PyUnicode_Check(specification))
      raise(PyExc_TypeError, "__format__() argument must be str, not " + typeNameOf(specification));
    const Tensor &tensor = tensorOf(self);
    if (tensor.dim() == 0)
      return owned(PyObject_Format(makeNumber(orRaise(tensor.item())).ptr(), specification));
    nb::object text = makeStr(toPythonString(tensor));
    return owned(PyObject_Format(text.ptr(), specification));
  });
}
TSC_METHOD(toComplex) {
  return guardedObject([&] {
    refuseReading(tensorOf(self));
    const std::complex<double> number = orRaise(tensorOf(self).item()).toComplex();
    return owned(PyComplex_FromDoubles(number.real(), number.imag()));
  });
}

TSC_METHOD(detach) {
  return guardedObject([&] { return wrapTensor(Tape::detached(tensorOf(self))); });
}

/// The bytes of the elements in row-major order, for pickles.
TSC_METHOD(rawBytes) {
  return guardedObject([&] {
    const Tensor tensor = orRaise(cpu::clone(tensorOf(self), MemoryFormat::Contiguous));
    return owned(PyBytes_FromStringAndSize(
        tensor.numel() ? static_cast<const char *>(tensor.data()) : "",
        static_cast<Py_ssize_t>(static_cast<size_t>(tensor.numel()) * itemSize(tensor.dtype()))));
  });
}
#undef TSC_METHOD

PyMethodDef *tensor_slots::methods() {
  auto keyworded = [](PyObject *(*function)(PyObject *, PyObject *, PyObject *)) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(function));
  };
  static PyMethodDef table[] = {
      {"item", item, METH_NOARGS, "The only element, as a number."},
      {"tolist", toList, METH_NOARGS, "The elements as numbers in nested lists."},
      {"size", keyworded(size), METH_VARARGS | METH_KEYWORDS, "The sizes, or the size of one dimension."},
      {"stride", keyworded(stride), METH_VARARGS | METH_KEYWORDS,
       "The strides, in elements, or the stride of one dimension."},
      {"dim", rank, METH_NOARGS, "The number of dimensions."},
      {"ndimension", rank, METH_NOARGS, "The number of dimensions."},
      {"numel", count, METH_NOARGS, "The number of elements."},
      {"nelement", count, METH_NOARGS, "The number of elements."},
      {"storage_offset", storageOffset, METH_NOARGS, "Where the first element stands in the storage, in elements."},
      {"data_ptr", dataPointer, METH_NOARGS, "The address of the first element."},
      {"element_size", elementSize, METH_NOARGS, "The bytes of one element."},
      {"is_floating_point", isFloatingPoint, METH_NOARGS, "Whether the elements are floating-point numbers."},
      {"is_same", isSameTensor, METH_O, "Whether another object is the same tensor, not only an equal one."},
      {"numpy", keyworded(toNumPy), METH_VARARGS | METH_KEYWORDS,
       "An array of NumPy over the tensor's memory. force=True: also where the tensor requires a gradient."},
      {"__array__", keyworded(toArray), METH_VARARGS | METH_KEYWORDS, nullptr},
      {"__dlpack__", keyworded(toDLPack), METH_VARARGS | METH_KEYWORDS,
       "A capsule with the tensor, as the array API standard describes it."},
      {"__dlpack_device__", dlpackDevice, METH_NOARGS, nullptr},
      {"__format__", format, METH_O, nullptr},
      {"__complex__", toComplex, METH_NOARGS, nullptr},
      {"detach", detach, METH_NOARGS, "A tensor of the same memory that requires no gradient."},
      {"_bytes", rawBytes, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr}};
  return table;
}
