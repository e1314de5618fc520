//===- FusedBitsTest.cpp - Fused code gives the bits of the operators -----===//
#include "RandomGroups.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace tsc;

/// Equal bits, except that a NaN is any NaN.
template <typename T> static bool sameElements(const Tensor &a, const Tensor &b) {
  for (int64_t i = 0; i != a.numel(); ++i) {
    T x = a.data<T>()[i], y = b.data<T>()[i];
    bool bothNaN = static_cast<double>(x) != static_cast<double>(x) && static_cast<double>(y) != static_cast<double>(y);
    if (!bothNaN && std::memcmp(&x, &y, sizeof(T)) != 0)
      return false;
  }
  return true;
}

static bool sameTensors(const Tensor &a, const Tensor &b) {
  if (a.dtype() != b.dtype() || a.sizes() != b.sizes() || a.strides() != b.strides())
    return false;
  switch (a.dtype()) {
  case DType::Float: return sameElements<float>(a, b);
  case DType::Double: return sameElements<double>(a, b);
  case DType::Half: return sameElements<Half>(a, b);
  case DType::BFloat16: return sameElements<BFloat16>(a, b);
  default:
    return a.numel() == 0 || std::memcmp(a.data(), b.data(), static_cast<size_t>(a.numel()) * itemSize(a.dtype())) == 0;
  }
}

static std::string describe(const RandomGroup &group) {
  std::string text;
  llvm::raw_string_ostream os(text);
  group.graph.print(os, false);
  for (const IValue &input : group.inputs) {
    if (!input.isTensor()) {
      reprValue(os, input);
    } else {
      const Tensor &t = input.asTensor();
      os << irName(t.dtype()) << shapeString(t.sizes()) << " strides " << shapeString(t.strides());
    }
    os << "\n";
  }
  return text;
}

/// Runs groups of these seeds fused; counts those that were.
static unsigned compare(CpuFuser &fuser, Context &context, unsigned first, unsigned last,
                        RandomGroup::Contents contents = RandomGroup::Contents::Elementwise) {
  unsigned fused = 0;
  for (unsigned seed = first; seed != last; ++seed) {
    RandomGroup group(context, seed, contents);
    if (group.expected.empty())
      continue;
    std::shared_ptr<FusedGroup> code = fuser.get(group.graph);
    if (!code)
      continue;
    std::vector<const IValue *> inputs;
    for (const IValue &input : group.inputs)
      inputs.push_back(&input);
    std::vector<IValue> results(group.expected.size());
    auto ran = code->run(group.call, inputs, results.data());
    INFO("seed " << seed << "\n" << describe(group));
    REQUIRE(ran.ok());
    if (!*ran)
      continue;
    ++fused;
    for (size_t i = 0; i != results.size(); ++i) {
      const Tensor &found = results[i].asTensor(), &expected = group.expected[i].asTensor();
      INFO("output " << i << "\n" << toCppString(found) << "\n" << toCppString(expected));
      REQUIRE(sameTensors(found, expected));
    }
  }
  return fused;
}

static void compareFresh(unsigned first, unsigned last, RandomGroup::Contents contents, unsigned maxVectorBytes = 64) {
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  options.maxVectorBytes = maxVectorBytes;
  options.report = [](const Status &status) { FAIL(status.message()); };
  auto fuser = createCpuFuser(options);
  Context context;
  unsigned enough = contents == RandomGroup::Contents::Elementwise ? (last - first) * 2 / 3 : (last - first) / 2;
  CHECK(compare(*fuser, context, first, last, contents) > enough);
}

using Contents = RandomGroup::Contents;
TEST_CASE("FuserCPU: random groups give the bits of the operators") { compareFresh(0, 200, Contents::Elementwise); }
TEST_CASE("FuserCPU: random groups with reductions give the bits of the operators") {
  compareFresh(0, 200, Contents::WithFolds);
}
TEST_CASE("FuserCPU: code for processors without AVX-512 gives the bits of the operators") {
  compareFresh(200, 300, Contents::Elementwise, 32);
  compareFresh(200, 300, Contents::WithFolds, 32);
}

// Minutes; by name or with [long].
TEST_CASE("FuserCPU: 20,000 random groups give the bits of the operators", "[.][long]") {
  compareFresh(0, 20000, Contents::Elementwise);
}
TEST_CASE("FuserCPU: 20,000 random groups with reductions", "[.][long]") {
  compareFresh(0, 20000, Contents::WithFolds);
}
TEST_CASE("FuserCPU: 4,000 random groups without AVX-512", "[.][long]") {
  compareFresh(0, 2000, Contents::Elementwise, 32);
  compareFresh(0, 2000, Contents::WithFolds, 32);
}
