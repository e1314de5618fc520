//===- CodeGeneration.h - LLVM's code generator, cut down -------*- C++ -*-===//
#ifndef TSC_LIB_CODEGEN_CODEGENERATION_H
#define TSC_LIB_CODEGEN_CODEGENERATION_H

#include "llvm/Support/CodeGen.h"

namespace llvm {
class LLVMTargetMachine;
class raw_pwrite_stream;
namespace legacy {
class PassManager;
}
} // namespace llvm

namespace tsc::fuser {

/// Adds what makes kernels' machine code from their IR: instruction selection block by block, then few passes. False
/// when the processor has no such code.
///
/// Threads:  any, each with a machine of its own.
bool addCodeGeneration(llvm::LLVMTargetMachine &machine, llvm::legacy::PassManager &passes, llvm::raw_pwrite_stream &os,
                       llvm::CodeGenFileType type);

} // namespace tsc::fuser

#endif
