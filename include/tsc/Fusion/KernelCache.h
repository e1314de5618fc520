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
#include "tsc/Runtime/Fuser.h"
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

/// Lives as long as its cache.
struct Kernel {
  LoopNest nest;
  std::string name;                        ///< Its symbol.
  std::atomic<const void *> code{nullptr}; ///< What the device calls. Null until it is there; forever when it could not
                                           ///< be made.
  /// Whether it was asked for. False again where the one who asked had too little stack or memory to compile it.
  std::atomic<bool> requested{false};

  bool isReady() const { return code.load(std::memory_order_acquire); }
};

/// Makes the code of one device's kernels.
///
/// Threads: one call at a time for each kernel; the functions may run at once for others.
class KernelCompiler {
public:
  virtual ~KernelCompiler();
  /// Called before anything is compiled, each time: why nothing can be now.
  virtual Status prepare() = 0;
  /// Gives their code to those that are stored; returns the rest.
  virtual std::vector<Kernel *> load(llvm::ArrayRef<Kernel *> kernels) = 0;
  /// Compiles, and gives their code to those that it can.
  virtual Status generate(llvm::ArrayRef<Kernel *> kernels) = 0;
};

struct KernelCacheOptions {
  CompileMode mode = CompileMode::Background;
  /// Time of one core for compiling. When it is spent, only what is stored is loaded.
  uint64_t maxCompileMicros = UINT64_MAX;
  /// Receives a span for each compilation; outlives the cache.
  TraceRecorder *trace = nullptr;
  /// Hears once of each reason why kernels could not be compiled. May be called from another thread.
  std::function<void(const Status &)> report;
};

/// Threads: everything may be called from many threads.
class KernelCache {
public:
  /// The compiler and the counters outlive the cache.
  KernelCache(KernelCacheOptions options, KernelCompiler &compiler, FuserCounters &counters);

  /// The kernel of a nest, with or without code.
  Kernel *find(LoopNest nest);
  /// Sees to it that there will be code for these: at once in eager mode.
  void request(llvm::ArrayRef<Kernel *> kernels);
  /// Called where a kernel has no code. In the child of a fork(2) the worker's thread is gone: the first call of this
  /// starts it anew for the kernels that waited at the time of the fork.
  void wakeAfterFork() { worker.wakeAfterFork(); }
  /// Waits until nothing is left to compile.
  void drain();

private:
  void compile(llvm::ArrayRef<Kernel *> kernels);
  /// Tells the host, unless it has heard of the same reason, whatever numbers it names.
  void reportOnce(const Status &why);
  void compileWaiting();

  const KernelCacheOptions options;
  KernelCompiler &compiler;
  FuserCounters &counters;
  std::mutex lock; ///< Of what follows.
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  std::vector<Kernel *> waiting;
  llvm::StringSet<> reported; ///< Reasons why nothing could be compiled, without their numbers.
  BackgroundWorker worker;    ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
