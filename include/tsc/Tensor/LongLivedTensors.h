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

/// Who keeps something: each kind of kernel has a class of its own for it.
enum class Keeper { Convolution, Product, Blocks };

/// What a kernel keeps.
struct Kept {
  uint32_t version = 0;   ///< The storage's, before anything is made from its elements now.
  Ref<RefCounted> object; ///< Null when nothing is kept, or the storage was written to since. Threads share it.
};
/// For the storage of a tensor; nullopt when the tensor is in no set of LongLivedTensors.
std::optional<Kept> keptFor(const Tensor &tensor, Keeper keeper);
/// Keeps an object, in place of what was kept, that was made from elements of this version or later.
void keepFor(const Tensor &tensor, Keeper keeper, uint32_t version, Ref<RefCounted> object);

} // namespace tsc

#endif
