//===- LoadedProgram.cpp - A program that Python's objects share ----------===//
#include "LoadedProgram.h"
#include "Eager.h"
#include "Gil.h"

using namespace tsc;
using namespace tsc::bindings;

LoadedProgram::~LoadedProgram() {
  program.reset();
  if (!Py_IsInitialized())
    return;
  WithGil held;
  for (auto &[type, object] : classes)
    Py_DECREF(object);
  Py_XDECREF(given);
}

void LoadedProgram::raiseIfError(const Status &status) {
  if (status.ok()) [[likely]]
    return;
  if (wasDiagnosed(status))
    messages->raiseErrors();
  bindings::raiseIfError(status);
}

namespace {
/// Does something in the midst of the program, through which nothing is thrown, and raises afterwards what it threw.
class Thrown {
public:
  template <typename F> void run(F &&body) {
    try {
      body();
    } catch (...) {
      raised = std::current_exception();
    }
  }
  void raise() const {
    if (raised)
      std::rethrow_exception(raised);
  }

private:
  std::exception_ptr raised;
};
} // namespace

void LoadedProgram::read(llvm::function_ref<void()> look) {
  Thrown thrown;
  auto lookOrKeep = [&] { thrown.run(look); };
  if (!program->tryReadState(lookOrKeep))
    raiseIfError([&] {
      WithoutGil released;
      return program->readState([&] {
        WithGil held;
        lookOrKeep();
      });
    }());
  thrown.raise();
}

/// Lets handlers of signals run, if this is the thread in which they do. What one raises stays Python's error.
static Status handleSignals() {
  WithGil held;
  return PyErr_CheckSignals() == 0 ? okStatus() : failedPrecondition("a handler of a signal has raised");
}

void LoadedProgram::write(llvm::function_ref<Status()> set) {
  Status result;
  Thrown thrown;
  auto setOrKeep = [&] {
    thrown.run([&] { result = set(); });
    noteGradientMark(); // before a call can see what it does
  };
  if (program->options().counted == CountedCalls::None) {
    setOrKeep();
  } else if (!program->tryWriteState(setOrKeep)) {
    const Status waited = [&] {
      WithoutGil released;
      return program->writeState(
          [&] {
            WithGil held;
            setOrKeep();
          },
          handleSignals);
    }();
    if (PyErr_Occurred())
      raiseCurrent();
    raiseIfError(waited);
  }
  thrown.raise();
  raiseIfError(result);
}
