//===- FactoriesTest.cpp - Results that PyTorch gave -------------------------===//
#include "Shown.h"

TEST_CASE("Factories: what PyTorch gives") {
  CHECK(show(arange(Scalar(1), Scalar(2.5), Scalar(0.5), {}, {}, {}, {})) == "tensor([1.0000, 1.5000, 2.0000])");
  CHECK(show(arange(Scalar(5), Scalar(0), Scalar(-2), {}, {}, {}, {})) == "tensor([5, 3, 1])");
  CHECK(show(arange(Scalar(0), Scalar(5), Scalar(-1), {}, {}, {}, {})) ==
        "error: upper bound and larger bound inconsistent with step sign");
  CHECK(show(arange(Scalar(0), Scalar(5), Scalar(0), {}, {}, {}, {})) == "error: step must be nonzero");
  CHECK(show(arangeEnd(Scalar(3), DType::Half, {}, {}, {})) == "tensor([0., 1., 2.], dtype=torch.float16)");
  CHECK(show(arangeEnd(Scalar(3.2), {}, {}, {}, {})) == "tensor([0., 1., 2., 3.])");
  CHECK(show(range(Scalar(1), Scalar(4), Scalar(1.5), {}, {}, {}, {})) == "tensor([1.0000, 2.5000, 4.0000])");
  CHECK(show(linspace(Scalar(0), Scalar(1), 5, {}, {}, {}, {})) == "tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])");
  CHECK(show(linspace(Scalar(3), Scalar(10), 1, {}, {}, {}, {})) == "tensor([3.])");
  CHECK(show(linspace(Scalar(0), Scalar(10), 4, DType::Int64, {}, {}, {})) == "tensor([ 0,  3,  6, 10])");
  CHECK(show(linspace(Scalar(0), Scalar(10), -1, {}, {}, {}, {})) == "error: number of steps must be non-negative");
  CHECK(show(logspace(Scalar(0), Scalar(2), 3, 10.0, {}, {}, {}, {})) == "tensor([  1.,  10., 100.])");
  CHECK(show(logspace(Scalar(0), Scalar(4), 5, 2.0, {}, {}, {}, {})) == "tensor([ 1.,  2.,  4.,  8., 16.])");
  CHECK(show(eye(2, {}, {}, {}, {})) == "tensor([[1., 0.],\n        [0., 1.]])");
  CHECK(show(eyeM(2, 3, {}, {}, {}, {})) == "tensor([[1., 0., 0.],\n        [0., 1., 0.]])");
  CHECK(show(eye(-1, {}, {}, {}, {})) == "error: n must be greater or equal to 0, got -1");
  CHECK(show(trilIndices(3, 3, 0, {}, {}, {}, {})) == "tensor([[0, 1, 1, 2, 2, 2],\n        [0, 0, 1, 0, 1, 2]])");
  CHECK(show(triuIndices(3, 4, 1, {}, {}, {}, {})) == "tensor([[0, 0, 0, 1, 1, 2],\n        [1, 2, 3, 2, 3, 3]])");
  CHECK(show(trilIndices(4, 3, -1, {}, {}, {}, {})) == "tensor([[1, 2, 2, 3, 3, 3],\n        [0, 0, 1, 0, 1, 2]])");
  CHECK(show(fullOp({2}, Scalar(3), {}, {}, {}, {})) == "tensor([3, 3])");
  CHECK(show(fullOp({2}, Scalar(true), {}, {}, {}, {})) == "tensor([True, True])");
  CHECK(show(fullOp({2}, Scalar(1.5), {}, {}, {}, {})) == "tensor([1.5000, 1.5000])");
  CHECK(show(zerosOp({-1}, {}, {}, {}, {})) == "error: Trying to create tensor with negative dimension -1: [-1]");
  CHECK(show(onesLike(ints({2}), {}, {}, {}, {}, {})) == "tensor([1, 1])");
  CHECK(show(newFull(ints({2}), {2}, Scalar(1.5), {}, {}, {}, {})) == "tensor([1, 1])");
  CHECK(show(scalarTensor(Scalar(3), {}, {}, {}, {})) == "tensor(3.)");
  CHECK(show(hannWindow(5, {}, {}, {}, {})) == "tensor([0.0000, 0.3455, 0.9045, 0.9045, 0.3455])");
  CHECK(show(hannWindowPeriodic(4, false, {}, {}, {}, {})) == "tensor([0.0000, 0.7500, 0.7500, 0.0000])");
  CHECK(show(hammingWindow(5, {}, {}, {}, {})) == "tensor([0.0800, 0.3979, 0.9121, 0.9121, 0.3979])");
  CHECK(show(blackmanWindow(5, {}, {}, {}, {})) ==
        "tensor([-2.9802e-08,  2.0077e-01,  8.4923e-01,  8.4923e-01,  2.0077e-01])");
  CHECK(show(bartlettWindow(5, {}, {}, {}, {})) == "tensor([0.0000, 0.4000, 0.8000, 0.8000, 0.4000])");
  CHECK(show(vander(ramp({3}), {}, false)) == "tensor([[0., 0., 1.],\n        [1., 1., 1.],\n        [4., 2., 1.]])");
  CHECK(show(vander(ints({3}), 2, true)) == "tensor([[1, 0],\n        [1, 1],\n        [1, 2]])");
  CHECK(show(polar(ramp({2}), ramp({2}))) == "tensor([0.0000+0.0000j, 0.5403+0.8415j])");
  CHECK(show(fillDiagonalInPlace(*zeros({5, 2}), Scalar(1), true)) ==
        "tensor([[1., 0.],\n        [0., 1.],\n        [0., 0.],\n        [1., 0.],\n        [0., 1.]])");
  CHECK(show(fillDiagonalInPlace(*zeros({5, 2}), Scalar(1), false)) ==
        "tensor([[1., 0.],\n        [0., 1.],\n        [0., 0.],\n        [0., 0.],\n        [0., 0.]])");
  CHECK(show(fillInPlaceTensor(ramp({2}), ramp({2}))) ==
        "error: fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.");
}
