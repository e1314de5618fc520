//===- GraphExecutorTest.cpp - When an executor makes which code -----------===//
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorObserver.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Tensor.h"
#include "tsc/Transforms/UnusedOperators.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>

using namespace tsc;

namespace {

/// A graph, and executors that count what they compile beside baseline code.
class Fixture {
public:
  explicit Fixture(const char *text) : buffer("test.ir", text) {
    DiagnosticEngine diags;
    auto parsed = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    graph = std::move(parsed->front());
  }
  GraphExecutorOptions options(TierOptions tiers) {
    GraphExecutorOptions made;
    made.tiers = tiers;
    made.prepare = [](Graph &copy) {
      eraseUnusedOperators(copy);
      return okStatus();
    };
    made.onCode = [this](const Code &) { ++compiled; };
    return made;
  }
  StatusOr<std::vector<IValue>> call(const GraphExecutor &executor, std::vector<IValue> args) {
    CallContext call(context);
    return executor.call(*graph, "graph", call, std::move(args));
  }
  double run(const GraphExecutor &executor, const Tensor &x) {
    auto results = call(executor, {x});
    INFO(results.status().message());
    REQUIRE(results.ok());
    REQUIRE(results->size() == 1);
    return results->front().asTensor().at(0).toDouble();
  }

  Context context;
  SourceBuffer buffer;
  std::unique_ptr<Graph> graph;
  std::atomic<int> compiled{0};
};

constexpr const char *negates = R"(
graph(%x : Tensor):
  %y : Tensor = aten::neg(%x)
  return (%y)
)";

Tensor ones(DType dtype, ArrayRef<int64_t> sizes = {2}) { return *Tensor::full(sizes, Scalar(1.0), dtype); }

} // namespace

TEST_CASE("An executor without options runs all as it is written") {
  Fixture test(negates);
  const GraphExecutor executor;
  CHECK(&executor.asWritten() == &executor);
  CHECK(&executor.whereHostsRecord() == &executor);
  CHECK_FALSE(executor.policy().makesPlans());
  for (int i = 0; i != 3; ++i)
    CHECK(test.run(executor, ones(DType::Float)) == -1);
}

TEST_CASE("Without plans, a graph is compiled once, before its first run") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true}));
  CHECK(&executor.asWritten() != &executor);
  CHECK(&executor.whereHostsRecord() == &executor.asWritten());
  for (DType dtype : {DType::Float, DType::Double, DType::Float})
    CHECK(test.run(executor, ones(dtype)) == -1);
  CHECK(test.compiled == 1);
  CHECK(test.run(executor.asWritten(), ones(DType::Float)) == -1);
  CHECK(test.compiled == 1); // nothing prepares what is as written
}

TEST_CASE("Each kind of arguments gets a plan, and after some all others share one") {
  Fixture test(negates);
  const GraphExecutor executor(
      test.options({.isOptimized = true, .plans = CompileMode::Eager, .callsBefore = 1, .maxPlans = 2}));
  const Tensor rank1 = ones(DType::Float), rank2 = ones(DType::Float, {2, 2}), wide = ones(DType::Double),
               rank3 = ones(DType::Float, {2, 2, 2});
  const std::pair<Tensor, int> calls[] = {
      {rank1, 0}, {rank1, 1}, {ones(DType::Float, {7}), 1}, {rank2, 2}, {rank1, 2}, {wide, 3}, {rank3, 3}, {rank2, 3}};
  for (const auto &[argument, compiled] : calls) {
    CHECK(test.run(executor, argument) == -1);
    CHECK(test.compiled == compiled);
  }
}

TEST_CASE("No tier relies on what a graph claims of its tensors") {
  Fixture test(R"(
graph(%x : Float(2), %l : Float(2)[]):
  %y : Float(2) = aten::neg(%x)
  return (%y)
)");
  std::vector<std::string> types;
  auto options = [&](TierOptions tiers) {
    GraphExecutorOptions made = test.options(tiers);
    made.prepare = [&](Graph &copy) {
      types.clear();
      for (const Value *value : {copy.inputs()[0], copy.inputs()[1], *copy.outputs().begin()})
        types.push_back(value->type()->str());
      return okStatus();
    };
    return made;
  };
  const std::vector<std::string> nothing = {"Tensor", "Tensor[]", "Tensor"};
  const IValue list(std::vector<Tensor>{});
  const GraphExecutor withoutPlans(options({.isOptimized = true}));
  CHECK(test.call(withoutPlans, {ones(DType::Float), list}).ok());
  CHECK(types == nothing);
  const GraphExecutor withPlans(
      options({.isOptimized = true, .plans = CompileMode::Eager, .callsBefore = 0, .maxPlans = 1}));
  CHECK(test.call(withPlans, {ones(DType::Double, {3}), list}).ok());
  CHECK(types[0] != "Float(2)"); // the argument's
  CHECK(types[1] == "Tensor[]");
  CHECK(types[2] == "Tensor");
  CHECK(test.call(withPlans, {ones(DType::Float, {3}), list}).ok()); // the plan for any arguments
  CHECK(types == nothing);
}

