//===- FileAccess.h - Files that a running program may touch ----*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_FILEACCESS_H
#define TSC_RUNTIME_DISPATCH_FILEACCESS_H

#include "tsc/Support/Status.h"
#include <string>

namespace tsc {

class Context;
class IValue;

/// The host's access to files for a program's operators on files (Runtime/Dispatch/Ops/Files.h).
///
/// Errors: messages name the path. A file is written beside its place and renamed, so that after a failure the old one
///         is there as it was.
class FileAccess {
public:
  virtual ~FileAccess();
  /// Writes a file that torch.load reads.
  virtual Status saveValue(const IValue &value, const std::string &path) = 0;
  /// Reads a file that torch.save wrote.
  virtual StatusOr<IValue> loadValue(Context &context, const std::string &path) = 0;
  /// Writes a file that holds the text.
  virtual Status writeText(const std::string &text, const std::string &path) = 0;
  /// Returns the bytes of a file.
  virtual StatusOr<std::string> readText(const std::string &path) = 0;
  /// Whether there is a file or folder at `path`.
  virtual bool exists(const std::string &path) = 0;
};

} // namespace tsc

#endif
