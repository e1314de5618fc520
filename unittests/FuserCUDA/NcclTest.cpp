//===- NcclTest.cpp - Exchanges by a fake NCCL ----------------------------===//
//
// One rank exchanges with itself. Several are tested with processes (utils/cluster).
//
//===----------------------------------------------------------------------===//
#include "../Tensor/MadeTensors.h"
#include "FakeGpu.h"
#include "tsc/Runtime/Dispatch/DeviceCollectives.h"
#include "tsc/Tensor/DeviceCopy.h"

using namespace tsc;

static CudaFuserOptions options() {
  CudaFuserOptions asked = fakeOptions();
  asked.nccl = TSC_FAKE_DRIVER;
  return asked;
}

static CollectiveCall callOf(llvm::StringRef name, llvm::StringRef reduceOp, DType dtype) {
  CollectiveCall call;
  call.name = name;
  call.reduceOp = reduceOp;
  call.dtype = dtype;
  return call;
}

/// Calls `isDone` until it says so or fails; a fake that does not end is an error.
template <typename F> static Status await(F isDone) {
  for (int i = 0; i != 1000; ++i) {
    TSC_ASSIGN_OR_RETURN(bool done, isDone());
    if (done)
      return okStatus();
  }
  return internalError("it does not end");
}

/// Joins a communicator of one rank, makes each exchange of six numbers, and leaves.
static Status exchangeAlone() {
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options()));
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<DeviceCollectives> nccl, gpu->collectives());
  TSC_RETURN_IF_ERROR(nccl->identity().status());
  TSC_ASSIGN_OR_RETURN(std::string id, nccl->makeId());
  TSC_ASSIGN_OR_RETURN(std::unique_ptr<DeviceCommunicator> communicator, nccl->join(id, 1, 0));
  TSC_RETURN_IF_ERROR(await([&] { return communicator->isJoined(); }));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, Tensor::fromSpan<float>({1, 2, 3, 4, 5, 6}, {6}));
  for (const char *name :
       {"all_reduce", "reduce", "reduce_scatter", "broadcast", "all_gather", "all_to_all", "gather", "scatter"}) {
    TSC_ASSIGN_OR_RETURN(Tensor from, copyTensor(numbers, gpu->memory()));
    TSC_ASSIGN_OR_RETURN(Tensor to, Tensor::empty({6}, DType::Float, gpu->memory()));
    CollectiveCall call = callOf(name, llvm::StringRef(name).contains("reduce") ? "avg" : "", DType::Float);
    const int64_t all[] = {6};
    call.input = from.data();
    call.output = to.mutableData();
    call.inputCount = call.outputCount = 6;
    call.inputSplits = call.outputSplits = all;
    if (!nccl->takes(call))
      return internalError("NCCL takes it");
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<DevicePoint> point, nccl->point());
    TSC_ASSIGN_OR_RETURN(std::unique_ptr<DeviceWork> work, communicator->begin(call, *point));
    TSC_RETURN_IF_ERROR(await([&] { return work->isLaunched(); }));
    TSC_RETURN_IF_ERROR(work->follow());
    TSC_RETURN_IF_ERROR(await([&] { return work->isOver(); }));
    TSC_ASSIGN_OR_RETURN(Tensor back, onHost(to));
    for (int64_t i = 0; i != 6; ++i)
      if (back.at(i).toDouble() != static_cast<double>(i + 1))
        return internalError(llvm::Twine("a wrong number in ") + name);
  }
  return await([&] { return communicator->leave(); });
}

TEST_CASE("FuserCUDA: without NCCL, or with an old one, GPUs exchange nothing, and all else goes on") {
  fake().reset(0);
  CudaFuserOptions missing = options();
  missing.nccl = "/nowhere/libnccl.so.2";
  auto gpu = CudaGpu::open(missing);
  REQUIRE(gpu.ok());
  for (int time = 0; time != 2; ++time)
    CHECK_THAT(
        failure((*gpu)->collectives().status()),
        Catch::StartsWith("error: NCCL, NVIDIA's library for exchanges between GPUs, is not there: /nowhere/libnccl"));
  CHECK((*gpu)->synchronize().ok());
  missing.nccl = TSC_FAKE_DRIVER;
  setenv("TSC_FAKE_NCCL", "fail ncclGetVersion", 1);
  auto old = CudaGpu::open(missing);
  CHECK(failure((*old)->collectives().status()) ==
        "error: NCCL 2.14 or later is needed, and this one calls itself version 21304");
  unsetenv("TSC_FAKE_NCCL");
}

TEST_CASE("FuserCUDA: NCCL takes what it has types and operations for") {
  fake().reset(0);
  auto gpu = CudaGpu::open(options());
  REQUIRE(gpu.ok());
  auto nccl = (*gpu)->collectives();
  REQUIRE(nccl.ok());
  auto takes = [&](llvm::StringRef name, llvm::StringRef op, DType dtype) {
    return (*nccl)->takes(callOf(name, op, dtype));
  };
  for (DType dtype : {DType::Bool, DType::UInt8, DType::Int16, DType::Half, DType::ComplexDouble}) {
    CHECK(takes("all_gather", "", dtype));
    CHECK(!takes("send", "", dtype));
    CHECK(!takes("all_reduce", "bxor", dtype));
    CHECK(takes("reduce", "sum", dtype) == (dtype != DType::Int16));
    CHECK(takes("reduce_scatter", "avg", dtype) == (dtype == DType::Half || dtype == DType::ComplexDouble));
    CHECK(takes("all_reduce", "product", dtype) == (dtype != DType::Int16 && dtype != DType::ComplexDouble));
    CHECK(takes("all_reduce", "max", dtype) == (dtype != DType::Int16 && dtype != DType::ComplexDouble));
    CHECK(takes("all_reduce", "bor", dtype) == (dtype == DType::Bool));
  }
}

TEST_CASE("FuserCUDA: exchanges by NCCL give everything back, whichever call fails") {
  fake().reset(0);
  REQUIRE(failure(exchangeAlone()) == failure(okStatus()));
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  const int numCalls = fake().numCalls();
  REQUIRE(numCalls > 100);
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    const Status done = exchangeAlone();
    const llvm::StringRef failed = fake().failedCall();
    INFO("call " << failing << " of " << numCalls << ", " << failed.str() << ": " << failure(done));
    REQUIRE(std::string(fake().complaints()) == "");
    if (!givesBack(failed, done.ok()))
      REQUIRE(fake().numLive() == 0);
    if (!done.ok() && failed.starts_with("nccl"))
      CHECK_THAT(failure(done),
                 Catch::Contains("unhandled system error (" + failed.str() + " is the call that fails)"));
  }
}
