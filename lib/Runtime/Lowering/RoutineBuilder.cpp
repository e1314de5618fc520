//===- RoutineBuilder.cpp - From a graph to a routine ---------------------===//
//
// Flattens control flow. A comparison that is used once, by the branch right after
// it, becomes a branch that compares; so do `and`, `or` and `not` of such, which
// arrive as nested Ifs. What each node becomes is in Selection.cpp.
//
//===----------------------------------------------------------------------===//
#include "RoutineBuilder.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Stack.h"
#include <utility>

using namespace tsc;

static constexpr unsigned maxNesting = 2000;

StatusOr<Routine> tsc::lower(const Graph &graph, const LoweringOptions &options) {
  return RoutineBuilder(graph, options).build();
}

RoutineBuilder::RoutineBuilder(const Graph &graph, const LoweringOptions &options) : graph(graph), options(options) {
  routine.graph = &graph;
}

RoutineBuilder::~RoutineBuilder() = default;

StatusOr<Routine> RoutineBuilder::build() {
  TSC_RETURN_IF_ERROR(checkControlFlow(graph.block(), 0));
  findEffects();
  liveness = std::make_unique<LiveRanges>(graph);
  placeConstants(graph.block());
  findConditions(graph.block());
  const SlotAllocator allocator(routine, *liveness, [&](const Value *value) { return needsSlot(value); });
  for (const Value *input : graph.inputs())
    routine.inputs.push_back(slotOf(input).number());
  emitDrops(liveness->droppedAtStart(&graph.block()));
  emitBlock(graph.block());
  const Node &returns = graph.block().returnNode();
  routine.numOutputs = returns.numInputs();
  currentNode = &returns;
  emitLists(StepKind::Return, operandList(&returns));
  assert(findMistake(routine).empty() && "a routine is consistent");
  return std::move(routine);
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

/// The graph that runs where the guard of a prim::BailOut fails; null for other nodes.
static const Graph *restOf(const Node &node) {
  const AttributeValue *attribute = node.kind() == prim::BailOut ? node.attribute(attr::Subgraph) : nullptr;
  const auto *rest = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
  return rest ? rest->get() : nullptr;
}

/// Whether a node that may run passes the test.
template <typename F> static bool anyNode(const Block &block, F &&test) {
  return llvm::any_of(block.nodes(), [&](const Node &node) {
    if (test(node) || llvm::any_of(node.blocks(), [&](const Block &inner) { return anyNode(inner, test); }))
      return true;
    const Graph *rest = restOf(node);
    return rest && anyNode(rest->block(), test);
  });
}

/// Whether the node runs code that has effects of its own.
static bool isCall(const Node &node) {
  return node.kind() == prim::CallFunction || node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall ||
         node.kind() == prim::fork;
}

void RoutineBuilder::findEffects() {
  routine.mayDraw = anyNode(graph.block(), [](const Node &node) { return changesGenerator(node) || isCall(node); });
  routine.asksForGradients =
      anyNode(graph.block(), [](const Node &node) { return tsc::asksForGradients(node) || isCall(node); }) ||
      anyNode(graph.block(), showsValues) || anyNode(graph.block(), writesToLeaf) ||
      (anyNode(graph.block(), mayMakeLeaf) &&
       anyNode(graph.block(), [](const Node &node) { return node.opKind() == OpKind::Prim_requires_grad; }));
  auto mayBeSeen = [](const Node &node) {
    return node.hasSideEffects() || !node.schema() || node.schema()->isMutating();
  };
  if (options.notesEffects && anyNode(graph.block(), mayBeSeen))
    effects = std::make_unique<AliasAnalysis>(graph);
}

/// Notes, before a node whose effect can be seen from outside, that it can, unless that surely is known. Code that is
/// called tells of its own; drawing random numbers, and grad mode, can be taken back.
void RoutineBuilder::noteEffect(const Node &node) {
  // Grad mode; and what asks for gradients, which code without a tape refuses. With one they are added to what is
  // there.
  const bool isRefused = tsc::asksForGradients(node) && !options.isForTape;
  const bool isRestored = node.kind() == prim::Enter || node.kind() == prim::Exit || isRefused;
  // A guard does nothing, and what is done where it fails notes its own effects.
  const bool isGuard = node.kind() == prim::BailOut || node.kind() == prim::Guard || node.kind() == prim::profile;
  if (!effects || isNoted || node.numBlocks() || isCall(node) || isRestored || isGuard || !effects->isObservable(node))
    return;
  emit(StepKind::Observe);
  isNoted = true;
}

Status RoutineBuilder::checkControlFlow(const Block &block, unsigned depth) {
  if (depth > maxNesting)
    return resourceExhausted("blocks are nested too deeply");
  constexpr size_t stackPerBlock = 1024; // of the steps that follow
  TSC_RETURN_IF_ERROR(checkStack(stackForLeaves + depth * stackPerBlock, "code of blocks nested so deeply"));
  for (const Node &node : block.nodes()) {
    bool good = node.kind() == prim::If     ? node.numBlocks() == 2 && node.numInputs() == 1
                : node.kind() == prim::Loop ? node.numBlocks() == 1 && node.numInputs() == node.numOutputs() + 2 &&
                                                  node.block(0).inputs().size() == node.numOutputs() + 1 &&
                                                  node.block(0).numOutputs() == node.numOutputs() + 1
                                            : node.numBlocks() == 0;
    if (good && node.kind() == prim::If)
      good = node.block(0).numOutputs() == node.numOutputs() && node.block(1).numOutputs() == node.numOutputs();
    if (node.kind().id() == SymbolId::prim_Constant && node.numOutputs() == 1)
      if (auto value = constantValue(node.output()); value && !hasRepresentationOf(*value, node.output()->type()))
        return invalidArgument("a constant of type " + node.output()->type()->str() + " holds a value of another type");
    if (!good)
      return invalidArgument("the interpreter cannot run '" + node.kindName() + "' with these blocks");
    for (const Block &inner : node.blocks())
      TSC_RETURN_IF_ERROR(checkControlFlow(inner, depth + 1));
  }
  return okStatus();
}

void RoutineBuilder::placeConstants(const Block &block) {
  auto place = [&](const Value *output, IValue value) {
    const bool isScalar = value.isInt() || value.isDouble() || value.isBool();
    const SlotClass held = value.isInt() ? SlotClass::Int : value.isDouble() ? SlotClass::Float : SlotClass::Bool;
    constants[output] = routine.constants.size();
    routine.constants.push_back(
        {std::move(value), isScalar && classOf(output) != SlotClass::Value ? held : SlotClass::Value});
  };
  for (const Node &node : block.nodes()) {
    SymbolId kind = node.kind().id();
    if (kind == SymbolId::prim_Constant && node.numOutputs() == 1)
      place(node.output(), constantValue(node.output()).value_or(placeholderFor(node.output()->type())));
    else if (kind == SymbolId::prim_Uninitialized)
      for (const Value *output : node.outputs())
        place(output, placeholderFor(output->type()));
    for (const Block &inner : node.blocks())
      placeConstants(inner);
  }
}

bool RoutineBuilder::needsSlot(const Value *value) const {
  return !isConst(value) && !conditions.contains(value->node());
}

/// The node before `node`, or the last of the block for its return node; constants are passed over.
static const Node *computedJustBefore(const Node *node) {
  const Block *block = node->block();
  const Node *at =
      node == &block->returnNode() ? (block->nodes().empty() ? nullptr : &block->nodes().back()) : node->previous();
  while (at && (at->kind().id() == SymbolId::prim_Constant || at->kind().id() == SymbolId::prim_Uninitialized))
    at = at->previous();
  return at;
}

void RoutineBuilder::findConditions(const Block &block) {
  for (const Node &node : block.nodes()) {
    if (node.kind() == prim::If)
      markCondition(&node, node.input(0));
    else if (node.kind() == prim::Loop) {
      markCondition(&node, node.input(1));
      markCondition(&node.block(0).returnNode(), node.block(0).returnNode().input(0));
    }
    for (const Block &inner : node.blocks())
      findConditions(inner);
  }
}

std::optional<bool> tsc::identityTest(const Node &node) {
  if (node.kind() == aten::__is__)
    return true;
  return node.kind() == aten::__isnot__ ? std::optional(false) : std::nullopt;
}

/// Whether `node` becomes a jump of `consumer`, which branches on its result and does nothing else with it.
void RoutineBuilder::markCondition(const Node *consumer, const Value *condition) {
  const Node *node = condition->node();
  if (!condition->hasOneUse() || node->numOutputs() != 1 || node->block() != consumer->block() ||
      computedJustBefore(consumer) != node || node == &node->block()->paramNode() || conditions.contains(node))
    return;
  auto matches = [&](const ScalarPattern &pattern) {
    for (unsigned i = 0; i != node->numInputs(); ++i)
      if (classOf(node->input(i)) != pattern.operands[i])
        return false;
    return true;
  };
  switch (node->kind().id()) {
  case SymbolId::prim_If:
    if (classOf(condition) != SlotClass::Bool)
      return;
    conditions.insert(node);
    for (const Block &branch : node->blocks())
      markCondition(&branch.returnNode(), branch.returnNode().input(0));
    return;
  case SymbolId::aten___not__:
    if (node->numInputs() == 1 && classOf(node->input(0)) == SlotClass::Bool) {
      conditions.insert(node);
      markCondition(node, node->input(0));
    }
    return;
  default: {
    if (identityTest(*node)) {
      if (node->numInputs() == 2 && classOf(node->input(0)) == SlotClass::Value && node->input(1)->type()->isNone())
        conditions.insert(node);
      return;
    }
    auto pattern = scalarPattern(*node);
    if (pattern && node->numInputs() == 2 && signatureOf(pattern->op).isComparison && matches(*pattern))
      conditions.insert(node);
  }
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Operand RoutineBuilder::slotOf(const Value *value) const {
  const uint32_t slot = routine.slotOfValue[value->id()];
  assert(slot != Routine::noSlot && "a value that has a slot");
  return Operand::slot(slot);
}

Operand RoutineBuilder::addConstant(IValue value) {
  routine.constants.push_back({std::move(value), SlotClass::Value, /*isUsed=*/true});
  return Operand::constant(routine.constants.size() - 1);
}

Operand RoutineBuilder::operand(const Node *user, unsigned index) {
  const Value *value = user->input(index);
  if (isConst(value)) {
    const unsigned number = constants.lookup(value);
    routine.constants[number].isUsed = true;
    return Operand::constant(number);
  }
  const bool isLastUse = classOf(value) == SlotClass::Value && liveness->isLastUse(user, index);
  return Operand::slot(slotOf(value).number(), isLastUse);
}

Operand RoutineBuilder::optionalResult(const Node *node, unsigned index) {
  const Value *value = node->output(index);
  if (value->hasUses() || classOf(value) != SlotClass::Value)
    return slotOf(value);
  discarded.insert(value);
  return {};
}

OperandList RoutineBuilder::listOf(llvm::ArrayRef<Operand> list) {
  const OperandList result{static_cast<uint32_t>(routine.operands.size()), static_cast<uint32_t>(list.size())};
  routine.operands.insert(routine.operands.end(), list.begin(), list.end());
  return result;
}

OperandList RoutineBuilder::operandList(const Node *node, unsigned first) {
  llvm::SmallVector<Operand, 8> list;
  for (unsigned i = first; i < node->numInputs(); ++i)
    list.push_back(operand(node, i));
  return listOf(list);
}

OperandList RoutineBuilder::resultList(const Node *node) {
  llvm::SmallVector<Operand, 4> list;
  for (unsigned i = 0; i != node->numOutputs(); ++i)
    list.push_back(optionalResult(node, i));
  return listOf(list);
}

int32_t RoutineBuilder::typeEntry(TypeEntry entry) {
  routine.types.push_back(std::move(entry));
  return static_cast<int32_t>(routine.types.size() - 1);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Step &RoutineBuilder::emit(StepKind kind, Operand result, Operand a, Operand b, Operand c) {
  Step &step = routine.steps.emplace_back();
  step.kind = kind;
  step.result = result;
  step.a = a;
  step.b = b;
  step.c = c;
  step.node = currentNode;
  routine.ranges.push_back(range);
  return step;
}

Step &RoutineBuilder::emitLists(StepKind kind, OperandList list, OperandList results) {
  Step &step = emit(kind);
  step.list = list;
  step.results = results;
  return step;
}

void RoutineBuilder::removeLastStep() {
  routine.steps.pop_back();
  routine.ranges.pop_back();
}

Step &RoutineBuilder::emitJump(StepKind kind, Label &target, Operand a, Operand b) {
  target.jumps.push_back(here());
  return emit(kind, {}, a, b);
}

void RoutineBuilder::bind(Label &label, int position) {
  for (int jump : label.jumps)
    routine.steps[jump].target = position;
  label.jumps.clear();
}

void RoutineBuilder::emitBlock(const Block &block) {
  for (const Node &node : block.nodes()) {
    if (conditions.contains(&node))
      continue; // its consumer emits it
    range = node.range();
    currentNode = &node;
    noteEffect(node);
    emitNode(&node);
    emitDrops(liveness->droppedAfter(&node));
  }
}

void RoutineBuilder::emitDrops(llvm::ArrayRef<Value *> values) {
  for (const Value *value : values)
    if (needsSlot(value) && classOf(value) == SlotClass::Value && !discarded.contains(value))
      emit(StepKind::Drop, {}, Operand::slot(slotOf(value).number(), /*isLastUse=*/true));
}

void RoutineBuilder::emitIf(const Node *node) {
  const bool before = isNoted;
  bool inAll = true;
  auto emitSide = [&](unsigned side) {
    isNoted = before;
    const Block &branch = node->block(side);
    emitDrops(liveness->droppedAtStart(&branch));
    emitBlock(branch);
    range = node->range();
    currentNode = node;
    emitMoves(&branch.returnNode(), 0, node->outputs());
    inAll &= isNoted;
    isNoted = inAll;
  };
  if (isConst(node->input(0)) && constOf(node->input(0)).isBool())
    return emitSide(constOf(node->input(0)).toBool() ? 0 : 1);
  Label otherwise, done;
  emitBranch(node, 0, false, otherwise);
  emitSide(0);
  emitJump(StepKind::Jump, done);
  int otherStart = here();
  emitSide(1);
  if (here() == otherStart) { // nothing to jump over
    removeLastStep();
    done.jumps.clear();
    otherStart = here();
  }
  bind(otherwise, otherStart);
  bind(done);
}

void RoutineBuilder::emitLoop(const Node *node) {
  const Block &body = node->block(0);
  const Node &next = body.returnNode();
  const Value *limit = node->input(0);
  auto isTrue = [&](const Value *value) {
    return isConst(value) && constOf(value).isBool() && constOf(value).toBool();
  };
  bool endless =
      isConst(limit) && constOf(limit).isInt() && constOf(limit).toInt() == std::numeric_limits<int64_t>::max();
  bool counted = !endless || body.inputs()[0]->hasUses();
  llvm::ArrayRef<Value *> carried = body.inputs().drop_front();
  Label skip, exit, done, again;

  if (!isTrue(node->input(1)))
    emitBranch(node, 1, false, skip);
  emitMoves(node, 2, carried);
  const Operand counter = slotOf(body.inputs()[0]), bound = operand(node, 0);
  if (counted)
    emitJump(StepKind::LoopEnter, exit, bound).result = counter;
  int start = here();
  emitDrops(liveness->droppedAtStart(&body));
  const bool before = isNoted;
  emitBlock(body);
  isNoted = before; // there may be no trip
  range = node->range();
  currentNode = node;
  if (!isTrue(next.input(0)))
    emitBranch(&next, 0, false, done);
  emitMoves(&next, 1, carried);
  if (counted)
    emitJump(StepKind::LoopNext, again, bound).result = counter;
  else
    emitJump(StepKind::JumpBack, again);
  bind(again, start);
  // Leaving through a condition still passes the values on; when that takes no move it is the exit itself.
  auto leaveThrough = [&](Label &label, const Node *from, unsigned first) {
    if (label.jumps.empty())
      return;
    emitJump(StepKind::Jump, exit);
    int at = here();
    emitMoves(from, first, carried);
    if (here() == at) {
      removeLastStep();
      exit.jumps.pop_back();
      exit.jumps.append(label.jumps.begin(), label.jumps.end());
    } else {
      bind(label, at);
    }
    label.jumps.clear();
  };
  leaveThrough(done, &next, 1);
  leaveThrough(skip, node, 2);
  bind(exit);
  for (unsigned i = 0; i != node->numOutputs(); ++i)
    if (!isSamePlace(slotOf(carried[i]), slotOf(node->output(i)))) {
      const bool isValue = classOf(carried[i]) == SlotClass::Value;
      emitMove({Operand::slot(slotOf(carried[i]).number(), isValue), slotOf(node->output(i))});
    }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void RoutineBuilder::emitBranch(const Node *user, unsigned index, bool sense, Label &target) {
  const Value *condition = user->input(index);
  if (isConst(condition) && constOf(condition).isBool()) {
    if (constOf(condition).toBool() == sense)
      emitJump(StepKind::Jump, target);
    return;
  }
  const Node *node = condition->node();
  if (!isConst(condition) && conditions.contains(node)) {
    SourceRange outer = range;
    const Node *outerNode = std::exchange(currentNode, node);
    range = node->range();
    if (node->kind() == prim::If)
      emitIfCondition(node, sense, target);
    else if (node->kind().id() == SymbolId::aten___not__)
      emitBranch(node, 0, !sense, target);
    else
      emitComparisonJump(node, sense, target);
    range = outer;
    currentNode = outerNode;
    return;
  }
  Operand at = operand(user, index);
  if (classOf(condition) == SlotClass::Value) { // ill-typed IR; checked when it runs
    emitMove({at, scratch(SlotClass::Bool)});
    at = scratch(SlotClass::Bool);
  }
  emitJump(StepKind::Branch, target, at).sense = sense;
}

void RoutineBuilder::emitComparisonJump(const Node *node, bool sense, Label &target) {
  if (std::optional<bool> whenSame = identityTest(*node)) {
    emitJump(StepKind::BranchNone, target, operand(node, 0)).sense = *whenSame == sense;
    return;
  }
  const ScalarPattern pattern = *scalarPattern(*node);
  const Operand a = operand(node, pattern.areSwapped), b = operand(node, 1 - pattern.areSwapped);
  Step &step = emitJump(StepKind::BranchCompare, target, a, b);
  step.scalarOp = pattern.op;
  step.sense = sense;
}

/// `a and b`, `a or b`: an If whose result is a condition. A side that is a constant needs no code.
void RoutineBuilder::emitIfCondition(const Node *node, bool sense, Label &target) {
  auto constantSide = [&](unsigned side) -> std::optional<bool> {
    const Block &branch = node->block(side);
    const Value *result = branch.returnNode().input(0);
    bool empty =
        llvm::all_of(branch.nodes(), [&](const Node &n) { return n.kind().id() == SymbolId::prim_Constant; }) &&
        llvm::none_of(liveness->droppedAtStart(&branch),
                      [&](const Value *v) { return classOf(v) == SlotClass::Value && needsSlot(v); });
    if (empty && isConst(result) && constOf(result).isBool())
      return constOf(result).toBool();
    return std::nullopt;
  };
  const bool before = isNoted;
  auto emitSide = [&](unsigned side) {
    const Block &branch = node->block(side);
    emitDrops(liveness->droppedAtStart(&branch));
    emitBlock(branch);
    isNoted = before; // the other side does not know
    emitBranch(&branch.returnNode(), 0, sense, target);
  };
  Label end;
  for (unsigned side : {1u, 0u})
    if (auto constant = constantSide(side)) {
      emitBranch(node, 0, side == 0, *constant == sense ? target : end);
      emitSide(1 - side);
      return bind(end);
    }
  Label otherwise;
  emitBranch(node, 0, false, otherwise);
  emitSide(0);
  emitJump(StepKind::Jump, end);
  bind(otherwise);
  emitSide(1);
  bind(end);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

Operand RoutineBuilder::scratch(SlotClass kind, unsigned number) {
  assert((number == 0 || kind == SlotClass::Float) && "two scratch slots are of floats alone");
  std::optional<unsigned> &known = number ? secondFloatScratch : scratchSlots[static_cast<unsigned>(kind)];
  if (!known) {
    known = routine.slots.size();
    const bool isValue = kind == SlotClass::Value;
    const Type *type = kind == SlotClass::Int     ? Type::intType()
                       : kind == SlotClass::Float ? Type::floatType()
                       : kind == SlotClass::Bool  ? Type::boolType()
                                                  : Type::anyType();
    routine.slots.push_back(
        {kind, /*isScratch=*/true, isValue ? routine.numValuePlaces++ : routine.numScalarPlaces++, type});
  }
  return Operand::slot(*known);
}

std::optional<uint32_t> RoutineBuilder::placeOf(Operand operand) const {
  if (!operand.isSlot())
    return std::nullopt;
  const Slot &slot = slotOf(operand);
  return slot.place * 2 + (slot.kind == SlotClass::Value);
}

void RoutineBuilder::emitMoves(const Node *user, unsigned first, llvm::ArrayRef<Value *> targets) {
  llvm::SmallVector<PendingMove, 8> pending;
  llvm::SmallDenseSet<uint32_t, 4> kept; // places whose value stays where it is
  for (unsigned i = 0; i != targets.size(); ++i) {
    if (!needsSlot(targets[i]))
      continue;
    PendingMove move{operand(user, first + i), slotOf(targets[i])};
    if (isSamePlace(move.from, move.to)) {
      assert(move.from.number() == move.to.number() && "a value that stays where it is has been joined");
      kept.insert(*placeOf(move.to));
    } else {
      pending.push_back(move);
    }
  }
  for (PendingMove &move : pending)
    if (move.from.isLastUse() && kept.contains(*placeOf(move.from)))
      move.from = move.from.kept();
  auto blocked = [&](size_t i) {
    for (size_t j = 0; j != pending.size(); ++j)
      if (j != i && (isSamePlace(pending[j].from, pending[i].to) ||
                     (pending[i].from.isLastUse() && isSamePlace(pending[j].from, pending[i].from))))
        return true;
    return false;
  };
  while (!pending.empty()) {
    size_t free = 0;
    while (free != pending.size() && blocked(free))
      ++free;
    if (free != pending.size()) {
      emitMove(pending[free]);
      pending.erase(pending.begin() + free);
      continue;
    }
    // Every target is some other's source: step out of the cycle through a scratch slot.
    const Operand source = pending[0].from.kept();
    const SlotClass kind = slotOf(source).kind;
    const bool isValue = kind == SlotClass::Value;
    const Operand temporary = scratch(kind);
    emitMove({Operand::slot(source.number(), isValue), temporary});
    bool isLast = isValue;
    for (PendingMove &move : llvm::reverse(pending))
      if (isSamePlace(move.from, source))
        move.from = Operand::slot(temporary.number(), std::exchange(isLast, false));
  }
}
