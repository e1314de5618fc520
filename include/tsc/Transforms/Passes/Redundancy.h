//===- Redundancy.h - Passes that remove and order what is there -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_REDUNDANCY_H
#define TSC_TRANSFORMS_PASSES_REDUNDANCY_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class DeadCodeElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class DeadEffectElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class CommonSubexpressionElimination final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class ConstantPooling final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class Canonicalize final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
