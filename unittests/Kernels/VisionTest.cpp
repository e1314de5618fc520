//===- VisionTest.cpp - torchvision's operators against their definitions -===//
//
// The definitions are the papers' formulas, element by element in double: bilinear
// samples of Mask R-CNN's RoIAlign, the cells of Fast R-CNN's and R-FCN's pooling,
// and the moved windows of Deformable ConvNets.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Vision.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Views.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

using namespace tsc;

namespace {

std::mt19937_64 randomNumbers(7);

Tensor random(Dims sizes, double low = -1, double high = 1) {
  Tensor t = *Tensor::empty(sizes, DType::Double);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(std::uniform_real_distribution<>(low, high)(randomNumbers)));
  return t;
}

double at(const Tensor &t, std::initializer_list<int64_t> index) {
  int64_t linear = 0, dim = 0;
  for (int64_t i : index)
    linear = linear * t.size(dim++) + i;
  return t.at(linear).toDouble();
}

/// Regions within and beyond images of 9 by 7, one of them small and one without height.
Tensor regions() {
  const double rows[] = {0,   1.2, 0.7, 6.3, 7.9, 1, -3, -2, 12,  14,  0,   2.5, 3.5,
                         2.9, 3.7, 1,   4,   4,   2, 4,  1,  0.5, 0.5, 5.5, 8.5};
  return *Tensor::fromSpan<double>(rows, {5, 5});
}

/// RoIAlign's sample of a plane: zero further out than one element, elsewhere between the four around it.
double bilinear(const Tensor &image, int64_t batch, int64_t channel, double y, double x) {
  const double height = static_cast<double>(image.size(2)), width = static_cast<double>(image.size(3));
  if (y < -1 || y > height || x < -1 || x > width)
    return 0;
  y = std::min(std::max(y, 0.0), height - 1);
  x = std::min(std::max(x, 0.0), width - 1);
  double sum = 0;
  for (int64_t i = 0; i != image.size(2); ++i)
    for (int64_t j = 0; j != image.size(3); ++j) {
      const double near = std::max(0.0, 1 - std::fabs(y - static_cast<double>(i))) *
                          std::max(0.0, 1 - std::fabs(x - static_cast<double>(j)));
      sum += near * at(image, {batch, channel, i, j});
    }
  return sum;
}

void requireNear(const Tensor &found, const std::function<double(int64_t, int64_t, int64_t, int64_t)> &wanted) {
  int64_t linear = 0;
  for (int64_t i = 0; i != found.size(0); ++i)
    for (int64_t j = 0; j != found.size(1); ++j)
      for (int64_t k = 0; k != found.size(2); ++k)
        for (int64_t l = 0; l != found.size(3); ++l) {
          INFO(i << ", " << j << ", " << k << ", " << l);
          REQUIRE(found.at(linear++).toDouble() == Approx(wanted(i, j, k, l)).margin(1e-10));
        }
}

double dot(const Tensor &a, const Tensor &b) {
  double sum = 0;
  for (int64_t i = 0; i != a.numel(); ++i)
    sum += a.at(i).toDouble() * b.at(i).toDouble();
  return sum;
}

/// The mean of the samples of a cell, `ratio` (or as many as elements) along each axis.
double alignedCell(const Tensor &image, const Tensor &rois, int64_t region, int64_t channel, int64_t y, int64_t x,
                   double scale, int64_t height, int64_t width, int64_t ratio, bool aligned) {
  const double moved = aligned ? 0.5 : 0;
  const double x1 = at(rois, {region, 1}) * scale - moved, y1 = at(rois, {region, 2}) * scale - moved;
  double w = at(rois, {region, 3}) * scale - moved - x1, h = at(rois, {region, 4}) * scale - moved - y1;
  if (!aligned)
    w = std::max(w, 1.0), h = std::max(h, 1.0);
  const double cellH = h / static_cast<double>(height), cellW = w / static_cast<double>(width);
  const auto numY = ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(cellH));
  const auto numX = ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(cellW));
  double sum = 0;
  for (int64_t i = 0; i < numY; ++i)
    for (int64_t j = 0; j < numX; ++j)
      sum +=
          bilinear(image, static_cast<int64_t>(at(rois, {region, 0})), channel,
                   y1 + cellH * (static_cast<double>(y) + (static_cast<double>(i) + 0.5) / static_cast<double>(numY)),
                   x1 + cellW * (static_cast<double>(x) + (static_cast<double>(j) + 0.5) / static_cast<double>(numX)));
  return sum / static_cast<double>(std::max<int64_t>(numY * numX, 1));
}

} // namespace

