//===- RowKernelsTest.cpp - Kernels of rows against plain definitions -----===//
//
// Kernels that take rows, planes or points at once, against double precision or the
// same operator on operands for which it takes another way: strided, wider, or one
// element at a time.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/Loss.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/NeuralNet.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sorting.h"
#include "tsc/Kernels/Upsample.h"
#include <limits>
#include <random>
#include <set>

using namespace tsc;
using namespace tsc::test;
using K = PointwiseKind;

static Tensor integers(ArrayRef<int64_t> sizes, int64_t low, int64_t high, DType dtype = DType::Int64,
                       unsigned seed = 1) {
  std::mt19937 engine(seed);
  Tensor t = *Tensor::empty(sizes, DType::Int64);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.mutableData<int64_t>()[i] = low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low));
  return *cpu::toDType(t, dtype);
}
/// The same elements, every second one of a wider tensor.
static Tensor strided(const Tensor &t) {
  Dims sizes(t.sizes());
  sizes.push_back(2);
  Tensor wide = *cpu::full(sizes, Scalar(7), t.dtype());
  Tensor view = *cpu::select(wide, -1, 0);
  REQUIRE(cpu::copyInto(view, t).ok());
  return view;
}
static double largestDifference(const Tensor &a, const Tensor &b) {
  REQUIRE(a.sizes() == b.sizes());
  std::vector<double> x = numbers(a), y = numbers(b);
  double largest = 0;
  for (size_t i = 0; i != x.size(); ++i)
    if (!(std::isnan(x[i]) && std::isnan(y[i])) && x[i] != y[i])
      largest = std::max(largest, std::isnan(x[i] - y[i]) ? INFINITY : std::fabs(x[i] - y[i]));
  return largest;
}

TEST_CASE("Rows: losses of rows have the bits of their operators") {
  for (int64_t n : {1, 15, 16, 17, 1023, 1025, 5000, 33000, 70001}) {
    Tensor x = randomTensor({n}), t = randomTensor({n}, DType::Float, 2);
    if (n > 20) {
      x.set(3, Scalar(INFINITY));
      t.set(n - 1, Scalar(std::nan("")));
    }
    for (int64_t reduction : {0, 1, 2}) {
      INFO(n << " elements, reduction " << reduction);
      Tensor x2 = strided(x), t2 = strided(t);
      CHECK(sameBits(*cpu::mseLoss(x, t, reduction), *cpu::mseLoss(x2, t2, reduction)));
      CHECK(sameBits(*cpu::l1Loss(x, t, reduction), *cpu::l1Loss(x2, t2, reduction)));
      for (double limit : {1.0, 0.3})
        CHECK(sameBits(*cpu::huberLoss(x, t, reduction, limit), *cpu::huberLoss(x2, t2, reduction, limit)));
      for (double limit : {1.0, 0.3, 0.0})
        CHECK(sameBits(*cpu::smoothL1Loss(x, t, reduction, limit), *cpu::smoothL1Loss(x2, t2, reduction, limit)));
    }
  }
  Tensor p = *cpu::full({40}, Scalar(0.25)), t = randomTensor({40});
  CHECK(largestDifference(*cpu::binaryCrossEntropy(p, t, Tensor(), 0),
                          *cpu::binaryCrossEntropy(strided(p), strided(t), Tensor(), 0)) < 1e-5);
  p.set(39, Scalar(1.5));
  CHECK(!cpu::binaryCrossEntropy(p, t, Tensor(), 1).ok());
  for (bool logInput : {true, false}) {
    Tensor x = *cpu::full({50}, Scalar(0.75)), y = randomTensor({50});
    CHECK(largestDifference(*cpu::poissonNllLoss(x, y, logInput, false, 1e-8, 0),
                            *cpu::poissonNllLoss(strided(x), y, logInput, false, 1e-8, 0)) < 1e-5);
  }
}

TEST_CASE("Rows: sums of half types are those of floats") {
  for (DType dtype : {DType::Half, DType::BFloat16})
    for (int64_t columns : {1, 7, 40, 1000, 5000}) {
      Tensor x = randomTensor({9, columns}, dtype), wide = *cpu::toDType(x, DType::Float);
      for (int64_t dim : {0, 1})
        CHECK(sameBits(*cpu::sumDims(x, Dims{dim}, false, std::nullopt),
                       *cpu::toDType(*cpu::sumDims(wide, Dims{dim}, false, std::nullopt), dtype)));
      CHECK(sameBits(*cpu::sum(x, std::nullopt), *cpu::toDType(*cpu::sum(wide, std::nullopt), dtype)));
    }
}

