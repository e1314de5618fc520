//===- Quantizer.h - What the integers of a quantized tensor mean -*- C++ -*-===//
//
// real = (integer - zero point) * scale, with one scale and zero point for the
// tensor, or one of each for every index of a dimension (per channel).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_QUANTIZER_H
#define TSC_TENSOR_QUANTIZER_H

#include "tsc/Tensor/Tensor.h"
#include <mutex>

namespace tsc {

/// Whether elements of the dtype are integers that stand for real numbers.
inline bool isQuantized(DType dtype) {
  return dtype == DType::QInt8 || dtype == DType::QUInt8 || dtype == DType::QInt32;
}

/// The companion of a tensor of a quantized dtype, which says what its integers mean.
struct Quantizer final : RefCounted {
  double scale = 1;
  int64_t zeroPoint = 0;
  /// Where it is per channel, the scale and the zero point of each index of dimension `axis`, as double and int64, or
  /// both as float (tables of embeddings); else undefined.
  Tensor scales, zeroPoints;
  int64_t axis = 0;
  /// The bits of an integer in a file: 4 for quint4x2 and 2 for quint2x4, whose integers are bytes in memory; 8 for all
  /// others.
  uint8_t bits = 8;
  bool isPerChannel() const { return scales.defined(); }
  /// Whether scales and zero points are floats, one for each channel.
  bool hasRealZeroPoints() const { return isPerChannel() && zeroPoints.dtype() == DType::Float; }
  /// Return the scale and the zero point of a channel: 0 <= channel < the number of scales. It is per channel.
  double scaleOf(int64_t channel) const {
    assert(isPerChannel() && channel >= 0 && channel < scales.numel() && "one of the channels");
    return hasRealZeroPoints() ? scales.data<float>()[channel] : scales.data<double>()[channel];
  }
  double zeroPointOf(int64_t channel) const {
    assert(isPerChannel() && channel >= 0 && channel < zeroPoints.numel() && "one of the channels");
    return hasRealZeroPoints() ? zeroPoints.data<float>()[channel]
                               : static_cast<double>(zeroPoints.data<int64_t>()[channel]);
  }

  /// What kernels made of the elements for products with them, read and written under `mutex`. The object says itself
  /// of which elements.
  mutable std::mutex mutex;
  mutable Ref<RefCounted> prepared;
};

/// Returns the quantizer of a tensor; null for one that has none.
inline const Quantizer *quantizerOf(const Tensor &tensor) {
  // A copy made by an operator that knows nothing of quantization may have another companion, or none.
  return isQuantized(tensor.dtype()) ? dynamic_cast<const Quantizer *>(tensor.get()->companion.get()) : nullptr;
}
inline void setQuantizer(Tensor &tensor, Ref<Quantizer> quantizer) { tensor.get()->companion = std::move(quantizer); }
/// Gives all elements of a tensor one scale and one zero point.
inline void setQuantizer(Tensor &tensor, double scale, int64_t zeroPoint) {
  auto quantizer = makeRef<Quantizer>();
  quantizer->scale = scale;
  quantizer->zeroPoint = zeroPoint;
  setQuantizer(tensor, std::move(quantizer));
}

/// Returns the integer dtype that has the elements of a quantized dtype.
inline DType integersOf(DType dtype) {
  assert(isQuantized(dtype) && "only quantized dtypes have integers behind them");
  return dtype == DType::QInt8 ? DType::Int8 : dtype == DType::QUInt8 ? DType::UInt8 : DType::Int32;
}

} // namespace tsc

#endif
