//===- SimdDenseRows.cpp - Rows that factorizations combine, on vectors ---===//
//
// Four rows at a time, so that what they share is loaded once.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "LinearAlgebra/SimdDenseRows.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "DenseRows.h"
#include "hwy/highway.h"
#include <type_traits>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

namespace {
using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
constexpr D d{};
constexpr int64_t width = hn::MaxLanes(D());

/// Calls f(j, load, store) for every vector of a row; the last one may be in part, and lanes beyond load zeros.
template <class F> HWY_INLINE void forVectors(int64_t n, F f) {
  int64_t j = 0;
  for (; j + width <= n; j += width)
    f(
        j, [](const double *from) HWY_ATTR { return hn::LoadU(d, from); },
        [](double *to, V v) HWY_ATTR { hn::StoreU(v, d, to); });
  if (j == n)
    return;
  const int64_t count = n - j;
#if TSC_HAS_MASKS
  const auto mask = hn::FirstN(d, static_cast<size_t>(count));
  f(
      j, [&](const double *from) HWY_ATTR { return hn::MaskedLoad(mask, d, from); },
      [&](double *to, V v) HWY_ATTR { hn::BlendedStore(v, mask, d, to); });
#else
  f(
      j,
      [&](const double *from) HWY_ATTR {
#if TSC_HAS_MASKED_LOADS // a vector that is loaded of elements just stored would wait for them
        return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
#else
        HWY_ALIGN double lanes[width] = {};
        for (int64_t i = 0; i != count; ++i)
          lanes[i] = from[i];
        return hn::Load(d, lanes);
#endif
      },
      [&](double *to, V v) HWY_ATTR {
        HWY_ALIGN double lanes[width];
        hn::Store(v, d, lanes);
        for (int64_t i = 0; i != count; ++i)
          to[i] = lanes[i];
      });
#endif
}

/// One vector of each row.
template <int rows, class Load> HWY_INLINE void loadRows(V (&vectors)[rows], const double *x, int64_t step, Load load) {
  for (int r = 0; r != rows; ++r)
    vectors[r] = load(x + r * step);
}

template <int rows, class Store>
HWY_INLINE void storeRows(const V (&vectors)[rows], double *x, int64_t step, Store store) {
  for (int r = 0; r != rows; ++r)
    store(x + r * step, vectors[r]);
}

/// The products of `rows` rows with v.
template <int rows> HWY_INLINE void dots(const double *x, int64_t step, const double *v, int64_t n, double *out) {
  V sums[rows], others[rows]; // two each: the additions of one wait for each other
  for (int r = 0; r != rows; ++r)
    sums[r] = others[r] = hn::Zero(d);
  int64_t j = 0;
  for (; j + 2 * width <= n; j += 2 * width) {
    const V a = hn::LoadU(d, v + j), b = hn::LoadU(d, v + j + width);
    for (int r = 0; r != rows; ++r) {
      sums[r] = hn::MulAdd(a, hn::LoadU(d, x + r * step + j), sums[r]);
      others[r] = hn::MulAdd(b, hn::LoadU(d, x + r * step + j + width), others[r]);
    }
  }
  forVectors(n - j, [&](int64_t i, auto load, auto) HWY_ATTR {
    const V a = load(v + j + i);
    for (int r = 0; r != rows; ++r)
      sums[r] = hn::MulAdd(a, load(x + r * step + j + i), sums[r]);
  });
  for (int r = 0; r != rows; ++r)
    out[r] = hn::GetLane(hn::SumOfLanes(d, hn::Add(sums[r], others[r])));
}

template <int rows>
HWY_INLINE void addMultiples(double *x, int64_t step, const double *factors, const double *v, int64_t n) {
  V spread[rows];
  for (int r = 0; r != rows; ++r)
    spread[r] = hn::Set(d, factors[r]);
  forVectors(n, [&](int64_t j, auto load, auto store) HWY_ATTR {
    const V a = load(v + j);
    for (int r = 0; r != rows; ++r)
      store(x + r * step + j, hn::MulAdd(spread[r], a, load(x + r * step + j)));
  });
}

template <int rows> HWY_INLINE void reflectRows(double *x, int64_t step, const double *v, double tau, int64_t n) {
  double factors[rows];
  dots<rows>(x, step, v, n, factors);
  for (double &factor : factors)
    factor *= -tau;
  addMultiples<rows>(x, step, factors, v, n);
}
HWY_NOINLINE void reflect(double *rows, int64_t step, int64_t count, const double *v, double tau, int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    reflectRows<4>(rows + i * step, step, v, tau, n);
  for (; i != count; ++i)
    reflectRows<1>(rows + i * step, step, v, tau, n);
}

/// Adds what `n` elements contribute to the products of rows with the joined vectors, in the lanes of `sums`.
template <int rows>
HWY_INLINE void addProducts(V (*sums)[linalg::joinedReflections], const double *x, int64_t step, const double *vectors,
                            int64_t vectorStep, int64_t n) {
  constexpr int count = linalg::joinedReflections;
  V total[rows][count];
  for (int r = 0; r != rows; ++r)
    for (int k = 0; k != count; ++k)
      total[r][k] = sums[r][k];
  forVectors(n, [&](int64_t j, auto load, auto) HWY_ATTR {
    V element[rows];
    loadRows(element, x + j, step, load);
    for (int k = 0; k != count; ++k) {
      const V v = load(vectors + k * vectorStep + j);
      for (int r = 0; r != rows; ++r)
        total[r][k] = hn::MulAdd(v, element[r], total[r][k]);
    }
  });
  for (int r = 0; r != rows; ++r)
    for (int k = 0; k != count; ++k)
      sums[r][k] = total[r][k];
}
/// Takes the joined vectors, each times a factor for each row, from `n` elements of the rows.
template <int rows>
HWY_INLINE void subtractJoined(double *x, int64_t step, const double *vectors, int64_t vectorStep,
                               const double (*factors)[linalg::joinedReflections], int64_t n) {
  constexpr int count = linalg::joinedReflections;
  V spread[rows][count];
  for (int r = 0; r != rows; ++r)
    for (int i = 0; i != count; ++i)
      spread[r][i] = hn::Set(d, factors[r][i]);
  forVectors(n, [&](int64_t j, auto load, auto store) HWY_ATTR {
    V element[rows];
    loadRows(element, x + j, step, load);
    for (int i = 0; i != count; ++i) {
      const V v = load(vectors + i * vectorStep + j);
      for (int r = 0; r != rows; ++r)
        element[r] = hn::NegMulAdd(spread[r][i], v, element[r]);
    }
    storeRows(element, x + j, step, store);
  });
}
/// Calls f(first row, a constant number of rows) for rows [0, count).
template <int atOnce, class F> HWY_INLINE void forRows(int64_t count, F f) {
  int64_t i = 0;
  for (; i + atOnce <= count; i += atOnce)
    f(i, std::integral_constant<int, atOnce>());
  for (; i != count; ++i)
    f(i, std::integral_constant<int, 1>());
}
/// All reflections' products with a row are made before it changes, so that it is loaded twice and stored once for all.
/// The parts of the vectors that go over a few rows stay in the nearest cache meanwhile.
HWY_NOINLINE void reflectTogether(double *rows, int64_t step, int64_t count, const double *vectors, int64_t vectorStep,
                                  const double *factors, int64_t n) {
  constexpr int joined = linalg::joinedReflections;
  constexpr int atOnce = TSC_VECTOR_REGISTERS == 32 ? 4 : 3; // whose sums fit in registers
  constexpr int64_t mostRows = 12, part = 256;
  for (; count > 0; count -= mostRows, rows += mostRows * step) {
    const int64_t some = count < mostRows ? count : mostRows;
    V sums[mostRows][joined];
    double multiples[mostRows][joined];
    for (int64_t r = 0; r != some; ++r)
      for (int k = 0; k != joined; ++k)
        sums[r][k] = hn::Zero(d);
    for (int64_t j = 0; j < n; j += part)
      forRows<atOnce>(some, [&](int64_t r, auto number) HWY_ATTR {
        addProducts<number.value>(sums + r, rows + r * step + j, step, vectors + j, vectorStep,
                                  n - j < part ? n - j : part);
      });
    for (int64_t r = 0; r != some; ++r) {
      double products[joined];
      for (int k = 0; k != joined; ++k)
        products[k] = hn::GetLane(hn::SumOfLanes(d, sums[r][k]));
      for (int i = 0; i != joined; ++i) {
        multiples[r][i] = 0;
        for (int k = 0; k != joined; ++k)
          multiples[r][i] += factors[i * joined + k] * products[k];
      }
    }
    for (int64_t j = 0; j < n; j += part)
      forRows<atOnce>(some, [&](int64_t r, auto number) HWY_ATTR {
        subtractJoined<number.value>(rows + r * step + j, step, vectors + j, vectorStep, multiples + r,
                                     n - j < part ? n - j : part);
      });
  }
}

/// Columns that stay in registers on their way down the rows.
template <int vectors, class Load, class Store>
HWY_INLINE void rotateColumns(double *rows, int64_t step, const double *cosines, const double *sines, int64_t count,
                              Load load, Store store) {
  V x[vectors];
  for (int i = 0; i != vectors; ++i)
    x[i] = load(rows + i * width);
  for (int64_t k = 0; k != count; ++k, rows += step) {
    const V c = hn::Set(d, cosines[k]), s = hn::Set(d, sines[k]);
    for (int i = 0; i != vectors; ++i) {
      const V y = load(rows + step + i * width);
      store(rows + i * width, hn::MulAdd(c, x[i], hn::Mul(s, y)));
      x[i] = hn::NegMulAdd(s, x[i], hn::Mul(c, y));
    }
  }
  for (int i = 0; i != vectors; ++i)
    store(rows + i * width, x[i]);
}
HWY_NOINLINE void rotate(double *rows, int64_t step, const double *cosines, const double *sines, int64_t count,
                         int64_t n) {
  constexpr int vectors = 4;
  auto load = [](const double *from) HWY_ATTR { return hn::LoadU(d, from); };
  auto store = [](double *to, V v) HWY_ATTR { hn::StoreU(v, d, to); };
  int64_t j = 0;
  for (; j + vectors * width <= n; j += vectors * width)
    rotateColumns<vectors>(rows + j, step, cosines, sines, count, load, store);
  forVectors(n - j, [&](int64_t i, auto loadPart, auto storePart)
                        HWY_ATTR { rotateColumns<1>(rows + j + i, step, cosines, sines, count, loadPart, storePart); });
}

template <int rows>
HWY_INLINE void updateRows(double *x, int64_t step, const double *u, const double *y, const double *z, const double *v,
                           const double *w, double *sum, int64_t n) {
  V a[rows], b[rows], c[rows];
  for (int r = 0; r != rows; ++r)
    a[r] = hn::Set(d, u[r]), b[r] = hn::Set(d, z[r]), c[r] = hn::Set(d, w[r]);
  forVectors(n, [&](int64_t j, auto load, auto store) HWY_ATTR {
    const V yj = load(y + j), vj = load(v + j);
    V total = load(sum + j);
    for (int r = 0; r != rows; ++r) {
      const V element = hn::NegMulAdd(b[r], vj, hn::NegMulAdd(a[r], yj, load(x + r * step + j)));
      store(x + r * step + j, element);
      total = hn::MulAdd(c[r], element, total);
    }
    store(sum + j, total);
  });
}
HWY_NOINLINE void updateTwice(double *rows, int64_t step, int64_t count, const double *u, const double *y,
                              const double *x, const double *v, const double *w, double *sum, int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    updateRows<4>(rows + i * step, step, u + i, y, x + i, v, w + i, sum, n);
  for (; i != count; ++i)
    updateRows<1>(rows + i * step, step, u + i, y, x + i, v, w + i, sum, n);
}

HWY_NOINLINE void multiply(const double *rows, int64_t step, int64_t count, const double *v, double *out, int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    dots<4>(rows + i * step, step, v, n, out + i);
  for (; i != count; ++i)
    dots<1>(rows + i * step, step, v, n, out + i);
}

HWY_NOINLINE void subtractOuter(double *rows, int64_t step, int64_t count, const double *factors, const double *other,
                                int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const double negative[4] = {-factors[i], -factors[i + 1], -factors[i + 2], -factors[i + 3]};
    addMultiples<4>(rows + i * step, step, negative, other, n);
  }
  for (; i != count; ++i) {
    const double negative = -factors[i];
    addMultiples<1>(rows + i * step, step, &negative, other, n);
  }
}

