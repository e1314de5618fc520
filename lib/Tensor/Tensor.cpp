//===- Tensor.cpp - Strided tensors ---------------------------------------===//
#include "tsc/Tensor/Tensor.h"
#include "tsc/Tensor/Allocator.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/FillRow.h"
#include "tsc/Tensor/PinnedStorage.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/Rank.h"
#include "tsc/Tensor/WrappingProduct.h"
#include <cstring>

using namespace tsc;

//===- Storage ------------------------------------------------------------===//

static Status noMemory(size_t bytes, const DeviceMemory &memory) {
  if (memory.device().kind == DeviceKind::CPU)
    return resourceExhausted("DefaultCPUAllocator: can't allocate memory: you tried to allocate " + llvm::Twine(bytes) +
                             " bytes. Error code 12 (Cannot allocate memory)");
  return resourceExhausted(llvm::Twine(memory.device().str()) + " has no memory for " + llvm::Twine(bytes) + " bytes");
}

StatusOr<Ref<Storage>> Storage::allocate(size_t bytes, const DeviceMemory &memory) {
  memory::Block block = memory.allocate(bytes);
  if (!block.data) [[unlikely]]
    return noMemory(bytes, memory);
  Ref<Storage> storage = Ref<Storage>::adopt(new Storage(memory));
  storage->bytes = block.data;
  storage->count = bytes;
  storage->capacity = block.capacity;
  return storage;
}

Ref<Storage> Storage::borrow(const void *data, size_t bytes, Ref<RefCounted> keeper) {
  assert(keeper && "without a keeper, a write would go to the borrowed bytes");
  Ref<Storage> storage = Ref<Storage>::adopt(new Storage(DeviceMemory::cpu()));
  storage->bytes = const_cast<void *>(data); // Written to only after detachFromKeeper.
  storage->count = bytes;
  storage->keeper = std::move(keeper);
  return storage;
}

Storage::~Storage() {
  if (capacity)
    memory->deallocate(bytes, capacity);
}

StatusOr<Ref<Storage>> Storage::clone() const {
  TSC_ASSIGN_OR_RETURN(Ref<Storage> result, allocate(count, *memory));
  if (count != 0)
    memory->copy(result->bytes, bytes, count);
  return result;
}

void Storage::detachFromKeeper() {
  assert(device().kind == DeviceKind::CPU && "borrowed bytes are the processor's");
  memory::Block block = memory->allocate(count);
  if (!block.data) {
    // The writer cannot be told here; the C++ runtime's answer to exhausted memory is the only one left.
    block.data = ::operator new(count, std::align_val_t(64));
    block.capacity = 0;
  }
  std::memcpy(block.data, bytes, count); // of the processor
  bytes = block.data;
  capacity = block.capacity;
  keeper = nullptr;
}

Status Storage::resize(size_t newSize) {
  if (!keeper && newSize <= capacity) {
    count = newSize;
    return okStatus();
  }
  if (PinnedStorage::isPinned(*this))
    return failedPrecondition("Trying to resize storage that is not resizable: an array or tensor of another library "
                              "has its memory");
  memory::Block block = memory->allocate(newSize);
  if (!block.data)
    return noMemory(newSize, *memory);
  memory->copy(block.data, bytes, std::min(count, newSize));
  if (capacity)
    memory->deallocate(bytes, capacity);
  bytes = block.data;
  count = newSize;
  capacity = block.capacity;
  keeper = nullptr;
  return okStatus();
}

void *Storage::operator new(size_t size) { return memory::allocateObject(size); }
void Storage::operator delete(void *p) { memory::deallocateObject(p, sizeof(Storage)); }
void *TensorImpl::operator new(size_t size) { return memory::allocateObject(size); }
void TensorImpl::operator delete(void *p) { memory::deallocateObject(p, sizeof(TensorImpl)); }

//===- Geometry -----------------------------------------------------------===//

/// Of the next outer dimension of a row-major tensor.
static int64_t strideAround(int64_t stride, int64_t size) { return wrappingProduct(stride, size > 1 ? size : 1); }

Dims tsc::contiguousStrides(ArrayRef<int64_t> sizes) {
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- != 0; stride = strideAround(stride, sizes[d]))
    strides[d] = stride;
  return strides;
}

