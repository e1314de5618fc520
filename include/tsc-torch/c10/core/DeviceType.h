//===- DeviceType.h - Kinds of devices --------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_DEVICETYPE_H
#define TSC_TORCH_C10_DEVICETYPE_H
#include <c10/macros/Macros.h>
#include <cctype>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

namespace c10 {
inline namespace tsc_torch {

/// The number of a device among those of its kind; -1 where none is named.
using DeviceIndex = int8_t;

/// A kind of device. The numbers are PyTorch's.
enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
  MKLDNN = 2,
  OPENGL = 3,
  OPENCL = 4,
  IDEEP = 5,
  HIP = 6,
  FPGA = 7,
  MAIA = 8,
  XLA = 9,
  Vulkan = 10,
  Metal = 11,
  XPU = 12,
  MPS = 13,
  Meta = 14,
  HPU = 15,
  VE = 16,
  Lazy = 17,
  IPU = 18,
  MTIA = 19,
  PrivateUse1 = 20,
  COMPILE_TIME_MAX_DEVICE_TYPES = 21
};
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;
constexpr DeviceType kHIP = DeviceType::HIP;
constexpr DeviceType kXLA = DeviceType::XLA;
constexpr DeviceType kMPS = DeviceType::MPS;
constexpr DeviceType kMeta = DeviceType::Meta;
constexpr DeviceType kVulkan = DeviceType::Vulkan;
constexpr DeviceType kMetal = DeviceType::Metal;
constexpr DeviceType kXPU = DeviceType::XPU;
constexpr DeviceType kHPU = DeviceType::HPU;
constexpr DeviceType kPrivateUse1 = DeviceType::PrivateUse1;

/// "CUDA", or "cuda".
inline std::string DeviceTypeName(DeviceType type, bool lower_case = false) {
  static const char *const names[] = {"CPU",  "CUDA", "MKLDNN", "OPENGL", "OPENCL", "IDEEP", "HIP",
                                      "FPGA", "MAIA", "XLA",    "VULKAN", "METAL",  "XPU",   "MPS",
                                      "META", "HPU",  "VE",     "LAZY",   "IPU",    "MTIA",  "PRIVATEUSEONE"};
  const auto number = static_cast<size_t>(type);
  std::string name = number < sizeof names / sizeof *names ? names[number] : "UNKNOWN";
  if (lower_case)
    for (char &c : name)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}
inline std::ostream &operator<<(std::ostream &out, DeviceType type) { return out << DeviceTypeName(type, true); }

} // namespace tsc_torch
} // namespace c10

namespace std {
template <> struct hash<c10::DeviceType> {
  size_t operator()(c10::DeviceType type) const { return std::hash<int>()(static_cast<int>(type)); }
};
} // namespace std

#endif
