//===- MemoryFormats.h - The order of a result's elements in memory -*- C++ -*-===//
//
// Which order an operator's result has follows from its operands. Element-wise operators,
// normalization among them, keep the order of the dimensions (cpu::stridesLike); layers of
// images ask whether an operand suggests that channels lie innermost (channels_last in
// PyTorch). Here is what kernels that compute in rows need for that.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_KERNELS_SUPPORT_MEMORYFORMATS_H
#define TSC_LIB_KERNELS_SUPPORT_MEMORYFORMATS_H

#include "tsc/Kernels/Copy.h"

namespace tsc::cpu {

/// Whether the strides of a tensor of 4 or 5 dimensions grow from the channels (dimension 1) over the last dimension to
/// the first; gaps do not matter. A size of 1 shows no order; where no size does, the tensor is not
/// (suggest_memory_format in PyTorch).
bool suggestsChannelsLast(const Tensor &t);

/// Returns `t`, of 4 or 5 dimensions, with the strides of channels_last: itself where it has them, else a copy.
StatusOr<Tensor> inChannelsLast(const Tensor &t);

/// Returns `t`, or a dense copy of it with the channels innermost where they are so in `t`, but with gaps.
StatusOr<Tensor> withDenseChannels(const Tensor &t);

/// Returns a tensor without values whose dimensions have the order of those of `operand`, where that has the sizes.
StatusOr<Tensor> emptyInOrderOf(const Tensor &operand, ArrayRef<int64_t> sizes, DType dtype);

/// Returns `result`, which is row-major, or a copy of it with the order of dimensions that `operand`, of the same
/// sizes, has.
StatusOr<Tensor> inOrderOf(const Tensor &operand, Tensor result);

} // namespace tsc::cpu

#endif