/// (f x) of complex numbers as pairs: f.re x + (-f.im, f.im) * (x with parts exchanged).
struct ComplexFactor {
  V real, turned;
  HWY_INLINE explicit ComplexFactor(const double *f)
      : real(hn::Set(d, f[0])), turned(hn::OddEven(hn::Set(d, f[1]), hn::Set(d, -f[1]))) {}
  /// sum - f x
  HWY_INLINE V subtractProduct(V sum, V x, V exchanged) const {
    return hn::NegMulAdd(turned, exchanged, hn::NegMulAdd(real, x, sum));
  }
};

template <int rows>
HWY_INLINE void subtractComplexMultiples(double *x, int64_t step, const double *factors, const double *v, int64_t n) {
  forVectors(n, [&](int64_t j, auto load, auto store) HWY_ATTR {
    const V a = load(v + j), exchanged = hn::Reverse2(d, a);
    for (int r = 0; r != rows; ++r)
      store(x + r * step + j, ComplexFactor(factors + 2 * r).subtractProduct(load(x + r * step + j), a, exchanged));
  });
}
HWY_NOINLINE void subtractComplexOuter(double *rows, int64_t step, int64_t count, const double *factors,
                                       const double *other, int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    subtractComplexMultiples<4>(rows + i * step, step, factors + 2 * i, other, n);
  for (; i != count; ++i)
    subtractComplexMultiples<1>(rows + i * step, step, factors + 2 * i, other, n);
}

