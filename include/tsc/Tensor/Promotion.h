//===- Promotion.h - dtype and layout of a result ---------------*- C++ -*-===//
//
// What kernels give a result and what shape propagation says of it before
// anything runs: one definition for both.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_PROMOTION_H
#define TSC_TENSOR_PROMOTION_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// torch.result_type, operand by operand. Tensors with dimensions outrank those without, and these outrank numbers: a
/// lower rank matters only by a higher category (bool < int < float < complex).
class ResultType {
public:
  void addTensor(DType dtype, bool isZeroDim) { fold(isZeroDim ? zeroDim : dimensioned, dtype); }
  void addNumber(Scalar::Kind kind) { fold(number, Scalar::category(kind)); }
  /// An undefined tensor counts as nothing.
  ResultType &add(const Tensor &t) { return t.defined() ? addTensor(t.dtype(), t.dim() == 0), *this : *this; }
  ResultType &add(const Scalar &s) { return addNumber(s.kind()), *this; }
  /// The default float type when nothing was added.
  DType get() const;

private:
  static void fold(std::optional<DType> &into, DType dtype) {
    into = into ? (*into == dtype ? dtype : promoteTypes(*into, dtype)) : dtype;
  }
  std::optional<DType> dimensioned, zeroDim, number;
};

DType resultType(const Tensor &a, const Tensor &b);
DType resultType(const Tensor &a, const Scalar &b);
DType resultType(ArrayRef<Tensor> tensors);
/// Whether a result may be written into a tensor of another dtype: the category may not fall.
bool canCast(DType from, DType to);
/// PyTorch's error where it may not.
Status checkCast(DType from, DType to);

/// PyTorch's error for a number that a dtype cannot hold. A whole negative number wraps in an unsigned type.
Status checkConversion(const Scalar &value, DType to);
enum class Bound : uint8_t { Low, High };
/// The same for a bound of clamp: one beyond the other end of an integer type is no error, as it bounds nothing.
Status checkBound(const Scalar &value, DType dtype, Bound which);
/// A number as a tensor of that dtype without dimensions would hold it: a whole one wraps in an integer type, and any
/// real one is rounded to a half type; in bool it is whether it is not 0. Otherwise the number itself.
Scalar roundNumber(const Scalar &value, DType to);

/// What an operator makes of a number before its body reads it.
struct NumberConversion {
  DType to;
  bool saturates = false; ///< Numbers beyond the range of an integer type become its nearest end, as bounds of clamp
                          ///< do; otherwise whole ones wrap, as roundNumber() says.

  Scalar operator()(const Scalar &value) const;
  bool operator==(const NumberConversion &) const = default;
};

/// The `dtype` column of point-wise records (include/tsc/IR/Ops/Base.td).
enum class DTypeRule : uint8_t { Promote, PromoteInt, PromoteFloat, Bool, Self, Real, RealFloat, Double, Division };

/// The dtype to compute in, and that of the result, for operands of the promoted type `common`. `rounds`: a division
/// has a rounding mode.
struct PointwiseDTypes {
  DType compute, result;
};
PointwiseDTypes pointwiseDTypes(DTypeRule rule, DType common, bool rounds);

/// Sizes and strides of a tensor that need not exist.
struct StridedShape {
  ArrayRef<int64_t> sizes, strides;
};
/// Strides of a new point-wise result: row-major, or in the order of dimensions that the operands' strides show.
Dims pointwiseStrides(ArrayRef<int64_t> shape, ArrayRef<StridedShape> operands);

} // namespace tsc

#endif
