//===- PythonCalls.h - Python's builtins ------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PYTHONCALLS_H
#define TSC_LIB_FRONTEND_PYTHONCALLS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits the call of a builtin of Python by a template; nothing where its plain overloads will do, null after a report.
std::optional<SugaredValue *> emitPythonCall(FunctionContext &fn, SugaredValue &callee, const Apply &tree);

} // namespace tsc

#endif
