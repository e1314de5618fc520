//===- ProfilingExecutorTest.cpp - Code that is made of profiles ----------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Tensor/Tensor.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <future>
#include <thread>

using namespace tsc;

namespace {

/// A graph, and an executor that profiles.
class Fixture {
public:
  explicit Fixture(const std::string &text, llvm::function_ref<void(Context &)> setUp = nullptr)
      : buffer("test.ir", text) {
    if (setUp)
      setUp(context);
    DiagnosticEngine diags;
    auto parsed = parseGraphs(context, buffer, diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    graph = std::move(parsed->front());
    GraphExecutorOptions options;
    options.tiers = {.isOptimized = true, .plans = CompileMode::Eager};
    options.prepare = [this](Graph &copy) {
      eraseUnusedOperators(copy);
      if (beforeCode)
        beforeCode(copy);
      return okStatus();
    };
    options.profiles = true;
    options.profilingCounters = &counters;
    executor = std::make_unique<GraphExecutor>(std::move(options));
  }
  StatusOr<std::vector<IValue>> tryCall(std::vector<IValue> args, std::optional<uint32_t> forced = std::nullopt) {
    CallContext call(context);
    llvm::raw_string_ostream out(printed);
    call.setOut(out);
    call.forcedBailout = forced;
    return executor->call(*graph, "graph", call, std::move(args));
  }
  /// Calls the graph, which gives one tensor, and returns its first element.
  double call(std::vector<IValue> args, std::optional<uint32_t> forced = std::nullopt) {
    auto results = tryCall(std::move(args), forced);
    INFO(results.status().message());
    REQUIRE(results.ok());
    REQUIRE(!results->empty());
    return results->front().asTensor().at(0).toDouble();
  }

  /// Parses a further graph.
  std::unique_ptr<Graph> parse(const char *text) {
    DiagnosticEngine diags;
    auto parsed = parseGraphs(context, context.sources().add("further.ir", text), diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    return std::move(parsed->front());
  }

  Context context;
  SourceBuffer buffer;
  std::function<void(Graph &)> beforeCode; ///< Is called with each graph that is prepared; may be empty.
  std::unique_ptr<Graph> graph, inner;     ///< `inner` is for an operator that calls a graph.
  ProfilingCounters counters;
  std::unique_ptr<GraphExecutor> executor;
  std::string printed;
};

constexpr const char *negates = R"(
graph(%x : Tensor):
  %y : Tensor = aten::neg(%x)
  return (%y)
)";

Tensor ones(ArrayRef<int64_t> sizes, DType dtype = DType::Float) { return *Tensor::full(sizes, Scalar(1.0), dtype); }

} // namespace

TEST_CASE("The first call is observed, and later ones run guarded code") {
  Fixture test(negates);
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.profiledRuns == 1);
  CHECK(test.counters.staticCodes == 1);
  CHECK(test.counters.guards == 1); // that of the operand; the result's size follows
  for (int i = 0; i != 3; ++i)
    CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.guardedRuns == 3);
  CHECK(test.counters.guardFailures == 0);
  CHECK(test.counters.profiledRuns == 1);
}

TEST_CASE("Where guards fail, code is made for other sizes twice, and then for any") {
  Fixture test(negates);
  uint64_t failures = 0;
  CHECK(test.call({ones({2})}) == -1);
  for (int64_t size : {3, 4, 5}) {
    CHECK(test.call({ones({size})}) == -1); // fails
    CHECK(test.counters.guardFailures == ++failures);
    CHECK(test.call({ones({size})}) == -1); // is observed
    CHECK(test.call({ones({size})}) == -1);
    CHECK(test.counters.guardFailures == failures);
  }
  CHECK(test.counters.staticCodes == 3);
  CHECK(test.counters.dynamicCodes == 1);
  for (int64_t size : {7, 2, 1, 9})
    CHECK(test.call({ones({size})}) == -1);
  CHECK(test.counters.guardFailures == failures);
  CHECK(test.call({ones({2}, DType::Double)}) == -1);
  CHECK(test.counters.guardFailures == ++failures);
  CHECK(test.call({ones({2}, DType::Double)}) == -1);
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.guardFailures == failures);
  CHECK(test.counters.dynamicCodes == 2);
  CHECK(test.counters.otherRuns == 0);
}

