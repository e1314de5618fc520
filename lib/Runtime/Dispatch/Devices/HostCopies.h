//===- HostCopies.h - Operands of a device, on the processor ----*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DEVICES_HOSTCOPIES_H
#define TSC_LIB_RUNTIME_DEVICES_HOSTCOPIES_H

#include "tsc/IR/IValue.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc {

/// Whether a tensor has no form but the processor's: it is sparse, nested or quantized, or has no elements of its own.
bool staysOnHost(const Tensor &tensor);

/// Copies of an operator's tensors on the processor, which share memory as the tensors do, and the way back.
class HostCopies {
public:
  /// `memory`: where what the operator makes is wanted. `mayShare`: whether the operator may write to an operand or
  /// give a view of one; else of each tensor no more is copied than it shows.
  HostCopies(const DeviceMemory &memory, bool mayShare) : memory(memory), mayShare(mayShare) {}

  /// The operand to call with in the place of a tensor or of a list of tensors; anything else is itself.
  StatusOr<IValue> lower(const IValue &value);
  /// Writes to the tensors what the operator, which has run, wrote to their copies, as versions or markWritten() tell.
  Status writeBack();
  /// Returns what the caller gets for a result: an operand itself, a view of its memory, or a new tensor on the device.
  StatusOr<IValue> raise(const IValue &value);
  /// The operator writes what lower() gave for this operand, though its version may not tell.
  void markWritten(const IValue &lowered);

private:
  struct Pair {
    Ref<Storage> original, copy;
    uint32_t version; ///< The copy's version before the call.
    bool isWritten = false;
  };
  StatusOr<Tensor> lower(const Tensor &tensor);
  StatusOr<Tensor> raise(const Tensor &tensor);
  Pair *pairOfCopy(const Storage *copy);

  const DeviceMemory &memory;
  const bool mayShare;
  std::vector<Pair> storages;
  std::vector<std::pair<Tensor, Tensor>> tensors; ///< The original and its copy.
  std::vector<std::pair<IValue, IValue>> lists;
  std::vector<Ref<Storage>> hostOperands; ///< Storages of operands that were in the processor's memory before.
  llvm::DenseMap<const Storage *, Ref<Storage>> raised;
};

} // namespace tsc

#endif
