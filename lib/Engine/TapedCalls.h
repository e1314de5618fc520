//===- TapedCalls.h - Calls that gradients reach back over -------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_TAPEDCALLS_H
#define TSC_LIB_ENGINE_TAPEDCALLS_H

#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Tape/Tape.h"
#include <functional>

namespace tsc {

/// Runs calls one after the other, and takes them down from the first one on that touches a tensor of which gradients
/// are wanted, or that may ask for gradients, so that `loss.backward()` reaches back over all of them.
class TapedCalls {
public:
  /// Compiles a function with what it calls, and tells whether any of it may ask for gradients.
  using MayAsk = std::function<StatusOr<bool>(Function &function)>;
  TapedCalls(Context &context, MayAsk mayAsk) : mayAsk(std::move(mayAsk)), tape(std::make_unique<Tape>(context)) {}

  /// Runs the function with these arguments; `isTaped` tells whether a tape observes it.
  using Call = llvm::function_ref<StatusOr<IValue>(std::vector<IValue> arguments, bool isTaped)>;
  /// Runs `call`, observed by the tape where gradients may be wanted. Where a call without the tape asks for gradients,
  /// and nobody has seen what it did, it is repeated with the tape.
  StatusOr<IValue> run(CallContext &context, Function &function, std::vector<IValue> arguments, Call call);

private:
  MayAsk mayAsk;
  std::unique_ptr<Tape> tape;
  bool isNeeded = false;
};

} // namespace tsc

#endif
