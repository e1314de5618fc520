//===- TierPolicyTest.cpp - What runs, what is compiled, what is repeated -===//
#include "tsc/Runtime/Executor/TierPolicy.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {
/// How programs are loaded: at -O0, optimized ahead, and with plans made beside calls or before them.
const TierPolicy asWritten(TierOptions{}), ahead(TierOptions{.isOptimized = true}),
    background(TierOptions{.isOptimized = true, .plans = CompileMode::Background}),
    eager(TierOptions{.isOptimized = true, .plans = CompileMode::Eager, .callsBefore = 0});

struct Situation {
  const char *what;
  const TierPolicy &policy;
  CallSituation call;
  TierChoice expected;
};
} // namespace

TEST_CASE("The tier of a call") {
  constexpr auto never = std::nullopt;
  const Situation situations[] = {
      {"nothing is optimized, and nothing is repeated", asWritten, {}, {Tier::Baseline, false, never}},
      {"a tape sees operators as they are written", asWritten, {.isRecorded = true}, {Tier::Baseline, true, never}},
      {"optimized code is repeated as written", ahead, {}, {Tier::Baseline, false, Tier::Written}},
      {"a tape sees optimized code, too", ahead, {.isRecorded = true}, {Tier::Baseline, true, Tier::Written}},
      {"the plan is not there: plain code", background, {}, {Tier::Baseline, false, never}},
      {"so with a tape", background, {.isRecorded = true}, {Tier::Baseline, true, never}},
      {"the plan is there", background, {.hasPlan = true}, {Tier::Plan, false, Tier::Baseline}},
      {"it computes what the tape was for",
       background,
       {.hasPlan = true, .isRecorded = true},
       {Tier::Plan, false, Tier::Baseline}},
      {"it asks for gradients, and nobody can give them",
       background,
       {.hasPlan = true, .planAsksForGradients = true},
       {Tier::Plan, false, Tier::Baseline}},
      {"it leaves gradients to the tape",
       background,
       {.hasPlan = true, .isRecorded = true, .planAsksForGradients = true},
       {Tier::Baseline, true, never}},
      {"it was made for another grad mode inside",
       background,
       {.hasPlan = true, .isRecorded = true, .gradMode = false},
       {Tier::Baseline, true, never}},
      {"one tensor is given twice",
       background,
       {.hasPlan = true, .isRecorded = true, .hasDuplicates = true},
       {Tier::Baseline, true, never}},
      {"twice, but nobody records",
       background,
       {.hasPlan = true, .hasDuplicates = true},
       {Tier::Plan, false, Tier::Baseline}},
      {"the tape records groups as one",
       background,
       {.hasPlan = true, .isRecorded = true, .planAsksForGradients = true, .hasTapedPlan = true},
       {Tier::TapedPlan, true, Tier::Baseline}},
      {"a taped plan alone runs nothing",
       background,
       {.isRecorded = true, .hasTapedPlan = true},
       {Tier::Baseline, true, never}},
      {"plans that calls wait for are chosen alike", eager, {.hasPlan = true}, {Tier::Plan, false, Tier::Baseline}},
  };
  for (const Situation &situation : situations) {
    INFO(situation.what);
    const TierChoice found = situation.policy.choose(situation.call);
    CHECK(nameOf(found.tier) == nameOf(situation.expected.tier));
    CHECK(found == situation.expected);
  }
}

TEST_CASE("How a host's call begins") {
  struct {
    const char *what;
    const TierPolicy &policy;
    bool isRecorded, expectsGradients;
    HostChoice expected;
  } situations[] = {
      {"nobody asks for gradients", asWritten, false, false, {false, false}},
      {"or optimized", ahead, false, false, {false, false}},
      {"or with plans", background, false, false, {false, false}},
      {"all is as written already", asWritten, false, true, {false, true}},
      {"a tape of its own sees the program as written", ahead, false, true, {true, true}},
      {"unless a plan may compute the gradients", background, false, true, {false, true}},
      {"a host's tape has no plan", background, true, false, {true, false}},
      {"also where gradients are expected", background, true, true, {true, false}},
      {"nor optimized code", ahead, true, false, {true, false}},
      {"at -O0 there is nothing else", asWritten, true, true, {false, false}},
  };
  for (const auto &situation : situations) {
    INFO(situation.what);
    CHECK(situation.policy.chooseForHost(situation.isRecorded, situation.expectsGradients) == situation.expected);
  }
}

TEST_CASE("What is compiled next") {
  using Next = TierPolicy::Next;
  struct {
    const TierPolicy &policy;
    uint64_t calls;
    size_t plans;
    Next expected;
  } situations[] = {
      {asWritten, 5, 0, Next::Nothing},      {ahead, 5, 0, Next::Nothing},
      {background, 1, 0, Next::Nothing},     {background, 2, 0, Next::PlanForArguments},
      {eager, 1, 0, Next::PlanForArguments}, {background, 9, 7, Next::PlanForArguments},
      {background, 10, 8, Next::PlanForAny},
  };
  for (const auto &situation : situations) {
    INFO(situation.calls << " calls, " << situation.plans << " plans");
    CHECK(situation.policy.next(situation.calls, situation.plans) == situation.expected);
  }
  CHECK(eager.waitsForPlans());
  CHECK_FALSE(background.waitsForPlans());
}

TEST_CASE("What plans rely on of sizes") {
  CHECK(TierPolicy::detail(/*usesSizes=*/false, /*varies=*/false) == SizeDetail::None);
  CHECK(TierPolicy::detail(false, true) == SizeDetail::None);
  CHECK(TierPolicy::detail(true, false) == SizeDetail::Exact);
  CHECK(TierPolicy::detail(true, true) == SizeDetail::Equality);
  const std::optional<SizeDetail> expected[] = {SizeDetail::Exact,    SizeDetail::Exact,    SizeDetail::Equality,
                                                SizeDetail::Equality, SizeDetail::Equality, SizeDetail::Equality,
                                                std::nullopt};
  for (size_t plans = 0; plans != std::size(expected); ++plans)
    CHECK(TierPolicy::detailOfGraph(plans) == expected[plans]);
}

TEST_CASE("What is repeated after a failure") {
  CHECK(TierPolicy::repeats(invalidArgument("of the program"), /*wasSeen=*/false));
  CHECK_FALSE(TierPolicy::repeats(invalidArgument("of the program"), /*wasSeen=*/true));
  CHECK_FALSE(TierPolicy::repeats(resourceExhausted("a limit of the host"), false));
  CHECK_FALSE(TierPolicy::repeats(cancelled("by the host"), false));
  CHECK_FALSE(TierPolicy::repeats(internalError("a mistake of ours"), false));
  CHECK_FALSE(TierPolicy::repeats(okStatus(), false));

  CHECK(TierPolicy::repeatsWithTape(withoutTape(), false));
  CHECK_FALSE(TierPolicy::repeatsWithTape(withoutTape(), true));
  CHECK_FALSE(TierPolicy::repeatsWithTape(invalidArgument("of the program"), false));
  CHECK_FALSE(TierPolicy::repeatsWithTape(okStatus(), false));
}
