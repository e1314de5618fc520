//===- DriverTest.cpp - Calls of the driver, checked by a fake one ---------===//
#include "tsc/DeviceCUDA/Driver.h"
#include "../Tensor/MadeTensors.h"
#include "FakeGpu.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

TEST_CASE("FuserCUDA: without a driver opening a GPU is an error") {
  CudaFuserOptions missing = fakeOptions();
  missing.driver = "/nowhere/libcuda.so.1";
  CHECK_THAT(failure(CudaGpu::open(missing).status()), Catch::Contains("CUDA's driver is not there"));
  missing = fakeOptions();
  missing.nvrtc = "/nowhere/libnvrtc.so";
  CHECK_THAT(failure(CudaGpu::open(missing).status()), Catch::Contains("NVRTC, CUDA's runtime compiler, is not there"));
}

TEST_CASE("FuserCUDA: devices that are none, or too old, are refused") {
  fake().reset(0);
  CudaFuserOptions second = fakeOptions();
  second.device = 1;
  CHECK(failure(CudaGpu::open(second).status()) == "error: there is no CUDA device 1: there are 1");
  fake().setDevices(0);
  CHECK(failure(CudaGpu::open(fakeOptions()).status()) == "error: there is no CUDA device 0: there are 0");
  fake().setDevices(1);
  fake().setCapability(7, 5);
  CHECK(failure(CudaGpu::open(fakeOptions()).status()) ==
        "error: kernels are for GPUs from sm_80 on; a fake GPU is sm_75");
  fake().setCapability(9, 0);
  CHECK(fake().numLive() == 0);
  CHECK(std::string(fake().complaints()).empty());
}

TEST_CASE("FuserCUDA: no context is made before it is needed") {
  fake().reset(0);
  auto gpu = CudaGpu::open(fakeOptions());
  REQUIRE(gpu.ok());
  CHECK((*gpu)->name() == "a fake GPU");
  CHECK((*gpu)->architecture() == "sm_90");
  CHECK(fake().numLive() == 0);
}

namespace {
/// A program whose group folds rows and, in chunks, all of a tensor.
class Scenario {
public:
  Scenario() {
    diags.setHandler([](const Diagnostic &) {});
    auto graphs = parseGraphs(context, context.sources().add("test.ir", R"(
graph(%x : Tensor):
  %2 : Tensor, %3 : Tensor = prim::FusionGroup_0(%x)
  return (%2, %3)
with prim::FusionGroup_0 = graph(%x : Tensor):
  %0 : NoneType = prim::Constant()
  %1 : Tensor = aten::abs(%x)
  %2 : Tensor = aten::sum(%1, %0)
  %3 : Tensor = aten::mul(%1, %x)
  return (%3, %2)
)"),
                              diags);
    REQUIRE(succeeded(graphs));
    graph = std::move(graphs->front());
  }

  /// Everything from opening the GPU on, and the call so often; the sum, copied to the host.
  StatusOr<float> run(int calls = 1) {
    CudaFuserOptions options = fakeOptions();
    options.cacheFolder = folder;
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options));
    FuserRegistry registry;
    registry.add(DeviceKind::CUDA, gpu->fuser());
    CodeCache cache;
    cache.setFusers(registry);
    TSC_ASSIGN_OR_RETURN(auto code, cache.get(*graph, "test"));
    std::vector<float> numbers(80000);
    for (size_t i = 0; i != numbers.size(); ++i)
      numbers[i] = i % 2 ? 1.0f : -2.0f;
    TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(numbers, {80000}));
    TSC_ASSIGN_OR_RETURN(Tensor x, copyTensor(host, gpu->memory()));
    CallContext call(context);
    call.trace = trace;
    std::vector<std::vector<IValue>> all; // kept, so that each call has other memory
    float sum = 0;
    for (int i = 0; i != calls; ++i) {
      TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, code->run(call, {IValue(x)}));
      TSC_ASSIGN_OR_RETURN(Tensor products, onHost(results[0].asTensor()));
      TSC_ASSIGN_OR_RETURN(Tensor total, onHost(results[1].asTensor()));
      TSC_RETURN_IF_ERROR(gpu->synchronize());
      sum = static_cast<float>(total.at(0).toDouble());
      if (products.at(0).toDouble() != -4)
        return internalError("a wrong product");
      all.push_back(std::move(results));
    }
    const FuserCounters &counters = gpu->fuser()->counters();
    compilations = counters.compilations, diskHits = counters.diskHits;
    launches = counters.launches, graphLaunches = counters.graphLaunches, graphs = counters.graphs;
    return sum;
  }

  TraceRecorder *trace = nullptr;
  std::string folder;                                                                   ///< For kernels on disk.
  uint64_t launches = 0, graphLaunches = 0, graphs = 0, compilations = 0, diskHits = 0; ///< Of the last run.

