//===- Imports.h - import within a function ---------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_IMPORTS_H
#define TSC_LIB_FRONTEND_IMPORTS_H

#include "FunctionContext.h"

namespace tsc {

/// Emits an import statement in a function: names of libraries and files for the rest of it; those that nobody knows
/// are reported where they are used. False after a report.
bool emitImport(FunctionContext &fn, const Import &tree);

} // namespace tsc

#endif
