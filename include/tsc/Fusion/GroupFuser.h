//===- GroupFuser.h - Fusion groups as kernels of a device ------*- C++ -*-===//
//
//   graph --decode--> Group --sizes, strides, dtypes--> Plan, LoopNests
//   LoopNest --text--> Kernel --the device's compiler--> code
//
// What the fusers of all devices share. A call looks for the plan of its operands,
// and runs it when all kernels of the plan have code.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_GROUPFUSER_H
#define TSC_FUSION_GROUPFUSER_H

#include "tsc/Fusion/KernelCache.h"
#include "tsc/Fusion/Plan.h"
#include "tsc/Runtime/Fuser.h"

namespace tsc {
class Node;
}

namespace tsc::fuser {

/// Threads: everything may be called from many threads.
class GroupFuser {
public:
  /// The device, the compiler and the counters outlive this. `refused` hears once of each group that runs as its plain
  /// nodes because there is no code for its operators or operands: of the last node in it. May be called from any
  /// thread that runs the group.
  GroupFuser(const NestDevice &device, KernelCompiler &compiler, KernelCacheOptions options, FuserCounters &counters,
             std::function<void(const Node &)> refused = {});

  /// As Fuser::get.
  std::shared_ptr<FusedGroup> get(const Graph &graph);
  /// Waits until what has been asked for so far is compiled.
  void finishCompiling() { kernels.drain(); }

private:
  std::function<void()> refusal(const Graph &graph) const;

  const NestDevice &device;
  const bool off;
  const std::function<void(const Node &)> refused;
  FuserCounters &counters;
  KernelCache kernels;
  std::mutex lock;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

} // namespace tsc::fuser

#endif
