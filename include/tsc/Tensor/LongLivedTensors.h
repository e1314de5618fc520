//===- LongLivedTensors.h - Tensors that later calls read again -*- C++ -*-===//
//
// A kernel may rearrange an operand before it starts, as convolution does its
// weights. Where the operand is known to outlive the call, the kernel keeps what it
// made for the calls to come.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TENSOR_LONGLIVEDTENSORS_H
#define TSC_TENSOR_LONGLIVEDTENSORS_H

#include "tsc/Tensor/Tensor.h"
#include <optional>
#include <vector>

namespace tsc {

/// Tensors whose elements will be read again as they are, such as the constants of compiled code.
///
/// Ownership:  shares their storages; with the last set that holds a storage goes what kernels keep for it.
/// Threads:    sets are made, and kernels use what is kept, on any threads at once; one set belongs to one thread.
class LongLivedTensors {
public:
  LongLivedTensors() = default;
  LongLivedTensors(const LongLivedTensors &) = delete;
  ~LongLivedTensors();
  /// Adds a tensor, which must have a storage.
  void add(const Tensor &tensor);

private:
  std::vector<Ref<Storage>> storages;
};

/// The companion of a tensor that keeps its elements long-lived while it lives.
struct LongLivedElements final : RefCounted {
  explicit LongLivedElements(const Tensor &tensor) { elements.add(tensor); }
  LongLivedTensors elements;
};

/// Makes the elements of a tensor long-lived while the tensor lives: an attribute of a module, say, which calls to come
/// read too. Does nothing for tensors that are not floating, that are too small to be worth it (fewer than two
/// dimensions or 1024 elements), or that have a companion.
///
/// Threads:  any number may use the tensor meanwhile, as they may a tensor that nobody writes.
void markLongLived(const Tensor &tensor);

/// The kind of kernel that keeps something; for each storage, every kind keeps one object, of a class of its own.
enum class Keeper { Convolution, Product, Blocks };

/// What a kind of kernel keeps for a storage.
struct Kept {
  /// The storage's version now: to be handed to keepFor() with an object that is made from the elements after this.
  uint32_t version = 0;
  Ref<RefCounted> object; ///< Null when nothing is kept. Threads share it.
};
/// Returns what is kept for the storage of a tensor. It is nullopt when the storage is in no set of LongLivedTensors,
/// or was written to since the keeper last asked: what is written between two calls is not worth keeping.
std::optional<Kept> keptFor(const Tensor &tensor, Keeper keeper);
/// Keeps an object that was made from elements of this version or later, in place of what was kept. Does nothing when
/// the storage is in no set.
void keepFor(const Tensor &tensor, Keeper keeper, uint32_t version, Ref<RefCounted> object);

} // namespace tsc

#endif
