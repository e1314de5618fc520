//===- Comparison.h - What == and < give for values of a list ---*- C++ -*-===//
//
// Lists of tensors are searched, compared and sorted by tensors of one element;
// a comparison of larger ones has no truth value.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_DISPATCH_OPS_COMPARISON_H
#define TSC_RUNTIME_DISPATCH_OPS_COMPARISON_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::ops {

/// Returns bool(a == b); an undefined tensor equals only another one. Fails as bool() does unless `a == b` has one
/// element.
StatusOr<bool> singleElementEquals(const Tensor &a, const Tensor &b);
/// Returns bool(a < b), or fails as bool() does unless `a < b` has one element.
StatusOr<bool> singleElementLess(const Tensor &a, const Tensor &b);

} // namespace tsc::ops

#endif
