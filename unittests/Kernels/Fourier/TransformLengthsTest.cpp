//===- TransformLengthsTest.cpp - Transforms against their definition -----===//
#include "../KernelTest.h"
#include "tsc/Kernels/Fourier.h"
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;
using Complex = std::complex<double>;

static double element(int64_t i) { return static_cast<double>((i * 7919 + 13) % 1009) / 1009 - 0.5; }

/// The sum over k of x(k) exp(-+2 pi i j k / n).
template <class X> static Complex definition(X x, int64_t n, int64_t j, double sign) {
  Complex sum = 0;
  for (int64_t k = 0; k != n; ++k)
    sum +=
        x(k) * std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
  return sum;
}

// Few lines and many, so that they go one by one, side by side, and with some left over.
TEST_CASE("rows and columns of all lengths are transformed as they are defined") {
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t n : {2, 3, 8, 16, 17, 60, 64, 96, 128, 200, 256, 400, 512, 1000, 1024})
      for (int64_t lines : {1, 3, 17}) {
        INFO(n << ", " << lines << " lines");
        const double tolerance = (dtype == DType::ComplexFloat ? 3e-6 : 1e-12) * std::sqrt(static_cast<double>(n));
        Tensor rows = *Tensor::empty({lines, n}, dtype);
        for (int64_t i = 0; i != rows.numel(); ++i)
          rows.set(i, Scalar(Complex(element(i), element(i + 5))));
        const Tensor columns = only(contiguous(only(transpose(rows, 0, 1))));
        const Tensor forward = only(fftFft(rows, std::nullopt, -1, std::nullopt));
        const Tensor down = only(fftFft(columns, std::nullopt, 0, std::nullopt));
        const Tensor back = only(fftIfft(forward, std::nullopt, -1, std::nullopt));
        double most = 0;
        for (int64_t line : {int64_t{0}, lines / 2, lines - 1})
          for (int64_t j = 0; j < n; j += 1 + n / 9) {
            const Complex want = definition([&](int64_t k) { return rows.at(line * n + k).toComplex(); }, n, j, -1);
            most = std::max({most, std::abs(forward.at(line * n + j).toComplex() - want),
                             std::abs(down.at(j * lines + line).toComplex() - want),
                             std::abs(back.at(line * n + j).toComplex() - rows.at(line * n + j).toComplex())});
          }
        CHECK(most < tolerance);
      }
}

TEST_CASE("real rows, and rows that become real") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t n : {1, 2, 3, 8, 15, 64, 100, 128, 256, 512, 1000, 1024, 1031})
      for (int64_t lines : {1, 2, 5, 33}) {
        INFO(n << ", " << lines << " lines");
        const double tolerance = (dtype == DType::Float ? 3e-6 : 1e-12) * std::sqrt(static_cast<double>(n) + 8);
        Tensor rows = *Tensor::empty({lines, n}, dtype);
        for (int64_t i = 0; i != rows.numel(); ++i)
          rows.set(i, Scalar(element(i)));
        const Tensor forward = only(fftRfft(rows, std::nullopt, -1, std::nullopt));
        const Tensor back = only(fftIrfft(forward, n, -1, std::nullopt));
        const int64_t half = n / 2 + 1;
        REQUIRE(forward.size(1) == half);
        double most = 0;
        for (int64_t line : {int64_t{0}, lines / 2, lines - 1})
          for (int64_t j = 0; j < n; j += 1 + n / 9) {
            if (j < half) {
              const Complex want = definition([&](int64_t k) { return rows.at(line * n + k).toDouble(); }, n, j, -1);
              most = std::max(most, std::abs(forward.at(line * half + j).toComplex() - want));
            }
            most = std::max(most, std::fabs(back.at(line * n + j).toDouble() - rows.at(line * n + j).toDouble()));
          }
        CHECK(most < tolerance);
      }
}
