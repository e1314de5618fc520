//===- Convolution.cpp - Convolutions of 1 to 3 dimensions ----------------===//
//
// Large convolutions of float images have kernels of their own, those of other ranks
// and of few channels go to oneDNN; all others become a matrix product over columns or
// rows of input windows (ConvolutionColumns.h).
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Convolution.h"
#include "Compute.h"
#include "ConvolutionBlocked.h"
#include "ConvolutionColumns.h"
#include "ConvolutionDnn.h"
#include "DepthwiseRows.h"
#include "Gemm.h"
#include "Interleave.h"
#include "ProductDnn.h"
#include "WindowRows.h"
#include <array>
#include <atomic>
#include <cstring>
#include <type_traits>

using namespace tsc;
using namespace tsc::cpu;

using Geometry = WindowGeometry;

/// The type a dtype is convolved in.
static DType convType(DType dtype) { return isIntegral(dtype) ? DType::Int64 : workType(dtype); }

template <typename Fn> static Status dispatchConv(DType work, Fn fn) {
  switch (work) {
  case DType::Int64: return fn(int64_t{});
  case DType::Float: return fn(float{});
  case DType::Double: return fn(double{});
  case DType::ComplexFloat: return fn(std::complex<float>{});
  case DType::ComplexDouble: return fn(std::complex<double>{});
  default: return detail::dtypeNotImplemented("slow_conv2d_cpu", work);
  }
}

template <typename T> static void fillBias(T *out, int64_t samples, int64_t channels, int64_t plane, const T *bias) {
  for (int64_t i = 0; i < samples * channels; ++i)
    std::fill_n(out + i * plane, plane, bias ? bias[i % channels] : T(0));
}

static std::string crossText(ArrayRef<int64_t> sizes) {
  std::string text;
  for (size_t i = 0; i != sizes.size(); ++i)
    text += (i ? " x " : "") + std::to_string(sizes[i]);
  return text;
}

static Status checkTypes(const Tensor &input, const Tensor &weight, const Tensor &bias) {
  auto name = [](const Tensor &t) { return "torch." + dtypeText(t.dtype()) + "Tensor"; };
  if (input.dtype() != weight.dtype())
    return invalidArgument("Input type (" + name(input) + ") and weight type (" + name(weight) +
                           ") should be the same or input should be a MKLDNN tensor and weight is a dense tensor");
  if (bias.defined() && bias.dtype() != input.dtype())
    return invalidArgument("Input type (" + name(input) + ") and bias type (" + name(bias) +
                           ") should be the same or input should be a MKLDNN tensor and bias is a dense tensor");
  return okStatus();
}

