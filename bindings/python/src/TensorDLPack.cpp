//===- TensorDLPack.cpp - Tensors of other libraries ----------------------===//
//
// A capsule owns what is in it until a consumer renames it.
//
//===----------------------------------------------------------------------===//
#include "DLPack.h"
#include "LateRelease.h"
#include "TensorObject.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Tensor/LentMemory.h"

using namespace tsc;
using namespace tsc::bindings;

namespace {
enum Code : uint8_t { Int = 0, UInt = 1, Float = 2, BFloat = 4, Complex = 5, Bool = 6 };
} // namespace

std::optional<dlpack::DataType> dlpack::typeOf(DType dtype) {
  const auto bits = static_cast<uint8_t>(itemSize(dtype) * 8);
  switch (dtype) {
  case DType::UInt8: return DataType{UInt, bits, 1};
  case DType::Int8:
  case DType::Int16:
  case DType::Int32:
  case DType::Int64: return DataType{Int, bits, 1};
  case DType::Half:
  case DType::Float:
  case DType::Double: return DataType{Float, bits, 1};
  case DType::BFloat16: return DataType{BFloat, bits, 1};
  case DType::ComplexHalf:
  case DType::ComplexFloat:
  case DType::ComplexDouble: return DataType{Complex, bits, 1};
  case DType::Bool: return DataType{Bool, bits, 1};
  default: return std::nullopt;
  }
}

