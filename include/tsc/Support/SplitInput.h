//===- SplitInput.h - One file that holds many inputs -----------*- C++ -*-===//
//
// What -split-input-file of the tools means: the parts between lines `# -----`
// are inputs of their own, and keep their place in the file.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_SPLITINPUT_H
#define TSC_SUPPORT_SPLITINPUT_H

#include "tsc/Support/Source.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

/// Calls `visit` with the text of each part of `text`. A part starts with as many empty lines as come before it, so
/// that diagnostics name the lines of the whole file.
void forEachInputPart(llvm::StringRef text, llvm::function_ref<void(std::string part)> visit);

} // namespace tsc

#endif
