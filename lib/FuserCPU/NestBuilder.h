//===- NestBuilder.h - From values of a group to a loop nest ----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_NESTBUILDER_H
#define TSC_LIB_FUSERCPU_NESTBUILDER_H

#include "Facts.h"
#include "Plan.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>
#include <variant>

namespace tsc::fuser {

/// Neighbours along a dimension; size 0: no range.
struct Range {
  int64_t dim = 0, start = 0, size = 0;
  bool operator==(const Range &) const = default;
};

/// A value that an earlier nest leaves in memory.
struct StoredValue {
  unsigned source;
  Tensor geometry;
  unsigned stage; ///< The first in which it may be read.
};

/// Decides what is computed in which nest.
class NestPolicy {
public:
  virtual ~NestPolicy() = default;
  /// Whether nests of these sizes may fold their rows as they go.
  virtual bool mayFoldRows(ArrayRef<int64_t> sizes, const FoldFacts &fold) = 0;
  /// Whether nests read the value from memory.
  virtual bool isStored(unsigned value) = 0;
  /// What the value is computed from has no regular place in some nest: the next plan keeps the value in memory.
  virtual void learnToStore(unsigned value) = 0;
  /// Sees to it that an earlier nest leaves the value in memory. Nothing when none can.
  virtual std::optional<StoredValue> demand(unsigned value) = 0;
};

/// Builds the nest for outputs of one shape. Index maps are carried up to the inputs: an element of a view of a sum is
/// the sum of the elements of views, so that a nest reads strided inputs and nothing else.
class NestBuilder {
public:
  NestBuilder(const Group &group, const Facts &facts, NestPolicy &policy, Dims sizes)
      : group(group), facts(facts), policy(policy), sizes(std::move(sizes)) {}

  /// Stores value `from`, converted, into `geometry`, which is memory of output number `output`. With `reduced`, the
  /// value has the nest's shape less those dimensions; with `shape`, the value is walked as if it had that one; with
  /// `part`, the nest and `geometry` have that part of the value.
  bool addStore(unsigned from, const Tensor &geometry, unsigned output, ArrayRef<bool> reduced = {},
                const std::optional<Dims> &shape = std::nullopt, Range part = {});
  /// Folds the elements of step number `step` of the group, which have the nest's shape, into `source`. Such a nest
  /// stores nothing else.
  bool addFold(unsigned step, unsigned source);
  /// Decides the order of dimensions and the classes of operands.
  bool finish(LoopNest &nest, Launch &launch);
  /// The nest must run after those of earlier stages.
  unsigned stage() const { return firstStage; }
  bool foldsRows() const { return results.empty() && !reduced.empty(); }

private:
  // How the elements of a value are reached from the nest: index maps, the outermost first. What a map is applied to is
  // the value, what comes out has the shape that the map outside of it, or the nest, expects.

  /// Result number `result` of an IndexMap step.
  struct Indexed {
    unsigned step, result;
    bool operator==(const Indexed &) const = default;
  };
  /// Broadcast.
  struct Expanded {
    Dims sizes;
    bool operator==(const Expanded &) const = default;
  };
  /// Results of folds, repeated along the dimensions that were folded.
  struct Repeated {
    llvm::SmallVector<bool, 6> reduced;
    Dims sizes;
    bool operator==(const Repeated &) const = default;
  };
  /// The same elements, in row-major order, where strides allow that without a copy.
  struct Reshaped {
    Dims sizes;
    bool operator==(const Reshaped &) const = default;
  };
  /// Element number `number` of each run of a Fold step.
  struct Picked {
    unsigned step;
    int64_t number;
    bool operator==(const Picked &) const = default;
  };
  struct Map {
    unsigned outer = 0; ///< 0: none.
    std::variant<Indexed, Expanded, Repeated, Reshaped, Picked, Range> how;
    bool operator==(const Map &) const = default;
  };
  std::optional<Tensor> apply(const Map &map, const Tensor &t) const;
  unsigned pushMap(Map map);
  unsigned mapOf(unsigned value, Map map);
  bool hasPicks(unsigned map) const;
  std::optional<Tensor> geometryOf(const Tensor &t, unsigned map) const;
  std::optional<unsigned> emit(unsigned value, unsigned map);
  std::optional<unsigned> emitUncached(unsigned value, unsigned map);
  std::optional<unsigned> emitPointwise(const GroupStep &step, unsigned stepNumber, unsigned value, unsigned map);
  std::optional<unsigned> emitInput(unsigned input, unsigned map);
  std::optional<unsigned> emitReshape(const GroupStep &step, unsigned map);
  std::optional<unsigned> emitFold(const GroupStep &step, unsigned stepNumber, unsigned map);
  std::optional<unsigned> emitJoin(const GroupStep &step, unsigned value, unsigned map);
  std::optional<unsigned> emitStored(unsigned value, unsigned map);
  std::optional<unsigned> emitShortFold(const GroupStep &step, unsigned stepNumber, unsigned map);
  std::optional<unsigned> foldedElement(const GroupStep &step, const FoldFacts &fold, unsigned map);
  bool isRepeatedAlongFold(const FoldFacts &fold, unsigned map) const;
  unsigned addOperand(unsigned source, const Tensor &geometry, bool isOutput);
  bool decideLayout(Launch &launch);
  void classify(const Launch &launch);
  bool decideFoldLayout(Launch &launch);
  void chooseColumns(FoldLaunch &fold) const;
  void addBlockResults(Launch &launch);
  WalkDim walkDim(size_t d) const;
  void packSharedRows(Launch &launch) const;
  void keepRows(Launch &launch);
  bool joinShortRows(Launch &launch) const;
  void swapShortRows(Launch &launch) const;
  llvm::SmallVector<unsigned, 4> findInterleaved(const Launch &launch, unsigned first) const;
  void findTiled(Launch &launch) const;

  const Group &group;
  const Facts &facts;
  NestPolicy &policy;
  Dims sizes;                         ///< Of the walk.
  llvm::SmallVector<bool, 6> reduced; ///< The dimensions that folds go along; empty without folds.
  LoopNest nest;
  struct Operand {
    unsigned source;
    Tensor geometry;
  };
  std::vector<Operand> operands;
  std::vector<Map> maps{Map{}};
  /// Of maps that are applied to a row-major tensor: its sizes, the sizes that come out, their strides and the offset.
  std::map<std::array<Dims, 3>, unsigned> mapByPlaces;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> emitted;
  llvm::SmallVector<NumberSource, 4> numbers;
  unsigned firstStage = 0;
  /// Of addFold: the nest's step, the group's, and where the result goes.
  struct FoldResult {
    unsigned nestStep, step, source;
  };
  std::vector<FoldResult> results;
};

/// So few elements, such as coordinates, are no row to walk where there are so many of them.
inline constexpr int64_t fewElements = 4, manyRows = 64;

/// The dimension of a fold's operand that the fold goes along, when it has a few elements: kernels of results may
/// compute each of them from these. Nothing for others, and for means.
std::optional<int64_t> findShortRun(ArrayRef<int64_t> sizes, const FoldFacts &fold);

/// Whether a fold's elements are one row, in the order of the dimensions; the fold is in the eager kernels' order then.
bool foldsOneRun(ArrayRef<bool> reduced, ArrayRef<int64_t> sizes);

} // namespace tsc::fuser

#endif
