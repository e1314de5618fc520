//===- SimdFolds.cpp - Blocks of folds on vectors -------------------------===//
//
// The block kernels of Folds.h, instantiated for every instruction set: the 16
// lanes of a block are one vector or several, and the bits those of the plain loops.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Reductions/SimdFolds.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "HalfSums.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Folds.h"
#include <complex>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "SimdLanes.h"
#include "Support/SimdExtrema.h"

namespace tsc::cpu::HWY_NAMESPACE {

static constexpr bool convertsHalves = TSC_CONVERTS_HALVES;

/// A vector of the elements at `from`, those of half types as floats.
template <class D, typename T> HWY_INLINE hn::Vec<D> loadAs(D d, const T *from) {
  if constexpr (std::is_same_v<T, hn::TFromD<D>>) {
    return hn::LoadU(d, from);
  } else {
    const hn::Rebind<uint16_t, D> d16;
    const auto bits = hn::LoadU(d16, reinterpret_cast<const uint16_t *>(from));
    if constexpr (std::is_same_v<T, BFloat16>) {
      const hn::RebindToUnsigned<D> d32;
      return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d32, bits)));
    } else {
      return hn::PromoteTo(d, hn::BitCast(hn::Rebind<hwy::float16_t, D>(), bits));
    }
  }
}

/// Of an extremum, on numbers alone: `v` where it is beyond `a`.
template <bool maximum, class D, class V> HWY_INLINE V beyond(D, V a, V v) {
  return maximum ? extrema::HWY_NAMESPACE::larger(v, a) : extrema::HWY_NAMESPACE::lesser(v, a);
}

template <class Fold> struct ExtremumOf {
  static constexpr bool is = false;
};
template <typename T, bool isMaximum> struct ExtremumOf<ExtremumFold<T, isMaximum>> {
  static constexpr bool is = true, maximum = isMaximum;
};

/// An extremum of numbers, none of which is NaN.
template <typename T, bool maximum> struct NumbersFold {
  using Acc = T;
  static T combine(T a, T b) { return (maximum ? b > a : b < a) ? b : a; }
};
template <typename T, bool maximum, class D, class V> HWY_INLINE V combineOf(NumbersFold<T, maximum>, D d, V a, V b) {
  return beyond<maximum>(d, a, b);
}

/// Where `rows` rows are, and where what is read after them: `ahead` bytes farther; 0 where nobody is to ask for it.
template <typename From> struct RowGroup {
  const From *const *data;
  int64_t count, ahead;
};

/// Calls step(row, k, vector) for all vectors of whole sixteens; returns how many elements these are.
template <bool asksAhead, int rows, typename T, typename From, class Step>
HWY_INLINE int64_t forSixteens(const RowGroup<From> &group, Step step) {
  constexpr int64_t width = Sixteen<T>::width, vectors = Sixteen<T>::vectors, line = 64 / sizeof(From);
  int64_t i = 0;
  for (; i + foldLanes <= group.count; i += foldLanes) {
    if constexpr (asksAhead) // into the second cache: what lies between would not stay in the first
      for (int row = 0; row != rows; ++row)
        for (int64_t at = 0; at < foldLanes; at += line)
          __builtin_prefetch(
              reinterpret_cast<const void *>( // which may be beyond the end
                  reinterpret_cast<uintptr_t>(group.data[row] + i + at) + static_cast<uintptr_t>(group.ahead)),
              0, 2);
    for (int64_t k = 0; k != vectors; ++k)
      for (int row = 0; row != rows; ++row)
        step(row, k, loadAs(Sixteen<T>::d, group.data[row] + i + k * width));
  }
  return i;
}

/// Vector k of the last elements of a row, fewer than sixteen, of which `count` are there; a fold's initial value
/// stands for the others.
template <class Fold, typename From, typename T = typename Fold::Acc>
HWY_INLINE hn::Vec<typename Sixteen<T>::D> loadRest(const From *from, int64_t count, int64_t k) {
  constexpr typename Sixteen<T>::D d;
  constexpr int64_t width = Sixteen<T>::width;
  from += k * width;
  const int64_t left = std::clamp<int64_t>(count - k * width, 0, width);
#if TSC_HAS_MASKED_LOADS
  if constexpr (std::is_same_v<T, From>) {
    const auto mask = hn::FirstN(d, static_cast<size_t>(left));
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, Fold::init()));
  }
