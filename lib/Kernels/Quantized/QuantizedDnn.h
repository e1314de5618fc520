//===- QuantizedDnn.h - Products of small integers through oneDNN *- C++ -*-===//
#ifndef TSC_LIB_KERNELS_QUANTIZED_QUANTIZEDDNN_H
#define TSC_LIB_KERNELS_QUANTIZED_QUANTIZEDDNN_H

#include "Convolution/ConvolutionSizes.h"
#include <memory>

namespace tsc::cpu::quantized {

/// Products of unsigned and signed bytes with one weight, and the plans for them. Not for several threads at once while
/// plans are made; what a plan does is.
class IntegerProduct {
public:
  virtual ~IntegerProduct();
  /// Sums of (input - zero point) * weight, of a dense input in the layout asked for, as dense int32 in the same.
  /// False when oneDNN failed; `sums` is then undefined.
  virtual bool run(const void *input, int32_t *sums) const = 0;
};

/// Whether oneDNN has instructions here that add four products of bytes exactly: kernels of our own need twice as many.
/// Without them it adds two products in 16 bits, which saturate.
bool hasExactByteSums();

/// Rows [rows, inner] of uint8 times the transpose of a row-major weight [columns, inner] of int8. Null: none.
std::shared_ptr<const IntegerProduct> makeIntegerMatMul(int64_t rows, const Tensor &weight, int64_t zeroPoint);
/// Input and result with the channels innermost. Null: oneDNN has none but its implementation for checking.
std::shared_ptr<const IntegerProduct> makeIntegerConvolution(ArrayRef<int64_t> inputSizes, const Tensor &weight,
                                                             const ConvParams &params, ArrayRef<int64_t> outSizes,
                                                             int64_t zeroPoint);

} // namespace tsc::cpu::quantized

#endif
