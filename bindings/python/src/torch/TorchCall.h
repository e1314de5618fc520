//===- TorchCall.h - Calls of compiled code with torch's tensors -*- C++ -*-===//
#ifndef TSC_BINDINGS_PYTHON_TORCH_TORCHCALL_H
#define TSC_BINDINGS_PYTHON_TORCH_TORCHCALL_H

#include "../Callee.h"
#include "SharedTensor.h"

namespace tsc::bindings {

/// What a call gave.
struct TorchResult {
  nb::object value;           ///< No object where the call was not made.
  bool withGradients = false; ///< Whether a tensor of the arguments requires gradients.
};

/// Calls compiled code with torch's tensors and numbers, and returns what tsc.jit's Python code (tsc/jit/_torch.py)
/// would return. It does as much for the usual call alone; for others it returns no object, and has done nothing: where
/// an argument is of another type or a tensor is none that TorchLibrary reads, where torch takes part in operators, or
/// a trace is under way, and for code that draws random numbers, asks for gradients or calls functions of Python's.
///
/// `shared` are a live module's tensors; the call first makes the compiled module's the same. With `needsTensor`, one
/// of the arguments is to be torch's tensor.
TorchResult callWithTorch(Callee &callee, llvm::ArrayRef<SharedTensor *> shared, const CallArguments &arguments,
                          bool needsTensor);

} // namespace tsc::bindings

#endif