bool tsc::isContiguous(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  assert(sizes.size() == strides.size() && "one stride for each size");
  int64_t expected = 1;
  bool matches = true;
  for (size_t d = sizes.size(); d-- != 0;) {
    if (sizes[d] == 0)
      return true;
    if (sizes[d] == 1)
      continue;
    matches &= strides[d] == expected;
    expected = wrappingProduct(expected, sizes[d]);
  }
  return matches;
}

std::string tsc::shapeString(ArrayRef<int64_t> sizes) {
  std::string text = "[";
  for (size_t i = 0; i != sizes.size(); ++i) {
    if (i)
      text += ", ";
    text += std::to_string(sizes[i]);
  }
  return text + "]";
}

Status tsc::tooManyDims() {
  return invalidArgument("only tensors with up to " + llvm::Twine(mostDims) + " dims are supported");
}

StatusOr<int64_t> tsc::elementCount(ArrayRef<int64_t> sizes) {
  if (sizes.size() > mostDims)
    return tooManyDims();
  int64_t count = 1;
  bool overflow = false, empty = false;
  for (int64_t size : sizes) {
    if (size < 0)
      return invalidArgument("Trying to create tensor with negative dimension " + llvm::Twine(size) + ": " +
                             shapeString(sizes));
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(count, std::max<int64_t>(size, 1), &count);
  }
  if (overflow || count > (int64_t{1} << 58))
    return resourceExhausted("Storage size calculation overflowed with sizes=" + shapeString(sizes));
  // What goes over the rows of a tensor takes time for them also where they have no elements.
  constexpr int64_t mostBesideNone = int64_t{1} << 28;
  if (empty && count > mostBesideNone)
    return invalidArgument("a tensor without elements has other sizes whose product is at most " +
                           llvm::Twine(mostBesideNone) + ", but got sizes=" + shapeString(sizes));
  return empty ? 0 : count;
}

StatusOr<Dims> tsc::broadcastShapes(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  size_t rank = std::max(a.size(), b.size());
  Dims result(rank);
  for (size_t i = 0; i != rank; ++i) {
    int64_t x = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
    int64_t y = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
    if (x != y && x != 1 && y != 1)
      return invalidArgument("The size of tensor a (" + llvm::Twine(x) + ") must match the size of tensor b (" +
                             llvm::Twine(y) + ") at non-singleton dimension " + llvm::Twine(i));
    result[i] = x == 1 ? y : x;
  }
  return result;
}

StatusOr<int64_t> tsc::wrapDim(int64_t dim, int64_t rank) {
  int64_t range = rank == 0 ? 1 : rank;
  if (dim < -range || dim >= range)
    return outOfRange("Dimension out of range (expected to be in range of [" + llvm::Twine(-range) + ", " +
                      llvm::Twine(range - 1) + "], but got " + llvm::Twine(dim) + ")");
  return dim < 0 ? dim + range : dim;
}

std::optional<int64_t> tsc::requiredElements(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset) {
  assert(sizes.size() == strides.size() && "one stride for each size");
  for (int64_t size : sizes)
    if (size == 0)
      return 0;
  int64_t last = offset;
  for (size_t d = 0; d != sizes.size(); ++d) {
    int64_t span;
    if (__builtin_mul_overflow(sizes[d] - 1, strides[d], &span) || __builtin_add_overflow(last, span, &last))
      return std::nullopt;
  }
  if (last > (int64_t{1} << 58))
    return std::nullopt;
  return last + 1;
}

//===- Making tensors -----------------------------------------------------===//

StatusOr<Tensor> Tensor::empty(ArrayRef<int64_t> sizes, DType dtype, const DeviceMemory &memory) {
  int64_t count = 1;
  bool plain = sizes.size() <= mostDims; // and no negative or very large size, nor 0
  for (int64_t size : sizes) {
    plain &= size > 0 && size < (int64_t{1} << 31) && count < (int64_t{1} << 31);
    if (plain)
      count *= size;
  }
  if (!plain || count > (int64_t{1} << 58)) {
    TSC_ASSIGN_OR_RETURN(count, elementCount(sizes));
  }
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(static_cast<size_t>(count) * itemSize(dtype), memory));
  TensorImpl *impl = new TensorImpl;
  Tensor result(Ref<TensorImpl>::adopt(impl));
  impl->storage = std::move(storage);
  impl->count = count;
  impl->sizes.resize_for_overwrite(sizes.size());
  impl->strides.resize_for_overwrite(sizes.size());
  int64_t stride = 1;
  for (size_t d = sizes.size(); d-- != 0; stride = strideAround(stride, sizes[d])) {
    impl->sizes[d] = sizes[d]; // one by one: no call of memcpy for a few numbers
    impl->strides[d] = stride;
  }
  impl->dtype = dtype;
  return result;
}

