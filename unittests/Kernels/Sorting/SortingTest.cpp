//===- SortingTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"

TEST_CASE("Sorting: what PyTorch gives") {
  CHECK(show(sort(doubles({3, 1, 2, 1, NAN, -5}), -1, false)) ==
        "tensor([-5.,  1.,  1.,  2.,  3., nan], dtype=torch.float64) | tensor([5, 1, 3, 2, 0, 4])");
  CHECK(show(sort(doubles({3, 1, 2, 1, NAN, -5}), -1, true)) ==
        "tensor([nan,  3.,  2.,  1.,  1., -5.], dtype=torch.float64) | tensor([4, 0, 2, 1, 3, 5])");
  CHECK(
      show(sort(*t(ramp({2, 3})), 0, true)) ==
      "tensor([[2., 5.],\n        [1., 4.],\n        [0., 3.]]) | tensor([[2, 2],\n        [1, 1],\n        [0, 0]])");
  CHECK(show(sort(ramp({}), 0, false)) == "tensor(0.) | tensor(0)");
  CHECK(show(argsort(longs({3, 1, 2}), 0, false)) == "tensor([1, 2, 0])");
  CHECK(show(msort(longs({3, 1, 2}))) == "tensor([1, 2, 3])");
  CHECK(show(sort(bools({true, false}), 0, false)) == "tensor([False,  True]) | tensor([1, 0])");
  CHECK(show(topk(longs({3, 1, 2, 9}), 2, -1, true, true)) == "tensor([9, 3]) | tensor([3, 0])");
  CHECK(show(topk(longs({3, 1, 2, 9}), 2, -1, false, true)) == "tensor([1, 2]) | tensor([1, 2])");
  CHECK(show(topk(longs({3, 1}), 3, -1, true, true)) == "error: selected index k out of range");
  CHECK(show(topk(ramp({2, 3}), 1, 0, true, true)) == "tensor([[3., 4., 5.]]) | tensor([[1, 1, 1]])");
  CHECK(show(kthvalue(longs({3, 1, 2, 9}), 3, 0, false)) == "tensor(3) | tensor(0)");
  CHECK(show(kthvalue(longs({3, 1}), 3, 0, true)) ==
        "error: kthvalue(): selected number k out of range for dimension 0");
  CHECK(show(kthvalue(ramp({2, 3}), 2, 1, true)) == "tensor([[1.],\n        [4.]]) | tensor([[1],\n        [1]])");
  CHECK(show(median(longs({3, 1, 2, 9}))) == "tensor(2)");
  CHECK(show(median(doubles({3, 1, 2, 1, NAN, -5}))) == "tensor(nan, dtype=torch.float64)");
  CHECK(show(nanmedian(doubles({3, 1, 2, 1, NAN, -5}))) == "tensor(1., dtype=torch.float64)");
  CHECK(show(medianDim(ramp({2, 3}), 1, false)) == "tensor([1., 4.]) | tensor([1, 1])");
  CHECK(show(medianDim(ramp({2, 3}), 0, true)) == "tensor([[0., 1., 2.]]) | tensor([[0, 0, 0]])");
  CHECK(show(median(*zeros({0}))) == "tensor(nan)");
  CHECK(show(mode(longs({3, 1, 3, 1, 2}), 0, false)) == "tensor(1) | tensor(3)");
  CHECK(show(mode(ramp({2, 2}), 0, true)) == "tensor([[0., 1.]]) | tensor([[0, 0]])");
  CHECK(show(unique2(longs({3, 1, 3, 2}), true, true, true)) ==
        "tensor([1, 2, 3]) | tensor([2, 0, 2, 1]) | tensor([1, 1, 2])");
  CHECK(show(unique2(ramp({2, 2}), true, false, false)) ==
        "tensor([0., 1., 2., 3.]) | tensor([], dtype=torch.int64) | tensor([], dtype=torch.int64)");
  CHECK(show(unique(longs({3, 1, 3, 2}), true, true)) == "tensor([1, 2, 3]) | tensor([2, 0, 2, 1])");
  CHECK(show(uniqueDim(*view(longs({1, 2, 1, 2, 0, 0}), {3, 2}), 0, true, true, true)) ==
        "tensor([[0, 0],\n        [1, 2]]) | tensor([1, 1, 0]) | tensor([1, 2])");
  CHECK(show(uniqueConsecutive(longs({1, 1, 2, 2, 1}), true, true, {})) ==
        "tensor([1, 2, 1]) | tensor([0, 0, 1, 1, 2]) | tensor([2, 2, 1])");
  CHECK(show(bincount(longs({1, 1, 3}), Tensor(), 0)) == "tensor([0, 2, 0, 1])");
  CHECK(show(bincount(longs({1, 1, 3}), ramp({3}), 6)) == "tensor([0., 1., 0., 2., 0., 0.])");
  CHECK(show(bincount(longs({-1}), Tensor(), 0)) == "error: bincount only supports 1-d non-negative integral inputs.");
  CHECK(show(histc(ramp({5}), 4, Scalar(0), Scalar(0))) == "tensor([1., 1., 1., 2.])");
  CHECK(show(histc(ramp({5}), 3, Scalar(1), Scalar(3))) == "tensor([1., 1., 1.])");
  CHECK(show(histc(ramp({5}), 0, Scalar(1), Scalar(3))) ==
        "error: torch.histogram(): bins must be > 0, but got 0 for dimension 0");
  // All edges are one number: the last bin includes it. (PyTorch's bin is by an undefined conversion.)
  CHECK(show(std::get<0>(*histogramBins(*full({5}, Scalar(1e9), DType::Float), 4, std::nullopt, Tensor(), false))) ==
        "tensor([0., 0., 0., 5.])");
}

TEST_CASE("equal elements keep their order, whatever the length", "[Sorting]") {
  const DType dtype = GENERATE(DType::Float, DType::Double, DType::Half, DType::Int64, DType::Int32, DType::Int8);
  const bool descending = GENERATE(false, true);
  for (int64_t length : {1, 2, 3, 15, 47, 48, 49, 64, 127, 128, 129, 300, 4097}) {
    std::vector<double> numbers(length);
    for (int64_t i = 0; i != length; ++i)
      numbers[i] = static_cast<double>(i * 7919 % 37) - 18;
    Tensor wide = *Tensor::empty({length}, DType::Double);
    llvm::copy(numbers, wide.mutableData<double>());
    Tensor self = *cpu::toDType(wide, dtype);
    auto [values, indices] = *cpu::sortStable(self, true, 0, descending);
    std::vector<int64_t> expected(length);
    std::iota(expected.begin(), expected.end(), 0);
    llvm::stable_sort(
        expected, [&](int64_t a, int64_t b) { return descending ? numbers[a] > numbers[b] : numbers[a] < numbers[b]; });
    REQUIRE(llvm::equal(llvm::ArrayRef(indices.data<int64_t>(), length), expected));
    Tensor sorted = *cpu::toDType(values, DType::Double);
    for (int64_t i = 0; i != length; ++i)
      REQUIRE(sorted.data<double>()[i] == numbers[expected[i]]);
  }
}
