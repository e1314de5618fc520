//===- Files.h - Kernels of operators on files ------------------*- C++ -*-===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_FILES_H
#define TSC_RUNTIME_DISPATCH_OPS_FILES_H

#include "tsc/Support/Status.h"

namespace tsc {
class CallContext;
class IValue;
} // namespace tsc

namespace tsc::ops {

// Each is a BoxedKernel (CallContext.h). It lets `context.files` do the work, and fails with PermissionDenied where
// that is null.

/// Saves the Dict[str, Tensor] `args[0]` to the path `args[1]`, as torch.save does.
Status saveTensors(CallContext &context, const IValue *const *args, IValue *results);
/// Loads the Dict[str, Tensor] of the file at `args[0]`. DataLoss where the file holds another value.
Status loadTensors(CallContext &context, const IValue *const *args, IValue *results);
/// Writes the text `args[1]` to the path `args[0]`, and returns its number of bytes.
Status writeText(CallContext &context, const IValue *const *args, IValue *results);
/// Returns the bytes of the file at `args[0]` as a str.
Status readText(CallContext &context, const IValue *const *args, IValue *results);
/// Returns whether there is a file at `args[0]`.
Status fileExists(CallContext &context, const IValue *const *args, IValue *results);

} // namespace tsc::ops

#endif
