//===- NumbersTest.cpp - Recorded from PyTorch
//-------------------------------===//
//
// Written by utils/record_kernel_tests.py from Numbers.cases.
//
//===----------------------------------------------------------------------===//
#include "KernelTest.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Indexing.h"
#include "tsc/Kernels/Loss.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/NeuralNet.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/Sorting.h"

using namespace tsc;
using namespace tsc::test;

TEST_CASE("Numbers: halves") {
  expectTensor(only(cpu::toDType(*cpu::toDType(ramp({21}), DType::Half), DType::Int32)), {21},
               {-1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
  expectTensor(only(cpu::toDType(*cpu::toDType(ramp({21}), DType::BFloat16), DType::Int64)), {21},
               {-1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
  expectTensor(only(cpu::toDType(*cpu::toDType(ramp({21}), DType::Half), DType::Bool)), {21},
               {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  expectTensor(only(cpu::toDType(indices({21}, 5000, 4090), DType::Half)), {21},
               {4090, 4096, 4104, 4112, 4120, 4124, 4132, 4140, 4144, 4152, 4160,
                4168, 4176, 4180, 4188, 4196, 4200, 4208, 4216, 4224, 4232});
  expectTensor(only(cpu::toDType(indices({21}, 5000, 4090), DType::BFloat16)), {21},
               {4096, 4096, 4096, 4096, 4128, 4128, 4128, 4128, 4160, 4160, 4160,
                4160, 4160, 4192, 4192, 4192, 4192, 4224, 4224, 4224, 4224});
  expectTensor(only(cpu::toDType(*cpu::toDType(ramp({21}), DType::Bool), DType::Half)), {21},
               {1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  expectTensor(only(cpu::toDType(*cpu::toDType(ramp({21}, 0, DType::Double), DType::BFloat16), DType::Double)), {21},
               {-1.25, 0.5,    -0.625, 1.125, 0,      -1.125, 0.625, -0.5, 1.25,  0.125, -1,
                0.75,  -0.375, 1.375,  0.25,  -0.875, 0.875,  -0.25, 1.5,  0.375, -0.75});
}

TEST_CASE("Numbers: integers") {
  expectTensor(only(cpu::toDType(indices({21}, 500), DType::Int8)), {21},
               {0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105, 112, 119, 126, -123, -116});
  expectTensor(only(cpu::toDType(*cpu::toDType(indices({21}, 70000, 65500), DType::Int32), DType::Int16)), {21},
               {-36, -29, -22, -15, -8, -1, 6, 13, 20, 27, 34, 41, 48, 55, 62, 69, 76, 83, 90, 97, 104});
  expectTensor(only(cpu::toDType(*cpu::toDType(indices({21}, 300, 200), DType::Int16), DType::UInt8)), {21},
               {200, 207, 214, 221, 228, 235, 242, 249, 0, 7, 14, 21, 28, 35, 42, 5, 12, 19, 26, 33, 40});
  expectTensor(only(cpu::toDType(*cpu::toDType(indices({21}, 200), DType::Int8), DType::Double)), {21},
               {0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105, 112, 119, 126, -123, -116});
  expectTensor(only(cpu::toDType(ramp({21}, 0, DType::Double), DType::Int32)), {21},
               {-1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
}

TEST_CASE("Numbers: quotients") {
  expectTensor(only(binary(PointwiseKind::Aten_remainder_Tensor, narrowed(DType::Int32), narrowed(DType::Int32, 3))),
               {21}, {-6, -6, -6, 1, 15, 29, -6, -6, -1, 3, 17, 31, -6, -6, 0, 5, 19, 33, -6, -6, 0});
  expectTensor(only(binary(PointwiseKind::Aten_floor_divide, narrowed(DType::Int8), narrowed(DType::Int8, 3))), {21},
               {1, 1, 1, 0, 0, 0, 1, 1, 2, 0, 0, 0, 1, 1, 3, 0, 0, 0, 1, 1, 7});
  expectTensor(only(binary(PointwiseKind::Aten_fmod_Tensor, narrowed(DType::Int16), narrowed(DType::Int16, 3))), {21},
               {-6, -6, -6, 1, 15, 29, -6, -6, -1, 3, 17, 31, -6, -6, 0, 5, 19, 33, -6, -6, 0});
  expectTensor(only(binary(PointwiseKind::Aten_remainder_Tensor, narrowed(DType::Int64), narrowed(DType::Int64, 3))),
               {21}, {-6, -6, -6, 1, 15, 29, -6, -6, -1, 3, 17, 31, -6, -6, 0, 5, 19, 33, -6, -6, 0});
  expectTensor(only(binary(PointwiseKind::Aten_lcm, narrowed(DType::Int32), narrowed(DType::Int32, 3))), {21},
               {1435, 189, 91, 7, 105, 1015, 429, 475, 55, 9, 391, 1147, 1147, 391, 9, 55, 475, 429, 1015, 105, 7});
  expectTensor(
      only(binary(PointwiseKind::Aten_fmod_Tensor, ramp({21}, 0, DType::Double), ramp({21}, 3, DType::Double))), {21},
      {NAN,  0.5,    -0,    0.125, 0,      -0,    0.625, -0.5, 0.125, 0.125, -0,
       0.75, -0.375, 0.125, 0.25,  -0.125, 0.125, -0.25, 0,    0.375, -0.25});
  expectTensor(
      only(binary(PointwiseKind::Aten_remainder_Tensor, ramp({21}, 1, DType::Double), ramp({21}, 3, DType::Double))),
      {21}, {NAN,   -1,    0.125,  -0.375, 0.125, 0,      -0.875, 0.125, -0.25,  0.125, 0.125,
             -0.75, 0.125, -0.125, 0.25,   0.125, -0.625, 0.125,  0,     -1.125, 0.125});
  expectTensor(only(binary(PointwiseKind::Aten_fmod_Tensor, make<double>({5, -5, 7, 1e300, 3, INFINITY, 1, 0}, {8}),
                           make<double>({INFINITY, INFINITY, 0, 3, -0.1, 2, 3, 4}, {8}))),
               {8}, {5, -5, NAN, 0, 0.1, NAN, 1, 0});
  expectTensor(only(binary(PointwiseKind::Aten_fmod_Tensor, make<float>({5, -5, 7, 1e30f, 3, INFINITY, 1, 0}, {8}),
                           make<float>({INFINITY, INFINITY, 0, 3, -0.1f, 2, 3, 4}, {8}))),
               {8}, {5, -5, NAN, 0, 0.09999996, NAN, 1, 0});
}

TEST_CASE("Numbers: truths") {
  expectTensor(only(binary(PointwiseKind::Aten_lt_Tensor, *cpu::toDType(indices({40}, 2), DType::Bool),
                           *cpu::toDType(indices({40}, 3), DType::Bool))),
               {40}, {0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0,
                      1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0});
  expectTensor(only(binary(PointwiseKind::Aten_bitwise_xor_Tensor, *cpu::toDType(indices({40}, 2), DType::Bool),
                           *cpu::toDType(indices({40}, 3), DType::Bool))),
               {40}, {0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0,
                      1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1});
}

TEST_CASE("Numbers: signs") {
  expectTensor(only(unary(PointwiseKind::Aten_neg, *cpu::toDType(ramp({40}), DType::BFloat16))), {40},
               {1.25, -0.5,  0.625,  -1.125, -0,    1.125, -0.625, 0.5,   -1.25, -0.125,
                1,    -0.75, 0.375,  -1.375, -0.25, 0.875, -0.875, 0.25,  -1.5,  -0.375,
                0.75, -1,    0.125,  1.25,   -0.5,  0.625, -1.125, -0,    1.125, -0.625,
                0.5,  -1.25, -0.125, 1,      -0.75, 0.375, -1.375, -0.25, 0.875, -0.875});
  expectTensor(only(unary(PointwiseKind::Aten_abs, *cpu::toDType(ramp({40}), DType::Half))), {40},
               {1.25,  0.5,   0.625, 1.125, 0,     1.125, 0.625, 0.5,   1.25,  0.125, 1,     0.75,  0.375, 1.375,
                0.25,  0.875, 0.875, 0.25,  1.5,   0.375, 0.75,  1,     0.125, 1.25,  0.5,   0.625, 1.125, 0,
                1.125, 0.625, 0.5,   1.25,  0.125, 1,     0.75,  0.375, 1.375, 0.25,  0.875, 0.875});
}

TEST_CASE("Numbers: doubles") {
  expectTensor(
      only(unary(PointwiseKind::Aten_exp2,
                 make<double>({0, 1, -1, 0.5, 10.25, -1060.5, 1023.75, 1024, -1080, INFINITY, -INFINITY, NAN}, {12}))),
      {12}, {1, 2, 0.5, 1.414214, 1217.748, 5.723751e-320, 1.511674e+308, INFINITY, 0, INFINITY, 0, NAN});
  expectTensor(only(unary(PointwiseKind::Aten_log2,
                          make<double>({1, 8, 0.1, 3, 1e-310, 0, -1, INFINITY, NAN, 1.4142, 0.7071, 1e300}, {12}))),
               {12},
               {0, 3, -3.321928, 1.584963, -1029.798, -INFINITY, NAN, INFINITY, NAN, 0.4999862, -0.5000138, 996.5784});
  expectTensor(only(binary(PointwiseKind::Aten_hypot, make<double>({3, 0, 1e200, 1e-200, INFINITY, -5, 1, 0}, {8}),
                           make<double>({4, 0, 1e200, 1e-200, NAN, 12, 1e-9, -2}, {8}))),
               {8}, {5, 0, 1.414214e+200, 1.414214e-200, INFINITY, 13, 1, 2});
  expectTensor(only(unary(PointwiseKind::Aten_special_ndtri,
                          make<double>({0.5, 0.1, 0.9, 1e-5, 1e-14, 1e-30, 0, 1, -1, 0.999999, 0.3, 0.7}, {12}))),
               {12},
               {0, -1.281552, 1.281552, -4.264891, -7.650628, -11.46402, -INFINITY, INFINITY, NAN, 4.753424, -0.5244005,
                0.5244005});
  expectTensor(
      only(unary(PointwiseKind::Aten_special_ndtri,
                 make<float>({0.5f, 0.1f, 0.9f, 1e-5f, 1e-14f, 1e-30f, 0, 1, -1, 0.999999f, 0.3f, 0.7f}, {12}))),
      {12},
      {0, -1.281552, 1.281551, -4.264891, -7.650628, -11.46402, -INFINITY, INFINITY, NAN, 4.750758, -0.5244005,
       0.5244005});
}

TEST_CASE("Numbers: complex powers") {
  expectTensor(only(pointwise(PointwiseKind::Aten_pow_Tensor_Scalar,
                              {PointwiseArg(ramp({9}, 0, DType::ComplexFloat)), PointwiseArg(Scalar(3))})),
               {9},
               {-1.953125, 0, -0.71875, 0.140625, 3.974609, -1.617188, 0.5800781, 1.773438, -0, -1.953125, -1.212891,
                0.9335938, -1.630859, 0.171875, -0.125, 0, -0.15625, 3.09375});
}

TEST_CASE("Numbers: members") {
  expectTensor(only(cpu::isinTensor(indices({21}, 11), longs({3, 7, 7}), false, false)), {21},
               {0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0});
  expectTensor(only(cpu::isinTensor(ramp({21}), ramp({4}, 2), false, true)), {21},
               {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0});
  expectTensor(only(cpu::isinTensor(indices({21}, 99), indices({80}, 50), false, false)), {21},
               {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("Numbers: repeats") {
  expectTensor(only(cpu::repeatInterleaveSelfInt(ramp({3, 5}), 3, std::nullopt, std::nullopt)), {45},
               {-1.25,  -1.25,  -1.25,  0.5,    0.5,    0.5,    -0.625, -0.625, -0.625, 1.125, 1.125, 1.125,
                0,      0,      0,      -1.125, -1.125, -1.125, 0.625,  0.625,  0.625,  -0.5,  -0.5,  -0.5,
                1.25,   1.25,   1.25,   0.125,  0.125,  0.125,  -1,     -1,     -1,     0.75,  0.75,  0.75,
                -0.375, -0.375, -0.375, 1.375,  1.375,  1.375,  0.25,   0.25,   0.25});
  expectTensor(
      only(cpu::repeatInterleaveSelfInt(*cpu::toDType(indices({2, 9}, 7), DType::Int8), 2, 1, std::nullopt)), {2, 18},
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  expectTensor(only(cpu::repeatInterleaveSelfInt(ramp({2, 3, 2}), 2, -2, std::nullopt)), {2, 6, 2},
               {-1.25, 0.5,  -1.25, 0.5,  -0.625, 1.125, -0.625, 1.125, 0,  -1.125, 0,  -1.125,
                0.625, -0.5, 0.625, -0.5, 1.25,   0.125, 1.25,   0.125, -1, 0.75,   -1, 0.75});
  expectTensor(only(cpu::repeatInterleaveSelfInt(*cpu::transpose(ramp({2, 3}), 0, 1), 5, 0, std::nullopt)), {15, 2},
               {-1.25,  1.125,  -1.25,  1.125,  -1.25,  1.125,  -1.25,  1.125,  -1.25,  1.125,
                0.5,    0,      0.5,    0,      0.5,    0,      0.5,    0,      0.5,    0,
                -0.625, -1.125, -0.625, -1.125, -0.625, -1.125, -0.625, -1.125, -0.625, -1.125});
  expectTensor(only(cpu::repeatInterleaveSelfInt(ramp({}), 4, std::nullopt, std::nullopt)), {4},
               {-1.25, -1.25, -1.25, -1.25});
}

TEST_CASE("Numbers: medians") {
  expectTensor(only(cpu::median(indices({41}, 37, 5))), {}, {18});
  expectTensor(only(cpu::median(*cpu::toDType(indices({30}, 7), DType::UInt8))), {}, {0});
  expectTensor(only(cpu::median(ramp({40}, 3))), {}, {0.125});
  expectTensor(std::get<1>(*cpu::topk(bumps({3, 70}), 1, 1, true, true)), {3, 1}, {15, 3, 0});
}

TEST_CASE("Numbers: histograms") {
  expectTensor(std::get<0>(*cpu::histogramBins(ramp({40}), 7, std::nullopt, Tensor(), false)), {7},
               {8, 5, 4, 6, 5, 5, 7});
}

TEST_CASE("Numbers: alignments") {
  expectTensor(only(cpu::ctcLossIntList(*cpu::logSoftmax(ramp({12, 2, 5}), 2, std::nullopt), longs({1, 2, 2, 4, 3, 3}),
                                        {12, 9}, {4, 2}, 0, 0, false)),
               {2}, {10.19886, 12.02778});
  expectTensor(only(cpu::ctcLossIntList(*cpu::logSoftmax(ramp({3, 2, 4}), 2, std::nullopt), longs({1, 1, 1, 2}), {3, 3},
                                        {3, 1}, 0, 0, false)),
               {2}, {INFINITY, 2.829619});
  expectTensor(only(cpu::ctcLossIntList(*cpu::logSoftmax(ramp({4, 1, 3}), 2, std::nullopt), indices({1, 0}, 3), {4},
                                        {0}, 0, 0, false)),
               {1}, {4.833984});
  expectTensor(only(cpu::ctcLossIntList(make<double>({NAN, -1, -2, -1, -0.5, -2, -1, -1, -1.5}, {3, 1, 3}),
                                        longs({1, 2}), {3}, {2}, 0, 0, false)),
               {1}, {NAN});
  expectTensor(only(cpu::ctcLossIntList(make<double>({NAN, -1, -2, -1, -0.5, -2, -1, -1, -1.5}, {3, 1, 3}),
                                        longs({1, 1}), {3}, {2}, 0, 0, false)),
               {1}, {3});
  expectTensor(only(cpu::ctcLossIntList(make<double>({-0.5, -1, -2, -1, NAN, -2, -1, -1, -1.5}, {3, 1, 3}),
                                        longs({1, 2}), {3}, {2}, 0, 0, false)),
               {1}, {NAN});
  expectTensor(only(cpu::ctcLossIntList(make<double>({-INFINITY, -INFINITY, -INFINITY, -INFINITY, NAN, -INFINITY,
                                                      -INFINITY, -INFINITY, -INFINITY},
                                                     {3, 1, 3}),
                                        longs({1, 2}), {3}, {2}, 0, 0, false)),
               {1}, {NAN});
  expectTensor(only(cpu::ctcLossIntList(make<double>({-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY,
                                                      -INFINITY, -INFINITY, -1},
                                                     {3, 1, 3}),
                                        longs({1, 2}), {3}, {2}, 0, 0, false)),
               {1}, {INFINITY});
}

TEST_CASE("Numbers: products") {
  expectTensor(only(cpu::bmm(ramp({3, 2, 5}, 0, DType::ComplexFloat), ramp({3, 5, 4}, 1, DType::ComplexFloat))),
               {3, 2, 4},
               {-1.0625,   0.75,    -1.640625, 4.1875,   -7.078125, -0.28125, -1.625,    -2.25,   0.078125,  2,
                -2.296875, 2.4375,  -6.828125, -0.71875, -0.109375, -0.65625, -2.5625,   2.15625, -1.15625,  2.03125,
                -5.140625, 0.90625, 0.21875,   4.09375,  -3.59375,  3.0625,   -2.15625,  2.0625,  -5.828125, 1.71875,
                -0.515625, 4.96875, -2.84375,  -0.78125, -4.359375, -0.9375,  -0.140625, 0.59375, -6.6875,   1.5625,
                -2.109375, 1.3125,  -2.796875, -1.625,   0.0625,    1.71875,  -5.21875,  -0.3125});
  expectTensor(only(cpu::bmm(ramp({4, 1, 37}), ramp({4, 37, 1}, 1))), {4, 1, 1},
               {-11.96875, -12.21875, -12, -12.03125});
  expectTensor(only(cpu::linear(*cpu::toDType(ramp({2, 70}), DType::BFloat16),
                                *cpu::toDType(ramp({3, 70}, 1), DType::BFloat16), Tensor())),
               {2, 3}, {-22.75, 27.125, -12.8125, 16.25, -23.125, 26.25});
}

TEST_CASE("Numbers: prelu") {
  expectTensor(only(cpu::prelu(inside(ramp({1, 5, 2, 3})), ramp({5}, 1))), {1, 5, 2, 3},
               {-0.15625, 0.5,  -0.078125, 1.125,   0,    -0.140625, 0.625, 0.5,     1.25,      0.125,
                1,        0.75, -0.28125,  1.375,   0.25, -0.65625,  0.875, -0.1875, 1.5,       0.375,
                0.28125,  1,    0.046875,  0.46875, 0.5,  -0.859375, 1.125, 0,       -1.546875, 0.625});
  expectTensor(
      only(cpu::prelu(*cpu::toDType(ramp({2, 3, 7}), DType::BFloat16), *cpu::toDType(ramp({3}, 1), DType::BFloat16))),
      {2, 3, 7},
      {-0.15625,  0.5,      -0.078125, 1.125,     0,        -0.140625, 0.625,   0.5,     1.25,  0.125,   1,
       0.75,      0.375,    1.375,     0.25,      -0.65625, 0.875,     -0.1875, 1.5,     0.375, -0.5625, 1,
       -0.015625, -0.15625, 0.5,       -0.078125, 1.125,    0,         1.125,   0.625,   0.5,   1.25,    0.125,
       1,         0.75,     -0.28125,  1.375,     0.25,     -0.65625,  0.875,   -0.1875, 1.5});
}

TEST_CASE("Numbers: softmax") {
  expectTensor(only(cpu::logSoftmax(*cpu::toDType(ramp({2, 3, 7}), DType::BFloat16), 1, std::nullopt)), {2, 3, 7},
               {-2.03125,   -1.21875,   -2.03125, -0.3164062, -2.03125,   -2.03125,   -1.21875, -1.28125,   -0.4648438,
                -1.28125,   -2.4375,    -1.28125, -1.28125,   -0.4648438, -0.5273438, -2.59375, -0.5273438, -1.695312,
                -0.5273438, -0.5273438, -2.59375, -0.3164062, -2.03125,   -2.03125,   -1.21875, -2.03125,   -0.3164062,
                -2.03125,   -2.4375,    -1.28125, -1.28125,   -0.4648438, -1.28125,   -2.4375,  -1.28125,   -1.695312,
                -0.5273438, -0.5273438, -2.59375, -0.5273438, -1.695312,  -0.5273438});
  expectTensor(only(cpu::logSoftmax(*cpu::toDType(ramp({3, 9}), DType::BFloat16), 1, std::nullopt)), {3, 9},
               {-3.796875, -2.046875, -3.171875, -1.429688, -2.546875, -3.671875, -1.929688, -3.046875, -1.304688,
                -2.453125, -3.578125, -1.828125, -2.953125, -1.203125, -2.328125, -3.453125, -1.703125, -2.828125,
                -1.242188, -2.375,    -3.5,      -1.742188, -2.875,    -4,        -2.25,     -3.375,    -1.617188});
}
