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

/// How serious a diagnostic is; Error alone makes hasErrors() true.
enum class Severity { Error, Warning, Remark, Note };

/// A kind of diagnostic, declared in a Diagnostics.def. `format` is its message, as llvm::formatv takes it.
struct DiagnosticKind {
  Severity severity;
  const char *name;
  const char *format;
};

/// A message about a place in a program, with notes about other places.
struct Diagnostic {
  const DiagnosticKind *kind = nullptr;
  Severity severity = Severity::Error;
  SourceRange range;
  std::string message;
  /// The text printed under the caret, which one can paste in place of the range; empty when there is none.
  std::string fixIt;
  std::vector<Diagnostic> notes;

  /// Writes `file:line:col: error: message`, the line, a caret with tildes, the fix-it, then the notes. Columns count
  /// from 1.
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

  /// Adds a note about another place.
  template <typename... Args>
  InFlightDiagnostic &&note(SourceRange range, const DiagnosticKind &kind, Args &&...args) && {
    diagnostic.notes.push_back(
        {&kind, Severity::Note, range, llvm::formatv(kind.format, std::forward<Args>(args)...).str(), {}, {}});
    return std::move(*this);
  }
  /// Sets the text that is printed under the caret.
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

/// Receives diagnostics, keeps them, and hands each to the handler when one is set. It is not thread-safe: each parse
/// has one.
class DiagnosticEngine {
public:
  /// Is called with each diagnostic when it is emitted.
  using Handler = std::function<void(const Diagnostic &)>;
  void setHandler(Handler h) { handler = std::move(h); }

  /// Begins a diagnostic whose message is `kind.format` with `args`. It is emitted when the result is destroyed.
  template <typename... Args> InFlightDiagnostic report(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    return {*this,
            {&kind, kind.severity, range, llvm::formatv(kind.format, std::forward<Args>(args)...).str(), {}, {}}};
  }
  /// Keeps a diagnostic and hands it to the handler. Where its place was printed from graphs, it gets a note with the
  /// author's line; an error also gets the note of the ContextNote that is in force.
  void emit(Diagnostic diagnostic);
  bool hasErrors() const { return errors != 0; }
  const std::vector<Diagnostic> &all() const { return diagnostics; }
  /// Returns all diagnostics as text.
  std::string str() const;

  /// Sets whether a call that fits no overload is reported with all of them, and why each does not take it.
  void listAllOverloads(bool all = true) { listsAll = all; }
  bool listsAllOverloads() const { return listsAll; }

private:
  friend class ContextNote;
  Handler handler;
  std::vector<Diagnostic> diagnostics;
  unsigned errors = 0;
  bool listsAll = false;
  Diagnostic context; ///< The note that errors end with; there is none while its range is invalid.
};

/// While it lives, each error ends with a note that shows a place of the user's program: for errors in other text that
/// the program led to. With an invalid range, errors end with no such note, even within another ContextNote.
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
