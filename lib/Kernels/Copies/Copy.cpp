//===- Copy.cpp - Copies, memory formats ----------------------------------===//
//
// Every copy that changes strides, dtype or both ends here. Transpositions go in
// tiles, dense memory at once; which overlaps PyTorch refuses is decided here,
// too.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Copy.h"
#include "Moves.h"
#include "PlaneLoop.h"
#include "Views/Resizable.h"
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/WrappingProduct.h"
#include <cstring>

using namespace tsc;
using namespace tsc::cpu;

//===- Memory formats -----------------------------------------------------===//

/// Dimensions from innermost to outermost, as PyTorch orders them: by stride, equal strides by size, and a dimension
/// of stride 0 stays where it stands.
static llvm::SmallVector<int64_t, 6> innerToOuter(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  int64_t rank = sizes.size();
  llvm::SmallVector<int64_t, 6> order(rank);
  for (int64_t i = 0; i != rank; ++i)
    order[i] = rank - 1 - i;
  auto compare = [&](int64_t a, int64_t b) {
    if (strides[a] == 0 || strides[b] == 0)
      return 0;
    if (strides[a] != strides[b])
      return strides[a] < strides[b] ? -1 : 1;
    return sizes[a] > sizes[b] ? 1 : 0;
  };
  for (int64_t i = 1; i < rank; ++i) {
    int64_t at = i;
    for (int64_t j = i - 1; j >= 0; --j) {
      int c = compare(order[j], order[at]);
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      } else if (c < 0) {
        break;
      }
    }
  }
  return order;
}

Dims cpu::denseStridesLike(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  assert(sizes.size() == strides.size() && "one stride for each size");
  Dims result(sizes.size());
  int64_t next = 1;
  for (int64_t d : innerToOuter(sizes, strides)) {
    result[d] = next;
    next = wrappingProduct(next, sizes[d] > 1 ? sizes[d] : 1);
  }
  return result;
}

bool cpu::isNonOverlappingAndDense(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  if (isContiguous(sizes, strides))
    return true;
  llvm::SmallVector<std::pair<int64_t, int64_t>, 6> dims; // stride, size
  for (size_t d = 0; d != sizes.size(); ++d)
    if (sizes[d] != 1)
      dims.push_back({strides[d], sizes[d]});
  llvm::sort(dims);
  int64_t expected = 1;
  for (auto [stride, size] : dims) {
    if (stride != expected)
      return false;
    expected *= size;
  }
  return true;
}

StatusOr<Dims> cpu::stridesFor(ArrayRef<int64_t> sizes, MemoryFormat format) {
  if (format != MemoryFormat::ChannelsLast && format != MemoryFormat::ChannelsLast3d)
    return contiguousStrides(sizes);
  size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
  if (sizes.size() != rank)
    return invalidArgument("required rank " + llvm::Twine(rank) + " tensor to use channels_last" +
                           (rank == 5 ? "_3d" : "") + " format");
  Dims strides(rank);
  strides[1] = 1;
  int64_t next = std::max<int64_t>(sizes[1], 1);
  for (size_t d = rank - 1; d != 1; --d) {
    strides[d] = next;
    next *= std::max<int64_t>(sizes[d], 1);
  }
  strides[0] = next;
  return strides;
}

StatusOr<Dims> cpu::stridesLike(const Tensor &self, std::optional<MemoryFormat> format) {
  MemoryFormat wanted = format.value_or(MemoryFormat::Preserve);
  if (wanted != MemoryFormat::Preserve)
    return stridesFor(self.sizes(), wanted);
  bool isDense = self.isContiguous() || isNonOverlappingAndDense(self.sizes(), self.strides());
  return isDense ? self.get()->strides : denseStridesLike(self.sizes(), self.strides());
}

/// Of sparse and nested tensors, whose storage has no elements: what copies them is in Sparse.cpp.
static Status checkHasElements(const Tensor &self) {
  if (self.dtype() != DType::Opaque) [[likely]]
    return okStatus();
  return invalidArgument("a sparse or nested tensor is no operand here: to_dense() or to_padded_tensor() gives a "
                         "strided one");
}

