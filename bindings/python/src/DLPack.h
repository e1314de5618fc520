//===- DLPack.h - The structures that libraries exchange --------*- C++ -*-===//
//
// They are those of DLPack 1.3 (https://dmlc.github.io/dlpack), of which we need few.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_DLPACK_H
#define TSC_BINDINGS_PYTHON_DLPACK_H

#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/PinnedStorage.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::bindings::dlpack {

struct Device {
  int32_t kind; ///< 1 is the processor.
  int32_t index;
};
struct DataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct Array {
  void *data;
  Device device;
  int32_t rank;
  DataType dtype;
  int64_t *shape;
  int64_t *strides; ///< In elements; null for row-major ones.
  uint64_t byteOffset;
};
struct Managed {
  Array tensor;
  void *owner;
  void (*release)(Managed *self);
};
struct Version {
  uint32_t major, minor;
};
struct ManagedVersioned {
  Version version;
  void *owner;
  void (*release)(ManagedVersioned *self);
  uint64_t flags;
  Array tensor;
};
constexpr uint64_t isReadOnlyFlag = 1;
constexpr int32_t cpuDevice = 1;

/// Functions of a library, by which C code reads and makes the objects of Python's that are its tensors. All need the
/// GIL, and return 0, or leave an error of Python's.
struct ExchangeAPI {
  Version version;
  ExchangeAPI *previous; ///< Functions of an older major version, or null.
  void *allocate;
  int (*managedOf)(void *object, ManagedVersioned **tensor);
  /// Makes an object of a tensor, which it takes over.
  int (*objectOf)(ManagedVersioned *tensor, void **object);
  /// Describes an object's tensor, as long as nobody changes it. May be null.
  int (*describe)(void *object, Array *array);
  void *currentStream;
};

/// Returns DLPack's name of a dtype; nothing where it has none.
std::optional<DataType> typeOf(DType dtype);
/// Returns the dtype that DLPack calls so; nothing where tensors have none for it.
std::optional<DType> dtypeOf(DataType type);

/// An exported tensor: what the consumer reads, and what keeps its elements where they are.
template <typename M> struct Exported {
  explicit Exported(const Tensor &tensor) : elements(tensor) {}
  M managed{};
  PinnedStorage elements;
  Dims shape, strides;
  static void release(M *self) { delete static_cast<Exported *>(self->owner); }
  static void *operator new(size_t size) { return memory::allocateObject(size); }
  static void operator delete(void *p) { memory::deallocateObject(p, sizeof(Exported)); }
};

/// Describes a tensor for a consumer, which is to call `release` of the result. DLPack must have its dtype, and its
/// elements stand in the processor's memory as they are.
template <typename M> M *makeExported(const Tensor &tensor) {
  auto *made = new Exported<M>(tensor);
  made->shape.assign(tensor.sizes().begin(), tensor.sizes().end());
  made->strides.assign(tensor.strides().begin(), tensor.strides().end());
  made->managed.owner = made;
  made->managed.release = Exported<M>::release;
  if constexpr (std::is_same_v<M, ManagedVersioned>)
    made->managed.version = {1, 1};
  // The first element: consumers of older versions do not look at an offset.
  made->managed.tensor = {tensor.numel() ? tensor.mutableData() : nullptr,
                          {cpuDevice, 0},
                          static_cast<int32_t>(tensor.dim()),
                          *typeOf(tensor.dtype()),
                          made->shape.data(),
                          made->strides.data(),
                          0};
  return &made->managed;
}

} // namespace tsc::bindings::dlpack

#endif
