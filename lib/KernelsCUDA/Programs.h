//===- Programs.h - Kernels that are written by hand ------------*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_PROGRAMS_H
#define TSC_LIB_KERNELSCUDA_PROGRAMS_H

#include "tsc/DeviceCUDA/Driver.h"
#include "tsc/DeviceCUDA/Nvrtc.h"
#include "tsc/DeviceCUDA/ProgramStore.h"
#include "llvm/ADT/StringMap.h"

namespace tsc::fuser {

/// Programs of one kernel each, which are loaded from disk or compiled when they are first asked for, and unloaded with
/// the object. They begin with the prelude.
///
/// Threads: everything may be called from many threads. Who asks for a kernel that another thread is compiling waits
///          for it, and for no other.
class Programs {
public:
  Programs(DriverContext &context, const Nvrtc &nvrtc, ProgramStore &disk)
      : context(context), nvrtc(nvrtc), disk(disk) {}
  Programs(const Programs &) = delete;
  ~Programs();
  using Source = llvm::function_ref<std::string()>;
  /// Returns the kernel of this name; `source` gives its text the first time.
  StatusOr<CuFunction> find(const std::string &name, Source source);
  /// Returns the kernel of a text that includes headers of these folders, which may be of a version that does not fit:
  /// null where it does not compile.
  StatusOr<CuFunction> findIfCompiles(const std::string &name, Source source, llvm::ArrayRef<std::string> headers);

private:
  /// A kernel that was asked for.
  struct Entry {
    std::mutex lock; ///< Guards what follows, and is held while it is compiled.
    bool isMade = false;
    CuFunction function = nullptr;
  };
  StatusOr<CuFunction> load(const std::string &name, const std::string &image, Entry &entry);
  /// Compiles and loads a kernel. Null where `mayFail`, and the text does not compile.
  StatusOr<CuFunction> make(const std::string &name, Source source, llvm::ArrayRef<std::string> headers, bool mayFail);

  DriverContext &context;
  const Nvrtc &nvrtc;
  ProgramStore &disk;
  std::mutex lock; ///< Guards what follows.
  std::vector<CuModule> modules;
  llvm::StringMap<std::unique_ptr<Entry>> entries; ///< Which never go.
};

} // namespace tsc::fuser

#endif
