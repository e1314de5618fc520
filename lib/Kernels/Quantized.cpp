//===- Quantized.cpp - Real numbers to small integers and back ---------===//
#include "tsc/Kernels/Quantized.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Tensor/Quantizer.h"
#include <cmath>
#include <limits>

using namespace tsc;

/// Calls `body` with a value of the integers' type.
template <typename Body> static void withIntegers(DType dtype, Body body) {
  switch (dtype) {
  case DType::QInt8:
  case DType::Int8: return body(int8_t());
  case DType::QUInt8:
  case DType::UInt8: return body(uint8_t());
  default: return body(int32_t());
  }
}

static Status checkTarget(const Tensor &self, DType dtype) {
  if (self.dtype() != DType::Float)
    return invalidArgument("Quantize only works on Float Tensor, got " + irName(self.dtype()));
  if (!isQuantized(dtype))
    return invalidArgument("quantization gives qint8, quint8 or qint32, not " + pythonName(dtype));
  return okStatus();
}

/// fbgemm's rounding: the product and the zero point are added in float, and rounded to even once.
template <typename T> static T quantizeOne(float value, float inverse, int64_t zeroPoint) {
  float moved = std::fma(value, inverse, static_cast<float>(zeroPoint));
  constexpr float low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  moved = std::isnan(moved) ? low : std::min(std::max(moved, low), high);
  return sizeof(T) == 4 && moved >= high ? std::numeric_limits<T>::max() : static_cast<T>(std::nearbyint(moved));
}

static Status checkZeroPoint(int64_t zeroPoint, DType dtype) {
  Status status;
  withIntegers(dtype, [&](auto tag) {
    using T = decltype(tag);
    if (zeroPoint < std::numeric_limits<T>::min() || zeroPoint > std::numeric_limits<T>::max())
      status = invalidArgument("zero_point " + llvm::Twine(zeroPoint) + " is out of range of " + pythonName(dtype));
  });
  return status;
}

StatusOr<Tensor> cpu::quantizePerTensor(const Tensor &self, double scale, int64_t zeroPoint, DType dtype) {
  TSC_RETURN_IF_ERROR(checkTarget(self, dtype));
  TSC_RETURN_IF_ERROR(checkZeroPoint(zeroPoint, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor source, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), dtype));
  const float inverse = 1.0f / static_cast<float>(scale);
  const float *from = static_cast<const float *>(source.data());
  withIntegers(dtype, [&](auto tag) {
    using T = decltype(tag);
    T *to = static_cast<T *>(result.mutableData());
    for (int64_t i = 0, n = result.numel(); i != n; ++i)
      to[i] = quantizeOne<T>(from[i], inverse, zeroPoint);
  });
  auto quantizer = makeRef<Quantizer>();
  quantizer->scale = scale;
  quantizer->zeroPoint = zeroPoint;
  setQuantizer(result, std::move(quantizer));
  return result;
}

namespace {
/// The channel of an element of a row-major tensor: (position / inner) % channels.
struct Channels {
  int64_t inner = 1, count = 1;
  int64_t of(int64_t position) const { return position / inner % count; }
};
} // namespace

static StatusOr<Channels> channelsOf(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints, int64_t axis) {
  if (axis < 0 || axis >= self.dim())
    return invalidArgument("Channel axis out of range in per channel affine quantization. Got: " + llvm::Twine(axis) +
                           " Expected: [0, " + llvm::Twine(self.dim()) + ")");
  if (scales.dim() != 1 || zeroPoints.dim() != 1 || scales.numel() != self.size(axis) ||
      zeroPoints.numel() != self.size(axis))
    return invalidArgument("length of scales and zero_points must be the size of the channel axis, " +
                           llvm::Twine(self.size(axis)));
  Channels channels;
  channels.count = self.size(axis);
  for (int64_t dim = axis + 1; dim < self.dim(); ++dim)
    channels.inner *= self.size(dim);
  return channels;
}

StatusOr<Tensor> cpu::quantizePerChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                         int64_t axis, DType dtype) {
  TSC_RETURN_IF_ERROR(checkTarget(self, dtype));
  TSC_ASSIGN_OR_RETURN(Channels channels, channelsOf(self, scales, zeroPoints, axis));
  auto quantizer = makeRef<Quantizer>();
  TSC_ASSIGN_OR_RETURN(quantizer->scales, toDType(scales, DType::Double));
  TSC_ASSIGN_OR_RETURN(quantizer->scales, contiguous(quantizer->scales));
  TSC_ASSIGN_OR_RETURN(quantizer->zeroPoints, toDType(zeroPoints, DType::Int64));
  TSC_ASSIGN_OR_RETURN(quantizer->zeroPoints, contiguous(quantizer->zeroPoints));
  quantizer->axis = axis;
  TSC_ASSIGN_OR_RETURN(Tensor source, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), dtype));
  const float *from = static_cast<const float *>(source.data());
  const double *scale = static_cast<const double *>(quantizer->scales.data());
  const int64_t *zero = static_cast<const int64_t *>(quantizer->zeroPoints.data());
  withIntegers(dtype, [&](auto tag) {
    using T = decltype(tag);
    T *to = static_cast<T *>(result.mutableData());
    for (int64_t i = 0, n = result.numel(); i != n; ++i) {
      const int64_t channel = channels.of(i);
      to[i] = quantizeOne<T>(from[i], 1.0f / static_cast<float>(scale[channel]), zero[channel]);
    }
  });
  setQuantizer(result, std::move(quantizer));
  return result;
}

