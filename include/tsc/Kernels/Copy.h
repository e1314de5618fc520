//===- Copy.h - Copies, casts, memory formats -------------------*- C++ -*-===//
#ifndef TSC_KERNELS_COPY_H
#define TSC_KERNELS_COPY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// Whether the elements do not stand in memory as they are: they are conjugated or negated when they are read.
inline bool isLazy(const Tensor &t) { return t.get()->conjugate || t.get()->negative; }

/// memcpy that does not stumble where `to` lies little further than `from` in its page: processors take a load whose
/// address has the low twelve bits of a store before it for one that waits for that store.
void copyBytes(void *to, const void *from, size_t bytes);

/// dst[...] = src[...]: broadcasts src to dst, converts the dtype, resolves lazy conjugation, allows the two to
/// overlap, bumps dst's version. InvalidArgument when src does not broadcast to dst.
Status copyInto(const Tensor &dst, const Tensor &src);
/// The same with rows of raw memory: `count` elements, strides in bytes. No overlap.
void convertRow(void *dst, DType dstType, int64_t dstStride, const void *src, DType srcType, int64_t srcStride,
                int64_t count);
/// Every element of dst = value, also where elements share memory. InvalidArgument when the dtype cannot hold it.
Status fillWith(const Tensor &dst, const Scalar &value);

/// self itself if it already has the format (and no lazy conjugation), else a copy that has.
StatusOr<Tensor> contiguous(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// A copy. The default (Preserve) keeps the strides of a dense tensor, else row-major.
StatusOr<Tensor> clone(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// self if it has the dtype, else a converted copy (strides preserved).
StatusOr<Tensor> toDType(const Tensor &self, DType dtype);
/// Uninitialised, with self's strides where self is dense and the format is Preserve.
StatusOr<Tensor> emptyLikeWith(const Tensor &self, DType dtype, std::optional<MemoryFormat> format = std::nullopt);
/// The strides of that tensor.
StatusOr<Dims> stridesLike(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// Makes `out` have `sizes` (row-major when that is a change), growing its storage as needed.
Status resizeOutput(const Tensor &out, ArrayRef<int64_t> sizes);
/// Whether any byte of one may be a byte of the other (exact for dense tensors, else conservative).
bool mayOverlap(const Tensor &a, const Tensor &b);
/// Whether two elements of t share memory (an expanded tensor): not to be written in place.
bool hasInternalOverlap(const Tensor &t);
/// PyTorch's refusal to write into an expanded tensor.
Status checkWritable(const Tensor &t);
/// PyTorch's refusal to write where an operand is still to be read: `written` may be the operand itself, element by
/// element, but no shifted or transposed part of it. What is neither dense nor contiguous passes unchecked.
Status checkNoPartialOverlap(const Tensor &written, const Tensor &read);
/// The same where even the operand itself will not do.
Status checkNoOverlap(const Tensor &written, const Tensor &read);
/// to[r][c] = from[c][r], elements of 1, 2, 4 or 8 bytes. `toRow`, `fromColumn`: bytes from one row of `to` to the
/// next, and from where one of its columns is read to the next. Both must not overlap.
void transposeElements(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows, int64_t columns,
                       size_t item);
/// Dense strides that keep the order of a tensor's dimensions: what an operator's fresh result has for such an input.
Dims denseStridesLike(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Whether the elements fill a block of memory without gaps or overlap, in some order of dimensions.
bool isNonOverlappingAndDense(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Strides of a dense tensor of the format.
StatusOr<Dims> stridesFor(ArrayRef<int64_t> sizes, MemoryFormat format);

// Operators.
StatusOr<Tensor> cloneOp(const Tensor &self, std::optional<MemoryFormat> format);
StatusOr<Tensor> copyInPlace(const Tensor &self, const Tensor &src, bool nonBlocking = false);
StatusOr<Tensor> copyInPlaceScalar(const Tensor &self, const Scalar &value);
StatusOr<Tensor> toDevice(const Tensor &self, Device device, DType dtype, bool nonBlocking, bool copy,
                          std::optional<MemoryFormat> format);
StatusOr<Tensor> toDTypeOp(const Tensor &self, DType dtype, bool nonBlocking, bool copy,
                           std::optional<MemoryFormat> format);
StatusOr<Tensor> toOther(const Tensor &self, const Tensor &other, bool nonBlocking, bool copy,
                         std::optional<MemoryFormat> format);
StatusOr<Tensor> toDTypeLayout(const Tensor &self, std::optional<DType> dtype, std::optional<Layout> layout,
                               std::optional<Device> device, std::optional<bool> pinMemory, bool nonBlocking, bool copy,
                               std::optional<MemoryFormat> format);
StatusOr<Tensor> toCopy(const Tensor &self, std::optional<DType> dtype, std::optional<Layout> layout,
                        std::optional<Device> device, std::optional<bool> pinMemory, bool nonBlocking,
                        std::optional<MemoryFormat> format);
/// `t.to(device?, dtype?, copy)` as the prim:: overloads pass it (dtype as its number).
StatusOr<Tensor> toPrimDevice(const Tensor &self, std::optional<Device> device, std::optional<int64_t> dtype,
                              bool nonBlocking, bool copy);
StatusOr<Tensor> toPrimDType(const Tensor &self, std::optional<int64_t> dtype, bool nonBlocking, bool copy);
StatusOr<Tensor> toPrimOther(const Tensor &self, bool nonBlocking, bool copy);
StatusOr<Tensor> typeAs(const Tensor &self, const Tensor &other);
StatusOr<Tensor> written(const Tensor &value, const Tensor &self);
/// An in-place operator's refusal of a result that self cannot hold.
Status checkWritten(ArrayRef<int64_t> sizes, DType dtype, const Tensor &self);
StatusOr<Tensor> toCPU(const Tensor &self);
StatusOr<Tensor> toCUDA(const Tensor &self);
StatusOr<Tensor> resolveConj(const Tensor &self);
StatusOr<Tensor> resolveNeg(const Tensor &self);

} // namespace tsc::cpu

#endif
