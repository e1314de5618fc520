//===- Layout.h - In which order to walk strided operands -------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_POINTWISE_LAYOUT_H
#define TSC_LIB_KERNELS_POINTWISE_LAYOUT_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::pw {

/// Strides of a new result of `shape`: row-major, or in the order of dimensions that the operands' strides show
/// (channels-last operands give a channels-last result).
Dims outputStrides(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands);

/// The result (operand 0) and the operands (1…), their dimensions reordered so that the result is walked through memory
/// and merged where all allow it. The innermost dimension is the row.
class IterationOrder {
public:
  IterationOrder(const TensorImpl &out, ArrayRef<const TensorImpl *> operands);
  int64_t rowLength() const { return shape[0]; }
  int64_t numRows() const { return rows; }
  /// Rows that lie a constant distance apart: the first of every so many begins such a plane.
  int64_t rowsOfPlane() const { return shape.size() > 1 ? shape[1] : 1; }
  /// Bytes from one row of a plane to the next, by operand; only where planes have several.
  const int64_t *planeStrides() const {
    assert(shape.size() > 1 && "planes have several rows");
    return strides[1].data();
  }
  /// Bytes from one element of the row to the next, by operand.
  const int64_t *rowStrides() const { return strides[0].data(); }
  /// Bytes from an operand's first element to its first of a row; RowCursor finds those of many rows faster.
  int64_t offset(size_t operand, int64_t row) const {
    assert(row >= 0 && row < rows && "one of the rows");
    int64_t bytes = 0;
    for (size_t d = 1; d < shape.size(); ++d) {
      bytes += row % shape[d] * strides[d][operand];
      row /= shape[d];
    }
    return bytes;
  }
  /// Whether an operand is the same element everywhere.
  bool isRepeated(size_t operand) const;

private:
  friend class RowCursor;
  using OperandStrides = llvm::SmallVector<int64_t, 5>;
  Dims shape; ///< Innermost first.
  llvm::SmallVector<OperandStrides, 5> strides;
  int64_t rows = 1;
};

/// Goes from row to row.
class RowCursor {
public:
  RowCursor(const IterationOrder &order, int64_t row);
  /// Bytes from an operand's first element to its first of the row.
  int64_t offset(size_t operand) const { return offsets[operand]; }
  /// Moves to the next row; behind the last one comes the first.
  void next() {
    for (size_t d = 1; d < order.shape.size(); ++d) {
      const bool wraps = ++index[d] == order.shape[d];
      const int64_t steps = wraps ? 1 - order.shape[d] : 1;
      for (size_t k = 0; k != offsets.size(); ++k)
        offsets[k] += steps * order.strides[d][k];
      if (!wraps)
        return;
      index[d] = 0;
    }
  }

private:
  const IterationOrder &order;
  Dims index;
  llvm::SmallVector<int64_t, 5> offsets;
};

} // namespace tsc::pw

#endif
