//===- Calls.h - Leaving Python for the engine, and coming back -*- C++ -*-===//
//
//   EngineCall call(program.context());
//   IValue y = orRaise(call.run([&] { return program.run(call.context(), entry, std::move(args)); }));
//
// While the body runs, other threads run Python. What a program prints and warns of goes
// to Python's streams and warnings, and Python's signals are handled between operators, so
// that Ctrl-C ends a call.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_CALLS_H
#define TSC_BINDINGS_PYTHON_CALLS_H

#include "Gil.h"
#include "LateRelease.h"
#include "Python.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/Generator.h"
#include "llvm/Support/raw_ostream.h"

namespace tsc::bindings {

/// Returns the Context of tensors and operators that belong to no program. It lives as long as the process.
Context &eagerContext();

struct EagerTrace;

/// What each thread has: its grad mode, random numbers and the record of its operators.
///
/// The tape is one of eagerContext(), also for calls of programs: what it records may then outlive the program.
struct ThreadState {
  bool gradMode = true;
  Generator generator;
  Tape tape{eagerContext()};
  unsigned numCalls = 0;       ///< How many calls of the engine are under way in the thread: calls of Python's call.
  PyObject *leaving = nullptr; ///< What a function of Python's raised to end more than a call, or null. Owned.
  EagerTrace *trace = nullptr; ///< The trace of tsc's own tensors that is under way (EagerTrace.h), or null.
  bool isTraced = false;       ///< Whether tsc.jit's Python code traces in the thread.
  /// Returns that of the calling thread.
  static ThreadState &get();
};

/// Keeps an exception for the call that is under way in this thread, which then ends, and raises it as it is. For what
/// is no Exception of Python's, such as SystemExit and KeyboardInterrupt; nothing else has a say in what ends a
/// process. Returns false, and keeps nothing, where no call is under way. The thread has the GIL.
bool leaveCall(nb::python_error &error);

/// A call of the engine by a thread of Python's, which has the GIL when this is made and when it goes.
class EngineCall {
public:
  /// Prepares a call with what the thread has. With `executor`, the call computes in several threads.
  explicit EngineCall(Context &context, Executor *executor = nullptr);
  ~EngineCall();
  EngineCall(const EngineCall &) = delete;

  CallContext &context() { return call; }
  ThreadState &thread() { return state; }
  /// Lets the tape of the thread see the call.
  void record() { call.observer = &state.tape; }

  /// Runs `body`, which returns a Status or a StatusOr, without the GIL, and returns what it returns. Raises what
  /// Python raised meanwhile: in a handler of a signal, or where it was told of output or a warning.
  template <typename F> auto run(F &&body) {
    auto result = [&] {
      Watched watched(*this);
      WithoutGil released;
      ExecutorScope scope(executor);
      return body();
    }();
    finish();
    return result;
  }

private:
  /// Hands what a program prints to sys.stdout, line by line.
  class Output final : public llvm::raw_ostream {
  public:
    explicit Output(EngineCall &call) : raw_ostream(/*unbuffered=*/true), call(call) {}
    void finish(); ///< Hands on what is left. The thread has the GIL.

  private:
    void write_impl(const char *text, size_t size) override;
    uint64_t current_pos() const override { return position; }
    EngineCall &call;
    std::string waiting;
    uint64_t position = 0;
  };
  /// While one lives, signals reach the call, if it is one of the main thread.
  class Watched {
  public:
    explicit Watched(EngineCall &call);
    ~Watched();

  private:
    EngineCall *outer = nullptr; ///< The call that is watched when this one is over.
    bool isMain;
  };
  /// Hands on what is left to hand on, and raises what Python has raised.
  void finish();
  void warn(const std::string &message);
  Status interrupted();
  /// Does something with Python in the midst of a call. Where that raises, the call is to end, and finish()
  /// raises it.
  template <typename F> void inPython(F &&body);

  ThreadState &state;
  CallContext call;
  Executor *executor;
  Output output{*this};
  ClearsReleased clears;
  PyObject *raised[3] = {}; ///< What Python raised during the call: type, value, traceback; nulls for nothing.
};

} // namespace tsc::bindings

#endif
