//===- Reductions.h - Making pipelines small --------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_REDUCTIONS_H
#define TSC_TRANSFORMS_REDUCTIONS_H

#include "tsc/Support/Reduction.h"

namespace tsc {

class PassRegistry;

/// The steps of the pipeline in the first line of a reproducer; a named pipeline becomes its steps.
void addPipelineReductions(Reductions &reductions, const PassRegistry &registry);

} // namespace tsc

#endif
