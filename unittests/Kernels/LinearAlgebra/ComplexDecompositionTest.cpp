//===- ComplexDecompositionTest.cpp - Factors of complex matrices ---------===//
//
// As DecompositionTest.cpp for matrices of complex numbers, and eigenvalues of
// Hermitian ones of both kinds: products of the factors are the matrix, and bases are
// orthonormal, up to rounding in double.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include <algorithm>
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;

using Complex = std::complex<double>;

template <class F> static Tensor generated(int64_t rows, int64_t columns, DType dtype, F f) {
  Tensor t = *Tensor::empty({rows, columns}, dtype);
  for (int64_t i = 0; i != t.numel(); ++i) {
    const Complex x = f(i / columns, i % columns);
    t.set(i, isComplex(dtype) ? Scalar(x) : Scalar(x.real()));
  }
  return t;
}
static Tensor randomMatrix(int64_t rows, int64_t columns, uint32_t seed, DType dtype = DType::ComplexDouble,
                           double scale = 1) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return generated(rows, columns, dtype, [&](int64_t, int64_t) {
    const double re = normal(engine), im = normal(engine);
    return Complex(re * scale, im * scale);
  });
}
static Complex element(const Tensor &t, int64_t i, int64_t j) { return t.at(i * t.size(1) + j).toComplex(); }

static Tensor conjugateTransposed(const Tensor &t) {
  return generated(t.size(1), t.size(0), t.dtype(), [&](int64_t i, int64_t j) { return std::conj(element(t, j, i)); });
}
static double fromIdentity(const Tensor &basis) { // of columns
  const Tensor product = only(matmul(conjugateTransposed(basis), basis));
  return apart(product, generated(product.size(0), product.size(1), product.dtype(),
                                  [](int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }));
}
/// Columns times numbers, over `size`.
static Tensor scaled(const Tensor &columns, const Tensor &by, double size) {
  return generated(columns.size(0), columns.size(1), columns.dtype(),
                   [&](int64_t i, int64_t j) { return element(columns, i, j) * (by.at(j).toDouble() / size); });
}
static Tensor divided(const Tensor &t, double size) {
  return generated(t.size(0), t.size(1), t.dtype(), [&](int64_t i, int64_t j) { return element(t, i, j) / size; });
}

static void checkFactors(const Tensor &a) {
  const double size = largest(a) + 1e-300, tolerance = 1e-13 * static_cast<double>(a.size(0) + a.size(1));
  auto svd = linalgSvd(a, false, std::nullopt);
  const Tensor u = part<0>(svd), s = part<1>(svd), vh = part<2>(svd);
  CHECK(apart(only(matmul(scaled(u, s, size), vh)), divided(a, size)) < tolerance);
  CHECK(fromIdentity(u) < tolerance);
  CHECK(fromIdentity(conjugateTransposed(vh)) < tolerance);
  for (int64_t i = 0; i + 1 < s.numel(); ++i)
    CHECK(s.data<double>()[i] >= s.data<double>()[i + 1]);
  CHECK(apart(only(svdvals(a, std::nullopt)), s) <= tolerance * size);
  for (const char *mode : {"reduced", "complete"}) {
    auto qr = linalgQr(a, mode);
    CHECK(apart(only(matmul(part<0>(qr), divided(part<1>(qr), size))), divided(a, size)) < tolerance);
    CHECK(fromIdentity(part<0>(qr)) < tolerance);
    for (int64_t i = 0; i != part<1>(qr).size(0); ++i) // as LAPACK leaves it
      if (i < part<1>(qr).size(1))
        CHECK(element(part<1>(qr), i, i).imag() == 0);
  }
}

TEST_CASE("singular values and QR of complex matrices give the matrix again") {
  for (int64_t m : {1, 2, 3, 5, 17, 33, 64})
    for (int64_t n : {1, 2, 3, 7, 16, 41}) {
      INFO(m << " x " << n);
      const auto seed = static_cast<uint32_t>(m * 100 + n);
      for (double scale : {1.0, 1e-200, 1e200, 0.0})
        checkFactors(randomMatrix(m, n, seed, DType::ComplexDouble, scale));
      const Tensor a = randomMatrix(m, n, seed);
      checkFactors(generated(m, n, DType::ComplexDouble, [&](int64_t i, int64_t j) { // of deficient rank
        return j == n / 2 ? Complex(0, 2) * element(a, i, 0) : element(a, i, j);
      }));
      checkFactors(generated(m, n, DType::ComplexDouble, [](int64_t, int64_t) { return Complex(0, 1); }));
      checkFactors(generated(m, n, DType::ComplexDouble,
                             [&](int64_t i, int64_t j) { return element(a, i, j) * std::exp(-2.0 * double(j)); }));
    }
  const Tensor nan = generated(4, 3, DType::ComplexDouble,
                               [](int64_t i, int64_t j) { return i == j ? Complex(NAN, 1) : Complex(1, 1); });
  CHECK(messageOf(svdvals(nan, std::nullopt).status()).contains("non-finite values"));
  const Tensor column = generated(2, 2, DType::ComplexDouble,
                                  [](int64_t i, int64_t j) { return i == 1 && j == 0 ? Complex(NAN) : Complex(1); });
  CHECK(std::isnan(element(part<1>(linalgQr(column, "reduced")), 0, 0).real()));
  const Tensor alone =
      generated(2, 1, DType::ComplexDouble, [](int64_t i, int64_t) { return i ? Complex(0) : Complex(NAN, NAN); });
  CHECK(std::isnan(element(part<1>(linalgQr(alone, "reduced")), 0, 0).real()));
}

