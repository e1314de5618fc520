//===- Pooling.cpp - Averages and maxima over windows ---------------------===//
//
// Every pooling is a pass over windows of up to three dimensions (missing ones have
// size 1): the operators differ in where windows start and end and in what is made of
// one. Windows of sliding pools are regular, of adaptive pools fractions of the input,
// of fractional pools placed by random samples.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Pooling.h"
#include "BlockedRows.h"
#include "Compute.h"
#include "ConvolutionBlocked.h"
#include "WindowRows.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/FunctionClones.h"
#include <array>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;

namespace {
using Extent = std::array<int64_t, 3>;

/// A pool's window along one dimension: elements begin, begin + step, … below end.
struct Span {
  int64_t begin, end, step;
};

/// The input as planes of three dimensions.
struct Planes {
  Tensor input; ///< Dense, of the work type.
  int64_t count = 1;
  int64_t channels = 0; ///< Of each place where they lie inside; else 0, and channels have planes of their own.
  Extent in{1, 1, 1}, out{1, 1, 1};
  Dims outShape;
  int64_t inSize() const { return in[0] * in[1] * in[2]; }
  int64_t outSize() const { return out[0] * out[1] * out[2]; }
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
} // namespace

/// Without the elements.
static Planes planeSizes(const Tensor &self, int64_t spatial) {
  Planes p;
  int64_t lead = self.dim() - spatial;
  for (int64_t d = 0; d < lead; ++d)
    p.count *= self.size(d);
  for (int64_t d = 0; d < spatial; ++d)
    p.in[3 - spatial + d] = self.size(lead + d);
  return p;
}

static Status takeElements(Planes &p, const Tensor &self, int64_t spatial, DType work) {
  Tensor elements = self;
  if (isFloating(self.dtype()) && self.dim() == spatial + 2 && hasChannelsInside(self)) {
    p.channels = self.size(1);
    p.count = self.size(0);
    TSC_ASSIGN_OR_RETURN(elements, channelsToEnd(self));
  }
  TSC_ASSIGN_OR_RETURN(p.input, dense(elements, work));
  return okStatus();
}
static StatusOr<Planes> planesOf(const Tensor &self, int64_t spatial, DType work) {
  Planes p = planeSizes(self, spatial);
  TSC_RETURN_IF_ERROR(takeElements(p, self, spatial, work));
  return p;
}

static void setOutShape(Planes &p, const Tensor &self, int64_t spatial) {
  p.outShape.assign(self.sizes().begin(), self.sizes().end() - spatial);
  p.outShape.append(p.out.end() - spatial, p.out.end());
}

/// Calls perPlane(plane) for every plane, in parallel.
template <typename Fn> static void forEachPlane(const Planes &p, Fn perPlane) {
  parallelFor(0, p.count, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, p.inSize())),
              [&](int64_t first, int64_t last) {
                for (int64_t i = first; i < last; ++i)
                  perPlane(i);
              });
}

/// Calls fn(output index, spans) for every window of a plane, spans[d] being spansOf(d, position).
template <typename SpanOf, typename Fn> static void forEachWindow(const Planes &p, SpanOf spanOf, Fn fn) {
  std::array<Span, 3> s;
  int64_t at = 0;
  for (int64_t d = 0; d < p.out[0]; ++d) {
    s[0] = spanOf(0, d);
    for (int64_t h = 0; h < p.out[1]; ++h) {
      s[1] = spanOf(1, h);
      for (int64_t w = 0; w < p.out[2]; ++w, ++at) {
        s[2] = spanOf(2, w);
        fn(at, s);
      }
    }
  }
}

/// The largest element of a window (a NaN wins) and its index in the plane.
template <typename T>
static std::pair<T, int64_t> maximumOf(const Planes &p, const T *plane, const std::array<Span, 3> &s) {
  T best = -std::numeric_limits<T>::infinity();
  int64_t where = (s[0].begin * p.in[1] + s[1].begin) * p.in[2] + s[2].begin;
  for (int64_t d = s[0].begin; d < s[0].end; d += s[0].step)
    for (int64_t h = s[1].begin; h < s[1].end; h += s[1].step) {
      int64_t row = (d * p.in[1] + h) * p.in[2];
      for (int64_t w = s[2].begin; w < s[2].end; w += s[2].step)
        if (T value = plane[row + w]; value > best || value != value)
          best = value, where = row + w;
    }
  return {best, where};
}

template <typename T> static T sumOf(const Planes &p, const T *plane, const std::array<Span, 3> &s) {
  T sum = 0;
  for (int64_t d = s[0].begin; d < s[0].end; ++d)
    for (int64_t h = s[1].begin; h < s[1].end; ++h)
      for (int64_t w = s[2].begin; w < s[2].end; ++w)
        sum += plane[(d * p.in[1] + h) * p.in[2] + w];
  return sum;
}

/// Calls fn(plane, output index, offsets of the places of the window, spans) for every window of what has its channels
/// inside, in parallel.
template <typename SpanOf, typename Fn> static void forEachWindowOfChannels(const Planes &p, SpanOf spanOf, Fn fn) {
  const int64_t rows = p.count * p.out[0] * p.out[1], work = p.out[2] * p.channels;
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / std::max<int64_t>(1, work)),
              [&](int64_t first, int64_t last) {
                llvm::SmallVector<int64_t, 64> places;
                for (int64_t row = first; row != last; ++row) {
                  const int64_t plane = row / (p.out[0] * p.out[1]), d = row / p.out[1] % p.out[0], h = row % p.out[1];
                  std::array<Span, 3> s{spanOf(plane, 0, d), spanOf(plane, 1, h), Span{}};
                  for (int64_t w = 0; w != p.out[2]; ++w) {
                    s[2] = spanOf(plane, 2, w);
                    places.clear();
                    for (int64_t z = s[0].begin; z < s[0].end; z += s[0].step)
                      for (int64_t y = s[1].begin; y < s[1].end; y += s[1].step)
                        for (int64_t x = s[2].begin; x < s[2].end; x += s[2].step)
                          places.push_back(((z * p.in[1] + y) * p.in[2] + x) * p.channels);
                    fn(plane, (d * p.out[1] + h) * p.out[2] + w, ArrayRef<int64_t>(places), s);
                  }
                }
              });
}