TEST_CASE("Rows: sums of complex numbers are those of their parts") {
  for (int64_t n : {1, 15, 33, 1024, 2500}) {
    Tensor x = randomTensor({6, n, 2});
    Tensor z = *cpu::viewAsComplex(x);
    for (int64_t dim : {0, 1}) {
      Tensor parts = *cpu::viewAsReal(*cpu::sumDims(z, Dims{dim}, false, std::nullopt));
      CHECK(sameBits(parts, *cpu::sumDims(x, Dims{dim}, false, std::nullopt)));
    }
  }
}

TEST_CASE("Rows: extrema and sums of narrow integers") {
  for (DType dtype : {DType::Int8, DType::UInt8, DType::Int16, DType::Int32, DType::Int64})
    for (int64_t n : {1, 100, 40000}) {
      Tensor x = integers({3, n}, dtype == DType::UInt8 ? 0 : -100, 101, dtype), wide = *cpu::toDType(x, DType::Double);
      CHECK(numbers(*cpu::amax(x, Dims{1}, false)) == numbers(*cpu::amax(wide, Dims{1}, false)));
      CHECK(numbers(*cpu::amin(x, Dims{0}, false)) == numbers(*cpu::amin(wide, Dims{0}, false)));
      CHECK(numbers(*cpu::min(x)) == numbers(*cpu::min(wide)));
      CHECK(numbers(*cpu::sumDims(x, Dims{1}, true, std::nullopt)) ==
            numbers(*cpu::sumDims(wide, Dims{1}, true, std::nullopt)));
    }
}

TEST_CASE("Rows: where extrema are, with ties and NaN") {
  for (DType dtype : {DType::Float, DType::Double, DType::Int64})
    for (int64_t n : {1, 63, 64, 200, 5000}) {
      Tensor x = integers({4, n}, 0, 20, dtype);
      if (dtype != DType::Int64 && n > 150)
        x.set(2 * n + 133, Scalar(std::nan(""))), x.set(2 * n + 140, Scalar(std::nan("")));
      std::vector<double> all = numbers(x);
      for (int64_t dim : {0, 1}) {
        const Tensor values = part<0>(cpu::maxDim(x, dim, false)), places = part<1>(cpu::maxDim(x, dim, false));
        const Tensor least = part<1>(cpu::minDim(x, dim, false));
        const int64_t length = dim == 0 ? 4 : n, step = dim == 0 ? n : 1;
        for (int64_t i = 0; i != values.numel(); ++i) {
          const double *row = all.data() + (dim == 0 ? i : i * n);
          int64_t most = 0, low = 0;
          for (int64_t k = 1; k != length; ++k) {
            const double v = row[k * step];
            if (!std::isnan(row[most * step]) && (v > row[most * step] || std::isnan(v)))
              most = k;
            if (!std::isnan(row[low * step]) && (v < row[low * step] || std::isnan(v)))
              low = k;
          }
          REQUIRE(places.at(i).toInt() == most);
          REQUIRE(least.at(i).toInt() == low);
        }
      }
    }
}

TEST_CASE("Rows: narrow integers compute as wide ones do") {
  struct Case {
    K kind;
    bool takesAlpha;
  };
  for (DType dtype : {DType::Int8, DType::UInt8, DType::Int16}) {
    Tensor a = integers({2, 75}, -200, 200, dtype), b = integers({2, 75}, -200, 200, dtype, 2);
    for (Case c : {Case{K::Aten_add_Tensor, true}, Case{K::Aten_sub_Tensor, true}, Case{K::Aten_mul_Tensor, false},
                   Case{K::Aten_bitwise_and_Tensor, false}, Case{K::Aten_bitwise_xor_Tensor, false},
                   Case{K::Aten_maximum, false}, Case{K::Aten_lt_Tensor, false}, Case{K::Aten_eq_Tensor, false},
                   Case{K::Aten_remainder_Tensor, false}}) {
      if (c.kind == K::Aten_remainder_Tensor)
        b = *cpu::full({2, 75}, Scalar(3), dtype);
      auto run = [&](const Tensor &x, const Tensor &y) {
        return c.takesAlpha ? only(pointwise(c.kind, {PointwiseArg(x), PointwiseArg(y), PointwiseArg(Scalar(3))}))
                            : only(pointwise(c.kind, {PointwiseArg(x), PointwiseArg(y)}));
      };
      Tensor narrow = run(a, b);
      Tensor wide = run(*cpu::toDType(a, DType::Int64), *cpu::toDType(b, DType::Int64));
      CHECK(sameBits(narrow, *cpu::toDType(wide, narrow.dtype())));
      CHECK(sameBits(narrow, run(strided(a), b)));
    }
    // Numbers that 32 bits do not hold.
    Tensor clamped = only(pointwise(K::Aten_clamp, {PointwiseArg(a), PointwiseArg(), PointwiseArg(Scalar(100))}));
    CHECK(clamped.dtype() == dtype);
    for (int64_t shift : {0, 3, 9, 33}) {
      Tensor moved =
          only(pointwise(K::Aten_bitwise_right_shift_Tensor_Scalar, {PointwiseArg(a), PointwiseArg(Scalar(shift))}));
      for (int64_t i = 0; i != a.numel(); ++i)
        REQUIRE(moved.at(i).toInt() == (shift > 31 ? (a.at(i).toInt() < 0 ? -1 : 0) : a.at(i).toInt() >> shift));
    }
  }
}

