//===- ActivationTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from Activation.cases.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/NeuralNet.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("Activation: prelu") {
  expectTensor(only(cpu::prelu(ramp({2, 3, 2}), ramp({3}, 1))), {2, 3, 2},
               {-0.15625, 0.5, 0.625, 1.125, 0, -0.84375, 0.625, -0.0625, 1.25, 0.125, -0.75, 0.75});
  expectTensor(only(cpu::prelu(ramp({4}), ramp({1}, 1))), {4}, {-0.15625, 0.5, -0.078125, 1.125});
  expectTensor(only([] {
                 Generator g;
                 return cpu::rrelu(g, ramp({4}), Scalar(0.1), Scalar(0.3), false);
               }()),
               {4}, {-0.25, 0.5, -0.125, 1.125});
}

TEST_CASE("Activation: segments") {
  expectTensor(only(cpu::segmentReduce(ramp({5, 2}), "max", longs({2, 3}), Tensor(), Tensor(), 0, false, std::nullopt)),
               {2, 2}, {-0.625, 1.125, 1.25, 0.125});
  expectTensor(
      only(cpu::segmentReduce(ramp({5, 2}), "mean", longs({2, 0, 3}), Tensor(), Tensor(), 0, false, std::nullopt)),
      {3, 2}, {-0.9375, 0.8125, NAN, NAN, 0.625, -0.5});
}
