//===- SimdDepthwise.cpp - Convolutions of each channel alone, on vectors -===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Convolution/SimdDepthwise.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "DepthwiseRows.h"
#include "hwy/highway.h"
#include <algorithm>
#include <cstring>

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using depthwise::Plane;
using Floats = hn::ScalableTag<float>;
using V = hn::Vec<Floats>;
static constexpr int64_t lanes = hn::MaxLanes(Floats());

template <int step> HWY_INLINE V loadEvery(const float *from) {
  const Floats d;
  if constexpr (step == 1)
    return hn::LoadU(d, from);
  return hn::ConcatEven(d, hn::LoadU(d, from + lanes), hn::LoadU(d, from));
}

/// `vectors` vectors of `rows` rows of results, from row y and column x on: side by side, as the sums of one result
/// wait for each other.
template <int step, int rows, int vectors> HWY_INLINE void part(const Plane &p, int64_t y, int64_t x) {
  const Floats d;
  V sums[rows][vectors];
  for (auto &row : sums)
    for (V &sum : row)
      sum = hn::Set(d, p.bias);
  const float *weight = p.weights, *plane = p.plane + y * p.stepRows * p.rowLength + x * step;
  const int64_t down = p.stepRows * p.rowLength;
  constexpr bool mayShare = rows > 1 && step == 1 && TSC_HAS_VECTORS;
  const bool sharesRows = mayShare && p.kernelRows > rows && p.stepRows == 1 && p.dilationRows == 1;
  for (int64_t k = 0; sharesRows && k != p.kernelPlanes; ++k, plane += p.planeStep) {
    // A row of the input is loaded once for all rows of results that it is in.
    const float *from = plane;
    for (int64_t i = 0; i != p.kernelRows + rows - 1; ++i, from += p.rowLength) {
      const int64_t first = std::max<int64_t>(0, i - p.kernelRows + 1), last = std::min<int64_t>(rows - 1, i);
      const bool isInAll = first == 0 && last == rows - 1;
      for (int64_t j = 0; j != p.kernelColumns; ++j) {
        V values[vectors];
        for (int v = 0; v != vectors; ++v)
          values[v] = loadEvery<step>(from + j * p.dilationColumns + v * lanes * step);
        const float *own = weight + i * p.kernelColumns + j;
        auto add = [&](int r) HWY_ATTR {
          const V factor = hn::Set(d, own[-r * p.kernelColumns]);
          for (int v = 0; v != vectors; ++v)
            sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
        };
        if (isInAll)
          for (int r = 0; r != rows; ++r)
            add(r);
        else
          for (int r = 0; r != rows; ++r) // unrolled, as registers have no indices
            if (r >= first && r <= last)
              add(r);
      }
    }
    weight += p.kernelRows * p.kernelColumns;
  }
  for (int64_t k = 0; !sharesRows && k != p.kernelPlanes; ++k, plane += p.planeStep) {
    const float *first = plane;
    for (int64_t i = 0; i != p.kernelRows; ++i, first += p.dilationRows * p.rowLength) {
      const float *from = first;
      for (int64_t j = 0; j != p.kernelColumns; ++j, from += p.dilationColumns, ++weight)
        for (int r = 0; r != rows; ++r)
          for (int v = 0; v != vectors; ++v)
            sums[r][v] =
                hn::MulAdd(hn::Set(d, *weight), loadEvery<step>(from + r * down + v * lanes * step), sums[r][v]);
    }
  }
  for (int r = 0; r != rows; ++r)
    for (int v = 0; v != vectors; ++v) {
      float *to = p.out + (y + r) * p.outColumns + x + v * lanes;
      const int64_t left = p.outColumns - x - v * lanes;
      if (left >= lanes) {
        hn::StoreU(sums[r][v], d, to);
      } else if (left > 0) {
        HWY_ALIGN float buffer[lanes];
        hn::Store(sums[r][v], d, buffer);
        std::memcpy(to, buffer, static_cast<size_t>(left) * sizeof(float));
      }
    }
}