TEST_CASE("nms keeps the best of what overlaps", "[vision]") {
  const Tensor corners = random({40, 2}, 0, 10), extents = random({40, 2}, 1, 5), scores = random({40}, 0, 1);
  Tensor boxes = *Tensor::empty({40, 4}, DType::Double);
  for (int64_t i = 0; i != 40; ++i)
    for (int64_t j = 0; j != 4; ++j)
      boxes.set(4 * i + j, Scalar(at(corners, {i, j % 2}) + (j < 2 ? 0 : at(extents, {i, j % 2}))));
  auto overlap = [&](int64_t a, int64_t b) {
    double common = 1, areaA = 1, areaB = 1;
    for (int64_t d = 0; d != 2; ++d) {
      common *= std::max(0.0, std::min(at(boxes, {a, d + 2}), at(boxes, {b, d + 2})) -
                                  std::max(at(boxes, {a, d}), at(boxes, {b, d})));
      areaA *= at(boxes, {a, d + 2}) - at(boxes, {a, d});
      areaB *= at(boxes, {b, d + 2}) - at(boxes, {b, d});
    }
    return common / (areaA + areaB - common);
  };
  for (double threshold : {0.0, 0.3, 0.7, 1.0}) {
    const Tensor kept = *cpu::nms(boxes, scores, threshold);
    std::vector<int64_t> list(kept.data<int64_t>(), kept.data<int64_t>() + kept.numel());
    for (size_t i = 0; i != list.size(); ++i)
      for (size_t j = 0; j != i; ++j) {
        CHECK(scores.at(list[j]).toDouble() >= scores.at(list[i]).toDouble());
        CHECK(overlap(list[i], list[j]) <= threshold);
      }
    for (int64_t box = 0; box != 40; ++box) { // whoever is not there overlaps a better one that is
      const bool isThere = std::find(list.begin(), list.end(), box) != list.end();
      CHECK((isThere || std::any_of(list.begin(), list.end(), [&](int64_t other) {
               return scores.at(other).toDouble() >= scores.at(box).toDouble() && overlap(box, other) > threshold;
             })));
    }
  }
  CHECK(cpu::nms(*Tensor::empty({0, 4}), *Tensor::empty({0}), 0.5)->numel() == 0);
  CHECK(!cpu::nms(boxes, random({39}), 0.5).ok());
  CHECK(!cpu::nms(random({40, 5}), scores, 0.5).ok());
}

