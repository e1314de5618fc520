//===- ProfilingCounters.h - What an executor that profiles did -*- C++ -*-===//
#ifndef TSC_RUNTIME_EXECUTOR_PROFILINGCOUNTERS_H
#define TSC_RUNTIME_EXECUTOR_PROFILINGCOUNTERS_H

#include "tsc/Support/ShardedCounter.h"
#include <atomic>
#include <cstdint>

namespace tsc {

/// Counts what executors that profile do (docs/ProfilingExecutor.md).
///
/// Threads: any number may add to it and read it.
struct ProfilingCounters {
  std::atomic<uint64_t> profiledRuns{0};   ///< Calls that ran with observers.
  ShardedCounter guardedRuns;              ///< Calls that ran guarded code.
  ShardedCounter otherRuns;                ///< Calls that ran as without profiles.
  std::atomic<uint64_t> guards{0};         ///< Guards in the guarded code that was made.
  std::atomic<uint64_t> guardFailures{0};  ///< Guards that failed.
  std::atomic<uint64_t> forcedFailures{0}; ///< Guards that failed because a test asked for it.
  std::atomic<uint64_t> staticCodes{0};    ///< Guarded code that was made for the sizes of one profile.
  std::atomic<uint64_t> dynamicCodes{0};   ///< Guarded code that was made for what all profiles agree on.
};

} // namespace tsc

#endif
