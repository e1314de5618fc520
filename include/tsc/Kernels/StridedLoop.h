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
/// Does a kernel's work on a row: gets pointers into the operands, their strides in bytes, and the number of elements.
using RowFunction = llvm::function_ref<void(char *const *, const int64_t *, int64_t)>;
/// Sets the strides, in bytes, of an operand broadcast to `sizes`, of which it has at most as many dimensions;
/// `strides` has one for each of `sizes` already. `bytes` is the size of its element.
void setOperandStrides(Dims &strides, ArrayRef<int64_t> sizes, ArrayRef<int64_t> opSizes, ArrayRef<int64_t> opStrides,
                       size_t bytes);
/// Calls `row` for the rows of operands of one shape; `strides` and `base` have an entry for each. Reorders (where
/// `reorder`) and merges dimensions. Of shapes with more elements than a memory holds, the last rows are left out where
/// the call is to end (WorkMeter.h).
void walkRows(Dims &sizes, llvm::MutableArrayRef<Dims> strides, llvm::MutableArrayRef<char *> base, bool reorder,
              RowFunction row);
} // namespace strided

/// Walks N operands, broadcast to one shape, row by row. It borrows their memory.
template <unsigned N> class StridedLoop {
public:
  explicit StridedLoop(ArrayRef<int64_t> shape) : sizes(shape.begin(), shape.end()) {
    for (Dims &s : strides)
      s.assign(sizes.size(), 0);
  }

  /// Makes `t` operand `i`, which is read, broadcast to the shape (missing leading dimensions and dimensions of size 1
  /// repeat).
  void input(unsigned i, const Tensor &t) {
    operand(i, const_cast<void *>(t.data()), t.sizes(), t.strides(), itemSize(t.dtype()));
  }
  /// Makes `t` operand `i`, which is written.
  void output(unsigned i, const Tensor &t) { operand(i, t.mutableData(), t.sizes(), t.strides(), itemSize(t.dtype())); }
  /// Makes a block of memory operand `i`; strides count elements of `bytes` bytes.
  void operand(unsigned i, void *data, ArrayRef<int64_t> opSizes, ArrayRef<int64_t> opStrides, size_t bytes) {
    assert(i < N && "one of the operands");
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
