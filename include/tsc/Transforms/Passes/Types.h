//===- Types.h - Passes that change the types of values ---------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_TYPES_H
#define TSC_TRANSFORMS_PASSES_TYPES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Gives tensors the types that follow from the graph's inputs, its constants and the records' rules: sizes, strides,
/// dtype, device and requires_grad.
class ShapePropagation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Gives tensors the dtypes that follow from the graph's inputs.
class DTypePropagation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes every tensor type plain Tensor, in containers and subgraphs too.
class ShapeErasure final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Gives tuples the types that their elements have.
class RefineTupleTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Gives numbers the types of 0-dimensional tensors, for exporters; the graph does not run afterwards.
class EraseNumberTypes final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
  bool leavesProgram() const override { return false; }
};

} // namespace tsc

#endif
