//===- Mutation.h - Passes over what writes to its operands -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_MUTATION_H
#define TSC_TRANSFORMS_PASSES_MUTATION_H

#include "tsc/Transforms/Pass.h"
#include <functional>

namespace tsc {

class Node;

/// Makes in-place operators functional, and lists in one go, where nobody else can see the tensor or list. Option
/// lists: only lists.
class RemoveMutation final : public Pass {
public:
  RemoveMutation() = default;
  /// How far the pass goes: Wide also replaces operators whose functional form copies a tensor of which they write
  /// little, and those in branches.
  enum class Reach : uint8_t { Cheap, Wide };
  /// Replaces only those in-place operators on tensors that `accepts` takes.
  explicit RemoveMutation(std::function<bool(const Node &)> accepts, Reach reach = Reach::Cheap)
      : accepts(std::move(accepts)), reach(reach) {}
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::function<bool(const Node &)> accepts;
  Reach reach = Reach::Cheap;
  bool onlyLists = false;
};

/// Whether the node is `d["key"]` of a dict whose keys are strings.
bool isDictLoad(const Node &node);
/// Whether the node is `d["key"] = value` for such a dict.
bool isDictStore(const Node &node);
/// Whether the node is `del d["key"]` or `d.pop("key")` for such a dict, which raise where the key is not there.
bool isDictRemoval(const Node &node);

/// Takes entries of dicts, and attributes of objects that the graph makes, from where they were put. Reads with the
/// attribute `name` at the head of a graph are those of all keys that a dict argument has, put there by the caller;
/// they go when nobody uses them.
class ForwardDictEntries final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Makes activations that write their operand (relu_) functional.
class InplaceToFunctionalActivation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Lets activations write their operand where it is a fresh tensor that nobody else reads.
class FunctionalToInplaceActivation final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Fails on a Python operator that works in place; changes nothing.
class CheckInplace final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

/// Puts nodes whose results nobody writes, or sees outside of the call, into prim::FunctionalGraph nodes. Option
/// smallest: how many nodes a group has at least.
class FunctionalGraphCreation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t smallest = 6;
};

/// Puts the nodes of prim::FunctionalGraph nodes back.
class FunctionalGraphInlining final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