StatusOr<Tensor> cpu::emptyLikeWith(const Tensor &self, DType dtype, std::optional<MemoryFormat> format) {
  TSC_RETURN_IF_ERROR(checkHasElements(self));
  TSC_ASSIGN_OR_RETURN(Dims strides, stridesLike(self, format));
  const Storage *storage = self.get()->storage.get();
  const DeviceMemory &memory = storage ? memoryOf(*storage) : DeviceMemory::cpu();
  if (strides == contiguousStrides(self.sizes()))
    return Tensor::empty(self.sizes(), dtype, memory); // also where sizes beside one of 0 overflow
  return Tensor::emptyStrided(self.sizes(), strides, dtype, memory);
}

//===- Overlap ------------------------------------------------------------===//

/// First byte and one past the last byte of a non-empty tensor.
static std::pair<const char *, const char *> byteRange(const Tensor &t) {
  assert(t.numel() != 0 && "a tensor without elements has no bytes");
  const char *first = static_cast<const char *>(t.data());
  int64_t last = 0;
  for (int64_t d = 0; d != t.dim(); ++d)
    last += (t.size(d) - 1) * t.stride(d);
  return {first, first + (last + 1) * itemSize(t.dtype())};
}

bool cpu::mayOverlap(const Tensor &a, const Tensor &b) {
  if (!a.sharesStorageWith(b) || a.numel() == 0 || b.numel() == 0)
    return false;
  auto [firstA, endA] = byteRange(a);
  auto [firstB, endB] = byteRange(b);
  return firstA < endB && firstB < endA;
}

bool cpu::hasInternalOverlap(const Tensor &t) {
  if (t.isContiguous())
    return false;
  for (int64_t d = 0; d != t.dim(); ++d)
    if (t.stride(d) == 0 && t.size(d) > 1)
      return true;
  return false;
}

Status cpu::checkWritable(const Tensor &t) {
  if (hasInternalOverlap(t))
    return invalidArgument(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation.");
  return okStatus();
}

namespace {
enum class Sharing { None, Partial, Full };
}

/// How the elements of two tensors share memory, as far as PyTorch looks: it compares dense tensors by their first and
/// last bytes, and takes the others for apart.
static Sharing sharingOf(const Tensor &a, const Tensor &b) {
  if (a.isSameAs(b))
    return Sharing::Full;
  auto isDense = [](const Tensor &t) { return t.isContiguous() || isNonOverlappingAndDense(t.sizes(), t.strides()); };
  if (!a.sharesStorageWith(b) || a.numel() == 0 || b.numel() == 0 || !isDense(a) || !isDense(b) ||
      !cpu::mayOverlap(a, b))
    return Sharing::None;
  return byteRange(a) == byteRange(b) && a.strides() == b.strides() ? Sharing::Full : Sharing::Partial;
}

static Status sharedElements() {
  return invalidArgument("unsupported operation: some elements of the input tensor and the written-to tensor refer to "
                         "a single memory location. "
                         "Please clone() the tensor before performing the operation.");
}

Status cpu::checkNoPartialOverlap(const Tensor &written, const Tensor &read) {
  return sharingOf(written, read) == Sharing::Partial ? sharedElements() : okStatus();
}

Status cpu::checkNoOverlap(const Tensor &written, const Tensor &read) {
  return sharingOf(written, read) == Sharing::None ? okStatus() : sharedElements();
}

//===- Copying ------------------------------------------------------------===//

/// What lazy bits still ask for, on elements that have been written.
static void applyLazyBits(char *row, int64_t stride, int64_t count, DType dtype, bool conjugate, bool negative) {
  if (dtype == DType::ComplexHalf) { // a word that has the imaginary part in its high half
    const uint32_t signs = (negative ? uint32_t{1} << 15 : 0) | (conjugate != negative ? uint32_t{1} << 31 : 0);
    for (int64_t i = 0; i != count; ++i)
      *reinterpret_cast<uint32_t *>(row + i * stride) ^= signs;
    return;
  }
  (void)dispatchAll(dtype, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    for (int64_t i = 0; i != count; ++i) {
      T &x = *reinterpret_cast<T *>(row + i * stride);
      if constexpr (isComplexType<T>)
        if (conjugate)
          x = std::conj(x);
      if constexpr (isComplexType<T> || isFloatingType<T>)
        if (negative)
          x = T(-x);
    }
  }).ok();
}
/// to = from with other signs: the bits of `even` and of `odd` in words in turn.
LLVM_ATTRIBUTE_ALWAYS_INLINE static void copyWithSigns(uint64_t *__restrict to, const uint64_t *__restrict from,
                                                       uint64_t even, uint64_t odd, int64_t pairs) {
  using Words [[gnu::vector_size(64)]] = uint64_t;
  const Words signs = {even, odd, even, odd, even, odd, even, odd};
  int64_t i = 0;
  for (; i + 4 <= pairs; i += 4) {
    Words words;
    std::memcpy(&words, from + 2 * i, sizeof(words));
    words ^= signs;
    std::memcpy(to + 2 * i, &words, sizeof(words));
  }
  for (; i < pairs; ++i) {
    to[2 * i] = from[2 * i] ^ even;
    to[2 * i + 1] = from[2 * i + 1] ^ odd;
  }
}
/// A dense row of complex numbers in one pass; false: of another dtype. The imaginary part comes second, and so has the
/// high bits of a word that holds both.
static bool copyComplexRow(char *to, const char *from, int64_t count, DType dtype, bool conjugate, bool negative) {
  constexpr uint64_t high = uint64_t{1} << 63, low = uint64_t{1} << 31;
  auto *words = reinterpret_cast<uint64_t *>(to);
  const auto *source = reinterpret_cast<const uint64_t *>(from);
  if (dtype == DType::ComplexDouble) {
    atSimdLevel<copyWithSigns, Overlap::None>(words, source, negative ? high : 0, conjugate != negative ? high : 0,
                                              count);
    return true;
  }
  if (dtype != DType::ComplexFloat)
    return false;
  const uint64_t signs = (negative ? low : 0) | (conjugate != negative ? high : 0);
  atSimdLevel<copyWithSigns, Overlap::None>(words, source, signs, signs, count / 2);
  if (count % 2)
    words[count - 1] = source[count - 1] ^ signs;
  return true;
}

