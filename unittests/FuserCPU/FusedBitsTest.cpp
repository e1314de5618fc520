//===- FusedBitsTest.cpp - Fused code gives the bits of the operators -----===//
#include "RandomGroups.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Parser.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Tensor/Kernels/Reductions.h"
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

// Whole vectors, several side by side, and what is left of a row; with operands that are one element a row, and with
// gaps.
TEST_CASE("FuserCPU: rows of any length give the bits of the operators") {
  Context context;
  SourceBuffer buffer("test.ir", R"(
graph(%x : Tensor, %w : Tensor, %b : Tensor, %dims : int[]):
  %0 : bool = prim::Constant[value=1]()
  %1 : NoneType = prim::Constant()
  %2 : int = prim::Constant[value=1]()
  %3 : Tensor = aten::tanh(%x)
  %4 : Tensor = aten::mul(%3, %w)
  %5 : Tensor = aten::add(%4, %b, %2)
  %6 : Tensor = aten::sum(%5, %dims, %0, %1)
  %7 : Tensor = aten::div(%5, %6)
  return (%7)
)");
  DiagnosticEngine diags;
  auto graphs = parseGraphs(context, buffer, diags);
  REQUIRE(succeeded(graphs));
  CpuFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  auto fuser = createCpuFuser(options);
  auto group = fuser->get(*graphs->front());
  REQUIRE(group);
  CallContext call(context);
  auto numbers = [](ArrayRef<int64_t> sizes, int64_t seed) {
    Tensor t = *Tensor::empty(sizes, DType::Float);
    for (int64_t i = 0; i != t.numel(); ++i)
      t.set(i, Scalar(static_cast<double>((i + seed) * 7919 % 1013) / 500 - 0.5));
    return t;
  };
  for (int64_t length = 1; length <= 200; ++length)
    for (int64_t gap : {1, 2}) {
      INFO("length " << length << ", every " << gap);
      Tensor x = *cpu::slice(numbers({3, length * gap}, 0), 1, 0, std::nullopt, gap), w = numbers({length}, 5);
      Tensor b = numbers({3, 1}, 11);
      std::vector<int64_t> dims = {1};
      IValue inputs[] = {IValue(x), IValue(w), IValue(b), IValue(dims)}, result;
      const IValue *pointers[] = {&inputs[0], &inputs[1], &inputs[2], &inputs[3]};
      auto ran = group->run(call, pointers, &result);
      REQUIRE(ran.ok());
      REQUIRE(*ran);
      Tensor tanh = *pointwise(PointwiseKind::Aten_tanh, {PointwiseArg(x)});
      Tensor product = *pointwise(PointwiseKind::Aten_mul_Tensor, {PointwiseArg(tanh), PointwiseArg(w)});
      Tensor terms = *pointwise(PointwiseKind::Aten_add_Tensor,
                                {PointwiseArg(product), PointwiseArg(b), PointwiseArg(Scalar(int64_t{1}))});
      Tensor sum = *cpu::sumDims(terms, dims, true, std::nullopt);
      REQUIRE(sameTensors(result.asTensor(),
                          *pointwise(PointwiseKind::Aten_div_Tensor, {PointwiseArg(terms), PointwiseArg(sum)})));
    }
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
