//===- Quantized.cpp - Real numbers to small integers and back ---------===//
#include "tsc/Kernels/Quantized.h"
#include "QuantizedRows.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
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

/// Rounded to even before the zero point is added; where that is a real number, behind.
template <typename T> static T quantizeOne(float value, float inverse, float zeroPoint, bool isReal) {
  float moved = isReal ? std::fma(value, inverse, zeroPoint) : std::nearbyint(value * inverse) + zeroPoint;
  constexpr auto low = static_cast<float>(std::numeric_limits<T>::min());
  constexpr auto high = static_cast<float>(std::numeric_limits<T>::max());
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

/// A tensor of the integers of `self`, in the same order in memory.
static StatusOr<Tensor> plainIntegers(const Tensor &self) {
  return Tensor::view(self.get()->storage, self.storageOffset(), self.sizes(), self.strides(),
                      integersOf(self.dtype()));
}

/// Itself, or a copy, whose elements fill a block of memory.
static StatusOr<Tensor> withoutGaps(const Tensor &self) {
  if (cpu::isNonOverlappingAndDense(self.sizes(), self.strides()))
    return self;
  return cpu::clone(self, MemoryFormat::Contiguous);
}

StatusOr<Tensor> cpu::quantizePerTensor(const Tensor &self, double scale, int64_t zeroPoint, DType dtype) {
  TSC_RETURN_IF_ERROR(checkTarget(self, dtype));
  TSC_RETURN_IF_ERROR(checkZeroPoint(zeroPoint, dtype));
  TSC_ASSIGN_OR_RETURN(Tensor source, withoutGaps(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(source.sizes(), source.strides(), dtype));
  const float inverse = 1.0f / static_cast<float>(scale), zero = static_cast<float>(zeroPoint);
  const float *from = static_cast<const float *>(source.data());
  parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
    if (dtype == DType::QUInt8)
      return cpu::quantized::kernels().quantizeUInt8(result.mutableData<uint8_t>() + begin, from + begin, end - begin,
                                                     inverse, zero);
    if (dtype == DType::QInt8)
      return cpu::quantized::kernels().quantizeInt8(result.mutableData<int8_t>() + begin, from + begin, end - begin,
                                                    inverse, zero);
    for (int64_t i = begin; i != end; ++i)
      result.mutableData<int32_t>()[i] = quantizeOne<int32_t>(from[i], inverse, zero, /*isReal=*/false);
  });
  setQuantizer(result, scale, zeroPoint);
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

/// A scale and a zero point for each index of a dimension, in the dtypes that kernels want; tables of embeddings have
/// real zero points. They are copies: a program could give its own tensors other sizes.
static StatusOr<Ref<Quantizer>> perChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                           int64_t axis) {
  TSC_RETURN_IF_ERROR(channelsOf(self, scales, zeroPoints, axis).status());
  auto quantizer = makeRef<Quantizer>();
  const bool isReal = zeroPoints.dtype() == DType::Float;
  TSC_ASSIGN_OR_RETURN(quantizer->scales, cpu::toDType(scales, isReal ? DType::Float : DType::Double));
  TSC_ASSIGN_OR_RETURN(quantizer->scales, cpu::clone(quantizer->scales, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(quantizer->zeroPoints, cpu::toDType(zeroPoints, isReal ? DType::Float : DType::Int64));
  TSC_ASSIGN_OR_RETURN(quantizer->zeroPoints, cpu::clone(quantizer->zeroPoints, MemoryFormat::Contiguous));
  quantizer->axis = axis;
  return quantizer;
}

StatusOr<Tensor> cpu::quantizePerChannel(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                         int64_t axis, DType dtype) {
  TSC_RETURN_IF_ERROR(checkTarget(self, dtype));
  TSC_ASSIGN_OR_RETURN(Channels channels, channelsOf(self, scales, zeroPoints, axis));
  TSC_ASSIGN_OR_RETURN(Ref<Quantizer> quantizer, perChannel(self, scales, zeroPoints, axis));
  const bool isReal = quantizer->hasRealZeroPoints();
  TSC_ASSIGN_OR_RETURN(Tensor source, contiguous(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), dtype));
  const float *from = static_cast<const float *>(source.data());
  withIntegers(dtype, [&](auto tag) {
    using T = decltype(tag);
    T *to = static_cast<T *>(result.mutableData());
    if constexpr (sizeof(T) == 1)
      if (!isReal && channels.inner > 1) { // row by row, each of one channel
        for (int64_t i = 0, n = result.numel(); i != n; i += channels.inner) {
          const int64_t channel = channels.of(i);
          const float inverse = 1.0f / static_cast<float>(quantizer->scaleOf(channel)),
                      zero = static_cast<float>(quantizer->zeroPointOf(channel));
          if constexpr (std::is_signed_v<T>)
            cpu::quantized::kernels().quantizeInt8(to + i, from + i, channels.inner, inverse, zero);
          else
            cpu::quantized::kernels().quantizeUInt8(to + i, from + i, channels.inner, inverse, zero);
        }
        return;
      }
    for (int64_t i = 0, n = result.numel(); i != n; ++i) {
      const int64_t channel = channels.of(i);
      to[i] = quantizeOne<T>(from[i], 1.0f / static_cast<float>(quantizer->scaleOf(channel)),
                             static_cast<float>(quantizer->zeroPointOf(channel)), isReal);
    }
  });
  setQuantizer(result, std::move(quantizer));
  return result;
}

/// The integers of `self` in row-major order.
static StatusOr<Tensor> integers(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(Tensor plain, plainIntegers(self));
  return cpu::clone(plain, MemoryFormat::Contiguous);
}

static StatusOr<const Quantizer *> quantizerOrError(const Tensor &self, llvm::StringRef op) {
  const Quantizer *quantizer = quantizerOf(self);
  if (!quantizer)
    return invalidArgument(op + " needs a quantized tensor, not one of " + pythonName(self.dtype()));
  return quantizer;
}

static StatusOr<Tensor> dequantizePerChannel(const Tensor &self, const Quantizer &quantizer) {
  TSC_ASSIGN_OR_RETURN(Tensor source, integers(self));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty(self.sizes(), DType::Float));
  TSC_ASSIGN_OR_RETURN(Channels channels, channelsOf(self, quantizer.scales, quantizer.zeroPoints, quantizer.axis));
  float *to = static_cast<float *>(result.mutableData());
  withIntegers(self.dtype(), [&](auto tag) {
    using T = decltype(tag);
    const auto *from = static_cast<const T *>(source.data());
    if constexpr (sizeof(T) == 1)
      if (!quantizer.hasRealZeroPoints() && channels.inner > 1) {
        for (int64_t i = 0, n = result.numel(); i != n; i += channels.inner) {
          const int64_t channel = channels.of(i);
          const float scale = static_cast<float>(quantizer.scaleOf(channel));
          const int32_t zero = static_cast<int32_t>(quantizer.zeroPointOf(channel));
          if constexpr (std::is_signed_v<T>)
            cpu::quantized::kernels().dequantizeInt8(to + i, from + i, channels.inner, scale, zero);
          else
            cpu::quantized::kernels().dequantizeUInt8(to + i, from + i, channels.inner, scale, zero);
        }
        return;
      }
    for (int64_t i = 0, n = result.numel(); i != n; ++i) {
      const int64_t channel = channels.of(i);
      to[i] = static_cast<float>(quantizer.scaleOf(channel)) *
              static_cast<float>(static_cast<double>(from[i]) - quantizer.zeroPointOf(channel));
    }
  });
  return result;
}