#endif
  HWY_ALIGN T rest[width];
  for (int64_t i = 0; i != width; ++i)
    rest[i] = i < left ? static_cast<T>(from[i]) : Fold::init();
  return hn::Load(d, rest);
}

/// The extrema of rows, with the bits of their folds; false, and nothing said of them, where there is a NaN.
template <class Fold, bool asksAhead, int rows, typename T = typename Fold::Acc>
HWY_INLINE bool extremaOfNumbers(T *out, const RowGroup<T> &group) {
  constexpr typename Sixteen<T>::D d;
  constexpr int64_t vectors = Sixteen<T>::vectors;
  hn::Vec<typename Sixteen<T>::D> acc[rows][vectors];
  for (auto &lanes : acc)
    for (auto &lane : lanes)
      lane = hn::Set(d, Fold::init());
  auto nan = hn::Lt(hn::Zero(d), hn::Zero(d));
  auto take = [&](int row, int64_t k, hn::Vec<typename Sixteen<T>::D> v)
                  HWY_ATTR { acc[row][k] = beyond<ExtremumOf<Fold>::maximum>(d, acc[row][k], v); };
  // The sum of what is taken at once is NaN where one of its terms is; infinities of both signs are taken for one, too.
  auto sum = hn::Zero(d);
  const int64_t i =
      forSixteens<asksAhead, rows, T>(group, [&](int row, int64_t k, hn::Vec<typename Sixteen<T>::D> v) HWY_ATTR {
        take(row, k, v);
        sum = row == 0 && k == 0 ? v : hn::Add(sum, v);
        if (row == rows - 1 && k == vectors - 1)
          nan = hn::Or(nan, hn::IsNaN(sum));
      });
  const int64_t left = group.count - i;
  for (int row = 0; row != rows && left != 0; ++row) {
    for (int64_t k = 0; k != vectors; ++k) {
      const auto v = loadRest<Fold>(group.data[row] + i, left, k);
      take(row, k, v);
      nan = hn::Or(nan, hn::IsNaN(v));
    }
  }
  if (!hn::AllFalse(d, nan))
    return false;
  using Numbers = NumbersFold<T, ExtremumOf<Fold>::maximum>;
  for (int row = 0; row != rows; ++row)
    out[row] = combineSixteen<Numbers>(acc[row]);
  return true;
}

/// Blocks of `rows` rows, side by side.
template <class Fold, bool asksAhead, int rows, typename From>
HWY_INLINE void rowBlocks(typename Fold::Acc *out, const RowGroup<From> &group) {
  using T = typename Fold::Acc;
  constexpr int64_t vectors = Sixteen<T>::vectors;
  if constexpr (ExtremumOf<Fold>::is)
    if (extremaOfNumbers<Fold, asksAhead, rows>(out, group))
      return;
  BlockLanes<Fold> lanes[rows];
  const int64_t i = forSixteens<asksAhead, rows, T>(
      group, [&](int row, int64_t k, auto v) HWY_ATTR { lanes[row].step(static_cast<size_t>(k), v); });
  for (int row = 0; row != rows; ++row) {
    if (i != group.count)
      for (int64_t k = 0; k != vectors; ++k)
        lanes[row].step(static_cast<size_t>(k), loadRest<Fold>(group.data[row] + i, group.count - i, k));
    out[row] = lanes[row].finish();
  }
}

template <class Fold, typename From> HWY_NOINLINE typename Fold::Acc rowBlock(const From *data, int64_t count) {
  typename Fold::Acc out;
  rowBlocks<Fold, false, 1, From>(&out, {&data, count, 0});
  return out;
}

template <class Fold, typename From>
HWY_NOINLINE void fourRowBlocks(typename Fold::Acc *out, const From *const *data, int64_t count, int64_t ahead) {
  static_assert(foldRows == 4);
  const From *const rows[foldRows] = {data[0], data[1], data[2], data[3]}; // `out` does not alias them
  if (ahead != 0)
    rowBlocks<Fold, true, foldRows, From>(out, {rows, count, ahead});
  else
    rowBlocks<Fold, false, foldRows, From>(out, {rows, count, 0});
}

