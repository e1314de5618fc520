//===- LogSums.h - What a logarithm of softmax subtracts --------*- C++ -*-===//
#ifndef TSC_LIB_KERNELS_NORMALIZATION_LOGSUMS_H
#define TSC_LIB_KERNELS_NORMALIZATION_LOGSUMS_H

#include "tsc/Tensor/Tensor.h"

namespace tsc::cpu {

/// The two numbers that log_softmax along dimension 1 subtracts from the elements of a column: the shift, and then the
/// logarithm of the sum. Who needs few of the results computes these alone.
struct LogSums {
  Tensor shifts, logSums; ///< Dense, an element for each column.
};
/// Returns the LogSums of a contiguous Float or Double tensor that has elements and more than two dimensions.
StatusOr<LogSums> logSumsOfColumns(const Tensor &x);

} // namespace tsc::cpu

#endif
