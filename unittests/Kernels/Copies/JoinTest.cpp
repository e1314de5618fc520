//===- JoinTest.cpp - Results that PyTorch gave -------------------------===//
#include "../Shown.h"

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

TEST_CASE("Join: the strides that PyTorch gives") {
  auto channelsLast = [](ArrayRef<int64_t> sizes, MemoryFormat format) { return *contiguous(ramp(sizes), format); };
  Tensor x = channelsLast({2, 2, 33, 5}, MemoryFormat::ChannelsLast),
         v = channelsLast({2, 3, 2, 2, 2}, MemoryFormat::ChannelsLast3d);
  Tensor column = *narrow(x, 3, 0, 1), channel = *narrow(x, 1, 1, 1);
  auto strides = [](const StatusOr<Tensor> &t) { return t->get()->strides; };
  CHECK(strides(cat({column, *narrow(x, 3, 1, 4)}, -1)) == Dims{330, 1, 10, 2});
  CHECK(strides(cat({channel, channel}, 1)) == Dims{330, 1, 10, 2});
  CHECK(strides(cat({channel, channel}, 0)) == Dims{165, 1, 5, 1});
  CHECK(strides(cat({*narrow(x, 2, 1, 32), x}, 2)) == Dims{650, 1, 10, 2});
  CHECK(strides(cat({x, *contiguous(x)}, 1)) == Dims{660, 165, 5, 1});
  CHECK(strides(cat({x, *zeros({0})}, 1)) == Dims{330, 165, 5, 1});
  CHECK(strides(cat({v, v}, 1)) == Dims{48, 1, 24, 12, 6});
  CHECK(strides(stack({x, x}, 0)) == Dims{660, 330, 1, 10, 2});
  CHECK(strides(stack({x, x}, 1)) == Dims{660, 2, 1, 20, 4});
  CHECK(strides(stack({x, x}, 4)) == Dims{660, 330, 10, 2, 1});
  CHECK(strides(stack({v, v}, 2)) == Dims{48, 1, 24, 12, 6, 3});
  CHECK(strides(stack({*t(ramp({3, 4})), *t(ramp({3, 4}))}, 0)) == Dims{12, 3, 1});
  CHECK(strides(stack({*zeros({2, 0}), *zeros({2, 0})}, 1)) == Dims{2, 1, 1});
  CHECK(show(stack({*narrow(x, 2, 0, 1), *narrow(x, 2, 1, 1)}, 0)) ==
        show(stack({*contiguous(*narrow(x, 2, 0, 1)), *contiguous(*narrow(x, 2, 1, 1))}, 0)));
}

TEST_CASE("Join: many rows of several tensors") {
  for (int64_t rows : {1, 7, 500, 3000})
    for (int64_t width : {1, 5, 90, 6000}) {
      if (rows * width > 1000000)
        continue;
      const Tensor parts[] = {ramp({rows, width}), ramp({rows, 3}), *t(ramp({width, rows}))};
      const Tensor joined = *cat({parts[0], parts[1], parts[0], parts[2]}, 1);
      INFO(rows << " of " << width);
      REQUIRE(joined.sizes() == ArrayRef<int64_t>({rows, 3 * width + 3}));
      bool agrees = true;
      for (int64_t i = 0; i != rows; ++i)
        for (int64_t j = 0; j != width; ++j) {
          const int64_t at = i * joined.size(1) + j;
          agrees &= joined.at(at).toDouble() == parts[0].at(i * width + j).toDouble();
          agrees &= joined.at(at + width + 3).toDouble() == parts[0].at(i * width + j).toDouble();
          agrees &= joined.at(at + 2 * width + 3).toDouble() == parts[2].at(i * width + j).toDouble();
        }
      for (int64_t i = 0; i != rows * 3; ++i)
        agrees &= joined.at(i / 3 * joined.size(1) + width + i % 3).toDouble() == parts[1].at(i).toDouble();
      CHECK(agrees);
    }
}
