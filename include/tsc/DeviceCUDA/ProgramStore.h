//===- ProgramStore.h - Programs that outlive the process -------*- C++ -*-===//
#ifndef TSC_DEVICECUDA_PROGRAMSTORE_H
#define TSC_DEVICECUDA_PROGRAMSTORE_H

#include "tsc/Support/DiskCache.h"
#include <mutex>

namespace tsc::fuser {

/// The compiled programs of one GPU in the folder of the disk cache, which the fusers of all devices share.
///
/// Threads: everything may be called from many threads.
class ProgramStore {
public:
  /// `identity` is what a program depends on besides its text: the architecture, the driver and the compiler.
  ProgramStore(const std::string &folder, const std::string &identity, uint64_t maxBytes)
      : disk(folder, identity, maxBytes) {}
  /// Returns what DiskCache::refusal says.
  const Status &refusal() const { return disk.refusal(); }
  /// Returns the program of this text, or nothing.
  std::optional<StoredKernels> load(llvm::StringRef text) {
    std::lock_guard<std::mutex> guard(lock);
    return disk.load(text);
  }
  /// Writes a program.
  void store(const StoredKernels &kernels) {
    std::lock_guard<std::mutex> guard(lock);
    disk.store(kernels);
  }

private:
  std::mutex lock; ///< Guards what follows.
  DiskCache disk;
};

} // namespace tsc::fuser

#endif
