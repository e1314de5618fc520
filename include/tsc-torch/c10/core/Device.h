//===- Device.h - Where a tensor is -----------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_DEVICE_H
#define TSC_TORCH_C10_DEVICE_H
#include <c10/core/DeviceType.h>
#include <c10/util/Exception.h>
#include <cstdlib>

namespace c10 {
inline namespace tsc_torch {

/// A kind of device and a number, -1 for the current one.
struct Device final {
  using Type = DeviceType;

  Device(DeviceType type, DeviceIndex index = -1) : kind(type), number(index) {
    TORCH_CHECK(index >= -1, "Device index must be -1 or non-negative, got ", static_cast<int>(index));
    TORCH_CHECK(type != DeviceType::CPU || index <= 0, "CPU device index must be -1 or zero, got ",
                static_cast<int>(index));
  }
  /// "cpu", "cuda:1". c10::Error for another text.
  Device(const std::string &text) : kind(DeviceType::CPU), number(-1) { parse(text); }
  Device(const char *text) : Device(std::string(text)) {}

  bool operator==(const Device &other) const noexcept { return kind == other.kind && number == other.number; }
  bool operator!=(const Device &other) const noexcept { return !(*this == other); }
  void set_index(DeviceIndex index) { number = index; }
  DeviceType type() const noexcept { return kind; }
  DeviceIndex index() const noexcept { return number; }
  bool has_index() const noexcept { return number != -1; }
  bool is_cpu() const noexcept { return kind == DeviceType::CPU; }
  bool is_cuda() const noexcept { return kind == DeviceType::CUDA; }
  bool is_hip() const noexcept { return kind == DeviceType::HIP; }
  bool is_mps() const noexcept { return kind == DeviceType::MPS; }
  bool is_xpu() const noexcept { return kind == DeviceType::XPU; }
  bool is_xla() const noexcept { return kind == DeviceType::XLA; }
  bool is_meta() const noexcept { return kind == DeviceType::Meta; }
  bool is_vulkan() const noexcept { return kind == DeviceType::Vulkan; }
  bool is_metal() const noexcept { return kind == DeviceType::Metal; }
  bool is_hpu() const noexcept { return kind == DeviceType::HPU; }
  bool is_lazy() const noexcept { return kind == DeviceType::Lazy; }
  bool is_privateuseone() const noexcept { return kind == DeviceType::PrivateUse1; }
  std::string str() const {
    return DeviceTypeName(kind, true) + (has_index() ? ":" + std::to_string(static_cast<int>(number)) : "");
  }

private:
  void parse(const std::string &text) {
    TORCH_CHECK(!text.empty(), "Device string must not be empty");
    const size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    int found = -1;
    for (int i = 0; i != static_cast<int>(DeviceType::COMPILE_TIME_MAX_DEVICE_TYPES); ++i)
      if (DeviceTypeName(static_cast<DeviceType>(i), true) == name)
        found = i;
    TORCH_CHECK(found >= 0,
                "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, "
                "lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start of device string: ",
                text);
    kind = static_cast<DeviceType>(found);
    if (colon == std::string::npos)
      return;
    const std::string digits = text.substr(colon + 1);
    bool valid = !digits.empty() && digits.size() <= 3 && (digits.size() == 1 || digits[0] != '0');
    for (char c : digits)
      valid = valid && c >= '0' && c <= '9';
    TORCH_CHECK(valid && std::atoi(digits.c_str()) < 128, "Invalid device string: '", text, "'");
    *this = Device(kind, static_cast<DeviceIndex>(std::atoi(digits.c_str())));
  }

  DeviceType kind;
  DeviceIndex number;
};
inline std::ostream &operator<<(std::ostream &out, const Device &device) { return out << device.str(); }

} // namespace tsc_torch
} // namespace c10

namespace std {
template <> struct hash<c10::Device> {
  size_t operator()(c10::Device device) const noexcept {
    return static_cast<size_t>(static_cast<uint8_t>(device.type())) << 8 | static_cast<uint8_t>(device.index());
  }
};
} // namespace std

#endif
