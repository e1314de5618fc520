//===- PerfMap.h - Names of kernels for Linux perf --------------*- C++ -*-===//
//
// perf looks for code that a process made at run time in /tmp/perf-PID.map: a line
// of address, size and name for each function. It does not need gdb's interface,
// which the Jit always serves.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_PERFMAP_H
#define TSC_LIB_FUSERCPU_PERFMAP_H

#include "tsc/CodeGen/KernelFunction.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace tsc::fuser {

/// Writes nothing when the file cannot be made, or somebody else's is in its place.
class PerfMap {
public:
  PerfMap();
  /// The functions of an object that has been linked; null addresses are left out.
  void add(llvm::StringRef object, llvm::ArrayRef<std::string> symbols, llvm::ArrayRef<KernelFunction> functions);

private:
  std::unique_ptr<llvm::raw_fd_ostream> os;
};

} // namespace tsc::fuser

#endif
