//===- PoolWindows.h - The windows of pools ---------------------*- C++ -*-===//
//
// Every pooling is a pass over windows of up to three dimensions (missing ones have
// size 1): the operators differ in where windows start and end and in what is made of
// one. Windows of sliding pools are regular, of adaptive pools fractions of the input,
// of fractional pools placed by random samples.
//
// How large windows are is a number of the program's, so every pass over them counts
// its work and stops when the call is to end.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_POOLING_POOLWINDOWS_H
#define TSC_LIB_KERNELS_POOLING_POOLWINDOWS_H

#include "Support/Compute.h"
#include "tsc/Support/WorkMeter.h"
#include <array>

namespace tsc::cpu::pools {

/// Sizes, steps or places in depth, height and width, in this order.
using Extent = std::array<int64_t, 3>;

/// A pool's window along one dimension: elements begin, begin + step, … below end.
struct Span {
  int64_t begin, end, step;
};

/// The input as planes of three dimensions.
struct Planes {
  Tensor input; ///< Dense, of the work type.
  int64_t count = 1;
  /// How many channels each place has, where they lie inside; else 0, and channels have planes of their own.
  int64_t channels = 0;
  Extent in{1, 1, 1}, out{1, 1, 1};
  Extent window{1, 1, 1}; ///< How many elements the longest window has along each dimension.
  Dims outShape;
  int64_t inSize() const { return in[0] * in[1] * in[2]; }
  int64_t outSize() const { return out[0] * out[1] * out[2]; }
  /// Whether there is no window. Beside a size of 0 the others may be any: nobody goes over them.
  bool isEmpty() const { return count == 0 || out[0] == 0 || out[1] == 0 || out[2] == 0; }
  /// How many elements the longest window of a plane has.
  int64_t windowSize() const { return window[0] * window[1] * window[2]; }
  /// What it costs to fold `elements`, of which a processor takes several at once, in elementary operations
  /// (work::LongLoop).
  static int64_t foldCost(int64_t elements) { return std::max<int64_t>(1, elements / 16); }
  /// The sizes of a result as it lies in memory.
  Dims denseShape() const {
    if (channels == 0)
      return outShape;
    Dims sizes(outShape);
    sizes.erase(sizes.begin() + 1);
    sizes.push_back(channels);
    return sizes;
  }
  /// A result of these sizes as the caller sees it.
  StatusOr<Tensor> finish(const Tensor &result, DType dtype) const {
    TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(result, dtype));
    return channels == 0 ? StatusOr<Tensor>(converted) : channelsFromEnd(converted);
  }
};

/// Parameters of a sliding pool, missing dimensions in front.
struct Sliding {
  Extent kernel{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1};
};

/// Returns the planes of a tensor, whose last `spatial` dimensions, 1 to 3, windows go over, without the elements.
Planes planeSizes(const Tensor &self, int64_t spatial);
/// Returns the same with the elements, converted to the type `work` that is computed in.
StatusOr<Planes> planesOf(const Tensor &self, int64_t spatial, DType work);
/// Sets the shape of the output, whose sizes along the windows' dimensions are known. An error where there is no tensor
/// of so many elements: products of the sizes are numbers afterwards.
Status setOutShape(Planes &p, const Tensor &self, int64_t spatial);

/// How many numbers a parameter may have, in PyTorch's words: countWords[spatial].
extern const char *const countWords[4];
/// PyTorch's check of operators on lines.
Status checkRank1d(const char *name, const Tensor &self);

/// The parameters of a sliding pool, checked.
StatusOr<Sliding> slidingOf(const char *name, int64_t spatial, ArrayRef<int64_t> kernel, ArrayRef<int64_t> stride,
                            ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation);
/// Returns the planes of a sliding pool's input, and the output's shape, without the elements.
StatusOr<Planes> slidingSizes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode);
/// Returns the same with the elements, converted to the type `work` that is computed in.
StatusOr<Planes> slidingPlanes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode, DType work);
/// The planes of an adaptive or fractional pool.
StatusOr<Planes> adaptivePlanes(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize);

/// Returns the elements of an input of size in[d] that window `i` covers along dimension `d`; those in the padding are
/// left out.
inline Span slidingSpan(const Sliding &s, const Extent &in, int d, int64_t i) {
  assert(s.stride[d] > 0 && s.dilation[d] > 0 && "checked parameters");
  int64_t begin = i * s.stride[d] - s.padding[d], end = std::min(begin + (s.kernel[d] - 1) * s.dilation[d] + 1, in[d]);
  if (begin < 0)
    begin += (-begin + s.dilation[d] - 1) / s.dilation[d] * s.dilation[d];
  return {begin, end, s.dilation[d]};
}

