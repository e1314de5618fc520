//===- Nms.cpp - Boxes that overlap no better one -------------------------===//
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/Vision.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <vector>

using namespace tsc;
using namespace tsc::cpu;

/// Indices of the boxes that stay, best first. `boxes` are rows of x1, y1, x2, y2.
template <typename T>
static std::vector<int64_t> keptBoxes(const T *boxes, const T *scores, int64_t count, double threshold) {
  std::vector<int64_t> order(count), kept;
  std::iota(order.begin(), order.end(), 0);
  auto isBetter = [&](int64_t a, int64_t b) { // NaN is the best, as where PyTorch sorts
    const bool isNaN = scores[a] != scores[a], otherIsNaN = scores[b] != scores[b];
    if (isNaN != otherIsNaN)
      return isNaN;
    return scores[a] != scores[b] && !isNaN ? scores[a] > scores[b] : a < b;
  };
  llvm::sort(order, isBetter);
  auto area = [&](int64_t i) { return (boxes[4 * i + 2] - boxes[4 * i]) * (boxes[4 * i + 3] - boxes[4 * i + 1]); };
  std::vector<bool> suppressed(count);
  for (size_t i = 0; i != order.size(); ++i) {
    const int64_t best = order[i];
    if (suppressed[best])
      continue;
    kept.push_back(best);
    if (!work::LongLoop(static_cast<int64_t>(order.size() - i)).goOn())
      break;
    const T *a = boxes + 4 * best;
    for (size_t j = i + 1; j != order.size(); ++j) {
      const int64_t other = order[j];
      if (suppressed[other])
        continue;
      const T *b = boxes + 4 * other;
      const T width = std::max(T(0), std::min(a[2], b[2]) - std::max(a[0], b[0]));
      const T height = std::max(T(0), std::min(a[3], b[3]) - std::max(a[1], b[1]));
      const T common = width * height;
      suppressed[other] = static_cast<double>(common / (area(best) + area(other) - common)) > threshold;
    }
  }
  return kept;
}

StatusOr<Tensor> cpu::nms(const Tensor &boxes, const Tensor &scores, double threshold) {
  if (boxes.dim() != 2)
    return invalidArgument("boxes should be a 2d tensor, got " + llvm::Twine(boxes.dim()) + "D");
  if (boxes.size(1) != 4)
    return invalidArgument("boxes should have 4 elements in dimension 1, got " + llvm::Twine(boxes.size(1)));
  if (scores.dim() != 1)
    return invalidArgument("scores should be a 1d tensor, got " + llvm::Twine(scores.dim()) + "D");
  if (boxes.size(0) != scores.size(0))
    return invalidArgument("boxes and scores should have same number of elements in dimension 0, got " +
                           llvm::Twine(boxes.size(0)) + " and " + llvm::Twine(scores.size(0)));
  if (boxes.dtype() != scores.dtype())
    return invalidArgument("dets should have the same type as scores");
  const bool isHalf = boxes.dtype() == DType::Half || boxes.dtype() == DType::BFloat16;
  TSC_ASSIGN_OR_RETURN(Tensor rows, toDType(boxes, isHalf ? DType::Float : boxes.dtype()));
  TSC_ASSIGN_OR_RETURN(rows, contiguous(rows, MemoryFormat::Contiguous));
  TSC_ASSIGN_OR_RETURN(Tensor numbers, toDType(scores, rows.dtype()));
  TSC_ASSIGN_OR_RETURN(numbers, contiguous(numbers, MemoryFormat::Contiguous));
  std::vector<int64_t> kept;
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(
      rows.dtype(),
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        kept = keptBoxes<T>(rows.data<T>(), numbers.data<T>(), rows.size(0), threshold);
      },
      "nms"));
  return Tensor::fromSpan<int64_t>(kept, {static_cast<int64_t>(kept.size())});
}
