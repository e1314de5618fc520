//===- Folds.cpp - Reductions that a kernel can hold ----------------------===//
//
// Dtypes and shapes as the eager kernels have them (lib/Kernels): half types
// are folded in float, integers in int64_t, and the outcome is rounded once.
//
//===----------------------------------------------------------------------===//
#include "tsc/Fusion/Folds.h"
#include "tsc/IR/IValue.h"
#include "tsc/Kernels/Views.h"

using namespace tsc;
using namespace tsc::fuser;

/// Marks the dimensions that `dims` (None, a number or a list) names; all when it names none.
static bool markReduced(const IValue &dims, llvm::SmallVectorImpl<bool> &reduced) {
  llvm::SmallVector<int64_t, 4> named;
  if (dims.isInt())
    named.push_back(dims.toInt());
  else if (dims.isIntList())
    named.append(dims.toIntList().elements.begin(), dims.toIntList().elements.end());
  else if (!dims.isNone())
    return false;
  if (named.empty()) {
    std::fill(reduced.begin(), reduced.end(), true);
    return true;
  }
  for (int64_t dim : named) {
    auto wrapped = wrapDim(dim, static_cast<int64_t>(reduced.size()));
    if (!wrapped.ok() || (reduced.empty() ? named.size() > 1 : reduced[*wrapped]))
      return false;
    if (!reduced.empty()) // a number has one dimension, in name
      reduced[*wrapped] = true;
  }
  return true;
}

std::optional<FoldFacts> fuser::findFold(OpKind op, const Tensor &self,
                                         llvm::function_ref<const IValue &(int)> operand) {
  assert(foldSignature(op) && self.defined() && "an operator that folds, and what it folds");
  FoldSignature signature = *foldSignature(op);
  FoldFacts facts;
  facts.kind = signature.kind;
  facts.reduced.assign(self.dim(), signature.dims < 0);
  if (self.numel() == 0 || (signature.dims >= 0 && !markReduced(operand(signature.dims), facts.reduced)))
    return std::nullopt;
  bool adds = facts.kind == FoldKind::Sum || facts.kind == FoldKind::Product;
  facts.result = adds && isIntegral(self.dtype(), true) ? DType::Int64 : self.dtype();
  facts.element = signature.ofTruth ? DType::Bool : self.dtype();
  if (signature.ofTruth)
    facts.result = self.dtype() == DType::UInt8 ? DType::UInt8 : DType::Bool;
  bool hasDType = signature.dtype >= 0 && !operand(signature.dtype).isNone();
  if (hasDType && !isValidDType(operand(signature.dtype).toInt()))
    return std::nullopt;
  if (hasDType)
    facts.element = facts.result = static_cast<DType>(operand(signature.dtype).toInt());
  bool isReal = isFloating(facts.result);
  if (!isReal && (facts.kind == FoldKind::Mean || !isIntegral(facts.result, true)))
    return std::nullopt;
  facts.inside = !isReal ? DType::Int64 : facts.result == DType::Double ? DType::Double : DType::Float;
  bool keeps = signature.keepDim >= 0 && operand(signature.keepDim).toBool();
  for (int64_t d = 0; d != self.dim(); ++d)
    if (!facts.reduced[d])
      facts.sizes.push_back(self.size(d));
    else if (keeps)
      facts.sizes.push_back(1);
  return facts;
}

std::optional<Tensor> fuser::withReducedDims(const Tensor &t, ArrayRef<bool> reduced, ArrayRef<int64_t> sizes) {
  assert(reduced.size() == sizes.size() && "one flag for each dimension");
  Tensor result = t;
  if (t.dim() != static_cast<int64_t>(sizes.size()))
    for (size_t d = 0; d != reduced.size(); ++d)
      if (reduced[d]) {
        auto wider = cpu::unsqueeze(result, static_cast<int64_t>(d));
        if (!wider.ok())
          return std::nullopt;
        result = std::move(*wider);
      }
  if (result.dim() != static_cast<int64_t>(sizes.size()))
    return std::nullopt;
  for (size_t d = 0; d != sizes.size(); ++d)
    if (result.size(d) != (reduced[d] ? 1 : sizes[d]))
      return std::nullopt;
  auto expanded = cpu::expand(result, sizes);
  return expanded.ok() ? std::optional(std::move(*expanded)) : std::nullopt;
}
