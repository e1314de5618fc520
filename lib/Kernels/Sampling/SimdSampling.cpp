//===- SimdSampling.cpp - Images sampled at rows of points, on vectors ----===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Sampling/SimdSampling.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "SamplingRows.h"
#include "hwy/highway.h"

#pragma clang fp contract(off)

TSC_BEFORE_KERNELS();
namespace tsc::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using sampling::Points;
template <typename T> using Reals = hn::ScalableTag<T>;
template <typename T> using Ints = hn::RebindToSigned<Reals<T>>;
template <typename T> using V = hn::Vec<Reals<T>>;
template <typename T> using I = hn::Vec<Ints<T>>;

/// From [-1, 1] to element positions, within what integers hold.
template <typename T> HWY_INLINE V<T> positionOf(const Points<T> &p, V<T> x, int64_t size) {
  const Reals<T> d;
  const V<T> one = hn::Set(d, 1), two = hn::Set(d, 2), extent = hn::Set(d, static_cast<T>(size));
  const V<T> last = hn::Set(d, static_cast<T>(size - 1)), zero = hn::Zero(d);
  x = hn::Add(x, one);
  x = p.alignCorners ? hn::Mul(hn::Div(x, two), last) : hn::Div(hn::Sub(hn::Mul(x, extent), one), two);
  if (p.isReflected) {
    const V<T> low = hn::Set(d, p.alignCorners ? T(0) : T(-0.5));
    const V<T> twice = hn::Set(d, 2 * (p.alignCorners ? static_cast<T>(size - 1) : static_cast<T>(size)));
    x = hn::Abs(hn::Sub(x, low));
    const V<T> extra = hn::Sub(x, hn::Mul(hn::Trunc(hn::Div(x, twice)), twice));
    x = hn::Add(hn::IfThenElse(hn::Lt(hn::Sub(twice, extra), extra), hn::Sub(twice, extra), extra), low);
    if (p.alignCorners && size == 1)
      x = zero;
  }
  if (p.isBorder)
    x = hn::IfThenElseZero(hn::Gt(x, zero), hn::IfThenElse(hn::Lt(x, last), x, last));
  const V<T> limit = hn::Set(d, T(1e9));
  return hn::IfThenElse(hn::And(hn::Gt(x, hn::Neg(limit)), hn::Lt(x, limit)), x, hn::Set(d, -100));
}

/// Where an element of each point is, and whether it is inside of the image.
template <typename T> struct Place {
  I<T> offset;
  hn::Mask<Reals<T>> isInside;
  V<T> weight;
};
template <typename T> HWY_INLINE Place<T> placeOf(const Points<T> &p, I<T> y, I<T> x, V<T> weight) {
  using Int = hn::TFromD<Ints<T>>;
  const Reals<T> d;
  const Ints<T> di;
  const I<T> width = hn::Set(di, static_cast<Int>(p.width)), none = hn::Set(di, -1);
  const auto isInside = hn::And(hn::And(hn::Gt(y, none), hn::Lt(y, hn::Set(di, static_cast<Int>(p.height)))),
                                hn::And(hn::Gt(x, none), hn::Lt(x, width)));
  return {hn::IfThenElseZero(isInside, hn::Add(hn::Mul(y, width), x)), hn::RebindMask(d, isInside), weight};
}
/// The same place in plane z.
template <typename T> HWY_INLINE Place<T> atDepth(const Points<T> &p, I<T> z, const Place<T> &place) {
  using Int = hn::TFromD<Ints<T>>;
  const Reals<T> d;
  const Ints<T> di;
  const auto exists = hn::And(hn::Gt(z, hn::Set(di, -1)), hn::Lt(z, hn::Set(di, static_cast<Int>(p.depth))));
  const auto isInside = hn::And(hn::RebindMask(d, exists), place.isInside);
  const I<T> offset = hn::Add(hn::Mul(z, hn::Set(di, static_cast<Int>(p.height * p.width))), place.offset);
  return {hn::IfThenElseZero(hn::RebindMask(di, isInside), offset), isInside, place.weight};
}
template <typename T> HWY_INLINE V<T> valueOf(const T *image, const Place<T> &place) {
  return hn::IfThenElseZero(place.isInside, hn::GatherIndex(Reals<T>(), image, place.offset));
}

template <typename T> static HWY_NOINLINE int64_t samplePoints(const Points<T> &p, int64_t count) {
  const Reals<T> d;
  const Ints<T> di;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), plane = p.depth * p.height * p.width;
  int64_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    V<T> x, y, z = hn::Zero(d);
    if (p.hasDepth)
      hn::LoadInterleaved3(d, p.grid + 3 * at, x, y, z);
    else
      hn::LoadInterleaved2(d, p.grid + 2 * at, x, y);
    x = positionOf(p, x, p.width);
    y = positionOf(p, y, p.height);
    T *out = p.out + at;
    const T *image = p.image;
    if (p.isNearest) {
      Place<T> place = placeOf(p, hn::ConvertTo(di, hn::Round(y)), hn::ConvertTo(di, hn::Round(x)), hn::Set(d, T(1)));
      if (p.hasDepth)
        place = atDepth(p, hn::ConvertTo(di, hn::Round(positionOf(p, z, p.depth))), place);
      for (int64_t c = 0; c != p.channels; ++c, image += plane, out += p.outStride)
        hn::StoreU(valueOf(image, place), d, out);
      continue;
    }
    const V<T> one = hn::Set(d, 1), left = hn::Floor(x), top = hn::Floor(y);
    const V<T> toRight = hn::Sub(x, left), toLeft = hn::Sub(hn::Add(left, one), x);
    const V<T> down = hn::Sub(y, top), up = hn::Sub(hn::Add(top, one), y);
    const I<T> column = hn::ConvertTo(di, left), row = hn::ConvertTo(di, top), next = hn::Set(di, 1);
    const Place<T> places[4] = {placeOf(p, row, column, hn::Mul(up, toLeft)),
                                placeOf(p, row, hn::Add(column, next), hn::Mul(up, toRight)),
                                placeOf(p, hn::Add(row, next), column, hn::Mul(down, toLeft)),
                                placeOf(p, hn::Add(row, next), hn::Add(column, next), hn::Mul(down, toRight))};
    for (int64_t c = 0; c != p.channels; ++c, image += plane, out += p.outStride) {
      V<T> sum = hn::Mul(valueOf(image, places[0]), places[0].weight);
      for (int k = 1; k != 4; ++k)
        sum = hn::Add(sum, hn::Mul(valueOf(image, places[k]), places[k].weight));
      hn::StoreU(sum, d, out);
    }
  }
  return at;
}
static sampling::Kernel<float> ofFloats() { return &samplePoints<float>; }
static sampling::Kernel<double> ofDoubles() { return &samplePoints<double>; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> sampling::Kernel<float> sampling::kernel<float>() {
  static const Kernel<float> best = TSC_BEST_OF(ofFloats)();
  return best;
}
template <> sampling::Kernel<double> sampling::kernel<double>() {
  static const Kernel<double> best = TSC_BEST_OF(ofDoubles)();
  return best;
}
} // namespace tsc::cpu
#endif
