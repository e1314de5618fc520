//===- DefaultDTypeTest.cpp - The dtype where nothing says another --------===//
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Promotion.h"
#include <catch2/catch.hpp>
#include <thread>

using namespace tsc;

static DType resultOf(std::optional<DType> dimensioned, std::optional<DType> zeroDim, Scalar number) {
  ResultType type;
  if (dimensioned)
    type.addTensor(*dimensioned, /*isZeroDim=*/false);
  if (zeroDim)
    type.addTensor(*zeroDim, /*isZeroDim=*/true);
  return type.add(number).get();
}

TEST_CASE("A scope says what floats are, in its thread, until it ends") {
  CHECK(defaultDType() == DType::Float);
  {
    const DefaultDTypeScope outer(DType::Double);
    CHECK(defaultDType() == DType::Double);
    CHECK(defaultComplexDType() == DType::ComplexDouble);
    CHECK(dtypeOfNumber(Scalar::Kind::Double) == DType::Double);
    CHECK(dtypeOfNumber(Scalar::Kind::Int) == DType::Int64);
    {
      const DefaultDTypeScope inner(DType::Half);
      CHECK(floatingDType(DType::Bool) == DType::Half);
      CHECK(floatingDType(DType::Float) == DType::Float);
    }
    DType elsewhere = DType::Double;
    std::thread([&] { elsewhere = defaultDType(); }).join();
    CHECK(elsewhere == DType::Float);
    CHECK(defaultDType() == DType::Double);
  }
  CHECK(defaultDType() == DType::Float);
}

TEST_CASE("Numbers make integers floats of the default dtype, and leave floats as they are") {
  const DefaultDTypeScope scope(DType::Double);
  CHECK(resultOf(DType::Int64, std::nullopt, Scalar(1.5)) == DType::Double);
  CHECK(resultOf(DType::Bool, DType::Int32, Scalar(1.5)) == DType::Double);
  CHECK(resultOf(DType::Int64, std::nullopt, Scalar(std::complex<double>(0, 1))) == DType::ComplexDouble);
  CHECK(resultOf(DType::Float, std::nullopt, Scalar(1.5)) == DType::Float);
  CHECK(resultOf(DType::Float, std::nullopt, Scalar(std::complex<double>(0, 1))) == DType::ComplexFloat);
  CHECK(resultOf(DType::Int64, DType::Float, Scalar(1.5)) == DType::Float);
  CHECK(resultOf(DType::Int64, std::nullopt, Scalar(2)) == DType::Int64);
  CHECK(resultOf(std::nullopt, std::nullopt, Scalar(1.5)) == DType::Double);
  CHECK(ResultType().get() == DType::Double);
  CHECK(pointwiseDTypes(DTypeRule::Division, DType::Int64, /*rounds=*/false).result == DType::Double);
  CHECK(pointwiseDTypes(DTypeRule::Division, DType::Int64, /*rounds=*/true).result == DType::Int64);
  CHECK(pointwiseDTypes(DTypeRule::PromoteFloat, DType::Bool, false).compute == DType::Double);
}
