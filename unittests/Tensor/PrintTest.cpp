//===- PrintTest.cpp - Tensors as text ------------------------------------===//
#include "MadeTensors.h"
#include <complex>

/// The elements as another dtype.
static Tensor converted(const Tensor &tensor, DType dtype) {
  Tensor result = *Tensor::empty(tensor.sizes(), dtype);
  for (int64_t i = 0; i != tensor.numel(); ++i)
    result.set(i, tensor.at(i));
  return result;
}

/// Both forms, as PyTorch 1.13 wrote them.
static void expectText(const StatusOr<Tensor> &t, const char *python, const char *cpp) {
  REQUIRE(t.ok());
  CHECK(toPythonString(*t) == python);
  CHECK(toCppString(*t) == cpp);
}

TEST_CASE("Print: the text is PyTorch's") {
  expectText(doubles({1.5, 2, -3}), "tensor([ 1.5000,  2.0000, -3.0000], dtype=torch.float64)",
             " 1.5000\n 2.0000\n-3.0000\n[ CPUDoubleType{3} ]");
  expectText(converted(doubles({1.5, 2, -3}), DType::Float), "tensor([ 1.5000,  2.0000, -3.0000])",
             " 1.5000\n 2.0000\n-3.0000\n[ CPUFloatType{3} ]");
  expectText(doubles({1e-05, 1.0}), "tensor([1.0000e-05, 1.0000e+00], dtype=torch.float64)",
             " 1.0000e-05\n 1.0000e+00\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({1e-05, 1.0}), DType::Float), "tensor([1.0000e-05, 1.0000e+00])",
             " 1.0000e-05\n 1.0000e+00\n[ CPUFloatType{2} ]");
  expectText(doubles({100000.0, 1.5}), "tensor([1.0000e+05, 1.5000e+00], dtype=torch.float64)",
             " 1.0000e+05\n 1.5000e+00\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({100000.0, 1.5}), DType::Float), "tensor([1.0000e+05, 1.5000e+00])",
             " 1.0000e+05\n 1.5000e+00\n[ CPUFloatType{2} ]");
  expectText(doubles({INFINITY, 1, -2}), "tensor([inf,  1., -2.], dtype=torch.float64)",
             "inf\n 1\n-2\n[ CPUDoubleType{3} ]");
  expectText(converted(doubles({INFINITY, 1, -2}), DType::Float), "tensor([inf,  1., -2.])",
             "inf\n 1\n-2\n[ CPUFloatType{3} ]");
  expectText(doubles({NAN, 1.5}), "tensor([   nan, 1.5000], dtype=torch.float64)",
             "    nan\n 1.5000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({NAN, 1.5}), DType::Float), "tensor([   nan, 1.5000])",
             "    nan\n 1.5000\n[ CPUFloatType{2} ]");
  expectText(doubles({100000000.0, 1}), "tensor([1.0000e+08, 1.0000e+00], dtype=torch.float64)",
             "     1e+08\n         1\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({100000000.0, 1}), DType::Float), "tensor([1.0000e+08, 1.0000e+00])",
             "     1e+08\n         1\n[ CPUFloatType{2} ]");
  expectText(doubles({1000000000.0, 1}), "tensor([1.0000e+09, 1.0000e+00], dtype=torch.float64)",
             " 1.0000e+09\n 1.0000e+00\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({1000000000.0, 1}), DType::Float), "tensor([1.0000e+09, 1.0000e+00])",
             " 1.0000e+09\n 1.0000e+00\n[ CPUFloatType{2} ]");
  expectText(doubles({100000.5, 2}), "tensor([1.0000e+05, 2.0000e+00], dtype=torch.float64)",
             " 1.0000e+05\n 2.0000e+00\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({100000.5, 2}), DType::Float), "tensor([1.0000e+05, 2.0000e+00])",
             " 1.0000e+05\n 2.0000e+00\n[ CPUFloatType{2} ]");
  expectText(doubles({-10000000.0, 0.5}), "tensor([-1.0000e+07,  5.0000e-01], dtype=torch.float64)",
             "-1.0000e+07\n 5.0000e-01\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({-10000000.0, 0.5}), DType::Float), "tensor([-1.0000e+07,  5.0000e-01])",
             "-1.0000e+07\n 5.0000e-01\n[ CPUFloatType{2} ]");
  expectText(doubles({0.001, 0.001}), "tensor([0.0010, 0.0010], dtype=torch.float64)",
             "0.001 *\n 1.0000\n 1.0000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({0.001, 0.001}), DType::Float), "tensor([0.0010, 0.0010])",
             "0.001 *\n 1.0000\n 1.0000\n[ CPUFloatType{2} ]");
  expectText(doubles({-5.0, -1000}), "tensor([   -5., -1000.], dtype=torch.float64)",
             "-5\n-1000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({-5.0, -1000}), DType::Float), "tensor([   -5., -1000.])",
             "-5\n-1000\n[ CPUFloatType{2} ]");
  expectText(doubles({0.0, 0.0}), "tensor([0., 0.], dtype=torch.float64)", " 0\n 0\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({0.0, 0.0}), DType::Float), "tensor([0., 0.])", " 0\n 0\n[ CPUFloatType{2} ]");
  expectText(doubles({999.9999, 1.0}), "tensor([999.9999,   1.0000], dtype=torch.float64)",
             " 999.9999\n   1.0000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({999.9999, 1.0}), DType::Float), "tensor([999.9999,   1.0000])",
             " 999.9999\n   1.0000\n[ CPUFloatType{2} ]");
  expectText(doubles({0.1, 1000.0}), "tensor([1.0000e-01, 1.0000e+03], dtype=torch.float64)",
             "    0.1000\n 1000.0000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({0.1, 1000.0}), DType::Float), "tensor([1.0000e-01, 1.0000e+03])",
             "    0.1000\n 1000.0000\n[ CPUFloatType{2} ]");
  expectText(doubles({1e+20}), "tensor([1.0000e+20], dtype=torch.float64)", " 1.0000e+20\n[ CPUDoubleType{1} ]");
  expectText(converted(doubles({1e+20}), DType::Float), "tensor([1.0000e+20])", " 1.0000e+20\n[ CPUFloatType{1} ]");
  expectText(doubles({-0.0, 1.5}), "tensor([-0.0000, 1.5000], dtype=torch.float64)",
             "-0.0000\n 1.5000\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({-0.0, 1.5}), DType::Float), "tensor([-0.0000, 1.5000])",
             "-0.0000\n 1.5000\n[ CPUFloatType{2} ]");
  expectText(doubles({12345.0, 0.1}), "tensor([1.2345e+04, 1.0000e-01], dtype=torch.float64)",
             " 1.2345e+04\n 1.0000e-01\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({12345.0, 0.1}), DType::Float), "tensor([1.2345e+04, 1.0000e-01])",
             " 1.2345e+04\n 1.0000e-01\n[ CPUFloatType{2} ]");
  expectText(doubles({1e-200, 1}), "tensor([1.0000e-200,  1.0000e+00], dtype=torch.float64)",
             " 1.0000e-200\n  1.0000e+00\n[ CPUDoubleType{2} ]");
  expectText(converted(doubles({1e-200, 1}), DType::Float), "tensor([0., 1.])", " 0\n 1\n[ CPUFloatType{2} ]");
  expectText(Tensor::scalar(Scalar(3), DType::Int64), "tensor(3)", "3\n[ CPULongType{} ]");
  expectText(Tensor::scalar(Scalar(1e10), DType::Float), "tensor(1.0000e+10)", "1e+10\n[ CPUFloatType{} ]");
  expectText(Tensor::scalar(Scalar(1234567.0), DType::Float), "tensor(1234567.)", "1.23457e+06\n[ CPUFloatType{} ]");
  expectText(Tensor::scalar(Scalar(true), DType::Bool), "tensor(True)", "1\n[ CPUBoolType{} ]");
  expectText(Tensor::empty({0}), "tensor([])", "[ CPUFloatType{0} ]");
  expectText(Tensor::empty({0, 3}), "tensor([], size=(0, 3))", "[ CPUFloatType{0,3} ]");
  expectText(Tensor::empty({0}, DType::Int64), "tensor([], dtype=torch.int64)", "[ CPULongType{0} ]");
  expectText(Tensor::empty({2, 0}, DType::Int32), "tensor([], size=(2, 0), dtype=torch.int32)", "[ CPUIntType{2,0} ]");
  expectText(ramp({2, 3}), "tensor([[0., 1., 2.],\n        [3., 4., 5.]])",
             " 0  1  2\n 3  4  5\n[ CPUFloatType{2,3} ]");
  expectText(ints({2, 3}), "tensor([[0, 1, 2],\n        [3, 4, 5]])", " 0  1  2\n 3  4  5\n[ CPULongType{2,3} ]");
  expectText(ramp({2, 2, 2}), "tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]])",
             "(1,.,.) = \n  0  1\n  2  3\n\n(2,.,.) = \n  4  5\n  6  7\n[ CPUFloatType{2,2,2} ]");
  expectText(ramp({2, 1, 2, 2}),
             "tensor([[[[0., 1.],\n          [2., 3.]]],\n\n\n        [[[4., 5.],\n          [6., 7.]]]])",
             "(1,1,.,.) = \n  0  1\n  2  3\n\n(2,1,.,.) = \n  4  5\n  6  7\n[ CPUFloatType{2,1,2,2} ]");
  expectText(ramp({2, 3}).alias({3, 2}, {1, 3}, 0), "tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.]])",
             " 0  3\n 1  4\n 2  5\n[ CPUFloatType{3,2} ]");
  expectText(ints({2, 40}),
             "tensor([[ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n         18, 19, 20, "
             "21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35,\n         36, 37, 38, 39],\n        [40, 41, "
             "42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57,\n         58, 59, 60, 61, 62, 63, 64, "
             "65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75,\n         76, 77, 78, 79]])",
             "Columns 1 to 20  0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19\n 40  41  "
             "42  43  44  45  46  47  48  49  50  51  52  53  54  55  56  57  58  59\n\nColumns 21 to 40 20  21  22  "
             "23  24  25  26  27  28  29  30  31  32  33  34  35  36  37  38  39\n 60  61  62  63  64  65  66  67  68  "
             "69  70  71  72  73  74  75  76  77  78  79\n[ CPULongType{2,40} ]");
  expectText(bools({true, false}), "tensor([ True, False])", " 1\n 0\n[ CPUBoolType{2} ]");
  expectText(longs({1234567890123, -1}), "tensor([1234567890123,            -1])",
             " 1.2346e+12\n-1.0000e+00\n[ CPULongType{2} ]");
  expectText(ramp({3}, DType::Half), "tensor([0., 1., 2.], dtype=torch.float16)", " 0\n 1\n 2\n[ CPUHalfType{3} ]");
  expectText(ramp({2, 2}, DType::BFloat16), "tensor([[0., 1.],\n        [2., 3.]], dtype=torch.bfloat16)",
             " 0  1\n 2  3\n[ CPUBFloat16Type{2,2} ]");
  expectText(ramp({3}, DType::UInt8), "tensor([0, 1, 2], dtype=torch.uint8)", " 0\n 1\n 2\n[ CPUByteType{3} ]");
}

TEST_CASE("Print: long tensors are abridged") {
  CHECK(show(ints({2000})) == "tensor([   0,    1,    2,  ..., 1997, 1998, 1999])");
  CHECK(show(ramp({40, 50})) ==
        "tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 4.7000e+01, 4.8000e+01,\n         4.9000e+01],\n        "
        "[5.0000e+01, 5.1000e+01, 5.2000e+01,  ..., 9.7000e+01, 9.8000e+01,\n         9.9000e+01],\n        "
        "[1.0000e+02, 1.0100e+02, 1.0200e+02,  ..., 1.4700e+02, 1.4800e+02,\n         1.4900e+02],\n        ...,\n     "
        "   [1.8500e+03, 1.8510e+03, 1.8520e+03,  ..., 1.8970e+03, 1.8980e+03,\n         1.8990e+03],\n        "
        "[1.9000e+03, 1.9010e+03, 1.9020e+03,  ..., 1.9470e+03, 1.9480e+03,\n         1.9490e+03],\n        "
        "[1.9500e+03, 1.9510e+03, 1.9520e+03,  ..., 1.9970e+03, 1.9980e+03,\n         1.9990e+03]])");
  CHECK(show(ramp({12, 2, 100})) ==
        "tensor([[[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 9.7000e+01,\n          9.8000e+01, 9.9000e+01],\n         "
        "[1.0000e+02, 1.0100e+02, 1.0200e+02,  ..., 1.9700e+02,\n          1.9800e+02, 1.9900e+02]],\n\n        "
        "[[2.0000e+02, 2.0100e+02, 2.0200e+02,  ..., 2.9700e+02,\n          2.9800e+02, 2.9900e+02],\n         "
        "[3.0000e+02, 3.0100e+02, 3.0200e+02,  ..., 3.9700e+02,\n          3.9800e+02, 3.9900e+02]],\n\n        "
        "[[4.0000e+02, 4.0100e+02, 4.0200e+02,  ..., 4.9700e+02,\n          4.9800e+02, 4.9900e+02],\n         "
        "[5.0000e+02, 5.0100e+02, 5.0200e+02,  ..., 5.9700e+02,\n          5.9800e+02, 5.9900e+02]],\n\n        "
        "...,\n\n        [[1.8000e+03, 1.8010e+03, 1.8020e+03,  ..., 1.8970e+03,\n          1.8980e+03, 1.8990e+03],\n "
        "        [1.9000e+03, 1.9010e+03, 1.9020e+03,  ..., 1.9970e+03,\n          1.9980e+03, 1.9990e+03]],\n\n       "
        " [[2.0000e+03, 2.0010e+03, 2.0020e+03,  ..., 2.0970e+03,\n          2.0980e+03, 2.0990e+03],\n         "
        "[2.1000e+03, 2.1010e+03, 2.1020e+03,  ..., 2.1970e+03,\n          2.1980e+03, 2.1990e+03]],\n\n        "
        "[[2.2000e+03, 2.2010e+03, 2.2020e+03,  ..., 2.2970e+03,\n          2.2980e+03, 2.2990e+03],\n         "
        "[2.3000e+03, 2.3010e+03, 2.3020e+03,  ..., 2.3970e+03,\n          2.3980e+03, 2.3990e+03]]])");
  Tensor complex = *Tensor::empty({2}, DType::ComplexFloat);
  complex.set(0, Scalar(0));
  complex.set(1, Scalar(std::complex<double>(1, 1)));
  CHECK(show(complex) == "tensor([0.+0.j, 1.+1.j])");
  CHECK(show(ramp({30})) ==
        "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n        14., 15., 16., 17., "
        "18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n        28., 29.])");
}
