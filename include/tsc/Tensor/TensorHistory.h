//===- TensorHistory.h - Where a tensor comes from --------------*- C++ -*-===//
#ifndef TSC_TENSOR_TENSORHISTORY_H
#define TSC_TENSOR_TENSORHISTORY_H

#include "tsc/Support/RefCounted.h"
#include "tsc/Tensor/Tensor.h"
#include <atomic>
#include <optional>
#include <string>
#include <type_traits>

namespace tsc {

/// What a tape (tsc/Runtime/Tape/Tape.h) knows of a tensor: the type of TensorImpl::history.
class TensorHistory : public RefCounted {
public:
  /// Returns what PyTorch calls the node that made `tensor`, whose history this is: "MulBackward0". Empty for a leaf;
  /// absent where it isn't known.
  virtual std::optional<std::string> nodeName(const Tensor &tensor) const = 0;
  /// Returns the tensor's `.grad`: what backward() has added up for a leaf, or for a tensor that retains its gradient.
  /// Undefined where there is none.
  virtual Tensor gradient() const = 0;
  /// Whether no recorded operator has computed `tensor`, whose history this is.
  virtual bool isLeaf(const Tensor &tensor) const = 0;
  /// Whether the tensor is no leaf, and backward() keeps its gradient.
  virtual bool retainsGradient() const = 0;
};

/// Returns a tensor's history as threads share it: the weights of a module are leaves of the tapes of many calls, and
/// the first of these makes the history. (The pointer is all that a Ref is.)
inline std::atomic_ref<RefCounted *> sharedHistory(const Tensor &tensor) {
  static_assert(std::is_standard_layout_v<Ref<RefCounted>> && sizeof(Ref<RefCounted>) == sizeof(RefCounted *));
  return std::atomic_ref<RefCounted *>(*reinterpret_cast<RefCounted **>(&tensor.get()->history));
}
/// Returns what a tape knows of the tensor, or null.
inline const TensorHistory *tensorHistoryOf(const Tensor &tensor) {
  return static_cast<TensorHistory *>(sharedHistory(tensor).load(std::memory_order_acquire));
}

/// Whether toPythonString knows all that Python prints of a tensor. It does not where no table says what PyTorch calls
/// the node that made it: the text then has `grad_fn=<?>`, and who shows it to a program is to refuse that.
bool hasPythonString(const Tensor &tensor);

} // namespace tsc

#endif
