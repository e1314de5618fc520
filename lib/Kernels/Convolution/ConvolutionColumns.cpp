//===- ConvolutionColumns.cpp - Convolutions as products ------------------===//
#include "ConvolutionColumns.h"
#include "Indexing/IndexingSupport.h"
#include "Products/Gemm.h"
#include "tsc/Support/AtSimdLevel.h"
#include "tsc/Tensor/Tensor.h"
#include <algorithm>
#include <complex>
#include <cstring>
#include <type_traits>
#include <utility>

using namespace tsc;
using namespace tsc::cpu;

/// Returns the first window for which a kernel's column falls on the wide side, and the one behind the last.
static std::pair<int64_t, int64_t> windowsOf(const WindowGeometry &g, int64_t column) {
  const int64_t shift = column * g.dilation[2] - g.padding[2], step = g.stride[2];
  // 0 <= x * step + shift < wide
  const int64_t first = shift >= 0 ? 0 : (-shift + step - 1) / step;
  return {first, g.wide[2] - shift <= 0 ? 0 : std::min(g.narrow[2], (g.wide[2] - shift - 1) / step + 1)};
}

/// For every (channel, kernel element) the range of windows for which it falls on the wide side, row by row:
/// fn(column row, wide offset of the first element, narrow offset, count) with wide elements stride[2] apart.
template <typename Fn> static void forEachRun(const WindowGeometry &g, int64_t channels, Fn fn) {
  int64_t row = 0;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh)
        for (int64_t kw = 0; kw < g.kernel[2]; ++kw, ++row) {
          const int64_t shift = kw * g.dilation[2] - g.padding[2];
          const auto [first, last] = windowsOf(g, kw);
          if (first >= last)
            continue;
          for (int64_t d = 0; d < g.narrow[0]; ++d) {
            int64_t zd = d * g.stride[0] + kd * g.dilation[0] - g.padding[0];
            if (zd < 0 || zd >= g.wide[0])
              continue;
            for (int64_t h = 0; h < g.narrow[1]; ++h) {
              int64_t zh = h * g.stride[1] + kh * g.dilation[1] - g.padding[1];
              if (zh < 0 || zh >= g.wide[1])
                continue;
              fn(row, ((c * g.wide[0] + zd) * g.wide[1] + zh) * g.wide[2] + first * g.stride[2] + shift,
                 (d * g.narrow[1] + h) * g.narrow[2] + first, last - first);
            }
          }
        }
}

/// Windows as columns: [channels * kernel, windows], zeros where a window hangs over.
template <typename T> static void toColumns(const WindowGeometry &g, int64_t channels, const T *wide, T *columns) {
  int64_t windows = g.narrowCount(), step = g.stride[2];
  std::memset(static_cast<void *>(columns), 0, channels * g.kernelCount() * windows * sizeof(T));
  forEachRun(g, channels, [&](int64_t row, int64_t from, int64_t to, int64_t count) {
    const T *in = wide + from;
    T *out = columns + row * windows + to;
    if (step == 1)
      std::memcpy(static_cast<void *>(out), in, count * sizeof(T));
    else
      for (int64_t i = 0; i < count; ++i)
        out[i] = in[i * step];
  });
}

/// Adds even[i] to out[2 i] and odd[i] to out[2 i + 1].
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void addInTurn(T *out, const T *even, const T *odd, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    out[2 * i] += even[i];
    out[2 * i + 1] += odd[i];
  }
}

/// Adds columns where they came from, two of a kernel's columns at a time, whose elements come in turn: the stride is
/// 2, and the kernel has an even number of columns.
template <typename T> static void addPairs(const WindowGeometry &g, int64_t channels, const T *columns, T *wide) {
  assert(g.stride[2] == 2 && g.dilation[2] == 1 && g.kernel[2] % 2 == 0 && "pairs of neighbours");
  const int64_t windows = g.narrowCount();
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh)
        for (int64_t kw = 0; kw < g.kernel[2]; kw += 2, columns += 2 * windows) {
          const auto [first, last] = windowsOf(g, kw);
          const auto [nextFirst, nextLast] = windowsOf(g, kw + 1);
          const int64_t begin = std::max(first, nextFirst), end = std::max(begin, std::min(last, nextLast));
          for (int64_t d = 0; d < g.narrow[0]; ++d)
            for (int64_t h = 0; h < g.narrow[1]; ++h) {
              const int64_t zd = d * g.stride[0] + kd * g.dilation[0] - g.padding[0];
              const int64_t zh = h * g.stride[1] + kh * g.dilation[1] - g.padding[1];
              if (zd < 0 || zd >= g.wide[0] || zh < 0 || zh >= g.wide[1])
                continue;
              const int64_t at = ((c * g.wide[0] + zd) * g.wide[1] + zh) * g.wide[2] + kw - g.padding[2];
              const T *const even = columns + (d * g.narrow[1] + h) * g.narrow[2], *const odd = even + windows;
              auto addAlone = [&](const T *from, int64_t to, int64_t i, int64_t behind) {
                for (; i < behind; ++i)
                  wide[to + 2 * i] += from[i];
              };
              if (begin != end)
                atSimdLevel<addInTurn<T>, Overlap::None>(wide + at + 2 * begin, even + begin, odd + begin, end - begin);
              addAlone(even, at, first, std::min(begin, last));
              addAlone(odd, at + 1, nextFirst, std::min(begin, nextLast));
              addAlone(even, at, std::max(end, first), last);
              addAlone(odd, at + 1, std::max(end, nextFirst), nextLast);
            }
        }
}

