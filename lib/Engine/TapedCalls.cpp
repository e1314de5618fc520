//===- TapedCalls.cpp - Calls that gradients reach back over --------------===//
#include "TapedCalls.h"
#include "tsc/Runtime/Executor/TierPolicy.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

/// Whether a value holds a tensor, at a depth that programs have, that gradients are wanted of.
static bool holdsTracked(const IValue &value, unsigned depth = 0) {
  if (depth == 8)
    return false;
  auto any = [&](const auto &values) {
    return llvm::any_of(values, [&](const IValue &one) { return holdsTracked(one, depth + 1); });
  };
  if (value.isTensor())
    return value.toTensor().defined() && value.toTensor().requiresGrad();
  if (value.isTuple())
    return any(value.toTuple().elements);
  if (value.isObject())
    return any(value.toObject().slots);
  if (value.isDict()) {
    bool holds = false;
    value.toDict().forEach([&](const IValue &, const IValue &one) { holds |= holdsTracked(one, depth + 1); });
    return holds;
  }
  if (value.isList())
    for (size_t i = 0; i != value.listSize(); ++i)
      if (holdsTracked(value.listElement(i), depth + 1))
        return true;
  return false;
}

StatusOr<IValue> TapedCalls::run(CallContext &context, Function &function, std::vector<IValue> arguments, Call call) {
  // Whoever asks without a tape is refused, after others may have seen what it did: it can't run again then.
  if (!isNeeded) {
    TSC_ASSIGN_OR_RETURN(isNeeded, mayAsk(function));
  }
  isNeeded |= llvm::any_of(arguments, [](const IValue &value) { return holdsTracked(value); });
  auto run = [&](std::vector<IValue> values) {
    llvm::SaveAndRestore<OperatorObserver *> observing(context.observer, isNeeded ? tape.get() : nullptr);
    return call(std::move(values), isNeeded);
  };
  context.isObserved = false;
  StatusOr<IValue> result = run(arguments);
  if (!result.ok() && TierPolicy::repeatsWithTape(result.status(), context.isObserved)) {
    isNeeded = true;
    result = run(std::move(arguments));
  }
  if (result.ok())
    isNeeded |= holdsTracked(*result);
  return result;
}
