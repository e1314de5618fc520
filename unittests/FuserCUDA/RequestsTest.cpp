//===- RequestsTest.cpp - What operators ask of kernels for GPUs ----------===//
//
// The functions that records name in the column cudaKernel only look at operands, so that
// these may be the processor's.
//
//===----------------------------------------------------------------------===//
#include "../../lib/KernelsCUDA/Choosing.h"
#include "../../lib/KernelsCUDA/Cudnn.h"
#include "../../lib/KernelsCUDA/EmbeddingBags.h"
#include "../../lib/KernelsCUDA/Placing.h"
#include "../../lib/KernelsCUDA/Pooling.h"
#include "../../lib/KernelsCUDA/Recurrent.h"
#include <catch2/catch.hpp>

using namespace tsc;
using namespace tsc::fuser;

static Tensor ofSizes(ArrayRef<int64_t> sizes, DType dtype = DType::Float) {
  StatusOr<Tensor> made = Tensor::empty(sizes, dtype);
  REQUIRE(made.ok());
  return *made;
}

TEST_CASE("FuserCUDA: selections have the sizes of their operators' results") {
  const Tensor self = ofSizes({2, 3, 4}), one = ofSizes({}, DType::Int64), three = ofSizes({3}, DType::Int64),
               table = ofSizes({3, 2}, DType::Int64);
  CHECK(cuda::indexSelect(self, -1, three)->sizes == Dims{2, 3, 3});
  CHECK(cuda::indexSelect(self, 1, one)->sizes == Dims{2, 1, 4});
  CHECK(!cuda::indexSelect(self, 1, table));
  CHECK(!cuda::indexSelect(self, 3, three));
  CHECK(cuda::embedding(ofSizes({5, 4}), table)->sizes == Dims{3, 2, 4});
  CHECK(!cuda::embedding(self, table));
  const Tensor each = ofSizes({1, 2, 7}, DType::Int64);
  CHECK(cuda::gather(self, 2, each)->sizes == Dims{1, 2, 7});
  CHECK(!cuda::takeAlongDim(self, each, 2));
  CHECK(!cuda::takeAlongDim(self, each, std::nullopt));
  CHECK(cuda::takeAlongDim(self, ofSizes({2, 3, 7}, DType::Int64), 2)->sizes == Dims{2, 3, 7});
}

TEST_CASE("FuserCUDA: indexing is a selection by numbers, and a choice by a mask") {
  const Tensor self = ofSizes({2, 3}), index = ofSizes({5}, DType::Int64), rows = ofSizes({2}, DType::Bool),
               all = ofSizes({2, 3}, DType::Bool);
  CHECK(std::get<Selection>(*cuda::index(self, {Tensor(), index})).sizes == Dims{2, 5});
  CHECK(std::get<Choice>(*cuda::index(self, {rows})).kind == Choice::Slices);
  CHECK(std::get<Choice>(*cuda::index(self, {all})).kind == Choice::Chosen);
  CHECK(!cuda::index(self, {rows, index}));
  CHECK(!cuda::index(self, {ofSizes({3}, DType::Bool)}));
}

TEST_CASE("FuserCUDA: padding of bags counts from the end, or is none") {
  const Tensor table = ofSizes({7, 2}), indices = ofSizes({4, 3}, DType::Int64), none;
  CHECK(cuda::embeddingBag(table, indices, none, 0, none, false)->padding == -1);
  CHECK(cuda::embeddingBag(table, indices, none, 0, none, false, std::nullopt)->padding == -1);
  CHECK(cuda::embeddingBag(table, indices, none, 0, none, false, -2)->padding == 5);
  CHECK(cuda::embeddingBagOrNone(table, indices, none, 0, none, false, -1)->padding == -1);
  CHECK(!cuda::embeddingBagOrNone(table, indices, none, 0, none, false, 7));
  CHECK(!cuda::embeddingBag(table, indices, none, 3, none, false));
}

