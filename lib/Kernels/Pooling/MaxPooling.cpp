//===- MaxPooling.cpp - Maxima over windows -------------------------------===//
#include "Convolution/BlockedRows.h"
#include "Convolution/ConvolutionBlocked.h"
#include "PoolWindows.h"
#include "WindowRows.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Pooling.h"
#include "tsc/Support/AtSimdLevel.h"
#include "llvm/Support/Compiler.h"
#include <array>

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::pools;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;

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

/// Takes a value into the largest so far (a NaN wins), and where that is.
template <typename T, typename Index>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void keepLargerOne(T &largest, Index &at, T value, Index index) {
  const bool isBetter = value > largest || value != value;
  largest = isBetter ? value : largest;
  at = isBetter ? index : at;
}

/// Of an element of each channel, number `index` of the plane.
template <typename T, typename Index>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void keepLargerOfEach(T *__restrict values, Index *__restrict at,
                                                          const T *__restrict from, Index index, int64_t n) {
  for (int64_t c = 0; c < n; ++c)
    keepLargerOne(values[c], at[c], from[c], index);
}

/// Of a row of windows, whose elements are `step` apart, the first of them number `first` of the plane.
template <int64_t known, typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void keepLargerEvery(T *__restrict values, int32_t *__restrict at,
                                                         const T *__restrict from, int64_t given, int32_t first,
                                                         int64_t n) {
  const int64_t step = known ? known : given;
  for (int64_t i = 0; i < n; ++i)
    keepLargerOne(values[i], at[i], from[i * step], first + static_cast<int32_t>(i * step));
}
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void keepLargerOfRow(T *__restrict values, int32_t *__restrict at,
                                                         const T *__restrict from, int64_t step, int32_t first,
                                                         int64_t n) {
  if (step == 1)
    return keepLargerEvery<1>(values, at, from, step, first, n);
  if (step == 2)
    return keepLargerEvery<2>(values, at, from, step, first, n);
  keepLargerEvery<0>(values, at, from, step, first, n);
}

/// The largest of each channel of a window (a NaN wins) and its index in the plane.
template <typename T>
static void maximaOfChannels(const Planes &p, const T *plane, ArrayRef<int64_t> places, const std::array<Span, 3> &s,
                             T *values, int64_t *indices) {
  std::fill_n(values, p.channels, -std::numeric_limits<T>::infinity());
  const int64_t start = (s[0].begin * p.in[1] + s[1].begin) * p.in[2] + s[2].begin;
  if (p.inSize() <= INT32_MAX) {
    llvm::SmallVector<int32_t, 512> at(p.channels, static_cast<int32_t>(start));
    for (int64_t place : places)
      atSimdLevel<keepLargerOfEach<T, int32_t>, Overlap::None>(values, at.data(), plane + place,
                                                               static_cast<int32_t>(place / p.channels), p.channels);
    std::copy(at.begin(), at.end(), indices);
    return;
  }
  std::fill_n(indices, p.channels, start);
  for (int64_t place : places)
    keepLargerOfEach(values, indices, plane + place, place / p.channels, p.channels);
}

/// Maxima and their indices, which fill(in, values, indices) finds.
template <typename F> static Pair fillMaxima(const Planes &p, DType type, const char *name, F fill) {
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(p.denseShape(), p.input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor where, Tensor::empty(p.denseShape(), DType::Int64));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      p.input.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        fill(p.input.template data<T>(), out.mutableData<T>(), where.mutableData<int64_t>());
      },
      name));
  TSC_ASSIGN_OR_RETURN(out, p.finish(out, type));
  TSC_ASSIGN_OR_RETURN(where, p.finish(where, DType::Int64));
  return std::make_tuple(out, where);
}

/// The same of windows that spanOf(plane, dimension, position) gives.
template <typename SpanOf> static Pair maxima(const Planes &p, DType type, const char *name, SpanOf spanOf) {
  return fillMaxima(p, type, name, [&](const auto *in, auto *values, int64_t *indices) {
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
  });
}

//===- Sliding windows -----------------------------------------------------===//

