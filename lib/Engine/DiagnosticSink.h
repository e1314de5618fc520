//===- DiagnosticSink.h - Where a program's diagnostics go ------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_DIAGNOSTICSINK_H
#define TSC_LIB_ENGINE_DIAGNOSTICSINK_H

#include "tsc/Support/Diagnostics.h"
#include <atomic>
#include <mutex>

namespace tsc {

/// Hands diagnostics to the host, one at a time, and keeps the text of errors for the Status that they lead to. Takes
/// them from the program's engines, of which each belongs to a lock of its own.
class DiagnosticSink {
public:
  using Handler = std::function<void(const Diagnostic &)>;
  /// `handler` may be empty.
  explicit DiagnosticSink(const Handler &handler) : handler(handler) {}

  /// Makes this the handler of an engine, which it must outlive.
  void connect(DiagnosticEngine &engine) {
    engine.setHandler([this](const Diagnostic &diagnostic) { hear(diagnostic); });
  }
  size_t numErrors() const { return count.load(std::memory_order_acquire); }
  /// Returns the text of all errors but the first `skipped`.
  std::string errorsAfter(size_t skipped) const {
    std::lock_guard lock(mutex);
    std::string text;
    for (size_t i = skipped; i < errors.size(); ++i)
      text += errors[i];
    return text;
  }

private:
  void hear(const Diagnostic &diagnostic) {
    std::lock_guard lock(mutex);
    if (diagnostic.severity == Severity::Error)
      errors.push_back(diagnostic.str());
    count.store(errors.size(), std::memory_order_release);
    if (handler)
      handler(diagnostic);
  }
  const Handler &handler;
  mutable std::mutex mutex; ///< Guards `errors`; held while the host's handler runs.
  std::vector<std::string> errors;
  std::atomic<size_t> count{0}; ///< How many errors there are: each call of the program asks, without the lock.
};

} // namespace tsc

#endif
