//===- Kernels.h - Passes that choose what operators compute with -*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_KERNELS_H
#define TSC_TRANSFORMS_PASSES_KERNELS_H

#include "tsc/Transforms/Pass.h"

namespace tsc {

/// Puts memory-bound operators that feed one another into groups that run as one kernel. Options max-nodes: how many
/// operators a group may have; reductions: whether it may have any.
class Fusion final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t maxNodes = 128;
  bool reductions = true;
};

/// Makes one matrix product of a sum of products, and of products that share an operand. Options min-tree, min-side:
/// how many products these are at least.
class BatchMM final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t minTree = 4, minSide = 8;
};

/// Makes concatenations fewer and larger. Option hoist: whether a point-wise operator that runs on every part is run on
/// the whole instead.
class ConcatOptimization final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  bool hoists = true;
};

/// Keeps the channels of images in blocks between convolutions, and makes one operator of a convolution and the
/// normalization, sum and clamp that follow it.
class BlockConvolutions final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes prim::ConstantChunk of chunks, and numbers of constant 0-dimensional tensors in arithmetic, where that changes
/// no result.
class CanonicalizeGraphFuserOps final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Replaces composites by their definitions as far as a fused kernel can hold them, with the same bits
/// (FusionDecomposition.h).
class DecomposeForFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Replaces composite operators by their definitions. Option only: the one operator, without aten::, that is replaced.
class Decompose final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::string only; ///< Empty: every operator that has a definition.
};

/// Replaces matches of patterns by rules from a file (readRewriteRules). Option file: its path.
class RewriteByFile final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::string file, text;
};

/// Makes aten::linear of a product with a transposed matrix, and of the bias that is added to it.
class LinearFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes aten::addmm of a matrix product and a sum.
class AddmmFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes aten::_add_relu of a sum and a relu.
class AddReluFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes quantized::add_relu of a quantized addition and a relu.
class QuantizedAddReluFusion final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
