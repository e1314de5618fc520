//===- CallContext.h - What a running program may touch ---------*- C++ -*-===//
//
// One per call (or per sequence of calls by one thread): the random generator,
// where print writes, grad mode, and the quotas of the host. Cheap to make.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_CALLCONTEXT_H
#define TSC_RUNTIME_CALLCONTEXT_H

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
class Tape;
class TraceRecorder;
class Type;

/// The one signature behind which every operator's implementation stands. `args` points at the schema's arguments in
/// order (all of them, defaults filled in), `results` at as many None slots as the call has results. An unboxed kernel
/// gets its wrapper from tsc-tblgen.
using BoxedKernel = Status (*)(CallContext &, const IValue *const *args, IValue *results);

/// Implementations indexed by OpKind, null where the record names none. Generated from the records.
extern const BoxedKernel boxedKernels[];

/// What varies between two calls of one operator beyond its arguments: for varargs, and for operators whose result
/// depends on the type the program gave it.
struct CallSite {
  unsigned numArgs = 0;
  unsigned numResults = 1;
  const Type *resultType = nullptr; ///< Type of result 0; null when it has none.
  const char *name = "";            ///< "aten::add", for messages.
  CodeCache *codes = nullptr; ///< Where an operator that calls methods finds their code; null outside of a program.
};

/// Limits a host sets; exceeding one is ResourceExhausted (see exceededQuota() in Exceptions.h).
struct Quotas {
  static constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();
  uint64_t steps = unlimited;  ///< Backward jumps and calls, and what operators do at length (WorkMeter.h).
  unsigned depth = 10000;      ///< Nested calls.
  uint64_t memory = unlimited; ///< Bytes of tensors, lists, dicts, strings and objects, beyond what was there before.
  uint64_t output = unlimited; ///< Bytes that print and warnings write.
};

class CallContext {
public:
  /// Prints nowhere until the host says where, warns to stderr, and draws from a generator of its own with PyTorch's
  /// default seed.
  explicit CallContext(Context &context);
  ~CallContext();
  CallContext(const CallContext &) = delete;

  Context &context() const { return types; }
  Generator &generator(); ///< Made when it is first asked for.
  void setGenerator(Generator &g) { random = &g; }
  /// Where prim::Print writes.
  llvm::raw_ostream &out() { return *stream; }
  void setOut(llvm::raw_ostream &os) { stream = &os; }
  /// Receives what warnings.warn says. Each text of one place once.
  using WarningHandler = std::function<void(const std::string &)>;
  void warn(const std::string &message);
  void setWarningHandler(WarningHandler h) { onWarning = std::move(h); }

  bool gradMode = true; ///< torch.is_grad_enabled()
  /// Whether the call under way has done what somebody outside of it can see: printed, written to what it was given.
  /// Set by code that keeps track of it (CodeCache::trackEffects).
  bool isObserved = false;
  bool profiling = false;         ///< torch.jit profiling switches are accepted and kept.
  Tape *tape = nullptr;           ///< Takes down operators for gradients (Tape.h); null: nobody will ask for any.
  TraceRecorder *trace = nullptr; ///< Hears of every operator and fusion group, with times; null: nothing is measured.
  FileAccess *files = nullptr;    ///< What operators on files may touch; null: they are refused.

  //===-- Limits ------------------------------------------------------------===//
  Quotas quotas;
  /// Used so far. The steps of an operator are added when the interpreter comes to look at them.
  uint64_t stepsUsed = 0, outputUsed = 0;
  unsigned depthUsed = 0;
  /// Sets what was used to nothing: quotas are those of a call then. Else they are those of all calls together.
  void beginCall();
  /// Runs `write` with out(), or with a stream that drops what is more than the quota leaves. ResourceExhausted: so it
  /// did.
  Status write(llvm::function_ref<void(llvm::raw_ostream &)> write);
  /// Makes the call under way and all later ones fail with Cancelled, soon, until resume(). From any thread, and from
  /// a signal handler.
  void cancel() {
    cancelled.store(true, std::memory_order_relaxed);
    alarm.store(true, std::memory_order_relaxed);
  }
  void resume() {
    cancelled.store(false, std::memory_order_relaxed);
    alarm.store(memoryAccount.wasExceeded() || exceedsSteps(), std::memory_order_relaxed);
  }
  /// Whether checkLimits() has something to say; asked after every operator.
  bool hasAlarm() const { return limits->alarm.load(std::memory_order_relaxed); }
  /// Cancelled, or ResourceExhausted where a limit was exceeded.
  Status checkLimits();
  /// Ends its calls where `other` would end its own; null: it is on its own again. For calls within another's.
  void obey(CallContext *other) {
    limits = other ? other->limits : this;
    workMeter.setAlarm(limits->alarm);
  }
  /// What the tensors, strings and containers of the calls are counted in.
  memory::Account &account() { return limits->memoryAccount; }
  /// What operators count in, until the interpreter adds it to the steps used. Its limit is the steps that are left.
  work::Meter &meter() { return workMeter; }
  /// While it lives, what the thread takes counts in the context's account, if there is a quota.
  class MemoryScope {
  public:
    explicit MemoryScope(CallContext &context);

  private:
    std::optional<memory::AccountScope> scope;
  };

  /// The call being made; set by the interpreter around every operator.
  const CallSite *site = nullptr;

private:
  /// Whether what is used, with what operators have counted just now, is more than the limit.
  bool exceedsSteps() const { return workMeter.used() > quotas.steps - std::min(quotas.steps, stepsUsed); }
  std::atomic<bool> alarm{false}, cancelled{false};
  CallContext *limits = this; ///< Whose cancellation and memory count.
  memory::Account memoryAccount;
  Context &types;
  Generator *random; ///< Null until it is needed.
  llvm::raw_ostream *stream;
  WarningHandler onWarning;
  std::unique_ptr<Generator> ownRandom;
  work::Meter workMeter{alarm};
};

} // namespace tsc

#endif
