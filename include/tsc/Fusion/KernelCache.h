//===- KernelCache.h - Code by loop nest ------------------------*- C++ -*-===//
//
// One kernel for each nest that anybody asked for, in whatever graph it came up.
// Code is made when it is asked for, or on a thread of the cache's own, where the
// nests that wait are compiled together.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_KERNELCACHE_H
#define TSC_FUSION_KERNELCACHE_H

#include "tsc/Fusion/LoopNest.h"
#include "tsc/Runtime/Dispatch/Fuser.h"
#include "tsc/Support/BackgroundWorker.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>
#include <functional>
#include <mutex>

namespace tsc {
class TraceRecorder;
}

namespace tsc::fuser {

/// A nest and its code, if there is any yet. The cache owns it, and keeps it as long as it lives itself.
struct Kernel {
  LoopNest nest;
  std::string name; ///< The symbol of its code.
  std::atomic<const void *> code{
      nullptr}; ///< What the device calls; null before it is compiled, and for good when it could not be.
  /// Whether it was asked for. Becomes false again where whoever asked had too little stack or memory to compile it.
  std::atomic<bool> requested{false};

  /// Whether there is code.
  bool isReady() const { return code.load(std::memory_order_acquire); }
};

/// Makes the code of one device's kernels.
///
/// Threads: the functions may run at once for different kernels; for one kernel, one call at a time.
class KernelCompiler {
public:
  virtual ~KernelCompiler();
  /// Returns why nothing can be compiled now, if so. Called each time before anything is compiled. After
  /// ResourceExhausted the kernels are asked for again.
  virtual Status prepare() = 0;
  /// Gives the kernels that are stored on disk their code and returns the others.
  virtual std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> kernels) = 0;
  /// Compiles kernels and gives their code to those that it could compile; the status says why others have none.
  virtual Status generate(llvm::ArrayRef<Kernel *> kernels) = 0;
};

/// When a kernel cache compiles, for how long, and what it reports.
struct KernelCacheOptions {
  CompileMode mode = CompileMode::Background;
  /// Microseconds of one core for compiling. When they are spent, kernels are only loaded from disk.
  uint64_t maxCompileMicros = UINT64_MAX;
  /// Receives a span for each compilation, unless null; outlives the cache.
  TraceRecorder *trace = nullptr;
  /// Called once for each reason why kernels could not be compiled, by any thread.
  std::function<void(const Status &)> report;
};

/// Keeps one kernel for each loop nest and has it compiled at once or in the background, as `mode` says.
///
/// Threads: everything may be called from many threads at once.
class KernelCache {
public:
  /// Borrows the compiler and the counters, which outlive the cache.
  KernelCache(KernelCacheOptions options, KernelCompiler &compiler, FuserCounters &counters);

  /// Returns the kernel of a nest, with or without code. Compiles nothing.
  Kernel *find(LoopNest nest);
  /// Has those kernels compiled that were not requested before: in eager mode before it returns, in the background
  /// otherwise, and never where compiling is off.
  void request(llvm::ArrayRef<Kernel *> kernels);
  /// Starts the worker's thread anew in the child of a fork(2), where it is gone, for the kernels that waited at the
  /// time of the fork. Called whenever a kernel has no code; only the first call after a fork does something.
  void wakeAfterFork() { worker.wakeAfterFork(); }
  /// Waits until no requested kernel is left to compile.
  void drain();

private:
  void compile(llvm::ArrayRef<Kernel *> kernels);
  /// Calls `report`, unless it was called for the same reason before, whatever numbers the reason names.
  void reportOnce(const Status &why);
  void compileWaiting();

  const KernelCacheOptions options;
  KernelCompiler &compiler;
  FuserCounters &counters;
  std::mutex lock; ///< Guards what follows.
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  std::vector<Kernel *> waiting;
  llvm::StringSet<> reported; ///< Reasons why nothing could be compiled, without their numbers.
  BackgroundWorker worker;    ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
