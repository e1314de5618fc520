//===- DecompositionTest.cpp - Factors that give the matrix again ---------===//
//
// Of matrices of many shapes, well and badly scaled, and short of rank: products of
// the factors are the matrix, and bases are orthonormal, up to rounding in double.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;

static Tensor randomMatrix(int64_t rows, int64_t columns, uint32_t seed) {
  return randomTensor({rows, columns}, DType::Double, seed);
}
template <class F> static Tensor mapped(const Tensor &t, F f) {
  Tensor out = *Tensor::empty(t.sizes(), t.dtype());
  const int64_t columns = t.sizes().back();
  for (int64_t i = 0; i != t.numel(); ++i)
    out.mutableData<double>()[i] = f(t.data<double>()[i], i / columns, i % columns);
  return out;
}
static double fromIdentity(const Tensor &basis) { // of columns
  Tensor product = only(matmul(only(transpose(basis, 0, 1)), basis));
  return apart(product, mapped(product, [](double, int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }));
}

static void checkFactors(const Tensor &a) {
  const double size = largest(a) + 1e-300, tolerance = 1e-13 * static_cast<double>(a.size(0) + a.size(1));
  auto svd = linalgSvd(a, false, std::nullopt);
  const Tensor u = part<0>(svd), s = part<1>(svd), vh = part<2>(svd);
  const Tensor scaled = mapped(u, [&](double x, int64_t, int64_t j) { return x * (s.data<double>()[j] / size); });
  CHECK(apart(mapped(only(matmul(scaled, vh)), [&](double x, int64_t, int64_t) { return x; }),
              mapped(a, [&](double x, int64_t, int64_t) { return x / size; })) < tolerance);
  CHECK(fromIdentity(u) < tolerance);
  CHECK(fromIdentity(only(transpose(vh, 0, 1))) < tolerance);
  for (int64_t i = 0; i + 1 < s.numel(); ++i)
    CHECK(s.data<double>()[i] >= s.data<double>()[i + 1]);
  CHECK(apart(only(svdvals(a, std::nullopt)), s) <= tolerance * size);
  auto qr = linalgQr(a, "reduced");
  const Tensor r = mapped(part<1>(qr), [&](double x, int64_t, int64_t) { return x / size; });
  CHECK(apart(only(matmul(part<0>(qr), r)), mapped(a, [&](double x, int64_t, int64_t) { return x / size; })) <
        tolerance);
  CHECK(fromIdentity(part<0>(qr)) < tolerance);
}

TEST_CASE("singular values and QR give the matrix again") {
  for (int64_t m : {1, 2, 3, 5, 8, 17, 33, 64, 70})
    for (int64_t n : {1, 2, 3, 7, 16, 31, 65}) {
      INFO(m << " x " << n);
      const Tensor a = randomMatrix(m, n, static_cast<uint32_t>(m * 100 + n));
      checkFactors(a);
      checkFactors(mapped(a, [](double x, int64_t, int64_t) { return x * 1e-200; }));
      checkFactors(mapped(a, [](double x, int64_t, int64_t) { return x * 1e200; }));
      checkFactors(mapped(a, [&](double x, int64_t i, int64_t j) { // of deficient rank
        return j == n / 2 ? 2 * a.data<double>()[i * n] : x;
      }));
      checkFactors(mapped(a, [](double, int64_t, int64_t) { return 0.0; }));
      checkFactors(mapped(a, [](double, int64_t, int64_t) { return 1.0; }));
      checkFactors(mapped(a, [](double, int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }));
      checkFactors(mapped(a, [](double x, int64_t, int64_t j) { return x * std::exp(-2.0 * j); }));
      checkFactors(mapped(a, [](double x, int64_t, int64_t j) { return x * std::exp(2.0 * j); }));
    }
}

TEST_CASE("QR of columns that are longer than the parts of vectors that reflections go over") {
  for (int64_t m : {255, 256, 257, 700})
    for (int64_t n : {5, 18, 47}) {
      INFO(m << " x " << n);
      checkFactors(randomMatrix(m, n, static_cast<uint32_t>(m + n)));
    }
}

// The matrix of Hilbert of order 6: its determinant is 5.36729988735e-18, its largest singular value 1.6188998589.
TEST_CASE("small singular values are exact") {
  const Tensor h = mapped(randomMatrix(6, 6, 1), [](double, int64_t i, int64_t j) { return 1.0 / (i + j + 1); });
  const Tensor s = only(svdvals(h, std::nullopt));
  double product = 1;
  for (int64_t i = 0; i != 6; ++i)
    product *= s.data<double>()[i];
  CHECK(s.data<double>()[0] == Approx(1.6188998589).epsilon(1e-9));
  CHECK(product == Approx(5.36729988735e-18).epsilon(1e-7));
}

