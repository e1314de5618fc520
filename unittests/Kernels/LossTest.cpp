//===- LossTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from Loss.cases.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/Loss.h"
#include "KernelTest.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("Loss: pointwise") {
  expectTensor(only(cpu::mseLoss(ramp({2, 3}), ramp({2, 3}, 1), 1)), {}, {2.010417});
  expectTensor(only(cpu::mseLoss(ramp({2, 3}), ramp({3}, 1), 0)), {2, 3}, {1.890625, 2.25, 1.890625, 1, 1, 3.515625});
  expectTensor(only(cpu::l1Loss(ramp({2, 3}), ramp({2, 3}, 1), 2)), {}, {8.5});
  expectTensor(only(cpu::smoothL1Loss(ramp({2, 3}), ramp({2, 3}, 1), 0, 0.7)), {2, 3},
               {1.025, 1.15, 1.025, 1.15, 1.025, 1.025});
  expectTensor(only(cpu::huberLoss(ramp({2, 3}), ramp({2, 3}, 1), 0, 0.7)), {2, 3},
               {0.7175, 0.8049999, 0.7175, 0.8049999, 0.7175, 0.7175});
  expectTensor(only(cpu::softMarginLoss(ramp({2, 3}), ramp({2, 3}, 1), 1)), {}, {0.8610136});
  expectTensor(only(cpu::klDiv(ramp({2, 3}), *cpu::toDType(indices({2, 3}, 3), DType::Float), 1, false)), {},
               {0.9620981});
  expectTensor(only(cpu::klDiv(ramp({2, 3}), ramp({2, 3}, 1), 2, true)), {}, {10.08997});
  expectTensor(only(cpu::poissonNllLoss(ramp({2, 3}), indices({2, 3}, 4), true, true, 1e-8, 1)), {}, {2.175888});
  expectTensor(only(cpu::binaryCrossEntropyWithLogits(ramp({2, 3}), *cpu::toDType(indices({2, 3}, 2), DType::Float),
                                                      ramp({3}, 1), ramp({3}, 2), 1)),
               {}, {-0.2093589});
  expectTensor(only(cpu::hingeEmbeddingLoss(ramp({2, 3}), indices({2, 3}, 2), 1, 1)), {}, {0.5833333});
  expectTensor(only(cpu::marginRankingLoss(ramp({3}), ramp({3}, 1), ramp({3}, 2), 0.5, 1)), {}, {0.8541667});
  expectTensor(only(cpu::cosineEmbeddingLoss(ramp({2, 3}), ramp({2, 3}, 1), longs({1, -1}), 0.1, 0)), {2},
               {1.60334, 0});
  expectTensor(only(cpu::tripletMarginLoss(ramp({2, 3}), ramp({2, 3}, 1), ramp({2, 3}, 2), 1, 2, 1e-6, true, 1)), {},
               {2.119676});
}

TEST_CASE("Loss: classes") {
  expectTensor(only(cpu::nllLossNd(ramp({3, 4}), longs({0, 3, 1}), ramp({4}, 3), 1, -100)), {}, {0.0673077});
  // Many samples, none of which has a place: nothing is gone over.
  const int64_t many = int64_t{1} << 24;
  expectTensor(only(cpu::nllLossNd(only(Tensor::empty({many, 3, 0, 1})),
                                   only(Tensor::empty({many, 0, 1}, DType::Int64)), Tensor(), 2, -100)),
               {}, {0});
  expectTensor(only(cpu::nllLossNd(ramp({2, 3, 2}), indices({2, 2}, 3), Tensor(), 0, 1)), {2, 2}, {1.25, 0, 1, 0.5});
  expectTensor(only(cpu::crossEntropyLoss(ramp({3, 4}), longs({0, 3, 1}), Tensor(), 1, -100, 0)), {}, {2.211683});
  expectTensor(only(cpu::crossEntropyLoss(ramp({3, 4}), longs({0, 3, 1}),
                                          *cpu::toDType(indices({4}, 9, 2), DType::Float), 1, 3, 0.2)),
               {}, {3.707459});
  expectTensor(only(cpu::crossEntropyLoss(ramp({3, 4}), ramp({3, 4}, 1), Tensor(), 1, -100, 0.1)), {}, {2.239028});
  expectTensor(only(cpu::multiMarginLoss(ramp({3, 4}), longs({0, 3, 1}), Scalar(2), Scalar(1), Tensor(), 1)), {},
               {2.971354});
  expectTensor(only(cpu::multilabelMarginLoss(ramp({1, 4}), *cpu::view(longs({3, 0, -1, 1}), {1, 4}), 1)), {},
               {1.1875});
  expectTensor(
      only(cpu::ctcLossIntList(ramp({5, 2, 4}), *cpu::view(longs({1, 2, 2, 3}), {2, 2}), {5, 4}, {2, 1}, 0, 1, false)),
      {}, {-2.414115});
}

TEST_CASE("Loss: errors") {
  expectError(cpu::nllLossNd(ramp({3, 4}), longs({0, 7, 1}), Tensor(), 1, -100).status(), "Target 7 is out of bounds.");
  expectError(cpu::nllLossNd(ramp({3, 4}), longs({0, 1}), Tensor(), 1, -100).status(),
              "Expected input batch_size (3) to match target batch_size (2).");
}