inline Span adaptiveSpan(const Planes &p, int d, int64_t i) {
  assert(i >= 0 && i < p.out[d] && "one of the windows");
  return {i * p.in[d] / p.out[d], ((i + 1) * p.in[d] + p.out[d] - 1) / p.out[d], 1};
}

/// Calls perPlane(plane) for every plane, in parallel.
template <typename Fn> void forEachPlane(const Planes &p, Fn perPlane) {
  parallelFor(0, p.count, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, p.inSize())),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i)
                  perPlane(i);
              });
}

/// Asked before each part of a row of results whether the call goes on, where kernels are small: always.
struct ShortRow {
  static constexpr bool goOn() { return true; }
};

/// Counts the work on rows of results, and says when the call is to end: once a row, or, where kernels are large, once
/// a part of a row.
class RowTurns {
public:
  /// How many parts a row has, and how many elementary operations each costs at most.
  RowTurns(int64_t parts, int64_t cost)
      : isShort(static_cast<double>(parts) * static_cast<double>(cost) <= work::operationsInStep),
        turns(isShort ? parts * cost : cost) {}
  /// Calls run(parts) for a row, which asks parts.goOn() before each part. Returns whether the call goes on.
  template <typename Run> bool row(Run run) {
    if (!isShort) {
      run(turns);
      return !work::wasStopped();
    }
    if (!turns.goOn())
      return false;
    ShortRow parts;
    run(parts);
    return true;
  }

private:
  const bool isShort;
  work::LongLoop turns;
};

/// Calls fn(output index, spans) for every window of a plane, spans[d] being spansOf(d, position), until the call is to
/// end.
template <typename SpanOf, typename Fn> void forEachWindow(const Planes &p, SpanOf spanOf, Fn fn) {
  if (p.isEmpty())
    return;
  std::array<Span, 3> s;
  int64_t at = 0;
  RowTurns turns(p.out[2], p.windowSize());
  for (int64_t d = 0; d < p.out[0]; ++d) {
    s[0] = spanOf(0, d);
    for (int64_t h = 0; h < p.out[1]; ++h) {
      s[1] = spanOf(1, h);
      const bool goesOn = turns.row([&](auto &parts) {
        for (int64_t w = 0; w < p.out[2] && parts.goOn(); ++w) {
          s[2] = spanOf(2, w);
          fn(at + w, s);
        }
      });
      if (!goesOn)
        return;
      at += p.out[2];
    }
  }
}

/// Calls fn(plane, output index, offsets of the places of the window, spans) for every window of what has its channels
/// inside, in parallel, until the call is to end.
template <typename SpanOf, typename Fn> void forEachWindowOfChannels(const Planes &p, SpanOf spanOf, Fn fn) {
  if (p.isEmpty())
    return;
  const int64_t rows = p.count * p.out[0] * p.out[1], work = p.out[2] * p.channels;
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, work)),
              [&](int64_t first, int64_t last) {
                llvm::SmallVector<int64_t, 64> places;
                RowTurns turns(p.out[2], Planes::foldCost(p.windowSize() * p.channels));
                for (int64_t row = first; row != last; ++row) {
                  const int64_t plane = row / (p.out[0] * p.out[1]), d = row / p.out[1] % p.out[0], h = row % p.out[1];
                  std::array<Span, 3> s{spanOf(plane, 0, d), spanOf(plane, 1, h), Span{}};
                  const bool goesOn = turns.row([&](auto &parts) {
                    for (int64_t w = 0; w != p.out[2] && parts.goOn(); ++w) {
                      s[2] = spanOf(plane, 2, w);
                      places.clear();
                      for (int64_t z = s[0].begin; z < s[0].end; z += s[0].step)
                        for (int64_t y = s[1].begin; y < s[1].end; y += s[1].step)
                          for (int64_t x = s[2].begin; x < s[2].end; x += s[2].step)
                            places.push_back(((z * p.in[1] + y) * p.in[2] + x) * p.channels);
                      fn(plane, (d * p.out[1] + h) * p.out[2] + w, ArrayRef<int64_t>(places), s);
                    }
                  });
                  if (!goesOn)
                    return;
                }
              });
}