StatusOr<Tensor> cpu::dequantize(const Tensor &self) {
  if (!isQuantized(self.dtype()))
    return toDType(self, DType::Float);
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, "dequantize()"));
  if (quantizer->isPerChannel())
    return dequantizePerChannel(self, *quantizer);
  TSC_ASSIGN_OR_RETURN(Tensor source, plainIntegers(self));
  TSC_ASSIGN_OR_RETURN(source, withoutGaps(source));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(source.sizes(), source.strides(), DType::Float));
  const float scale = static_cast<float>(quantizer->scale);
  const int64_t zero = quantizer->zeroPoint;
  parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
    float *to = result.mutableData<float>() + begin;
    if (source.dtype() == DType::UInt8)
      return cpu::quantized::kernels().dequantizeUInt8(to, source.data<uint8_t>() + begin, end - begin, scale,
                                                       static_cast<int32_t>(zero));
    if (source.dtype() == DType::Int8)
      return cpu::quantized::kernels().dequantizeInt8(to, source.data<int8_t>() + begin, end - begin, scale,
                                                      static_cast<int32_t>(zero));
    const int32_t *from = source.data<int32_t>() + begin;
    for (int64_t i = 0; i != end - begin; ++i)
      to[i] = scale * static_cast<float>(from[i] - zero);
  });
  return result;
}

