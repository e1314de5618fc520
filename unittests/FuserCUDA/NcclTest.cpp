//===- NcclTest.cpp - Exchanges by a fake NCCL ----------------------------===//
//
// One rank exchanges with itself. Several are tested with processes (utils/cluster).
//
//===----------------------------------------------------------------------===//
#include "../Tensor/MadeTensors.h"
#include "ExchangeAlone.h"
#include "FakeGpu.h"

using namespace tsc;

static CudaFuserOptions options() {
  CudaFuserOptions asked = fakeOptions();
  asked.nccl = TSC_FAKE_DRIVER;
  return asked;
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
  REQUIRE(failure(exchangeAlone(options())) == failure(okStatus()));
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  const int numCalls = fake().numCalls();
  REQUIRE(numCalls > 100);
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    const Status done = exchangeAlone(options());
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
