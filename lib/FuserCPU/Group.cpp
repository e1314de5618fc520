//===- Group.cpp - A fusion group, decoded --------------------------------===//
#include "Group.h"
#include "Folds.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/FusionDecomposition.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;
using namespace tsc::fuser;

/// The point-wise operator that an overload is; NumKinds when it is none.
static PointwiseKind pointwiseKindOf(OpKind op) {
  using enum OpKind;
  static const llvm::DenseMap<unsigned, PointwiseKind> table = [] {
    static constexpr OpKind kinds[] = {
#include "tsc/Tensor/PointwiseKinds.inc"
    };
    llvm::DenseMap<unsigned, PointwiseKind> map;
    for (size_t i = 0; i != std::size(kinds); ++i)
      map[static_cast<unsigned>(kinds[i])] = static_cast<PointwiseKind>(i);
    return map;
  }();
  auto found = table.find(static_cast<unsigned>(op));
  return found == table.end() ? PointwiseKind::NumKinds : found->second;
}

/// Views that are index maps whatever the strides are; those of a list give its pieces.
static bool isIndexMap(OpKind op) {
  switch (op) {
  case OpKind::Aten_select_int: case OpKind::Aten_slice_Tensor: case OpKind::Aten_narrow: case OpKind::Aten_unsqueeze:
  case OpKind::Aten_squeeze: case OpKind::Aten_squeeze_dim: case OpKind::Aten_expand: case OpKind::Aten_expand_as:
  case OpKind::Aten_broadcast_to: case OpKind::Aten_transpose_int: case OpKind::Aten_swapaxes: case OpKind::Aten_swapdims:
  case OpKind::Aten_t: case OpKind::Aten_permute: case OpKind::Aten_chunk: case OpKind::Aten_split_Tensor:
  case OpKind::Aten_split_sizes: case OpKind::Aten_split: case OpKind::Aten_split_with_sizes: case OpKind::Aten_unbind_int:
    return true;
  default:
    return false;
  }
}

namespace tsc::fuser {
class GroupDecoder {
public:
  explicit GroupDecoder(Group &group) : group(group) {}

  bool decode(const Graph &graph) {
    for (const Value *input : graph.inputs())
      define(input);
    group.numInputs = static_cast<unsigned>(graph.inputs().size());
    group.shapesByValue.assign(group.numInputs, false);
    for (const Node &node : graph.block().nodes())
      if (!decodeNode(node))
        return false;
    for (const Value *output : graph.outputs()) {
      if (!numbers.count(output))
        return false;
      unsigned number = numbers.lookup(output), step = group.definitions[number].step;
      // What a group gives is memory of its own.
      if (step == Group::None || group.steps[step].kind == GroupStep::IndexMap)
        return false;
      group.outputs.push_back(number);
    }
    return !group.outputs.empty();
  }

  void require(const FusionRequirement &r) {
    auto like = r.sameDTypeAs ? std::optional(numbers.lookup(r.sameDTypeAs)) : std::nullopt;
    group.requirements.push_back({numbers.lookup(r.value), like, r.isRowMajor, r.hasOnlyTrailing, Dims(r.trailing.begin(), r.trailing.end())});
  }

private:
  unsigned define(const Value *value, Group::Definition definition = {}) {
    unsigned number = static_cast<unsigned>(group.definitions.size());
    group.definitions.push_back(definition);
    group.constants.emplace_back();
    numbers[value] = number;
    return number;
  }

  bool decodeNode(const Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_Constant: return decodeConstant(node);
    case SymbolId::prim_ListConstruct: return true; // read by the Join
    case SymbolId::prim_ListUnpack: return decodePieces(node);
    case SymbolId::prim_ConstantChunk: {
      GroupStep step{GroupStep::IndexMap};
      step.dim = node.get<int64_t>(attr::dim);
      step.chunks = node.get<int64_t>(attr::chunks);
      return finish(std::move(step), node, node.outputs());
    }
    default: break;
    }
    OpKind op = node.opKind();
    GroupStep step{GroupStep::Pointwise, op};
    if (node.numOutputs() != 1 || node.numBlocks() != 0)
      return false;
    step.pointwise = pointwiseKindOf(op);
    if (step.pointwise != PointwiseKind::NumKinds)
      return finish(std::move(step), node, node.outputs());
    if (op == OpKind::Aten_to_dtype || op == OpKind::Aten_to_prim_dtype || op == OpKind::Aten_type_as) {
      step.kind = GroupStep::Cast;
      return finish(std::move(step), node, node.outputs());
    }
    if (op == OpKind::Aten_cat || op == OpKind::Aten_stack)
      return decodeJoin(node);
    if (foldSignature(op)) {
      step.kind = GroupStep::Fold;
      return finish(std::move(step), node, node.outputs());
    }
    if (!isIndexMap(op))
      return false;
    step.kind = GroupStep::IndexMap;
    if (node.output()->type()->isTensor())
      return finish(std::move(step), node, node.outputs());
    splits[node.output()] = &node;
    return true;
  }

  bool decodeConstant(const Node &node) {
    auto constant = constantValue(node.output());
    if (!constant)
      return false;
    group.constants[define(node.output())] = std::move(*constant);
    return true;
  }

  /// A split and what takes its list apart are one step.
  bool decodePieces(const Node &unpack) {
    const Node *split = splits.lookup(unpack.input());
    return split && finish(GroupStep{GroupStep::IndexMap, split->opKind()}, *split, unpack.outputs());
  }

  bool decodeJoin(const Node &node) {
    const Node *list = node.input(0)->node();
    auto dim = constantValue(node.input(1));
    if (list->kind() != prim::ListConstruct || !dim || !dim->isInt())
      return false;
    GroupStep step{GroupStep::Join, node.opKind()};
    step.dim = dim->toInt();
    return finish(std::move(step), *list, node.outputs());
  }

  /// Operands from `reader`, results as listed.
  bool finish(GroupStep step, const Node &reader, ArrayRef<Value *> results) {
    for (const Value *operand : reader.inputs()) {
      auto found = numbers.find(operand);
      if (found == numbers.end())
        return false;
      unsigned number = found->second;
      step.operands.push_back(number);
      if (step.kind != GroupStep::Pointwise && number < group.numInputs && !operand->type()->isTensor())
        group.shapesByValue[number] = true;
    }
    unsigned index = static_cast<unsigned>(group.steps.size());
    for (unsigned i = 0; i != results.size(); ++i)
      step.results.push_back(define(results[i], {index, i}));
    group.steps.push_back(std::move(step));
    return true;
  }

  Group &group;
  llvm::DenseMap<const Value *, unsigned> numbers;
  llvm::DenseMap<const Value *, const Node *> splits; ///< Lists that are not unpacked yet.
};
} // namespace tsc::fuser

std::unique_ptr<Group> Group::decode(const Graph &graph, ArrayRef<FusionRequirement> requirements) {
  auto group = std::make_unique<Group>();
  GroupDecoder decoder(*group);
  if (!decoder.decode(graph))
    return nullptr;
  for (const FusionRequirement &requirement : requirements)
    decoder.require(requirement);
  return group;
}
