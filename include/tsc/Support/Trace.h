//===- Trace.h - A timeline of what ran -------------------------*- C++ -*-===//
//
//   TraceRecorder trace;
//   { TraceScope span(&trace, "plan", "forward"); … }
//   trace.write(os); // for ui.perfetto.dev, chrome://tracing
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_TRACE_H
#define TSC_SUPPORT_TRACE_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

/// Records spans of time on threads, as they end. It takes a bounded number of them and counts the rest. Thread-safe.
class TraceRecorder {
public:
  using Clock = std::chrono::steady_clock;
  /// One span: what a thread did, when, and for how long.
  struct Span {
    const char *category; ///< A string constant, which the recorder does not copy.
    std::string name, detail;
    uint64_t bytes = 0;             ///< The bytes read and written; 0 when not known.
    double start = 0, duration = 0; ///< Microseconds since the recorder was made.
    unsigned thread = 0;
  };

  /// Records a span of the calling thread.
  void add(const char *category, std::string name, std::string detail, uint64_t bytes, Clock::time_point start,
           Clock::time_point end);
  /// Names the calling thread in the trace.
  void nameThread(std::string name);
  /// Returns a copy of the spans recorded so far.
  std::vector<Span> spans() const;
  /// Returns how many spans came when there was no room for more.
  uint64_t droppedSpans() const;
  /// Drops all spans; threads keep their names.
  void clear();
  /// Writes the spans as JSON in the Trace Event Format.
  void write(llvm::raw_ostream &os) const;

private:
  static constexpr size_t maxSpans = size_t{1} << 20;
  const Clock::time_point began = Clock::now();
  mutable std::mutex mutex;
  std::vector<Span> recorded;
  std::vector<std::pair<unsigned, std::string>> threadNames;
  uint64_t dropped = 0;
};

/// Records the time until it goes out of scope; does nothing without a recorder. `category` and `name` are borrowed.
class TraceScope {
public:
  TraceScope(TraceRecorder *trace, const char *category, llvm::StringRef name)
      : trace(trace), category(category), name(name) {
    if (trace)
      start = TraceRecorder::Clock::now();
  }
  ~TraceScope() {
    if (trace)
      trace->add(category, name.str(), "", 0, start, TraceRecorder::Clock::now());
  }
  TraceScope(const TraceScope &) = delete;

private:
  TraceRecorder *trace;
  const char *category;
  llvm::StringRef name;
  TraceRecorder::Clock::time_point start;
};

} // namespace tsc

#endif
