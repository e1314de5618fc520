//===- Rank.h - How many dimensions a tensor may have -----------*- C++ -*-===//
#ifndef TSC_TENSOR_RANK_H
#define TSC_TENSOR_RANK_H

#include "tsc/Support/Status.h"
#include <cstddef>

namespace tsc {

/// A tensor has no more dimensions than this: what an operator does for each of them costs little. What makes a shape
/// with more dimensions than that of its operands looks at it (elementCount() does).
inline constexpr size_t mostDims = 64;
/// PyTorch's error for more of them.
Status tooManyDims();

} // namespace tsc

#endif
