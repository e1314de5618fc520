//===- GroupFuser.cpp - Fusion groups as kernels of a device --------------===//
#include "tsc/Fusion/GroupFuser.h"
#include "tsc/IR/Graph.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/PlanCache.h"
#include "tsc/Support/ThreadExit.h"
#include "tsc/Transforms/FusionDecomposition.h"
#include <mutex>

using namespace tsc;
using namespace tsc::fuser;

namespace {

/// An input of a planned group that is a slice of an input of the group as written: `tensor` at `index` of dimension
/// `dim`. A plan of the slice serves every index, where a plan of the selection would serve one.
struct SelectedInput {
  unsigned tensor, index;
  int64_t dim;
};

/// Replaces selections of inputs at indices that are inputs too by inputs of their own, which follow the others.
std::vector<SelectedInput> hoistSelections(Graph &graph) {
  std::vector<SelectedInput> selected;
  auto inputOf = [&](const Value *value) -> std::optional<unsigned> {
    return value->node() == &graph.block().paramNode() ? std::optional(value->offset()) : std::nullopt;
  };
  for (Node &node : llvm::make_early_inc_range(graph.block().nodes())) {
    if (node.opKind() != OpKind::Aten_select_int || llvm::is_contained(graph.outputs(), node.output()))
      continue;
    const std::optional<unsigned> tensor = inputOf(node.input(0)), index = inputOf(node.input(2));
    const std::optional<int64_t> dim = constantInt(node.input(1));
    if (!tensor || !index || !dim)
      continue;
    Value *slice = graph.addInput("", node.output()->type());
    node.output()->replaceAllUsesWith(slice);
    node.erase();
    selected.push_back({*tensor, *index, *dim});
  }
  return selected;
}

class PlannedGroup final : public FusedGroup {
public:
  /// `refused` hears once when there is no plan.
  PlannedGroup(std::unique_ptr<Group> group, std::vector<SelectedInput> selected, const NestDevice &device,
               KernelCache &kernels, const ForkDomain &forkDomain, FuserCounters &counters,
               std::function<void()> refused)
      : group(std::move(group)), selected(std::move(selected)), device(device), kernels(kernels),
        forkDomain(forkDomain), counters(counters), refused(std::move(refused)) {}

