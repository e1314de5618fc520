//===- KernelCacheTest.cpp - Who asks for code, and who asks again --------===//
#include "tsc/Fusion/KernelCache.h"
#include <catch2/catch.hpp>
#include <new>
#include <optional>

using namespace tsc;
using namespace tsc::fuser;

namespace {
/// Compiles what it is asked for, unless a reason is set why nothing can be now.
class Compiler final : public KernelCompiler {
public:
  Status prepare() override {
    ++numAsked;
    return why;
  }
  std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> kernels) override {
    if (throws)
      throw std::bad_alloc();
    return kernels.vec();
  }
  Status generate(llvm::ArrayRef<Kernel *> kernels) override {
    for (Kernel *kernel : kernels)
      kernel->code = this;
    return okStatus();
  }

  Status why;
  bool throws = false;
  int numAsked = 0;
};

struct EagerCache {
  EagerCache() {
    KernelCacheOptions options;
    options.mode = CompileMode::Eager;
    options.report = [this](const Status &status) { reports.push_back(messageOf(status).str()); };
    cache.emplace(std::move(options), compiler, counters);
    kernel = cache->find(LoopNest());
  }

  Compiler compiler;
  FuserCounters counters;
  std::vector<std::string> reports;
  std::optional<KernelCache> cache;
  Kernel *kernel;
};
} // namespace

TEST_CASE("KernelCache: what the stack or memory of one call was too small for is compiled for a later one") {
  EagerCache eager;
  for (int left : {12, 20, 7}) {
    eager.compiler.why = resourceExhausted("needs 256 kB of stack, and this thread has " + std::to_string(left));
    eager.cache->request({eager.kernel});
    CHECK(!eager.kernel->isReady());
  }
  CHECK(eager.compiler.numAsked == 3);
  // However much was left each time, it is one reason.
  CHECK(eager.reports == std::vector<std::string>{"needs 256 kB of stack, and this thread has 12"});
  eager.compiler.why = okStatus();
  eager.cache->request({eager.kernel});
  CHECK(eager.kernel->isReady());
  CHECK(eager.counters.compilations == 1);
}

TEST_CASE("KernelCache: a kernel during whose compilation memory ran out is asked for again") {
  EagerCache eager;
  eager.compiler.throws = true;
  CHECK_THROWS_AS(eager.cache->request({eager.kernel}), std::bad_alloc);
  eager.compiler.throws = false;
  eager.cache->request({eager.kernel});
  CHECK(eager.kernel->isReady());
}

TEST_CASE("KernelCache: where no processor like this one can be compiled for, nobody asks twice") {
  EagerCache eager;
  eager.compiler.why = unimplemented("the processor has no AVX2");
  for (int i = 0; i != 3; ++i)
    eager.cache->request({eager.kernel});
  CHECK(eager.compiler.numAsked == 1);
  CHECK(eager.reports.size() == 1);
}
