//===- SplitTest.cpp - Results that PyTorch gave -------------------------===//
#include "Shown.h"

TEST_CASE("Split: what PyTorch gives") {
  CHECK(show(split(ramp({5}), 2)) == "tensor([0., 1.]) | tensor([2., 3.]) | tensor([4.])");
  CHECK(show(split(ramp({5}), 0)) ==
        "error: split_size can only be 0 if dimension size is 0, but got dimension size of 5");
  CHECK(show(splitWithSizes(ramp({5}), {1, 4})) == "tensor([0.]) | tensor([1., 2., 3., 4.])");
  CHECK(show(splitWithSizes(ramp({5}), {1, 3})) == "error: split_with_sizes expects split_sizes to sum exactly to 5 "
                                                   "(input tensor's size at dimension 0), but got split_sizes=[1, 3]");
  CHECK(show(chunk(ramp({5}), 3)) == "tensor([0., 1.]) | tensor([2., 3.]) | tensor([4.])");
  CHECK(
      show(chunk(ramp({2, 5}), 4, 1)) ==
      "tensor([[0., 1.],\n        [5., 6.]]) | tensor([[2., 3.],\n        [7., 8.]]) | tensor([[4.],\n        [9.]])");
  CHECK(show(chunk(ramp({5}), 0)) == "error: chunk expects `chunks` to be greater than 0, got: 0");
  CHECK(show(tensorSplitSections(ramp({7}), 3)) == "tensor([0., 1., 2.]) | tensor([3., 4.]) | tensor([5., 6.])");
  CHECK(show(tensorSplitIndices(ramp({7}), {2, 5})) == "tensor([0., 1.]) | tensor([2., 3., 4.]) | tensor([5., 6.])");
  CHECK(show(unbind(ramp({2, 2}), 1)) == "tensor([0., 2.]) | tensor([1., 3.])");
  CHECK(show(unbind(ramp({}))) == "error: Dimension specified as 0 but tensor has no dimensions");
  CHECK(show(hsplitInt(ramp({2, 4}), 2)) ==
        "tensor([[0., 1.],\n        [4., 5.]]) | tensor([[2., 3.],\n        [6., 7.]])");
  CHECK(show(hsplitInt(ramp({2, 4}), 3)) == "error: torch.hsplit attempted to split along dimension 1, but the size of "
                                            "the dimension 4 is not divisible by the split_size 3!");
  CHECK(show(vsplitArray(ramp({3, 1}), {1})) == "tensor([[0.]]) | tensor([[1.],\n        [2.]])");
}
