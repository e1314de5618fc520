//===- Calls.cpp - Leaving Python for the engine, and coming back ---------===//
#include "Calls.h"
#include "SignalWatch.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Interpreter/Code.h"

using namespace tsc;
using namespace tsc::bindings;

Context &bindings::eagerContext() {
  static Context &context = []() -> Context & {
    auto *made = new Context; // tensors with histories may be gone after everything else
    installOperatorServices(*made);
    installGradientServices(*made);
    return *made;
  }();
  return context;
}

ThreadState &ThreadState::get() {
  static thread_local ThreadState state;
  return state;
}

bool bindings::leaveCall(nb::python_error &error) {
  ThreadState &state = ThreadState::get();
  if (error.matches(PyExc_Exception) || !state.numCalls)
    return false;
  Py_XDECREF(std::exchange(state.leaving, nb::borrow(error.value()).release().ptr()));
  return true;
}

EngineCall::EngineCall(Context &context, Executor *executor)
    : state(ThreadState::get()), call(context), executor(executor) {
  call.gradMode = state.gradMode;
  call.setGenerator(state.generator);
  call.setOut(output);
  call.setWarningHandler([this](const std::string &message) { warn(message); });
  ++state.numCalls;
}

EngineCall::~EngineCall() {
  --state.numCalls;
  for (PyObject *part : raised)
    Py_XDECREF(part);
}

EngineCall::Watched::Watched(EngineCall &entered) : isMain(SignalWatch::isMainThread()) {
  if (!isMain)
    return;
  entered.call.setInterruptHandler([&entered] { return entered.interrupted(); });
  outer = SignalWatch::get().enter(&entered, entered.call);
}

EngineCall::Watched::~Watched() {
  if (isMain)
    SignalWatch::get().leave(outer, outer ? &outer->call : nullptr);
}

void EngineCall::finish() {
  output.finish();
  clearReleased();
  if (raised[0]) [[unlikely]] {
    PyErr_Restore(raised[0], raised[1], raised[2]);
    raised[0] = raised[1] = raised[2] = nullptr;
    raiseCurrent();
  }
  if (PyObject *leaving = std::exchange(state.leaving, nullptr)) [[unlikely]] {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(leaving)), leaving);
    Py_DECREF(leaving);
    raiseCurrent();
  }
}

template <typename F> void EngineCall::inPython(F &&body) {
  WithGil held;
  if (!raised[0]) {
    try {
      body();
    } catch (...) {
      setErrorOfException();
      PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
      call.cancel();
    }
  }
}

//===----------------------------------------------------------------------===//
// What a call tells Python
//===----------------------------------------------------------------------===//

void EngineCall::Output::write_impl(const char *text, size_t size) {
  position += size;
  waiting.append(text, size);
  const size_t end = waiting.rfind('\n');
  if (end == std::string::npos)
    return;
  call.inPython([&] { writeToStdout(std::string_view(waiting).substr(0, end + 1)); });
  waiting.erase(0, end + 1);
}

void EngineCall::Output::finish() {
  if (!waiting.empty())
    call.inPython([&] { writeToStdout(waiting); });
  waiting.clear();
}

void EngineCall::warn(const std::string &message) {
  inPython([&] {
    if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) // the user made errors of warnings
      raiseCurrent();
  });
}

Status EngineCall::interrupted() {
  inPython([] {
    if (PyErr_CheckSignals() != 0)
      raiseCurrent();
  });
  return raised[0] ? cancelled("the call was interrupted") : okStatus();
}
