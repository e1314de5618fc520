//===- PinnedStorage.h - Bytes that may not move ----------------*- C++ -*-===//
//
// A host may hold a pointer to the elements of a tensor: an array of NumPy over it, or
// a tensor of another library. While it does, the tensor cannot grow, since its bytes
// would move away from under the pointer.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_PINNEDSTORAGE_H
#define TSC_TENSOR_PINNEDSTORAGE_H

#include "tsc/Tensor/Tensor.h"

namespace tsc {

/// Keeps a storage, and its bytes where they are: Storage::resize() fails where it would move them.
///
/// Ownership:  shares the storage.
/// Threads:    pins are made and destroyed on any threads at once.
class PinnedStorage {
public:
  /// Pins the storage of a tensor, which must have one. Bytes that are borrowed become the storage's own first, as by a
  /// write.
  explicit PinnedStorage(const Tensor &tensor);
  PinnedStorage(const PinnedStorage &) = delete;
  PinnedStorage &operator=(const PinnedStorage &) = delete;
  ~PinnedStorage();
  /// Whether someone has pinned the storage.
  static bool isPinned(const Storage &storage);

private:
  Ref<Storage> storage;
};

} // namespace tsc

#endif
