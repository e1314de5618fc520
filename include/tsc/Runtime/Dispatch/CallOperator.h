//===- CallOperator.h - The way of a call to its kernel ---------*- C++ -*-===//
//
// Every call of an operator goes one way, whoever makes it. In this order:
//
//   1. Operands that have to be tensors are, and a write in place hits no leaf.
//   2. Quantized operands are replaced by real numbers, for an operator that reads
//      numbers (QuantizedCall.h). Such calls end here.
//   3. The context's observer, such as a tape, takes the call (OperatorObserver.h).
//   4. Operands on devices: it runs there, or on copies (DeviceCall.h).
//   5. Lazy conjugates become plain tensors (LazyOperands.h).
//   6. The kernel.
//   7. Limits of the host are looked at, and results get their mark requires_grad.
//
// callOperator() is all of it. Who has to leave the first steps out calls one of the
// functions that it is made of, and says why.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_CALLOPERATOR_H
#define TSC_RUNTIME_DISPATCH_CALLOPERATOR_H

#include "tsc/Runtime/Dispatch/DeviceCall.h"
#include "tsc/Runtime/Dispatch/LazyOperands.h"
#include "tsc/Runtime/Dispatch/OperatorCall.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "tsc/Runtime/Dispatch/QuantizedCall.h"
#include "tsc/Runtime/Dispatch/RequiresGrad.h"
#include "tsc/Runtime/Dispatch/TracedCall.h"
#include "tsc/Support/MemoryErrors.h"

namespace tsc {

/// Calls an operator: steps 1 to 7. `operands` has one value for each argument of the schema, of its type; `results`
/// points at as many None slots as the call has results (`call.site.numResults`). Fails with the error of the operator,
/// of the observer, or of a limit of the context; the results are unspecified then.
Status callOperator(CallContext &context, const OperatorCall &call, llvm::ArrayRef<const IValue *> operands,
                    IValue *results);
/// Calls an operator as observers do that have taken the call: steps 2 and 4 to 6.
Status callUnobserved(CallContext &context, const OperatorCall &call, llvm::ArrayRef<const IValue *> operands,
                      IValue *results);
/// Calls an operator with operands that are known to be in the processor's memory, or whose elements it does not read:
/// steps 5 and 6.
Status callOnHost(CallContext &context, const OperatorCall &call, llvm::ArrayRef<const IValue *> operands,
                  IValue *results);

//===----------------------------------------------------------------------===//
// The same, as code that the interpreter's handlers contain
//===----------------------------------------------------------------------===//

namespace dispatch {

// What few calls need stands out of line, so that the way of the others stays free of its spills and destructors.
[[gnu::noinline]] Status undefinedOperand(const OperatorCall &call);
[[gnu::noinline]] Status resolveOperands(CallContext &context, const OperatorCall &call,
                                         llvm::ArrayRef<const IValue *> operands, IValue *results);
[[gnu::noinline]] Status runOnDevices(CallContext &context, const OperatorCall &call,
                                      llvm::ArrayRef<const IValue *> operands, IValue *results);
[[gnu::noinline]] Status runOnReals(CallContext &context, const OperatorCall &call,
                                    llvm::ArrayRef<const IValue *> operands, IValue *results);
[[gnu::noinline]] Status observe(CallContext &context, const OperatorCall &call,
                                 llvm::ArrayRef<const IValue *> operands, IValue *results);
[[gnu::noinline]] void markResults(const OperatorCall &call, llvm::ArrayRef<const IValue *> operands, IValue *results);

// These are static so that what they are made of has one caller in each file, of which the compiler makes one function.

/// Steps 4 to 6. `IsCustom`: whether the operator was registered at run time, and takes operands as they are.
template <bool IsCustom>
[[gnu::always_inline]] static inline Status callBehindObserver(CallContext &context, const OperatorCall &call,
                                                               llvm::ArrayRef<const IValue *> operands,
                                                               IValue *results) {
  if (usesDevices(call.accelerator, call.placesTensors)) [[unlikely]]
    return runOnDevices(context, call, operands, results);
  if constexpr (IsCustom)
    return (*call.custom)(context, operands.data(), results);
  if (anyLazy(call.resolved, operands.data())) [[unlikely]]
    return resolveOperands(context, call, operands, results);
  return call.kernel(context, operands.data(), results);
}

/// Steps 1 to 7.
template <bool IsCustom>
[[gnu::always_inline]] static inline Status callOperator(CallContext &context, const OperatorCall &call,
                                                         llvm::ArrayRef<const IValue *> operands, IValue *results) {
  assert(operands.size() == call.site.numArgs && "a call has the operands that its description says");
  if (!areDefined(call.tensorOperands, call.tensorLists, operands.data())) [[unlikely]]
    return undefinedOperand(call);
  if (call.refusesLeaf && context.gradMode && !recorderOf(context)) [[unlikely]] // a recorder knows all leaves
    TSC_RETURN_IF_ERROR(checkNoLeafOfFile(*operands[0]));
  context.site = &call.site;
  auto kernel = [&] {
    if (anyQuantized(call.dequantized, operands.data())) [[unlikely]]
      return runOnReals(context, call, operands, results);
    if (context.observer) [[unlikely]]
      return observe(context, call, operands, results);
    return callBehindObserver<IsCustom>(context, call, operands, results);
  };
  auto run = [&] { return orMemoryError(kernel); };
  Status status = !context.trace ? run()
                                 : traced(context, "operator", call.name, operands,
                                          llvm::ArrayRef<IValue>(results, call.site.numResults), run,
                                          [] { return std::optional<uint64_t>(); });
  if (!status.ok()) [[unlikely]]
    return status;
  if (context.hasAlarm()) [[unlikely]]
    TSC_RETURN_IF_ERROR(context.checkLimits());
  if (context.gradMode && anyRequiresGrad(call.gradientOperands, operands.data()) && !recorderOf(context)) [[unlikely]]
    markResults(call, operands, results);
  return status;
}

} // namespace dispatch

} // namespace tsc

#endif
