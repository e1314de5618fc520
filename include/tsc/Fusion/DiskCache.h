//===- DiskCache.h - Kernels that outlive the process -----------*- C++ -*-===//
//
// A folder of object files, one name for each nest, or text of a program, on each kind
// of processor or GPU and each build of tsc. Nothing in it is needed: what is missing,
// foreign, cut short or changed is compiled anew.
//
// Processes:  any number may share a folder. A file appears whole, under its final
//             name, or not at all; the last writer of a name wins, with the same code.
// Size:       bounded; what was not used for longest goes first.
// Trust:      the folder must belong to the user, and nobody else may write to it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_DISKCACHE_H
#define TSC_FUSION_DISKCACHE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tsc::fuser {

/// An object file in memory, or a program of a GPU's, and the kernels in it, by symbol name.
struct KernelObject {
  std::vector<std::string> symbols;
  std::string bytes;
};

/// Kernels by the text of their nests, in one object.
struct StoredKernels {
  std::vector<std::string> nests; ///< One a symbol of the object.
  KernelObject object;
};

/// Threads: none; its owner sees to it that one thread at a time uses it.
class DiskCache {
public:
  /// `identity` is what code depends on besides its nest and the build. An empty folder, or one that is not the user's
  /// own, or a program without a build ID turns it off.
  DiskCache(std::string folder, const std::string &identity, uint64_t maxBytes);

  std::optional<StoredKernels> load(llvm::StringRef nest);
  void store(const StoredKernels &kernels);

private:
  std::string pathOf(llvm::StringRef nest) const;
  void removeOldest();

  std::string folder; ///< Empty: off.
  std::string identity;
  uint64_t maxBytes;
  uint64_t bytesSinceScan = 0;
  bool scanned = false;
};

/// tsc's folder in the user's cache folder; empty when there is none.
std::string defaultCacheFolder();

} // namespace tsc::fuser

#endif
