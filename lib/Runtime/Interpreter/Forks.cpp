//===- Forks.cpp - Forks, waiting for them ---------------------------------===//
//
// A fork whose effects somebody could see runs at once, in a frame above the one
// that forks. Another one waits: for the first `wait`, or for the end of the
// function that forked it. Then all that wait run side by side on the host's
// threads, or the one that is asked for in a frame above the one that waits. So a
// wait never blocks a thread, forks nest as deeply as calls do, and results are
// those of running each at once, however many threads there are.
//
// A failure in a fork's frame ends that frame and those above it, and is the
// future's; the host's limits end the run.
//
//===----------------------------------------------------------------------===//
#include "Frames.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Lowering/ForkEffects.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/DefaultDType.h"

namespace tsc {

static IValue resultOf(llvm::MutableArrayRef<IValue> results) {
  if (results.size() == 1)
    return std::move(results[0]);
  return makeTuple(
      std::vector<IValue>(std::make_move_iterator(results.begin()), std::make_move_iterator(results.end())));
}

/// Runs a fork by itself, in a context like that of the run.
static uint64_t runAlone(Machine *m, PendingFork &fork, uint64_t stepsLeft) {
  CallContext context(m->ctx.context());
  context.obey(&m->ctx);
  context.quotas = m->ctx.quotas;
  CallContext::MemoryScope memory(context); // another thread counts in nobody's account yet
  context.gradMode = fork.gradMode;
  context.quotas.steps = stepsLeft;
  context.depthUsed = m->ctx.depthUsed;
  context.files = m->ctx.files;
  fork.future->status = orMemoryError([&]() -> Status { // a thread of the host's knows nothing of exceptions
    std::vector<IValue> results;
    TSC_RETURN_IF_ERROR(interpret(fork.code->get(), context, fork.args, results));
    fork.future->value = resultOf(results);
    return okStatus();
  });
  return context.stepsUsed;
}

/// All that is pending from the `first` on, on the host's threads where there are any.
static void runFrom(Machine *m, size_t first) {
  std::vector<PendingFork> forks(std::make_move_iterator(m->pending.begin() + first),
                                 std::make_move_iterator(m->pending.end()));
  m->pending.truncate(first);
  std::vector<uint64_t> steps(forks.size());
  m->settleSteps();
  Executor *executor = forks.size() > 1 ? currentExecutor() : nullptr;
  // Each fork may take all steps that are left; where there is a limit, no more of them begin at once than can run.
  const bool isLimited = m->ctx.quotas.steps != Quotas::unlimited;
  const DType dtype = defaultDType(); // of the thread that forks
  const size_t batch = !executor ? 1 : isLimited ? executor->concurrency() : forks.size();
  for (size_t begin = 0; begin < forks.size(); begin += batch) {
    const size_t count = std::min(batch, forks.size() - begin);
    const uint64_t left = m->ctx.quotas.steps - std::min(m->ctx.stepsUsed, m->ctx.quotas.steps);
    auto run = [&](unsigned i) {
      const DefaultDTypeScope scope(dtype);
      steps[begin + i] = runAlone(m, forks[begin + i], left);
    };
    if (executor)
      executor->run(count, run);
    else
      run(0);
    for (size_t i = begin; i != begin + count; ++i)
      m->ctx.stepsUsed += steps[i]; // the next slice looks at them
  }
}

void runPending(Machine *m, size_t frame) {
  size_t first = m->pending.size();
  while (first && m->pending[first - 1].frame >= frame)
    --first;
  runFrom(m, first);
}

//===----------------------------------------------------------------------===//
// Frames of forks
//===----------------------------------------------------------------------===//

/// Pushes the frame of a fork and moves the arguments in. Null on failure.
static char *enterFork(const Code &code, llvm::MutableArrayRef<IValue> args, Ref<FutureValue> future, bool isWaitedFor,
                       bool gradMode, const Instruction *ip, Machine *m) {
  const CodeImpl &callee = code.get();
  if (m->ctx.depthUsed >= m->ctx.quotas.depth) {
    m->status = quotaExceeded(QuotaKind::Depth);
    return nullptr;
  }
  if (--m->stepsLeft == 0)
    if (m->status = m->beginSlice(); !m->status.ok())
      return nullptr;
  if (args.size() != callee.inputSlots.size()) {
    m->status = invalidArgument(llvm::Twine(callee.name) + "() takes " + llvm::Twine(callee.inputSlots.size()) +
                                " arguments but " + llvm::Twine(args.size()) + " were given");
    return nullptr;
  }
  const size_t numEntered = m->entered.size();
  char *inner = pushFrame(m, callee, ip);
  ++m->ctx.depthUsed;
  bool good = true;
  for (size_t i = 0; i != args.size(); ++i)
    good &= putChecked(inner, callee.inputSlots[i], std::move(args[i]));
  if (!good) {
    m->status =
        invalidArgument("an argument of " + llvm::Twine(callee.name) + "() is of another type than its signature says");
    return nullptr;
  }
  m->running.push_back({std::move(future), m->frames.size() - 1, numEntered, isWaitedFor, m->ctx.gradMode});
  m->ctx.gradMode = gradMode;
  return inner;
}

/// Where the run goes on behind the frame of `fork`, which is gone.
static Resumption resumeBehind(const RunningFork &fork, const Instruction *call, Machine *m) {
  const Frame &caller = m->frames.back();
  m->code = caller.code;
  m->constants = caller.code->constants.data();
  m->ctx.gradMode = fork.isWaitedFor ? fork.gradMode : m->ctx.gradMode;
  return {fork.isWaitedFor ? call : call + 1, caller.regs};
}

Resumption leaveFork(const int32_t *list, int32_t count, char *regs, Machine *m) {
  llvm::SmallVector<IValue, 4> results;
  for (int32_t i = 0; i != count; ++i)
    results.push_back(takeOperand(list[i], regs, m));
  RunningFork fork = m->running.pop_back_val();
  fork.future->value = resultOf(results);
  const Instruction *call = m->frames.back().call;
  dropFrame(m);
  return resumeBehind(fork, call, m);
}

Resumption failFork(Machine *m) {
  RunningFork fork = m->running.pop_back_val();
  CodeCache *cache = m->frames.front().code->cache;
  while (!m->pending.empty() && m->pending.back().frame >= fork.frame)
    m->pending.pop_back();
  const Instruction *call = m->frames[fork.frame].call;
  while (m->frames.size() > fork.frame)
    dropFrame(m);
  exitEntered(m, cache, fork.numEntered);
  fork.future->status = std::move(m->status);
  m->status = okStatus();
  return resumeBehind(fork, call, m);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Whether somebody outside of the function that forks can see that the fork has run.
static bool isSeen(const FunctionCall &call) {
  int8_t known = call.isSeen.load(std::memory_order_relaxed);
  if (known < 0) {
    known = hasSeenEffects(*call.subgraph) ||
            llvm::any_of(call.otherGraphs, [](const Graph *graph) { return hasSeenEffects(*graph); }) ||
            llvm::any_of(call.otherFunctions, [](Function *function) { return hasSeenEffects(*function); });
    call.isSeen.store(known, std::memory_order_relaxed);
  }
  return known;
}

/// Runs the fork at once or leaves it for later. The registers to go on with; null on failure.
static Resumption fork(const Instruction *ip, char *regs, Machine *m) {
  const FunctionCall &call = *m->code->functionCalls[ip->b];
  const Code *target = resolveCall(call, regs, m);
  if (!target)
    return {nullptr, nullptr};
  const int32_t *list = m->code->operands.data() + call.args;
  int32_t count = *list++;
  std::vector<IValue> args;
  for (int32_t i = 0; i != count; ++i)
    args.push_back(takeOperand(list[i], regs, m));
  auto future = makeRef<FutureValue>();
  if (ip->a != noOperand)
    putValue(regs, ip->a, IValue(Ref<FutureValue>(future)));
  if (call.mayRunLater && !m->ctx.observer && !m->ctx.trace && !isSeen(call)) {
    m->pending.push_back({std::move(future), target, std::move(args), m->frames.size() - 1, m->ctx.gradMode});
    return {ip + 1, regs};
  }
  char *inner = enterFork(*target, args, std::move(future), /*isWaitedFor=*/false, m->ctx.gradMode, ip, m);
  return inner ? Resumption{m->code->instructions.data(), inner} : Resumption{nullptr, nullptr};
}
TSC_HANDLER(Fork) {
  Resumption next = fork(ip, regs, m);
  if (!next.ip) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_TAIL next.ip->run(next.ip, next.regs, m);
}

/// Takes the future's value, or first runs what it stands for.
static Resumption wait(const Instruction *ip, char *regs, Machine *m) {
  IValue &operand = operandAt(ip->b, regs, m);
  if (operand.isFuture() && !m->pending.empty()) {
    const FutureValue *wanted = &operand.toFuture();
    auto found = llvm::find_if(m->pending, [&](const PendingFork &fork) { return fork.future.get() == wanted; });
    if (found != m->pending.end()) {
      if (m->pending.size() > 1 && currentExecutor()) {
        runFrom(m, 0);
      } else {
        PendingFork fork = std::move(*found);
        m->pending.erase(found);
        char *inner =
            enterFork(*fork.code, fork.args, std::move(fork.future), /*isWaitedFor=*/true, fork.gradMode, ip, m);
        return inner ? Resumption{m->code->instructions.data(), inner} : Resumption{nullptr, nullptr};
      }
    }
  }
  IValue v = takeOperand(ip->b, regs, m);
  if (v.isFuture()) {
    if (!v.toFuture().status.ok()) {
      m->status = v.toFuture().status;
      return {nullptr, nullptr};
    }
    v = IValue(v.toFuture().value);
  }
  if (ip->a != noOperand && !putChecked(regs, ip->a, std::move(v))) {
    m->status = invalidArgument("the future's value is of another type than the program says");
    return {nullptr, nullptr};
  }
  return {ip + 1, regs};
}
TSC_HANDLER(Wait) {
  Resumption next = wait(ip, regs, m);
  if (!next.ip) [[unlikely]]
    TSC_TAIL failHandler(ip, regs, m);
  TSC_TAIL next.ip->run(next.ip, next.regs, m);
}

} // namespace tsc
