//===- FileAccess.h - Files that a running program may touch ----*- C++ -*-===//
#ifndef TSC_RUNTIME_FILEACCESS_H
#define TSC_RUNTIME_FILEACCESS_H

#include "tsc/Support/Status.h"
#include <string>

namespace tsc {

class Context;
class IValue;

/// What operators on files ask of the host.
///
/// Errors: name the path. A file is written beside its place and renamed: after a failure the old one is there as it
/// was.
class FileAccess {
public:
  virtual ~FileAccess();
  /// As torch.save and torch.load write and read values.
  virtual Status saveValue(const IValue &value, const std::string &path) = 0;
  virtual StatusOr<IValue> loadValue(Context &context, const std::string &path) = 0;
  virtual Status writeText(const std::string &text, const std::string &path) = 0;
  virtual StatusOr<std::string> readText(const std::string &path) = 0;
  virtual bool exists(const std::string &path) = 0;
};

} // namespace tsc

#endif