/// The products of `rows` rows with v: the parts of each sum come from those of equal parts and of different ones.
template <int rows>
HWY_INLINE void complexDots(const double *x, int64_t step, const double *v, int64_t n, double *out) {
  V equal[rows], different[rows];
  for (int r = 0; r != rows; ++r)
    equal[r] = different[r] = hn::Zero(d);
  forVectors(n, [&](int64_t j, auto load, auto) HWY_ATTR {
    const V a = load(v + j), exchanged = hn::Reverse2(d, a);
    for (int r = 0; r != rows; ++r) {
      const V element = load(x + r * step + j);
      equal[r] = hn::MulAdd(element, a, equal[r]);
      different[r] = hn::MulAdd(element, exchanged, different[r]);
    }
  });
  for (int r = 0; r != rows; ++r) {
    out[2 * r] = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(hn::Neg(equal[r]), equal[r])));
    out[2 * r + 1] = hn::GetLane(hn::SumOfLanes(d, different[r]));
  }
}
HWY_NOINLINE void multiplyComplex(const double *rows, int64_t step, int64_t count, const double *v, double *out,
                                  int64_t n) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    complexDots<4>(rows + i * step, step, v, n, out + 2 * i);
  for (; i != count; ++i)
    complexDots<1>(rows + i * step, step, v, n, out + 2 * i);
}

