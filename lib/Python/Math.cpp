//===- Math.cpp - Python's module math ------------------------------------===//
#include "tsc/Python/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tsc;
using namespace tsc::python;

namespace {
/// What an infinite result of finite operands means.
enum class Infinite { Never, Pole, Range, Gamma, Base, Power };

struct FunctionFacts {
  llvm::StringLiteral name;
  unsigned numOperands;
  Infinite infinite;
  double (*compute)(double x, double y);
};
} // namespace

static constexpr FunctionFacts functions[] = {
#define MATH_FUNCTION(NAME, EXPRESSION, INFINITE)                                                                      \
  {llvm::StringLiteral(#NAME), 1, Infinite::INFINITE, [](double x, double) -> double { return EXPRESSION; }},
#define MATH_FUNCTION_OF_TWO(NAME, EXPRESSION, INFINITE)                                                               \
  {llvm::StringLiteral(#NAME), 2, Infinite::INFINITE, [](double x, double y) -> double { return EXPRESSION; }},
#include "tsc/Python/Math.def"
};
static const FunctionFacts &factsOf(MathFunction function) { return functions[static_cast<size_t>(function)]; }

std::optional<MathFunction> python::findMathFunction(llvm::StringRef name, size_t numOperands) {
  for (auto [number, facts] : llvm::enumerate(functions))
    if (facts.name == name && facts.numOperands == numOperands)
      return static_cast<MathFunction>(number);
  return std::nullopt;
}

StatusOr<double> python::callMath(MathFunction function, llvm::ArrayRef<double> operands) {
  const FunctionFacts &facts = factsOf(function);
  assert(operands.size() == facts.numOperands && "a function takes as many operands as it has");
  const double result = facts.compute(operands.front(), operands.back());
  TSC_RETURN_IF_ERROR(checkMath(function, result, operands));
  return result;
}

Status python::checkMath(MathFunction function, double result, llvm::ArrayRef<double> operands) {
  const Infinite infinite = factsOf(function).infinite;
  if (infinite == Infinite::Base) { // a quotient of logarithms, each of which has its own errors
    if (operands[0] <= 0 || operands[1] <= 0)
      return mathDomainError();
    return operands[1] == 1 ? floatDivisionByZero() : okStatus();
  }
  if (std::isfinite(result)) [[likely]]
    return okStatus();
  if (std::isnan(result))
    return llvm::any_of(operands, [](double each) { return std::isnan(each); }) ? okStatus() : mathDomainError();
  if (!llvm::all_of(operands, [](double each) { return std::isfinite(each); }))
    return okStatus();
  switch (infinite) {
  case Infinite::Range: return mathRangeError();
  case Infinite::Gamma: // which has its poles at the whole numbers up to 0
    return operands[0] <= 0 && operands[0] == std::floor(operands[0]) ? mathDomainError() : mathRangeError();
  case Infinite::Power: return operands[0] == 0 ? mathDomainError() : mathRangeError();
  case Infinite::Never:
  case Infinite::Pole:
  case Infinite::Base: break;
  }
  return mathDomainError();
}

std::tuple<double, int64_t> python::splitExponent(double x) {
  int exponent = 0;
  const double mantissa = std::frexp(x, &exponent);
  return {mantissa, exponent};
}

std::tuple<double, double> python::splitFraction(double x) {
  double whole = 0;
  const double fraction = std::modf(x, &whole);
  return {fraction, whole};
}
