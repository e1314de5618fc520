//===- ConvolutionWindowsTest.cpp - Convolutions of few and many windows --===//
//
// Sizes, strides, paddings, dilations and groups at random, few windows (whose product
// reads the weights where they stand) and more, against sums in double.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Convolution.h"
#include <array>
#include <cmath>
#include <random>

using namespace tsc;
using namespace tsc::test;

namespace {
struct Sizes {
  int64_t samples, groups, in, out; ///< Channels are those of a group.
  std::array<int64_t, 2> size, kernel, stride, padding, dilation;
};
} // namespace

static double element(const Tensor &t, ArrayRef<int64_t> indices) {
  int64_t place = 0;
  for (auto [size, index] : llvm::zip(t.sizes(), indices))
    place = place * size + index;
  return t.at(place).toDouble();
}

/// An element of the result, and the sum of what it is made of without signs.
static std::pair<double, double> convolved(const Sizes &s, const Tensor &x, const Tensor &w, const Tensor &b, int64_t n,
                                           int64_t channel, int64_t row, int64_t column) {
  double sum = element(b, {channel}), size = std::fabs(sum);
  for (int64_t c = 0; c != s.in; ++c)
    for (int64_t i = 0; i != s.kernel[0]; ++i)
      for (int64_t j = 0; j != s.kernel[1]; ++j) {
        const int64_t y = row * s.stride[0] + i * s.dilation[0] - s.padding[0],
                      z = column * s.stride[1] + j * s.dilation[1] - s.padding[1];
        if (y < 0 || y >= s.size[0] || z < 0 || z >= s.size[1])
          continue;
        const double product = element(x, {n, channel / s.out * s.in + c, y, z}) * element(w, {channel, c, i, j});
        sum += product;
        size += std::fabs(product);
      }
  return {sum, size};
}

TEST_CASE("Convolution: of few windows and of many") {
  std::mt19937 draw(5);
  auto number = [&](int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(draw); };
  auto random = [&](ArrayRef<int64_t> sizes, DType dtype) {
    Tensor t = *Tensor::empty(sizes, dtype);
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, Scalar(normal(draw)));
    return t;
  };
  for (int round = 0; round != 120; ++round) {
    Sizes s{number(1, 3), number(1, 3), number(1, 9), number(1, 24), {}, {}, {}, {}, {}};
    for (int d = 0; d != 2; ++d) {
      s.size[d] = number(1, round % 3 ? 6 : 12);
      s.kernel[d] = number(1, 5), s.stride[d] = number(1, 3), s.padding[d] = number(0, 4), s.dilation[d] = number(1, 2);
    }
    const DType dtype = round % 4 ? DType::Float : DType::Double;
    const Tensor x = random({s.samples, s.groups * s.in, s.size[0], s.size[1]}, dtype),
                 w = random({s.groups * s.out, s.in, s.kernel[0], s.kernel[1]}, dtype),
                 b = random({s.groups * s.out}, dtype);
    const StatusOr<Tensor> result = cpu::conv2d(x, w, b, s.stride, s.padding, s.dilation, s.groups);
    const bool fits = s.size[0] + 2 * s.padding[0] > s.dilation[0] * (s.kernel[0] - 1) &&
                      s.size[1] + 2 * s.padding[1] > s.dilation[1] * (s.kernel[1] - 1);
    REQUIRE(result.ok() == fits);
    if (!fits)
      continue;
    const double unit = dtype == DType::Float ? 1e-6 : 1e-14;
    for (int64_t i = 0; i != result->numel(); ++i) {
      const int64_t columns = result->size(3), rows = result->size(2), channels = result->size(1);
      const auto [sum, size] = convolved(s, x, w, b, i / (channels * rows * columns), i / (rows * columns) % channels,
                                         i / columns % rows, i % columns);
      if (!(std::fabs(result->at(i).toDouble() - sum) <= unit * size))
        FAIL("round " << round << ", element " << i << ": " << result->at(i).toDouble() << " and not " << sum);
    }
  }
}
