//===- Compute.h - Small helpers of the larger kernels ----------*- C++ -*-===//
//
// Kernels here are written for few element types (float and double, often in
// double alone) on row-major operands; these helpers bring operands into that form
// and results back.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SUPPORT_COMPUTE_H
#define TSC_LIB_KERNELS_SUPPORT_COMPUTE_H

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

/// PyTorch's refusal of two tensors of different dtypes; one that is undefined is of any.
inline Status checkSameDType(const Tensor &expected, const Tensor &found) {
  if (!found.defined() || expected.dtype() == found.dtype())
    return okStatus();
  return invalidArgument("expected scalar type " + dtypeText(expected.dtype()) + " but found " +
                         dtypeText(found.dtype()));
}

/// PyTorch's refusal of elements that are no floating ones.
inline Status checkFloating(const Tensor &t, const char *name) {
  return isFloating(t.dtype()) ? okStatus() : detail::dtypeNotImplemented(name, t.dtype());
}

/// Elementwise combination in double of tensors that broadcast together, block by block: what is converted stays in
/// the first-level cache.
template <typename Fn> StatusOr<Tensor> zip(const Tensor &a, const Tensor &b, DType dtype, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastShapes(a.sizes(), b.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor ax, expand(a, shape));
  TSC_ASSIGN_OR_RETURN(Tensor bx, expand(b, shape));
  TSC_ASSIGN_OR_RETURN(ax, contiguous(ax));
  TSC_ASSIGN_OR_RETURN(bx, contiguous(bx));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(shape, dtype));
  constexpr int64_t block = 512;
  constexpr DType wide = DType::Double;
  double first[block], second[block], results[block];
  auto part = [&](const Tensor &t, int64_t begin, int64_t n, double *buffer) -> const double * {
    const char *from = static_cast<const char *>(t.data()) + begin * static_cast<int64_t>(itemSize(t.dtype()));
    if (t.dtype() == wide)
      return reinterpret_cast<const double *>(from);
    convertRow(buffer, wide, sizeof(double), from, t.dtype(), itemSize(t.dtype()), n);
    return buffer;
  };
  char *to = static_cast<char *>(out.mutableData());
  const int64_t item = itemSize(dtype);
  for (int64_t begin = 0, count = out.numel(); begin < count; begin += block) {
    const int64_t n = std::min(block, count - begin);
    const double *x = part(ax, begin, n, first), *y = part(bx, begin, n, second);
    double *r = dtype == wide ? reinterpret_cast<double *>(to + begin * item) : results;
    for (int64_t i = 0; i < n; ++i)
      r[i] = fn(x[i], y[i]);
    if (dtype != wide)
      convertRow(to + begin * item, dtype, item, results, wide, sizeof(double), n);
  }
  return out;
}

/// A binary elementwise operation in the operands' promoted dtype.
enum class Arith { Add, Sub, Mul, Div };
/// Computes such an operation with broadcasting. Fails where the shapes do not fit or memory is lacking.
StatusOr<Tensor> arith(Arith op, const Tensor &a, const Tensor &b);
/// self * factor, in self's dtype.
StatusOr<Tensor> scaled(const Tensor &self, const Scalar &factor);
/// beta * self (broadcast to product's shape) + alpha * product, in product's dtype; self is not read when beta is 0.
StatusOr<Tensor> blend(const Tensor &self, const Scalar &beta, const Tensor &product, const Scalar &alpha);
/// sum over dimensions (all when empty), in self's dtype.
StatusOr<Tensor> sumOver(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim);

/// Whether channels are innermost in memory, as in images in torch.channels_last.
inline bool hasChannelsInside(const Tensor &t) {
  return (t.dim() == 4 || t.dim() == 5) && !t.isContiguous() &&
         t.isContiguous(t.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d);
}
/// Uninitialised, with the channels innermost where `self` has them there, else row-major.
StatusOr<Tensor> emptyWithChannelsOf(const Tensor &self, ArrayRef<int64_t> sizes);
/// Returns a view of the same elements with the channels, dimension 1, as last dimension.
StatusOr<Tensor> channelsToEnd(const Tensor &t);
/// Returns a view of the same elements with the last dimension as dimension 1: the reverse of channelsToEnd.
StatusOr<Tensor> channelsFromEnd(const Tensor &t);

} // namespace tsc::cpu

#endif
