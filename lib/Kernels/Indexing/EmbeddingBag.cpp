//===- EmbeddingBag.cpp - Sums, means and maxima of embeddings ------------===//
#include "Pooling/WindowRows.h"
#include "Support/Compute.h"
#include "tsc/Kernels/Recurrent.h"
#include "tsc/Support/AtSimdLevel.h"
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
template <typename T>
LLVM_ATTRIBUTE_ALWAYS_INLINE static void takeLarger(T *__restrict best, int64_t *__restrict at, const T *__restrict row,
                                                    int64_t place, int64_t n, bool isFirst) {
  if (isFirst) {
    std::copy(row, row + n, best);
    std::fill(at, at + n, place);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    const bool beats = row[i] > best[i];
    best[i] = beats ? row[i] : best[i];
    at[i] = beats ? place : at[i];
  }
}

/// Refuses operands of a wrong rank, dtype or mode, in PyTorch's words.
static Status checkBagOperands(const Tensor &weight, const Tensor &indices, const Tensor &offsets, int64_t mode,
                               const Tensor &perSampleWeights) {
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
  if (!perSampleWeights.defined())
    return okStatus();
  const BagMode kind = static_cast<BagMode>(mode);
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
  return okStatus();
}

/// Returns where each bag starts among the indices, as a dense tensor of int64. A 2-d input has bags of equal length.
/// The number of all indices may follow the starts.
static StatusOr<Tensor> bagStarts(const Tensor &indices, const Tensor &offsets) {
  if (indices.dim() != 2)
    return dense(offsets, DType::Int64);
  TSC_ASSIGN_OR_RETURN(Tensor starts, Tensor::empty({indices.size(0)}, DType::Int64));
  for (int64_t b = 0; b < indices.size(0); ++b)
    starts.mutableData<int64_t>()[b] = b * indices.size(1);
  return starts;
}

/// Refuses starts that a 1-d input of so many indices cannot have.
static Status checkStarts(ArrayRef<int64_t> starts, int64_t numIndices, bool includeLastOffset) {
  if (!starts.empty() && starts[0] != 0)
    return invalidArgument("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from "
                           "position 0. However, got " +
                           llvm::Twine(starts[0]));
  if (!starts.empty() && starts.back() > numIndices)
    return invalidArgument("offsets[-1] can not be greater than input's length(" + llvm::Twine(numIndices) +
                           ") but got offsets[-1] of " + llvm::Twine(starts.back()));
  if (includeLastOffset && starts.empty())
    return invalidArgument("include_last_offset: number of offset should be at least 1");
  return okStatus();
}

namespace {
/// What the sums, means or maxima of bags are computed from, and where they go. All tensors are dense, and `table`,
/// `factors` and `out` have one dtype, float or double.
struct Bags {
  BagMode mode;
  ArrayRef<int64_t> starts; ///< The first index of each bag.
  int64_t paddingIdx;       ///< The row that counts for nothing.
  Tensor index, table, factors;
  Tensor out, bagOf, sizes,
      largest; ///< The results; `largest` has the rows of the maxima, and is zero for other modes.

  /// Computes bag number `b`. `rows` and `weights` are room for its rows' places in the table, and their factors;
  /// `counted` counts that room where it is large.
  template <typename T>
  Status compute(int64_t b, llvm::SmallVectorImpl<int64_t> &rows, llvm::SmallVectorImpl<T> &weights,
                 memory::CountedBytes &counted);
};
} // namespace

