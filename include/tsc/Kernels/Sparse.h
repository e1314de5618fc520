//===- Sparse.h - Sparse and nested tensors ---------------------*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_SPARSE_H
#define TSC_KERNELS_SPARSE_H

#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Tensor/Opaque.h"

namespace tsc::cpu {

// Making sparse tensors, and their parts.
StatusOr<Tensor> sparseOfIndices(const Tensor &indices, const Tensor &values, std::optional<DType> dtype,
                                 std::optional<Layout> layout, std::optional<Device> device,
                                 std::optional<bool> pinMemory, std::optional<bool> isCoalesced = std::nullopt);
StatusOr<Tensor> sparseOfSize(const Tensor &indices, const Tensor &values, ArrayRef<int64_t> size,
                              std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                              std::optional<bool> pinMemory, std::optional<bool> isCoalesced = std::nullopt);
StatusOr<Tensor> sparseEmpty(ArrayRef<int64_t> size, std::optional<DType> dtype, std::optional<Layout> layout,
                             std::optional<Device> device, std::optional<bool> pinMemory);
StatusOr<Tensor> toSparse(const Tensor &self, std::optional<Layout> layout = std::nullopt,
                          std::optional<ArrayRef<int64_t>> blockSize = std::nullopt,
                          std::optional<int64_t> denseDims = std::nullopt);
StatusOr<Tensor> toSparseDims(const Tensor &self, int64_t sparseDim);
/// Returns the strided tensor; of a strided one, a copy. `maskedGrad` says where a gradient is, and nothing of the
/// result.
StatusOr<Tensor> toDense(const Tensor &self, std::optional<DType> dtype, std::optional<bool> maskedGrad = std::nullopt);
StatusOr<Tensor> coalesce(const Tensor &self);
StatusOr<bool> isCoalesced(const Tensor &self);
/// Returns the same elements in a tensor that says that it is coalesced, or that it is not; nothing is checked.
StatusOr<Tensor> markCoalesced(const Tensor &self, bool isCoalesced);
/// Return the parts of a coalesced tensor, int64 [sparse dimensions, count] and [count, dense dimensions...]; an error
/// for one that is not coalesced. rawIndices and rawValues take any.
StatusOr<Tensor> sparseIndices(const Tensor &self);
StatusOr<Tensor> sparseValues(const Tensor &self);
StatusOr<Tensor> rawIndices(const Tensor &self);
StatusOr<Tensor> rawValues(const Tensor &self);
StatusOr<int64_t> numSpecified(const Tensor &self);
StatusOr<int64_t> numSparseDims(const Tensor &self);
StatusOr<int64_t> numDenseDims(const Tensor &self);
/// Returns a matrix of compressed rows (CSR).
StatusOr<Tensor> sparseOfRows(const Tensor &starts, const Tensor &columns, const Tensor &values, ArrayRef<int64_t> size,
                              std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                              std::optional<bool> pinMemory);
/// Returns a matrix, strided or sparse, in compressed rows.
StatusOr<Tensor> toRows(const Tensor &self);
/// Return crow_indices and col_indices of a matrix of compressed rows.
StatusOr<Tensor> rowStarts(const Tensor &self);
StatusOr<Tensor> columnIndices(const Tensor &self);

// Computing with them.
StatusOr<Tensor> sparseMm(const Tensor &sparse, const Tensor &dense);
StatusOr<Tensor> sparseSum(const Tensor &self);
StatusOr<Tensor> sparseSumDims(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> sparseSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<Tensor> sparseLogSoftmax(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<Tensor> sparseMask(const Tensor &self, const Tensor &mask);
StatusOr<Tensor> sparseTranspose(const Tensor &self, int64_t dim0, int64_t dim1);
/// Computes a point-wise operator whose operands are sparse: sums, products, quotients by a number, and functions that
/// keep zero. Others, and nested tensors, are refused with InvalidArgument, which says `name`.
StatusOr<Tensor> pointwiseOfOpaque(PointwiseKind kind, llvm::StringRef name, ArrayRef<PointwiseArg> args);
/// Returns a sparse tensor with its values in another dtype; nested tensors are refused.
StatusOr<Tensor> opaqueToDType(const Tensor &self, DType dtype);
/// Returns a copy of a sparse or nested tensor that shares no values with it.
StatusOr<Tensor> cloneOpaque(const Tensor &self);

// Nested tensors: batches of sequences of different lengths.
/// Returns a nested tensor of the rows of `padded` [batch, length, features] that `mask` [batch, length] keeps. With
/// `maskCheck`, InvalidArgument unless isLeftAligned().
StatusOr<Tensor> nestedFromMask(const Tensor &padded, const Tensor &mask, bool maskCheck);
/// Whether the mask keeps the first rows of each sequence, and no others.
StatusOr<bool> isLeftAligned(const Tensor &padded, const Tensor &mask);
/// Returns the sequences padded to the longest, or to `outputSize`, which must not be smaller.
StatusOr<Tensor> nestedToPadded(const Tensor &self, double padding, std::optional<ArrayRef<int64_t>> outputSize);

} // namespace tsc::cpu

#endif
