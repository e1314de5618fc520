//===- RuleEvaluator.cpp - Runs rules on what is known --------------------===//
//
// Interprets the graph of a rule over sizes that may be numbers, symbols or
// unknown. An If whose condition is unknown runs both ways and keeps what agrees;
// steps are bounded, as rules may loop.
//
//===----------------------------------------------------------------------===//
#include "RuleEvaluator.h"
#include "tsc/Analysis/PartialValues.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/ListEdits.h"

using namespace tsc;

std::optional<AbstractValue> RuleEvaluator::call(Function &rule, std::vector<AbstractValue> arguments) {
  lists.clear();
  steps = depth = undecided = 0;
  inDoubt = false;
  auto result = callFunction(rule, std::move(arguments));
  inDoubt |= !result;
  return result;
}

/// Whether an operator of a rule may raise, besides `assert`: it divides by what may be zero, or takes an element that
/// may not be there.
static bool mayRaise(const Node &node, ArrayRef<AbstractValue> operands) {
  if (node.hasTrait(Trait::FailsAtZero))
    return operands.size() != 2 || operands[1].asInt().value().value_or(0) == 0;
  if (node.kind() != aten::__getitem__)
    return false;
  const auto *list = operands.empty() ? nullptr : operands[0].asList();
  auto at = operands.size() == 2 ? operands[1].asInt().value() : std::nullopt;
  auto size = list ? static_cast<int64_t>(list->elements.size()) : 0;
  return !at || *at < -size || *at >= size;
}

AbstractValue &RuleEvaluator::slot(Frame &frame, const Value *value) {
  if (value->id() >= frame.size())
    frame.resize(value->id() + 1);
  return frame[value->id()];
}

const AbstractValue &RuleEvaluator::read(Frame &frame, const Value *value) {
  if (value->node()->kind() != prim::Constant)
    return slot(frame, value);
  auto [at, isNew] = constants.try_emplace(value);
  if (isNew)
    if (auto constant = constantValue(value))
      at->second = abstractConstant(*constant);
  return at->second;
}

std::optional<AbstractValue> RuleEvaluator::callFunction(Function &function, std::vector<AbstractValue> arguments) {
  // `unknown()` is the one function that has no meaning of its own: an int nobody knows.
  if (function.name() == "unknown")
    return AbstractValue();
  if (depth >= maxDepth || failed(function.ensureDefined()) || !function.graph())
    return std::nullopt;
  Graph &graph = *function.graph();
  if (graph.inputs().size() != arguments.size())
    return std::nullopt;
  Frame frame(graph.inputs().size() + 32);
  for (auto [input, argument] : llvm::zip(graph.inputs(), arguments))
    slot(frame, input) = std::move(argument);
  ++depth;
  bool returned = runBlock(graph.block(), frame);
  --depth;
  if (!returned)
    return std::nullopt;
  std::vector<AbstractValue> results;
  for (Value *output : graph.outputs())
    results.push_back(read(frame, output));
  return results.size() == 1 ? results.front() : AbstractValue::tuple(std::move(results));
}

bool RuleEvaluator::runBlock(const Block &block, Frame &frame) {
  for (const Node &node : block.nodes())
    if (++steps > maxSteps || !runNode(const_cast<Node &>(node), frame))
      return false;
  return true;
}

