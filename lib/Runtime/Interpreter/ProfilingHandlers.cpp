//===- ProfilingHandlers.cpp - Observers, guards and bailouts -------------===//
#include "Frames.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Profiling.h"

namespace tsc {

TSC_HANDLER(Profile) {
  if (m->ctx.profile)
    m->ctx.profile->note(ip->c, operandAt(ip->b, regs, m));
  putValue(regs, ip->a, takeOperand(ip->b, regs, m));
  TSC_NEXT;
}

static const TensorFacts &factsOf(int32_t type, const Machine *m) {
  return llvm::cast<TensorType>(m->code->types[type].type)->facts();
}

static Status stoppedByGuard(const Instruction *ip, char *regs, Machine *m) {
  const IValue &value = operandAt(ip->b, regs, m);
  const Type *found = value.isTensor() ? m->ctx.context().tensor(factsOfTensor(value.asTensor())) : Type::noneType();
  return invalidArgument("a guard expected a tensor of type " + m->code->types[ip->c].type->str() + ", but found " +
                         found->str() + "; the pass insert-bailouts lets such a call go on");
}
TSC_HANDLER(Guard) {
  if (!passesGuard(operandAt(ip->b, regs, m), factsOf(ip->c, m))) [[unlikely]]
    TSC_FAIL(stoppedByGuard);
  putValue(regs, ip->a, takeOperand(ip->b, regs, m));
  TSC_NEXT;
}

/// Hands the guarded tensor on, and releases what the bailout alone needs. Returns false where the guard fails; then
/// nothing has been done.
static bool passBailOut(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->b];
  const int32_t *list = m->code->operands.data() + call.args;
  const int32_t count = *list++;
  const bool isForced = ip->d >= 0 && m->ctx.forcedBailout == static_cast<uint32_t>(ip->d);
  if (isForced || !passesGuard(operandAt(list[0], regs, m), factsOf(ip->c, m))) [[unlikely]] {
    ++(isForced ? m->ctx.forcedFailures : m->ctx.guardFailures);
    return false;
  }
  IValue value = takeOperand(list[0], regs, m);
  for (int32_t i = 1; i != count; ++i)
    finishOperand(list[i], regs);
  if (ip->a != noOperand)
    putValue(regs, ip->a, std::move(value));
  return true;
}

/// Puts a frame for what is left to do in the place of the current one: nothing of that is needed any more, and its
/// caller goes on as if it had returned. Returns the registers, or null on failure.
static char *bailOut(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->b];
  const Code *target = resolveCall(call, regs, m);
  if (!target) [[unlikely]]
    return nullptr;
  if (--m->stepsLeft == 0) [[unlikely]]
    if (m->status = m->beginSlice(); !m->status.ok())
      return nullptr;
  const CodeImpl &rest = target->get();
  const int32_t *list = m->code->operands.data() + call.args;
  const int32_t count = *list++;
  assert(static_cast<size_t>(count) == rest.inputSlots.size() && "lowering has compared them");
  llvm::SmallVector<IValue, 8> args;
  for (int32_t i = 0; i != count; ++i)
    args.push_back(takeOperand(list[i], regs, m));
  const Instruction *caller = m->frames.back().call;
  dropFrame(m);
  char *inner = pushFrame(m, rest, caller);
  if (caller)
    ++m->ctx.depthUsed;
  bool good = true;
  for (int32_t i = 0; i != count; ++i)
    good &= putChecked(inner, rest.inputSlots[i], std::move(args[i]));
  if (!good) [[unlikely]] {
    m->status = invalidArgument("a value that a bailout needs is of another type than its graph says");
    return nullptr;
  }
  return inner;
}
TSC_HANDLER(BailOut) {
  if (passBailOut(ip, regs, m)) [[likely]]
    TSC_NEXT;
  char *inner = bailOut(ip, regs, m);
  if (!inner) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  const Instruction *first = m->code->instructions.data();
  TSC_TAIL first->run(first, inner, m);
}

} // namespace tsc
