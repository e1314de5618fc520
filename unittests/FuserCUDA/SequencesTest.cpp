//===- SequencesTest.cpp - Calls of programs as graphs, on a fake GPU ------===//
#include "../Tensor/MadeTensors.h"
#include "FakeGpu.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/DeviceCopy.h"
#include <thread>

using namespace tsc;

static size_t times(llvm::StringRef call) { return llvm::StringRef(fake().log()).count((call + "\n").str()); }

namespace {
/// A program on a fake GPU with products and kernels, and what came of its calls.
class Scenario {
public:
  explicit Scenario(llvm::StringRef text) {
    diags.setHandler([](const Diagnostic &) {});
    source = text.str();
  }

  /// What a call gets, besides the matrices x, 4 by 4 with elements that depend on the call's number, and w.
  using More = std::function<std::vector<IValue>(int call)>;
  /// Opens a GPU, and calls so often. Of each call the sum of its first result's elements.
  StatusOr<std::vector<double>> run(int calls, bool asSequences = true, const More &more = nullptr) {
    Context context;
    auto graphs = parseGraphs(context, context.sources().add("test.ir", source), diags);
    REQUIRE(succeeded(graphs));
    CudaFuserOptions options = fakeOptions();
    options.cublasLt = TSC_FAKE_DRIVER;
    std::shared_ptr<CudaAccelerator> accelerator = createCudaAccelerator(options);
    setAccelerator(context, accelerator);
    TSC_RETURN_IF_ERROR(accelerator->memory({DeviceKind::CUDA, 0}).status());
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, accelerator->gpu(0));
    FuserRegistry registry;
    registry.add(DeviceKind::CUDA, gpu->fuser());
    GraphExecutorOptions running;
    running.fusers = std::move(registry);
    const GraphExecutor executor(std::move(running));
    CallContext call(context);
    call.trace = trace;
    TSC_ASSIGN_OR_RETURN(Tensor w, matrix(*gpu, 4, 1));
    std::vector<double> sums;
    std::vector<IValue> kept; // two of them, so that calls find other memory
    for (int i = 0; i != calls; ++i) {
      TSC_ASSIGN_OR_RETURN(Tensor x, matrix(*gpu, rows ? rows(i) : 4, i));
      std::vector<IValue> args{IValue(x), IValue(w)};
      if (more)
        for (IValue &one : more(i))
          args.push_back(one);
      StatusOr<std::vector<IValue>> results = internalError("not called");
      if (asSequences) {
        results = executor.call(*graphs->front(), "test", call, std::move(args));
      } else {
        TSC_ASSIGN_OR_RETURN(const Code *code, executor.baseline().get(*graphs->front(), "test"));
        results = code->run(call, std::move(args));
      }
      TSC_RETURN_IF_ERROR(results.status());
      TSC_ASSIGN_OR_RETURN(Tensor found, onHost(results->front().asTensor()));
      double sum = 0;
      for (int64_t k = 0; k != found.numel(); ++k)
        sum += found.at(k).toDouble() * static_cast<double>(k + 1);
      sums.push_back(sum);
      if (keeps)
        kept.push_back(results->front());
    }
    const FuserCounters &counters = gpu->fuser()->counters();
    sequences = counters.sequences, sequenceLaunches = counters.sequenceLaunches;
    updates = counters.sequenceUpdates, graphLaunches = counters.graphLaunches;
    return sums;
  }

  std::function<int64_t(int call)> rows; ///< Of x.
  bool keeps = false;                    ///< The results, so that later ones are in other memory.
  TraceRecorder *trace = nullptr;
  uint64_t sequences = 0, sequenceLaunches = 0, updates = 0, graphLaunches = 0; ///< Of the last run.

private:
  static StatusOr<Tensor> matrix(CudaGpu &gpu, int64_t rows, int start) {
    std::vector<float> numbers(static_cast<size_t>(rows) * 4);
    for (size_t i = 0; i != numbers.size(); ++i)
      numbers[i] = static_cast<float>((i * 7 + static_cast<size_t>(start)) % 5) - 2;
    TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(numbers, {rows, 4}));
    return copyTensor(host, gpu.memory());
  }
  DiagnosticEngine diags;
  std::string source;
};

/// Two products, and a kernel behind each.
constexpr const char *layers = R"(
graph(%x : Tensor, %w : Tensor):
  %1 : Tensor = aten::mm(%x, %w)
  %2 : Tensor = prim::FusionGroup_0(%1, %x)
  %3 : Tensor = aten::mm(%2, %w)
  %4 : Tensor = prim::FusionGroup_0(%3, %x)
  return (%4)
