//===- NvrtcTest.cpp - Generated kernels compile for GPUs -----------------===//
//
// NVRTC needs no GPU. Where it is not installed the tests say so and pass.
//
//===----------------------------------------------------------------------===//
#include "../../lib/FuserCUDA/CudaCompiler.h"
#include "../Fusion/RandomGroups.h"
#include "NestCollector.h"
#include <ctime>

using namespace tsc;
using namespace tsc::fuser;

TEST_CASE("FuserCUDA: a missing NVRTC is an error that names it") {
  auto missing = Nvrtc::open("/nowhere/libnvrtc.so");
  REQUIRE(!missing.ok());
  CHECK_THAT(messageOf(missing.status()).str(), Catch::Contains("NVRTC, CUDA's runtime compiler, is not there"));
}

/// Of one core, whatever else the machine does.
static double processMillis() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

TEST_CASE("FuserCUDA: kernels compile for three architectures") {
  auto nvrtc = Nvrtc::open("");
  if (!nvrtc.ok()) {
    WARN("not tested: " << messageOf(nvrtc.status()).str());
    return;
  }
  Context context;
  NestCollector collector;
  const unsigned numGroups = numberIn("TSC_CUDA_GROUPS", 8);
  for (unsigned seed = 0; seed != numGroups; ++seed)
    for (auto contents : {RandomGroup::Contents::Elementwise, RandomGroup::Contents::WithFolds}) {
      RandomGroup group(context, seed, contents);
      if (!group.expected.empty())
        collector.add(group);
    }
  for (const char *architecture : {"sm_80", "sm_90", "sm_100"}) {
    std::vector<double> times;
    for (Kernel *kernel : collector.kernels) {
      const LoopNest *nest = &kernel->nest;
      EmittedProgram program = emitProgram(nest, kernel->name);
      if (!program.hasCode[0])
        continue;
      INFO(architecture << "\n" << program.text);
      const double start = processMillis();
      auto made = (*nvrtc)->compile(program.text, architecture, Nvrtc::Output::Cubin, effortFor(architecture, nest));
      times.push_back(processMillis() - start);
      INFO(messageOf(made.status()).str());
      REQUIRE(made.ok());
      CHECK(made->size() > 100);
    }
    REQUIRE(!times.empty());
    llvm::sort(times);
    WARN(times.size() << " compilations for " << architecture << ": median " << times[times.size() / 2]
                      << " ms, longest " << times.back() << " ms");
  }
}
