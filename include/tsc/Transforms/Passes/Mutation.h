//===- Mutation.h - Passes over what writes to its operands -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_MUTATION_H
#define TSC_TRANSFORMS_PASSES_MUTATION_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class RemoveMutation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class InplaceToFunctionalActivation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class FunctionalToInplaceActivation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

class CheckInplace final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