/// Offsets of one index of several dimensions, in what is written and in what is read.
static std::pair<int64_t, int64_t> placeOf(ArrayRef<PlaneDim> dims, int64_t number) {
  std::pair<int64_t, int64_t> place(0, 0);
  for (size_t d = dims.size(); d-- != 0; number /= dims[d].size) {
    const int64_t index = number % dims[d].size;
    place.first += index * dims[d].to, place.second += index * dims[d].from;
  }
  return place;
}

/// Matrices of so few rows that one by one they would be nothing but calls, as those of the pixels of an image: with
/// those of another dimension that lie behind them in what is read. False where there is none. Strides are elements.
static bool copyFewRows(char *to, const char *from, int64_t item, ArrayRef<PlaneDim> dims, const PlaneDim &rows,
                        const PlaneDim &columns) {
  constexpr int64_t few = 4, mostBytes = 4096;
  const auto *beside = llvm::find_if(dims, [&](const PlaneDim &dim) { return dim.from == rows.size; });
  if (rows.size > few || beside == dims.end())
    return false;
  const PlaneDim groups = *beside;
  const int64_t together = rows.size * groups.size, rowBytes = columns.size * item, groupBytes = rows.size * rowBytes;
  if (together * rowBytes > mostBytes || columns.from < together)
    return false;
  llvm::SmallVector<PlaneDim, 6> outer(dims.begin(), beside);
  outer.append(beside + 1, dims.end());
  int64_t matrices = 1;
  for (const PlaneDim &dim : outer)
    matrices *= dim.size;
  parallelFor(0, matrices, std::max<int64_t>(1, parallelGrain / (together * columns.size)),
              [&](int64_t begin, int64_t end) {
                alignas(64) char buffer[mostBytes];
                for (int64_t i = begin; i != end; ++i) {
                  const auto [toOffset, fromOffset] = placeOf(outer, i);
                  cpu::transposeElements(buffer, rowBytes, from + fromOffset * item, columns.from * item, together,
                                         columns.size, static_cast<size_t>(item));
                  char *place = to + toOffset * item;
                  if (rows.to == columns.size) { // one behind the other there, too
                    moves::copyRows(place, groups.to * item, buffer, groupBytes, groups.size, groupBytes);
                    continue;
                  }
                  for (int64_t g = 0; g != groups.size; ++g)
                    moves::copyRows(place + g * groups.to * item, rows.to * item, buffer + g * groupBytes, rowBytes,
                                    rows.size, rowBytes);
                }
              });
  return true;
}

