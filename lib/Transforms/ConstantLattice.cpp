//===- ConstantLattice.cpp - What every value is known to be --------------===//
#include "ConstantLattice.h"
#include "NodeEquality.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Transforms/ConstantEvaluator.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// Larger tensors are not kept in a graph, unless an operand was as large.
static constexpr int64_t maxElements = int64_t{1} << 20;
static constexpr size_t maxListLength = 10000;

ConstantLattice::ConstantLattice(Graph &graph, const AliasAnalysis &aliases, ConstantEvaluator *evaluator,
                                 FoldedTypes types)
    : aliases(aliases), evaluator(evaluator), types(types), states(graph), queued(graph) {
  for (Value *input : graph.inputs())
    setVarying(input);
  enter(graph.block());
  // Returns come last, so that a loop joins what changed in its body all at once.
  while (!worklist.empty() || !returns.empty()) {
    Node *node = (worklist.empty() ? returns : worklist).pop_back_val();
    queued.erase(node);
    visit(*node);
  }
}

const IValue *ConstantLattice::constant(const Value *value) const {
  const State *state = states.find(value);
  return state && state->isKnown && !state->isVarying ? &state->value : nullptr;
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

/// Whether the value may be a constant at all: nobody changes what it refers to.
bool ConstantLattice::mayHold(const Value *value) const {
  if (types == FoldedTypes::Immutable && value->type()->isMutable())
    return false;
  return !aliases.hasWriters(value);
}

void ConstantLattice::setConstant(Value *value, const IValue &constant) {
  if (!mayHold(value) || !Graph::canBeConstant(constant))
    return setVarying(value);
  State &state = states[value];
  if (!state.isKnown) {
    state = {true, false, constant};
    pushUsers(value);
  } else if (!state.isVarying && !isSameConstant(state.value, constant)) {
    setVarying(value);
  }
}

void ConstantLattice::setVarying(Value *value) {
  State &state = states[value];
  if (state.isVarying)
    return;
  state = {true, true, IValue()};
  pushUsers(value);
}

void ConstantLattice::setVarying(Node &node) {
  for (Value *output : node.outputs())
    setVarying(output);
}

void ConstantLattice::join(Value *to, const Value *from) {
  if (isUnvisited(from))
    return;
  if (const IValue *value = constant(from)) {
    IValue copy = *value; // setting a state may move the others
    setConstant(to, copy);
  } else {
    setVarying(to);
  }
}

void ConstantLattice::push(Node *node) {
  if (queued.insert(node))
    (node->kind() == prim::Return ? returns : worklist).push_back(node);
}

void ConstantLattice::pushUsers(Value *value) {
  for (const Use &use : value->uses())
    if (use.user()->block() && running.contains(use.user()->block()))
      push(use.user());
}

void ConstantLattice::enter(Block &block) {
  if (!running.insert(&block).second)
    return;
  push(&block.returnNode());
  for (Node &node : llvm::reverse(block.nodes()))
    push(&node);
}

//===----------------------------------------------------------------------===//
// Transfer functions
//===----------------------------------------------------------------------===//

void ConstantLattice::visit(Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_Return: return visitReturn(node);
  case SymbolId::prim_If: return visitIf(node);
  case SymbolId::prim_Loop: return visitLoop(node);
  case SymbolId::prim_GetAttr: return visitAttribute(node);
  case SymbolId::prim_Constant:
    if (auto value = node.numOutputs() == 1 ? constantValue(node.output()) : std::nullopt)
      return setConstant(node.output(), *value);
    return setVarying(node);
  default: break;
  }
  for (Block &block : node.blocks()) { // run by somebody, with anything
    for (Value *input : block.inputs())
      setVarying(input);
    enter(block);
  }
  if (node.numBlocks())
    setVarying(node);
  else
    visitOperator(node);
}

void ConstantLattice::visitReturn(Node &node) {
  Node *owner = node.block()->owner();
  if (owner && (owner->kind() == prim::If || owner->kind() == prim::Loop))
    visit(*owner);
}

void ConstantLattice::visitIf(Node &node) {
  Value *condition = node.input(0);
  if (isUnvisited(condition) || node.numBlocks() != 2)
    return;
  const IValue *known = constant(condition);
  const bool isKnown = known && known->isBool();
  const bool taken = isKnown && known->toBool();
  for (unsigned b = 0; b != 2; ++b) {
    if (isKnown && taken != (b == 0))
      continue;
    enter(node.block(b));
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      join(node.output(i), node.block(b).returnNode().input(i));
  }
}

void ConstantLattice::visitLoop(Node &node) {
  Value *trips = node.input(0), *condition = node.input(1);
  if (isUnvisited(trips) || isUnvisited(condition))
    return;
  const IValue *knownTrips = constant(trips), *knownCondition = constant(condition);
  const bool neverRuns = (knownTrips && knownTrips->isInt() && knownTrips->toInt() <= 0) ||
                         (knownCondition && knownCondition->isBool() && !knownCondition->toBool());
  const bool surelyRuns = !neverRuns && knownTrips && knownTrips->isInt() && knownCondition && knownCondition->isBool();
  Block &body = node.block(0);
  if (!neverRuns) {
    setVarying(body.inputs()[0]);
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      join(body.inputs()[i + 1], node.input(i + 2));
    enter(body);
  }
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    if (!surelyRuns)
      join(node.output(i), node.input(i + 2));
    if (neverRuns)
      continue;
    join(body.inputs()[i + 1], body.returnNode().input(i + 1));
    join(node.output(i), body.returnNode().input(i + 1));
  }
}

