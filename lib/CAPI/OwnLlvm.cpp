//===- OwnLlvm.cpp - The LLVM within libtsc.so ----------------------------===//
//
// The shared library alone has this file: its copy of LLVM is seen by nobody else,
// and so it decides what happens where LLVM gets no memory. A host of the static
// library has an LLVM of its own.
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/MemoryErrors.h"

/// When the library is loaded, for any function of the interface may be the first.
__attribute__((constructor)) static void prepareLlvm() { tsc::throwWhereLlvmLacksMemory(); }
