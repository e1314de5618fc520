//===- ProductsTest.cpp - Calls of cuBLASLt and cuDNN, checked by fakes ----===//
#include "../Tensor/MadeTensors.h"
#include "FakeGpu.h"
#include "tsc/Tensor/DeviceCopy.h"

using namespace tsc;

static CudaFuserOptions options() {
  CudaFuserOptions asked = fakeOptions();
  asked.cublasLt = TSC_FAKE_DRIVER;
  return asked;
}

/// Opens a GPU, multiplies twice, and gives an element of the second product.
static StatusOr<double> multiplyTwice() {
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options()));
  std::vector<float> numbers(64 * 16);
  for (size_t i = 0; i != numbers.size(); ++i)
    numbers[i] = static_cast<float>(i % 5);
  TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(numbers, {64, 16}));
  TSC_ASSIGN_OR_RETURN(Tensor there, copyTensor(host, gpu->memory()));
  const IValue a(there), b(there.alias({16, 64}, {1, 16}, 0));
  const IValue *args[] = {&a, &b};
  IValue result;
  for (int time = 0; time != 2; ++time) {
    TSC_ASSIGN_OR_RETURN(bool isDone, gpu->runLibrary(opRecord(OpKind::Aten_mm), args, result));
    if (!isDone)
      return internalError("the library was not called");
  }
  TSC_ASSIGN_OR_RETURN(Tensor back, onHost(result.asTensor()));
  return back.at(3 * 64 + 2).toDouble();
}

/// Lets each of the calls fail that `use` has just made of a library whose functions begin with `prefix`.
static void failEachCall(StatusOr<double> (*use)(), const char *prefix, const char *statuses) {
  const int numCalls = fake().numCalls();
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    auto element = use();
    const std::string failed = fake().failedCall();
    if (failed.rfind(prefix, 0) != 0)
      continue; // of the driver: DriverTest.cpp
    INFO("call " << failing << " of " << numCalls << ", " << failed << ": " << failure(element.status()));
    CHECK(std::string(fake().complaints()) == "");
    if (failed.find("Destroy") != std::string::npos) { // what fails when it is to give back is not given back
      CHECK(element.ok());
      continue;
    }
    CHECK(fake().numLive() == 0);
    CHECK_THAT(failure(element.status()), Catch::Contains(failed) && Catch::Contains(statuses));
  }
}

TEST_CASE("FuserCUDA: products of matrices are cuBLASLt's, and nothing of it is left") {
  fake().reset(0);
  auto element = multiplyTwice();
  REQUIRE(element.ok());
  double expected = 0;
  for (int k = 0; k != 16; ++k)
    expected += (3 * 16 + k) % 5 * ((2 * 16 + k) % 5);
  CHECK(*element == expected);
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  // The way that the library chose is asked for once.
  const llvm::StringRef log = fake().log();
  CHECK(log.count("cublasLtMatmul\n") == 2);
  CHECK(log.count("cublasLtMatmulAlgoGetHeuristic\n") == 1);
  CHECK(log.count("cublasLtCreate\n") == 1);
}

TEST_CASE("FuserCUDA: a call of cuBLASLt that fails is an error with its name, and nothing leaks") {
  fake().reset(0);
  REQUIRE(multiplyTwice().ok());
  failEachCall(multiplyTwice, "cublas", "CUBLAS_STATUS");
}

