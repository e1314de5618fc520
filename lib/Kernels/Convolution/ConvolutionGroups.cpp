//===- ConvolutionGroups.cpp - Convolutions of few channels a group -------===//
#include "ConvolutionGroups.h"
#include "Copies/Interleave.h"
#include "DepthwiseRows.h"
#include "Pooling/WindowRows.h"
#include "Products/Gemm.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Convolution.h"
#include "tsc/Support/WorkMeter.h"
#include <array>
#include <atomic>
#include <cstring>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;

using Geometry = WindowGeometry;

/// Whether a buffer of these sizes may be asked for at all: their product is a number, and so are sums and multiples of
/// a few such products. Sizes that a program chooses are bounded one by one (ConvolutionSizes.cpp), but not together.
static bool fitsInMemory(llvm::ArrayRef<int64_t> sizes) {
  const StatusOr<int64_t> count = elementCount(sizes);
  return count.ok() && *count <= int64_t{1} << 40;
}

StatusOr<bool> tsc::cpu::convolveDepthwise(const Geometry &g, const Tensor &input, const Tensor &weight,
                                           const Tensor &bias, const Tensor &out, int64_t groups) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == DType::Float && weight.dtype() == DType::Float && out.dtype() == DType::Float &&
         "operands are floats");
  constexpr int64_t mostAhead = 1024;   // elements of a channel whose successor stands beside it
  constexpr int64_t mostElements = 128; // of a kernel: larger ones are few and worth oneDNN's layouts
  if (weight.size(1) != 1 || groups == 1 || input.size(1) != groups || g.stride[2] > depthwise::mostStride ||
      g.kernelCount() > mostElements)
    return false;
  const int64_t rows = g.wide[1] + 2 * g.padding[1], rowLength = g.wide[2] + 2 * g.padding[2];
  const int64_t depth = g.wide[0] + 2 * g.padding[0];
  if (!fitsInMemory({depth, rows, rowLength}))
    return false;
  const int64_t planeSize = rows * rowLength;
  const int64_t perChannel = out.size(1) / groups, planes = input.size(0) * groups;
  const float *in = input.data<float>(), *weights = weight.data<float>(),
              *biases = bias.defined() ? bias.data<float>() : nullptr;
  float *results = out.mutableData<float>();
  std::atomic<bool> done = true;
  parallelFor(
      0, planes, std::max<int64_t>(1, parallelGrain / (g.narrowCount() * g.kernelCount() + 1)),
      [&](int64_t first, int64_t last) {
        // A short channel is written while the one before is convolved: vectors that are loaded of elements just
        // stored would wait for these.
        const int64_t volume = depth * planeSize + depthwise::slack;
        const int64_t ahead = volume <= mostAhead ? 1 : 0;
        StatusOr<Tensor> padded = Tensor::empty({(ahead + 1) * volume}, DType::Float);
        if (!padded.ok()) {
          done = false;
          return;
        }
        std::fill_n(padded->mutableData<float>(), padded->numel(), 0.0f);
        auto planeFor = [&](int64_t i) { return padded->mutableData<float>() + (ahead != 0 ? i % 2 * volume : 0); };
        auto write = [&](int64_t i) {
          for (int64_t z = 0; z != g.wide[0]; ++z)
            for (int64_t y = 0; y != g.wide[1]; ++y)
              std::memcpy(planeFor(i) + (z + g.padding[0]) * planeSize + (y + g.padding[1]) * rowLength + g.padding[2],
                          in + ((i * g.wide[0] + z) * g.wide[1] + y) * g.wide[2],
                          static_cast<size_t>(g.wide[2]) * sizeof(float));
        };
        if (ahead != 0 && first < last)
          write(first);
        for (int64_t i = first; i < last && !work::wasStopped(); ++i) {
          if (i + ahead < last)
            write(i + ahead);
          const float *plane = planeFor(i);
          for (int64_t k = 0; k != perChannel * g.narrow[0]; ++k) {
            const int64_t channel = i % groups * perChannel + k / g.narrow[0], z = k % g.narrow[0];
            depthwise::kernel()({plane + z * g.stride[0] * planeSize, weights + channel * g.kernelCount(),
                                 results + (i * perChannel * g.narrow[0] + k) * g.narrow[1] * g.narrow[2],
                                 biases ? biases[channel] : 0, rowLength, g.narrow[1], g.narrow[2], g.kernel[1],
                                 g.kernel[2], g.stride[1], g.stride[2], g.dilation[1], g.dilation[2], g.kernel[0],
                                 g.dilation[0] * planeSize});
          }
        }
      });
  if (!done)
    return resourceExhausted("convolution: no memory for a plane");
  return true;
}