TEST_CASE("LU, inverses and systems, in one block and in several") {
  for (int64_t n : {1, 2, 3, 7, 23, 24, 25, 64, 95, 96, 100, 130, 161}) {
    INFO(n);
    const double tolerance = 1e-11 * static_cast<double>(n);
    const Tensor a = mapped(randomMatrix(n, n, static_cast<uint32_t>(n)),
                            [&](double x, int64_t i, int64_t j) { return x + (i == j ? 3.0 : 0.0); });
    const Tensor product = only(matmul(a, only(inverse(a))));
    CHECK(apart(product, mapped(product, [](double, int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; })) < tolerance);
    const Tensor b = randomMatrix(n, 3, static_cast<uint32_t>(n + 1));
    CHECK(apart(only(matmul(a, only(solve(a, b, true)))), b) < tolerance);
    for (int64_t columns : {n / 2 + 1, n, n + 5}) {
      auto factors = lu(randomMatrix(n, columns, 7), true);
      const Tensor whole = only(matmul(part<0>(factors), only(matmul(part<1>(factors), part<2>(factors)))));
      CHECK(apart(whole, randomMatrix(n, columns, 7)) < tolerance);
    }
  }
  const Tensor singular = mapped(randomMatrix(40, 40, 1), [](double x, int64_t, int64_t j) { return j == 30 ? 0 : x; });
  CHECK(messageOf(inverse(singular).status()).contains("The diagonal element 31 is zero"));
}

TEST_CASE("inverses by Cholesky factors, in one block and in several") {
  for (DType dtype : {DType::Double, DType::ComplexDouble})
    for (int64_t n : {1, 2, 5, 31, 95, 96, 97, 130}) {
      INFO(irName(dtype).str() << ", " << n);
      const Tensor a = randomTensor({2, n, n}, dtype, static_cast<uint32_t>(n));
      const Tensor identity = only(toDType(
          mapped(randomMatrix(n, n, 1), [](double, int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }), dtype));
      const Tensor shifted =
          only(pointwise(PointwiseKind::Aten_add_Tensor, {PointwiseArg(only(matmul(a, only(adjoint(a))))),
                                                          PointwiseArg(identity), PointwiseArg(Scalar(1))}));
      for (bool upper : {false, true}) {
        const Tensor found = only(choleskyInverse(only(cholesky(shifted, upper)), upper));
        const Tensor product = only(matmul(found, shifted));
        for (int64_t b : {0, 1})
          CHECK(apart(*select(product, 0, b), identity) < 1e-9 * static_cast<double>(n));
      }
    }
}

TEST_CASE("eigenvalues of general matrices, with vectors and without") {
  for (int64_t n : {1, 2, 3, 4, 7, 20, 50}) {
    INFO(n);
    const Tensor a = randomMatrix(n, n, static_cast<uint32_t>(n + 5));
    auto both = eig(a);
    const Tensor values = part<0>(both), vectors = part<1>(both);
    const Tensor product = only(matmul(only(toDType(a, DType::ComplexDouble)), vectors));
    double most = 0;
    for (int64_t i = 0; i != n; ++i)
      for (int64_t k = 0; k != n; ++k)
        most = std::max(most, std::abs(product.at(i * n + k).toComplex() -
                                       values.at(k).toComplex() * vectors.at(i * n + k).toComplex()));
    CHECK(most < 1e-11);
    CHECK(apart(only(eigvals(a)), values) < 1e-10);
  }
}

TEST_CASE("exponentials of matrices are the sums of their series") {
  for (int64_t n : {1, 2, 5, 8, 16, 21})
    for (double size : {0.01, 0.3, 3.0}) {
      const Tensor a = mapped(randomMatrix(n, n, static_cast<uint32_t>(n)),
                              [&](double x, int64_t, int64_t) { return x * size / std::sqrt(double(n)); });
      Tensor power = mapped(a, [](double, int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }), sum = power;
      for (int k = 1; k != 60; ++k) {
        power = mapped(only(mm(power, a)), [&](double x, int64_t, int64_t) { return x / k; });
        sum = mapped(sum, [&](double x, int64_t i, int64_t j) { return x + power.data<double>()[i * n + j]; });
      }
      const Tensor found = only(matrixExp(a));
      double worst = 0, largest = 0;
      for (int64_t i = 0; i != n * n; ++i) {
        worst = worse(worst, std::abs(found.data<double>()[i] - sum.data<double>()[i]));
        largest = std::max(largest, std::abs(sum.data<double>()[i]));
      }
      INFO(n << " " << size);
      CHECK(worst < 1e-13 * std::max(1.0, largest));
    }
}

