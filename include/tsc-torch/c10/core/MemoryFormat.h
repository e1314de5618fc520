//===- MemoryFormat.h - Orders of dimensions in memory ----------*- C++ -*-===//
#ifndef TSC_TORCH_C10_MEMORYFORMAT_H
#define TSC_TORCH_C10_MEMORYFORMAT_H
#include <c10/macros/Macros.h>
#include <cstdint>
#include <ostream>

namespace c10 {
inline namespace tsc_torch {

/// An order of a tensor's dimensions in memory. The numbers are PyTorch's.
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d, NumOptions };

inline std::ostream &operator<<(std::ostream &out, MemoryFormat format) {
  static const char *const names[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  const auto number = static_cast<size_t>(format);
  return out << (number < 4 ? names[number] : "Unknown memory format");
}

} // namespace tsc_torch
} // namespace c10

#endif