StatusOr<Tensor> cpu::withQuantizer(const Tensor &self, double scale, int64_t zeroPoint) {
  TSC_RETURN_IF_ERROR(quantizerOrError(self, "this operator").status());
  TSC_RETURN_IF_ERROR(checkZeroPoint(zeroPoint, self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor plain, plainIntegers(self));
  TSC_ASSIGN_OR_RETURN(Tensor own, clone(plain, MemoryFormat::Preserve));
  TSC_ASSIGN_OR_RETURN(Tensor result,
                       Tensor::view(own.get()->storage, own.storageOffset(), own.sizes(), own.strides(), self.dtype()));
  setQuantizer(result, scale, zeroPoint);
  return result;
}

StatusOr<Tensor> cpu::quantizedRows(const Tensor &self, const Tensor &indices) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, "an embedding of integers"));
  if (self.dim() != 2 || self.dtype() != DType::QUInt8 || (quantizer->isPerChannel() && quantizer->axis != 0))
    return invalidArgument("an embedding of integers needs a matrix of quint8 whose rows are quantized");
  TSC_ASSIGN_OR_RETURN(Tensor places, toDType(indices, DType::Int64));
  TSC_ASSIGN_OR_RETURN(places, contiguous(places));
  const int64_t rows = self.size(0), width = self.size(1);
  for (int64_t row : ArrayRef(places.data<int64_t>(), places.numel()))
    if (row < 0 || row >= rows)
      return outOfRange("index " + llvm::Twine(row) + " is out of range of a table with " + llvm::Twine(rows) +
                        " rows");
  std::vector<float> scales(1, static_cast<float>(quantizer->scale));
  std::vector<float> zeros(1, static_cast<float>(quantizer->zeroPoint));
  if (quantizer->isPerChannel()) {
    scales.resize(rows);
    zeros.resize(rows);
    for (int64_t row = 0; row != rows; ++row) {
      scales[row] = static_cast<float>(quantizer->scaleOf(row));
      zeros[row] = static_cast<float>(quantizer->zeroPointOf(row));
    }
  }
  TSC_ASSIGN_OR_RETURN(Tensor plain, plainIntegers(self));
  TSC_ASSIGN_OR_RETURN(plain, contiguous(plain));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::empty({places.numel(), width}, DType::Float));
  parallelFor(0, places.numel(), std::max<int64_t>(1, parallelGrain / std::max<int64_t>(width, 1)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i != end; ++i) {
                  const int64_t row = places.data<int64_t>()[i], at = scales.size() == 1 ? 0 : row;
                  const uint8_t *from = plain.data<uint8_t>() + row * width;
                  float *to = result.mutableData<float>() + i * width;
                  for (int64_t j = 0; j != width; ++j)
                    to[j] = (static_cast<float>(from[j]) - zeros[at]) * scales[at];
                }
              });
  return result;
}

StatusOr<Tensor> cpu::intRepr(const Tensor &self) {
  TSC_RETURN_IF_ERROR(quantizerOrError(self, "int_repr()").status());
  return integers(self);
}

/// A quantized tensor of a copy of these integers, that has no quantizer yet.
static StatusOr<Tensor> copyOfIntegers(const Tensor &self) {
  const DType dtype = self.dtype() == DType::UInt8   ? DType::QUInt8
                      : self.dtype() == DType::Int8  ? DType::QInt8
                      : self.dtype() == DType::Int32 ? DType::QInt32
                                                     : DType::Float;
  if (dtype == DType::Float)
    return invalidArgument("quantized tensors have elements of uint8, int8 or int32, not " + pythonName(self.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor own, cpu::clone(self, MemoryFormat::Contiguous));
  return Tensor::view(own.get()->storage, 0, own.sizes(), own.strides(), dtype);
}

StatusOr<Tensor> cpu::makePerTensorQuantized(const Tensor &self, double scale, int64_t zeroPoint) {
  TSC_ASSIGN_OR_RETURN(Tensor result, copyOfIntegers(self));
  TSC_RETURN_IF_ERROR(checkZeroPoint(zeroPoint, result.dtype()));
  setQuantizer(result, scale, zeroPoint);
  return result;
}

StatusOr<Tensor> cpu::makePerChannelQuantized(const Tensor &self, const Tensor &scales, const Tensor &zeroPoints,
                                              int64_t axis) {
  TSC_ASSIGN_OR_RETURN(Tensor result, copyOfIntegers(self));
  TSC_ASSIGN_OR_RETURN(Ref<Quantizer> quantizer, perChannel(result, scales, zeroPoints, axis));
  setQuantizer(result, std::move(quantizer));
  return result;
}

static StatusOr<const Quantizer *> quantizerWith(const Tensor &self, llvm::StringRef op, bool perChannel) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, op));
  if (quantizer->isPerChannel() != perChannel)
    return invalidArgument(op + " needs a tensor that is quantized " + (perChannel ? "per channel" : "per tensor"));
  return quantizer;
}

