//===- ExecutorTest.cpp - The same results on every call ------------------===//
//
// Programs that TorchScript got wrong once its fuser or its specialization came in
// (numbers of PyTorch issues), called ten times: plain code first, then plans, then
// machine code. The expected numbers are PyTorch 1.13's without TorchScript.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Transforms/PassManager.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <malloc.h>
#include <thread>

using namespace tsc;

namespace {

constexpr const char *source = R"(
def escapes(x: Tensor, y: Tensor) -> Tuple[Tensor, Tensor]:
    t = x * 2
    u = t + y
    return t, u * t

def zero_dim(h: Tensor, d: Tensor) -> Tensor:
    return h * d + d

def norm_relu(x: Tensor, m: Tensor, v: Tensor) -> Tensor:
    return torch.relu(torch.batch_norm(x, None, None, m, v, False, 0.1, 1e-5, True))

def half_chain(x: Tensor, y: Tensor) -> Tensor:
    return torch.sigmoid(x) * torch.tanh(y) + x

def zero_rows(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    c = torch.cat([x * 2, torch.relu(x)], 1)
    return torch.linear(c, w, b)

def uneven(x: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    a, b, c = torch.relu(x).chunk(3, 1)
    return a + 1, b * c.sum(), c * 2

def maybe(x: Tensor, bias: Optional[Tensor]) -> Tensor:
    if bias is not None:
        return torch.tanh(x + bias) * x
    if x.dim() == 1:
        return torch.exp(x) * 2
    return torch.exp(x).to(torch.float64) * 3

def paired(p: Tuple[Tensor, Tuple[Tensor, int]]) -> Tensor:
    a, (b, n) = p
    y = torch.tanh(a * 2 + b) * n
    if a.requires_grad:
        return torch.relu(y - 0.25) * 5
    if b.dim() == 1:
        return torch.exp(y) * 2
    return torch.exp(y).to(torch.float64) * 3

def written(x: Tensor, y: Tensor) -> Tensor:
    z = x * 2 + y
    x.add_(1)
    return (x * z + y) * z

def looped(x: Tensor, y: Tensor, n: int) -> Tensor:
    for i in range(n):
        if i % 2 == 0:
            x = torch.tanh(x * y + i)
        else:
            x = torch.sigmoid(x) * y - x
    return x

def aliased(x: Tensor, y: Tensor) -> Tensor:
    z = torch.tanh(x * 2 + y)
    x.add_(z)
    return x * z + y

def over_inputs(x: Tensor, y: Tensor) -> Tensor:
    x.copy_(torch.tanh(x * y) + x.t())
    x.mul_(y).add_(torch.exp(y) * 2)
    return x

def asks(x: Tensor, y: Tensor) -> int:
    return (x + y).dim() + x.view(3).size(0)

def counts(x: Tensor, seen: List[int]) -> int:
    seen.append(1)
    return x.view(3).size(0)
)";

class Program {
public:
  explicit Program(std::optional<CompileMode> mode)
      : unit(context), compiler(unit, diags, prelude()), evaluator(context), passes(registry) {
    REQUIRE(succeeded(compiler.addSource(context.sources().add("programs.py", source))));
    if (!mode)
      return;
    registerTransformsPasses(registry);
    REQUIRE(passes.parsePipeline("O2").ok());
    CpuFuserOptions options;
    options.mode = *mode;
    fuser = createCpuFuser(options);
    FuserRegistry fusers;
    fusers.add(DeviceKind::CPU, fuser);
    GraphExecutorOptions making;
    making.prepare = [this](Graph &graph) { return passes.run(graph, &evaluator); };
    making.fusers = std::move(fusers);
    making.tiers.isOptimized = true;
    making.tiers.plans = *mode == CompileMode::Eager ? CompileMode::Eager : CompileMode::Background;
    executor = std::make_unique<GraphExecutor>(std::move(making));
  }
  StatusOr<IValue> call(llvm::StringRef name, std::vector<IValue> args) {
    for (Function *function : compiler.sourceFunctions())
      if (function->name() == name) {
        CallContext call(context);
        return callFunction(*executor, *function, call, std::move(args));
      }
    return notFound(name);
  }

  Context context;
  DiagnosticEngine diags;
  CompilationUnit unit;
  Compiler compiler;
  KernelEvaluator evaluator;
  PassRegistry registry;
  PassManager passes;
  std::shared_ptr<Fuser> fuser;
  std::unique_ptr<GraphExecutor> executor = std::make_unique<GraphExecutor>();
};

Tensor tensor(std::vector<double> values, ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  Tensor result = *Tensor::empty(sizes, dtype);
  for (size_t i = 0; i != values.size(); ++i)
    result.set(static_cast<int64_t>(i), Scalar(values[i]));
  return result;
}

std::vector<double> numbers(int64_t count, double first) {
  std::vector<double> result;
  for (int64_t i = 0; i != count; ++i)
    result.push_back(first + static_cast<double>(i));
  return result;
}

/// Ten calls give what is expected, and the same bits each time.
void expectAlways(llvm::StringRef name, const std::vector<IValue> &args, const std::optional<IValue> &expected) {
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  Program plain(std::nullopt);
  auto first = plain.call(name, {deepCopy(makeTuple(args)).toTuple().elements});
  REQUIRE(first.ok());
  if (expected)
    CHECK(findMismatch(*first, *expected, {}) == std::nullopt);
  for (CompileMode mode : {CompileMode::Eager, CompileMode::Background, CompileMode::Off}) {
    Program program(mode);
    for (int call = 1; call <= 10; ++call) {
      INFO(name.str() << " in mode " << static_cast<int>(mode) << ", call " << call);
      auto result = program.call(name, {deepCopy(makeTuple(args)).toTuple().elements});
      REQUIRE(result.ok());
      CHECK(findMismatch(*result, *first, exact) == std::nullopt);
      if (call == 3)
        program.executor->finishCompiling();
      if (call == 5)
        program.fuser->finishCompiling();
    }
  }
}

} // namespace

TEST_CASE("An intermediate value that escapes a broadcast group keeps its shape (48533)") {
  expectAlways("escapes", {tensor({0, 1, 2}, {3, 1}), tensor({0, 1, 2, 3}, {1, 4})},
               makeTuple({tensor({0, 2, 4}, {3, 1}), tensor({0, 0, 0, 0, 4, 6, 8, 10, 16, 20, 24, 28}, {3, 4})}));
}

TEST_CASE("A tensor without dimensions promotes no dtype of its category (61382)") {
  expectAlways("zero_dim", {tensor({0.1, 1.5, -2.25}, {3}, DType::Half), tensor({1.0009765625}, {}, DType::Double)},
               tensor({1.1016, 2.5039, -1.2510}, {3}, DType::Half));
  expectAlways("zero_dim", {tensor({1, 2}, {2}, DType::Int64), tensor({1.5}, {}, DType::Double)},
               tensor({3, 4.5}, {2}, DType::Double));
}

TEST_CASE("Batch normalization and relu, also in half precision (61382)") {
  std::vector<double> x{0.1, 1.5, -2.25, 3.0};
  expectAlways("norm_relu", {tensor(x, {2, 2}), tensor({0.5, 1}, {2}), tensor({2, 0.25}, {2})},
               tensor({0, 0.99998, 0, 3.99992}, {2, 2}));
  expectAlways(
      "norm_relu",
      {tensor(x, {2, 2}, DType::Half), tensor({0.5, 1}, {2}, DType::Half), tensor({2, 0.25}, {2}, DType::Half)},
      std::nullopt);
}

TEST_CASE("A chain in half precision rounds alike on every call (80606, 74534)") {
  std::vector<double> x{0.1, 1.5, -2.25, 3.0}, y{0.2, 3.0, -4.5, 6.0};
  for (DType dtype : {DType::Half, DType::BFloat16, DType::Float, DType::Double})
    expectAlways("half_chain", {tensor(x, {2, 2}, dtype), tensor(y, {2, 2}, dtype)}, std::nullopt);
}

TEST_CASE("No rows, through a concatenation and a linear layer (22747, 73291)") {
  expectAlways("zero_rows", {tensor({}, {0, 2}), tensor(std::vector<double>(12, 1.0), {3, 4}), tensor({1, 1, 1}, {3})},
               tensor({}, {0, 3}));
}

TEST_CASE("Chunks of unequal sizes (87390, 14483)") {
  expectAlways(
      "uneven", {tensor(numbers(14, -5), {2, 7})},
      makeTuple({tensor({1, 1, 1, 3, 4, 5}, {2, 3}), tensor({0, 0, 0, 45, 54, 63}, {2, 3}), tensor({2, 16}, {2, 1})}));
}

TEST_CASE("A write between two groups is seen by the second one alone") {
  expectAlways("written", {tensor({1, 2}, {2}), tensor({3, 4}, {2})}, tensor({(2 * 5 + 3) * 5, (3 * 8 + 4) * 8}, {2}));
}

TEST_CASE("Arguments of other dtypes, ranks and definedness get plans of their own") {
  Program program(CompileMode::Eager), plain(std::nullopt);
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  std::vector<std::vector<IValue>> calls;
  for (DType dtype : {DType::Float, DType::Double, DType::Half, DType::Int64})
    for (int64_t rows : {1, 2}) {
      calls.push_back(
          {tensor({1, 2}, rows == 1 ? ArrayRef<int64_t>({2}) : ArrayRef<int64_t>({2, 1}), dtype), IValue()});
      calls.push_back({tensor({1, 2}, {2}, dtype), tensor({0.5}, {})});
    }
  for (int round = 0; round != 3; ++round)
    for (const std::vector<IValue> &args : calls) {
      auto result = program.call("maybe", args), expected = plain.call("maybe", args);
      REQUIRE(result.ok());
      REQUIRE(expected.ok());
      CHECK(findMismatch(*result, *expected, exact) == std::nullopt);
    }
}

TEST_CASE("So do tensors within tuples, and those that require gradients") {
  Program program(CompileMode::Eager), plain(std::nullopt);
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  std::vector<IValue> calls;
  for (DType dtype : {DType::Float, DType::Double})
    for (bool requiresGrad : {false, true})
      for (int64_t rows : {1, 2}) {
        Tensor a = tensor({1, 2}, {2}, dtype);
        a.get()->requiresGrad = requiresGrad;
        Tensor b = tensor({0.5, -0.5}, rows == 1 ? ArrayRef<int64_t>({2}) : ArrayRef<int64_t>({2, 1}));
        calls.push_back(makeTuple({IValue(a), makeTuple({IValue(b), IValue(rows)})}));
      }
  for (int round = 0; round != 3; ++round)
    for (const IValue &argument : calls) {
      auto result = program.call("paired", {argument}), expected = plain.call("paired", {argument});
      REQUIRE(result.ok());
      REQUIRE(expected.ok());
      CHECK(findMismatch(*result, *expected, exact) == std::nullopt);
    }
}

TEST_CASE("Eight threads call while plans and kernels are made") {
  Program program(CompileMode::Background), plain(std::nullopt);
  auto expected = plain.call("half_chain", {tensor(numbers(64, -3), {8, 8}), tensor(numbers(8, 0), {8})});
  REQUIRE(expected.ok());
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i != 8; ++i)
    threads.emplace_back([&, i] {
      for (int call = 0; call != 40; ++call) {
        auto result = program.call("half_chain", {tensor(numbers(64, -3), {8, 8}), tensor(numbers(8, 0), {8})});
        wrong += !result.ok() || findMismatch(*result, *expected, exact).has_value();
        auto other = program.call("half_chain", {tensor(numbers(i + 1, 0), {i + 1}, DType::Double), tensor({1}, {1})});
        wrong += !other.ok();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("Groups inside loops and branches") {
  for (int64_t trips : {0, 1, 7})
    expectAlways("looped", {tensor(numbers(6, -3), {2, 3}), tensor({0.5, 1.5, -1}, {3}), trips}, std::nullopt);
}

/// Calls `name` with what `make` makes anew for each call, and compares result and arguments with plain code's.
static void expectLikePlain(llvm::StringRef name, llvm::function_ref<std::vector<IValue>()> make) {
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  Program plain(std::nullopt), program(CompileMode::Eager);
  for (int call = 1; call <= 4; ++call) {
    std::vector<IValue> mine = make(), theirs = make();
    auto expected = plain.call(name, theirs), result = program.call(name, mine);
    REQUIRE(expected.ok());
    REQUIRE(result.ok());
    INFO(name.str() << ", call " << call);
    CHECK(findMismatch(*result, *expected, exact) == std::nullopt);
    for (size_t i = 0; i != mine.size(); ++i)
      CHECK(findMismatch(mine[i], theirs[i], exact) == std::nullopt);
  }
  CHECK(program.fuser->counters().kernelsRun > 0);
}

TEST_CASE("Inputs that are one tensor, or views of one") {
  expectLikePlain("aliased", [] {
    Tensor x = tensor(numbers(12, -6), {12});
    return std::vector<IValue>{x, x};
  });
  expectLikePlain("aliased", [] {
    Tensor x = tensor(numbers(12, -6), {12});
    return std::vector<IValue>{x.alias({8}, {1}, 0), x.alias({8}, {1}, 3)};
  });
  expectLikePlain("aliased", [] {
    Tensor x = tensor(numbers(16, -6), {4, 4});
    return std::vector<IValue>{x, x.alias({4, 4}, {1, 4}, 0)};
  });
}

TEST_CASE("Results that are written over inputs") {
  expectLikePlain("over_inputs",
                  [] { return std::vector<IValue>{tensor(numbers(16, -6), {4, 4}), tensor(numbers(4, -1), {4})}; });
  expectLikePlain("over_inputs", [] {
    Tensor x = tensor(numbers(16, -6), {4, 4});
    return std::vector<IValue>{x, x.alias({4}, {4}, 0)};
  });
}

TEST_CASE("Eight threads call many functions while plans and kernels are swapped in") {
  Program program(CompileMode::Background);
  struct Job {
    const char *name;
    std::vector<IValue> args;
    IValue expected;
  };
  std::vector<Job> jobs;
  for (DType dtype : {DType::Float, DType::Double, DType::Half})
    for (int64_t rows : {1, 3}) {
      Tensor x = tensor(numbers(rows * 4, -3), {rows, 4}, dtype), y = tensor({0.5, 1.5, -1, 2}, {4}, dtype);
      jobs.push_back({"looped", {x, y, int64_t{5}}, {}});
      jobs.push_back({"half_chain", {x, y}, {}});
      jobs.push_back({"aliased", {x, y}, {}});
    }
  Program plain(std::nullopt);
  for (Job &job : jobs) {
    auto expected = plain.call(job.name, deepCopy(makeTuple(job.args)).toTuple().elements);
    REQUIRE(expected.ok());
    job.expected = *expected;
  }
  Tolerance exact;
  exact.relative = exact.absolute = 0;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      for (unsigned call = 0; call != 60; ++call) {
        const Job &job = jobs[(t + call) % jobs.size()];
        auto result = program.call(job.name, deepCopy(makeTuple(job.args)).toTuple().elements);
        wrong += !result.ok() || findMismatch(*result, job.expected, exact).has_value();
        if (t == 0 && call % 20 == 19) {
          program.executor->finishCompiling();
          program.fuser->finishCompiling();
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
  CHECK(program.fuser->counters().kernelsRun > 0);
}

TEST_CASE("A warm call of a plan takes no memory from the system") {
  Program program(CompileMode::Eager);
  Tensor x = *Tensor::full({600, 700}, Scalar(0.5), DType::Float), y = *Tensor::full({700}, Scalar(0.25), DType::Float);
  auto call = [&] { REQUIRE(program.call("half_chain", {x, y}).ok()); };
  for (int i = 0; i != 3; ++i)
    call();
  uint64_t runs = program.fuser->counters().kernelsRun;
  auto fromSystem = [] {
    struct mallinfo2 info = mallinfo2();
    return info.arena + info.hblkhd;
  };
  size_t before = fromSystem();
  for (int i = 0; i != 100; ++i)
    call();
  CHECK(fromSystem() == before);
  CHECK(program.fuser->counters().kernelsRun >= runs + 100);
}

TEST_CASE("A call that fails after many that did not raises what the first one would have raised") {
  Program plain(std::nullopt), planned(CompileMode::Eager);
  Tensor three = tensor(numbers(3, 1), {3}), four = tensor(numbers(4, 1), {4});
  for (int i = 0; i != 40; ++i)
    CHECK(planned.call("asks", {three, three})->toInt() == 4);
  for (auto [x, y] : {std::pair(four, four), std::pair(four, three), std::pair(three, four)}) {
    StatusOr<IValue> expected = plain.call("asks", {x, y}), found = planned.call("asks", {x, y});
    REQUIRE(!expected.ok());
    CHECK(found.status() == expected.status()); // with the call stack
  }
  CHECK(planned.call("asks", {three, three})->toInt() == 4);
}

TEST_CASE("A call that fails after somebody could see what it did is not repeated") {
  Program planned(CompileMode::Eager);
  Tensor three = tensor(numbers(3, 1), {3}), four = tensor(numbers(4, 1), {4});
  IValue seen(makeRef<IntList>());
  for (int i = 1; i != 10; ++i)
    CHECK(planned.call("counts", {i == 5 ? four : three, seen}).ok() == (i != 5));
  CHECK(seen.listSize() == 9);
}
