//===- ViewsTest.cpp - Results that PyTorch gave -------------------------===//
#include "Shown.h"

TEST_CASE("Views: what PyTorch gives") {
  CHECK(show(view(ramp({2, 3}), {3, -1})) == "tensor([[0., 1.],\n        [2., 3.],\n        [4., 5.]])");
  CHECK(show(view(ramp({2, 3}), {4, 2})) == "error: shape '[4, 2]' is invalid for input of size 6");
  CHECK(show(view(ramp({2, 3}), {-1, -1})) == "error: only one dimension can be inferred");
  CHECK(show(view(ramp({2, 3}), {-2})) == "error: invalid shape dimension -2");
  CHECK(show(view(*t(ramp({2, 3})), {6})) ==
        "error: view size is not compatible with input tensor's size and stride (at least one dimension spans across "
        "two contiguous subspaces). Use .reshape(...) instead.");
  CHECK(show(reshape(*t(ramp({2, 3})), {6})) == "tensor([0., 3., 1., 4., 2., 5.])");
  CHECK(show(view(*transpose(ramp({2, 3, 4}), 0, 1), {3, 8})) ==
        "error: view size is not compatible with input tensor's size and stride (at least one dimension spans across "
        "two contiguous subspaces). Use .reshape(...) instead.");
  CHECK(show(view(*transpose(ramp({2, 3, 4}), 1, 2), {2, 2, 2, 3})) ==
        "tensor([[[[ 0.,  4.,  8.],\n          [ 1.,  5.,  9.]],\n\n         [[ 2.,  6., 10.],\n          [ 3.,  7., "
        "11.]]],\n\n\n        [[[12., 16., 20.],\n          [13., 17., 21.]],\n\n         [[14., 18., 22.],\n          "
        "[15., 19., 23.]]]])");
  CHECK(show(view(*zeros({0, 3}), {0, -1})) == "error: cannot reshape tensor of 0 elements into shape [0, -1] because "
                                               "the unspecified dimension size -1 can be any value and is ambiguous");
  CHECK(show(view(*zeros({0, 3}), {3, 0, 2})) == "tensor([], size=(3, 0, 2))");
  CHECK(show(permute(ramp({2, 3, 1}), {2, 0, 1})) == "tensor([[[0., 1., 2.],\n         [3., 4., 5.]]])");
  CHECK(show(permute(ramp({2, 3}), {0, 0})) == "error: permute(): duplicate dims are not allowed.");
  CHECK(show(permute(ramp({2, 3}), {0})) ==
        "error: permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
        "ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 1");
  CHECK(show(permute(ramp({2, 3}), {0, 2})) ==
        "error: Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  CHECK(show(t(ramp({2, 3, 1}))) == "error: t() expects a tensor with <= 2 dimensions, but self is 3D");
  CHECK(show(select(ramp({2, 3}), 1, -1)) == "tensor([2., 5.])");
  CHECK(show(select(ramp({2, 3}), 1, 3)) ==
        "error: select(): index 3 out of range for tensor of size [2, 3] at dimension 1");
  CHECK(show(select(ramp({}), 0, 0)) == "error: select() cannot be applied to a 0-dim tensor.");
  CHECK(show(slice(ramp({7}), 0, 1, nullopt, 2)) == "tensor([1., 3., 5.])");
  CHECK(show(slice(ramp({7}), 0, -3, 100, 1)) == "tensor([4., 5., 6.])");
  CHECK(show(slice(ramp({7}), 0, 5, 2, 1)) == "tensor([])");
  CHECK(show(slice(ramp({7}), 0, 0, 3, 0)) == "error: slice step must be positive");
  CHECK(show(narrow(ramp({2, 3}), 1, 1, 2)) == "tensor([[1., 2.],\n        [4., 5.]])");
  CHECK(show(narrow(ramp({2, 3}), 1, 2, 2)) == "error: start (2) + length (2) exceeds dimension size (3).");
  CHECK(show(narrow(ramp({2, 3}), 2, 0, 1)) ==
        "error: Dimension out of range (expected to be in range of [-2, 1], but got 2)");
  CHECK(show(narrow(ramp({2, 3}), 0, 0, -1)) == "error: start (0) + length (-1) exceeds dimension size (2).");
  CHECK(show(squeeze(ramp({1, 3, 1}))) == "tensor([0., 1., 2.])");
  CHECK(show(squeezeDim(ramp({1, 3, 1}), 0)) == "tensor([[0.],\n        [1.],\n        [2.]])");
  CHECK(show(squeezeDim(ramp({1, 3, 1}), 1)) == "tensor([[[0.],\n         [1.],\n         [2.]]])");
  CHECK(show(unsqueeze(ramp({2}), -1)) == "tensor([[0.],\n        [1.]])");
  CHECK(show(unsqueeze(ramp({2}), 3)) ==
        "error: Dimension out of range (expected to be in range of [-2, 1], but got 3)");
  CHECK(show(expand(ramp({3, 1}), {2, 3, 2})) == "tensor([[[0., 0.],\n         [1., 1.],\n         [2., 2.]],\n\n      "
                                                 "  [[0., 0.],\n         [1., 1.],\n         [2., 2.]]])");
  CHECK(show(expand(ramp({3}), {-1})) == "tensor([0., 1., 2.])");
  CHECK(show(expand(ramp({3}), {4})) == "error: The expanded size of the tensor (4) must match the existing size (3) "
                                        "at non-singleton dimension 0.  Target sizes: [4].  Tensor sizes: [3]");
  CHECK(show(expand(ramp({3}), {-1, 3})) ==
        "error: The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0");
  CHECK(show(flatten(ramp({2, 1, 2}), 0, 1)) == "tensor([[0., 1.],\n        [2., 3.]])");
  CHECK(show(flatten(ramp({}))) == "tensor([0.])");
  CHECK(show(flatten(ramp({2, 1, 2}), 2, 1)) ==
        "error: flatten() has invalid args: start_dim cannot come after end_dim");
  CHECK(show(unflatten(ramp({4, 2}), 0, {2, -1})) ==
        "tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]])");
  CHECK(show(diagonal(ramp({3, 3}))) == "tensor([0., 4., 8.])");
  CHECK(show(diagonal(ramp({2, 3}), 1)) == "tensor([1., 5.])");
  CHECK(show(diagonal(ramp({2, 3, 2}), -1, 1, 2)) == "tensor([[ 2.,  5.],\n        [ 8., 11.]])");
  CHECK(show(diagonal(ramp({2, 2}), 0, 0, 0)) == "error: diagonal dimensions cannot be identical 0, 0");
  CHECK(show(diagonal(ramp({2, 3}), 5)) == "tensor([])");
  CHECK(show(asStrided(ramp({9}), {2, 2}, {3, 1}, 1)) == "tensor([[1., 2.],\n        [4., 5.]])");
  CHECK(show(asStrided(ramp({9}), {3, 3}, {4, 1})) ==
        "error: setStorage: sizes [3, 3], strides [4, 1], storage offset 0, and itemsize 4 requiring a storage size of "
        "44 are out of bounds for storage of size 36");
  CHECK(show(unfold(ramp({7}), 0, 3, 2)) == "tensor([[0., 1., 2.],\n        [2., 3., 4.],\n        [4., 5., 6.]])");
  CHECK(show(unfold(ramp({7}), 0, 8, 1)) == "error: maximum size for tensor at dimension 0 is 7 but size is 8");
  CHECK(show(unfold(ramp({7}), 0, 2, 0)) == "error: step is 0 but must be > 0");
  Tensor windows = ramp({1 << 12}); // that overlap: each time more elements than before
  auto unfoldAgain = [&] { return unfold(windows, 0, windows.size(0) / 2, 1); };
  int times = 0;
  for (; times != 12 && unfoldAgain().ok(); ++times)
    windows = *unfoldAgain();
  CHECK(times == 6);
  CHECK(show(unfoldAgain()).find("Storage size calculation overflowed") != std::string::npos);
  CHECK(show(unfold(ramp({2, 4}), 1, 2, 1)) == "tensor([[[0., 1.],\n         [1., 2.],\n         [2., 3.]],\n\n        "
                                               "[[4., 5.],\n         [5., 6.],\n         [6., 7.]]])");
  CHECK(show(movedim(ramp({2, 1, 3}), 0, 2)) == "tensor([[[0., 3.],\n         [1., 4.],\n         [2., 5.]]])");
  CHECK(show(movedimList(ramp({2, 1, 3}), {0, 1}, {1, 2})) ==
        "tensor([[[0.],\n         [3.]],\n\n        [[1.],\n         [4.]],\n\n        [[2.],\n         [5.]]])");
  CHECK(show(viewAsReal(*complexFrom(ramp({2}), ramp({2})))) == "tensor([[0., 0.],\n        [1., 1.]])");
  CHECK(show(viewAsComplex(ramp({2, 2}))) == "tensor([0.+1.j, 2.+3.j])");
  CHECK(show(conj(*complexFrom(ramp({2}), ramp({2})))) == "tensor([0.-0.j, 1.-1.j])");
  CHECK(show(imag(*conj(*complexFrom(ramp({2}), ramp({2}))))) == "tensor([-0., -1.])");
  CHECK(show(imag(ramp({2}))) == "error: imag is not implemented for tensors with non-complex dtypes.");
  CHECK(show(viewDType(ramp({2}), DType::Int32)) == "tensor([         0, 1065353216], dtype=torch.int32)");
  CHECK(show(viewDType(ramp({2}), DType::Int16)) == "tensor([    0,     0,     0, 16256], dtype=torch.int16)");
  CHECK(show(viewDType(ramp({2, 2}), DType::Double)) ==
        "tensor([[7.8125e-03],\n        [3.2000e+01]], dtype=torch.float64)");
  CHECK(show(viewDType(ramp({3}), DType::Double)) ==
        "error: self.size(-1) must be divisible by 2 to view Float as Double (different element sizes), but got 3");
  CHECK(show(pixelShuffle(ramp({1, 4, 1, 2}), 2)) == "tensor([[[[0., 2., 1., 3.],\n          [4., 6., 5., 7.]]]])");
  CHECK(show(pixelUnshuffle(ramp({1, 1, 2, 2}), 2)) ==
        "tensor([[[[0.]],\n\n         [[1.]],\n\n         [[2.]],\n\n         [[3.]]]])");
  CHECK(show(channelShuffle(ramp({1, 4, 1}), 2)) == "tensor([[[0.],\n         [2.],\n         [1.],\n         [3.]]])");
  CHECK(show(broadcastTensors({ramp({2, 1}), ramp({3})})) ==
        "tensor([[0., 0., 0.],\n        [1., 1., 1.]]) | tensor([[0., 1., 2.],\n        [0., 1., 2.]])");
  CHECK(show(atleast3d(ramp({2}))) == "tensor([[[0.],\n         [1.]]])");
}