TEST_CASE("Plans rely on sizes where gradients are expected") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true, .plans = CompileMode::Eager, .callsBefore = 0}));
  CHECK_FALSE(executor.expectsGradients());
  executor.expectGradients();
  CHECK(executor.expectsGradients());
  const std::pair<std::vector<int64_t>, int> calls[] = {
      {{4}, 1}, {{4}, 1}, // all sizes
      {{5}, 2}, {{6}, 2}, // any size but 0 and 1
      {{1}, 3}, {{5, 5}, 4}, {{5, 6}, 5}, {{7, 8}, 5}, {{7, 7}, 6}, {{4}, 6},
  };
  for (const auto &[sizes, compiled] : calls) {
    INFO(sizes.size() << " dimensions, the first " << sizes[0]);
    CHECK(test.run(executor, ones(DType::Float, sizes)) == -1);
    CHECK(test.compiled == compiled);
  }
}

TEST_CASE("Calls run baseline code until a thread has made their plan") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true, .plans = CompileMode::Background}));
  CHECK(test.run(executor, ones(DType::Float)) == -1);
  executor.finishCompiling();
  CHECK(test.compiled == 0);
  CHECK(test.run(executor, ones(DType::Float)) == -1);
  executor.finishCompiling();
  CHECK(test.compiled == 1);
  CHECK(test.run(executor, ones(DType::Float)) == -1);
  executor.finishCompiling();
  CHECK(test.compiled == 1);
}

TEST_CASE("Four threads call one graph while its plans are made") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true, .plans = CompileMode::Background, .maxPlans = 3}));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      const DType dtypes[] = {DType::Float, DType::Double, DType::Int32, DType::Int64, DType::Half};
      for (int i = 0; i != 200; ++i) {
        auto results = test.call(executor, {ones(dtypes[(i + t) % 5])});
        wrong += !results.ok() || results->front().asTensor().at(0).toDouble() != -1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  executor.finishCompiling();
  CHECK(wrong == 0);
  CHECK(test.compiled == 4); // three kinds, and one plan for all others
}

TEST_CASE("A host's call is carried out again with a tape where it asked for gradients without one") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true}));
  CallContext call(test.context);
  std::vector<std::pair<bool, bool>> seen; // whether there is an observer, and whether it is the last time
  auto asking = [&](const GraphExecutor &through, bool isLast) -> StatusOr<IValue> {
    seen.emplace_back(call.observer != nullptr, isLast);
    CHECK((&through == &executor.asWritten()) == (call.observer != nullptr));
    return call.observer ? StatusOr<IValue>(IValue(int64_t{1})) : StatusOr<IValue>(withoutTape());
  };
  REQUIRE(executor.callForHost(call, /*mayRepeat=*/true, asking).ok());
  CHECK(seen == std::vector<std::pair<bool, bool>>{{false, false}, {true, true}});
  CHECK(call.observer == nullptr);
  CHECK(executor.expectsGradients());
  seen.clear();
  REQUIRE(executor.callForHost(call, /*mayRepeat=*/true, asking).ok()); // it is known by now
  CHECK(seen == std::vector<std::pair<bool, bool>>{{true, true}});
}

TEST_CASE("A host's call that was seen to have an effect is not carried out again") {
  Fixture test(negates);
  const GraphExecutor executor(test.options({.isOptimized = true}));
  CallContext call(test.context);
  int times = 0;
  auto asking = [&](const GraphExecutor &, bool) -> StatusOr<IValue> {
    ++times;
    call.isObserved = true;
    return withoutTape();
  };
  CHECK_FALSE(executor.callForHost(call, /*mayRepeat=*/true, asking).ok());
  CHECK(times == 1);
  CHECK_FALSE(executor.expectsGradients());
}

TEST_CASE("Plans are made for each default dtype, and calls run those of their thread's") {
  Fixture test(R"(
graph(%x : Tensor):
  %half : float = prim::Constant[value=0.5]()
  %y : Tensor = aten::mul(%x, %half)
  return (%y)
)");
  TierOptions tiers{.isOptimized = true, .plans = CompileMode::Eager};
  tiers.callsBefore = 0;
  const GraphExecutor executor(test.options(tiers));
  const Tensor whole = ones(DType::Int64);
  auto dtypeUnder = [&](DType dtype) {
    const DefaultDTypeScope scope(dtype);
    auto results = test.call(executor, {whole});
    REQUIRE(results.ok());
    return results->front().asTensor().dtype();
  };
  for (int i = 0; i != 3; ++i)
    for (DType dtype : {DType::Float, DType::Double, DType::BFloat16})
      CHECK(dtypeUnder(dtype) == dtype);
  CHECK(test.compiled == 3);
}