template <typename T>
Status Bags::compute(int64_t b, llvm::SmallVectorImpl<int64_t> &rows, llvm::SmallVectorImpl<T> &weights,
                     memory::CountedBytes &counted) {
  const int64_t width = table.size(1), numRows = table.size(0);
  const T *elements = table.data<T>(), *factor = factors.defined() ? factors.data<T>() : nullptr;
  const int64_t *which = index.data<int64_t>();
  int64_t *bag = bagOf.mutableData<int64_t>();
  const int64_t begin = starts[b];
  const int64_t end = b + 1 < static_cast<int64_t>(starts.size()) ? starts[b + 1] : index.numel();
  if (begin < 0 || begin > end || end > index.numel())
    return invalidArgument("embedding_bag: offsets must not fall");
  rows.clear();
  weights.clear();
  const size_t bytes = static_cast<size_t>(end - begin) * (sizeof(int64_t) + (factor ? sizeof(T) : 0));
  if (bytes > rows.capacity_in_bytes()) {
    if (!memory::hasRoom(bytes))
      return outOfMemory();
    counted.set(bytes);
    rows.reserve(end - begin);
  }
  for (int64_t i = begin; i < end; ++i) {
    bag[i] = b;
    if (which[i] < 0 || which[i] >= numRows)
      return outOfRange("index out of range in self");
    if (which[i] == paddingIdx)
      continue;
    rows.push_back(which[i] * width);
    if (factor)
      weights.push_back(factor[i]);
  }
  T *row = out.mutableData<T>() + b * width;
  const int64_t count = static_cast<int64_t>(rows.size());
  if (mode == BagMode::Max) {
    int64_t *most = largest.mutableData<int64_t>() + b * width;
    for (int64_t k = 0; k != count && width != 0; ++k)
      atSimdLevel<takeLarger<T>, Overlap::None>(row, most, elements + rows[k], rows[k] / width, width, k == 0);
  } else {
    windows::rowFolds<T>().sum(row, elements, rows.data(), factor ? weights.data() : nullptr, count, width);
  }
  sizes.mutableData<int64_t>()[b] = count;
  if (mode == BagMode::Mean && count > 1)
    for (int64_t j = 0; j < width; ++j)
      row[j] /= static_cast<T>(count);
  return okStatus();
}

Quad tsc::cpu::embeddingBagForward(const Tensor &weight, const Tensor &indices, const Tensor &offsets, bool,
                                   int64_t mode, bool, const Tensor &perSampleWeights, bool includeLastOffset,
                                   int64_t paddingIdx) {
  TSC_RETURN_IF_ERROR(checkBagOperands(weight, indices, offsets, mode, perSampleWeights));
  Bags bags;
  bags.mode = static_cast<BagMode>(mode);
  bags.paddingIdx = paddingIdx;
  TSC_ASSIGN_OR_RETURN(bags.index, dense(indices, DType::Int64));
  const DType work = workType(weight.dtype());
  TSC_ASSIGN_OR_RETURN(bags.table, dense(weight, work));
  if (perSampleWeights.defined()) {
    TSC_ASSIGN_OR_RETURN(bags.factors, dense(perSampleWeights, work));
  }
  TSC_ASSIGN_OR_RETURN(const Tensor given, bagStarts(indices, offsets));
  bags.starts = ArrayRef<int64_t>(given.data<int64_t>(), static_cast<size_t>(given.numel()));
  if (indices.dim() == 1) {
    TSC_RETURN_IF_ERROR(checkStarts(bags.starts, bags.index.numel(), includeLastOffset));
    if (includeLastOffset)
      bags.starts = bags.starts.drop_back();
  }
  const int64_t count = static_cast<int64_t>(bags.starts.size()), width = weight.size(1), rows = weight.size(0);
  if (paddingIdx < -rows || paddingIdx >= std::max<int64_t>(rows, 1))
    return invalidArgument("padding_idx must be within the number of embeddings");
  TSC_ASSIGN_OR_RETURN(bags.out, zeros({count, width}, work));
  TSC_ASSIGN_OR_RETURN(bags.bagOf, zeros({bags.index.numel()}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(bags.sizes, zeros({count}, DType::Int64));
  TSC_ASSIGN_OR_RETURN(bags.largest, zeros(bags.mode == BagMode::Max ? Dims{count, width} : Dims{count}, DType::Int64));
  auto computeAll = [&](auto tag) -> Status {
    using T = typename decltype(tag)::Type;
    llvm::SmallVector<int64_t, 64> rowsOfBag;
    llvm::SmallVector<T, 64> weightsOfBag;
    memory::CountedBytes bytes;
    for (int64_t b = 0; b < count && !work::wasStopped(); ++b)
      TSC_RETURN_IF_ERROR(bags.compute<T>(b, rowsOfBag, weightsOfBag, bytes));
    return okStatus();
  };
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(work, computeAll));
  TSC_ASSIGN_OR_RETURN(Tensor out, toDType(bags.out, weight.dtype()));
  return std::make_tuple(out, bags.bagOf, bags.sizes, bags.largest);
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