private:
  Context context;
  DiagnosticEngine diags;
  std::unique_ptr<Graph> graph;
};
} // namespace

TEST_CASE("FuserCUDA: a group runs on a GPU's tensors, and everything is given back") {
  fake().reset(0);
  Scenario scenario;
  auto sum = scenario.run();
  REQUIRE(sum.ok());
  CHECK(*sum == 120000);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  CHECK_THAT(fake().log(), Catch::Contains("cuModuleLoadData") && Catch::Contains("cuModuleUnload"));
}

TEST_CASE(
    "FuserCUDA: kernels of another process come from disk, for the architecture and the driver that they are of") {
  llvm::SmallString<128> folder;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("tsc-cuda-cache", folder));
  auto compiled = [] { return llvm::StringRef(fake().log()).count("nvrtcCompileProgram\n"); };
  Scenario scenario;
  scenario.folder = folder.str();
  fake().reset(0);
  REQUIRE(scenario.run().ok());
  CHECK(scenario.diskHits == 0);
  const uint64_t compilations = scenario.compilations;
  CHECK(compilations > 0);
  CHECK(compiled() > 0);
  fake().reset(0);
  auto sum = scenario.run();
  REQUIRE(sum.ok());
  CHECK(*sum == 120000);
  CHECK(scenario.compilations == 0);
  CHECK(scenario.diskHits >= compilations);
  CHECK(compiled() == 0);
  fake().reset(0);
  fake().setCapability(8, 6);
  REQUIRE(scenario.run().ok());
  CHECK(scenario.diskHits == 0);
  fake().setCapability(9, 0);
  // What was changed is compiled anew.
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(folder, error), end; file != end && !error; file.increment(error)) {
    llvm::raw_fd_ostream os(file->path(), error);
    os << "nothing";
  }
  fake().reset(0);
  REQUIRE(scenario.run().ok());
  CHECK(scenario.diskHits == 0);
  CHECK(std::string(fake().complaints()) == "");
  (void)llvm::sys::fs::remove_directories(folder);
}

TEST_CASE("FuserCUDA: a plan of several launches becomes a graph when it repeats") {
  fake().reset(0);
  Scenario scenario;
  auto sum = scenario.run(4);
  REQUIRE(sum.ok());
  CHECK(*sum == 120000);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  // The first call launches one by one; of the others each is one launch.
  CHECK(scenario.graphs == 1);
  CHECK(scenario.graphLaunches == 3);
  CHECK(scenario.launches > 4);
  auto times = [](llvm::StringRef call) { return llvm::StringRef(fake().log()).count(call); };
  CHECK(times("cuStreamBeginCapture_v2\n") == 1);
  CHECK(times("cuGraphInstantiateWithFlags\n") == 1);
  CHECK(times("cuGraphLaunch\n") == 3);
  CHECK(times("cuGraphExecKernelNodeSetParams_v2\n") >= 2); // other memory each time
}

