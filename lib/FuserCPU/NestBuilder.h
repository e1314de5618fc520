//===- NestBuilder.h - From values of a group to a loop nest ----*- C++ -*-===//
#ifndef TSC_LIB_FUSERCPU_NESTBUILDER_H
#define TSC_LIB_FUSERCPU_NESTBUILDER_H

#include "Facts.h"
#include "Plan.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc::fuser {

/// Builds the nest for outputs of one shape. Index maps are carried up to the inputs: an element of a view of a sum is
/// the sum of the elements of views, so that a nest reads strided inputs and nothing else.
class NestBuilder {
public:
  NestBuilder(const Group &group, const Facts &facts, Dims sizes) : group(group), facts(facts), sizes(std::move(sizes)) {}

  /// Stores value `from`, converted, into `geometry`, which is memory of output number `output`. With `reduced`, the value has
  /// the nest's shape less those dimensions.
  bool addStore(unsigned from, const Tensor &geometry, unsigned output, ArrayRef<bool> reduced = {});
  /// Decides the order of dimensions and the classes of operands.
  bool finish(LoopNest &nest, Launch &launch);

private:
  /// How the elements of a value are reached from the nest: index maps, the outermost first. Number 0 is none.
  struct Map {
    unsigned outer;
    unsigned step, result; ///< An IndexMap step of the group, or
    Dims expandTo;         ///< (step == None) broadcasting,
    llvm::SmallVector<bool, 6> reduced = {}; ///< when not empty, of a value without these dimensions.
    bool operator==(const Map &) const = default;
  };
  unsigned pushMap(Map map);
  std::optional<Tensor> geometryOf(Tensor t, unsigned map) const;
  std::optional<unsigned> emit(unsigned value, unsigned map);
  std::optional<unsigned> emitUncached(unsigned value, unsigned map);
  std::optional<unsigned> emitPointwise(const GroupStep &step, unsigned stepNumber, unsigned value, unsigned map);
  std::optional<unsigned> emitInput(unsigned input, unsigned map);
  std::optional<unsigned> emitFold(const GroupStep &step, unsigned stepNumber, unsigned map);
  bool isRepeatedAlongFold(const FoldFacts &fold, unsigned map) const;
  unsigned addOperand(unsigned source, const Tensor &geometry, bool isOutput);
  bool decideLayout(Launch &launch);
  void packSharedRows(Launch &launch) const;
  void keepRows(Launch &launch);

  const Group &group;
  const Facts &facts;
  const Dims sizes; ///< Of the walk.
  llvm::SmallVector<bool, 6> reduced; ///< The dimensions that folds go along; empty without folds.
  LoopNest nest;
  struct Operand {
    unsigned source;
    Tensor geometry;
  };
  std::vector<Operand> operands;
  std::vector<Map> maps{Map{}};
  llvm::DenseMap<std::pair<unsigned, unsigned>, unsigned> emitted;
  llvm::SmallVector<NumberSource, 4> numbers;
};

} // namespace tsc::fuser

#endif
