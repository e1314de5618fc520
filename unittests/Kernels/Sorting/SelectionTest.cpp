//===- SelectionTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from Selection.cases.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "tsc/Kernels/Factories.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Sorting.h"
#include "tsc/Kernels/Special.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("Selection: ties") {
  expectTensor(part<1>(cpu::kthvalue(indices({3, 9}, 3), 4, 1, false)), {3}, {7, 7, 7});
  expectTensor(part<1>(cpu::kthvalue(indices({40}, 3, 1), 17, 0, true)), {1}, {27});
  expectTensor(part<1>(cpu::topk(indices({2, 20}, 3), 6, 1, true, true)), {2, 6},
               {5, 11, 8, 14, 17, 2, 12, 9, 0, 6, 3, 18});
  expectTensor(part<1>(cpu::topk(indices({200}, 5), 3, 0, false, true)), {3}, {10, 5, 0});
  expectTensor(part<1>(cpu::medianDim(indices({3, 12}, 4), 1, false)), {3}, {11, 11, 11});
  expectTensor(part<1>(cpu::mode(indices({3, 12}, 4), 1, false)), {3}, {8, 8, 8});
  expectTensor(part<1>(cpu::mode(indices({40}, 4), 0, false)), {}, {16});
}

TEST_CASE("Selection: quantiles") {
  expectTensor(only(cpu::quantileScalar(ramp({3, 5}), 0.3, 1, true, "linear")), {3, 1}, {-0.5, -0.375, -0.25});
  expectTensor(only(cpu::quantile(ramp({3, 5}), *cpu::full({2}, Scalar(0.5)), std::nullopt, false, "nearest")), {2},
               {0.125, 0.125});
  expectTensor(only(cpu::nanquantileScalar(ramp({3, 5}), 0.6, 0, false, "midpoint")), {5},
               {-1.0625, 0.6875, -0.4375, 1.3125, 0.1875});
  expectError(cpu::quantileScalar(ramp({3}), 2, 0, false, "linear").status(),
              "quantile() q must be in the range [0, 1] but got 2");
  expectError(cpu::quantileScalar(ramp({3}), 0.5, 0, false, "cubic").status(),
              "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got cubic");
}

TEST_CASE("Selection: histograms") {
  expectTensor(part<0>(cpu::histogramdd(ramp({8, 2}), {2, 3}, std::nullopt, Tensor(), false)), {2, 3},
               {0, 1, 3, 3, 1, 0});
  expectTensor(part<0>(cpu::histogramBins(ramp({8}), 4, ArrayRef<double>({-1, 1}), ramp({8}, 1), true)), {4},
               {1.333333, 1.555556, 2.444444, -3.333333});
}

TEST_CASE("Selection: shapes") {
  expectTensor(only(cpu::sumToSize(ramp({2, 3, 4}), {3, 1})), {3, 1}, {0.125, 1.5, 0});
  expectError(cpu::sumToSize(ramp({2, 3}), {2, 2}).status(), "size {[2, 2]} is not expandable to size {[2, 3]}.");
  expectTensor(part<0>(cpu::frexp(ramp({6}))), {6}, {-0.625, 0.5, -0.625, 0.5625, 0, -0.5625});
  expectTensor(part<1>(cpu::frexp(ramp({6}))), {6}, {1, 0, 0, 1, 0, 1});
  expectTensor(only(cpu::kaiserWindowBeta(6, false, 8, std::nullopt, std::nullopt, std::nullopt, std::nullopt)), {6},
               {0.00233883, 0.2267768, 0.8598018, 0.8598018, 0.2267768, 0.00233883});
}
