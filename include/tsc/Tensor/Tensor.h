//===- Tensor.h - Strided tensors -------------------------------*- C++ -*-===//
//
// A Tensor is a counted pointer to a view (sizes, strides, offset, dtype) of a
// counted Storage. Copying a Tensor copies the pointer. Views of one storage
// share its version counter.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_TENSOR_H
#define TSC_TENSOR_TENSOR_H

#include "tsc/Support/RefCounted.h"
#include "tsc/Support/Status.h"
#include "tsc/Tensor/DeviceMemory.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <atomic>
#include <string>

namespace tsc {

using llvm::ArrayRef;
using Dims = llvm::SmallVector<int64_t, 5>;

/// A block of bytes of one device. Owned memory is that of its DeviceMemory; borrowed memory (a mapped archive) is the
/// processor's, is kept alive by `keeper`, and is copied before the first write (see Tensor::mutableData).
class Storage final : public RefCounted {
public:
  /// Uninitialised memory; ResourceExhausted when there is none, or the size is absurd.
  static StatusOr<Ref<Storage>> allocate(size_t bytes, const DeviceMemory &memory = DeviceMemory::cpu());
  /// Read-only bytes that `keeper` keeps alive.
  static Ref<Storage> borrow(const void *data, size_t bytes, Ref<RefCounted> keeper);
  ~Storage() override;
  /// The same bytes in memory of their own, on the same device.
  StatusOr<Ref<Storage>> clone() const;

  Device device() const { return memory->device(); }
  const void *data() const { return bytes; }
  /// Turns a borrowed block into an owned copy first.
  void *mutableData() {
    if (keeper) [[unlikely]]
      detachFromKeeper();
    return bytes;
  }
  size_t size() const { return count; }
  /// Grows or shrinks, keeping the common prefix.
  Status resize(size_t bytes);
  std::atomic<uint32_t> version{0}; ///< Counts in-place writes; threads may write different parts.
  static void *operator new(size_t size);
  static void operator delete(void *p);

private:
  explicit Storage(const DeviceMemory &memory) : memory(&memory) {}
  void detachFromKeeper();
  void *bytes = nullptr;
  size_t count = 0;
  size_t capacity = 0; ///< What the allocator gave; 0 for borrowed memory.
  const DeviceMemory *memory;
  Ref<RefCounted> keeper;
};

/// The object behind a Tensor. Use Tensor; this is public for the allocator of small objects and for IValue.
class TensorImpl final : public RefCounted {
public:
  Ref<Storage> storage;
  int64_t offset = 0;  ///< In elements.
  int64_t count = 0;   ///< Number of elements.
  Dims sizes, strides; ///< Strides in elements.
  DType dtype = DType::Float;
  bool requiresGrad = false;
  bool contiguous = true;    ///< Row-major without gaps; kept up to date by whoever changes sizes or strides.
  bool conjugate = false;    ///< Lazy conjugation of a complex view (torch.conj); kernels resolve it on reading.
  bool negative = false;     ///< Lazy negation bit (imag of a conjugate).
  Ref<RefCounted> companion; ///< Lives as long as this view does (tsc::reused); null for most.
  Ref<RefCounted> history;   ///< What a tape knows of it (tsc/Runtime/Tape.h); null for most.
  /// Where its storage is; the processor for a tensor without one.
  Device device() const { return storage ? storage->device() : Device(); }
  static void *operator new(size_t size);
  static void operator delete(void *p);
};

class Tensor {
public:
  Tensor() = default; ///< Undefined: TorchScript's None where a Tensor? is expected.
  explicit Tensor(Ref<TensorImpl> impl) : impl(std::move(impl)) {}

