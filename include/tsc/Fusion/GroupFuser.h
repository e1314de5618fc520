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
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Support/ForkSafety.h"

namespace tsc {
class Node;
}

namespace tsc::fuser {

/// Runs fusion groups by kernels of one device. Equal groups share a FusedGroup, and equal loop nests a kernel.
///
/// Threads: everything may be called from many threads at once.
class GroupFuser {
public:
  /// Borrows the device, the compiler and the counters, which outlive this. `refused` is called once for each group
  /// that runs as its plain nodes because there is no code for its operators or operands, with the last node of the
  /// group, by any thread that runs the group.
  GroupFuser(const NestDevice &device, KernelCompiler &compiler, KernelCacheOptions options, FuserCounters &counters,
             std::function<void(const Node &)> refused = {});

  /// Returns the FusedGroup of a group, or null when no kernel can be made of it or when compiling is off.
  std::shared_ptr<FusedGroup> get(const Graph &graph);
  /// Waits until the kernels that were asked for so far are compiled.
  void finishCompiling() { kernels.drain(); }

private:
  std::function<void()> refusal(const Graph &graph) const;

  const NestDevice &device;
  const bool off;
  const std::function<void(const Node &)> refused;
  FuserCounters &counters;
  KernelCache kernels;
  /// What groups and kernels lock. It is lost in the child of a fork during which another thread made a plan or asked
  /// for code: there, groups run by the plans and the code that there are, and as plain nodes otherwise.
  ForkDomain forkDomain;
  std::mutex lock;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

} // namespace tsc::fuser

#endif
