//===- Index.cpp - Advanced indexing and masks ----------------------------===//
//
// self[i, :, mask, …]: masks become integer indices, the indices broadcast
// together, and each position of them is turned once into an element offset. What
// is left is to move rows of the dimensions that were not indexed.
//
//===----------------------------------------------------------------------===//
#include "IndexingSupport.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/MemoryAccount.h"
#include <algorithm>

using namespace tsc;
using namespace tsc::cpu;

static bool isMask(const Tensor &t) { return t.dtype() == DType::Bool || t.dtype() == DType::UInt8; }

StatusOr<std::vector<int64_t>> cpu::indexValues(const Tensor &index) {
  TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(index, DType::Int64));
  TSC_ASSIGN_OR_RETURN(wide, contiguous(wide));
  if (!memory::hasRoom(static_cast<size_t>(wide.numel()) * sizeof(int64_t)))
    return outOfMemory();
  const int64_t *data = wide.data<int64_t>();
  return std::vector<int64_t>(data, data + wide.numel());
}

//===- nonzero ------------------------------------------------------------===//

/// A bool is looked at as the byte that it is, so that one which is neither 0 nor 1 counts once, too.
template <typename T> static bool isNonzero(const T &element) {
  if constexpr (std::is_same_v<T, bool>)
    return reinterpret_cast<const uint8_t &>(element) != 0;
  else
    return convertTo<bool>(element);
}

/// How many elements of a dense row are not zero.
template <typename T> static int64_t countNonzero(const T *data, int64_t n) {
  int64_t count = 0;
  for (int64_t i = 0; i != n; ++i)
    count += isNonzero(data[i]);
  return count;
}

/// Calls put(i) for the positions of a dense row, `count` of which are not zero, until as many were found; a position
/// whose element is zero is overwritten by the next. So that no branch hangs on what the elements are.
template <typename T, typename Put> static void forNonzeroOf(const T *data, int64_t count, Put put) {
  for (int64_t i = 0, found = 0; found != count; ++i) {
    put(i, found);
    found += isNonzero(data[i]);
  }
}

StatusOr<Tensor> cpu::nonzero(const Tensor &self) {
  const int64_t rank = self.dim(), length = rank ? self.sizes().back() : 1;
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(self));
  StatusOr<Tensor> result = Tensor();
  TSC_RETURN_IF_ERROR(dispatchAll(
      dense.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *data = dense.data<T>();
        const int64_t total = countNonzero(data, dense.numel());
        result = Tensor::empty({total, rank}, DType::Int64);
        if (!result.ok() || total == 0 || rank == 0)
          return;
        int64_t *to = result->mutableData<int64_t>();
        const int64_t rows = dense.numel() / length;
        Dims index(rank, 0);
        for (int64_t row = 0; row != rows; ++row, data += length) {
          const int64_t count = rank == 1 ? total : countNonzero(data, length);
          forNonzeroOf(data, count, [&](int64_t i, int64_t found) {
            int64_t *place = to + found * rank;
            for (int64_t d = 0; d < rank - 1; ++d)
              place[d] = index[d];
            place[rank - 1] = i;
          });
          to += count * rank;
          for (int64_t d = rank - 2; d >= 0 && ++index[d] == self.size(d); --d)
            index[d] = 0;
        }
      },
      "nonzero"));
  return result;
}

StatusOr<Tensor> cpu::argwhere(const Tensor &self) { return nonzero(self); }

TensorsOr cpu::nonzeroNumpy(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor atLeast1d, atleast1d(self));
  TSC_ASSIGN_OR_RETURN(Tensor positions, nonzero(atLeast1d));
  return unbind(positions, 1);
}

//===- Resolving the indices ----------------------------------------------===//

namespace {
/// A view of self ready for moving: result dimensions [before, index, after], self's offsets for each index position.
struct Resolved {
  Dims resultSizes;
  Dims restSizes, restStrides; ///< The dimensions that are not indexed; strides of self.
  Dims indexSizes;             ///< Of the broadcast index.
  size_t before = 0;           ///< How many of the rest stand before the index in the result.
  Tensor offsets;              ///< In elements, one for each index position; undefined where nothing is selected.

