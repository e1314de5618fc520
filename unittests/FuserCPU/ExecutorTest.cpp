//===- ExecutorTest.cpp - The same results on every call ------------------===//
//
// Programs that TorchScript got wrong once its fuser or its specialization came in
// (numbers of PyTorch issues), called ten times: plain code first, then plans, then
// machine code. The expected numbers are PyTorch 1.13's without TorchScript.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/Runtime/Module.h"
#include "tsc/Runtime/Specializer.h"
#include "tsc/Transforms/PassManager.h"
#include <catch2/catch.hpp>
#include <atomic>
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

def written(x: Tensor, y: Tensor) -> Tensor:
    z = x * 2 + y
    x.add_(1)
    return (x * z + y) * z
)";

class Program {
public:
  explicit Program(std::optional<CompileMode> mode) : unit(context), compiler(unit, diags), evaluator(context), passes(registry) {
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
    plans.setFusers(fusers);
    plans.setPreparation([this](Graph &graph) { return passes.run(graph, &evaluator); });
    SpecializerOptions planning;
    planning.mode = *mode;
    auto made = std::make_unique<Specializer>(plans, planning);
    specializer = made.get();
    cache.setSpecializer(std::move(made));
  }
  StatusOr<IValue> call(llvm::StringRef name, std::vector<IValue> args) {
    for (Function *function : compiler.sourceFunctions())
      if (function->name() == name) {
        CallContext call(context);
        return callFunction(cache, *function, call, std::move(args));
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
  std::shared_ptr<CpuFuser> fuser;
  CodeCache plans, cache;
  Specializer *specializer = nullptr;
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
        program.specializer->finish();
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
  expectAlways("zero_dim", {tensor({1, 2}, {2}, DType::Int64), tensor({1.5}, {}, DType::Double)}, tensor({3, 4.5}, {2}, DType::Double));
}

TEST_CASE("Batch normalization and relu, also in half precision (61382)") {
  std::vector<double> x{0.1, 1.5, -2.25, 3.0};
  expectAlways("norm_relu", {tensor(x, {2, 2}), tensor({0.5, 1}, {2}), tensor({2, 0.25}, {2})}, tensor({0, 0.99998, 0, 3.99992}, {2, 2}));
  expectAlways("norm_relu", {tensor(x, {2, 2}, DType::Half), tensor({0.5, 1}, {2}, DType::Half), tensor({2, 0.25}, {2}, DType::Half)}, std::nullopt);
}

TEST_CASE("A chain in half precision rounds alike on every call (80606, 74534)") {
  std::vector<double> x{0.1, 1.5, -2.25, 3.0}, y{0.2, 3.0, -4.5, 6.0};
  for (DType dtype : {DType::Half, DType::BFloat16, DType::Float, DType::Double})
    expectAlways("half_chain", {tensor(x, {2, 2}, dtype), tensor(y, {2, 2}, dtype)}, std::nullopt);
}

TEST_CASE("No rows, through a concatenation and a linear layer (22747, 73291)") {
  expectAlways("zero_rows", {tensor({}, {0, 2}), tensor(std::vector<double>(12, 1.0), {3, 4}), tensor({1, 1, 1}, {3})}, tensor({}, {0, 3}));
}

TEST_CASE("Chunks of unequal sizes (87390, 14483)") {
  expectAlways("uneven", {tensor(numbers(14, -5), {2, 7})},
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
      calls.push_back({tensor({1, 2}, rows == 1 ? ArrayRef<int64_t>({2}) : ArrayRef<int64_t>({2, 1}), dtype), IValue()});
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
