//===- Layout.cpp - In which order to walk strided operands ---------------===//
#include "Layout.h"
#include "WrappingProduct.h"
#include "tsc/Tensor/Promotion.h"
#include <numeric>

using namespace tsc;
using namespace tsc::pw;

/// The stride of `t` along dimension `d` of the shape that it broadcasts to, in elements.
template <typename Operand> static int64_t broadcastStride(const Operand &t, size_t d, size_t rank) {
  size_t lead = rank - t.sizes.size();
  return d < lead || t.sizes[d - lead] == 1 ? 0 : t.strides[d - lead];
}

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

template <typename Operand> static Dims denseStrides(ArrayRef<int64_t> shape, ArrayRef<const Operand *> operands) {
  Dims strides(shape.size());
  int64_t next = 1;
  for (size_t d : orderDims(shape, operands)) {
    strides[d] = next;
    next = wrappingProduct(next, std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

Dims tsc::pw::outputStrides(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands) {
  return denseStrides(shape, operands);
}

Dims tsc::pointwiseStrides(ArrayRef<int64_t> shape, ArrayRef<StridedShape> operands) {
  // As the engine decides: one shape, all row-major.
  llvm::SmallVector<const StridedShape *, 4> pointers;
  bool plain = true;
  for (const StridedShape &operand : operands) {
    plain &= operand.sizes.empty() || (operand.sizes == shape && isContiguous(operand.sizes, operand.strides));
    pointers.push_back(&operand);
  }
  if (plain)
    return contiguousStrides(shape);
  return denseStrides(shape, ArrayRef<const StridedShape *>(pointers));
}

IterationOrder::IterationOrder(const TensorImpl &out, ArrayRef<const TensorImpl *> operands) {
  llvm::SmallVector<const TensorImpl *, 5> all = {&out};
  all.append(operands.begin(), operands.end());
  for (size_t d : orderDims(out.sizes, ArrayRef<const TensorImpl *>(all))) {
    if (out.sizes[d] == 1)
      continue;
    OperandStrides bytes;
    for (const TensorImpl *t : all)
      bytes.push_back(t ? broadcastStride(*t, d, out.sizes.size()) * static_cast<int64_t>(itemSize(t->dtype)) : 0);
    bool merges = !shape.empty();
    for (size_t k = 0; merges && k != bytes.size(); ++k)
      merges = bytes[k] == strides.back()[k] * shape.back();
    if (merges) {
      shape.back() *= out.sizes[d];
      continue;
    }
    shape.push_back(out.sizes[d]);
    strides.push_back(std::move(bytes));
  }
  if (shape.empty()) {
    shape.push_back(1);
    strides.emplace_back(all.size(), 0);
  }
  for (size_t d = 1; d < shape.size(); ++d)
    rows *= shape[d];
}

bool IterationOrder::isRepeated(size_t operand) const {
  for (const OperandStrides &s : strides)
    if (s[operand] != 0)
      return false;
  return true;
}