/// Of the objects that are constants, those that C++ makes for archives keep their attributes: programs have no names
/// for them.
void ConstantLattice::visitAttribute(Node &node) {
  const auto object = constantValue(node.input(0));
  if (!object || !object->isObject() || !object->toObject().type->isNative())
    return setVarying(node);
  const ObjectValue &value = object->toObject();
  const auto index = value.type->findAttribute(std::get<std::string>(*node.attribute(attr::name)));
  if (!index || !isInstanceOf(value.slots[*index], node.output()->type())) // or it was never set
    return setVarying(node);
  setConstant(node.output(), value.slots[*index]);
}

void ConstantLattice::visitOperator(Node &node) {
  // One operand that varies decides; with one that is not visited yet the node comes again.
  std::vector<IValue> operands;
  bool isComplete = true;
  for (Value *input : node.inputs()) {
    if (isUnvisited(input)) {
      isComplete = false;
      continue;
    }
    const IValue *value = constant(input);
    if (!value)
      return setVarying(node);
    operands.push_back(*value);
  }
  if (!isComplete || llvm::all_of(node.outputs(), [&](Value *v) { return !isUnvisited(v); }))
    return;
  auto results =
      llvm::all_of(node.outputs(), [&](Value *v) { return mayHold(v); }) ? compute(node, operands) : std::nullopt;
  if (!results || results->size() != node.numOutputs())
    return setVarying(node);
  for (auto [output, result] : llvm::zip(node.outputs(), *results))
    setConstant(output, result);
}

//===----------------------------------------------------------------------===//
// Computing a node
//===----------------------------------------------------------------------===//

static int64_t numElements(const IValue &value) {
  if (value.isTensor())
    return value.asTensor().numel();
  int64_t largest = 0;
  if (value.isTensorList())
    for (const Tensor &tensor : value.toTensorList().elements)
      largest = std::max(largest, tensor.defined() ? tensor.numel() : 0);
  return largest;
}

/// Whether the result is small enough to stand in the graph.
static bool isModest(const IValue &result, llvm::ArrayRef<IValue> operands) {
  if (result.isList() && result.listSize() > maxListLength)
    return false;
  int64_t elements = numElements(result);
  return elements <= maxElements || llvm::any_of(operands, [&](const IValue &v) { return numElements(v) >= elements; });
}

/// Nodes without an operator: they make containers and take them apart.
static std::optional<std::vector<IValue>> computeContainer(const Node &node, llvm::ArrayRef<IValue> operands) {
  switch (node.kind().id()) {
  case SymbolId::prim_TupleConstruct: {
    const auto *type = dyn_cast<TupleType>(node.output()->type());
    return std::vector<IValue>{makeTuple(operands.vec(), type && type->isNamed() ? type : nullptr)};
  }
  case SymbolId::prim_ListConstruct: {
    const auto *type = dyn_cast<ListType>(node.output()->type());
    if (!type || llvm::any_of(operands, [&](const IValue &v) { return !isInstanceOf(v, type->element()); }))
      return std::nullopt;
    IValue list = makeList(type->element(), operands.size());
    for (const IValue &element : operands)
      appendToList(list, element);
    return std::vector<IValue>{list};
  }
  case SymbolId::prim_DictConstruct: {
    const auto *type = dyn_cast<DictType>(node.output()->type());
    if (!type || operands.size() % 2)
      return std::nullopt;
    auto dict = makeRef<DictValue>(type->key(), type->value());
    for (size_t i = 0; i + 1 < operands.size(); i += 2) {
      if (operands[i].isTensor()) // by identity
        return std::nullopt;
      dict->set(operands[i], operands[i + 1]);
    }
    return std::vector<IValue>{IValue(std::move(dict))};
  }
  case SymbolId::prim_TupleUnpack:
    return operands.size() == 1 && operands[0].isTuple() ? std::optional(operands[0].toTuple().elements) : std::nullopt;
  case SymbolId::prim_TupleIndex: {
    if (operands.size() != 2 || !operands[0].isTuple() || !operands[1].isInt())
      return std::nullopt;
    const auto &elements = operands[0].toTuple().elements;
    int64_t at = operands[1].toInt() + (operands[1].toInt() < 0 ? static_cast<int64_t>(elements.size()) : 0);
    if (at < 0 || at >= static_cast<int64_t>(elements.size()))
      return std::nullopt;
    return std::vector<IValue>{elements[at]};
  }
  case SymbolId::prim_ListUnpack: {
    if (operands.size() != 1 || !operands[0].isList())
      return std::nullopt;
    std::vector<IValue> elements;
    for (size_t i = 0; i != operands[0].listSize(); ++i)
      elements.push_back(operands[0].listElement(i));
    return elements;
  }
  default: return std::nullopt;
  }
}

std::optional<std::vector<IValue>> ConstantLattice::compute(Node &node, llvm::ArrayRef<IValue> operands) const {
  if (node.numOutputs() == 0)
    return std::nullopt;
  if (!node.record())
    return computeContainer(node, operands);
  if (!evaluator || !node.hasTrait(Trait::Pure))
    return std::nullopt;
  auto results = evaluator->evaluate(node, operands);
  if (!results || !llvm::all_of(*results, [&](const IValue &v) { return isModest(v, operands); }))
    return std::nullopt;
  return results;
}