/// Takes an element of each channel into the largest so far (a NaN wins), and where that is.
#define TSC_KEEP_LARGER(TYPE)                                                                                          \
  TSC_CLONES static void keepLarger(TYPE *__restrict values, int32_t *__restrict at, const TYPE *__restrict from,      \
                                    int32_t index, int64_t n) {                                                        \
    for (int64_t c = 0; c < n; ++c) {                                                                                  \
      const bool isBetter = from[c] > values[c] || from[c] != from[c];                                                 \
      values[c] = isBetter ? from[c] : values[c];                                                                      \
      at[c] = isBetter ? index : at[c];                                                                                \
    }                                                                                                                  \
  }
TSC_KEEP_LARGER(float)
TSC_KEEP_LARGER(double)
#undef TSC_KEEP_LARGER

/// The same of a row of windows, whose elements are `step` apart, the first of them number `first` of the plane.
#define TSC_KEEP_LARGER_OF_ROW(TYPE)                                                                                   \
  template <int64_t known>                                                                                             \
  static inline void keepLargerEvery(TYPE *__restrict values, int32_t *__restrict at, const TYPE *__restrict from,     \
                                     int64_t given, int32_t first, int64_t n) {                                        \
    const int64_t step = known ? known : given;                                                                        \
    for (int64_t i = 0; i < n; ++i) {                                                                                  \
      const TYPE value = from[i * step];                                                                               \
      const bool isBetter = value > values[i] || value != value;                                                       \
      values[i] = isBetter ? value : values[i];                                                                        \
      at[i] = isBetter ? first + static_cast<int32_t>(i * step) : at[i];                                               \
    }                                                                                                                  \
  }                                                                                                                    \
  TSC_CLONES static void keepLargerOfRow(TYPE *values, int32_t *at, const TYPE *from, int64_t step, int32_t first,     \
                                         int64_t n) {                                                                  \
    if (step == 1)                                                                                                     \
      return keepLargerEvery<1>(values, at, from, step, first, n);                                                     \
    if (step == 2)                                                                                                     \
      return keepLargerEvery<2>(values, at, from, step, first, n);                                                     \
    keepLargerEvery<0>(values, at, from, step, first, n);                                                              \
  }
TSC_KEEP_LARGER_OF_ROW(float)
TSC_KEEP_LARGER_OF_ROW(double)
#undef TSC_KEEP_LARGER_OF_ROW

/// The largest of each channel of a window (a NaN wins) and its index in the plane.
template <typename T>
static void maximaOfChannels(const Planes &p, const T *plane, ArrayRef<int64_t> places, const std::array<Span, 3> &s,
                             T *values, int64_t *indices) {
  std::fill_n(values, p.channels, -std::numeric_limits<T>::infinity());
  const int64_t start = (s[0].begin * p.in[1] + s[1].begin) * p.in[2] + s[2].begin;
  if (p.inSize() <= INT32_MAX) {
    llvm::SmallVector<int32_t, 512> at(p.channels, static_cast<int32_t>(start));
    for (int64_t place : places)
      keepLarger(values, at.data(), plane + place, static_cast<int32_t>(place / p.channels), p.channels);
    std::copy(at.begin(), at.end(), indices);
    return;
  }
  std::fill_n(indices, p.channels, start);
  for (int64_t place : places) {
    const T *from = plane + place;
    const int64_t index = place / p.channels;
    for (int64_t c = 0; c != p.channels; ++c) {
      const bool isBetter = from[c] > values[c] || from[c] != from[c];
      values[c] = isBetter ? from[c] : values[c];
      indices[c] = isBetter ? index : indices[c];
    }
  }
}

/// Maxima and their indices; spanOf(plane, dimension, position).
template <typename SpanOf> static Pair maxima(const Planes &p, DType type, const char *name, SpanOf spanOf) {
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor where, Tensor::empty(p.denseShape(), DType::Int64));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      p.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *in = p.input.template data<T>();
        T *values = out.mutableData<T>();
        int64_t *indices = where.mutableData<int64_t>();
        if (p.channels != 0)
          return forEachWindowOfChannels(
              p, spanOf, [&](int64_t plane, int64_t at, ArrayRef<int64_t> places, const auto &s) {
                const int64_t to = (plane * p.outSize() + at) * p.channels;
                maximaOfChannels(p, in + plane * p.inSize() * p.channels, places, s, values + to, indices + to);
              });
        forEachPlane(p, [&](int64_t plane) {
          forEachWindow(
              p, [&](int d, int64_t i) { return spanOf(plane, d, i); },
              [&](int64_t at, const std::array<Span, 3> &s) {
                auto [value, index] = maximumOf(p, in + plane * p.inSize(), s);
                values[plane * p.outSize() + at] = value;
                indices[plane * p.outSize() + at] = index;
              });
        });
      },
      name));
  TSC_ASSIGN_OR_RETURN(out, p.finish(out, type));
  TSC_ASSIGN_OR_RETURN(where, p.finish(where, DType::Int64));
  return std::make_tuple(out, where);
}

