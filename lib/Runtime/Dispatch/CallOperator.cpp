//===- CallOperator.cpp - The way of a call to its kernel -----------------===//
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
using namespace tsc;

using Operands = llvm::ArrayRef<const IValue *>;

OperandSummary tsc::summarizeOperands(Operands operands) {
  OperandSummary all;
  for (const IValue *operand : operands)
    if (operand->isTensor() && operand->asTensor().defined()) {
      const Tensor &tensor = operand->asTensor();
      all.text += (all.text.empty() ? "" : ", ") + irName(tensor.dtype()).str() + shapeString(tensor.sizes());
      all.bytes += static_cast<uint64_t>(tensor.numel()) * itemSize(tensor.dtype());
    }
  return all;
}

Status dispatch::undefinedOperand(const OperatorCall &call) {
  return invalidArgument(llvm::Twine(call.name) + "() was given no tensor where it takes one");
}

void dispatch::markResults(const OperatorCall &call, Operands operands, IValue *results) {
  for (unsigned i = 0; i != call.site.numResults; ++i)
    setRequiresGrad(results[i], call.writes, operands);
}

Status dispatch::resolveOperands(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  return callResolved(call.resolved, *call.schema, operands, {results, call.site.numResults},
                      [&](const IValue *const *plain, IValue *into) { return call.kernel(context, plain, into); });
}

Status tsc::callOnHost(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  if (anyLazy(call.resolved, operands.data())) [[unlikely]]
    return dispatch::resolveOperands(context, call, operands, results);
  return call.custom ? (*call.custom)(context, operands.data(), results)
                     : call.kernel(context, operands.data(), results);
}

Status dispatch::runOnDevices(CallContext &context, const OperatorCall &call, Operands given, IValue *results) {
  // Who calls may use its list of operands for other calls that run inside of this one.
  llvm::SmallVector<const IValue *, 12> operands(given.begin(), given.end());
  return callOnDevices(context, *call.accelerator,
                       {call.op,
                        call.schema,
                        call.name,
                        operands,
                        {results, call.site.numResults},
                        [&](const IValue *const *args, IValue *into) {
                          context.site = &call.site;
                          return callOnHost(context, call, {args, operands.size()}, into);
                        }});
}

Status dispatch::runOnReals(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  return callOnReals(opRecord(call.op), *call.schema, call.name, operands, {results, call.site.numResults},
                     [&](const IValue *const *reals, IValue *into) { return call.kernel(context, reals, into); });
}

Status tsc::callUnobserved(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  if (anyQuantized(call.dequantized, operands.data())) [[unlikely]]
    return dispatch::runOnReals(context, call, operands, results);
  return call.custom ? dispatch::callBehindObserver<true>(context, call, operands, results)
                     : dispatch::callBehindObserver<false>(context, call, operands, results);
}

Status dispatch::observe(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  return context.observer->run(context, call, operands, {results, call.site.numResults},
                               [&](Operands given, IValue *into) {
                                 context.site = &call.site; // what the observer has run has set its own
                                 return callUnobserved(context, call, given, into);
                               });
}

Status tsc::callOperator(CallContext &context, const OperatorCall &call, Operands operands, IValue *results) {
  return call.custom ? dispatch::callOperator<true>(context, call, operands, results)
                     : dispatch::callOperator<false>(context, call, operands, results);
}

//===----------------------------------------------------------------------===//
// Observers
//===----------------------------------------------------------------------===//

OperatorObserver::~OperatorObserver() = default;

Status OperatorObserver::runCall(CallContext &context, Function &, llvm::MutableArrayRef<IValue>, std::vector<IValue> &,
                                 llvm::function_ref<Status(CallContext &)> run) {
  assert(!takesCalls() && "an observer that takes calls says how");
  return run(context);
}

static constexpr llvm::StringLiteral noTapeNote = "tsc.no-tape";

Status tsc::withoutTape() {
  Status status = invalidArgument("gradients are asked for in a call that takes none down");
  status.setNote(noTapeNote, "");
  return status;
}
bool tsc::isWithoutTape(const Status &status) { return status.note(noTapeNote).has_value(); }
