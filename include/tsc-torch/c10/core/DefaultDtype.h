//===- DefaultDtype.h - The dtype of what names none ------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_DEFAULTDTYPE_H
#define TSC_TORCH_C10_DEFAULTDTYPE_H
#include <c10/core/ScalarType.h>

namespace c10 {
inline namespace tsc_torch {

inline ScalarType get_default_dtype_as_scalartype() { return kFloat; }
inline TypeMeta get_default_dtype() { return TypeMeta(get_default_dtype_as_scalartype()); }
/// c10::Error for another than float, which is the default here: name the dtype where a tensor is made.
inline void set_default_dtype(TypeMeta type) {
  TORCH_CHECK(type == kFloat, "set_default_dtype: the default is float here, and cannot become ", type,
              ": name the dtype where a tensor is made");
}

} // namespace tsc_torch
} // namespace c10

#endif