with prim::FusionGroup_0 = graph(%y : Tensor, %x : Tensor):
  %1 : Tensor = aten::relu(%y)
  %2 : Tensor = aten::mul(%1, %x)
  return (%2)
)";
} // namespace

TEST_CASE("FuserCUDA: what repeated calls launch, kernels and products, is one graph") {
  fake().reset(0);
  Scenario scenario(layers);
  auto plain = scenario.run(5, /*asSequences=*/false);
  REQUIRE(plain.ok());
  CHECK(scenario.sequences == 0);
  fake().reset(0);
  auto sums = scenario.run(5);
  INFO(failure(sums.status()));
  REQUIRE(sums.ok());
  CHECK(*sums == *plain);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  // The first call launches one by one.
  CHECK(scenario.sequences == 1);
  CHECK(scenario.sequenceLaunches == 4);
  CHECK(times("cuGraphLaunch") == 4);
  CHECK(times("cuLaunchKernel") == 2);
  CHECK(times("cuGraphAddKernelNode_v2") == 2);
  CHECK(times("cuGraphAddChildGraphNode") == 2);
}

TEST_CASE("FuserCUDA: nodes of a sequence get the memory of the call, and those in between keep theirs") {
  fake().reset(0);
  Scenario scenario(layers);
  auto plain = scenario.run(6, /*asSequences=*/false);
  scenario.keeps = true;
  fake().reset(0);
  auto sums = scenario.run(6);
  REQUIRE(sums.ok());
  CHECK(*sums == *plain);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(scenario.sequences == 1);
  CHECK(scenario.sequenceLaunches == 5);
  // Of each call the result, which is the last kernel's, is elsewhere; of two products no operand is.
  CHECK(scenario.updates >= 4);
  CHECK(scenario.updates < 4 * 4);
}

TEST_CASE("FuserCUDA: another path, or other sizes, are another sequence, and what never repeats is none") {
  Scenario scenario(R"(
graph(%x : Tensor, %w : Tensor, %n : int, %again : bool):
  %true : bool = prim::Constant[value=1]()
  %y : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %h : Tensor):
      %1 : Tensor = aten::mm(%h, %w)
      -> (%true, %1)
  %z : Tensor = prim::If(%again)
    block0():
      %2 : Tensor = aten::relu(%y)
      -> (%2)
    block1():
      %3 : Tensor = aten::mm(%y, %w)
      -> (%3)
  return (%z)
)");
  struct Kind {
    const char *name;
    Scenario::More more;
    std::function<int64_t(int)> rows;
    uint64_t graphs, launches;
  };
  auto with = [](int64_t n, bool again) { return std::vector<IValue>{IValue(n), IValue(again)}; };
  const Kind kinds[] = {
      {"one path", [&](int) { return with(3, true); }, nullptr, 1, 11},
      {"two paths in turn", [&](int call) { return with(3, call % 2 == 0); }, nullptr, 2, 10},
      {"longer and shorter", [&](int call) { return with(2 + call % 3, true); }, nullptr, 3, 9},
      {"two sizes in turn", [&](int) { return with(3, true); }, [](int call) { return 2 + call % 2; }, 2, 10},
      {"never the same", [&](int call) { return with(2, true); }, [](int call) { return 2 + call; }, 0, 0},
  };
  for (const Kind &kind : kinds) {
    INFO(kind.name);
    scenario.rows = kind.rows;
    fake().reset(0);
    auto plain = scenario.run(12, /*asSequences=*/false, kind.more);
    REQUIRE(plain.ok());
    fake().reset(0);
    auto sums = scenario.run(12, /*asSequences=*/true, kind.more);
    REQUIRE(sums.ok());
    CHECK(*sums == *plain);
    CHECK(std::string(fake().complaints()) == "");
    CHECK(fake().numLive() == 0);
    CHECK(scenario.sequences == kind.graphs);
    CHECK(scenario.sequenceLaunches == kind.launches);
  }
}

