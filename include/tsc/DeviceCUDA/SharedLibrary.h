//===- SharedLibrary.h - Libraries that may be missing ----------*- C++ -*-===//
#ifndef TSC_DEVICECUDA_SHAREDLIBRARY_H
#define TSC_DEVICECUDA_SHAREDLIBRARY_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace tsc::fuser {

/// A library that was opened at run time; closed with its owner.
class SharedLibrary {
public:
  /// Opens the first of these files that is there. Returns NotFound where none is; `what` names the library for the
  /// user.
  static StatusOr<SharedLibrary> open(llvm::StringRef what, llvm::ArrayRef<std::string> paths);
  SharedLibrary(SharedLibrary &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  SharedLibrary &operator=(SharedLibrary &&) = delete;
  ~SharedLibrary();

  /// Sets `function` to the address of the symbol `name`, or returns NotFound.
  template <typename F> Status find(const char *name, F *&function) const {
    function = reinterpret_cast<F *>(address(name));
    return function ? okStatus() : notFound(llvm::Twine("the library has no function ") + name);
  }

private:
  explicit SharedLibrary(void *handle) : handle(handle) {}
  void *address(const char *name) const;
  void *handle;
};

/// Returns where a library of CUDA's toolkit may be: `path` alone, if it is given; else by its name, of these versions,
/// under CUDA_PATH or CUDA_HOME, and under the toolkit's usual folder.
std::vector<std::string> toolkitLibrary(llvm::StringRef name, llvm::StringRef path, llvm::ArrayRef<int> versions);
/// Returns the folders in which a compiler finds `header` of CUDA's core libraries, such as CUB, and what it includes:
/// in the toolkit's folder `path`, if it is given, else in the usual ones. The result is empty where it is not there.
std::vector<std::string> toolkitHeaders(llvm::StringRef header, llvm::StringRef path);

} // namespace tsc::fuser

#endif
