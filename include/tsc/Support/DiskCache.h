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
#ifndef TSC_SUPPORT_DISKCACHE_H
#define TSC_SUPPORT_DISKCACHE_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tsc {

/// Compiled kernels in memory: an object file or a GPU's program, and the symbol of each kernel in it.
struct KernelObject {
  std::vector<std::string> symbols;
  std::string bytes;
};

/// The kernels of one file of the cache.
struct StoredKernels {
  std::vector<std::string> nests; ///< The texts of the kernels' nests, in the order of the symbols.
  KernelObject object;
};

/// A folder in which compiled kernels outlive the process.
///
/// Threads: one at a time.
/// Errors:  what cannot be read is not found, and what cannot be written is not kept; see also refusal().
class DiskCache {
public:
  /// `identity` names what code depends on besides its nest and the build of tsc, such as the processor. The files take
  /// about `maxBytes` bytes at most. The cache is off, and neither loads nor stores, when `folder` is empty or cannot
  /// be opened as the user's own, or when the program has no build ID.
  DiskCache(const std::string &folder, const std::string &identity, uint64_t maxBytes);
  ~DiskCache();

  /// Returns PermissionDenied, with the reason, where the cache is off because others than the user could put code into
  /// the folder, and OK in all other cases.
  const Status &refusal() const { return refused; }
  /// Returns the stored kernels among which is that of the nest with this text, or nothing. Removes a damaged file.
  std::optional<StoredKernels> load(llvm::StringRef nest);
  /// Writes kernels, at least one, and now and then removes the files that were not used for longest.
  void store(const StoredKernels &kernels);

private:
  struct Folder;
  static StatusOr<std::shared_ptr<const Folder>> open(const std::string &path);
  std::string nameOf(llvm::StringRef nest) const;
  std::string sealed(llvm::StringRef body) const;
  std::optional<StoredKernels> read(const std::string &name) const;
  void write(const std::string &name, const StoredKernels &kernels);
  void removeOldest();

  std::shared_ptr<const Folder>
      folder; ///< Shared by all caches of the process that use it; null when the cache is off.
  Status refused;
  std::string identity;
  uint64_t maxBytes;
  uint64_t bytesSinceScan = 0;
  bool scanned = false;
};

/// Returns tsc's folder in the user's cache folder. The result is empty when the user has none, and in a program that
/// runs with other rights than those of who started it (setuid), for which the environment must not choose code.
std::string defaultCacheFolder();

} // namespace tsc

#endif
