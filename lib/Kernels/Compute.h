//===- Compute.h - Small helpers of the larger kernels ----------*- C++ -*-===//
//
// Kernels here are written for few element types (float and double, often in
// double alone) on row-major operands; these helpers bring operands into that form
// and results back.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_COMPUTE_H
#define TSC_LIB_KERNELS_COMPUTE_H

#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Dispatch.h"
#include "tsc/Tensor/Promotion.h"
#include <string>

namespace tsc::cpu {

/// "Float", as PyTorch names a scalar type in messages.
inline std::string dtypeText(DType dtype) { return irName(dtype).str(); }

/// Row-major, without lazy conjugation, of the given dtype.
inline StatusOr<Tensor> dense(const Tensor &t, DType dtype) {
  if (t.dtype() == dtype)
    return contiguous(t);
  TSC_ASSIGN_OR_RETURN(Tensor converted, toDType(t, dtype));
  return contiguous(converted);
}
/// Float for the half types, else the dtype itself.
inline DType workType(DType dtype) { return dtype == DType::Half || dtype == DType::BFloat16 ? DType::Float : dtype; }
/// The default floating dtype for integers and bool, else the dtype itself.
inline DType floatType(DType dtype) { return isIntegral(dtype, true) ? DType::Float : dtype; }

/// Elementwise combination of dense double tensors that broadcast together.
template <typename Fn> StatusOr<Tensor> zip(const Tensor &a, const Tensor &b, DType dtype, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastShapes(a.sizes(), b.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor ax, expand(a, shape));
  TSC_ASSIGN_OR_RETURN(Tensor bx, expand(b, shape));
  TSC_ASSIGN_OR_RETURN(Tensor ad, dense(ax, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor bd, dense(bx, DType::Double));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, DType::Double));
  const double *pa = ad.data<double>(), *pb = bd.data<double>();
  double *po = out.mutableData<double>();
  for (int64_t i = 0, n = out.numel(); i < n; ++i)
    po[i] = fn(pa[i], pb[i]);
  return toDType(out, dtype);
}

/// A binary elementwise operation in the operands' promoted dtype.
enum class Arith { Add, Sub, Mul, Div };
StatusOr<Tensor> arith(Arith op, const Tensor &a, const Tensor &b);
/// self * factor, in self's dtype.
StatusOr<Tensor> scaled(const Tensor &self, const Scalar &factor);
/// beta * self (broadcast to product's shape) + alpha * product, in product's dtype; self is not read when beta is 0.
StatusOr<Tensor> blend(const Tensor &self, const Scalar &beta, const Tensor &product, const Scalar &alpha);
/// sum over dimensions (all when empty), in self's dtype.
StatusOr<Tensor> sumOver(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim);

} // namespace tsc::cpu

#endif
