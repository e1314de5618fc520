//===- CallHandlers.cpp - Operators, functions, futures, returning --------===//
#include "Frames.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Dispatch/Ops/Python.h"
#include "llvm/Support/raw_ostream.h"

namespace tsc {

bool putChecked(char *regs, int32_t destination, IValue &&v) {
  IValue &slot = slotAt(regs, destination);
  switch (slot.getTag()) {
  case IValue::Tag::Int: RegisterAccess::i(slot) = RegisterAccess::i(v); return v.isInt() || v.isBool();
  case IValue::Tag::Bool: RegisterAccess::i(slot) = RegisterAccess::i(v) != 0; return v.isBool() || v.isInt();
  case IValue::Tag::Double: RegisterAccess::d(slot) = RegisterAccess::d(v); return v.isDouble();
  default: putValue(regs, destination, std::move(v)); return true;
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Calls the operator and releases the arguments that die here. False on failure, with the status in the machine.
template <bool Custom> static bool callKernel(const PlacedCall &call, char *regs, Machine *m, IValue *results) {
  const int32_t *list = m->code->operands.data() + call.args;
  int32_t count = *list++;
  const IValue **argv = m->argv;
  for (int32_t i = 0; i != count; ++i)
    argv[i] = &operandAt(list[i], regs, m);
  Status status = dispatch::callOperator<Custom>(m->ctx, call, {argv, static_cast<size_t>(count)}, results);
  if (!status.ok()) [[unlikely]] {
    m->status = std::move(status);
    return false;
  }
  for (int32_t i = 0; i != count; ++i)
    finishOperand(list[i], regs);
  return true;
}

static bool callToSlot(const Instruction *ip, char *regs, Machine *m) {
  IValue result;
  const PlacedCall &call = m->code->operatorCalls[ip->b];
  if (!callKernel<false>(call, regs, m, &result)) [[unlikely]]
    return false;
  if (!result.isTensor() || !call.site.resultType->isTensor())
    if (!hasRepresentationOf(result, call.site.resultType)) [[unlikely]] {
      m->status = invalidArgument(llvm::Twine(call.name) + " gave a value of another type than the program says");
      return false;
    }
  if (ip->a != noOperand)
    putValue(regs, ip->a, std::move(result));
  return true;
}
TSC_HANDLER(CallOp) {
  if (!callToSlot(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

static bool callToScalar(const Instruction *ip, char *regs, Machine *m) {
  IValue result;
  const PlacedCall &call = m->code->operatorCalls[ip->b];
  if (!callKernel<false>(call, regs, m, &result)) [[unlikely]]
    return false;
  if (!putChecked(regs, ip->a, std::move(result))) [[unlikely]] {
    m->status = invalidArgument(llvm::Twine(call.name) + " gave a value of another type than the program says");
    return false;
  }
  return true;
}
TSC_HANDLER(CallOpS) {
  if (!callToScalar(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

template <bool Custom> static bool callToMany(const Instruction *ip, char *regs, Machine *m) {
  const PlacedCall &call = m->code->operatorCalls[ip->b];
  llvm::SmallVector<IValue, 4> results(call.site.numResults);
  if (!callKernel<Custom>(call, regs, m, results.data())) [[unlikely]]
    return false;
  const int32_t *list = m->code->operands.data() + ip->a;
  for (int32_t i = 0, count = *list++; i != count; ++i)
    if (list[i] != noOperand && !putChecked(regs, list[i], std::move(results[i]))) [[unlikely]] {
      m->status = invalidArgument(llvm::Twine(call.name) + " gave a value of another type than the program says");
      return false;
    }
  return true;
}
TSC_HANDLER(CallOpN) {
  if (!callToMany<false>(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}
TSC_HANDLER(CallCustom) {
  if (!callToMany<true>(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

/// What comes next can be seen from outside.
TSC_HANDLER(Observed) {
  m->ctx.isObserved = true;
  TSC_NEXT;
}

template <typename F> static bool print(const Instruction *ip, char *regs, Machine *m, F &&write) {
  const int32_t *list = m->code->operands.data() + ip->a;
  const int32_t count = *list++;
  m->status = m->ctx.write([&](llvm::raw_ostream &os) {
    for (int32_t i = 0; i != count; ++i) {
      if (i)
        os << ' ';
      write(os, operandAt(list[i], regs, m));
    }
    os << '\n';
  });
  if (m->status.ok() && m->ctx.hasAlarm()) [[unlikely]] // what writes a text stops early
    m->status = m->ctx.checkLimits();
  for (int32_t i = 0; i != count; ++i)
    finishOperand(list[i], regs);
  return m->status.ok();
}
TSC_HANDLER(Print) {
  if (!print(ip, regs, m, printValue)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}
/// Python's print, which refuses what has no text.
static bool pythonPrint(const Instruction *ip, char *regs, Machine *m) {
  llvm::SmallVector<const IValue *, 4> shown;
  for (int32_t operand : llvm::ArrayRef(m->code->operands).slice(ip->a + 1, m->code->operands[ip->a]))
    shown.push_back(&operandAt(operand, regs, m));
  m->status = ops::checkTexts(shown);
  if (m->status.ok() && m->ctx.hasAlarm()) [[unlikely]]
    m->status = m->ctx.checkLimits();
  return m->status.ok() && print(ip, regs, m, ops::writePythonText);
}
TSC_HANDLER(PythonPrint) {
  if (!pythonPrint(ip, regs, m)) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_NEXT;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

const Code *resolveCall(const FunctionCall &call, char *regs, Machine *m) {
  if (const Code *known = call.code.load(std::memory_order_acquire)) [[likely]]
    return known;
  Function *function = call.function;
  if (!call.methodName.empty()) {
    const int32_t *list = m->code->operands.data() + call.args;
    const IValue &object = operandAt(list[1], regs, m);
    function = object.isObject() ? object.toObject().type->findMethod(call.methodName) : nullptr;
    if (!function) {
      m->status = notFound("no method '" + llvm::Twine(call.methodName) + "'" +
                           (object.isObject() ? " in '" + object.toObject().type->name() + "'" : llvm::Twine("")));
      return nullptr;
    }
  }
  CodeCache &cache = *m->code->cache;
  StatusOr<const Code *> code = !call.subgraph ? cache.get(*function)
                                : call.isPlain ? cache.getPlain(*call.subgraph, m->code->name)
                                : call.isRest  ? cache.getRest(*call.subgraph, m->code->name)
                                               : cache.get(*call.subgraph, m->code->name);
  if (!code.ok()) {
    m->status = std::move(code).status();
    return nullptr;
  }
  if (call.methodName.empty())
    call.code.store(*code, std::memory_order_release);
  return *code;
}

char *pushFrame(Machine *m, const CodeImpl &code, const Instruction *call) {
  size_t bytes = code.frameTemplate.size() * sizeof(IValue);
  char *regs = m->arena.push(bytes);
  if (bytes != 0) // an empty template has no address, and memcpy asks for one
    std::memcpy(regs, static_cast<const void *>(code.frameTemplate.data()), bytes);
  m->frames.push_back({&code, regs, call, 0});
  m->code = &code;
  m->constants = code.constants.data();
  if (code.maxArgs > m->argvBuffer.size()) [[unlikely]] {
    m->argvBuffer.resize(std::max<size_t>(code.maxArgs, 16));
    m->argv = m->argvBuffer.data();
  }
  return regs;
}

/// Pushes the callee's frame and moves the arguments in. Null on failure.
static char *enterCallee(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->a];
  const Code *target = resolveCall(call, regs, m);
  if (!target) [[unlikely]]
    return nullptr;
  const CodeImpl &callee = target->get();
  if (m->ctx.depthUsed >= m->ctx.quotas.depth) [[unlikely]] {
    m->status = quotaExceeded(QuotaKind::Depth);
    return nullptr;
  }
  if (--m->stepsLeft == 0) [[unlikely]]
    if (m->status = m->beginSlice(); !m->status.ok())
      return nullptr;
  const CodeImpl *caller = m->code;
  const int32_t *list = caller->operands.data() + call.args;
  int32_t count = *list++;
  if (static_cast<size_t>(count) != callee.inputSlots.size()) [[unlikely]] {
    m->status = invalidArgument(llvm::Twine(callee.name) + "() takes " + llvm::Twine(callee.inputSlots.size()) +
                                " arguments but " + llvm::Twine(count) + " were given");
    return nullptr;
  }
  const IValue *callerConstants = m->constants;
  char *inner = pushFrame(m, callee, ip);
  ++m->ctx.depthUsed;
  bool good = true;
  for (int32_t i = 0; i != count; ++i) {
    int32_t o = list[i];
    if (o & constantBit)
      good &= putChecked(inner, callee.inputSlots[i], IValue(callerConstants[o >> 4]));
    else if (o & lastUse)
      good &= putChecked(inner, callee.inputSlots[i], std::move(slotAt(regs, o & ~15)));
    else
      good &= putChecked(inner, callee.inputSlots[i], IValue(slotAt(regs, o & ~15)));
  }
  if (!good) [[unlikely]] {
    m->status =
        invalidArgument("an argument of " + llvm::Twine(callee.name) + "() is of another type than its signature says");
    return nullptr;
  }
  return inner;
}
TSC_HANDLER(Call) {
  char *inner = enterCallee(ip, regs, m);
  if (!inner) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  const Instruction *first = m->code->instructions.data();
  TSC_TAIL first->run(first, inner, m);
}
TSC_HANDLER(CallByName) { TSC_TAIL handleCall(ip, regs, m); }

/// Hands on what code beside the interpreter has computed for a call with these operands and targets. False where a
/// limit is reached, with the status in the machine.
static bool finishCall(const int32_t *args, int32_t count, const int32_t *targets,
                       llvm::MutableArrayRef<IValue> results, char *regs, Machine *m) {
  if (m->ctx.hasAlarm()) [[unlikely]]
    if (m->status = m->ctx.checkLimits(); !m->status.ok())
      return false;
  for (int32_t i = 0; i != count; ++i)
    finishOperand(args[i], regs);
  for (auto [i, result] : llvm::enumerate(results))
    if (targets[i] != noOperand)
      putValue(regs, targets[i], std::move(result));
  return true;
}

/// Runs a fusion group in a tier above the plain nodes. False when there is none for these inputs, or on failure, with
/// the status in the machine.
static bool runGroup(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->a];
  const int32_t *args = m->code->operands.data() + call.args, *targets = m->code->operands.data() + call.results;
  int32_t count = *args++, numResults = *targets++;
  const IValue **argv = m->argv;
  for (int32_t i = 0; i != count; ++i)
    argv[i] = &operandAt(args[i], regs, m);
  llvm::SmallVector<IValue, 4> results(numResults);
  const GroupRunner &group = *m->code->groups[ip->b];
  llvm::ArrayRef<const IValue *> inputs(argv, static_cast<size_t>(count));
  auto run = [&] { return group.run(m->ctx, inputs, results.data()); };
  StatusOr<bool> done = !m->ctx.trace ? run() : traced(m->ctx, "group", group.description(), inputs, results, run, [&] {
    return group.bytesRead(inputs);
  });
  if (!done.ok()) [[unlikely]] {
    m->status = std::move(done).status();
    return false;
  }
  if (!*done)
    return false;
  return finishCall(args, count, targets, results, regs, m);
}
TSC_HANDLER(CallGroup) {
  if (runGroup(ip, regs, m)) [[likely]]
    TSC_NEXT;
  if (!m->status.ok()) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_TAIL handleCall(ip, regs, m);
}

/// Runs a graph that the tape takes down as one operator. False where it takes them one by one, or on failure, with the
/// status in the machine.
static bool runDifferentiable(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->a];
  const int32_t *args = m->code->operands.data() + call.args, *targets = m->code->operands.data() + call.results;
  int32_t count = *args++, numResults = *targets++;
  llvm::SmallVector<const IValue *, 8> operands; // the machine's own list is used by what runs inside
  for (int32_t i = 0; i != count; ++i)
    operands.push_back(&operandAt(args[i], regs, m));
  llvm::SmallVector<IValue, 4> results(numResults);
  if (!m->code->differentiable[ip->b]->run(m->ctx, operands, results))
    return false;
  return finishCall(args, count, targets, results, regs, m);
}
TSC_HANDLER(CallDifferentiable) {
  if (m->ctx.observer && runDifferentiable(ip, regs, m))
    TSC_NEXT;
  if (!m->status.ok()) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_TAIL handleCall(ip, regs, m);
}

[[maybe_unused]] static bool isEmptied(const CodeImpl &code, char *regs) {
  for (size_t i = code.numScalarSlots; i != code.frameTemplate.size(); ++i)
    if (reinterpret_cast<IValue *>(regs)[i].isCounted())
      return false;
  return true;
}

/// Moves the results to the caller's slots, or to the machine's when this is the outermost frame; pops the frame. Gives
/// the caller's instruction after the call and its registers; null at the end of the run, or on failure.
static Resumption leave(const int32_t *list, int32_t count, char *regs, Machine *m) {
  Frame frame = m->frames.back();
  if (!m->pending.empty() && m->pending.back().frame + 1 >= m->frames.size()) [[unlikely]]
    runPending(m, m->frames.size() - 1);
  if (!m->running.empty() && m->running.back().frame + 1 == m->frames.size()) [[unlikely]]
    return leaveFork(list, count, regs, m);
  if (!frame.call) {
    for (int32_t i = 0; i != count; ++i)
      m->results.push_back(takeOperand(list[i], regs, m));
    assert(isEmptied(*frame.code, regs) && "a value outlived its last use");
    m->frames.pop_back();
    m->arena.pop(frame.code->frameTemplate.size() * sizeof(IValue));
    return {nullptr, nullptr};
  }
  const Frame &caller = m->frames[m->frames.size() - 2];
  const FunctionCall &call = *caller.code->functionCalls[frame.call->a];
  const int32_t *targets = caller.code->operands.data() + call.results;
  int32_t wanted = *targets++;
  bool good = wanted <= count;
  for (int32_t i = 0; i != count; ++i) {
    IValue v = takeOperand(list[i], regs, m);
    if (i < wanted && targets[i] != noOperand)
      good &= putChecked(caller.regs, targets[i], std::move(v));
  }
  assert(isEmptied(*frame.code, regs) && "a value outlived its last use");
  m->frames.pop_back();
  m->arena.pop(frame.code->frameTemplate.size() * sizeof(IValue));
  --m->ctx.depthUsed;
  m->code = caller.code;
  m->constants = caller.code->constants.data();
  if (!good) [[unlikely]] {
    m->status =
        invalidArgument(llvm::Twine(frame.code->name) + "() gave a value of another type than the program says");
    return {frame.call, nullptr};
  }
  return {frame.call + 1, caller.regs};
}
TSC_HANDLER(Return) {
  const int32_t *list = m->code->operands.data() + ip->a;
  Resumption next = leave(list + 1, *list, regs, m);
  if (!next.ip)
    return;
  if (!next.regs) [[unlikely]]
    TSC_TAIL failHandler(next.ip, m->frames.back().regs, m);
  TSC_TAIL next.ip->run(next.ip, next.regs, m);
}
TSC_HANDLER(Return1) {
  Resumption next = leave(&ip->a, 1, regs, m);
  if (!next.ip)
    return;
  if (!next.regs) [[unlikely]]
    TSC_TAIL failHandler(next.ip, m->frames.back().regs, m);
  TSC_TAIL next.ip->run(next.ip, next.regs, m);
}

/// Before the call of __enter__, which may be the last use of the object.
TSC_HANDLER(Enter) {
  m->entered.emplace_back(operandAt(ip->a, regs, m), false);
  TSC_NEXT;
}
/// After it: should the body fail, __exit__ will run.
TSC_HANDLER(Entered) {
  if (!m->entered.empty())
    m->entered.back().second = true;
  TSC_NEXT;
}

} // namespace tsc