TEST_CASE("FuserCUDA: a traced call has the device's times, of kernels and of graphs") {
  fake().reset(0);
  Scenario scenario;
  TraceRecorder trace;
  scenario.trace = &trace;
  REQUIRE(scenario.run(2).ok());
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  unsigned kernels = 0, graphs = 0, launches = 0;
  for (const TraceRecorder::Span &span : trace.spans()) {
    launches += llvm::StringRef(span.category) == "launch";
    if (llvm::StringRef(span.category) != "kernel")
      continue;
    ++(llvm::StringRef(span.name).starts_with("graph of ") ? graphs : kernels);
    CHECK(span.bytes > 0);
  }
  CHECK(launches == 2);
  CHECK(kernels >= 2);
  CHECK(graphs == 1);
}

TEST_CASE("FuserCUDA: a call of the driver that fails is an error with its name, and nothing leaks") {
  fake().reset(0);
  Scenario scenario;
  TraceRecorder trace;
  scenario.trace = GENERATE(false, true) ? &trace : nullptr;
  constexpr int calls = 3;
  REQUIRE(scenario.run(calls).ok());
  const int numCalls = fake().numCalls();
  REQUIRE(numCalls > 40);
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    auto sum = scenario.run(calls);
    std::string failed = fake().failedCall();
    INFO("call " << failing << " of " << numCalls << ", " << failed << ": " << failure(sum.status()));
    REQUIRE(std::string(fake().complaints()) == "");
    // What fails when it is to give back is not given back.
    if (!givesBack(failed, sum.ok()))
      REQUIRE(fake().numLive() == 0);
    // A plan that cannot be captured is launched one by one.
    if (failed == "cuStreamBeginCapture_v2" || failed == "cuStreamGetCaptureInfo_v2" ||
        failed == "cuStreamEndCapture" || failed == "cuGraphInstantiateWithFlags") {
      REQUIRE(sum.ok());
      CHECK(*sum == 120000);
      CHECK(scenario.graphs == 0);
    }
    if (sum.ok())
      continue;
    CHECK_THAT(failure(sum.status()), Catch::Contains("CUDA_ERROR") || Catch::Contains("NVRTC") ||
                                          Catch::Contains("memory") || Catch::Contains("no fuser of cuda:0"));
  }
}

TEST_CASE("FuserCUDA: freed memory is given again, and back to the driver when it has none left") {
  fake().reset(0);
  {
    auto gpu = CudaGpu::open(fakeOptions());
    REQUIRE(gpu.ok());
    const DeviceMemory &memory = (*gpu)->memory();
    memory::Block first = memory.allocate(1000);
    REQUIRE(first.data);
    CHECK(first.capacity == 1024);
    memory.deallocate(first.data, first.capacity);
    const int numCalls = fake().numCalls();
    memory::Block second = memory.allocate(900);
    CHECK(second.data == first.data);
    CHECK(fake().numCalls() == numCalls); // the driver was not asked
    memory.deallocate(second.data, second.capacity);

    // What is kept is too small, and without it there is room.
    fake().setMemory(3100);
    memory::Block large = memory.allocate(4000);
    CHECK(large.data);
    CHECK_THAT(fake().log(), Catch::Contains("cuMemFreeAsync"));
    memory::Block none = memory.allocate(1 << 20);
    CHECK(!none.data);
    CHECK(failure(Tensor::empty({1 << 20}, DType::Float, memory).status()) ==
          "error: cuda:0 has no memory for 4194304 bytes");
    memory.deallocate(large.data, large.capacity);
  }
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  fake().setMemory(size_t{4} << 30);
}