TEST_CASE("FuserCUDA: what the program waits for parts a sequence in two") {
  Scenario scenario(R"(
graph(%x : Tensor, %w : Tensor):
  %none : NoneType = prim::Constant()
  %1 : Tensor = aten::mm(%x, %w)
  %2 : Tensor = aten::mm(%1, %w)
  %3 : Tensor = aten::sum(%2, %none)
  %4 : Scalar = aten::item(%3)
  %5 : Tensor = aten::mul(%2, %4)
  %6 : Tensor = aten::mm(%5, %w)
  %7 : Tensor = aten::mm(%6, %w)
  return (%7)
)");
  fake().reset(0);
  auto plain = scenario.run(4, /*asSequences=*/false);
  REQUIRE(plain.ok());
  fake().reset(0);
  auto sums = scenario.run(4);
  REQUIRE(sums.ok());
  CHECK(*sums == *plain);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(scenario.sequences == 2);
  CHECK(scenario.sequenceLaunches == 6);
}

TEST_CASE("FuserCUDA: what never repeats leaves what comes behind it a sequence") {
  // Two kernels of other sizes in each call, then a number that the program waits for, then products.
  Scenario scenario(R"(
graph(%x : Tensor, %w : Tensor):
  %1 : Tensor = prim::FusionGroup_0(%x)
  %2 : Scalar = aten::item(%1)
  %3 : Tensor = aten::mul(%w, %2)
  %4 : Tensor = aten::mm(%3, %w)
  %5 : Tensor = aten::mm(%4, %w)
  return (%5)
with prim::FusionGroup_0 = graph(%x : Tensor):
  %none : NoneType = prim::Constant()
  %1 : Tensor = aten::relu(%x)
  %2 : Tensor = aten::sum(%1, %none)
  return (%2)
)");
  constexpr int calls = 24;
  scenario.rows = [](int call) { return 300 + 40 * call; };
  fake().reset(0);
  auto plain = scenario.run(calls, /*asSequences=*/false);
  REQUIRE(plain.ok());
  fake().reset(0);
  auto sums = scenario.run(calls);
  INFO(failure(sums.status()));
  REQUIRE(sums.ok());
  CHECK(*sums == *plain);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  CHECK(scenario.sequences == 1);
  CHECK(scenario.sequenceLaunches == calls - 1);
}

TEST_CASE("FuserCUDA: a traced sequence has the device's time, and what it is of") {
  fake().reset(0);
  Scenario scenario(layers);
  TraceRecorder trace;
  scenario.trace = &trace;
  REQUIRE(scenario.run(3).ok());
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  unsigned graphs = 0, kernels = 0; // which the first call launches one by one
  for (const TraceRecorder::Span &span : trace.spans()) {
    if (llvm::StringRef(span.category) != "kernel")
      continue;
    if (span.name == "graph of a sequence") {
      ++graphs;
      CHECK(span.detail == "2 kernels, 2 calls of libraries");
    } else {
      ++kernels;
      CHECK(span.detail == "[4, 4]");
      CHECK(span.bytes == 3 * 16 * 4);
    }
  }
  CHECK(graphs == 2);
  CHECK(kernels == 2);
}

TEST_CASE("FuserCUDA: a call that fails while a sequence is made or launched leaves nothing, and no wrong result") {
  Scenario scenario(layers);
  scenario.keeps = true;
  TraceRecorder trace;
  scenario.trace = GENERATE(false, true) ? &trace : nullptr;
  constexpr int calls = 4;
  fake().reset(0);
  auto whole = scenario.run(calls);
  REQUIRE(whole.ok());
  const int numCalls = fake().numCalls();
  int fellBack = 0;
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    auto sums = scenario.run(calls);
    const std::string failed = fake().failedCall();
    INFO("call " << failing << " of " << numCalls << ", " << failed << ": " << failure(sums.status()));
    REQUIRE(std::string(fake().complaints()) == "");
    if (!givesBack(failed, sums.ok()))
      REQUIRE(fake().numLive() == 0);
    const bool isOfGraphs = llvm::StringRef(failed).starts_with("cuGraph") && failed != "cuGraphLaunch";
    if (isOfGraphs || failed == "cuStreamBeginCapture_v2" || failed == "cuStreamEndCapture") {
      REQUIRE(sums.ok());
      ++fellBack;
    }
    if (sums.ok())
      CHECK(*sums == *whole);
  }
  CHECK(fellBack >= 10);
}

