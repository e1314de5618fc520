//===- Conversions.h - Element types as vector IR ---------------*- C++ -*-===//
#ifndef TSC_LIB_CODEGEN_CONVERSIONS_H
#define TSC_LIB_CODEGEN_CONVERSIONS_H

#include "VectorBuilder.h"

namespace tsc::fuser {

/// The element of a vector of the dtype, a real or integral one: i1 for Bool, half, i16 for BFloat16 (its bits).
llvm::Type *elementType(llvm::IRBuilder<> &ir, DType dtype);
/// The same of a value that a kernel computes: integers have as many bits as all its integers do.
llvm::Type *computedElement(const VectorState &state, DType dtype);
/// As tsc::convertTo (Tensor/Dispatch.h), lane by lane.
VectorValue emitConversion(VectorState &state, VectorValue v, DType from, DType to);

} // namespace tsc::fuser

#endif
