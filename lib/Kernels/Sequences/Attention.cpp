//===- Attention.cpp - Attention and transformer layers -------------------===//
#include "Support/Compute.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Normalization.h"
#include "tsc/Kernels/Random.h"
#include "tsc/Kernels/Recurrent.h"
#include "tsc/Tensor/Opaque.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

using Pair = StatusOr<std::tuple<Tensor, Tensor>>;

/// [batch, time, heads * width] -> [batch, heads, time, width].
static StatusOr<Tensor> splitHeads(const Tensor &x, int64_t heads) {
  TSC_ASSIGN_OR_RETURN(Tensor view4, reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}));
  return transpose(view4, 1, 2);
}

/// A mask of the rows that a batch of sequences has not, as attention takes it.
static StatusOr<Tensor> absentRows(const NestedParts &parts) {
  TSC_ASSIGN_OR_RETURN(Tensor hidden, clone(parts.mask));
  auto *flags = hidden.mutableData<bool>();
  for (int64_t i = 0; i != hidden.numel(); ++i)
    flags[i] = !flags[i];
  return hidden;
}

/// A batch with other features.
static StatusOr<Tensor> likeNested(const Tensor &padded, const NestedParts &of) {
  auto parts = makeRef<NestedParts>();
  TSC_ASSIGN_OR_RETURN(parts->padded, contiguous(padded));
  parts->mask = of.mask;
  const Dims sizes(padded.sizes());
  return makeOpaque(sizes, std::move(parts));
}

Pair tsc::cpu::nativeMultiHeadAttention(const Tensor &query, const Tensor &key, const Tensor &value, int64_t embedDim,
                                        int64_t numHead, const Tensor &qkvWeight, const Tensor &qkvBias,
                                        const Tensor &projWeight, const Tensor &projBias, const Tensor &mask,
                                        bool needWeights, bool averageAttnWeights, std::optional<int64_t> maskType) {
  if (const NestedParts *parts = nestedOf(query)) { // of sequences: what is behind their ends is masked
    if (mask.defined() || !query.isSameAs(key) || !query.isSameAs(value))
      return invalidArgument("attention of nested tensors wants one tensor for query, key and value, and no mask");
    TSC_ASSIGN_OR_RETURN(Tensor hidden, absentRows(*parts));
    const Tensor &rows = parts->padded;
    TSC_ASSIGN_OR_RETURN(auto found,
                         nativeMultiHeadAttention(rows, rows, rows, embedDim, numHead, qkvWeight, qkvBias, projWeight,
                                                  projBias, hidden, needWeights, averageAttnWeights, 1));
    TSC_ASSIGN_OR_RETURN(Tensor out, likeNested(std::get<0>(found), *parts));
    return std::make_tuple(out, std::get<1>(found));
  }
  if (query.dim() != 3)
    return invalidArgument("expected 3-D `query`, got " + llvm::Twine(query.dim()) + "-D tensor");
  if (query.size(2) != embedDim)
    return invalidArgument("passed-in embed_dim " + llvm::Twine(embedDim) + " didn't match last dim of query " +
                           llvm::Twine(query.size(2)));
  if (key.dim() != 3 || value.dim() != 3)
    return invalidArgument("expected 3-D `key` and `value`");
  if (qkvWeight.dim() != 2 || qkvWeight.size(0) != 3 * embedDim || qkvWeight.size(1) != embedDim)
    return invalidArgument("expected `qkv_weight` first dim to be 3x embed_dim");
  if (qkvBias.dim() != 1 || qkvBias.size(0) != 3 * embedDim)
    return invalidArgument("expected `qkv_bias` first dim and first dim of query to be equal");
  if (numHead <= 0 || embedDim % numHead != 0)
    return invalidArgument("`embed_dim` must divide evenly by `num_heads`");
  auto project = [&](const Tensor &x, int64_t which) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(Tensor w, narrow(qkvWeight, 0, which * embedDim, embedDim));
    TSC_ASSIGN_OR_RETURN(Tensor b, narrow(qkvBias, 0, which * embedDim, embedDim));
    TSC_ASSIGN_OR_RETURN(Tensor y, linear(x, w, b));
    return splitHeads(y, numHead);
  };
  TSC_ASSIGN_OR_RETURN(Tensor q, project(query, 0));
  TSC_ASSIGN_OR_RETURN(Tensor k, project(key, 1));
  TSC_ASSIGN_OR_RETURN(Tensor v, project(value, 2));
  TSC_ASSIGN_OR_RETURN(q, scaled(q, Scalar(1 / std::sqrt(static_cast<double>(embedDim / numHead)))));
  TSC_ASSIGN_OR_RETURN(Tensor kt, transpose(k, -2, -1));
  TSC_ASSIGN_OR_RETURN(Tensor scores, matmul(q, kt));
  if (mask.defined()) {
    TSC_ASSIGN_OR_RETURN(scores, maskedSoftmax(scores, mask, std::nullopt, maskType));
  } else {
    TSC_ASSIGN_OR_RETURN(scores, softmax(scores, -1, std::nullopt));
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, matmul(scores, v));
  TSC_ASSIGN_OR_RETURN(out, transpose(out, 1, 2));
  TSC_ASSIGN_OR_RETURN(out, reshape(out, {query.size(0), query.size(1), embedDim}));
  TSC_ASSIGN_OR_RETURN(out, linear(out, projWeight, projBias));
  Tensor weights;
  if (needWeights) {
    weights = scores;
    if (averageAttnWeights) {
      TSC_ASSIGN_OR_RETURN(weights, sumOver(scores, {1}, false));
      TSC_ASSIGN_OR_RETURN(weights, scaled(weights, Scalar(1.0 / static_cast<double>(numHead))));
    }
  }
  return std::make_tuple(out, weights);
}

