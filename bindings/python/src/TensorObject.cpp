//===- TensorObject.cpp - Tensors as objects ------------------------------===//
#include "TensorObject.h"
#include "Eager.h"
#include "Types.h"
#include "script/EagerTrace.h"
#include "tsc/Runtime/Tape/Gradients.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/TensorHistory.h"

using namespace tsc;
using namespace tsc::bindings;

PyTypeObject *bindings::tensorType = nullptr;
static PyObject *sizeType = nullptr;

nb::object bindings::wrapTensor(Tensor tensor) {
  if (!tensor.defined())
    return nb::none();
  PyObject *object = PyType_GenericAlloc(tensorType, 0);
  if (!object) [[unlikely]]
    raiseCurrent();
  new (&reinterpret_cast<TensorObject *>(object)->tensor) Tensor(std::move(tensor));
  return nb::steal(object);
}

nb::object bindings::makeTuple(ArrayRef<int64_t> numbers) {
  nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  for (auto [i, number] : llvm::enumerate(numbers))
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), owned(PyLong_FromLongLong(number)).release().ptr());
  return tuple;
}

nb::object bindings::makeSize(ArrayRef<int64_t> sizes) {
  nb::object plain = makeTuple(sizes);
  return sizeType ? owned(PyObject_CallFunctionObjArgs(sizeType, plain.ptr(), nullptr)) : plain;
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

static PyObject *newTensor(PyTypeObject *type, PyObject *args, PyObject *kwargs) noexcept {
  return guardedObject([&] {
    static const char *const names[] = {"data", nullptr};
    PyObject *data = nullptr;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Tensor", const_cast<char **>(names), &data))
      raiseCurrent();
    // As torch.Tensor: of the default dtype, whatever the data are.
    Tensor made = data ? tensorOfData(data, defaultDType()) : orRaise(Tensor::empty({0}, defaultDType()));
    nb::object object = owned(PyType_GenericAlloc(type, 0));
    new (&reinterpret_cast<TensorObject *>(object.ptr())->tensor) Tensor(std::move(made));
    return object;
  });
}

/// Makes an object of a class that derives from tsc.Tensor, over the same tensor.
static nb::object asSubclass(nb::type_object type, nb::object tensor) {
  if (!PyType_IsSubtype(reinterpret_cast<PyTypeObject *>(type.ptr()), tensorType) || !isTensor(tensor))
    throw nb::type_error("_as_subclass() takes a class that derives from tsc.Tensor, and a tensor");
  nb::object object = owned(PyType_GenericAlloc(reinterpret_cast<PyTypeObject *>(type.ptr()), 0));
  new (&reinterpret_cast<TensorObject *>(object.ptr())->tensor) Tensor(tensorOf(tensor));
  return object;
}

static void deallocate(PyObject *self) noexcept {
  auto *object = reinterpret_cast<TensorObject *>(self);
  PyTypeObject *type = Py_TYPE(self);
  if (object->weakReferences)
    PyObject_ClearWeakRefs(self);
  object->tensor.~Tensor();
  auto release = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  release(self);
  Py_DECREF(type);
}

static PyObject *represent(PyObject *self) noexcept {
  return guardedObject([&] { return makeStr(toPythonString(tensorOf(self))); });
}

static Py_hash_t hash(PyObject *self) noexcept {
  const auto bits = static_cast<Py_hash_t>(reinterpret_cast<uintptr_t>(tensorOf(self).get()) >> 4);
  return bits == -1 ? -2 : bits;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename F> static PyObject *get(PyObject *self, F &&read) noexcept {
  return guardedObject([&]() -> nb::object { return read(tensorOf(self)); });
}
#define TSC_GETTER(NAME, EXPR)                                                                                         \
  static PyObject *NAME(PyObject *self, void *) noexcept {                                                             \
    return get(self, []([[maybe_unused]] const Tensor &t) -> nb::object { return EXPR; });                             \
  }
TSC_GETTER(getShape, sizesOf(t))
TSC_GETTER(getDType, dtypeObject(elementDType(t)))
TSC_GETTER(getDevice, deviceObject(t.device()))
TSC_GETTER(getNumDims, nb::int_(t.dim()))
TSC_GETTER(getItemSize, nb::int_(itemSize(t.dtype())))
TSC_GETTER(getNumBytes, nb::int_(itemSize(t.dtype()) * static_cast<size_t>(t.numel())))
TSC_GETTER(getRequiresGrad, nb::bool_(t.requiresGrad()))
TSC_GETTER(getIsLeaf, nb::bool_(!t.requiresGrad() || Tape::isLeaf(t)))
TSC_GETTER(getGrad, wrapTensor(Tape::gradient(t)))
TSC_GETTER(getData, wrapTensor(Tape::detached(t)))
TSC_GETTER(getIsQuantized, nb::bool_(isQuantized(t.dtype())))
TSC_GETTER(getIsCuda, nb::bool_(t.device().kind == DeviceKind::CUDA))
#undef TSC_GETTER

static PyObject *getLayout(PyObject *self, void *) noexcept {
  return get(self, [](const Tensor &t) { return layoutObject(layoutOf(t)); });
}

static PyObject *getGradFn(PyObject *self, void *) noexcept {
  return get(self, [](const Tensor &t) -> nb::object {
    const TensorHistory *history = tensorHistoryOf(t);
    if (!t.requiresGrad() || !history || history->isLeaf(t))
      return nb::none();
    return makeStr("<" + history->nodeName(t).value_or("Function") + ">");
  });
}

static int setRequiresGrad(PyObject *self, PyObject *value, void *) noexcept {
  return guarded(
      [&] {
        if (!value)
          raise(PyExc_AttributeError, "requires_grad cannot be deleted");
        const int wanted = PyObject_IsTrue(value);
        if (wanted < 0)
          raiseCurrent();
        requireGrad(tensorOf(self), wanted != 0);
        return 0;
      },
      -1);
}

static int setGrad(PyObject *self, PyObject *value, void *) noexcept {
  return guarded(
      [&] {
        if (!value || value == Py_None) {
          Tape::setGradient(tensorOf(self), Tensor());
          return 0;
        }
        if (!isTensor(value))
          raise(PyExc_TypeError,
                "assigned grad expected to be a Tensor or None but got grad of type " + typeNameOf(value));
        const Tensor &tensor = tensorOf(self), &gradient = tensorOf(value);
        if (gradient.sizes() != tensor.sizes())
          raise(PyExc_RuntimeError, "assigned grad has data of a different size");
        if (gradient.dtype() != tensor.dtype())
          raise(PyExc_RuntimeError, "assigned grad has data of a different type");
        Tape::setGradient(tensor, gradient);
        return 0;
      },
      -1);
}

static int setData(PyObject *self, PyObject *value, void *) noexcept {
  return guarded(
      [&] {
        if (!value || !isTensor(value))
          raise(PyExc_TypeError, "Variable data has to be a tensor");
        raiseIfError(setTensorData(tensorOf(self), tensorOf(value)));
        return 0;
      },
      -1);
}

static PyGetSetDef attributeTable[] = {
    {"shape", getShape, nullptr, "The size of each dimension, a tsc.Size.", nullptr},
    {"dtype", getDType, nullptr, "The type of the elements, such as tsc.float32.", nullptr},
    {"device", getDevice, nullptr, "Where the elements are.", nullptr},
    {"layout", getLayout, nullptr, "How the elements are kept.", nullptr},
    {"ndim", getNumDims, nullptr, "The number of dimensions.", nullptr},
    {"itemsize", getItemSize, nullptr, "The bytes of one element.", nullptr},
    {"nbytes", getNumBytes, nullptr, "The bytes of all elements.", nullptr},
    {"requires_grad", getRequiresGrad, setRequiresGrad, "Whether gradients are computed for the tensor.", nullptr},
    {"is_leaf", getIsLeaf, nullptr, "Whether no recorded operator has computed the tensor.", nullptr},
    {"grad", getGrad, setGrad, "What backward() has added up for the tensor, or None.", nullptr},
    {"grad_fn", getGradFn, nullptr, "What PyTorch calls the operator that made the tensor, or None for a leaf.",
     nullptr},
    {"data", getData, setData, "A tensor of the same memory that requires no gradient.", nullptr},
    {"is_quantized", getIsQuantized, nullptr, "Whether the elements are quantized.", nullptr},
    {"is_cuda", getIsCuda, nullptr, "Whether the elements are on a GPU.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyGetSetDef *tensor_slots::attributes() { return attributeTable; }

static PyMemberDef memberTable[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakReferences), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

void bindings::bindTensor(nb::module_ &module) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_new, reinterpret_cast<void *>(newTensor)},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
      {Py_tp_repr, reinterpret_cast<void *>(represent)},
      {Py_tp_hash, reinterpret_cast<void *>(hash)},
      {Py_tp_members, memberTable},
      {Py_tp_getset, tensor_slots::attributes()},
      {Py_tp_methods, tensor_slots::methods()},
      {Py_bf_getbuffer, reinterpret_cast<void *>(tensor_slots::getBuffer)},
      {Py_bf_releasebuffer, reinterpret_cast<void *>(tensor_slots::releaseBuffer)},
      {Py_mp_subscript, reinterpret_cast<void *>(tensor_slots::getItem)},
      {Py_mp_ass_subscript, reinterpret_cast<void *>(tensor_slots::setItem)},
      {Py_tp_doc, const_cast<char *>("A tensor, as torch.Tensor: numbers of one dtype in any number of dimensions.\n\n"
                                     "Make one by tsc.tensor, tsc.from_numpy, tsc.from_dlpack, or an operator such as "
                                     "tsc.zeros. Every operator\nof PyTorch is a method.")}};
  llvm::ArrayRef<PyType_Slot> arithmetic = tensor_slots::arithmetic();
  slots.insert(slots.end(), arithmetic.begin(), arithmetic.end());
  slots.push_back({0, nullptr});
  tensorType = makeType(module, "tsc.Tensor", sizeof(TensorObject), Py_TPFLAGS_BASETYPE, slots.data());
  module.def("_set_size_type", [](nb::object type) { sizeType = type.release().ptr(); });
  module.def("_as_subclass", asSubclass);
}
