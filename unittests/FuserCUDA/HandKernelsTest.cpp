//===- HandKernelsTest.cpp - Sorting and scattering on a fake GPU ----------===//
#include "../Support/ThreadsOfTests.h"
#include "../Tensor/MadeTensors.h"
#include "FakeGpu.h"
#include "tsc/DeviceCUDA/Nvrtc.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <numeric>
#include <set>

using namespace tsc;

namespace {
/// Opens a GPU, sorts a row that is longer than a tile, and adds its elements up in 7 places.
struct Scenario {
  CudaFuserOptions options = fakeOptions();
  DType dtype = DType::Float;
  std::vector<int64_t> order; ///< Of the last run.
  std::vector<double> sums;

  StatusOr<double> run() {
    TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(options));
    std::vector<int64_t> numbers(count);
    for (size_t i = 0; i != count; ++i)
      numbers[i] = static_cast<int64_t>(i * 37 % 101);
    TSC_ASSIGN_OR_RETURN(Tensor wide, Tensor::fromSpan<int64_t>(numbers, {count}));
    TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::empty({count}, dtype));
    for (int64_t i = 0; i != count; ++i)
      host.set(i, wide.at(i));
    TSC_ASSIGN_OR_RETURN(Tensor there, copyTensor(host, gpu->memory()));
    const IValue x(there), dim(int64_t{0}), no(false);
    const IValue *toSort[] = {&x, &dim, &no};
    IValue sorted[2];
    TSC_ASSIGN_OR_RETURN(bool isDone, gpu->runLibrary(opRecord(OpKind::Aten_sort), toSort, sorted));
    for (int64_t &number : numbers)
      number %= 7;
    TSC_ASSIGN_OR_RETURN(Tensor places, Tensor::fromSpan<int64_t>(numbers, {count}));
    TSC_ASSIGN_OR_RETURN(Tensor few, copyTensor(host.alias({7}, {1}, 0), gpu->memory()));
    const IValue self(few), index(places);
    const IValue *toAdd[] = {&self, &dim, &index, &x};
    IValue added;
    TSC_ASSIGN_OR_RETURN(bool isAdded, gpu->runLibrary(opRecord(OpKind::Aten_scatter_add), toAdd, added));
    if (!isDone || !isAdded)
      return internalError("there was no kernel");
    TSC_ASSIGN_OR_RETURN(Tensor indices, onHost(sorted[1].asTensor()));
    TSC_ASSIGN_OR_RETURN(Tensor total, onHost(added.asTensor()));
    order.clear(), sums.clear();
    for (int64_t i = 0; i != count; ++i)
      order.push_back(indices.at(i).toInt());
    for (int64_t i = 0; i != 7; ++i)
      sums.push_back(total.at(i).toDouble());
    return sums.back();
  }

  static constexpr int64_t count = 20000;
};
} // namespace

