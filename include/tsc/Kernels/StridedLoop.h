//===- StridedLoop.h - Rows of strided operands -----------------*- C++ -*-===//
//
// Walks N operands of one (broadcast) shape row by row. Dimensions are ordered by
// the strides of operand 0 and merged where all operands allow it, so contiguous
// operands make a single row.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_STRIDEDLOOP_H
#define TSC_KERNELS_STRIDEDLOOP_H

#include "tsc/Tensor/Tensor.h"
#include <array>
#include <cstdlib>

namespace tsc::cpu {

template <unsigned N> class StridedLoop {
public:
  explicit StridedLoop(ArrayRef<int64_t> shape) : sizes(shape.begin(), shape.end()) {
    for (Dims &s : strides)
      s.assign(sizes.size(), 0);
  }

  /// Operand `i`: `t` broadcast to the shape (missing leading dimensions and dimensions of size 1 repeat).
  void input(unsigned i, const Tensor &t) {
    operand(i, const_cast<void *>(t.data()), t.sizes(), t.strides(), itemSize(t.dtype()));
  }
  void output(unsigned i, const Tensor &t) { operand(i, t.mutableData(), t.sizes(), t.strides(), itemSize(t.dtype())); }
  void operand(unsigned i, void *data, ArrayRef<int64_t> opSizes, ArrayRef<int64_t> opStrides, size_t bytes) {
    base[i] = static_cast<char *>(data);
    size_t lead = sizes.size() - opSizes.size();
    for (size_t d = 0; d != opSizes.size(); ++d)
      strides[i][lead + d] = opSizes[d] == 1 && sizes[lead + d] != 1 ? 0 : opStrides[d] * static_cast<int64_t>(bytes);
  }

  /// Calls row(char *const *pointers, const int64_t *byteStrides, int64_t count) for every row; nothing for an empty
  /// shape. `reorder` = false keeps the row-major order of elements (rows along the last dimensions still merge).
  template <typename Fn> void forEachRow(Fn &&row, bool reorder = true) {
    for (int64_t s : sizes)
      if (s == 0)
        return;
    if (reorder)
      sortDims();
    mergeDims();
    std::array<char *, N> pointers = base;
    if (sizes.empty()) {
      std::array<int64_t, N> zero{};
      row(pointers.data(), zero.data(), int64_t{1});
      return;
    }
    size_t last = sizes.size() - 1;
    std::array<int64_t, N> rowStrides;
    for (unsigned i = 0; i != N; ++i)
      rowStrides[i] = strides[i][last];
    Dims index(last, 0);
    while (true) {
      row(pointers.data(), rowStrides.data(), sizes[last]);
      size_t d = last;
      while (d != 0) {
        --d;
        for (unsigned i = 0; i != N; ++i)
          pointers[i] += strides[i][d];
        if (++index[d] != sizes[d])
          break;
        for (unsigned i = 0; i != N; ++i)
          pointers[i] -= strides[i][d] * sizes[d];
        index[d] = 0;
        if (d == 0)
          return;
      }
      if (last == 0)
        return;
    }
  }

private:
  /// Insertion sort: the largest stride of operand 0 (then of the others) outermost; stable for broadcast dimensions.
  void sortDims() {
    for (size_t d = 1; d < sizes.size(); ++d)
      for (size_t e = d; e != 0 && isInner(e - 1, e); --e) {
        std::swap(sizes[e - 1], sizes[e]);
        for (Dims &s : strides)
          std::swap(s[e - 1], s[e]);
      }
  }
  /// Whether dimension `a` should be inside dimension `b`.
  bool isInner(size_t a, size_t b) const {
    for (const Dims &s : strides) {
      int64_t x = std::abs(s[a]), y = std::abs(s[b]);
      if (x == 0 || y == 0 || x == y)
        continue;
      return x < y;
    }
    return false;
  }
  void mergeDims() {
    size_t kept = 0;
    for (size_t d = 0; d != sizes.size(); ++d) {
      if (sizes[d] == 1)
        continue;
      if (kept != 0 && canMerge(kept - 1, d)) {
        sizes[kept - 1] *= sizes[d];
        for (Dims &s : strides)
          s[kept - 1] = s[d];
        continue;
      }
      sizes[kept] = sizes[d];
      for (Dims &s : strides)
        s[kept] = s[d];
      ++kept;
    }
    sizes.resize(kept);
    for (Dims &s : strides)
      s.resize(kept);
  }
  bool canMerge(size_t outer, size_t inner) const {
    for (const Dims &s : strides)
      if (s[outer] != s[inner] * sizes[inner])
        return false;
    return true;
  }

  Dims sizes;
  std::array<Dims, N> strides;
  std::array<char *, N> base{};
};

} // namespace tsc::cpu

#endif
