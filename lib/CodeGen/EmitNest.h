//===- EmitNest.h - From a loop nest to LLVM IR -----------------*- C++ -*-===//
#ifndef TSC_LIB_CODEGEN_EMITNEST_H
#define TSC_LIB_CODEGEN_EMITNEST_H

#include "tsc/Fusion/LoopNest.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tsc::fuser {

/// What a processor's kernels are made for.
struct VectorTarget {
  unsigned bytes = 32; ///< The size of a vector register.
  unsigned registers = 16;
  bool hasGather = false; ///< Whether it gathers with a mask, and quickly.
  bool hasAvx512 = false; ///< y 2^n as one instruction, permutations of 16 lanes.
  /// Its own prefetching of what is read in order ends with each page.
  bool stopsAtPages = true;
};

/// Adds the kernel to the module. Null when a body of the nest has no code here.
llvm::Function *emitNest(const LoopNest &nest, llvm::Module &module, llvm::StringRef name, const VectorTarget &target);

} // namespace tsc::fuser

#endif
