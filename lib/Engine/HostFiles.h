//===- HostFiles.h - The machine's files, for programs ----------*- C++ -*-===//
#ifndef TSC_LIB_ENGINE_HOSTFILES_H
#define TSC_LIB_ENGINE_HOSTFILES_H

#include "tsc/Runtime/Dispatch/FileAccess.h"

namespace tsc {

/// Every file that the process may touch.
class HostFiles final : public FileAccess {
public:
  Status saveValue(const IValue &value, const std::string &path) override;
  StatusOr<IValue> loadValue(Context &context, const std::string &path) override;
  Status writeText(const std::string &text, const std::string &path) override;
  StatusOr<std::string> readText(const std::string &path) override;
  bool exists(const std::string &path) override;
};

} // namespace tsc

#endif
