//===- LogSums.h - What a logarithm of softmax subtracts --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_NORMALIZATION_LOGSUMS_H
#define TSC_LIB_KERNELS_NORMALIZATION_LOGSUMS_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// What log_softmax along dimension 1 subtracts from the elements of each column, first one and then the other, so that
/// who needs few of the results computes these alone.
struct LogSums {
  Tensor shifts, logSums; ///< Dense, an element for each column.
};
/// Finds them for a contiguous tensor of Float or Double that has elements, and more than two dimensions.
StatusOr<LogSums> logSumsOfColumns(const Tensor &x);

} // namespace tsc::cpu

#endif
