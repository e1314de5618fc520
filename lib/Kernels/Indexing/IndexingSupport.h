//===- IndexingSupport.h - What the indexing kernels share ------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_INDEXING_INDEXINGSUPPORT_H
#define TSC_LIB_KERNELS_INDEXING_INDEXINGSUPPORT_H

#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/StridedLoop.h"
#include "tsc/Tensor/Dispatch.h"
#include <array>
#include <cstring>
#include <vector>

namespace tsc::cpu {

/// The size along `dim`; a number counts as one element along dimension 0.
inline int64_t extentOf(const Tensor &t, int64_t dim) {
  assert(dim >= 0 && dim < std::max<int64_t>(1, t.dim()) && "a wrapped dimension");
  return t.dim() == 0 ? 1 : t.size(dim);
}

/// The tensor, or a copy whose elements stand in memory as they are.
inline StatusOr<Tensor> asItStands(const Tensor &t) { return isLazy(t) ? clone(t) : StatusOr<Tensor>(t); }

/// Calls write(t) with such a copy, and puts back what it has become.
template <typename Fn> Status writeAsItStands(const Tensor &self, Fn write) {
  TSC_ASSIGN_OR_RETURN(Tensor copy, clone(self));
  TSC_RETURN_IF_ERROR(write(copy));
  return copyInto(self, copy);
}

/// The elements of an int32 or int64 tensor in row-major order.
StatusOr<std::vector<int64_t>> indexValues(const Tensor &index);

/// Calls fn with a number of `bytes` bytes: what only moves elements has one instance for each width.
template <typename Fn> auto withWord(size_t bytes, Fn &&fn) {
  switch (bytes) {
  case 1: return fn(uint8_t());
  case 2: return fn(uint16_t());
  case 4: return fn(uint32_t());
  case 8: return fn(uint64_t());
  default: return fn(std::array<uint64_t, 2>());
  }
}

/// Returns a + b in the elements' type: integers wrap, half types are rounded, and truth values are joined by or.
template <typename T> inline T addElements(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return T(static_cast<ComputeType<T>>(a) + static_cast<ComputeType<T>>(b));
}
/// Returns a b in the elements' type: integers wrap, half types are rounded, and truth values are joined by and.
template <typename T> inline T multiplyElements(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return T(static_cast<ComputeType<T>>(a) * static_cast<ComputeType<T>>(b));
}
/// What combineRows (Gather.cpp) makes of x[i] and y[i]: their sum, or the larger or smaller of both as maxElement and
/// minElement have it.
enum class RowCombination { Add, Max, Min };
/// Combines `n` elements of x with those of y, into x.
void combineRows(RowCombination how, float *x, const float *y, int64_t n);
void combineRows(RowCombination how, double *x, const double *y, int64_t n);

/// Whether an element is NaN; false for types that have none.
template <typename T> inline bool isNaN(T x) {
  if constexpr (isFloatingType<T>)
    return static_cast<ComputeType<T>>(x) != static_cast<ComputeType<T>>(x);
  else
    return false;
}
/// Returns the larger of both; NaN wins, as in torch.amax.
template <typename T> inline T maxElement(T a, T b) {
  using C = ComputeType<T>;
  if constexpr (isFloatingType<T>) { // two comparisons, and no branch
    const int isKept = int{static_cast<C>(a) >= static_cast<C>(b)} | int{isNaN(a)};
    return isKept ? a : b;
  }
  return static_cast<C>(a) < static_cast<C>(b) ? b : a;
}
/// Returns the smaller of both; NaN wins, as in torch.amin.
template <typename T> inline T minElement(T a, T b) {
  using C = ComputeType<T>;
  if constexpr (isFloatingType<T>) {
    const int isKept = int{static_cast<C>(a) <= static_cast<C>(b)} | int{isNaN(a)};
    return isKept ? a : b;
  }
  return static_cast<C>(b) < static_cast<C>(a) ? b : a;
}

/// A combination whose rows have a kernel where they are of floats or doubles.
template <RowCombination how> struct OfRows {
  template <typename T> void operator()(T &x, T y) const {
    if constexpr (how == RowCombination::Add)
      x = addElements(x, y);
    else
      x = how == RowCombination::Max ? maxElement(x, y) : minElement(x, y);
  }
  template <typename T>
    requires std::is_floating_point_v<T>
  void ofRows(T *x, const T *y, int64_t n) const {
    combineRows(how, x, y, n);
  }
};

/// Walks the rows of `self` and `other` over all dimensions but `dim`, and calls fn(selfRow, selfStride, otherRow,
/// otherStride, count) for every pair (indices[i], i) of positions along it. Strides in bytes. Both have a dimension
/// `dim`, 0 of a tensor without any included; the others agree.
template <typename Fn>
void forEachIndexedRow(const Tensor &self, const Tensor &other, int64_t dim, ArrayRef<int64_t> indices, Fn fn) {
  assert((self.dim() == other.dim() || (self.dim() <= 1 && other.dim() <= 1)) && "numbers count as one element");
  assert(dim >= 0 && (dim == 0 || dim < self.dim()) && "both have the dimension");
  auto without = [dim](ArrayRef<int64_t> dims) {
    Dims rest(dims.begin(), dims.end());
    if (!rest.empty())
      rest.erase(rest.begin() + dim);
    return rest;
  };
  Dims sizes = without(other.sizes());
  StridedLoop<2> loop(sizes);
  int64_t selfItem = itemSize(self.dtype()), otherItem = itemSize(other.dtype());
  loop.operand(0, const_cast<void *>(self.data()), sizes, without(self.strides()), selfItem);
  loop.operand(1, const_cast<void *>(other.data()), sizes, without(other.strides()), otherItem);
  int64_t selfStep = self.dim() ? self.stride(dim) * selfItem : selfItem;
  int64_t otherStep = other.dim() ? other.stride(dim) * otherItem : 0; // each index takes its one element
  loop.forEachRow([&](char *const *p, const int64_t *s, int64_t n) {
    for (size_t i = 0; i != indices.size(); ++i)
      fn(p[0] + indices[i] * selfStep, s[0], p[1] + static_cast<int64_t>(i) * otherStep, s[1], n);
  });
}

} // namespace tsc::cpu

#endif