  /// Uninitialised, row-major.
  static StatusOr<Tensor> empty(ArrayRef<int64_t> sizes, DType dtype = DType::Float,
                                const DeviceMemory &memory = DeviceMemory::cpu());
  static StatusOr<Tensor> emptyStrided(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype,
                                       const DeviceMemory &memory = DeviceMemory::cpu());
  /// A view on a storage. InvalidArgument when it reaches outside the storage.
  static StatusOr<Tensor> view(Ref<Storage> storage, int64_t offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                               DType dtype);
  static StatusOr<Tensor> full(ArrayRef<int64_t> sizes, Scalar value, DType dtype);
  static StatusOr<Tensor> scalar(Scalar value, DType dtype); ///< 0-dimensional.
  template <typename T> static StatusOr<Tensor> fromSpan(ArrayRef<T> values, ArrayRef<int64_t> sizes);

  bool defined() const { return static_cast<bool>(impl); }
  explicit operator bool() const { return defined(); }
  int64_t dim() const { return static_cast<int64_t>(impl->sizes.size()); }
  ArrayRef<int64_t> sizes() const { return impl->sizes; }
  ArrayRef<int64_t> strides() const { return impl->strides; }
  int64_t size(int64_t dim) const { return impl->sizes[dim]; } ///< 0 <= dim < dim()
  int64_t stride(int64_t dim) const { return impl->strides[dim]; }
  int64_t numel() const { return impl->count; }
  DType dtype() const { return impl->dtype; }
  Device device() const { return impl->device(); }
  int64_t storageOffset() const { return impl->offset; }
  bool requiresGrad() const { return impl->requiresGrad; }
  bool isContiguous() const { return impl->contiguous; }
  bool isContiguous(MemoryFormat format) const;
  bool isSameAs(const Tensor &other) const { return impl == other.impl; }
  bool sharesStorageWith(const Tensor &other) const { return impl->storage == other.impl->storage; }

  /// The first element (offset applied). `data` must not be written to.
  const void *data() const {
    return static_cast<const char *>(impl->storage->data()) + impl->offset * itemSize(impl->dtype);
  }
  void *mutableData() const {
    return static_cast<char *>(impl->storage->mutableData()) + impl->offset * itemSize(impl->dtype);
  }
  template <typename T> const T *data() const { return static_cast<const T *>(data()); }
  template <typename T> T *mutableData() const { return static_cast<T *>(mutableData()); }
  /// Every in-place kernel calls this after writing.
  void bumpVersion() const { impl->storage->version.fetch_add(1, std::memory_order_relaxed); }

  /// Element 0 of a one-element tensor (InvalidArgument otherwise).
  StatusOr<Scalar> item() const;
  /// The element at a linear row-major index, or set it. Slow; for printing, tests and small work.
  Scalar at(int64_t index) const;
  void set(int64_t index, Scalar value) const;

  /// Same storage, other geometry; no bounds check (callers derive it from this one).
  Tensor alias(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset) const;

  TensorImpl *get() const { return impl.get(); }
  TensorImpl *take() { return impl.take(); }
  const Ref<TensorImpl> &ref() const { return impl; }

private:
  Ref<TensorImpl> impl;
};

/// Row-major strides.
Dims contiguousStrides(ArrayRef<int64_t> sizes);
bool isContiguous(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Number of elements; ResourceExhausted on overflow, InvalidArgument on a negative size.
StatusOr<int64_t> elementCount(ArrayRef<int64_t> sizes);
/// Broadcasts shapes by PyTorch's rules, with PyTorch's message on failure.
StatusOr<Dims> broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b);
/// -rank..rank-1 -> 0..rank-1 (rank 0 counts as 1), or "Dimension out of range (expected to be in range of …".
StatusOr<int64_t> wrapDim(int64_t dim, int64_t rank);
/// "[2, 3]".
std::string shapeString(ArrayRef<int64_t> sizes);
/// The number of elements a storage needs to hold such a view; nullopt on overflow.
std::optional<int64_t> requiredElements(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset);
/// As PyTorch prints: `str(t)` gives what Python's print(t) shows ("tensor([…])" is not added in TorchScript's print:
/// the C++ form with " 1  2\n[ CPUFloatType{2} ]" is). Both are here.
std::string toPythonString(const Tensor &tensor);
std::string toCppString(const Tensor &tensor);

} // namespace tsc

#endif