//===- Sliding windows -----------------------------------------------------===//

static const char *const countWords[] = {"", "one int", "two ints", "three ints"};

static StatusOr<Extent> extent(const char *name, const char *what, ArrayRef<int64_t> list, int64_t spatial,
                               Extent fallback) {
  Extent e = fallback;
  if (list.empty())
    return e;
  if (list.size() != 1 && list.size() != static_cast<size_t>(spatial))
    return invalidArgument(llvm::Twine(name) + ": " + what + " must either be a single int, or a tuple of " +
                           countWords[spatial]);
  for (int64_t d = 0; d < spatial; ++d)
    e[3 - spatial + d] = list.size() == 1 ? list[0] : list[d];
  return e;
}

static StatusOr<Sliding> slidingOf(const char *name, int64_t spatial, ArrayRef<int64_t> kernel,
                                   ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation) {
  Sliding s;
  if (kernel.empty())
    return invalidArgument(llvm::Twine(name) + ": kernel_size must either be a single int, or a tuple of " +
                           countWords[spatial]);
  TSC_ASSIGN_OR_RETURN(s.kernel, extent(name, "kernel_size", kernel, spatial, s.kernel));
  if (!stride.empty() && stride.size() != 1 && stride.size() != static_cast<size_t>(spatial))
    return invalidArgument(llvm::Twine(name) + ": stride must either be omitted, a single int, or a tuple of " +
                           countWords[spatial]);
  TSC_ASSIGN_OR_RETURN(s.stride, extent(name, "stride", stride, spatial, s.kernel));
  TSC_ASSIGN_OR_RETURN(s.padding, extent(name, "padding", padding, spatial, s.padding));
  TSC_ASSIGN_OR_RETURN(s.dilation, extent(name, "dilation", dilation, spatial, s.dilation));
  for (int64_t d = 3 - spatial; d < 3; ++d) {
    // As PyTorch counts them; products of two then stay numbers.
    if (std::max({s.kernel[d], s.stride[d], s.padding[d], s.dilation[d]}) > INT32_MAX)
      return invalidArgument("integer out of range");
    if (s.kernel[d] <= 0)
      return invalidArgument("kernel size should be greater than zero, but got kernel size: " +
                             llvm::Twine(s.kernel[d]));
    if (s.stride[d] <= 0)
      return invalidArgument(s.stride[d] == 0
                                 ? llvm::Twine("stride should not be zero")
                                 : "stride should be greater than zero, but got stride: " + llvm::Twine(s.stride[d]));
    if (s.dilation[d] <= 0)
      return invalidArgument("dilation should be greater than zero, but got dilation: " + llvm::Twine(s.dilation[d]));
    if (s.padding[d] < 0)
      return invalidArgument("pad must be non-negative, but got pad: " + llvm::Twine(s.padding[d]));
    if (s.padding[d] > ((s.kernel[d] - 1) * s.dilation[d] + 1) / 2)
      return invalidArgument("pad should be at most half of kernel size, but got pad=" + llvm::Twine(s.padding[d]) +
                             " and kernel_size=" + llvm::Twine(s.kernel[d]));
  }
  return s;
}

static std::string timesText(int64_t channels, const Extent &e, int64_t spatial) {
  std::string text = "(" + std::to_string(channels);
  for (int64_t d = 3 - spatial; d < 3; ++d)
    text += "x" + std::to_string(e[d]);
  return text + ")";
}

/// Without the elements.
static StatusOr<Planes> slidingSizes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument("non-empty " + llvm::Twine(spatial + 1) + "D or " + llvm::Twine(spatial + 2) +
                           "D (batch mode) tensor expected for input");
  for (int64_t d = self.dim() - spatial - 1; d < self.dim(); ++d)
    if (self.size(d) == 0)
      return invalidArgument(
          "Expected " + llvm::Twine(spatial + 1) + "D or " + llvm::Twine(spatial + 2) +
          "D (batch mode) tensor with optional 0 dim batch size for input, but got: " + shapeString(self.sizes()));
  Planes p = planeSizes(self, spatial);
  bool tooSmall = false;
  for (int64_t d = 3 - spatial; d < 3; ++d) {
    int64_t room =
        p.in[d] + 2 * s.padding[d] - s.dilation[d] * (s.kernel[d] - 1) - 1 + (ceilMode ? s.stride[d] - 1 : 0);
    p.out[d] = (room >= 0 ? room / s.stride[d] : -((-room + s.stride[d] - 1) / s.stride[d])) + 1;
    if (ceilMode && (p.out[d] - 1) * s.stride[d] >= p.in[d] + s.padding[d])
      --p.out[d]; // the last window must start inside
    tooSmall |= p.out[d] < 1;
  }
  if (tooSmall) {
    int64_t channels = self.size(self.dim() - spatial - 1);
    return invalidArgument("Given input size: " + timesText(channels, p.in, spatial) + ". Calculated output size: " +
                           timesText(channels, p.out, spatial) + ". Output size is too small");
  }
  setOutShape(p, self, spatial);
  return p;
}

static StatusOr<Planes> slidingPlanes(const Tensor &self, int64_t spatial, const Sliding &s, bool ceilMode,
                                      DType work) {
  TSC_ASSIGN_OR_RETURN(Planes p, slidingSizes(self, spatial, s, ceilMode));
  TSC_RETURN_IF_ERROR(takeElements(p, self, spatial, work));
  return p;
}

