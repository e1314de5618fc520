//===- TransposedOperandsTest.cpp - Point-wise operators across memory ------===//
//
// Operands whose neighbours lie in the next row, broadcast ones, and rows that begin
// anywhere in a line of the cache.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::test;
using K = PointwiseKind;

/// That an operator gives the same as of dense copies.
static void check(K kind, const Tensor &a, const Tensor &b) {
  auto apply = [&](const Tensor &x, const Tensor &y) {
    return only(kind == K::Aten_add_Tensor ? add(x, y) : binary(kind, x, y));
  };
  const Tensor got = apply(a, b), wanted = apply(slowCopy(a), slowCopy(b));
  REQUIRE(got.sizes() == wanted.sizes());
  int64_t wrong = 0;
  for (int64_t i = 0; i != got.numel(); ++i)
    wrong += got.at(i).toComplex() != wanted.at(i).toComplex();
  INFO(irName(a.dtype()).str() << " and " << irName(b.dtype()).str() << ", " << a.numel());
  CHECK(wrong == 0);
}

TEST_CASE("operands that are transposed") {
  for (DType dtype : {DType::UInt8, DType::Int16, DType::Half, DType::Float, DType::Int64, DType::Double,
                      DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t rows : {1, 7, 8, 16, 33, 130})
      for (int64_t columns : {3, 8, 31, 64, 200}) {
        const Tensor a = ramp({rows, columns}, 1, dtype), b = *transpose(ramp({columns, rows}, 2, dtype), 0, 1);
        check(K::Aten_add_Tensor, a, b);
        check(K::Aten_mul_Tensor, b, a);
        check(K::Aten_eq_Tensor, a, b);
        check(K::Aten_add_Tensor, b, *narrow(ramp({rows, columns + 2}, 3, dtype), 1, 1, columns));
        check(K::Aten_mul_Tensor, b, ramp({rows, 1}, 4, dtype));
        check(K::Aten_mul_Tensor, ramp({columns}, 5, dtype), b);
        check(K::Aten_mul_Tensor, b, ramp({rows, columns}, 4, DType::Double));
      }
  const Tensor a = ramp({3, 20, 40}, 1), b = *permute(ramp({40, 3, 20}, 2), {1, 2, 0});
  check(K::Aten_gt_Tensor, a, b);
}

TEST_CASE("rows that begin anywhere in a line of the cache") {
  for (DType dtype : {DType::UInt8, DType::Half, DType::Float, DType::Double, DType::ComplexFloat})
    for (int64_t n : {200, 255, 256, 500, 1001}) {
      const Tensor column = ramp({7, 1}, 1, dtype), row = ramp({n}, 2, dtype);
      check(K::Aten_add_Tensor, column, row);
      check(K::Aten_mul_Tensor, row, column);
      check(K::Aten_mul_Tensor, ramp({7, n}, 3, dtype), row);
      Tensor target = ramp({7, n + 3}, 4, dtype), before = slowCopy(target), place = *narrow(target, 1, 1, n);
      const Tensor wanted = only(binary(K::Aten_mul_Tensor, slowCopy(place), column));
      REQUIRE(pointwiseInPlace(K::Aten_mul_Tensor, place, {PointwiseArg(place), PointwiseArg(column)}).ok());
      int64_t wrong = 0;
      for (int64_t r = 0; r != 7; ++r)
        for (int64_t i = 0; i != n + 3; ++i) {
          const bool isInside = i >= 1 && i <= n;
          const Scalar expected = isInside ? wanted.at(r * n + i - 1) : before.at(r * (n + 3) + i);
          wrong += target.at(r * (n + 3) + i).toComplex() != expected.toComplex();
        }
      CHECK(wrong == 0);
    }
}
