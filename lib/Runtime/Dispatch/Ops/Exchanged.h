//===- Exchanged.h - The tensors of an exchange between ranks ---*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_DISPATCH_OPS_EXCHANGED_H
#define TSC_LIB_RUNTIME_DISPATCH_OPS_EXCHANGED_H

#include "tsc/Runtime/Dispatch/Collectives.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc {

class CallContext;

/// The tensors of an exchange, where ranks read and write them: on their device, where a library of the device
/// exchanges them, and else in the processor's memory, as copies.
class Exchanged {
public:
  /// Refuses tensors that ranks cannot exchange, copies those that must not stay where they are, and sets what `call`,
  /// which has names already, says of tensors. The input may be undefined: the output is the input then, too. The first
  /// call with tensors on a device waits for the other ranks of the group.
  static StatusOr<std::shared_ptr<Exchanged>> of(CallContext &context, Collectives &ranks, llvm::StringRef group,
                                                 CollectiveCall &call, const Tensor &input, const Tensor &output);
  /// Gives the device what the exchange, which is over, has written.
  Status deliver() const;
  /// Whether deliver() has something to do.
  bool mustDeliver() const { return result.defined(); }
  const Tensor &written() const { return output; } ///< The tensor that the exchange writes.

private:
  Tensor input, output;
  Tensor result; ///< The tensor on a device that `output` is a copy of; undefined where there is none.
};

/// Refuses a tensor that ranks cannot exchange.
Status checkExchanged(const Tensor &tensor);

} // namespace tsc

#endif