/// Elements of one size that neighbour along one dimension in dst and along another in src: as matrices that are
/// transposed. False when the pair is not of that kind.
static bool copyTransposed(const Tensor &dst, const Tensor &src) {
  assert(dst.sizes() == src.sizes() && "what is read has been expanded");
  const int64_t item = itemSize(dst.dtype());
  if (dst.dtype() != src.dtype() || dst.numel() < 1024 || item > 8)
    return false;
  using Dim = PlaneDim; // strides of elements here
  llvm::SmallVector<Dim, 6> dims;
  for (int64_t d = 0; d != dst.dim(); ++d)
    if (dst.size(d) != 1)
      dims.push_back({dst.size(d), dst.stride(d), src.stride(d)});
  llvm::stable_sort(dims, [](const Dim &a, const Dim &b) { return a.to > b.to; });
  size_t kept = 0; // dimensions that are one in both are merged
  for (size_t d = 1; d < dims.size(); ++d)
    if (dims[kept].to == dims[d].to * dims[d].size && dims[kept].from == dims[d].from * dims[d].size)
      dims[kept] = {dims[kept].size * dims[d].size, dims[d].to, dims[d].from};
    else
      dims[++kept] = dims[d];
  dims.resize(std::min(dims.size(), kept + 1));
  if (dims.size() < 2 || dims.back().to != 1 || dims.back().from <= 1)
    return false;
  const Dim columns = dims.pop_back_val();
  auto *found = llvm::find_if(dims, [](const Dim &dim) { return dim.from == 1; });
  if (found == dims.end())
    return false;
  const Dim rows = *found;
  dims.erase(found);
  auto *to = static_cast<char *>(dst.mutableData());
  const auto *from = static_cast<const char *>(src.data());
  if (copyFewRows(to, from, item, dims, rows, columns))
    return true;
  int64_t matrices = 1;
  for (const Dim &dim : dims)
    matrices *= dim.size;
  // A matrix is cut into bands of rows, so that one alone is shared among threads, too.
  constexpr int64_t bandRows = 64;
  const int64_t bands = (rows.size + bandRows - 1) / bandRows;
  const int64_t grain = std::max<int64_t>(1, parallelGrain / (columns.size * std::min(bandRows, rows.size)));
  parallelFor(0, matrices * bands, grain, [&](int64_t begin, int64_t end) {
    for (int64_t at = begin; at != end;) {
      const auto [toOffset, fromOffset] = placeOf(dims, at / bands);
      const int64_t band = at % bands, last = std::min(bands, band + end - at), first = band * bandRows;
      const int64_t count = std::min(rows.size, last * bandRows) - first;
      transposeElements(to + (toOffset + first * rows.to) * item, rows.to * item, from + (fromOffset + first) * item,
                        columns.from * item, count, columns.size, static_cast<size_t>(item));
      at += last - band;
    }
  });
  return true;
}

/// Calls fn(part) for all of a plane, in parallel: a part is some of its rows, or of the elements of one that is alone.
template <typename Fn> static void forEachPart(const Plane &plane, Fn fn) {
  const bool isOneRow = plane.rows == 1;
  const std::array<int64_t, 2> &steps = isOneRow ? plane.strides : plane.rowStrides;
  const int64_t count = isOneRow ? plane.count : plane.rows;
  parallelFor(0, count, isOneRow ? parallelGrain : std::max<int64_t>(1, parallelGrain / plane.count),
              [&](int64_t begin, int64_t end) {
                if (end - begin == count)
                  return fn(plane);
                Plane part = plane;
                for (size_t k : {0, 1})
                  part.data[k] += begin * steps[k];
                (isOneRow ? part.count : part.rows) = end - begin;
                fn(static_cast<const Plane &>(part));
              });
}
/// Calls copyRow(to, from) for every row of a part.
template <typename Fn> static void forEachRow(const Plane &part, Fn copyRow) {
  char *to = part.data[0];
  const char *from = part.data[1];
  for (int64_t i = 0; i != part.rows; ++i, to += part.rowStrides[0], from += part.rowStrides[1])
    copyRow(to, from);
}