static Span slidingSpan(const Sliding &s, const Extent &in, int d, int64_t i) {
  int64_t begin = i * s.stride[d] - s.padding[d], end = std::min(begin + (s.kernel[d] - 1) * s.dilation[d] + 1, in[d]);
  if (begin < 0)
    begin += (-begin + s.dilation[d] - 1) / s.dilation[d] * s.dilation[d];
  return {begin, end, s.dilation[d]};
}

/// The places of a row that are position `k` of some window: windows [begin, end), the first at `from`.
struct WindowPlaces {
  int64_t begin, end, from;
};
static WindowPlaces placesOf(const Sliding &s, const Planes &p, int64_t k) {
  const int64_t shift = k * s.dilation[2] - s.padding[2], stride = s.stride[2];
  const int64_t begin = shift < 0 ? (-shift + stride - 1) / stride : 0;
  const int64_t end = p.in[2] - 1 - shift < 0 ? 0 : std::min(p.out[2], (p.in[2] - 1 - shift) / stride + 1);
  return {begin, std::max(begin, end), begin * stride + shift};
}

/// Combines the elements of all windows of a plane, row by row: combine(row of results, elements, their step, count).
template <typename T, class Combine>
static void combineWindows(const Planes &p, const Sliding &s, const T *plane, T *out, Combine combine) {
  for (int64_t d = 0; d < p.out[0]; ++d)
    for (int64_t h = 0; h < p.out[1]; ++h, out += p.out[2]) {
      const Span depth = slidingSpan(s, p.in, 0, d), height = slidingSpan(s, p.in, 1, h);
      for (int64_t z = depth.begin; z < depth.end; z += depth.step)
        for (int64_t y = height.begin; y < height.end; y += height.step)
          for (int64_t k = 0; k != s.kernel[2]; ++k) {
            const WindowPlaces places = placesOf(s, p, k);
            if (places.begin != places.end)
              combine(out + places.begin, plane + (z * p.in[1] + y) * p.in[2] + places.from, s.stride[2],
                      places.end - places.begin);
          }
    }
}

/// Maxima and their indices, all windows of a row at a time.
static Pair maximaOfRows(const Planes &p, const Sliding &s, DType type, const char *name) {
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor where, Tensor::empty(p.denseShape(), DType::Int64));
  std::vector<int32_t> starts; // the first place of each window, which counts where none is larger than another
  forEachWindow(
      p, [&](int d, int64_t i) { return slidingSpan(s, p.in, d, i); },
      [&](int64_t, const std::array<Span, 3> &span) {
        starts.push_back(static_cast<int32_t>((span[0].begin * p.in[1] + span[1].begin) * p.in[2] + span[2].begin));
      });
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      p.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        forEachPlane(p, [&](int64_t number) {
          const T *plane = p.input.template data<T>() + number * p.inSize();
          T *values = out.mutableData<T>() + number * p.outSize();
          std::vector<int32_t> at(starts);
          std::fill_n(values, p.outSize(), -std::numeric_limits<T>::infinity());
          combineWindows(p, s, plane, values, [&](T *row, const T *from, int64_t step, int64_t count) {
            keepLargerOfRow(row, at.data() + (row - values), from, step, static_cast<int32_t>(from - plane), count);
          });
          std::copy(at.begin(), at.end(), where.mutableData<int64_t>() + number * p.outSize());
        });
      },
      name));
  TSC_ASSIGN_OR_RETURN(out, p.finish(out, type));
  TSC_ASSIGN_OR_RETURN(where, p.finish(where, DType::Int64));
  return std::make_tuple(out, where);
}

static Pair maxPool(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernel,
                    ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  TSC_ASSIGN_OR_RETURN(Sliding s, slidingOf(name, spatial, kernel, stride, padding, dilation));
  if (!isFloating(self.dtype()))
    return detail::dtypeNotImplemented(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(Planes p, slidingPlanes(self, spatial, s, ceilMode, workType(self.dtype())));
  if (p.channels == 0 && p.inSize() <= INT32_MAX)
    return maximaOfRows(p, s, self.dtype(), name);
  return maxima(p, self.dtype(), name, [&](int64_t, int d, int64_t i) { return slidingSpan(s, p.in, d, i); });
}

/// Maxima without their indices.
static StatusOr<Tensor> maxPoolValues(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernel,
                                      ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                      bool ceilMode) {
  TSC_ASSIGN_OR_RETURN(Sliding s, slidingOf(name, spatial, kernel, stride, padding, dilation));
  if (!isFloating(self.dtype()))
    return detail::dtypeNotImplemented(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(Planes p, slidingPlanes(self, spatial, s, ceilMode, workType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      p.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *in = p.input.template data<T>();
        T *values = out.mutableData<T>();
        if (p.channels != 0)
          return forEachWindowOfChannels(
              p, [&](int64_t, int d, int64_t i) { return slidingSpan(s, p.in, d, i); },
              [&](int64_t plane, int64_t at, ArrayRef<int64_t> places, const auto &) {
                windows::rowFolds<T>().largest(values + (plane * p.outSize() + at) * p.channels,
                                               in + plane * p.inSize() * p.channels, places.data(), places.size(),
                                               p.channels);
              });
        forEachPlane(p, [&](int64_t plane) {
          T *to = values + plane * p.outSize();
          std::fill_n(to, p.outSize(), -std::numeric_limits<T>::infinity());
          combineWindows(p, s, in + plane * p.inSize(), to, windows::kernels<T>().largest);
        });
      },
      name));
  return p.finish(out, self.dtype());
}

StatusOr<Tensor> tsc::cpu::blockedMaxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                            ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  std::optional<BlockedImage> image = blockedImage(self);
  if (!image)
    return maxPool2d(self, kernelSize, stride, padding, dilation, ceilMode);
  TSC_ASSIGN_OR_RETURN(Sliding s, slidingOf("max_pool2d", 2, kernelSize, stride, padding, dilation));
  TSC_ASSIGN_OR_RETURN(Planes p, slidingSizes(image->shape(), 2, s, ceilMode));
  TSC_ASSIGN_OR_RETURN(BlockedImage out, emptyBlocked(p.outShape));
  const float *in = image->elements.data<float>();
  float *values = out.elements.mutableData<float>();
  constexpr int64_t width = blocked::width;
  const int64_t rowStep = p.in[2] * width, rows = image->elements.size(0) * image->elements.size(1) * p.out[1];
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / (p.out[2] * width)), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row != end; ++row) {
      const Span height = slidingSpan(s, p.in, 1, row % p.out[1]);
      const float *plane = in + row / p.out[1] * p.in[1] * rowStep;
      for (int64_t w = 0; w != p.out[2]; ++w) {
        const Span columns = slidingSpan(s, p.in, 2, w);
        auto count = [](const Span &span) {
          return std::max<int64_t>(0, (span.end - span.begin + span.step - 1) / span.step);
        };
        blocked::kernels().largest(values + (row * p.out[2] + w) * width,
                                   {plane + height.begin * rowStep + columns.begin * width, count(height),
                                    count(columns), height.step * rowStep, columns.step * width});
      }
    }
  });
  return out.asTensor();
}

