//===- Jit.h - Machine code in memory ---------------------------*- C++ -*-===//
//
// Objects become functions that live as long as the Jit. Only Jit.cpp and
// ObjectMemory.cpp see LLVM's linker in memory.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_JIT_H
#define TSC_LIB_FUSERCPU_JIT_H

#include "tsc/CodeGen/KernelFunction.h"
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/Status.h"
#include <memory>
#include <vector>

namespace tsc::fuser {

/// Whether linked kernels are listed in /tmp/perf-PID.map.
enum class ListInPerfMap : bool { No, Yes };

/// Links objects with kernels into this process.
///
/// Threads: link() may be called from many threads; they take turns.
class Jit {
public:
  explicit Jit(ListInPerfMap perfMap);
  ~Jit();

  /// Returns the addresses of the object's symbols, in order; null for an empty symbol.
  StatusOr<std::vector<KernelFunction>> link(const KernelObject &object);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::fuser

#endif
