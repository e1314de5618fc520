//===- CUDACachingAllocator.h - Memory of CUDA devices ----------*- C++ -*-===//
#ifndef TSC_TORCH_C10_CUDA_CUDACACHINGALLOCATOR_H
#define TSC_TORCH_C10_CUDA_CUDACACHINGALLOCATOR_H
#include <c10/cuda/CUDAFunctions.h>

namespace c10 {
namespace cuda {
namespace CUDACachingAllocator {
inline namespace tsc_torch {

/// Has no effect: tsc gives memory back by itself where a device is short of it.
inline void emptyCache() {}

} // namespace tsc_torch
} // namespace CUDACachingAllocator
} // namespace cuda
} // namespace c10

#endif
