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

struct PointwiseCall {
  /// A number that the body reads: the value of an argument, or whether an optional one is there.
  struct Uniform {
    Scalar value;
    unsigned argument;
    bool isPresence;
    NumberConversion conversion; ///< Another value of the argument has to go through it first.
  };
  unsigned body;  ///< Its number in PointwiseBodies.inc.
  DType compute;  ///< Float, Double or Int64, which operands are converted to; Bool computes in Int64 with 0 and 1.
  DType promoted; ///< What operands that take part in promotion are rounded to before that.
  DType result;   ///< What the body's value is converted to.
  Dims sizes, strides; ///< Of a new result.
  llvm::SmallVector<int, 4>
      tensors; ///< The body's operands, as positions of arguments; -1 where an optional one is None.
  llvm::SmallVector<Uniform, 2> uniforms;
  bool checksNumbers = false; ///< Whether another value of a number may be refused, or have another body.
};

/// The call on these operands, of which tensors need no storage. An error is the call's own, or Unimplemented for what
/// no code generator takes: complex numbers, and checks that read the elements of an operand.
StatusOr<PointwiseCall> describeCall(PointwiseKind kind, ArrayRef<PointwiseArg> args);

/// The eager kernel of a body: out[i] = body(in[k][i * steps[k]]…), all of the compute type. Null where the operator is
/// not defined on it.
using PointwiseKernel = void (*)(void *out, const void *const *in, const uint8_t *steps, const void *uniforms,
                                 int64_t count);
PointwiseKernel eagerKernel(DType compute, unsigned body);

} // namespace tsc

#endif
