//===- FactsOfTensor.cpp - What a type says of one tensor -----------------===//
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/Tensor/Tensor.h"
using namespace tsc;

TensorFacts tsc::factsOfTensor(const Tensor &tensor) {
  TensorFacts facts;
  if (!tensor.defined() || tensor.dtype() == DType::Opaque)
    return facts;
  facts.dtype = tensor.dtype();
  facts.device = tensor.device();
  facts.sizes.emplace();
  facts.strides.emplace();
  for (int64_t size : tensor.sizes())
    facts.sizes->push_back(Dimension::known(size));
  for (int64_t stride : tensor.strides())
    facts.strides->push_back(Dimension::known(stride));
  return facts;
}