TEST_CASE("Rows: rows of broadcast operands") {
  // Rows of every length up to a vector's and beyond, along several dimensions.
  for (int64_t n : {1, 5, 63, 64, 65, 200}) {
    Tensor a = randomTensor({3, 4, n}), column = randomTensor({4, 1}), row = randomTensor({n});
    Tensor sum = only(pointwise(K::Aten_mul_Tensor, {PointwiseArg(a), PointwiseArg(column)}));
    Tensor other = only(pointwise(K::Aten_mul_Tensor, {PointwiseArg(strided(a)), PointwiseArg(row)}));
    for (int64_t i = 0; i != a.numel(); ++i) {
      REQUIRE(sum.data<float>()[i] == a.data<float>()[i] * column.data<float>()[i / n % 4]);
      REQUIRE(other.at(i).toDouble() == a.data<float>()[i] * row.data<float>()[i % n]);
    }
  }
}

TEST_CASE("Rows: random numbers are drawn as one by one") {
  Tensor whole = *Tensor::empty({1300}, DType::Float), apart = *Tensor::empty({1300, 2}, DType::Float);
  Tensor column = *cpu::select(apart, 1, 0);
  Generator a(7), b(7);
  REQUIRE(cpu::uniformInPlace(a, whole, -2, 3).ok());
  REQUIRE(cpu::uniformInPlace(b, column, -2, 3).ok());
  CHECK(sameBits(whole, column));
  CHECK(a.random64() == b.random64());
  Generator plain(7);
  for (int64_t i = 0; i != 1300; ++i)
    REQUIRE(whole.data<float>()[i] ==
            std::fma(static_cast<float>(plain.random32() & 0xffffff) / 16777216.0f, 5.0f, -2.0f));
  // Remainders without a division.
  for (int64_t limit : {1, 2, 3, 100, 65537, 1000003, (1 << 30) + 7}) {
    Tensor drawn = *Tensor::empty({700}, DType::Int64);
    Generator c(11), d(11);
    REQUIRE(cpu::randomFromInPlace(c, drawn, 0, limit).ok());
    for (int64_t i = 0; i != 700; ++i)
      REQUIRE(drawn.data<int64_t>()[i] == static_cast<int64_t>(d.random32() % static_cast<uint64_t>(limit)));
  }
  Tensor exponentials = *Tensor::empty({600}, DType::Double);
  Generator e(3), f(3);
  REQUIRE(cpu::exponentialInPlace(e, exponentials, 2.0).ok());
  for (int64_t i = 0; i != 600; ++i)
    REQUIRE(exponentials.data<double>()[i] == Approx(-0.5 * std::log1p(-f.uniformDouble())).epsilon(1e-13));
}

