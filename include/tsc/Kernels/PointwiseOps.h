//===- PointwiseOps.h - Run any point-wise operator -------------*- C++ -*-===//
//
// Every PointwiseOp record is an enumerator here. One engine runs them all:
// promotes, broadcasts, converts, and computes with the record's scalar body.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_POINTWISEOPS_H
#define TSC_KERNELS_POINTWISEOPS_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// The point-wise operators, named as their records are.
enum class PointwiseKind : uint16_t {
#include "tsc/Kernels/PointwiseKinds.inc"
  NumKinds
};

/// A parameter of a point-wise operator.
struct PointwiseParam {
  enum Kind : uint8_t { Tensor, Scalar, Number, Text }; ///< Number: an int, float or bool of the schema.
  Kind kind;
  bool optional; ///< Whether it may be None.
  bool promotes; ///< Whether it takes part in finding the dtype of the result.
};
/// Returns the parameters of an operator, which is not NumKinds, in schema order.
ArrayRef<PointwiseParam> pointwiseParams(PointwiseKind kind);

/// An operand: a tensor, a number, a string, or None. Borrows what it is made from.
class PointwiseArg {
public:
  /// Which of the four it is.
  enum class Kind : uint8_t { None, Tensor, Scalar, Text };
  PointwiseArg() = default;
  PointwiseArg(const Tensor &t) : argKind(t.defined() ? Kind::Tensor : Kind::None) { tensorValue = t.get(); }
  explicit PointwiseArg(const TensorImpl &t) : argKind(Kind::Tensor), tensorValue(&t) {}
  PointwiseArg(const Scalar &s) : argKind(Kind::Scalar), scalarValue(s) {}
  PointwiseArg(int64_t v) : PointwiseArg(Scalar(v)) {}
  PointwiseArg(double v) : PointwiseArg(Scalar(v)) {}
  PointwiseArg(bool v) : PointwiseArg(Scalar(v)) {}
  PointwiseArg(llvm::StringRef s) : argKind(Kind::Text), textValue(s) {}

  Kind kind() const { return argKind; }
  bool isNone() const { return argKind == Kind::None; }
  bool isTensor() const { return argKind == Kind::Tensor; }
  bool isScalar() const { return argKind == Kind::Scalar; }
  const TensorImpl *tensor() const { return tensorValue; }
  const Scalar &scalar() const { return scalarValue; }
  llvm::StringRef text() const { return textValue; }

private:
  Kind argKind = Kind::None;
  const TensorImpl *tensorValue = nullptr;
  Scalar scalarValue;
  llvm::StringRef textValue;
};

/// Runs the operator on its arguments in schema order (all of them), and returns a new tensor.
StatusOr<Tensor> pointwise(PointwiseKind kind, ArrayRef<PointwiseArg> args);
/// Runs the operator and writes the result into self, args[0], which must have the result's shape and a dtype the
/// result can be cast to.
Status pointwiseInPlace(PointwiseKind kind, const Tensor &self, ArrayRef<PointwiseArg> args);
/// Runs the operator and writes the result into `out`, which is resized.
Status pointwiseOut(PointwiseKind kind, const Tensor &out, ArrayRef<PointwiseArg> args);

} // namespace tsc

#endif