Status cpu::copyQuantized(const Tensor &dst, const Tensor &src) {
  if (!isQuantized(dst.dtype()))
    return invalidArgument(
        "Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize "
        "to get a float Tensor from a quantized Tensor");
  if (isQuantized(src.dtype())) {
    if (dst.dtype() != src.dtype())
      return invalidArgument("Quantized copy only works with Tensors with the same data type");
    TSC_ASSIGN_OR_RETURN(Tensor to, plainIntegers(dst));
    TSC_ASSIGN_OR_RETURN(Tensor from, plainIntegers(src));
    TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(src, "copy_"));
    if (quantizer->isPerChannel() && dst.sizes() != src.sizes())
      return invalidArgument("a tensor that is quantized per channel is copied into one of its sizes, " +
                             shapeString(src.sizes()) + ", not of " + shapeString(dst.sizes()));
    TSC_RETURN_IF_ERROR(copyInto(to, from));
    dst.get()->companion = src.get()->companion;
    return okStatus();
  }
  if (src.dtype() != DType::Float)
    return invalidArgument("Quantized copy only works with kFloat as source Tensor");
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(dst, "copy_", false));
  TSC_ASSIGN_OR_RETURN(Tensor integers, quantizePerTensor(src, quantizer->scale, quantizer->zeroPoint, dst.dtype()));
  TSC_ASSIGN_OR_RETURN(Tensor to, plainIntegers(dst));
  TSC_ASSIGN_OR_RETURN(Tensor from, plainIntegers(integers));
  return copyInto(to, from);
}

Status cpu::fillQuantized(const Tensor &dst, double value) {
  TSC_ASSIGN_OR_RETURN(Tensor real, Tensor::empty({}, DType::Float));
  real.set(0, Scalar(value));
  TSC_ASSIGN_OR_RETURN(Tensor everywhere, expand(real, dst.sizes(), false));
  return copyQuantized(dst, everywhere);
}

StatusOr<Tensor> cpu::quantizedExpand(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerOrError(self, "this operator"));
  if (self.dtype() != DType::QUInt8 || quantizer->isPerChannel())
    return dequantize(self);
  TSC_ASSIGN_OR_RETURN(Tensor source, plainIntegers(self));
  TSC_ASSIGN_OR_RETURN(source, withoutGaps(source));
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(source.sizes(), source.strides(), DType::Float));
  parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
    cpu::quantized::kernels().expandUInt8(result.mutableData<float>() + begin, source.data<uint8_t>() + begin,
                                          end - begin, static_cast<float>(quantizer->scale),
                                          static_cast<int32_t>(quantizer->zeroPoint));
  });
  return result;
}

/// The same of two tensors of real numbers.
static StatusOr<Tensor> pairOfReals(const Tensor &a, const Tensor &b, bool multiply, bool relu) {
  TSC_ASSIGN_OR_RETURN(Tensor left, cpu::dequantize(a));
  TSC_ASSIGN_OR_RETURN(Tensor right, cpu::dequantize(b));
  TSC_ASSIGN_OR_RETURN(Tensor result, multiply ? pointwise(PointwiseKind::Aten_mul_Tensor, {left, right})
                                               : pointwise(PointwiseKind::Aten_add_Tensor, {left, right, int64_t{1}}));
  return relu ? pointwise(PointwiseKind::Aten_relu, {PointwiseArg(result)}) : result;
}

