//===- FoldWalk.h - Folds block by block ------------------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_FOLDWALK_H
#define TSC_LIB_FUSERCPU_FOLDWALK_H

#include "Launch.h"

namespace tsc::fuser {

/// Runs a launch that folds blocks: the kernel gives their results, which are combined here, in the eager kernels'
/// order whatever the number of threads. `sources` as the launch numbers them.
Status runFold(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs);

} // namespace tsc::fuser

#endif
