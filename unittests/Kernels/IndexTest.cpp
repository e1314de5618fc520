//===- IndexTest.cpp - Results that PyTorch gave -------------------------===//
#include "Shown.h"

TEST_CASE("Index: what PyTorch gives") {
  CHECK(show(index(ramp({3, 2}), {longs({2, 0})})) == "tensor([[4., 5.],\n        [0., 1.]])");
  CHECK(show(index(ramp({3, 2}), {longs({2, 0}), longs({1, -1})})) == "tensor([5., 1.])");
  CHECK(show(index(ramp({3, 2}), {Tensor(), longs({1, 0})})) ==
        "tensor([[1., 0.],\n        [3., 2.],\n        [5., 4.]])");
  CHECK(show(index(ramp({3, 2}), {longs({3})})) == "error: index 3 is out of bounds for dimension 0 with size 3");
  CHECK(show(index(ramp({3, 2}), {bools({true, false, true})})) == "tensor([[0., 1.],\n        [4., 5.]])");
  CHECK(show(index(ramp({3, 2}), {bools({true, false})})) ==
        "error: The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3, 2] at index 0");
  CHECK(show(index(ramp({2, 3, 2}), {longs({1}), Tensor(), longs({0, 1})})) ==
        "tensor([[ 6.,  8., 10.],\n        [ 7.,  9., 11.]])");
  CHECK(show(index(ramp({2, 3, 2}), {Tensor(), *view(longs({1, 0}), {2, 1}), longs({0, 1})})) ==
        "tensor([[[2., 3.],\n         [0., 1.]],\n\n        [[8., 9.],\n         [6., 7.]]])");
  CHECK(show(index(ramp({3}), {longs({0, 1}), longs({0, 1, 2})})) ==
        "error: too many indices for tensor of dimension 1 (got 2)");
  CHECK(show(index(ramp({3, 3}), {longs({0, 1}), longs({0, 1, 2})})) ==
        "error: shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
  CHECK(show(index(ramp({3}), {ramp({2})})) == "error: tensors used as indices must be long, byte or bool tensors");
  CHECK(show(index(ramp({2, 2}), {*view(bools({true, false, false, true}), {2, 2})})) == "tensor([0., 3.])");
  CHECK(show(index(*t(ramp({3, 4})), {longs({3, 1})})) == "tensor([[ 3.,  7., 11.],\n        [ 1.,  5.,  9.]])");
  CHECK(show(indexPut(ramp({3}), {longs({0, 2})}, ramp({2}), false)) == "tensor([0., 1., 1.])");
  CHECK(show(indexPut(ramp({3}), {longs({0, 0})}, *ones({2}), true)) == "tensor([2., 1., 2.])");
  CHECK(show(indexPut(ramp({3, 2}), {Tensor(), longs({1})}, ramp({3, 1}), false)) ==
        "tensor([[0., 0.],\n        [2., 1.],\n        [4., 2.]])");
  CHECK(show(indexPut(ramp({3}), {longs({0, 2})}, ramp({3}), false)) ==
        "error: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2]");
  CHECK(show(indexPut(ramp({3}), {longs({0})}, ints({1}), false)) ==
        "error: Index put requires the source and destination dtypes match, got Float for the destination and Long for "
        "the source.");
  CHECK(show(indexPut(ramp({3}), {bools({true, false, true})}, ramp({}), false)) == "tensor([0., 1., 0.])");
  CHECK(show(indexSelect(ramp({3, 2}), 0, longs({2, 2}))) == "tensor([[4., 5.],\n        [4., 5.]])");
  CHECK(show(indexSelect(ramp({3, 2}), 1, longs({1}))) == "tensor([[1.],\n        [3.],\n        [5.]])");
  CHECK(show(indexSelect(ramp({3, 2}), 0, longs({3}))) == "error: index out of range in self");
  CHECK(show(indexSelect(ramp({3, 2}), 0, *view(longs({0}), {1, 1}))) ==
        "error: index_select(): Index is supposed to be a vector");
  CHECK(show(gather(ramp({2, 3}), 1, *view(longs({2, 0, 1, 1}), {2, 2}))) == "tensor([[2., 0.],\n        [4., 4.]])");
  CHECK(show(gather(ramp({2, 3}), 0, *view(longs({2, 0}), {1, 2}))) ==
        "error: index 2 is out of bounds for dimension 0 with size 2");
  CHECK(show(gather(ramp({2, 3}), 0, longs({0}))) ==
        "error: Index tensor must have the same number of dimensions as input tensor");
  CHECK(show(gather(ramp({2, 3}), 0, ramp({1, 1}))) == "error: gather(): Expected dtype int64 for index");
  CHECK(show(gather(ramp({2, 3}), 1, *view(longs({0, 0, 0}), {3, 1}))) ==
        "error: Size does not match at dimension 0 expected index [3, 1] to be smaller than self [2, 3] apart from "
        "dimension 1");
  CHECK(show(scatterSrc(*zeros({2, 3}), 1, *view(longs({2, 0, 1, 1}), {2, 2}), ramp({2, 2}))) ==
        "tensor([[1., 0., 0.],\n        [0., 3., 0.]])");
  CHECK(show(scatterValue(*zeros({2, 3}), 1, *view(longs({2, 0}), {2, 1}), Scalar(4))) ==
        "tensor([[0., 0., 4.],\n        [4., 0., 0.]])");
  CHECK(show(scatterAdd(ramp({3}), 0, longs({0, 0, 2}), *ones({3}))) == "tensor([2., 1., 3.])");
  CHECK(show(scatterSrcReduce(ramp({3}), 0, longs({1, 1, 2}), ramp({3}), "multiply")) == "tensor([0., 0., 4.])");
  CHECK(show(scatterSrcReduce(ramp({3}), 0, longs({1}), ramp({3}), "foo")) ==
        "error: reduce argument must be either add or multiply.");
  CHECK(show(scatterSrc(*zeros({3}), 0, longs({3}), ramp({1}))) ==
        "error: index 3 is out of bounds for dimension 0 with size 3");
  CHECK(show(scatterSrc(*zeros({3}), 0, longs({1}), ints({1}))) ==
        "error: scatter(): Expected self.dtype to be equal to src.dtype");
  CHECK(show(scatterSrc(*zeros({3}), 0, longs({1, 1}), ramp({1}))) ==
        "error: Expected index [2] to be smaller than self [3] apart from dimension 0 and to be smaller size than src "
        "[1]");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "sum", true)) == "tensor([0., 2., 2., 5.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "sum", false)) == "tensor([0., 1., 2., 2.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "prod", true)) == "tensor([0., 0., 2., 6.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "prod", false)) == "tensor([0., 0., 2., 2.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "mean", true)) ==
        "tensor([0.0000, 0.6667, 2.0000, 2.5000])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "mean", false)) ==
        "tensor([0.0000, 0.5000, 2.0000, 2.0000])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "amax", true)) == "tensor([0., 1., 2., 3.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "amax", false)) == "tensor([0., 1., 2., 2.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "amin", true)) == "tensor([0., 0., 2., 2.])");
  CHECK(show(scatterReduce(ramp({4}), 0, longs({1, 1, 3}), ramp({3}), "amin", false)) == "tensor([0., 0., 2., 2.])");
  CHECK(show(scatterReduce(ints({4}), 0, longs({1, 1, 3}), ints({3}), "mean", true)) == "tensor([0, 0, 2, 2])");
  CHECK(show(indexAdd(ramp({3, 2}), 0, longs({0, 0}), *ones({2, 2}), Scalar(2))) ==
        "tensor([[4., 5.],\n        [2., 3.],\n        [4., 5.]])");
  CHECK(show(indexAdd(ramp({3}), 0, longs({0, 1}), *ones({3}), Scalar(1))) ==
        "error: index_add_(): Number of indices (2) should be equal to source.size(dim): (3), for dim: 0");
  CHECK(show(indexAdd(ramp({3}), 0, longs({5}), *ones({1}), Scalar(1))) == "error: index out of range in self");
  CHECK(show(indexAdd(ramp({3}), 0, longs({0}), ints({1}), Scalar(1))) ==
        "error: index_add_(): self (Float) and source (Long) must have the same scalar type");
  CHECK(show(indexCopy(ramp({2, 3}), 1, longs({2, 0}), *ones({2, 2}))) ==
        "tensor([[1., 1., 1.],\n        [1., 4., 1.]])");
  CHECK(show(indexCopy(ramp({3}), 0, longs({3}), *ones({1}))) ==
        "error: index_copy_(): index 3 is out of bounds for dimension 0 with size 3");
  CHECK(show(indexFillScalar(ramp({2, 3}), 1, longs({-1, 0}), Scalar(9))) ==
        "tensor([[9., 1., 9.],\n        [9., 4., 9.]])");
  CHECK(show(indexReduce(ramp({3}), 0, longs({0, 0, 2}), ramp({3}), "prod", true)) == "tensor([0., 1., 4.])");
  CHECK(show(take(*t(ramp({2, 3})), longs({1, -1}))) == "tensor([3., 5.])");
  CHECK(show(take(ramp({2}), longs({2}))) == "error: out of range: tried to access index 2 on a tensor of 2 elements.");
  CHECK(show(put(ramp({3}), longs({0, 0}), ramp({2}), true)) == "tensor([1., 1., 2.])");
  CHECK(show(takeAlongDim(ramp({2, 3}), *view(longs({1, 0}), {2, 1}), 1)) == "tensor([[1.],\n        [3.]])");
  CHECK(show(takeAlongDim(ramp({2, 3}), longs({4, 0}), {})) == "tensor([4., 0.])");
  CHECK(show(maskedSelect(ramp({2, 2}), bools({true, false}))) == "tensor([0., 2.])");
  CHECK(show(maskedSelect(ramp({2}), ramp({2}))) == "error: masked_select: expected BoolTensor or ByteTensor for mask");
  CHECK(show(maskedScatter(ramp({2, 2}), bools({true, false}), *ones({2}))) == "tensor([[1., 1.],\n        [1., 3.]])");
  CHECK(show(nonzero(*view(bools({true, false, true, true}), {2, 2}))) ==
        "tensor([[0, 0],\n        [1, 0],\n        [1, 1]])");
  CHECK(show(nonzero(ramp({}))) == "tensor([], size=(0, 0), dtype=torch.int64)");
  CHECK(show(nonzeroNumpy(*view(bools({true, false, true, true}), {2, 2}))) == "tensor([0, 1, 1]) | tensor([0, 0, 1])");
  CHECK(show(embedding(ramp({3, 2}), *view(longs({2, 0}), {1, 2}), -1, false, false)) ==
        "tensor([[[4., 5.],\n         [0., 1.]]])");
  CHECK(show(embedding(ramp({3, 2}), longs({3}), -1, false, false)) == "error: index out of range in self");
  CHECK(show(oneHot(longs({2, 0}), -1)) == "tensor([[0, 0, 1],\n        [1, 0, 0]])");
  CHECK(show(oneHot(longs({2, 0}), 2)) == "error: Class values must be smaller than num_classes.");
  CHECK(show(searchsortedTensor(ramp({5}), *view(ramp({4}), {2, 2}), false, true, nullopt, Tensor())) ==
        "tensor([[1, 2],\n        [3, 4]])");
  CHECK(show(bucketizeTensor(ramp({3}), ramp({2}), true, false)) == "tensor([0, 1, 2], dtype=torch.int32)");
  CHECK(show(isinTensor(ramp({4}), longs({1, 3}), false, false)) == "tensor([False,  True, False,  True])");
  // Numbers are compared as those of the common dtype, which a tensor without dimensions does not widen.
  const Tensor tenth = *full({}, Scalar(0.1), DType::Float), tenths = *full({1}, Scalar(0.1), DType::Half);
  CHECK(show(isinTensor(tenths, tenth, false, false)) == "tensor([True])");
  CHECK(show(searchsortedTensor(tenths, tenth, false, false, nullopt, Tensor())) == "tensor(0)");
  CHECK(show(isinTensor(*toDType(longs({255, 1}), DType::UInt8), *full({}, Scalar(-1), DType::Int64), false, false)) ==
        "tensor([ True, False])");
}

