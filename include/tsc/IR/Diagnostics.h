//===- Diagnostics.h - What the IR library may report -----------*- C++ -*-===//
#ifndef TSC_IR_DIAGNOSTICS_H
#define TSC_IR_DIAGNOSTICS_H

#include "tsc/Support/Diagnostics.h"

namespace tsc::diag {
#define DIAG(severity, Name, format) inline constexpr DiagnosticKind Name{Severity::severity, #Name, format};
#include "tsc/IR/Diagnostics.def"
} // namespace tsc::diag

#endif
