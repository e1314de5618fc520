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
#include <cassert>
#include <string>

namespace tsc {

using llvm::ArrayRef;
/// Sizes or strides: one number for each dimension.
using Dims = llvm::SmallVector<int64_t, 5>;

/// A block of bytes of one device. Owned memory is that of its DeviceMemory; borrowed memory (a mapped archive) is the
/// processor's, is kept alive by `keeper`, and is copied before the first write (see Tensor::mutableData).
class Storage final : public RefCounted {
public:
  /// Returns uninitialised memory; ResourceExhausted when there is none, or the size is absurd.
  static StatusOr<Ref<Storage>> allocate(size_t bytes, const DeviceMemory &memory = DeviceMemory::cpu());
  /// Returns a storage of read-only bytes of the processor's, which `keeper` keeps alive. There is a keeper, also of
  /// bytes that live as long as the process: by it a write knows that the bytes are not the storage's own.
  static Ref<Storage> borrow(const void *data, size_t bytes, Ref<RefCounted> keeper);
  ~Storage() override;
  /// Returns a storage of the same bytes in memory of its own, on the same device.
  StatusOr<Ref<Storage>> clone() const;

  Device device() const { return memory->device(); }
  /// Returns the memory that the bytes were allocated in, which takes them back. What is allocated next to them comes
  /// from memoryOf() (DeviceCopy.h).
  const DeviceMemory &allocatedIn() const { return *memory; }
  const void *data() const { return bytes; }
  /// Returns the bytes for writing; turns a borrowed block into an owned copy first.
  void *mutableData() {
    if (keeper) [[unlikely]]
      detachFromKeeper();
    return bytes;
  }
  size_t size() const { return count; }
  /// Grows or shrinks the storage, keeping the common prefix. The bytes may move.
  Status resize(size_t bytes);
  std::atomic<uint32_t> version{0}; ///< Counts in-place writes; threads may write different parts.
  static void *operator new(size_t size);
  static void operator delete(void *p);

private:
  explicit Storage(const DeviceMemory &memory) : memory(&memory) {}
  void detachFromKeeper();
  void *bytes = nullptr;
  size_t count = 0;
  size_t capacity = 0; ///< The size of the block that the allocator gave; 0 for memory that is not its.
  const DeviceMemory *memory;
  Ref<RefCounted> keeper;
};

/// The object behind a Tensor. Use Tensor; this is public for the allocator of small objects and for IValue.
class TensorImpl final : public RefCounted {
public:
  Ref<Storage> storage;
  int64_t offset = 0;  ///< Where the first element stands in the storage, in elements.
  int64_t count = 0;   ///< Number of elements.
  Dims sizes, strides; ///< Strides in elements.
  DType dtype = DType::Float;
  bool requiresGrad = false;
  /// Whether a file gave the tensor as one that requires a gradient, or the tensor is a view of such a one. Nothing
  /// computed it, so that it is a leaf, also for a call that has no tape.
  enum class LeafOfFile : uint8_t { None, Whole, View };
  LeafOfFile leafOfFile = LeafOfFile::None;
  /// Sets both marks of a tensor that was read from a file.
  void setLeafOfFile(bool isNeeded) {
    requiresGrad = isNeeded;
    leafOfFile = isNeeded ? LeafOfFile::Whole : LeafOfFile::None;
  }
  bool contiguous = true; ///< Row-major without gaps; kept up to date by whoever changes sizes or strides.
  bool conjugate = false; ///< Lazy conjugation of a complex view (torch.conj); kernels resolve it on reading.
  bool negative = false;  ///< Lazy negation bit (imag of a conjugate).
  /// What else this view has: a Quantizer, the parts of a sparse tensor, long-lived elements; null for most.
  Ref<RefCounted> companion;
  Ref<RefCounted> history; ///< What a tape knows of the tensor (TensorHistory); null for most.
  /// Returns the device of the storage; the processor for a tensor without one.
  Device device() const { return storage ? storage->device() : Device(); }
  static void *operator new(size_t size);
  static void operator delete(void *p);
};

/// A counted pointer to a TensorImpl; copies share it. An undefined tensor has none, and may only be asked whether it
/// is defined.
class Tensor {
public:
  Tensor() = default; ///< Makes an undefined tensor: TorchScript's None where a Tensor? is expected.
  explicit Tensor(Ref<TensorImpl> impl) : impl(std::move(impl)) {}

  /// Returns an uninitialised row-major tensor. Refuses the sizes that elementCount() refuses.
  static StatusOr<Tensor> empty(ArrayRef<int64_t> sizes, DType dtype = DType::Float,
                                const DeviceMemory &memory = DeviceMemory::cpu());
  /// Returns an uninitialised tensor with these strides, of which none is negative (InvalidArgument).
  static StatusOr<Tensor> emptyStrided(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype,
                                       const DeviceMemory &memory = DeviceMemory::cpu());
  /// Returns a view on a storage, which is not null; offset and strides count elements. InvalidArgument when it reaches
  /// outside the storage, or has a negative stride.
  static StatusOr<Tensor> view(Ref<Storage> storage, int64_t offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                               DType dtype);
  /// Returns a row-major tensor whose elements are all `value`.
  static StatusOr<Tensor> full(ArrayRef<int64_t> sizes, Scalar value, DType dtype);
  static StatusOr<Tensor> scalar(Scalar value, DType dtype); ///< Has no dimensions.
  /// Returns a row-major copy of `values`; InvalidArgument where `sizes` have another number of elements.
  template <typename T> static StatusOr<Tensor> fromSpan(ArrayRef<T> values, ArrayRef<int64_t> sizes);

