//===- DenseKernelsTest.cpp - Products, solutions and samples on vectors --===//
//
// Kernels that take several rows, numbers or points at once, against loops over single ones.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Special.h"
#include "tsc/Kernels/Upsample.h"
#include <limits>
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;
using Complex = std::complex<double>;

TEST_CASE("products of complex matrices of any size and strides") {
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t m : {1, 2, 3, 7, 8, 9, 17, 40})
      for (int64_t n : {1, 2, 3, 4, 5, 8, 11, 40})
        for (int64_t k : {1, 3, 8, 40})
          for (bool turned : {false, true}) {
            INFO(m << " x " << k << " x " << n << (turned ? " turned" : ""));
            const Tensor a =
                turned ? only(transpose(randomTensor({k, m}, dtype, 1), 0, 1)) : randomTensor({m, k}, dtype, 1);
            const Tensor b =
                turned ? only(transpose(randomTensor({n, k}, dtype, 2), 0, 1)) : randomTensor({k, n}, dtype, 2);
            const Tensor c = only(mm(a, b));
            double worst = 0;
            for (int64_t i = 0; i != m; ++i)
              for (int64_t j = 0; j != n; ++j) {
                Complex sum = 0;
                for (int64_t p = 0; p != k; ++p)
                  sum += a.at(i * k + p).toComplex() * b.at(p * n + j).toComplex();
                worst = worse(worst, std::abs(c.at(i * n + j).toComplex() - sum));
              }
            CHECK(worst <= (dtype == DType::ComplexFloat ? 2e-6 : 4e-15) * static_cast<double>(k));
          }
}

TEST_CASE("products of complex vectors of any length") {
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t n : {0, 1, 2, 3, 4, 7, 8, 15, 31, 32, 33, 63, 100, 257}) {
      INFO(n);
      const Tensor a = randomTensor({n}, dtype, 3), b = randomTensor({n}, dtype, 4);
      Complex plain = 0, conjugated = 0;
      for (int64_t i = 0; i != n; ++i) {
        plain += a.at(i).toComplex() * b.at(i).toComplex();
        conjugated += std::conj(a.at(i).toComplex()) * b.at(i).toComplex();
      }
      const double tolerance = (dtype == DType::ComplexFloat ? 1e-6 : 2e-15) * static_cast<double>(n + 1);
      CHECK(std::abs(only(dot(a, b)).at(0).toComplex() - plain) <= tolerance);
      CHECK(std::abs(only(vdot(a, b)).at(0).toComplex() - conjugated) <= tolerance);
    }
}

TEST_CASE("mantissas and exponents of all kinds of numbers") {
  std::vector<double> values = {0.0, -0.0, 1, -1, 0.5, 3, 1e-40, -1e-45, 1.5e38, 7e-8, 65504, INFINITY, -INFINITY, NAN};
  std::mt19937 engine(9);
  std::normal_distribution<double> normal;
  for (int i = 0; i != 50; ++i)
    values.push_back(std::ldexp(normal(engine), i - 25));
  values.push_back(std::numeric_limits<double>::denorm_min());
  values.push_back(std::numeric_limits<double>::max());
  const Tensor wide = make<double>(values, {static_cast<int64_t>(values.size())});
  for (DType dtype : {DType::Double, DType::Float, DType::Half, DType::BFloat16}) {
    const Tensor x = only(toDType(wide, dtype));
    auto result = cpu::frexp(x);
    for (int64_t i = 0; i != x.numel(); ++i) {
      const double value = x.at(i).toDouble(), got = part<0>(result).at(i).toDouble();
      int exponent = 0;
      const double want = std::frexp(value, &exponent);
      INFO(value << ": " << got);
      CHECK((got == want || (std::isnan(got) && std::isnan(want))));
      CHECK(std::signbit(got) == std::signbit(want));
      CHECK(part<1>(result).at(i).toInt() == (std::isfinite(value) ? exponent : 0));
    }
  }
}