TEST_CASE("roi_align is the mean of bilinear samples", "[vision]") {
  const Tensor image = random({2, 3, 9, 7}), rois = regions();
  for (bool aligned : {false, true})
    for (int64_t ratio : {0, 1, 3}) {
      const double scale = ratio == 1 ? 0.5 : 1;
      const Tensor found = *cpu::roiAlign(image, rois, scale, 3, 2, ratio, aligned);
      requireNear(found, [&](int64_t region, int64_t channel, int64_t y, int64_t x) {
        return alignedCell(image, rois, region, channel, y, x, scale, 3, 2, ratio, aligned);
      });
      // It is linear in the image: <grad, align(image)> = <back(grad), image>.
      const Tensor grad = random({5, 3, 3, 2});
      const Tensor back = *cpu::roiAlignBackward(grad, rois, scale, 3, 2, 2, 3, 9, 7, ratio, aligned);
      CHECK(dot(back, image) == Approx(dot(grad, found)));
    }
  const Tensor floats =
      *cpu::roiAlign(*cpu::toDType(image, DType::Float), *cpu::toDType(rois, DType::Float), 1, 2, 2, 2, true);
  CHECK(floats.dtype() == DType::Float);
  CHECK(floats.at(0).toDouble() == Approx(alignedCell(image, rois, 0, 0, 0, 0, 1, 2, 2, 2, true)).margin(1e-5));
  CHECK(cpu::roiAlign(image, *Tensor::empty({0, 5}, DType::Double), 1, 2, 2, 2, true)->numel() == 0);
}

TEST_CASE("regions that no image can hold are refused or empty, not read", "[vision]") {
  const Tensor image = random({2, 4, 9, 7});
  Tensor rois = *Tensor::full({1, 5}, Scalar(0.0), DType::Double);
  rois.set(0, Scalar(2.0));
  CHECK(!cpu::roiAlign(image, rois, 1, 2, 2, 2, true).ok());
  rois.set(0, Scalar(-1.0));
  CHECK(!cpu::roiPool(image, rois, 1, 2, 2).ok());
  rois.set(0, Scalar(0.0));
  rois.set(1, Scalar(std::nan("")));
  CHECK(!cpu::psRoiAlign(image, rois, 1, 2, 2, 0).ok());
  rois.set(1, Scalar(-1e12));
  rois.set(3, Scalar(1e12));
  rois.set(4, Scalar(1e12));
  CHECK(cpu::roiAlign(image, rois, 1, 2, 2, 0, true).ok()); // takes no longer than for the image
  CHECK(cpu::roiPool(image, rois, 1, 2, 2).ok());
  CHECK(cpu::psRoiPool(image, rois, 1, 2, 2).ok());
  CHECK(!cpu::roiAlign(image, rois, 1, 0, 2, 0, true).ok());
  CHECK(!cpu::psRoiAlign(image, rois, 1, 3, 2, 0).ok()); // 4 channels are no multiple of 6
  CHECK(!cpu::roiAlign(*Tensor::empty({2, 3, 0, 7}, DType::Double), rois, 1, 2, 2, 0, true).ok());
}

TEST_CASE("roi_pool takes maxima of whole elements, and says where", "[vision]") {
  const Tensor image = random({2, 3, 9, 7}), rois = regions();
  auto [found, places] = *cpu::roiPool(image, rois, 1, 3, 2);
  auto bounds = [](double from, double to, int64_t cells, int64_t cell, int64_t limit) {
    const double start = std::round(from), length = std::max(std::round(to) - start + 1, 1.0);
    const double size = length / static_cast<double>(cells);
    auto clamp = [&](double v) { return static_cast<int64_t>(std::min(std::max(v, 0.0), static_cast<double>(limit))); };
    return std::pair(clamp(std::floor(static_cast<double>(cell) * size) + start),
                     clamp(std::ceil(static_cast<double>(cell + 1) * size) + start));
  };
  int64_t linear = 0;
  requireNear(found, [&](int64_t region, int64_t channel, int64_t y, int64_t x) {
    auto [top, bottom] = bounds(at(rois, {region, 2}), at(rois, {region, 4}), 3, y, 9);
    auto [left, right] = bounds(at(rois, {region, 1}), at(rois, {region, 3}), 2, x, 7);
    double best = -INFINITY;
    int64_t place = -1;
    for (int64_t i = top; i < bottom; ++i)
      for (int64_t j = left; j < right; ++j)
        if (double v = at(image, {static_cast<int64_t>(at(rois, {region, 0})), channel, i, j}); v > best)
          best = v, place = i * 7 + j;
    CHECK(places.at(linear++).toInt() == place);
    return place < 0 ? 0 : best;
  });
  const Tensor grad = random({5, 3, 3, 2});
  const Tensor back = *cpu::roiPoolBackward(grad, rois, places, 1, 3, 2, 2, 3, 9, 7);
  CHECK(dot(back, image) == Approx(dot(grad, found)));
  places.set(0, Scalar(int64_t{63}));
  CHECK(!cpu::roiPoolBackward(grad, rois, places, 1, 3, 2, 2, 3, 9, 7).ok());
}

