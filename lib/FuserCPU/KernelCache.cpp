//===- KernelCache.cpp - Machine code by loop nest ------------------------===//
#include "KernelCache.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace tsc;
using namespace tsc::fuser;

KernelCache::KernelCache(const CpuFuserOptions &options, FuserCounters &counters) : options(options), counters(counters) {}

KernelCache::~KernelCache() {
  {
    std::lock_guard<std::mutex> guard(lock);
    stops = true;
  }
  wake.notify_all();
  if (worker.joinable())
    worker.join();
}

Jit *KernelCache::jit() {
  std::call_once(jitMade, [this] {
    auto made = Jit::create();
    if (made.ok())
      machine = std::move(*made);
  });
  return machine.get();
}

Kernel *KernelCache::find(LoopNest nest) {
  std::string text = nest.text();
  std::lock_guard<std::mutex> guard(lock);
  std::unique_ptr<Kernel> &kernel = kernels[text];
  if (kernel) {
    counters.cacheHits.fetch_add(1, std::memory_order_relaxed);
  } else {
    kernel = std::make_unique<Kernel>();
    kernel->nest = std::move(nest);
  }
  return kernel.get();
}

void KernelCache::request(llvm::ArrayRef<Kernel *> wanted) {
  if (options.mode == CompileMode::Off)
    return;
  std::vector<Kernel *> missing;
  for (Kernel *kernel : wanted)
    if (!kernel->requested.exchange(true))
      missing.push_back(kernel);
  if (options.mode == CompileMode::Eager) {
    if (!missing.empty())
      compile(missing);
    return;
  }
  if (missing.empty())
    return;
  std::lock_guard<std::mutex> guard(lock);
  queue.insert(queue.end(), missing.begin(), missing.end());
  if (!worker.joinable())
    worker = std::thread([this] { work(); });
  wake.notify_one();
}

void KernelCache::work() {
  std::unique_lock<std::mutex> guard(lock);
  while (true) {
    wake.wait(guard, [this] { return stops || !queue.empty(); });
    if (stops)
      return;
    std::vector<Kernel *> batch = std::move(queue);
    queue.clear();
    isWorking = true;
    guard.unlock();
    compile(batch);
    guard.lock();
    isWorking = false;
    idle.notify_all();
  }
}

void KernelCache::drain() {
  std::unique_lock<std::mutex> guard(lock);
  idle.wait(guard, [this] { return queue.empty() && !isWorking; });
}

void KernelCache::compile(llvm::ArrayRef<Kernel *> batch) {
  auto start = std::chrono::steady_clock::now();
  auto giveUp = [&](const Status &status) {
    for (Kernel *kernel : batch)
      kernel->failed = true;
    if (options.report)
      options.report(status);
  };
  if (!jit())
    return giveUp(unimplemented("no vector code for this processor"));
  std::vector<const LoopNest *> nests;
  for (Kernel *kernel : batch)
    nests.push_back(&kernel->nest);
  auto object = jit()->compile(nests);
  if (!object.ok())
    return giveUp(object.status());
  auto functions = jit()->link(*object);
  if (!functions.ok())
    return giveUp(functions.status());
  for (auto [kernel, function] : llvm::zip(batch, *functions)) {
    kernel->failed = !function;
    kernel->function.store(function, std::memory_order_release);
    print(*kernel);
  }
  counters.compilations += batch.size();
  auto elapsed = std::chrono::steady_clock::now() - start;
  counters.compileMicros += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(elapsed).count());
}

void KernelCache::print(const Kernel &kernel) {
  if (options.printKernels == PrintKernels::None)
    return;
  llvm::raw_ostream &os = llvm::outs();
  os << "# " << kernel.nest.symbolName() << "\n";
  if (options.printKernels == PrintKernels::Loops) {
    kernel.nest.print(os);
    return;
  }
  auto text = jit()->printed(kernel.nest, options.printKernels == PrintKernels::Asm);
  os << (text.ok() ? *text : std::string(text.status().message())) << "\n";
}
