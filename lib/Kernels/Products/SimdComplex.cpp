//===- SimdComplex.cpp - Products of complex numbers, on vectors ----------===//
//
// Numbers stay pairs. What parts of one kind give and what those of different kinds give are summed apart, and put
// together once at the end.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Products/SimdComplex.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "ComplexRows.h"
#include "hwy/highway.h"
#include <cstring>

#include "GemmVectors.h"

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
static HWY_NOINLINE std::complex<T> dot(const std::complex<T> *a, const std::complex<T> *b, int64_t n,
                                        bool conjugated) {
  const Tag<T> d;
  constexpr int chains = 4;
  const T *x = reinterpret_cast<const T *>(a), *y = reinterpret_cast<const T *>(b);
  Vec<T> equal[chains], different[chains];
  for (int k = 0; k != chains; ++k)
    equal[k] = different[k] = hn::Zero(d);
  auto step = [&](int k, Vec<T> left, Vec<T> right) HWY_ATTR {
    equal[k] = hn::MulAdd(left, right, equal[k]);
    different[k] = hn::MulAdd(left, hn::Reverse2(d, right), different[k]);
  };
  int64_t i = 0;
  for (; i + chains * Width<T> <= 2 * n; i += chains * Width<T>)
    for (int k = 0; k != chains; ++k)
      step(k, hn::LoadU(d, x + i + k * Width<T>), hn::LoadU(d, y + i + k * Width<T>));
  for (; i + Width<T> <= 2 * n; i += Width<T>)
    step(0, hn::LoadU(d, x + i), hn::LoadU(d, y + i));
  if (i != 2 * n)
    step(1, loadPart(x + i, 2 * n - i), loadPart(y + i, 2 * n - i));
  for (int half = chains / 2; half; half /= 2)
    for (int k = 0; k != half; ++k)
      equal[k] = hn::Add(equal[k], equal[k + half]), different[k] = hn::Add(different[k], different[k + half]);
  Vec<T> &odd = conjugated ? different[0] : equal[0]; // whose products of imaginary parts are taken away
  odd = hn::OddEven(hn::Neg(odd), odd);
  return {hn::GetLane(hn::SumOfLanes(d, equal[0])), hn::GetLane(hn::SumOfLanes(d, different[0]))};
}

/// `rows` rows of a product in one vector's columns.
template <int rows, typename T, class Load, class Store>
HWY_INLINE void productTile(int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b, int64_t bRow, T *c,
                            int64_t cRow, bool accumulate, Load load, Store store) {
  const Tag<T> d;
  Vec<T> equal[rows], different[rows];
  for (int r = 0; r != rows; ++r)
    equal[r] = different[r] = hn::Zero(d);
  for (int64_t p = 0; p != k; ++p, a += aColumn, b += bRow) {
    const Vec<T> v = load(b), exchanged = hn::Reverse2(d, v);
    for (int r = 0; r != rows; ++r) {
      equal[r] = hn::MulAdd(hn::Set(d, a[r * aRow]), v, equal[r]);
      different[r] = hn::MulAdd(hn::Set(d, a[r * aRow + 1]), exchanged, different[r]);
    }
  }
  for (int r = 0; r != rows; ++r) {
    Vec<T> sum = hn::OddEven(hn::Add(equal[r], different[r]), hn::Sub(equal[r], different[r]));
    if (accumulate)
      sum = hn::Add(load(c + r * cRow), sum);
    store(sum, c + r * cRow);
  }
}
template <typename T, class Load, class Store>
HWY_INLINE void productColumns(int64_t m, int64_t k, const T *a, int64_t aRow, int64_t aColumn, const T *b,
                               int64_t bRow, T *c, int64_t cRow, bool accumulate, Load load, Store store) {
  constexpr int tall = TSC_VECTOR_REGISTERS == 32 ? 8 : 4; // whose sums fit in registers
  int64_t i = 0;
  for (; i + tall <= m; i += tall)
    productTile<tall>(k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow, accumulate, load, store);
  for (; i + 2 <= m; i += 2)
    productTile<2>(k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow, accumulate, load, store);
  if (i != m)
    productTile<1>(k, a + i * aRow, aRow, aColumn, b, bRow, c + i * cRow, cRow, accumulate, load, store);
}

template <typename T>
static HWY_NOINLINE void product(int64_t m, int64_t n, int64_t k, const std::complex<T> *a, int64_t aRow,
                                 int64_t aColumn, const std::complex<T> *b, int64_t bRow, std::complex<T> *c,
                                 int64_t cRow, bool accumulate) {
  const Tag<T> d;
  const T *left = reinterpret_cast<const T *>(a), *right = reinterpret_cast<const T *>(b);
  T *out = reinterpret_cast<T *>(c);
  auto columnsFrom = [&](int64_t j, auto load, auto store) HWY_ATTR {
    productColumns(m, k, left, 2 * aRow, 2 * aColumn, right + j, 2 * bRow, out + j, 2 * cRow, accumulate, load, store);
  };
  int64_t j = 0;
  for (; j + Width<T> <= 2 * n; j += Width<T>)
    columnsFrom(
        j, [&](const T *from) HWY_ATTR { return hn::LoadU(d, from); },
        [&](Vec<T> v, T *to) HWY_ATTR { hn::StoreU(v, d, to); });
  if (const int64_t rest = 2 * n - j; rest != 0)
    columnsFrom(
        j, [&](const T *from) HWY_ATTR { return loadPart(from, rest); },
        [&](Vec<T> v, T *to) HWY_ATTR { storePart(v, to, rest); });
}

static complexes::Kernels<float> ofFloats() { return {&dot<float>, &product<float>}; }
static complexes::Kernels<double> ofDoubles() { return {&dot<double>, &product<double>}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const complexes::Kernels<float> &complexes::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(ofFloats)();
  return table;
}
template <> const complexes::Kernels<double> &complexes::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(ofDoubles)();
  return table;
}
} // namespace tsc::cpu
#endif