/// PyTorch's checks in PyTorch's order; `input` has its batch dimension.
static Status checkShapes(const Tensor &input, const Tensor &weight, const Tensor &bias, const ConvParams &params) {
  size_t spatial = weight.dim() - 2;
  if (llvm::any_of(params.padding, [](int64_t p) { return p < 0; }))
    return invalidArgument("negative padding is not supported");
  if (llvm::any_of(params.outputPadding, [](int64_t p) { return p < 0; }))
    return invalidArgument("negative output_padding is not supported");
  if (llvm::any_of(params.stride, [](int64_t s) { return s <= 0; }))
    return invalidArgument("non-positive stride is not supported");
  if (llvm::any_of(params.dilation, [](int64_t d) { return d <= 0; }))
    return invalidArgument("dilation should be greater than zero");
  if (input.dim() != weight.dim())
    return invalidArgument("Expected " + llvm::Twine(weight.dim()) + "-dimensional input for " +
                           llvm::Twine(weight.dim()) + "-dimensional weight " + shapeString(weight.sizes()) +
                           ", but got " + llvm::Twine(input.dim()) + "-dimensional input of size " +
                           shapeString(input.sizes()) + " instead");
  int64_t groups = params.groups;
  if (groups <= 0)
    return invalidArgument("non-positive groups is not supported");
  if (weight.size(0) < groups)
    return invalidArgument("Given groups=" + llvm::Twine(groups) + ", expected weight to be at least " +
                           llvm::Twine(groups) + " at dimension 0, but got weight of size " +
                           shapeString(weight.sizes()) + " instead");
  if (weight.size(0) % groups != 0)
    return invalidArgument("Given groups=" + llvm::Twine(groups) + ", expected weight to be divisible by " +
                           llvm::Twine(groups) + " at dimension 0, but got weight of size [" +
                           shapeString(weight.sizes()) + "] instead");
  int64_t expected = params.transposed ? weight.size(0) : weight.size(1) * groups;
  if (input.size(1) != expected)
    return invalidArgument(
        (params.transposed ? "Given transposed=" + llvm::Twine(1) : "Given groups=" + llvm::Twine(groups)).str() +
        ", weight of size " + shapeString(weight.sizes()) + ", expected input" + shapeString(input.sizes()) +
        " to have " + llvm::Twine(expected) + " channels, but got " + llvm::Twine(input.size(1)) + " channels instead");
  int64_t outChannels = params.transposed ? weight.size(1) * groups : weight.size(0);
  if (bias.defined() && (bias.dim() != 1 || bias.size(0) != outChannels))
    return invalidArgument("Given " + std::string(params.transposed ? "transposed=1, weight" : "weight") + " of size " +
                           shapeString(weight.sizes()) + ", expected bias to be 1-dimensional with " +
                           llvm::Twine(outChannels) + " elements, but got bias of size " + shapeString(bias.sizes()) +
                           " instead");
  if (params.transposed)
    return okStatus();
  Dims padded, kernel;
  bool fits = true;
  for (size_t d = 0; d != spatial; ++d) {
    padded.push_back(input.size(d + 2) + 2 * params.padding[d]);
    kernel.push_back(params.dilation[d] * (weight.size(d + 2) - 1) + 1);
    fits &= padded[d] >= kernel[d];
  }
  if (!fits)
    return invalidArgument("Calculated padded input size per channel: (" + crossText(padded) + "). Kernel size: (" +
                           crossText(kernel) + "). Kernel size can't be greater than actual input size");
  return okStatus();
}

static Status checkOutputPadding(const ConvParams &p) {
  size_t n = p.outputPadding.size();
  for (size_t d = 0; d != n; ++d)
    if (p.outputPadding[d] >= p.stride[d] && p.outputPadding[d] >= p.dilation[d]) {
      static const char *const names[] = {"_depth: ", "_height: ", "_width: "};
      std::string text = "output padding must be smaller than either stride or dilation, but got";
      for (auto [what, list] : {std::pair("output_padding", &p.outputPadding), std::pair("stride", &p.stride),
                                std::pair("dilation", &p.dilation)})
        for (size_t i = 0; i != n; ++i)
          text += std::string(" ") + what + names[3 - n + i] + std::to_string((*list)[i]);
      return invalidArgument(text);
    }
  return okStatus();
}

StatusOr<Dims> tsc::cpu::convolvedSizes(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                        const ConvParams &params) {
  TSC_RETURN_IF_ERROR(checkShapes(input, weight, bias, params));
  Dims sizes{input.size(0), params.transposed ? weight.size(1) * params.groups : weight.size(0)};
  for (int64_t d = 0; d + 2 < weight.dim(); ++d) {
    int64_t in = input.size(d + 2);
    int64_t extent = params.dilation[d] * (weight.size(d + 2) - 1) + 1;
    int64_t out = params.transposed
                      ? (in - 1) * params.stride[d] - 2 * params.padding[d] + extent + params.outputPadding[d]
                      : (in + 2 * params.padding[d] - extent) / params.stride[d] + 1;
    if (out < (params.transposed ? 1 : 0))
      return invalidArgument("Given input size per channel: (" + crossText(input.sizes().drop_front(2)) +
                             "). Calculated output size per channel is too small: " + llvm::Twine(out));
    sizes.push_back(out);
  }
  if (params.transposed)
    TSC_RETURN_IF_ERROR(checkOutputPadding(params));
  return sizes;
}

