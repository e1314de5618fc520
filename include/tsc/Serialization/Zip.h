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

/// A piece of memory with the object that keeps it alive. Without a keeper, the memory has to outlive those who use it.
struct Bytes {
  llvm::StringRef data;
  Ref<RefCounted> keeper;
};

/// Reads the entries of a zip file.
///
/// Ownership: shares the keeper of the bytes it was opened on.
/// Limits:    all entries that are read over the reader's life have together at most 64 MiB plus 32 times the file's
///            size, so that time and memory stay in proportion to the file.
/// Errors:    a malformed file is DataLoss, a name that is not there is NotFound, and reading beyond the limit is
///            ResourceExhausted.
/// Threads:   entries may be read by many threads at once.
class ZipReader {
public:
  /// Reads the directory of the file, and none of its contents.
  static StatusOr<ZipReader> open(Bytes file);
  /// Whether the bytes start as a zip file does, with an entry or, where it has none, with its end record.
  static bool looksLikeZip(llvm::StringRef bytes);

  /// Returns the names of the entries in the order of the directory, each once.
  llvm::ArrayRef<std::string> names() const { return order; }
  bool contains(llvm::StringRef name) const { return entries.count(name); }
  /// Returns an entry's contents, checked against its CRC. A stored entry is a slice of the file; a deflated one is
  /// inflated to new memory.
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
  /// The number of bytes that may still be read. Each read counts, also of entries that overlap.
  std::unique_ptr<std::atomic<uint64_t>> budget;
};

/// Writes a zip file of stored entries, each starting at a multiple of 64 bytes, with fixed dates: equal contents give
/// equal files. Files over 4 GiB get zip64 records.
class ZipWriter {
public:
  /// The most bytes that the name of an entry may have.
  static constexpr size_t longestName = 0xFFFF;
  /// Adds an entry, whose name has at most longestName bytes.
  void add(llvm::StringRef name, llvm::StringRef data);
  /// Makes room for `bytes` more bytes, so that a large file is not copied as it grows.
  void reserve(uint64_t bytes);
  /// Writes the directory and returns the bytes of the file. The writer is empty afterwards.
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
