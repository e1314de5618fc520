//===- IterationForms.h - range(), zip() ------------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_ITERATIONFORMS_H
#define TSC_LIB_FRONTEND_ITERATIONFORMS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits `reversed(xs)`. Null after a report.
SugaredValue *emitReversed(FunctionContext &fn, const Apply &tree);
/// Emits `len(x)`. Null after a report.
Value *emitLen(FunctionContext &fn, const Apply &tree);
/// Emits `range(…)`, which loops go over. Null after a report.
SugaredValue *emitRange(FunctionContext &fn, const Apply &tree);
/// Emits `enumerate(xs, start)`, which is zip(range(start, infinity), xs). Null after a report.
SugaredValue *emitEnumerate(FunctionContext &fn, const Apply &tree);
/// Emits `zip(xs, ys, …)`. Null after a report.
SugaredValue *emitZip(FunctionContext &fn, const Apply &tree);

} // namespace tsc

#endif