/// `vectors` vectors of columns: the accumulators of all lanes stay in registers.
template <class Fold, int vectors, typename From>
HWY_INLINE void columnVectors(typename Fold::Acc *out, const From *data, int64_t stride, int64_t rows) {
  using T = typename Fold::Acc;
  const hn::CappedTag<T, foldLanes> d;
  const int64_t width = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<decltype(d)> acc[vectors][foldLanes];
  for (auto &lanes : acc)
    for (auto &lane : lanes)
      lane = hn::Set(d, Fold::init());
  int64_t i = 0;
  for (; i + foldLanes <= rows; i += foldLanes, data += foldLanes * stride)
    for (int lane = 0; lane != foldLanes; ++lane)
      for (int v = 0; v != vectors; ++v)
        acc[v][lane] = stepOf(Fold(), d, acc[v][lane], loadAs(d, data + lane * stride + v * width));
  for (int lane = 0; lane != foldLanes; ++lane) // unrolled, as registers have no indices
    if (i + lane < rows)
      for (int v = 0; v != vectors; ++v)
        acc[v][lane] = stepOf(Fold(), d, acc[v][lane], loadAs(d, data + lane * stride + v * width));
  for (int v = 0; v != vectors; ++v) {
    halve<Fold>(d, acc[v]);
    hn::StoreU(acc[v][0], d, out + v * width);
  }
}

/// The number of lanes of a vector of columns that are folded at once: registers hold them beside what a step needs.
constexpr int lanesAtOnce = TSC_VECTOR_REGISTERS == 32 ? foldLanes : foldLanes / 2;

/// Finds the largest or the smallest numbers of some of the 16 lanes, from `first` on, of a vector of columns. Returns
/// a mask of the columns that have a NaN, for which the result means nothing; infinities of both signs are taken for
/// one, too.
template <bool maximum, class D, typename T = hn::TFromD<D>>
HWY_INLINE hn::Mask<D> takeNumbers(D d, hn::Vec<D> *acc, const T *data, int64_t stride, int64_t rows, int64_t first) {
  auto nan = hn::Lt(hn::Zero(d), hn::Zero(d));
  for (int lane = 0; lane != lanesAtOnce; ++lane)
    acc[lane] = hn::Set(d, ExtremumFold<T, maximum>::init());
  int64_t i = first;
  for (; i + lanesAtOnce <= rows; i += foldLanes)
    for (int lane = 0; lane != lanesAtOnce; lane += 2) {
      const auto v = hn::LoadU(d, data + (i + lane) * stride), w = hn::LoadU(d, data + (i + lane + 1) * stride);
      acc[lane] = beyond<maximum>(d, acc[lane], v);
      acc[lane + 1] = beyond<maximum>(d, acc[lane + 1], w);
      nan = hn::Or(nan, hn::IsNaN(hn::Add(v, w)));
    }
  for (int lane = 0; lane != lanesAtOnce; ++lane) // unrolled, as registers have no indices
    if (i + lane < rows) {
      const auto v = hn::LoadU(d, data + (i + lane) * stride);
      acc[lane] = beyond<maximum>(d, acc[lane], v);
      nan = hn::Or(nan, hn::IsNaN(v));
    }
  return nan;
}

/// The extrema of a vector of columns, with the bits of their folds; false, and nothing said of them, where there is a
/// NaN.
template <class Fold, typename T = typename Fold::Acc>
HWY_INLINE bool extremaOfColumns(T *out, const T *data, int64_t stride, int64_t rows) {
  const hn::CappedTag<T, foldLanes> d;
  constexpr bool maximum = ExtremumOf<Fold>::maximum;
  hn::Vec<decltype(d)> acc[foldLanes];
  auto nan = takeNumbers<maximum>(d, acc, data, stride, rows, 0);
  if constexpr (lanesAtOnce != foldLanes)
    nan = hn::Or(nan, takeNumbers<maximum>(d, acc + lanesAtOnce, data, stride, rows, lanesAtOnce));
  if (!hn::AllFalse(d, nan))
    return false;
  halve<NumbersFold<T, maximum>>(d, acc);
  hn::StoreU(acc[0], d, out);
  return true;
}

