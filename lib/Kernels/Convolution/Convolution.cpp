//===- Convolution.cpp - Convolutions of 1 to 3 dimensions ----------------===//
//
// Large convolutions of float images and groups of few channels (ConvolutionGroups.h)
// have kernels of their own, those of other ranks and of few channels go to oneDNN; all
// others become a matrix product over columns or rows of input windows
// (ConvolutionColumns.h).
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Convolution.h"
#include "ConvolutionBlocked.h"
#include "ConvolutionColumns.h"
#include "ConvolutionDnn.h"
#include "ConvolutionGroups.h"
#include "Products/ProductDnn.h"
#include "Support/Compute.h"
#include "Support/MemoryFormats.h"
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

/// Returns `out` with the channels innermost where a convolution of images has them so: that of one whose input or
/// weight suggests it. Lines are convolved as images of one row in rows, whatever the input looks like.
static StatusOr<Tensor> inFormatOf(const Tensor &input, const Tensor &weight, bool transposed, Tensor out) {
  if (transposed || (input.isContiguous() && weight.isContiguous() && input.size(1) != 1 && weight.size(1) != 1))
    return out;
  if (weight.dim() == 4)
    return suggestsChannelsLast(input) || suggestsChannelsLast(weight) ? inChannelsLast(out) : StatusOr<Tensor>(out);
  if (weight.dim() != 3 || weight.isContiguous())
    return out;
  TSC_ASSIGN_OR_RETURN(Tensor kernel, unsqueeze(weight, 2));
  if (!suggestsChannelsLast(kernel))
    return out;
  TSC_ASSIGN_OR_RETURN(Tensor image, unsqueeze(out, 2));
  TSC_ASSIGN_OR_RETURN(image, inChannelsLast(image));
  return squeezeDim(image, 2);
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
  TSC_ASSIGN_OR_RETURN(Tensor out, convolve(input, weight, bias, params));
  return inFormatOf(input, weight, transposed, std::move(out));
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
