//===- BlockedLayersTest.cpp - Chains of convolutions on blocks of channels ===//
//
// Against the definitions in double precision.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Machine.h"
#include "tsc/Support/ThreadPool.h"
#include <cmath>
#include <random>

using namespace tsc;
using namespace tsc::test;

namespace {
struct Shape {
  int64_t samples, inChannels, outChannels, height, columns, kernel, stride, padding, dilation, groups;
};
/// What follows the convolution; undefined tensors are left out.
struct Followers {
  Tensor normWeight, normBias, mean, variance, summand;
  int64_t summed = 0;
  std::optional<Scalar> min, max;
};
} // namespace

static Tensor randomFloats(Dims sizes, unsigned seed) { return randomTensor(sizes, DType::Float, seed); }

static int64_t outSize(const Shape &s, int64_t size) {
  return (size + 2 * s.padding - s.dilation * (s.kernel - 1) - 1) / s.stride + 1;
}

/// The convolution at one place, without its bias.
static double convolvedAt(const Shape &s, const Tensor &input, const Tensor &weight, int64_t n, int64_t o, int64_t y,
                          int64_t x) {
  const int64_t perGroup = s.inChannels / s.groups, first = o / (s.outChannels / s.groups) * perGroup;
  double sum = 0;
  for (int64_t c = 0; c != perGroup; ++c)
    for (int64_t i = 0; i != s.kernel; ++i)
      for (int64_t j = 0; j != s.kernel; ++j) {
        const int64_t row = y * s.stride - s.padding + i * s.dilation,
                      column = x * s.stride - s.padding + j * s.dilation;
        if (row >= 0 && column >= 0 && row < s.height && column < s.columns)
          sum += double(input.data<float>()[((n * s.inChannels + first + c) * s.height + row) * s.columns + column]) *
                 double(weight.data<float>()[((o * perGroup + c) * s.kernel + i) * s.kernel + j]);
      }
  return sum;
}

static StatusOr<Tensor> layer(const Shape &s, const Tensor &input, const Tensor &weight, const Tensor &bias,
                              const Followers &f) {
  return cpu::blockedConv2d(input, weight, bias, {s.stride}, {s.padding}, {s.dilation}, s.groups, f.normWeight,
                            f.normBias, f.mean, f.variance, 1e-5, f.summand, f.summed, f.min, f.max);
}

static void expectLayer(const Shape &s, const Tensor &input, const Tensor &weight, const Tensor &bias,
                        const Followers &f) {
  INFO("channels " << s.inChannels << " to " << s.outChannels << ", kernel " << s.kernel << ", stride " << s.stride
                   << ", groups " << s.groups);
  StatusOr<Tensor> result = layer(s, input, weight, bias, f);
  REQUIRE(result.ok());
  StatusOr<Tensor> plain = cpu::fromBlocked(*result);
  REQUIRE(plain.ok());
  const int64_t height = outSize(s, s.height), columns = outSize(s, s.columns);
  REQUIRE(plain->sizes() == ArrayRef<int64_t>({s.samples, s.outChannels, height, columns}));
  double worst = 0;
  for (int64_t i = 0; i != plain->numel(); ++i) {
    const int64_t x = i % columns, y = i / columns % height, o = i / columns / height % s.outChannels;
    double expected = convolvedAt(s, input, weight, i / columns / height / s.outChannels, o, y, x);
    if (bias.defined())
      expected += bias.data<float>()[o];
    if (f.mean.defined())
      expected = (expected - f.mean.data<float>()[o]) / std::sqrt(double(f.variance.data<float>()[o]) + 1e-5) *
                     (f.normWeight.defined() ? f.normWeight.data<float>()[o] : 1.0) +
                 (f.normBias.defined() ? f.normBias.data<float>()[o] : 0.0);
    if (f.summand.defined())
      expected += f.summand.data<float>()[i];
    if (f.min)
      expected = std::max(expected, f.min->toDouble());
    if (f.max)
      expected = std::min(expected, f.max->toDouble());
    worst = worse(worst, std::fabs(expected - plain->data<float>()[i]));
  }
  CHECK(worst < 2e-4);
}