// A point alone does not fill a vector.
TEST_CASE("images sampled at many points and at one at a time") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t spatial : {2, 3})
      for (int64_t mode : {0, 1, 2})
        for (int64_t padding : {0, 1, 2})
          for (bool align : {false, true}) {
            if (spatial == 3 && mode == 2)
              continue;
            constexpr int64_t points = 53;
            const Tensor image =
                spatial == 2 ? randomTensor({1, 3, 9, 11}, dtype, 5) : randomTensor({1, 2, 5, 6, 7}, dtype, 6);
            Tensor grid =
                spatial == 2 ? randomTensor({1, 1, points, 2}, dtype, 7) : randomTensor({1, 1, 1, points, 3}, dtype, 8);
            grid.set(0, Scalar(1.0)), grid.set(1, Scalar(-1.0)), grid.set(spatial, Scalar(5.0));
            grid.set(2 * spatial, Scalar(1e20)), grid.set(3 * spatial + 1, Scalar(-1e20));
            grid.set(4 * spatial, Scalar(std::nan("")));
            const Tensor all = only(gridSampler(image, grid, mode, padding, align));
            for (int64_t p = 0; p != points; ++p) {
              const Tensor one =
                  only(gridSampler(image, only(contiguous(only(narrow(grid, spatial, p, 1)))), mode, padding, align));
              for (int64_t c = 0; c != image.size(1); ++c) {
                const double together = all.at(c * points + p).toDouble(), alone = one.at(c).toDouble();
                INFO(spatial << "-d, mode " << mode << ", padding " << padding << ", point " << p << ": " << together
                             << " and " << alone);
                CHECK((together == alone || (std::isnan(together) && std::isnan(alone))));
              }
            }
          }
}

TEST_CASE("bicubic samples inside of an image are sums over four by four elements") {
  const Tensor image = randomTensor({1, 2, 20, 24}, DType::Double, 12);
  Tensor grid = *Tensor::empty({1, 1, 30, 2}, DType::Double);
  for (int64_t p = 0; p != 60; ++p)
    grid.mutableData<double>()[p] = 0.6 * std::sin(static_cast<double>(p));
  const Tensor got = only(gridSampler(image, grid, 2, 0, true));
  auto weight = [](double distance) { // Keys' kernel with a = -3/4
    const double d = std::fabs(distance), a = -0.75;
    return d < 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
  };
  for (int64_t c = 0; c != 2; ++c)
    for (int64_t p = 0; p != 30; ++p) {
      const double x = (grid.data<double>()[2 * p] + 1) / 2 * 23, y = (grid.data<double>()[2 * p + 1] + 1) / 2 * 19;
      double sum = 0;
      for (int64_t i = 0; i != 20; ++i)
        for (int64_t j = 0; j != 24; ++j)
          sum += image.data<double>()[(c * 20 + i) * 24 + j] * weight(y - static_cast<double>(i)) *
                 weight(x - static_cast<double>(j));
      CHECK(got.data<double>()[c * 30 + p] == Approx(sum).margin(1e-12));
    }
}

TEST_CASE("least squares of regular matrices and of those short of rank") {
  for (DType dtype : {DType::Double, DType::ComplexDouble})
    for (int64_t m : {1, 3, 8, 20, 45})
      for (int64_t n : {1, 2, 8, 15, 50}) {
        INFO(m << " x " << n);
        const Tensor a = randomTensor({m, n}, dtype, static_cast<uint32_t>(m * 60 + n));
        const Tensor b = randomTensor({m, 3}, dtype, 11);
        auto result = lstsq(a, b, std::nullopt, std::nullopt);
        const Tensor x = std::get<0>(*result);
        CHECK(std::get<2>(*result).at(0).toInt() == std::min(m, n));
        const Tensor want = only(matmul(only(pinvFloat(a, std::nullopt, std::nullopt, false)), b));
        CHECK(apart(x, want) <= 1e-9 * (1 + largest(want)));
      }
  Tensor a = randomTensor({10, 4}, DType::Double, 1);
  for (int64_t i = 0; i != 10; ++i)
    a.mutableData<double>()[i * 4 + 3] = a.data<double>()[i * 4] - a.data<double>()[i * 4 + 1];
  const Tensor b = randomTensor({10, 1}, DType::Double, 2);
  auto result = lstsq(a, b, std::nullopt, std::nullopt);
  CHECK(std::get<2>(*result).at(0).toInt() == 3);
  CHECK(apart(std::get<0>(*result), only(matmul(only(pinvFloat(a, std::nullopt, std::nullopt, false)), b))) < 1e-10);
}

