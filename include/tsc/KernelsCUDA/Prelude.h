//===- Prelude.h - What every generated program begins with -----*- C++ -*-===//
#ifndef TSC_KERNELSCUDA_PRELUDE_H
#define TSC_KERNELSCUDA_PRELUDE_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::fuser {

/// CUDA C++ that generated kernels stand on: parameters, places, conversions, integers, folds. It includes nothing.
llvm::StringRef cudaPrelude();

/// C++'s name for the type of elements of a dtype in memory, where a truth value is a byte.
llvm::StringRef storedType(DType dtype);

} // namespace tsc::fuser

#endif
