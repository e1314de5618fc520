//===- Rank.h - How many dimensions a tensor may have -----------*- C++ -*-===//
#ifndef TSC_TENSOR_RANK_H
#define TSC_TENSOR_RANK_H

#include "tsc/Support/Status.h"
#include <cstddef>

namespace tsc {

/// The largest number of dimensions of a tensor, so that what an operator does for each of them costs little. An
/// operator that makes a shape with more dimensions than its operands have checks it (elementCount() does).
inline constexpr size_t mostDims = 64;
/// Returns PyTorch's error for more dimensions than that.
Status tooManyDims();

} // namespace tsc

#endif
