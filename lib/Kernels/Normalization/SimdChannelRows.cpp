//===- SimdChannelRows.cpp - Group norm of rows of channels, on vectors ---===//
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Normalization/SimdChannelRows.cpp"
#include "Support/SimdTargets.h"

#include "hwy/foreach_target.h" // first: it includes this file again for every instruction set

#include "ChannelRows.h"
#include "Pointwise/SpecialFunctions.h"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"
#include "tsc/Kernels/Folds.h"
#include <cmath>
#include <limits>
#include <type_traits>

TSC_BEFORE_KERNELS();
#include "Pointwise/SimdBuilder.h"

#include "Reductions/SimdLanes.h"

#include "Support/SimdRowWalks.h"

namespace tsc::cpu::HWY_NAMESPACE {
using rows::GroupShape;

/// The elements that are added, of a mean's or a variance's sum.
template <bool isCentered, class V> HWY_INLINE V termOf(V v, V mean) {
  if constexpr (!isCentered)
    return v;
  const V deviation = hn::Sub(v, mean);
  return hn::Mul(deviation, deviation);
}

/// Adds columns [begin, end) of rows [first, last) to the lanes of their folds: a row belongs to lane `row %
/// foldLanes`.
template <bool isCentered, typename T>
HWY_NOINLINE void addRowByRow(T *lanes, const T *x, const T *means, int64_t step, int64_t first, int64_t last,
                              int64_t begin, int64_t end, int64_t columns) {
  const typename Sixteen<T>::D d;
  for (int64_t row = first; row < last; ++row) {
    const T *const from = x + row * step + begin, *const mean = means + begin;
    T *const lane = lanes + row % foldLanes * columns + begin;
    forVectors<T>(
        end - begin,
        [&](int64_t i) HWY_ATTR {
          const auto center = isCentered ? hn::LoadU(d, mean + i) : hn::Zero(d);
          hn::StoreU(hn::Add(hn::LoadU(d, lane + i), termOf<isCentered>(hn::LoadU(d, from + i), center)), d, lane + i);
        },
        [&](int64_t i, int64_t count) HWY_ATTR {
          const auto center = isCentered ? loadPart(mean + i, count, T(0)) : hn::Zero(d);
          storePart(
              lane + i, count,
              hn::Add(loadPart(lane + i, count, T(0)), termOf<isCentered>(loadPart(from + i, count, T(0)), center)));
        });
  }
}
/// The same for all columns. Of a few rows, which stay in the nearest cache, those of a vector's lanes are added in
/// registers.
template <bool isCentered, typename T>
HWY_NOINLINE void addRows(T *lanes, const T *x, const T *means, int64_t step, int64_t first, int64_t last,
                          int64_t columns) {
  constexpr int64_t width = Sixteen<T>::width, together = 8, rowsAtOnce = 4 * foldLanes;
  const typename Sixteen<T>::D d;
  using V = hn::Vec<typename Sixteen<T>::D>;
  const int64_t inVectors = columns - columns % width;
  const int64_t aligned = first + (foldLanes - first % foldLanes) % foldLanes;
  int64_t begin = aligned < last ? aligned : last;
  addRowByRow<isCentered>(lanes, x, means, step, first, begin, 0, columns, columns);
  while (begin + foldLanes <= last) {
    int64_t end = begin + rowsAtOnce < last ? begin + rowsAtOnce : last;
    end -= (end - begin) % foldLanes;
    for (int64_t i = 0; i != inVectors; i += width) {
      const V center = isCentered ? hn::LoadU(d, means + i) : hn::Zero(d);
      for (int64_t some = 0; some != foldLanes; some += together) {
        V sums[together];
        for (int64_t k = 0; k != together; ++k)
          sums[k] = hn::LoadU(d, lanes + (some + k) * columns + i);
        for (int64_t row = begin + some; row < end; row += foldLanes)
          for (int64_t k = 0; k != together; ++k)
            sums[k] = hn::Add(sums[k], termOf<isCentered>(hn::LoadU(d, x + (row + k) * step + i), center));
        for (int64_t k = 0; k != together; ++k)
          hn::StoreU(sums[k], d, lanes + (some + k) * columns + i);
      }
    }
    if (inVectors != columns)
      addRowByRow<isCentered>(lanes, x, means, step, begin, end, inVectors, columns, columns);
    begin = end;
  }
  addRowByRow<isCentered>(lanes, x, means, step, begin, last, 0, columns, columns);
}

/// Returns the sum of a column's lanes, of which the one called `offset` comes first, and sets them to zero.
template <typename T> HWY_INLINE T takeBlock(T *lanes, int64_t columns, int64_t offset) {
  T sums[foldLanes];
  for (int k = 0; k != foldLanes; ++k) {
    T &lane = lanes[(k + offset) % foldLanes * columns];
    sums[k] = lane;
    lane = 0;
  }
  for (int width = foldLanes / 2; width; width /= 2)
    for (int k = 0; k != width; ++k)
      sums[k] += sums[k + width];
  return sums[0];
}

/// Sets the lanes of every group's channel to zero.
template <typename T> HWY_INLINE void clearChannel(T *lanes, int64_t channel, const GroupShape &shape) {
  for (int64_t i = 0; i != foldLanes * shape.groups; ++i)
    lanes[i * shape.perGroup + channel] = 0;
}

/// Sets the lanes that the channels begin with: what the one before has left of its last block.
template <bool isCentered, typename T>
HWY_INLINE void carryTails(T *lanes, T *tails, const T *x, const T *means, const GroupShape &shape) {
  const int64_t columns = shape.columns(), places = shape.places, carriers = shape.perGroup - 1;
  for (int64_t i = 0; i != foldLanes * columns; ++i)
    tails[i] = 0;
  auto tailOf = [&](int64_t channel) { return places - (channel + 1) * places % foldBlock; };
  int64_t row = places; // where the first tail begins
  for (int64_t channel = 0; channel < carriers; ++channel)
    row = tailOf(channel) < row ? tailOf(channel) : row;
  for (;;) {
    int64_t next = places;
    for (int64_t channel = 0; channel < carriers; ++channel) {
      const int64_t tail = tailOf(channel);
      if (tail == row)
        clearChannel(tails, channel, shape);
      else if (tail > row && tail < next)
        next = tail;
    }
    if (row == places)
      break;
    addRows<isCentered>(tails, x, means, shape.step, row, next, columns);
    row = next;
  }
  for (int64_t lane = 0; lane != foldLanes; ++lane)
    for (int64_t group = 0; group != shape.groups; ++group) {
      T *const to = lanes + lane * columns + group * shape.perGroup;
      const T *const from = tails + (lane + places) % foldLanes * columns + group * shape.perGroup;
      to[0] = 0;
      for (int64_t channel = 0; channel < carriers; ++channel)
        to[channel + 1] = from[channel];
    }
}

template <bool isCentered, typename T>
HWY_INLINE void addUp(T *sums, const T *x, const T *means, const GroupShape &shape, T *scratch) {
  const int64_t columns = shape.columns(), places = shape.places, blocks = shape.blocksPerGroup();
  T *const lanes = scratch, *const results = scratch + 2 * foldLanes * columns;
  carryTails<isCentered>(lanes, lanes + foldLanes * columns, x, means, shape);
  for (int64_t row = 0; row != places;) {
    int64_t next = places; // where the next block of some channel ends
    for (int64_t channel = 0; channel != shape.perGroup; ++channel) {
      const int64_t end = row + foldBlock - (channel * places + row) % foldBlock;
      next = end < next ? end : next;
    }
    addRows<isCentered>(lanes, x, means, shape.step, row, next, columns);
    row = next;
    for (int64_t channel = 0; channel != shape.perGroup; ++channel) {
      const int64_t first = channel * places, end = first + row;
      if (end % foldBlock != 0 && end != shape.perGroup * places)
        continue;
      const int64_t block = (end - 1) / foldBlock, offset = (foldLanes - first % foldLanes) % foldLanes;
      for (int64_t group = 0; group != shape.groups; ++group)
        results[group * blocks + block] = takeBlock(lanes + group * shape.perGroup + channel, columns, offset);
    }
  }
  for (int64_t group = 0; group != shape.groups; ++group) {
    SumCascade<T> cascade;
    for (int64_t block = 0; block != blocks; ++block)
      cascade.push(results[group * blocks + block]);
    sums[group] = cascade.finish();
  }
}
template <typename T>
HWY_NOINLINE void groupSums(T *sums, const T *x, const T *means, const GroupShape &shape, T *scratch) {
  assert(shape.places >= foldBlock && shape.groups > 0 && shape.perGroup > 0 && "blocks of two channels at most");
  if (means)
    addUp<true>(sums, x, means, shape, scratch);
  else
    addUp<false>(sums, x, means, shape, scratch);
}

template <typename T>
HWY_NOINLINE void normalizeChannels(T *out, const T *x, const T *means, const T *rstds, const T *weights,
                                    const T *biases, int64_t n) {
  using V = hn::Vec<typename Sixteen<T>::D>;
  assert((weights == nullptr) == (biases == nullptr) && "both or none");
  auto normal = [](V v, V mean, V rstd) HWY_ATTR { return hn::Mul(hn::Sub(v, mean), rstd); };
  if (weights)
    mapRow(
        out, n, [&](V v, V mean, V rstd, V w, V b) HWY_ATTR { return hn::Add(hn::Mul(normal(v, mean, rstd), w), b); },
        x, means, rstds, weights, biases);
  else
    mapRow(out, n, normal, x, means, rstds);
}

static rows::ChannelKernels<float> floatChannels() { return {&groupSums<float>, &normalizeChannels<float>}; }
static rows::ChannelKernels<double> doubleChannels() { return {&groupSums<double>, &normalizeChannels<double>}; }
} // namespace tsc::cpu::HWY_NAMESPACE
TSC_AFTER_KERNELS();

#if HWY_ONCE
namespace tsc::cpu {
template <> const rows::ChannelKernels<float> &rows::channelKernels<float>() {
  static const ChannelKernels<float> table = TSC_BEST_OF(floatChannels)();
  return table;
}
template <> const rows::ChannelKernels<double> &rows::channelKernels<double>() {
  static const ChannelKernels<double> table = TSC_BEST_OF(doubleChannels)();
  return table;
}
} // namespace tsc::cpu
#endif
