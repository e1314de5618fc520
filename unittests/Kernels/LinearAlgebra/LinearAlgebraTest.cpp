//===- LinearAlgebraTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from LinearAlgebra.cases.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/LinearAlgebra.h"
#include "../KernelTest.h"
#include "tsc/Kernels/MatMul.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("LinearAlgebra: norms") {
  expectTensor(only(cpu::vectorNorm(ramp({3, 4}), Scalar(3), Dims{1}, true, std::nullopt)), {3, 1},
               {1.553077, 1.214854, 1.500289});
  expectTensor(
      only(cpu::vectorNorm(ramp({3, 4}, 0, DType::ComplexFloat), Scalar(INFINITY), std::nullopt, false, std::nullopt)),
      {}, {1.625});
  expectTensor(only(cpu::matrixNorm(ramp({2, 3, 4}), Scalar(1), {-2, -1}, false, std::nullopt)), {2}, {2.5, 2.625});
  expectTensor(only(cpu::matrixNorm(ramp({2, 3, 4}), Scalar(-2), {-2, -1}, true, std::nullopt)), {2, 1, 1},
               {0.7651858, 0.3623473});
  expectTensor(only(cpu::matrixNormStr(ramp({2, 3, 4}), "nuc", {0, 2}, false, std::nullopt)), {3},
               {3.553416, 3.103118, 3.414138});
  expectTensor(only(cpu::linalgNorm(ramp({3, 4}), std::nullopt, std::nullopt, false, std::nullopt)), {}, {2.918154});
  expectTensor(only(cpu::normDim(ramp({3, 4}), Scalar(0.5), {0}, false)), {4}, {5, 4.5, 6.662278, 6.936862});
  expectTensor(only(cpu::renorm(ramp({3, 4}), Scalar(2), 0, Scalar(1))), {3, 4},
               {-0.671156, 0.2684624, -0.335578, 0.6040404, 0, -0.8148217, 0.4526787, -0.362143, 0.7053456, 0.07053456,
                -0.5642765, 0.4232073});
  expectTensor(only(cpu::cdist(ramp({2, 3, 4}), ramp({1, 2, 4}, 1), 1.5, std::nullopt)), {2, 3, 2},
               {3.623985, 2.77712, 0.3149803, 3.544831, 3.263203, 0.3149803, 2.81412, 3.665071, 1.889881, 2.81412,
                3.033676, 3.829648});
  expectTensor(only(cpu::pdist(ramp({4, 3}), 2)), {6}, {2.478029, 2.833946, 2.45586, 2.478029, 2.348537, 0.8660254});
  expectTensor(only(cpu::pairwiseDistance(ramp({3, 4}), ramp({3, 4}, 1), 2, 1e-6, false)), {3},
               {2.877716, 2.814582, 2.877716});
  expectTensor(only(cpu::cosineSimilarity(ramp({3, 4}), ramp({3, 4}, 1), 1, 1e-8)), {3},
               {-0.633523, -0.4910805, -0.3452488});
  expectTensor(only(cpu::cosineSimilarity(ramp({3, 4}), ramp({3, 4}, 1), 1, 1.75)), {3},
               {-0.4746032, -0.3874401, -0.3425964});
  expectTensor(only(cpu::dist(ramp({3, 4}), ramp({4}, 1), Scalar(2))), {}, {3.899118});
}

