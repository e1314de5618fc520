//===- RecurrentStatesTest.cpp - States and biases that broadcast ---------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Recurrent.h"
#include <vector>

using namespace tsc;
using namespace tsc::cpu;
using tsc::test::worse;

static Tensor onesOf(Dims sizes) { return *full(sizes, Scalar(1), DType::Float); }
static Tensor zerosOf(Dims sizes) { return *full(sizes, Scalar(0), DType::Float); }

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

/// What the steps of an LSTM from states of zero give, by its definition.
static std::vector<double> lstmByDefinition(int64_t steps, int64_t rows, int64_t inputs, int64_t width, const Tensor &x,
                                            ArrayRef<Tensor> weights) {
  std::vector<double> h(rows * width), c(rows * width), outputs;
  auto sigmoid = [](double value) { return 1 / (1 + std::exp(-value)); };
  for (int64_t t = 0; t != steps; ++t) {
    const std::vector<double> before = h;
    for (int64_t r = 0; r != rows; ++r)
      for (int64_t j = 0; j != width; ++j) {
        double gates[4];
        for (int64_t g = 0; g != 4; ++g) {
          const int64_t row = g * width + j;
          gates[g] = double(weights[2].data<float>()[row]) + double(weights[3].data<float>()[row]);
          for (int64_t i = 0; i != inputs; ++i)
            gates[g] +=
                double(x.data<float>()[(t * rows + r) * inputs + i]) * weights[0].data<float>()[row * inputs + i];
          for (int64_t i = 0; i != width; ++i)
            gates[g] += before[r * width + i] * weights[1].data<float>()[row * width + i];
        }
        double &cell = c[r * width + j];
        cell = sigmoid(gates[1]) * cell + sigmoid(gates[0]) * std::tanh(gates[2]);
        h[r * width + j] = sigmoid(gates[3]) * std::tanh(cell);
      }
    outputs.insert(outputs.end(), h.begin(), h.end());
  }
  return outputs;
}

TEST_CASE("an LSTM of any number of rows is what its definition gives in double precision", "[Recurrent]") {
  Generator generator(1);
  auto drawn = [&](Dims sizes) {
    Tensor t = zerosOf(sizes);
    for (int64_t i = 0; i != t.numel(); ++i)
      t.mutableData<float>()[i] = std::sin(0.7f * i + sizes[0]) * 0.4f;
    return t;
  };
  for (int64_t rows : {1, 3, 4, 7, 13, 25, 32}) {
    const int64_t steps = 6, inputs = 9, width = 17;
    const std::vector<Tensor> weights{drawn({4 * width, inputs}), drawn({4 * width, width}), drawn({4 * width}),
                                      drawn({4 * width})};
    const Tensor x = drawn({steps, rows, inputs}), zeros = zerosOf({1, rows, width});
    const std::vector<double> expected = lstmByDefinition(steps, rows, inputs, width, x, weights);
    const Tensor found =
        std::get<0>(*lstmInput(generator, x, {zeros, zeros}, weights, true, 1, 0, false, false, false));
    double worst = 0;
    for (int64_t i = 0; i != found.numel(); ++i)
      worst = worse(worst, std::abs(found.data<float>()[i] - expected[i]));
    INFO(rows << " rows");
    CHECK(worst < 2e-6);
  }
}