  StatusOr<bool> run(CallContext &context, ArrayRef<const IValue *> inputs, IValue *results) override {
    if (selected.empty())
      return runPlan(context, inputs, results);
    Slices slices;
    if (!slices.take(selected, inputs)) { // the operators say what is wrong
      counters.fallbacks.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    return runPlan(context, slices.inputs, results);
  }

  std::optional<uint64_t> bytesRead(ArrayRef<const IValue *> inputs) override {
    Slices slices;
    if (!slices.take(selected, inputs))
      return std::nullopt;
    std::shared_ptr<const Plan> plan = find(slices.inputs);
    return plan ? std::optional(plan->bytesRead(slices.inputs)) : std::nullopt;
  }

private:
  /// The inputs of a call, and behind them the slices that they select.
  struct Slices {
    llvm::SmallVector<const IValue *, 16> inputs;
    llvm::SmallVector<IValue, 2> slices;

    bool take(ArrayRef<SelectedInput> selected, ArrayRef<const IValue *> given) {
      inputs.assign(given.begin(), given.end());
      slices.reserve(selected.size()); // their addresses are taken
      for (const SelectedInput &one : selected) {
        const IValue &tensor = *given[one.tensor], &index = *given[one.index];
        if (!tensor.isTensor() || !tensor.asTensor().defined() || !index.isInt())
          return false;
        StatusOr<Tensor> slice = cpu::select(tensor.asTensor(), one.dim, index.toInt());
        if (!slice.ok())
          return false;
        slices.push_back(IValue(*std::move(slice)));
        inputs.push_back(&slices.back());
      }
      return true;
    }
  };

  StatusOr<bool> runPlan(CallContext &context, ArrayRef<const IValue *> inputs, IValue *results) {
    // What this thread ran last is found without a lock, or a count that other threads change.
    auto &recents = threadObject<std::array<Recent, 32>>();
    Recent &recent = recents[number % recents.size()];
    if (recent.group != number || !recent.plan->matches(inputs)) {
      std::shared_ptr<const Plan> plan = find(inputs);
      if (!plan && !forkDomain.isLost())
        plan = makeAndKeep(context, inputs);
      if (!plan) {
        counters.fallbacks.fetch_add(1, std::memory_order_relaxed);
        return false;
      }
      recent = {number, std::move(plan)};
    }
    const Plan &plan = *recent.plan;
    if (!isReady(plan) && !askForKernels(plan)) {
      counters.fallbacks.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    TSC_RETURN_IF_ERROR(plan.run(inputs, results, context.trace));
    counters.kernelsRun.fetch_add(plan.launches.size(), std::memory_order_relaxed);
    return true;
  }

  struct Recent {
    uint64_t group = 0; ///< Its number; 0: none. A group that is gone is never found again.
    std::shared_ptr<const Plan> plan;
  };

  static bool isReady(const Plan &plan) {
    return llvm::all_of(plan.launches, [](const auto &launch) { return launch->kernel->isReady(); });
  }

  /// Called where kernels have no code: asks again for those that could not be compiled for want of stack or memory.
  /// Whether all are ready now.
  bool askForKernels(const Plan &plan) {
    if (forkDomain.isLost())
      return false;
    InsideScope inside(&forkDomain);
    kernels.wakeAfterFork();
    llvm::SmallVector<Kernel *, 4> wanted;
    for (const auto &launch : plan.launches)
      if (!launch->kernel->isReady() && !launch->kernel->requested.load(std::memory_order_relaxed))
        wanted.push_back(launch->kernel);
    if (wanted.empty())
      return false;
    kernels.request(wanted);
    return isReady(plan);
  }

  std::shared_ptr<const Plan> find(ArrayRef<const IValue *> inputs) const {
    return plans.find([&](const Plan &plan) { return plan.matches(inputs); });
  }

  std::shared_ptr<const Plan> makeAndKeep(CallContext &context, ArrayRef<const IValue *> inputs) {
    InsideScope inside(&forkDomain);
    std::vector<LoopNest> nests;
    std::shared_ptr<Plan> plan = makePlan(*group, device, context, inputs, nests);
    if (!plan) {
      if (refused)
        std::call_once(refusalTold, refused);
      return nullptr;
    }
    std::vector<Kernel *> wanted;
    for (auto [launch, nest] : llvm::zip(plan->launches, nests))
      wanted.push_back(launch->kernel = kernels.find(std::move(nest)));
    kernels.request(wanted);
    plan->sequence = device.sequence();
    plans.add(plan);
    return plan;
  }

  static uint64_t nextNumber() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }

  const uint64_t number = nextNumber(); ///< No other group of the process has it.
  std::unique_ptr<Group> group;
  const std::vector<SelectedInput> selected;
  const NestDevice &device;
  KernelCache &kernels;
  const ForkDomain &forkDomain; ///< The fuser's: what making a plan and asking for kernels lock.
  FuserCounters &counters;
  const std::function<void()> refused;
  std::once_flag refusalTold;
  PlanCache<const Plan, WhenFull::ReplaceOldest> plans{16};
};

} // namespace

GroupFuser::GroupFuser(const NestDevice &device, KernelCompiler &compiler, KernelCacheOptions options,
                       FuserCounters &counters, std::function<void(const Node &)> refused)
    : device(device), off(options.mode == CompileMode::Off), refused(std::move(refused)), counters(counters),
      kernels(std::move(options), compiler, counters) {}

/// Of a group.
static const Node &lastOf(const Graph &graph) {
  assert(!graph.block().empty() && "a graph without nodes has no last one");
  return *std::prev(graph.block().nodes().end());
}

std::shared_ptr<FusedGroup> GroupFuser::get(const Graph &graph) {
  if (off || forkDomain.isLost())
    return nullptr;
  InsideScope inside(&forkDomain);
  std::string text;
  llvm::raw_string_ostream os(text);
  graph.print(os, /*withRanges=*/false);
  std::lock_guard<std::mutex> guard(lock);
  auto [entry, isNew] = groups.try_emplace(text);
  if (isNew) {
    std::unique_ptr<Graph> copy = graph.clone();
    std::vector<SelectedInput> selected = hoistSelections(*copy);
    std::vector<FusionRequirement> requirements = decomposeForFusion(*copy);
    auto group = Group::decode(*copy, requirements);
    if (!group && refused && !graph.block().empty())
      refused(lastOf(graph));
    if (group)
      entry->second = std::make_shared<PlannedGroup>(std::move(group), std::move(selected), device, kernels, forkDomain,
                                                     counters, refusal(graph));
  }
  return entry->second;
}

/// Nothing when nobody wants to hear.
std::function<void()> GroupFuser::refusal(const Graph &graph) const {
  if (!refused)
    return {};
  return [this, copy = std::shared_ptr<Graph>(graph.clone())] { refused(lastOf(*copy)); };
}