TEST_CASE("Rows: gather, scatter and masks") {
  Tensor x = randomTensor({50, 33}), index = integers({50, 33}, 0, 33);
  Tensor gathered = only(cpu::gather(x, 1, index, false));
  Tensor added = only(cpu::scatterAdd(*cpu::zeros({50, 33}, DType::Double), 1, index, *cpu::toDType(x, DType::Double)));
  std::vector<double> sums(50 * 33, 0);
  for (int64_t i = 0; i != x.numel(); ++i) {
    REQUIRE(gathered.data<float>()[i] == x.data<float>()[i / 33 * 33 + index.data<int64_t>()[i]]);
    sums[i / 33 * 33 + index.data<int64_t>()[i]] += x.data<float>()[i];
  }
  for (size_t i = 0; i != sums.size(); ++i)
    REQUIRE(added.data<double>()[i] == Approx(sums[i]));
  // Whole rows by an expanded index, and the same spelled out.
  Tensor rows = integers({50, 1}, 0, 20), wide = *cpu::expand(rows, {50, 33}), start = randomTensor({20, 33});
  CHECK(sameBits(only(cpu::scatterAdd(start, 0, wide, x)), only(cpu::scatterAdd(start, 0, *cpu::contiguous(wide), x))));
  for (llvm::StringRef how : {"amax", "amin", "prod"})
    CHECK(sameBits(only(cpu::scatterReduce(start, 0, wide, x, how, true)),
                   only(cpu::scatterReduce(start, 0, *cpu::contiguous(wide), x, how, true))));
  index.set(1640, Scalar(int64_t{33}));
  CHECK(!cpu::gather(x, 1, index, false).ok());
  CHECK(!cpu::scatterSrc(x, 1, index, x).ok());

  Tensor mask = *pointwise(K::Aten_gt_Scalar, {PointwiseArg(x), PointwiseArg(Scalar(0.5))});
  Tensor chosen = only(cpu::maskedSelect(x, mask)), places = only(cpu::nonzero(mask));
  Tensor replaced = only(cpu::maskedScatter(strided(x), mask, randomTensor({50 * 33}, DType::Float, 9)));
  Tensor fresh = randomTensor({50 * 33}, DType::Float, 9);
  int64_t next = 0;
  for (int64_t i = 0; i != x.numel(); ++i) {
    const bool marked = x.data<float>()[i] > 0.5f;
    REQUIRE(replaced.at(i).toDouble() == (marked ? fresh.data<float>()[next] : x.data<float>()[i]));
    if (!marked)
      continue;
    REQUIRE(chosen.data<float>()[next] == x.data<float>()[i]);
    REQUIRE(places.data<int64_t>()[2 * next] == i / 33);
    REQUIRE(places.data<int64_t>()[2 * next + 1] == i % 33);
    ++next;
  }
  CHECK(chosen.numel() == next);
  CHECK(places.size(0) == next);
}

TEST_CASE("Rows: distinct elements by table, by sorting and as neighbours") {
  Tensor x = integers({3000}, -40, 60, DType::Int32);
  auto check = [](const Tensor &x, const StatusOr<std::tuple<Tensor, Tensor, Tensor>> &found) {
    Tensor values = part<0>(found), inverse = part<1>(found), counts = part<2>(found);
    std::vector<int64_t> seen(static_cast<size_t>(values.numel()), 0);
    for (int64_t i = 0; i != x.numel(); ++i) {
      REQUIRE(values.at(inverse.at(i).toInt()).toDouble() == x.at(i).toDouble());
      ++seen[static_cast<size_t>(inverse.at(i).toInt())];
    }
    for (int64_t i = 0; i != values.numel(); ++i)
      REQUIRE(counts.at(i).toInt() == seen[static_cast<size_t>(i)]);
    return values;
  };
  Tensor byTable = check(x, cpu::unique2(x, true, true, true));
  Tensor far = *cpu::toDType(x, DType::Int64);
  far.set(17, Scalar(int64_t{1} << 40));
  check(far, cpu::unique2(far, true, true, true));
  Tensor real = *cpu::toDType(x, DType::Float);
  CHECK(numbers(check(real, cpu::unique2(real, true, true, true))) == numbers(byTable));
  for (int64_t i = 1; i < byTable.numel(); ++i)
    REQUIRE(byTable.at(i - 1).toInt() < byTable.at(i).toInt());
  Tensor runs = integers({3000}, 0, 2);
  Tensor values = check(runs, cpu::uniqueConsecutive(runs, true, true, std::nullopt));
  for (int64_t i = 1; i < values.numel(); ++i)
    REQUIRE(values.at(i - 1).toInt() != values.at(i).toInt());
  for (const Tensor &t : {runs, real}) { // nothing but the elements
    const bool consecutive = t.dtype() == runs.dtype();
    const auto found =
        consecutive ? cpu::uniqueConsecutive(t, false, false, std::nullopt) : cpu::unique2(t, true, false, false);
    CHECK(numbers(part<0>(found)) == numbers(consecutive ? values : byTable));
    CHECK(part<1>(found).numel() == 0);
  }
  CHECK(part<0>(cpu::uniqueConsecutive(*Tensor::empty({0}, DType::Float), true, true, std::nullopt)).numel() == 0);
}