/// The sums of the channels of a window over `count`, which may be 0.
template <typename T>
static void averageOfChannels(const Planes &p, const T *plane, ArrayRef<int64_t> places, int64_t count, T *to) {
  windows::rowFolds<T>().sum(to, plane, places.data(), nullptr, places.size(), p.channels);
  if (count != 0)
    for (int64_t c = 0; c != p.channels; ++c)
      to[c] /= static_cast<T>(count);
}

/// Sums of windows of a plane whose steps have no vector loads: of the rows of windows first, then along them.
template <typename T> static void sumWindowsByColumns(const Planes &p, const Sliding &s, const T *plane, T *out) {
  llvm::SmallVector<T, 256> columns(p.in[2]);
  llvm::SmallVector<int64_t, 32> rows;
  for (int64_t d = 0; d < p.out[0]; ++d)
    for (int64_t h = 0; h < p.out[1]; ++h, out += p.out[2]) {
      const Span depth = slidingSpan(s, p.in, 0, d), height = slidingSpan(s, p.in, 1, h);
      rows.clear();
      for (int64_t z = depth.begin; z < depth.end; ++z)
        for (int64_t y = height.begin; y < height.end; ++y)
          rows.push_back((z * p.in[1] + y) * p.in[2]);
      windows::rowFolds<T>().sum(columns.data(), plane, rows.data(), nullptr, rows.size(), p.in[2]);
      for (int64_t w = 0; w < p.out[2]; ++w) {
        const Span span = slidingSpan(s, p.in, 2, w);
        T sum = 0;
        for (int64_t x = span.begin; x < span.end; ++x)
          sum += columns[x];
        out[w] = sum;
      }
    }
}

static StatusOr<Tensor> avgPool(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernel,
                                ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, bool ceilMode,
                                bool countIncludePad, std::optional<int64_t> divisor) {
  TSC_ASSIGN_OR_RETURN(Sliding s, slidingOf(name, spatial, kernel, stride, padding, {}));
  if (divisor && *divisor == 0)
    return invalidArgument("divisor must be not zero");
  if (!isFloating(self.dtype()) && self.dtype() != DType::Int64)
    return detail::dtypeNotImplemented(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(Planes p, slidingPlanes(self, spatial, s, ceilMode, workType(self.dtype())));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  // By how many places of a dimension a sum is divided.
  auto countOf = [&](int d, int64_t i) {
    const Span span = slidingSpan(s, p.in, d, i);
    const int64_t begin = i * s.stride[d] - s.padding[d];
    return countIncludePad ? std::min(begin + s.kernel[d], p.in[d] + s.padding[d]) - begin
                           : std::max<int64_t>(span.end - span.begin, 0);
  };
  std::vector<int64_t> widths;
  for (int64_t w = 0; w < p.out[2]; ++w)
    widths.push_back(countOf(2, w));
  auto run = [&](auto zero) {
    using T = decltype(zero);
    const T *in = p.input.data<T>();
    T *values = out.mutableData<T>();
    if constexpr (std::is_floating_point_v<T>)
      if (p.channels != 0)
        return forEachWindowOfChannels(
            p, [&](int64_t, int d, int64_t i) { return slidingSpan(s, p.in, d, i); },
            [&](int64_t plane, int64_t at, ArrayRef<int64_t> places, const auto &) {
              const int64_t w = at % p.out[2], h = at / p.out[2] % p.out[1], d = at / p.out[2] / p.out[1];
              averageOfChannels(p, in + plane * p.inSize() * p.channels, places,
                                divisor.value_or(countOf(0, d) * countOf(1, h) * widths[w]),
                                values + (plane * p.outSize() + at) * p.channels);
            });
    forEachPlane(p, [&](int64_t plane) {
      T *to = values + plane * p.outSize();
      std::fill_n(to, p.outSize(), T(0));
      if constexpr (std::is_floating_point_v<T>) {
        if (s.stride[2] > mostVectorStep)
          sumWindowsByColumns(p, s, in + plane * p.inSize(), to);
        else
          combineWindows(p, s, in + plane * p.inSize(), to, windows::kernels<T>().sum);
      } else
        combineWindows(p, s, in + plane * p.inSize(), to, [](T *row, const T *from, int64_t step, int64_t count) {
          for (int64_t i = 0; i != count; ++i)
            row[i] += from[i * step];
        });
      for (int64_t d = 0; d < p.out[0]; ++d)
        for (int64_t h = 0; h < p.out[1]; ++h) {
          const int64_t rows = countOf(0, d) * countOf(1, h);
          for (int64_t w = 0; w < p.out[2]; ++w, ++to)
            if (const int64_t count = divisor.value_or(rows * widths[w]))
              *to = static_cast<T>(*to / static_cast<T>(count));
        }
    });
  };
  if (p.input.dtype() == DType::Int64)
    run(int64_t{});
  else if (p.input.dtype() == DType::Float)
    run(float{});
  else
    run(double{});
  return p.finish(out, self.dtype());
}

static Status checkRank1d(const char *name, const Tensor &self) {
  if (self.dim() == 2 || self.dim() == 3)
    return okStatus();
  return invalidArgument("Expected 2 to 3 dimensions, but got " + llvm::Twine(self.dim()) +
                         "-dimensional tensor for argument #1 'self' (while checking arguments for " + name + ")");
}

StatusOr<Tensor> tsc::cpu::avgPool1d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad) {
  TSC_RETURN_IF_ERROR(checkRank1d("avg_pool1d", self));
  return avgPool("avg_pool1d", 1, self, kernelSize, stride, padding, ceilMode, countIncludePad, std::nullopt);
}
StatusOr<Tensor> tsc::cpu::avgPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad,
                                     std::optional<int64_t> divisorOverride) {
  if (self.dim() < 3)
    TSC_RETURN_IF_ERROR(wrapDim(-3, self.dim()).status());
  return avgPool("avg_pool2d", 2, self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
}
StatusOr<Tensor> tsc::cpu::avgPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, bool ceilMode, bool countIncludePad,
                                     std::optional<int64_t> divisorOverride) {
  return avgPool("avg_pool3d", 3, self, kernelSize, stride, padding, ceilMode, countIncludePad, divisorOverride);
}