TEST_CASE("After twelve further codes a function runs as without profiles") {
  constexpr int numInputs = 13;
  std::string inputs, nodes, results;
  for (int i = 0; i != numInputs; ++i) {
    const std::string name = "%x" + std::to_string(i), result = "%y" + std::to_string(i);
    inputs += (i ? ", " : "") + name + " : Tensor";
    nodes += "  " + result + " : Tensor = aten::neg(" + name + ")\n";
    results += (i ? ", " : "") + result;
  }
  Fixture test("graph(" + inputs + "):\n" + nodes + "  return (" + results + ")\n");
  std::vector<IValue> args(numInputs, IValue(ones({2})));
  CHECK(test.call(args) == -1);
  for (int i = 0; i != numInputs; ++i) { // each in turn changes its size
    args[i] = ones({3});
    CHECK(test.call(args) == -1);
    CHECK(test.counters.guardFailures == static_cast<uint64_t>(i + 1));
    CHECK(test.counters.otherRuns == 0);
    CHECK(test.call(args) == -1);
  }
  CHECK(test.counters.staticCodes == 3);
  CHECK(test.counters.dynamicCodes == 10);
  CHECK(test.counters.otherRuns == 1);
  args[0] = ones({4, 4});
  CHECK(test.call(args) == -1);
  CHECK(test.counters.otherRuns == 2);
  CHECK(test.counters.guardFailures == numInputs);
}

TEST_CASE("A guard that fails repeats no effect") {
  Fixture test(R"(
graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %text : str = prim::Constant[value="."]()
  %1 : Tensor = aten::add_(%x, %one, %one)
   = prim::Print(%text)
  %2 : Tensor = aten::unsqueeze(%x, %one)
  %3 : Tensor = aten::squeeze(%2)
  %4 : Tensor = aten::add_(%3, %one, %one)
  return (%x)
)");
  CHECK(test.call({ones({2})}) == 3);
  CHECK(test.call({ones({2})}) == 3);
  CHECK(test.call({ones({3})}) == 3);
  CHECK(test.counters.guardFailures == 1);
  CHECK(test.printed == ".\n.\n.\n");
  CHECK(test.call({ones({3})}) == 3); // observed
  const uint64_t failures = test.counters.guardFailures;
  CHECK(test.call({ones({3})}, /*forced=*/0) == 3);
  CHECK(test.counters.forcedFailures == 1);
  CHECK(test.counters.guardFailures == failures);
  CHECK(test.counters.guardedRuns == 3);
  CHECK(test.call({ones({3})}) == 3); // what was forced is no reason for other code
  CHECK(test.counters.guardedRuns == 4);
  CHECK(test.printed == ".\n.\n.\n.\n.\n.\n");
}

TEST_CASE("A call that fails while it is observed says so, and the next one is observed") {
  Fixture test(R"(
graph(%x : Tensor, %y : Tensor):
  %1 : Tensor = aten::mv(%x, %y)
  return (%1)
)");
  const StatusOr<std::vector<IValue>> failed = test.tryCall({ones({2, 3}), ones({2})});
  CHECK_FALSE(failed.ok());
  CHECK(test.counters.profiledRuns == 1);
  CHECK(test.counters.staticCodes == 0);
  CHECK(test.call({ones({2, 3}), ones({3})}) == 3);
  CHECK(test.counters.profiledRuns == 2);
  CHECK(test.counters.staticCodes == 1);
  // So does one whose guard fails first: the message is that of the program.
  const StatusOr<std::vector<IValue>> again = test.tryCall({ones({2, 3}), ones({2})});
  CHECK_FALSE(again.ok());
  CHECK(again.status().message() == failed.status().message());
  CHECK(test.counters.guardFailures == 1);
}