static Status checkGeometry(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (sizes.size() != strides.size())
    return invalidArgument("mismatch in length of strides and shape");
  for (int64_t stride : strides)
    if (stride < 0)
      return invalidArgument("as_strided: Negative strides are not supported at the moment, got strides: " +
                             shapeString(strides));
  return okStatus();
}

StatusOr<Tensor> Tensor::emptyStrided(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype,
                                      const DeviceMemory &memory) {
  TSC_RETURN_IF_ERROR(checkGeometry(sizes, strides));
  TSC_RETURN_IF_ERROR(elementCount(sizes).status());
  std::optional<int64_t> needed = requiredElements(sizes, strides, 0);
  if (!needed)
    return resourceExhausted("Storage size calculation overflowed with sizes=" + shapeString(sizes) +
                             " and strides=" + shapeString(strides));
  TSC_ASSIGN_OR_RETURN(Ref<Storage> storage, Storage::allocate(static_cast<size_t>(*needed) * itemSize(dtype), memory));
  return view(std::move(storage), 0, sizes, strides, dtype);
}

StatusOr<Tensor> Tensor::view(Ref<Storage> storage, int64_t offset, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                              DType dtype) {
  TSC_RETURN_IF_ERROR(checkGeometry(sizes, strides));
  if (offset < 0)
    return invalidArgument("Tensor: invalid storage offset " + llvm::Twine(offset));
  assert(storage && "a view is one of a storage");
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(sizes));
  std::optional<int64_t> needed = requiredElements(sizes, strides, offset);
  size_t item = itemSize(dtype);
  if (!needed || static_cast<size_t>(*needed) > storage->size() / item)
    return invalidArgument(
        "setStorage: sizes " + shapeString(sizes) + ", strides " + shapeString(strides) + ", storage offset " +
        llvm::Twine(offset) + ", and itemsize " + llvm::Twine(item) + " requiring a storage size of " +
        (needed ? llvm::Twine(static_cast<uint64_t>(*needed) * item) : llvm::Twine("more than 2^58")) +
        " are out of bounds for storage of size " + llvm::Twine(storage->size()));
  if (count == 0 && offset > (int64_t{1} << 58))
    return invalidArgument("Tensor: invalid storage offset " + llvm::Twine(offset));
  TensorImpl *impl = new TensorImpl;
  Tensor result(Ref<TensorImpl>::adopt(impl));
  impl->storage = std::move(storage);
  impl->offset = offset;
  impl->count = count;
  impl->sizes.assign(sizes.begin(), sizes.end());
  impl->strides.assign(strides.begin(), strides.end());
  impl->dtype = dtype;
  impl->contiguous = tsc::isContiguous(sizes, strides);
  return result;
}

/// Gives a view of `from` its companion, where that fits the view's sizes. A sparse or nested tensor has one byte, in
/// which all elements of a view stay, whatever its strides would be.
static void adoptCompanion(TensorImpl &view, const TensorImpl &from) {
  if (from.dtype == DType::Opaque) {
    if (from.storage->size() <= 1) {
      view.strides.assign(view.sizes.size(), 0);
      view.offset = 0;
      view.contiguous = tsc::isContiguous(view.sizes, view.strides);
    }
    if (view.sizes == from.sizes)
      view.companion = from.companion;
    return;
  }
  const auto *quantizer = dynamic_cast<const Quantizer *>(from.companion.get());
  const auto axis = static_cast<size_t>(quantizer ? quantizer->axis : 0);
  if (!quantizer || !quantizer->isPerChannel() || (axis < view.sizes.size() && view.sizes[axis] == from.sizes[axis]))
    view.companion = from.companion;
}

