//===- MappedFile.h - A file as a span of memory ----------------*- C++ -*-===//
//
// Archives are mapped, not read: weights are touched when used, and processes
// that run the same model share its pages.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_MAPPEDFILE_H
#define TSC_SUPPORT_MAPPEDFILE_H

#include "tsc/Support/RefCounted.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"

namespace tsc {

/// What may be done with the bytes of a mapped file.
enum class MapAccess {
  ReadOnly,
  /// Writes go to private copies of pages and never to the file.
  CopyOnWrite,
};

/// Maps a whole file into memory, for as long as a reference to it lives.
///
/// Errors:     a file that does not exist is NotFound; one that is no regular file, or cannot be mapped, is
///             InvalidArgument.
/// Limits:     a file that another process truncates while it is mapped raises SIGBUS on access.
class MappedFile final : public RefCounted {
public:
  /// Maps the file at a path. An empty file has no bytes and is no error.
  static StatusOr<Ref<MappedFile>> open(const std::string &path, MapAccess access = MapAccess::ReadOnly);
  ~MappedFile() override;

  llvm::StringRef bytes() const { return {static_cast<const char *>(address), length}; }
  const char *data() const { return static_cast<const char *>(address); }
  /// Returns the bytes for writing; null unless the file was mapped with CopyOnWrite.
  char *mutableData() const { return writable ? static_cast<char *>(address) : nullptr; }
  size_t size() const { return length; }

private:
  MappedFile(void *address, size_t length, bool writable) : address(address), length(length), writable(writable) {}
  void *address;
  size_t length;
  bool writable;
};

} // namespace tsc

#endif
