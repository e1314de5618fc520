//===- SimdSampling.cpp - Images sampled at rows of points, on vectors ----===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "SimdSampling.cpp"
#include "SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SamplingRows.h"
#include "hwy/highway.h"

#pragma clang fp contract(off)

HWY_BEFORE_NAMESPACE();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using sampling::Points;
using Floats = hn::ScalableTag<float>;
using Ints = hn::RebindToSigned<Floats>;
using V = hn::Vec<Floats>;
using I = hn::Vec<Ints>;

/// From [-1, 1] to element positions, within what integers hold.
HWY_INLINE V positionOf(const Points &p, V x, int64_t size) {
  const Floats d;
  const V one = hn::Set(d, 1), two = hn::Set(d, 2), extent = hn::Set(d, static_cast<float>(size));
  const V last = hn::Set(d, static_cast<float>(size - 1)), zero = hn::Zero(d);
  x = hn::Add(x, one);
  x = p.alignCorners ? hn::Mul(hn::Div(x, two), last) : hn::Div(hn::Sub(hn::Mul(x, extent), one), two);
  if (p.isBorder)
    x = hn::IfThenElseZero(hn::Gt(x, zero), hn::IfThenElse(hn::Lt(x, last), x, last));
  const V limit = hn::Set(d, 1e9f);
  return hn::IfThenElse(hn::And(hn::Gt(x, hn::Neg(limit)), hn::Lt(x, limit)), x, hn::Set(d, -100));
}

/// Where an element of each point is, and whether it is inside of the image.
struct Place {
  I offset;
  hn::Mask<Floats> isInside;
  V weight;
};
HWY_INLINE Place placeOf(const Points &p, I y, I x, V weight) {
  const Floats d;
  const Ints di;
  const I width = hn::Set(di, static_cast<int32_t>(p.width)), none = hn::Set(di, -1);
  const auto isInside = hn::And(hn::And(hn::Gt(y, none), hn::Lt(y, hn::Set(di, static_cast<int32_t>(p.height)))),
                                hn::And(hn::Gt(x, none), hn::Lt(x, width)));
  return {hn::IfThenElseZero(isInside, hn::Add(hn::Mul(y, width), x)), hn::RebindMask(d, isInside), weight};
}
HWY_INLINE V valueOf(const float *image, const Place &place) {
  return hn::IfThenElseZero(place.isInside, hn::GatherIndex(Floats(), image, place.offset));
}

static int64_t samplePoints(const Points &p, int64_t count) {
  const Floats d;
  const Ints di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), plane = p.height * p.width;
  int64_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    V x, y;
    hn::LoadInterleaved2(d, p.grid + 2 * at, x, y);
    x = positionOf(p, x, p.width);
    y = positionOf(p, y, p.height);
    float *out = p.out + at;
    const float *image = p.image;
    if (p.isNearest) {
      const Place place = placeOf(p, hn::NearestInt(y), hn::NearestInt(x), hn::Set(d, 1));
      for (int64_t c = 0; c != p.channels; ++c, image += plane, out += p.outStride)
        hn::StoreU(valueOf(image, place), d, out);
      continue;
    }
    const V one = hn::Set(d, 1), left = hn::Floor(x), top = hn::Floor(y);
    const V toRight = hn::Sub(x, left), toLeft = hn::Sub(hn::Add(left, one), x);
    const V down = hn::Sub(y, top), up = hn::Sub(hn::Add(top, one), y);
    const I column = hn::ConvertTo(di, left), row = hn::ConvertTo(di, top), next = hn::Set(di, 1);
    const Place places[4] = {placeOf(p, row, column, hn::Mul(up, toLeft)),
                             placeOf(p, row, hn::Add(column, next), hn::Mul(up, toRight)),
                             placeOf(p, hn::Add(row, next), column, hn::Mul(down, toLeft)),
                             placeOf(p, hn::Add(row, next), hn::Add(column, next), hn::Mul(down, toRight))};
    for (int64_t c = 0; c != p.channels; ++c, image += plane, out += p.outStride) {
      V sum = hn::Mul(valueOf(image, places[0]), places[0].weight);
      for (int k = 1; k != 4; ++k)
        sum = hn::Add(sum, hn::Mul(valueOf(image, places[k]), places[k].weight));
      hn::StoreU(sum, d, out);
    }
  }
  return at;
}
} // namespace tsc::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tsc::cpu {
sampling::Kernel sampling::kernel() {
  static const Kernel best = TSC_BEST_OF(samplePoints);
  return best;
}
} // namespace tsc::cpu
#endif