bool RuleEvaluator::runNode(Node &node, Frame &frame) {
  switch (node.kind().id()) {
  case SymbolId::prim_Constant: return true;
  case SymbolId::prim_RaiseException: return false;
  case SymbolId::prim_If: return runIf(node, frame);
  case SymbolId::prim_Loop: return runLoop(node, frame);
  case SymbolId::prim_CallFunction: return runCall(node, frame);
  case SymbolId::prim_Uninitialized: slot(frame, node.output()) = AbstractValue::nothing(); return true;
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_ListUnpack: {
    const AbstractValue &whole = read(frame, node.input());
    ArrayRef<AbstractValue> parts;
    if (whole.asTuple())
      parts = whole.asTuple()->elements;
    else if (whole.asList())
      parts = whole.asList()->elements;
    inDoubt |= parts.size() != node.numOutputs();
    std::vector<AbstractValue> copies(parts.begin(), parts.end());
    copies.resize(node.numOutputs());
    for (auto [output, part] : llvm::zip(node.outputs(), copies))
      slot(frame, output) = part;
    return true;
  }
  default: break;
  }
  if (listEdit(node.opKind()))
    return runListWrite(node, frame);
  llvm::SmallVector<AbstractValue, 4> operands;
  for (Value *input : node.inputs())
    operands.push_back(read(frame, input));
  if (node.numOutputs() != 1)
    return true;
  inDoubt |= mayRaise(node, operands);
  AbstractValue result = evaluatePartially(node, operands, symbols);
  track(result);
  slot(frame, node.output()) = std::move(result);
  return true;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void RuleEvaluator::track(const AbstractValue &value) {
  if (AbstractValue::ListRef list = value.listRef())
    lists.push_back(std::move(list));
}

RuleEvaluator::Snapshot RuleEvaluator::save() {
  Snapshot snapshot;
  snapshot.reserve(lists.size());
  for (const AbstractValue::ListRef &list : lists) {
    snapshot.push_back(*list);
    steps += 1 + static_cast<unsigned>(list->elements.size()); // a loop that makes lists would be quadratic
  }
  return snapshot;
}

void RuleEvaluator::restore(const Snapshot &snapshot) {
  for (auto [list, contents] : llvm::zip(lists, snapshot))
    *list = contents;
}

void RuleEvaluator::joinLists(const Snapshot &other) {
  for (auto [list, contents] : llvm::zip(lists, other)) {
    if (!list->isKnown || !contents.isKnown || list->elements.size() != contents.elements.size()) {
      list->isKnown = false;
      continue;
    }
    for (auto [mine, theirs] : llvm::zip(list->elements, contents.elements))
      mine = join(mine, theirs);
  }
}

bool RuleEvaluator::runListWrite(Node &node, Frame &frame) {
  AbstractValue::ListRef list = read(frame, node.input()).listRef();
  llvm::SmallVector<AbstractValue, 2> operands;
  for (Value *input : llvm::drop_begin(node.inputs()))
    operands.push_back(read(frame, input));
  if (!list) {
    inDoubt = true;
    return true;
  }
  ListEdit edit = *listEdit(node.opKind());
  ListEditOperands<AbstractValue> known;
  if (unsigned index = indexOperand(edit))
    known.index = operands[index - 1].asInt().value();
  if (unsigned element = elementOperand(edit))
    known.element = operands[element - 1];
  if (edit == ListEdit::Extend)
    if (auto other = operands[0].listRef(); other && other->isKnown)
      known.others = other->elements;
  AbstractValue popped;
  bool ok =
      list->isKnown && list->elements.size() < maxListLength && applyListEdit(edit, list->elements, known, popped);
  if (!ok) {
    list->isKnown = false;
    inDoubt = true;
  }
  if (node.numOutputs() == 1)
    slot(frame, node.output()) = edit == ListEdit::Pop ? popped : AbstractValue::list(list);
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

bool RuleEvaluator::runBranch(const Block &block, Frame &frame, std::vector<AbstractValue> &results) {
  if (!runBlock(block, frame))
    return false;
  for (Value *output : block.outputs())
    results.push_back(read(frame, output));
  return true;
}

bool RuleEvaluator::runIf(Node &node, Frame &frame) {
  std::vector<AbstractValue> results, others;
  if (const bool *known = read(frame, node.input()).asBool()) {
    if (!runBranch(node.block(*known ? 0 : 1), frame, results))
      return false;
  } else {
    ++undecided;
    Snapshot before = save();
    bool first = runBranch(node.block(0), frame, results);
    Snapshot afterFirst = save();
    restore(before);
    bool second = runBranch(node.block(1), frame, others);
    --undecided;
    if (!first && !second)
      return false;
    inDoubt |= !first || !second;
    if (first && second) {
      joinLists(afterFirst);
      for (auto [result, other] : llvm::zip(results, others))
        result = join(result, other);
    } else {
      if (first)
        restore(afterFirst);
      else
        results = std::move(others);
      assume(node.input(), first, frame);
    }
  }
  for (auto [output, result] : llvm::zip(node.outputs(), results))
    slot(frame, output) = std::move(result);
  return true;
}

/// After `assert a == b` both are the one of which more is known. Only where execution surely passes.
void RuleEvaluator::assume(const Value *condition, bool holds, Frame &frame) {
  Node *node = condition->definingNode();
  if (undecided || !node || (node->kind() != (holds ? aten::eq : aten::ne)) || node->numInputs() != 2)
    return;
  SymbolicInt a = read(frame, node->input(0)).asInt(), b = read(frame, node->input(1)).asInt();
  bool takeB = a.isUnknown() || (!b.isUnknown() && b.isConstant());
  SymbolicInt better = takeB ? b : a;
  for (Value *input : node->inputs())
    if (input->node()->kind() != prim::Constant && !better.isUnknown())
      slot(frame, input) = better;
}

bool RuleEvaluator::runLoop(Node &node, Frame &frame) {
  Block &body = node.block(0);
  std::vector<AbstractValue> carried;
  for (Value *input : llvm::drop_begin(node.inputs(), 2))
    carried.push_back(read(frame, input));
  SymbolicInt trips = read(frame, node.input(0)).asInt();
  AbstractValue goOn = read(frame, node.input(1));
  for (int64_t i = 0;; ++i) {
    if ((trips.isConstant() && i >= trips.constant()) || (goOn.asBool() && !*goOn.asBool()))
      break;
    if (!trips.isConstant() || !goOn.asBool()) {
      forgetLoop(node, frame);
      return true;
    }
    if (++steps > maxSteps) // its body may be empty
      return false;
    slot(frame, body.inputs()[0]) = AbstractValue(i);
    for (auto [parameter, value] : llvm::zip(body.inputs().drop_front(), carried))
      slot(frame, parameter) = value;
    if (!runBlock(body, frame))
      return false;
    goOn = read(frame, *body.outputs().begin());
    carried.clear();
    for (Value *output : llvm::drop_begin(body.outputs()))
      carried.push_back(read(frame, output));
  }
  for (auto [output, value] : llvm::zip(node.outputs(), carried))
    slot(frame, output) = std::move(value);
  return true;
}

/// A loop that runs an unknown number of times: what it carries and every list it may write is unknown.
void RuleEvaluator::forgetLoop(Node &node, Frame &frame) {
  inDoubt = true; // of what its body asserts
  Block &body = node.block(0);
  for (unsigned i = 0; i != node.numOutputs(); ++i) {
    bool isInvariant = body.returnNode().input(i + 1) == body.inputs()[i + 1];
    slot(frame, node.output(i)) = isInvariant ? read(frame, node.input(i + 2)) : AbstractValue();
  }
  for (const AbstractValue::ListRef &list : lists)
    list->isKnown = false;
}

bool RuleEvaluator::runCall(Node &node, Frame &frame) {
  Function *callee = read(frame, node.input(0)).asFunction();
  std::vector<AbstractValue> arguments;
  for (Value *input : llvm::drop_begin(node.inputs()))
    arguments.push_back(read(frame, input));
  if (!callee || node.numOutputs() != 1) {
    inDoubt = true;
    return true;
  }
  auto result = callFunction(*callee, std::move(arguments));
  if (!result)
    return false;
  slot(frame, node.output()) = std::move(*result);
  return true;
}
