//===- Programs.h - Kernels that are written by hand ------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_PROGRAMS_H
#define TSC_LIB_FUSERCUDA_PROGRAMS_H

#include "Driver.h"
#include "Nvrtc.h"
#include "llvm/ADT/StringMap.h"

namespace tsc::fuser {

/// Programs of one kernel each, which are compiled when they are first asked for, and unloaded with the object. They
/// begin with the prelude.
///
/// Threads: everything may be called from many threads.
class Programs {
public:
  Programs(DriverContext &context, const Nvrtc &nvrtc) : context(context), nvrtc(nvrtc) {}
  Programs(const Programs &) = delete;
  ~Programs();
  /// The kernel of this name; `source` gives its text the first time.
  StatusOr<CuFunction> find(const std::string &name, llvm::function_ref<std::string()> source);

private:
  DriverContext &context;
  const Nvrtc &nvrtc;
  std::mutex lock; ///< Of what follows.
  std::vector<CuModule> modules;
  llvm::StringMap<CuFunction> functions;
};

} // namespace tsc::fuser

#endif
