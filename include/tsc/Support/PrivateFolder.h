//===- PrivateFolder.h - A folder that nobody else can change ---*- C++ -*-===//
//
// What a process runs or believes because it lies in some folder must have been put
// there by its own user. A path does not tell: whoever can write to one of the
// folders above it can put another one in its place. So the path is walked once, from
// the root down, and each folder and link on the way is checked as it is opened; from
// then on the folder is known by its descriptor, and files in it are looked at after
// they are opened, never before.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_PRIVATEFOLDER_H
#define TSC_SUPPORT_PRIVATEFOLDER_H

#include "tsc/Support/Descriptor.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <sys/stat.h>

namespace tsc {

/// A folder of the caller's (its effective user) that nobody else can write to, and whose path nobody but the caller
/// and root can lead elsewhere. It holds a descriptor.
///
/// Threads: every function may be called from many threads at once. Names of files have no slashes.
class PrivateFolder {
public:
  /// Opens a folder. It and the folders above it are made where they are missing, for the caller alone. Each folder
  /// above must belong to the caller or to root, and be writable to nobody else, or be one whose entries are their
  /// owners' alone (sticky, as /tmp is). The same holds for the target of a link, which itself must be the caller's or
  /// root's.
  ///
  /// Errors: PermissionDenied where that is not so, which names the folder; NotFound where the folder is not there and
  ///         cannot be made.
  static StatusOr<PrivateFolder> open(llvm::StringRef path);

  int descriptor() const { return folder.get(); }
  /// Returns the bytes of a regular file that belongs to the caller, has no other name, and none of the permissions
  /// `forbidden`, and sets its times to now. It waits for nothing, whatever has that name. NotFound where the file
  /// cannot be opened; PermissionDenied where it is not such a file; ResourceExhausted where it is longer than
  /// `maxBytes`.
  StatusOr<std::string> read(const std::string &name, mode_t forbidden, uint64_t maxBytes) const;
  /// Removes a file, if it can.
  void remove(const std::string &name) const;
  /// Calls `visit` with the name and the status of each regular file. Files that come or go meanwhile may be left out.
  void forEachFile(llvm::function_ref<void(const std::string &name, const struct stat &status)> visit) const;

private:
  explicit PrivateFolder(Descriptor folder) : folder(std::move(folder)) {}
  Descriptor folder;
};

} // namespace tsc

#endif
