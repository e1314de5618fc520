//===- Engine.h - Inside the point-wise engine ------------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POINTWISE_ENGINE_H
#define TSC_LIB_KERNELS_POINTWISE_ENGINE_H

#include "KernelTable.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Tensor/Promotion.h"

namespace tsc::pw {

/// Looks at the operands before anything is computed; `compute` is the dtype of the computation.
using Check = Status (*)(ArrayRef<PointwiseArg> args, DType compute);

/// What the engine knows of a pointwise operator, a record of a generated table.
struct Op {
  const char *name, *dispatchName;
  ArrayRef<PointwiseParam> params;
  unsigned numTensors, numUniforms; ///< Uniforms: numbers, and for each optional operand whether it is there.
  DTypeRule dtypeRule;
  unsigned body;            ///< Index in KernelTable; of several bodies, of the one that matches no literal.
  const char *const *texts; ///< The literals of a string operand, null-terminated; their bodies follow.
  ArrayRef<double> numbers; ///< Those of the first number, whose bodies follow.
  Check check;
  bool isRowMajor; ///< The result is, whatever strides the operands have.
};
/// Returns the record of an operator.
const Op &opOf(PointwiseKind kind);

constexpr unsigned maxTensors = 6, maxUniforms = 12;
/// Bytes that an operand of step 0 must provide: one vector.
constexpr unsigned splatBytes = 64;
/// Elements that a block holds at most: a dozen buffers of floats stay in the first-level cache.
constexpr int64_t blockSize = 512;
/// Rows at least this long are computed in place; shorter ones are gathered into blocks first.
constexpr int64_t longRow = 64;

/// Returns the class of wide rows in which a computation in `dtype` takes place.
ComputeClass computeClassOf(DType dtype);
/// Returns the class for `dtype` among all, also those whose rows are of a narrow dtype itself.
ComputeClass narrowClassOf(DType dtype);
/// Returns the dtype of the rows of a compute class.
DType bufferDType(ComputeClass compute);

/// Returns the kernel of a body, or null where the operator is not defined on the compute class.
Kernel kernelFor(ComputeClass compute, unsigned body);

namespace checks {
Status integerDivisor(ArrayRef<PointwiseArg> args, DType compute);
Status integerPower(ArrayRef<PointwiseArg> args, DType compute);
Status addAlpha(ArrayRef<PointwiseArg> args, DType compute);
Status subtraction(ArrayRef<PointwiseArg> args, DType compute);
Status clampBounds(ArrayRef<PointwiseArg> args, DType compute);
Status clampLow(ArrayRef<PointwiseArg> args, DType compute);
Status clampHigh(ArrayRef<PointwiseArg> args, DType compute);
/// Refuses a number that the integer type computed in cannot hold.
Status numbers(ArrayRef<PointwiseArg> args, DType compute);
Status absolute(ArrayRef<PointwiseArg> args, DType compute);
Status polygammaOrder(ArrayRef<PointwiseArg> args, DType compute);
Status gammaDimensions(ArrayRef<PointwiseArg> args, DType compute);
Status condition(ArrayRef<PointwiseArg> args, DType compute);
Status mask(ArrayRef<PointwiseArg> args, DType compute);
Status roundingMode(ArrayRef<PointwiseArg> args, DType compute);
Status gelu(ArrayRef<PointwiseArg> args, DType compute);
Status negation(ArrayRef<PointwiseArg> args, DType compute);
Status sameDType(ArrayRef<PointwiseArg> args, DType compute);
} // namespace checks

/// Whether an operator's numbers are bounds of its operand.
inline bool isClamp(const Op &op) {
  return op.check == checks::clampBounds || op.check == checks::clampLow || op.check == checks::clampHigh;
}
inline NumberConversion conversionOf(const Op &op, DType to) { return {to, isClamp(op)}; }

} // namespace tsc::pw

#endif
