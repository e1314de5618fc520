//===- Diagnostics.h - What a program's author is told ----------*- C++ -*-===//
//
// Kinds are declared one a line in each library's Diagnostics.def:
//   DIAG(Error, UndefinedValue, "undefined value '{0}'")
// and become constants tsc::diag::UndefinedValue. Reporting:
//   return diags.report(range, diag::UndefinedValue, name)
//       .fixIt(range, "did you mean '{0}'?", nearest).note(other, diag::DeclaredHere, name);
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_DIAGNOSTICS_H
#define TSC_SUPPORT_DIAGNOSTICS_H

#include "tsc/Support/Source.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LogicalResult.h"
#include <functional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

enum class Severity { Error, Warning, Remark, Note };

struct DiagnosticKind {
  Severity severity;
  const char *name;
  const char *format;
};

struct Diagnostic {
  const DiagnosticKind *kind = nullptr;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  /// Text one can paste in place of the range; printed under the caret. Empty when there is none.
  std::string fixIt;
  std::vector<Diagnostic> notes;

  /// `file:line:col: error: message`, the line, a caret with tildes, the fix-it, then the notes. Columns print 1-based.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

class DiagnosticEngine;

/// Collects the parts of one diagnostic and reports it when destroyed. Converts to failure().
class [[nodiscard]] InFlightDiagnostic {
public:
  InFlightDiagnostic(DiagnosticEngine &engine, Diagnostic diagnostic)
      : engine(&engine), diagnostic(std::move(diagnostic)) {}
  InFlightDiagnostic(InFlightDiagnostic &&other)
      : engine(std::exchange(other.engine, nullptr)), diagnostic(std::move(other.diagnostic)) {}
  ~InFlightDiagnostic();

  template <typename... Args>
  InFlightDiagnostic &&note(SourceRange range, const DiagnosticKind &kind, Args &&...args) && {
    diagnostic.notes.push_back(
        {&kind, Severity::Note, range, llvm::formatv(kind.format, std::forward<Args>(args)...).str(), {}, {}});
    return std::move(*this);
  }
  InFlightDiagnostic &&fixIt(std::string text) && {
    diagnostic.fixIt = std::move(text);
    return std::move(*this);
  }
  operator llvm::LogicalResult() && { return llvm::failure(); }
  template <typename T> operator llvm::FailureOr<T>() && { return llvm::failure(); }

private:
  DiagnosticEngine *engine;
  Diagnostic diagnostic;
};

/// Receives diagnostics; keeps them, and hands each to the handler when one is set. Not thread-safe: one per parse.
class DiagnosticEngine {
public:
  using Handler = std::function<void(const Diagnostic &)>;
  void setHandler(Handler h) { handler = std::move(h); }

  template <typename... Args> InFlightDiagnostic report(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    return {*this,
            {&kind, kind.severity, range, llvm::formatv(kind.format, std::forward<Args>(args)...).str(), {}, {}}};
  }
  void emit(Diagnostic diagnostic);
  bool hasErrors() const { return errors != 0; }
  const std::vector<Diagnostic> &all() const { return diagnostics; }
  /// Every diagnostic as text.
  std::string str() const;

  /// Whether a call that fits no overload is reported with all of them, and why each does not take it.
  void listAllOverloads(bool all = true) { listsAll = all; }
  bool listsAllOverloads() const { return listsAll; }

private:
  friend class ContextNote;
  Handler handler;
  std::vector<Diagnostic> diagnostics;
  unsigned errors = 0;
  bool listsAll = false;
  Diagnostic context; ///< A note to end errors with; without a place there is none.
};

/// While it lives, errors end with a note: what of the user's program they are about, where they stand in other text.
/// Without a valid range they end with none, whatever the scope around this one says.
class ContextNote {
public:
  ContextNote(DiagnosticEngine &engine, SourceRange range, const DiagnosticKind &kind)
      : engine(engine), outer(std::move(engine.context)) {
    engine.context = {&kind, Severity::Note, range, kind.format, {}, {}};
  }
  ~ContextNote() { engine.context = std::move(outer); }
  ContextNote(const ContextNote &) = delete;

private:
  DiagnosticEngine &engine;
  Diagnostic outer;
};

} // namespace tsc

#endif