  ArrayRef<int64_t> positions() const { return {offsets.data<int64_t>(), static_cast<size_t>(offsets.numel())}; }
};
} // namespace

/// Masks replaced by the positions they select, one tensor for each of their dimensions. A mask without dimensions, a
/// mere truth value, selects from a dimension of size 1 that `self` gets for it.
static StatusOr<llvm::SmallVector<Tensor, 6>> expandMasks(Tensor &self, TensorList indices) {
  llvm::SmallVector<Tensor, 6> result;
  for (size_t i = 0; i != indices.size(); ++i) {
    Tensor index = indices[i];
    if (!index.defined()) {
      result.push_back(index);
      continue;
    }
    if (!isMask(index)) {
      if (index.dtype() != DType::Int64 && index.dtype() != DType::Int32)
        return outOfRange("tensors used as indices must be long, byte or bool tensors");
      result.push_back(index);
      continue;
    }
    if (index.dim() == 0 && static_cast<int64_t>(result.size()) <= self.dim()) {
      TSC_ASSIGN_OR_RETURN(self, unsqueeze(self, static_cast<int64_t>(result.size())));
      TSC_ASSIGN_OR_RETURN(index, unsqueeze(index, 0));
    }
    for (int64_t d = 0; d != index.dim(); ++d) {
      size_t at = result.size() + d;
      if (at >= self.sizes().size() || self.sizes()[at] != index.size(d))
        return outOfRange("The shape of the mask " + shapeString(index.sizes()) + " at index " + llvm::Twine(d) +
                          " does not match the shape of the indexed tensor " + shapeString(self.sizes()) +
                          " at index " + llvm::Twine(at));
    }
    TSC_ASSIGN_OR_RETURN(Tensor positions, nonzero(index));
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> columns, unbind(positions, 1));
    result.append(columns.begin(), columns.end());
  }
  if (result.size() > self.sizes().size())
    return outOfRange("too many indices for tensor of dimension " + llvm::Twine(self.dim()) + " (got " +
                      llvm::Twine(result.size()) + ")");
  return result;
}

static StatusOr<Dims> broadcastIndices(ArrayRef<Tensor> indices) {
  Dims common;
  for (const Tensor &index : indices) {
    if (!index.defined())
      continue;
    StatusOr<Dims> next = broadcastShapes(common, index.sizes());
    if (!next.ok()) {
      std::string shapes;
      for (const Tensor &each : indices)
        if (each.defined())
          shapes += (shapes.empty() ? "" : ", ") + shapeString(each.sizes());
      return outOfRange("shape mismatch: indexing tensors could not be broadcast together with shapes " + shapes);
    }
    common = *next;
  }
  return common;
}

/// Adds index * stride to every offset.
static Status addOffsets(const Tensor &self, int64_t dim, const Tensor &index, ArrayRef<int64_t> common,
                         llvm::MutableArrayRef<int64_t> offsets) {
  TSC_ASSIGN_OR_RETURN(Tensor expanded, expand(index, common));
  TSC_ASSIGN_OR_RETURN(expanded, toDType(expanded, DType::Int64));
  TSC_ASSIGN_OR_RETURN(expanded, contiguous(expanded));
  const int64_t *values = expanded.data<int64_t>();
  const int64_t size = self.size(dim), stride = self.stride(dim);
  bool areInside = true;
  for (size_t i = 0, count = offsets.size(); i != count; ++i) {
    const int64_t value = values[i];
    areInside &= (value >= -size) & (value < size);
    // What is outside wraps around, and is not looked up.
    const uint64_t place = static_cast<uint64_t>(value) + static_cast<uint64_t>(value < 0 ? size : 0);
    offsets[i] = static_cast<int64_t>(static_cast<uint64_t>(offsets[i]) + place * static_cast<uint64_t>(stride));
  }
  if (areInside)
    return okStatus();
  const int64_t *wrong =
      std::find_if(values, values + offsets.size(), [&](int64_t v) { return v < -size || v >= size; });
  return outOfRange("index " + llvm::Twine(*wrong) + " is out of bounds for dimension " + llvm::Twine(dim) +
                    " with size " + llvm::Twine(size));
}