TEST_CASE("Code is made for calls that fail each time, and their errors stay what they are") {
  Fixture test(R"(
graph(%x : Tensor):
  %text : str = prim::Constant[value="."]()
  %message : str = prim::Constant[value="broken"]()
  %none : NoneType = prim::Constant()
  %1 : Tensor = aten::neg(%x)
   = prim::Print(%text)
   = prim::RaiseException(%message, %none)
  return (%1)
)");
  std::string first(test.tryCall({ones({2})}).status().message());
  CHECK(first.find("broken") != std::string::npos);
  CHECK(test.counters.staticCodes == 0);
  CHECK(test.tryCall({ones({2})}).status().message() == first);
  CHECK(test.counters.staticCodes == 1);
  CHECK(test.tryCall({ones({2})}).status().message() == first);
  CHECK(test.tryCall({ones({2})}, /*forced=*/0).status().message() == first);
  CHECK(test.tryCall({ones({3})}).status().message() == first);
  CHECK(test.counters.profiledRuns == 2);
  CHECK(test.counters.guardedRuns == 3);
  CHECK(test.counters.forcedFailures == 1);
  CHECK(test.counters.guardFailures == 1);
  CHECK(test.printed == ".\n.\n.\n.\n.\n"); // once for each call
}

TEST_CASE("Guards that fail in a call that an operator makes are no reason to make other code for the call around it") {
  Fixture *host = nullptr;
  int64_t size = 2;
  auto callInner = [&](CallContext &call, const IValue *const *, IValue *results) -> Status {
    auto values = host->executor->call(*host->inner, "inner", call, {IValue(ones({size}))});
    if (!values.ok())
      return values.status();
    results[0] = IValue(values->front().asTensor().numel());
    return okStatus();
  };
  Fixture test(R"(
graph(%x : Tensor):
  %1 : Tensor = aten::neg(%x)
  %2 : int = mine::inner(%x)
  return (%1, %2)
)",
               [&](Context &context) {
                 REQUIRE(context.operators().registerOperator("mine::inner(Tensor x) -> int", callInner).ok());
               });
  host = &test;
  test.inner = test.parse(negates);
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.profiledRuns == 2); // of both graphs
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.guardedRuns == 2);
  CHECK(test.counters.guardFailures == 0);
  size = 3;
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.guardFailures == 1);
  CHECK(test.call({ones({2})}) == -1); // of the inner graph alone
  CHECK(test.counters.profiledRuns == 3);
  CHECK(test.counters.guardedRuns == 5);
}

TEST_CASE("While code of a function is made, calls of it run as without profiles, and other functions get code") {
  Fixture test(negates);
  test.inner = test.parse(R"(
graph(%x : Tensor):
  %y : Tensor = aten::abs(%x)
  return (%y)
)");
  std::promise<void> began, mayGoOn;
  bool waitedInVain = false;
  test.beforeCode = [&](Graph &graph) {
    if (!hasBailOuts(graph) || graph.str().find("aten::neg") == std::string::npos)
      return;
    began.set_value();
    waitedInVain = mayGoOn.get_future().wait_for(std::chrono::minutes(1)) != std::future_status::ready;
  };
  auto callGraph = [&test](const Graph &graph) {
    CallContext call(test.context);
    auto results = test.executor->call(graph, "graph", call, {IValue(ones({2}))});
    return results.ok() ? results->front().asTensor().at(0).toDouble() : 0.0;
  };
  double first = 0;
  std::thread maker([&] { first = callGraph(*test.graph); });
  const bool hasBegun = began.get_future().wait_for(std::chrono::minutes(1)) == std::future_status::ready;
  CHECK(hasBegun);
  if (hasBegun) {
    CHECK(callGraph(*test.graph) == -1);
    CHECK(test.counters.otherRuns == 1);
    CHECK(callGraph(*test.inner) == 1);
    CHECK(test.counters.profiledRuns == 2);
    CHECK(test.counters.staticCodes == 1);
    CHECK(callGraph(*test.inner) == 1);
    CHECK(test.counters.guardedRuns == 1);
  }
  mayGoOn.set_value();
  maker.join();
  CHECK(first == -1);
  CHECK_FALSE(waitedInVain);
  CHECK(test.counters.staticCodes == 2);
  CHECK(callGraph(*test.graph) == -1);
  CHECK(test.counters.guardedRuns == 2);
}

