//===- Nvrtc.h - CUDA's runtime compiler ------------------------*- C++ -*-===//
#ifndef TSC_DEVICECUDA_NVRTC_H
#define TSC_DEVICECUDA_NVRTC_H

#include "tsc/DeviceCUDA/SharedLibrary.h"
#include <memory>

namespace tsc::fuser {

/// NVRTC, opened at run time; the declarations are our own.
///
/// Threads: compile() may be called from many threads.
class Nvrtc {
public:
  /// Opens the library at `path`, or where it usually is when that is empty: by its name, under CUDA_PATH or CUDA_HOME,
  /// under the toolkit's usual folder. Returns NotFound where it is not.
  static StatusOr<std::unique_ptr<Nvrtc>> open(llvm::StringRef path);

  /// Returns the version as "13.0".
  std::string version() const { return std::to_string(number.first) + "." + std::to_string(number.second); }
  /// What a program becomes: text for any driver, or code for one architecture.
  enum class Output : uint8_t { Ptx, Cubin };
  /// How long the compiler tries to make code faster.
  enum class Effort : uint8_t { Full, Least };
  /// Returns the options that a program is compiled with. Versions before 13 have no least effort, and no smaller
  /// language.
  static std::vector<std::string> optionsFor(llvm::StringRef architecture, Effort effort, bool hasHeaders = false,
                                             int version = 13);
  /// Compiles a program for an architecture, such as "sm_90", and returns the PTX or the cubin. A program that does not
  /// compile is an Internal error with the compiler's log. Headers are looked for in the folders `headers`.
  StatusOr<std::string> compile(const std::string &source, llvm::StringRef architecture, Output output,
                                Effort effort = Effort::Full, llvm::ArrayRef<std::string> headers = {}) const;

private:
  explicit Nvrtc(SharedLibrary library) : library(std::move(library)) {}
  Status findFunctions();
  Status check(int result, llvm::StringRef what) const;

  using Program = struct OpaqueProgram *;
  SharedLibrary library;
  std::pair<int, int> number{0, 0};
  int (*versionOf)(int *, int *) = nullptr;
  const char *(*errorString)(int) = nullptr;
  int (*create)(Program *, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*destroy)(Program *) = nullptr;
  int (*compileProgram)(Program, int, const char *const *) = nullptr;
  int (*logSize)(Program, size_t *) = nullptr;
  int (*getLog)(Program, char *) = nullptr;
  int (*ptxSize)(Program, size_t *) = nullptr;
  int (*getPtx)(Program, char *) = nullptr;
  int (*cubinSize)(Program, size_t *) = nullptr;
  int (*getCubin)(Program, char *) = nullptr;
};

} // namespace tsc::fuser

#endif
