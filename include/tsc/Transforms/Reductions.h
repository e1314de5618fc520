//===- Reductions.h - Making pipelines small --------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_REDUCTIONS_H
#define TSC_TRANSFORMS_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

class PassRegistry;

/// Adds the reduction that takes steps out of the pipeline in the first line of a reproducer, where the steps of a
/// named pipeline replace its name.
void addPipelineReductions(Reductions &reductions, const PassRegistry &registry);

} // namespace tsc

#endif