/// Maxima and their indices, all windows of a row at a time.
static Pair maximaOfRows(const Planes &p, const Sliding &s, DType type, const char *name) {
  // The first place of each window, which counts where none is larger than another.
  std::vector<int32_t> starts;
  for (int64_t d = 0; d < p.out[0] && !p.isEmpty(); ++d)
    for (int64_t h = 0; h < p.out[1]; ++h)
      for (int64_t w = 0; w < p.out[2]; ++w) {
        auto first = [&](int dimension, int64_t i) { return slidingSpan(s, p.in, dimension, i).begin; };
        starts.push_back(static_cast<int32_t>((first(0, d) * p.in[1] + first(1, h)) * p.in[2] + first(2, w)));
      }
  return fillMaxima(p, type, name, [&]<typename T>(const T *in, T *out, int64_t *indices) {
    forEachPlane(p, [&](int64_t number) {
      const T *plane = in + number * p.inSize();
      T *values = out + number * p.outSize();
      std::vector<int32_t> at(starts);
      std::fill_n(values, p.outSize(), -std::numeric_limits<T>::infinity());
      combineWindows(p, s, plane, values, [&](T *row, const T *from, int64_t step, int64_t count) {
        atSimdLevel<keepLargerOfRow<T>, Overlap::None>(row, at.data() + (row - values), from, step,
                                                       static_cast<int32_t>(from - plane), count);
      });
      std::copy(at.begin(), at.end(), indices + number * p.outSize());
    });
  });
}

static Pair maxPool(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> kernel,
                    ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, bool ceilMode) {
  TSC_ASSIGN_OR_RETURN(Sliding s, slidingOf(name, spatial, kernel, stride, padding, dilation));
  TSC_RETURN_IF_ERROR(checkFloating(self, name));
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
  TSC_RETURN_IF_ERROR(checkFloating(self, name));
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
  out.isChannelsLast = image->isChannelsLast;
  const float *in = image->elements.data<float>();
  float *values = out.elements.mutableData<float>();
  constexpr int64_t width = blocked::width;
  const int64_t rowStep = p.in[2] * width, rows = image->elements.size(0) * image->elements.size(1) * p.out[1];
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / (p.out[2] * width + 1)), [&](int64_t begin, int64_t end) {
    RowTurns turns(p.out[2], Planes::foldCost(p.window[1] * p.window[2] * width));
    for (int64_t row = begin; row != end; ++row) {
      const Span height = slidingSpan(s, p.in, 1, row % p.out[1]);
      const float *plane = in + row / p.out[1] * p.in[1] * rowStep;
      const bool goesOn = turns.row([&](auto &parts) {
        for (int64_t w = 0; w != p.out[2] && parts.goOn(); ++w) {
          const Span columns = slidingSpan(s, p.in, 2, w);
          auto count = [](const Span &span) {
            return std::max<int64_t>(0, (span.end - span.begin + span.step - 1) / span.step);
          };
          blocked::kernels().largest(values + (row * p.out[2] + w) * width,
                                     {plane + height.begin * rowStep + columns.begin * width, count(height),
                                      count(columns), height.step * rowStep, columns.step * width});
        }
      });
      if (!goesOn)
        return;
    }
  });
  return out.asTensor();
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

static Pair adaptiveMax(const char *name, int64_t spatial, const Tensor &self, ArrayRef<int64_t> outputSize) {
  if (self.dim() != spatial + 1 && self.dim() != spatial + 2)
    return invalidArgument(llvm::Twine(name) + "(): Expected " + llvm::Twine(spatial + 1) + "D or " +
                           llvm::Twine(spatial + 2) + "D tensor, but got: " + shapeString(self.sizes()));
  TSC_ASSIGN_OR_RETURN(Planes p, adaptivePlanes(name, spatial, self, outputSize));
  return maxima(p, self.dtype(), name, [&](int64_t, int d, int64_t i) { return adaptiveSpan(p, d, i); });
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
    if (pool <= 0 || pool > p.in[d] - p.out[d] + 1)
      return invalidArgument(llvm::Twine(name) + "(): pool " + axes[d] + " " + llvm::Twine(pool) +
                             " too large relative to input " + axes[d] + " " + llvm::Twine(p.in[d]));
    p.window[d] = pool;
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
