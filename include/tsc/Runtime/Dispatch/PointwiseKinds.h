//===- PointwiseKinds.h - Operators of the IR as the engine's ---*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_POINTWISEKINDS_H
#define TSC_RUNTIME_DISPATCH_POINTWISEKINDS_H

#include "tsc/IR/OpRecord.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <optional>

namespace tsc {

/// Returns the point-wise engine's number of an operator overload, or nothing where the overload is no point-wise
/// operator or not its functional form (as in-place and out forms are).
std::optional<PointwiseKind> pointwiseKindOf(OpKind kind);

} // namespace tsc

#endif
