//===- DeformConvolution.cpp - Convolutions with moved windows ------------===//
//
// Each place of a window is moved by an offset of its own and sampled between
// elements, weighted by a mask (Deformable ConvNets v1 and v2). The samples of an
// image are columns of a matrix, whose product with the weight is the result.
//
//===----------------------------------------------------------------------===//
#include "Support/Compute.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

namespace {
/// Sizes and steps, checked.
struct Geometry {
  int64_t batch, channels, height, width, outChannels, windowH, windowW, outH, outW;
  int64_t strideH, strideW, padH, padW, dilationH, dilationW, groups, offsetGroups;
  bool useMask;

  int64_t places() const { return windowH * windowW; }
  int64_t outPlane() const { return outH * outW; }
  int64_t columnRows() const { return channels * places(); }
};

/// What one sample reads: four elements of a plane, and how much of each. Where an element lies outside, its weight is
/// 0.
template <typename T> struct BilinearSample {
  int64_t at[4];
  T weights[4], byY[4], byX[4]; ///< The weights, and their slopes along both axes.

  BilinearSample(T y, T x, int64_t height, int64_t width) {
    std::fill(at, at + 4, 0);
    for (T *list : {weights, byY, byX})
      std::fill(list, list + 4, T(0));
    if (!(y > -1 && x > -1 && y < static_cast<T>(height) && x < static_cast<T>(width))) // NaN is outside too
      return;
    const T low = std::floor(y), left = std::floor(x);
    const T down = y - low, right = x - left;
    const int64_t row = static_cast<int64_t>(low), column = static_cast<int64_t>(left);
    for (int i = 0; i != 4; ++i) {
      const bool isDown = i / 2, isRight = i % 2;
      const int64_t r = row + isDown, c = column + isRight;
      if (r < 0 || r >= height || c < 0 || c >= width)
        continue;
      const T vertical = isDown ? down : 1 - down, horizontal = isRight ? right : 1 - right;
      at[i] = r * width + c;
      weights[i] = vertical * horizontal;
      byY[i] = isDown ? horizontal : -horizontal;
      byX[i] = isRight ? vertical : -vertical;
    }
  }
};

/// The operands as rows in memory.
struct Operands {
  Tensor input, weight, offset, mask;
};
} // namespace