/// Values and vectors of a symmetric matrix: a residual and a basis as good as rounding allows.
static void checkEigen(const Tensor &a, double tolerance) {
  const int64_t n = a.size(0);
  const double size = largest(a) + 1e-300;
  for (const char *triangle : {"L", "U"}) {
    auto result = eigh(a, triangle);
    const Tensor values = part<0>(result), vectors = part<1>(result);
    const Tensor left = only(matmul(a, vectors));
    const Tensor right = mapped(vectors, [&](double x, int64_t, int64_t j) { return x * values.data<double>()[j]; });
    CHECK(apart(left, right) <= tolerance * static_cast<double>(n) * size);
    CHECK(fromIdentity(vectors) < tolerance * static_cast<double>(n));
    for (int64_t i = 0; i + 1 < n; ++i)
      CHECK(values.data<double>()[i] <= values.data<double>()[i + 1]);
    CHECK(apart(only(eigvalsh(a, triangle)), values) <= tolerance * static_cast<double>(n) * size);
  }
}

TEST_CASE("eigenvectors of symmetric matrices, by iteration and by halves") {
  constexpr double tolerance = 1e-14;
  for (int64_t n : {1, 2, 3, 8, 25, 26, 27, 50, 51, 64, 100, 129, 200}) {
    INFO(n);
    const Tensor random = randomMatrix(n, n, static_cast<uint32_t>(n));
    auto symmetric = [&](auto f) {
      return mapped(random, [&](double, int64_t i, int64_t j) { return f(std::max(i, j), std::min(i, j)); });
    };
    checkEigen(symmetric([&](int64_t i, int64_t j) { return random.data<double>()[i * n + j]; }), tolerance);
    checkEigen(symmetric([&](int64_t i, int64_t j) { return i == j ? 1.0 : 0.0; }), tolerance);
    checkEigen(symmetric([&](int64_t, int64_t) { return 0.0; }), tolerance);
    checkEigen(symmetric([&](int64_t, int64_t) { return 1.0; }), tolerance); // of rank 1
    // The second difference, whose values crowd at both ends, and Wilkinson's matrix, whose values come in pairs.
    checkEigen(symmetric([&](int64_t i, int64_t j) { return i == j ? 2.0 : i == j + 1 ? -1.0 : 0.0; }), tolerance);
    checkEigen(symmetric([&](int64_t i, int64_t j) {
                 return i == j ? std::fabs(static_cast<double>(i - n / 2)) : i == j + 1 ? 1.0 : 0.0;
               }),
               tolerance);
    // Copies of one block, coupled by nearly nothing.
    checkEigen(symmetric([&](int64_t i, int64_t j) {
                 return i == j ? static_cast<double>(i % 7) : i == j + 1 ? (i % 7 == 0 ? 1e-12 : 1.0) : 0.0;
               }),
               tolerance);
    checkEigen(symmetric([&](int64_t i, int64_t j) { // of sizes from 1 to nothing
                 return random.data<double>()[i * n + j] * std::exp(-0.3 * static_cast<double>(i + j));
               }),
               tolerance);
    checkEigen(symmetric([&](int64_t i, int64_t j) { return random.data<double>()[i * n + j] * 1e-160; }), tolerance);
    checkEigen(symmetric([&](int64_t i, int64_t j) { return random.data<double>()[i * n + j] * 1e150; }), tolerance);
    const Tensor single = only(toDType(random, DType::Float));
    const Tensor wide =
        symmetric([&](int64_t i, int64_t j) { return static_cast<double>(single.data<float>()[i * n + j]); });
    const Tensor values = part<0>(eigh(single, "L"));
    CHECK(apart(values, only(eigvalsh(wide, "L"))) < 1e-6 * static_cast<double>(n) * largest(wide));
  }
  Tensor bad = randomMatrix(40, 40, 1);
  bad.mutableData<double>()[45] = std::nan("");
  CHECK(std::isnan(part<0>(eigh(bad, "U")).at(0).toDouble()));
}