/// Opens a GPU, and scans, chooses and pools; the sum of what is chosen of running sums.
static StatusOr<double> scanChooseAndPool(DType dtype) {
  TSC_ASSIGN_OR_RETURN(std::shared_ptr<CudaGpu> gpu, CudaGpu::open(fakeOptions()));
  TSC_ASSIGN_OR_RETURN(Tensor host, Tensor::empty({1, 1, 60, 50}, dtype));
  for (int64_t i = 0; i != host.numel(); ++i)
    host.set(i, Scalar(i % 7 == 0 ? 1.0 : 0.0));
  TSC_ASSIGN_OR_RETURN(Tensor there, copyTensor(host, gpu->memory()));
  const IValue x(there), row(there.alias({3000}, {1}, 0)), first(int64_t{0}), none, size(std::vector<int64_t>{2, 2}),
      asSize(std::vector<int64_t>{}), zero(std::vector<int64_t>{0, 0}), one(std::vector<int64_t>{1, 1}), no(false);
  IValue results[2];
  auto run = [&](OpKind op, llvm::ArrayRef<const IValue *> args, size_t number) -> Status {
    TSC_ASSIGN_OR_RETURN(bool isDone,
                         gpu->runLibrary(opRecord(op), args, llvm::MutableArrayRef<IValue>(results, number)));
    return isDone ? okStatus() : internalError("there was no kernel");
  };
  if (isFloating(dtype)) {
    TSC_RETURN_IF_ERROR(run(OpKind::Aten_max_pool2d_with_indices, {&x, &size, &asSize, &zero, &one, &no}, 2));
    TSC_RETURN_IF_ERROR(run(OpKind::Aten_avg_pool2d, {&x, &size, &asSize, &zero, &no, &no, &none}, 1));
    TSC_RETURN_IF_ERROR(run(OpKind::Aten_logcumsumexp, {&row, &first}, 1));
  }
  TSC_RETURN_IF_ERROR(run(OpKind::Aten_cummax, {&x, &first}, 2));
  TSC_RETURN_IF_ERROR(run(OpKind::Aten_cumsum, {&row, &first, &none}, 1));
  const IValue sums = results[0];
  TSC_RETURN_IF_ERROR(run(OpKind::Aten_nonzero, {&row}, 1));
  TSC_ASSIGN_OR_RETURN(Tensor bools, Tensor::empty({3000}, DType::Bool));
  for (int64_t i = 0; i != 3000; ++i)
    bools.set(i, Scalar(i % 1000 == 0));
  TSC_ASSIGN_OR_RETURN(Tensor mask, copyTensor(bools, gpu->memory()));
  const IValue chosen(mask);
  TSC_RETURN_IF_ERROR(run(OpKind::Aten_masked_select, {&sums, &chosen}, 1));
  TSC_ASSIGN_OR_RETURN(Tensor back, onHost(results[0].asTensor()));
  double sum = 0;
  for (int64_t i = 0; i != back.numel(); ++i)
    sum += back.at(i).toDouble();
  return sum;
}

// The thread sanitizer keeps what it knows of a library's addresses when the library is closed; the thousands that are
// opened here leave it none.
#if !TSC_HAS_THREAD_SANITIZER
TEST_CASE("FuserCUDA: a call that fails within a scan, a choice or a pool is an error, and nothing leaks") {
  constexpr double expected = 1 + 143 + 286; // of 1001 and 2001 elements every seventh, and the first
  fake().reset(0);
  auto whole = scanChooseAndPool(DType::Float);
  INFO(failure(whole.status()));
  REQUIRE(whole.ok());
  CHECK(*whole == expected);
  CHECK(fake().numLive() == 0);
  CHECK(std::string(fake().complaints()) == "");
  const int numCalls = fake().numCalls();
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    auto ran = scanChooseAndPool(DType::Float);
    const std::string failed = fake().failedCall();
    INFO("call " << failing << " of " << numCalls << ", " << failed << ": " << failure(ran.status()));
    REQUIRE(std::string(fake().complaints()) == "");
    if (!givesBack(failed, ran.ok()))
      REQUIRE(fake().numLive() == 0);
    if (ran.ok())
      CHECK(*ran == expected);
  }
}
#endif

TEST_CASE("FuserCUDA: sorting is the same with CUB's headers and without") {
  fake().reset(0);
  std::vector<int64_t> expected(Scenario::count);
  std::iota(expected.begin(), expected.end(), 0);
  llvm::sort(expected, [](int64_t a, int64_t b) { return std::pair(a * 37 % 101, a) < std::pair(b * 37 % 101, b); });
  Scenario scenario;
  for (DType dtype : {DType::Float, DType::Int64, DType::Half, DType::UInt8}) {
    scenario.dtype = dtype;
    for (const char *headers : {"", "/nowhere"}) {
      if (*headers)
        scenario.options.headers = headers;
      REQUIRE(scenario.run().ok());
      CHECK(scenario.order == expected);
      CHECK(std::string(fake().complaints()) == "");
    }
    scenario.options.headers = fakeOptions().headers;
  }
  CHECK(fake().numLive() == 0);
}

