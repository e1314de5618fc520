//===- Slices.h - Which elements x[i] and x[a:b:c] take ---------*- C++ -*-===//
#ifndef TSC_PYTHON_SLICES_H
#define TSC_PYTHON_SLICES_H

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tsc::python {

/// The elements start, start + step, …, of which there are `count`.
struct SliceElements {
  int64_t start = 0, step = 1, count = 0;
  int64_t operator[](int64_t number) const { return start + number * step; }
};

/// Returns the elements that `x[start:stop:step]` takes of `size` elements. The step is not 0.
inline SliceElements sliceElements(std::optional<int64_t> start, std::optional<int64_t> stop, int64_t step,
                                   int64_t size) {
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto place = [&](std::optional<int64_t> at, int64_t absent) {
    return at ? std::clamp(*at < 0 ? *at + size : *at, low, high) : absent;
  };
  const int64_t from = place(start, step > 0 ? low : high), to = place(stop, step > 0 ? high : low);
  const int64_t distance = step > 0 ? to - from : from - to;
  if (distance <= 0)
    return {from, step, 0};
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : uint64_t{0} - static_cast<uint64_t>(step);
  return {from, step, static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride) + 1};
}

/// Returns the place of `x[index]` in a sequence of `size` elements; nothing where the index is out of range.
inline std::optional<int64_t> elementPlace(int64_t index, int64_t size) {
  if (index < 0)
    index += size;
  return index < 0 || index >= size ? std::nullopt : std::optional(index);
}

/// Returns the place at which `insert(index, …)` puts an element.
inline int64_t insertionPlace(int64_t index, int64_t size) {
  return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
}

} // namespace tsc::python

#endif
