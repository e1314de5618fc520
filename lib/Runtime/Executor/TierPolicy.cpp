//===- TierPolicy.cpp - What runs, and what comes next --------------------===//
#include "tsc/Runtime/Executor/TierPolicy.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"

using namespace tsc;

Executable::~Executable() = default;

llvm::StringRef tsc::nameOf(Tier tier) {
  switch (tier) {
  case Tier::Written: return "written";
  case Tier::Baseline: return "baseline";
  case Tier::Plan: return "plan";
  case Tier::TapedPlan: return "taped plan";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// What runs
//===----------------------------------------------------------------------===//

TierChoice TierPolicy::choose(const CallSituation &call) const {
  // Where plans are made, baseline code is the program as written.
  if (!makesPlans())
    return {Tier::Baseline, call.isRecorded, options.isOptimized ? std::optional(Tier::Written) : std::nullopt};
  if (!call.hasPlan)
    return {Tier::Baseline, call.isRecorded, std::nullopt};
  if (!leavesGradientsToTape(call))
    return {Tier::Plan, /*isRecorded=*/false, Tier::Baseline};
  if (call.hasTapedPlan)
    return {Tier::TapedPlan, /*isRecorded=*/true, Tier::Baseline};
  return {Tier::Baseline, /*isRecorded=*/true, std::nullopt};
}

HostChoice TierPolicy::chooseForHost(bool isRecorded, bool expectsGradients) const {
  // A host that records calls differentiates their results, through each operator as it is written.
  if (isRecorded)
    return {.isAsWritten = options.isOptimized, .makesTape = false};
  // Else a plan that computes the gradients will do.
  if (expectsGradients)
    return {.isAsWritten = options.isOptimized && !makesPlans(), .makesTape = true};
  return {};
}

//===----------------------------------------------------------------------===//
// What is compiled next
//===----------------------------------------------------------------------===//

TierPolicy::Next TierPolicy::next(uint64_t calls, size_t plans) const {
  if (!makesPlans() || calls <= options.callsBefore)
    return Next::Nothing;
  return plans < options.maxPlans ? Next::PlanForArguments : Next::PlanForAny;
}

SizeDetail TierPolicy::detail(bool usesSizes, bool varies) {
  if (!usesSizes)
    return SizeDetail::None;
  return varies ? SizeDetail::Equality : SizeDetail::Exact;
}

std::optional<SizeDetail> TierPolicy::detailOfGraph(size_t plans) {
  // The first plans are for the sizes of their calls, and the others for all that have as many different ones.
  constexpr size_t maxExactPlans = 2;
  if (plans >= maxPlansOfGraph)
    return std::nullopt;
  return plans < maxExactPlans ? SizeDetail::Exact : SizeDetail::Equality;
}

//===----------------------------------------------------------------------===//
// What is repeated
//===----------------------------------------------------------------------===//

bool TierPolicy::repeats(const Status &failure, bool wasSeen) {
  return !failure.ok() && !wasSeen && failure.code() != StatusCode::ResourceExhausted &&
         failure.code() != StatusCode::Cancelled && failure.code() != StatusCode::Internal;
}

bool TierPolicy::repeatsWithTape(const Status &failure, bool wasSeen) {
  return !failure.ok() && !wasSeen && isWithoutTape(failure);
}
