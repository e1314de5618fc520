//===- Assembler.h - From a routine to instructions -------------*- C++ -*-===//
#ifndef TSC_RUNTIME_INTERPRETER_ASSEMBLER_H
#define TSC_RUNTIME_INTERPRETER_ASSEMBLER_H

#include "Instruction.h"
#include "tsc/Runtime/Lowering/Routine.h"

namespace tsc {

/// Makes the code of a routine, whose parts it takes. Each step becomes one instruction. An operator without a kernel
/// in this build becomes one that fails when it is reached. `name` stands for the code in messages; what it calls is
/// compiled through `cache`, which outlives the code. Installs the services that operators of the context need.
std::unique_ptr<CodeImpl> assemble(Routine routine, llvm::StringRef name, CodeCache &cache);

} // namespace tsc

#endif