/// Moves elements as they are.
static void movePlane(const Plane &plane, DType dtype) {
  const auto item = static_cast<int64_t>(itemSize(dtype));
  forEachPart(plane, [&](const Plane &part) {
    const auto [toStep, fromStep] = part.rowStrides;
    if (part.strides[0] == item && part.strides[1] == item)
      return moves::copyRows(part.data[0], toStep, part.data[1], fromStep, part.rows, part.count * item);
    if (part.strides[0] == item && part.strides[1] == -item)
      return moves::reverseRows(part.data[0], toStep, part.data[1], fromStep, part.rows, part.count,
                                static_cast<size_t>(item));
    forEachRow(part, [&](char *to, const char *from) {
      convertRow(to, dtype, part.strides[0], from, dtype, part.strides[1], part.count);
    });
  });
}

void cpu::moveElements(DType dtype, ArrayRef<int64_t> sizes, void *to, ArrayRef<int64_t> toStrides, const void *from,
                       ArrayRef<int64_t> fromStrides) {
  assert(sizes.size() == toStrides.size() && sizes.size() == fromStrides.size() && "strides of each dimension");
  const auto item = static_cast<int64_t>(itemSize(dtype));
  llvm::SmallVector<PlaneDim, 6> dims;
  for (size_t d = 0; d != sizes.size(); ++d)
    if (sizes[d] != 1)
      dims.push_back({sizes[d], toStrides[d] * item, fromStrides[d] * item});
  forEachPlane(to, from, std::move(dims), [&](const Plane &plane) { movePlane(plane, dtype); });
}

static bool isOnDevice(const Tensor &t) { return !isOnHost(*t.get()->storage); }
static void copyElements(const Tensor &dst, const Tensor &src);

/// Where one of them is on a device. What is more than bytes goes by the processor's memory.
static Status copyBetweenDevices(const Tensor &dst, const Tensor &src) {
  assert(dst.sizes() == src.sizes() && "what is read has been expanded");
  const DeviceMemory &to = memoryOf(*dst.get()->storage), &from = memoryOf(*src.get()->storage);
  const bool areAlike = dst.dtype() == src.dtype() && dst.strides() == src.strides() &&
                        dst.get()->conjugate == src.get()->conjugate && dst.get()->negative == src.get()->negative;
  const int64_t item = static_cast<int64_t>(itemSize(dst.dtype()));
  if (areAlike && isNonOverlappingAndDense(dst.sizes(), dst.strides()))
    return tsc::copyBytes(dst.mutableData(), to, src.data(), from, static_cast<size_t>(dst.numel() * item));
  TSC_ASSIGN_OR_RETURN(Tensor read, onHost(src));
  if (!isOnDevice(dst)) {
    copyElements(dst, read);
    return okStatus();
  }
  TSC_ASSIGN_OR_RETURN(Tensor written, onHost(dst)); // with what lies between its elements
  copyElements(written, read);
  return tsc::copyBytes(dst.mutableData(), to, written.data(), DeviceMemory::cpu(), written.get()->storage->size());
}

/// src already has dst's sizes (strides 0 where it was broadcast), and memory of its own.
static void copyElements(const Tensor &dst, const Tensor &src) {
  assert(dst.sizes() == src.sizes() && "what is read has been expanded");
  assert(isOnHost(dst) && isOnHost(src) && "the processor reads and writes the elements");
  bool conjugate = isComplex(dst.dtype()) && dst.get()->conjugate != src.get()->conjugate;
  bool negative = dst.get()->negative != src.get()->negative;
  size_t dstItem = itemSize(dst.dtype()), srcItem = itemSize(src.dtype());
  if (!conjugate && !negative) {
    if (dst.isContiguous() && src.isContiguous()) {
      char *to = static_cast<char *>(dst.mutableData());
      const char *from = static_cast<const char *>(src.data());
      parallelFor(0, dst.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
        convertRow(to + begin * dstItem, dst.dtype(), dstItem, from + begin * srcItem, src.dtype(), srcItem,
                   end - begin);
      });
      return;
    }
    if (copyTransposed(dst, src))
      return;
  }
  const auto item = static_cast<int64_t>(dstItem);
  const bool isChanged = conjugate || negative;
  if (dst.dtype() == src.dtype() && !isChanged)
    return forEachPlane(dst, src, [&](const Plane &plane) { movePlane(plane, dst.dtype()); });
  auto copyRow = [&](char *to, const char *from, const int64_t *strides, int64_t count) {
    if (dst.dtype() == src.dtype() && strides[0] == item && strides[1] == item &&
        copyComplexRow(to, from, count, dst.dtype(), conjugate, negative))
      return;
    convertRow(to, dst.dtype(), strides[0], from, src.dtype(), strides[1], count);
    if (isChanged)
      applyLazyBits(to, strides[0], count, dst.dtype(), conjugate, negative);
  };
  forEachPlane(dst, src, [&](const Plane &plane) {
    forEachPart(plane, [&](const Plane &part) {
      forEachRow(part, [&](char *to, const char *from) { copyRow(to, from, part.strides.data(), part.count); });
    });
  });
}

