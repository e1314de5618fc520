//===- Printing.h - print() and texts ---------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PRINTING_H
#define TSC_LIB_FRONTEND_PRINTING_H

#include "../FunctionContext.h"

namespace tsc {

/// Returns what print() and str() show of a value that is, or holds, an object whose class has __str__ or __repr__: a
/// string in its place. `asElement`: as repr() does, within a container.
Value *textOfObject(FunctionContext &fn, Value *value, SourceRange range, bool asElement = false);
/// Emits `print(…)`. Null after a report.
Value *emitPrint(FunctionContext &fn, const Apply &tree);

} // namespace tsc

#endif
