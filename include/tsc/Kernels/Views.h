//===- Views.h - Other geometry, same storage -------------------*- C++ -*-===//
//
// Unless its comment says otherwise, a function is the kernel of an operator whose
// record in include/tsc/IR/Ops names it, and computes what PyTorch computes for that
// operator, or fails with its message. Arguments are those of the schema, in its
// order; an undefined tensor stands for None. Names that end in InPlace write into
// `self` and return it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_VIEWS_H
#define TSC_KERNELS_VIEWS_H

#include "tsc/Tensor/Tensor.h"
#include <vector>

namespace tsc::cpu {

/// An argument of the type Tensor[].
using TensorList = ArrayRef<Tensor>;
/// A result of the type Tensor[], or why there is none.
using TensorsOr = StatusOr<std::vector<Tensor>>;
/// An argument of the type int?.
using OptInt = std::optional<int64_t>;

StatusOr<Tensor> view(const Tensor &self, ArrayRef<int64_t> size);
StatusOr<Tensor> viewDType(const Tensor &self, DType dtype);
StatusOr<Tensor> viewAs(const Tensor &self, const Tensor &other);
/// Returns a view where strides allow it, else a copy.
StatusOr<Tensor> reshape(const Tensor &self, ArrayRef<int64_t> shape);
StatusOr<Tensor> reshapeAs(const Tensor &self, const Tensor &other);
StatusOr<Tensor> reshapeAlias(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride);
StatusOr<Tensor> ravel(const Tensor &self);
StatusOr<Tensor> permute(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> transpose(const Tensor &self, int64_t dim0, int64_t dim1);
StatusOr<Tensor> t(const Tensor &self);
StatusOr<Tensor> numpyT(const Tensor &self);
StatusOr<Tensor> mT(const Tensor &self);
StatusOr<Tensor> mH(const Tensor &self);
StatusOr<Tensor> matrixH(const Tensor &self);
StatusOr<Tensor> adjoint(const Tensor &self);
StatusOr<Tensor> select(const Tensor &self, int64_t dim, int64_t index);
StatusOr<Tensor> slice(const Tensor &self, int64_t dim, OptInt start, OptInt end, int64_t step);
StatusOr<Tensor> narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length);
StatusOr<Tensor> narrowTensor(const Tensor &self, int64_t dim, const Tensor &start, int64_t length);
StatusOr<Tensor> narrowCopy(const Tensor &self, int64_t dim, int64_t start, int64_t length);
StatusOr<Tensor> squeeze(const Tensor &self);
StatusOr<Tensor> squeezeDim(const Tensor &self, int64_t dim);
/// Returns a view without those of the dimensions `dims` that have size 1.
StatusOr<Tensor> squeezeDims(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> unsqueeze(const Tensor &self, int64_t dim);
StatusOr<Tensor> expand(const Tensor &self, ArrayRef<int64_t> size, bool implicit = false);
StatusOr<Tensor> expandAs(const Tensor &self, const Tensor &other);
/// Returns self as a view of the shape that self and other broadcast to.
StatusOr<Tensor> expandWith(const Tensor &self, const Tensor &other);
StatusOr<Tensor> broadcastTo(const Tensor &self, ArrayRef<int64_t> size);
TensorsOr broadcastTensors(TensorList tensors);
StatusOr<Tensor> flatten(const Tensor &self, int64_t startDim = 0, int64_t endDim = -1);
StatusOr<Tensor> unflatten(const Tensor &self, int64_t dim, ArrayRef<int64_t> sizes);
TensorsOr unbind(const Tensor &self, int64_t dim = 0);
TensorsOr split(const Tensor &self, int64_t size, int64_t dim = 0);
TensorsOr splitWithSizes(const Tensor &self, ArrayRef<int64_t> sizes, int64_t dim = 0);
TensorsOr chunk(const Tensor &self, int64_t chunks, int64_t dim = 0);
TensorsOr tensorSplitSections(const Tensor &self, int64_t sections, int64_t dim = 0);
TensorsOr tensorSplitIndices(const Tensor &self, ArrayRef<int64_t> indices, int64_t dim = 0);
TensorsOr tensorSplitTensor(const Tensor &self, const Tensor &indicesOrSections, int64_t dim = 0);
TensorsOr hsplitInt(const Tensor &self, int64_t sections);
TensorsOr hsplitArray(const Tensor &self, ArrayRef<int64_t> indices);
TensorsOr vsplitInt(const Tensor &self, int64_t sections);
TensorsOr vsplitArray(const Tensor &self, ArrayRef<int64_t> indices);
TensorsOr dsplitInt(const Tensor &self, int64_t sections);
TensorsOr dsplitArray(const Tensor &self, ArrayRef<int64_t> indices);
StatusOr<Tensor> diagonal(const Tensor &self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
StatusOr<Tensor> diagonalCopy(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2);
StatusOr<Tensor> asStrided(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride,
                           OptInt offset = std::nullopt);
StatusOr<Tensor> unfold(const Tensor &self, int64_t dim, int64_t size, int64_t step);
StatusOr<Tensor> movedim(const Tensor &self, int64_t source, int64_t destination);
StatusOr<Tensor> movedimList(const Tensor &self, ArrayRef<int64_t> source, ArrayRef<int64_t> destination);
StatusOr<Tensor> alias(const Tensor &self);
/// Returns another tensor on the same elements, which are LongLivedTensors while it lives.
StatusOr<Tensor> reused(const Tensor &self);
/// Return views between complex numbers and their parts, a last dimension of 2.
StatusOr<Tensor> viewAsReal(const Tensor &self);
StatusOr<Tensor> viewAsComplex(const Tensor &self);
/// Return a view of the real, or the imaginary, parts. A real tensor is its own real part; for imag it is an error.
StatusOr<Tensor> real(const Tensor &self);
StatusOr<Tensor> imag(const Tensor &self);
/// Returns the conjugate in memory of its own; self where it is real.
StatusOr<Tensor> conj(const Tensor &self);
/// Return the conjugate or the negative as a view with a mark that kernels resolve when they read.
StatusOr<Tensor> conjView(const Tensor &self);
StatusOr<Tensor> negView(const Tensor &self);
StatusOr<Tensor> detach(const Tensor &self);
StatusOr<Tensor> positive(const Tensor &self);
StatusOr<Tensor> atleast1d(const Tensor &self);
StatusOr<Tensor> atleast2d(const Tensor &self);
StatusOr<Tensor> atleast3d(const Tensor &self);
TensorsOr atleast1dList(TensorList tensors);
TensorsOr atleast2dList(TensorList tensors);
TensorsOr atleast3dList(TensorList tensors);
StatusOr<Tensor> viewCopy(const Tensor &self, ArrayRef<int64_t> size);
StatusOr<Tensor> expandCopy(const Tensor &self, ArrayRef<int64_t> size, bool implicit);
StatusOr<Tensor> selectScatter(const Tensor &self, const Tensor &src, int64_t dim, int64_t index);
StatusOr<Tensor> sliceScatter(const Tensor &self, const Tensor &src, int64_t dim, OptInt start, OptInt end,
                              int64_t step);
StatusOr<Tensor> diagonalScatter(const Tensor &self, const Tensor &src, int64_t offset, int64_t dim1, int64_t dim2);
StatusOr<Tensor> asStridedScatter(const Tensor &self, const Tensor &src, ArrayRef<int64_t> size,
                                  ArrayRef<int64_t> stride, OptInt offset);
StatusOr<Tensor> pixelShuffle(const Tensor &self, int64_t factor);
StatusOr<Tensor> pixelUnshuffle(const Tensor &self, int64_t factor);
StatusOr<Tensor> channelShuffle(const Tensor &self, int64_t groups);

// Kernels that change the geometry of self itself, and return it.
StatusOr<Tensor> squeezeInPlace(const Tensor &self);
StatusOr<Tensor> squeezeDimInPlace(const Tensor &self, int64_t dim);
StatusOr<Tensor> unsqueezeInPlace(const Tensor &self, int64_t dim);
StatusOr<Tensor> tInPlace(const Tensor &self);
StatusOr<Tensor> transposeInPlace(const Tensor &self, int64_t dim0, int64_t dim1);
StatusOr<Tensor> asStridedInPlace(const Tensor &self, ArrayRef<int64_t> size, ArrayRef<int64_t> stride, OptInt offset);
StatusOr<Tensor> resizeInPlace(const Tensor &self, ArrayRef<int64_t> size, std::optional<MemoryFormat> format);
StatusOr<Tensor> resizeAsInPlace(const Tensor &self, const Tensor &other, std::optional<MemoryFormat> format);
StatusOr<Tensor> setInPlace(const Tensor &self);
StatusOr<Tensor> setTensorInPlace(const Tensor &self, const Tensor &source);
StatusOr<Tensor> setTensorStridedInPlace(const Tensor &self, const Tensor &source, int64_t offset,
                                         ArrayRef<int64_t> size, ArrayRef<int64_t> stride);
StatusOr<Tensor> detachInPlace(const Tensor &self);
StatusOr<Tensor> requiresGradInPlace(const Tensor &self, bool requiresGrad);

// Joining (in Join.cpp).
StatusOr<Tensor> cat(TensorList tensors, int64_t dim = 0);
/// Returns the strides of cat's result: channels last where the strides of all tensors are in that order, row-major
/// otherwise.
StatusOr<Dims> joinedStrides(ArrayRef<int64_t> sizes, TensorList tensors);
StatusOr<Tensor> stack(TensorList tensors, int64_t dim = 0);
StatusOr<Tensor> hstack(TensorList tensors);
StatusOr<Tensor> vstack(TensorList tensors);
StatusOr<Tensor> dstack(TensorList tensors);
StatusOr<Tensor> columnStack(TensorList tensors);
StatusOr<Tensor> blockDiag(TensorList tensors);
StatusOr<Tensor> tile(const Tensor &self, ArrayRef<int64_t> dims);
StatusOr<Tensor> repeat(const Tensor &self, ArrayRef<int64_t> repeats);

} // namespace tsc::cpu

#endif
