//===- Types.h - Passes that change the types of values ---------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_TYPES_H
#define TSC_TRANSFORMS_PASSES_TYPES_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

class Context;
class Type;

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

/// Returns the type with plain Tensor in the place of each tensor type, also in lists, optionals, futures, dicts and
/// tuples without names.
const Type *withoutTensorFacts(Context &context, const Type *type);

/// Takes from all types in the graph and its subgraphs what they say of tensors, so that passes rely on nothing of it.
/// The results of prim::Guard and prim::BailOut keep their types, which these nodes check. Returns whether a type
/// changed.
bool eraseTensorFacts(Graph &graph);

/// Makes every tensor type plain Tensor, in containers and subgraphs too, by eraseTensorFacts().
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