/// Takes rows into some of the 16 lanes, from `first` on, of a vector of columns.
template <class Fold, typename D, typename From>
HWY_INLINE void takeLanes(D d, hn::Vec<D> (&acc)[lanesAtOnce], const From *data, int64_t stride, int64_t rows,
                          int64_t first) {
  int64_t i = first;
  for (; i + lanesAtOnce <= rows; i += foldLanes)
    for (int lane = 0; lane != lanesAtOnce; ++lane)
      acc[lane] = stepOf(Fold(), d, acc[lane], loadAs(d, data + (i + lane) * stride));
  for (int lane = 0; lane != lanesAtOnce; ++lane) // unrolled, as registers have no indices
    if (i + lane < rows)
      acc[lane] = stepOf(Fold(), d, acc[lane], loadAs(d, data + (i + lane) * stride));
}

/// The number of rows of a part: their lines take half of the nearest cache.
constexpr int64_t partRows = 256;
static_assert(partRows % foldLanes == 0);

/// The rows of a block in parts whose lines stay in the nearest cache, for vectors of columns that are a part of a line
/// each: all that a line has are folded before it is gone. The lanes are in memory between parts.
template <class Fold, typename From>
HWY_INLINE void narrowColumns(typename Fold::Acc *out, const From *data, int64_t stride, int64_t rows,
                              int64_t columns) {
  using T = typename Fold::Acc;
  const hn::CappedTag<T, foldLanes> d;
  constexpr int64_t width = hn::MaxLanes(d);
  assert(columns % width == 0 && columns <= foldColumns && "whole vectors");
  HWY_ALIGN T lanes[foldColumns * foldLanes];
  std::fill_n(lanes, columns * foldLanes, Fold::init());
  for (int64_t begin = 0; begin < rows; begin += partRows)
    for (int64_t k = 0; k != columns; k += width)
      for (int64_t first = 0; first != foldLanes; first += lanesAtOnce) {
        T *kept = lanes + k * foldLanes + first * width;
        hn::Vec<decltype(d)> acc[lanesAtOnce];
        for (int lane = 0; lane != lanesAtOnce; ++lane)
          acc[lane] = hn::Load(d, kept + lane * width);
        takeLanes<Fold>(d, acc, data + begin * stride + k, stride, std::min(partRows, rows - begin), first);
        for (int lane = 0; lane != lanesAtOnce; ++lane)
          hn::Store(acc[lane], d, kept + lane * width);
      }
  for (int64_t k = 0; k != columns; k += width) {
    hn::Vec<decltype(d)> acc[foldLanes];
    for (int lane = 0; lane != foldLanes; ++lane)
      acc[lane] = hn::Load(d, lanes + k * foldLanes + lane * width);
    halve<Fold>(d, acc);
    hn::StoreU(acc[0], d, out + k);
  }
}

template <class Fold, typename From>
HWY_NOINLINE void columnBlock(typename Fold::Acc *out, const From *data, int64_t stride, int64_t rows,
                              int64_t columns) {
  using T = typename Fold::Acc;
  const hn::CappedTag<T, foldLanes> d;
  constexpr int64_t width = hn::MaxLanes(d), line = 64;
  // The sums of two vectors of columns fill 32 registers. A fold needs some for itself where it is not one instruction
  // that takes an operand from memory.
  constexpr bool needsNoOther = TSC_HAS_MEMORY_OPERANDS && std::is_same_v<Fold, SumFold<T>>;
  constexpr int vectors = TSC_VECTOR_REGISTERS == 32 && needsNoOther ? 2 : 1;
  int64_t k = 0;
  if constexpr (!ExtremumOf<Fold>::is && vectors * width * int64_t{sizeof(From)} < line)
    if (rows > partRows) {
      k = columns / width * width;
      narrowColumns<Fold>(out, data, stride, rows, k);
    }
  for (; k + vectors * width <= columns; k += vectors * width) {
    if constexpr (ExtremumOf<Fold>::is)
      if (extremaOfColumns<Fold>(out + k, data + k, stride, rows))
        continue;
    columnVectors<Fold, vectors>(out + k, data + k, stride, rows);
  }
  for (; k + width <= columns; k += width)
    columnVectors<Fold, 1>(out + k, data + k, stride, rows);
  if (k != columns)
    foldColumnBlock(Fold(), out + k, data + k, stride, rows, columns - k);
}

