//===- JoinTest.cpp - Results that PyTorch gave -------------------------===//
#include "Shown.h"

TEST_CASE("Join: what PyTorch gives") {
  CHECK(show(cat({ramp({2, 2}), ramp({1, 2})})) == "tensor([[0., 1.],\n        [2., 3.],\n        [0., 1.]])");
  CHECK(show(cat({ramp({2, 1}), ramp({2, 2})}, -1)) == "tensor([[0., 0., 1.],\n        [1., 2., 3.]])");
  CHECK(show(cat({ramp({2, 2}), ramp({2, 3})})) == "error: Sizes of tensors must match except in dimension 0. Expected "
                                                   "size 2 but got size 3 for tensor number 1 in the list.");
  CHECK(show(cat({ramp({2, 2}), *zeros({0})})) == "tensor([[0., 1.],\n        [2., 3.]])");
  CHECK(show(cat({ramp({2}), ints({2})})) == "tensor([0., 1., 0., 1.])");
  CHECK(show(cat({})) == "error: torch.cat(): expected a non-empty list of Tensors");
  CHECK(show(cat({ramp({}), ramp({})})) == "error: zero-dimensional tensor (at position 0) cannot be concatenated");
  CHECK(show(cat({ramp({2}), ramp({2, 2})})) == "error: Tensors must have same number of dimensions: got 1 and 2");
  CHECK(show(cat({*t(ramp({2, 3})), ramp({1, 2})})) ==
        "tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.],\n        [0., 1.]])");
  CHECK(show(stack({ramp({2}), ramp({2})}, 1)) == "tensor([[0., 0.],\n        [1., 1.]])");
  CHECK(show(stack({ramp({2}), ramp({3})})) ==
        "error: stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1");
  CHECK(show(stack({})) == "error: stack expects a non-empty TensorList");
  CHECK(show(hstack({ramp({2}), ramp({1})})) == "tensor([0., 1., 0.])");
  CHECK(show(vstack({ramp({2}), ramp({1, 2})})) == "tensor([[0., 1.],\n        [0., 1.]])");
  CHECK(show(dstack({ramp({2}), ramp({2})})) == "tensor([[[0., 0.],\n         [1., 1.]]])");
  CHECK(show(columnStack({ramp({2}), ramp({2, 1})})) == "tensor([[0., 0.],\n        [1., 1.]])");
  CHECK(show(blockDiag({ramp({1, 2}), ramp({2, 1})})) ==
        "tensor([[0., 1., 0.],\n        [0., 0., 0.],\n        [0., 0., 1.]])");
  CHECK(show(repeat(ramp({2}), {2, 2})) == "tensor([[0., 1., 0., 1.],\n        [0., 1., 0., 1.]])");
  CHECK(show(repeat(ramp({2, 1}), {2})) ==
        "error: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  CHECK(show(repeat(*t(ramp({2, 3})), {1, 2})) ==
        "tensor([[0., 3., 0., 3.],\n        [1., 4., 1., 4.],\n        [2., 5., 2., 5.]])");
  CHECK(show(tile(ramp({2, 1}), {2})) == "tensor([[0., 0.],\n        [1., 1.]])");
}
