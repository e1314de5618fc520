//===- Sorting.h - Order along a dimension ----------------------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None. Names that end in InPlace write into `self` and return it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_SORTING_H
#define TSC_KERNELS_SORTING_H

#include "tsc/Tensor/Tensor.h"
#include <tuple>

namespace tsc::cpu {

/// The two results of an operator.
using TensorPair = std::tuple<Tensor, Tensor>;
/// The three results of an operator.
using TensorTriple = std::tuple<Tensor, Tensor, Tensor>;

/// Return the sorted values and their indices; NaN counts as the largest. Sorting is always stable.
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

/// Return the distinct elements, the index of each element among them, and how often each occurs.
StatusOr<TensorPair> unique(const Tensor &self, bool sorted, bool returnInverse);
StatusOr<TensorTriple> unique2(const Tensor &self, bool sorted, bool returnInverse, bool returnCounts);
StatusOr<TensorTriple> uniqueDim(const Tensor &self, int64_t dim, bool sorted, bool returnInverse, bool returnCounts);
StatusOr<TensorTriple> uniqueConsecutive(const Tensor &self, bool returnInverse, bool returnCounts,
                                         std::optional<int64_t> dim);
StatusOr<TensorTriple> uniqueDimConsecutive(const Tensor &self, int64_t dim, bool returnInverse, bool returnCounts);
StatusOr<Tensor> bincount(const Tensor &self, const Tensor &weights, int64_t minlength);
/// The counts of a histogram, and the edges of each dimension.
using HistogramGrid = std::tuple<Tensor, std::vector<Tensor>>;
/// The lowest and the highest edge of each dimension; those of the data when absent.
using OptionalRange = std::optional<ArrayRef<double>>;
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

/// Return the quantiles `q`. `interpolation` says which value stands for a rank between two elements: linear, lower,
/// higher, midpoint, nearest.
StatusOr<Tensor> quantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                          llvm::StringRef interpolation);
/// Returns the quantile `q`, as quantile() with one number does, without a dimension for it.
StatusOr<Tensor> quantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                llvm::StringRef interpolation);
StatusOr<Tensor> nanquantile(const Tensor &self, const Tensor &q, std::optional<int64_t> dim, bool keepdim,
                             llvm::StringRef interpolation);
/// Returns the quantile `q` of the elements that are not NaN, without a dimension for it.
StatusOr<Tensor> nanquantileScalar(const Tensor &self, double q, std::optional<int64_t> dim, bool keepdim,
                                   llvm::StringRef interpolation);

} // namespace tsc::cpu

#endif
