//===- Compare.h - Whether a result is what was expected --------*- C++ -*-===//
#ifndef TSC_RUNTIME_COMPARE_H
#define TSC_RUNTIME_COMPARE_H

#include "tsc/IR/IValue.h"
#include <optional>
#include <string>

namespace tsc {

/// |actual - expected| <= absolute + relative * |expected|. Absent: torch.testing.assert_close's default for the dtype.
struct Tolerance {
  std::optional<double> relative, absolute;
};

/// Compares structure, types, dtypes, shapes and numbers (NaN equals NaN). None when they agree; else where and how the
/// first difference shows ("result[1]: shape mismatch: …"). A named tuple equals a tuple of its elements.
std::optional<std::string> findMismatch(const IValue &actual, const IValue &expected, const Tolerance &tolerance = {});

} // namespace tsc

#endif