TEST_CASE("blocked layers: convolutions of all kinds of sizes") {
  for (const Shape &s : {
           Shape{1, 16, 32, 40, 40, 3, 1, 1, 1, 1},   // blocks that are whole
           Shape{2, 30, 50, 23, 29, 3, 1, 1, 1, 1},   // blocks that are not
           Shape{1, 3, 16, 61, 64, 7, 2, 3, 1, 1},    // few channels, from planes
           Shape{1, 24, 100, 31, 33, 1, 1, 0, 1, 1},  // one element
           Shape{2, 300, 310, 23, 25, 1, 1, 0, 1, 1}, // sums in parts, results in pieces
           Shape{1, 64, 64, 28, 28, 1, 2, 0, 1, 1},   // every other one
           Shape{1, 40, 70, 20, 20, 3, 2, 2, 2, 1},   // windows with gaps
           Shape{1, 160, 16, 7, 60, 1, 1, 1, 1, 1},   // one element and a border
           Shape{1, 32, 48, 3, 700, 3, 1, 1, 1, 1},   // rows longer than a strip
           Shape{2, 20, 20, 12, 13, 3, 1, 1, 1, 20},  // each channel alone
           Shape{1, 17, 17, 9, 11, 3, 2, 1, 1, 17},   // and every other one
           Shape{1, 16, 16, 5, 6, 3, 1, 4, 1, 16},    // windows of nothing but border
           Shape{1, 16, 16, 10, 11, 3, 1, 2, 2, 16}, Shape{1, 32, 32, 9, 3, 5, 1, 2, 1, 32},
           Shape{1, 16, 16, 3, 9000, 3, 1, 1, 1, 16}, // rows longer than a strip
           Shape{1, 48, 48, 15, 17, 5, 2, 2, 1, 48}, Shape{1, 32, 64, 12, 13, 3, 1, 1, 1, 8}, // groups, on planes
           Shape{1, 4, 4, 5, 5, 3, 1, 1, 1, 1},                                               // small, on planes
       }) {
    Tensor input = randomFloats({s.samples, s.inChannels, s.height, s.columns}, 1);
    Tensor weight = randomFloats({s.outChannels, s.inChannels / s.groups, s.kernel, s.kernel}, 2);
    expectLayer(s, input, weight, Tensor(), {});
    Tensor bias = randomFloats({s.outChannels}, 3);
    for (const Tensor &b : {Tensor(), bias}) // a convolution by itself rounds as one in a chain does
      CHECK(sameBits(*cpu::fromBlocked(*layer(s, input, weight, b, {})),
                     *cpu::conv2d(input, weight, b, {s.stride}, {s.padding}, {s.dilation}, s.groups)));
    Followers all;
    all.normWeight = randomFloats({s.outChannels}, 4), all.normBias = randomFloats({s.outChannels}, 5);
    all.mean = randomFloats({s.outChannels}, 6), all.variance = *cpu::fromBlocked(randomFloats({s.outChannels}, 7));
    for (int64_t i = 0; i != s.outChannels; ++i)
      all.variance.mutableData<float>()[i] = 20 + std::fabs(all.variance.data<float>()[i]);
    all.summand = randomFloats({s.samples, s.outChannels, outSize(s, s.height), outSize(s, s.columns)}, 8);
    all.min = Scalar(int64_t{0}), all.max = Scalar(1.5);
    expectLayer(s, input, weight, bias, all);
  }
}

TEST_CASE("blocked layers: from one to the next without planes, and the same bits on threads") {
  const Shape first{1, 24, 40, 30, 30, 3, 1, 1, 1, 1}, second{1, 40, 40, 30, 30, 3, 1, 1, 1, 40},
      third{1, 40, 24, 30, 30, 3, 1, 1, 1, 1};
  Tensor x = randomFloats({1, 24, 30, 30}, 1), w1 = randomFloats({40, 24, 3, 3}, 2),
         w2 = randomFloats({40, 1, 3, 3}, 3), w3 = randomFloats({24, 40, 3, 3}, 4);
  Followers clamped, sum;
  clamped.min = Scalar(int64_t{0});
  sum.summand = x;
  auto chain = [&](bool planesBetween) {
    auto between = [&](const Tensor &t) { return planesBetween ? *cpu::fromBlocked(t) : t; };
    Tensor a = between(*layer(first, x, w1, Tensor(), clamped)), b = between(*layer(second, a, w2, Tensor(), clamped));
    return *cpu::fromBlocked(*layer(third, b, w3, Tensor(), sum));
  };
  Tensor expected = chain(true);
  CHECK(sameBits(chain(false), expected));
  ThreadPool pool(3);
  ExecutorScope scope(&pool);
  CHECK(sameBits(chain(false), expected));
}

