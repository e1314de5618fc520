//===- Asking.h - Questions of the compiler's to Python ---------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_ASKING_H
#define TSC_BINDINGS_PYTHON_SCRIPT_ASKING_H

#include "../Gil.h"
#include "ScriptUnit.h"
#include "tsc/Frontend/Compiler.h"

namespace tsc::bindings {

/// What Python raises when it is asked is an error of the program's text.
inline constexpr DiagnosticKind raisedByPython{Severity::Error, "RaisedByPython", "{0}"};

/// Asks Python something, with the GIL, and returns the answer, or `otherwise` where it raises: after a report at
/// `range`, unless what is raised says that there was one.
template <typename F, typename R = std::invoke_result_t<F>>
R ask(ScriptUnit &unit, SourceRange range, R otherwise, F &&question) {
  WithGil held;
  CompilingThread compiling(unit.compiler());
  try {
    return question();
  } catch (nb::python_error &error) {
    if (!error.matches(unit.reportedError()))
      (void)unit.compiler().diagnostics().report(range, raisedByPython, shownSafely(error.value()));
  } catch (const std::exception &error) {
    (void)unit.compiler().diagnostics().report(range, raisedByPython, error.what());
  }
  return otherwise;
}

} // namespace tsc::bindings

#endif
