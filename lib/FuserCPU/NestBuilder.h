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
  NestBuilder(const Group &group, const Facts &facts) : group(group), facts(facts) {}

  /// Stores value `from`, converted, into `geometry`, which is memory of output number `output`.
  bool addStore(unsigned from, const Tensor &geometry, unsigned output);
  /// Decides the order of dimensions and the classes of operands.
  bool finish(LoopNest &nest, Launch &launch);

private:
  /// How the elements of a value are reached from the nest: index maps, the outermost first. Number 0 is none.
  struct Map {
    unsigned outer;
    unsigned step, result; ///< An IndexMap step of the group, or
    Dims expandTo;         ///< (step == None) broadcasting.
    bool operator==(const Map &) const = default;
  };
  unsigned pushMap(Map map);
  std::optional<Tensor> geometryOf(unsigned input, unsigned map) const;
  std::optional<unsigned> emit(unsigned value, unsigned map);
  std::optional<unsigned> emitUncached(unsigned value, unsigned map);
  std::optional<unsigned> emitPointwise(const GroupStep &step, unsigned stepNumber, unsigned value, unsigned map);
  std::optional<unsigned> emitInput(unsigned input, unsigned map);
  unsigned addOperand(unsigned source, const Tensor &geometry, bool isOutput);
  bool decideLayout(Launch &launch);

  const Group &group;
  const Facts &facts;
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
