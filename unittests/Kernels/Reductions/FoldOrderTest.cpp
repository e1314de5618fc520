//===- FoldOrderTest.cpp - Kernels give the bits of their composition -----===//
//
// Softmax, the normalizations and the moments against the operators that they are
// made of; folds against the order that Reduce.h states, for any strides and any
// number of threads; all against double precision.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
#include <cmath>
#include <random>

using namespace tsc;
using namespace tsc::cpu;
using tsc::test::randomTensor;
using tsc::test::sameBits;
using K = PointwiseKind;

static double largestDifference(const Tensor &a, const Tensor &b) {
  Tensor x = *contiguous(*toDType(a, DType::Double)), y = *contiguous(*toDType(b, DType::Double));
  double largest = 0;
  for (int64_t i = 0; i != x.numel(); ++i)
    largest = std::max(largest, std::fabs(x.data<double>()[i] - y.data<double>()[i]));
  return largest;
}

static Tensor binary(K kind, const Tensor &a, const Tensor &b) {
  return kind == K::Aten_sub_Tensor || kind == K::Aten_add_Tensor
             ? *pointwise(kind, {PointwiseArg(a), PointwiseArg(b), PointwiseArg(Scalar(1))})
             : *pointwise(kind, {PointwiseArg(a), PointwiseArg(b)});
}
static Tensor unary(K kind, const Tensor &a) { return *pointwise(kind, {PointwiseArg(a)}); }
static DType wide(DType dtype) { return dtype == DType::Double ? DType::Double : DType::Float; }

// The compositions, as a fusion group holds them.
static Tensor composedSoftmax(const Tensor &self, int64_t dim, bool log) {
  Tensor x = *toDType(self, wide(self.dtype()));
  Tensor moved = binary(K::Aten_sub_Tensor, x, *amax(x, {dim}, true));
  Tensor powers = unary(K::Aten_exp, moved);
  Tensor sum = *sumDims(powers, Dims{dim}, true, std::nullopt);
  Tensor out = log ? binary(K::Aten_sub_Tensor, moved, unary(K::Aten_log, sum))
                   : binary(K::Aten_mul_Tensor, powers, unary(K::Aten_reciprocal, sum));
  return *toDType(out, self.dtype());
}
static Tensor rsqrtOf(const Tensor &variance, double eps) {
  return unary(K::Aten_rsqrt, *pointwise(K::Aten_add_Scalar,
                                         {PointwiseArg(variance), PointwiseArg(Scalar(eps)), PointwiseArg(Scalar(1))}));
}
static Tensor normalized(const Tensor &x, ArrayRef<int64_t> dims, double eps) {
  Tensor centered = binary(K::Aten_sub_Tensor, x, *meanDims(x, dims, true, std::nullopt));
  Tensor variance = *meanDims(binary(K::Aten_mul_Tensor, centered, centered), dims, true, std::nullopt);
  return binary(K::Aten_mul_Tensor, centered, rsqrtOf(variance, eps));
}

static const DType floatTypes[] = {DType::Float, DType::Double, DType::Half, DType::BFloat16};

TEST_CASE("softmax is amax, sub, exp, sum, reciprocal and mul", "[fold]") {
  const Dims shapes[] = {{1},       {15},      {16},         {17},          {4, 255}, {3, 1024},   {2, 1025},
                         {5, 5000}, {2, 3, 4}, {2, 1100, 7}, {2600, 1, 33}, {3, 0},   {2, 70, 130}};
  for (DType dtype : floatTypes)
    for (const Dims &shape : shapes)
      for (int64_t dim = 0; dim != static_cast<int64_t>(shape.size()); ++dim) {
        Tensor x = randomTensor(shape, dtype);
        if (x.numel() == 0)
          continue;
        CAPTURE(irName(dtype).str(), shape.size(), shape[0], dim);
        CHECK(sameBits(*softmax(x, dim, std::nullopt), composedSoftmax(x, dim, false)));
        CHECK(sameBits(*logSoftmax(x, dim, std::nullopt), composedSoftmax(x, dim, true)));
        if (dtype == DType::Float) {
          Tensor exact = *toDType(x, DType::Double);
          CHECK(largestDifference(*softmax(x, dim, std::nullopt), *softmax(exact, dim, std::nullopt)) < 4e-7);
          CHECK(largestDifference(*logSoftmax(x, dim, std::nullopt), *logSoftmax(exact, dim, std::nullopt)) < 4e-6);
        }
      }
}

