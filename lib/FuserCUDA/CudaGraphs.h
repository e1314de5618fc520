//===- CudaGraphs.h - Plans as graphs of kernels ----------------*- C++ -*-===//
//
// What a plan launches the first time one by one is captured when it repeats, and is one
// launch from then on. Where a call's addresses or numbers are others, nodes of the graph
// get them before it is launched. Within calls of programs LaunchSequences.h sees to that.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCUDA_CUDAGRAPHS_H
#define TSC_LIB_FUSERCUDA_CUDAGRAPHS_H

#include "CudaCompiler.h"
#include <list>

namespace tsc::fuser {

/// The graphs of a device's plans.
///
/// Threads:   everything may be called from many threads.
/// Ownership: plans share it, and may outlive the device: close() takes the graphs away before the driver goes.
class CudaGraphs {
public:
  CudaGraphs(DriverContext &context, const CudaCompiler &compiler, FuserCounters &counters)
      : context(context), compiler(compiler), counters(counters) {}
  ~CudaGraphs() { close(); }
  /// Destroys all graphs, while the driver is still there for it; plans may outlive that. May be called again.
  void close();

  /// Returns a sequence that runs the launches of one plan and captures them as a graph when they repeat. Scratch
  /// memory of the launches comes from `memory`, which the sequence borrows.
  static std::unique_ptr<LaunchSequence> sequence(std::shared_ptr<CudaGraphs> graphs, const DeviceMemory &memory);

private:
  class Sequence;
  using Graph = DriverContext::Graph;
  DriverContext::Configuration configuration(const PreparedLaunch &launch) const {
    return compiler.configuration(*launch.kernel, launch.entry, launch.units, launch.threads, launch.params);
  }
  StatusOr<Graph *> make(llvm::ArrayRef<PreparedLaunch> launches);
  void drop(Graph *graph);

  DriverContext &context;
  const CudaCompiler &compiler;
  FuserCounters &counters;
  std::mutex lock; ///< Guards `all` and `isClosed`.
  std::list<Graph> all;
  bool isClosed = false;
};

} // namespace tsc::fuser

#endif