static StatusOr<Geometry> geometryOf(const Tensor &input, const Tensor &weight, const Tensor &offset,
                                     const Tensor &mask, const Tensor &bias, ArrayRef<int64_t> stride,
                                     ArrayRef<int64_t> padding, ArrayRef<int64_t> dilation, int64_t groups,
                                     int64_t offsetGroups, bool useMask) {
  if (input.dim() != 4 || offset.dim() != 4 || weight.dim() != 4 || (useMask && mask.dim() != 4))
    return invalidArgument("deform_conv2d wants an input, an offset, a weight and a mask of 4 dimensions");
  for (const Tensor *tensor : {&weight, &offset, &bias})
    if (tensor->dtype() != input.dtype())
      return invalidArgument("deform_conv2d wants tensors of one dtype, but has " + irName(input.dtype()) + " and " +
                             irName(tensor->dtype()));
  Geometry g{input.size(0),
             input.size(1),
             input.size(2),
             input.size(3),
             weight.size(0),
             weight.size(2),
             weight.size(3),
             0,
             0,
             stride[0],
             stride[1],
             padding[0],
             padding[1],
             dilation[0],
             dilation[1],
             groups,
             offsetGroups,
             useMask};
  if (g.windowH <= 0 || g.windowW <= 0)
    return invalidArgument("weight_h: " + llvm::Twine(g.windowH) + " weight_w: " + llvm::Twine(g.windowW));
  if (g.strideH <= 0 || g.strideW <= 0)
    return invalidArgument("stride_h: " + llvm::Twine(g.strideH) + " stride_w: " + llvm::Twine(g.strideW));
  if (g.padH < 0 || g.padW < 0)
    return invalidArgument("pad_h: " + llvm::Twine(g.padH) + " pad_w: " + llvm::Twine(g.padW));
  if (g.dilationH <= 0 || g.dilationW <= 0)
    return invalidArgument("dilation_h: " + llvm::Twine(g.dilationH) + " dilation_w: " + llvm::Twine(g.dilationW));
  constexpr int64_t large = int64_t{1} << 31;
  for (int64_t number : {g.strideH, g.strideW, g.padH, g.padW, g.dilationH, g.dilationW, g.windowH, g.windowW})
    if (number > large)
      return invalidArgument("deform_conv2d with a step of " + llvm::Twine(number));
  const int64_t mostGroups = std::max<int64_t>(1, g.channels); // any number divides none
  if (groups <= 0 || offsetGroups <= 0 || groups > mostGroups || offsetGroups > mostGroups ||
      g.outChannels % groups != 0 || g.channels % groups != 0 || g.channels % offsetGroups != 0)
    return invalidArgument("channels of deform_conv2d are no multiples of its groups");
  if (weight.size(1) * groups != g.channels)
    return invalidArgument("Expected input to have " + llvm::Twine(weight.size(1) * groups) + " channels, but got " +
                           llvm::Twine(g.channels));
  g.outH = (g.height + 2 * g.padH - (g.dilationH * (g.windowH - 1) + 1)) / g.strideH + 1;
  g.outW = (g.width + 2 * g.padW - (g.dilationW * (g.windowW - 1) + 1)) / g.strideW + 1;
  if (g.outH <= 0 || g.outW <= 0)
    return invalidArgument("Calculated output size too small - out_h: " + llvm::Twine(g.outH) +
                           " out_w: " + llvm::Twine(g.outW));
  const Dims offsets{g.batch, offsetGroups * 2 * g.places(), g.outH, g.outW};
  if (offset.sizes() != ArrayRef<int64_t>(offsets))
    return invalidArgument("offset has shape " + shapeString(offset.sizes()) + ", but must have " +
                           shapeString(offsets));
  const Dims masks{g.batch, offsetGroups * g.places(), g.outH, g.outW};
  if (useMask && (mask.sizes() != ArrayRef<int64_t>(masks) || mask.dtype() != input.dtype()))
    return invalidArgument("mask has shape " + shapeString(mask.sizes()) + ", but must have " + shapeString(masks));
  if (bias.dim() != 1 || bias.size(0) != g.outChannels)
    return invalidArgument("bias has shape " + shapeString(bias.sizes()) + ", but must have [" +
                           llvm::Twine(g.outChannels) + "]");
  return g;
}

