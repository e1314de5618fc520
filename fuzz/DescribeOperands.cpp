//===- DescribeOperands.cpp - Operands as TorchScript ---------------------===//
//
// A report of a crash holds the call as text that one can paste into a test.
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "tsc/Kernels/Sparse.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
using namespace tsc;

static void describeElements(llvm::raw_ostream &os, const Tensor &flat) {
  constexpr int64_t most = 64;
  os << "torch.tensor([";
  for (int64_t i = 0; i != std::min(flat.numel(), most); ++i) {
    os << (i ? ", " : "");
    reprValue(os, IValue(flat.at(i)));
  }
  if (flat.numel() > most)
    os << ", ...] # " << flat.numel() << " elements";
  else
    os << ']';
  os << ", dtype=torch." << pythonName(flat.dtype()) << ')';
}

static void describeTensor(llvm::raw_ostream &os, const Tensor &tensor) {
  if (const SparseParts *parts = sparseOf(tensor)) {
    os << "torch.sparse_coo_tensor(" << fuzz::describe(parts->indices) << ", " << fuzz::describe(parts->values) << ", "
       << shapeString(tensor.sizes()) << ')' << (parts->isCoalesced ? ".coalesce()" : "")
       << (parts->isInRows ? ".to_sparse_csr()" : "");
    return;
  }
  if (const NestedParts *parts = nestedOf(tensor)) {
    os << "torch._nested_tensor_from_mask(" << fuzz::describe(parts->padded) << ", " << fuzz::describe(parts->mask)
       << ", False)";
    return;
  }
  const TensorImpl &impl = *tensor.get();
  if (!impl.storage || tensor.dtype() == DType::Opaque) {
    os << "<a tensor of " << shapeString(tensor.sizes()) << '>';
    return;
  }
  const DType stored = isQuantized(tensor.dtype()) ? integersOf(tensor.dtype()) : tensor.dtype();
  const auto elements = static_cast<int64_t>(impl.storage->size() / itemSize(stored));
  StatusOr<Tensor> flat = Tensor::view(impl.storage, 0, {elements}, {1}, stored);
  if (flat.ok())
    describeElements(os, *flat);
  os << ".as_strided(" << shapeString(tensor.sizes()) << ", " << shapeString(tensor.strides()) << ", "
     << tensor.storageOffset() << ')';
  if (const Quantizer *quantizer = quantizerOf(tensor)) {
    if (quantizer->isPerChannel())
      os << " # " << pythonName(tensor.dtype()) << ", per channel of dimension " << quantizer->axis;
    else
      os << " # " << pythonName(tensor.dtype()) << ", scale " << quantizer->scale << ", zero point "
         << quantizer->zeroPoint;
  }
  os << (impl.conjugate ? ".conj()" : "") << (impl.negative ? "._neg_view()" : "")
     << (impl.requiresGrad ? ".requires_grad_()" : "");
}

std::string fuzz::describe(const IValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value.isTensor()) {
    describeTensor(os, value.asTensor());
  } else if (value.isList()) {
    os << '[';
    for (size_t i = 0; i != value.listSize(); ++i)
      os << (i ? ", " : "") << describe(value.listElement(i));
    os << ']';
  } else {
    reprValue(os, value);
  }
  return text;
}
