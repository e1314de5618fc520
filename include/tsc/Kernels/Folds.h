//===- Folds.h - What is folded, and how a block of it is -------*- C++ -*-===//
//
// A fold is a policy: struct { using Acc; Acc init(); Acc step(Acc, T);
// Acc combine(Acc, Acc); }. Here are those of sums, products and extrema, and the
// units of the order that every fold has. A block: element i of it goes to lane
// i % 16, then the lanes are combined by halving. The results of blocks: combined
// like the digits of a binary counter.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_FOLDS_H
#define TSC_KERNELS_FOLDS_H

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace tsc::cpu {

/// Elements of a block. Most rows are one: a block ends with steps that wait for each other.
constexpr int64_t foldBlock = 1024;
constexpr int foldLanes = 16; ///< Lanes of a block, which are folded side by side.
/// The largest number of columns that are folded side by side.
constexpr int64_t foldColumns = 128;

/// Adds elements; integers wrap.
template <typename T> struct SumFold {
  using Acc = T;
  static T init() { return T(0); }
  static T step(T a, T v) { return combine(a, v); }
  /// Returns the fold of the elements of two parts from their folds.
  static T combine(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    else
      return a + b;
  }
};
/// Adds elements that are not NaN.
template <typename T> struct NanSumFold : SumFold<T> {
  static T step(T a, T v) { return v == v ? a + v : a; }
};
/// Multiplies elements; integers wrap.
template <typename T> struct ProdFold {
  using Acc = T;
  static T init() { return T(1); }
  static T step(T a, T v) { return combine(a, v); }
  /// Returns the fold of the elements of two parts from their folds.
  static T combine(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else if constexpr (requires { a.imag(); }) // as the complex products of point-wise operators
      return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
    else
      return a * b;
  }
};
/// Finds the largest or the smallest element; a NaN wins.
template <typename T, bool maximum> struct ExtremumFold {
  using Acc = T;
  static T init() {
    if constexpr (std::is_integral_v<T>)
      return maximum ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    else
      return maximum ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
  }
  /// Whether `v` replaces `best`: it is beyond it, or the first NaN.
  static bool beats(T v, T best) {
    if (best != best)
      return false;
    return (maximum ? v > best : v < best) || v != v;
  }
  static T step(T a, T v) { return beats(v, a) ? v : a; }
  static T combine(T a, T b) { return step(a, b); }
};
/// Finds the largest element; a NaN wins.
template <typename T> using MaxFold = ExtremumFold<T, true>;
/// Finds the smallest element; a NaN wins.
template <typename T> using MinFold = ExtremumFold<T, false>;

/// Returns the fold of a block of `count` neighbours, 1 to foldBlock.
template <class Fold, typename T> typename Fold::Acc foldRowBlock(const Fold &fold, const T *data, int64_t count) {
  assert(count >= 1 && count <= foldBlock && "a block");
  typename Fold::Acc acc[foldLanes];
  for (auto &a : acc)
    a = fold.init();
  int64_t i = 0;
  for (; i + foldLanes <= count; i += foldLanes)
    for (int k = 0; k != foldLanes; ++k)
      acc[k] = fold.step(acc[k], data[i + k]);
  for (; i < count; ++i)
    acc[i % foldLanes] = fold.step(acc[i % foldLanes], data[i]);
  for (int width = foldLanes / 2; width; width /= 2)
    for (int k = 0; k != width; ++k)
      acc[k] = fold.combine(acc[k], acc[k + width]);
  return acc[0];
}

/// Folds a block of `rows` rows, 1 to foldBlock, `stride` elements apart, for each of `columns` neighbouring columns, 1
/// to foldColumns, into `out`.
template <class Fold, typename T>
void foldColumnBlock(const Fold &fold, typename Fold::Acc *out, const T *data, int64_t stride, int64_t rows,
                     int64_t columns) {
  assert(rows >= 1 && rows <= foldBlock && "a block");
  assert(columns >= 1 && columns <= foldColumns && "columns that are folded side by side");
  typename Fold::Acc acc[foldLanes][foldColumns];
  for (auto &lane : acc)
    std::fill(lane, lane + columns, fold.init());
  for (int64_t i = 0; i != rows; ++i)
    for (int64_t k = 0; k != columns; ++k)
      acc[i % foldLanes][k] = fold.step(acc[i % foldLanes][k], data[i * stride + k]);
  for (int width = foldLanes / 2; width; width /= 2)
    for (int lane = 0; lane != width; ++lane)
      for (int64_t k = 0; k != columns; ++k)
        acc[lane][k] = fold.combine(acc[lane][k], acc[lane + width][k]);
  std::copy(acc[0], acc[0] + columns, out);
}

/// Combines the results of up to `blocks` blocks, each of `width` neighbouring outputs, like the digits of a binary
/// counter. Both numbers are at least 1.
template <class Fold> class Cascade {
  using Acc = typename Fold::Acc;

public:
  Cascade(const Fold &fold, int64_t width, int64_t blocks)
      : fold(fold), width(width), levels((llvm::Log2_64(blocks) + 1) * width) {
    assert(width >= 1 && blocks >= 1 && "there is something to combine");
  }
  void reset() { count = 0; }
  /// Takes what 2^level blocks gave, `width` values, which it changes. The number of blocks taken before is a multiple
  /// of 2^level.
  void push(Acc *values, unsigned level = 0) {
    assert((count & ((uint64_t(1) << level) - 1)) == 0 && "subtrees of a size follow subtrees of at least that size");
    uint64_t n = count >> level;
    count += uint64_t(1) << level;
    for (; n & 1; n >>= 1, ++level)
      combine(values, at(level), values);
    std::copy(values, values + width, at(level));
  }
  /// Returns the combined results, `width` of them, valid until the next push. At least one block was pushed.
  const Acc *finish() {
    assert(count != 0 && "a block was pushed");
    unsigned level = llvm::countr_zero(count);
    Acc *result = at(level);
    for (++level; count >> level; ++level)
      if (count >> level & 1)
        combine(result, at(level), result);
    return result;
  }

private:
  Acc *at(unsigned level) {
    assert((level + 1) * width <= static_cast<int64_t>(levels.size()) && "as many blocks as were announced");
    return levels.data() + level * width;
  }
  void combine(Acc *out, const Acc *a, const Acc *b) {
    for (int64_t k = 0; k != width; ++k)
      out[k] = fold.combine(a[k], b[k]);
  }
  const Fold &fold;
  int64_t width;
  std::vector<Acc> levels;
  uint64_t count = 0;
};

/// The number of blocks of rows that are folded side by side: the steps of one wait for each other, those of several do
/// not.
constexpr int foldRows = 4;

/// Does on vectors what foldRowBlock and foldColumnBlock do, with the same bits.
template <typename T> struct BlockKernels {
  T (*row)(const T *data, int64_t count);
  /// Folds `foldRows` rows, all of `count` elements. What is read next lies `ahead` bytes behind each; 0: it is near
  /// enough.
  void (*rows)(T *out, const T *const *data, int64_t count, int64_t ahead);
  void (*columns)(T *out, const T *data, int64_t stride, int64_t rows, int64_t columns);
};
/// Gives the kernels of the folds that have some (SimdFolds.cpp), on every processor; null for the others.
template <class Fold> struct SimdBlocks {
  static constexpr bool exist = false;
  static const BlockKernels<typename Fold::Acc> *get() { return nullptr; }
};
#define TSC_SIMD_FOLDS(FOLD)                                                                                           \
  FOLD(SumFold, float)                                                                                                 \
  FOLD(SumFold, double)                                                                                                \
  FOLD(NanSumFold, float)                                                                                              \
  FOLD(NanSumFold, double)                                                                                             \
  FOLD(ProdFold, float)                                                                                                \
  FOLD(ProdFold, double)                                                                                               \
  FOLD(MaxFold, float)                                                                                                 \
  FOLD(MaxFold, double)                                                                                                \
  FOLD(MinFold, float)                                                                                                 \
  FOLD(MinFold, double)
#define TSC_DECLARE_FOLD(FOLD, TYPE)                                                                                   \
  template <> struct SimdBlocks<FOLD<TYPE>> {                                                                          \
    static constexpr bool exist = true;                                                                                \
    static const BlockKernels<TYPE> *get();                                                                            \
  };
TSC_SIMD_FOLDS(TSC_DECLARE_FOLD)
#undef TSC_DECLARE_FOLD
template <> struct SimdBlocks<SumFold<std::complex<float>>> {
  static constexpr bool exist = true;
  static const BlockKernels<std::complex<float>> *get();
};
template <> struct SimdBlocks<SumFold<std::complex<double>>> {
  static constexpr bool exist = true;
  static const BlockKernels<std::complex<double>> *get();
};
template <> struct SimdBlocks<ProdFold<std::complex<float>>> {
  static constexpr bool exist = true;
  static const BlockKernels<std::complex<float>> *get();
};
template <> struct SimdBlocks<ProdFold<std::complex<double>>> {
  static constexpr bool exist = true;
  static const BlockKernels<std::complex<double>> *get();
};

} // namespace tsc::cpu

#endif