TEST_CASE("blocked layers: sums in place have the sizes of what they are written to") {
  const Shape s{1, 16, 16, 40, 40, 3, 1, 1, 1, 1};
  Tensor x = randomFloats({1, 16, 40, 40}, 1), w = randomFloats({16, 16, 3, 3}, 2);
  Followers f;
  for (const Dims &sizes : {Dims{1, 16, 40, 40}, Dims{1, 16, 1, 1}, Dims{2, 16, 40, 40}}) {
    f.summand = randomFloats(sizes, 3);
    const bool isSame = sizes == Dims{1, 16, 40, 40};
    for (f.summed = 0; f.summed != 3; ++f.summed)
      CHECK(layer(s, x, w, Tensor(), f).ok() == (isSame || f.summed == (sizes[0] == 2 ? 2 : 1) || f.summed == 0));
  }
}

TEST_CASE("blocked layers: NaN, infinities and what does not fit") {
  const Shape s{1, 16, 16, 66, 66, 3, 1, 1, 1, 1};
  Tensor x = randomFloats({1, 16, 66, 66}, 1), w = randomFloats({16, 16, 3, 3}, 2);
  x.mutableData<float>()[70] = NAN;
  Followers relu;
  relu.min = Scalar(int64_t{0});
  Tensor y = *cpu::fromBlocked(*layer(s, x, w, Tensor(), relu));
  CHECK(std::isnan(y.data<float>()[70]));
  CHECK_FALSE(std::isnan(y.data<float>()[75]));
  x.mutableData<float>()[70] = 1;
  w.mutableData<float>()[0] = INFINITY; // at the border it meets no element of the image
  y = *cpu::fromBlocked(*layer(s, x, w, Tensor(), {}));
  if (!cpu::oneDnnFacts().file.empty()) // our own product of columns multiplies by the zeros beyond, as PyTorch's does
    CHECK(std::isfinite(y.data<float>()[0]));
  CHECK(std::isinf(y.data<float>()[67]));
  CHECK_FALSE(layer(s, randomFloats({1, 17, 66, 66}, 1), w, Tensor(), {}).ok());
  Followers wrong;
  wrong.mean = randomFloats({15}, 1), wrong.variance = randomFloats({15}, 1);
  CHECK_FALSE(layer(s, x, w, Tensor(), wrong).ok());
  Tensor blocks = *layer(s, x, randomFloats({16, 16, 3, 3}, 3), Tensor(), {});
  CHECK_FALSE(layer({1, 16, 16, 66, 66, 3, 1, 1, 1, 1}, blocks, randomFloats({16, 24, 3, 3}, 4), Tensor(), {}).ok());
}

TEST_CASE("blocked layers: pooling and concatenation") {
  Tensor x = randomFloats({2, 20, 31, 30}, 1);
  x.mutableData<float>()[100] = NAN;
  auto blocked = [&](int64_t channels, unsigned seed) {
    return *layer({2, 20, channels, 31, 30, 3, 1, 1, 1, 1}, x, randomFloats({channels, 20, 3, 3}, seed), Tensor(), {});
  };
  Tensor a = blocked(40, 2), b = blocked(32, 3);
  Tensor pooled = *cpu::fromBlocked(*cpu::blockedMaxPool2d(a, {3, 2}, {2}, {1, 0}, {1, 2}, true));
  CHECK(sameBits(pooled, *cpu::blockedMaxPool2d(*cpu::fromBlocked(a), {3, 2}, {2}, {1, 0}, {1, 2}, true)));
  CHECK_FALSE(cpu::blockedMaxPool2d(a, {40}, {1}, {0}, {1}, false).ok());
  for (const std::vector<Tensor> &parts :
       {std::vector{b, a}, std::vector{a, b}, std::vector{b, *cpu::fromBlocked(a)}}) {
    Tensor joined = *cpu::fromBlocked(*cpu::blockedCat(parts));
    REQUIRE(joined.sizes() == ArrayRef<int64_t>({2, 72, 31, 30}));
    std::vector<Tensor> plain{*cpu::fromBlocked(parts[0]), *cpu::fromBlocked(parts[1])};
    CHECK(sameBits(joined, *cpu::blockedCat(plain)));
  }
}
