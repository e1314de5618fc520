//===- Observation.h - What observers are told ------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_OBSERVATION_H
#define TSC_LIB_FRONTEND_OBSERVATION_H

#include "FunctionContext.h"

namespace tsc {

/// Tells the compiler's observer what an expression has turned out to be.
void tellOf(const FunctionContext &fn, const Tree &tree, const SugaredValue &value);

} // namespace tsc

#endif
