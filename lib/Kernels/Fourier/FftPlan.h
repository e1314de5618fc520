//===- FftPlan.h - What transforms of one length share ----------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_FOURIER_FFTPLAN_H
#define TSC_LIB_KERNELS_FOURIER_FFTPLAN_H

#include "tsc/Support/WorkMeter.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace tsc::cpu::fft {

constexpr int largestRadix = 13;

/// How many elements of a line are worked on between two questions whether the call is to end. Usual lengths are
/// shorter.
constexpr int64_t pieceLength = 1 << 14;

/// Calls fn(begin, end) for the pieces of n elements; false where the call was to end between them.
template <class Fn> bool inPieces(int64_t n, Fn fn) {
  for (int64_t begin = 0; begin < n; begin += pieceLength) {
    if (begin != 0 && work::wasStopped())
      return false;
    fn(begin, std::min(n, begin + pieceLength));
  }
  return true;
}

/// One pass of a Stockham transform (Van Loan, "Computational Frameworks for the Fast Fourier Transform", 1992, section
/// 1.7): `radix` interleaved parts of `count` elements each become neighbours.
template <typename T> struct Stage {
  int radix;
  int64_t count;
  const T *twiddles; ///< exp(-i 2 pi p k / (radix count)) by k from 1 on: the real parts for all p, then the imaginary.
  const T *roots;    ///< exp(-i 2 pi k / radix), for radices without a butterfly of their own.
};

/// `batch` transforms side by side: element k of transform b is (re[k * batch + b], im[k * batch + b]). There are two
/// pairs of planes, of n * batch elements each, and the transform goes from one to the other with each stage; it ends
/// in the first where the number of stages is even. Forward; backward is the same with the planes exchanged. For every
/// instruction set (SimdFft.cpp). T is float or double.
template <typename T> struct Planes {
  T *re[2], *im[2];
};

/// The loops of Fourier transforms; lengths and steps count elements of T.
template <typename T> struct Kernels {
  /// Runs the stages of a plan over `batch` transforms. Returns false where the call was to end first.
  bool (*transform)(const std::vector<Stage<T>> &stages, const Planes<T> &planes, int64_t batch);
  /// to[c * toStep + r] = from[r * fromStep + c]
  void (*transpose)(const T *from, int64_t fromStep, T *to, int64_t toStep, int64_t rows, int64_t columns);
  /// Splits n complex numbers into planes of their real and imaginary parts; join is the reverse.
  void (*separate)(const T *from, T *re, T *im, int64_t n);
  void (*join)(const T *re, const T *im, T *to, int64_t n);
  /// The first n / 2 + 1 elements of the transforms of two real lines out of that of the one plus i times the other:
  /// those from begin to end. `other` may be null.
  void (*separateReal)(const T *re, const T *im, int64_t n, int64_t begin, int64_t end, T *one, T *other);
  /// The reverse: two Hermitian sequences, of which so many elements are given, as one of n.
  void (*joinHermitian)(const T *one, const T *other, int64_t n, int64_t begin, int64_t end, T *re, T *im);
};
/// Returns the kernels for the best instruction set that the processor has.
template <typename T> const Kernels<T> &kernels();

} // namespace tsc::cpu::fft

#endif
