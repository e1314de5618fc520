//===- MadeTensors.h - Short ways to make and to show tensors ----*- C++ -*-===//
//
// They compute nothing: what Tensor gives is enough, and the tests of Kernels use
// them too.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_UNITTESTS_TENSOR_MADETENSORS_H
#define TSC_UNITTESTS_TENSOR_MADETENSORS_H

#include "tsc/Tensor/Tensor.h"
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

using namespace tsc;

/// A device that the processor can read, and that counts its blocks.
class CountingMemory final : public DeviceMemory {
public:
  explicit CountingMemory(Device device) : DeviceMemory(device) {}
  memory::Block allocate(size_t bytes) const override {
    ++blocks, ++live;
    return bytes > limit ? memory::Block() : memory::allocate(bytes);
  }
  void deallocate(void *data, size_t capacity) const override {
    --live;
    memory::deallocate(data, capacity);
  }
  void copy(void *to, const void *from, size_t bytes) const override {
    copied += bytes;
    std::memcpy(to, from, bytes);
  }
  mutable std::atomic<int> blocks{0}, live{0};
  mutable std::atomic<size_t> copied{0};
  size_t limit = SIZE_MAX;
};

inline std::string failure(const Status &status) { return "error: " + messageOf(status).str(); }
inline std::string show(const StatusOr<Tensor> &t) { return t.ok() ? toPythonString(*t) : failure(t.status()); }
inline std::string show(const StatusOr<std::vector<Tensor>> &list) {
  if (!list.ok())
    return failure(list.status());
  std::string text;
  for (const Tensor &t : *list)
    text += (text.empty() ? "" : " | ") + toPythonString(t);
  return text;
}

template <typename... T> std::string show(const StatusOr<std::tuple<T...>> &results) {
  if (!results.ok())
    return failure(results.status());
  return std::apply(
      [](const auto &...each) { return show(StatusOr<std::vector<Tensor>>(std::vector<Tensor>{each...})); }, *results);
}

/// 0, 1, 2, …
inline Tensor ramp(ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  Tensor t = *Tensor::empty(sizes, dtype);
  for (int64_t i = 0; i != t.numel(); ++i)
    t.set(i, Scalar(i));
  return t;
}
inline Tensor ints(ArrayRef<int64_t> sizes) { return ramp(sizes, DType::Int64); }
inline Tensor longs(ArrayRef<int64_t> values) {
  return *Tensor::fromSpan<int64_t>(values, {static_cast<int64_t>(values.size())});
}
inline Tensor bools(ArrayRef<bool> values) {
  return *Tensor::fromSpan<bool>(values, {static_cast<int64_t>(values.size())});
}
inline Tensor doubles(ArrayRef<double> values) {
  return *Tensor::fromSpan<double>(values, {static_cast<int64_t>(values.size())});
}

#endif