StatusOr<Tensor> tsc::cpu::convolveDepthwiseInside(const Geometry &g, const Tensor &input, const Tensor &weight,
                                                   const Tensor &bias, ArrayRef<int64_t> outShape, int64_t groups) {
  assert(weight.dtype() == DType::Float && weight.isContiguous() && "row-major weights of floats");
  assert((!bias.defined() || (bias.dtype() == DType::Float && bias.isContiguous())) && "a dense bias of floats");
  if (weight.size(1) != 1 || groups == 1 || input.size(1) != groups || outShape[1] != groups ||
      !hasChannelsInside(input) || input.dtype() != DType::Float)
    return Tensor();
  const int64_t channels = groups, elements = g.kernelCount();
  TSC_ASSIGN_OR_RETURN(Tensor x, channelsToEnd(input));
  TSC_ASSIGN_OR_RETURN(Tensor factors, reshape(weight, {channels, elements}));
  TSC_ASSIGN_OR_RETURN(factors, transpose(factors, 0, 1));
  TSC_ASSIGN_OR_RETURN(factors, contiguous(factors));
  Dims sizes{outShape[0]};
  sizes.append(outShape.begin() + 2, outShape.end());
  sizes.push_back(channels);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(sizes, DType::Float));
  const float *in = x.data<float>(), *weights = factors.data<float>(),
              *biases = bias.defined() ? bias.data<float>() : nullptr;
  float *results = out.mutableData<float>();
  const int64_t rows = outShape[0] * g.narrow[0] * g.narrow[1];
  parallelFor(0, rows, std::max<int64_t>(1, parallelGrain / (g.narrow[2] * channels * elements + 1)),
              [&](int64_t first, int64_t last) {
                struct KernelRow { // one that is inside of the image, and where its first element's channels are
                  int64_t place, element;
                };
                llvm::SmallVector<KernelRow, 16> kernelRows;
                llvm::SmallVector<int64_t, 32> places(elements), kernelPlaces(elements); // of which some are used
                const int64_t apart = g.dilation[2] * channels;
                // Most kernels have no gaps, and a division takes long.
                auto steps = [&](int64_t columns) { return g.dilation[2] == 1 ? columns : columns / g.dilation[2]; };
                // Columns for which all of the kernel is inside share their places.
                const int64_t reach = (g.kernel[2] - 1) * g.dilation[2] - g.padding[2];
                const int64_t inner = std::min(g.narrow[2], (g.padding[2] + g.stride[2] - 1) / g.stride[2]);
                const int64_t innerEnd =
                    g.wide[2] <= reach ? inner
                                       : std::clamp((g.wide[2] - 1 - reach) / g.stride[2] + 1, inner, g.narrow[2]);
                for (int64_t row = first; row != last && !work::wasStopped(); ++row) {
                  const int64_t sample = row / (g.narrow[0] * g.narrow[1]);
                  const int64_t d = row / g.narrow[1] % g.narrow[0], h = row % g.narrow[1];
                  kernelRows.clear();
                  for (int64_t kd = 0; kd != g.kernel[0]; ++kd)
                    for (int64_t kh = 0; kh != g.kernel[1]; ++kh) {
                      const int64_t z = d * g.stride[0] + kd * g.dilation[0] - g.padding[0];
                      const int64_t y = h * g.stride[1] + kh * g.dilation[1] - g.padding[1];
                      if (z >= 0 && z < g.wide[0] && y >= 0 && y < g.wide[1])
                        kernelRows.push_back({(z * g.wide[1] + y) * g.wide[2] * channels,
                                              (kd * g.kernel[1] + kh) * g.kernel[2] * channels});
                    }
                  for (int64_t w = 0; w != g.narrow[2];) {
                    const int64_t count = w == inner && inner < innerEnd ? innerEnd - inner : 1;
                    const int64_t start = w * g.stride[2] - g.padding[2];
                    // The elements of a kernel's row that are inside.
                    const int64_t begin = start >= 0 ? 0 : std::min(g.kernel[2], steps(-start + g.dilation[2] - 1));
                    const int64_t end =
                        start >= g.wide[2] ? begin : std::clamp(steps(g.wide[2] - 1 - start) + 1, begin, g.kernel[2]);
                    int64_t used = 0;
                    for (const KernelRow &kernelRow : kernelRows) {
                      int64_t place = kernelRow.place + start * channels + begin * apart;
                      for (int64_t kw = begin; kw != end; ++kw, ++used, place += apart) {
                        places[used] = place;
                        kernelPlaces[used] = kernelRow.element + kw * channels;
                      }
                    }
                    depthwise::pixelKernel()({in + sample * g.wideCount() * channels, weights, biases,
                                              results + (row * g.narrow[2] + w) * channels, places.data(),
                                              kernelPlaces.data(), used, channels, count, g.stride[2] * channels});
                    w += count;
                  }
                }
              });
  return channelsFromEnd(out);
}