/// The transpose of toColumns: columns are added where they came from.
template <typename T> static void addColumns(const WindowGeometry &g, int64_t channels, const T *columns, T *wide) {
  if constexpr (std::is_floating_point_v<T>)
    if (g.stride[2] == 2 && g.dilation[2] == 1 && g.kernel[2] % 2 == 0)
      return addPairs(g, channels, columns, wide);
  int64_t windows = g.narrowCount(), step = g.stride[2];
  forEachRun(g, channels, [&](int64_t row, int64_t to, int64_t from, int64_t count) {
    const T *in = columns + row * windows + from;
    T *out = wide + to;
    for (int64_t i = 0; i < count; ++i)
      out[i * step] = addElements(out[i * step], in[i]);
  });
}

/// Windows as rows: [windows, channels * kernel], zeros where a window hangs over.
template <typename T> static void toRows(const WindowGeometry &g, int64_t channels, const T *wide, T *rows) {
  const auto [depths, heights, widths] = g.narrow;
  const int64_t width = g.kernel[2], length = channels * g.kernelCount();
  std::memset(static_cast<void *>(rows), 0, g.narrowCount() * length * sizeof(T));
  for (int64_t d = 0; d < depths; ++d)
    for (int64_t h = 0; h < heights; ++h)
      for (int64_t w = 0; w < widths; ++w, rows += length) {
        const int64_t start = w * g.stride[2] - g.padding[2], step = g.dilation[2];
        // The kernel's elements that are inside: 0 <= start + i * step < wide.
        const int64_t first = start >= 0 ? 0 : (-start + step - 1) / step;
        const int64_t last = g.wide[2] <= start ? 0 : std::min(width, (g.wide[2] - start - 1) / step + 1);
        T *to = rows;
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
            for (int64_t kh = 0; kh < g.kernel[1]; ++kh, to += width) {
              const int64_t zd = d * g.stride[0] + kd * g.dilation[0] - g.padding[0],
                            zh = h * g.stride[1] + kh * g.dilation[1] - g.padding[1];
              if (first >= last || zd < 0 || zd >= g.wide[0] || zh < 0 || zh >= g.wide[1])
                continue;
              const T *from = wide + ((c * g.wide[0] + zd) * g.wide[1] + zh) * g.wide[2];
              for (int64_t i = first; i < last; ++i)
                to[i] = from[start + i * step];
            }
      }
}

bool cpu::hasFewWindows(const WindowGeometry &g, int64_t samples, int64_t outChannels, int64_t depth) {
  constexpr int64_t leastChannels = 8; // with fewer, columns fill vectors as well
  const int64_t windows = g.narrowCount() * samples;
  return outChannels >= leastChannels && windows <= outChannels && takesDotProducts(windows, outChannels, depth, depth);
}

