//===- Allocator.h - Memory with an owner -----------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_ALLOCATOR_H
#define TSC_TORCH_C10_ALLOCATOR_H
#include <c10/core/Device.h>
#include <memory>

namespace c10 {
inline namespace tsc_torch {

/// Memory that goes with its last owner.
class DataPtr {
public:
  DataPtr() = default;
  explicit DataPtr(std::shared_ptr<void> memory) : memory(std::move(memory)) {}
  void *get() const { return memory.get(); }
  void *mutable_get() const { return memory.get(); }
  void *operator->() const { return memory.get(); }
  explicit operator bool() const { return memory != nullptr; }
  Device device() const { return Device(DeviceType::CPU); }
  void clear() { memory.reset(); }

private:
  std::shared_ptr<void> memory;
};

} // namespace tsc_torch
} // namespace c10

namespace at {
using c10::DataPtr;
} // namespace at

#endif
