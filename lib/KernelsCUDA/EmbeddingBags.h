//===- EmbeddingBags.h - Sums, means and maxima of embeddings ---*- C++ -*-===//
#ifndef TSC_LIB_KERNELSCUDA_EMBEDDINGBAGS_H
#define TSC_LIB_KERNELSCUDA_EMBEDDINGBAGS_H

#include "HandKernels.h"

namespace tsc::fuser {

/// Rows of a table by bags of indices, and what becomes of each bag.
struct EmbeddingBags {
  /// What becomes of a bag's rows, in the order of embedding_bag's modes.
  enum Mode : uint8_t { Sum, Mean, Max } mode;
  Tensor table, indices;
  Tensor offsets; ///< Where bags begin; undefined: the rows of `indices` are bags.
  Tensor factors; ///< What rows are multiplied by; may be undefined.
  int64_t count;
  int64_t padding; ///< The row that counts as none; negative: all do count.
};

/// Four results: what bags come to, the bag of each index, how many of its rows count, and which rows maxima are of.
/// Waits for the device, which says whether indices and offsets are within their tensors. False: some are not, so that
/// the operator has an error to tell, or there is no kernel for such tensors.
StatusOr<bool> runBags(HandKernels &kernels, const EmbeddingBags &bags, llvm::MutableArrayRef<IValue> results);

} // namespace tsc::fuser

namespace tsc::cuda {

/// Returns the bags that embedding_bag asks for, or nothing where it has an error to tell. A padding row below 0 counts
/// from the table's end.
std::optional<fuser::EmbeddingBags> embeddingBag(const Tensor &weight, const Tensor &indices, const Tensor &offsets,
                                                 int64_t mode, const Tensor &perSampleWeights, bool includeLastOffset,
                                                 std::optional<int64_t> paddingIdx = std::nullopt);
/// Returns the same for _embedding_bag and its kin, for which a padding row below 0 is none.
std::optional<fuser::EmbeddingBags> embeddingBagOrNone(const Tensor &weight, const Tensor &indices,
                                                       const Tensor &offsets, int64_t mode,
                                                       const Tensor &perSampleWeights, bool includeLastOffset,
                                                       int64_t paddingIdx);

} // namespace tsc::cuda

#endif