TEST_CASE("layer_norm is mean, sub, mul, mean, rsqrt, mul and an affine part", "[fold]") {
  for (DType dtype : floatTypes)
    for (int64_t n : {1, 3, 16, 255, 1024, 1025, 3000}) {
      Tensor self = randomTensor({4, n}, dtype), weight = randomTensor({n}, dtype, 2),
             bias = randomTensor({n}, dtype, 3);
      Tensor x = *toDType(self, wide(dtype));
      Tensor plain = normalized(x, {1}, 1e-5);
      Tensor scaled = binary(K::Aten_mul_Tensor, plain, *toDType(weight, wide(dtype)));
      Tensor shifted = binary(K::Aten_add_Tensor, scaled, *toDType(bias, wide(dtype)));
      CHECK(sameBits(*layerNorm(self, {n}, Tensor(), Tensor(), 1e-5, false), *toDType(plain, dtype)));
      CHECK(sameBits(*layerNorm(self, {n}, weight, Tensor(), 1e-5, false), *toDType(scaled, dtype)));
      CHECK(sameBits(*layerNorm(self, {n}, weight, bias, 1e-5, false), *toDType(shifted, dtype)));
    }
}

TEST_CASE("group_norm and batch_norm are compositions too", "[fold]") {
  for (DType dtype : floatTypes)
    for (int64_t plane : {1, 5, 49, 1100}) {
      Tensor self = randomTensor({3, 8, plane}, dtype), weight = randomTensor({8}, dtype, 2),
             bias = randomTensor({8}, dtype, 3);
      Tensor x = *toDType(self, wide(dtype));
      Tensor w = *view(*toDType(weight, wide(dtype)), {8, 1}), b = *view(*toDType(bias, wide(dtype)), {8, 1});
      Tensor groups = normalized(*view(x, {3, 2, 4 * plane}), {2}, 1e-5);
      Tensor expected = binary(K::Aten_add_Tensor, binary(K::Aten_mul_Tensor, *view(groups, {3, 8, plane}), w), b);
      CHECK(sameBits(*groupNorm(self, 2, weight, bias, 1e-5, false), *toDType(expected, dtype)));

      // Statistics, then x * (rstd * weight) + (bias - mean * (rstd * weight)).
      for (bool training : {false, true}) {
        Tensor mean = randomTensor({8}, dtype, 4);
        Tensor variance = unary(K::Aten_abs, randomTensor({8}, dtype, 5));
        Tensor usedMean = *view(*toDType(mean, wide(dtype)), {8, 1}),
               usedVariance = *view(*toDType(variance, wide(dtype)), {8, 1});
        if (training) {
          Tensor shared = *meanDims(x, Dims{0, 2}, true, std::nullopt),
                 centered = binary(K::Aten_sub_Tensor, x, shared);
          usedMean = *view(shared, {8, 1});
          usedVariance =
              *view(*meanDims(binary(K::Aten_mul_Tensor, centered, centered), Dims{0, 2}, true, std::nullopt), {8, 1});
        }
        Tensor scale = binary(K::Aten_mul_Tensor, rsqrtOf(usedVariance, 1e-5), w);
        Tensor shift = binary(K::Aten_sub_Tensor, b, binary(K::Aten_mul_Tensor, usedMean, scale));
        Tensor normal = binary(K::Aten_add_Tensor, binary(K::Aten_mul_Tensor, x, scale), shift);
        CAPTURE(irName(dtype).str(), plane, training);
        CHECK(sameBits(*batchNorm(self, weight, bias, mean, variance, training, 0.1, 1e-5, false),
                       *toDType(normal, dtype)));
      }
    }
}

TEST_CASE("var is the sum of squared deviations over the count", "[fold]") {
  std::vector<std::pair<Dims, Dims>> cases; // runs of several blocks outside and inside
  for (const Dims &shape : {Dims{1100, 3, 7}, Dims{3, 7, 1100}})
    for (const Dims &dims : {Dims{0}, Dims{1}, Dims{2}, Dims{0, 1}, Dims{1, 2}, Dims{0, 2}, Dims{0, 1, 2}})
      cases.push_back({shape, dims});
  for (DType dtype : {DType::Float, DType::Double})
    for (const auto &[shape, dims] : cases) {
      Tensor x = randomTensor(shape, dtype);
      Tensor centered = binary(K::Aten_sub_Tensor, x, *meanDims(x, dims, true, std::nullopt));
      Tensor sum = *sumDims(binary(K::Aten_mul_Tensor, centered, centered), dims, true, std::nullopt);
      double count = static_cast<double>(x.numel()) / static_cast<double>(sum.numel());
      Tensor expected = *pointwise(K::Aten_div_Scalar, {PointwiseArg(sum), PointwiseArg(Scalar(count - 1))});
      CHECK(sameBits(*varCorrection(x, dims, 1, true), expected));
      CHECK(sameBits(*stdCorrection(x, dims, 1, true), unary(K::Aten_sqrt, expected)));
    }
}

/// The order of a fold, written down once more: `values` are one run.
static float foldOfRun(const std::vector<float> &values) {
  std::vector<float> levels;
  uint64_t count = 0;
  for (size_t begin = 0; begin < values.size(); begin += 1024, ++count) {
    float lanes[16] = {};
    for (size_t i = begin; i < std::min(begin + 1024, values.size()); ++i)
      lanes[(i - begin) % 16] += values[i];
    for (int width = 8; width; width /= 2)
      for (int k = 0; k != width; ++k)
        lanes[k] += lanes[k + width];
    float value = lanes[0];
    for (uint64_t n = count; n & 1; n >>= 1) {
      value = levels.back() + value;
      levels.pop_back();
    }
    levels.push_back(value);
  }
  float result = levels.back();
  for (levels.pop_back(); !levels.empty(); levels.pop_back())
    result = levels.back() + result;
  return result;
}

