//===- Parameters.h - Arguments to parameters -------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PARAMETERS_H
#define TSC_LIB_FRONTEND_PARAMETERS_H

#include "../FunctionContext.h"
#include "SugaredArguments.h"

namespace tsc {

class ClosureSugar;

/// Binds the parameters of `closure` in the body's first frame; `user` is the caller, whose values the arguments are.
/// False after a report.
bool bindParameters(FunctionContext &fn, ClosureSugar &closure, SourceRange range, ArrayRef<SugaredArgument> args,
                    FunctionContext &user);

} // namespace tsc

#endif