static Geometry geometryOf(const Tensor &input, const Tensor &weight, ArrayRef<int64_t> outShape,
                           const ConvParams &params) {
  Geometry g;
  int64_t spatial = weight.dim() - 2;
  for (int64_t d = 0; d < spatial; ++d) {
    int64_t at = 3 - spatial + d, in = input.size(d + 2), out = outShape[d + 2];
    g.wide[at] = params.transposed ? out : in;
    g.narrow[at] = params.transposed ? in : out;
    g.kernel[at] = weight.size(d + 2);
    g.stride[at] = params.stride[d];
    g.padding[at] = params.padding[d];
    g.dilation[at] = params.dilation[d];
  }
  return g;
}

/// Each channel alone, of floats: one plane after another, as it lies, with its borders written out. False when it does
/// not apply.
static StatusOr<bool> convolveDepthwise(const Geometry &g, const Tensor &input, const Tensor &weight,
                                        const Tensor &bias, const Tensor &out, int64_t groups) {
  constexpr int64_t mostElements = 128; // of a kernel: larger ones are few and worth oneDNN's layouts
  if (weight.size(1) != 1 || groups == 1 || input.size(1) != groups || g.stride[2] > depthwise::mostStride ||
      g.kernelCount() > mostElements)
    return false;
  const int64_t rows = g.wide[1] + 2 * g.padding[1], rowLength = g.wide[2] + 2 * g.padding[2];
  const int64_t depth = g.wide[0] + 2 * g.padding[0], planeSize = rows * rowLength;
  const int64_t perChannel = out.size(1) / groups, planes = input.size(0) * groups;
  const float *in = input.data<float>(), *weights = weight.data<float>(),
              *biases = bias.defined() ? bias.data<float>() : nullptr;
  float *results = out.mutableData<float>();
  std::atomic<bool> done = true;
  parallelFor(0, planes, std::max<int64_t>(1, parallelGrain / (g.narrowCount() * g.kernelCount() + 1)),
              [&](int64_t first, int64_t last) {
                StatusOr<Tensor> padded = Tensor::empty({depth * planeSize + depthwise::slack}, DType::Float);
                if (!padded.ok()) {
                  done = false;
                  return;
                }
                float *plane = padded->mutableData<float>();
                std::fill_n(plane, padded->numel(), 0.0f);
                for (int64_t i = first; i < last; ++i) {
                  for (int64_t z = 0; z != g.wide[0]; ++z)
                    for (int64_t y = 0; y != g.wide[1]; ++y)
                      std::memcpy(plane + (z + g.padding[0]) * planeSize + (y + g.padding[1]) * rowLength +
                                      g.padding[2],
                                  in + ((i * g.wide[0] + z) * g.wide[1] + y) * g.wide[2],
                                  static_cast<size_t>(g.wide[2]) * sizeof(float));
                  for (int64_t k = 0; k != perChannel * g.narrow[0]; ++k) {
                    const int64_t channel = i % groups * perChannel + k / g.narrow[0], z = k % g.narrow[0];
                    depthwise::kernel()({plane + z * g.stride[0] * planeSize, weights + channel * g.kernelCount(),
                                         results + (i * perChannel * g.narrow[0] + k) * g.narrow[1] * g.narrow[2],
                                         biases ? biases[channel] : 0, rowLength, g.narrow[1], g.narrow[2], g.kernel[1],
                                         g.kernel[2], g.stride[1], g.stride[2], g.dilation[1], g.dilation[2],
                                         g.kernel[0], g.dilation[0] * planeSize});
                  }
                }
              });
  if (!done)
    return resourceExhausted("convolution: no memory for a plane");
  return true;
}

