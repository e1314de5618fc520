//===- ProfilingTest.cpp - Observers, guards and bailouts that run --------===//
#include "tsc/Runtime/Dispatch/Profiling.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Transforms/Passes/Profiling.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>

using namespace tsc;

namespace {

/// What somebody outside sees of a call, and how many guards failed.
struct Outcome {
  std::string printed, results, error;
  uint64_t failures = 0, forced = 0;
};

/// A graph with guards, whose bailouts are made when it is compiled; or the same without guards.
class Program {
public:
  Program(std::string text, bool isGuarded) {
    if (!isGuarded)
      for (size_t at; (at = text.find("prim::Guard(")) != std::string::npos;)
        text.replace(at, 12, "prim::profile(");
    DiagnosticEngine diags;
    auto parsed = parseGraphs(context, context.sources().add("test.ir", text), diags);
    INFO(diags.str());
    REQUIRE(succeeded(parsed));
    graph = std::move(parsed->front());
    AnalysisManager analyses;
    REQUIRE(BailOutInsertion().run(*graph, analyses).changed() == isGuarded);
    INFO(graph->str());
    REQUIRE(succeeded(verify(*graph, diags)));
    auto compiled = Code::compile(*graph, "test", cache);
    INFO(compiled.status().message());
    REQUIRE(compiled.ok());
    code = std::move(*compiled);
  }

  Outcome run(std::vector<IValue> args, std::optional<uint32_t> forced = std::nullopt) const {
    Outcome outcome;
    llvm::raw_string_ostream out(outcome.printed), results(outcome.results);
    CallContext call(const_cast<Context &>(context));
    call.setOut(out);
    call.forcedBailout = forced;
    auto values = code->run(call, std::move(args));
    if (values.ok())
      for (const IValue &value : *values) {
        printValue(results, value);
        results << '\n';
      }
    else
      outcome.error = std::string(values.status().message());
    outcome.failures = call.guardFailures;
    outcome.forced = call.forcedFailures;
    return outcome;
  }

  Context context;
  CodeCache cache;
  std::unique_ptr<Graph> graph;
  std::unique_ptr<Code> code;
};

Tensor ones(ArrayRef<int64_t> sizes, DType dtype = DType::Float) { return *Tensor::full(sizes, Scalar(1.0), dtype); }

/// Runs a graph with guards and without, and with each of its guards made to fail: all calls look the same from
/// outside. Returns how many guards failed by themselves.
uint64_t compare(const char *text, llvm::function_ref<std::vector<IValue>()> args, unsigned numGuards) {
  Program guarded(text, true), plain(text, false);
  const Outcome expected = plain.run(args());
  CHECK(expected.failures == 0);
  const Outcome found = guarded.run(args());
  CHECK(found.printed == expected.printed);
  CHECK(found.results == expected.results);
  CHECK(found.error == expected.error);
  for (unsigned i = 0; i != numGuards; ++i) {
    const Outcome forced = guarded.run(args(), i);
    CHECK(forced.printed == expected.printed);
    CHECK(forced.results == expected.results);
    CHECK(forced.error == expected.error);
    CHECK(forced.forced <= 1);
  }
  return found.failures;
}

} // namespace

TEST_CASE("A guard looks at what its type says") {
  const TensorFacts facts = factsOfTensor(ones({2, 3}));
  CHECK(passesGuard(ones({2, 3}), facts));
  CHECK_FALSE(passesGuard(ones({3, 2}), facts));
  CHECK_FALSE(passesGuard(ones({2, 3, 1}), facts));
  CHECK_FALSE(passesGuard(ones({2, 3}, DType::Double), facts));
  CHECK_FALSE(passesGuard(*Tensor::emptyStrided({2, 3}, {1, 2}, DType::Float), facts));
  CHECK_FALSE(passesGuard(Tensor(), facts));
  CHECK_FALSE(passesGuard(IValue(), facts));
  TensorFacts rows = facts;
  rows.strides = std::nullopt;
  rows.sizes->back() = Dimension();
  CHECK(passesGuard(ones({2, 7}), rows));
  CHECK_FALSE(passesGuard(ones({3, 7}), rows));
  CHECK(passesGuard(Tensor(), TensorFacts()));
  CHECK(factsOfTensor(Tensor()) == TensorFacts());
}

TEST_CASE("What passes an observer is told of, as often as it does") {
  struct Recorder final : ProfileObserver {
    void note(int64_t number, const IValue &value) override { seen.emplace_back(number, value.asTensor().dim()); }
    std::vector<std::pair<int64_t, int64_t>> seen;
  } recorder;
  const Program program(R"(
graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %1 : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %2 : Tensor):
      %3 : Tensor = prim::profile[index=0](%2)
      %4 : Tensor = aten::unsqueeze(%3, %zero)
      -> (%t, %4)
  %5 : Tensor = prim::profile[index=1](%1)
  %6 : Tensor = prim::profile(%5)
  return (%6)
)",
                        false);
  CallContext call(const_cast<Context &>(program.context));
  call.profile = &recorder;
  REQUIRE(program.code->run(call, {ones({2}), int64_t{2}}).ok());
  CHECK(recorder.seen == std::vector<std::pair<int64_t, int64_t>>{{0, 1}, {0, 2}, {1, 3}});
  CHECK(program.run({ones({2}), int64_t{2}}).error.empty()); // without a profile
}