Tensor Tensor::alias(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset) const {
  assert(impl && "an undefined tensor has no views");
  assert(sizes.size() == strides.size() && "one stride for each size");
  TensorImpl *result = new TensorImpl;
  result->storage = impl->storage;
  result->offset = offset;
  int64_t count = 1;
  for (int64_t size : sizes)
    count = wrappingProduct(count, size);
  assert((count == 0 || offset >= 0) && "elements stand in the storage, not before it");
  result->count = count;
  result->sizes.assign(sizes.begin(), sizes.end());
  result->strides.assign(strides.begin(), strides.end());
  result->dtype = impl->dtype;
  result->requiresGrad = impl->requiresGrad;
  if (impl->leafOfFile != TensorImpl::LeafOfFile::None)
    result->leafOfFile = TensorImpl::LeafOfFile::View;
  result->conjugate = impl->conjugate;
  result->negative = impl->negative;
  result->contiguous = tsc::isContiguous(sizes, strides);
  if (isQuantized(impl->dtype) || impl->dtype == DType::Opaque) [[unlikely]]
    adoptCompanion(*result, *impl);
  return Tensor(Ref<TensorImpl>::adopt(result));
}

template <typename T> static void fillElements(void *data, const Scalar &value, int64_t count) {
  using Bits = std::conditional_t<
      sizeof(T) == 1, uint8_t,
      std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
  const T element = scalarTo<T>(value);
  if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    Bits bits;
    std::memcpy(&bits, &element, sizeof(T));
    fillRow(static_cast<Bits *>(data), bits, count);
  } else {
    fillRow(static_cast<std::complex<double> *>(data), element, count);
  }
}

StatusOr<Tensor> Tensor::full(ArrayRef<int64_t> sizes, Scalar value, DType dtype) {
  TSC_ASSIGN_OR_RETURN(Tensor result, empty(sizes, dtype));
  TSC_RETURN_IF_ERROR(dispatchAll(
      dtype, [&](auto tag) { fillElements<typename decltype(tag)::Type>(result.mutableData(), value, result.numel()); },
      "fill_cpu"));
  return result;
}

StatusOr<Tensor> Tensor::scalar(Scalar value, DType dtype) { return full({}, value, dtype); }

template <typename T> StatusOr<Tensor> Tensor::fromSpan(ArrayRef<T> values, ArrayRef<int64_t> sizes) {
  TSC_ASSIGN_OR_RETURN(Tensor result, empty(sizes, dtypeOf<T>()));
  if (static_cast<size_t>(result.numel()) != values.size())
    return invalidArgument("shape '" + shapeString(sizes) + "' is invalid for input of size " +
                           llvm::Twine(values.size()));
  std::copy(values.begin(), values.end(), result.mutableData<T>());
  return result;
}

template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<bool>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<uint8_t>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<int8_t>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<int16_t>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<int32_t>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<int64_t>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<float>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<double>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<std::complex<float>>, ArrayRef<int64_t>);
template StatusOr<Tensor> Tensor::fromSpan(ArrayRef<std::complex<double>>, ArrayRef<int64_t>);

//===- Reading ------------------------------------------------------------===//

/// Whether the strides are those of row-major order with the channels (dimension 1) innermost.
static bool isChannelsLast(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, size_t rank) {
  if (sizes.size() != rank)
    return false;
  int64_t expected = 1;
  auto matches = [&](size_t d) {
    bool ok = sizes[d] == 1 || strides[d] == expected;
    expected = wrappingProduct(expected, sizes[d]);
    return ok;
  };
  if (!matches(1))
    return false;
  for (size_t d = rank - 1; d != 1; --d)
    if (!matches(d))
      return false;
  return matches(0);
}

bool Tensor::isContiguous(MemoryFormat format) const {
  switch (format) {
  case MemoryFormat::ChannelsLast: return isChannelsLast(impl->sizes, impl->strides, 4);
  case MemoryFormat::ChannelsLast3d: return isChannelsLast(impl->sizes, impl->strides, 5);
  default: return impl->contiguous;
  }
}

