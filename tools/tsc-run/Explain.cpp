//===- Explain.cpp - What --trace and --explain say of a run --------------===//
#include "Explain.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <new>

using namespace tsc;
using namespace tsc::run;

Status run::writeTrace(const TraceRecorder &trace, const std::string &path) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error)
    trace.write(os);
  os.flush();
  if (!error)
    error = os.error();
  os.clear_error();
  return error ? invalidArgument("cannot write '" + path + "': " + error.message()) : okStatus();
}

/// Bytes read and written per microsecond by a copy that no cache holds; the best of a few. 0 without memory for it.
static double measureCopyBandwidth() {
  constexpr size_t size = size_t{64} << 20;
  std::unique_ptr<char[]> from(new (std::nothrow) char[size]), to(new (std::nothrow) char[size]);
  if (!from || !to)
    return 0;
  std::memset(from.get(), 1, size); // pages that nobody wrote may all be one page of zeros
  std::memset(to.get(), 2, size);
  void *(*volatile copy)(void *, const void *, size_t) = std::memcpy; // volatile: nobody needs what is copied
  double best = 0;
  for (int i = 0; i != 4; ++i) {
    auto start = TraceRecorder::Clock::now();
    copy(to.get(), from.get(), size);
    double micros = std::chrono::duration<double, std::micro>(TraceRecorder::Clock::now() - start).count();
    best = std::max(best, 2.0 * size / micros);
  }
  return best;
}

namespace {
struct Sum {
  uint64_t calls = 0, bytes = 0;
  double micros = 0, fastest = 0; ///< The latter in bytes a microsecond.
};

/// Calls of a graph that a tape took down as one operator.
struct TapedCalls {
  uint64_t calls = 0, most = 0; ///< The latter in bytes.
  std::string recomputed;
};
} // namespace

void run::explain(llvm::raw_ostream &os, const TraceRecorder &trace, const FuserCounters *counters) {
  std::map<std::string, Sum> groups;
  std::map<std::string, TapedCalls> taped;
  Sum others;
  for (const TraceRecorder::Span &span : trace.spans()) {
    if (std::strcmp(span.category, "differentiable graph") == 0) {
      TapedCalls &graph = taped[span.name];
      ++graph.calls;
      graph.most = std::max(graph.most, span.bytes);
      graph.recomputed = span.detail;
    }
    if (std::strcmp(span.category, "group") != 0 && std::strcmp(span.category, "operator") != 0)
      continue;
    Sum &sum = span.category[0] == 'g' ? groups[span.name] : others;
    ++sum.calls;
    sum.bytes += span.bytes;
    sum.micros += span.duration;
    sum.fastest = std::max(sum.fastest, static_cast<double>(span.bytes) / std::max(span.duration, 1e-3));
  }
  for (const auto &[name, graph] : taped)
    os << "differentiable graph: " << name << '\n'
       << llvm::format("  %llu calls, each keeps up to %llu bytes for its gradients, which run ",
                       static_cast<unsigned long long>(graph.calls), static_cast<unsigned long long>(graph.most))
       << graph.recomputed << " of its operators again\n";
  double roof = groups.empty() ? 0 : measureCopyBandwidth();
  for (const auto &[name, sum] : groups) {
    os << "fusion group: " << name << '\n'
       << llvm::format("  %llu calls, %.3f MB in and out, %.1f us", static_cast<unsigned long long>(sum.calls),
                       static_cast<double>(sum.bytes) / 1e6, sum.micros);
    if (roof > 0)
      os << llvm::format("; the best at %.0f %% of the copy bandwidth of %.1f GB/s", 100 * sum.fastest / roof,
                         roof / 1e3);
    os << '\n';
  }
  os << llvm::format("%zu fusion groups; %llu operators beside them took %.1f us\n", groups.size(),
                     static_cast<unsigned long long>(others.calls), others.micros);
  if (uint64_t lost = trace.droppedSpans())
    os << llvm::format("%llu later ones are not counted\n", static_cast<unsigned long long>(lost));
  if (counters)
    os << llvm::format(
        "kernels: %llu compiled in %.1f ms, %llu from the disk cache, %llu runs, %llu calls left to the plain nodes\n",
        static_cast<unsigned long long>(counters->compilations), static_cast<double>(counters->compileMicros) / 1e3,
        static_cast<unsigned long long>(counters->diskHits), static_cast<unsigned long long>(counters->kernelsRun),
        static_cast<unsigned long long>(counters->fallbacks));
  if (counters && counters->launches)
    os << llvm::format("launches: %llu, of %.2f us of the processor each; %llu of them of %llu graphs of kernels\n",
                       static_cast<unsigned long long>(counters->launches),
                       static_cast<double>(counters->launchNanos) / 1e3 / static_cast<double>(counters->launches),
                       static_cast<unsigned long long>(counters->graphLaunches),
                       static_cast<unsigned long long>(counters->graphs));
  if (counters && counters->sequences)
    os << llvm::format("sequences: %llu calls were launched as %llu graphs of kernels and calls of libraries, "
                       "%llu nodes of which got other operands\n",
                       static_cast<unsigned long long>(counters->sequenceLaunches),
                       static_cast<unsigned long long>(counters->sequences),
                       static_cast<unsigned long long>(counters->sequenceUpdates));
}

void run::explainProfiling(llvm::raw_ostream &os, const ProfilingCounters &counters) {
  os << "profiling: " << counters.profiledRuns << " calls observed, " << counters.guardedRuns << " guarded, "
     << counters.otherRuns << " others; code made " << counters.staticCodes << " times for one profile and "
     << counters.dynamicCodes << " times for all, with " << counters.guards << " guards; " << counters.guardFailures
     << " guards failed, and " << counters.forcedFailures << " were made to\n";
}
