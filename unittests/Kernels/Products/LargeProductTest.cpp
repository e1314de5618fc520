//===- LargeProductTest.cpp - Paths that only large operands take ---------===//
//
// Large float products and convolutions go to oneDNN on some machines, and blocked
// kernels take over from small ones: both are compared with the same operator in double.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Machine.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/LongLivedTensors.h"
#include <complex>
#include <cstring>
#include <thread>

using namespace tsc;
using namespace tsc::test;

static void expectNear(const Tensor &actual, const Tensor &expected, double tolerance) {
  REQUIRE(actual.sizes() == expected.sizes());
  Tensor a = *cpu::toDType(actual, DType::Double);
  double worst = 0;
  for (int64_t i = 0; i < a.numel(); ++i)
    worst = worse(worst, std::abs(a.data<double>()[i] - expected.data<double>()[i]));
  CHECK(worst <= tolerance);
}

static void expectProduct(int64_t m, int64_t n, int64_t k) {
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true}) {
      auto make = [](int64_t rows, int64_t columns, int64_t seed, bool transposed) {
        Tensor t = ramp(transposed ? Dims{columns, rows} : Dims{rows, columns}, seed);
        return transposed ? *cpu::t(t) : t;
      };
      INFO(m << "x" << n << "x" << k << " " << transposeA << transposeB);
      Tensor a = make(m, k, 1, transposeA), b = make(k, n, 2, transposeB);
      Tensor a64 = *cpu::toDType(a, DType::Double), b64 = *cpu::toDType(b, DType::Double);
      Tensor expected = *Tensor::empty({m, n}, DType::Double);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (int64_t p = 0; p < k; ++p)
            sum += a64.data<double>()[i * a64.stride(0) + p * a64.stride(1)] *
                   b64.data<double>()[p * b64.stride(0) + j * b64.stride(1)];
          expected.mutableData<double>()[i * n + j] = sum;
        }
      expectNear(only(cpu::mm(a, b)), expected, 2e-4);
      expectNear(only(cpu::mm(a64, b64)), expected, 1e-10);
    }
}

TEST_CASE("mm agrees with double for every kernel") {
  const int64_t shapes[][3] = {{1, 70, 33},    {3, 50, 129},    {9, 33, 40},    {17, 100, 300}, {100, 65, 257},
                               {97, 600, 31},  {200, 200, 150}, {12, 37, 1100}, {32, 50, 1040}, {205, 10, 1030},
                               {100, 24, 65},  {1, 1024, 150},  {2, 2051, 200}, {6, 1003, 389}, {9, 530, 400},
                               {16, 333, 450}, {258, 530, 40},  {130, 600, 700}};
  for (auto [m, n, k] : shapes)
    expectProduct(m, n, k);
}

TEST_CASE("mm agrees with double for tiles of every height") {
  for (int64_t m = 1; m <= 38; ++m)
    expectProduct(m, 70, 27);
}

/// Numbers whose sums round, so that their order shows.
static Tensor inexact(ArrayRef<int64_t> sizes) {
  Tensor t = ramp(sizes, 1);
  for (int64_t i = 0; i < t.numel(); ++i)
    t.mutableData<float>()[i] *= 0.1f;
  return t;
}

TEST_CASE("A few rows of a product have the bits of the same rows among many") {
  const int64_t shapes[][2] = {{300, 300}, {403, 190}};
  for (auto [n, k] : shapes) {
    Tensor x = inexact({40, k}), w = inexact({k, n}), many = only(cpu::mm(x, w));
    for (int64_t m = 2; m <= 17; ++m) {
      INFO(m << "x" << n << "x" << k);
      CHECK(sameBits(only(cpu::mm(only(cpu::narrow(x, 0, 0, m)), w)), only(cpu::narrow(many, 0, 0, m))));
    }
  }
}

TEST_CASE("mm gives the same bits with any number of threads") {
  const int64_t shapes[][3] = {{257, 905, 824}, {59, 1190, 779}, {1030, 40, 700}, {1, 3000, 2000},
                               {5, 4000, 700},  {2000, 1, 1500}, {30, 2001, 1024}};
  ThreadPool pool(3);
  for (auto [m, n, k] : shapes)
    for (bool transposed : {false, true}) {
      INFO(m << "x" << n << "x" << k << " " << transposed);
      Tensor a = inexact({m, k}), b = transposed ? *cpu::t(inexact({n, k})) : inexact({k, n});
      Tensor alone = only(cpu::mm(a, b));
      ExecutorScope scope(&pool);
      Tensor together = only(cpu::mm(a, b));
      CHECK(std::memcmp(alone.data(), together.data(), size_t(m * n) * sizeof(float)) == 0);
    }
}