TEST_CASE("FuserCUDA: scans, orders and pools that are errors are left to the operators") {
  const Tensor self = ofSizes({1, 2, 5}), whole = ofSizes({3}, DType::Int32);
  CHECK(cuda::cumulativeSum(whole, 0, std::nullopt)->result == DType::Int64);
  CHECK(cuda::cumulativeSum(whole, 0, static_cast<int64_t>(DType::Int32))->result == DType::Int32);
  CHECK(!cuda::cumulativeSum(self, 0, 256)); // no dtype, though its last byte is
  CHECK(!cuda::cumulativeSum(self, 3, std::nullopt));
  CHECK(!cuda::cumulativeLogSumExp(whole, 0));
  CHECK(cuda::topk(self, 5, -1, true)->isDescending);
  CHECK(!cuda::topk(self, 6, -1, true));
  CHECK(!cuda::topk(self, 0, -1, true));
  CHECK(cuda::maxPool(1, self, {2}, {}, {0}, {1}, false)->out[2] == 2);
  CHECK(cuda::maxPool(1, self, {2}, {}, {0}, {1}, true)->out[2] == 3);
  CHECK(!cuda::maxPool(1, self, {2}, {}, {2}, {1}, false));
  CHECK(!cuda::averagePool(1, self, {2}, {}, {0}, false, true, 0));
  CHECK(cuda::adaptiveAveragePool(2, self, {3})->out[1] == 3);
}

TEST_CASE("FuserCUDA: convolutions have one number for each dimension") {
  const Tensor image = ofSizes({1, 2, 5, 5}), filter = ofSizes({3, 2, 3, 3}), none;
  const auto made = cuda::convolve(2, image, filter, none, {1}, {1, 0}, {1}, 1);
  REQUIRE(made);
  CHECK(made->stride == Dims{1, 1});
  CHECK(made->padding == Dims{1, 0});
  CHECK(made->outputPadding == Dims{0, 0});
  CHECK(!cuda::convolve(1, image, filter, none, {1}, {0}, {1}, 1));
  CHECK(cuda::convolution(image, filter, none, {1, 1}, {0, 0}, {1, 1}, true, {1, 1}, 1)->outputPadding == Dims{1, 1});
}

TEST_CASE("FuserCUDA: what is placed fits its place") {
  const Tensor self = ofSizes({4, 3}), index = ofSizes({2}, DType::Int64), rows = ofSizes({2, 3});
  const auto added = cuda::indexAdd(self, 0, index, rows, Scalar(2), true);
  REQUIRE(added);
  CHECK(added->isInPlace);
  CHECK(added->factor.has_value());
  CHECK(!cuda::indexAdd(self, 0, index, rows, Scalar(1), false)->factor.has_value());
  CHECK(!cuda::indexAdd(self, 0, index, ofSizes({3, 3}), Scalar(1), false));
  CHECK(cuda::indexFill(self, 0, index, Scalar(1), false)->indices.mayBeNegative);
  CHECK(!cuda::indexFill(self, 0, index, rows, false));
  CHECK(cuda::indexReduce(self, 0, index, rows, "mean", false, false)->isMean);
  CHECK(!cuda::indexReduce(self, 0, index, rows, "sum", true, false)); // which only scatter_reduce knows
  const Tensor each = ofSizes({2, 3}, DType::Int64);
  CHECK(cuda::scatterWith(self, 0, each, Scalar(1), "multiply", false)->how == Placement::Multiply);
  CHECK(!cuda::scatterWith(self, 0, each, Scalar(1), "sum", false));
  CHECK(cuda::scatterReduce(self, 0, each, rows, "sum", true, false)->how == Placement::Add);
  CHECK(cuda::indexPut(self, {index}, ofSizes({3}), true, false)->how == Placement::Add);
  CHECK(cuda::indexPut(self, {ofSizes({4}, DType::Bool)}, ofSizes({}), false, true)->mask.defined());
  CHECK(!cuda::indexPut(self, {ofSizes({4}, DType::Bool)}, ofSizes({}), true, true));
}

TEST_CASE("FuserCUDA: layers over sequences swap steps and batches, and drop nothing out") {
  const Tensor input = ofSizes({5, 2, 3}), hidden = ofSizes({1, 5, 4});
  const std::vector<Tensor> params{ofSizes({12, 3}), ofSizes({12, 4})};
  const auto made = cuda::gru(input, hidden, params, false, 1, 0, false, false, true);
  REQUIRE(made);
  CHECK(made->input.sizes() == ArrayRef<int64_t>({2, 5, 3}));
  CHECK(made->lengths == std::vector<int>(5, 2));
  CHECK(!cuda::gru(input, hidden, params, false, 1, 0, false, false, false)); // batches of another size
  CHECK(!cuda::lstm(input, {hidden}, params, false, 1, 0, false, false, true));
}