/// src with dst's sizes, or PyTorch's complaint.
static StatusOr<Tensor> broadcastForCopy(const Tensor &dst, const Tensor &src) {
  if (dst.sizes() == src.sizes())
    return src;
  TSC_ASSIGN_OR_RETURN(Dims common, broadcastShapes(dst.sizes(), src.sizes()));
  if (ArrayRef<int64_t>(common) != dst.sizes())
    return invalidArgument("output with shape " + shapeString(dst.sizes()) + " doesn't match the broadcast shape " +
                           shapeString(common));
  size_t lead = common.size() - src.sizes().size();
  Dims strides(common.size(), 0);
  for (size_t d = lead; d != common.size(); ++d)
    strides[d] = src.sizes()[d - lead] == 1 ? 0 : src.strides()[d - lead];
  return src.alias(common, strides, src.storageOffset());
}

/// The same elements with other lazy bits.
static Tensor withLazyBits(const Tensor &t, bool conjugate, bool negative) {
  Tensor result = t.alias(t.sizes(), t.strides(), t.storageOffset());
  result.get()->conjugate = conjugate;
  result.get()->negative = negative;
  return result;
}

/// From complex numbers of halves, or to them: by way of those of floats, part by part, as they stand in memory.
static Status copyComplexHalves(const Tensor &dst, const Tensor &src) {
  auto copyParts = [](const Tensor &to, const Tensor &from) -> Status {
    TSC_ASSIGN_OR_RETURN(const Tensor toParts, viewAsReal(to));
    TSC_ASSIGN_OR_RETURN(const Tensor fromParts, viewAsReal(from));
    return copyInto(toParts, fromParts);
  };
  if (dst.dtype() == DType::ComplexHalf) {
    TSC_ASSIGN_OR_RETURN(Tensor floats, toDType(src, DType::ComplexFloat));
    floats = withLazyBits(floats, floats.get()->conjugate != dst.get()->conjugate,
                          floats.get()->negative != dst.get()->negative);
    TSC_ASSIGN_OR_RETURN(floats, contiguous(floats));
    return copyParts(withLazyBits(dst, false, false), floats);
  }
  const Tensor stored = withLazyBits(src, false, false);
  TSC_ASSIGN_OR_RETURN(const Tensor floats, emptyLikeWith(stored, DType::ComplexFloat));
  TSC_RETURN_IF_ERROR(copyParts(floats, stored));
  // What is read of them is conjugated and negated as it was.
  return copyInto(dst, withLazyBits(floats, src.get()->conjugate, src.get()->negative));
}

Status cpu::copyInto(const Tensor &dst, const Tensor &src) {
  if (dst.isSameAs(src))
    return okStatus();
  TSC_RETURN_IF_ERROR(checkHasElements(dst));
  TSC_RETURN_IF_ERROR(checkHasElements(src));
  TSC_ASSIGN_OR_RETURN(Tensor from, broadcastForCopy(dst, src));
  TSC_RETURN_IF_ERROR(checkWritable(dst));
  if (isQuantized(dst.dtype()) || isQuantized(src.dtype())) [[unlikely]]
    return copyQuantized(dst, from);
  if ((dst.dtype() == DType::ComplexHalf) != (src.dtype() == DType::ComplexHalf)) [[unlikely]]
    return copyComplexHalves(dst, from);
  dst.bumpVersion();
  if (dst.numel() == 0)
    return okStatus();
  if (mayOverlap(dst, from)) {
    bool same = dst.data() == from.data() && dst.strides() == from.strides() && dst.dtype() == from.dtype();
    if (same && dst.get()->conjugate == from.get()->conjugate && dst.get()->negative == from.get()->negative)
      return okStatus();
    if (!isOnDevice(dst) && dst.isContiguous() && from.isContiguous() && dst.dtype() == from.dtype() &&
        dst.get()->conjugate == from.get()->conjugate && dst.get()->negative == from.get()->negative) {
      std::memmove(dst.mutableData(), from.data(), dst.numel() * itemSize(dst.dtype()));
      return okStatus();
    }
    TSC_ASSIGN_OR_RETURN(from, clone(from));
  }
  if (isOnDevice(dst) || isOnDevice(from)) [[unlikely]]
    return copyBetweenDevices(dst, from);
  copyElements(dst, from);
  return okStatus();
}

