//===- Mutation.h - Passes over what writes to its operands -----*- C++ -*-===//
#ifndef TSC_TRANSFORMS_PASSES_MUTATION_H
#define TSC_TRANSFORMS_PASSES_MUTATION_H

#include "tsc/Transforms/Pass.h"
#include <functional>

namespace tsc {

class Node;

class RemoveMutation final : public Pass {
public:
  RemoveMutation() = default;
  /// Of the in-place operators on tensors only those that `accepts` takes; with `Reach::Wide` also those of which the
  /// functional form copies what little is written to, and in branches.
  enum class Reach : uint8_t { Cheap, Wide };
  explicit RemoveMutation(std::function<bool(const Node &)> accepts, Reach reach = Reach::Cheap)
      : accepts(std::move(accepts)), reach(reach) {}
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  std::function<bool(const Node &)> accepts;
  Reach reach = Reach::Cheap;
  bool onlyLists = false;
};

/// `d["key"]` of a dict with strings for keys.
bool isDictLoad(const Node &node);
/// `d["key"] = value`.
bool isDictStore(const Node &node);
/// `del d["key"]` and `d.pop("key")`, which raise where the key is not there.
bool isDictRemoval(const Node &node);

/// Reads of arguments at the head of a graph that have the attribute `name` are of all the keys that the dict has; they
/// go when nobody uses them.
class ForwardDictEntries final : public Pass {
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

class FunctionalGraphCreation final : public Pass {
public:
  Status configure(const PassOptions &options) override;
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;

private:
  int64_t smallest = 6;
};

class FunctionalGraphInlining final : public Pass {
public:
  PreservedAnalyses run(Graph &graph, AnalysisManager &analyses) override;
};

} // namespace tsc

#endif