namespace {
/// Products that a test asks for itself.
class Products {
public:
  Products() {
    CudaFuserOptions options = fakeOptions();
    options.cublasLt = options.cudnn = TSC_FAKE_DRIVER;
    gpu = *CudaGpu::open(options);
  }
  Tensor matrix(float number) {
    const std::vector<float> numbers(16, number);
    return *copyTensor(*Tensor::fromSpan<float>(numbers, {4, 4}), gpu->memory());
  }
  Tensor times(const Tensor &a, const Tensor &b) {
    const IValue x(a), y(b), *args[] = {&x, &y};
    IValue result;
    auto isDone = gpu->runLibrary(opRecord(OpKind::Aten_mm), args, result);
    REQUIRE((isDone.ok() && *isDone));
    return result.asTensor();
  }
  /// By a filter of one element, which is the bias too.
  Tensor convolve(const Tensor &from, const Tensor &filter) {
    const IValue x(from.alias({1, 1, 4, 4}, {16, 16, 4, 1}, 0)), w(filter.alias({1, 1, 1, 1}, {1, 1, 1, 1}, 0)),
        b(filter.alias({1}, {1}, 0)), step(std::vector<int64_t>{1, 1}), none(std::vector<int64_t>{0, 0}), no(false),
        groups(int64_t{1});
    const IValue *args[] = {&x, &w, &b, &step, &none, &step, &no, &none, &groups};
    IValue result;
    auto isDone = gpu->runLibrary(opRecord(OpKind::Aten_convolution), args, result);
    REQUIRE((isDone.ok() && *isDone));
    return result.asTensor();
  }
  double first(const Tensor &tensor) { return onHost(tensor)->at(0).toDouble(); }
  std::shared_ptr<CudaGpu> gpu;
};
} // namespace

TEST_CASE("FuserCUDA: other threads find what was held launched, in order") {
  fake().reset(0);
  {
    Products products;
    const Tensor one = products.matrix(1), two = products.matrix(2);
    for (int call = 0; call != 5; ++call) {
      products.gpu->beginCall(0, nullptr);
      Tensor a = products.times(one, two);  // 8
      Tensor b = products.times(a, one);    // 32
      if (call == 3) {                      // held until now, as call 2 was a graph
        CHECK(times("cuGraphLaunch") == 2); // of calls 1 and 2
        std::thread other([&] {
          Tensor c = products.times(b, two); // 256
          CHECK(products.first(c) == 256);
        });
        other.join();
      }
      Tensor d = products.times(b, one); // 128
      REQUIRE(products.gpu->endCall().ok());
      CHECK(products.first(d) == 128);
    }
    CHECK(times("cuGraphLaunch") == 3);
    CHECK(products.gpu->fuser()->counters().sequenceLaunches == 3);
    // A call within a call is a part of it; an end without a beginning is none.
    CHECK(products.gpu->endCall().ok());
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
}

TEST_CASE("FuserCUDA: other threads launch nothing again that has gone") {
  fake().reset(0);
  {
    Products products;
    const Tensor one = products.matrix(1), two = products.matrix(2);
    for (int call = 0; call != 3; ++call) { // none of which is held
      products.gpu->beginCall(0, nullptr);
      Tensor a = products.times(one, two);
      std::thread other([&] { CHECK(products.first(products.times(a, two)) == 64); });
      other.join();
      REQUIRE(products.gpu->endCall().ok());
      CHECK(products.first(a) == 8);
    }
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
}

TEST_CASE("FuserCUDA: convolutions are in sequences too") {
  fake().reset(0);
  {
    Products products;
    const Tensor image = products.matrix(1), filter = products.matrix(2);
    auto convolve = [&](const Tensor &from) { return products.convolve(from, filter); };
    for (int call = 0; call != 4; ++call) {
      products.gpu->beginCall(0, nullptr);
      Tensor result = convolve(convolve(image)); // 2 * (2 * 1 + 2) + 2
      REQUIRE(products.gpu->endCall().ok());
      CHECK(products.first(result) == 10);
    }
    CHECK(products.gpu->fuser()->counters().sequenceLaunches == 3);
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
}

TEST_CASE("FuserCUDA: what a held convolution read can be used again before it is launched") {
  fake().reset(0);
  {
    Products products;
    const Tensor image = products.matrix(1), filter = products.matrix(2);
    for (int call = 0; call != 4; ++call) {
      products.gpu->beginCall(0, nullptr);
      Tensor first = products.convolve(image, filter); // 2 * 1 + 2
      Tensor second = products.convolve(first, filter);
      const void *place = first.data();
      first = Tensor();
      Tensor third = products.convolve(second, filter); // 2 * (2 * 4 + 2) + 2
      CHECK(third.data() == place);
      REQUIRE(products.gpu->endCall().ok());
      CHECK(products.first(third) == 22);
    }
    CHECK(products.gpu->fuser()->counters().sequenceLaunches == 3);
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
}
