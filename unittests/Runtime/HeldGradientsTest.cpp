//===- HeldGradientsTest.cpp - Gradients of values that hosts hold --------===//
#include "../Tensor/MadeTensors.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Tape/Gradients.h"

static Tensor requiring() {
  Tensor tensor = *Tensor::full({2}, 1.0, DType::Float);
  tensor.get()->requiresGrad = true;
  return tensor;
}

TEST_CASE("a tensor that requires a gradient is found however deeply it is nested") {
  for (bool isThere : {false, true}) {
    IValue value(std::vector<Tensor>{Tensor(), isThere ? requiring() : *Tensor::full({2}, 1.0, DType::Float)});
    CHECK(holdsGradients(value) == isThere);
    for (int depth = 0; depth != 100000; ++depth)
      value = makeTuple({IValue(depth), std::move(value)});
    CHECK(holdsGradients(value) == isThere);
  }
  CHECK_FALSE(holdsGradients(IValue()));
  CHECK_FALSE(holdsGradients(IValue(3)));
  CHECK(holdsGradients(IValue(requiring())));
}

TEST_CASE("a value that holds itself is looked through once") {
  Context context;
  auto list = makeRef<GenericList>(Type::anyType());
  list->elements.push_back(IValue(list));
  CHECK_FALSE(holdsGradients(IValue(list)));
  list->elements.push_back(IValue(requiring()));
  CHECK(holdsGradients(IValue(list)));
  list->elements.clear();
}

TEST_CASE("data that is set keeps what a tensor has of gradients") {
  Tensor tensor = requiring();
  const Tensor source = *Tensor::full({3, 2}, 2.0, DType::Double);
  REQUIRE(setTensorData(tensor, source).ok());
  CHECK(tensor.requiresGrad());
  CHECK(tensor.dtype() == DType::Double);
  CHECK(tensor.sizes() == source.sizes());
  CHECK(tensor.at(5).toDouble() == 2);
  const Status refused = setTensorData(tensor, *Tensor::full({2}, 1, DType::Int64));
  CHECK(refused.code() == StatusCode::InvalidArgument);
  CHECK(tensor.numel() == 6);
}
