//===- NestCompiler.h - Object files of loop nests --------------*- C++ -*-===//
//
// A loop nest becomes LLVM IR on vectors, and that an object file, or text for
// people. Nothing is linked or run here. What uses this header sees nothing of LLVM's
// code generator.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_CODEGEN_NESTCOMPILER_H
#define TSC_CODEGEN_NESTCOMPILER_H

#include "tsc/CodeGen/CodeTarget.h"
#include "tsc/Fusion/LoopNest.h"
#include "tsc/Support/DiskCache.h"
#include "tsc/Support/Status.h"
#include <memory>
#include <string>

namespace tsc::fuser {

/// Generates machine code of loop nests.
///
/// Threads: safe; callers take turns.
/// Errors:  where LLVM's code generator ran out of memory, or a fork cut it off, each call says so (GeneratorGuard.h).
class NestCompiler {
public:
  /// Returns a compiler of code for `target`, one of the kind of processor at hand. Unimplemented for one without fused
  /// multiply-add and vectors of halves; InvalidArgument where LLVM knows no processor of the target's name.
  static StatusOr<std::unique_ptr<NestCompiler>> create(codegen::CodeTarget target);
  ~NestCompiler();

  /// Returns one object with the code of all the nests, and the symbol of each; empty for a nest that has no code.
  StatusOr<KernelObject> compile(llvm::ArrayRef<const LoopNest *> nests);
  /// Returns the optimized IR of a nest, or its assembly.
  StatusOr<std::string> printed(const LoopNest &nest, bool assembly);
  /// Returns what code is made for. With the nest and the build of tsc, its key() decides on every byte of the code.
  const codegen::CodeTarget &target() const;

private:
  struct Impl;
  explicit NestCompiler(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tsc::fuser

#endif
