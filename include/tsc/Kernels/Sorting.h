//===- Sorting.h - Order along a dimension ----------------------*- C++ -*-===//
#ifndef TSC_KERNELS_SORTING_H
#define TSC_KERNELS_SORTING_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

using TensorPair = std::tuple<Tensor, Tensor>;
using TensorTriple = std::tuple<Tensor, Tensor, Tensor>;

/// Values and their indices; NaN counts as the largest. Always stable.
StatusOr<TensorPair> sort(const Tensor &self, int64_t dim, bool descending);
StatusOr<TensorPair> sortStable(const Tensor &self, std::optional<bool> stable, int64_t dim, bool descending);
StatusOr<Tensor> argsort(const Tensor &self, int64_t dim, bool descending);
StatusOr<Tensor> argsortStable(const Tensor &self, bool stable, int64_t dim, bool descending);
StatusOr<Tensor> msort(const Tensor &self);
StatusOr<TensorPair> topk(const Tensor &self, int64_t k, int64_t dim, bool largest, bool sorted);
StatusOr<TensorPair> kthvalue(const Tensor &self, int64_t k, int64_t dim, bool keepdim);
StatusOr<Tensor> median(const Tensor &self);
StatusOr<TensorPair> medianDim(const Tensor &self, int64_t dim, bool keepdim);
StatusOr<Tensor> nanmedian(const Tensor &self);
StatusOr<TensorPair> nanmedianDim(const Tensor &self, int64_t dim, bool keepdim);
StatusOr<TensorPair> mode(const Tensor &self, int64_t dim, bool keepdim);

/// Distinct elements, the index of each element among them, and how often each occurs.
StatusOr<TensorPair> unique(const Tensor &self, bool sorted, bool returnInverse);
StatusOr<TensorTriple> unique2(const Tensor &self, bool sorted, bool returnInverse, bool returnCounts);
StatusOr<TensorTriple> uniqueDim(const Tensor &self, int64_t dim, bool sorted, bool returnInverse, bool returnCounts);
StatusOr<TensorTriple> uniqueConsecutive(const Tensor &self, bool returnInverse, bool returnCounts,
                                         std::optional<int64_t> dim);
StatusOr<TensorTriple> uniqueDimConsecutive(const Tensor &self, int64_t dim, bool returnInverse, bool returnCounts);
StatusOr<Tensor> bincount(const Tensor &self, const Tensor &weights, int64_t minlength);
using HistogramGrid = std::tuple<Tensor, std::vector<Tensor>>; ///< Counts, and the edges of each dimension.
using OptionalRange =
    std::optional<ArrayRef<double>>; ///< Lowest and highest edge of each dimension; of the data when absent.
StatusOr<HistogramGrid> histogramdd(const Tensor &self, ArrayRef<int64_t> bins, OptionalRange range,
                                    const Tensor &weight, bool density);
StatusOr<HistogramGrid> histogramddBins(const Tensor &self, int64_t bins, OptionalRange range, const Tensor &weight,
                                        bool density);
StatusOr<HistogramGrid> histogramddEdges(const Tensor &self, ArrayRef<Tensor> bins, OptionalRange range,
                                         const Tensor &weight, bool density);
StatusOr<TensorPair> histogramEdges(const Tensor &self, const Tensor &bins, const Tensor &weight, bool density);
StatusOr<TensorPair> histogramBins(const Tensor &self, int64_t bins, OptionalRange range, const Tensor &weight,
                                   bool density);
StatusOr<Tensor> histc(const Tensor &self, int64_t bins, const Scalar &min, const Scalar &max);

/// `interpolation` says which value stands for a rank between two elements: linear, lower, higher, midpoint, nearest.
StatusOr<Tensor> quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                          llvm::StringRef interpolation);
StatusOr<Tensor> quantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                llvm::StringRef interpolation);
StatusOr<Tensor> nanquantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                             llvm::StringRef interpolation);
StatusOr<Tensor> nanquantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                   llvm::StringRef interpolation);

} // namespace tsc::cpu

#endif
