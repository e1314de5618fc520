//===- RealGpuTest.cpp - Groups on a GPU of the machine --------------------===//
//
// Hidden, since most machines have no GPU: utils/gpu_report.py asks for it by its tag.
// TSC_CUDA_GROUPS is the number of groups of each kind, TSC_CUDA_FIRST_GROUP the first
// seed. Groups that call no function of CUDA's library have the operators' bits; of the
// others those are counted that have not, since one rounding may decide a comparison.
//
//===----------------------------------------------------------------------===//
#include "../../lib/FuserCUDA/EmitKernel.h"
#include "ExchangeAlone.h"
#include "NestCollector.h"
#include "SameBits.h"
#include "tsc/FuserCUDA/FuserCUDA.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Tensor/DeviceCopy.h"
#include <cstdlib>

using namespace tsc;
using namespace tsc::fuser;

/// Whether some kernel of the group calls a function whose last digit is CUDA's.
static bool callsLibrary(RandomGroup &group) {
  NestCollector collector;
  collector.add(group);
  std::vector<const LoopNest *> nests;
  std::vector<std::string> names;
  for (const Kernel *kernel : collector.kernels) {
    nests.push_back(&kernel->nest);
    names.push_back(kernel->name);
  }
  return llvm::is_contained(emitProgram(nests, names).callsLibrary, true);
}

static void compareOnGpu(RandomGroup::Contents contents) {
  std::string refused;
  CudaFuserOptions options;
  options.mode = CompileMode::Eager;
  options.cacheFolder = "";
  options.report = [&](const Status &status) { refused = messageOf(status).str(); };
  auto gpu = CudaGpu::open(options);
  INFO(messageOf(gpu.status()).str());
  REQUIRE(gpu.ok());
  std::shared_ptr<Fuser> fuser = (*gpu)->fuser();
  Context context;
  unsigned fused = 0, approximate = 0, inexact = 0;
  const unsigned first = numberIn("TSC_CUDA_FIRST_GROUP", 0), last = first + numberIn("TSC_CUDA_GROUPS", 40);
  for (unsigned seed = first; seed != last; ++seed) {
    RandomGroup group(context, seed, contents);
    std::shared_ptr<FusedGroup> code = group.expected.empty() ? nullptr : fuser->get(group.graph);
    if (!code)
      continue;
    INFO("seed " << seed << "\n" << describe(group));
    const bool isApproximate = callsLibrary(group);
    std::vector<IValue> inputs = group.inputs, results(group.expected.size());
    for (IValue &input : inputs)
      if (input.isTensor())
        input = IValue(*copyTensor(input.asTensor(), (*gpu)->memory()));
    auto ran = code->run(group.call, pointersTo(inputs), results.data());
    INFO(messageOf(ran.status()).str() << refused);
    CHECK(refused.empty());
    refused.clear();
    CHECK(ran.ok());
    if (!ran.ok() || !*ran)
      continue;
    ++fused;
    approximate += isApproximate;
    bool isExact = true;
    for (size_t i = 0; i != results.size(); ++i) {
      const Tensor &expected = group.expected[i].asTensor();
      StatusOr<Tensor> found = onHost(results[i].asTensor());
      INFO("output " << i);
      REQUIRE(found.ok());
      CHECK(found->dtype() == expected.dtype());
      REQUIRE(found->sizes() == expected.sizes());
      CHECK(found->strides() == expected.strides());
      const bool isSame = agrees(*found, expected);
      isExact &= isSame;
      if (!isSame && !isApproximate)
        FAIL_CHECK(toCppString(*found) << "\n" << toCppString(expected));
    }
    inexact += !isExact;
  }
  WARN(fused << " groups ran on " << (*gpu)->name() << ", " << approximate << " with functions of the library, "
             << inexact << " with other bits");
  CHECK(fused > 0);
}

TEST_CASE("FuserCUDA: groups on a GPU give what the operators give", "[.][gpu]") {
  compareOnGpu(RandomGroup::Contents::Elementwise);
}
TEST_CASE("FuserCUDA: groups with reductions on a GPU give what the operators give", "[.][gpu]") {
  compareOnGpu(RandomGroup::Contents::WithFolds);
}

TEST_CASE("FuserCUDA: a rank exchanges tensors with itself on this machine's GPU", "[.][nccl]") {
  CudaFuserOptions options;
  options.cacheFolder = "";
  if (const char *path = std::getenv("TSC_NCCL"))
    options.nccl = path;
  const Status done = exchangeAlone(options);
  INFO(messageOf(done).str());
  CHECK(done.ok());
}
