//===- SimdFft.cpp - The passes of a Stockham transform -------------------===//
//
// Plain C++ over planes of real and imaginary parts, which the compiler turns into
// vectors: along the transforms side by side, and where there is one, along the runs
// of its later passes. The first pass of one is written as vectors.
//
//===----------------------------------------------------------------------===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Fourier/SimdFft.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "FftPlan.h"
#include "hwy/highway.h"
#include <utility>

HWY_BEFORE_NAMESPACE(); // not small code: the compiler makes vectors of loops here
#pragma clang fp contract(fast)

namespace tsc::cpu::HWY_NAMESPACE {
using fft::Planes;
using fft::Stage;

/// What of a stage is done at once: of rows of neighbours some, and of each the elements from begin to end. The first
/// stage of one transform has one row, of the elements of a part; any other has one for each element of a part.
struct Piece {
  int64_t firstRow, endRow, begin, end;
};

/// The transform of R numbers, an odd number of them, in place: the sums and differences of each pair of opposite ones
/// serve two results. T is S, or a vector of S.
template <int R, typename T, typename S = T> struct Butterfly {
  static_assert(R % 2 == 1);
  static HWY_INLINE void run(T *re, T *im, const S *roots) {
    constexpr int pairs = (R - 1) / 2;
    T sumRe[pairs], sumIm[pairs], restRe[pairs], restIm[pairs];
    const T firstRe = re[0], firstIm = im[0];
#pragma unroll
    for (int j = 1; j <= pairs; ++j) {
      sumRe[j - 1] = re[j] + re[R - j], sumIm[j - 1] = im[j] + im[R - j];
      restRe[j - 1] = re[j] - re[R - j], restIm[j - 1] = im[j] - im[R - j];
      re[0] += sumRe[j - 1], im[0] += sumIm[j - 1];
    }
#pragma unroll
    for (int k = 1; k <= pairs; ++k) {
      T evenRe = firstRe, evenIm = firstIm, oddRe = roots[2 * k + 1] * restIm[0], oddIm = roots[2 * k + 1] * restRe[0];
#pragma unroll
      for (int j = 1; j <= pairs; ++j) {
        const S c = roots[2 * (j * k % R)], s = roots[2 * (j * k % R) + 1];
        evenRe += sumRe[j - 1] * c, evenIm += sumIm[j - 1] * c;
        if (j != 1)
          oddRe += restIm[j - 1] * s, oddIm += restRe[j - 1] * s;
      }
      re[k] = evenRe - oddRe, im[k] = evenIm + oddIm;
      re[R - k] = evenRe + oddRe, im[R - k] = evenIm - oddIm;
    }
  }
};

template <typename T, typename S> struct Butterfly<2, T, S> {
  static HWY_INLINE void run(T *re, T *im, const S *) {
    const T r = re[0] - re[1], i = im[0] - im[1];
    re[0] += re[1], im[0] += im[1];
    re[1] = r, im[1] = i;
  }
};

template <typename T, typename S> struct Butterfly<3, T, S> {
  static HWY_INLINE void run(T *re, T *im, const S *) {
    constexpr S s = static_cast<S>(0.86602540378443864676);
    const T sumRe = re[1] + re[2], sumIm = im[1] + im[2];
    const T turnRe = s * (im[1] - im[2]), turnIm = s * (re[2] - re[1]);
    const T midRe = re[0] - sumRe * S(0.5), midIm = im[0] - sumIm * S(0.5);
    re[0] += sumRe, im[0] += sumIm;
    re[1] = midRe + turnRe, im[1] = midIm + turnIm;
    re[2] = midRe - turnRe, im[2] = midIm - turnIm;
  }
};

template <typename T, typename S> struct Butterfly<4, T, S> {
  static HWY_INLINE void run(T *re, T *im, const S *) {
    const T evenRe = re[0] + re[2], evenIm = im[0] + im[2], oddRe = re[1] + re[3], oddIm = im[1] + im[3];
    const T restRe = re[0] - re[2], restIm = im[0] - im[2], turnRe = im[1] - im[3], turnIm = re[3] - re[1];
    re[0] = evenRe + oddRe, im[0] = evenIm + oddIm;
    re[1] = restRe + turnRe, im[1] = restIm + turnIm;
    re[2] = evenRe - oddRe, im[2] = evenIm - oddIm;
    re[3] = restRe - turnRe, im[3] = restIm - turnIm;
  }
};

template <typename T, typename S> struct Butterfly<5, T, S> {
  static HWY_INLINE void run(T *re, T *im, const S *) {
    constexpr S c1 = static_cast<S>(0.30901699437494742410), c2 = static_cast<S>(-0.80901699437494742410);
    constexpr S s1 = static_cast<S>(0.95105651629515357212), s2 = static_cast<S>(0.58778525229247312917);
    const T aRe = re[1] + re[4], aIm = im[1] + im[4], bRe = re[2] + re[3], bIm = im[2] + im[3];
    const T cRe = re[1] - re[4], cIm = im[1] - im[4], dRe = re[2] - re[3], dIm = im[2] - im[3];
    const T pRe = re[0] + c1 * aRe + c2 * bRe, pIm = im[0] + c1 * aIm + c2 * bIm;
    const T qRe = re[0] + c2 * aRe + c1 * bRe, qIm = im[0] + c2 * aIm + c1 * bIm;
    const T uRe = s1 * cIm + s2 * dIm, uIm = -(s1 * cRe + s2 * dRe);
    const T vRe = s2 * cIm - s1 * dIm, vIm = -(s2 * cRe - s1 * dRe);
    re[0] += aRe + bRe, im[0] += aIm + bIm;
    re[1] = pRe + uRe, im[1] = pIm + uIm;
    re[2] = qRe + vRe, im[2] = qIm + vIm;
    re[3] = qRe - vRe, im[3] = qIm - vIm;
    re[4] = pRe - uRe, im[4] = pIm - uIm;
  }
};

/// Two of four, of the even and of the odd numbers.
template <typename T, typename S> struct Butterfly<8, T, S> {
  static HWY_INLINE void run(T *re, T *im, const S *roots) {
    constexpr S half = static_cast<S>(0.70710678118654752440); // the cosine of 45 degrees
    T evenRe[4] = {re[0], re[2], re[4], re[6]}, evenIm[4] = {im[0], im[2], im[4], im[6]};
    T oddRe[4] = {re[1], re[3], re[5], re[7]}, oddIm[4] = {im[1], im[3], im[5], im[7]};
    Butterfly<4, T, S>::run(evenRe, evenIm, roots);
    Butterfly<4, T, S>::run(oddRe, oddIm, roots);
    const T turnedRe[4] = {oddRe[0], half * (oddRe[1] + oddIm[1]), oddIm[2], half * (oddIm[3] - oddRe[3])};
    const T turnedIm[4] = {oddIm[0], half * (oddIm[1] - oddRe[1]), -oddRe[2], -half * (oddRe[3] + oddIm[3])};
#pragma unroll
    for (int k = 0; k != 4; ++k) {
      re[k] = evenRe[k] + turnedRe[k], im[k] = evenIm[k] + turnedIm[k];
      re[k + 4] = evenRe[k] - turnedRe[k], im[k + 4] = evenIm[k] - turnedIm[k];
    }
  }
};

/// Elements of the parts `step` apart at `at`, transformed and turned by their twiddles.
template <int R, typename T>
HWY_INLINE void gather(const T *HWY_RESTRICT roots, const T *HWY_RESTRICT re, const T *HWY_RESTRICT im, int64_t step,
                       const T *twiddleRe, const T *twiddleIm, T *outRe, T *outIm) {
  T a[R], b[R];
#pragma unroll
  for (int j = 0; j != R; ++j)
    a[j] = re[j * step], b[j] = im[j * step];
  Butterfly<R, T>::run(a, b, roots);
  outRe[0] = a[0], outIm[0] = b[0];
#pragma unroll
  for (int k = 1; k != R; ++k) {
    outRe[k] = a[k] * twiddleRe[k - 1] - b[k] * twiddleIm[k - 1];
    outIm[k] = a[k] * twiddleIm[k - 1] + b[k] * twiddleRe[k - 1];
  }
}

/// As many numbers as the widest vectors have room for; the compiler cuts it in pieces where they have less.
template <typename T> struct Wide {
  static constexpr int lanes = 64 / sizeof(T);
  using Type [[gnu::vector_size(64)]] = T;
  static HWY_INLINE void load(Type &v, const T *from) { __builtin_memcpy(&v, from, sizeof(v)); }
  static HWY_INLINE void store(const Type &v, T *to) { __builtin_memcpy(to, &v, sizeof(v)); }
  /// Elements of both in turn: of the first halves, then of the second ones.
  static HWY_INLINE void zip(const Type &a, const Type &b, Type &low, Type &high) {
    [&]<int... i>(std::integer_sequence<int, i...>) HWY_ATTR {
      low = __builtin_shufflevector(a, b, (i / 2 + i % 2 * lanes)...);
      high = __builtin_shufflevector(a, b, (lanes / 2 + i / 2 + i % 2 * lanes)...);
    }(std::make_integer_sequence<int, lanes>());
  }
};

/// Stores R vectors so that their first elements come first, then their second ones.
template <int R, typename T, typename V> HWY_INLINE void storeInTurn(V *v, T *to) {
  V mixed[R];
#pragma unroll
  for (int run = 1; run != R; run *= 2) { // vector k is the (k % run)-th of a run of mixed vectors
#pragma unroll
    for (int k = 0; k != R / 2; ++k) {
      const int group = k / run, at = k % run, from = group * run + at;
      Wide<T>::zip(v[from], v[from + R / 2], mixed[2 * group * run + 2 * at], mixed[2 * group * run + 2 * at + 1]);
    }
#pragma unroll
    for (int k = 0; k != R; ++k)
      v[k] = mixed[k];
  }
#pragma unroll
  for (int k = 0; k != R; ++k)
    Wide<T>::store(v[k], to + k * Wide<T>::lanes);
}

/// Of one transform, from neighbours to neighbours: along the elements of the parts. The radix is a power of two, and
/// there is a vector of elements; the last one may begin among those of the one before.
template <int R, typename T>
HWY_NOINLINE void firstPassOnVectors(const Stage<T> &stage, const Piece &piece, const T *HWY_RESTRICT re,
                                     const T *HWY_RESTRICT im, T *HWY_RESTRICT toRe, T *HWY_RESTRICT toIm) {
  using W = Wide<T>;
  using V = typename W::Type;
  const int64_t m = stage.count;
  for (int64_t next = piece.begin; next < piece.end; next += W::lanes) {
    const int64_t p = next + W::lanes <= m ? next : m - W::lanes;
    V a[R], b[R];
#pragma unroll
    for (int j = 0; j != R; ++j)
      W::load(a[j], re + p + j * m), W::load(b[j], im + p + j * m);
    Butterfly<R, V, T>::run(a, b, stage.roots);
#pragma unroll
    for (int k = 1; k != R; ++k) {
      V c, s;
      W::load(c, stage.twiddles + 2 * (k - 1) * m + p);
      W::load(s, stage.twiddles + (2 * (k - 1) + 1) * m + p);
      const V turned = a[k] * c - b[k] * s;
      b[k] = a[k] * s + b[k] * c;
      a[k] = turned;
    }
    storeInTurn<R>(a, toRe + R * p);
    storeInTurn<R>(b, toIm + R * p);
  }
}

/// Of one transform, from neighbours to neighbours: along the elements of the parts.
template <int R, typename T>
HWY_NOINLINE void firstPass(const Stage<T> &stage, const Piece &piece, const T *HWY_RESTRICT re,
                            const T *HWY_RESTRICT im, T *HWY_RESTRICT toRe, T *HWY_RESTRICT toIm) {
  const int64_t m = stage.count;
  if constexpr (R == 2 || R == 4 || R == 8)
    if (m >= Wide<T>::lanes)
      return firstPassOnVectors<R>(stage, piece, re, im, toRe, toIm);
  const T *HWY_RESTRICT twiddles = stage.twiddles, *HWY_RESTRICT roots = stage.roots;
  const int64_t end = piece.end;
#pragma clang loop vectorize(enable)
  for (int64_t p = piece.begin; p < end; ++p) {
    T twiddleRe[R], twiddleIm[R], outRe[R], outIm[R];
#pragma unroll
    for (int k = 1; k != R; ++k) {
      twiddleRe[k - 1] = twiddles[2 * (k - 1) * m + p];
      twiddleIm[k - 1] = twiddles[(2 * (k - 1) + 1) * m + p];
    }
    gather<R>(roots, re + p, im + p, m, twiddleRe, twiddleIm, outRe, outIm);
#pragma unroll
    for (int k = 0; k != R; ++k)
      toRe[R * p + k] = outRe[k], toIm[R * p + k] = outIm[k];
  }
}

/// Of runs of s neighbours; `known`: s where the compiler knows it.
template <int R, int known, typename T>
HWY_NOINLINE void laterPass(const Stage<T> &stage, int64_t length, const Piece &piece, const T *HWY_RESTRICT re,
                            const T *HWY_RESTRICT im, T *HWY_RESTRICT toRe, T *HWY_RESTRICT toIm) {
  const int64_t m = stage.count, s = known ? known : length;
  const int64_t begin = known ? 0 : piece.begin, end = known ? known : piece.end, endRow = piece.endRow;
  const T *HWY_RESTRICT roots = stage.roots;
  for (int64_t p = piece.firstRow; p != endRow; ++p) {
    T twiddleRe[R], twiddleIm[R];
#pragma unroll
    for (int k = 1; k != R; ++k) {
      twiddleRe[k - 1] = stage.twiddles[2 * (k - 1) * m + p];
      twiddleIm[k - 1] = stage.twiddles[(2 * (k - 1) + 1) * m + p];
    }
    const T *HWY_RESTRICT fromRe = re + s * p, *HWY_RESTRICT fromIm = im + s * p;
    T *HWY_RESTRICT intoRe = toRe + s * R * p, *HWY_RESTRICT intoIm = toIm + s * R * p;
#pragma clang loop vectorize(enable)
    for (int64_t q = begin; q < end; ++q) {
      T outRe[R], outIm[R];
      gather<R>(roots, fromRe + q, fromIm + q, s * m, twiddleRe, twiddleIm, outRe, outIm);
#pragma unroll
      for (int k = 0; k != R; ++k)
        intoRe[q + s * k] = outRe[k], intoIm[q + s * k] = outIm[k];
    }
  }
}

/// The first n elements, zeros after them.
template <typename T> HWY_INLINE void loadFirst(typename Wide<T>::Type &v, const T *from, int64_t n) {
  if (n == Wide<T>::lanes)
    return Wide<T>::load(v, from);
  v = typename Wide<T>::Type{};
  __builtin_memcpy(&v, from, static_cast<size_t>(n) * sizeof(T));
}

/// Of radices that are seldom, whose code by itself would be longer than that of all others: the butterfly of odd
/// numbers as loops, on vectors that lie in memory.
template <typename T>
HWY_NOINLINE void seldomPass(const Stage<T> &stage, int64_t s, const Piece &piece, const T *HWY_RESTRICT re,
                             const T *HWY_RESTRICT im, T *HWY_RESTRICT toRe, T *HWY_RESTRICT toIm) {
  using W = Wide<T>;
  using V = typename W::Type;
  constexpr int most = fft::largestRadix;
  const int radix = stage.radix, pairs = (radix - 1) / 2;
  const int64_t m = stage.count, run = s == 1 ? m : s; // neighbours: of the parts, or of the runs of later passes
  for (int64_t begin = piece.firstRow * run; begin < piece.endRow * run; begin += run)
    for (int64_t q = piece.begin; q < piece.end; q += W::lanes) {
      const int64_t n = piece.end - q < W::lanes ? piece.end - q : W::lanes, p = begin / s;
      V sumRe[most / 2], sumIm[most / 2], restRe[most / 2], restIm[most / 2];
      V a[most], b[most], firstRe, firstIm;
      loadFirst(firstRe, re + begin + q, n), loadFirst(firstIm, im + begin + q, n);
      a[0] = firstRe, b[0] = firstIm;
      for (int j = 1; j <= pairs; ++j) {
        const int64_t near = begin + q + j * s * m, far = begin + q + (radix - j) * s * m;
        V nearRe, nearIm, farRe, farIm;
        loadFirst(nearRe, re + near, n), loadFirst(nearIm, im + near, n);
        loadFirst(farRe, re + far, n), loadFirst(farIm, im + far, n);
        sumRe[j - 1] = nearRe + farRe, sumIm[j - 1] = nearIm + farIm;
        restRe[j - 1] = nearRe - farRe, restIm[j - 1] = nearIm - farIm;
        a[0] += sumRe[j - 1], b[0] += sumIm[j - 1];
      }
      for (int k = 1; k <= pairs; ++k) {
        V evenRe = firstRe, evenIm = firstIm, oddRe = {}, oddIm = {};
        for (int j = 1, at = k; j <= pairs; ++j, at = at + k < radix ? at + k : at + k - radix) {
          const T c = stage.roots[2 * at], sine = stage.roots[2 * at + 1];
          evenRe += sumRe[j - 1] * c, evenIm += sumIm[j - 1] * c;
          oddRe += restIm[j - 1] * sine, oddIm += restRe[j - 1] * sine;
        }
        a[k] = evenRe - oddRe, b[k] = evenIm + oddIm;
        a[radix - k] = evenRe + oddRe, b[radix - k] = evenIm - oddIm;
      }
      for (int k = 0; k != radix; ++k) {
        V outRe = a[k], outIm = b[k];
        if (k != 0) {
          const T *cosines = stage.twiddles + 2 * (k - 1) * m, *sines = cosines + m;
          V c = V{} + cosines[p], t = V{} + sines[p];
          if (s == 1)
            loadFirst(c, cosines + q, n), loadFirst(t, sines + q, n);
          outRe = a[k] * c - b[k] * t;
          outIm = a[k] * t + b[k] * c;
        }
        if (s == 1) {
          for (int64_t i = 0; i != n; ++i)
            toRe[radix * (q + i) + k] = outRe[i], toIm[radix * (q + i) + k] = outIm[i];
        } else {
          __builtin_memcpy(toRe + s * (radix * p + k) + q, &outRe, static_cast<size_t>(n) * sizeof(T));
          __builtin_memcpy(toIm + s * (radix * p + k) + q, &outIm, static_cast<size_t>(n) * sizeof(T));
        }
      }
    }
}

template <int R, typename T>
HWY_INLINE void pass(const Stage<T> &stage, int64_t s, const Piece &piece, const T *re, const T *im, T *toRe, T *toIm) {
  if (s == 1)
    return firstPass<R>(stage, piece, re, im, toRe, toIm);
#if TSC_HAS_VECTORS
  if constexpr (R <= 5 || R == 8) // of the others, which are seldom, the code is long
    switch (s) {
    case 4: return laterPass<R, 4>(stage, s, piece, re, im, toRe, toIm);
    case 8: return laterPass<R, 8>(stage, s, piece, re, im, toRe, toIm);
    case 16: return laterPass<R, 16>(stage, s, piece, re, im, toRe, toIm);
    default: break;
    }
#endif
  laterPass<R, 0>(stage, s, piece, re, im, toRe, toIm);
}

/// Four by four at a time, which the compiler keeps in registers.
template <typename T>
void transposeTiles(const T *HWY_RESTRICT from, int64_t fromStep, T *HWY_RESTRICT to, int64_t toStep, int64_t rows,
                    int64_t columns) {
  constexpr int64_t tile = 4;
  int64_t r = 0;
  for (; r + tile <= rows; r += tile) {
    int64_t c = 0;
    for (; c + tile <= columns; c += tile) {
      T block[tile][tile];
#pragma unroll
      for (int i = 0; i != tile; ++i)
#pragma unroll
        for (int j = 0; j != tile; ++j)
          block[j][i] = from[(r + i) * fromStep + c + j];
#pragma unroll
      for (int j = 0; j != tile; ++j)
#pragma unroll
        for (int i = 0; i != tile; ++i)
          to[(c + j) * toStep + r + i] = block[j][i];
    }
    for (; c != columns; ++c)
      for (int64_t i = r; i != r + tile; ++i)
        to[c * toStep + i] = from[i * fromStep + c];
  }
  for (; r != rows; ++r)
    for (int64_t c = 0; c != columns; ++c)
      to[c * toStep + r] = from[r * fromStep + c];
}

/// The parts of n complex numbers.
template <typename T> void separate(const T *HWY_RESTRICT from, T *HWY_RESTRICT re, T *HWY_RESTRICT im, int64_t n) {
#pragma clang loop vectorize(enable)
  for (int64_t k = 0; k < n; ++k)
    re[k] = from[2 * k], im[k] = from[2 * k + 1];
}
template <typename T> void join(const T *HWY_RESTRICT re, const T *HWY_RESTRICT im, T *HWY_RESTRICT to, int64_t n) {
#pragma clang loop vectorize(enable)
  for (int64_t k = 0; k < n; ++k)
    to[2 * k] = re[k], to[2 * k + 1] = im[k];
}

template <typename T>
void separateReal(const T *HWY_RESTRICT re, const T *HWY_RESTRICT im, int64_t n, int64_t begin, int64_t end,
                  T *HWY_RESTRICT one, T *HWY_RESTRICT other) {
  if (begin == 0) {
    one[0] = re[0], one[1] = 0;
    if (other)
      other[0] = im[0], other[1] = 0;
    begin = 1;
  }
  const T half = static_cast<T>(0.5);
  if (other) {
#pragma clang loop vectorize(enable)
    for (int64_t k = begin; k < end; ++k) {
      one[2 * k] = (re[k] + re[n - k]) * half, one[2 * k + 1] = (im[k] - im[n - k]) * half;
      other[2 * k] = (im[k] + im[n - k]) * half, other[2 * k + 1] = (re[n - k] - re[k]) * half;
    }
    return;
  }
#pragma clang loop vectorize(enable)
  for (int64_t k = begin; k < end; ++k)
    one[2 * k] = (re[k] + re[n - k]) * half, one[2 * k + 1] = (im[k] - im[n - k]) * half;
}

template <typename T>
void joinHermitian(const T *HWY_RESTRICT one, const T *HWY_RESTRICT other, int64_t n, int64_t begin, int64_t end,
                   T *HWY_RESTRICT re, T *HWY_RESTRICT im) {
  if (begin == 0) {
    re[0] = one[0], im[0] = other ? other[0] : 0;
    begin = 1;
  }
  const bool hasMiddle = n % 2 == 0 && end > n / 2; // which is its own conjugate, as the first is
  if (hasMiddle)
    end = n / 2;
  // Elements k and n - k are never the same ones, which the compiler does not see.
  if (other) {
#pragma clang loop vectorize(assume_safety)
    for (int64_t k = begin; k < end; ++k) {
      const T a = one[2 * k], c = one[2 * k + 1], d = other[2 * k], e = other[2 * k + 1];
      re[k] = a - e, im[k] = c + d;
      re[n - k] = a + e, im[n - k] = d - c;
    }
  } else {
#pragma clang loop vectorize(assume_safety)
    for (int64_t k = begin; k < end; ++k) {
      const T a = one[2 * k], c = one[2 * k + 1];
      re[k] = a, im[k] = c;
      re[n - k] = a, im[n - k] = -c;
    }
  }
  if (hasMiddle)
    re[n / 2] = one[n], im[n / 2] = other ? other[n] : 0;
}

template <typename T>
HWY_INLINE void runPiece(const Stage<T> &stage, int64_t s, const Piece &piece, const T *re, const T *im, T *toRe,
                         T *toIm) {
  switch (stage.radix) {
  case 2: return pass<2>(stage, s, piece, re, im, toRe, toIm);
  case 3: return pass<3>(stage, s, piece, re, im, toRe, toIm);
  case 4: return pass<4>(stage, s, piece, re, im, toRe, toIm);
  case 5: return pass<5>(stage, s, piece, re, im, toRe, toIm);
  case 8: return pass<8>(stage, s, piece, re, im, toRe, toIm);
  case 7: return pass<7>(stage, s, piece, re, im, toRe, toIm);
  default: return seldomPass(stage, s, piece, re, im, toRe, toIm); // 11 or 13
  }
}

template <typename T>
bool transformPlanes(const std::vector<Stage<T>> &stages, const Planes<T> &planes, int64_t batch) {
  int64_t s = batch;
  int from = 0;
  for (const Stage<T> &stage : stages) {
    const T *re = planes.re[from], *im = planes.im[from];
    from = 1 - from;
    T *toRe = planes.re[from], *toIm = planes.im[from];
    const int64_t rows = s == 1 ? 1 : stage.count, length = s == 1 ? stage.count : s;
    if (rows * length <= fft::pieceLength) {
      runPiece(stage, s, {0, rows, 0, length}, re, im, toRe, toIm);
    } else {
      const int64_t atOnce = std::max<int64_t>(1, fft::pieceLength / length);
      for (int64_t row = 0; row < rows; row += atOnce)
        for (int64_t begin = 0; begin < length; begin += fft::pieceLength) {
          if (work::wasStopped())
            return false;
          runPiece(stage, s, {row, std::min(rows, row + atOnce), begin, std::min(length, begin + fft::pieceLength)}, re,
                   im, toRe, toIm);
        }
    }
    s *= stage.radix;
  }
  return true;
}
template <typename T> fft::Kernels<T> kernelsOf() {
  return {&transformPlanes<T>, &transposeTiles<T>, &separate<T>, &join<T>, &separateReal<T>, &joinHermitian<T>};
}
static fft::Kernels<float> floatKernels() { return kernelsOf<float>(); }
static fft::Kernels<double> doubleKernels() { return kernelsOf<double>(); }
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::cpu {
template <> const fft::Kernels<float> &fft::kernels<float>() {
  static const Kernels<float> table = TSC_BEST_OF(floatKernels)();
  return table;
}
template <> const fft::Kernels<double> &fft::kernels<double>() {
  static const Kernels<double> table = TSC_BEST_OF(doubleKernels)();
  return table;
}
} // namespace tsc::cpu
#endif
