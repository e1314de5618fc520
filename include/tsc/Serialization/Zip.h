//===- Zip.h - Reading and writing zip files --------------------*- C++ -*-===//
//
// What PyTorch writes: stored entries (aligned) and deflated ones, zip64, no
// encryption, no spanning. Reading works on memory that somebody keeps alive,
// usually a mapped file; a stored entry is a slice of it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SERIALIZATION_ZIP_H
#define TSC_SERIALIZATION_ZIP_H

#include "tsc/Support/RefCounted.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace tsc {

/// Bytes, and who keeps them alive.
struct Bytes {
  llvm::StringRef data;
  Ref<RefCounted> keeper;
};

/// The entries of a zip file.
///
/// Ownership: shares the keeper of the bytes it was opened on.
/// Limits:    what is inflated is at most 64 MiB plus 32 times the file's size over the reader's life, so that memory
///            stays in proportion to the file.
/// Errors:    anything malformed is DataLoss; a name that is not there, NotFound.
/// Threads:   entries may be read by many threads at once.
class ZipReader {
public:
  static StatusOr<ZipReader> open(Bytes file);
  /// Whether the bytes start or end as a zip file does.
  static bool looksLikeZip(llvm::StringRef bytes);

  /// In the order of the directory.
  llvm::ArrayRef<std::string> names() const { return order; }
  bool contains(llvm::StringRef name) const { return entries.count(name); }
  /// The contents, checked against the entry's CRC.
  StatusOr<Bytes> read(llvm::StringRef name);

private:
  struct Entry {
    uint64_t headerOffset, compressedSize, size;
    uint32_t crc;
    uint16_t method, flags;
  };
  Status readDirectory();
  Status spend(uint64_t bytes);
  StatusOr<Bytes> inflate(llvm::StringRef compressed, const Entry &entry);

  Bytes file;
  llvm::StringMap<Entry> entries;
  std::vector<std::string> order;
  /// Bytes that may still be read; entries that overlap are counted each. Threads may read at once, each another entry.
  std::unique_ptr<std::atomic<uint64_t>> budget;
};

/// Writes a zip file of stored entries, each starting at a multiple of 64 bytes, with fixed dates: equal contents give
/// equal files. Files over 4 GiB get zip64 records.
class ZipWriter {
public:
  void add(llvm::StringRef name, llvm::StringRef data);
  /// Says that about so many bytes are to come, so that a large file is not copied as it grows.
  void reserve(uint64_t bytes);
  /// The file. The writer is empty afterwards.
  std::string finish();

private:
  struct Written {
    std::string name;
    uint64_t offset, size;
    uint32_t crc;
  };
  std::string out;
  std::vector<Written> written;
};

} // namespace tsc

#endif
