//===- ErrorsSince.h - Errors that were reported from some time on -*- C++ -*-===//
#ifndef TSC_SUPPORT_ERRORSSINCE_H
#define TSC_SUPPORT_ERRORSSINCE_H

#include "tsc/Support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

namespace tsc {

/// The errors that are reported from when this is made. What was reported before is of other work: a program that
/// Python compiles goes on after an error.
class ErrorsSince {
public:
  explicit ErrorsSince(const DiagnosticEngine &engine) : engine(engine), first(engine.all().size()) {}
  /// Returns what has been reported since, with warnings and notes.
  llvm::ArrayRef<Diagnostic> all() const { return llvm::ArrayRef(engine.all()).drop_front(first); }
  explicit operator bool() const {
    return llvm::any_of(all(), [](const Diagnostic &one) { return one.severity == Severity::Error; });
  }
  /// Returns all of it as text.
  std::string str() const {
    std::string text;
    for (const Diagnostic &one : all())
      text += one.str();
    return text;
  }

private:
  const DiagnosticEngine &engine;
  size_t first;
};

} // namespace tsc

#endif
