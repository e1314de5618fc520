//===- Files.h - Kernels of operators on files ------------------*- C++ -*-===//
#ifndef TSC_RUNTIME_OPS_FILES_H
#define TSC_RUNTIME_OPS_FILES_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

// Each asks `context.files`, and is PermissionDenied where there are none.
Status saveTensors(CallContext &context, const IValue *const *args, IValue *results);
Status loadTensors(CallContext &context, const IValue *const *args, IValue *results);
Status writeText(CallContext &context, const IValue *const *args, IValue *results);
Status readText(CallContext &context, const IValue *const *args, IValue *results);
Status fileExists(CallContext &context, const IValue *const *args, IValue *results);

} // namespace tsc::ops

#endif