static StatusOr<Resolved> resolve(Tensor self, TensorList indices) {
  TSC_ASSIGN_OR_RETURN(auto expanded, expandMasks(self, indices));
  Resolved result;
  TSC_ASSIGN_OR_RETURN(result.indexSizes, broadcastIndices(expanded));
  TSC_ASSIGN_OR_RETURN(const int64_t positions, elementCount(result.indexSizes));
  // Indices that stand side by side leave their dimensions in place; others come first.
  size_t runs = 0, firstIndexed = 0;
  for (size_t d = 0; d != expanded.size(); ++d)
    if (expanded[d].defined() && (d == 0 || !expanded[d - 1].defined())) {
      if (runs++ == 0)
        firstIndexed = d;
    }
  result.before = runs == 1 ? firstIndexed : 0;
  auto isIndexed = [&](int64_t d) { return static_cast<size_t>(d) < expanded.size() && expanded[d].defined(); };
  // PyTorch looks at no index where nothing is selected.
  bool selectsNothing = false;
  for (int64_t d = 0; d != self.dim(); ++d)
    selectsNothing |= self.size(d) == 0 && !isIndexed(d);
  llvm::MutableArrayRef<int64_t> offsets;
  if (!selectsNothing) {
    TSC_ASSIGN_OR_RETURN(result.offsets, Tensor::empty({positions}, DType::Int64));
    offsets = {result.offsets.mutableData<int64_t>(), static_cast<size_t>(positions)};
    std::fill(offsets.begin(), offsets.end(), 0);
  }
  for (int64_t d = 0; d != self.dim(); ++d) {
    if (isIndexed(d)) {
      if (!selectsNothing)
        TSC_RETURN_IF_ERROR(addOffsets(self, d, expanded[d], result.indexSizes, offsets));
      continue;
    }
    result.restSizes.push_back(self.size(d));
    result.restStrides.push_back(self.stride(d));
  }
  result.resultSizes.append(result.restSizes.begin(), result.restSizes.begin() + result.before);
  result.resultSizes.append(result.indexSizes);
  result.resultSizes.append(result.restSizes.begin() + result.before, result.restSizes.end());
  return result;
}

/// Calls fn(selfRow, selfStride, otherRow, otherStride, count) for the rows of a row-major tensor `other` of the
/// result's sizes and the places of self they belong to.
template <typename Fn>
static void forEachRowPair(const Resolved &r, void *self, size_t selfItem, void *other, size_t otherItem, Fn fn) {
  Dims otherStrides = contiguousStrides(r.resultSizes);
  const ArrayRef<int64_t> offsets = r.positions();
  int64_t step = otherItem;
  for (size_t d = r.before; d != r.restSizes.size(); ++d)
    step *= r.restSizes[d];
  otherStrides.erase(otherStrides.begin() + r.before, otherStrides.begin() + r.before + r.indexSizes.size());
  StridedLoop<2> loop(r.restSizes);
  loop.operand(0, other, r.restSizes, otherStrides, otherItem);
  loop.operand(1, self, r.restSizes, r.restStrides, selfItem);
  loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
    char *otherRow = p[0];
    for (int64_t offset : offsets) {
      fn(p[1] + offset * static_cast<int64_t>(selfItem), s[1], otherRow, s[0], n);
      otherRow += step;
    }
  });
}

//===- index, index_put ---------------------------------------------------===//

template <typename Item> static void gatherItems(const Item *from, ArrayRef<int64_t> offsets, Item *to) {
  constexpr int64_t grain = 1 << 15;
  parallelFor(0, offsets.size(), grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i != end; ++i)
      to[i] = from[offsets[i]];
  });
}

/// The elements of `item` bytes at the offsets.
static void gatherElements(const void *from, ArrayRef<int64_t> offsets, size_t item, void *to) {
  withWord(item, [&](auto type) {
    using Item = decltype(type);
    gatherItems(static_cast<const Item *>(from), offsets, static_cast<Item *>(to));
  });
}