TEST_CASE("position-sensitive forms read a channel of its own for each cell", "[vision]") {
  const Tensor image = random({2, 12, 9, 7}), rois = regions(), grad = random({5, 2, 3, 2});
  auto own = [](int64_t channel, int64_t y, int64_t x) { return (channel * 3 + y) * 2 + x; };
  // The region without height has no samples unless their number is given.
  auto [aligned, channels] = *cpu::psRoiAlign(image, rois, 1, 3, 2, 2);
  requireNear(aligned, [&](int64_t region, int64_t channel, int64_t y, int64_t x) {
    CHECK(at(channels, {region, channel, y, x}) == static_cast<double>(own(channel, y, x)));
    return alignedCell(image, rois, region, own(channel, y, x), y, x, 1, 3, 2, 2, true);
  });
  const Tensor back = *cpu::psRoiAlignBackward(grad, rois, channels, 1, 3, 2, 2, 2, 12, 9, 7);
  CHECK(dot(back, image) == Approx(dot(grad, aligned)));

  auto [pooled, mapping] = *cpu::psRoiPool(image, rois, 1, 3, 2);
  auto bounds = [](double from, double to, int64_t cells, int64_t cell, int64_t limit) {
    const double start = std::round(from), size = std::max(std::round(to) - start, 1.0) / static_cast<double>(cells);
    auto clamp = [&](double v) {
      return static_cast<int64_t>(std::min(std::max(v, 0.0), static_cast<double>(limit - 1)));
    };
    return std::pair(clamp(std::floor(static_cast<double>(cell) * size) + start),
                     clamp(std::ceil(static_cast<double>(cell + 1) * size) + start));
  };
  requireNear(pooled, [&](int64_t region, int64_t channel, int64_t y, int64_t x) {
    auto [top, bottom] = bounds(at(rois, {region, 2}), at(rois, {region, 4}), 3, y, 9);
    auto [left, right] = bounds(at(rois, {region, 1}), at(rois, {region, 3}), 2, x, 7);
    double sum = 0;
    for (int64_t i = top; i < bottom; ++i)
      for (int64_t j = left; j < right; ++j)
        sum += at(image, {static_cast<int64_t>(at(rois, {region, 0})), own(channel, y, x), i, j});
    const int64_t area = std::max<int64_t>(bottom - top, 0) * std::max<int64_t>(right - left, 0);
    return area ? sum / static_cast<double>(area) : 0;
  });
  // As in torchvision the way back does not spare the last row and column: an image with one more of each has them.
  const Tensor wider = random({2, 12, 10, 8});
  const Tensor pooledWider = std::get<0>(*cpu::psRoiPool(wider, rois, 1, 3, 2));
  const Tensor pooledBack = *cpu::psRoiPoolBackward(grad, rois, mapping, 1, 3, 2, 2, 12, 9, 7);
  Tensor corner = *cpu::narrow(*cpu::narrow(wider, 2, 0, 9), 3, 0, 7);
  CHECK(dot(pooledBack, *cpu::contiguous(corner)) == Approx(dot(grad, pooledWider)));
}

namespace {
/// Deformable convolution with two groups of channels and two of offsets, stride 2 by 1, padding 1 by 2, dilation 1
/// by 2.
struct Deformable {
  Tensor input = random({2, 4, 7, 6}), weight = random({6, 2, 3, 2}), bias = random({6});
  Tensor offset = random({2, 2 * 2 * 6, 4, 8}, -2, 2), mask = random({2, 2 * 6, 4, 8}, 0, 1);

