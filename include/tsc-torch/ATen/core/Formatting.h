//===- Formatting.h - Tensors as text ---------------------------*- C++ -*-===//
#ifndef TSC_TORCH_ATEN_FORMATTING_H
#define TSC_TORCH_ATEN_FORMATTING_H
#include <ATen/core/Tensor.h>
#include <iostream>

namespace tsc_torch_detail {
/// A value as LibTorch's operator<< writes it.
inline std::string format(const tsc_value *value) {
  Value text;
  check(tsc_value_format(value, TSC_TEXT_CPP, text.out()));
  return textOf(text.get());
}
} // namespace tsc_torch_detail

namespace at {
inline namespace tsc_torch {

/// Writes the elements and the type. Lines have 80 characters, whatever `linesize` says.
inline std::ostream &print(std::ostream &out, const Tensor &tensor, int64_t linesize) {
  (void)linesize;
  return out << (tensor.defined() ? tsc_torch_detail::format(tensor.handle()) : "[ Tensor (undefined) ]");
}
inline std::ostream &operator<<(std::ostream &out, const Tensor &tensor) { return print(out, tensor, 80); }
inline void print(const Tensor &tensor, int64_t linesize = 80) { print(std::cout, tensor, linesize); }
inline std::string toString(const Tensor &tensor) { return c10::str(tensor); }

} // namespace tsc_torch
} // namespace at

#endif