StatusOr<Tensor> cpu::index(const Tensor &tensor, TensorList indices) {
  TSC_ASSIGN_OR_RETURN(const Tensor self, asItStands(tensor));
  TSC_ASSIGN_OR_RETURN(Resolved r, resolve(self, indices));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(r.resultSizes, self.dtype()));
  if (result.numel() == 0)
    return result;
  const size_t item = itemSize(self.dtype());
  if (r.restSizes.empty()) {
    gatherElements(self.data(), r.positions(), item, result.mutableData());
    return result;
  }
  auto move = [&](char *from, int64_t fromStride, char *to, int64_t toStride, int64_t n) {
    convertRow(to, self.dtype(), toStride, from, self.dtype(), fromStride, n);
  };
  forEachRowPair(r, const_cast<void *>(self.data()), item, result.mutableData(), item, move);
  return result;
}

StatusOr<Tensor> cpu::indexPutImplInPlace(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate,
                                          bool) {
  if (self.dtype() != values.dtype())
    return invalidArgument("Index put requires the source and destination dtypes match, got " + irName(self.dtype()) +
                           " for the destination and " + irName(values.dtype()) + " for the source.");
  TSC_RETURN_IF_ERROR(checkWritable(self));
  if (isLazy(self)) {
    TSC_RETURN_IF_ERROR(writeAsItStands(
        self, [&](const Tensor &t) { return indexPutImplInPlace(t, indices, values, accumulate, false).status(); }));
    return self;
  }
  TSC_ASSIGN_OR_RETURN(Resolved r, resolve(self, indices));
  StatusOr<Tensor> expanded = expand(values, r.resultSizes);
  if (!expanded.ok())
    return invalidArgument("shape mismatch: value tensor of shape " + shapeString(values.sizes()) +
                           " cannot be broadcast to indexing result of shape " + shapeString(r.resultSizes));
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(*expanded));
  if (mayOverlap(self, dense)) {
    TSC_ASSIGN_OR_RETURN(dense, clone(dense));
  }
  self.bumpVersion();
  if (dense.numel() == 0)
    return self;
  size_t item = itemSize(self.dtype());
  void *from = const_cast<void *>(dense.data());
  if (!accumulate) {
    forEachRowPair(r, self.mutableData(), item, from, item,
                   [&](char *to, int64_t toStride, char *value, int64_t valueStride, int64_t n) {
                     convertRow(to, self.dtype(), toStride, value, self.dtype(), valueStride, n);
                   });
    return self;
  }
  TSC_RETURN_IF_ERROR(dispatchAll(
      self.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        forEachRowPair(r, self.mutableData(), item, from, item,
                       [&](char *to, int64_t toStride, char *value, int64_t valueStride, int64_t n) {
                         if (toStride == sizeof(T) && valueStride == sizeof(T)) {
                           T *x = reinterpret_cast<T *>(to);
                           const T *y = reinterpret_cast<const T *>(value);
                           for (int64_t i = 0; i != n; ++i)
                             x[i] = addElements(x[i], y[i]);
                           return;
                         }
                         for (int64_t i = 0; i != n; ++i) {
                           T &x = *reinterpret_cast<T *>(to + i * toStride);
                           x = addElements(x, *reinterpret_cast<T *>(value + i * valueStride));
                         }
                       });
      },
      "index_put"));
  return self;
}

StatusOr<Tensor> cpu::indexPutInPlace(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate) {
  return indexPutImplInPlace(self, indices, values, accumulate, false);
}

StatusOr<Tensor> cpu::indexPut(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate) {
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(self));
  return indexPutImplInPlace(result, indices, values, accumulate, false);
}

//===- Masks --------------------------------------------------------------===//

static constexpr llvm::StringLiteral tooFewForMask = "Number of elements of source < number of ones in mask";

StatusOr<Tensor> cpu::maskedSelect(const Tensor &self, const Tensor &mask) {
  if (!isMask(mask))
    return invalidArgument("masked_select: expected BoolTensor or ByteTensor for mask");
  TSC_ASSIGN_OR_RETURN(Dims sizes, broadcastShapes(self.sizes(), mask.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor wideMask, expand(mask, sizes));
  TSC_ASSIGN_OR_RETURN(Tensor source, expand(self, sizes));
  TSC_ASSIGN_OR_RETURN(source, contiguous(source));
  TSC_ASSIGN_OR_RETURN(wideMask, contiguous(wideMask));
  const uint8_t *marks = static_cast<const uint8_t *>(wideMask.data()); // of bools or bytes: not zero is chosen
  const int64_t count = countNonzero(marks, wideMask.numel());
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({count}, self.dtype()));
  withWord(itemSize(self.dtype()), [&](auto word) {
    using Word = decltype(word);
    Word *to = static_cast<Word *>(result.mutableData());
    const Word *from = static_cast<const Word *>(source.data());
    forNonzeroOf(marks, count, [&](int64_t i, int64_t found) { to[found] = from[i]; });
  });
  return result;
}

