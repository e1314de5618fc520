//===- RunningTest.cpp - One result however a program runs ----------------===//
#include "Programs.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Dispatch/Exceptions.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Trace.h"
#include <algorithm>
#include <atomic>
#include <thread>

using namespace tsc;
using Catch::Contains;

static constexpr const char *source = R"(
def gate(x: Tensor, y: Tensor) -> Tensor:
    return torch.sigmoid(x) * torch.tanh(y) + x

def main(x: Tensor, y: Tensor) -> Tensor:
    return gate(x, y) * 2 - gate(y, x)

def check(n: int) -> int:
    if n < 0:
        raise ValueError("negative")
    return n
)";

static Tensor ramp(double first, double step) {
  StatusOr<Tensor> tensor = Tensor::empty({4, 64}, DType::Float);
  REQUIRE(tensor.ok());
  auto *numbers = static_cast<float *>(tensor->mutableData());
  for (int i = 0; i != 256; ++i)
    numbers[i] = static_cast<float>(first + step * i);
  return *tensor;
}

static std::vector<IValue> arguments() { return {ramp(-2, 0.015), ramp(1.5, -0.01)}; }

/// The result of `main` as written: no passes, plans or kernels.
static IValue plainResult() {
  EngineOptions options;
  options.optimization = 0;
  return run(load(source, "a.py", options), "main", arguments());
}

/// The same numbers, bit by bit.
static bool equalBits(const IValue &a, const IValue &b) { return !findMismatch(a, b, Tolerance{0.0, 0.0}); }

TEST_CASE("every level, with and without plans and fuser, gives one result on every call") {
  const IValue expected = plainResult();
  for (unsigned level = 0; level != 4; ++level)
    for (CompileMode plans : {CompileMode::Off, CompileMode::Background, CompileMode::Eager})
      for (bool fuses : {false, true}) {
        INFO("O" << level << ", plans " << static_cast<int>(plans) << (fuses ? ", fuser" : ", no fuser"));
        EngineOptions options;
        options.optimization = level;
        options.plans = plans;
        if (fuses)
          options.fusers = cpuFusers();
        Program program = load(source, "a.py", options);
        for (int i = 0; i != 4; ++i) {
          CHECK(equalBits(run(program, "main", arguments()), expected));
          program.finishCompiling();
        }
      }
}

TEST_CASE("a program runs kernels of the fuser it was given, once they are compiled") {
  EngineOptions options;
  options.fusers = cpuFusers();
  Program program = load(source, "a.py", options);
  const Fuser *fuser = program.options().fusers.find(DeviceKind::CPU);
  REQUIRE(fuser);
  for (int i = 0; i != 4; ++i) {
    run(program, "main", arguments());
    program.finishCompiling();
  }
  CHECK(fuser->counters().compilations > 0);
  CHECK(fuser->counters().kernelsRun > 0);
  CHECK(load(source, "a.py").options().fusers.empty());
}

TEST_CASE("programs of one process have options of their own, and may share a fuser") {
  const IValue expected = plainResult();
  std::atomic<unsigned> codes{0};
  EngineOptions fused;
  fused.fusers = cpuFusers();
  fused.plans = CompileMode::Eager;
  EngineOptions plain = fused;
  plain.optimization = 1;
  plain.onCode = [&](const Code &) { ++codes; };
  Program second = load(source, "b.py", fused);
  {
    Program first = load(source, "a.py", fused), slow = load(source, "c.py", plain);
    for (int i = 0; i != 3; ++i) {
      CHECK(equalBits(run(first, "main", arguments()), expected));
      CHECK(equalBits(run(slow, "main", arguments()), expected));
      first.finishCompiling();
    }
    CHECK(codes > 0);
  }
  const FuserCounters &counters = fused.fusers.find(DeviceKind::CPU)->counters();
  const uint64_t compiled = counters.compilations;
  const unsigned heard = codes;
  for (int i = 0; i != 3; ++i) // of kernels that the first program asked for
    CHECK(equalBits(run(second, "main", arguments()), expected));
  CHECK(compiled > 0);
  CHECK(counters.compilations == compiled);
  CHECK(codes == heard);
}

TEST_CASE("a failure has the program's words, and the next call runs") {
  Program program = load(source, "a.py");
  for (int i = 0; i != 4; ++i) {
    CallContext call(program.context());
    Status status = program.run(call, "check", {IValue(-1)}).status();
    CHECK(status.code() == StatusCode::Aborted);
    CHECK(exceptionClass(status) == "builtins.ValueError");
    CHECK_THAT(messageOf(status).str(), Contains("negative") && Contains("a.py"));
    CHECK_FALSE(wasDiagnosed(status));
    CHECK(run(program, "check", {IValue(2)}).toInt() == 2);
    program.finishCompiling();
  }
  CallContext call(program.context());
  CHECK_THAT(messageOf(program.run(call, "check", {}).status()).str(), Contains("missing value for argument 'n'"));
  StatusOr<IValue> named = program.run(call, "check", {}, {{"n", IValue(7)}});
  REQUIRE(named.ok());
  CHECK(named->toInt() == 7);
}

TEST_CASE("a host hears of graphs, code, plans and remarks") {
  unsigned before = 0, after = 0, codes = 0, remarks = 0;
  TraceRecorder trace;
  EngineOptions options;
  options.plans = CompileMode::Eager;
  options.beforeOptimizing = [&](const Graph &) { ++before; };
  options.afterOptimizing = [&](const Graph &) { ++after; };
  options.onCode = [&](const Code &) { ++codes; };
  options.onDiagnostic = [&](const Diagnostic &diagnostic) { remarks += diagnostic.severity == Severity::Remark; };
  options.passes.remarks = "inline";
  options.trace = &trace;
  options.validationRuns = 1;
  options.checkAliases = true;
  {
    Program program = load(source, "a.py", options);
    CHECK(equalBits(run(program, "main", arguments()), plainResult()));
  }
  CHECK(before == 1);
  CHECK(after == 1);
  CHECK(codes > 0);
  CHECK(remarks > 0);
  const std::vector<TraceRecorder::Span> spans = trace.spans();
  CHECK(std::any_of(spans.begin(), spans.end(),
                    [](const TraceRecorder::Span &span) { return llvm::StringRef(span.category) == "plan"; }));

  options.passes.remarks = "(";
  Program wrong = load(source, "a.py", options);
  CallContext call(wrong.context());
  CHECK(wrong.run(call, "main", arguments()).status().code() == StatusCode::InvalidArgument);
}

TEST_CASE("many threads find and run one program") {
  const IValue expected = plainResult();
  EngineOptions options;
  options.fusers = cpuFusers();
  const Program program = load(source, "a.py", options);
  const std::vector<IValue> args = arguments();
  std::atomic<unsigned> right{0};
  auto work = [&](int number) {
    CallContext call(program.context());
    StatusOr<Program::Entry> entry = program.find(number % 2 ? "main" : "__torch__.main");
    for (int i = 0; entry.ok() && i != 50; ++i) {
      StatusOr<IValue> result = program.run(call, *entry, args);
      right += result.ok() && equalBits(*result, expected);
      if (number == 0 && i % 10 == 0)
        program.finishCompiling();
    }
    right += program.run(call, "check", {IValue(number)}).ok();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i != 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread &thread : threads)
    thread.join();
  CHECK(right == 4 * 51);
}
