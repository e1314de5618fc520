//===- Errors.h - Failures as exceptions of Python's ------------*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_ERRORS_H
#define TSC_BINDINGS_PYTHON_ERRORS_H

#include "Python.h"
#include "tsc/Support/Diagnostics.h"
#include <mutex>
#include <vector>

namespace tsc::bindings {

/// What a program's author is told, kept as text: diagnostics borrow sources that may go.
struct KeptDiagnostic {
  Severity severity = Severity::Error;
  std::string message; ///< With the hint that stands under the caret, and the notes, left out.
  std::string file;
  unsigned line = 0, column = 0, endColumn = 0; ///< Count from 1, columns in characters; 0 where there is no place.
  std::string text;                             ///< The line.
  std::string
      excerpt; ///< The lines around it with a marker under the place, as PyTorch shows them; empty without a text.
  std::vector<std::string> notes; ///< The hint, and the notes as tsc prints them.
  static KeptDiagnostic of(const Diagnostic &diagnostic);
};

/// Collects the diagnostics of a program, from whichever thread compiles.
class DiagnosticList {
public:
  void add(const Diagnostic &diagnostic);
  /// Raises tsc.CompileError for the errors that came since the last call of this or of forget(), if there are any.
  void raiseErrors();
  /// Hands warnings to Python's `warnings`; drops the rest.
  void warn();

private:
  std::vector<KeptDiagnostic> take();
  std::mutex mutex;
  std::vector<KeptDiagnostic> kept;
};

} // namespace tsc::bindings

#endif
