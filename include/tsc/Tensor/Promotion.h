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

/// Finds the dtype of torch.result_type, operand by operand. Tensors with dimensions outrank those without, and these
/// outrank numbers: a lower rank matters only by a higher category (bool < int < float < complex).
class ResultType {
public:
  void addTensor(DType dtype, bool isZeroDim) { fold(isZeroDim ? zeroDim : dimensioned, dtype); }
  void addNumber(Scalar::Kind kind) { fold(number, Scalar::category(kind)); }
  /// Adds a tensor; an undefined one counts as nothing.
  ResultType &add(const Tensor &t) { return t.defined() ? addTensor(t.dtype(), t.dim() == 0), *this : *this; }
  ResultType &add(const Scalar &s) { return addNumber(s.kind()), *this; }
  /// Returns the dtype found; defaultDType() when nothing was added.
  DType get() const;

private:
  static void fold(std::optional<DType> &into, DType dtype) {
    into = into ? (*into == dtype ? dtype : promoteTypes(*into, dtype)) : dtype;
  }
  std::optional<DType> dimensioned, zeroDim, number;
};

/// Returns torch.result_type of the operands.
DType resultType(const Tensor &a, const Tensor &b);
DType resultType(const Tensor &a, const Scalar &b);
DType resultType(ArrayRef<Tensor> tensors);
/// Whether a result may be written into a tensor of dtype `to`: the category may not fall.
bool canCast(DType from, DType to);
/// Returns PyTorch's error where canCast() does not hold.
Status checkCast(DType from, DType to);

/// Returns PyTorch's error for a number that a dtype cannot hold. A whole negative number down to minus the largest one
/// is no error for an unsigned type, in which it wraps.
Status checkConversion(const Scalar &value, DType to);
/// Which bound of clamp a number is.
enum class Bound : uint8_t { Low, High };
/// Returns the error for a bound of clamp that a dtype cannot hold. One beyond its own end of an integer type, such as
/// -300 as the low bound of int8, is none, as it bounds nothing.
Status checkBound(const Scalar &value, DType dtype, Bound which);
/// Returns a number as a tensor of that dtype without dimensions would hold it: a whole one wraps in an integer type,
/// and any real one is rounded to a half type; in bool it is whether it is not 0. Other numbers stay as they are.
Scalar roundNumber(const Scalar &value, DType to);

/// The conversion of a number before the scalar body of a point-wise operator reads it.
struct NumberConversion {
  DType to;
  /// Whether numbers beyond the range of an integer type become its nearest end, as bounds of clamp do; otherwise whole
  /// ones wrap, as roundNumber() says.
  bool saturates = false;

  Scalar operator()(const Scalar &value) const;
  bool operator==(const NumberConversion &) const = default;
};

/// How a point-wise operator finds its dtypes: the `dtype` column of its record (include/tsc/IR/Ops/Base.td).
enum class DTypeRule : uint8_t { Promote, PromoteInt, PromoteFloat, Bool, Self, Real, RealFloat, Double, Division };

/// The dtype that a point-wise operator computes in, and that of its result.
struct PointwiseDTypes {
  DType compute, result;
};
/// Returns the dtypes for operands of the promoted type `common`. `rounds`: a division has a rounding mode.
PointwiseDTypes pointwiseDTypes(DTypeRule rule, DType common, bool rounds);

/// Sizes and strides of a tensor that need not exist.
struct StridedShape {
  ArrayRef<int64_t> sizes, strides;
};
/// Returns the strides of a new point-wise result of `shape`: row-major, or in the order of dimensions that the
/// operands' strides show.
Dims pointwiseStrides(ArrayRef<int64_t> shape, ArrayRef<StridedShape> operands);

} // namespace tsc

#endif
