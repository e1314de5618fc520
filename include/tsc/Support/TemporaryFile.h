//===- TemporaryFile.h - A file that is not whole yet -----------*- C++ -*-===//
//
// Who replaces a file writes another one beside it and renames that. A writer that
// is killed leaves it behind, where nobody would ever remove it. So a writer holds
// a lock (flock) on its file until it has its final name, and the system takes the
// lock away with the process: whoever gets the lock of such a file knows that its
// writer is gone.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_TEMPORARYFILE_H
#define TSC_SUPPORT_TEMPORARYFILE_H

#include "tsc/Support/Descriptor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include <string>
#include <sys/types.h>

namespace tsc {

/// A file that is being written, locked by its writer. The destructor removes it unless it was renamed.
class TemporaryFile {
public:
  /// Makes the file `name` in a folder, whose descriptor must stay open for as long as this object lives. Gives
  /// file_exists where there is one of that name: the writer takes another name.
  static llvm::ErrorOr<TemporaryFile> create(int folder, std::string name, mode_t mode);
  TemporaryFile(TemporaryFile &&) = default;
  TemporaryFile &operator=(TemporaryFile &&) = delete;
  ~TemporaryFile();

  /// Writes all of the bytes. It also fails where the file system says only at closing that it has no room.
  std::error_code write(llvm::StringRef bytes);
  /// Gives the file its final name in the same folder, in place of the file that has it.
  std::error_code replace(const std::string &finalName);
  /// Gives the file its final name where no file has it; else fails with file_exists. On a file system that cannot do
  /// so in one step, it does what `replace` does.
  std::error_code renameToNew(const std::string &finalName);

private:
  TemporaryFile(int folder, std::string name, Descriptor file)
      : folder(folder), name(std::move(name)), file(std::move(file)) {}
  int folder;
  std::string name; ///< The name before it is renamed; meaningless without a descriptor.
  Descriptor file;
};

/// Removes a TemporaryFile whose writer is gone: a regular file of the caller's, without other names, that nobody has
/// locked. Returns whether it did.
bool removeIfAbandoned(int folder, const std::string &name);

} // namespace tsc

#endif
