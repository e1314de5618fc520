//===- Indexing.h - Gather, scatter, masks, rearrangement -------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None. Names that end in InPlace write into `self` and return it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_INDEXING_H
#define TSC_KERNELS_INDEXING_H

#include "tsc/Kernels/Views.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>

namespace tsc::cpu {

/// Returns self[indices]: undefined entries are `:`, bool and uint8 masks select, integer tensors broadcast together.
StatusOr<Tensor> index(const Tensor &self, TensorList indices);
StatusOr<Tensor> indexPutInPlace(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate);
StatusOr<Tensor> indexPut(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate);
StatusOr<Tensor> indexPutImplInPlace(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate,
                                     bool unsafe);
StatusOr<Tensor> indexSelect(const Tensor &self, int64_t dim, const Tensor &index);
StatusOr<Tensor> gather(const Tensor &self, int64_t dim, const Tensor &index, bool sparseGrad = false);
StatusOr<Tensor> scatterSrc(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src);
StatusOr<Tensor> scatterValue(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value);
StatusOr<Tensor> scatterSrcReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                  llvm::StringRef reduce);
StatusOr<Tensor> scatterValueReduce(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value,
                                    llvm::StringRef reduce);
StatusOr<Tensor> scatterAdd(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src);
StatusOr<Tensor> scatterReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                               llvm::StringRef reduce, bool includeSelf);
StatusOr<Tensor> scatterSrcInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src);
StatusOr<Tensor> scatterValueInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value);
StatusOr<Tensor> scatterSrcReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                         llvm::StringRef reduce);
StatusOr<Tensor> scatterValueReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value,
                                           llvm::StringRef reduce);
StatusOr<Tensor> scatterAddInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src);
StatusOr<Tensor> scatterReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src,
                                      llvm::StringRef reduce, bool includeSelf);
StatusOr<Tensor> indexAdd(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                          const Scalar &alpha);
StatusOr<Tensor> indexCopy(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source);
StatusOr<Tensor> indexFillScalar(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value);
StatusOr<Tensor> indexFillTensor(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value);
StatusOr<Tensor> indexReduce(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                             llvm::StringRef reduce, bool includeSelf);
StatusOr<Tensor> indexAddInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                                 const Scalar &alpha);
StatusOr<Tensor> indexCopyInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source);
StatusOr<Tensor> indexFillScalarInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value);
StatusOr<Tensor> indexFillTensorInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value);
StatusOr<Tensor> indexReduceInPlace(const Tensor &self, int64_t dim, const Tensor &index, const Tensor &source,
                                    llvm::StringRef reduce, bool includeSelf);
StatusOr<Tensor> take(const Tensor &self, const Tensor &index);
StatusOr<Tensor> takeAlongDim(const Tensor &self, const Tensor &indices, OptInt dim);
StatusOr<Tensor> put(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate);
StatusOr<Tensor> putInPlace(const Tensor &self, const Tensor &index, const Tensor &source, bool accumulate);
StatusOr<Tensor> maskedSelect(const Tensor &self, const Tensor &mask);
StatusOr<Tensor> maskedScatter(const Tensor &self, const Tensor &mask, const Tensor &source);
StatusOr<Tensor> maskedScatterInPlace(const Tensor &self, const Tensor &mask, const Tensor &source);
StatusOr<Tensor> nonzero(const Tensor &self);
TensorsOr nonzeroNumpy(const Tensor &self);
StatusOr<Tensor> argwhere(const Tensor &self);
StatusOr<Tensor> embedding(const Tensor &weight, const Tensor &indices, int64_t paddingIdx, bool scaleGradByFreq,
                           bool sparse);
/// Shortens the rows that the indices name to a norm of at most maxNorm.
StatusOr<Tensor> embeddingRenormInPlace(const Tensor &self, const Tensor &indices, double maxNorm, double normType);
StatusOr<Tensor> oneHot(const Tensor &self, int64_t numClasses);
StatusOr<Tensor> searchsortedTensor(const Tensor &sorted, const Tensor &self, bool outInt32, bool right,
                                    std::optional<llvm::StringRef> side, const Tensor &sorter);
