//===- AddedProductTest.cpp - Products added to a sum where it lies -------===//
#include "../KernelTest.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/PointwiseOps.h"
#include <random>

using namespace tsc;
using namespace tsc::test;

/// What accumulate-products rests on: up to 128 terms are added up before they are added to the sum.
TEST_CASE("A product added in place has the bits of a product and an addition") {
  std::mt19937 draw(7);
  auto size = [&](int64_t most) { return std::uniform_int_distribution<int64_t>(2, most)(draw); };
  const auto turned = [&](int64_t rows, int64_t columns, DType dtype) {
    return draw() % 2 ? randomTensor({rows, columns}, dtype, draw)
                      : *cpu::t(randomTensor({columns, rows}, dtype, draw));
  };
  for (int round = 0; round != 300; ++round) {
    const bool isLarge = round % 20 == 0; // where oneDNN may be asked
    const int64_t m = size(isLarge ? 600 : 70), n = size(isLarge ? 600 : 70), k = size(129) - 1;
    const DType dtype = draw() % 3 ? DType::Float : DType::Double;
    INFO(m << " x " << k << " x " << n);
    const Tensor sum = randomTensor({m, n}, dtype, draw), a = turned(m, k, dtype), b = turned(k, n, dtype);
    const Tensor separately =
        *pointwise(PointwiseKind::Aten_add_Tensor,
                   {PointwiseArg(sum), PointwiseArg(*cpu::mm(a, b)), PointwiseArg(Scalar(int64_t{1}))});
    const Tensor together = *cpu::addmm(sum, a, b, int64_t{1}, int64_t{1});
    const uint32_t version = sum.get()->storage->version;
    REQUIRE(cpu::addmmInPlace(sum, a, b, int64_t{1}, int64_t{1}).ok());
    CHECK(sum.get()->storage->version != version);
    CHECK(sameBits(sum, separately));
    CHECK(sameBits(sum, together));
  }
}

TEST_CASE("Products that are added together have the bits of one after the other") {
  std::mt19937 draw(11);
  auto size = [&](int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(draw); };
  for (int round = 0; round != 200; ++round) {
    const int64_t m = size(1, 70), n = size(1, 70), count = size(0, round % 10 == 1 ? 60 : 9);
    const DType dtype = draw() % 3 ? DType::Float : DType::Double;
    const Tensor sum = randomTensor({m, n}, dtype, draw), together = *cpu::clone(sum, std::nullopt);
    std::vector<Tensor> factors;
    int64_t k = size(1, 4);
    for (int64_t i = 0; i != count; ++i) {
      if (round % 5 == 0) // not all alike
        k = size(0, 20);
      // As the gradient of a weight has them: a row times a row, one of them turned.
      factors.push_back(draw() % 2 ? randomTensor({m, k}, dtype, draw) : *cpu::t(randomTensor({k, m}, dtype, draw)));
      factors.push_back(draw() % 4 ? randomTensor({k, n}, dtype, draw) : *cpu::t(randomTensor({n, k}, dtype, draw)));
      if (draw() % 8 == 0 && k != 0)
        factors.back().set(0, Scalar(-0.0));
    }
    INFO(m << " x " << k << " x " << n << ", " << count << " products");
    for (size_t i = 0; i != factors.size(); i += 2)
      REQUIRE(cpu::addmmInPlace(sum, factors[i], factors[i + 1], int64_t{1}, int64_t{1}).ok());
    REQUIRE(cpu::addProducts(together, factors).ok());
    CHECK(sameBits(sum, together));
  }
  CHECK_FALSE(cpu::addProducts(ramp({2, 2}), {ramp({2, 1}), ramp({1, 2}), ramp({2, 1}), ramp({1, 3})}).ok());
}

TEST_CASE("Products that cannot be added in place are copied there") {
  const Tensor a = ramp({2, 2}), b = ramp({2, 2}, 1), expected = *cpu::addmm(a, a, b, int64_t{1}, int64_t{1});
  const Tensor self = *cpu::clone(a, std::nullopt);
  REQUIRE(cpu::addmmInPlace(self, self, b, int64_t{1}, int64_t{1}).ok()); // reads what it writes
  CHECK(sameBits(self, expected));
  const Tensor column = *cpu::t(*cpu::clone(*cpu::t(a), MemoryFormat::Contiguous)); // not contiguous
  REQUIRE(cpu::addmmInPlace(column, a, b, int64_t{2}, int64_t{1}).ok());
  CHECK(numbers(column) == numbers(*cpu::addmm(a, a, b, int64_t{2}, int64_t{1})));
  CHECK_FALSE(cpu::addmmInPlace(ramp({2}), a, b, int64_t{1}, int64_t{1}).ok());
  CHECK_FALSE(cpu::baddbmmInPlace(ramp({2, 2, 3}), ramp({2, 2, 2}), ramp({2, 2, 2}), int64_t{1}, int64_t{1}).ok());
  const Tensor batches = ramp({3, 2, 2});
  const Tensor sums = *cpu::baddbmm(batches, ramp({3, 2, 4}), ramp({3, 4, 2}), int64_t{1}, int64_t{1});
  REQUIRE(cpu::baddbmmInPlace(batches, ramp({3, 2, 4}), ramp({3, 4, 2}), int64_t{1}, int64_t{1}).ok());
  CHECK(sameBits(batches, sums));
}
