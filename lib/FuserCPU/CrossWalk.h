//===- CrossWalk.h - Folds of a matrix both ways ----------------*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_CROSSWALK_H
#define TSC_LIB_FUSERCPU_CROSSWALK_H

#include "Launch.h"

namespace tsc::fuser {

/// Runs a launch that folds a matrix along its columns and along its rows, each in the eager kernels' order, whatever
/// the number of threads. `sources` as the launch numbers them.
Status runCrossedFolds(const CpuLaunch &launch, ArrayRef<char *> sources, ArrayRef<const IValue *> inputs);

} // namespace tsc::fuser

#endif