template <int step, int rows, int vectors> HWY_NOINLINE void convolvePlane(const Plane &p) {
  int64_t y = 0;
  auto columns = [&](auto part) HWY_ATTR {
    for (int64_t x = 0; x < p.outColumns; x += vectors * lanes)
      part(x);
  };
  for (; y + rows <= p.outRows; y += rows)
    columns([&](int64_t x) HWY_ATTR { part<step, rows, vectors>(p, y, x); });
  for (; y < p.outRows; ++y) {
    int64_t x = 0;
    for (; x < p.outColumns && (p.outColumns < lanes || p.outColumns - x > 2 * lanes); x += vectors * lanes)
      part<step, 1, vectors>(p, y, x);
    for (; x < p.outColumns; x += lanes) // some columns twice
      part<step, 1, 1>(p, y, std::min(x, p.outColumns - lanes));
  }
}

template <int step> static void planeOf(const Plane &p) {
  if (p.outColumns <= lanes)
    convolvePlane<step, 8, 1>(p);
  else if (p.outColumns <= 2 * lanes)
    convolvePlane<step, 4, 2>(p);
  else
    convolvePlane<step, TSC_VECTOR_REGISTERS == 32 ? 4 : 2, 4>(p);
}
static void plane(const Plane &p) {
  assert(p.stepColumns >= 1 && p.stepColumns <= depthwise::mostStride && "a stride for which there is a kernel");
  p.stepColumns == 1 ? planeOf<1>(p) : planeOf<2>(p);
}

/// `pixels` pixels from `first` on, `vectors` vectors of channels from `channel` on.
template <int pixels, int vectors, class D>
HWY_INLINE void channelsOf(D d, const depthwise::Pixels &p, int64_t first, int64_t channel) {
  const int64_t width = static_cast<int64_t>(hn::Lanes(d));
  hn::Vec<D> sums[pixels][vectors];
  for (auto &pixel : sums)
    for (int v = 0; v != vectors; ++v)
      pixel[v] = p.bias ? hn::LoadU(d, p.bias + channel + v * width) : hn::Zero(d);
  const float *in = p.in + first * p.step + channel, *weights = p.weights + channel;
  for (int64_t k = 0; k != p.elements; ++k)
    for (int v = 0; v != vectors; ++v) {
      const auto weight = hn::LoadU(d, weights + p.weightPlaces[k] + v * width);
      for (int i = 0; i != pixels; ++i)
        sums[i][v] = hn::MulAdd(weight, hn::LoadU(d, in + p.places[k] + i * p.step + v * width), sums[i][v]);
    }
  for (int i = 0; i != pixels; ++i)
    for (int v = 0; v != vectors; ++v)
      hn::StoreU(sums[i][v], d, p.out + (first + i) * p.channels + channel + v * width);
}
template <int pixels> HWY_NOINLINE void pixelGroup(const depthwise::Pixels &p, int64_t first) {
  const Floats d;
  int64_t c = 0;
  for (; c + 2 * lanes <= p.channels; c += 2 * lanes)
    channelsOf<pixels, 2>(d, p, first, c);
  for (; c + lanes <= p.channels; c += lanes)
    channelsOf<pixels, 1>(d, p, first, c);
  if (c == p.channels)
    return;
  if (p.channels >= lanes) // some channels twice
    return channelsOf<pixels, 1>(d, p, first, p.channels - lanes);
  const hn::CappedTag<float, 4> few;
  const int64_t fewLanes = static_cast<int64_t>(hn::Lanes(few));
  for (; c + fewLanes <= p.channels; c += fewLanes)
    channelsOf<pixels, 1>(few, p, first, c);
  for (; c != p.channels; ++c)
    channelsOf<pixels, 1>(hn::CappedTag<float, 1>(), p, first, c);
}
static void pixels(const depthwise::Pixels &p) {
  int64_t i = 0;
  if constexpr (TSC_VECTOR_REGISTERS == 32) // for as many sums
    if (p.channels < 2 * lanes)
      for (; i + 8 <= p.count; i += 8)
        pixelGroup<8>(p, i);
  for (; i + 4 <= p.count; i += 4)
    pixelGroup<4>(p, i);
  if (i != p.count && p.count > 4) // some pixels twice
    return pixelGroup<4>(p, p.count - 4);
  for (; i != p.count; ++i)
    pixelGroup<1>(p, i);
}
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
depthwise::Kernel depthwise::kernel() {
  static const Kernel best = TSC_BEST_OF(plane);
  return best;
}
depthwise::PixelKernel depthwise::pixelKernel() {
  static const PixelKernel best = TSC_BEST_OF(pixels);
  return best;
}
} // namespace tsc::cpu
#endif
