//===- DeviceGuard.h - Current devices ------------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_C10_CORE_DEVICEGUARD_H
#define TSC_TORCH_C10_CORE_DEVICEGUARD_H
#include <c10/core/Device.h>
#include <c10/util/Optional.h>

namespace c10 {
inline namespace tsc_torch {

/// Names the device of what follows. There is one on the processor; for others, tensors name theirs.
class DeviceGuard {
public:
  explicit DeviceGuard(Device device) : device(device) {}
  Device current_device() const { return device; }
  Device original_device() const { return device; }
  void reset_device(Device given) { device = given; }
  void set_index(DeviceIndex index) { device.set_index(index); }

private:
  Device device;
};
/// A DeviceGuard that may name no device.
class OptionalDeviceGuard {
public:
  OptionalDeviceGuard() = default;
  explicit OptionalDeviceGuard(Device device) : device(device) {}
  explicit OptionalDeviceGuard(optional<Device> device) : device(device) {}
  optional<Device> current_device() const { return device; }

private:
  optional<Device> device;
};

} // namespace tsc_torch
} // namespace c10

namespace at {
using c10::DeviceGuard;
using c10::OptionalDeviceGuard;
} // namespace at

#endif