StatusOr<Tensor> cpu::clone(const Tensor &self, std::optional<MemoryFormat> format) {
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, self.dtype(), format));
  if (self.numel() != 0 && isOnDevice(self)) [[unlikely]]
    TSC_RETURN_IF_ERROR(copyBetweenDevices(result, self));
  else if (self.numel() != 0)
    copyElements(result, self);
  if (isQuantized(self.dtype())) [[unlikely]]
    result.get()->companion = self.get()->companion;
  return result;
}

StatusOr<Tensor> cpu::contiguous(const Tensor &self, std::optional<MemoryFormat> format) {
  MemoryFormat wanted = format.value_or(MemoryFormat::Contiguous);
  if (self.isContiguous(wanted) && !self.get()->conjugate && !self.get()->negative)
    return self;
  if (wanted == MemoryFormat::Preserve)
    return invalidArgument("preserve memory format is unsupported by the contiguous operator");
  return clone(self, wanted);
}

StatusOr<Tensor> cpu::toDType(const Tensor &self, DType dtype) {
  if (self.dtype() == dtype)
    return self;
  TSC_ASSIGN_OR_RETURN(Tensor result, emptyLikeWith(self, dtype));
  TSC_RETURN_IF_ERROR(copyInto(result, self));
  return result;
}

Status cpu::fillWith(const Tensor &dst, const Scalar &value) {
  TSC_RETURN_IF_ERROR(checkHasElements(dst));
  if (isQuantized(dst.dtype())) [[unlikely]]
    return fillQuantized(dst, value.toDouble());
  TSC_RETURN_IF_ERROR(checkConversion(value, dst.dtype()));
  if (isOnDevice(dst)) [[unlikely]] {
    TSC_ASSIGN_OR_RETURN(Tensor number, Tensor::scalar(value, dst.dtype()));
    return copyInto(dst, number);
  }
  dst.bumpVersion();
  Scalar written = value;
  if (dst.get()->conjugate)
    written = Scalar(std::conj(value.toComplex()));
  if (dst.get()->negative)
    written = written.isComplex() ? Scalar(-written.toComplex()) : Scalar(-written.toDouble());
  StridedLoop<1> loop(dst.sizes());
  loop.output(0, dst);
  return dispatchAll(
      dst.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        T element = scalarTo<T>(written);
        loop.forEachRow([&](char *const *p, const int64_t *strides, int64_t count) {
          if (strides[0] == sizeof(T)) {
            convertRow(p[0], dst.dtype(), sizeof(T), &element, dst.dtype(), 0, count);
            return;
          }
          for (int64_t i = 0; i != count; ++i)
            *reinterpret_cast<T *>(p[0] + i * strides[0]) = element;
        });
      },
      "fill_cpu");
}

Status cpu::checkResizable(const Tensor &self) {
  if (self.dtype() == DType::Opaque)
    return invalidArgument("a sparse or nested tensor does not change its sizes or strides in place");
  const Quantizer *quantizer = quantizerOf(self);
  return quantizer && quantizer->isPerChannel()
             ? invalidArgument("Setting strides is possible only on uniformly quantized tensor")
             : okStatus();
}

Status cpu::resizeOutput(const Tensor &out, ArrayRef<int64_t> sizes) {
  if (out.sizes() == sizes)
    return okStatus();
  TSC_RETURN_IF_ERROR(checkResizable(out));
  TSC_ASSIGN_OR_RETURN(int64_t count, elementCount(sizes));
  TensorImpl *impl = out.get();
  size_t bytes = static_cast<size_t>(count + impl->offset) * itemSize(out.dtype());
  if (count != 0 && bytes > impl->storage->size())
    TSC_RETURN_IF_ERROR(impl->storage->resize(bytes));
  impl->sizes.assign(sizes.begin(), sizes.end());
  impl->strides = contiguousStrides(sizes);
  impl->count = count;
  impl->contiguous = true;
  return okStatus();
}