static bool hasBits(const StatusOr<Tensor> &result, const Tensor &expected) {
  return result.ok() && sameBits(*result, expected);
}

/// `holds` on eight threads at once; it uses none of Catch's macros, which are for one thread.
static void checkOnThreads(llvm::function_ref<bool()> holds) {
  bool results[8] = {};
  std::vector<std::thread> threads;
  for (bool &result : results)
    threads.emplace_back([&] { result = holds(); });
  for (std::thread &thread : threads)
    thread.join();
  for (bool result : results)
    CHECK(result);
}

static Tensor plusRow(const Tensor &matrix, const Tensor &row) {
  Tensor sum = *Tensor::empty(matrix.sizes(), DType::Float);
  for (int64_t i = 0; i < matrix.numel(); ++i)
    sum.mutableData<float>()[i] = matrix.data<float>()[i] + row.data<float>()[i % row.numel()];
  return sum;
}

TEST_CASE("linear on few rows has the bits of a product and a sum, whatever the number of rows") {
  const int64_t shapes[][2] = {{33, 128}, {130, 1040}, {64, 64}, {50, 77}, {10, 600}};
  ThreadPool pool(3);
  for (auto [n, k] : shapes) {
    Tensor w = inexact({n, k}), bias = inexact({n}), x = inexact({32, k});
    for (int64_t m : {1, 2, 5, 8, 12, 16, 31, 32}) {
      INFO(m << "x" << n << "x" << k);
      Tensor rows = only(cpu::narrow(x, 0, 0, m)), product = only(cpu::mm(rows, only(cpu::t(w))));
      Tensor sum = plusRow(product, bias);
      CHECK(sameBits(only(cpu::linear(rows, w, bias)), sum));
      CHECK(sameBits(only(cpu::addmm(bias, rows, only(cpu::t(w)), Scalar(1), Scalar(1))), sum));
      ExecutorScope scope(&pool);
      CHECK(sameBits(only(cpu::linear(rows, w, bias)), sum));
    }
    Tensor all = only(cpu::mm(x, only(cpu::t(w)))),
           some = only(cpu::mm(only(cpu::narrow(x, 0, 0, 8)), only(cpu::t(w))));
    if (k % 16 == 0 && k >= 128) // all rows go the same way then
      CHECK(sameBits(only(cpu::narrow(all, 0, 0, 8)), some));
  }
}

TEST_CASE("large float convolutions agree with double ones") {
  Tensor x = ramp({2, 16, 20, 20}, 1), w = ramp({24, 16, 3, 3}, 2), b = ramp({24}, 3);
  auto both = [](const Tensor &x, const Tensor &w, const Tensor &b, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                 int64_t groups) {
    Tensor b64 = b.defined() ? *cpu::toDType(b, DType::Double) : b;
    Tensor expected = only(cpu::conv2d(*cpu::toDType(x, DType::Double), *cpu::toDType(w, DType::Double), b64, stride,
                                       padding, {1}, groups));
    expectNear(only(cpu::conv2d(x, w, b, stride, padding, {1}, groups)), expected, 5e-4);
    expectNear(only(cpu::conv2d(x, w, b, stride, padding, {1}, groups)), expected, 5e-4); // from the cache of plans
  };
  both(x, w, b, {1}, {1}, 1);
  both(x, w, Tensor(), {2}, {0}, 1);
  both(ramp({2, 64, 40, 40}, 1), ramp({64, 1, 3, 3}, 2), Tensor(), {1}, {1}, 64);
}

TEST_CASE("convolutions of each channel alone in three dimensions agree with double ones") {
  struct Case {
    Dims input, kernel;
    int64_t stride, padding, dilation;
  };
  const Case cases[] = {{{2, 6, 5, 9, 17}, {6, 1, 3, 3, 3}, 1, 1, 1},
                        {{1, 4, 7, 8, 20}, {8, 1, 2, 3, 5}, 2, 1, 1},
                        {{1, 3, 9, 11, 40}, {3, 1, 3, 1, 3}, 1, 2, 2}};
  for (const auto &[input, kernel, stride, padding, dilation] : cases) {
    const int64_t groups = input[1];
    const Tensor x = ramp(input, 1), w = ramp(kernel, 2), b = ramp({kernel[0]}, 3);
    auto inDouble = [](const Tensor &t) { return *cpu::toDType(t, DType::Double); };
    INFO(stride << " " << padding << " " << dilation);
    expectNear(only(cpu::conv3d(x, w, b, {stride}, {padding}, {dilation}, groups)),
               only(cpu::conv3d(inDouble(x), inDouble(w), inDouble(b), {stride}, {padding}, {dilation}, groups)), 1e-4);
  }
}

