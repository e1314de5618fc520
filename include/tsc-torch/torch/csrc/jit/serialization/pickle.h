//===- pickle.h - Values in files of torch.save --------------- -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_JIT_SERIALIZATION_PICKLE_H
#define TSC_TORCH_CSRC_JIT_SERIALIZATION_PICKLE_H
#include <ATen/core/ivalue.h>

namespace tsc_torch_detail {
/// Appends to the std::vector<char> that `user` points to. It is a tsc_write.
inline void appendTo(void *user, const char *text, size_t length) {
  std::vector<char> &bytes = *static_cast<std::vector<char> *>(user);
  bytes.insert(bytes.end(), text, text + length);
}
} // namespace tsc_torch_detail

namespace torch {
namespace jit {
inline namespace tsc_torch {

/// Returns the bytes of a file that torch.load reads. c10::Error for values that mean nothing without their program.
inline std::vector<char> pickle_save(const c10::IValue &ivalue) {
  std::vector<char> bytes;
  tsc_torch_detail::check(tsc_value_save(ivalue.handle().get(), tsc_torch_detail::appendTo, &bytes));
  return bytes;
}
/// Returns the value of such a file, which torch.save may have written. c10::Error where it is none.
inline c10::IValue pickle_load(const std::vector<char> &data) {
  tsc_torch_detail::Value value;
  tsc_torch_detail::check(tsc_value_load(data.data(), data.size(), nullptr, nullptr, value.out()));
  return c10::IValue::fromHandle(value.release());
}

} // namespace tsc_torch
} // namespace jit
} // namespace torch

#endif