  StatusOr<Tensor> run(bool useMask = true) const {
    return cpu::deformConv2d(input, weight, offset, mask, bias, 2, 1, 1, 2, 1, 2, 2, 2, useMask);
  }
  /// Zero outside of the image.
  double sample(int64_t batch, int64_t channel, double y, double x) const {
    double sum = 0;
    for (int64_t i = 0; i != input.size(2); ++i)
      for (int64_t j = 0; j != input.size(3); ++j)
        sum += std::max(0.0, 1 - std::fabs(y - static_cast<double>(i))) *
               std::max(0.0, 1 - std::fabs(x - static_cast<double>(j))) * at(input, {batch, channel, i, j});
    return sum;
  }
  double element(int64_t batch, int64_t out, int64_t y, int64_t x, bool useMask) const {
    double sum = bias.at(out).toDouble();
    for (int64_t c = 0; c != 2; ++c)
      for (int64_t i = 0; i != 3; ++i)
        for (int64_t j = 0; j != 2; ++j) {
          const int64_t channel = out / 3 * 2 + c, group = channel / 2, place = i * 2 + j;
          const double dy = at(offset, {batch, group * 12 + 2 * place, y, x});
          const double dx = at(offset, {batch, group * 12 + 2 * place + 1, y, x});
          const double m = useMask ? at(mask, {batch, group * 6 + place, y, x}) : 1;
          sum +=
              at(weight, {out, c, i, j}) * m *
              sample(batch, channel, static_cast<double>(2 * y - 1 + i) + dy, static_cast<double>(x - 2 + 2 * j) + dx);
        }
    return sum;
  }
};
} // namespace

TEST_CASE("deform_conv2d samples where its offsets say", "[vision]") {
  Deformable d;
  for (bool useMask : {true, false}) {
    const Tensor found = *d.run(useMask);
    REQUIRE(found.sizes() == ArrayRef<int64_t>({2, 6, 4, 8}));
    requireNear(found,
                [&](int64_t batch, int64_t out, int64_t y, int64_t x) { return d.element(batch, out, y, x, useMask); });
  }
  CHECK(!cpu::deformConv2d(d.input, d.weight, d.mask, d.mask, d.bias, 2, 1, 1, 2, 1, 2, 2, 2, true).ok());
  CHECK(!cpu::deformConv2d(d.input, d.weight, d.offset, d.mask, d.bias, 0, 1, 1, 2, 1, 2, 2, 2, true).ok());
  CHECK(!cpu::deformConv2d(d.input, d.weight, d.offset, d.mask, d.bias, 2, 1, 1, 2, 1, 2, 3, 2, true).ok());
}

TEST_CASE("gradients of deform_conv2d are its differences", "[vision]") {
  Deformable d;
  const Tensor grad = random({2, 6, 4, 8});
  auto [input, weight, offset, mask, bias] =
      *cpu::deformConv2dBackward(grad, d.input, d.weight, d.offset, d.mask, d.bias, 2, 1, 1, 2, 1, 2, 2, 2, true);
  const std::pair<Tensor, Tensor> operands[] = {
      {d.input, input}, {d.weight, weight}, {d.offset, offset}, {d.mask, mask}, {d.bias, bias}};
  for (auto [operand, found] : operands)
    for (int64_t i = 0; i < operand.numel(); i += 1 + operand.numel() / 12) {
      const double value = operand.at(i).toDouble(), step = 1e-6;
      operand.set(i, Scalar(value + step));
      const double more = dot(grad, *d.run());
      operand.set(i, Scalar(value - step));
      const double less = dot(grad, *d.run());
      operand.set(i, Scalar(value));
      INFO(i);
      CHECK(found.at(i).toDouble() == Approx((more - less) / (2 * step)).margin(1e-4));
    }
}