TEST_CASE("Rows: channels convolved alone") {
  for (int64_t size : {5, 14, 20, 37, 70})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2}) {
        Tensor x = randomTensor({2, 6, size, size}), w = randomTensor({12, 1, 3, 3}), b = randomTensor({12});
        auto run = [&](DType dtype) {
          return only(cpu::convolution(*cpu::toDType(x, dtype), *cpu::toDType(w, dtype), *cpu::toDType(b, dtype),
                                       {stride, stride}, {1, 2}, {dilation, dilation}, false, {0, 0}, 6));
        };
        INFO(size << " " << stride << " " << dilation);
        CHECK(largestDifference(run(DType::Float), run(DType::Double)) < 2e-5);
      }
  Tensor x = randomTensor({3, 8, 50}), w = randomTensor({8, 1, 7});
  auto run = [&](DType dtype) {
    return only(
        cpu::convolution(*cpu::toDType(x, dtype), *cpu::toDType(w, dtype), Tensor(), {1}, {3}, {1}, false, {0}, 8));
  };
  CHECK(largestDifference(run(DType::Float), run(DType::Double)) < 2e-5);
}

TEST_CASE("Rows: images sampled at points") {
  Tensor image = randomTensor({2, 3, 9, 11}), grid = randomTensor({2, 7, 13, 2}); // many points lie outside
  grid.set(5, Scalar(std::nan("")));
  grid.set(30, Scalar(INFINITY));
  for (int64_t mode : {0, 1})
    for (int64_t padding : {0, 1, 2})
      for (bool alignCorners : {false, true}) {
        auto run = [&](DType dtype) {
          return only(
              cpu::gridSampler(*cpu::toDType(image, dtype), *cpu::toDType(grid, dtype), mode, padding, alignCorners));
        };
        INFO(mode << " " << padding << " " << alignCorners);
        CHECK(largestDifference(run(DType::Float), run(DType::Double)) < (mode == 1 ? 1e-6 : 2e-4));
      }
}

TEST_CASE("Rows: products of bfloat16") {
  for (auto [m, n, k] : {std::tuple(1, 40, 70), std::tuple(33, 65, 129), std::tuple(200, 17, 300)}) {
    Tensor a = randomTensor({m, k}, DType::BFloat16), b = randomTensor({n, k}, DType::BFloat16, 2),
           c = randomTensor({n}, DType::BFloat16, 3);
    Tensor exact = *cpu::matmul(*cpu::toDType(a, DType::Double), *cpu::t(*cpu::toDType(b, DType::Double)));
    const double tolerance = 0.01 * std::sqrt(static_cast<double>(k)) * 4;
    CHECK(largestDifference(only(cpu::matmul(a, *cpu::t(b))), exact) < tolerance);
    Tensor shifted = *pointwise(K::Aten_add_Tensor, {PointwiseArg(exact), PointwiseArg(c), PointwiseArg(Scalar(1))});
    CHECK(largestDifference(only(cpu::linear(a, b, c)), shifted) < tolerance);
  }
}

TEST_CASE("Rows: factors of matrices of every size") {
  for (int64_t n : {1, 2, 5, 40, 97, 130, 200}) {
    INFO(n);
    Tensor a = randomTensor({n, n}, DType::Double),
           identity = *cpu::eye(n, DType::Double, std::nullopt, std::nullopt, std::nullopt);
    Tensor inverse = only(cpu::inverse(a));
    CHECK(largestDifference(*cpu::matmul(a, inverse), identity) < 1e-8);
    Tensor q = part<0>(cpu::linalgQr(a, "reduced")), r = part<1>(cpu::linalgQr(a, "reduced"));
    CHECK(largestDifference(*cpu::matmul(q, r), a) < 1e-10);
    CHECK(largestDifference(*cpu::matmul(*cpu::t(q), q), identity) < 1e-12);
  }
  Tensor a = randomTensor({30, 8}, DType::Double), b = randomTensor({30, 2}, DType::Double, 2);
  for (llvm::StringRef driver : {"gels", "gelsy", "gelsd"}) {
    Tensor x = part<0>(cpu::lstsq(a, b, std::nullopt, driver));
    Tensor gradient = *cpu::matmul(
        *cpu::t(a),
        *pointwise(K::Aten_sub_Tensor, {PointwiseArg(*cpu::matmul(a, x)), PointwiseArg(b), PointwiseArg(Scalar(1))}));
    CHECK(largestDifference(gradient, *cpu::zeros({8, 2}, DType::Double)) < 1e-11);
  }
  // Two equal columns: the solution of least norm, and the rank.
  REQUIRE(cpu::copyInto(*cpu::select(a, 1, 3), *cpu::select(a, 1, 5)).ok());
  Tensor x = part<0>(cpu::lstsq(a, b, std::nullopt, llvm::StringRef("gelsy")));
  CHECK(part<2>(cpu::lstsq(a, b, std::nullopt, llvm::StringRef("gelsy"))).at(0).toInt() == 7);
  CHECK(largestDifference(*cpu::select(x, 0, 3), *cpu::select(x, 0, 5)) < 1e-10);
}
