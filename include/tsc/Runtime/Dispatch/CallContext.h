//===- CallContext.h - What a running program may touch ---------*- C++ -*-===//
//
// One per call (or per sequence of calls by one thread): the random generator,
// where print writes, grad mode, and the quotas of the host. Cheap to make.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_CALLCONTEXT_H
#define TSC_RUNTIME_DISPATCH_CALLCONTEXT_H

#include "tsc/Support/Status.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace tsc {

class CallContext;
class CodeCache;
class Context;
class FileAccess;
class Generator;
class IValue;
class OperatorObserver;
class ProfileObserver;
class TraceRecorder;
class Type;

/// The signature of every operator's kernel. `args` points at the schema's arguments in order (all of them, with
/// defaults filled in), which the kernel borrows; `results` points at as many None slots as the call has results.
/// tsc-tblgen generates the wrapper of a kernel that takes unboxed arguments.
using BoxedKernel = Status (*)(CallContext &, const IValue *const *args, IValue *results);

/// The kernels of all operators, indexed by OpKind, null where an operator has none. Generated from the records.
extern const BoxedKernel boxedKernels[];

/// Properties of the place in a program from which an operator is called. Operators with a variable number of arguments
/// need them, and those whose result depends on the type that the program gives it.
struct CallSite {
  unsigned numArgs = 0;
  unsigned numResults = 1;
  const Type *resultType = nullptr; ///< The type of result 0; null where there is no result.
  const char *name = "";            ///< The operator's name for messages, "aten::add".
  /// The cache in which an operator that calls methods finds their code; null outside of a program.
  CodeCache *codes = nullptr;
};

/// The limits that a host sets on calls. A call that exceeds one fails with ResourceExhausted (see exceededQuota() in
/// Exceptions.h).
struct Quotas {
  static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();
  uint64_t steps = unlimited; ///< The number of backward jumps and calls, and of the steps of operators (WorkMeter.h).
  unsigned depth = 10000;     ///< How many calls may be nested.
  /// The number of bytes in tensors, lists, dicts, strings and objects beyond those that were there before.
  uint64_t memory = unlimited;
  uint64_t output = unlimited; ///< The number of bytes that print and warnings write.
};

/// The state of a host's calls that is no part of the program: its random generator, its output, grad mode, the
/// observer of operators, and limits with what was used of them.
///
/// Ownership: borrows the Context and all that it is given a pointer to. Cheap to make.
/// Threads:   one thread at a time uses it, except for cancel(), which any thread may call.
class CallContext {
public:
  /// Prints nowhere until the host says where, warns to stderr, and draws from a generator of its own with PyTorch's
  /// default seed.
  explicit CallContext(Context &context);
  ~CallContext();
  CallContext(const CallContext &) = delete;

  Context &context() const { return types; }
  /// Returns the generator that random operators draw from. Without setGenerator() it is the context's own, which is
  /// made when it is first asked for.
  Generator &generator();
  /// Lets random operators draw from `g`, which must outlive the context.
  void setGenerator(Generator &g) { random = &g; }
  /// Returns the stream that print writes to.
  llvm::raw_ostream &out() { return *stream; }
  void setOut(llvm::raw_ostream &os) { stream = &os; }
  /// Receives the message of each warning.
  using WarningHandler = std::function<void(const std::string &)>;
  /// Hands a warning to the handler, and counts its bytes as output. One beyond the quota of output is dropped.
  void warn(const std::string &message);
  /// Sets the handler of warnings; an empty one drops them.
  void setWarningHandler(WarningHandler h) { onWarning = std::move(h); }

  bool gradMode = true; ///< What torch.is_grad_enabled() returns.
  /// Whether the call under way has had an effect that somebody outside of it can see, such as printing or writing to
  /// an argument. Only code of a cache with CodeCache::trackEffects sets it.
  bool isObserved = false;
  /// Sees every operator that is called (Dispatch/OperatorObserver.h), such as a tape that records them for gradients
  /// (Tape.h). Without a tape, gradients cannot be asked for.
  OperatorObserver *observer = nullptr;
  /// Is told of the values that pass prim::profile nodes (Dispatch/Profiling.h). Null: nobody is.
  ProfileObserver *profile = nullptr;
  /// The number of the guard (the attribute `index` of its prim::BailOut) that fails whatever it is given, for tests.
  std::optional<uint32_t> forcedBailout;
  /// How many guards have failed, but for that one; and how often that one has.
  uint64_t guardFailures = 0, forcedFailures = 0;
  TraceRecorder *trace = nullptr; ///< Receives a span for every operator and fusion group. Null: nothing is measured.
  FileAccess *files = nullptr;    ///< Does the work of operators on files. Null: they are PermissionDenied.

