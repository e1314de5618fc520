//===- FuserCPU.cpp - Fusion groups as machine code -----------------------===//
//
//   graph --decode--> Group --sizes, strides, dtypes--> Plan, LoopNests
//   LoopNest --text--> Kernel --LLVM IR, ORC--> machine code
//
// A call looks for the plan of its operands, and runs it when all kernels of the
// plan have code.
//
//===----------------------------------------------------------------------===//
#include "tsc/FuserCPU/FuserCPU.h"
#include "KernelCache.h"
#include "Plan.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/FusionDecomposition.h"
#include "llvm/ADT/StringMap.h"
#include <shared_mutex>

using namespace tsc;
using namespace tsc::fuser;

namespace {

class CpuGroup final : public FusedGroup {
public:
  CpuGroup(std::unique_ptr<Group> group, KernelCache &kernels, FuserCounters &counters)
      : group(std::move(group)), kernels(kernels), counters(counters) {}

  StatusOr<bool> run(CallContext &context, ArrayRef<const IValue *> inputs, IValue *results) override {
    std::shared_ptr<const PlanEntry> entry = find(inputs);
    if (!entry)
      entry = plan(context, inputs);
    if (!entry || !isReady(*entry)) {
      counters.fallbacks.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    TSC_RETURN_IF_ERROR(entry->plan->run(inputs, results));
    counters.kernelsRun.fetch_add(entry->plan->launches.size(), std::memory_order_relaxed);
    return true;
  }

private:
  struct PlanEntry {
    std::unique_ptr<Plan> plan;
  };

  static bool isReady(const PlanEntry &entry) {
    return llvm::all_of(entry.plan->launches,
                        [](const Launch &launch) { return launch.kernel->function.load(std::memory_order_acquire); });
  }

  std::shared_ptr<const PlanEntry> find(ArrayRef<const IValue *> inputs) {
    std::shared_lock<std::shared_mutex> guard(lock);
    for (const auto &entry : plans)
      if (entry->plan->matches(inputs))
        return entry;
    return nullptr;
  }

  std::shared_ptr<const PlanEntry> plan(CallContext &context, ArrayRef<const IValue *> inputs) {
    std::vector<LoopNest> nests;
    auto entry = std::make_shared<PlanEntry>();
    entry->plan = makePlan(*group, context, inputs, nests);
    if (!entry->plan)
      return nullptr;
    std::vector<Kernel *> wanted;
    for (auto [launch, nest] : llvm::zip(entry->plan->launches, nests))
      wanted.push_back(launch.kernel = kernels.find(std::move(nest)));
    kernels.request(wanted);
    std::unique_lock<std::shared_mutex> guard(lock);
    if (plans.size() < maxPlans)
      plans.push_back(entry);
    else
      plans[next++ % maxPlans] = entry; // the oldest goes
    return entry;
  }

  static constexpr size_t maxPlans = 16;
  std::unique_ptr<Group> group;
  KernelCache &kernels;
  FuserCounters &counters;
  std::shared_mutex lock; ///< Of the plans; a plan is shared with the calls that run it.
  std::vector<std::shared_ptr<const PlanEntry>> plans;
  size_t next = 0;
};

class Implementation final : public CpuFuser {
public:
  explicit Implementation(const CpuFuserOptions &options)
      : off(options.mode == CompileMode::Off), kernels(options, counts) {}

  std::shared_ptr<FusedGroup> get(const Graph &graph) override {
    if (off)
      return nullptr;
    std::string text;
    llvm::raw_string_ostream os(text);
    graph.print(os, /*withRanges=*/false);
    std::lock_guard<std::mutex> guard(lock);
    auto [entry, isNew] = groups.try_emplace(text);
    if (isNew) {
      std::unique_ptr<Graph> copy = graph.clone();
      std::vector<FusionRequirement> requirements = decomposeForFusion(*copy);
      if (auto group = Group::decode(*copy, requirements))
        entry->second = std::make_shared<CpuGroup>(std::move(group), kernels, counts);
    }
    return entry->second;
  }
  const FuserCounters &counters() const override { return counts; }
  void finishCompiling() override { kernels.drain(); }

private:
  const bool off;
  FuserCounters counts;
  KernelCache kernels;
  std::mutex lock;
  llvm::StringMap<std::shared_ptr<FusedGroup>> groups;
};

} // namespace

std::shared_ptr<CpuFuser> tsc::createCpuFuser(const CpuFuserOptions &options) {
  return std::make_shared<Implementation>(options);
}