/// Returns the element offset of a row-major index, 0 <= index < numel().
static int64_t offsetOf(const Tensor &t, int64_t index) {
  assert(index >= 0 && index < t.numel() && "an element of the tensor");
  if (t.isContiguous())
    return index;
  int64_t offset = 0;
  for (int64_t d = t.dim(); d-- != 0;) {
    offset += index % t.size(d) * t.stride(d);
    index /= t.size(d);
  }
  return offset;
}

/// The real number that an element of a quantized tensor stands for.
static Scalar realAt(const Tensor &tensor, int64_t index) {
  const Quantizer *quantizer = quantizerOf(tensor);
  const char *bytes = static_cast<const char *>(tensor.data()) +
                      offsetOf(tensor, index) * static_cast<int64_t>(itemSize(tensor.dtype()));
  const int64_t integer = tensor.dtype() == DType::QInt8    ? *reinterpret_cast<const int8_t *>(bytes)
                          : tensor.dtype() == DType::QUInt8 ? *reinterpret_cast<const uint8_t *>(bytes)
                                                            : *reinterpret_cast<const int32_t *>(bytes);
  if (!quantizer)
    return Scalar(integer);
  double scale = quantizer->scale;
  double zeroPoint = static_cast<double>(quantizer->zeroPoint);
  if (quantizer->isPerChannel() && quantizer->axis < tensor.dim()) {
    int64_t inner = 1;
    for (int64_t dim = quantizer->axis + 1; dim < tensor.dim(); ++dim)
      inner *= tensor.size(dim);
    const int64_t channel = index / inner % tensor.size(quantizer->axis);
    if (channel >= quantizer->scales.numel())
      return Scalar(integer);
    scale = quantizer->scaleOf(channel);
    zeroPoint = quantizer->zeroPointOf(channel);
  }
  return Scalar(
      static_cast<double>(static_cast<float>(scale) * static_cast<float>(static_cast<double>(integer) - zeroPoint)));
}

/// One element in the processor's memory.
static StatusOr<Tensor> elementOnHost(const Tensor &t, int64_t index) {
  return copyTensor(t.alias({}, {}, t.storageOffset() + offsetOf(t, index)), DeviceMemory::cpu());
}

Scalar Tensor::at(int64_t index) const {
  assert(impl && impl->storage && "elements stand in a storage");
  if (!isOnHost(*impl->storage)) [[unlikely]] {
    StatusOr<Tensor> element = elementOnHost(*this, index);
    return element.ok() ? element->at(0) : Scalar();
  }
  if (isQuantized(dtype())) [[unlikely]]
    return realAt(*this, index);
  Scalar result;
  (void)dispatchAll(dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    T value = data<T>()[offsetOf(*this, index)];
    if constexpr (isComplexType<T>)
      if (impl->conjugate)
        value = std::conj(value);
    if constexpr (isComplexType<T> || isFloatingType<T>)
      if (impl->negative)
        value = T(-value);
    result = toScalar(value);
  }).ok();
  return result;
}

void Tensor::set(int64_t index, Scalar value) const {
  assert(impl && impl->storage && "elements stand in a storage");
  if (!isOnHost(*impl->storage)) [[unlikely]] {
    StatusOr<Tensor> element = elementOnHost(*this, index);
    if (!element.ok())
      return;
    element->set(0, value);
    char *to = static_cast<char *>(mutableData()) + offsetOf(*this, index) * static_cast<int64_t>(itemSize(dtype()));
    (void)copyBytes(to, memoryOf(*impl->storage), element->data(), DeviceMemory::cpu(), itemSize(dtype()));
    return;
  }
  (void)dispatchAll(dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    mutableData<T>()[offsetOf(*this, index)] = scalarTo<T>(value);
  }).ok();
}

StatusOr<Scalar> Tensor::item() const {
  if (dtype() == DType::Opaque)
    return invalidArgument("a sparse or nested tensor cannot be converted to Scalar");
  if (numel() != 1)
    return invalidArgument("a Tensor with " + llvm::Twine(numel()) + " elements cannot be converted to Scalar");
  if (!isOnHost(*impl->storage)) [[unlikely]] {
    TSC_ASSIGN_OR_RETURN(Tensor element, elementOnHost(*this, 0));
    return element.at(0);
  }
  return at(0);
}