Pair tsc::cpu::maxPool1dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                    ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  TSC_RETURN_IF_ERROR(checkRank1d("max_pool1d", self));
  return maxPool("max_pool1d", 1, self, kernelSize, stride, padding, dilation, ceilMode);
}
Pair tsc::cpu::maxPool2dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                    ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  return maxPool("max_pool2d", 2, self, kernelSize, stride, padding, dilation, ceilMode);
}
Pair tsc::cpu::maxPool3dWithIndices(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                    ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  return maxPool("max_pool3d", 3, self, kernelSize, stride, padding, dilation, ceilMode);
}
StatusOr<Tensor> tsc::cpu::maxPool1d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  if (self.dim() != 2 && self.dim() != 3)
    return invalidArgument(
        "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:" +
        shapeString(self.sizes()));
  TSC_RETURN_IF_ERROR(checkRank1d("max_pool1d", self));
  return maxPoolValues("max_pool1d", 1, self, kernelSize, stride, padding, dilation, ceilMode);
}
StatusOr<Tensor> tsc::cpu::maxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  return maxPoolValues("max_pool2d", 2, self, kernelSize, stride, padding, dilation, ceilMode);
}
StatusOr<Tensor> tsc::cpu::maxPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  return maxPoolValues("max_pool3d", 3, self, kernelSize, stride, padding, dilation, ceilMode);
}

//===- Adaptive windows ----------------------------------------------------===//

static Span adaptiveSpan(const Planes &p, int d, int64_t i) {
  return {i * p.in[d] / p.out[d], ((i + 1) * p.in[d] + p.out[d] - 1) / p.out[d], 1};
}

static StatusOr<Planes> adaptivePlanes(const char *name, int64_t spatial, const Tensor &self,
                                       ArrayRef<int64_t> outputSize) {
  if (outputSize.size() != static_cast<size_t>(spatial) && outputSize.size() != 1)
    return invalidArgument(llvm::Twine(name) + "(): internal error: output_size.size() must be " +
                           llvm::Twine(spatial));
  for (int64_t d = std::max<int64_t>(self.dim() - spatial, 0); d < self.dim(); ++d)
    if (self.size(d) == 0)
      return invalidArgument(llvm::Twine(name) +
                             "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes " +
                             shapeString(self.sizes()) + " with dimension " + llvm::Twine(d) + " being empty");
  if (!isFloating(self.dtype()))
    return detail::dtypeNotImplemented(name, self.dtype());
  TSC_ASSIGN_OR_RETURN(Planes p, planesOf(self, spatial, workType(self.dtype())));
  for (int64_t d = 0; d < spatial; ++d) {
    p.out[3 - spatial + d] = outputSize.size() == 1 ? outputSize[0] : outputSize[d];
    if (p.out[3 - spatial + d] < 0)
      return invalidArgument(llvm::Twine(name) +
                             ": elements of output_size must be greater than or equal to 0 but received " +
                             shapeString(outputSize));
  }
  setOutShape(p, self, spatial);
  return p;
}

