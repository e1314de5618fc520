//===- LibraryFunctions.h - Operators for functions of CUDA's library -*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_LIBRARYFUNCTIONS_H
#define TSC_UNITTESTS_FUSERCUDA_LIBRARYFUNCTIONS_H

#include "tsc/Kernels/PointwiseOps.h"
#include "llvm/ADT/StringMap.h"
#include <catch2/catch.hpp>
#include <regex>

namespace tsc::fuser {

/// Of a kernel's text: calls of the library's functions, and of special ones, which are made of the library's, become
/// those of tsc_shim_library. The special functions themselves name the library's by std.
inline std::string withOperatorsFunctions(const std::string &text) {
  static const std::regex calls(
      R"(([^\w:.])(tan|asin|acos|atan|sinh|cosh|asinh|acosh|atanh|erfc|erf|lgamma|atan2|hypot|)"
      R"(sin|cos|exp|exp2|expm1|log|log2|log10|log1p|tanh|pow)f?\()");
  static const std::regex special(R"(\((float|double)\)tsc::pw::(\w+)\()");
  return std::regex_replace(std::regex_replace(text, calls, "$1tsc_shim_called(\"$2\", "), special,
                            "tsc_shim_special<$1>(\"$2\", ");
}

using LibraryFunction = double (*)(const char *, bool, double, double);
/// What an operator gives for numbers.
inline double callOperator(const char *name, bool isDouble, double a, double b) {
  struct Operator {
    PointwiseKind kind;
    bool isOfTwo;
  };
  static const llvm::StringMap<Operator> operators = {
#define REAL1(NAME, BODY) {#NAME, {PointwiseKind::BODY, false}},
#define REAL2(NAME, BODY) {#NAME, {PointwiseKind::BODY, true}},
#include "tsc/Kernels/PointwiseFunctions.inc"
  };
  const DType dtype = isDouble ? DType::Double : DType::Float;
  auto number = [&](double value) -> Tensor {
    Tensor made = *Tensor::empty({1}, dtype);
    if (isDouble)
      *made.mutableData<double>() = value;
    else
      *made.mutableData<float>() = static_cast<float>(value);
    return made;
  };
  auto call = [&]() -> StatusOr<Tensor> {
    if (llvm::StringRef(name) == "polygamma")
      return pointwise(PointwiseKind::Aten_polygamma, {Scalar(static_cast<int64_t>(a)), number(b)});
    if (llvm::StringRef(name) == "multigammaln")
      return pointwise(PointwiseKind::Aten_mvlgamma, {number(a), Scalar(static_cast<int64_t>(b))});
    const auto known = operators.find(name);
    REQUIRE(known != operators.end());
    Operator called = known->second;
    if (called.kind == PointwiseKind::Aten_float_power_Tensor_Tensor) // which is of doubles alone
      called.kind = PointwiseKind::Aten_pow_Tensor_Tensor;
    return called.isOfTwo ? pointwise(called.kind, {number(a), number(b)}) : pointwise(called.kind, {number(a)});
  };
  StatusOr<Tensor> result = call();
  REQUIRE(result.ok());
  return isDouble ? *result->data<double>() : static_cast<double>(*result->data<float>());
}

} // namespace tsc::fuser

#endif
