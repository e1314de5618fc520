//===- DefaultDtype.h - The dtype of what names none ------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_DEFAULTDTYPE_H
#define TSC_TORCH_C10_DEFAULTDTYPE_H
#include <c10/core/ScalarType.h>
#include <tsc-torch/Handles.h>

namespace c10 {
inline namespace tsc_torch {

/// Returns the dtype that floating-point numbers have where nothing says another: the calling thread's.
inline ScalarType get_default_dtype_as_scalartype() { return static_cast<ScalarType>(tsc_default_dtype()); }
inline TypeMeta get_default_dtype() { return TypeMeta(get_default_dtype_as_scalartype()); }
/// Sets it for the calling thread. A dtype that is not floating-point is a c10::Error.
inline void set_default_dtype(TypeMeta type) {
  tsc_torch_detail::check(tsc_set_default_dtype(static_cast<int32_t>(type.toScalarType())));
}

} // namespace tsc_torch
} // namespace c10

#endif
