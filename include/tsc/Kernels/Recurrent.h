//===- Recurrent.h - Recurrent networks, embedding bags, attention *- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_RECURRENT_H
#define TSC_KERNELS_RECURRENT_H

#include "tsc/Tensor/Generator.h"
#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

namespace tsc::cpu {

/// The cells of recurrent networks: gated (LSTM, GRU), or plain with tanh or ReLU.
enum class CellKind { Lstm, Gru, Tanh, Relu };

StatusOr<std::tuple<Tensor, Tensor, Tensor>> lstmInput(Generator &generator, const Tensor &input, ArrayRef<Tensor> hx,
                                                       ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                       double dropout, bool train, bool bidirectional, bool batchFirst);
StatusOr<std::tuple<Tensor, Tensor, Tensor>> lstmData(Generator &generator, const Tensor &data,
                                                      const Tensor &batchSizes, ArrayRef<Tensor> hx,
                                                      ArrayRef<Tensor> params, bool hasBiases, int64_t numLayers,
                                                      double dropout, bool train, bool bidirectional);
// Networks of gated or plain cells, whose state is one tensor.
StatusOr<std::tuple<Tensor, Tensor>> rnnInput(CellKind kind, Generator &generator, const Tensor &input,
                                              const Tensor &hx, ArrayRef<Tensor> params, bool hasBiases,
                                              int64_t numLayers, double dropout, bool train, bool bidirectional,
                                              bool batchFirst);
StatusOr<std::tuple<Tensor, Tensor>> rnnData(CellKind kind, Generator &generator, const Tensor &data,
                                             const Tensor &batchSizes, const Tensor &hx, ArrayRef<Tensor> params,
                                             bool hasBiases, int64_t numLayers, double dropout, bool train,
                                             bool bidirectional);
StatusOr<Tensor> rnnCell(CellKind kind, const Tensor &input, const Tensor &hx, const Tensor &wIh, const Tensor &wHh,
                         const Tensor &bIh, const Tensor &bHh);
// As records name them: `cpu::rnnCell<cpu::CellKind::Gru>`.
template <CellKind Kind, typename... Args> auto rnnInput(Args &&...args) {
  return rnnInput(Kind, std::forward<Args>(args)...);
}
template <CellKind Kind, typename... Args> auto rnnData(Args &&...args) {
  return rnnData(Kind, std::forward<Args>(args)...);
}
template <CellKind Kind, typename... Args> auto rnnCell(Args &&...args) {
  return rnnCell(Kind, std::forward<Args>(args)...);
}
StatusOr<std::tuple<Tensor, Tensor>> lstmCell(const Tensor &input, ArrayRef<Tensor> hx, const Tensor &wIh,
                                              const Tensor &wHh, const Tensor &bIh, const Tensor &bHh);
StatusOr<std::tuple<Tensor, Tensor>> packPaddedSequence(const Tensor &input, const Tensor &lengths, bool batchFirst);
StatusOr<std::tuple<Tensor, Tensor>> padPackedSequence(const Tensor &data, const Tensor &batchSizes, bool batchFirst,
                                                       const Scalar &paddingValue, int64_t totalLength);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>
embeddingBag(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool scaleGradByFreq, int64_t mode,
             bool sparse, const Tensor &perSampleWeights, bool includeLastOffset);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>
embeddingBagPaddingIdx(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool scaleGradByFreq,
                       int64_t mode, bool sparse, const Tensor &perSampleWeights, bool includeLastOffset,
                       std::optional<int64_t> paddingIdx);
StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>> embeddingBagForward(const Tensor &weight, const Tensor &indices,
                                                                         const Tensor &offsets, bool scaleGradByFreq,
                                                                         int64_t mode, bool sparse,
                                                                         const Tensor &perSampleWeights,
                                                                         bool includeLastOffset, int64_t paddingIdx);
StatusOr<std::tuple<Tensor, Tensor>> nativeMultiHeadAttention(const Tensor &query, const Tensor &key,
                                                              const Tensor &value, int64_t embedDim, int64_t numHead,
                                                              const Tensor &qkvWeight, const Tensor &qkvBias,
                                                              const Tensor &projWeight, const Tensor &projBias,
                                                              const Tensor &mask, bool needWeights,
                                                              bool averageAttnWeights, std::optional<int64_t> maskType);
StatusOr<Tensor> transformerEncoderLayer(const Tensor &src, int64_t embedDim, int64_t numHeads, const Tensor &qkvWeight,
                                         const Tensor &qkvBias, const Tensor &projWeight, const Tensor &projBias,
                                         bool useGelu, bool normFirst, double eps, const Tensor &normWeight1,
                                         const Tensor &normBias1, const Tensor &normWeight2, const Tensor &normBias2,
                                         const Tensor &ffnWeight1, const Tensor &ffnBias1, const Tensor &ffnWeight2,
                                         const Tensor &ffnBias2, const Tensor &mask, std::optional<int64_t> maskType);
StatusOr<std::tuple<Tensor, Tensor>> scaledDotProductAttention(Generator &generator, const Tensor &query,
                                                               const Tensor &key, const Tensor &value,
                                                               const Tensor &attnMask, double dropoutP,
                                                               bool needAttnWeights, bool isCausal);

} // namespace tsc::cpu

#endif
