//===- FoldSignature.h - Reductions that fused kernels fold -----*- C++ -*-===//
//
// Where each of them has its operands, the same for the pass that makes groups and
// for the fusers that compile them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_FOLDSIGNATURE_H
#define TSC_TRANSFORMS_FOLDSIGNATURE_H

#include "tsc/IR/OpRecord.h"
#include <optional>

namespace tsc {

/// How elements become one.
enum class FoldKind : uint8_t { Sum, Product, Max, Min, Mean };

/// Where a reduction has its operands; -1: it has none such, and reduces all dimensions, or keeps none.
struct FoldSignature {
  FoldKind kind;
  int dims = -1, keepDim = -1, dtype = -1;
  bool ofTruth = false; ///< Of whether elements are not zero.
};
/// The reductions that kernels fold by themselves; nullopt for others.
std::optional<FoldSignature> foldSignature(OpKind op);

} // namespace tsc

#endif