std::optional<DType> dlpack::dtypeOf(DataType type) {
  if (type.code == Float && type.bits == 32 && type.lanes == 1) // as a rule
    return DType::Float;
  for (int number = 0; number != 16; ++number)
    if (auto known = typeOf(static_cast<DType>(number)))
      if (known->code == type.code && known->bits == type.bits && type.lanes == 1)
        return static_cast<DType>(number);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

template <typename Managed> static nb::object makeCapsule(const char *name, Managed *managed) {
  // Whoever takes the tensor renames the capsule; of one that nobody took, the tensor goes with the capsule.
  auto destroy = [](PyObject *capsule) {
    constexpr bool isVersioned = std::is_same_v<Managed, dlpack::ManagedVersioned>;
    const char *name = isVersioned ? "dltensor_versioned" : "dltensor";
    if (!PyCapsule_IsValid(capsule, name))
      return;
    auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
    managed->release(managed);
  };
  return owned(PyCapsule_New(managed, name, destroy));
}

nb::object bindings::exportDLPack(const Tensor &tensor, bool isVersioned) {
  if (tensor.requiresGrad())
    raise(PyExc_BufferError, "Can't export tensors that require gradient, use tensor.detach()");
  if (cpu::isLazy(tensor))
    raise(PyExc_BufferError, "Can't export tensors with the conjugate bit set");
  if (!tensor.get()->storage || tensor.device().kind != DeviceKind::CPU)
    raise(PyExc_BufferError, "Can't export tensors with layout other than torch.strided in the processor's memory");
  if (!dlpack::typeOf(tensor.dtype()))
    raise(PyExc_BufferError, "DLPack has no dtype for torch." + pythonName(tensor.dtype()).str());
  if (!isVersioned)
    return makeCapsule("dltensor", dlpack::makeExported<dlpack::Managed>(tensor));
  return makeCapsule("dltensor_versioned", dlpack::makeExported<dlpack::ManagedVersioned>(tensor));
}

//===----------------------------------------------------------------------===//
// Import
//===----------------------------------------------------------------------===//

namespace {
/// A tensor of somebody's, which one of ours is over. Its release may need the GIL.
template <typename Managed> class KeptManaged final : public Kept {
public:
  explicit KeptManaged(Managed *managed) : managed(managed) {}
  ~KeptManaged() override {
    if (managed && managed->release)
      managed->release(managed);
  }
  Managed *managed;
};
} // namespace

template <typename Managed>
static Tensor takeCapsule(nb::handle capsule, const char *name, const char *usedName, bool isReadOnly) {
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (!managed)
    raiseCurrent();
  if (managed->tensor.rank < 0 || (managed->tensor.rank > 0 && !managed->tensor.shape))
    raise(PyExc_BufferError, "the tensor has no sizes");
  const dlpack::Array &tensor = managed->tensor;
  if (tensor.device.kind != dlpack::cpuDevice)
    raise(PyExc_BufferError, "the tensor's elements are on a device (DLPack's kind " +
                                 std::to_string(tensor.device.kind) + "), and this build reads the processor's memory");
  std::optional<DType> dtype = dlpack::dtypeOf(tensor.dtype);
  if (!dtype)
    raise(PyExc_BufferError, "tensors have no dtype for DLPack's code " + std::to_string(tensor.dtype.code) + " with " +
                                 std::to_string(tensor.dtype.bits) + " bits");
  ArrayRef<int64_t> sizes(tensor.shape, static_cast<size_t>(tensor.rank));
  for (int64_t size : sizes)
    if (size < 0)
      raise(PyExc_BufferError, "the tensor has a negative size");
  Dims strides = contiguousStrides(sizes);
  if (tensor.strides)
    strides.assign(tensor.strides, tensor.strides + tensor.rank);
  for (size_t d = 0; d != sizes.size(); ++d)
    if (sizes[d] <= 1) // any stride is allowed there
      strides[d] = std::max<int64_t>(strides[d], 0);
  auto kept = std::make_unique<KeptManaged<Managed>>(managed);
  LentMemory memory{static_cast<char *>(tensor.data) + tensor.byteOffset, isReadOnly, /*isRead=*/true,
                    [](void *user) { releaseLater(static_cast<KeptManaged<Managed> *>(user)); }, kept.get()};
  StatusOr<Tensor> made = tensorOver(memory, sizes, strides, *dtype);
  if (!made.ok() || PyCapsule_SetName(capsule.ptr(), usedName) != 0) {
    kept->managed = nullptr; // it stays the capsule's
    raiseIfError(made.status());
    raiseCurrent();
  }
  (void)kept.release();
  return *std::move(made);
}

static Tensor takeCapsule(nb::handle capsule) {
  if (!PyCapsule_CheckExact(capsule.ptr()))
    raise(PyExc_TypeError, "__dlpack__ gives a capsule, and not a " + typeNameOf(capsule));
  if (!PyCapsule_IsValid(capsule.ptr(), "dltensor") && !PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned"))
    raise(PyExc_ValueError, "from_dlpack received an invalid capsule: it holds no tensor of DLPack, or somebody has "
                            "taken its tensor already");
  if (!PyCapsule_IsValid(capsule.ptr(), "dltensor_versioned"))
    return takeCapsule<dlpack::Managed>(capsule, "dltensor", "used_dltensor", false);
  auto *managed = static_cast<dlpack::ManagedVersioned *>(PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"));
  if (managed->version.major != 1)
    raise(PyExc_BufferError,
          "the tensor is one of DLPack " + std::to_string(managed->version.major) + ", and tsc reads DLPack 1");
  return takeCapsule<dlpack::ManagedVersioned>(capsule, "dltensor_versioned", "used_dltensor_versioned",
                                               (managed->flags & dlpack::isReadOnlyFlag) != 0);
}

Tensor bindings::tensorOfDLPack(nb::handle object) {
  if (PyCapsule_CheckExact(object.ptr()))
    return takeCapsule(object);
  if (!nb::hasattr(object, "__dlpack__"))
    raise(PyExc_TypeError, "an object of type " + typeNameOf(object) + " has no __dlpack__");
  nb::object capsule;
  try {
    capsule = object.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 1));
  } catch (nb::python_error &error) {
    if (!error.matches(PyExc_TypeError)) // an older library does not know the argument
      throw;
    capsule = object.attr("__dlpack__")();
  }
  return takeCapsule(capsule);
}
