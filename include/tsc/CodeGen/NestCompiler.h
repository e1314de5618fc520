//===- NestCompiler.h - Object files of loop nests --------------*- C++ -*-===//
//
// A loop nest becomes LLVM IR on vectors, and that an object file, or text for
// people. Nothing is linked or run here. What uses this header sees nothing of LLVM's
// code generator.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_CODEGEN_NESTCOMPILER_H
#define TSC_CODEGEN_NESTCOMPILER_H

#include "tsc/Fusion/LoopNest.h"
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/Status.h"
#include <memory>
#include <string>

namespace tsc::fuser {

/// What a compiler of nests generates code for.
struct NestCompilerOptions {
  /// The widest vector registers that code uses, in bytes.
  unsigned maxVectorBytes = 64;
  /// LLVM's name of the processor that code is tuned for; empty for the one at hand.
  std::string tuneFor;
};

/// Generates machine code of loop nests.
///
/// Threads: safe; callers take turns.
/// Errors:  where LLVM's code generator ran out of memory, or a fork cut it off, each call says so (GeneratorGuard.h).
class NestCompiler {
public:
  /// Returns a compiler for the processor at hand. Unimplemented on one without the vector instructions that eager
  /// kernels' bits need (fused multiply-add); InvalidArgument where LLVM knows no processor `tuneFor`.
  static StatusOr<std::unique_ptr<NestCompiler>> create(const NestCompilerOptions &options);
  ~NestCompiler();

  /// Returns one object with the code of all the nests, and the symbol of each; empty for a nest that has no code.
  StatusOr<KernelObject> compile(llvm::ArrayRef<const LoopNest *> nests);
  /// Returns the optimized IR of a nest, or its assembly.
  StatusOr<std::string> printed(const LoopNest &nest, bool assembly);
  /// Returns what code depends on besides the nest: processor, features, version of LLVM.
  const std::string &identity() const;

private:
  struct Impl;
  explicit NestCompiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::fuser

#endif