TEST_CASE("Threads may make code of many functions at once") {
  Fixture test(negates);
  constexpr int numFunctions = 6, numThreads = 4, numRounds = 8;
  std::vector<std::unique_ptr<Graph>> graphs;
  for (int i = 0; i != numFunctions; ++i) {
    std::string nodes;
    for (int j = 0; j <= i; ++j)
      nodes += "  %" + std::to_string(j + 1) + " : Tensor = aten::neg(%" + std::to_string(j) + ")\n";
    graphs.push_back(
        test.parse(("graph(%0 : Tensor):\n" + nodes + "  return (%" + std::to_string(i + 1) + ")\n").c_str()));
  }
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i != numThreads; ++i)
    threads.emplace_back([&, i] {
      for (int j = 0; j != numRounds * numFunctions; ++j) {
        const int which = (i + j) % numFunctions;
        CallContext call(test.context);
        auto results = test.executor->call(*graphs[which], "graph", call, {IValue(ones({1 + j % 3}))});
        good += results.ok() && results->front().asTensor().at(0).toDouble() == (which % 2 ? 1 : -1);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(good == numThreads * numRounds * numFunctions);
  CHECK(test.counters.profiledRuns + test.counters.guardedRuns + test.counters.otherRuns ==
        static_cast<uint64_t>(numThreads * numRounds * numFunctions));
}

TEST_CASE("What a graph claims of its tensors is no reason to do without a guard") {
  Fixture test(R"(
graph(%x : Float(2, strides=[1], device=cpu)):
  %y : Float(2, strides=[1], device=cpu) = aten::neg(%x)
  return (%y)
)");
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.counters.guards == 1);
  CHECK(test.call({ones({3})}) == -1);
  CHECK(test.counters.guardFailures == 1);
}

TEST_CASE("A function that calls one with bailouts runs as without profiles") {
  Fixture test(negates);
  CompilationUnit unit(test.context);
  Function &callee = *unit.create("callee");
  callee.setGraph(test.parse(R"(
graph(%x : Tensor):
  %1 : Float(2) = prim::BailOut_0[index=0](%x)
  %2 : Tensor = aten::abs(%1)
  return (%2)
with prim::BailOut_0 = graph(%x : Tensor):
  %1 : Tensor = aten::abs(%x)
  return (%1)
)"));
  test.graph = std::make_unique<Graph>(test.context);
  Value *x = test.graph->addInput("x");
  Value *function = test.graph->insertNodeHere(test.graph->createConstant(IValue(&callee)))->output();
  Node *call = test.graph->insertNodeHere(test.graph->create(prim::CallFunction, {function, x}));
  call->output()->setType(Type::tensorType());
  test.graph->addOutput(test.graph->insert(aten::neg, {call->output()}));
  CHECK(test.call({ones({2})}) == -1);
  CHECK(test.call({ones({3})}) == -1);
  CHECK(test.counters.profiledRuns == 0);
  CHECK(test.counters.otherRuns == 2);
}

TEST_CASE("Threads may call a function while it is observed") {
  Fixture test(negates);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i != 4; ++i)
    threads.emplace_back([&test, &good, i] {
      for (int j = 0; j != 20; ++j) {
        CallContext call(test.context);
        auto results = test.executor->call(*test.graph, "graph", call, {IValue(ones({1 + (i + j) % 5}))});
        good += results.ok() && results->front().asTensor().at(0).toDouble() == -1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(good == 80);
}
