//===- Gil.cpp - Giving up Python's lock, and taking it back --------------===//
#include "Gil.h"
#include <cxxabi.h>
#include <unistd.h>

using namespace tsc;
using namespace tsc::bindings;

/// Does what asks for the GIL. An end of the thread that Python wants meanwhile is put off to the end of the process.
template <typename F> static auto untilItIsThere(F &&ask) noexcept {
  try {
    return ask();
  } catch (const abi::__forced_unwind &) {
    for (;;) // the exception cannot be let go, and must not go on
      pause();
  }
}

void bindings::takeGil(PyThreadState *state) noexcept {
  untilItIsThere([&] { PyEval_RestoreThread(state); });
}

PyGILState_STATE bindings::ensureGil() noexcept {
  return untilItIsThere([] { return PyGILState_Ensure(); });
}
