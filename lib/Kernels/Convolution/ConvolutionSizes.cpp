//===- ConvolutionSizes.cpp - Sizes of convolutions, and what fits --------===//
#include "ConvolutionSizes.h"
#include "Support/Compute.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::cpu;

static std::string crossText(ArrayRef<int64_t> sizes) {
  std::string text;
  for (size_t i = 0; i != sizes.size(); ++i)
    text += (i ? " x " : "") + std::to_string(sizes[i]);
  return text;
}

/// Within these, sums and products of sizes and parameters are int64_t's wherever a kernel makes them.
static Status checkMagnitudes(const Tensor &input, const Tensor &weight, const ConvParams &params) {
  constexpr int64_t most = int64_t{1} << 30;
  for (auto [name, numbers] :
       {std::pair("stride", &params.stride), std::pair("padding", &params.padding),
        std::pair("dilation", &params.dilation), std::pair("output_padding", &params.outputPadding)})
    for (int64_t number : *numbers)
      if (number > most)
        return invalidArgument(llvm::Twine("a convolution's ") + name + " is at most " + llvm::Twine(most) +
                               ", but got " + llvm::Twine(number));
  for (int64_t size : weight.sizes().drop_front(2))
    if (size > most)
      return invalidArgument("a convolution's kernel has at most " + llvm::Twine(most) +
                             " elements in a dimension, but got weight of size " + shapeString(weight.sizes()));
  for (int64_t size : input.sizes().drop_front(2))
    if (params.transposed && size > most)
      return invalidArgument("a transposed convolution's input has at most " + llvm::Twine(most) +
                             " elements in a dimension, but got input of size " + shapeString(input.sizes()));
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
  TSC_RETURN_IF_ERROR(checkMagnitudes(input, weight, params));
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
  double products = static_cast<double>(weight.numel()); // of the elements of one image's plane
  for (int64_t d = 2; d < weight.dim(); ++d)
    products *= static_cast<double>(params.transposed ? input.size(d) : sizes[d]);
  work::countMultiplications(products * static_cast<double>(sizes[0]));
  if (work::wasStopped()) // padding makes a long product of small tensors
    return work::stopped();
  return sizes;
}

StatusOr<Dims> tsc::cpu::perDimension(ArrayRef<int64_t> list, const char *name, size_t spatial) {
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