TEST_CASE("FuserCUDA: programs that are written by hand come from disk too") {
  llvm::SmallString<128> folder;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("tsc-cuda-cache", folder));
  Scenario scenario;
  scenario.options.cacheFolder = folder.str();
  for (bool isFirst : {true, false}) {
    fake().reset(0);
    REQUIRE(scenario.run().ok());
    CHECK((llvm::StringRef(fake().log()).count("nvrtcCompileProgram\n") != 0) == isFirst);
    CHECK(std::string(fake().complaints()) == "");
  }
  (void)llvm::sys::fs::remove_directories(folder);
}

TEST_CASE("FuserCUDA: headers that do not compile are left alone") {
  fake().reset(0);
  Scenario scenario;
  REQUIRE(scenario.run().ok());
  const std::vector<int64_t> expected = scenario.order;
  const std::vector<double> sums = scenario.sums;
  const int numCalls = fake().numCalls();
  int fellBack = 0;
  for (int failing = 1; failing <= numCalls; ++failing) {
    fake().reset(failing);
    auto ran = scenario.run();
    const std::string failed = fake().failedCall();
    INFO("call " << failing << " of " << numCalls << ", " << failed << ": " << failure(ran.status()));
    REQUIRE(std::string(fake().complaints()) == "");
    if (!givesBack(failed, ran.ok()))
      REQUIRE(fake().numLive() == 0);
    if (!ran.ok())
      continue;
    CHECK(scenario.order == expected);
    CHECK(scenario.sums == sums);
    fellBack += failed == "nvrtcCompileProgram";
  }
  CHECK(fellBack >= 1);
}

/// Whether a program has kernels of tsc/KernelsCUDA, rather than of other tests.
static bool isWrittenByHand(llvm::StringRef source) {
  return llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"tsc_sort_", "tsc_place", "tsc_merge_", "tsc_emit_", "tsc_scan_",
                                                      "tsc_chosen_", "tsc_pool_"},
                      [&](llvm::StringRef name) { return source.contains(name); });
}

TEST_CASE("FuserCUDA: kernels that are written by hand compile for three architectures") {
  auto nvrtc = fuser::Nvrtc::open("");
  const std::vector<std::string> headers = fuser::toolkitHeaders("cub/block/block_radix_sort.cuh", "");
  if (!nvrtc.ok() || headers.empty()) {
    WARN("not tested: there is no NVRTC, or no header of CUB");
    return;
  }
  fake().reset(0);
  std::set<std::string> compiled;
  // Compiles what was made since: for all architectures, or for one after the other in turn.
  auto compileNew = [&](bool forAll) {
    const char *const architectures[] = {"sm_80", "sm_90", "sm_100"};
    const char *source = nullptr;
    for (int i = 0; (source = fake().source(i)); ++i) {
      if (!isWrittenByHand(source) || !compiled.insert(source).second)
        continue;
      for (size_t a = 0; a != std::size(architectures); ++a) {
        if (!forAll && compiled.size() % std::size(architectures) != a)
          continue;
        INFO(architectures[a] << "\n" << source);
        auto made = (*nvrtc)->compile(source, architectures[a], fuser::Nvrtc::Output::Cubin, fuser::Nvrtc::Effort::Full,
                                      headers);
        INFO(messageOf(made.status()).str());
        REQUIRE(made.ok());
      }
    }
  };
  // A kernel is the same for all dtypes but for names of types: the first of each kind tells what an architecture
  // lacks.
  for (DType dtype : {DType::Float, DType::Int64, DType::BFloat16, DType::Half, DType::Double}) {
    for (const std::string &folder : {fakeOptions().headers, std::string("/nowhere")})
      if (dtype != DType::Half && dtype != DType::Double) {
        Scenario scenario;
        scenario.options.headers = folder;
        scenario.dtype = dtype;
        REQUIRE(scenario.run().ok());
      }
    if (dtype != DType::BFloat16)
      REQUIRE(scanChooseAndPool(dtype).ok());
    compileNew(dtype == DType::Float);
  }
  CHECK(compiled.size() >= 40);
}