TEST_CASE("FuserCUDA: copies go by pinned memory, piece by piece, and without it too") {
  for (const char *failing : {"", "cuMemHostAlloc", "cuEventCreate"}) {
    fake().reset(0);
    const int64_t count = 700001; // more than two pieces
    auto copy = [&]() -> StatusOr<double> {
      TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(fakeOptions()));
      std::vector<float> numbers(count);
      for (size_t i = 0; i != numbers.size(); ++i)
        numbers[i] = static_cast<float>(i % 1000);
      TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(numbers, {count}));
      TSC_ASSIGN_OR_RETURN(Tensor there, copyTensor(host, gpu->memory()));
      std::fill(static_cast<float *>(host.mutableData()), static_cast<float *>(host.mutableData()) + count, 7.0f);
      TSC_ASSIGN_OR_RETURN(Tensor back, onHost(there));
      double wrong = 0;
      for (size_t i = 0; i != numbers.size(); ++i)
        wrong += back.data<float>()[i] != numbers[i];
      return wrong;
    };
    if (*failing) {
      REQUIRE(copy().ok());
      llvm::SmallVector<llvm::StringRef, 64> calls;
      llvm::StringRef(fake().log()).split(calls, '\n');
      const int number = static_cast<int>(llvm::find(calls, failing) - calls.begin()) + 1;
      fake().reset(number);
    }
    auto wrong = copy();
    INFO(failing << ": " << failure(wrong.status()));
    REQUIRE(wrong.ok());
    CHECK(*wrong == 0);
    CHECK(std::string(fake().failedCall()) == failing);
    CHECK(std::string(fake().complaints()) == "");
    CHECK(fake().numLive() == 0);
  }
}

TEST_CASE("FuserCUDA: after an error pinned memory is used again when nothing is on its way any more") {
  for (const char *failing : {"cuEventRecord", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuEventSynchronize"}) {
    auto copyThrice = [&](bool isFirst) {
      auto gpu = CudaGpu::open(fakeOptions());
      REQUIRE(gpu.ok());
      int numFailed = 0;
      for (int time = 0; time != 3; ++time) {
        auto host = Tensor::fromSpan<float>({1, 2, 3}, {3});
        auto there = copyTensor(*host, (*gpu)->memory());
        auto back = there.ok() ? onHost(*there) : there;
        numFailed += !back.ok();
        if (back.ok())
          CHECK(back->at(2).toDouble() == 3);
      }
      CHECK(numFailed == (isFirst ? 0 : 1));
    };
    fake().reset(0);
    copyThrice(true);
    llvm::SmallVector<llvm::StringRef, 64> calls;
    llvm::StringRef(fake().log()).split(calls, '\n');
    const auto at = llvm::find(calls, failing) - calls.begin();
    fake().reset(static_cast<int>(at) + 1);
    copyThrice(false);
    INFO(failing);
    calls.clear();
    llvm::StringRef(fake().log()).split(calls, '\n');
    CHECK(calls[static_cast<size_t>(at) + 1] == "cuStreamSynchronize");
    CHECK(std::string(fake().complaints()) == "");
    CHECK(fake().numLive() == 0);
  }
}

TEST_CASE("FuserCUDA: the memory of a device is reached by copies") {
  fake().reset(0);
  {
    auto gpu = CudaGpu::open(fakeOptions());
    REQUIRE(gpu.ok());
    auto host = Tensor::fromSpan<float>({1, 2, 3, 4, 5, 6}, {2, 3});
    REQUIRE(host.ok());
    auto there = copyTensor(host->alias({3, 2}, {1, 3}, 0), (*gpu)->memory()); // transposed
    REQUIRE(there.ok());
    CHECK(there->device().str() == "cuda:0");
    CHECK(there->strides() == ArrayRef<int64_t>({1, 3}));
    CHECK(there->at(1).toDouble() == 4);
    there->set(1, Scalar(7.5));
    auto back = onHost(*there);
    REQUIRE(back.ok());
    CHECK(back->at(1).toDouble() == 7.5);
    CHECK(toPythonString(*there).find("device='cuda:0'") != std::string::npos);
    CHECK(&memoryOf(*there->get()->storage) == &(*gpu)->memory());
    CHECK((*gpu)->memory().asRemote() == &(*gpu)->memory());
  }
  CHECK(fake().numLive() == 0);
}
