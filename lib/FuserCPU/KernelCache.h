//===- KernelCache.h - Machine code by loop nest ----------------*- C++ -*-===//
//
// One kernel for each nest that anybody asked for, in whatever graph it came up.
// Code is made when it is asked for, or on a thread of the cache's own, where the
// nests that wait become one module.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_KERNELCACHE_H
#define TSC_LIB_FUSERCPU_KERNELCACHE_H

#include "DiskCache.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/Support/BackgroundWorker.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <mutex>

namespace tsc::fuser {

/// Lives as long as its cache.
struct Kernel {
  LoopNest nest;
  std::string name;                              ///< Its symbol.
  std::atomic<KernelFunction> function{nullptr}; ///< Null until there is code; forever when it could not be made.
  std::atomic<bool> requested{false};
};

/// Threads: everything may be called from many threads.
class KernelCache {
public:
  KernelCache(const CpuFuserOptions &options, FuserCounters &counters);

  /// The kernel of a nest, with or without code.
  Kernel *find(LoopNest nest);
  /// Sees to it that there will be code for these: at once in eager mode.
  void request(llvm::ArrayRef<Kernel *> kernels);
  /// Waits until nothing is left to compile.
  void drain();

private:
  void compile(llvm::ArrayRef<Kernel *> kernels);
  /// Takes from disk what is there; returns the rest.
  std::vector<Kernel *> loadFromDisk(llvm::ArrayRef<Kernel *> kernels);
  Status generate(llvm::ArrayRef<Kernel *> kernels);
  void give(Kernel &kernel, KernelFunction function);
  void print(const Kernel &kernel);
  void report(const Status &why);
  Jit *jit();
  void compileWaiting();

  const CpuFuserOptions options;
  FuserCounters &counters;
  std::mutex lock; ///< Of what follows.
  llvm::StringMap<std::unique_ptr<Kernel>> kernels;
  std::vector<Kernel *> waiting;

  std::once_flag jitMade, jitReported, roomReported;
  std::unique_ptr<Jit> machine;
  Status jitStatus; ///< Why there is no machine, once it was asked for.
  std::mutex diskLock;
  std::unique_ptr<DiskCache> disk; ///< Made with the machine.
  BackgroundWorker worker;         ///< Last: it uses all of the above.
};

} // namespace tsc::fuser

#endif
