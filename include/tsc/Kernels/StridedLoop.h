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
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace tsc::cpu {

namespace strided {
/// Pointers into the operands, their strides in bytes, and how many elements the row has.
using RowFunction = llvm::function_ref<void(char *const *, const int64_t *, int64_t)>;
/// What the walks of any number of operands have in common: `strides` and `base` have an entry for each.
void setOperandStrides(Dims &strides, ArrayRef<int64_t> sizes, ArrayRef<int64_t> opSizes, ArrayRef<int64_t> opStrides,
                       size_t bytes);
void walkRows(Dims &sizes, llvm::MutableArrayRef<Dims> strides, llvm::MutableArrayRef<char *> base, bool reorder,
              RowFunction row);
} // namespace strided

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
    strided::setOperandStrides(strides[i], sizes, opSizes, opStrides, bytes);
  }

  /// Calls row(char *const *pointers, const int64_t *byteStrides, int64_t count) for every row; nothing for an empty
  /// shape. `reorder` = false keeps the row-major order of elements (rows along the last dimensions still merge).
  void forEachRow(strided::RowFunction row, bool reorder = true) {
    std::array<char *, N> pointers = base;
    strided::walkRows(sizes, strides, pointers, reorder, row);
  }

private:
  Dims sizes;
  std::array<Dims, N> strides;
  std::array<char *, N> base{};
};

} // namespace tsc::cpu

#endif