/// A block of complex numbers, as pairs of reals: each sixteen are 32 lanes, of which halving combines whole numbers.
template <typename R> HWY_NOINLINE std::complex<R> complexRowBlock(const std::complex<R> *data, int64_t count) {
  constexpr int64_t reals = 2 * foldLanes;
  const hn::CappedTag<R, foldLanes> d;
  constexpr int64_t width = hn::MaxLanes(d), vectors = reals / width;
  const R *from = reinterpret_cast<const R *>(data);
  hn::Vec<decltype(d)> acc[vectors];
  for (auto &a : acc)
    a = hn::Zero(d);
  const int64_t n = 2 * count;
  int64_t i = 0;
  for (; i + reals <= n; i += reals)
    for (int64_t v = 0; v != vectors; ++v)
      acc[v] = hn::Add(acc[v], hn::LoadU(d, from + i + v * width));
  HWY_ALIGN R lanes[reals] = {};
  for (int64_t k = i; k < n; ++k)
    lanes[k - i] = from[k];
  for (int64_t v = 0; v != vectors; ++v)
    hn::Store(hn::Add(acc[v], hn::Load(d, lanes + v * width)), d, lanes + v * width);
  for (int64_t half = foldLanes; half >= 2; half /= 2)
    for (int64_t k = 0; k != half; ++k)
      lanes[k] += lanes[k + half];
  return {lanes[0], lanes[1]};
}
template <typename R>
HWY_NOINLINE void complexRowBlocks(std::complex<R> *out, const std::complex<R> *const *data, int64_t count, int64_t) {
  for (int row = 0; row != foldRows; ++row)
    out[row] = complexRowBlock(data[row], count);
}
/// Columns of complex numbers are twice as many of reals.
template <typename R>
HWY_NOINLINE void complexColumnBlock(std::complex<R> *out, const std::complex<R> *data, int64_t stride, int64_t rows,
                                     int64_t columns) {
  columnBlock<SumFold<R>, R>(reinterpret_cast<R *>(out), reinterpret_cast<const R *>(data), 2 * stride, rows,
                             2 * columns);
}
/// The product of a block of complex numbers: sixteen of them as vectors of real and of imaginary parts.
template <typename R> HWY_NOINLINE std::complex<R> complexProductBlock(const std::complex<R> *data, int64_t count) {
  using Fold = ProdFold<std::complex<R>>;
  const hn::CappedTag<R, foldLanes> d;
  constexpr int64_t width = hn::MaxLanes(d), vectors = foldLanes / width;
  const R *from = reinterpret_cast<const R *>(data);
  hn::Vec<decltype(d)> re[vectors], im[vectors];
  for (int64_t v = 0; v != vectors; ++v)
    re[v] = hn::Set(d, R(1)), im[v] = hn::Zero(d);
  int64_t i = 0;
  for (; i + foldLanes <= count; i += foldLanes)
    for (int64_t v = 0; v != vectors; ++v) {
      hn::Vec<decltype(d)> x, y;
      hn::LoadInterleaved2(d, from + 2 * (i + v * width), x, y);
      const auto real = hn::Sub(hn::Mul(re[v], x), hn::Mul(im[v], y));
      im[v] = hn::Add(hn::Mul(re[v], y), hn::Mul(im[v], x));
      re[v] = real;
    }
  std::complex<R> lanes[foldLanes];
  for (int64_t v = 0; v != vectors; ++v)
    hn::StoreInterleaved2(re[v], im[v], d, reinterpret_cast<R *>(lanes + v * width));
  for (int64_t k = 0; i + k != count; ++k)
    lanes[k] = Fold::combine(lanes[k], data[i + k]);
  for (int64_t half = foldLanes / 2; half; half /= 2)
    for (int64_t k = 0; k != half; ++k)
      lanes[k] = Fold::combine(lanes[k], lanes[k + half]);
  return lanes[0];
}
template <typename R>
HWY_NOINLINE void complexProductBlocks(std::complex<R> *out, const std::complex<R> *const *data, int64_t count,
                                       int64_t) {
  for (int row = 0; row != foldRows; ++row)
    out[row] = complexProductBlock(data[row], count);
}
template <typename R>
HWY_NOINLINE void complexProductColumns(std::complex<R> *out, const std::complex<R> *data, int64_t stride, int64_t rows,
                                        int64_t columns) {
  foldColumnBlock(ProdFold<std::complex<R>>(), out, data, stride, rows, columns);
}
static BlockKernels<std::complex<float>> complexFloatProducts() {
  return {&complexProductBlock<float>, &complexProductBlocks<float>, &complexProductColumns<float>};
}
static BlockKernels<std::complex<double>> complexDoubleProducts() {
  return {&complexProductBlock<double>, &complexProductBlocks<double>, &complexProductColumns<double>};
}
static BlockKernels<std::complex<float>> complexFloatSums() {
  return {&complexRowBlock<float>, &complexRowBlocks<float>, &complexColumnBlock<float>};
}
static BlockKernels<std::complex<double>> complexDoubleSums() {
  return {&complexRowBlock<double>, &complexRowBlocks<double>, &complexColumnBlock<double>};
}