/// to[x] = element x / count of phase x % count; phases are `phaseSize` apart.
template <typename T> static void mixPhases(T *to, const T *phases, int64_t phaseSize, int64_t count, int64_t length) {
  using Bits = std::conditional_t<sizeof(T) == sizeof(uint32_t), uint32_t, uint64_t>;
  constexpr int64_t mostMixed = 4;
  if (count == 1) {
    std::copy_n(phases, length, to);
    return;
  }
  int64_t x = 0;
  if (count <= mostMixed) {
    interleaved::kernels<Bits>().mix(reinterpret_cast<Bits *>(to), reinterpret_cast<const char *>(phases),
                                     phaseSize * static_cast<int64_t>(sizeof(T)), count, length / count);
    x = length / count * count;
  }
  for (; x != length; ++x)
    to[x] = phases[x % count * phaseSize + x / count];
}

template <typename T>
StatusOr<bool> tsc::cpu::convolvePhases(const Geometry &g, const Tensor &input, const Tensor &weight,
                                        const Tensor &bias, const Tensor &out, int64_t groups) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == dtypeOf<T>() && weight.dtype() == dtypeOf<T>() && out.dtype() == dtypeOf<T>() &&
         "operands of one dtype");
  constexpr int64_t mostChannels = 16; // products of a group: more are worth a matrix product
  constexpr int64_t leastPiece = 1024,
                    mostWork = int64_t{1} << 28; // of a sum, until it is asked whether the call goes on
  const int64_t inChannels = input.size(1) / groups, outChannels = out.size(1) / groups, kernel = g.kernelCount();
  if (groups == 1 || inChannels * outChannels > mostChannels)
    return false;
  // The input between the zeros that windows reach; an element of the output at y takes input elements (y + padding - k
  // dilation) / stride, where that is whole.
  std::array<int64_t, 3> before, size;
  for (int d = 0; d != 3; ++d) {
    const int64_t reach = (g.kernel[d] - 1) * g.dilation[d] - g.padding[d];
    before[d] = std::max<int64_t>(0, (reach + g.stride[d] - 1) / g.stride[d]);
    const int64_t last = (g.wide[d] - 1 + g.padding[d]) / g.stride[d];
    size[d] = before[d] + std::max(g.narrow[d], last + 1);
  }
  const int64_t columns = (g.wide[2] + g.stride[2] - 1) / g.stride[2];
  const int64_t phaseRows = (g.wide[1] + g.stride[1] - 1) / g.stride[1];
  if (!fitsInMemory({inChannels, size[0], size[1], size[2]}) || !fitsInMemory({g.stride[2], phaseRows, size[2]}))
    return false;
  const int64_t rowLength = size[2], planeLength = size[1] * rowLength, volume = size[0] * planeLength;
  const int64_t phaseSize = phaseRows * rowLength;
  std::atomic<bool> done = true;
  auto run = [&](int64_t first, int64_t last) {
    StatusOr<Tensor> buffer = Tensor::empty({inChannels * volume + g.stride[2] * phaseSize}, input.dtype());
    if (!buffer.ok()) {
      done = false;
      return;
    }
    T *padded = buffer->template mutableData<T>(), *phases = padded + inChannels * volume;
    std::fill_n(padded, inChannels * volume, T(0));
    llvm::SmallVector<int64_t, 64> places;
    llvm::SmallVector<T, 64> factors;
    for (int64_t at = first; at != last; ++at) {
      const int64_t group = at % groups;
      for (int64_t c = 0; c != inChannels; ++c)
        for (int64_t z = 0; z != g.narrow[0]; ++z)
          for (int64_t y = 0; y != g.narrow[1]; ++y)
            std::copy_n(input.data<T>() + (((at * inChannels + c) * g.narrow[0] + z) * g.narrow[1] + y) * g.narrow[2],
                        g.narrow[2],
                        padded + c * volume + (z + before[0]) * planeLength + (y + before[1]) * rowLength + before[2]);
      for (int64_t channel = 0; channel != outChannels; ++channel)
        for (int64_t z = 0; z != g.wide[0]; ++z)
          for (int64_t phaseY = 0; phaseY < std::min(g.stride[1], g.wide[1]) && !work::wasStopped(); ++phaseY) {
            const int64_t rows = (g.wide[1] - phaseY + g.stride[1] - 1) / g.stride[1];
            for (int64_t phaseX = 0; phaseX != g.stride[2]; ++phaseX) {
              places.clear(), factors.clear();
              for (int64_t c = 0; c != inChannels; ++c) {
                const T *element = weight.data<T>() + ((group * inChannels + c) * outChannels + channel) * kernel;
                for (int64_t kd = 0; kd != g.kernel[0]; ++kd)
                  for (int64_t kh = 0; kh != g.kernel[1]; ++kh)
                    for (int64_t kw = 0; kw != g.kernel[2]; ++kw, ++element) {
                      const int64_t depth = z + g.padding[0] - kd * g.dilation[0];
                      const int64_t height = phaseY + g.padding[1] - kh * g.dilation[1];
                      const int64_t width = phaseX + g.padding[2] - kw * g.dilation[2];
                      const int64_t plane = depth / g.stride[0];
                      if (depth % g.stride[0] != 0 || height % g.stride[1] != 0 || width % g.stride[2] != 0 ||
                          depth < 0 || plane >= g.narrow[0])
                        continue;
                      places.push_back(c * volume + (plane + before[0]) * planeLength +
                                       (height / g.stride[1] + before[1]) * rowLength + width / g.stride[2] +
                                       before[2]);
                      factors.push_back(*element);
                    }
              }
              // As one row: what stands between the rows of the phase is never looked at.
              const int64_t length = (rows - 1) * rowLength + columns;
              const int64_t piece = std::max(leastPiece, mostWork / std::max<int64_t>(1, std::ssize(places)));
              for (int64_t begin = 0; begin < length && !work::wasStopped(); begin += piece)
                windows::rowFolds<T>().sum(phases + phaseX * phaseSize + begin, padded + begin, places.data(),
                                           factors.data(), places.size(), std::min(piece, length - begin));
            }
            const int64_t outChannel = group * outChannels + channel;
            const T shift = bias.defined() ? bias.data<T>()[outChannel] : T(0);
            for (int64_t row = 0; row != rows; ++row) {
              T *to =
                  out.mutableData<T>() +
                  (((at * outChannels + channel) * g.wide[0] + z) * g.wide[1] + phaseY + row * g.stride[1]) * g.wide[2];
              mixPhases(to, phases + row * rowLength, phaseSize, g.stride[2], g.wide[2]);
              if (bias.defined())
                for (int64_t x = 0; x != g.wide[2]; ++x)
                  to[x] += shift;
            }
          }
    }
  };
  parallelFor(0, input.size(0) * groups, std::max<int64_t>(1, parallelGrain / (g.wideCount() * kernel + 1)), run);
  if (!done)
    return resourceExhausted("convolution: no memory for a plane");
  return true;
}

