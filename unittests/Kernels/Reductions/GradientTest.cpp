//===- GradientTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"

TEST_CASE("Gradient: what PyTorch gives") {
  CHECK(show(gradientScalar(*view(longs({1, 4, 9, 16, 2, 3, 5, 7}), {2, 4}), {}, {}, 1)) ==
        "tensor([[ 1., -1., -4., -9.],\n        [ 1., -1., -4., -9.]]) | tensor([[3.0000, 4.0000, 6.0000, 7.0000],\n   "
        "     [1.0000, 1.5000, 2.0000, 2.0000]])");
  CHECK(show(gradientScalar(longs({1, 4, 9}), Scalar(2.0), 0, 1)) == "tensor([1.5000, 2.0000, 2.5000])");
  CHECK(show(gradientScalar(longs({1, 4, 9, 25}), {}, {}, 2)) == "tensor([ 2.0000,  4.0000, 10.5000, 21.5000])");
  CHECK(show(gradientTensors(longs({1, 4, 9, 25}), {longs({0, 1, 3, 4})}, {}, 2)) ==
        "tensor([ 3.1667,  2.8333, 11.5000, 20.5000])");
  CHECK(show(gradientScalar(longs({1}), {}, {}, 1)) ==
        "error: torch.gradient expected each dimension size to be at least edge_order+1");
  CHECK(show(padSequence({ramp({2, 1}), ramp({3, 1})}, true, -1.0, "right")) ==
        "tensor([[[ 0.],\n         [ 1.],\n         [-1.]],\n\n        [[ 0.],\n         [ 1.],\n         [ 2.]]])");
  CHECK(show(padSequence({ramp({2}), ramp({1})}, false, 0.0, "right")) == "tensor([[0., 0.],\n        [1., 0.]])");
  CHECK(show(padSequence({ramp({2}), ramp({1})}, true, 5.0, "left")) == "tensor([[0., 1.],\n        [5., 0.]])");
  CHECK(show(padSequence({ramp({2})}, true, 0.0, "both")) ==
        "error: Expected padding_side to be one of left or right, but got both.");
  CHECK(show(asStridedScatter(ramp({5}), *ones({2, 2}), {2, 2}, {2, 1}, 1)) == "tensor([0., 1., 1., 1., 1.])");
  CHECK(show(embeddingRenormInPlace(ramp({3, 2}), longs({2, 2, 0}), 1.0, 2.0)) ==
        "tensor([[0.0000, 1.0000],\n        [2.0000, 3.0000],\n        [0.6247, 0.7809]])");
  CHECK(show(arangeOut(Scalar(0), Scalar(3), Scalar(1), ramp({1}))) == "tensor([0., 1., 2.])");
  CHECK(show(linspaceOut(Scalar(0), Scalar(1), 3, doubles({0}))) ==
        "tensor([0.0000, 0.5000, 1.0000], dtype=torch.float64)");
  CHECK(show(eyeOut(2, ints({0}))) == "tensor([[1, 0],\n        [0, 1]])");
}
