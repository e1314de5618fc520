//===- Matches.h - match statements -----------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_MATCHES_H
#define TSC_LIB_FRONTEND_MATCHES_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits a match statement, as questions and branches. False after a report.
bool emitMatch(FunctionContext &fn, const Match &tree);

} // namespace tsc

#endif
