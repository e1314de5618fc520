//===- TensorBuffers.cpp - Arrays of NumPy, and buffers of tensors --------===//
//
// The protocol is PEP 3118's, so that NumPy is not needed to build or to run. A tensor
// over an array keeps the array's buffer, and an array over a tensor keeps the tensor.
//
//===----------------------------------------------------------------------===//
#include "LateRelease.h"
#include "TensorObject.h"
#include "script/EagerTrace.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Tensor/LentMemory.h"
#include "tsc/Tensor/PinnedStorage.h"

using namespace tsc;
using namespace tsc::bindings;

//===----------------------------------------------------------------------===//
// dtypes
//===----------------------------------------------------------------------===//

/// The letters that PEP 3118 has for the elements of a dtype; null where it has none.
static const char *formatOf(DType dtype) {
  switch (dtype) {
  case DType::UInt8: return "B";
  case DType::Int8: return "b";
  case DType::Int16: return "h";
  case DType::Int32: return "i";
  case DType::Int64: return sizeof(long) == 8 ? "l" : "q";
  case DType::Half: return "e";
  case DType::Float: return "f";
  case DType::Double: return "d";
  case DType::ComplexFloat: return "Zf";
  case DType::ComplexDouble: return "Zd";
  case DType::Bool: return "?";
  default: return nullptr;
  }
}