TEST_CASE("many small matrices are factored as each alone") {
  for (int64_t m : {1, 2, 3, 4, 5, 8})
    for (int64_t n : {1, 2, 3, 4, 7, 8})
      for (const char *mode : {"reduced", "complete", "r"}) {
        INFO(m << " x " << n << " " << mode);
        constexpr int64_t count = 19;
        Tensor batch = only(view(randomMatrix(count * m, n, static_cast<uint32_t>(m * 10 + n)), {count, m, n}));
        for (int64_t i = 0; i != m * n; ++i) { // zeros, sizes without moderate squares
          batch.mutableData<double>()[3 * m * n + i] = 0;
          batch.mutableData<double>()[5 * m * n + i] *= 1e-200;
          batch.mutableData<double>()[7 * m * n + i] *= 1e200;
        }
        auto all = linalgQr(batch, mode);
        for (int64_t b = 0; b != count; ++b) {
          auto one = linalgQr(only(select(batch, 0, b)), mode);
          const double size = largest(only(select(batch, 0, b)));
          CHECK(apart(only(contiguous(only(select(part<1>(all), 0, b)))), part<1>(one)) <= 1e-13 * size);
          if (mode != llvm::StringRef("r"))
            CHECK(apart(only(contiguous(only(select(part<0>(all), 0, b)))), part<0>(one)) <= 1e-13);
        }
      }
  for (int64_t n : {1, 2, 3, 4, 6, 8}) {
    constexpr int64_t count = 21;
    Tensor batch = only(view(randomMatrix(count * n, n, static_cast<uint32_t>(n)), {count, n, n}));
    for (int64_t i = 0; i != n * n; ++i)
      batch.mutableData<double>()[2 * n * n + i] *= 20, batch.mutableData<double>()[4 * n * n + i] = 0;
    const Tensor exponentials = only(matrixExp(batch));
    const Tensor positive = only(matmul(batch, only(transpose(batch, 1, 2))));
    for (bool upper : {false, true}) {
      auto factors = choleskyEx(positive, upper, false);
      for (int64_t b = 0; b != count; ++b) {
        INFO(n << ", number " << b);
        const Tensor one = only(contiguous(only(select(positive, 0, b))));
        auto alone = choleskyEx(one, upper, false);
        CHECK(part<1>(factors).at(b).toInt() == part<1>(alone).at(0).toInt());
        CHECK(apart(only(contiguous(only(select(part<0>(factors), 0, b)))), part<0>(alone)) <= 1e-12 * largest(one));
        const Tensor got = only(contiguous(only(select(exponentials, 0, b))));
        const Tensor want = only(matrixExp(only(contiguous(only(select(batch, 0, b))))));
        CHECK(apart(got, want) <= 1e-10 * largest(want));
      }
    }
  }
}

TEST_CASE("columns whose first element is large") {
  const Tensor one = make<double>({1e200, 0, 1, 1}, {2, 2});
  for (int64_t count : {1, 16}) {
    INFO(count);
    const Tensor batch = only(contiguous(only(expand(one, {count, 2, 2}))));
    auto factors = linalgQr(batch, "reduced");
    const Tensor r = part<1>(factors), q = part<0>(factors);
    for (int64_t b = 0; b != count; ++b) {
      CHECK(r.data<double>()[4 * b] == -1e200);
      CHECK(std::fabs(r.data<double>()[4 * b + 1]) < 1e-10);
      CHECK(r.data<double>()[4 * b + 2] == 0);
      CHECK(std::fabs(r.data<double>()[4 * b + 3]) == 1);
      CHECK(q.data<double>()[4 * b] == -1);
    }
  }
  const Tensor b = make<double>({1e200, 1e190}, {2, 1}), a = make<double>({1e200, 0, 1, 1e190}, {2, 2});
  auto solution = lstsq(a, b, std::nullopt, std::nullopt);
  expectTensor(part<0>(solution), {2, 1}, {1, 1}, 1e-12);
  expectTensor(part<0>(lstsq(a, b, std::nullopt, "gelsd")), {2, 1}, {1, 1}, 1e-12);
}

// Every matrix has the factor that it has alone, a failed one, too.
TEST_CASE("factors of matrices that are not positive") {
  const Tensor one = make<double>({1, 2, 2, 1}, {2, 2}), alone = part<0>(choleskyEx(one, false, false));
  expectTensor(alone, {2, 2}, {1, 0, 2, 1}, 0);
  const Tensor batch = only(contiguous(only(expand(one, {8, 2, 2}))));
  const Tensor factors = part<0>(choleskyEx(batch, false, false));
  for (int64_t i = 0; i != factors.numel(); ++i)
    CHECK(factors.data<double>()[i] == alone.data<double>()[i % 4]);
}
