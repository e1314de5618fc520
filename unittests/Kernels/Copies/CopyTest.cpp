//===- CopyTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"
#include <cmath>
#include <limits>

TEST_CASE("Copy: what PyTorch gives") {
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Bool)) == "tensor([ True,  True,  True, False])");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Int8)) == "tensor([ 0, -1, 44,  0], dtype=torch.int8)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Int16)) ==
        "tensor([  0,  -1, 300,   0], dtype=torch.int16)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Int32)) ==
        "tensor([  0,  -1, 300,   0], dtype=torch.int32)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Int64)) == "tensor([  0,  -1, 300,   0])");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Half)) ==
        "tensor([  0.5000,  -1.7500, 300.2500,   0.0000], dtype=torch.float16)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::BFloat16)) ==
        "tensor([  0.5000,  -1.7500, 300.0000,   0.0000], dtype=torch.bfloat16)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Float)) ==
        "tensor([  0.5000,  -1.7500, 300.2500,   0.0000])");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::Double)) ==
        "tensor([  0.5000,  -1.7500, 300.2500,   0.0000], dtype=torch.float64)");
  CHECK(show(toDType(doubles({0.5, -1.75, 300.25, 0}), DType::ComplexFloat)) ==
        "tensor([  0.5000+0.j,  -1.7500+0.j, 300.2500+0.j,   0.0000+0.j])");
  CHECK(show(toDType(*toDType(doubles({1e-8, 65519, 65520, 1e-5, 0.1}), DType::Half), DType::Double)) ==
        "tensor([0.0000e+00, 6.5504e+04,        inf, 1.0014e-05, 9.9976e-02],\n       dtype=torch.float64)");
  CHECK(show(copied(*zeros({2, 3}), ramp({3}))) == "tensor([[0., 1., 2.],\n        [0., 1., 2.]])");
  CHECK(show(copied(*zeros({2, 3}), ramp({2}))) ==
        "error: The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1");
  CHECK(show(copied(*zeros({3}), ramp({2, 3}))) ==
        "error: output with shape [3] doesn't match the broadcast shape [2, 3]");
  CHECK(show(copied(*expand(ramp({1}), {2}), ramp({2}))) ==
        "error: unsupported operation: more than one element of the written-to tensor refers to a single memory "
        "location. Please clone() the tensor before performing the operation.");
  CHECK(show(overlapping()) == "tensor([0., 0., 1., 2., 3.])");
  CHECK(show(isclose(ramp({2}), *full({2}, Scalar(1.000001)), 1e-5, 1e-8, false)) == "tensor([False,  True])");
}

TEST_CASE("clone and to keep the strides of dense tensors, also those that nothing shows") {
  Tensor rows = *cpu::slice(*Tensor::empty({2, 2}), 0, 0, std::nullopt, 2); // 1 x 2
  CHECK(cpu::clone(rows)->strides() == ArrayRef<int64_t>{4, 1});
  CHECK(cpu::toDType(rows, DType::Half)->strides() == ArrayRef<int64_t>{4, 1});
  Tensor none = *cpu::transpose(*Tensor::empty({0, 5}), 0, 1);
  CHECK(cpu::clone(none)->strides() == ArrayRef<int64_t>{1, 5});
}

TEST_CASE("Transposed tensors are copied element by element, whatever their sizes") {
  for (DType dtype :
       {DType::UInt8, DType::Half, DType::Float, DType::Double, DType::ComplexFloat, DType::ComplexDouble})
    for (int64_t rows : {2, 3, 4, 15, 64, 131})
      for (int64_t columns : {2, 3, 4, 7, 33, 130}) {
        Tensor x = *toDType(ramp({3, columns, rows}), dtype), turned = *permute(x, {0, 2, 1});
        Tensor copy = *contiguous(turned), pixels = *contiguous(*permute(turned, {1, 2, 0}));
        bool same = true;
        for (int64_t n = 0; n != 3; ++n)
          for (int64_t r = 0; r != rows; ++r)
            for (int64_t c = 0; c != columns; ++c) {
              Scalar wanted = x.at((n * columns + c) * rows + r);
              same &= copy.at((n * rows + r) * columns + c).toComplex() == wanted.toComplex() &&
                      pixels.at((r * columns + c) * 3 + n).toComplex() == wanted.toComplex();
            }
        INFO(irName(dtype).str() << " " << rows << " " << columns);
        CHECK(same);
      }
}

TEST_CASE("Copy: numbers that an integer does not hold, anywhere in a row") {
  const double most = std::numeric_limits<double>::infinity();
  const std::vector<double> values{0.0, -0.0, 0.5,    -1.75,   300.25, 2147483520.0, 2147483648.0, -2147483648.0,
                                   3e9, -3e9, 9.3e18, -9.3e18, most,   -most,        std::nan("")};
  // Of a float that does not fit, PyTorch on x86 gives the smallest integer.
  auto expected = [](double x, double limit, int64_t smallest) {
    return x >= -limit && x < limit ? static_cast<int64_t>(x) : smallest;
  };
  for (DType from : {DType::Float, DType::Double}) {
    Tensor row = *full({133}, Scalar(0), from);
    for (int64_t i = 0; i != row.numel(); ++i)
      row.set(i, Scalar(values[static_cast<size_t>(i) % values.size()]));
    const Tensor narrow = *toDType(row, DType::Int32), wide = *toDType(row, DType::Int64),
                 truth = *toDType(row, DType::Bool);
    for (int64_t i = 0; i != row.numel(); ++i) {
      const double x = values[static_cast<size_t>(i) % values.size()];
      INFO(x);
      CHECK(narrow.data<int32_t>()[i] == expected(x, 2147483648.0, std::numeric_limits<int32_t>::min()));
      CHECK(wide.data<int64_t>()[i] == expected(x, 9223372036854775808.0, std::numeric_limits<int64_t>::min()));
      CHECK(truth.data<bool>()[i] == (x != 0));
    }
    CHECK(toDType(truth, DType::Int64)->at(4).toInt() == 1);
  }
}
