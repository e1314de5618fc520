//===- RearrangeTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"

TEST_CASE("Rearrange: what PyTorch gives") {
  CHECK(show(repeatInterleaveSelfInt(ramp({2, 2}), 2, {}, {})) == "tensor([0., 0., 1., 1., 2., 2., 3., 3.])");
  CHECK(show(repeatInterleaveSelfInt(ramp({2, 2}), 2, 1, {})) ==
        "tensor([[0., 0., 1., 1.],\n        [2., 2., 3., 3.]])");
  CHECK(show(repeatInterleaveSelfTensor(ramp({2, 2}), longs({1, 2}), 0, {})) ==
        "tensor([[0., 1.],\n        [2., 3.],\n        [2., 3.]])");
  CHECK(show(repeatInterleaveTensor(longs({1, 0, 2}), {})) == "tensor([0, 2, 2])");
  CHECK(show(repeatInterleaveTensor(longs({-1}), {})) == "error: repeats can not be negative");
  CHECK(show(roll(ramp({2, 3}), {1}, {})) == "tensor([[5., 0., 1.],\n        [2., 3., 4.]])");
  CHECK(show(roll(ramp({2, 3}), {1, -1}, {0, 1})) == "tensor([[4., 5., 3.],\n        [1., 2., 0.]])");
  CHECK(show(flip(ramp({2, 3}), {0, 1})) == "tensor([[5., 4., 3.],\n        [2., 1., 0.]])");
  CHECK(show(flip(ramp({2, 3}), {0, 0})) == "error: dim 0 appears multiple times in the list of dims");
  CHECK(show(fliplr(ramp({2, 3}))) == "tensor([[2., 1., 0.],\n        [5., 4., 3.]])");
  CHECK(show(flipud(ramp({2, 3}))) == "tensor([[3., 4., 5.],\n        [0., 1., 2.]])");
  CHECK(show(rot90(ramp({2, 3}), 0, {0, 1})) == "tensor([[0., 1., 2.],\n        [3., 4., 5.]])");
  CHECK(show(rot90(ramp({2, 3}), 1, {0, 1})) == "tensor([[2., 5.],\n        [1., 4.],\n        [0., 3.]])");
  CHECK(show(rot90(ramp({2, 3}), 2, {0, 1})) == "tensor([[5., 4., 3.],\n        [2., 1., 0.]])");
  CHECK(show(rot90(ramp({2, 3}), 3, {0, 1})) == "tensor([[3., 0.],\n        [4., 1.],\n        [5., 2.]])");
  CHECK(show(rot90(ramp({2, 3}), -1, {0, 1})) == "tensor([[3., 0.],\n        [4., 1.],\n        [5., 2.]])");
  CHECK(show(tril(ramp({3, 3}), 0)) == "tensor([[0., 0., 0.],\n        [3., 4., 0.],\n        [6., 7., 8.]])");
  CHECK(show(triu(ramp({2, 3, 2}), 0)) == "tensor([[[0., 1.],\n         [0., 3.],\n         [0., 0.]],\n\n        "
                                          "[[6., 7.],\n         [0., 9.],\n         [0., 0.]]])");
  CHECK(show(tril(ramp({3, 3}), 1)) == "tensor([[0., 1., 0.],\n        [3., 4., 5.],\n        [6., 7., 8.]])");
  CHECK(show(triu(ramp({2, 3, 2}), 1)) == "tensor([[[0., 1.],\n         [0., 0.],\n         [0., 0.]],\n\n        "
                                          "[[0., 7.],\n         [0., 0.],\n         [0., 0.]]])");
  CHECK(show(tril(ramp({3, 3}), -1)) == "tensor([[0., 0., 0.],\n        [3., 0., 0.],\n        [6., 7., 0.]])");
  CHECK(show(triu(ramp({2, 3, 2}), -1)) == "tensor([[[ 0.,  1.],\n         [ 2.,  3.],\n         [ 0.,  5.]],\n\n      "
                                           "  [[ 6.,  7.],\n         [ 8.,  9.],\n         [ 0., 11.]]])");
  CHECK(show(tril(ramp({3, 3}), 5)) == "tensor([[0., 1., 2.],\n        [3., 4., 5.],\n        [6., 7., 8.]])");
  CHECK(show(triu(ramp({2, 3, 2}), 5)) == "tensor([[[0., 0.],\n         [0., 0.],\n         [0., 0.]],\n\n        "
                                          "[[0., 0.],\n         [0., 0.],\n         [0., 0.]]])");
  CHECK(show(diag(ramp({2}), 1)) == "tensor([[0., 0., 0.],\n        [0., 0., 1.],\n        [0., 0., 0.]])");
  CHECK(show(diag(ramp({2, 3}), 1)) == "tensor([1., 5.])");
  CHECK(show(diag(ramp({1, 1, 1}), 0)) == "error: matrix or a vector expected");
  CHECK(show(diagEmbed(ramp({2, 2}), 0, -2, -1)) ==
        "tensor([[[0., 0.],\n         [0., 1.]],\n\n        [[2., 0.],\n         [0., 3.]]])");
  CHECK(show(diagEmbed(ramp({2, 2}), 1, 0, 2)) ==
        "tensor([[[0., 0., 0.],\n         [0., 2., 0.]],\n\n        [[0., 0., 1.],\n         [0., 0., 3.]],\n\n        "
        "[[0., 0., 0.],\n         [0., 0., 0.]]])");
  CHECK(show(diagflat(ramp({2, 2}), -1)) ==
        "tensor([[0., 0., 0., 0., 0.],\n        [0., 0., 0., 0., 0.],\n        [0., 1., 0., 0., 0.],\n        [0., 0., "
        "2., 0., 0.],\n        [0., 0., 0., 3., 0.]])");
  CHECK(show(meshgrid({ramp({2}), ramp({3})})) ==
        "tensor([[0., 0., 0.],\n        [1., 1., 1.]]) | tensor([[0., 1., 2.],\n        [0., 1., 2.]])");
  CHECK(show(meshgridIndexing({ramp({2}), ramp({3})}, "xy")) ==
        "tensor([[0., 1.],\n        [0., 1.],\n        [0., 1.]]) | tensor([[0., 0.],\n        [1., 1.],\n        [2., "
        "2.]])");
  CHECK(show(cartesianProd({ramp({2}), ramp({2})})) ==
        "tensor([[0., 0.],\n        [0., 1.],\n        [1., 0.],\n        [1., 1.]])");
  CHECK(show(combinations(ramp({3}), 2, false)) == "tensor([[0., 1.],\n        [0., 2.],\n        [1., 2.]])");
  CHECK(show(combinations(ramp({3}), 2, true)) == "tensor([[0., 0.],\n        [0., 1.],\n        [0., 2.],\n        "
                                                  "[1., 1.],\n        [1., 2.],\n        [2., 2.]])");
  CHECK(show(diff(longs({1, 4, 9}), 1, -1, Tensor(), Tensor())) == "tensor([3, 5])");
  CHECK(show(diff(longs({1, 4, 9}), 2, -1, longs({0}), Tensor())) == "tensor([2, 2])");
  CHECK(show(trapezoidDx(ramp({2, 3}), Scalar(2), -1)) == "tensor([ 4., 16.])");
  CHECK(show(trapezoidX(ramp({2, 3}), longs({0, 1, 3}), 1)) == "tensor([ 3.5000, 12.5000])");
  for (auto [y, x, result] :
       {std::tuple(DType::Float, DType::Double, DType::Double), std::tuple(DType::Int64, DType::Double, DType::Double),
        std::tuple(DType::Half, DType::Float, DType::Float), std::tuple(DType::Double, DType::Float, DType::Double),
        std::tuple(DType::Half, DType::BFloat16, DType::Float), std::tuple(DType::Half, DType::Half, DType::Half),
        std::tuple(DType::Int64, DType::Int32, DType::Float)}) {
    const Tensor values = *toDType(longs({1, 2, 4}), y), points = *toDType(longs({0, 1, 3}), x);
    CHECK(trapezoidX(values, points, -1)->dtype() == result);
    CHECK(trapezoidX(values, points, -1)->at(0).toDouble() == 7.5);
    CHECK(cumulativeTrapezoidX(values, points, -1)->dtype() == result);
  }
  const Tensor thirds = *Tensor::fromSpan<double>({1. / 3, 2. / 3, 1}, {3}),
               two = *toDType(longs({0, 1, 2}), DType::Float);
  CHECK(std::fabs(trapezoidX(two, thirds, -1)->at(0).toDouble() - 2. / 3) < 1e-15);
  const Tensor bools = *toDType(longs({0, 1, 1}), DType::Bool);
  CHECK(show(trapezoidX(two, bools, -1)) ==
        "error: trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  CHECK(show(trapezoidDx(bools, Scalar(1), -1)) ==
        "error: trapezoid: received a bool input for `y`, but bool is not supported");
  CHECK(show(cumulativeTrapezoidX(bools, two, -1)) ==
        "error: cumulative_trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  CHECK(show(cumulativeTrapezoidDx(bools, Scalar(1), -1)) ==
        "error: cumulative_trapezoid: received a bool input for `y`, but bool is not supported");
  CHECK(show(cumulativeTrapezoidDx(ramp({2, 3}), Scalar(1), 0)) == "tensor([[1.5000, 2.5000, 3.5000]])");
}