StatusOr<Tensor> cpu::quantizedPair(const Tensor &a, const Tensor &b, double scale, int64_t zeroPoint, bool multiply,
                                    bool relu) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *first, quantizerWith(a, "this operator", false));
  TSC_ASSIGN_OR_RETURN(const Quantizer *second, quantizerWith(b, "this operator", false));
  TSC_RETURN_IF_ERROR(checkZeroPoint(zeroPoint, a.dtype()));
  if (a.dtype() != DType::QUInt8 || b.dtype() != DType::QUInt8) {
    TSC_ASSIGN_OR_RETURN(Tensor result, pairOfReals(a, b, multiply, relu));
    return quantizePerTensor(result, scale, zeroPoint, a.dtype());
  }
  TSC_ASSIGN_OR_RETURN(Tensor left, plainIntegers(a));
  TSC_ASSIGN_OR_RETURN(Tensor right, plainIntegers(b));
  if (a.sizes() != b.sizes() || a.strides() != b.strides() || !cpu::isNonOverlappingAndDense(a.sizes(), a.strides())) {
    TSC_ASSIGN_OR_RETURN(std::vector<Tensor> both, broadcastTensors({left, right}));
    const MemoryFormat format =
        a.isContiguous(MemoryFormat::ChannelsLast) ? MemoryFormat::ChannelsLast : MemoryFormat::Contiguous;
    TSC_ASSIGN_OR_RETURN(left, contiguous(both[0], both[0].dim() == 4 ? format : MemoryFormat::Contiguous));
    TSC_ASSIGN_OR_RETURN(right, contiguous(both[1], both[1].dim() == 4 ? format : MemoryFormat::Contiguous));
  }
  TSC_ASSIGN_OR_RETURN(Tensor result, Tensor::emptyStrided(left.sizes(), left.strides(), DType::QUInt8));
  const quantized::PairScales scales = {static_cast<float>(first->scale),
                                        static_cast<float>(second->scale),
                                        1.0f / static_cast<float>(scale),
                                        static_cast<float>(zeroPoint),
                                        static_cast<int32_t>(first->zeroPoint),
                                        static_cast<int32_t>(second->zeroPoint),
                                        relu,
                                        multiply};
  parallelFor(0, result.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
    cpu::quantized::kernels().combineUInt8(result.mutableData<uint8_t>() + begin, left.data<uint8_t>() + begin,
                                           right.data<uint8_t>() + begin, end - begin, scales);
  });
  setQuantizer(result, scale, zeroPoint);
  return result;
}

/// In the order of the numbers: bytes with a sign, whose highest bit is flipped, begin with the least.
static void clampBytes(uint8_t *to, const uint8_t *from, int64_t n, uint8_t low, uint8_t high, uint8_t flip) {
  for (int64_t i = 0; i != n; ++i)
    to[i] = std::min(std::max(static_cast<uint8_t>(from[i] ^ flip), low), high) ^ flip;
}

void cpu::mapBytes(const Tensor &dst, const Tensor &src, const Tensor &table) {
  assert(table.numel() == 256 && itemSize(src.dtype()) == 1 && src.strides() == dst.strides());
  const auto *entries = static_cast<const uint8_t *>(table.data());
  auto *to = static_cast<uint8_t *>(dst.mutableData()); // first: it may copy what `src` has, too
  const auto *from = static_cast<const uint8_t *>(src.data());
  const uint8_t flip = src.dtype() == DType::QInt8 ? 0x80 : 0;
  const auto at = [&](unsigned i) { return static_cast<uint8_t>(entries[i ^ flip] ^ flip); };
  const uint8_t low = at(0), high = at(255);
  bool isClamp = true; // as relu and its like are: those are a loop on vectors
  for (unsigned i = 0; i != 256; ++i)
    isClamp &= at(i) == std::min(std::max(static_cast<uint8_t>(i), low), high);
  parallelFor(0, src.numel(), parallelGrain, [&](int64_t begin, int64_t end) {
    if (isClamp)
      return clampBytes(to + begin, from + begin, end - begin, low, high, flip);
    uint8_t *const out = to; // a store of a byte might change what a closure refers to
    const uint8_t *const in = from, *const becomes = entries;
    for (int64_t i = begin; i != end; ++i)
      out[i] = becomes[in[i]];
  });
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
  return cpu::clone(quantizer->scales, MemoryFormat::Contiguous);
}
StatusOr<Tensor> cpu::qPerChannelZeroPoints(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_per_channel_zero_points()", true));
  return cpu::clone(quantizer->zeroPoints, MemoryFormat::Contiguous);
}
StatusOr<int64_t> cpu::qPerChannelAxis(const Tensor &self) {
  TSC_ASSIGN_OR_RETURN(const Quantizer *quantizer, quantizerWith(self, "q_per_channel_axis()", true));
  return quantizer->axis;
}
