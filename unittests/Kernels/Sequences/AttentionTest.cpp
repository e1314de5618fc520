//===- AttentionTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from Attention.cases.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Recurrent.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("Attention: bags") {
  expectTensor(
      part<0>(cpu::embeddingBag(ramp({5, 3}), longs({1, 2, 4, 0}), longs({0, 3, 3}), false, 1, false, Tensor(), false)),
      {3, 3}, {0.4583333, 0.2916667, 0.125, 0, 0, 0, -1.25, 0.5, -0.625});
  expectTensor(part<0>(cpu::embeddingBagPaddingIdx(ramp({5, 3}), longs({1, 2, 4, 0}), longs({0, 2}), false, 2, false,
                                                   Tensor(), false, 2)),
               {2, 3}, {1.125, 0, -1.125, -0.375, 1.375, 0.25});
  expectTensor(part<0>(cpu::embeddingBag(ramp({5, 3}), longs({1, 2, 4, 0}), longs({0, 2}), false, 0, false,
                                         ramp({4}, 1), false)),
               {2, 3}, {-0.484375, 0.5, -1.390625, 0.1875, 0.84375, 0.421875});
}

TEST_CASE("Attention: attention") {
  expectTensor(part<0>(cpu::nativeMultiHeadAttention(ramp({2, 3, 4}), ramp({2, 3, 4}), ramp({2, 3, 4}), 4, 2,
                                                     ramp({12, 4}, 1), ramp({12}, 2), ramp({4, 4}, 3), ramp({4}, 4),
                                                     Tensor(), true, true, std::nullopt)),
               {2, 3, 4}, {0.08701551, 3.986421, -1.511307, -0.7836882, 1.867696,  3.11258,  -3.459254, -0.816733,
                           -2.110855,  2.210031, 1.600744,  -3.106105,  -1.040385, 4.48464,  -5.053703, -1.758327,
                           0.3746489,  2.395129, -3.107874, -1.822773,  -1.044209, 4.367037, -4.965992, -1.83229});
  expectTensor(part<1>(cpu::nativeMultiHeadAttention(ramp({2, 3, 4}), ramp({2, 3, 4}), ramp({2, 3, 4}), 4, 2,
                                                     ramp({12, 4}, 1), ramp({12}, 2), ramp({4, 4}, 3), ramp({4}, 4),
                                                     Tensor(), true, true, std::nullopt)),
               {2, 3, 3},
               {0.117545, 0.6982843, 0.1841707, 0.4823117, 0.4831555, 0.03453283, 0.0003156035, 0.9952286, 0.004455694,
                0.484041, 0.03224029, 0.4837187, 0.3020107, 0.3115111, 0.3864783, 0.4442379, 0.03175713, 0.5240049});
  expectTensor(only(cpu::transformerEncoderLayer(
                   ramp({2, 3, 4}), 4, 2, ramp({12, 4}, 1), ramp({12}, 2), ramp({4, 4}, 3), ramp({4}, 4), true, false,
                   1e-5, ramp({4}, 5), ramp({4}, 6), ramp({4}, 7), ramp({4}, 8), ramp({6, 4}, 9), ramp({6}, 10),
                   ramp({4, 6}, 11), ramp({4}, 12), Tensor(), std::nullopt)),
               {2, 3, 4}, {1.01511,   0.7461145, -0.8322833, 1.913159,  0.8271112, -2.238044, -1.216023,  0.2175978,
                           1.123461,  2.132814,  -1.133165,  1.679693,  1.01116,   0.3273412, -0.7539473, 1.872295,
                           0.8376039, -2.402077, -1.069096,  0.3979568, 1.017601,  0.3559398, -0.7513784, 1.87241});
}
