//===- RecurrentStatesTest.cpp - States and biases that broadcast ---------===//
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Recurrent.h"
#include <catch2/catch.hpp>

using namespace tsc;
using namespace tsc::cpu;

static Tensor onesOf(Dims sizes) { return full(sizes, Scalar(1), DType::Float).value(); }
static Tensor zerosOf(Dims sizes) { return full(sizes, Scalar(0), DType::Float).value(); }

TEST_CASE("states and biases of recurrent layers that broadcast, or do not fit", "[Recurrent]") {
  Generator generator(1);
  auto lstm = [&](Dims hidden, Dims cell, int64_t bias) {
    const std::vector<Tensor> weights{onesOf({12, 3}), onesOf({12, 3}), onesOf({12}), onesOf({bias})};
    return lstmInput(generator, onesOf({4, 2, 3}), {zerosOf(hidden), zerosOf(cell)}, weights, true, 1, 0, false, false,
                     false);
  };
  const StatusOr<std::tuple<Tensor, Tensor, Tensor>> whole = lstm({1, 2, 3}, {1, 2, 3}, 12);
  REQUIRE(whole.ok());
  for (auto [cell, bias] : {std::pair<Dims, int64_t>{{1, 1, 3}, 12}, {{1, 2, 3}, 1}, {{1, 1, 3}, 1}}) {
    const StatusOr<std::tuple<Tensor, Tensor, Tensor>> broadcast = lstm({1, 2, 3}, cell, bias);
    REQUIRE(broadcast.ok());
    const float *expected = std::get<0>(*whole).data<float>(), *found = std::get<0>(*broadcast).data<float>();
    CHECK(std::equal(expected, expected + 24, found));
  }
  CHECK_FALSE(lstm({1, 2, 3}, {1, 3, 3}, 12).ok());
  CHECK_FALSE(lstm({1, 2, 3}, {1, 2, 3}, 5).ok());
}
