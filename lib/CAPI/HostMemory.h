//===- HostMemory.h - Tensors over memory of the host's ---------*- C++ -*-===//
#ifndef TSC_LIB_CAPI_HOSTMEMORY_H
#define TSC_LIB_CAPI_HOSTMEMORY_H

#include "tsc-c/tsc.h"
#include "tsc/Tensor/Tensor.h"

namespace tsc::capi {

/// Whether a number is one of tsc_dtype.
bool isKnownDType(int32_t dtype);
/// A tensor of the sizes and the dtype of a description, row-major. It is uninitialised; bools are false.
StatusOr<Tensor> emptyTensor(const tsc_tensor &description);

/// What is done with the elements of a description: those that are read must be values of their dtype.
enum class Elements : uint8_t { Read, Overwritten };

/// The tensor that a description from outside describes, over that memory. `release` is called, once, when the memory
/// is not used any more; it may be null, and is not called when this fails.
StatusOr<Tensor> tensorOver(const tsc_tensor &description, Elements elements, tsc_release release = nullptr,
                            void *user = nullptr);

} // namespace tsc::capi

#endif
