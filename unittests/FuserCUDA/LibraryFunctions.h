//===- LibraryFunctions.h - Operators for functions of CUDA's library -*- C++ -*-===//
#ifndef TSC_UNITTESTS_FUSERCUDA_LIBRARYFUNCTIONS_H
#define TSC_UNITTESTS_FUSERCUDA_LIBRARYFUNCTIONS_H

#include "tsc/Kernels/PointwiseOps.h"
#include "llvm/ADT/StringMap.h"
#include <catch2/catch.hpp>
#include <regex>

namespace tsc::fuser {

/// Of a kernel's text: calls of the library's functions become those of tsc_shim_library. Special functions are in a
/// namespace of their own, and name theirs by std.
inline std::string withOperatorsFunctions(const std::string &text) {
  static const std::regex calls(
      R"(([^\w:.])(tan|asin|acos|atan|sinh|cosh|asinh|acosh|atanh|erfc|erf|lgamma|atan2|hypot|)"
      R"(sin|cos|exp|exp2|expm1|log|log2|log10|log1p|tanh|pow)f?\()");
  return std::regex_replace(text, calls, "$1tsc_shim_called(\"$2\", ");
}

using LibraryFunction = double (*)(const char *, bool, double, double);
/// What an operator gives for numbers.
inline double callOperator(const char *name, bool isDouble, double a, double b) {
  static const llvm::StringMap<PointwiseKind> kinds = {{"tan", PointwiseKind::Aten_tan},
                                                       {"asin", PointwiseKind::Aten_asin},
                                                       {"acos", PointwiseKind::Aten_acos},
                                                       {"atan", PointwiseKind::Aten_atan},
                                                       {"sinh", PointwiseKind::Aten_sinh},
                                                       {"cosh", PointwiseKind::Aten_cosh},
                                                       {"asinh", PointwiseKind::Aten_asinh},
                                                       {"acosh", PointwiseKind::Aten_acosh},
                                                       {"atanh", PointwiseKind::Aten_atanh},
                                                       {"erfc", PointwiseKind::Aten_erfc},
                                                       {"erf", PointwiseKind::Aten_erf},
                                                       {"lgamma", PointwiseKind::Aten_lgamma},
                                                       {"atan2", PointwiseKind::Aten_atan2},
                                                       {"hypot", PointwiseKind::Aten_hypot},
                                                       {"sin", PointwiseKind::Aten_sin},
                                                       {"cos", PointwiseKind::Aten_cos},
                                                       {"exp", PointwiseKind::Aten_exp},
                                                       {"exp2", PointwiseKind::Aten_exp2},
                                                       {"expm1", PointwiseKind::Aten_expm1},
                                                       {"log", PointwiseKind::Aten_log},
                                                       {"log2", PointwiseKind::Aten_log2},
                                                       {"log10", PointwiseKind::Aten_log10},
                                                       {"log1p", PointwiseKind::Aten_log1p},
                                                       {"tanh", PointwiseKind::Aten_tanh},
                                                       {"pow", PointwiseKind::Aten_pow_Tensor_Tensor}};
  const auto kind = kinds.find(name);
  REQUIRE(kind != kinds.end());
  const DType dtype = isDouble ? DType::Double : DType::Float;
  auto number = [&](double value) -> Tensor {
    Tensor made = *Tensor::empty({1}, dtype);
    if (isDouble)
      *made.mutableData<double>() = value;
    else
      *made.mutableData<float>() = static_cast<float>(value);
    return made;
  };
  const bool isOfTwo = kind->second == PointwiseKind::Aten_atan2 || kind->second == PointwiseKind::Aten_hypot ||
                       kind->second == PointwiseKind::Aten_pow_Tensor_Tensor;
  StatusOr<Tensor> result =
      isOfTwo ? pointwise(kind->second, {number(a), number(b)}) : pointwise(kind->second, {number(a)});
  REQUIRE(result.ok());
  return isDouble ? *result->data<double>() : static_cast<double>(*result->data<float>());
}

} // namespace tsc::fuser

#endif
