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

/// A function of floats; those of two operands have an underscore behind their name.
enum class MathFunction {
#define MATH_FUNCTION(NAME, ...) NAME,
#define MATH_FUNCTION_OF_TWO(NAME, ...) NAME##_,
#include "tsc/Python/Math.def"
};

/// The function of this name with so many operands; nothing where there is none.
std::optional<MathFunction> findMathFunction(llvm::StringRef name, size_t numOperands);

/// What the function gives, or raises. The operands are as many as it has.
StatusOr<double> callMath(MathFunction function, llvm::ArrayRef<double> operands);

/// Whether the result of a function is one in Python, or what it raises instead: a result that is not finite needs an
/// operand that isn't.
Status checkMath(MathFunction function, double result, llvm::ArrayRef<double> operands);

inline double degrees(double x) { return x * (180.0 / std::numbers::pi); }
inline double radians(double x) { return x * (std::numbers::pi / 180.0); }
/// math.ldexp
inline double scaleByPowerOfTwo(double x, double exponent) {
  constexpr double limit = 100000; // beyond any double's range, within int's
  return std::ldexp(x, static_cast<int>(std::clamp(exponent, -limit, limit)));
}
/// math.frexp
std::tuple<double, int64_t> splitExponent(double x);
/// math.modf
std::tuple<double, double> splitFraction(double x);

} // namespace tsc::python

#endif
