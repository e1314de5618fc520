//===- LentMemory.h - Tensors over memory of somebody else ------*- C++ -*-===//
//
// Hosts have tensors of their own: arrays of NumPy, buffers of a C program. A tensor
// over such memory reads and writes it in place, without a copy.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_LENTMEMORY_H
#define TSC_TENSOR_LENTMEMORY_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// Memory of the processor that its owner lends to storages.
struct LentMemory {
  void *data = nullptr;    ///< The first byte; may be null where there are none.
  bool isReadOnly = false; ///< Whether nobody may write to it. A storage of it becomes a copy before the first write.
  bool isRead = true;      ///< Whether its elements are read; false where they are to be overwritten.
  /// Is called once, with `user`, by whichever thread gives up the memory last. Null: nobody is told.
  void (*release)(void *user) = nullptr;
  void *user = nullptr;
};

/// Returns a tensor over lent memory whose first element stands at `memory.data`. There are as many strides, in
/// elements, as sizes.
///
/// Errors: InvalidArgument for a negative size or stride, for an address that is no multiple of the size of a number of
///         the dtype, for sizes and strides that reach beyond all memory, and for bools that are read where a byte is
///         neither 0 nor 1, since kernels would read beyond their tables with it. `release` is not called then.
StatusOr<Tensor> tensorOver(const LentMemory &memory, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, DType dtype);

} // namespace tsc

#endif