/// The places of a row that are position `k` of some window: windows [begin, end), the first at `from`.
struct WindowPlaces {
  int64_t begin, end, from;
};
/// Returns those places for position `k`, along the last dimension.
inline WindowPlaces placesOf(const Sliding &s, const Planes &p, int64_t k) {
  const int64_t shift = k * s.dilation[2] - s.padding[2], stride = s.stride[2];
  const int64_t begin = shift < 0 ? (-shift + stride - 1) / stride : 0;
  const int64_t end = p.in[2] - 1 - shift < 0 ? 0 : std::min(p.out[2], (p.in[2] - 1 - shift) / stride + 1);
  return {begin, std::max(begin, end), begin * stride + shift};
}

/// The positions [begin, end) of windows that may lie on a place of a row; a kernel may be much larger than its input.
inline std::pair<int64_t, int64_t> positionsInside(const Sliding &s, const Planes &p) {
  const int64_t dilation = s.dilation[2], before = s.padding[2] - (p.out[2] - 1) * s.stride[2];
  return {before > 0 ? before / dilation : 0, std::min(s.kernel[2], (p.in[2] - 1 + s.padding[2]) / dilation + 1)};
}

/// Combines the elements of the windows of a row of results with those of a row of the input, until the call is to end:
/// `parts` counts each call of `combine`.
template <typename T, class Combine>
void combineRow(const Planes &p, const Sliding &s, const T *row, T *out, Combine &combine, work::LongLoop &parts) {
  auto [first, last] = positionsInside(s, p);
  if (last - first <= p.in[2] * p.out[2]) {
    for (int64_t k = first; k < last && parts.goOn(); ++k) {
      const WindowPlaces places = placesOf(s, p, k);
      if (places.begin != places.end)
        combine(out + places.begin, row + places.from, s.stride[2], places.end - places.begin);
    }
    return;
  }
  for (int64_t w = 0; w != p.out[2]; ++w) { // windows so far apart that most positions are none of a place
    const Span span = slidingSpan(s, p.in, 2, w);
    work::LongLoop single;
    for (int64_t x = span.begin; x < span.end && single.goOn(); x += span.step)
      combine(out + w, row + x, s.stride[2], 1);
  }
}

/// Calls perRow(row of the input, row of results) for the rows that each row of windows lies on, until goesOn() says
/// that the call is to end, which is asked before each row of results.
template <typename T, class GoesOn, class PerRow>
void forEachRowOfWindows(const Planes &p, const Sliding &s, const T *plane, T *out, GoesOn goesOn, PerRow perRow) {
  for (int64_t d = 0; d < p.out[0]; ++d)
    for (int64_t h = 0; h < p.out[1]; ++h, out += p.out[2]) {
      if (!goesOn())
        return;
      const Span depth = slidingSpan(s, p.in, 0, d), height = slidingSpan(s, p.in, 1, h);
      for (int64_t z = depth.begin; z < depth.end; z += depth.step)
        for (int64_t y = height.begin; y < height.end; y += height.step)
          perRow(plane + (z * p.in[1] + y) * p.in[2], out);
    }
}

/// Combines the elements of all windows of a plane, row by row, until the call is to end: combine(row of results,
/// elements, their step, count).
template <typename T, class Combine>
void combineWindows(const Planes &p, const Sliding &s, const T *plane, T *out, Combine combine) {
  if (p.isEmpty())
    return;
  constexpr int64_t mostKept = 32;
  const auto [first, last] = positionsInside(s, p);
  const double rowCost = static_cast<double>(p.windowSize()) * static_cast<double>(Planes::foldCost(p.out[2]));
  if (last - first <= mostKept && rowCost <= work::operationsInStep) { // positions lie on the same places in every row
    llvm::SmallVector<WindowPlaces, mostKept> kept;
    for (int64_t k = first; k < last; ++k)
      if (const WindowPlaces places = placesOf(s, p, k); places.begin != places.end)
        kept.push_back(places);
    work::LongLoop rows(static_cast<int64_t>(rowCost));
    return forEachRowOfWindows(
        p, s, plane, out, [&] { return rows.goOn(); },
        [&](const T *row, T *to) {
          for (const WindowPlaces &places : kept)
            combine(to + places.begin, row + places.from, s.stride[2], places.end - places.begin);
        });
  }
  work::LongLoop parts(Planes::foldCost(p.out[2]));
  bool goesOn = true;
  forEachRowOfWindows(
      p, s, plane, out, [&] { return goesOn; },
      [&](const T *row, T *to) {
        if ((goesOn = goesOn && parts.goOn()))
          combineRow(p, s, row, to, combine, parts);
      });
}

} // namespace tsc::cpu::pools

#endif
