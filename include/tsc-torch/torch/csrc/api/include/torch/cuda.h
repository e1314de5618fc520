//===- cuda.h - Devices of CUDA ------------------------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_CUDA_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_CUDA_H
#include <ATen/Functions.h>

namespace torch {
namespace cuda {
inline namespace tsc_torch {

/// How many there are; 0 with a library that has no part for them, or without a driver.
inline size_t device_count() {
  static const size_t count = [] {
    size_t found = 0;
    for (; found != 64; ++found)
      try {
        at::empty({1}, c10::TensorOptions(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(found))));
      } catch (const std::exception &) {
        break;
      }
    return found;
  }();
  return count;
}
inline bool is_available() { return device_count() != 0; }
inline bool cudnn_is_available() { return false; }
inline void manual_seed(uint64_t seed) { tsc_set_seed(seed); }
inline void manual_seed_all(uint64_t seed) { tsc_set_seed(seed); }
/// Waits for what a device computes.
inline void synchronize(int64_t device_index = -1) {
  TORCH_CHECK(is_available(), "No CUDA GPUs are available");
  at::zeros({1}, c10::TensorOptions(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device_index)))).cpu();
}

} // namespace tsc_torch
} // namespace cuda
} // namespace torch

#endif
