//===- Bodies.h - What is known of scalar bodies ----------------*- C++ -*-===//
//
// The records' scalar bodies, by number and compute type (Float, Double, Int64 or
// Bool). tsc-tblgen writes the table.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_BODIES_H
#define TSC_FUSION_BODIES_H

#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringRef.h"

namespace tsc::fuser {

/// Whether scalar body `body` is defined in a compute type.
bool hasBody(DType compute, unsigned body);
/// Whether the body's value is a truth value.
bool bodyGivesMask(DType compute, unsigned body);
/// Returns about how many instructions of a processor the body takes.
unsigned bodyCost(DType compute, unsigned body);
/// Whether the body, on integers, gives low bits that the low bits of its operands decide: it may be computed in as
/// many bits as are stored of what comes of it.
bool isBodyOfLowBits(DType compute, unsigned body);
/// Returns the body's name for printers: "Aten_add_Tensor".
llvm::StringRef bodyName(DType compute, unsigned body);

} // namespace tsc::fuser

#endif
