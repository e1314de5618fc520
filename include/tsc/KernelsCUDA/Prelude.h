//===- Prelude.h - What every generated program begins with -----*- C++ -*-===//
#ifndef TSC_KERNELSCUDA_PRELUDE_H
#define TSC_KERNELSCUDA_PRELUDE_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::fuser {

/// Returns the CUDA C++ that every kernel stands on: parameters, places, conversions, integers, folds. It includes
/// nothing.
llvm::StringRef cudaPrelude();

/// Returns the name that the prelude's C++ has for elements of a dtype in memory, where a truth value is a byte.
llvm::StringRef storedType(DType dtype);

} // namespace tsc::fuser

#endif
