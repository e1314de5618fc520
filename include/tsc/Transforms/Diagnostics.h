//===- Diagnostics.h - What passes may report -------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_DIAGNOSTICS_H
#define TSC_TRANSFORMS_DIAGNOSTICS_H

#include "tsc/Support/Diagnostics.h"

namespace tsc::diag {
#define DIAG(severity, Name, format) inline constexpr DiagnosticKind Name{Severity::severity, #Name, format};
#include "tsc/Transforms/Diagnostics.def"
} // namespace tsc::diag

#endif