TEST_CASE("LinearAlgebra: systems") {
  expectTensor(only(cpu::inverse(bumps({2, 3, 3}))), {2, 3, 3},
               {-0.2809612, 0.04929143, 0.3598275, 0.4879852, 0.6161429, 0.4978435, -0.8280961, 0.004929146, -0.7640172,
                0.002058143, -0.1893491, 0.4322099, -0.2655004, 0.4260355, 0.244919, 0.3437098, 0.3786983, 0.1790584});
  expectTensor(only(cpu::inverse(bumps({3, 3}, 1, DType::ComplexFloat))), {3, 3},
               {-0.05026795, 0.002614794, 0.260884, -0.2022625, -0.1204642, -0.3530227, 0.2764489, -0.4744776,
                0.08255077, -0.1025172, 0.04472405, 0.1889497, 0.1402925, 0.5975485, -0.3257313, -0.02570511,
                0.02473333, -0.4562139});
  expectTensor(only(cpu::det(bumps({2, 3, 3}))), {2}, {3.169922, -7.591797});
  expectTensor(part<1>(cpu::slogdet(bumps({3, 3}))), {}, {1.153707});
  expectTensor(only(cpu::solve(bumps({3, 3}), bumps({3, 2}, 1), true)), {3, 2},
               {-0.1528035, -0.8096119, 0.08995685, 0.8798521, 0.5847197, -0.2809612});
  expectTensor(only(cpu::solve(bumps({3, 3}), bumps({2, 3}, 1), false)), {2, 3},
               {0.1460259, 0.9217499, 0.1287739, 0.3789279, -0.3296365, 1.093654});
  expectTensor(only(cpu::solve(bumps({2, 3, 3}), bumps({2, 3}, 1), true)), {2, 3},
               {0.3789279, 1.236599, -0.4621072, -0.4193465, -0.9042964, -0.03087221});
  expectTensor(part<0>(cpu::luFactor(bumps({3, 4}), true)), {3, 4},
               {1.625, 1, 1.625, -0.125, -0.923077, 1.048077, 0.8750001, -0.2403846, -0.3846154, 0.4862385, -1.300459,
                1.818807});
  expectTensor(part<1>(cpu::luFactor(bumps({3, 4}), true)), {3}, {2, 2, 3});
  expectTensor(part<0>(cpu::lu(bumps({4, 3}), true)), {4, 4}, {0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0});
  expectTensor(only(cpu::linalgCholesky(*cpu::matmul(bumps({3, 4}), *cpu::t(bumps({3, 4}))), false)), {3, 3},
               {1.634587, 0, 0, -2.026506, 1.479915, 0, 1.022812, -0.996098, 1.918436});
  expectTensor(only(cpu::linalgCholesky(*cpu::matmul(bumps({3, 4}), *cpu::t(bumps({3, 4}))), true)), {3, 3},
               {1.634587, -2.026506, 1.022812, 0, 1.479915, -0.996098, 0, 0, 1.918436});
  expectTensor(only(cpu::choleskySolve(bumps({3, 2}), bumps({3, 3}, 1), true)), {3, 2},
               {-1624.16, 82.24, -153.9022, 7.075555, 53.11111, -1.777778});
  expectTensor(only(cpu::solveTriangular(bumps({3, 3}), bumps({3, 2}, 1), true, true, true)), {3, 2},
               {-0.6875, 0.40625, 1.375, 2.5, -0.625, -1.25});
  expectTensor(only(cpu::solveTriangular(bumps({3, 3}), bumps({2, 3}, 1), false, false, false)), {2, 3},
               {-1.285897, 0.8307693, -1.2, 1.352564, -0.2307692, 2});
}

TEST_CASE("LinearAlgebra: factors") {
  expectTensor(part<0>(cpu::linalgQr(bumps({4, 3}), "reduced")), {4, 3},
               {-0.6761234, 0.05163216, -0.2989732, -0.05634362, -0.7328143, 0.6195981, 0.7324671, -0.06069043,
                -0.2798243, 0.05634362, 0.6757472, 0.6696354});
  expectTensor(part<1>(cpu::linalgQr(bumps({4, 3}, 1, DType::ComplexFloat), "reduced")), {3, 3},
               {2.531057, 0, -0.098773, 0.4938648, -0.4938648, 0.814877, 0, 0, 2.800016, 0, 1.635716, 0.678241, 0, 0, 0,
                0, -1.547254, 0});
  expectTensor(part<0>(cpu::geqrf(bumps({4, 3}))), {4, 3},
               {2.21853, -0.3521476, 0.007043004, 0.03361544, -2.190403, 0.4554046, -0.4370007, 0.021981, 2.153208,
                -0.03361544, -0.3905813, -0.6357536});
  expectTensor(only(cpu::svdvals(bumps({2, 4, 3}), std::nullopt)), {2, 3},
               {2.484948, 2.208427, 1.906668, 3.040539, 1.640243, 0.133611});
  expectTensor(only(cpu::svdvals(bumps({3, 4}, 0, DType::ComplexFloat), std::nullopt)), {3},
               {4.38451, 2.122681, 1.127073});
  expectTensor(only(cpu::eigvalsh(bumps({3, 3}), "L")), {3}, {-2.745487, 0.5906749, 1.654812});
  expectTensor(only(cpu::eigvalsh(bumps({3, 3}, 0, DType::ComplexFloat), "U")), {3}, {-2.755038, -0.2346322, 2.489671});
  expectTensor(only(cpu::pinvFloat(bumps({4, 3}), std::nullopt, std::nullopt, false)), {3, 4},
               {-0.3126449, 0.03629021, 0.3306805, -0.01429599, -0.05244022, 0.3943837, 0.0006882362, -0.243845,
                -0.1388502, 0.2877557, -0.1299569, 0.3109942});
  expectTensor(only(cpu::matrixRankFloat(bumps({4, 3}), std::nullopt, std::nullopt, false)), {}, {3});
  expectTensor(part<0>(cpu::lstsq(bumps({4, 3}), bumps({4, 2}, 1), std::nullopt, std::nullopt)), {3, 2},
               {-0.131442, -0.8548253, 0.4543158, 0.1086529, 0.1200248, 0.7026085});
  expectTensor(only(cpu::matrixExp(bumps({2, 3, 3}))), {2, 3, 3},
               {0.1004383, 0.2151452, -0.1167311, 0.6346956, 4.948892, 1.884892, 0.4734692, -0.1293814, 0.296608,
                4.776838, -4.181761, 2.882018, -1.471832, 4.751143, 1.168732, 4.215883, -1.588168, 4.099445});
  expectTensor(only(cpu::matrixPower(bumps({3, 3}), 5)), {3, 3},
               {6.251678, 0.2333679, 2.072571, 2.637329, 10.29498, 2.420013, -4.814545, 0.05633545, 3.460693});
  expectTensor(
      only(cpu::matrixPower(bumps({3, 3}), -2)), {3, 3},
      {-0.194979, 0.01829523, -0.3514726, -0.2486985, 0.4061396, 0.1019722, 0.8677479, -0.04154694, 0.2882045});
}

