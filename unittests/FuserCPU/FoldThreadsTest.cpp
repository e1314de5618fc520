//===- FoldThreadsTest.cpp - Folds on several threads ---------------------===//
//
// Reductions with few and long rows, or few columns, are shared out block by block;
// the bits are those of one thread, and of the eager kernels.
//
//===----------------------------------------------------------------------===//
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/ThreadPool.h"
#include <catch2/catch.hpp>
#include <cstring>

using namespace tsc;

static const char *const text = R"(
graph(%x : Tensor, %dims : int[]):
  %0 : bool = prim::Constant[value=1]()
  %1 : NoneType = prim::Constant()
  %2 : Tensor = aten::exp(%x)
  %3 : Tensor = aten::sum(%2, %dims, %0, %1)
  %4 : Tensor = aten::amin(%2, %dims, %0)
  %5 : Tensor = aten::div(%2, %3)
  return (%3, %4, %5)
)";

/// An executor that runs each task on this thread, last first, and counts them.
namespace {
class Backwards final : public Executor {
public:
  unsigned concurrency() const override { return 4; }
  void run(unsigned count, llvm::function_ref<void(unsigned)> task) override {
    tasks += count;
    while (count-- != 0) {
      ExecutorScope serial(nullptr);
      task(count);
    }
  }
  unsigned tasks = 0;
};
} // namespace

static std::vector<IValue> run(FusedGroup &group, CallContext &call, const Tensor &x, std::vector<int64_t> dims,
                               Executor *executor) {
  ExecutorScope scope(executor);
  IValue inputs[] = {IValue(x), IValue(dims)};
  const IValue *pointers[] = {&inputs[0], &inputs[1]};
  std::vector<IValue> results(3);
  auto ran = group.run(call, pointers, results.data());
  REQUIRE(ran.ok());
  REQUIRE(*ran);
  return results;
}

static bool sameBits(const Tensor &a, const Tensor &b) {
  return a.sizes() == b.sizes() &&
         std::memcmp(a.data(), b.data(), static_cast<size_t>(a.numel()) * itemSize(a.dtype())) == 0;
}

TEST_CASE("FuserCPU: folds on several threads give the bits of one") {
  Context context;
  SourceBuffer buffer("test.ir", text);
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
  struct Case {
    Dims sizes;
    std::vector<int64_t> dims;
  };
  Case cases[] = {{{300007}, {0}}, {{2, 131077}, {1}}, {{70001, 5}, {0}}, {{401, 3, 211}, {0, 2}}};
  for (const Case &c : cases) {
    Tensor x = *Tensor::empty(c.sizes, DType::Float);
    for (int64_t i = 0; i != x.numel(); ++i)
      x.set(i, Scalar(static_cast<double>(i * 7919 % 1013) / 500 - 1));
    INFO("sizes " << shapeString(x.sizes()));
    Tensor powers = *pointwise(PointwiseKind::Aten_exp, {PointwiseArg(x)});
    Tensor sum = *cpu::sumDims(powers, c.dims, true, std::nullopt), least = *cpu::amin(powers, c.dims, true);
    Backwards backwards;
    ThreadPool two(2);
    for (Executor *executor :
         {static_cast<Executor *>(nullptr), static_cast<Executor *>(&two), static_cast<Executor *>(&backwards)}) {
      std::vector<IValue> results = run(*group, call, x, c.dims, executor);
      CHECK(sameBits(results[0].asTensor(), sum));
      CHECK(sameBits(results[1].asTensor(), least));
      CHECK(sameBits(results[2].asTensor(),
                     *pointwise(PointwiseKind::Aten_div_Tensor, {PointwiseArg(powers), PointwiseArg(sum)})));
    }
    CHECK(backwards.tasks >= 4); // blocks and elements were shared out
  }
}
