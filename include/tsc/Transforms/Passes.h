//===- Passes.h - The passes by their classes -------------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_H
#define TSC_TRANSFORMS_PASSES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

#define GRAPH_PASS(NAME, PYTORCH_NAME, CLASS, DESCRIPTION)                                                                           \
  class CLASS final : public Pass {                                                                                    \
  public:                                                                                                              \
    PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;                                           \
  };
#include "tsc/Transforms/Passes.def"

} // namespace tsc

#endif
