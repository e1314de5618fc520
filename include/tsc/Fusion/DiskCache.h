//===- DiskCache.h - Kernels that outlive the process -----------*- C++ -*-===//
//
// A folder of object files, one name for each nest, or text of a program, on each kind
// of processor or GPU and each build of tsc. Nothing in it is needed: what is missing,
// foreign, cut short or changed is compiled anew.
//
// Processes:  any number may share a folder. A file appears whole, under its final
//             name, or not at all; the last writer of a name wins, with the same code.
// Size:       bounded; what was not used for longest goes first.
// Trust:      what it gives is run. The folder must be the user's alone (PrivateFolder.h),
//             and so must each file; a file is believed when its tag is right under a key
//             that lies in the folder, for the user's eyes alone.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_DISKCACHE_H
#define TSC_FUSION_DISKCACHE_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
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
  DiskCache(const std::string &folder, const std::string &identity, uint64_t maxBytes);
  ~DiskCache();

  /// PermissionDenied where nothing is kept because others could put code into the folder; says how. OK where it is on,
  /// and where there is just no folder.
  const Status &refusal() const { return refused; }
  std::optional<StoredKernels> load(llvm::StringRef nest);
  void store(const StoredKernels &kernels);

private:
  struct Folder;
  static StatusOr<std::shared_ptr<const Folder>> open(const std::string &path);
  std::string nameOf(llvm::StringRef nest) const;
  std::string sealed(llvm::StringRef body) const;
  std::optional<StoredKernels> read(const std::string &name) const;
  void write(const std::string &name, const StoredKernels &kernels);
  void removeOldest();

  std::shared_ptr<const Folder> folder; ///< One for all caches of the process in it; null: off.
  Status refused;
  std::string identity;
  uint64_t maxBytes;
  uint64_t bytesSinceScan = 0;
  bool scanned = false;
};

/// tsc's folder in the user's cache folder; empty when there is none, and in a program that runs with other rights than
/// those of who started it (setuid): the environment is not to pick code for it.
std::string defaultCacheFolder();

} // namespace tsc::fuser

#endif
