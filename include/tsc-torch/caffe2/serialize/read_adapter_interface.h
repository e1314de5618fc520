//===- read_adapter_interface.h - Archives from the host --------*- C++ -*-===//
#ifndef TSC_TORCH_CAFFE2_READ_ADAPTER_H
#define TSC_TORCH_CAFFE2_READ_ADAPTER_H
#include <c10/macros/Macros.h>
#include <cstddef>
#include <cstdint>

namespace caffe2 {
namespace serialize {
inline namespace tsc_torch {

/// A file that the host reads for the library.
class ReadAdapterInterface {
public:
  virtual ~ReadAdapterInterface() = default;
  virtual size_t size() const = 0;
  /// Reads `n` bytes from `pos` on, and returns how many it read.
  virtual size_t read(uint64_t pos, void *buf, size_t n, const char *what = "") const = 0;
};

} // namespace tsc_torch
} // namespace serialize
} // namespace caffe2

#endif
