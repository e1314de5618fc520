//===- Prelude.h - What every generated program begins with -----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCUDA_PRELUDE_H
#define TSC_LIB_FUSERCUDA_PRELUDE_H

#include "llvm/ADT/StringRef.h"

namespace tsc::fuser {

/// CUDA C++ that generated kernels stand on: parameters, places, conversions, integers, folds. It includes nothing.
llvm::StringRef cudaPrelude();

} // namespace tsc::fuser

#endif