static const HalfSumKernels<BFloat16> *bfloat16Sums() {
  static constexpr HalfSumKernels<BFloat16> kernels = {&rowBlock<SumFold<float>, BFloat16>,
                                                       &fourRowBlocks<SumFold<float>, BFloat16>,
                                                       &columnBlock<SumFold<float>, BFloat16>};
  return &kernels;
}
static const HalfSumKernels<Half> *halfSums() {
  if constexpr (!convertsHalves) {
    return nullptr;
  } else {
    static constexpr HalfSumKernels<Half> kernels = {
        &rowBlock<SumFold<float>, Half>, &fourRowBlocks<SumFold<float>, Half>, &columnBlock<SumFold<float>, Half>};
    return &kernels;
  }
}

// clang-format off
#define TSC_FOLD_KERNELS(FOLD, TYPE)                                                                                   \
  static BlockKernels<TYPE> FOLD##_##TYPE() {                                                                          \
    return {&rowBlock<FOLD<TYPE>, TYPE>, &fourRowBlocks<FOLD<TYPE>, TYPE>, &columnBlock<FOLD<TYPE>, TYPE>};            \
  }
// clang-format on
TSC_SIMD_FOLDS(TSC_FOLD_KERNELS)
#undef TSC_FOLD_KERNELS
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
// clang-format off
#define TSC_EXPORT_FOLD(FOLD, TYPE)                                                                                    \
  const BlockKernels<TYPE> *SimdBlocks<FOLD<TYPE>>::get() {                                                            \
    static const BlockKernels<TYPE> kernels = TSC_BEST_OF(FOLD##_##TYPE)();                                            \
    return &kernels;                                                                                                   \
  }
// clang-format on
TSC_SIMD_FOLDS(TSC_EXPORT_FOLD)
#undef TSC_EXPORT_FOLD
const BlockKernels<std::complex<float>> *SimdBlocks<SumFold<std::complex<float>>>::get() {
  static const BlockKernels<std::complex<float>> kernels = TSC_BEST_OF(complexFloatSums)();
  return &kernels;
}
const BlockKernels<std::complex<double>> *SimdBlocks<SumFold<std::complex<double>>>::get() {
  static const BlockKernels<std::complex<double>> kernels = TSC_BEST_OF(complexDoubleSums)();
  return &kernels;
}
const BlockKernels<std::complex<float>> *SimdBlocks<ProdFold<std::complex<float>>>::get() {
  static const BlockKernels<std::complex<float>> kernels = TSC_BEST_OF(complexFloatProducts)();
  return &kernels;
}
const BlockKernels<std::complex<double>> *SimdBlocks<ProdFold<std::complex<double>>>::get() {
  static const BlockKernels<std::complex<double>> kernels = TSC_BEST_OF(complexDoubleProducts)();
  return &kernels;
}
template <> const HalfSumKernels<BFloat16> *halfSumKernels<BFloat16>() { return TSC_BEST_OF(bfloat16Sums)(); }
template <> const HalfSumKernels<Half> *halfSumKernels<Half>() { return TSC_BEST_OF(halfSums)(); }
} // namespace tsc::cpu
#endif