/// The windows of all samples, a row each, times the transposed weights.
template <typename T>
static Status convolveRows(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &out,
                           int64_t groups) {
  const int64_t samples = input.size(0), inChannels = input.size(1) / groups, outChannels = out.size(1) / groups,
                windows = g.narrowCount(), depth = inChannels * g.kernelCount(), count = samples * windows;
  TSC_ASSIGN_OR_RETURN(Tensor rows, Tensor::empty({count, depth}, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor products, Tensor::empty({count, outChannels}, input.dtype()));
  for (int64_t group = 0; group < groups; ++group) {
    for (int64_t s = 0; s < samples; ++s)
      toRows(g, inChannels, input.data<T>() + (s * groups + group) * inChannels * g.wideCount(),
             rows.mutableData<T>() + s * windows * depth);
    TSC_RETURN_IF_ERROR(gemm(input.dtype(), 1, count, outChannels, depth, {rows.data<T>(), depth, 1},
                             {weight.data<T>() + group * outChannels * depth, 1, depth},
                             {products.mutableData(), outChannels}, GemmMode::Assign));
    for (int64_t s = 0; s < samples; ++s) {
      const T *from = products.data<T>() + s * windows * outChannels;
      T *to = out.mutableData<T>() + (s * groups + group) * outChannels * windows;
      for (int64_t c = 0; c < outChannels; ++c)
        for (int64_t w = 0; w < windows; ++w)
          to[c * windows + w] = addElements(to[c * windows + w], from[w * outChannels + c]);
    }
  }
  return okStatus();
}

template <typename T>
Status cpu::convolveColumns(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &out,
                            int64_t groups) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == dtypeOf<T>() && weight.dtype() == dtypeOf<T>() && out.dtype() == dtypeOf<T>() &&
         "operands of one dtype");
  assert(groups >= 1 && input.size(1) % groups == 0 && out.size(1) % groups == 0 && "groups of channels");
  int64_t inChannels = input.size(1) / groups, outChannels = out.size(1) / groups, kernel = g.kernelCount(),
          windows = g.narrowCount();
  int64_t depth = inChannels * kernel;
  if (hasFewWindows(g, input.size(0), outChannels, depth))
    return convolveRows<T>(g, input, weight, out, groups);
  bool direct = kernel == 1 && g.wideCount() == windows && g.stride == std::array<int64_t, 3>{1, 1, 1} &&
                g.padding == std::array<int64_t, 3>{0, 0, 0};
  Tensor columns;
  if (!direct) {
    TSC_ASSIGN_OR_RETURN(columns, Tensor::empty({depth, windows}, input.dtype()));
  }
  for (int64_t s = 0; s < input.size(0); ++s)
    for (int64_t group = 0; group < groups; ++group) {
      const T *in = input.data<T>() + (s * groups + group) * inChannels * g.wideCount();
      if (!direct)
        toColumns(g, inChannels, in, columns.mutableData<T>());
      T *result = out.mutableData<T>() + (s * groups + group) * outChannels * windows;
      TSC_RETURN_IF_ERROR(gemm(input.dtype(), 1, outChannels, windows, depth,
                               {weight.data<T>() + group * outChannels * depth, depth, 1},
                               {direct ? in : columns.data<T>(), windows, 1}, {result, windows}, GemmMode::Accumulate));
    }
  return okStatus();
}

template <typename T>
Status cpu::convolveTransposed(const WindowGeometry &g, const Tensor &input, const Tensor &weight, const Tensor &out,
                               int64_t groups) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == dtypeOf<T>() && weight.dtype() == dtypeOf<T>() && out.dtype() == dtypeOf<T>() &&
         "operands of one dtype");
  assert(groups >= 1 && input.size(1) % groups == 0 && out.size(1) % groups == 0 && "groups of channels");
  int64_t inChannels = input.size(1) / groups, outChannels = out.size(1) / groups, kernel = g.kernelCount(),
          windows = g.narrowCount();
  int64_t rows = outChannels * kernel;
  TSC_ASSIGN_OR_RETURN(Tensor columns, Tensor::empty({rows, windows}, input.dtype()));
  for (int64_t s = 0; s < input.size(0); ++s)
    for (int64_t group = 0; group < groups; ++group) {
      const T *in = input.data<T>() + (s * groups + group) * inChannels * windows;
      TSC_RETURN_IF_ERROR(gemm(input.dtype(), 1, rows, windows, inChannels,
                               {weight.data<T>() + group * inChannels * rows, 1, rows}, {in, windows, 1},
                               {columns.mutableData(), windows}, GemmMode::Assign));
      addColumns(g, outChannels, columns.data<T>(),
                 out.mutableData<T>() + (s * groups + group) * outChannels * g.wideCount());
    }
  return okStatus();
}

#define TSC_CONVOLUTIONS(T)                                                                                            \
  template Status cpu::convolveColumns<T>(const WindowGeometry &, const Tensor &, const Tensor &, const Tensor &,      \
                                          int64_t);                                                                    \
  template Status cpu::convolveTransposed<T>(const WindowGeometry &, const Tensor &, const Tensor &, const Tensor &,   \
                                             int64_t);
TSC_CONVOLUTIONS(int64_t)
TSC_CONVOLUTIONS(float)
TSC_CONVOLUTIONS(double)
TSC_CONVOLUTIONS(std::complex<float>)
TSC_CONVOLUTIONS(std::complex<double>)
