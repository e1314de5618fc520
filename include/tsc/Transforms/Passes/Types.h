//===- Types.h - Passes that change the types of values ---------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_TYPES_H
#define TSC_TRANSFORMS_PASSES_TYPES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class ShapePropagation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class DTypePropagation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class ShapeErasure final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class RefineTupleTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class EraseNumberTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
  bool leavesProgram() const override { return false; }
};

} // namespace tsc

#endif
