//===- Fft.cpp - The discrete Fourier transform ---------------------------===//
//
// Powers of two by the iterative radix-2 algorithm; any other length n as a
// convolution of a power-of-two length (Bluestein). Roots of unity are computed in
// double for every length.
//
//===----------------------------------------------------------------------===//
#include "Fft.h"
#include "tsc/Support/ThreadPool.h"
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;

using Complex = std::complex<double>;

namespace {
/// What transforms of one length and direction share.
struct Plan {
  int64_t n, padded; ///< `padded` is the power of two that is transformed; n itself when n is one.
  double sign;
  std::vector<Complex> roots;         ///< exp(sign i 2 pi k / padded), k < padded / 2
  std::vector<Complex> chirp, kernel; ///< Bluestein's factors and the transformed kernel

  Plan(int64_t n, FftDirection direction) : n(n), padded(n), sign(direction == FftDirection::Forward ? -1 : 1) {
    bool power = std::has_single_bit(static_cast<uint64_t>(n));
    if (!power)
      padded = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
    for (int64_t k = 0; k < padded / 2; ++k)
      roots.push_back(
          std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(padded)));
    if (power)
      return;
    kernel.assign(padded, 0);
    for (int64_t k = 0; k < n; ++k) {
      double square =
          static_cast<double>(static_cast<uint64_t>(k) * static_cast<uint64_t>(k) % static_cast<uint64_t>(2 * n));
      chirp.push_back(std::polar(1.0, sign * std::numbers::pi * square / static_cast<double>(n)));
      kernel[k] = std::conj(chirp[k]);
      if (k != 0)
        kernel[padded - k] = kernel[k];
    }
    transformPower(kernel.data());
  }

  static Complex times(Complex a, Complex b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

  /// Radix 2 over `padded` elements.
  void transformPower(Complex *x) const {
    for (int64_t i = 1, j = 0; i < padded; ++i) { // bit reversal
      int64_t bit = padded >> 1;
      for (; j & bit; bit >>= 1)
        j ^= bit;
      j ^= bit;
      if (i < j)
        std::swap(x[i], x[j]);
    }
    for (int64_t half = 1; half < padded; half *= 2)
      for (int64_t start = 0, step = padded / (2 * half); start < padded; start += 2 * half)
        for (int64_t k = 0; k < half; ++k) {
          Complex u = x[start + k], v = times(x[start + k + half], roots[k * step]);
          x[start + k] = u + v;
          x[start + k + half] = u - v;
        }
  }

  void transform(Complex *x, std::vector<Complex> &scratch) const {
    if (chirp.empty())
      return transformPower(x);
    scratch.assign(padded, 0);
    for (int64_t k = 0; k < n; ++k)
      scratch[k] = times(x[k], chirp[k]);
    transformPower(scratch.data());
    // The inverse transform of the product is the conjugate of the transform of the conjugate.
    for (int64_t k = 0; k < padded; ++k)
      scratch[k] = std::conj(times(scratch[k], kernel[k]));
    transformPower(scratch.data());
    for (int64_t k = 0; k < n; ++k)
      x[k] = times(std::conj(scratch[k]), chirp[k]) / static_cast<double>(padded);
  }
};
} // namespace

void tsc::cpu::transformAlong(const Tensor &x, int64_t dim, FftDirection direction) {
  int64_t n = x.size(dim), inner = 1;
  if (n <= 1 || x.numel() == 0)
    return;
  for (int64_t d = dim + 1; d < x.dim(); ++d)
    inner *= x.size(d);
  Plan plan(n, direction);
  Complex *data = x.mutableData<Complex>();
  parallelFor(0, x.numel() / n, std::max<int64_t>(1, 4096 / n), [&](int64_t first, int64_t last) {
    std::vector<Complex> row(n), scratch;
    for (int64_t i = first; i < last; ++i) {
      Complex *base = data + i / inner * n * inner + i % inner;
      for (int64_t k = 0; k < n; ++k)
        row[k] = base[k * inner];
      plan.transform(row.data(), scratch);
      for (int64_t k = 0; k < n; ++k)
        base[k * inner] = row[k];
    }
  });
}