static StatusOr<Tensor> adaptiveAvg(const char *name, int64_t spatial, const Tensor &self,
                                    ArrayRef<int64_t> outputSize) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument(llvm::Twine(name) + "(): Expected " + llvm::Twine(spatial + 1) + "D or " +
                           llvm::Twine(spatial + 2) + "D tensor, but got " + shapeString(self.sizes()));
  TSC_ASSIGN_OR_RETURN(Planes p, adaptivePlanes(name, spatial, self, outputSize));
  if (p.outSize() == 1 && self.numel() != 0) {
    Dims spatialDims;
    for (int64_t d = self.dim() - spatial; d != self.dim(); ++d)
      spatialDims.push_back(d);
    TSC_ASSIGN_OR_RETURN(Tensor averages, meanDims(self, ArrayRef<int64_t>(spatialDims), true, std::nullopt));
    if (p.channels == 0 || spatial != 2)
      return contiguous(averages);
    // Of one place each, channels lie in either order: the strides say that they are inside.
    Dims strides(static_cast<size_t>(averages.dim()), p.channels);
    strides[1] = 1;
    return averages.alias(averages.sizes(), strides, averages.storageOffset());
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      p.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *in = p.input.template data<T>();
        T *values = out.mutableData<T>();
        if (p.channels != 0)
          return forEachWindowOfChannels(
              p, [&](int64_t, int d, int64_t i) { return adaptiveSpan(p, d, i); },
              [&](int64_t plane, int64_t at, ArrayRef<int64_t> places, const auto &) {
                averageOfChannels(p, in + plane * p.inSize() * p.channels, places, places.size(),
                                  values + (plane * p.outSize() + at) * p.channels);
              });
        forEachPlane(p, [&](int64_t plane) {
          forEachWindow(
              p, [&](int d, int64_t i) { return adaptiveSpan(p, d, i); },
              [&](int64_t at, const std::array<Span, 3> &s) {
                int64_t count = (s[0].end - s[0].begin) * (s[1].end - s[1].begin) * (s[2].end - s[2].begin);
                values[plane * p.outSize() + at] = sumOf(p, in + plane * p.inSize(), s) / static_cast<T>(count);
              });
        });
      },
      name));
  return p.finish(out, self.dtype());
}

static Pair adaptiveMax(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument(llvm::Twine(name) + "(): Expected " + llvm::Twine(spatial + 1) + "D or " +
                           llvm::Twine(spatial + 2) + "D tensor, but got: " + shapeString(self.sizes()));
  TSC_ASSIGN_OR_RETURN(Planes p, adaptivePlanes(name, spatial, self, outputSize));
  return maxima(p, self.dtype(), name, [&](int64_t, int d, int64_t i) { return adaptiveSpan(p, d, i); });
}

StatusOr<Tensor> tsc::cpu::adaptiveAvgPool1d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  TSC_RETURN_IF_ERROR(checkRank1d("adaptive_avg_pool1d", self));
  return adaptiveAvg("adaptive_avg_pool1d", 1, self, outputSize);
}
StatusOr<Tensor> tsc::cpu::adaptiveAvgPool2d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptiveAvg("adaptive_avg_pool2d", 2, self, outputSize);
}
StatusOr<Tensor> tsc::cpu::adaptiveAvgPool3d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptiveAvg("adaptive_avg_pool3d", 3, self, outputSize);
}
Pair tsc::cpu::adaptiveMaxPool1d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  TSC_RETURN_IF_ERROR(checkRank1d("adaptive_max_pool1d", self));
  return adaptiveMax("adaptive_max_pool1d", 1, self, outputSize);
}
Pair tsc::cpu::adaptiveMaxPool2d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptiveMax("adaptive_max_pool2d", 2, self, outputSize);
}
Pair tsc::cpu::adaptiveMaxPool3d(const Tensor &self, ArrayRef<int64_t> outputSize) {
  return adaptiveMax("adaptive_max_pool3d", 3, self, outputSize);
}

//===- Fractional windows --------------------------------------------------===//

/// Where the windows of one dimension start, in the arithmetic of the sample's type.
template <typename T> static std::vector<int64_t> fractionalStarts(T sample, int64_t in, int64_t out, int64_t pool) {
  std::vector<int64_t> starts(out);
  if (out > 1) {
    T alpha = static_cast<T>(in - pool) / static_cast<T>(out - 1);
    for (int64_t i = 0; i < out - 1; ++i)
      starts[i] = static_cast<int64_t>((i + sample) * alpha) - static_cast<int64_t>(sample * alpha);
  }
  if (out > 0)
    starts[out - 1] = in - pool;
  return starts;
}

