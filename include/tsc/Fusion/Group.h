//===- Group.h - A fusion group, decoded --------------------------*- C++ -*-===//
//
// The subgraph of a prim::FusionGroup as the fuser reads it: numbered values, and
// steps that define them. Keeps nothing of the graph that it was made from.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUSION_GROUP_H
#define TSC_FUSION_GROUP_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Transforms/FusionDecomposition.h"
#include <memory>
#include <vector>

namespace tsc {
class Graph;
class Node;
} // namespace tsc

namespace tsc::fuser {

/// An operator of a group, with numbered values as operands and results.
struct GroupStep {
  /// What kind of operator a step is.
  enum Kind : uint8_t {
    Pointwise, ///< An operator that computes each element of its result by a scalar body.
    Cast,      ///< aten::to, type_as and tsc::written give the dtype of operand 1; contiguous gives a row-major tensor.
    Fill,      ///< Gives the shape of operand 0, filled with one number.
    IndexMap,  ///< Gives the elements of operand 0 in other places; one result, or the pieces of a split.
    Reshape,   ///< Gives the elements of operand 0 in row-major order, in another shape.
    Join,      ///< Concatenates or stacks its operands (cat, stack).
    Fold,      ///< Reduces operand 0 along some dimensions (FoldFacts).
    Number,    ///< Gives an int, a bool or a list of ints that shapes decide.
  };
  Kind kind;
  OpKind op = OpKind::Unknown;                       ///< Unknown for prim::ConstantChunk and prim::ListConstruct.
  PointwiseKind pointwise = PointwiseKind::NumKinds; ///< The operator of a Pointwise step.
  /// Numbers of values, in the order of the schema; for a Join, those of its pieces.
  llvm::SmallVector<unsigned, 4> operands = {};
  llvm::SmallVector<unsigned, 4> results = {}; ///< Numbers of values.
  int64_t dim = 0, chunks = 0; ///< The dimension of a Join or a ConstantChunk, and the number of chunks of the latter.

  /// Whether a Join gives its pieces a dimension more, as aten::stack does.
  bool stacks() const { return op == OpKind::Aten_stack; }
};

/// A condition on a value of the group, checked at run time, under which the kernels give the bits of the group's
/// operators. It is a FusionRequirement with the number of its value.
struct GroupRequirement {
  unsigned value;
  FusionRequirement::Kind kind;
};

/// A fusion group as numbered values and the steps that define them. The inputs have the first numbers.
class Group {
public:
  /// Decodes the subgraph of a prim::FusionGroup; `requirements` are conditions on its values. Returns null when the
  /// graph holds a node that no kernel can be made of, too many nodes, or an output that is no tensor of its own.
  static std::unique_ptr<Group> decode(const Graph &graph, ArrayRef<FusionRequirement> requirements = {});

  static constexpr unsigned none = ~0u; ///< Stands for no step.
  unsigned numInputs = 0;
  std::vector<GroupStep> steps;  ///< Each stands behind those that it reads.
  std::vector<unsigned> outputs; ///< Numbers of values.
  /// The step that defines a value (`none` for inputs and constants), and which of the step's results it is.
  struct Definition {
    unsigned step = none, result = 0;
  };
  std::vector<Definition> definitions;          ///< One for each value.
  std::vector<std::optional<IValue>> constants; ///< One for each value; nothing where it is no constant.
  std::vector<GroupRequirement> requirements;
  /// Whether the value of an input, and not only its kind, decides shapes; one for each input.
  std::vector<bool> shapesByValue;

private:
  friend class GroupDecoder;
};

} // namespace tsc::fuser

#endif
