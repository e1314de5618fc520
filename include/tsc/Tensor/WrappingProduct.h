//===- WrappingProduct.h - Strides of tensors without elements --*- C++ -*-===//
#ifndef TSC_TENSOR_WRAPPINGPRODUCT_H
#define TSC_TENSOR_WRAPPINGPRODUCT_H

#include <cstdint>

namespace tsc {

/// Returns a * b in two's complement. A view of no element may have any strides: what is computed of these wraps, as in
/// PyTorch.
inline int64_t wrappingProduct(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

} // namespace tsc

#endif
