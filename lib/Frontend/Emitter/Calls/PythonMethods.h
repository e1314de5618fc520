//===- PythonMethods.h - Python's methods -----------------------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PYTHONMETHODS_H
#define TSC_LIB_FRONTEND_PYTHONMETHODS_H

#include "../FunctionContext.h"

namespace tsc {

/// Emits a call of a method that Python has and PyTorch's operators lack, `point._replace(x=1)`; nothing for another
/// call.
std::optional<SugaredValue *> emitPythonMethod(FunctionContext &fn, SugaredValue *object, const Select &callee,
                                               const Apply &tree);

} // namespace tsc

#endif
