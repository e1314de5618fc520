//===- Copy.h - Copies, casts, memory formats -------------------*- C++ -*-===//
#ifndef TSC_KERNELS_COPY_H
#define TSC_KERNELS_COPY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// Whether elements are conjugated or negated when they are read, so that they do not stand in memory as they are.
inline bool isLazy(const Tensor &t) { return t.get()->conjugate || t.get()->negative; }

/// Copies bytes as memcpy does, but is not slowed down where `to` lies little further than `from` in its page:
/// processors take a load whose address has the low twelve bits of a store before it for one that waits for that store.
void copyBytes(void *to, const void *from, size_t bytes);

/// Copies the elements of `src`, broadcast to the sizes of `dst`, into `dst`: converts the dtype, resolves lazy
/// conjugation, allows the two to overlap, and counts the write. InvalidArgument when `src` does not broadcast to
/// `dst`, and for sparse and nested tensors.
Status copyInto(const Tensor &dst, const Tensor &src);
/// Converts a row of `count` elements in raw memory; strides are in bytes. The two rows must not overlap.
void convertRow(void *dst, DType dstType, int64_t dstStride, const void *src, DType srcType, int64_t srcStride,
                int64_t count);
/// Sets every element of `dst` to `value`, also where elements share memory. InvalidArgument when the dtype cannot hold
/// it.
Status fillWith(const Tensor &dst, const Scalar &value);

/// Returns self itself if it has the format (row-major by default) and no lazy conjugation, else a copy that has.
StatusOr<Tensor> contiguous(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// Returns a copy. The default format (Preserve) keeps the strides of a dense tensor; others get dense strides in the
/// order of their dimensions.
StatusOr<Tensor> clone(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// Returns self if it has the dtype, else a converted copy (strides preserved).
StatusOr<Tensor> toDType(const Tensor &self, DType dtype);
/// Returns an uninitialised tensor of self's sizes, on its device, with the strides of stridesLike().
StatusOr<Tensor> emptyLikeWith(const Tensor &self, DType dtype, std::optional<MemoryFormat> format = std::nullopt);
/// Returns the strides that a copy of self in a format has. The default (Preserve) keeps those of a dense tensor;
/// others get dense ones in the order of their dimensions.
StatusOr<Dims> stridesLike(const Tensor &self, std::optional<MemoryFormat> format = std::nullopt);
/// Gives `out` these sizes, row-major when that is a change, and grows its storage as needed.
Status resizeOutput(const Tensor &out, ArrayRef<int64_t> sizes);
/// Whether any byte of one may be a byte of the other: tensors without gaps are told apart exactly, others by their
/// first and last bytes.
bool mayOverlap(const Tensor &a, const Tensor &b);
/// Whether two elements of `t` share memory, as those of an expanded tensor do, so that it must not be written in
/// place.
bool hasInternalOverlap(const Tensor &t);
/// Returns PyTorch's refusal to write into an expanded tensor.
Status checkWritable(const Tensor &t);
/// Returns PyTorch's refusal to write where an operand is still to be read: `written` may be the operand itself,
/// element by element, but no shifted or transposed part of it. What is neither dense nor contiguous passes unchecked.
Status checkNoPartialOverlap(const Tensor &written, const Tensor &read);
/// Returns PyTorch's refusal to write into any part of an operand, the operand itself included. What is neither dense
/// nor contiguous passes unchecked.
Status checkNoOverlap(const Tensor &written, const Tensor &read);
/// Sets to[r][c] to from[c][r], `rows` times `columns` elements of 1, 2, 4 or 8 bytes (`item`). `toRow` is the number
/// of bytes from one row of `to` to the next, and `fromColumn` that from where one of its columns is read to the next.
/// The two must not overlap.
void transposeElements(char *to, int64_t toRow, const char *from, int64_t fromColumn, int64_t rows, int64_t columns,
                       size_t item);
/// Returns dense strides that keep the order of a tensor's dimensions: what an operator's fresh result has for such an
/// input.
Dims denseStridesLike(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Whether the elements fill a block of memory without gaps or overlap, in some order of dimensions.
bool isNonOverlappingAndDense(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides);
/// Returns the strides of a dense tensor of the format; InvalidArgument for a number of dimensions that it does not
/// have.
StatusOr<Dims> stridesFor(ArrayRef<int64_t> sizes, MemoryFormat format);

// Kernels of operators (include/tsc/IR/Ops/Views.td). They return self itself where nothing changes and no copy is
// asked for.
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
/// Return `t.to(device?, dtype?, copy)` as the prim:: overloads pass it (dtype as its number).
StatusOr<Tensor> toPrimDevice(const Tensor &self, std::optional<Device> device, std::optional<int64_t> dtype,
                              bool nonBlocking, bool copy);
StatusOr<Tensor> toPrimDType(const Tensor &self, std::optional<int64_t> dtype, bool nonBlocking, bool copy);
StatusOr<Tensor> toPrimOther(const Tensor &self, bool nonBlocking, bool copy);
StatusOr<Tensor> typeAs(const Tensor &self, const Tensor &other);
/// Returns `value` as an in-place operator writes it into `self`: in the dtype of `self`, or checkWritten()'s refusal.
/// Nothing is written.
StatusOr<Tensor> written(const Tensor &value, const Tensor &self);
/// Returns an in-place operator's refusal of a result that self cannot hold.
Status checkWritten(ArrayRef<int64_t> sizes, DType dtype, const Tensor &self);
/// Returns `self`, which is the processor's, as a tensor on a device of the kind: itself for the processor,
/// absentDevice() for others.
StatusOr<Tensor> toKind(const Tensor &self, DeviceKind kind);
template <DeviceKind kind> StatusOr<Tensor> toKind(const Tensor &self) { return toKind(self, kind); }
StatusOr<Tensor> resolveConj(const Tensor &self);
StatusOr<Tensor> resolveNeg(const Tensor &self);

} // namespace tsc::cpu

#endif
