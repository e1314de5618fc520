//===- FoldWalk.h - Folds block by block ------------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_FOLDWALK_H
#define TSC_LIB_FUSERCPU_FOLDWALK_H

#include "Launch.h"

namespace tsc::fuser {

/// Runs a launch that folds blocks: the kernel gives their results, which are combined here, in the eager kernels'
/// order whatever the number of threads. `sources` as the launch numbers them.
Status runFold(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs);

/// What the results of `count` blocks, 1 at least, each of `width` neighbours (1 to maxFoldColumns), come to, in the
/// result's dtype, `step` elements apart. `folded`: elements of each result, for a mean.
void combineFoldBlocks(const FoldLaunch::Result &result, int64_t folded, const char *blocks, int64_t count,
                       int64_t width, char *to, int64_t step);

} // namespace tsc::fuser

#endif