  bool defined() const { return static_cast<bool>(impl); }
  explicit operator bool() const { return defined(); }
  int64_t dim() const {
    assert(impl && "an undefined tensor has no dimensions");
    return static_cast<int64_t>(impl->sizes.size());
  }
  ArrayRef<int64_t> sizes() const {
    assert(impl && "an undefined tensor has no sizes");
    return impl->sizes;
  }
  ArrayRef<int64_t> strides() const {
    assert(impl && "an undefined tensor has no strides");
    return impl->strides;
  }
  /// Return the size, or the stride, of a dimension: 0 <= d < dim().
  int64_t size(int64_t d) const {
    assert(d >= 0 && d < dim() && "a dimension of the tensor");
    return impl->sizes[d];
  }
  int64_t stride(int64_t d) const {
    assert(d >= 0 && d < dim() && "a dimension of the tensor");
    return impl->strides[d];
  }
  int64_t numel() const {
    assert(impl && "an undefined tensor has no elements");
    return impl->count;
  }
  DType dtype() const {
    assert(impl && "an undefined tensor has no dtype");
    return impl->dtype;
  }
  Device device() const {
    assert(impl && "an undefined tensor has no device");
    return impl->device();
  }
  int64_t storageOffset() const {
    assert(impl && "an undefined tensor has no offset");
    return impl->offset;
  }
  bool requiresGrad() const {
    assert(impl && "an undefined tensor requires no gradient");
    return impl->requiresGrad;
  }
  /// Whether the elements stand row-major without gaps.
  bool isContiguous() const {
    assert(impl && "an undefined tensor has no elements");
    return impl->contiguous;
  }
  /// Whether the elements stand in memory in the order of the format; Preserve means row-major.
  bool isContiguous(MemoryFormat format) const;
  bool isSameAs(const Tensor &other) const { return impl == other.impl; }
  bool sharesStorageWith(const Tensor &other) const {
    assert(impl && other.impl && "an undefined tensor has no storage");
    return impl->storage == other.impl->storage;
  }

  /// Returns a pointer to the first element; the tensor must have a storage. What `data` gives must not be written to.
  const void *data() const {
    assert(impl && impl->storage && "elements stand in a storage");
    return static_cast<const char *>(impl->storage->data()) + impl->offset * itemSize(impl->dtype);
  }
  void *mutableData() const {
    assert(impl && impl->storage && "elements stand in a storage");
    return static_cast<char *>(impl->storage->mutableData()) + impl->offset * itemSize(impl->dtype);
  }
  template <typename T> const T *data() const { return static_cast<const T *>(data()); }
  template <typename T> T *mutableData() const { return static_cast<T *>(mutableData()); }
  /// Counts a write to the storage, which there must be: every in-place kernel calls it.
  void bumpVersion() const {
    assert(impl && impl->storage && "what is written stands in a storage");
    impl->storage->version.fetch_add(1, std::memory_order_relaxed);
  }

  /// Returns the element of a one-element tensor; InvalidArgument for others.
  StatusOr<Scalar> item() const;
  /// Returns the element at a linear row-major index: 0 <= index < numel(). The tensor must have a storage. Slow; for
  /// printing, tests and small work.
  Scalar at(int64_t index) const;
  /// Sets the element at a linear row-major index, as at() reads it, to a number that is converted to the dtype.
  void set(int64_t index, Scalar value) const;

  /// Returns a view of the same storage with other geometry; offset and strides count elements. Bounds are not checked:
  /// callers derive them from this tensor. There are as many strides as sizes; none of the numbers is negative, but
  /// that strides and offset of a view without elements may be any.
  Tensor alias(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset) const;

  TensorImpl *get() const { return impl.get(); }
  /// Gives up the pointer together with its reference, which the caller has to release.
  TensorImpl *take() { return impl.take(); }
  const Ref<TensorImpl> &ref() const { return impl; }

private:
  Ref<TensorImpl> impl;
};

/// Returns row-major strides.
Dims contiguousStrides(ArrayRef<int64_t> sizes);
/// Whether strides, one for each size, are row-major without gaps; for a tensor without elements any are.
bool isContiguous(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Returns the number of elements. ResourceExhausted on overflow; InvalidArgument for a negative size, for more than
/// mostDims dimensions, and for very large sizes beside one of 0.
StatusOr<int64_t> elementCount(ArrayRef<int64_t> sizes);
/// Returns the shape that two shapes broadcast to by PyTorch's rules, or PyTorch's error.
StatusOr<Dims> broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b);
/// Returns a dimension counted from the front: -rank..rank-1 -> 0..rank-1 (rank 0 counts as 1), or OutOfRange:
/// "Dimension out of range (expected to be in range of …".
StatusOr<int64_t> wrapDim(int64_t dim, int64_t rank);
/// Returns sizes as text: "[2, 3]".
std::string shapeString(ArrayRef<int64_t> sizes);
/// Returns the number of elements that a storage needs to hold such a view, those before it included; 0 for a view
/// without elements, nullopt on overflow. There are as many strides as sizes.
std::optional<int64_t> requiredElements(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset);
/// Returns a tensor as Python's print(t) shows it: "tensor([…])".
std::string toPythonString(const Tensor &tensor);
/// Returns a tensor as TorchScript's print shows it, which is LibTorch's form: " 1  2\n[ CPUFloatType{2} ]".
std::string toCppString(const Tensor &tensor);

} // namespace tsc

#endif