  //===-- Limits ------------------------------------------------------------===//
  Quotas quotas;
  /// What has been used of the quotas. The steps of an operator are added when the interpreter next checks limits.
  uint64_t stepsUsed = 0, outputUsed = 0;
  unsigned depthUsed = 0;
  /// Resets what has been used. A host that calls it before each call gives each the whole quotas; otherwise all calls
  /// share them.
  void beginCall();
  /// Runs `write` with out(), or, where output is limited, with a stream that drops what exceeds the quota.
  /// ResourceExhausted: something was dropped.
  Status write(llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// Makes the call under way and all later ones fail with Cancelled, soon, until resume(). May be called from any
  /// thread, and from a signal handler.
  void cancel() {
    cancelled.store(true, std::memory_order_relaxed);
    alarm.store(true, std::memory_order_relaxed);
  }
  /// Decides in the thread of a call whether the call goes on: what it returns, if not OK, is how the call fails.
  using InterruptHandler = std::function<Status()>;
  /// Sets what interrupt() lets a call ask; an empty one lets every call go on.
  void setInterruptHandler(InterruptHandler h) { onInterrupt = std::move(h); }
  /// Makes the call under way, or else the next one, ask the interrupt handler once, soon: between two operators, in
  /// the thread of the call. So a host does in that thread what can be done nowhere else, such as running handlers of
  /// signals. May be called from any thread, and from a signal handler.
  void interrupt() { interrupted.store(true, std::memory_order_release); }
  /// Takes cancel() back.
  void resume() {
    cancelled.store(false, std::memory_order_relaxed);
    alarm.store(memoryAccount.wasExceeded() || exceedsSteps(), std::memory_order_relaxed);
  }
  /// Whether checkLimits() may return an error. The interpreter asks after every operator.
  bool hasAlarm() const {
    return limits->alarm.load(std::memory_order_relaxed) || limits->interrupted.load(std::memory_order_relaxed);
  }
  /// Returns Cancelled after cancel(), what the interrupt handler says after interrupt(), and ResourceExhausted where a
  /// quota was exceeded.
  Status checkLimits();
  /// Makes this context share the cancellation and the memory quota of `other`, within one of whose calls it is used.
  /// Null undoes that.
  void obey(CallContext *other) {
    limits = other ? other->limits : this;
    workMeter.setAlarm(limits->alarm);
  }
  /// Returns the account that counts the memory of the calls' tensors, strings and containers.
  memory::Account &account() { return limits->memoryAccount; }
  /// Returns the meter in which operators count their steps until the interpreter adds them to stepsUsed. Its limit is
  /// the number of steps left.
  work::Meter &meter() { return workMeter; }
  /// While one lives, memory that its thread allocates counts in the context's account, if memory has a quota.
  class MemoryScope {
  public:
    explicit MemoryScope(CallContext &context);

  private:
    std::optional<memory::AccountScope> scope;
  };

  /// The operator call that is being made. callOperator() sets it (Dispatch/CallOperator.h).
  const CallSite *site = nullptr;

private:
  /// Whether the steps used, with those that operators have counted since, exceed the quota.
  bool exceedsSteps() const { return workMeter.used() > quotas.steps - std::min(quotas.steps, stepsUsed); }
  /// Whether the call is to end: kernels then leave the rest of their work undone.
  std::atomic<bool> alarm{false};
  std::atomic<bool> cancelled{false};
  std::atomic<bool> interrupted{false}; ///< Whether the handler is to be asked. It is no alarm: the call may go on.
  CallContext *limits = this;           ///< The context whose cancellation and memory quota apply; see obey().
  memory::Account memoryAccount;
  Context &types;
  Generator *random; ///< Null until it is needed or set.
  llvm::raw_ostream *stream;
  WarningHandler onWarning;
  InterruptHandler onInterrupt; ///< May be empty.
  std::unique_ptr<Generator> ownRandom;
  work::Meter workMeter{alarm};
};

} // namespace tsc

#endif
