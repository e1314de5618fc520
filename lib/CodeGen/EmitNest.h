//===- EmitNest.h - From a loop nest to LLVM IR -----------------*- C++ -*-===//
#ifndef TSC_LIB_CODEGEN_EMITNEST_H
#define TSC_LIB_CODEGEN_EMITNEST_H

#include "tsc/CodeGen/TargetTraits.h"
#include "tsc/Fusion/LoopNest.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace tsc::fuser {

/// Adds the kernel to the module. Null when a body of the nest has no code here.
llvm::Function *emitNest(const LoopNest &nest, llvm::Module &module, llvm::StringRef name,
                         const codegen::TargetTraits &traits);

} // namespace tsc::fuser

#endif
