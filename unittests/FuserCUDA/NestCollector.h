//===- NestCollector.h - The loop nests that groups become ------*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_NESTCOLLECTOR_H
#define TSC_UNITTESTS_FUSERCUDA_NESTCOLLECTOR_H

#include "../../lib/FuserCUDA/CudaDevice.h"
#include "../Fusion/RandomGroups.h"
#include "tsc/Fusion/GroupFuser.h"
#include <catch2/catch.hpp>
#include <vector>

namespace tsc::fuser {

/// Collects the nests of groups, without running them.
class NestCollector final : public KernelRunner, public KernelCompiler {
public:
  NestCollector()
      : device(DeviceMemory::cpu(), *this, 132),
        groups(device, *this, {CompileMode::Eager, UINT64_MAX, nullptr, {}}, counts) {}
  void add(RandomGroup &group) {
    auto fused = groups.get(group.graph);
    if (!fused)
      return;
    std::vector<const IValue *> inputs;
    for (const IValue &input : group.inputs)
      inputs.push_back(&input);
    std::vector<IValue> results(group.expected.size());
    REQUIRE(fused->run(group.call, inputs, results.data()).ok());
  }
  std::vector<Kernel *> kernels;

private:
  Status launch(const Kernel &, Entry, unsigned, unsigned, ArrayRef<uint64_t>) const override { return okStatus(); }
  Status prepare() override { return okStatus(); }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> wanted) override { return wanted.vec(); }
  Status generate(llvm::ArrayRef<Kernel *> wanted) override {
    kernels.insert(kernels.end(), wanted.begin(), wanted.end());
    return okStatus();
  }
  FuserCounters counts;
  CudaDevice device;
  GroupFuser groups; ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