/// Where the mask or the source shares memory with what is written, each element is decided by what was written before
/// it, in row-major order, as PyTorch does. `source` is dense.
static Status scatterInOrder(const Tensor &self, const Tensor &mask, const Tensor &source) {
  const int64_t count = source.numel();
  int64_t next = 0;
  bool isEnough = true;
  StridedLoop<2> loop(self.sizes());
  loop.output(0, self);
  loop.input(1, mask);
  withWord(itemSize(self.dtype()), [&](auto word) {
    using Word = decltype(word);
    const Word *from = static_cast<const Word *>(source.data());
    loop.forEachRow(
        [&](char *const *p, const int64_t *s, int64_t n) {
          for (int64_t i = 0; i != n && isEnough; ++i) {
            if (*reinterpret_cast<const uint8_t *>(p[1] + i * s[1]) == 0)
              continue;
            isEnough = next != count;
            if (isEnough)
              *reinterpret_cast<Word *>(p[0] + i * s[0]) = from[next++];
          }
        },
        false);
  });
  return isEnough ? okStatus() : invalidArgument(tooFewForMask);
}

StatusOr<Tensor> cpu::maskedScatterInPlace(const Tensor &self, const Tensor &mask, const Tensor &source) {
  if (self.dtype() != source.dtype())
    return invalidArgument("masked_scatter: expected self and source to have same dtypes but got" +
                           irName(self.dtype()) + " and " + irName(source.dtype()));
  if (!isMask(mask))
    return invalidArgument("masked_scatter_ only supports boolean masks, but got mask with dtype " +
                           irName(mask.dtype()).lower());
  TSC_RETURN_IF_ERROR(checkWritable(self));
  TSC_ASSIGN_OR_RETURN(Tensor wideMask, expand(mask, self.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor dense, contiguous(source));
  if (mayOverlap(self, dense) || mayOverlap(self, mask)) {
    self.bumpVersion();
    TSC_RETURN_IF_ERROR(scatterInOrder(self, wideMask, dense));
    return self;
  }
  TSC_ASSIGN_OR_RETURN(wideMask, contiguous(wideMask));
  const uint8_t *marks = static_cast<const uint8_t *>(wideMask.data());
  const int64_t used = countNonzero(marks, wideMask.numel());
  if (used > dense.numel())
    return invalidArgument(tooFewForMask);
  self.bumpVersion();
  if (used == 0)
    return self;
  Tensor target = self;
  if (!self.isContiguous()) {
    TSC_ASSIGN_OR_RETURN(target, clone(self, MemoryFormat::Contiguous));
  }
  withWord(itemSize(self.dtype()), [&](auto word) {
    using Word = decltype(word);
    const Word *from = static_cast<const Word *>(dense.data());
    Word *to = static_cast<Word *>(target.mutableData());
    for (int64_t i = 0, n = target.numel(), next = 0; i != n; ++i) {
      const Word fresh = from[std::min(next, used - 1)];
      to[i] = marks[i] ? fresh : to[i];
      next += marks[i] != 0;
    }
  });
  if (!self.isContiguous())
    TSC_RETURN_IF_ERROR(copyInto(self, target));
  return self;
}

StatusOr<Tensor> cpu::maskedScatter(const Tensor &self, const Tensor &mask, const Tensor &source) {
  TSC_ASSIGN_OR_RETURN(Dims sizes, broadcastShapes(self.sizes(), mask.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor wide, expand(self, sizes));
  TSC_ASSIGN_OR_RETURN(Tensor result, clone(wide, MemoryFormat::Contiguous));
  return maskedScatterInPlace(result, mask, source);
}
