//===- MatMulTest.cpp - Recorded from PyTorch -------------------------------===//
//
// Written by utils/record_kernel_tests.py from MatMul.cases.
//
//===----------------------------------------------------------------------===//
#include "tsc/Kernels/MatMul.h"
#include "../KernelTest.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("MatMul: mm") {
  expectTensor(only(cpu::mm(ramp({3, 4}), ramp({4, 5}, 1))), {3, 5},
               {0.296875, 0.578125, 0.140625, 0.421875, -1.453125, -0.296875, 0.828125, -0.921875, 0.203125, -1.90625,
                0.1875, -1.078125, 0.890625, -0.375, 2.3125});
  expectTensor(only(cpu::mm(ramp({3, 4}), *cpu::t(ramp({5, 4}, 1)))), {3, 5},
               {-1.546875, -0.0625, -0.015625, 0.03125, 0.078125, 1.78125, -1.265625, -1.078125, -0.890625, -0.703125,
                -1, 3.28125, -1.0625, 2.859375, -1.484375});
  expectTensor(only(cpu::mm(*cpu::t(ramp({4, 13})), *cpu::t(ramp({2, 4}, 1)))), {13, 2},
               {-1.015625, -1.59375,  -0.09375,  0.53125,  -0.609375, 1.21875, -0.40625, 1.546875, 0.15625,
                -0.28125,  -1.078125, -1.390625, -0.15625, 0.734375,  0.40625, -1.09375, -0.46875, 1.75,
                0.09375,   -0.078125, 1.734375,  -1.90625, -0.21875,  0.9375,  0.34375,  -0.890625});
  expectTensor(only(cpu::mm(ramp({1, 19}), ramp({19, 5}, 1))), {1, 5}, {-1, 3.515625, -1.3125, -1.109375, 0.171875});
  expectTensor(only(cpu::mm(ramp({3, 0}), ramp({0, 2}, 1))), {3, 2}, {0, 0, 0, 0, 0, 0});
  expectTensor(only(cpu::mm(indices({2, 3}, 9), indices({3, 2}, 5))), {2, 2}, {43, 7, 28, 7});
  expectTensor(only(cpu::mm(ramp({2, 3}, 0, DType::ComplexFloat), ramp({3, 2}, 1, DType::ComplexFloat))), {2, 2},
               {-2.890625, 1.375, -0.40625, -1.09375, -1.90625, -0.0625, -2.96875, -0.34375});
  expectTensor(only(cpu::mm(ramp({2, 3}, 0, DType::BFloat16), ramp({3, 2}, 1, DType::BFloat16))), {2, 2},
               {-0.640625, 0.90625, -1.40625, -1.40625});
}

