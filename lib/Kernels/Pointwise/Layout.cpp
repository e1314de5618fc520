//===- Layout.cpp - In which order to walk strided operands ---------------===//
#include "Layout.h"
#include "tsc/Tensor/StrideOrder.h"

using namespace tsc;
using namespace tsc::pw;

Dims tsc::pw::outputStrides(ArrayRef<int64_t> shape, ArrayRef<const TensorImpl *> operands) {
  return denseStrides(shape, operands);
}

IterationOrder::IterationOrder(const TensorImpl &out, ArrayRef<const TensorImpl *> operands) {
  llvm::SmallVector<const TensorImpl *, 5> all = {&out};
  all.append(operands.begin(), operands.end());
  for (size_t d : strideOrder(out.sizes, all)) {
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

RowCursor::RowCursor(const IterationOrder &order, int64_t row)
    : order(order), index(order.shape.size(), 0), offsets(order.strides[0].size(), 0) {
  for (size_t d = 1; d < order.shape.size(); ++d) {
    index[d] = row % order.shape[d];
    row /= order.shape[d];
    for (size_t k = 0; k != offsets.size(); ++k)
      offsets[k] += index[d] * order.strides[d][k];
  }
}
