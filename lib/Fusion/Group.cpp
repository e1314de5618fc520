//===- Group.cpp - A fusion group, decoded --------------------------------===//
#include "tsc/Fusion/Group.h"
#include "tsc/Fusion/Folds.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/PointwiseKinds.h"
#include "tsc/Transforms/FusionDecomposition.h"
#include "tsc/Transforms/FusionRoles.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;
using namespace tsc::fuser;

namespace tsc::fuser {
class GroupDecoder {
public:
  explicit GroupDecoder(Group &group) : group(group) {}

  /// Many more than the groups that the pass makes have. Planning recurses from a result to what it is computed from.
  static constexpr size_t maxSteps = 1000;

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
      // What a group gives is tensors, and memory of its own.
      if (step == Group::none || group.steps[step].kind == GroupStep::IndexMap ||
          group.steps[step].kind == GroupStep::Number)
        return false;
      group.outputs.push_back(number);
    }
    return !group.outputs.empty();
  }

  /// A condition on a value of the group, which has been decoded.
  void require(const FusionRequirement &r) {
    assert(numbers.count(r.value) && "a requirement is of a value of the group");
    group.requirements.push_back({numbers.lookup(r.value), r.kind});
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
    if (node.kind() == prim::Constant)
      return decodeConstant(node);
    OpKind op = node.opKind();
    switch (fusionRole(node)) {
    case FusionRole::None: return false;
    case FusionRole::Number: return finish(GroupStep{GroupStep::Number, op}, node, node.outputs());
    case FusionRole::Pointwise: {
      GroupStep step{GroupStep::Pointwise, op};
      auto kind = pointwiseKindOf(op);
      step.pointwise = kind.value_or(PointwiseKind::NumKinds);
      return kind && finish(std::move(step), node, node.outputs());
    }
    case FusionRole::Cast: return finish(GroupStep{GroupStep::Cast, op}, node, node.outputs());
    case FusionRole::Fill: return finish(GroupStep{GroupStep::Fill, op}, node, node.outputs());
    case FusionRole::IndexMap: {
      GroupStep step{GroupStep::IndexMap, op};
      if (node.kind() == prim::ConstantChunk)
        step.dim = node.get<int64_t>(attr::dim), step.chunks = node.get<int64_t>(attr::chunks);
      return finish(std::move(step), node, node.outputs());
    }
    case FusionRole::Reshape: return finish(GroupStep{GroupStep::Reshape, op}, node, node.outputs());
    case FusionRole::Split: splits[node.output()] = &node; return true;
    case FusionRole::Pick: return decodePieces(node);
    case FusionRole::Gather: return true; // read by the Join
    case FusionRole::Concatenation: return decodeJoin(node);
    case FusionRole::Reduction:
      return foldSignature(op) && finish(GroupStep{GroupStep::Fold, op}, node, node.outputs());
    }
    return false;
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
    if (group.steps.size() == maxSteps)
      return false;
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
