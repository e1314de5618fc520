//===- ErrorWriter.h - In which form errors are told ------------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_ERRORWRITER_H
#define TSC_TOOLS_TSCRUN_ERRORWRITER_H

#include "tsc/Support/Diagnostics.h"
#include <memory>

namespace tsc::run {

/// Text for people; JSON, an object a line, for editors; SARIF 2.1, one document, for what collects results of many
/// tools.
enum class ErrorFormat { Text, Json, Sarif };

/// Writes errors as they come, or all of them at the end.
///
/// Threads: may be told from many at once.
class ErrorWriter {
public:
  virtual ~ErrorWriter() = default;
  virtual void diagnostic(const Diagnostic &diagnostic) = 0;
  /// A failure without a place in a text. `stack` is the TorchScript call stack, with the error's text below it, or
  /// empty.
  virtual void failure(llvm::StringRef message, llvm::StringRef stack = "") = 0;
  /// Nothing comes after this.
  virtual void finish() {}
};

std::unique_ptr<ErrorWriter> makeErrorWriter(ErrorFormat format, llvm::raw_ostream &os);

} // namespace tsc::run

#endif
