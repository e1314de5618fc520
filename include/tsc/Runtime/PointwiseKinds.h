//===- PointwiseKinds.h - Operators of the IR as the engine's ---*- C++ -*-===//
#ifndef TSC_RUNTIME_POINTWISEKINDS_H
#define TSC_RUNTIME_POINTWISEKINDS_H

#include "tsc/IR/OpRecord.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <optional>

namespace tsc {

/// By which number the point-wise engine knows an overload. None for what is no point-wise operator in functional form.
std::optional<PointwiseKind> pointwiseKindOf(OpKind kind);

} // namespace tsc

#endif
