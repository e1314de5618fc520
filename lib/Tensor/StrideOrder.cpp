//===- StrideOrder.cpp - How strides order dimensions ---------------------===//
#include "tsc/Tensor/StrideOrder.h"
#include "tsc/Tensor/Promotion.h"
#include "tsc/Tensor/WrappingProduct.h"
#include <numeric>

using namespace tsc;

/// 1: dimension a belongs outside b; -1: inside; 0: nothing says so.
template <typename Operand>
static int compareDims(ArrayRef<int64_t> shape, ArrayRef<const Operand *> operands, size_t a, size_t b) {
  for (const Operand *t : operands) {
    if (!t)
      continue;
    int64_t x = broadcastStride(*t, a, shape.size()), y = broadcastStride(*t, b, shape.size());
    if (x == 0 || y == 0)
      continue;
    if (x != y)
      return x < y ? -1 : 1;
    if (shape[a] > shape[b])
      return 1;
  }
  return 0;
}

/// Dimensions, innermost first.
template <typename Operand>
static llvm::SmallVector<size_t, 5> orderDims(ArrayRef<int64_t> shape, ArrayRef<const Operand *> operands) {
  llvm::SmallVector<size_t, 5> order(shape.size());
  std::iota(order.rbegin(), order.rend(), size_t{0});
  for (size_t i = 1; i < order.size(); ++i) {
    size_t moving = i;
    for (size_t j = i; j-- > 0;) {
      int comparison = compareDims(shape, operands, order[j], order[moving]);
      if (comparison > 0) {
        std::swap(order[j], order[moving]);
        moving = j;
      } else if (comparison < 0) {
        break;
      }
    }
  }
  return order;
}

template <typename Operand> static Dims layOut(ArrayRef<int64_t> shape, ArrayRef<const Operand *> operands) {
  Dims strides(shape.size());
  int64_t next = 1;
  for (size_t d : orderDims(shape, operands)) {
    strides[d] = next;
    next = wrappingProduct(next, std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

llvm::SmallVector<size_t, 5> tsc::strideOrder(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands) {
  return orderDims(shape, operands);
}

Dims tsc::denseStrides(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands) {
  return layOut(shape, operands);
}

Dims tsc::pointwiseStrides(ArrayRef<int64_t> shape, ArrayRef<StridedShape> operands) {
  // As the engine of Kernels decides: one shape, all row-major.
  llvm::SmallVector<const StridedShape *, 4> pointers;
  bool plain = true;
  for (const StridedShape &operand : operands) {
    plain &= operand.sizes.empty() || (operand.sizes == shape && isContiguous(operand.sizes, operand.strides));
    pointers.push_back(&operand);
  }
  if (plain)
    return contiguousStrides(shape);
  return layOut(shape, ArrayRef<const StridedShape *>(pointers));
}
