//===- ShimTest.cpp - Generated kernels compute what the operators compute -===//
//
// Random groups, built by the host's compiler and run on 1, 7 and 132 blocks. Results
// have the operators' bits, but for functions of CUDA's library. TSC_CUDA_GROUPS, a
// number, runs that many groups of each kind, TSC_CUDA_FIRST_GROUP from which seed on.
//
//===----------------------------------------------------------------------===//
#include "../Fusion/RandomGroups.h"
#include "HostRunner.h"
#include <cstring>

using namespace tsc;
using namespace tsc::fuser;

/// Equal bits, except that a NaN is any NaN; within `ulps` of the largest of 1 and the element's magnitude.
static bool agrees(const Tensor &found, const Tensor &expected, double ulps) {
  double unit = expected.dtype() == DType::Double     ? 0x1p-52
                : expected.dtype() == DType::Float    ? 0x1p-23
                : expected.dtype() == DType::Half     ? 0x1p-10
                : expected.dtype() == DType::BFloat16 ? 0x1p-7
                                                      : 0;
  for (int64_t i = 0; i != expected.numel(); ++i) {
    if (!isFloating(expected.dtype())) {
      if (found.at(i).toInt() != expected.at(i).toInt() && ulps == 0)
        return false;
      continue;
    }
    double x = found.at(i).toDouble(), y = expected.at(i).toDouble();
    bool same = (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
    if (!same && !(std::fabs(x - y) <= ulps * unit * std::max({1.0, std::fabs(x), std::fabs(y)})))
      return false;
  }
  return true;
}

namespace {
struct Case {
  std::unique_ptr<RandomGroup> group;
  std::shared_ptr<FusedGroup> fused;
  unsigned seed;
};
struct Tally {
  unsigned seen = 0, fused = 0, exact = 0, combined = 0, beyond = 0, kernels = 0, withoutCode = 0;
  std::string seedsBeyond, groupsBeyond;
};
} // namespace

/// How far apart two tensors are at most, and where.
static std::string describeDifference(const Tensor &found, const Tensor &expected) {
  double largest = -1;
  int64_t where = 0;
  for (int64_t i = 0; i != expected.numel(); ++i) {
    const double difference = std::fabs(found.at(i).toDouble() - expected.at(i).toDouble());
    if (difference > largest)
      largest = difference, where = i;
  }
  return "element " + std::to_string(where) + ": " + std::to_string(found.at(where).toDouble()) + " instead of " +
         std::to_string(expected.at(where).toDouble());
}

static void note(Tally &tally, const Case &test, const Tensor &found, const Tensor &expected) {
  if (agrees(found, expected, 4096))
    return;
  ++tally.beyond;
  tally.seedsBeyond += " " + std::to_string(test.seed);
  tally.groupsBeyond +=
      "\nseed " + std::to_string(test.seed) + ", " + describeDifference(found, expected) + "\n" + describe(*test.group);
}

static std::vector<const IValue *> pointersTo(const std::vector<IValue> &values) {
  std::vector<const IValue *> pointers;
  for (const IValue &value : values)
    pointers.push_back(&value);
  return pointers;
}

/// Runs a group on each grid. Kernels that call CUDA's library may differ from the operators' in some places; what
/// their comparisons make of that is counted.
static void compare(HostRunner &runner, Case &test, Tally &tally) {
  INFO("seed " << test.seed << "\n" << describe(*test.group));
  std::vector<const IValue *> inputs = pointersTo(test.group->inputs);
  std::vector<IValue> first;
  runner.calledLibrary = runner.combined = false;
  for (unsigned grid : {1u, 7u, 132u}) {
    runner.grid = grid;
    std::vector<IValue> results(test.group->expected.size());
    auto ran = test.fused->run(test.group->call, inputs, results.data());
    REQUIRE(ran.ok());
    if (!*ran)
      return;
    for (size_t i = 0; i != results.size(); ++i) {
      const Tensor &found = results[i].asTensor(), &expected = test.group->expected[i].asTensor();
      INFO("output " << i << ", grid " << grid << "\n" << toCppString(found) << "\n" << toCppString(expected));
      REQUIRE(found.dtype() == expected.dtype());
      REQUIRE(found.sizes() == expected.sizes());
      REQUIRE(found.strides() == expected.strides());
      if (grid != 1)
        REQUIRE(agrees(found, first[i].asTensor(), 0));
      else if (!runner.calledLibrary)
        REQUIRE(agrees(found, expected, 0));
      else
        note(tally, test, found, expected);
    }
    if (grid == 1)
      first = std::move(results);
  }
  ++tally.fused;
  tally.exact += !runner.calledLibrary;
  tally.combined += runner.combined;
}

static Tally compareMany(unsigned first, unsigned last, RandomGroup::Contents contents) {
  constexpr unsigned atOnce = 200;
  Tally tally;
  for (unsigned from = first; from < last; from += atOnce) {
    Context context;
    HostRunner runner;
    std::vector<Case> cases;
    for (unsigned seed = from; seed < std::min(from + atOnce, last); ++seed) {
      auto group = std::make_unique<RandomGroup>(context, seed, contents);
      if (group->expected.empty())
        continue;
      ++tally.seen;
      auto fused = runner.get(group->graph);
      if (!fused)
        continue;
      std::vector<IValue> results(group->expected.size());
      REQUIRE(fused->run(group->call, pointersTo(group->inputs), results.data()).ok()); // collects its nests
      cases.push_back({std::move(group), std::move(fused), seed});
    }
    runner.build();
    tally.kernels += runner.numBuilt, tally.withoutCode += runner.numWithoutCode;
    for (Case &test : cases)
      compare(runner, test, tally);
  }
  WARN(tally.seen << " groups, " << tally.fused << " fused, " << tally.exact << " with the operators' bits, "
                  << tally.combined << " with chunks, " << tally.beyond << " results beyond rounding"
                  << (tally.beyond ? " (of seeds" + tally.seedsBeyond + ")" : "") << "; of " << tally.kernels
                  << " kernels " << tally.withoutCode << " have no code");
  CHECK(tally.fused >= tally.seen / 2);
  CHECK(tally.exact >= tally.fused / 4);
  INFO(tally.groupsBeyond);
  CHECK(tally.beyond <= tally.fused / 50);
  return tally;
}

static unsigned numberIn(const char *variable, unsigned otherwise) {
  const char *asked = std::getenv(variable);
  return asked ? static_cast<unsigned>(std::strtoul(asked, nullptr, 10)) : otherwise;
}

static void compareAsked(RandomGroup::Contents contents) {
  const unsigned first = numberIn("TSC_CUDA_FIRST_GROUP", 0);
  compareMany(first, first + numberIn("TSC_CUDA_GROUPS", 40), contents);
}

TEST_CASE("FuserCUDA: random groups through the shim give what the operators give") {
  compareAsked(RandomGroup::Contents::Elementwise);
}
TEST_CASE("FuserCUDA: random groups with reductions through the shim give what the operators give") {
  compareAsked(RandomGroup::Contents::WithFolds);
}
