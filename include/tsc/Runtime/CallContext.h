//===- CallContext.h - What a running program may touch ---------*- C++ -*-===//
//
// One per call (or per sequence of calls by one thread): the random generator,
// where print writes, grad mode, and the quotas of the host. Cheap to make.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_CALLCONTEXT_H
#define TSC_RUNTIME_CALLCONTEXT_H

#include "tsc/Support/Status.h"
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

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

/// Limits a host sets; exceeding one is ResourceExhausted.
struct Quotas {
  uint64_t steps = std::numeric_limits<uint64_t>::max(); ///< Backward jumps and calls.
  unsigned depth = 10000;                                ///< Nested calls.
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
  void warn(const std::string &message) {
    if (onWarning)
      onWarning(message);
  }
  void setWarningHandler(WarningHandler h) { onWarning = std::move(h); }

  bool gradMode = true; ///< torch.is_grad_enabled()
  /// Whether the call under way has done what somebody outside of it can see: printed, written to what it was given.
  /// Set by code that keeps track of it (CodeCache::trackEffects).
  bool isObserved = false;
  bool profiling = false;         ///< torch.jit profiling switches are accepted and kept.
  Tape *tape = nullptr;           ///< Takes down operators for gradients (Tape.h); null: nobody will ask for any.
  TraceRecorder *trace = nullptr; ///< Hears of every operator and fusion group, with times; null: nothing is measured.
  FileAccess *files = nullptr;    ///< What operators on files may touch; null: they are refused.
  Quotas quotas;
  /// Steps and depth used so far.
  uint64_t stepsUsed = 0;
  unsigned depthUsed = 0;
  /// The call being made; set by the interpreter around every operator.
  const CallSite *site = nullptr;

private:
  Context &types;
  Generator *random; ///< Null until it is needed.
  llvm::raw_ostream *stream;
  WarningHandler onWarning;
  std::unique_ptr<Generator> ownRandom;
};

} // namespace tsc

#endif
