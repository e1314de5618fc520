//===- TensorHistory.h - Where a tensor comes from --------------*- C++ -*-===//
#ifndef TSC_TENSOR_TENSORHISTORY_H
#define TSC_TENSOR_TENSORHISTORY_H

#include "tsc/Support/RefCounted.h"
#include <optional>
#include <string>

namespace tsc {

class Tensor;

/// What a tape (tsc/Runtime/Tape.h) knows of a tensor: the type of TensorImpl::history.
class TensorHistory : public RefCounted {
public:
  /// Returns what PyTorch calls the node that made `tensor`, whose history this is: "MulBackward0". Empty for a leaf;
  /// absent where it isn't known.
  virtual std::optional<std::string> nodeName(const Tensor &tensor) const = 0;
};

/// Whether toPythonString knows all that Python prints of a tensor. It does not where no table says what PyTorch calls
/// the node that made it: the text then has `grad_fn=<?>`, and who shows it to a program is to refuse that.
bool hasPythonString(const Tensor &tensor);

} // namespace tsc

#endif