TEST_CASE("Hermitian matrices have their eigenvectors' basis") {
  for (DType dtype : {DType::Double, DType::ComplexDouble})
    for (int64_t n : {1, 2, 3, 4, 9, 32, 33, 70, 130})
      for (const char *triangle : {"L", "U"}) {
        INFO(n << " " << triangle);
        const Tensor half = randomMatrix(n, n, static_cast<uint32_t>(n), dtype), other = conjugateTransposed(half);
        const Tensor a = generated(n, n, dtype, [&](int64_t i, int64_t j) { // the triangle that is not read has noise
          const bool isRead = *triangle == 'L' ? i >= j : i <= j;
          return element(half, i, j) + (isRead ? element(other, i, j) : Complex(7));
        });
        auto found = eigh(a, triangle);
        const Tensor values = part<0>(found), vectors = part<1>(found);
        const Tensor whole =
            generated(n, n, dtype, [&](int64_t i, int64_t j) { return element(half, i, j) + element(other, i, j); });
        CHECK(apart(only(matmul(whole, vectors)), scaled(vectors, values, 1)) < 1e-12 * static_cast<double>(n + 10));
        CHECK(fromIdentity(vectors) < 1e-13 * static_cast<double>(n + 10));
        for (int64_t i = 0; i + 1 < n; ++i)
          CHECK(values.data<double>()[i] <= values.data<double>()[i + 1]);
        CHECK(apart(only(eigvalsh(a, triangle)), values) < 1e-12 * static_cast<double>(n + 10));
      }
}

TEST_CASE("complex systems, inverses, Cholesky factors and eigenvalues") {
  for (int64_t n : {1, 2, 3, 7, 16, 33, 100}) {
    INFO(n);
    const double tolerance = 1e-11 * static_cast<double>(n);
    const Tensor noise = randomMatrix(n, n, static_cast<uint32_t>(n));
    const Tensor a = generated(n, n, DType::ComplexDouble, [&](int64_t i, int64_t j) {
      return element(noise, i, j) + (i == j ? Complex(0, 3) : Complex(0));
    });
    const Tensor product = only(matmul(a, only(inverse(a))));
    CHECK(apart(product, generated(n, n, DType::ComplexDouble,
                                   [](int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; })) < tolerance);
    for (int64_t columns : {1, 5}) {
      const Tensor b = randomMatrix(n, columns, static_cast<uint32_t>(n + 1));
      CHECK(apart(only(matmul(a, only(solve(a, b, true)))), b) < tolerance);
    }
    for (int64_t columns : {n / 2 + 1, n + 5}) {
      const Tensor matrix = randomMatrix(n, columns, 7);
      auto factors = lu(matrix, true);
      CHECK(apart(only(matmul(part<0>(factors), only(matmul(part<1>(factors), part<2>(factors))))), matrix) <
            tolerance);
    }
    const Tensor positive = only(matmul(a, conjugateTransposed(a))), factor = only(cholesky(positive, false));
    CHECK(apart(only(matmul(factor, conjugateTransposed(factor))), positive) < tolerance * static_cast<double>(n + 10));

    auto both = eig(a);
    const Tensor values = part<0>(both), vectors = part<1>(both), image = only(matmul(a, vectors));
    for (int64_t i = 0; i != n; ++i)
      for (int64_t k = 0; k != n; ++k)
        CHECK(std::abs(element(image, i, k) - values.at(k).toComplex() * element(vectors, i, k)) < tolerance);
    CHECK(apart(only(eigvals(a)), values) < tolerance);
  }
}

TEST_CASE("Hermitian matrices and QR whose first elements are large") {
  for (DType dtype : {DType::Double, DType::ComplexDouble}) {
    const Tensor a = generated(3, 3, dtype, [](int64_t i, int64_t j) {
      return Complex(i + j == 1 ? 1e200 : i + j == 2 && i != j ? 1 : 0);
    });
    for (const char *triangle : {"L", "U"}) {
      auto found = eigh(a, triangle);
      const Tensor values = part<0>(found), alone = only(eigvalsh(a, triangle));
      for (const Tensor &w : {values, alone}) {
        CHECK(std::fabs(w.data<double>()[0] / 1e200 + 1) < 1e-14);
        CHECK(std::fabs(w.data<double>()[1]) < 1e185);
        CHECK(std::fabs(w.data<double>()[2] / 1e200 - 1) < 1e-14);
      }
      CHECK(fromIdentity(part<1>(found)) < 1e-13);
    }
    const Tensor b = generated(
        2, 2, dtype, [](int64_t i, int64_t j) { return i + j == 0 ? Complex(1e200, 1e190) : Complex(i == 1); });
    auto factors = linalgQr(b, "reduced");
    CHECK(std::abs(element(part<1>(factors), 0, 0) / 1e200 + 1.0) < 1e-9);
    CHECK(fromIdentity(part<0>(factors)) < 1e-13);
  }
}
