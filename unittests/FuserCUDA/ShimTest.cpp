//===- ShimTest.cpp - Generated kernels compute what the operators compute -===//
//
// Random groups, built by the host's compiler and run on 1, 7 and 132 blocks. Results
// have the operators' bits. TSC_CUDA_GROUPS, a number, runs that many groups of each
// kind, TSC_CUDA_FIRST_GROUP from which seed on.
//
//===----------------------------------------------------------------------===//
#include "../../lib/Kernels/Pointwise/SpecialFunctions.h"
#include "../Fusion/RandomGroups.h"
#include "HostRunner.h"
#include "SameBits.h"
#include "tsc/KernelsCUDA/Prelude.h"
#include <cstring>

using namespace tsc;
using namespace tsc::fuser;

namespace {
struct Case {
  std::unique_ptr<RandomGroup> group;
  std::shared_ptr<FusedGroup> fused;
  unsigned seed;
};
struct Tally {
  unsigned seen = 0, fused = 0, library = 0, combined = 0, kernels = 0, withoutCode = 0;
};
} // namespace

/// Runs a group on each grid.
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
      INFO("output " << i << ", grid " << grid);
      REQUIRE(found.dtype() == expected.dtype());
      REQUIRE(found.sizes() == expected.sizes());
      REQUIRE(found.strides() == expected.strides());
      if (!agrees(found, grid == 1 ? expected : first[i].asTensor()))
        FAIL(toCppString(found) << "\n" << toCppString(expected));
    }
    if (grid == 1)
      first = std::move(results);
  }
  ++tally.fused;
  tally.library += runner.calledLibrary;
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
  WARN(tally.seen << " groups, " << tally.fused << " fused, " << tally.library << " with functions of the library, "
                  << tally.combined << " with chunks; of " << tally.kernels << " kernels " << tally.withoutCode
                  << " have no code");
  CHECK(tally.fused >= tally.seen / 2);
  return tally;
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

/// The text of the special functions is the eager kernels' own, built with other options; its last digits may differ.
TEST_CASE("FuserCUDA: special functions through the shim are the processor's, to the last digits") {
  SourceFunctions functions;
  std::string entries;
  auto add = [&](llvm::StringRef name, llvm::StringRef parameters, llvm::StringRef operands) {
    addSpecialFunction(functions, name);
    entries += ("extern \"C\" __attribute__((visibility(\"default\"))) double test_" + name + "(" + parameters +
                ") { return tsc::pw::" + name + "(" + operands + "); }\n")
                   .str();
  };
#define SPECIAL1(NAME) add(#NAME, "double x", "x");
#define SPECIAL2(NAME) add(#NAME, "double x, double y", "x, y");
#include "tsc/Kernels/SpecialFunctions.def"
  HostRunner runner;
  void *library = runner.compile(cudaPrelude().str() + functions.definitions().str() + entries);
  auto check = [](llvm::StringRef name, double x, double y, double found, double expected) {
    INFO(name.str() << "(" << x << ", " << y << "): " << found << " instead of " << expected);
    if (std::isnan(expected) || std::isinf(expected))
      CHECK((std::isnan(found) || found == expected));
    else
      CHECK(std::fabs(found - expected) <= 1e-10 * std::max(1.0, std::fabs(expected)));
  };
  const double points[] = {-2.5, -0.75, 0, 0.125, 0.5, 1, 1.5, 3, 7.25, 12, 40};
#define SPECIAL1(NAME)                                                                                                 \
  for (double x : points)                                                                                              \
    check(#NAME, x, 0, reinterpret_cast<double (*)(double)>(dlsym(library, "test_" #NAME))(x), pw::NAME(x));
#define SPECIAL2(NAME)                                                                                                 \
  for (double x : points)                                                                                              \
    for (double y : {0.0, 1.0, 2.0, 5.0})                                                                              \
      check(#NAME, x, y, reinterpret_cast<double (*)(double, double)>(dlsym(library, "test_" #NAME))(x, y),            \
            pw::NAME(x, y));
#include "tsc/Kernels/SpecialFunctions.def"
  // A device ends a loop of more than 2^24 turns, and says so.
  auto *multigammaln = reinterpret_cast<double (*)(double, double)>(dlsym(library, "test_multigammaln"));
  CHECK(std::isnan(multigammaln(1e8, 0x1p25)));
  CHECK(!std::isnan(multigammaln(1e8, 0x1p10)));
}
