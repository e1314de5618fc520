//===- EmbeddingBag.cpp - Sums, means and maxima of embeddings ------------===//
#include "Pooling/WindowRows.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Recurrent.h"
#include "tsc/Support/FunctionClones.h"
#include "tsc/Support/MemoryErrors.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/MemoryAccount.h"
#include <algorithm>
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

using Quad = StatusOr<std::tuple<Tensor, Tensor, Tensor, Tensor>>;

enum class BagMode { Sum, Mean, Max };

/// Takes a row, number `place`, into the largest of each column so far, and where that is.
#define TSC_TAKE_LARGER(TYPE)                                                                                          \
  TSC_CLONES static void takeLarger(TYPE *__restrict best, int64_t *__restrict at, const TYPE *__restrict row,         \
                                    int64_t place, int64_t n, bool isFirst) {                                          \
    if (isFirst) {                                                                                                     \
      std::copy(row, row + n, best);                                                                                   \
      std::fill(at, at + n, place);                                                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
    for (int64_t i = 0; i < n; ++i) {                                                                                  \
      const bool beats = row[i] > best[i];                                                                             \
      best[i] = beats ? row[i] : best[i];                                                                              \
      at[i] = beats ? place : at[i];                                                                                   \
    }                                                                                                                  \
  }
TSC_TAKE_LARGER(float)
TSC_TAKE_LARGER(double)
#undef TSC_TAKE_LARGER

Quad tsc::cpu::embeddingBagForward(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool,
                                   int64_t mode, bool, const Tensor &perSampleWeights, bool includeLastOffset,
                                   int64_t paddingIdx) {
  if (indices.dim() != 1 && indices.dim() != 2)
    return invalidArgument("input has to be a 1D or 2D Tensor, but got Tensor of dimension " +
                           llvm::Twine(indices.dim()));
  if (indices.dim() == 1 && offsets.dim() != 1)
    return invalidArgument("offsets has to be a 1D Tensor, but got Tensor of dimension " + llvm::Twine(offsets.dim()));
  if (weight.dim() != 2)
    return invalidArgument("weight has to be a 2D Tensor, but got Tensor of dimension " + llvm::Twine(weight.dim()));
  TSC_RETURN_IF_ERROR(checkFloating(weight, "embedding_bag"));
  if (mode < 0 || mode > 2)
    return invalidArgument("embedding_bag: mode must be 0 (sum), 1 (mean) or 2 (max)");
  BagMode kind = static_cast<BagMode>(mode);
  if (perSampleWeights.defined()) {
    if (kind != BagMode::Sum)
      return invalidArgument(
          "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
          "mode='" +
          std::string(kind == BagMode::Mean ? "mean" : "max") + "'). Please open a feature request on GitHub.");
    if (perSampleWeights.numel() != indices.numel())
      return invalidArgument("expected per_sample_weights to have the same number of elements as indices");
    if (perSampleWeights.dtype() != weight.dtype())
      return invalidArgument("Expected 'weight' to have the same type as 'per_sample_weights'; but " +
                             dtypeText(weight.dtype()) + " does not equal " + dtypeText(perSampleWeights.dtype()));
  }
  TSC_ASSIGN_OR_RETURN(Tensor index, dense(indices, DType::Int64));
  const DType work = workType(weight.dtype());
  TSC_ASSIGN_OR_RETURN(Tensor table, dense(weight, work));
  Tensor factors;
  if (perSampleWeights.defined()) {
    TSC_ASSIGN_OR_RETURN(factors, dense(perSampleWeights, work));
  }
  // Where each bag starts; a 2-d input has bags of equal length.
  Tensor given;
  if (indices.dim() == 2) {
    TSC_ASSIGN_OR_RETURN(given, Tensor::empty({indices.size(0)}, DType::Int64));
    for (int64_t b = 0; b < indices.size(0); ++b)
      given.mutableData<int64_t>()[b] = b * indices.size(1);
  } else {
    TSC_ASSIGN_OR_RETURN(given, dense(offsets, DType::Int64));
  }
  ArrayRef<int64_t> starts(given.data<int64_t>(), static_cast<size_t>(given.numel()));
  if (indices.dim() == 1) {
    if (!starts.empty() && starts[0] != 0)
      return invalidArgument("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                             "position 0. However, got " +
                             llvm::Twine(starts[0]));
    if (!starts.empty() && starts.back() > index.numel())
      return invalidArgument("offsets[-1] can not be greater than input's length(" + llvm::Twine(index.numel()) +
                             ") but got offsets[-1] of " + llvm::Twine(starts.back()));
    if (includeLastOffset) {
      if (starts.empty())
        return invalidArgument("include_last_offset: number of offset should be at least 1");
      starts = starts.drop_back();
    }
  }
  int64_t bags = starts.size(), width = weight.size(1), rows = weight.size(0);
  if (paddingIdx < -rows || paddingIdx >= std::max<int64_t>(rows, 1))
    return invalidArgument("padding_idx must be within the number of embeddings");
  TSC_ASSIGN_OR_RETURN(Tensor out, zeros({bags, width}, work));
  TSC_ASSIGN_OR_RETURN(Tensor bagOf, zeros({index.numel()}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor sizes, zeros({bags}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(Tensor largest, zeros(kind == BagMode::Max ? Dims{bags, width} : Dims{bags}, DType::Int64));
  auto addBags = [&](auto tag) -> Status {
    using T = typename decltype(tag)::Type;
    const T *rowsOf = table.data<T>(), *factor = factors.defined() ? factors.data<T>() : nullptr;
    const int64_t *which = index.data<int64_t>();
    int64_t *bag = bagOf.mutableData<int64_t>();
    const windows::RowFolds<T> &folds = windows::rowFolds<T>();
    llvm::SmallVector<int64_t, 64> offsetsOf; // of the rows of a bag
    llvm::SmallVector<T, 64> weightsOf;
    memory::CountedBytes ofBag;
    for (int64_t b = 0; b < bags && !work::wasStopped(); ++b) {
      int64_t end = b + 1 < bags ? starts[b + 1] : index.numel();
      if (starts[b] < 0 || starts[b] > end || end > index.numel())
        return invalidArgument("embedding_bag: offsets must not fall");
      T *row = out.mutableData<T>() + b * width;
      int64_t *most = kind == BagMode::Max ? largest.mutableData<int64_t>() + b * width : nullptr;
      offsetsOf.clear();
      weightsOf.clear();
      const size_t bytes = static_cast<size_t>(end - starts[b]) * (sizeof(int64_t) + (factor ? sizeof(T) : 0));
      if (bytes > offsetsOf.capacity_in_bytes()) {
        if (!memory::hasRoom(bytes))
          return outOfMemory();
        ofBag.set(bytes);
        offsetsOf.reserve(end - starts[b]);
      }
      for (int64_t i = starts[b]; i < end; ++i) {
        bag[i] = b;
        if (which[i] < 0 || which[i] >= rows)
          return outOfRange("index out of range in self");
        if (which[i] == paddingIdx)
          continue;
        offsetsOf.push_back(which[i] * width);
        if (factor)
          weightsOf.push_back(factor[i]);
      }
      const int64_t count = static_cast<int64_t>(offsetsOf.size());
      if (kind == BagMode::Max)
        for (int64_t k = 0; k != count && width != 0; ++k)
          takeLarger(row, most, rowsOf + offsetsOf[k], offsetsOf[k] / width, width, k == 0);
      else
        folds.sum(row, rowsOf, offsetsOf.data(), factor ? weightsOf.data() : nullptr, count, width);
      sizes.mutableData<int64_t>()[b] = count;
      if (kind == BagMode::Mean && count > 1)
        for (int64_t j = 0; j < width; ++j)
          row[j] /= static_cast<T>(count);
    }
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(work, addBags));
  TSC_ASSIGN_OR_RETURN(out, toDType(out, weight.dtype()));
  return std::make_tuple(out, bagOf, sizes, largest);
}

Quad tsc::cpu::embeddingBagPaddingIdx(const Tensor &weight, const Tensor &indices, const Tensor &offsets,
                                      bool scaleGradByFreq, int64_t mode, bool sparse, const Tensor &perSampleWeights,
                                      bool includeLastOffset, std::optional<int64_t> paddingIdx) {
  int64_t padding = -1;
  if (paddingIdx && weight.dim() == 2) {
    int64_t rows = weight.size(0);
    if (*paddingIdx < -rows || *paddingIdx >= rows)
      return invalidArgument("padding_idx must be within the number of embeddings, -" + llvm::Twine(rows) +
                             " through " + llvm::Twine(rows - 1) + ", but got " + llvm::Twine(*paddingIdx));
    padding = *paddingIdx < 0 ? *paddingIdx + rows : *paddingIdx;
  }
  return embeddingBagForward(weight, indices, offsets, scaleGradByFreq, mode, sparse, perSampleWeights,
                             includeLastOffset, padding);
}

Quad tsc::cpu::embeddingBag(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool scaleGradByFreq,
                            int64_t mode, bool sparse, const Tensor &perSampleWeights, bool includeLastOffset) {
  return embeddingBagForward(weight, indices, offsets, scaleGradByFreq, mode, sparse, perSampleWeights,
                             includeLastOffset, -1);
}
