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
  TensorOptions(Layout given) : layout_(given) {}
  TensorOptions(MemoryFormat given) : format(given) {}
  TensorOptions(ScalarType given) : dtype_(given) {}
  TensorOptions(TypeMeta given) : dtype_(given.toScalarType()) {}
  /// A device, its kind, or its text: TensorOptions("cuda:1").
  template <typename T, typename = std::enable_if_t<std::is_convertible<T &&, Device>::value &&
                                                    !std::is_same<std::decay_t<T>, TensorOptions>::value>>
  TensorOptions(T &&given) : device_(Device(std::forward<T>(given))) {}

  TensorOptions device(optional<Device> given) const { return with([&](TensorOptions &o) { o.device_ = given; }); }
  template <typename... Args> TensorOptions device(Args &&...args) const {
    return device(optional<Device>(Device(std::forward<Args>(args)...)));
  }
  TensorOptions device_index(DeviceIndex index) const { return device(Device(DeviceType::CUDA, index)); }
  TensorOptions dtype(optional<ScalarType> given) const { return with([&](TensorOptions &o) { o.dtype_ = given; }); }
  TensorOptions dtype(ScalarType given) const { return dtype(optional<ScalarType>(given)); }
  TensorOptions dtype(TypeMeta given) const { return dtype(given.toScalarType()); }
  template <typename T> TensorOptions &dtype() {
    dtype_ = CppTypeToScalarType<T>::value;
    return *this;
  }
  TensorOptions layout(optional<Layout> given) const { return with([&](TensorOptions &o) { o.layout_ = given; }); }
  TensorOptions requires_grad(optional<bool> given) const { return with([&](TensorOptions &o) { o.gradient = given; }); }
  TensorOptions pinned_memory(optional<bool> given) const { return with([&](TensorOptions &o) { o.pinned = given; }); }
  TensorOptions memory_format(optional<MemoryFormat> given) const {
    return with([&](TensorOptions &o) { o.format = given; });
  }

  Device device() const { return device_ ? *device_ : Device(DeviceType::CPU); }
  bool has_device() const { return device_.has_value(); }
  optional<Device> device_opt() const { return device_; }
  DeviceIndex device_index() const { return device().index(); }
  TypeMeta dtype() const { return TypeMeta(dtype_ ? *dtype_ : get_default_dtype_as_scalartype()); }
  bool has_dtype() const { return dtype_.has_value(); }
  optional<TypeMeta> dtype_opt() const {
    if (!dtype_)
      return nullopt;
    return TypeMeta(*dtype_);
  }
  Layout layout() const { return layout_ ? *layout_ : kStrided; }
  bool has_layout() const { return layout_.has_value(); }
  optional<Layout> layout_opt() const { return layout_; }
  bool requires_grad() const { return gradient ? *gradient : false; }
  bool has_requires_grad() const { return gradient.has_value(); }
  optional<bool> requires_grad_opt() const { return gradient; }
  bool pinned_memory() const { return pinned ? *pinned : false; }
  bool has_pinned_memory() const { return pinned.has_value(); }
  optional<bool> pinned_memory_opt() const { return pinned; }
  optional<MemoryFormat> memory_format_opt() const { return format; }
  bool has_memory_format() const { return format.has_value(); }
  bool is_sparse() const { return layout_ && *layout_ == kSparse; }

  /// These options, with what `other` names in place of their own.
  TensorOptions merge_in(TensorOptions other) const {
    TensorOptions merged = *this;
    if (other.device_)
      merged.device_ = other.device_;
    if (other.dtype_)
      merged.dtype_ = other.dtype_;
    if (other.layout_)
      merged.layout_ = other.layout_;
    if (other.gradient)
      merged.gradient = other.gradient;
    if (other.pinned)
      merged.pinned = other.pinned;
    if (other.format)
      merged.format = other.format;
    return merged;
  }

private:
  template <typename F> TensorOptions with(F change) const {
    TensorOptions changed = *this;
    change(changed);
    return changed;
  }

  optional<Device> device_;
  optional<ScalarType> dtype_;
  optional<Layout> layout_;
  optional<bool> gradient, pinned;
  optional<MemoryFormat> format;
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
