//===- PointwiseCall.h - What a point-wise call would compute ---*- C++ -*-===//
//
// For code generators: the scalar body, dtypes, shape and numbers of a call of a
// point-wise operator, found by the engine's own rules, with nothing computed. The
// bodies themselves are templates over a builder (tsc/Kernels/PointwiseBodies.inc).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_POINTWISECALL_H
#define TSC_KERNELS_POINTWISECALL_H

#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/SmallVector.h"

namespace tsc {

/// What a call of a point-wise operator computes, without anything computed.
struct PointwiseCall {
  /// A number that the body reads: the value of an argument, or whether an optional one is there.
  struct Uniform {
    Scalar value;
    unsigned argument;
    bool isPresence;
    NumberConversion conversion; ///< What another value of the argument has to go through first.
  };
  unsigned body;  ///< The body's number in PointwiseBodies.inc.
  DType compute;  ///< Float, Double or Int64, which operands are converted to; Bool computes in Int64 with 0 and 1.
  DType promoted; ///< The dtype that operands which take part in promotion are rounded to before that.
  DType result;   ///< The dtype that the body's value is converted to.
  Dims sizes, strides; ///< Those of a new result.
  /// The body's operands, as positions of arguments; -1 where an optional one is None.
  llvm::SmallVector<int, 4> tensors;
  llvm::SmallVector<Uniform, 2> uniforms;
  bool checksNumbers = false; ///< Whether another value of a number may be refused, or have another body.
};

/// Describes the call on these operands, of which tensors need no storage. An error is the call's own, or Unimplemented
/// for what no code generator takes: complex numbers, checks that read the elements of an operand, and a few operators
/// on half types.
StatusOr<PointwiseCall> describeCall(PointwiseKind kind, ArrayRef<PointwiseArg> args);

/// The eager kernel of a body: out[i] = body(in[k][i * steps[k]]…), all of the compute type.
using PointwiseKernel = void (*)(void *out, const void *const *in, const uint8_t *steps, const void *uniforms,
                                 int64_t count);
/// Returns the kernel of a body, one of PointwiseBodies.inc; null where the operator is not defined on the dtype.
PointwiseKernel eagerKernel(DType compute, unsigned body);

} // namespace tsc

#endif
