//===- Reductions.h - Kernels of Reductions.td ------------------*- C++ -*-===//
//
// Sums are blocked in a fixed order, so that a result does not depend on threads
// and its error grows with the logarithm of the count.
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_REDUCTIONS_H
#define TSC_KERNELS_REDUCTIONS_H

#include "tsc/Tensor/Tensor.h"
#include <optional>
#include <tuple>

namespace tsc::cpu {

/// The dimensions that an operator reduces; nothing for all of them.
using OptionalDims = std::optional<ArrayRef<int64_t>>;
/// The two results of an operator.
using TensorPair = std::tuple<Tensor, Tensor>;

// Sums and products. No dimensions, or an empty list, means all of them.
StatusOr<Tensor> sum(const Tensor &self, std::optional<DType> dtype);
StatusOr<Tensor> sumDims(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype);
StatusOr<Tensor> sumToSize(const Tensor &self, ArrayRef<int64_t> size);
StatusOr<Tensor> gradSumToSize(const Tensor &self, OptionalDims size);
StatusOr<Tensor> nansum(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype);
StatusOr<Tensor> mean(const Tensor &self, std::optional<DType> dtype);
StatusOr<Tensor> meanDims(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype);
StatusOr<Tensor> nanmean(const Tensor &self, OptionalDims dims, bool keepDim, std::optional<DType> dtype);
StatusOr<Tensor> prod(const Tensor &self, std::optional<DType> dtype);
StatusOr<Tensor> prodDim(const Tensor &self, int64_t dim, bool keepDim, std::optional<DType> dtype);
StatusOr<Tensor> all(const Tensor &self);
StatusOr<Tensor> allDim(const Tensor &self, int64_t dim, bool keepDim);
StatusOr<Tensor> any(const Tensor &self);
StatusOr<Tensor> anyDim(const Tensor &self, int64_t dim, bool keepDim);
StatusOr<Tensor> countNonzero(const Tensor &self, std::optional<int64_t> dim);
StatusOr<Tensor> countNonzeroDims(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> logsumexp(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim);

// Moments.
StatusOr<Tensor> var(const Tensor &self, bool unbiased);
StatusOr<Tensor> varDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim);
StatusOr<Tensor> varCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim);
StatusOr<Tensor> stdDev(const Tensor &self, bool unbiased);
StatusOr<Tensor> stdDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim);
StatusOr<Tensor> stdCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction, bool keepDim);
StatusOr<TensorPair> varMean(const Tensor &self, bool unbiased);
StatusOr<TensorPair> varMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim);
StatusOr<TensorPair> varMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                       bool keepDim);
StatusOr<TensorPair> stdMean(const Tensor &self, bool unbiased);
StatusOr<TensorPair> stdMeanDims(const Tensor &self, OptionalDims dims, bool unbiased, bool keepDim);
StatusOr<TensorPair> stdMeanCorrection(const Tensor &self, OptionalDims dims, std::optional<int64_t> correction,
                                       bool keepDim);

// Extrema. A NaN wins; the index is that of the first of equals.
StatusOr<Tensor> max(const Tensor &self);
StatusOr<Tensor> min(const Tensor &self);
StatusOr<TensorPair> maxDim(const Tensor &self, int64_t dim, bool keepDim);
StatusOr<TensorPair> minDim(const Tensor &self, int64_t dim, bool keepDim);
StatusOr<Tensor> amax(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim);
StatusOr<Tensor> amin(const Tensor &self, ArrayRef<int64_t> dims, bool keepDim);
StatusOr<TensorPair> aminmax(const Tensor &self, std::optional<int64_t> dim, bool keepDim);
StatusOr<Tensor> argmax(const Tensor &self, std::optional<int64_t> dim, bool keepDim);
StatusOr<Tensor> argmin(const Tensor &self, std::optional<int64_t> dim, bool keepDim);

// Scans.
StatusOr<Tensor> cumsum(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<Tensor> cumprod(const Tensor &self, int64_t dim, std::optional<DType> dtype);
StatusOr<TensorPair> cummax(const Tensor &self, int64_t dim);
StatusOr<TensorPair> cummin(const Tensor &self, int64_t dim);
StatusOr<Tensor> logcumsumexp(const Tensor &self, int64_t dim);

} // namespace tsc::cpu

#endif