TEST_CASE("MatMul: mm errors") {
  expectError(cpu::mm(ramp({2, 3}), ramp({4, 5})).status(), "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
  expectError(cpu::mm(ramp({2, 3}), ramp({3, 5}, 0, DType::Double)).status(),
              "expected scalar type Float but found Double");
  expectError(cpu::mm(ramp({2}), ramp({4, 5})).status(), "self must be a matrix");
}

TEST_CASE("MatMul: bmm") {
  expectTensor(
      only(cpu::bmm(ramp({2, 3, 4}), ramp({2, 4, 2}, 1, DType::Float))), {2, 3, 2},
      {-1.625, 1.890625, 0.453125, 0.140625, -1.78125, -0.890625, 1.953125, -2.0625, 0.71875, 1.5, 2, -2.484375});
  expectTensor(
      only(cpu::bmm(ramp({2, 3, 4}, 0, DType::Double), *cpu::transpose(ramp({2, 2, 4}, 1, DType::Double), 1, 2))),
      {2, 3, 2},
      {-1.546875, -0.0625, 1.78125, -1.265625, -1, 3.28125, 2.90625, -1.296875, -0.3125, -0.78125, 2.578125, -1.34375});
}

TEST_CASE("MatMul: bmm errors") {
  expectError(cpu::bmm(ramp({2, 2, 3}), ramp({2, 4, 5})).status(),
              "Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 4].");
}

TEST_CASE("MatMul: matmul") {
  expectTensor(only(cpu::matmul(ramp({4}), ramp({4}, 1))), {}, {-1.546875});
  expectTensor(only(cpu::matmul(ramp({3, 4}), ramp({4}, 1))), {3}, {-1.546875, 1.78125, -1});
  expectTensor(only(cpu::matmul(ramp({4}), ramp({4, 2}, 1))), {2}, {-1.625, 1.890625});
  expectTensor(only(cpu::matmul(ramp({2, 3, 4}), ramp({4, 2}, 1))), {2, 3, 2},
               {-1.625, 1.890625, 0.453125, 0.140625, -1.78125, -0.890625, 2.09375, -0.84375, 1.65625, -0.078125,
                1.578125, -0.75});
  expectTensor(only(cpu::matmul(ramp({2, 3, 4}), ramp({4}, 1))), {2, 3},
               {-1.546875, 1.78125, -1, -0.90625, 1.34375, -0.71875});
  expectTensor(only(cpu::matmul(ramp({4}), ramp({2, 4, 3}, 1))), {2, 3},
               {1.890625, 1.8125, -1.5, -1.5625, 1.953125, 1.875});
  expectTensor(only(cpu::matmul(ramp({2, 1, 2, 3}), ramp({2, 3, 2}, 1))), {2, 2, 2, 2},
               {-0.640625, 0.90625, -1.40625, -1.40625, 0.734375, 0.125, -1.40625, 1.828125, 1.421875, -0.125, 0.296875,
                0.4375, 0.046875, -1.140625, 0.421875, -1.953125});
  expectTensor(only(cpu::matmul(ramp({3, 4}), ramp({2, 4, 2}, 1))), {2, 3, 2},
               {-1.625, 1.890625, 0.453125, 0.140625, -1.78125, -0.890625, -1.53125, -1.609375, 0.828125, 0.515625,
                -2.203125, 2.28125});
}

TEST_CASE("MatMul: matmul errors") {
  expectError(cpu::matmul(ramp({}), ramp({3, 3, 5})).status(),
              "both arguments to matmul need to be at least 1D, but they are 0D and 3D");
  expectError(cpu::matmul(ramp({3}), ramp({4})).status(),
              "inconsistent tensor size, expected tensor [3] and src [4] to have the same number of elements, but got "
              "3 and 4 elements respectively");
  expectError(cpu::matmul(ramp({2, 3}), ramp({4})).status(), "size mismatch, got 2, 2x3,4");
  expectError(cpu::matmul(ramp({2, 2, 3}), ramp({4, 5})).status(),
              "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x5)");
  expectError(cpu::matmul(ramp({2, 2, 3}), ramp({3, 3, 5})).status(),
              "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0");
}

TEST_CASE("MatMul: addmm") {
  expectTensor(only(cpu::addmm(ramp({5}, 2), ramp({3, 4}), ramp({4, 5}, 1), Scalar(0.5), Scalar(2))), {3, 5},
               {1.34375, 1.34375, -0.09375, 1.34375, -2.96875, 0.15625, 1.84375, -2.21875, 0.90625, -3.875, 1.125,
                -1.96875, 1.40625, -0.25, 4.5625});
  expectTensor(only(cpu::baddbmm(ramp({1, 5}, 2), ramp({2, 3, 4}), ramp({2, 4, 5}, 1), Scalar(0), Scalar(2))),
               {2, 3, 5},
               {0.59375, 1.15625,  0.28125, 0.84375, -2.90625, -0.59375, 1.65625, -1.84375, 0.40625,  -3.8125,
                0.375,   -2.15625, 1.78125, -0.75,   4.625,    0.28125,  -0.5625, 5.78125,  -0.09375, -0.9375,
                4.09375, -1.53125, 5.0625,  1.59375, -4.03125, -2.15625, 0.375,   3.625,    -1.03125, 1.5});
  expectTensor(only(cpu::addbmm(ramp({3, 5}, 2), ramp({2, 3, 4}), ramp({2, 4, 5}, 1), Scalar(1), Scalar(2))), {3, 5},
               {2.375, 0.96875, 5.3125, 1.75, -3.96875, 2.25, 0.625, 2.59375, 3.125, -7.84375, -2.90625, -1.15625,
                4.90625, -0.53125, 6.25});
  expectTensor(only(cpu::addmv(ramp({3}, 2), ramp({3, 4}), ramp({4}, 1), Scalar(1), Scalar(2))), {3},
               {-1.59375, 3.9375, -2.75});
  expectTensor(only(cpu::addr(ramp({3, 4}, 2), ramp({3}), ramp({4}, 1), Scalar(1), Scalar(2))), {3, 4},
               {1.1875, 2.875, -2.625, 1.9375, 0, -2.25, 1.25, -1, 0.96875, 1.25, -2.0625, 1.09375});
}

TEST_CASE("MatMul: addmm errors") {
  expectError(cpu::addmm(ramp({7, 5}), ramp({2, 3}), ramp({3, 5}), 1, 1).status(),
              "The expanded size of the tensor (2) must match the existing size (7) at non-singleton dimension 0.  "
              "Target sizes: [2, 5].  Tensor sizes: [7, 5]");
  expectError(cpu::addmv(ramp({7}), ramp({2, 3}), ramp({3}), 1, 1).status(), "size mismatch, got 7, 2x3,3");
}

TEST_CASE("MatMul: linear") {
  expectTensor(only(cpu::linear(ramp({1, 45}), ramp({13, 45}, 1), ramp({13}, 2))), {1, 13},
               {-13.4375, 11.09375, -4.984375, -9.921875, 24.3125, -15.48438, 5.453125, -0.5625, -11.96875, 32.32812,
                -13.9375, 0.53125, 4.578125});
  expectTensor(only(cpu::linear(ramp({48}), ramp({20, 48}, 1), Tensor())), {20},
               {-15.75,   -9.03125, 15.65625, 12.3125, -9.71875,  -15.21875, -1.3125, 34.15625, 1.34375,   -14.9375,
                -11.8125, 9.28125,  18.875,   -6.75,   -15.84375, -5.53125,  22.75,   6.46875,  -13.40625, -13.875});
  expectTensor(only(cpu::linear(ramp({2, 3, 5}), ramp({4, 5}, 1), ramp({4}, 2))), {2, 3, 4},
               {-0.046875, -1.203125, -2.359375, -0.640625, 0.0625,   -1.015625, -2.453125, -0.65625,
                0.171875,  -0.828125, -2.546875, -0.671875, 0.28125,  -0.640625, -2.640625, -0.6875,
                1.46875,   0.265625,  -2.375,    -0.703125, 1.578125, 0.453125,  -2.46875,  -0.71875});
  expectTensor(only(cpu::linear(ramp({19, 37}), ramp({1, 37}, 1), ramp({1}, 2))), {19, 1},
               {-10.46875, 19, -9.75, 11.8125, -8.3125, 8.9375, -6.15625, 6.421875, -3.28125, 1.390625, -1.125,
                -2.921875, 1.390625, -6.515625, 6.421875, -7.59375, 12.17188, -8.3125, 18.64062});
  expectTensor(only(cpu::linear(ramp({3, 300}), ramp({1, 300}, 1), Tensor())), {3, 1},
               {-98.26562, 70.14062, -28.10938});
  expectTensor(only(cpu::linear(ramp({20, 5}), ramp({4, 5}, 1), ramp({4}, 2))), {20, 4},
               {-0.046875, -1.203125, -2.359375, -0.640625, 0.0625,    -1.015625, -2.453125, -0.65625, 0.171875,
                -0.828125, -2.546875, -0.671875, 0.28125,   -0.640625, -2.640625, -0.6875,   1.46875,  0.265625,
                -2.375,    -0.703125, 1.578125,  0.453125,  -2.46875,  -0.71875,  1.6875,    0.640625, -2.5625,
                -0.734375, 1.796875,  0.828125,  -2.65625,  -0.75,     1.90625,   1.015625,  -2.75,    -0.765625,
                4.890625,  3.71875,   -0.6875,   1.015625,  5,         3.90625,   -0.78125,  1,        5.109375,
                4.09375,   -0.875,    0.984375,  5.21875,   4.28125,   -0.96875,  0.96875,   1.375,    0.15625,
                2.53125,   4.1875,    1.484375,  0.34375,   2.4375,    4.171875,  1.59375,   0.53125,  2.34375,
                4.15625,   1.703125,  0.71875,   2.25,      4.140625,  1.8125,    0.90625,   2.15625,  4.125,
                -0.234375, -1.421875, -0.8125,   0.875,     -0.125,    -1.234375, -0.90625,  0.859375});
  expectTensor(only(cpu::linear(ramp({2, 2, 2, 3}), ramp({4, 3}, 1), ramp({4}, 2, DType::Double))), {2, 2, 2, 4},
               {0.375,    1.375,     0.9375,    -0.21875, 0.796875, -0.328125, -1.453125, 3.53125,
                3.015625, -0.234375, -2.046875, 0.8125,   3.078125, -0.859375, -1.921875, 0.25,
                0.265625, 2.46875,   0.71875,   0.765625, 0.328125, 1.84375,   0.84375,   0.203125,
                0.75,     0.140625,  -1.546875, 3.953125, 0.8125,   -0.484375, -1.421875, 3.390625});
}

TEST_CASE("MatMul: linear errors") {
  expectError(cpu::linear(ramp({2, 3}), ramp({4, 5}), Tensor()).status(),
              "mat1 and mat2 shapes cannot be multiplied (2x3 and 5x4)");
  expectError(cpu::linear(ramp({2, 3}), ramp({4, 3}), ramp({5})).status(),
              "The expanded size of the tensor (4) must match the existing size (5) at non-singleton dimension 1.  "
              "Target sizes: [2, 4].  Tensor sizes: [5]");
  expectError(cpu::linear(ramp({2, 2, 3}), ramp({4, 3}), ramp({4}, 0, DType::Double)).status(),
              "self and mat2 must have the same dtype, but got Double and Float");
  expectError(cpu::linear(ramp({2, 2, 3}, 0, DType::BFloat16), ramp({4, 3}), ramp({4})).status(),
              "mat1 and mat2 must have the same dtype, but got BFloat16 and Float");
  expectError(cpu::linear(ramp({2, 2, 2, 3}), ramp({4, 3}), ramp({5, 2, 2, 2, 4})).status(),
              "output with shape [2, 2, 2, 4] doesn't match the broadcast shape [5, 2, 2, 2, 4]");
  expectError(cpu::addbmm(ramp({3, 4}, 0, DType::Double), ramp({2, 3, 2}), ramp({2, 2, 4}), 1, 1).status(),
              "self and mat2 must have the same dtype, but got Double and Float");
  expectError(cpu::inner(ramp({2, 3}), ramp({3}, 0, DType::Double)).status(),
              "expected scalar type Float but found Double");
}

TEST_CASE("MatMul: einsum") {
  expectTensor(only(cpu::einsum("ij,jk->ik", {ramp({2, 3}), ramp({3, 4}, 1)}, std::nullopt)), {2, 4},
               {0.6875, 0.4375, -1.609375, 1.375, 0.421875, -2.8125, 0.421875, 0.421875});
  expectTensor(only(cpu::einsum("bij,bjk", {ramp({2, 2, 3}), ramp({2, 3, 2}, 1)}, std::nullopt)), {2, 2},
               {-0.59375, -0.234375, -0.984375, -3.359375});
  expectTensor(only(cpu::einsum("ii->i", {ramp({3, 3})}, std::nullopt)), {3}, {-1.25, 0, 1.25});
  expectTensor(only(cpu::einsum("ii", {ramp({3, 3})}, std::nullopt)), {}, {0});
  expectTensor(only(cpu::einsum("...ij->...ji", {ramp({2, 2, 3})}, std::nullopt)), {2, 3, 2},
               {-1.25, 1.125, 0.5, 0, -0.625, -1.125, 0.625, 0.125, -0.5, -1, 1.25, 0.75});
  expectTensor(only(cpu::einsum("i,j->ij", {ramp({2}), ramp({3}, 1)}, std::nullopt)), {2, 3},
               {-0.15625, 1.25, -0.9375, 0.0625, -0.5, 0.375});
  expectTensor(only(cpu::einsum("bn,anm,bm->ba", {ramp({2, 3}), ramp({4, 3, 2}, 1), ramp({2, 2}, 2)}, std::nullopt)),
               {2, 4}, {-0.6210938, 1.148438, -2.337891, -0.2988281, -0.3515625, 2.882812, -2.777344, -0.3515625});
  expectTensor(only(cpu::einsum("ij,ij->", {ramp({2, 3}), ramp({2, 1}, 1)}, std::nullopt)), {}, {-0.171875});
  expectTensor(only(cpu::einsum("...a,...b->...ab", {ramp({2, 3}), ramp({1, 2}, 1)}, std::nullopt)), {2, 3, 2},
               {-0.15625, 1.25, 0.0625, -0.5, -0.078125, 0.625, 0.140625, -1.125, 0, -0, -0.140625, 1.125});
}

TEST_CASE("MatMul: einsum errors") {
  expectError(cpu::einsum("ij,jk->ik", {ramp({2, 3}), ramp({4, 5}, 1)}, std::nullopt).status(),
              "einsum(): subscript j has size 4 for operand 1 which does not broadcast with previously seen size 3");
  expectError(cpu::einsum("ijk", {ramp({2, 3})}, std::nullopt).status(),
              "einsum(): the number of subscripts in the equation (3) does not match the number of dimensions (2) for "
              "operand 0 and no ellipsis was given");
}

TEST_CASE("MatMul: products") {
  expectTensor(only(cpu::tensordot(ramp({2, 3, 4}), ramp({4, 3, 2}, 1), {1, 2}, {1, 0})), {2, 2},
               {1.296875, -1.4375, -4.0625, 1.15625});
  expectTensor(only(cpu::inner(ramp({2, 3}), ramp({4, 3}, 1))), {2, 4},
               {-1.125, 1, 1.6875, -1.21875, -0.703125, -0.703125, -0.703125, 2.53125});
  expectTensor(only(cpu::outer(ramp({2}), ramp({3}, 1))), {2, 3}, {-0.15625, 1.25, -0.9375, 0.0625, -0.5, 0.375});
  expectTensor(only(cpu::kron(ramp({2, 2}), ramp({2}, 1))), {2, 4},
               {-0.15625, 1.25, 0.0625, -0.5, -0.078125, 0.625, 0.140625, -1.125});
  expectTensor(only(cpu::bilinear(ramp({2, 3}), ramp({2, 2}, 1), ramp({4, 3, 2}, 2), ramp({4}, 3))), {2, 4},
               {-1.083984, -1.435547, 2.480469, 0.0625, 0.6855469, 0.7734375, -1.115234, 1.398438});
  expectTensor(only(cpu::multiDot({ramp({2, 3}), ramp({3, 4}, 1), ramp({4, 2}, 2)})), {2, 2},
               {1.591797, 1.847656, 2.900391, -3.445312});
  expectTensor(only(cpu::vdot(ramp({3}, 0, DType::ComplexFloat), ramp({3}, 1, DType::ComplexFloat))), {},
               {-0.375, -0.1875});
}

TEST_CASE("MatMul: products errors") {
  expectError(cpu::multiDot({ramp({2, 3}), ramp({4, 4}, 1)}).status(),
              "multi_dot(): tensors 0 and 1 with shapes [2, 3] and [4, 4] cannot be multiplied");
}
