//===- ArchiveStorages.h - Storages kept in a zip file ----------*- C++ -*-===//
#ifndef TSC_LIB_SERIALIZATION_ARCHIVESTORAGES_H
#define TSC_LIB_SERIALIZATION_ARCHIVESTORAGES_H

#include "tsc/IR/IValue.h"
#include "tsc/Serialization/Zip.h"
#include "llvm/ADT/StringMap.h"

namespace tsc {

/// Kernels take a bool's byte to be 0 or 1, but a file may hold any: turns each other into 1.
void tidyBools(void *bytes, size_t count);

/// The storages of one pickle of an archive. Tensors that name the same key share one storage, which borrows the mapped
/// file where alignment and byte order allow. Bools have one apart from that of other dtypes: a write to a number must
/// not make a byte that is no bool.
class ArchiveStorages {
public:
  /// `folder` ends with a slash: "model/data/".
  ArchiveStorages(ZipReader &zip, std::string folder, bool bigEndian)
      : zip(zip), folder(std::move(folder)), bigEndian(bigEndian) {
    assert(llvm::StringRef(this->folder).ends_with("/") && "the name of an entry follows its folder's");
  }
  /// `location` is the device that had it; a storage of the meta device has no bytes and is read as zeros.
  StatusOr<Ref<Storage>> get(llvm::StringRef key, DType dtype, uint64_t byteCount, llvm::StringRef location);
  /// All of the entry.
  StatusOr<Ref<Storage>> get(llvm::StringRef key, DType dtype);

private:
  StatusOr<Ref<Storage>> make(llvm::StringRef key, DType dtype, const Bytes &bytes, uint64_t byteCount);
  ZipReader &zip;
  std::string folder;
  bool bigEndian;
  uint64_t metaBytes = 0; ///< The bytes that storages of the meta device say they have, so far.
  /// The storages that are read already: those of bools, or those of the other dtypes.
  llvm::StringMap<Ref<Storage>> &storagesOf(DType dtype) { return dtype == DType::Bool ? bools : storages; }
  llvm::StringMap<Ref<Storage>> storages, bools;
};

/// "model/" for an archive whose entries are "model/data.pkl" and so on.
StatusOr<std::string> archivePrefix(const ZipReader &zip);
/// Whether the archive was written on a big-endian machine. `prefix` is its archivePrefix().
StatusOr<bool> isBigEndian(ZipReader &zip, llvm::StringRef prefix);

} // namespace tsc

#endif