StatusOr<Tensor> searchsortedScalar(const Tensor &sorted, const Scalar &self, bool outInt32, bool right,
                                    std::optional<llvm::StringRef> side, const Tensor &sorter);
StatusOr<Tensor> bucketizeTensor(const Tensor &self, const Tensor &boundaries, bool outInt32, bool right);
StatusOr<Tensor> bucketizeScalar(const Scalar &self, const Tensor &boundaries, bool outInt32, bool right);
StatusOr<Tensor> isinTensor(const Tensor &elements, const Tensor &testElements, bool assumeUnique, bool invert);
StatusOr<Tensor> isinTensorScalar(const Tensor &elements, const Scalar &testElement, bool assumeUnique, bool invert);
StatusOr<Tensor> isinScalarTensor(const Scalar &element, const Tensor &testElements, bool assumeUnique, bool invert);

// Rearranging (Rearrange.cpp).
StatusOr<Tensor> repeatInterleaveTensor(const Tensor &repeats, OptInt outputSize);
StatusOr<Tensor> repeatInterleaveSelfTensor(const Tensor &self, const Tensor &repeats, OptInt dim, OptInt outputSize);
StatusOr<Tensor> repeatInterleaveSelfInt(const Tensor &self, int64_t repeats, OptInt dim, OptInt outputSize);
StatusOr<Tensor> roll(const Tensor &self, ArrayRef<int64_t> shifts, ArrayRef<int64_t> dims);
StatusOr<Tensor> flip(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> fliplr(const Tensor &self);
StatusOr<Tensor> flipud(const Tensor &self);
StatusOr<Tensor> rot90(const Tensor &self, int64_t k, ArrayRef<int64_t> dims);
StatusOr<Tensor> tril(const Tensor &self, int64_t diagonal);
StatusOr<Tensor> triu(const Tensor &self, int64_t diagonal);
StatusOr<Tensor> diag(const Tensor &self, int64_t diagonal);
StatusOr<Tensor> diagEmbed(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2);
StatusOr<Tensor> diagflat(const Tensor &self, int64_t offset);
TensorsOr meshgrid(TensorList tensors);
TensorsOr meshgridIndexing(TensorList tensors, llvm::StringRef indexing);
StatusOr<Tensor> cartesianProd(TensorList tensors);
StatusOr<Tensor> combinations(const Tensor &self, int64_t r, bool withReplacement);

// Padding (Pad.cpp).
StatusOr<Tensor> pad(const Tensor &self, ArrayRef<int64_t> pad, llvm::StringRef mode, std::optional<double> value);
StatusOr<Tensor> padEnum(const Tensor &self, ArrayRef<int64_t> pad, int64_t mode, std::optional<double> value);
/// Returns sequences of different lengths, padded to the longest: [length, batch, …], or [batch, length, …].
StatusOr<Tensor> padSequence(TensorList sequences, bool batchFirst, double paddingValue, llvm::StringRef paddingSide);
StatusOr<Tensor> padCircular(const Tensor &self, ArrayRef<int64_t> pad);
StatusOr<Tensor> constantPadNd(const Tensor &self, ArrayRef<int64_t> pad, const Scalar &value);
StatusOr<Tensor> reflectionPad1d(const Tensor &self, ArrayRef<int64_t> padding);
StatusOr<Tensor> reflectionPad2d(const Tensor &self, ArrayRef<int64_t> padding);
StatusOr<Tensor> reflectionPad3d(const Tensor &self, ArrayRef<int64_t> padding);
StatusOr<Tensor> replicationPad1d(const Tensor &self, ArrayRef<int64_t> padding);
StatusOr<Tensor> replicationPad2d(const Tensor &self, ArrayRef<int64_t> padding);
StatusOr<Tensor> replicationPad3d(const Tensor &self, ArrayRef<int64_t> padding);

// Numbers along a dimension.
StatusOr<Tensor> trapezoidDx(const Tensor &y, const Scalar &dx, int64_t dim);
StatusOr<Tensor> trapezoidX(const Tensor &y, const Tensor &x, int64_t dim);
StatusOr<Tensor> trapzDx(const Tensor &y, double dx, int64_t dim);
StatusOr<Tensor> cumulativeTrapezoidDx(const Tensor &y, const Scalar &dx, int64_t dim);
StatusOr<Tensor> cumulativeTrapezoidX(const Tensor &y, const Tensor &x, int64_t dim);
StatusOr<Tensor> diff(const Tensor &self, int64_t n, int64_t dim, const Tensor &prepend, const Tensor &append);

/// Return central differences, one-sided at the edges, along each dimension asked for: one tensor for each.
TensorsOr gradientScalar(const Tensor &self, const std::optional<Scalar> &spacing, OptInt dim, int64_t edgeOrder);
TensorsOr gradientDims(const Tensor &self, ArrayRef<int64_t> dims, int64_t edgeOrder);
TensorsOr gradientScalarDims(const Tensor &self, const Scalar &spacing, ArrayRef<int64_t> dims, int64_t edgeOrder);
TensorsOr gradientTensors(const Tensor &self, TensorList spacing, OptInt dim, int64_t edgeOrder);
TensorsOr gradientTensorsDims(const Tensor &self, TensorList spacing, ArrayRef<int64_t> dims, int64_t edgeOrder);

// Comparisons of whole tensors and questions (Queries.cpp).
StatusOr<bool> equal(const Tensor &self, const Tensor &other);
StatusOr<bool> allclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equalNan);
StatusOr<Tensor> isclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equalNan);
StatusOr<std::vector<int64_t>> sizesOf(const Tensor &self);
StatusOr<int64_t> sizeAt(const Tensor &self, int64_t dim);
StatusOr<std::vector<int64_t>> stridesOf(const Tensor &self);
StatusOr<int64_t> strideAt(const Tensor &self, int64_t dim);
StatusOr<int64_t> numelOf(const Tensor &self);
StatusOr<int64_t> dimOf(const Tensor &self);
StatusOr<bool> isFloatingPointOf(const Tensor &self);
StatusOr<bool> isComplexOf(const Tensor &self);
StatusOr<bool> isSignedOf(const Tensor &self);
StatusOr<bool> isContiguousOf(const Tensor &self);
StatusOr<bool> isContiguousFormat(const Tensor &self, MemoryFormat format);
StatusOr<bool> isNonzero(const Tensor &self);
StatusOr<bool> isSameSize(const Tensor &self, const Tensor &other);
StatusOr<bool> isSetTo(const Tensor &self, const Tensor &other);
StatusOr<bool> isConj(const Tensor &self);
StatusOr<bool> isNeg(const Tensor &self);
StatusOr<bool> isInference(const Tensor &self);
StatusOr<bool> isPinned(const Tensor &self, std::optional<Device> device);
StatusOr<bool> isDistributed(const Tensor &self);
StatusOr<int64_t> storageOffsetOf(const Tensor &self);
StatusOr<int64_t> elementSizeOf(const Tensor &self);
StatusOr<int64_t> getDevice(const Tensor &self);
StatusOr<int64_t> versionOf(const Tensor &self);
StatusOr<Scalar> item(const Tensor &self);
StatusOr<Tensor> shapeAsTensor(const Tensor &self);
StatusOr<int64_t> resultTypeTensor(const Tensor &a, const Tensor &b);
StatusOr<int64_t> resultTypeScalar(const Tensor &a, const Scalar &b);
StatusOr<int64_t> resultTypeScalarTensor(const Scalar &a, const Tensor &b);
StatusOr<int64_t> resultTypeScalarScalar(const Scalar &a, const Scalar &b);
StatusOr<std::vector<int64_t>> inferSize(ArrayRef<int64_t> a, ArrayRef<int64_t> b);
StatusOr<bool> canCastOp(DType from, DType to);
StatusOr<int64_t> promoteTypesOp(DType a, DType b);

} // namespace tsc::cpu

#endif