TEST_CASE("L D L^T solves symmetric and Hermitian systems of any size") {
  for (DType dtype : {DType::Double, DType::ComplexDouble})
    for (bool hermitian : {false, true})
      for (int64_t n : {1, 2, 3, 4, 5, 9, 16, 33, 70}) {
        INFO(n << (hermitian ? ", Hermitian" : ""));
        const Tensor half = randomTensor({n, n}, dtype, static_cast<uint32_t>(n));
        const Tensor other = hermitian ? only(contiguous(only(mH(half)))) : only(contiguous(only(mT(half))));
        const Tensor a = only(pointwise(PointwiseKind::Aten_add_Tensor, {half, other, Scalar(1)}));
        const Tensor b = randomTensor({n, 2}, dtype, 5);
        auto factors = linalgLdlFactor(a, hermitian);
        const Tensor x = only(linalgLdlSolve(part<0>(factors), part<1>(factors), b, hermitian));
        CHECK(apart(only(matmul(a, x)), b) <= 1e-10 * static_cast<double>(n) * (1 + largest(x)));
      }
}

TEST_CASE("groups of channels along lines, with wide kernels") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t groups : {2, 3})
      for (int64_t dilation : {1, 2})
        for (int64_t padding : {0, 5, 40}) {
          constexpr int64_t samples = 2, in = 4, out = 5, length = 70, kernel = 17;
          const Tensor x = randomTensor({samples, groups * in, length}, dtype, 1);
          const Tensor w = randomTensor({groups * out, in, kernel}, dtype, 2);
          const Tensor b = randomTensor({groups * out}, dtype, 3);
          const Tensor got = only(conv1d(x, w, b, {1}, {padding}, {dilation}, groups));
          const int64_t windows = length + 2 * padding - dilation * (kernel - 1);
          REQUIRE(got.sizes() == ArrayRef<int64_t>({samples, groups * out, windows}));
          double worst = 0;
          for (int64_t n = 0; n != samples; ++n)
            for (int64_t o = 0; o != groups * out; ++o)
              for (int64_t at = 0; at != windows; ++at) {
                double sum = b.at(o).toDouble();
                for (int64_t c = 0; c != in; ++c)
                  for (int64_t k = 0; k != kernel; ++k)
                    if (const int64_t i = at - padding + k * dilation; i >= 0 && i < length)
                      sum += x.at((n * groups * in + o / out * in + c) * length + i).toDouble() *
                             w.at((o * in + c) * kernel + k).toDouble();
                worst = worse(worst, std::fabs(sum - got.at((n * groups * out + o) * windows + at).toDouble()));
              }
          CHECK(worst <= (dtype == DType::Float ? 3e-5 : 1e-13));
        }
}

TEST_CASE("groups of channels along lines between rows of zeros") {
  const Tensor x = randomTensor({2, 4, 1, 40}, DType::Float, 1), w = randomTensor({6, 2, 1, 17}, DType::Float, 2),
               b = randomTensor({6}, DType::Float, 3);
  // One row of windows, which lies in the padding above the line.
  const Tensor got = only(conv2d(x, w, b, {3, 1}, {1, 0}, {1}, 2));
  REQUIRE(got.sizes() == ArrayRef<int64_t>({2, 6, 1, 24}));
  for (int64_t i = 0; i != got.numel(); ++i)
    REQUIRE(got.at(i).toDouble() == b.at(i / 24 % 6).toDouble());
}

TEST_CASE("channels alone in volumes whose channels lie inside") {
  for (int64_t channels : {3, 16, 20, 35})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2})
        for (int64_t padding : {0, 1, 3}) {
          const Tensor x = randomTensor({2, channels, 6, 7, 21}, DType::Float, 1);
          const Tensor inside = only(permute(only(contiguous(only(permute(x, {0, 2, 3, 4, 1})))), {0, 4, 1, 2, 3}));
          const Tensor w = randomTensor({channels, 1, 2, 3, 3}, DType::Float, 2);
          const Tensor b = randomTensor({channels}, DType::Float, 3);
          const Tensor want = only(conv3d(x, w, b, {stride}, {padding}, {dilation}, channels));
          const Tensor got = only(conv3d(inside, w, b, {stride}, {padding}, {dilation}, channels));
          CHECK(apart(want, got) <= 1e-5);
        }
}
