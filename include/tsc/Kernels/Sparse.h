//===- Sparse.h - Sparse and nested tensors ---------------------*- C++ -*-===//
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
/// `maskedGrad` says where a gradient is, and nothing of the result.
StatusOr<Tensor> toDense(const Tensor &self, std::optional<DType> dtype, std::optional<bool> maskedGrad = std::nullopt);
StatusOr<Tensor> coalesce(const Tensor &self);
StatusOr<bool> isCoalesced(const Tensor &self);
StatusOr<Tensor> markCoalesced(const Tensor &self, bool isCoalesced);
/// Of a coalesced tensor, and of any.
StatusOr<Tensor> sparseIndices(const Tensor &self);
StatusOr<Tensor> sparseValues(const Tensor &self);
StatusOr<Tensor> rawIndices(const Tensor &self);
StatusOr<Tensor> rawValues(const Tensor &self);
StatusOr<int64_t> numSpecified(const Tensor &self);
StatusOr<int64_t> numSparseDims(const Tensor &self);
StatusOr<int64_t> numDenseDims(const Tensor &self);
/// Matrices of compressed rows.
StatusOr<Tensor> sparseOfRows(const Tensor &starts, const Tensor &columns, const Tensor &values, ArrayRef<int64_t> size,
                              std::optional<DType> dtype, std::optional<Layout> layout, std::optional<Device> device,
                              std::optional<bool> pinMemory);
StatusOr<Tensor> toRows(const Tensor &self);
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
/// A point-wise operator whose operands are sparse or nested: sums, products, and what keeps zero.
StatusOr<Tensor> pointwiseOfOpaque(PointwiseKind kind, llvm::StringRef name, ArrayRef<PointwiseArg> args);
/// The elements' values in another dtype, or a copy of them in the same.
StatusOr<Tensor> opaqueToDType(const Tensor &self, DType dtype);
StatusOr<Tensor> cloneOpaque(const Tensor &self);

// Batches of sequences of different lengths.
StatusOr<Tensor> nestedFromMask(const Tensor &padded, const Tensor &mask, bool maskCheck);
StatusOr<bool> isLeftAligned(const Tensor &padded, const Tensor &mask);
StatusOr<Tensor> nestedToPadded(const Tensor &self, double padding, std::optional<ArrayRef<int64_t>> outputSize);

} // namespace tsc::cpu

#endif