/// A product's parts are exchanged once for all vectors, and not each vector's elements.
template <int rows>
HWY_INLINE void reflectComplexRowsTogether(double *x, int64_t step, const double *vectors, int64_t vectorStep,
                                           const double *factors, int64_t n) {
  constexpr int count = linalg::joinedReflections;
  V equal[rows][count], different[rows][count];
  for (int r = 0; r != rows; ++r)
    for (int k = 0; k != count; ++k)
      equal[r][k] = different[r][k] = hn::Zero(d);
  forVectors(n, [&](int64_t j, auto load, auto) HWY_ATTR {
    V element[rows], exchanged[rows];
    loadRows(element, x + j, step, load);
    for (int r = 0; r != rows; ++r)
      exchanged[r] = hn::Reverse2(d, element[r]);
    for (int k = 0; k != count; ++k) {
      const V v = load(vectors + k * vectorStep + j);
      for (int r = 0; r != rows; ++r) {
        equal[r][k] = hn::MulAdd(element[r], v, equal[r][k]);
        different[r][k] = hn::MulAdd(exchanged[r], v, different[r][k]);
      }
    }
  });
  V real[rows][count], imaginary[rows][count];
  for (int r = 0; r != rows; ++r) {
    double products[2 * count];
    for (int k = 0; k != count; ++k) { // (x.im v.re, x.re v.im) are different parts' products
      products[2 * k] = hn::GetLane(hn::SumOfLanes(d, equal[r][k]));
      products[2 * k + 1] = hn::GetLane(hn::SumOfLanes(d, hn::OddEven(hn::Neg(different[r][k]), different[r][k])));
    }
    for (int i = 0; i != count; ++i) {
      double re = 0, im = 0;
      for (int k = 0; k != count; ++k) {
        const double *f = factors + 2 * (i * count + k), *p = products + 2 * k;
        re += f[0] * p[0] - f[1] * p[1];
        im += f[0] * p[1] + f[1] * p[0];
      }
      real[r][i] = hn::Set(d, re), imaginary[r][i] = hn::Set(d, im);
    }
  }
  forVectors(n, [&](int64_t j, auto load, auto store) HWY_ATTR {
    V element[rows], turned[rows];
    loadRows(element, x + j, step, load);
    for (int r = 0; r != rows; ++r)
      turned[r] = hn::Zero(d);
    for (int i = 0; i != count; ++i) {
      const V v = load(vectors + i * vectorStep + j);
      for (int r = 0; r != rows; ++r) {
        element[r] = hn::NegMulAdd(real[r][i], v, element[r]);
        turned[r] = hn::MulAdd(imaginary[r][i], v, turned[r]);
      }
    }
    for (int r = 0; r != rows; ++r) { // i (a + b i) = -b + a i
      const V exchanged = hn::Reverse2(d, turned[r]);
      element[r] = hn::Sub(element[r], hn::OddEven(exchanged, hn::Neg(exchanged)));
    }
    storeRows(element, x + j, step, store);
  });
}
HWY_NOINLINE void reflectComplexTogether(double *rows, int64_t step, int64_t count, const double *vectors,
                                         int64_t vectorStep, const double *factors, int64_t n) {
  constexpr int atOnce = TSC_VECTOR_REGISTERS == 32 ? 2 : 1; // whose sums fit in registers
  int64_t i = 0;
  for (; i + atOnce <= count; i += atOnce)
    reflectComplexRowsTogether<atOnce>(rows + i * step, step, vectors, vectorStep, factors, n);
  for (; i != count; ++i)
    reflectComplexRowsTogether<1>(rows + i * step, step, vectors, vectorStep, factors, n);
}

