//===- CUDAFunctions.h - The number of CUDA devices -------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_CUDA_CUDAFUNCTIONS_H
#define TSC_TORCH_C10_CUDA_CUDAFUNCTIONS_H
#include <torch/csrc/api/include/torch/cuda.h>

namespace c10 {
namespace cuda {
inline namespace tsc_torch {

/// How many there are; 0 with a library that has no part for them, or without a driver.
inline DeviceIndex device_count() noexcept {
  try {
    return static_cast<DeviceIndex>(torch::cuda::device_count());
  } catch (const std::exception &) {
    return 0;
  }
}

} // namespace tsc_torch
} // namespace cuda
} // namespace c10

#endif