TEST_CASE("products of integers and of complex vectors are what their definitions give") {
  for (int64_t k : {1, 3, 4, 7, 9}) {
    const Tensor a = indices({5, k}, 23), b = indices({k, 11}, 19, 3), found = only(cpu::mm(a, b));
    for (int64_t i = 0; i != 5; ++i)
      for (int64_t j = 0; j != 11; ++j) {
        int64_t sum = 0;
        for (int64_t p = 0; p != k; ++p)
          sum += a.data<int64_t>()[i * k + p] * b.data<int64_t>()[p * 11 + j];
        CHECK(found.data<int64_t>()[i * 11 + j] == sum);
      }
  }
  using Number = std::complex<double>;
  for (int64_t n : {0, 1, 17, 511, 512, 513, 1500}) {
    const Tensor a = ramp({n}, 1, DType::ComplexDouble), b = ramp({n}, 2, DType::ComplexDouble);
    Number plain = 0, conjugated = 0;
    for (int64_t i = 0; i != n; ++i) {
      plain += a.data<Number>()[i] * b.data<Number>()[i];
      conjugated += std::conj(a.data<Number>()[i]) * b.data<Number>()[i];
    }
    INFO(n << " numbers");
    CHECK(std::abs(only(cpu::dot(a, b)).data<Number>()[0] - plain) < 1e-9);
    CHECK(std::abs(only(cpu::vdot(a, b)).data<Number>()[0] - conjugated) < 1e-9);
  }
}

/// The sum of the products of a row and a column, which wraps.
static int64_t wrappingProduct(const Tensor &a, const Tensor &b, int64_t row, int64_t column) {
  uint64_t sum = 0;
  for (int64_t p = 0; p != a.size(1); ++p)
    sum += static_cast<uint64_t>(a.at(row * a.size(1) + p).toInt()) *
           static_cast<uint64_t>(b.at(p * b.size(1) + column).toInt());
  return static_cast<int64_t>(sum);
}

TEST_CASE("products of integers are exact, however wide these are") {
  constexpr int64_t m = 18, n = 21;
  for (int64_t k : {16, 33, 70})
    for (int width : {0, 1, 4, 9, 10, 11, 22, 24, 31, 32, 40, 63}) {
      auto integers = [&](Dims sizes, int64_t seed) { // all bits but the highest of some, the least number among them
        Tensor t = indices(sizes, 113, seed);
        const int64_t bound = width == 63 ? std::numeric_limits<int64_t>::max() : (int64_t(1) << width) - 1;
        for (int64_t i = 0; i != t.numel(); ++i) {
          const int64_t magnitude = bound - std::min(bound, t.at(i).toInt() % 5);
          t.set(i, Scalar(i % 3 ? magnitude : -magnitude - 1));
        }
        return t;
      };
      const Tensor a = integers({m, k}, 1), b = integers({k, n}, 2), added = integers({m, n}, 3);
      auto turned = [](const Tensor &t) { return *cpu::t(only(cpu::contiguous(*cpu::t(t)))); };
      const Tensor found[] = {only(cpu::mm(a, b)), only(cpu::mm(turned(a), b)), only(cpu::mm(a, turned(b))),
                              only(cpu::addmm(added, a, b, Scalar(1), Scalar(1)))};
      bool agrees = true;
      for (int64_t i = 0; i != m * n; ++i) {
        const int64_t expected = wrappingProduct(a, b, i / n, i % n);
        for (int each : {0, 1, 2})
          agrees &= found[each].at(i).toInt() == expected;
        agrees &= found[3].at(i).toInt() ==
                  static_cast<int64_t>(static_cast<uint64_t>(expected) + static_cast<uint64_t>(added.at(i).toInt()));
      }
      INFO(width << " bits, " << k << " terms");
      CHECK(agrees);
    }
}

