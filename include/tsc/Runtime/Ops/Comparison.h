//===- Comparison.h - What == and < give for values of a list ---*- C++ -*-===//
//
// Lists of tensors are searched, compared and sorted by tensors of one element;
// a comparison of larger ones has no truth value.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_OPS_COMPARISON_H
#define TSC_RUNTIME_OPS_COMPARISON_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::ops {

/// bool(a == b) and bool(a < b).
StatusOr<bool> singleElementEquals(const Tensor &a, const Tensor &b);
StatusOr<bool> singleElementLess(const Tensor &a, const Tensor &b);

} // namespace tsc::ops

#endif
