//===- NestInterpreterTest.cpp - Plans and nests, whatever the device -----===//
#include "NestInterpreter.h"
#include "RandomGroups.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tsc;
using namespace tsc::fuser;

static double unitOf(DType dtype) {
  switch (dtype) {
  case DType::Double: return 0x1p-44;
  case DType::Float: return 0x1p-20;
  case DType::Half: return 0x1p-9;
  case DType::BFloat16: return 0x1p-6;
  default: return 0;
  }
}

/// Whether `found` is `expected`, as far as rounding goes: `others` were computed with other roundings.
static bool agrees(double expected, double found, ArrayRef<double> others, DType dtype) {
  auto isSame = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (isSame(expected, found))
    return true;
  double spread = 0;
  for (double other : others) {
    if (isSame(expected, other) || std::isfinite(other) != std::isfinite(found))
      return true; // between two roundings, or beyond the largest number in one of them
    spread = std::max(spread, std::fabs(other - found));
  }
  return std::fabs(expected - found) <= 64 * spread + unitOf(dtype) * std::max({std::fabs(expected), std::fabs(found),
                                                                                1.0}); // terms of a body may cancel
}

/// Runs the group in double precision; false when it was not fused. `beyond`: it differs where a body may have left the
/// range of float.
static bool compare(NestInterpreter &interpreter, RandomGroup &group, bool &beyond) {
  std::shared_ptr<FusedGroup> fused = interpreter.get(group.graph);
  if (!fused)
    return false;
  std::vector<const IValue *> inputs;
  for (const IValue &input : group.inputs)
    inputs.push_back(&input);
  using enum NestInterpreter::Perturbation;
  static constexpr NestInterpreter::Perturbation how[] = {None, Up, Down, Random, Random, Random, Random, Random};
  constexpr unsigned roundings = std::size(how);
  std::vector<std::vector<IValue>> results(roundings, std::vector<IValue>(group.expected.size()));
  for (unsigned i = 0; i != roundings; ++i) {
    interpreter.perturb(how[i], i);
    auto ran = fused->run(group.call, inputs, results[i].data());
    REQUIRE(ran.ok());
    if (!*ran)
      return false;
  }
  const bool extremes = interpreter.sawExtremes();
  for (size_t output = 0; output != group.expected.size(); ++output) {
    const Tensor &expected = group.expected[output].asTensor(), &found = results[0][output].asTensor();
    REQUIRE(found.dtype() == expected.dtype());
    REQUIRE(found.sizes() == expected.sizes());
    for (int64_t i = 0; i != expected.numel(); ++i) {
      auto at = [&](const Tensor &t) { return t.at(i).toDouble(); };
      double others[roundings - 1];
      for (unsigned k = 1; k != roundings; ++k)
        others[k - 1] = at(results[k][output].asTensor());
      if (agrees(at(expected), at(found), others, expected.dtype()))
        continue;
      if (extremes) {
        beyond = true;
        continue;
      }
      std::string text;
      llvm::raw_string_ostream os(text);
      os << "output " << output << ", element " << i
         << llvm::format(": %.17g by the operators, %.17g in double;", at(expected), at(found));
      for (double other : others)
        os << llvm::format(" %.17g", other);
      INFO(os.str());
      REQUIRE(false);
    }
  }
  return true;
}

static void compareMany(unsigned first, unsigned last, RandomGroup::Contents contents) {
  constexpr int64_t most = 5000; // elements: a double of each is computed in steps
  NestInterpreter interpreter;
  Context context;
  unsigned small = 0, fused = 0, numBeyond = 0;
  for (unsigned seed = first; seed != last; ++seed) {
    RandomGroup group(context, seed, contents);
    auto isLarge = [](const IValue &value) { return value.isTensor() && value.asTensor().numel() > most; };
    if (group.expected.empty() || llvm::any_of(group.expected, isLarge) || llvm::any_of(group.inputs, isLarge))
      continue;
    ++small;
    INFO("seed " << seed << "\n" << describe(group));
    bool beyond = false;
    fused += compare(interpreter, group, beyond);
    numBeyond += beyond;
  }
  CHECK(fused >= small / 2);
  CHECK(numBeyond <= fused / 20);
  CHECK(small >= (last - first) / 3);
}

TEST_CASE("Fusion: nests of random groups compute what the operators compute") {
  compareMany(0, 200, RandomGroup::Contents::Elementwise);
}
TEST_CASE("Fusion: nests of random groups with reductions compute what the operators compute") {
  compareMany(0, 200, RandomGroup::Contents::WithFolds);
}
// Minutes; by name or with [long].
TEST_CASE("Fusion: 10,000 random groups in double precision", "[.][long]") {
  compareMany(0, 10000, RandomGroup::Contents::Elementwise);
}
TEST_CASE("Fusion: 10,000 random groups with reductions in double precision", "[.][long]") {
  compareMany(0, 10000, RandomGroup::Contents::WithFolds);
}
