//===- LlvmMemory.h - Memory of LLVM's hash tables --------------*- C++ -*-===//
#ifndef TSC_LIB_SUPPORT_LLVMMEMORY_H
#define TSC_LIB_SUPPORT_LLVMMEMORY_H

namespace tsc {

/// Sets memory aside for LLVM's hash tables, which the system gives when it is touched.
void prepareLlvmMemory();

} // namespace tsc

#endif
