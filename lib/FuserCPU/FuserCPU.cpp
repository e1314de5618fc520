//===- FuserCPU.cpp - Fusion groups as machine code -----------------------===//
#include "tsc/FuserCPU/FuserCPU.h"
#include "CpuCompiler.h"
#include "CpuDevice.h"
#include "tsc/Fusion/GroupFuser.h"

using namespace tsc;
using namespace tsc::fuser;

static KernelCacheOptions cacheOptions(const CpuFuserOptions &options) {
  return {options.mode, options.maxCompileMicros, options.trace, options.report};
}

namespace {
class Implementation final : public Fuser {
public:
  explicit Implementation(const CpuFuserOptions &options)
      : compiler(options, counts), groups(device, compiler, cacheOptions(options), counts, options.refused) {}

  std::shared_ptr<FusedGroup> get(const Graph &graph) override { return groups.get(graph); }
  const FuserCounters &counters() const override { return counts; }
  void finishCompiling() override { groups.finishCompiling(); }

private:
  FuserCounters counts;
  CpuDevice device;
  CpuCompiler compiler;
  GroupFuser groups; ///< Last: it uses all of the above.
};
} // namespace

std::shared_ptr<Fuser> tsc::createCpuFuser(const CpuFuserOptions &options) {
  return std::make_shared<Implementation>(options);
}
