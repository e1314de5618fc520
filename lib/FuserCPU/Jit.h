//===- Jit.h - Machine code in memory ---------------------------*- C++ -*-===//
//
// Nests become one module, one object, and functions that live as long as the Jit.
// Only Jit.cpp and CodeGeneration.cpp see LLVM's code generator.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FUSERCPU_JIT_H
#define TSC_LIB_FUSERCPU_JIT_H

#include "EmitNest.h"
#include "Launch.h"
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/Status.h"
#include <memory>

namespace tsc {
struct CpuFuserOptions;
}

namespace tsc::fuser {

/// Threads: compile() and link() may be called from many threads; they take turns.
class Jit {
public:
  /// Unimplemented on a processor without the vector instructions that eager kernels' bits need (fused multiply-add).
  static StatusOr<std::unique_ptr<Jit>> create(const CpuFuserOptions &options);
  ~Jit();

  /// Nests that have no code get an empty symbol.
  StatusOr<KernelObject> compile(llvm::ArrayRef<const LoopNest *> nests);
  /// The addresses of the object's symbols, in order.
  StatusOr<std::vector<KernelFunction>> link(const KernelObject &object);

  /// The optimized IR of a nest, or its assembly.
  StatusOr<std::string> printed(const LoopNest &nest, bool assembly);
  /// What code depends on besides the nest: processor, features, version of LLVM.
  const std::string &identity() const;

private:
  struct Impl;
  explicit Jit(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::fuser

#endif
