//===- TensorOptions.h - What a tensor that is made is like -----*- C++ -*-===//
#ifndef TSC_TORCH_C10_TENSOROPTIONS_H
#define TSC_TORCH_C10_TENSOROPTIONS_H
#include <c10/core/DefaultDtype.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Optional.h>

namespace c10 {
inline namespace tsc_torch {

/// The dtype, device, layout and so on of a tensor to be made; what is not named is left to the function.
struct TensorOptions {
  TensorOptions() = default;
  TensorOptions(Layout given) { set(layout_, HasLayout, given); }
  TensorOptions(MemoryFormat given) { set(format, HasFormat, given); }
  TensorOptions(ScalarType given) { set(dtype_, HasDtype, given); }
  TensorOptions(TypeMeta given) { set(dtype_, HasDtype, given.toScalarType()); }
  /// A device, its kind, or its text: TensorOptions("cuda:1").
  template <typename T, typename = std::enable_if_t<std::is_convertible<T &&, Device>::value &&
                                                    !std::is_same<std::decay_t<T>, TensorOptions>::value>>
  TensorOptions(T &&given) {
    set(device_, HasDevice, Device(std::forward<T>(given)));
  }

  /// Returns these options with another device, or with none that is named.
  TensorOptions device(optional<Device> given) const { return with(&TensorOptions::device_, HasDevice, given); }
  /// Returns these options with the device that is made of the arguments: device(kCUDA, 1).
  template <typename... Args> TensorOptions device(Args &&...args) const {
    TensorOptions changed = *this;
    changed.set(changed.device_, HasDevice, Device(std::forward<Args>(args)...));
    return changed;
  }
  TensorOptions device_index(DeviceIndex index) const { return device(Device(DeviceType::CUDA, index)); }
  /// Returns these options with another dtype, or with none that is named.
  TensorOptions dtype(optional<ScalarType> given) const { return with(&TensorOptions::dtype_, HasDtype, given); }
  TensorOptions dtype(ScalarType given) const {
    TensorOptions changed = *this;
    changed.set(changed.dtype_, HasDtype, given);
    return changed;
  }
  TensorOptions dtype(TypeMeta given) const { return dtype(given.toScalarType()); }
  /// Names the dtype of a type of C++ in these options, and returns them.
  template <typename T> TensorOptions &dtype() {
    set(dtype_, HasDtype, CppTypeToScalarType<T>::value);
    return *this;
  }
  TensorOptions layout(optional<Layout> given) const { return with(&TensorOptions::layout_, HasLayout, given); }
  TensorOptions requires_grad(optional<bool> given) const { return with(&TensorOptions::gradient, HasGradient, given); }
  TensorOptions pinned_memory(optional<bool> given) const { return with(&TensorOptions::pinned, HasPinned, given); }
  TensorOptions memory_format(optional<MemoryFormat> given) const {
    return with(&TensorOptions::format, HasFormat, given);
  }

  Device device() const { return device_; }
  bool has_device() const { return has(HasDevice); }
  optional<Device> device_opt() const { return given(device_, HasDevice); }
  DeviceIndex device_index() const { return device_.index(); }
  TypeMeta dtype() const { return TypeMeta(has(HasDtype) ? dtype_ : get_default_dtype_as_scalartype()); }
  bool has_dtype() const { return has(HasDtype); }
  optional<TypeMeta> dtype_opt() const { return given(TypeMeta(dtype_), HasDtype); }
  Layout layout() const { return layout_; }
  bool has_layout() const { return has(HasLayout); }
  optional<Layout> layout_opt() const { return given(layout_, HasLayout); }
  bool requires_grad() const { return gradient; }
  bool has_requires_grad() const { return has(HasGradient); }
  optional<bool> requires_grad_opt() const { return given(gradient, HasGradient); }
  bool pinned_memory() const { return pinned; }
  bool has_pinned_memory() const { return has(HasPinned); }
  optional<bool> pinned_memory_opt() const { return given(pinned, HasPinned); }
  optional<MemoryFormat> memory_format_opt() const { return given(format, HasFormat); }
  bool has_memory_format() const { return has(HasFormat); }
  bool is_sparse() const { return has(HasLayout) && layout_ == kSparse; }

  /// These options, with what `other` names in place of their own.
  TensorOptions merge_in(TensorOptions other) const {
    TensorOptions merged = *this;
    if (other.has(HasDevice))
      merged.set(merged.device_, HasDevice, other.device_);
    if (other.has(HasDtype))
      merged.set(merged.dtype_, HasDtype, other.dtype_);
    if (other.has(HasLayout))
      merged.set(merged.layout_, HasLayout, other.layout_);
    if (other.has(HasGradient))
      merged.set(merged.gradient, HasGradient, other.gradient);
    if (other.has(HasPinned))
      merged.set(merged.pinned, HasPinned, other.pinned);
    if (other.has(HasFormat))
      merged.set(merged.format, HasFormat, other.format);
    return merged;
  }

private:
  // What is not named has its default value, so that compilers see no member that was not set.
  enum Named : uint8_t { HasDtype = 1, HasDevice = 2, HasLayout = 4, HasGradient = 8, HasPinned = 16, HasFormat = 32 };

  bool has(Named what) const { return (named & what) != 0; }
  template <typename T> void set(T &member, Named what, const T &value) {
    member = value;
    named = static_cast<uint8_t>(named | what);
  }
  template <typename T> optional<T> given(const T &member, Named what) const {
    return has(what) ? optional<T>(member) : optional<T>(nullopt);
  }
  template <typename T> TensorOptions with(T TensorOptions::*member, Named what, const optional<T> &value) const {
    TensorOptions changed = *this;
    if (value) {
      changed.set(changed.*member, what, *value);
    } else {
      changed.*member = TensorOptions().*member;
      changed.named = static_cast<uint8_t>(changed.named & ~what);
    }
    return changed;
  }

  uint8_t named = 0;
  ScalarType dtype_ = kFloat;
  Device device_{DeviceType::CPU};
  Layout layout_ = kStrided;
  bool gradient = false, pinned = false;
  MemoryFormat format = MemoryFormat::Contiguous;
};

inline TensorOptions dtype(ScalarType given) { return TensorOptions(given); }
inline TensorOptions dtype(TypeMeta given) { return TensorOptions(given); }
template <typename T> TensorOptions dtype() { return TensorOptions(CppTypeToScalarType<T>::value); }
inline TensorOptions layout(Layout given) { return TensorOptions(given); }
inline TensorOptions device(Device given) { return TensorOptions(given); }
inline TensorOptions device_index(DeviceIndex index) { return TensorOptions().device_index(index); }
inline TensorOptions requires_grad(bool needed = true) { return TensorOptions().requires_grad(needed); }
inline TensorOptions memory_format(MemoryFormat given) { return TensorOptions(given); }

inline std::ostream &operator<<(std::ostream &out, const TensorOptions &options) {
  auto given = [](bool has) { return has ? "" : " (default)"; };
  out << "TensorOptions(dtype=" << options.dtype() << given(options.has_dtype()) << ", device=" << options.device()
      << given(options.has_device()) << ", layout=" << options.layout() << given(options.has_layout())
      << ", requires_grad=" << (options.requires_grad() ? "true" : "false") << given(options.has_requires_grad())
      << ", pinned_memory=" << (options.pinned_memory() ? "true" : "false") << given(options.has_pinned_memory())
      << ", memory_format=";
  if (options.has_memory_format())
    return out << *options.memory_format_opt() << ")";
  return out << "(nullopt))";
}
inline std::string toString(const TensorOptions &options) { return str(options); }

} // namespace tsc_torch
} // namespace c10

#endif