/// linear, an activation, linear.
static StatusOr<Tensor> feedForward(const Tensor &x, const Tensor &w1, const Tensor &b1, const Tensor &w2,
                                    const Tensor &b2, bool useGelu) {
  TSC_ASSIGN_OR_RETURN(Tensor hidden, linear(x, w1, b1));
  TSC_ASSIGN_OR_RETURN(hidden, zip(hidden, hidden, hidden.dtype(), [=](double h, double) {
                         return useGelu ? 0.5 * h * (1 + std::erf(h * 0.70710678118654752440)) : std::max(h, 0.0);
                       }));
  return linear(hidden, w2, b2);
}

StatusOr<Tensor>
tsc::cpu::transformerEncoderLayer(const Tensor &src, int64_t embedDim, int64_t numHeads, const Tensor &qkvWeight,
                                  const Tensor &qkvBias, const Tensor &projWeight, const Tensor &projBias, bool useGelu,
                                  bool normFirst, double eps, const Tensor &normWeight1, const Tensor &normBias1,
                                  const Tensor &normWeight2, const Tensor &normBias2, const Tensor &ffnWeight1,
                                  const Tensor &ffnBias1, const Tensor &ffnWeight2, const Tensor &ffnBias2,
                                  const Tensor &mask, std::optional<int64_t> maskType) {
  if (const NestedParts *parts = nestedOf(src)) {
    if (mask.defined())
      return invalidArgument("a transformer layer takes no mask with a nested tensor");
    TSC_ASSIGN_OR_RETURN(Tensor hidden, absentRows(*parts));
    TSC_ASSIGN_OR_RETURN(Tensor out,
                         transformerEncoderLayer(parts->padded, embedDim, numHeads, qkvWeight, qkvBias, projWeight,
                                                 projBias, useGelu, normFirst, eps, normWeight1, normBias1, normWeight2,
                                                 normBias2, ffnWeight1, ffnBias1, ffnWeight2, ffnBias2, hidden, 1));
    return likeNested(out, *parts);
  }
  auto normalize = [&](const Tensor &x, const Tensor &w, const Tensor &b) {
    return layerNorm(x, {embedDim}, w, b, eps, true);
  };
  auto attend = [&](const Tensor &x) -> StatusOr<Tensor> {
    TSC_ASSIGN_OR_RETURN(auto r, nativeMultiHeadAttention(x, x, x, embedDim, numHeads, qkvWeight, qkvBias, projWeight,
                                                          projBias, mask, false, true, maskType));
    return std::get<0>(r);
  };
  Tensor x = src;
  if (normFirst) {
    TSC_ASSIGN_OR_RETURN(x, normalize(x, normWeight1, normBias1));
  }
  TSC_ASSIGN_OR_RETURN(x, attend(x));
  TSC_ASSIGN_OR_RETURN(x, arith(Arith::Add, x, src));
  if (!normFirst) {
    TSC_ASSIGN_OR_RETURN(x, normalize(x, normWeight1, normBias1));
  }
  Tensor y = x;
  if (normFirst) {
    TSC_ASSIGN_OR_RETURN(y, normalize(x, normWeight2, normBias2));
  }
  TSC_ASSIGN_OR_RETURN(y, feedForward(y, ffnWeight1, ffnBias1, ffnWeight2, ffnBias2, useGelu));
  TSC_ASSIGN_OR_RETURN(y, arith(Arith::Add, y, x));
  return normFirst ? StatusOr<Tensor>(y) : normalize(y, normWeight2, normBias2);
}

Pair tsc::cpu::scaledDotProductAttention(Generator &generator, const Tensor &query, const Tensor &key,
                                         const Tensor &value, const Tensor &attnMask, double dropoutP, bool,
                                         bool isCausal) {
  if (query.dim() < 2 || key.dim() < 2 || value.dim() < 2)
    return invalidArgument(
        "_scaled_dot_product_attention: Expected query, key and value to have at least 2 dimensions");
  if (attnMask.defined() && isCausal)
    return invalidArgument("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  TSC_ASSIGN_OR_RETURN(Tensor q, scaled(query, Scalar(1 / std::sqrt(static_cast<double>(query.sizes().back())))));
  TSC_ASSIGN_OR_RETURN(Tensor kt, transpose(key, -2, -1));
  TSC_ASSIGN_OR_RETURN(Tensor scores, matmul(q, kt));
  Tensor mask = attnMask;
  if (isCausal) {
    int64_t rows = query.size(query.dim() - 2), columns = key.size(key.dim() - 2);
    TSC_ASSIGN_OR_RETURN(mask, zeros({rows, columns}, DType::Bool));
    for (int64_t i = 0; i < rows; ++i)
      std::fill_n(mask.mutableData<bool>() + i * columns, std::min(i + 1, columns), true);
  }
  if (mask.defined()) {
    bool keeps = mask.dtype() == DType::Bool;
    TSC_ASSIGN_OR_RETURN(scores, zip(scores, mask, scores.dtype(),
                                     [=](double s, double m) { return keeps ? (m != 0 ? s : -INFINITY) : s + m; }));
  }
  TSC_ASSIGN_OR_RETURN(scores, softmax(scores, -1, std::nullopt));
  if (dropoutP > 0) {
    TSC_ASSIGN_OR_RETURN(scores, dropout(generator, scores, dropoutP, true));
  }
  TSC_ASSIGN_OR_RETURN(Tensor out, matmul(scores, value));
  return std::make_tuple(out, scores);
}