/// The integers of `self` in row-major order.
static StatusOr<Tensor> integers(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor plain, Tensor::view(self.get()->storage, self.storageOffset(), self.sizes(),
                                                  self.strides(), integersOf(self.dtype())));
  return cpu::clone(plain, MemoryFormat::Contiguous);
}

static StatusOr<const Quantizer *> quantizerOrError(const Tensor &self, llvm::StringRef op) {
  const Quantizer *quantizer = quantizerOf(self);
  if (!quantizer)
    return invalidArgument(op + " needs a quantized tensor, not one of " + pythonName(self.dtype()));
  return quantizer;
}

StatusOr<Tensor> cpu::dequantize(const Tensor &self) {
  if (!isQuantized(self.dtype()))
    return toDType(self, DType::Float);
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, "dequantize()"));
  TSC_ASSIGN_OR_RETURN(Tensor source, integers(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), DType::Float));
  float *to = static_cast<float *>(result.mutableData());
  Channels channels;
  if (quantizer->isPerChannel()) {
    TSC_ASSIGN_OR_RETURN(channels, channelsOf(self, quantizer->scales, quantizer->zeroPoints, quantizer->axis));
  }
  withIntegers(self.dtype(), [&](auto tag) {
    const auto *from = static_cast<const decltype(tag) *>(source.data());
    for (int64_t i = 0, n = result.numel(); i != n; ++i) {
      double scale = quantizer->scale;
      int64_t zero = quantizer->zeroPoint;
      if (quantizer->isPerChannel()) {
        scale = static_cast<const double *>(quantizer->scales.data())[channels.of(i)];
        zero = static_cast<const int64_t *>(quantizer->zeroPoints.data())[channels.of(i)];
      }
      to[i] = static_cast<float>(scale) * static_cast<float>(from[i] - zero);
    }
  });
  return result;
}

StatusOr<Tensor> cpu::intRepr(const Tensor &self) {
  TSC_RETURN_IF_ERROR(quantizerOrError(self, "int_repr()").status());
  return integers(self);
}

StatusOr<Tensor> cpu::makePerTensorQuantized(const Tensor &self, double scale, int64_t zeroPoint) {
  const DType dtype = self.dtype() == DType::UInt8   ? DType::QUInt8
                      : self.dtype() == DType::Int8  ? DType::QInt8
                      : self.dtype() == DType::Int32 ? DType::QInt32
                                                     : DType::Float;
  if (dtype == DType::Float)
    return invalidArgument("quantized tensors have elements of uint8, int8 or int32, not " + pythonName(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor own, clone(self, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::view(own.get()->storage, 0, own.sizes(), own.strides(), dtype));
  auto quantizer = makeRef<Quantizer>();
  quantizer->scale = scale;
  quantizer->zeroPoint = zeroPoint;
  setQuantizer(result, std::move(quantizer));
  return result;
}

static StatusOr<const Quantizer *> quantizerWith(const Tensor &self, llvm::StringRef op, bool perChannel) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, op));
  if (quantizer->isPerChannel() != perChannel)
    return invalidArgument(op + " needs a tensor that is quantized " + (perChannel ? "per channel" : "per tensor"));
  return quantizer;
}

StatusOr<Tensor> cpu::throughReals(const Tensor &self, llvm::function_ref<StatusOr<Tensor>(const Tensor &)> op) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "this operator", false));
  TSC_ASSIGN_OR_RETURN(Tensor reals, dequantize(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, op(reals));
  return quantizePerTensor(result, quantizer->scale, quantizer->zeroPoint, self.dtype());
}

StatusOr<double> cpu::qScale(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_scale()", false));
  return quantizer->scale;
}
StatusOr<int64_t> cpu::qZeroPoint(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_zero_point()", false));
  return quantizer->zeroPoint;
}
StatusOr<Tensor> cpu::qPerChannelScales(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_per_channel_scales()", true));
  return quantizer->scales;
}
StatusOr<Tensor> cpu::qPerChannelZeroPoints(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_per_channel_zero_points()", true));
  return quantizer->zeroPoints;
}
StatusOr<bool> cpu::isPerChannel(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, "the scheme"));
  return quantizer->isPerChannel();
}
StatusOr<int64_t> cpu::qPerChannelAxis(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_per_channel_axis()", true));
  return quantizer->axis;
}