static Pair fractionalMax(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernel,
                          ArrayRef<int64_t> outputSize, const Tensor &samples) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument(llvm::Twine(name) + "(): Expected " + llvm::Twine(spatial + 1) + "D or " +
                           llvm::Twine(spatial + 2) + "D tensor, but got: " + shapeString(self.sizes()));
  if (kernel.size() != static_cast<size_t>(spatial) || outputSize.size() != static_cast<size_t>(spatial))
    return invalidArgument(llvm::Twine(name) + ": kernel_size and output_size must be tuples of " +
                           countWords[spatial]);
  TSC_ASSIGN_OR_RETURN(Planes p, adaptivePlanes(name, spatial, self, outputSize));
  if (samples.dim() != 3 || samples.size(2) != spatial || samples.size(0) * samples.size(1) < p.count)
    return invalidArgument("Expect _random_samples to have a sample for each plane and dimension");
  static const char *const axes[] = {"time", "height", "width"};
  for (int64_t d = 3 - spatial; d < 3; ++d) {
    int64_t pool = kernel[d - 3 + spatial];
    if (pool <= 0 || p.out[d] + pool - 1 > p.in[d])
      return invalidArgument(llvm::Twine(name) + "(): pool " + axes[d] + " " + llvm::Twine(pool) +
                             " too large relative to input " + axes[d] + " " + llvm::Twine(p.in[d]));
  }
  TSC_ASSIGN_OR_RETURN(Tensor random, dense(samples, DType::Double));
  // One list of starts for each plane and dimension.
  std::vector<std::array<std::vector<int64_t>, 3>> starts(p.count);
  for (int64_t plane = 0; plane < p.count; ++plane)
    for (int64_t d = 0; d < spatial; ++d) {
      int64_t axis = 3 - spatial + d;
      // Two dimensions take their samples in the order (width, height), three in the order of the axes.
      double sample = random.data<double>()[plane * spatial + (spatial == 2 ? 1 - d : d)];
      starts[plane][axis] = p.input.dtype() == DType::Float
                                ? fractionalStarts(static_cast<float>(sample), p.in[axis], p.out[axis], kernel[d])
                                : fractionalStarts(sample, p.in[axis], p.out[axis], kernel[d]);
    }
  return maxima(p, self.dtype(), name, [&](int64_t plane, int d, int64_t i) -> Span {
    if (d < 3 - spatial)
      return {0, 1, 1};
    int64_t begin = std::clamp<int64_t>(starts[plane][d][i], 0, p.in[d]);
    return {begin, std::min(begin + kernel[d - 3 + spatial], p.in[d]), 1};
  });
}

Pair tsc::cpu::fractionalMaxPool2d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> outputSize,
                                   const Tensor &randomSamples) {
  return fractionalMax("fractional_max_pool2d", 2, self, kernelSize, outputSize, randomSamples);
}
Pair tsc::cpu::fractionalMaxPool3d(const Tensor &self, ArrayRef<int64_t> kernelSize, ArrayRef<int64_t> outputSize,
                                   const Tensor &randomSamples) {
  return fractionalMax("fractional_max_pool3d", 3, self, kernelSize, outputSize, randomSamples);
}

//===- Unpooling -----------------------------------------------------------===//

static StatusOr<Tensor> unpool(int64_t spatial, const Tensor &self, const Tensor &indices,
                               ArrayRef<int64_t> outputSize) {
  if (indices.dtype() != DType::Int64)
    return invalidArgument("elements in indices should be type int64 but got: " + dtypeText(indices.dtype()));
  if (outputSize.size() != static_cast<size_t>(spatial))
    return invalidArgument("There should be exactly " + std::string(spatial == 2 ? "two" : "three") + " elements (" +
                           (spatial == 2 ? "height, width" : "depth, height, width") + ") in output_size, but got " +
                           llvm::Twine(outputSize.size()) + " elements.");
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument("Input to max_unpooling" + llvm::Twine(spatial) + "d should be a " +
                           llvm::Twine(spatial + 1) + "d or " + llvm::Twine(spatial + 2) +
                           "d Tensor, but got a tensor with dim " + llvm::Twine(self.dim()));
  if (self.sizes() != indices.sizes())
    return invalidArgument("Expected shape of indices to be: " + shapeString(self.sizes()) +
                           " but got: " + shapeString(indices.sizes()));
  Dims shape(self.sizes().drop_back(spatial));
  shape.append(outputSize.begin(), outputSize.end());
  TSC_ASSIGN_OR_RETURN(int64_t plane, elementCount(outputSize));
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros(shape, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor values, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor where, contiguous(indices));
  int64_t perPlane = 1;
  for (int64_t s : self.sizes().take_back(spatial))
    perPlane *= s;
  auto scatter = [&](auto item) -> Status {
    using Item = decltype(item);
    auto *to = static_cast<Item *>(out.mutableData());
    const auto *from = static_cast<const Item *>(values.data());
    const int64_t *at = where.data<int64_t>();
    for (int64_t begin = 0; begin != values.numel(); begin += perPlane, to += plane)
      for (int64_t i = begin; i != begin + perPlane; ++i) {
        if (static_cast<uint64_t>(at[i]) >= static_cast<uint64_t>(plane))
          return invalidArgument("Found an invalid max index: " + llvm::Twine(at[i]) + " (output volumes are of size " +
                                 llvm::Twine(outputSize[spatial - 2]) + "x" + llvm::Twine(outputSize[spatial - 1]));
        to[at[i]] = from[i];
      }
    return okStatus();
  };
  if (values.numel() == 0)
    return out;
  switch (itemSize(self.dtype())) {
  case 1: TSC_RETURN_IF_ERROR(scatter(uint8_t())); break;
  case 2: TSC_RETURN_IF_ERROR(scatter(uint16_t())); break;
  case 4: TSC_RETURN_IF_ERROR(scatter(uint32_t())); break;
  case 8: TSC_RETURN_IF_ERROR(scatter(uint64_t())); break;
  default: TSC_RETURN_IF_ERROR(scatter(std::array<uint64_t, 2>())); break;
  }
  return out;
}

StatusOr<Tensor> tsc::cpu::maxUnpool2d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize) {
  return unpool(2, self, indices, outputSize);
}
StatusOr<Tensor> tsc::cpu::maxUnpool3d(const Tensor &self, const Tensor &indices, ArrayRef<int64_t> outputSize,
                                       ArrayRef<int64_t> stride, ArrayRef<int64_t> padding) {
  if (stride.size() != 3 || padding.size() != 3)
    return invalidArgument("There should be exactly three elements (depth, height, width) in stride and padding");
  if (llvm::any_of(stride, [](int64_t s) { return s <= 0; }))
    return invalidArgument("strides should be greater than zero, but got stride: " + shapeString(stride));
  return unpool(3, self, indices, outputSize);
}
