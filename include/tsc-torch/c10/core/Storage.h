//===- Storage.h - The memory of tensors ------------------------*- C++ -*-===//
#ifndef TSC_TORCH_C10_STORAGE_H
#define TSC_TORCH_C10_STORAGE_H
#include <c10/macros/Macros.h>
#include <cstddef>

namespace c10 {
inline namespace tsc_torch {

/// Where a tensor and its views have their elements. It owns nothing.
class Storage {
public:
  Storage() = default;
  Storage(void *first, size_t size) : first(first), size(size) {}
  explicit operator bool() const { return first != nullptr; }
  void *data() const { return first; }
  void *mutable_data() const { return first; }
  template <typename T> T *data() const { return static_cast<T *>(first); }
  const void *data_ptr() const { return first; }
  size_t nbytes() const { return size; }
  bool is_alias_of(const Storage &other) const { return first && first == other.first; }

private:
  void *first = nullptr;
  size_t size = 0;
};

} // namespace tsc_torch
} // namespace c10

#endif