/// The same of images whose channels lie inside, for a kernel a channel: pixel by pixel, along the channels. Undefined
/// when it does not apply.
static StatusOr<Tensor> convolveDepthwiseInside(const Geometry &g, const Tensor &input, const Tensor &weight,
                                                const Tensor &bias, ArrayRef<int64_t> outShape, int64_t groups) {
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
  parallelFor(
      0, rows, std::max<int64_t>(1, parallelGrain / (g.narrow[2] * channels * elements + 1)),
      [&](int64_t first, int64_t last) {
        struct KernelRow { // one that is inside of the image
          int64_t place, element;
        };
        llvm::SmallVector<KernelRow, 16> kernelRows;
        llvm::SmallVector<int64_t, 32> places, kernelPlaces;
        // Columns for which all of the kernel is inside share their places.
        const int64_t reach = (g.kernel[2] - 1) * g.dilation[2] - g.padding[2];
        const int64_t inner = std::min(g.narrow[2], (g.padding[2] + g.stride[2] - 1) / g.stride[2]);
        const int64_t innerEnd =
            g.wide[2] <= reach ? inner : std::clamp((g.wide[2] - 1 - reach) / g.stride[2] + 1, inner, g.narrow[2]);
        for (int64_t row = first; row != last; ++row) {
          const int64_t sample = row / (g.narrow[0] * g.narrow[1]);
          const int64_t d = row / g.narrow[1] % g.narrow[0], h = row % g.narrow[1];
          kernelRows.clear();
          for (int64_t kd = 0; kd != g.kernel[0]; ++kd)
            for (int64_t kh = 0; kh != g.kernel[1]; ++kh) {
              const int64_t z = d * g.stride[0] + kd * g.dilation[0] - g.padding[0];
              const int64_t y = h * g.stride[1] + kh * g.dilation[1] - g.padding[1];
              if (z >= 0 && z < g.wide[0] && y >= 0 && y < g.wide[1])
                kernelRows.push_back({(z * g.wide[1] + y) * g.wide[2], (kd * g.kernel[1] + kh) * g.kernel[2]});
            }
          for (int64_t w = 0; w != g.narrow[2];) {
            const int64_t count = w == inner && inner < innerEnd ? innerEnd - inner : 1;
            const int64_t start = w * g.stride[2] - g.padding[2];
            // The elements of a kernel's row that are inside.
            const int64_t begin = start >= 0 ? 0 : std::min(g.kernel[2], (-start + g.dilation[2] - 1) / g.dilation[2]);
            const int64_t end = start >= g.wide[2]
                                    ? begin
                                    : std::clamp((g.wide[2] - 1 - start) / g.dilation[2] + 1, begin, g.kernel[2]);
            places.clear(), kernelPlaces.clear();
            for (const KernelRow &kernelRow : kernelRows)
              for (int64_t kw = begin; kw != end; ++kw) {
                places.push_back((kernelRow.place + start + kw * g.dilation[2]) * channels);
                kernelPlaces.push_back((kernelRow.element + kw) * channels);
              }
            depthwise::pixelKernel()({in + sample * g.wideCount() * channels, weights, biases,
                                      results + (row * g.narrow[2] + w) * channels, places.data(), kernelPlaces.data(),
                                      static_cast<int64_t>(places.size()), channels, count, g.stride[2] * channels});
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

/// A transposed convolution of groups with few channels: elements that lie a stride apart form a phase, which is a
/// convolution of the input with some elements of the kernel. False when it does not apply.
template <typename T>
static StatusOr<bool> convolvePhases(const Geometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                     const Tensor &out, int64_t groups) {
  constexpr int64_t mostChannels = 16; // products of a group: more are worth a matrix product
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
  const int64_t rowLength = size[2], planeLength = size[1] * rowLength, volume = size[0] * planeLength;
  const int64_t columns = (g.wide[2] + g.stride[2] - 1) / g.stride[2];
  const int64_t phaseRows = (g.wide[1] + g.stride[1] - 1) / g.stride[1], phaseSize = phaseRows * rowLength;
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
          for (int64_t phaseY = 0; phaseY < std::min(g.stride[1], g.wide[1]); ++phaseY) {
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
              windows::rowFolds<T>().sum(phases + phaseX * phaseSize, padded, places.data(), factors.data(),
                                         places.size(), (rows - 1) * rowLength + columns);
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

/// Groups of channels along a line, with wide kernels: a channel's windows are a matrix as they lie, whose rows
/// overlap. False when it does not apply.
template <typename T>
static StatusOr<bool> convolveLines(const Geometry &g, const Tensor &input, const Tensor &weight, const Tensor &bias,
                                    const Tensor &out, int64_t groups) {
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

/// Fewer multiplications are a product over columns, which needs no plan and no layouts.
static constexpr int64_t leastForDnn = int64_t{1} << 20;

/// Of bfloat16 by the processor's instructions for it; undefined where there are none, or others are faster.
static StatusOr<Tensor> convolveBFloat16(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                         const ConvParams &params, ArrayRef<int64_t> outShape) {
  const bool isDepthwise = params.groups != 1 && weight.size(1) == 1;
  if (input.dtype() != DType::BFloat16 || params.transposed || isDepthwise || !hasBFloat16Products() ||
      input.numel() == 0 || weight.numel() == 0)
    return Tensor();
  const StatusOr<int64_t> results = elementCount(outShape);
  if (!results.ok() || *results / std::max<int64_t>(1, outShape[1]) * weight.numel() < leastForDnn)
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(input, DType::BFloat16));
  TSC_ASSIGN_OR_RETURN(Tensor w, dense(weight, DType::BFloat16));
  Tensor b;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(b, dense(bias, DType::BFloat16));
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(outShape, DType::BFloat16));
  return convolveDnn(x, w, b, params, out) ? out : Tensor();
}

static StatusOr<Tensor> convolve(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                 const ConvParams &params) {
  TSC_RETURN_IF_ERROR(checkTypes(input, weight, bias));
  TSC_ASSIGN_OR_RETURN(Dims outShape, convolvedSizes(input, weight, bias, params));
  Geometry g = geometryOf(input, weight, outShape, params);
  DType type = input.dtype(), work = convType(type);
  TSC_ASSIGN_OR_RETURN(Tensor narrow, convolveBFloat16(input, weight, bias, params, outShape));
  if (narrow.defined())
    return narrow;
  TSC_ASSIGN_OR_RETURN(Tensor w, dense(weight, work));
  Tensor b;
  if (bias.defined()) {
    TSC_ASSIGN_OR_RETURN(b, dense(bias, work));
  }
  if (type == DType::Float && !params.transposed && elementCount(outShape).value_or(0) != 0 && input.numel() != 0 &&
      w.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor inside, convolveDepthwiseInside(g, input, w, b, outShape, params.groups));
    if (inside.defined())
      return inside;
  }
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(input, work));
  if (type == DType::Float && convolvesInBlocks(x.sizes(), w, params)) {
    TSC_ASSIGN_OR_RETURN(Tensor convolved, convolvePlanes(x, w, b, params, outShape));
    if (convolved.defined())
      return convolved;
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(outShape, work));
  if (out.numel() == 0)
    return toDType(out, type);
  int64_t multiplications = out.numel() / outShape[1] * weight.numel();
  if (work == DType::Float && !params.transposed && x.numel() != 0 && w.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(bool done, convolveDepthwise(g, x, w, b, out, params.groups));
    if (done)
      return toDType(out, type);
  }
  if ((work == DType::Float || work == DType::Double) && !params.transposed && x.numel() != 0 && w.numel() != 0) {
    TSC_ASSIGN_OR_RETURN(bool done, work == DType::Float ? convolveLines<float>(g, x, w, b, out, params.groups)
                                                         : convolveLines<double>(g, x, w, b, out, params.groups));
    if (done)
      return toDType(out, type);
  }
  if (work == DType::Float && !params.transposed && x.numel() != 0 && w.numel() != 0 &&
      multiplications >= leastForDnn &&
      !hasFewWindows(g, x.size(0), outShape[1] / params.groups, w.numel() / outShape[1]) &&
      convolveDnn(x, w, b, params, out))
    return toDType(out, type);
  bool isDone = false;
  TSC_RETURN_IF_ERROR(dispatchConv(work, [&](auto zero) -> Status {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>)
      if (params.transposed && x.numel() != 0 && w.numel() != 0) {
        TSC_ASSIGN_OR_RETURN(isDone, convolvePhases<T>(g, x, w, b, out, params.groups));
        if (isDone)
          return okStatus();
      }
    int64_t plane = params.transposed ? g.wideCount() : g.narrowCount();
    fillBias(out.mutableData<T>(), outShape[0], outShape[1], plane, b.defined() ? b.data<T>() : nullptr);
    if (x.numel() == 0 || w.numel() == 0)
      return okStatus();
    return params.transposed ? convolveTransposed<T>(g, x, w, out, params.groups)
                             : convolveColumns<T>(g, x, w, out, params.groups);
  }));
  return toDType(out, type);
}

static StatusOr<Dims> perDimension(ArrayRef<int64_t> list, const char *name, size_t spatial) {
  if (list.size() == 1)
    return Dims(spatial, list[0]);
  if (list.size() != spatial)
    return invalidArgument(llvm::Twine("expected ") + name + " to be a single integer value or a list of " +
                           llvm::Twine(spatial) + " values to match the convolution dimensions, but got " + name + "=" +
                           shapeString(list));
  return Dims(list);
}

StatusOr<ConvParams> tsc::cpu::conv2dParams(ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                            ArrayRef<int64_t> dilation, int64_t groups) {
  ConvParams params;
  params.groups = groups;
  TSC_ASSIGN_OR_RETURN(params.stride, perDimension(stride, "stride", 2));
  TSC_ASSIGN_OR_RETURN(params.padding, perDimension(padding, "padding", 2));
  TSC_ASSIGN_OR_RETURN(params.dilation, perDimension(dilation, "dilation", 2));
  return params;
}

StatusOr<Tensor> tsc::cpu::convolution(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                       ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                       bool transposed, ArrayRef<int64_t> outputPadding, int64_t groups) {
  if (weight.dim() < 3 || weight.dim() > 5)
    return invalidArgument(weight.dim() < 3 ? llvm::Twine("weight should have at least three dimensions")
                                            : llvm::Twine("Expected 3 to 5-dimensional weight"));
  size_t spatial = weight.dim() - 2;
  ConvParams params;
  params.transposed = transposed;
  params.groups = groups;
  TSC_ASSIGN_OR_RETURN(params.stride, perDimension(stride, "stride", spatial));
  TSC_ASSIGN_OR_RETURN(params.padding, perDimension(padding, "padding", spatial));
  TSC_ASSIGN_OR_RETURN(params.dilation, perDimension(dilation, "dilation", spatial));
  if (transposed) {
    TSC_ASSIGN_OR_RETURN(params.outputPadding, perDimension(outputPadding, "output_padding", spatial));
  }
  return convolve(input, weight, bias, params);
}

/// Calls fn with the input as a batch; an unbatched input gives an unbatched result.
template <typename Fn> static StatusOr<Tensor> batched(const Tensor &input, int64_t spatial, const char *name, Fn fn) {
  if (input.dim() == spatial + 2)
    return fn(input);
  if (input.dim() != spatial + 1)
    return invalidArgument("Expected " + llvm::Twine(spatial + 1) + "D (unbatched) or " + llvm::Twine(spatial + 2) +
                           "D (batched) input to " + name + ", but got input of size: " + shapeString(input.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor one, unsqueeze(input, 0));
  TSC_ASSIGN_OR_RETURN(Tensor out, fn(one));
  return squeezeDim(out, 0);
}

static StatusOr<Tensor> convNd(int64_t spatial, const char *name, const Tensor &input, const Tensor &weight,
                               const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                               ArrayRef<int64_t> dilation, int64_t groups) {
  return batched(input, spatial, name, [&](const Tensor &x) {
    return convolution(x, weight, bias, stride, padding, dilation, false, {0}, groups);
  });
}

static StatusOr<Tensor> convNamed(int64_t spatial, const char *name, const Tensor &input, const Tensor &weight,
                                  const Tensor &bias, ArrayRef<int64_t> stride, llvm::StringRef padding,
                                  ArrayRef<int64_t> dilation, int64_t groups) {
  return batched(input, spatial, name,
                 [&](const Tensor &x) { return convolutionMode(x, weight, bias, stride, padding, dilation, groups); });
}

static StatusOr<Tensor> convTransposeNd(int64_t spatial, const char *name, const Tensor &input, const Tensor &weight,
                                        const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                        ArrayRef<int64_t> outputPadding, int64_t groups, ArrayRef<int64_t> dilation) {
  return batched(input, spatial, name, [&](const Tensor &x) {
    return convolution(x, weight, bias, stride, padding, dilation, true, outputPadding, groups);
  });
}

StatusOr<Tensor> tsc::cpu::convolutionMode(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                           ArrayRef<int64_t> stride, llvm::StringRef padding,
                                           ArrayRef<int64_t> dilation, int64_t groups) {
  if (padding == "valid")
    return convolution(input, weight, bias, stride, {0}, dilation, false, {0}, groups);
  if (padding != "same")
    return invalidArgument("Invalid padding string: '" + padding + "'");
  if (weight.dim() < 3 || input.dim() != weight.dim())
    return invalidArgument("Expected " + llvm::Twine(weight.dim()) + "-dimensional input for " +
                           llvm::Twine(weight.dim()) + "-dimensional weight " + shapeString(weight.sizes()) +
                           ", but got " + llvm::Twine(input.dim()) + "-dimensional input of size " +
                           shapeString(input.sizes()) + " instead");
  size_t spatial = weight.dim() - 2;
  TSC_ASSIGN_OR_RETURN(Dims dilations, perDimension(dilation, "dilation", spatial));
  if (llvm::any_of(stride, [](int64_t s) { return s != 1; }))
    return invalidArgument("padding='same' is not supported for strided convolutions");
  // What is odd goes to the far side, by zeros of our own.
  Dims left, extended(input.sizes());
  bool uneven = false;
  for (size_t d = 0; d != spatial; ++d) {
    int64_t total = dilations[d] * (weight.size(d + 2) - 1);
    left.push_back(total / 2);
    extended[d + 2] += total % 2;
    uneven |= total % 2 != 0;
  }
  Tensor x = input;
  if (uneven) {
    TSC_ASSIGN_OR_RETURN(x, zeros(extended, input.dtype()));
    Tensor inner = x;
    for (size_t d = 0; d != spatial; ++d) {
      TSC_ASSIGN_OR_RETURN(inner, narrow(inner, d + 2, 0, input.size(d + 2)));
    }
    TSC_RETURN_IF_ERROR(copyInto(inner, input));
  }
  return convolution(x, weight, bias, stride, left, dilations, false, {0}, groups);
}

StatusOr<Tensor> tsc::cpu::convolutionFlags(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                            ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                            ArrayRef<int64_t> dilation, bool transposed,
                                            ArrayRef<int64_t> outputPadding, int64_t groups, bool, bool, bool, bool) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
}
StatusOr<Tensor> tsc::cpu::convolutionDeprecated(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                                 ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                                 ArrayRef<int64_t> dilation, bool transposed,
                                                 ArrayRef<int64_t> outputPadding, int64_t groups, bool, bool, bool) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, outputPadding, groups);
}
StatusOr<Tensor> tsc::cpu::conv1d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                  ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  int64_t groups) {
  return convNd(1, "conv1d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::conv2d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                  ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  int64_t groups) {
  return convNd(2, "conv2d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::conv3d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                  ArrayRef<int64_t> stride, ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation,
                                  int64_t groups) {
  return convNd(3, "conv3d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::conv1dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                         ArrayRef<int64_t> stride, llvm::StringRef padding, ArrayRef<int64_t> dilation,
                                         int64_t groups) {
  return convNamed(1, "conv1d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::conv2dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                         ArrayRef<int64_t> stride, llvm::StringRef padding, ArrayRef<int64_t> dilation,
                                         int64_t groups) {
  return convNamed(2, "conv2d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::conv3dPadding(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                         ArrayRef<int64_t> stride, llvm::StringRef padding, ArrayRef<int64_t> dilation,
                                         int64_t groups) {
  return convNamed(3, "conv3d", input, weight, bias, stride, padding, dilation, groups);
}
StatusOr<Tensor> tsc::cpu::convTranspose1d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                           ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                           ArrayRef<int64_t> outputPadding, int64_t groups,
                                           ArrayRef<int64_t> dilation) {
  return convTransposeNd(1, "conv_transpose1d", input, weight, bias, stride, padding, outputPadding, groups, dilation);
}
StatusOr<Tensor> tsc::cpu::convTranspose2d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                           ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                           ArrayRef<int64_t> outputPadding, int64_t groups,
                                           ArrayRef<int64_t> dilation) {
  return convTransposeNd(2, "conv_transpose2d", input, weight, bias, stride, padding, outputPadding, groups, dilation);
}
StatusOr<Tensor> tsc::cpu::convTranspose3d(const Tensor &input, const Tensor &weight, const Tensor &bias,
                                           ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                           ArrayRef<int64_t> outputPadding, int64_t groups,
                                           ArrayRef<int64_t> dilation) {
  return convTransposeNd(3, "conv_transpose3d", input, weight, bias, stride, padding, outputPadding, groups, dilation);
}

StatusOr<Tensor> tsc::cpu::convTbc(const Tensor &self, const Tensor &weight, const Tensor &bias, int64_t pad) {
  if (self.dim() != 3)
    return invalidArgument("Input must have 3 dims: time, batch, in_channel");
  if (weight.dim() != 3)
    return invalidArgument("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
  if (bias.dim() != 1)
    return invalidArgument("Bias must be 1-D");
  if (self.size(2) != weight.size(1))
    return invalidArgument("Input dim 2 (input channels) is not == dim 1 in the weight tensor.");
  if (weight.size(2) != bias.size(0))
    return invalidArgument("Bias size must equal dim 2 in the weight tensor (output channels).");
  TSC_ASSIGN_OR_RETURN(Tensor x, permute(self, {1, 2, 0}));
  TSC_ASSIGN_OR_RETURN(Tensor w, permute(weight, {2, 1, 0}));
  TSC_ASSIGN_OR_RETURN(Tensor out, convolution(x, w, bias, {1}, {pad}, {1}, false, {0}, 1));
  TSC_ASSIGN_OR_RETURN(out, permute(out, {2, 0, 1}));
  return contiguous(out);
}

StatusOr<Tensor> tsc::cpu::mkldnnConvolution(const Tensor &self, const Tensor &weight, const Tensor &bias,
                                             ArrayRef<int64_t> padding, ArrayRef<int64_t> stride,
                                             ArrayRef<int64_t> dilation, int64_t groups) {
  return convolution(self, weight, bias, stride, padding, dilation, false, {0}, groups);
}
StatusOr<Tensor> tsc::cpu::thnnConv2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>, const Tensor &bias,
                                      ArrayRef<int64_t> stride, ArrayRef<int64_t> padding) {
  return conv2d(self, weight, bias, stride, padding, {1}, 1);
}
StatusOr<Tensor> tsc::cpu::convDepthwise3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>,
                                           const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                           ArrayRef<int64_t> dilation) {
  return conv3d(self, weight, bias, stride, padding, dilation, self.dim() >= 4 ? self.size(self.dim() - 4) : 1);
}
StatusOr<Tensor> tsc::cpu::slowConv3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>, const Tensor &bias,
                                      ArrayRef<int64_t> stride, ArrayRef<int64_t> padding) {
  return conv3d(self, weight, bias, stride, padding, {1}, 1);
}
StatusOr<Tensor> tsc::cpu::slowConvDilated2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>,
                                             const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                             ArrayRef<int64_t> dilation) {
  return conv2d(self, weight, bias, stride, padding, dilation, 1);
}
StatusOr<Tensor> tsc::cpu::slowConvDilated3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>,
                                             const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                             ArrayRef<int64_t> dilation) {
  return conv3d(self, weight, bias, stride, padding, dilation, 1);
}
StatusOr<Tensor> tsc::cpu::slowConvTranspose2d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>,
                                               const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                               ArrayRef<int64_t> outputPadding, ArrayRef<int64_t> dilation) {
  return convTranspose2d(self, weight, bias, stride, padding, outputPadding, 1, dilation);
}
StatusOr<Tensor> tsc::cpu::slowConvTranspose3d(const Tensor &self, const Tensor &weight, ArrayRef<int64_t>,
                                               const Tensor &bias, ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
                                               ArrayRef<int64_t> outputPadding, ArrayRef<int64_t> dilation) {
  return convTranspose3d(self, weight, bias, stride, padding, outputPadding, 1, dilation);
}
