//===- Explain.h - What --trace and --explain say of a run ------*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_EXPLAIN_H
#define TSC_TOOLS_TSCRUN_EXPLAIN_H

#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Runtime/Executor/ProfilingCounters.h"
#include "tsc/Support/Trace.h"

namespace tsc::run {

/// Writes the timeline to a file.
Status writeTrace(const TraceRecorder &trace, const std::string &path);

/// Prints each fusion group that ran: its operators, calls, bytes, time, and the share of the copy bandwidth measured
/// here that its best call (which found its kernels) came to; then what ran beside groups, and what the fuser compiled.
void explain(llvm::raw_ostream &os, const TraceRecorder &trace, const FuserCounters *counters);
/// Prints what came of profiles: calls by what they ran, guards, and how often code was made.
void explainProfiling(llvm::raw_ostream &os, const ProfilingCounters &counters);

} // namespace tsc::run

#endif
