//===- FormatStrings.h - f"{x}" ---------------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_FORMATSTRINGS_H
#define TSC_LIB_FRONTEND_FORMATSTRINGS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits an f-string. Null after a report.
Value *emitFormatString(FunctionContext &fn, const FormatString &tree);

} // namespace tsc

#endif