TEST_CASE("a sum's order does not depend on strides", "[fold]") {
  for (int64_t n : {1, 7, 16, 250, 1024, 1100, 6000})
    for (int64_t columns : {1, 3, 4, 17, 130}) {
      Tensor x = randomTensor({n, columns}, DType::Float);
      Tensor expected = *Tensor::empty({columns}, DType::Float);
      for (int64_t c = 0; c != columns; ++c) {
        std::vector<float> values;
        for (int64_t i = 0; i != n; ++i)
          values.push_back(x.data<float>()[i * columns + c]);
        expected.mutableData<float>()[c] = foldOfRun(values);
      }
      CAPTURE(n, columns);
      CHECK(sameBits(*sumDims(x, Dims{0}, false, std::nullopt), expected));
      CHECK(sameBits(*sumDims(*contiguous(*transpose(x, 0, 1)), Dims{1}, false, std::nullopt), expected));
      CHECK(sameBits(*sumDims(*transpose(x, 0, 1), Dims{1}, false, std::nullopt), expected));
      // All of it: the elements row-major, whatever memory holds them.
      Tensor turned = *transpose(*contiguous(*transpose(x, 0, 1)), 0, 1);
      CHECK(sameBits(*sum(turned, std::nullopt), *sum(x, std::nullopt)));
    }
}

TEST_CASE("columns of halves are added up as floats are", "[fold]") {
  for (DType dtype : {DType::Half, DType::BFloat16})
    for (int64_t n : {1, 17, 256, 257, 600, 1024, 1500})
      for (int64_t columns : {4, 16, 40, 130}) {
        const Tensor x = randomTensor({n, columns}, dtype), wider = *toDType(x, DType::Float);
        CAPTURE(irName(dtype).str(), n, columns);
        CHECK(sameBits(*sumDims(x, Dims{0}, false, std::nullopt),
                       *toDType(*sumDims(wider, Dims{0}, false, std::nullopt), dtype)));
      }
}

TEST_CASE("folds and softmax do not depend on threads or memory formats", "[fold]") {
  ThreadPool pool(3);
  // As many blocks as several threads take: twice TensorFold's chunkBlocks at least.
  Tensor x = randomTensor({2, 48, 37, 29}, DType::Float), line = randomTensor({200001}, DType::Float),
         tall = randomTensor({70000, 5}, DType::Float);
  Tensor channelsLast = *contiguous(x, MemoryFormat::ChannelsLast);
  auto inThreads = [&](auto f) {
    ExecutorScope scope(&pool);
    return f();
  };
  for (const Dims &dims :
       {Dims{0}, Dims{1}, Dims{2}, Dims{3}, Dims{0, 2, 3}, Dims{1, 2}, Dims{0, 3}, Dims{2, 3}, Dims{}}) {
    for (auto *fold : {&amax, &amin})
      CHECK(sameBits(*(*fold)(x, dims, false), *inThreads([&] { return (*fold)(channelsLast, dims, false); })));
    CHECK(sameBits(*sumDims(x, dims, false, std::nullopt),
                   *inThreads([&] { return sumDims(channelsLast, dims, false, std::nullopt); })));
    CHECK(sameBits(*varCorrection(x, dims, 1, false),
                   *inThreads([&] { return varCorrection(channelsLast, dims, 1, false); })));
  }
  CHECK(sameBits(*sum(line, std::nullopt), *inThreads([&] { return sum(line, std::nullopt); })));
  CHECK(sameBits(*sumDims(tall, Dims{0}, false, std::nullopt),
                 *inThreads([&] { return sumDims(tall, Dims{0}, false, std::nullopt); })));
  for (int64_t dim : {0, 1, 2, 3})
    CHECK(
        sameBits(*softmax(x, dim, std::nullopt), *inThreads([&] { return softmax(channelsLast, dim, std::nullopt); })));
}

TEST_CASE("infinities and NaN go through folds as PyTorch has them", "[fold]") {
  Tensor x = randomTensor({3, 40}, DType::Float);
  float *data = x.mutableData<float>();
  data[5] = NAN;
  data[40 + 7] = INFINITY;
  for (int64_t i = 80; i != 120; ++i)
    data[i] = -INFINITY;
  Tensor largest = *amax(x, {1}, false), out = *softmax(x, 1, std::nullopt);
  CHECK(std::isnan(largest.data<float>()[0]));
  CHECK(largest.data<float>()[1] == INFINITY);
  CHECK(largest.data<float>()[2] == -INFINITY);
  for (int64_t i : {0, 47, 80})
    CHECK(std::isnan(out.data<float>()[i]));
  CHECK(std::isnan(out.data<float>()[40]));
}