/// Opens a GPU, and convolves an image, also transposed; an element of the last result.
static StatusOr<double> convolveTwice() {
  CudaFuserOptions asked = fakeOptions();
  asked.cudnn = TSC_FAKE_DRIVER;
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(asked));
  const std::vector<float> ones(16, 1);
  TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(ones, {1, 1, 4, 4}));
  TSC_ASSIGN_OR_RETURN(Tensor image, copyTensor(host, gpu->memory()));
  TSC_ASSIGN_OR_RETURN(Tensor filter, copyTensor(host.alias({1, 1, 2, 2}, {4, 4, 2, 1}, 0), gpu->memory()));
  TSC_ASSIGN_OR_RETURN(Tensor bias, copyTensor(host.alias({1}, {1}, 0), gpu->memory()));
  IValue result(image);
  for (bool transposed : {false, true}) {
    const IValue x(result), w(filter), b(bias), step(std::vector<int64_t>{1, 1}), none(std::vector<int64_t>{0, 0}),
        flag(transposed), groups(int64_t{1});
    const IValue *args[] = {&x, &w, &b, &step, &none, &step, &flag, &none, &groups};
    TSC_ASSIGN_OR_RETURN(bool isDone, gpu->runLibrary(opRecord(OpKind::Aten_convolution), args, result));
    if (!isDone)
      return internalError("the library was not called");
  }
  TSC_ASSIGN_OR_RETURN(Tensor back, onHost(result.asTensor()));
  return back.at(5).toDouble();
}

TEST_CASE("FuserCUDA: a call of cuDNN that fails is an error with its name, and nothing leaks") {
  fake().reset(0);
  auto whole = convolveTwice();
  REQUIRE(whole.ok());
  CHECK(*whole == 21); // four windows of 4 + 1, and 1
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  failEachCall(convolveTwice, "cudnn", "CUDNN_STATUS");
}

/// Opens a GPU, and runs an Elman network of one layer over two steps; an element of its last state.
static StatusOr<double> runNetwork() {
  CudaFuserOptions asked = fakeOptions();
  asked.cudnn = TSC_FAKE_DRIVER;
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(asked));
  const std::vector<float> ones(16, 1);
  TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::fromSpan<float>(ones, {16}));
  auto there = [&](ArrayRef<int64_t> sizes) {
    return copyTensor(host.alias(sizes, contiguousStrides(sizes), 0), gpu->memory());
  };
  TSC_ASSIGN_OR_RETURN(Tensor steps, there({2, 1, 3}));
  TSC_ASSIGN_OR_RETURN(Tensor state, there({1, 1, 2}));
  TSC_ASSIGN_OR_RETURN(Tensor first, there({2, 3}));
  TSC_ASSIGN_OR_RETURN(Tensor second, there({2, 2}));
  const IValue x(steps), h(state), w(std::vector<Tensor>{first, second}), no(false), one(int64_t{1}), none(0.0);
  const IValue *args[] = {&x, &h, &w, &no, &one, &none, &no, &no, &no};
  IValue results[2];
  TSC_ASSIGN_OR_RETURN(bool isDone, gpu->runLibrary(opRecord(OpKind::Aten_rnn_relu_input), args, results));
  if (!isDone)
    return internalError("the library was not called");
  TSC_ASSIGN_OR_RETURN(Tensor back, onHost(results[1].asTensor()));
  return back.at(1).toDouble();
}

TEST_CASE("FuserCUDA: a call of cuDNN for recurrent layers that fails is an error with its name, and nothing leaks") {
  fake().reset(0);
  auto whole = runNetwork();
  REQUIRE(whole.ok());
  CHECK(*whole == 13); // 3 + 2, and then 3 + 2 * 5
  CHECK(std::string(fake().complaints()) == "");
  CHECK(fake().numLive() == 0);
  failEachCall(runNetwork, "cudnn", "CUDNN_STATUS");
}

TEST_CASE("FuserCUDA: where cuBLASLt is not there products are not its") {
  fake().reset(0);
  CudaFuserOptions missing = options();
  missing.cublasLt = "/nowhere/libcublasLt.so";
  auto gpu = CudaGpu::open(missing);
  REQUIRE(gpu.ok());
  const IValue x(*Tensor::empty({2, 2}, DType::Float, (*gpu)->memory()));
  const IValue *args[] = {&x, &x};
  IValue result;
  auto isDone = (*gpu)->runLibrary(opRecord(OpKind::Aten_mm), args, result);
  REQUIRE(isDone.ok());
  CHECK(!*isDone);
}
