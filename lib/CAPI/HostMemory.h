//===- HostMemory.h - Tensors over memory of the host's ---------*- C++ -*-===//
#ifndef TSC_LIB_CAPI_HOSTMEMORY_H
#define TSC_LIB_CAPI_HOSTMEMORY_H

#include "tsc-c/tsc.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::capi {

/// Whether a number is one of tsc_dtype.
bool isKnownDType(int32_t dtype);
/// An uninitialised tensor of the sizes and the dtype of a description, row-major.
StatusOr<Tensor> emptyTensor(const tsc_tensor &description);

/// The tensor that a description from outside describes, over that memory. `release` is called, once, when the memory
/// is not used any more; it may be null, and is not called when this fails.
StatusOr<Tensor> tensorOver(const tsc_tensor &description, tsc_release release, void *user);

} // namespace tsc::capi

#endif