TEST_CASE("LinearAlgebra: vectors") {
  expectTensor(only(cpu::linalgCross(ramp({2, 3}), ramp({1, 3}, 1), -1)), {2, 3},
               {-0.25, 0.859375, 1.1875, -1.125, -0.984375, -1.125});
  expectTensor(only(cpu::trace(ramp({3, 4}))), {}, {-3.375});
  expectTensor(
      only(cpu::cov(ramp({3, 4}), 1, Tensor(), Tensor())), {3, 3},
      {1.151042, -0.5260417, 0.01302083, -0.5260417, 0.5520833, -0.2864583, 0.01302083, -0.2864583, 0.9414062});
  expectTensor(only(cpu::corrcoef(ramp({3, 4}))), {3, 3},
               {1, -0.6598912, 0.01250848, -0.6598912, 1, -0.3973476, 0.01250848, -0.3973476, 1});
  expectTensor(only(cpu::linalgVander(ramp({3}), 4)), {3, 4},
               {1, -1.25, 1.5625, -1.953125, 1, 0.5, 0.25, 0.125, 1, -0.625, 0.390625, -0.2441406});
}

TEST_CASE("LinearAlgebra: errors") {
  expectError(cpu::inverse(ramp({2, 3})).status(),
              "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices");
  expectError(cpu::inverse(*Tensor::full({3, 2, 2}, Scalar(0.0), DType::Float)).status(),
              "linalg.inv: (Batch element 0): The diagonal element 1 is zero, the inversion could not be completed "
              "because the input matrix is singular.");
  expectError(
      cpu::choleskyInverse(*Tensor::full({2, 2}, Scalar(0.0), DType::Float), false).status(),
      "cholesky_inverse: The diagonal element 1 is zero, the inversion could not be completed because the input "
      "matrix is singular.");
  expectError(cpu::inverse(indices({2, 2}, 9)).status(),
              "linalg.inv: Expected a floating point or complex tensor as input. Got Long");
  expectError(cpu::solve(*Tensor::full({2, 2}, Scalar(0.0), DType::Float), ramp({2}), true).status(),
              "torch.linalg.solve: The solver failed because the input matrix is singular.");
  expectError(cpu::solve(ramp({2, 2}), ramp({3, 3}), true).status(),
              "linalg.solve: Incompatible shapes of A and B for the equation AX = B (2x2 and 3x3)");
  expectError(
      cpu::luFactor(*Tensor::full({2, 2}, Scalar(0.0), DType::Float), true).status(),
      "torch.linalg.lu_factor: U[1,1] is zero and using it on lu_solve would result in a division by zero. If you "
      "still want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)");
  expectError(cpu::linalgCross(ramp({2, 3}), ramp({2, 4}), -1).status(),
              "linalg.cross: inputs dimension -1 must have length 3. Got 3 and 4");
  expectError(cpu::cdist(ramp({2, 3}), ramp({2, 4}), 2, std::nullopt).status(),
              "X1 and X2 must have the same number of columns. X1: 3 X2: 4");
}