/// One row that stays in registers while the others are taken from it.
template <int vectors, bool isComplex, class Load, class Store>
HWY_INLINE void subtractColumns(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                                Load load, Store store) {
  V sums[vectors];
  for (int i = 0; i != vectors; ++i)
    sums[i] = load(row + i * width);
  for (int64_t k = 0; k != count; ++k, others += step) {
    if constexpr (isComplex) {
      const ComplexFactor factor(factors + 2 * k);
      for (int i = 0; i != vectors; ++i) {
        const V x = load(others + i * width);
        sums[i] = factor.subtractProduct(sums[i], x, hn::Reverse2(d, x));
      }
    } else {
      const V factor = hn::Set(d, factors[k]);
      for (int i = 0; i != vectors; ++i)
        sums[i] = hn::NegMulAdd(factor, load(others + i * width), sums[i]);
    }
  }
  for (int i = 0; i != vectors; ++i)
    store(row + i * width, sums[i]);
}
template <bool isComplex>
HWY_NOINLINE void subtractRows(double *row, const double *others, int64_t step, const double *factors, int64_t count,
                               int64_t n) {
  constexpr int vectors = 4;
  auto load = [](const double *from) HWY_ATTR { return hn::LoadU(d, from); };
  auto store = [](double *to, V v) HWY_ATTR { hn::StoreU(v, d, to); };
  int64_t j = 0;
  for (; j + vectors * width <= n; j += vectors * width)
    subtractColumns<vectors, isComplex>(row + j, others + j, step, factors, count, load, store);
  forVectors(n - j, [&](int64_t i, auto loadPart, auto storePart) HWY_ATTR {
    subtractColumns<1, isComplex>(row + j + i, others + j + i, step, factors, count, loadPart, storePart);
  });
}

HWY_NOINLINE int64_t largest(const double *x, int64_t n) {
  assert(n > 0 && "there is a largest element");
  V most = hn::Set(d, -1);
  forVectors(n, [&](int64_t j, auto load, auto) HWY_ATTR {
    const V a = hn::Abs(load(x + j));
    most = hn::IfThenElse(hn::Gt(a, most), a, most);
  });
  const double value = hn::GetLane(hn::MaxOfLanes(d, most));
  for (int64_t i = 0; i != n; ++i)
    if ((x[i] < 0 ? -x[i] : x[i]) == value)
      return i;
  return 0;
}

HWY_NOINLINE void poles(const double *offsets, const double *squares, double x, int64_t n, double *sum, double *slope) {
  const V at = hn::Set(d, x), one = hn::Set(d, 1);
  V sums = hn::Zero(d), slopes = hn::Zero(d);
  int64_t j = 0;
  for (; j + width <= n; j += width) {
    const V inverse = hn::Div(one, hn::Sub(hn::LoadU(d, offsets + j), at));
    const V term = hn::Mul(hn::LoadU(d, squares + j), inverse);
    sums = hn::Add(sums, term);
    slopes = hn::MulAdd(term, inverse, slopes);
  }
  double rest = hn::GetLane(hn::SumOfLanes(d, sums)), restSlope = hn::GetLane(hn::SumOfLanes(d, slopes));
  for (; j < n; ++j) { // lanes beyond would divide by zero
    const double inverse = 1 / (offsets[j] - x), term = squares[j] * inverse;
    rest += term;
    restSlope += term * inverse;
  }
  *sum += rest;
  *slope += restSlope;
}
} // namespace

static linalg::RowKernels kernels() {
  return {&reflect,
          &reflectTogether,
          &rotate,
          &updateTwice,
          &multiply,
          &subtractOuter,
          &largest,
          &subtractRows<false>,
          &poles,
          &reflectComplexTogether,
          &multiplyComplex,
          &subtractComplexOuter,
          &subtractRows<true>};
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
const linalg::RowKernels &linalg::rowKernels() {
  static const RowKernels table = TSC_BEST_OF(kernels)();
  return table;
}
} // namespace tsc::cpu
#endif
