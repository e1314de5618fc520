//===- StrideOrder.h - How strides order dimensions -------------*- C++ -*-===//
//
// What kernels walk and lay out by, and what shape propagation says of a result's
// strides before anything runs (pointwiseStrides): one definition for both.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_STRIDEORDER_H
#define TSC_TENSOR_STRIDEORDER_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// Returns the stride of `t` along dimension `d` of the shape of `rank` dimensions that it broadcasts to, in elements.
/// It is 0 for an operand of more dimensions, which no result of that shape reads.
template <typename Operand> int64_t broadcastStride(const Operand &t, size_t d, size_t rank) {
  assert(d < rank && t.strides.size() == t.sizes.size() && "a dimension of the broadcast shape");
  size_t lead = rank - t.sizes.size(); // wraps to more than any dimension for an operand of more dimensions
  return d < lead || t.sizes[d - lead] == 1 ? 0 : t.strides[d - lead];
}

/// Returns the dimensions of `shape`, innermost first, in the order that the strides of operands that broadcast to it
/// show. Dimensions of which they say nothing stand as row-major has them. An operand may be null.
llvm::SmallVector<size_t, 5> strideOrder(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands);
/// Returns strides without gaps for `shape`, in the order of strideOrder().
Dims denseStrides(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands);

} // namespace tsc

#endif
