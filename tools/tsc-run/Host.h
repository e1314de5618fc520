//===- Host.h - What tsc-run asks of a program, and hears of it -*- C++ -*-===//
#ifndef TSC_TOOLS_TSCRUN_HOST_H
#define TSC_TOOLS_TSCRUN_HOST_H

#include "tsc/Engine/EngineOptions.h"
#include "tsc/FuserCUDA/FuserCUDA.h"
#include "tsc/Runtime/Executor/ProfilingCounters.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Transforms/Remarks.h"
#include <atomic>

namespace tsc::run {

class ErrorWriter;
struct Options;

/// The host of one program: it prints to stderr what the program and its fuser tell.
class Host {
public:
  /// `trace` hears of plans, passes and kernels; null for nobody. All of them outlive the host.
  Host(const Options &options, ErrorWriter &errors, TraceRecorder *trace);
  Host(const Host &) = delete;
  /// Loads the libraries that the command line names. First.
  Status loadLibraries();
  /// For one program, which goes before the host does. An error: there is no such device.
  StatusOr<EngineOptions> engineOptions();
  /// Whether an error was printed: then there is no program to run.
  bool hasReportedErrors() const { return hasErrors; }
  /// Returns what the program's executor counts where it profiles.
  const ProfilingCounters &profilingCounters() const { return profiling; }

private:
  void print(const Diagnostic &diagnostic);
  CompileMode kernelMode() const;
  CompileMode planMode() const;
  StatusOr<std::shared_ptr<Fuser>> makeFuser();
  std::shared_ptr<CudaAccelerator> makeAccelerator();

  const Options &options;
  ErrorWriter &errors;
  TraceRecorder *trace;
  ProfilingCounters profiling;
  std::vector<HostOperator> operators; ///< Of the libraries.
  DiagnosticEngine engine;             ///< Of `remarks`.
  Remarks remarks;                     ///< Of what runs.
  std::atomic<bool> hasErrors{false};
};

} // namespace tsc::run

#endif
