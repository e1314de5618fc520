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

struct GroupStep {
  enum Kind : uint8_t {
    Pointwise,
    Cast,     ///< aten::to, type_as, written: dtype of operand 1; contiguous: row-major.
    Fill,     ///< The same number everywhere.
    IndexMap, ///< Elements of operand 0 in other places; one result, or the pieces of a split.
    Reshape,  ///< The elements of operand 0 in row-major order, in another shape.
    Join,     ///< cat or stack of `pieces`.
    Fold,     ///< A reduction.
    Number,   ///< An int, or a list of ints, that shapes decide.
  };
  Kind kind;
  OpKind op = OpKind::Unknown; ///< Unknown: prim::ConstantChunk, prim::ListConstruct.
  PointwiseKind pointwise = PointwiseKind::NumKinds;
  llvm::SmallVector<unsigned, 4> operands = {}; ///< Values, in the order of the schema; of a Join, its pieces.
  llvm::SmallVector<unsigned, 4> results = {};  ///< Values.
  int64_t dim = 0, chunks = 0;                  ///< Of a Join or a ConstantChunk.

  /// Of a Join: its pieces have a dimension less.
  bool stacks() const { return op == OpKind::Aten_stack; }
};

/// What a value must be for the kernels to stand for the group (FusionRequirement, by number).
struct GroupRequirement {
  unsigned value;
  FusionRequirement::Kind kind;
};

class Group {
public:
  /// Null when it holds a node that no kernel can be made of.
  static std::unique_ptr<Group> decode(const Graph &graph, ArrayRef<FusionRequirement> requirements = {});

  static constexpr unsigned none = ~0u;
  unsigned numInputs = 0;
  std::vector<GroupStep> steps;
  std::vector<unsigned> outputs;
  /// By value: the step that defines it (none: an input or a constant), and which of its results it is.
  struct Definition {
    unsigned step = none, result = 0;
  };
  std::vector<Definition> definitions;
  std::vector<std::optional<IValue>> constants; ///< By value.
  std::vector<GroupRequirement> requirements;
  /// Inputs whose value, and not only its kind, decides shapes.
  std::vector<bool> shapesByValue;

private:
  friend class GroupDecoder;
};

} // namespace tsc::fuser

#endif
