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
  void add(const Tensor &tensor);

private:
  std::vector<Ref<Storage>> storages;
};

/// What a tensor on long-lived elements has for a companion.
struct LongLivedElements final : RefCounted {
  explicit LongLivedElements(const Tensor &tensor) { elements.add(tensor); }
  LongLivedTensors elements;
};

/// Makes the elements of a dense tensor long-lived while the tensor lives: an attribute of a module, say, which calls
/// to come read too. Does nothing for tensors that are too small to be worth it, or carry something else.
///
/// Threads:  any number may use the tensor meanwhile, as they may a tensor that nobody writes.
void markLongLived(const Tensor &tensor);

/// Who keeps something: each kind of kernel has a class of its own for it.
enum class Keeper { Convolution, Product, Blocks };

/// What a kernel keeps.
struct Kept {
  uint32_t version = 0;   ///< The storage's, before anything is made from its elements now.
  Ref<RefCounted> object; ///< Null when nothing is kept, or the storage was written to since. Threads share it.
};
/// For the storage of a tensor; nullopt when the tensor is in no set of LongLivedTensors, or was written to since the
/// keeper last asked: what is written between two calls is not worth keeping.
std::optional<Kept> keptFor(const Tensor &tensor, Keeper keeper);
/// Keeps an object, in place of what was kept, that was made from elements of this version or later.
void keepFor(const Tensor &tensor, Keeper keeper, uint32_t version, Ref<RefCounted> object);

} // namespace tsc

#endif