template <typename T>
StatusOr<bool> tsc::cpu::convolveLines(const Geometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                       const Tensor &out, int64_t groups) {
  assert(input.isContiguous() && weight.isContiguous() && out.isContiguous() && "operands are row-major");
  assert(input.dtype() == dtypeOf<T>() && weight.dtype() == dtypeOf<T>() && out.dtype() == dtypeOf<T>() &&
         "operands of one dtype");
  constexpr int64_t leastElements = 16; // of a kernel, for which a product pays
  const int64_t kernel = g.kernel[2], windows = g.narrow[2], length = g.wide[2] + 2 * g.padding[2];
  if (groups == 1 || weight.size(1) == 1 || g.kernelCount() != kernel || g.wideCount() != g.wide[2] ||
      g.narrowCount() != windows || g.padding[0] != 0 || g.padding[1] != 0 || g.stride[2] != 1 ||
      kernel < leastElements)
    return false;
  const int64_t inChannels = weight.size(1), outChannels = out.size(1) / groups, depth = inChannels * kernel;
  TSC_ASSIGN_OR_RETURN(Tensor line, Tensor::empty({length}, input.dtype()));
  T *padded = line.mutableData<T>();
  std::fill_n(padded, length, T(0));
  fillBias(out.mutableData<T>(), out.size(0), out.size(1), windows, bias.defined() ? bias.data<T>() : nullptr);
  for (int64_t i = 0; i != input.size(0) * input.size(1); ++i) {
    const int64_t group = i / inChannels % groups, channel = i % inChannels;
    std::copy_n(input.data<T>() + i * g.wide[2], g.wide[2], padded + g.padding[2]);
    TSC_RETURN_IF_ERROR(
        gemm(input.dtype(), 1, outChannels, windows, kernel,
             {weight.data<T>() + group * outChannels * depth + channel * kernel, depth, 1}, {padded, g.dilation[2], 1},
             {out.mutableData<T>() + i / inChannels * outChannels * windows, windows}, GemmMode::Accumulate));
  }
  return true;
}
template StatusOr<bool> tsc::cpu::convolvePhases<float>(const Geometry &, const Tensor &, const Tensor &,
                                                        const Tensor &, const Tensor &, int64_t);
template StatusOr<bool> tsc::cpu::convolvePhases<double>(const Geometry &, const Tensor &, const Tensor &,
                                                         const Tensor &, const Tensor &, int64_t);
template StatusOr<bool> tsc::cpu::convolveLines<float>(const Geometry &, const Tensor &, const Tensor &, const Tensor &,
                                                       const Tensor &, int64_t);
template StatusOr<bool> tsc::cpu::convolveLines<double>(const Geometry &, const Tensor &, const Tensor &,
                                                        const Tensor &, const Tensor &, int64_t);
