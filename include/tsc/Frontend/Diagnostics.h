//===- Diagnostics.h - What the frontend may report -------------*- C++ -*-===//
#ifndef TSC_FRONTEND_DIAGNOSTICS_H
#define TSC_FRONTEND_DIAGNOSTICS_H

#include "tsc/Support/Diagnostics.h"

namespace tsc::diag {
#define DIAG(severity, Name, format) inline constexpr DiagnosticKind Name{Severity::severity, #Name, format};
#include "tsc/Frontend/Diagnostics.def"
} // namespace tsc::diag

#endif
