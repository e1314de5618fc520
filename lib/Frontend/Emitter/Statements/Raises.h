//===- Raises.h - raise and assert ------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_RAISES_H
#define TSC_LIB_FRONTEND_RAISES_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits a raise statement. False after a report.
bool emitRaise(FunctionContext &fn, const Raise &tree);
/// Emits an assert statement. False after a report.
bool emitAssert(FunctionContext &fn, const Assert &tree);

} // namespace tsc

#endif