TEST_CASE("a row times a column is the product that a batch of them has") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t k : {1, 7, 64, 1000, 4096}) {
      const Tensor a = randomTensor({1, 1, k}, dtype, 1), b = randomTensor({1, k, 1}, dtype, 2);
      const Tensor pair[] = {only(cpu::expand(a, {2, 1, k})), only(cpu::expand(b, {2, k, 1}))};
      CHECK(sameBits(only(cpu::mm(*cpu::select(a, 0, 0), *cpu::select(b, 0, 0))),
                     *cpu::select(only(cpu::bmm(pair[0], pair[1])), 0, 0)));
    }
}

TEST_CASE("Kronecker products of complex matrices have the bits of point-wise products") {
  for (DType dtype : {DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t n : {1, 3, 10, 33}) {
      const Tensor a = randomTensor({4, 5}, dtype, 1), b = randomTensor({3, n}, dtype, 2), out = only(cpu::kron(a, b));
      const Tensor products =
          only(pointwise(PointwiseKind::Aten_mul_Tensor,
                         {PointwiseArg(*cpu::view(a, {4, 1, 5, 1})), PointwiseArg(*cpu::view(b, {1, 3, 1, n}))}));
      CHECK(sameBits(out, *cpu::view(*cpu::contiguous(products), {12, 5 * n})));
    }
}

static StatusOr<Tensor> tryConvolve(const Tensor &x, const Tensor &w) {
  return cpu::convolution(x, w, Tensor(), {1}, {1}, {1}, false, {0}, 1);
}
static Tensor convolve(const Tensor &x, const Tensor &w) { return only(tryConvolve(x, w)); }

TEST_CASE("linear without features to make, and on columns that are apart") {
  CHECK(only(cpu::linear(ramp({3, 5}), *Tensor::empty({0, 5}, DType::Float), Tensor())).sizes() ==
        ArrayRef<int64_t>{3, 0});
  Tensor x = inexact({128, 70}), w = inexact({9, 128}), columns = only(cpu::t(x));
  expectNear(only(cpu::linear(columns, w, Tensor())),
             only(cpu::linear(*cpu::toDType(columns, DType::Double), *cpu::toDType(w, DType::Double), Tensor())), 1e-3);
}

TEST_CASE(
    "weights of a convolution that live on are kept as they were rearranged, and only until they are written to") {
  // Of images in blocks, of sequences in oneDNN's layout.
  const bool isImage = GENERATE(true, false);
  if (!isImage && cpu::oneDnnFacts().file.empty())
    return;
  const Keeper keeper = isImage ? Keeper::Blocks : Keeper::Convolution;
  Tensor x = inexact(isImage ? Dims{1, 64, 9, 7} : Dims{1, 64, 63}),
         y = inexact(isImage ? Dims{2, 64, 5, 5} : Dims{2, 64, 50}), wide = inexact({1, 64, 1600}),
         w = inexact(isImage ? Dims{96, 64, 3, 3} : Dims{96, 64, 3});
  Tensor expectedX = convolve(x, w), expectedY = convolve(y, w);
  CHECK(!keptFor(w, keeper));
  {
    LongLivedTensors constants, others;
    constants.add(w);
    others.add(w);
    if (!isImage)
      convolve(wide, w); // has so many positions that rearranging weights costs nothing
    REQUIRE(keptFor(w, keeper));
    CHECK(!keptFor(w, keeper)->object);
    for (int call = 0; call < 3; ++call) {
      CHECK(sameBits(convolve(x, w), expectedX));
      CHECK(sameBits(convolve(y, w), expectedY));
    }
    CHECK(keptFor(w, keeper)->object);

    Tensor other = only(cpu::clone(w));
    other.mutableData<float>()[100] = 7;
    Tensor otherX = convolve(x, other);
    REQUIRE(cpu::copyInto(w, other).ok());
    CHECK(!keptFor(w, keeper)); // what is written again and again is never kept
    CHECK(!keptFor(w, keeper)->object);
    for (int call = 0; call < 2; ++call)
      CHECK(sameBits(convolve(x, w), otherX));

    w.bumpVersion(); // all of them find nothing
    checkOnThreads([&] { return hasBits(tryConvolve(x, w), otherX) && hasBits(tryConvolve(x, w), otherX); });
  }
  CHECK(!keptFor(w, keeper));
}

TEST_CASE("weights are long-lived while a tensor that was marked lives, unless they are few or no floats") {
  Tensor w = inexact({64, 64});
  markLongLived(w);
  markLongLived(w);
  CHECK(keptFor(w, Keeper::Product));
  Tensor view = only(cpu::t(w));
  w = Tensor();
  CHECK(!keptFor(view, Keeper::Product));
  for (const Tensor &other : {inexact({31, 33}), inexact({4096}), only(cpu::toDType(view, DType::Int64))}) {
    markLongLived(other);
    CHECK(!keptFor(other, Keeper::Product));
  }
  markLongLived(Tensor());
}

/// x times the transpose of w.
static StatusOr<Tensor> tryMultiply(const Tensor &x, const Tensor &w) { return cpu::mm(x, *cpu::t(w)); }
static Tensor multiply(const Tensor &x, const Tensor &w) { return only(tryMultiply(x, w)); }

TEST_CASE("right sides of products that live on are kept as panels, with the same bits, until they are written to") {
  auto dtype = GENERATE(DType::Float, DType::Double);
  auto make = [&](ArrayRef<int64_t> sizes) { return only(cpu::toDType(inexact(sizes), dtype)); };
  // Depths beyond one block of panels, columns that end within one.
  Tensor x = make({64, 300}), y = make({97, 300}), one = make({1, 300}), w = make({603, 300});
  Tensor expectedX = multiply(x, w), expectedY = multiply(y, w), expectedOne = multiply(one, w);
  expectNear(expectedX, multiply(only(cpu::toDType(x, DType::Double)), only(cpu::toDType(w, DType::Double))), 1e-3);
  CHECK(!keptFor(w, Keeper::Product));
  {
    Tensor mark = only(cpu::reused(w));
    REQUIRE(keptFor(w, Keeper::Product));
    CHECK(sameBits(multiply(one, w), expectedOne));
    CHECK(!keptFor(w, Keeper::Product)->object); // one row needs no panels
    for (int call = 0; call < 3; ++call) {
      CHECK(sameBits(multiply(x, w), expectedX));
      CHECK(sameBits(multiply(y, mark), expectedY));
    }
    CHECK(keptFor(w, Keeper::Product)->object);
    CHECK(!keptFor(w, Keeper::Convolution)->object);

    // Parts of one storage have panels of their own.
    Tensor lower = only(cpu::slice(w, 0, 200, 603, 1)), upper = only(cpu::slice(w, 0, 0, 403, 1));
    Tensor copyOfLower = only(cpu::clone(lower)), copyOfUpper = only(cpu::clone(upper));
    for (int call = 0; call < 2; ++call) {
      CHECK(sameBits(multiply(x, lower), multiply(x, copyOfLower)));
      CHECK(sameBits(multiply(x, upper), multiply(x, copyOfUpper)));
    }

    // More of them than are kept are right too.
    for (int64_t first = 0; first != 12; ++first) {
      Tensor part = only(cpu::slice(w, 0, first, first + 300, 1)), copy = only(cpu::clone(part));
      CHECK(sameBits(multiply(x, part), multiply(x, copy)));
    }

    Tensor other = only(cpu::clone(w));
    other.set(100, 7);
    Tensor otherX = multiply(x, other);
    REQUIRE(cpu::copyInto(w, other).ok());
    CHECK(!keptFor(w, Keeper::Product)); // what is written again and again is never kept
    CHECK(!keptFor(w, Keeper::Product)->object);
    for (int call = 0; call < 2; ++call)
      CHECK(sameBits(multiply(x, w), otherX));

    w.bumpVersion(); // all of them find nothing
    checkOnThreads([&] { return hasBits(tryMultiply(x, w), otherX) && hasBits(tryMultiply(x, w), otherX); });
  }
  CHECK(!keptFor(w, Keeper::Product));
}

TEST_CASE("pieces of a product share the panels of its right side") {
  auto dtype = GENERATE(DType::Float, DType::Double);
  Tensor x = only(cpu::toDType(inexact({65, 600}), dtype)), w = only(cpu::toDType(inexact({2109, 600}), dtype));
  Tensor expected = multiply(x, w); // one thread
  ThreadPool pool(3);
  ExecutorScope scope(&pool);
  CHECK(sameBits(multiply(x, w), expected));
  Tensor mark = only(cpu::reused(w));
  for (int call = 0; call < 3; ++call)
    CHECK(sameBits(multiply(x, w), expected));
  ExecutorScope alone(nullptr);
  CHECK(sameBits(multiply(x, w), expected));
}
