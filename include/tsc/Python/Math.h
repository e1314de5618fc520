//===- Math.h - Python's module math ----------------------------*- C++ -*-===//
#ifndef TSC_PYTHON_MATH_H
#define TSC_PYTHON_MATH_H

#include "tsc/Python/Errors.h"
#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <tuple>

namespace tsc::python {

/// A function of floats in module math; the names of those of two operands end in an underscore.
enum class MathFunction {
#define MATH_FUNCTION(NAME, ...) NAME,
#define MATH_FUNCTION_OF_TWO(NAME, ...) NAME##_,
#include "tsc/Python/Math.def"
};

/// Returns the function of this name with so many operands; nothing where there is none.
std::optional<MathFunction> findMathFunction(llvm::StringRef name, size_t numOperands);

/// Returns the value of the function, or what it raises. The operands must be as many as it has.
StatusOr<double> callMath(MathFunction function, llvm::ArrayRef<double> operands);

/// Returns success where Python has this result of a function, else what it raises: a result that is not finite needs
/// an operand that isn't.
Status checkMath(MathFunction function, double result, llvm::ArrayRef<double> operands);

inline double degrees(double x) { return x * (180.0 / std::numbers::pi); }
inline double radians(double x) { return x * (std::numbers::pi / 180.0); }
/// Returns math.ldexp(x, exponent).
inline double scaleByPowerOfTwo(double x, double exponent) {
  constexpr double limit = 100000; // beyond any double's range, within int's
  return std::ldexp(x, static_cast<int>(std::clamp(exponent, -limit, limit)));
}
/// Returns math.frexp(x): a mantissa, of a size in [0.5, 1) unless x is 0, infinite or NaN, and an exponent.
std::tuple<double, int64_t> splitExponent(double x);
/// Returns math.modf(x): the fraction and the whole part.
std::tuple<double, double> splitFraction(double x);

} // namespace tsc::python

#endif
