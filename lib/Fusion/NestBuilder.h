//===- NestBuilder.h - From values of a group to a loop nest ----*- C++ -*-===//
#ifndef TSC_LIB_FUSION_NESTBUILDER_H
#define TSC_LIB_FUSION_NESTBUILDER_H

#include "tsc/Fusion/Facts.h"
#include "tsc/Fusion/FusedNest.h"
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
class NestBuilder : FusedNest {
public:
  NestBuilder(const Group &group, const Facts &facts, NestPolicy &policy, Dims sizes)
      : group(group), facts(facts), policy(policy) {
    this->sizes = std::move(sizes);
  }

  /// Stores value `from`, converted, into `geometry`, which is memory of output number `output`. With `reduced`, the
  /// value has the nest's shape less those dimensions; with `shape`, the value is walked as if it had that one; with
  /// `part`, the nest and `geometry` have that part of the value.
  bool addStore(unsigned from, const Tensor &geometry, unsigned output, ArrayRef<bool> reduced = {},
                const std::optional<Dims> &shape = std::nullopt, Range part = {});
  /// Folds the elements of step number `step` of the group, which have the nest's shape, into `source`. Such a nest
  /// stores nothing else. It goes along `along`: folds along the other dimensions cross it.
  bool addFold(unsigned step, unsigned source, ArrayRef<bool> along);
  /// What was built. Nothing can be added any more.
  FusedNest finish() { return std::move(static_cast<FusedNest &>(*this)); }
  /// The nest must run after those of earlier stages.
  unsigned stage() const { return firstStage; }
  using FusedNest::foldsRows;

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
  /// The elements with other sizes, in row-major order, where strides allow that without a copy.
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
  const Group &group;
  const Facts &facts;
  NestPolicy &policy;
  std::vector<Map> maps{Map{}};
  /// The number of each map that is applied to a row-major tensor, by the tensor's sizes, the sizes that come out, and
  /// their strides with the offset: maps that reach the same places share a number.
  std::map<std::array<Dims, 3>, unsigned> mapByPlaces;
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> emitted;
  unsigned firstStage = 0;
};

} // namespace tsc::fuser

#endif