/// The dtype of elements of a buffer; nothing where tsc has none for them.
static std::optional<DType> dtypeOfFormat(llvm::StringRef format, size_t itemSize) {
  const bool isNative = std::endian::native == std::endian::little
                            ? !format.starts_with(">") && !format.starts_with("!")
                            : !format.starts_with("<");
  if (!isNative && itemSize > 1)
    return std::nullopt;
  format = format.ltrim("@=<>!");
  if (format == "Zf")
    return DType::ComplexFloat;
  if (format == "Zd")
    return DType::ComplexDouble;
  if (format.size() != 1)
    return std::nullopt;
  switch (format.front()) {
  case '?': return DType::Bool;
  case 'e': return DType::Half;
  case 'f': return DType::Float;
  case 'd': return DType::Double;
  case 'B': return DType::UInt8;
  case 'b':
  case 'h':
  case 'i':
  case 'l':
  case 'q':
    switch (itemSize) {
    case 1: return DType::Int8;
    case 2: return DType::Int16;
    case 4: return DType::Int32;
    case 8: return DType::Int64;
    }
    return std::nullopt;
  default: return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Tensors over arrays
//===----------------------------------------------------------------------===//

namespace {
/// The buffer of an array, which a tensor keeps. The array may be changed, and not be resized.
class KeptBuffer final : public Kept {
public:
  KeptBuffer() = default;
  ~KeptBuffer() override {
    if (view.obj)
      PyBuffer_Release(&view);
  }
  Py_buffer view{};
};
} // namespace

bool bindings::isArrayLike(nb::handle object) {
  PyObject *given = object.ptr();
  if (PyBytes_Check(given) || PyByteArray_Check(given) || isTensor(object))
    return false;
  return PyObject_CheckBuffer(given) || (!PyType_Check(given) && nb::hasattr(object, "__dlpack__"));
}

[[noreturn]] static void refuseElements(nb::handle array) {
  if (nb::hasattr(array, "dtype"))
    raise(PyExc_TypeError,
          "can't convert np.ndarray of type numpy." + shown(array.attr("dtype")) +
              ". The only supported types are: float64, float32, float16, complex64, complex128, int64, "
              "int32, int16, int8, uint8, and bool.");
  raise(PyExc_TypeError, "the elements of a " + typeNameOf(array) + " are of a type that tensors do not have");
}

/// Copies an array to one whose elements stand in order, by NumPy.
static nb::object inOrder(nb::handle array) {
  if (nb::hasattr(array, "copy"))
    return array.attr("copy")();
  return owned(PyImport_ImportModule("numpy")).attr("array")(array);
}

static void getBufferOf(nb::handle array, Py_buffer &view) {
  if (PyObject_GetBuffer(array.ptr(), &view, PyBUF_RECORDS_RO) == 0)
    return;
  if (!PyErr_ExceptionMatches(PyExc_ValueError) && !PyErr_ExceptionMatches(PyExc_BufferError))
    raiseCurrent();
  PyErr_Clear(); // such as NumPy's dates, which have no letters
  refuseElements(array);
}

Tensor bindings::tensorOfArray(nb::handle array, WhereStrange strange) {
  if (!PyObject_CheckBuffer(array.ptr()))
    return tensorOfDLPack(array);
  auto kept = std::make_unique<KeptBuffer>();
  Py_buffer &view = kept->view;
  getBufferOf(array, view);
  std::optional<DType> dtype = dtypeOfFormat(view.format ? view.format : "B", static_cast<size_t>(view.itemsize));
  if (!dtype)
    refuseElements(array);
  const auto item = static_cast<Py_ssize_t>(itemSize(*dtype));
  Dims sizes, strides;
  bool isNegative = false,
       isUneven =
           reinterpret_cast<uintptr_t>(view.buf) % static_cast<uintptr_t>(isComplex(*dtype) ? item / 2 : item) != 0;
  for (int d = 0; d != view.ndim; ++d) {
    const Py_ssize_t stride = view.strides ? view.strides[d] : 0;
    isNegative |= stride < 0 && view.shape[d] > 1;
    isUneven |= stride % item != 0;
    sizes.push_back(view.shape[d]);
    strides.push_back(stride < 0 ? 0 : stride / item);
  }
  if (isNegative || isUneven) {
    if (strange == WhereStrange::Copy)
      return tensorOfArray(inOrder(array), WhereStrange::Raise);
    raise(PyExc_ValueError,
          isNegative
              ? "At least one stride in the given numpy array is negative, and tensors with negative strides are "
                "not currently supported. (You can probably work around this by making a copy of your array "
                " with array.copy().) "
              : "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
                "reallocate the memory.");
  }
  LentMemory memory{view.buf, view.readonly != 0, /*isRead=*/true,
                    [](void *user) { releaseLater(static_cast<KeptBuffer *>(user)); }, kept.get()};
  Tensor tensor = orRaise(tensorOver(memory, sizes, strides, *dtype));
  (void)kept.release(); // the tensor's memory has it
  return tensor;
}

//===----------------------------------------------------------------------===//
// Buffers of tensors
//===----------------------------------------------------------------------===//

namespace {
/// What a buffer of a tensor points at. The elements stay where they are, whatever becomes of the tensor.
struct ExportedBuffer {
  explicit ExportedBuffer(const Tensor &tensor) : elements(tensor) {}
  PinnedStorage elements;
  llvm::SmallVector<Py_ssize_t, 5> shape, strides;
};
} // namespace

static void exportBuffer(const Tensor &tensor, Py_buffer &view, int flags) {
  if (tensor.requiresGrad())
    raise(PyExc_BufferError, "a tensor that requires a gradient has no buffer: call detach() first");
  const char *format = formatOf(tensor.dtype());
  if (!format)
    raise(PyExc_BufferError, "tensors of dtype torch." + pythonName(tensor.dtype()).str() +
                                 " have no buffer: convert them first, as by x.float()");
  if (!tensor.get()->storage || tensor.device().kind != DeviceKind::CPU)
    raise(PyExc_BufferError, "the elements of the tensor are not in one block of the processor's memory");
  if (cpu::isLazy(tensor))
    raise(PyExc_BufferError, "the tensor is conjugated or negated lazily: call resolve_conj() or resolve_neg() first");
  const bool needsOrder = (flags & PyBUF_STRIDES) != PyBUF_STRIDES ||
                          (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS ||
                          (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
  if ((needsOrder || (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) && !tensor.isContiguous())
    raise(PyExc_BufferError, "the tensor's elements do not stand in order: call contiguous() first");
  auto exported = std::make_unique<ExportedBuffer>(tensor);
  const auto item = static_cast<Py_ssize_t>(itemSize(tensor.dtype()));
  for (int64_t d = 0; d != tensor.dim(); ++d) {
    exported->shape.push_back(tensor.size(d));
    exported->strides.push_back(tensor.stride(d) * item);
  }
  // Writable, so that memory that is shared is not copied later, away from under the buffer.
  view.buf = tensor.mutableData();
  view.len = tensor.numel() * item;
  view.itemsize = item;
  view.readonly = 0;
  view.ndim = static_cast<int>(tensor.dim());
  view.format = flags & PyBUF_FORMAT ? const_cast<char *>(format) : nullptr;
  view.shape = flags & PyBUF_ND ? exported->shape.data() : nullptr;
  view.strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.data() : nullptr;
  view.suboffsets = nullptr;
  view.internal = exported.release();
}

int tensor_slots::getBuffer(PyObject *self, Py_buffer *view, int flags) noexcept {
  view->obj = nullptr;
  return guarded(
      [&] {
        refuseReading(tensorOf(self));
        exportBuffer(tensorOf(self), *view, flags);
        Py_INCREF(self);
        view->obj = self;
        return 0;
      },
      -1);
}

void tensor_slots::releaseBuffer(PyObject *, Py_buffer *view) noexcept {
  delete static_cast<ExportedBuffer *>(view->internal);
}
