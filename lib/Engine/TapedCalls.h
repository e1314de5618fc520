//===- TapedCalls.h - Calls that gradients reach back over -------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_TAPEDCALLS_H
#define TSC_LIB_ENGINE_TAPEDCALLS_H

#include "tsc/Runtime/CallContext.h"
#include "tsc/Runtime/Tape.h"

namespace tsc {

/// Runs calls one after the other, and takes them down from the first one on that touches a tensor of which gradients
/// are wanted, so that `loss.backward()` reaches back over all of them.
class TapedCalls {
public:
  explicit TapedCalls(Context &context) : tape(std::make_unique<Tape>(context)) {}

  using Call = llvm::function_ref<StatusOr<IValue>(std::vector<IValue> arguments, bool isTaped)>;
  StatusOr<IValue> run(CallContext &context, std::vector<IValue> arguments, Call call);

private:
  std::unique_ptr<Tape> tape;
  bool isNeeded = false;
};

} // namespace tsc

#endif
