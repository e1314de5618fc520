//===- Call.h - One point-wise operator on given operands -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POINTWISE_CALL_H
#define TSC_LIB_KERNELS_POINTWISE_CALL_H

#include "Engine.h"
#include "llvm/ADT/SmallVector.h"

namespace tsc::pw {

/// The numbers of a call, in the kernel's element type, one behind the other.
struct alignas(16) Uniforms {
  char bytes[maxUniforms * 16];
};

/// One call, with everything decided but the walk.
struct Call {
  const Op *op;
  Kernel kernel;
  unsigned body;  ///< The kernel's index.
  DType promoted; ///< What operands that take part in promotion are rounded to.
  DType buffer;   ///< Element type of the kernel.
  size_t bytes;   ///< Its size.
  Uniforms uniforms;
  /// The tensor operands in order; null for an optional one that is None.
  llvm::SmallVector<const TensorImpl *, 4> tensors;
  llvm::SmallVector<Tensor, 0> rounded; ///< Those of `tensors` that the call made.
};

/// The dtype to compute in, and that of the result.
PointwiseDTypes findDTypes(const Op &op, ArrayRef<PointwiseArg> args);
/// Whether a tensor has to be rounded to `compute`, because the kernel's wider elements would keep what that cannot
/// hold: it has no dimensions, or is of integers beside a half type.
bool isRounded(const TensorImpl &operand, const PointwiseParam &param, DType compute);
/// Replaces the operands for which isRounded holds by tensors in the promoted dtype, which the call owns.
Status roundOperands(Call &call, ArrayRef<PointwiseArg> args);
/// Picks, for an argument for each parameter of the operator, the body for the string operand, finds the kernel, and
/// fills in the uniforms.
Status prepare(Call &call, const Op &op, ArrayRef<PointwiseArg> args, DType compute);
/// Returns the shape that all tensor operands broadcast to; PyTorch's error where they do not fit.
StatusOr<Dims> broadcastOperands(const Call &call);

/// Sizes and strides, in elements, of a result.
struct Geometry {
  Dims sizes, strides; ///< Strides are empty when the result is row-major.
  bool isRowMajor;
};
/// Returns the geometry of a result that the call allocates: the broadcast shape, and the order of dimensions that the
/// operands show. Fails where shapes do not fit.
StatusOr<Geometry> resultGeometry(const Call &call);
/// One element, converted to `buffer` and repeated over a vector.
void fillSplat(char *to, DType buffer, const void *element, DType dtype);

inline const void *dataOf(const TensorImpl &t) {
  assert(t.storage && "an operand that is read stands in a storage");
  return static_cast<const char *>(t.storage->data()) + t.offset * itemSize(t.dtype);
}
inline void *mutableDataOf(const TensorImpl &t) {
  assert(t.storage && "a result stands in a storage");
  return static_cast<char *>(t.storage->mutableData()) + t.offset * itemSize(t.dtype);
}

} // namespace tsc::pw

#endif