TEST_CASE("A guard that fails in a loop leaves the trips that are left") {
  const char *const text = R"(
graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %1 : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %2 : Tensor):
      %3 : Float(2) = prim::Guard(%2)
       = prim::Print(%i)
      %4 : Tensor[] = prim::ListConstruct(%3, %3)
      %5 : Tensor = aten::cat(%4, %zero)
      -> (%t, %5)
  %6 : Float(16) = prim::Guard(%1)
  %7 : Tensor = aten::neg(%6)
  return (%7)
)";
  for (int64_t trips : {0, 1, 2, 4})
    CHECK(compare(text, [&] { return std::vector<IValue>{ones({2}), trips}; }, 2) == 1);
  CHECK(compare(text, [&] { return std::vector<IValue>{ones({16}), int64_t{0}}; }, 2) == 0);
}

TEST_CASE("A guard that fails in nested loops and branches leaves all of them") {
  const char *const text = R"(
graph(%x : Tensor, %n : int):
  %one : int = prim::Constant[value=1]()
  %two : int = prim::Constant[value=2]()
  %t : bool = prim::Constant[value=1]()
  %zero : int = prim::Constant[value=0]()
  %1 : Tensor, %sum : int = prim::Loop(%n, %t, %x, %zero)
    block0(%i : int, %2 : Tensor, %s.1 : int):
      %3 : Tensor, %s.2 : int = prim::Loop(%two, %t, %2, %s.1)
        block0(%j : int, %4 : Tensor, %s.3 : int):
           = prim::Print(%i, %j, %s.3)
          %c : bool = aten::eq(%j, %one)
          %5 : Tensor = prim::If(%c)
            block0():
              %6 : Float(2) = prim::Guard(%4)
              %7 : Tensor[] = prim::ListConstruct(%6, %2)
              %8 : Tensor = aten::cat(%7, %zero)
              -> (%8)
            block1():
              %9 : Tensor = aten::add(%4, %i, %one)
              -> (%9)
          %k : int = aten::mul(%i, %two)
          %l : int = aten::add(%k, %j)
          %s.4 : int = aten::add(%s.3, %l)
          -> (%t, %5, %s.4)
      -> (%t, %3, %s.2)
  return (%1, %sum)
)";
  CHECK(compare(text, [] { return std::vector<IValue>{ones({2}), int64_t{4}}; }, 1) == 1);
  CHECK(compare(text, [] { return std::vector<IValue>{ones({2}), int64_t{1}}; }, 1) == 0);
  CHECK(compare(text, [] { return std::vector<IValue>{ones({3}), int64_t{3}}; }, 1) == 1);
}

TEST_CASE("What was written and printed before a guard that fails is done once") {
  const char *const text = R"(
graph(%x : Tensor):
  %one : int = prim::Constant[value=1]()
  %text : str = prim::Constant[value="added"]()
  %1 : Tensor = aten::add_(%x, %one, %one)
   = prim::Print(%text)
  %2 : Float(2) = prim::Guard(%x)
  %3 : Tensor = aten::add_(%2, %one, %one)
   = prim::Print(%3)
  return (%x, %1)
)";
  CHECK(compare(text, [] { return std::vector<IValue>{ones({2})}; }, 1) == 0);
  CHECK(compare(text, [] { return std::vector<IValue>{ones({3})}; }, 1) == 1);
}

TEST_CASE("An error behind a guard that fails is that of the program") {
  const char *const text = R"(
graph(%x : Tensor, %y : Tensor):
  %text : str = prim::Constant[value="before"]()
   = prim::Print(%text)
  %1 : Float(2) = prim::Guard(%x)
  %2 : Tensor = aten::mm(%1, %y) # model.py:7:9
  return (%2)
)";
  CHECK(compare(text, [] { return std::vector<IValue>{ones({2}), ones({2})}; }, 1) == 0);
  CHECK(compare(text, [] { return std::vector<IValue>{ones({3}), ones({2})}; }, 1) == 1);
  const Outcome failed = Program(text, true).run({ones({3}), ones({2})});
  CHECK(failed.error.find("File \"model.py\", line 7, in test") != std::string::npos);
}

TEST_CASE("What is left to do takes the place of the code in the call stack") {
  Program program(R"(
graph(%x : Tensor, %n : int):
  %1 : Float(2) = prim::Guard(%x)
  %2 : int = aten::mul(%n, %n)
  %3 : Tensor = aten::mul(%1, %2)
  return (%3)
)",
                  true);
  CallContext call(program.context);
  call.quotas.depth = 0; // no call within the call
  CHECK(program.code->run(call, {ones({3}), int64_t{2}}).ok());
  CHECK(call.guardFailures == 1);
}
