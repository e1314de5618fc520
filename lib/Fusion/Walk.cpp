//===- Walk.cpp - Dimensions in the order in which they are walked --------===//
#include "tsc/Fusion/Walk.h"
#include "tsc/Fusion/Folds.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;

WalkDim fuser::walkDim(const FusedNest &fused, size_t d) {
  assert(d < fused.sizes.size() && "a dimension of the walk");
  WalkDim dim{fused.sizes[d], {}};
  for (const FusedNest::Operand &operand : fused.operands)
    dim.strides.push_back(operand.geometry.stride(static_cast<int64_t>(d)) *
                          static_cast<int64_t>(itemSize(operand.geometry.dtype())));
  return dim;
}

WalkDim fuser::stillDim(const FusedNest &fused) { return {1, llvm::SmallVector<int64_t, 8>(fused.operands.size(), 0)}; }

void fuser::appendDim(WalkDims &dims, WalkDim dim, bool mayContinue) {
  assert((dims.empty() || dims.back().strides.size() == dim.strides.size()) && "one stride for each operand");
  bool continues = !dims.empty() && mayContinue;
  if (continues)
    for (auto [outer, inner] : llvm::zip(dims.back().strides, dim.strides))
      continues &= outer == inner * dim.size;
  if (!continues)
    return dims.push_back(std::move(dim));
  dim.size *= dims.back().size;
  dims.back() = std::move(dim);
}

bool fuser::orderByElements(const FusedNest &fused, WalkDims &dims) {
  assert(!fused.nest.stores.empty() && "the order is that of what is written");
  const Tensor &written = fused.operands[fused.nest.stores.front().operand].geometry;
  const bool folds = !fused.reduced.empty();
  auto isReduced = [&](size_t d) { return folds && fused.reduced[d]; };
  if (folds && !foldsOneRun(fused.reduced, fused.sizes))
    return false;
  llvm::SmallVector<size_t, 6> order;
  for (size_t d = 0; d != fused.sizes.size(); ++d)
    if (fused.sizes[d] != 1)
      order.push_back(d);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    if (isReduced(a) || isReduced(b))
      return isReduced(b) && !isReduced(a);
    return written.stride(static_cast<int64_t>(a)) > written.stride(static_cast<int64_t>(b));
  });
  size_t numKept = 0; // dims before this one are no part of a fold
  for (size_t d : order) {
    const bool beginsFold = isReduced(d) && dims.size() == numKept;
    const size_t before = dims.size();
    appendDim(dims, walkDim(fused, d), !beginsFold);
    numKept += dims.size() != before && !isReduced(d);
  }
  if (folds && dims.size() == numKept)
    dims.push_back(stillDim(fused));
  return !folds || dims.size() == numKept + 1; // else the run has no single stride
}

bool fuser::orderByFolds(const FusedNest &fused, WalkDims &kept, WalkDims &runs, WalkDim &run) {
  assert(fused.reduced.size() == fused.sizes.size() && "folds go along some dimensions of the walk");
  Dims steps(fused.sizes.size(), 0);
  int64_t numResults = 1;
  for (size_t d = fused.sizes.size(); d-- != 0;)
    if (!fused.reduced[d])
      steps[d] = numResults, numResults *= fused.sizes[d];
  llvm::SmallVector<WalkDim, 2> last; // the last neighbours that are reduced
  bool inRun = false;
  for (size_t d = 0; d != fused.sizes.size(); ++d) {
    if (fused.sizes[d] == 1)
      continue;
    WalkDim dim = walkDim(fused, d);
    dim.resultStep = steps[d];
    if (fused.reduced[d] && !inRun) {
      runs.append(last.begin(), last.end());
      last.clear();
    }
    appendDim(fused.reduced[d] ? static_cast<WalkDims &>(last) : kept, std::move(dim));
    inRun = fused.reduced[d];
  }
  run = last.empty() ? stillDim(fused) : last.front();
  return last.size() <= 1;
}