TEST_CASE("Index: slices of any length") {
  auto residues = [](int64_t count) {
    Tensor t = ints({count});
    for (int64_t i = 0; i != count; ++i)
      t.mutableData<int64_t>()[i] = i % 251;
    return t;
  };
  for (DType dtype : {DType::UInt8, DType::Float})
    for (int64_t width : {3, 4, 15, 16, 17, 31, 33, 63, 64, 65, 100, 130, 257, 513, 600, 2049}) {
      const Tensor from = *toDType(residues(7 * width), dtype);
      const Tensor rows = *view(from, {7, width});
      const std::vector<int64_t> chosen{6, 0, 3, 3, 5, 1, 2, 4, 0, 6, 5, 4, 3, 2, 1, 0};
      const Tensor found = *indexSelect(rows, 0, longs(chosen));
      bool isSame = true;
      for (size_t i = 0; i != chosen.size(); ++i)
        for (int64_t j = 0; j != width; ++j)
          isSame &= found.at(i * width + j).toDouble() == (chosen[i] * width + j) % 251;
      INFO(width << " elements");
      CHECK(isSame);
    }
}

TEST_CASE("Index: of tensors that are conjugated when they are read") {
  auto lazily = [](const Tensor &t) {
    Tensor view = t.alias(t.sizes(), t.strides(), t.storageOffset());
    view.get()->conjugate = true;
    return view;
  };
  const Tensor x = *complexFrom(ramp({3}), *ones({3})), lazy = lazily(x), plain = *conj(x);
  const Tensor which = longs({2, 0});
  CHECK(show(index(lazy, {which})) == show(index(plain, {which})));
  CHECK(show(indexSelect(lazy, 0, which)) == show(indexSelect(plain, 0, which)));
  CHECK(show(gather(lazy, 0, which, false)) == show(gather(plain, 0, which, false)));
  CHECK(show(take(lazy, which)) == show(take(plain, which)));
  CHECK(show(flip(lazy, {0})) == show(flip(plain, {0})));
  CHECK(show(imag(lazy)) == show(imag(plain)));
  CHECK(show(real(lazy)) == show(real(plain)));
  CHECK(show(viewAsReal(lazy)).find("error: view_as_real doesn't work on unresolved conjugated tensors") == 0);
  const Tensor pair = *complexFrom(ramp({2}), *ones({2}));
  CHECK(show(indexAdd(x, 0, which, lazily(pair), Scalar(1))) == show(indexAdd(x, 0, which, *conj(pair), Scalar(1))));
  CHECK(show(indexCopy(x, 0, which, lazily(pair))) == show(indexCopy(x, 0, which, *conj(pair))));
  CHECK(show(scatterSrc(x, 0, which, lazily(pair))) == show(scatterSrc(x, 0, which, *conj(pair))));
  // What is written to such a tensor stands conjugated in its memory.
  const Tensor written = *clone(x);
  CHECK(show(indexCopyInPlace(lazily(written), 0, which, pair)) == show(indexCopy(plain, 0, which, pair)));
  CHECK(show(indexPutInPlace(lazily(written), {which}, pair, true)) ==
        show(indexPut(*indexCopy(plain, 0, which, pair), {which}, pair, true)));
  CHECK(show(putInPlace(lazily(written), which, pair, false)) == show(indexCopy(plain, 0, which, pair)));
  CHECK(show(conj(written)) == show(indexCopy(plain, 0, which, pair)));
}

TEST_CASE("Index: what is far outside is named, and not looked at where nothing is selected") {
  CHECK(show(index(ramp({3, 90}), {longs({INT64_MAX})})) ==
        "error: index 9223372036854775807 is out of bounds for dimension 0 with size 3");
  CHECK(show(index(ramp({1, 0}), {longs({5, -7})})) == show(StatusOr<Tensor>(ramp({2, 0}))));
}
