//===- AveragePooling.cpp - Averages over windows -------------------------===//
#include "Indexing/IndexingSupport.h"
#include "PoolWindows.h"
#include "WindowRows.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Kernels/Pooling.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "tsc/Tensor/WrappingProduct.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::pools;

/// An integer's quotient is cut, and the least number by -1 stays as it is.
template <typename T> static T quotientOf(T sum, int64_t count) {
  if constexpr (std::is_integral_v<T>)
    return arithmetic::truncatedQuotient(sum, count);
  else
    return sum / static_cast<T>(count);
}

/// The sums of the channels of a window over `count`, which may be 0.
template <typename T>
static void averageOfChannels(const Planes &p, const T *plane, ArrayRef<int64_t> places, int64_t count, T *to) {
  windows::rowFolds<T>().sum(to, plane, places.data(), nullptr, places.size(), p.channels);
  if (count != 0)
    for (int64_t c = 0; c != p.channels; ++c)
      to[c] /= static_cast<T>(count);
}

/// Computes the sums of the windows of a plane whose steps have no vector loads: of the rows of windows first, then
/// along them. Stops when the call is to end.
template <typename T> static void sumWindowsByColumns(const Planes &p, const Sliding &s, const T *plane, T *out) {
  llvm::SmallVector<T, 256> columns(p.in[2]);
  llvm::SmallVector<int64_t, 32> rows;
  for (int64_t d = 0; d < p.out[0]; ++d)
    for (int64_t h = 0; h < p.out[1]; ++h, out += p.out[2]) {
      const Span depth = slidingSpan(s, p.in, 0, d), height = slidingSpan(s, p.in, 1, h);
      rows.clear();
      work::LongLoop sums(Planes::foldCost(p.window[0] * p.window[1] * p.in[2])), turns(p.window[2]);
      if (!sums.goOn())
        return;
      for (int64_t z = depth.begin; z < depth.end; ++z)
        for (int64_t y = height.begin; y < height.end; ++y)
          rows.push_back((z * p.in[1] + y) * p.in[2]);
      windows::rowFolds<T>().sum(columns.data(), plane, rows.data(), nullptr, rows.size(), p.in[2]);
      for (int64_t w = 0; w < p.out[2] && turns.goOn(); ++w) {
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
  if (p.isEmpty())
    return p.finish(out, self.dtype());
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
              averageOfChannels(
                  p, in + plane * p.inSize() * p.channels, places,
                  divisor.value_or(wrappingProduct(wrappingProduct(countOf(0, d), countOf(1, h)), widths[w])),
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
            row[i] = addElements(row[i], from[i * step]);
        });
      for (int64_t d = 0; d < p.out[0]; ++d)
        for (int64_t h = 0; h < p.out[1]; ++h) {
          const int64_t rows = wrappingProduct(countOf(0, d), countOf(1, h));
          for (int64_t w = 0; w < p.out[2]; ++w, ++to)
            if (const int64_t count = divisor.value_or(wrappingProduct(rows, widths[w])))
              *to = quotientOf(*to, count);
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

//===- Adaptive windows ----------------------------------------------------===//

template <typename T> static T sumOf(const Planes &p, const T *plane, const std::array<Span, 3> &s) {
  T sum = 0;
  for (int64_t d = s[0].begin; d < s[0].end; ++d)
    for (int64_t h = s[1].begin; h < s[1].end; ++h)
      for (int64_t w = s[2].begin; w < s[2].end; ++w)
        sum += plane[(d * p.in[1] + h) * p.in[2] + w];
  return sum;
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
