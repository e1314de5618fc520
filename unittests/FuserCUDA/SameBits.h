//===- SameBits.h - Results of groups, compared with operators' -*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_SAMEBITS_H
#define TSC_UNITTESTS_FUSERCUDA_SAMEBITS_H

#include "tsc/IR/IValue.h"
#include "tsc/Tensor/Tensor.h"
#include <cmath>
#include <vector>

namespace tsc::fuser {

/// Whether two tensors of the same sizes have equal bits, where a NaN is equal to any NaN.
inline bool agrees(const Tensor &found, const Tensor &expected) {
  for (int64_t i = 0; i != expected.numel(); ++i) {
    if (!isFloating(expected.dtype())) {
      if (found.at(i).toInt() != expected.at(i).toInt())
        return false;
      continue;
    }
    double x = found.at(i).toDouble(), y = expected.at(i).toDouble();
    if (!(std::isnan(x) && std::isnan(y)) && (x != y || std::signbit(x) != std::signbit(y)))
      return false;
  }
  return true;
}

/// Returns the addresses of `values`, as fused groups take their inputs.
inline std::vector<const IValue *> pointersTo(const std::vector<IValue> &values) {
  std::vector<const IValue *> pointers;
  for (const IValue &value : values)
    pointers.push_back(&value);
  return pointers;
}

} // namespace tsc::fuser

#endif
