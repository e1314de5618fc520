//===- PadTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"

TEST_CASE("Pad: what PyTorch gives") {
  CHECK(show(pad(ramp({2, 2}), {1, 2}, "constant", {})) ==
        "tensor([[0., 0., 1., 0., 0.],\n        [0., 2., 3., 0., 0.]])");
  CHECK(show(pad(ramp({2, 2}), {1, -1, 0, 1}, "constant", 5.0)) ==
        "tensor([[5., 0.],\n        [5., 2.],\n        [5., 5.]])");
  CHECK(show(pad(ramp({1, 2, 3}), {1, 2}, "reflect", {})) ==
        "tensor([[[1., 0., 1., 2., 1., 0.],\n         [4., 3., 4., 5., 4., 3.]]])");
  CHECK(show(pad(ramp({1, 1, 2, 3}), {1, 0, 1, 1}, "reflect", {})) ==
        "tensor([[[[4., 3., 4., 5.],\n          [1., 0., 1., 2.],\n          [4., 3., 4., 5.],\n          [1., 0., 1., "
        "2.]]]])");
  CHECK(show(pad(ramp({1, 1, 2, 3}), {1, 0, 2, 1}, "replicate", {})) ==
        "tensor([[[[0., 0., 1., 2.],\n          [0., 0., 1., 2.],\n          [0., 0., 1., 2.],\n          [3., 3., 4., "
        "5.],\n          [3., 3., 4., 5.]]]])");
  CHECK(show(pad(ramp({1, 1, 2, 3}), {1, 2, 1, 0}, "circular", {})) ==
        "tensor([[[[5., 3., 4., 5., 3., 4.],\n          [2., 0., 1., 2., 0., 1.],\n          [5., 3., 4., 5., 3., "
        "4.]]]])");
  CHECK(show(pad(ramp({1, 2, 3}), {3, 0}, "reflect", {})) ==
        "error: Argument #4: Padding size should be less than the corresponding input dimension, but got: padding (3, "
        "0) at dimension 2 of input [1, 2, 3]");
  CHECK(show(pad(ramp({2}), {1}, "constant", {})) == "error: Padding length must be divisible by 2");
  CHECK(show(pad(ramp({2, 2}), {1, 1}, "nonsense", {})) == "error: Unrecognised padding mode nonsense");
  CHECK(show(pad(ramp({1, 1, 3}), {-1, 1}, "circular", {})) == "tensor([[[1., 2., 1.]]])");
}

// Pixels of two channels are as wide as larger words, and need not stand where these may.
TEST_CASE("padding of pixels that begin anywhere") {
  const Tensor all = ramp({1 + 2 * 3 * 2});
  const Tensor pixels = all.alias({1, 2, 2, 3}, {12, 1, 6, 2}, 1);
  const Tensor got = *pad(pixels, {1, 1, 1, 0}, "reflect", {}),
               want = *pad(*contiguous(pixels), {1, 1, 1, 0}, "reflect", {});
  CHECK(show(StatusOr<Tensor>(*contiguous(got))) == show(StatusOr<Tensor>(want)));
}
