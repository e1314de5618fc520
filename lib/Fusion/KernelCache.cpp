//===- KernelCache.cpp - Code by loop nest --------------------------------===//
#include "tsc/Fusion/KernelCache.h"
#include "tsc/Support/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include <time.h>

using namespace tsc;
using namespace tsc::fuser;

KernelCompiler::~KernelCompiler() = default;

KernelCache::KernelCache(KernelCacheOptions given, KernelCompiler &compiler, FuserCounters &counters)
    : options(std::move(given)), compiler(compiler), counters(counters), worker("kernels", options.trace) {}

Kernel *KernelCache::find(LoopNest nest) {
  std::string text = nest.text();
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<Kernel> &kernel = kernels[text];
  if (kernel) {
    counters.cacheHits.fetch_add(1, std::memory_order_relaxed);
  } else {
    auto made = std::make_unique<Kernel>();
    made->name = nest.symbolName();
    made->nest = std::move(nest);
    kernel = std::move(made);
  }
  return kernel.get();
}

void KernelCache::request(llvm::ArrayRef<Kernel *> wanted) {
  if (options.mode == CompileMode::Off)
    return;
  std::vector<Kernel *> missing;
  for (Kernel *kernel : wanted) {
    assert(kernel && "find() has made the kernel");
    if (!kernel->requested.exchange(true))
      missing.push_back(kernel);
  }
  if (options.mode == CompileMode::Eager) {
    if (!missing.empty())
      compile(missing);
    return;
  }
  if (missing.empty())
    return;
  {
    std::lock_guard<std::mutex> guard(lock);
    waiting.insert(waiting.end(), missing.begin(), missing.end());
  }
  // Without a thread they wait, and their groups run as plain nodes, until a later request finds one.
  (void)worker.post([this] { compileWaiting(); });
}

/// All that wait are compiled together; the tasks of those that came along find nothing to do.
void KernelCache::compileWaiting() {
  std::vector<Kernel *> batch;
  {
    std::lock_guard<std::mutex> guard(lock);
    batch = std::exchange(waiting, {});
  }
  if (!batch.empty())
    compile(batch);
}

void KernelCache::drain() { worker.drain(); }

/// Of the processor, for this thread.
static uint64_t microsSpent() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_nsec) / 1000;
}

void KernelCache::compile(llvm::ArrayRef<Kernel *> batch) {
  // Where the stack or the memory of just this call is too small, the next one asks for them again.
  auto askAgain = llvm::make_scope_exit([&] {
    for (Kernel *kernel : batch)
      kernel->requested.store(false, std::memory_order_relaxed);
  });
  if (Status status = compiler.prepare(); !status.ok()) {
    if (status.code() != StatusCode::ResourceExhausted)
      askAgain.release();
    reportOnce(status);
    return;
  }
  std::vector<Kernel *> missing = compiler.load(batch);
  if (missing.empty() || counters.compileMicros >= options.maxCompileMicros)
    return askAgain.release();
  uint64_t start = microsSpent();
  std::string names;
  for (Kernel *kernel : missing)
    names += (names.empty() ? "" : ", ") + kernel->name;
  TraceScope span(options.trace, "compile", names);
  if (Status status = compiler.generate(missing); status.ok())
    counters.compilations += missing.size();
  else
    reportOnce(status);
  askAgain.release();
  counters.compileMicros += microsSpent() - start;
}

void KernelCache::reportOnce(const Status &why) {
  // A reason may say how much there is of something, which is another number each time.
  std::string reason = messageOf(why).str();
  llvm::erase_if(reason, llvm::isDigit);
  {
    std::lock_guard<std::mutex> guard(lock);
    if (!reported.insert(reason).second)
      return;
  }
  if (options.report)
    options.report(why);
}
