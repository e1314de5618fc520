//===- StepProductsTest.cpp - Products of a loop's steps at once ----------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Views.h"
#include <random>

using namespace tsc;
using namespace tsc::test;

static std::vector<Tensor> stepsOf(const Tensor &sequence, int64_t dim) {
  std::vector<Tensor> steps;
  for (int64_t i = 0; i != sequence.size(dim); ++i)
    steps.push_back(*cpu::select(sequence, dim, i));
  return steps;
}

static Tensor single(const Tensor &step, const Tensor &weight, const Tensor &bias, bool transposed) {
  return transposed        ? *cpu::linear(step, weight, bias)
         : !bias.defined() ? *cpu::mm(step, weight)
                           : *cpu::addmm(bias, step, weight, int64_t{1}, int64_t{1});
}

TEST_CASE("Products of all steps have the bits of single ones") {
  std::mt19937 draw(11);
  auto size = [&](int64_t least, int64_t most) { return std::uniform_int_distribution<int64_t>(least, most)(draw); };
  int taken = 0, rounds = 0;
  for (; rounds != 400; ++rounds) {
    const int64_t count = size(4, 40), m = size(1, 14), n = size(1, 80), k = rounds % 8 ? size(1, 140) : size(1, 700);
    const DType dtype = draw() % 3 ? DType::Float : DType::Double;
    const bool transposed = draw() % 2, isColumnMajor = draw() % 2, hasVectors = transposed && draw() % 4 == 0;
    const int64_t dim = hasVectors ? 0 : size(0, 1);
    INFO(count << " steps of " << m << " x " << k << " x " << n << ", " << transposed << isColumnMajor << hasVectors);
    const Tensor sequence = hasVectors ? randomTensor({count, k}, dtype, draw)
                            : dim == 0 ? randomTensor({count, m, k}, dtype, draw)
                                       : randomTensor({m, count, k}, dtype, draw);
    const int64_t rows = transposed ? n : k, columns = transposed ? k : n;
    Tensor weight = isColumnMajor ? *cpu::t(randomTensor({columns, rows}, dtype, draw))
                                  : randomTensor({rows, columns}, dtype, draw);
    if (draw() % 4 == 0 && columns > 1)
      weight = *cpu::slice(weight, 1, 0, columns - 1, 1);
    const Tensor fitting = *cpu::slice(sequence, sequence.dim() - 1, 0, weight.size(transposed ? 1 : 0), 1);
    const Tensor bias = draw() % 2 ? randomTensor({weight.size(transposed ? 0 : 1)}, dtype, draw) : Tensor();
    std::vector<Tensor> steps = stepsOf(fitting, dim);
    if (draw() % 4 == 0)
      std::reverse(steps.begin(), steps.end());
    const Tensor ofList = *cpu::stepProducts(steps, weight, bias, transposed, count);
    if (ofList.numel() != 0) {
      ++taken;
      for (int64_t i = 0; i != count; ++i)
        CHECK(sameBits(*cpu::stepProduct(ofList, i), single(steps[i], weight, bias, transposed)));
    }
    const Tensor along = *cpu::stepProductsAlong(fitting, dim, weight, bias, transposed, count);
    CHECK((along.numel() != 0) == (ofList.numel() != 0));
    for (int64_t i = 0; along.numel() != 0 && i != count; ++i)
      CHECK(sameBits(*cpu::stepProduct(along, i - count),
                     single(*cpu::select(fitting, dim, i), weight, bias, transposed)));
  }
  CHECK(taken > rounds / 4);
}

TEST_CASE("Products of steps are left to the loop where they do not pay, or would differ") {
  std::mt19937 draw(3);
  const Tensor sequence = randomTensor({8, 2, 64}, DType::Float, draw),
               weight = randomTensor({32, 64}, DType::Float, draw);
  const std::vector<Tensor> steps = stepsOf(sequence, 0);
  auto isTaken = [&](ArrayRef<Tensor> list, const Tensor &w, const Tensor &bias = Tensor(), int64_t trips = 8) {
    return cpu::stepProducts(list, w, bias, true, trips)->numel() != 0;
  };
  CHECK(isTaken(steps, weight));
  CHECK(isTaken(steps, weight, ramp({32})));
  CHECK_FALSE(isTaken(steps, weight, Tensor(), 3));
  CHECK_FALSE(isTaken(steps, weight, Tensor(), 0));
  CHECK_FALSE(isTaken({}, weight));
  CHECK_FALSE(isTaken(steps, weight, ramp({1})));
  CHECK_FALSE(isTaken(steps, randomTensor({32, 63}, DType::Float, draw)));
  CHECK_FALSE(isTaken(steps, randomTensor({32, 64}, DType::Double, draw)));
  CHECK_FALSE(isTaken(steps, ramp({64})));
  std::vector<Tensor> mixed = steps;
  mixed[5] = randomTensor({3, 64}, DType::Float, draw);
  CHECK_FALSE(isTaken(mixed, weight));
  mixed[5] = Tensor();
  CHECK_FALSE(isTaken(mixed, weight));
  const Tensor wide = randomTensor({8, 64, 64}, DType::Float, draw); // a kernel of blocks
  CHECK_FALSE(isTaken(stepsOf(wide, 0), weight));
  CHECK_FALSE(cpu::stepProduct(*cpu::stepProducts(steps, weight, Tensor(), true, 8), 8).ok());
}