static StatusOr<Operands> rowMajor(const Tensor &input, const Tensor &weight, const Tensor &offset, const Tensor &mask,
                                   bool useMask) {
  Operands operands;
  TSC_ASSIGN_OR_RETURN(operands.input, contiguous(input, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(operands.weight, contiguous(weight, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(operands.offset, contiguous(offset, MemoryFormat::Contiguous));
  if (useMask) {
    TSC_ASSIGN_OR_RETURN(operands.mask, contiguous(mask, MemoryFormat::Contiguous));
  }
  return operands;
}

/// Calls body(row of the columns' matrix, place in the output's plane, sample, mask's value, number of the offset along
/// y, number of the mask's element) for the samples of channels `begin` to `end` of an image. Offsets and masks belong
/// to groups of channels.
template <typename T, typename Body>
static void forEachSample(const Geometry &g, const Operands &operands, int64_t image, int64_t begin, int64_t end,
                          Body body) {
  const T *offsets = operands.offset.data<T>(), *masks = g.useMask ? operands.mask.data<T>() : nullptr;
  const int64_t perGroup = g.channels / g.offsetGroups;
  for (int64_t channel = begin; channel != end; ++channel)
    for (int64_t i = 0; i != g.windowH; ++i)
      for (int64_t j = 0; j != g.windowW; ++j) {
        const int64_t place = i * g.windowW + j, row = channel * g.places() + place;
        const int64_t part = image * g.offsetGroups + channel / perGroup;
        const int64_t moved = (part * 2 * g.places() + 2 * place) * g.outPlane();
        const int64_t masked = (part * g.places() + place) * g.outPlane();
        for (int64_t y = 0; y != g.outH; ++y)
          for (int64_t x = 0; x != g.outW; ++x) {
            const int64_t at = y * g.outW + x;
            const T sampleY = static_cast<T>(y * g.strideH - g.padH + i * g.dilationH) + offsets[moved + at];
            const T sampleX =
                static_cast<T>(x * g.strideW - g.padW + j * g.dilationW) + offsets[moved + g.outPlane() + at];
            body(row, at, BilinearSample<T>(sampleY, sampleX, g.height, g.width), masks ? masks[masked + at] : T(1),
                 moved + at, masked + at);
          }
      }
}

/// [channels * places, output's plane]
template <typename T>
static void fillColumns(const Geometry &g, const Operands &operands, int64_t image, const Tensor &columns) {
  parallelFor(0, g.channels, 1, [&](int64_t begin, int64_t end) {
    forEachSample<T>(g, operands, image, begin, end,
                     [&](int64_t row, int64_t at, const BilinearSample<T> &sample, T mask, int64_t, int64_t) {
                       const T *plane =
                           operands.input.data<T>() + (image * g.channels + row / g.places()) * g.height * g.width;
                       T sum = 0;
                       for (int k = 0; k != 4; ++k)
                         if (sample.weights[k] != 0)
                           sum += sample.weights[k] * plane[sample.at[k]];
                       columns.mutableData<T>()[row * g.outPlane() + at] = mask * sum;
                     });
  });
}

/// The part of a matrix or an image that belongs to a group of channels.
static StatusOr<Tensor> part(const Tensor &whole, int64_t group, int64_t groups) {
  const int64_t rows = whole.size(0) / groups;
  return narrow(whole, 0, group * rows, rows);
}

StatusOr<Tensor> cpu::deformConv2d(const Tensor &input, const Tensor &weight, const Tensor &offset, const Tensor &mask,
                                   const Tensor &bias, int64_t strideH, int64_t strideW, int64_t padH, int64_t padW,
                                   int64_t dilationH, int64_t dilationW, int64_t groups, int64_t offsetGroups,
                                   bool useMask) {
  TSC_ASSIGN_OR_RETURN(Geometry g, geometryOf(input, weight, offset, mask, bias, {strideH, strideW}, {padH, padW},
                                              {dilationH, dilationW}, groups, offsetGroups, useMask));
  TSC_ASSIGN_OR_RETURN(Operands operands, rowMajor(input, weight, offset, mask, useMask));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({g.batch, g.outChannels, g.outH, g.outW}, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor columns, Tensor::empty({g.columnRows(), g.outPlane()}, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor matrix, reshape(operands.weight, {g.outChannels, g.columnRows() / groups}));
  TSC_ASSIGN_OR_RETURN(Tensor biases, reshape(bias, {g.outChannels, 1}));
  for (int64_t image = 0; image != g.batch; ++image) {
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(
        input.dtype(), [&](auto tag) { fillColumns<typename decltype(tag)::Type>(g, operands, image, columns); },
        "deform_conv2d"));
    TSC_ASSIGN_OR_RETURN(Tensor to, select(result, 0, image));
    TSC_ASSIGN_OR_RETURN(to, reshape(to, {g.outChannels, g.outPlane()}));
    for (int64_t group = 0; group != groups; ++group) {
      TSC_ASSIGN_OR_RETURN(Tensor rows, part(to, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor weights, part(matrix, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor samples, part(columns, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor own, part(biases, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor product, addmm(own, weights, samples, Scalar(1), Scalar(1)));
      TSC_RETURN_IF_ERROR(copyInto(rows, product));
    }
  }
  return result;
}

namespace {
struct Gradients {
  Tensor input, weight, offset, mask;
};
} // namespace

/// Back from the gradient of the columns to what was sampled, and where.
template <typename T>
static void scatterColumns(const Geometry &g, const Operands &operands, int64_t image, const Tensor &slopes,
                           const Gradients &gradients) {
  forEachSample<T>(
      g, operands, image, 0, g.channels,
      [&](int64_t row, int64_t at, const BilinearSample<T> &sample, T mask, int64_t moved, int64_t masked) {
        const int64_t plane = (image * g.channels + row / g.places()) * g.height * g.width;
        const T *elements = operands.input.data<T>() + plane;
        const T slope = slopes.data<T>()[row * g.outPlane() + at];
        T value = 0, byY = 0, byX = 0;
        for (int k = 0; k != 4; ++k) {
          if (sample.weights[k] == 0 && sample.byY[k] == 0 && sample.byX[k] == 0)
            continue; // outside
          const T element = elements[sample.at[k]];
          gradients.input.mutableData<T>()[plane + sample.at[k]] += slope * mask * sample.weights[k];
          value += sample.weights[k] * element;
          byY += sample.byY[k] * element;
          byX += sample.byX[k] * element;
        }
        gradients.offset.mutableData<T>()[moved] += slope * mask * byY;
        gradients.offset.mutableData<T>()[moved + g.outPlane()] += slope * mask * byX;
        if (g.useMask)
          gradients.mask.mutableData<T>()[masked] += slope * value;
      });
}

StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>>
cpu::deformConv2dBackward(const Tensor &grad, const Tensor &input, const Tensor &weight, const Tensor &offset,
                          const Tensor &mask, const Tensor &bias, int64_t strideH, int64_t strideW, int64_t padH,
                          int64_t padW, int64_t dilationH, int64_t dilationW, int64_t groups, int64_t offsetGroups,
                          bool useMask) {
  TSC_ASSIGN_OR_RETURN(Geometry g, geometryOf(input, weight, offset, mask, bias, {strideH, strideW}, {padH, padW},
                                              {dilationH, dilationW}, groups, offsetGroups, useMask));
  const Dims expected{g.batch, g.outChannels, g.outH, g.outW};
  if (grad.sizes() != ArrayRef<int64_t>(expected) || grad.dtype() != input.dtype())
    return invalidArgument("the gradient of deform_conv2d has shape " + shapeString(grad.sizes()) +
                           ", but its result has " + shapeString(expected));
  TSC_ASSIGN_OR_RETURN(Operands operands, rowMajor(input, weight, offset, mask, useMask));
  TSC_ASSIGN_OR_RETURN(Tensor from, contiguous(grad, MemoryFormat::Contiguous));
  Gradients gradients;
  TSC_ASSIGN_OR_RETURN(gradients.input, Tensor::full(input.sizes(), Scalar(0), input.dtype()));
  TSC_ASSIGN_OR_RETURN(gradients.offset, Tensor::full(offset.sizes(), Scalar(0), input.dtype()));
  TSC_ASSIGN_OR_RETURN(gradients.mask, Tensor::full(mask.sizes(), Scalar(0), input.dtype()));
  TSC_ASSIGN_OR_RETURN(gradients.weight,
                       Tensor::full({g.outChannels, g.columnRows() / groups}, Scalar(0), input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor columns, Tensor::empty({g.columnRows(), g.outPlane()}, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor slopes, Tensor::empty({g.columnRows(), g.outPlane()}, input.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor matrix, reshape(operands.weight, {g.outChannels, g.columnRows() / groups}));
  for (int64_t image = 0; image != g.batch; ++image) {
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(
        input.dtype(), [&](auto tag) { fillColumns<typename decltype(tag)::Type>(g, operands, image, columns); },
        "deform_conv2d_backward"));
    TSC_ASSIGN_OR_RETURN(Tensor rows, select(from, 0, image));
    TSC_ASSIGN_OR_RETURN(rows, reshape(rows, {g.outChannels, g.outPlane()}));
    for (int64_t group = 0; group != groups; ++group) {
      TSC_ASSIGN_OR_RETURN(Tensor own, part(rows, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor weights, part(matrix, group, groups));
      TSC_ASSIGN_OR_RETURN(weights, transpose(weights, 0, 1));
      TSC_ASSIGN_OR_RETURN(Tensor bySamples, mm(weights, own));
      TSC_ASSIGN_OR_RETURN(Tensor to, part(slopes, group, groups));
      TSC_RETURN_IF_ERROR(copyInto(to, bySamples));
      TSC_ASSIGN_OR_RETURN(Tensor samples, part(columns, group, groups));
      TSC_ASSIGN_OR_RETURN(samples, transpose(samples, 0, 1));
      TSC_ASSIGN_OR_RETURN(Tensor total, part(gradients.weight, group, groups));
      TSC_ASSIGN_OR_RETURN(Tensor more, addmm(total, own, samples, Scalar(1), Scalar(1)));
      TSC_RETURN_IF_ERROR(copyInto(total, more));
    }
    TSC_RETURN_IF_ERROR(dispatchFloatDouble(
        input.dtype(),
        [&](auto tag) { scatterColumns<typename decltype(tag)::Type>(g, operands, image, slopes, gradients); },
        "deform_conv2d_backward"));
  }
  TSC_ASSIGN_OR_RETURN(Tensor byBias, sumOver(from, {0, 2, 3}, false));
  TSC_ASSIGN_OR_RETURN(Tensor byWeight, reshape(gradients.weight, weight.sizes()));
  return std::make_tuple(gradients.input, byWeight, gradients.offset, gradients.mask, byBias);
}
