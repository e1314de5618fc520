//===- Compare.h - Whether a result is what was expected --------*- C++ -*-===//
#ifndef TSC_RUNTIME_COMPARE_H
#define TSC_RUNTIME_COMPARE_H

#include "tsc/IR/IValue.h"
#include <optional>
#include <string>

namespace tsc {

/// How far numbers may differ: |actual - expected| <= absolute + relative * |expected|.
struct Tolerance {
  std::optional<double> relative, absolute; ///< Empty: torch.testing.assert_close's default for the dtype.
};

/// Compares the structure, types, dtypes, shapes and numbers of two values. Returns nothing where they agree, and else
/// the first difference ("result[1]: shape mismatch: …"). NaN equals NaN, and a named tuple equals a tuple of its
/// elements; devices are not compared.
std::optional<std::string> findMismatch(const IValue &actual, const IValue &expected, const Tolerance &tolerance = {});

} // namespace tsc

#endif
