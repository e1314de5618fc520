//===- mps.h - Devices of Metal Performance Shaders -------------*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_MPS_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_MPS_H
#include <c10/util/Exception.h>

namespace torch {
namespace mps {
inline namespace tsc_torch {

/// There is none: tsc has no part for these devices.
inline bool is_available() { return false; }
/// Is accepted, since there is no generator to seed.
inline void manual_seed(uint64_t) {}
/// A c10::Error, since there is no device to wait for.
inline void synchronize() { TORCH_CHECK(is_available(), "No MPS devices are available"); }
/// A c10::Error, since there is no device to give work to.
inline void commit() { TORCH_CHECK(is_available(), "No MPS devices are available"); }

} // namespace tsc_torch
} // namespace mps
} // namespace torch

#endif
