//===- MeetFacts.h - What two descriptions of tensors agree on --*- C++ -*-===//
//
// Types (TensorFacts) and shape propagation (AbstractTensor) describe a tensor by
// the same parts, and differ only in how they represent a dimension.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_MEETFACTS_H
#define TSC_IR_MEETFACTS_H

#include "llvm/ADT/STLExtras.h"

namespace tsc {

/// Returns the dimensions that `a` and `b` agree on, and an unknown (default-constructed) dimension where they differ.
/// Returns nullopt where one is absent or the ranks differ.
template <typename Dims> Dims meetDims(const Dims &a, const Dims &b) {
  Dims both;
  if (!a || !b || a->size() != b->size())
    return both;
  both.emplace();
  for (auto [x, y] : llvm::zip(*a, *b))
    both->push_back(x == y ? x : typename Dims::value_type::value_type());
  return both;
}

/// Returns the description that holds for every tensor that `a` or `b` describes: each part that both agree on.
template <typename Facts> Facts meetFacts(const Facts &a, const Facts &b) {
  Facts both;
  if (a.dtype == b.dtype)
    both.dtype = a.dtype;
  if (a.device == b.device)
    both.device = a.device;
  if (a.requiresGrad == b.requiresGrad)
    both.requiresGrad = a.requiresGrad;
  both.undefined = a.undefined && b.undefined;
  both.sizes = meetDims(a.sizes, b.sizes);
  both.strides = meetDims(a.strides, b.strides);
  return both;
}

} // namespace tsc

#endif
