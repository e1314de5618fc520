//===- CodeBuilder.cpp - From a graph to instructions ---------------------===//
//
// Flattens control flow. A comparison that is used once, by the branch right after
// it, becomes a compare-and-branch; so do `and`, `or` and `not` of such, which
// arrive as nested Ifs. What each node becomes is in Selection.cpp.
//
//===----------------------------------------------------------------------===//
#include "CodeBuilder.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Support/Stack.h"

using namespace tsc;

static constexpr unsigned maxNesting = 2000;

CodeBuilder::CodeBuilder(const Graph &graph, llvm::StringRef name, CodeCache &cache)
    : graph(graph), code(std::make_unique<CodeImpl>()) {
  code->name = name.str();
  code->cache = &cache;
  installOperatorServices(graph.context());
  code->accelerator = acceleratorOf(graph.context());
  if (code->accelerator)
    code->number = code->accelerator->numberOfCode();
}

CodeBuilder::~CodeBuilder() = default;

StatusOr<std::unique_ptr<CodeImpl>> CodeBuilder::build() {
  TSC_RETURN_IF_ERROR(checkControlFlow(graph.block(), 0));
  findEffects();
  liveness = std::make_unique<LiveRanges>(graph);
  placeConstants(graph.block());
  findConditions(graph.block());
  auto needs = [&](const Value *value) { return needsRegister(value); };
  registers = std::make_unique<Registers>(graph, *liveness, needs);
  for (IValue &value : constantValues)
    if (value.isInt() || value.isDouble() || value.isBool())
      constantSlots.push_back(registers->addScalar(value.isInt()      ? SlotClass::Int
                                                   : value.isDouble() ? SlotClass::Float
                                                                      : SlotClass::Bool));
    else
      constantSlots.push_back(0);
  constantPlaces.assign(constantValues.size(), noOperand);
  for (SlotClass kind : {SlotClass::Int, SlotClass::Float, SlotClass::Bool})
    temporarySlots[static_cast<unsigned>(kind)] = registers->addScalar(kind);
  secondFloatTemporary = registers->addScalar(SlotClass::Float);
  temporarySlots[static_cast<unsigned>(SlotClass::Value)] = registers->addValue();

  for (const Value *input : graph.inputs())
    code->inputSlots.push_back(registerOf(input));
  emitDrops(liveness->droppedAtStart(&graph.block()));
  emitBlock(graph.block());
  const Node &returns = graph.block().returnNode();
  code->numOutputs = returns.numInputs();
  if (returns.numInputs() == 1)
    emit(Opcode::Return1, operand(&returns, 0));
  else
    emit(Opcode::Return, operandList(&returns));
  finish();
  return std::move(code);
}

//===----------------------------------------------------------------------===//
// Analysis
//===----------------------------------------------------------------------===//

template <typename F> static bool anyNode(const Block &block, F &&test) {
  return llvm::any_of(block.nodes(), [&](const Node &node) {
    return test(node) || llvm::any_of(node.blocks(), [&](const Block &inner) { return anyNode(inner, test); });
  });
}

/// Whether the node runs code that has effects of its own.
static bool isCall(const Node &node) {
  return node.kind() == prim::CallFunction || node.kind() == prim::CallMethod || node.kind() == prim::InterfaceCall ||
         node.kind() == prim::fork;
}

void CodeBuilder::findEffects() {
  code->mayDraw = anyNode(graph.block(), [](const Node &node) { return changesGenerator(node) || isCall(node); });
  code->asksForGradients =
      anyNode(graph.block(), [](const Node &node) { return tsc::asksForGradients(node) || isCall(node); }) ||
      anyNode(graph.block(), showsValues) || anyNode(graph.block(), writesToLeaf) ||
      (anyNode(graph.block(), mayMakeLeaf) &&
       anyNode(graph.block(), [](const Node &node) { return node.opKind() == OpKind::Prim_requires_grad; }));
  auto mayBeSeen = [](const Node &node) {
    return node.hasSideEffects() || !node.schema() || node.schema()->isMutating();
  };
  if (code->cache->areEffectsTracked() && anyNode(graph.block(), mayBeSeen))
    effects = std::make_unique<AliasAnalysis>(graph);
}

/// Tells the context before a node whose effect can be seen from outside, unless it surely knows. Code that is called
/// tells of its own; drawing random numbers, and grad mode, can be taken back.
void CodeBuilder::noteEffect(const Node &node) {
  // Grad mode; and what asks for gradients, which code without a tape refuses. With one they are added to what is
  // there.
  const bool isRefused = tsc::asksForGradients(node) && !code->cache->isForTape();
  const bool isRestored = node.kind() == prim::Enter || node.kind() == prim::Exit || isRefused;
  if (!effects || isNoted || node.numBlocks() || isCall(node) || isRestored || !effects->isObservable(node))
    return;
  emit(Opcode::Observed);
  isNoted = true;
}

Status CodeBuilder::checkControlFlow(const Block &block, unsigned depth) {
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

void CodeBuilder::placeConstants(const Block &block) {
  for (const Node &node : block.nodes()) {
    SymbolId kind = node.kind().id();
    if (kind == SymbolId::prim_Constant && node.numOutputs() == 1) {
      constants[node.output()] = constantValues.size();
      constantValues.push_back(constantValue(node.output()).value_or(placeholderFor(node.output()->type())));
    } else if (kind == SymbolId::prim_Uninitialized) {
      for (const Value *output : node.outputs()) {
        constants[output] = constantValues.size();
        constantValues.push_back(placeholderFor(output->type()));
      }
    }
    for (const Block &inner : node.blocks())
      placeConstants(inner);
  }
}

bool CodeBuilder::needsRegister(const Value *value) const {
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

void CodeBuilder::findConditions(const Block &block) {
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

/// Whether `node` becomes a jump of `consumer`, which branches on its result and does nothing else with it.
void CodeBuilder::markCondition(const Node *consumer, const Value *condition) {
  const Node *node = condition->node();
  if (!condition->hasOneUse() || node->numOutputs() != 1 || node->block() != consumer->block() ||
      computedJustBefore(consumer) != node || node == &node->block()->paramNode() || conditions.contains(node))
    return;
  auto matches = [&](const ScalarPattern &pattern) {
    for (unsigned i = 0; i != node->numInputs(); ++i) {
      SlotClass have = classOf(node->input(i));
      if ((pattern.operands[i] == 'i' && have != SlotClass::Int) ||
          (pattern.operands[i] == 'f' && have != SlotClass::Float) ||
          (pattern.operands[i] == 'b' && have != SlotClass::Bool))
        return false;
    }
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
  case SymbolId::aten___is__:
  case SymbolId::aten___isnot__:
    if (node->numInputs() == 2 && classOf(node->input(0)) == SlotClass::Value && node->input(1)->type()->isNone())
      conditions.insert(node);
    return;
  default: {
    auto pattern = scalarPattern(node->opKind());
    if (pattern && node->numInputs() == 2 && jumpPattern(pattern->op, true) && matches(*pattern))
      conditions.insert(node);
  }
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int32_t CodeBuilder::registerOf(const Value *value) const {
  unsigned slot = registers->slot(value);
  return classOf(value) == SlotClass::Value ? valueOffset(slot) : scalarOffset(slot);
}

int32_t CodeBuilder::constantOperand(IValue value) {
  if (value.isTensor() && value.asTensor().defined() && value.asTensor().dim() >= 2) // may be weights
    code->weights.add(value.asTensor());
  code->constants.push_back(std::move(value));
  return static_cast<int32_t>(code->constants.size() - 1) * slotSize | constantBit;
}

int32_t CodeBuilder::operand(const Node *user, unsigned index) {
  const Value *value = user->input(index);
  if (isConst(value)) {
    unsigned number = constants.lookup(value);
    if (classOf(value) != SlotClass::Value) {
      const IValue &constant = constantValues[number];
      if (constant.isInt() || constant.isDouble() || constant.isBool())
        return scalarOffset(constantSlots[number]);
    }
    if (constantPlaces[number] == noOperand)
      constantPlaces[number] = constantOperand(constantValues[number]);
    return constantPlaces[number];
  }
  int32_t flag = classOf(value) == SlotClass::Value && liveness->isLastUse(user, index) ? lastUse : 0;
  return registerOf(value) | flag;
}

int32_t CodeBuilder::optionalResult(const Node *node, unsigned index) {
  const Value *value = node->output(index);
  if (value->hasUses() || classOf(value) != SlotClass::Value)
    return registerOf(value);
  discarded.insert(value);
  return noOperand;
}

int32_t CodeBuilder::listOf(llvm::ArrayRef<int32_t> list) {
  int32_t header = static_cast<int32_t>(code->operands.size());
  code->operands.push_back(static_cast<int32_t>(list.size()));
  code->operands.insert(code->operands.end(), list.begin(), list.end());
  return header;
}

int32_t CodeBuilder::operandList(const Node *node, unsigned first) {
  llvm::SmallVector<int32_t, 8> list;
  for (unsigned i = first; i < node->numInputs(); ++i)
    list.push_back(operand(node, i));
  return listOf(list);
}

int32_t CodeBuilder::resultList(const Node *node) {
  llvm::SmallVector<int32_t, 4> list;
  for (unsigned i = 0; i != node->numOutputs(); ++i)
    list.push_back(optionalResult(node, i));
  return listOf(list);
}

int32_t CodeBuilder::typeEntry(TypeEntry entry) {
  code->types.push_back(std::move(entry));
  return static_cast<int32_t>(code->types.size() - 1);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

int CodeBuilder::emit(Opcode op, int32_t a, int32_t b, int32_t c, int32_t d) {
  code->instructions.push_back({handlerOf(op), a, b, c, d});
  code->opcodes.push_back(op);
  code->ranges.push_back(range);
  return here() - 1;
}

/// The field of an instruction that holds its jump target; null when it does not jump.
static int32_t *targetField(Opcode op, Instruction &instruction) {
  llvm::StringRef operands = opcodeOperands(op);
  int32_t *fields[] = {&instruction.a, &instruction.b, &instruction.c, &instruction.d};
  size_t at = operands.find('t');
  return at == llvm::StringRef::npos ? nullptr : fields[at];
}

void CodeBuilder::emitJump(Opcode op, Label &target, int32_t a, int32_t b) { target.jumps.push_back(emit(op, a, b)); }

void CodeBuilder::bind(Label &label, int position) {
  for (int jump : label.jumps)
    *targetField(code->opcodes[jump], code->instructions[jump]) = position;
  label.jumps.clear();
}

void CodeBuilder::emitBlock(const Block &block) {
  for (const Node &node : block.nodes()) {
    if (conditions.contains(&node))
      continue; // its consumer emits it
    range = node.range();
    noteEffect(node);
    emitNode(&node);
    emitDrops(liveness->droppedAfter(&node));
  }
}

void CodeBuilder::emitDrops(llvm::ArrayRef<Value *> values) {
  for (const Value *value : values)
    if (needsRegister(value) && classOf(value) == SlotClass::Value && !discarded.contains(value))
      emit(Opcode::Drop, registerOf(value));
}

void CodeBuilder::emitIf(const Node *node) {
  const bool before = isNoted;
  bool inAll = true;
  auto emitSide = [&](unsigned side) {
    isNoted = before;
    const Block &branch = node->block(side);
    emitDrops(liveness->droppedAtStart(&branch));
    emitBlock(branch);
    range = node->range();
    emitMoves(&branch.returnNode(), 0, node->outputs());
    inAll &= isNoted;
    isNoted = inAll;
  };
  if (isConst(node->input(0)) && constOf(node->input(0)).isBool())
    return emitSide(constOf(node->input(0)).toBool() ? 0 : 1);
  Label otherwise, done;
  emitBranch(node, 0, false, otherwise);
  emitSide(0);
  emitJump(Opcode::Jump, done);
  int otherStart = here();
  emitSide(1);
  if (here() == otherStart) { // nothing to jump over
    code->instructions.pop_back();
    code->opcodes.pop_back();
    code->ranges.pop_back();
    done.jumps.clear();
    otherStart = here();
  }
  bind(otherwise, otherStart);
  bind(done);
}

void CodeBuilder::emitLoop(const Node *node) {
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
  int32_t counter = registerOf(body.inputs()[0]), bound = operand(node, 0);
  if (counted)
    exit.jumps.push_back(emit(Opcode::ForEnter, counter, bound));
  int start = here();
  emitDrops(liveness->droppedAtStart(&body));
  const bool before = isNoted;
  emitBlock(body);
  isNoted = before; // there may be no trip
  range = node->range();
  if (!isTrue(next.input(0)))
    emitBranch(&next, 0, false, done);
  emitMoves(&next, 1, carried);
  if (counted)
    again.jumps.push_back(emit(Opcode::ForNext, counter, bound));
  else
    emitJump(Opcode::JumpBack, again);
  bind(again, start);
  // Leaving through a condition still passes the values on; when that takes no move it is the exit itself.
  auto leaveThrough = [&](Label &label, const Node *from, unsigned first) {
    if (label.jumps.empty())
      return;
    emitJump(Opcode::Jump, exit);
    int at = here();
    emitMoves(from, first, carried);
    if (here() == at) {
      code->instructions.pop_back();
      code->opcodes.pop_back();
      code->ranges.pop_back();
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
    if (registerOf(carried[i]) != registerOf(node->output(i))) {
      bool isValue = classOf(carried[i]) == SlotClass::Value;
      emitMove({registerOf(carried[i]) | (isValue ? lastUse : 0), registerOf(node->output(i)), classOf(carried[i]),
                classOf(node->output(i))});
    }
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

void CodeBuilder::emitBranch(const Node *user, unsigned index, bool sense, Label &target) {
  const Value *condition = user->input(index);
  if (isConst(condition) && constOf(condition).isBool()) {
    if (constOf(condition).toBool() == sense)
      emitJump(Opcode::Jump, target);
    return;
  }
  const Node *node = condition->node();
  if (!isConst(condition) && conditions.contains(node)) {
    SourceRange outer = range;
    range = node->range();
    if (node->kind() == prim::If)
      emitIfCondition(node, sense, target);
    else if (node->kind().id() == SymbolId::aten___not__)
      emitBranch(node, 0, !sense, target);
    else
      emitComparisonJump(node, sense, target);
    range = outer;
    return;
  }
  int32_t at = operand(user, index);
  if (classOf(condition) == SlotClass::Value) { // ill-typed IR; checked when it runs
    emit(Opcode::UnboxB, temporary(SlotClass::Bool), at);
    at = temporary(SlotClass::Bool);
  }
  emitJump(sense ? Opcode::JumpIf : Opcode::JumpIfNot, target, at);
}

void CodeBuilder::emitComparisonJump(const Node *node, bool sense, Label &target) {
  SymbolId kind = node->kind().id();
  if (kind == SymbolId::aten___is__ || kind == SymbolId::aten___isnot__) {
    bool whenNone = (kind == SymbolId::aten___is__) == sense;
    emitJump(whenNone ? Opcode::JumpNone : Opcode::JumpNotNone, target, operand(node, 0));
    return;
  }
  ScalarPattern pattern = *scalarPattern(node->opKind());
  JumpPattern jump = *jumpPattern(pattern.op, sense);
  unsigned first = pattern.swap != jump.swap;
  int32_t a = operand(node, first), b = operand(node, 1 - first);
  emitJump(jump.op, target, a, b);
}

/// `a and b`, `a or b`: an If whose result is a condition. A side that is a constant needs no code.
void CodeBuilder::emitIfCondition(const Node *node, bool sense, Label &target) {
  auto constantSide = [&](unsigned side) -> std::optional<bool> {
    const Block &branch = node->block(side);
    const Value *result = branch.returnNode().input(0);
    bool empty =
        llvm::all_of(branch.nodes(), [&](const Node &n) { return n.kind().id() == SymbolId::prim_Constant; }) &&
        llvm::none_of(liveness->droppedAtStart(&branch),
                      [&](const Value *v) { return classOf(v) == SlotClass::Value && needsRegister(v); });
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
  emitJump(Opcode::Jump, end);
  bind(otherwise);
  emitSide(1);
  bind(end);
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

int32_t CodeBuilder::temporary(SlotClass kind) const {
  unsigned slot = temporarySlots[static_cast<unsigned>(kind)];
  return kind == SlotClass::Value ? valueOffset(slot) : scalarOffset(slot);
}

void CodeBuilder::emitMoves(const Node *user, unsigned first, llvm::ArrayRef<Value *> targets) {
  llvm::SmallVector<PendingMove, 8> pending;
  llvm::SmallDenseSet<int32_t, 4> kept; // slots whose value stays where it is
  for (unsigned i = 0; i != targets.size(); ++i) {
    if (!needsRegister(targets[i]))
      continue;
    const Value *source = user->input(first + i);
    PendingMove move{operand(user, first + i), registerOf(targets[i]), classOf(source), classOf(targets[i])};
    if (move.from & constantBit)
      move.fromClass = SlotClass::Value;
    else if (isConst(source))
      move.fromClass = constOf(source).isInt()      ? SlotClass::Int
                       : constOf(source).isDouble() ? SlotClass::Float
                                                    : SlotClass::Bool;
    if (!(move.from & constantBit) && (move.from & ~15) == move.to)
      kept.insert(move.to);
    else
      pending.push_back(move);
  }
  auto slotOf = [](int32_t from) { return from & constantBit ? noOperand : from & ~15; };
  for (PendingMove &move : pending)
    if (kept.contains(slotOf(move.from)))
      move.from &= ~lastUse;
  auto blocked = [&](size_t i) {
    for (size_t j = 0; j != pending.size(); ++j)
      if (j != i && (slotOf(pending[j].from) == pending[i].to ||
                     ((pending[i].from & lastUse) && slotOf(pending[j].from) == slotOf(pending[i].from))))
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
    // Every target is some other's source: step out of the cycle through a temporary.
    int32_t source = slotOf(pending[0].from);
    SlotClass kind = pending[0].fromClass;
    int32_t temp = temporary(kind);
    emitMove({source | (kind == SlotClass::Value ? lastUse : 0), temp, kind, kind});
    bool last = kind == SlotClass::Value;
    for (PendingMove &move : llvm::reverse(pending))
      if (slotOf(move.from) == source) {
        move.from = temp | (last ? lastUse : 0);
        last = false;
      }
  }
}

void CodeBuilder::emitMove(const PendingMove &move) {
  bool fromValue = move.fromClass == SlotClass::Value, toValue = move.toClass == SlotClass::Value;
  if (fromValue && toValue)
    emit(move.from & lastUse ? Opcode::Move : Opcode::Copy, move.to, move.from);
  else if (toValue)
    emit(Opcode::BoxS, move.to, move.from);
  else if (fromValue)
    emit(move.toClass == SlotClass::Int     ? Opcode::UnboxI
         : move.toClass == SlotClass::Float ? Opcode::UnboxF
                                            : Opcode::UnboxB,
         move.to, move.from);
  else if (move.fromClass == move.toClass || (move.fromClass == SlotClass::Bool && move.toClass == SlotClass::Int))
    emit(Opcode::MoveS, move.to, move.from);
  else if (move.toClass == SlotClass::Float)
    emit(Opcode::IntToFloat, move.to, move.from);
  else
    emit(move.fromClass == SlotClass::Float
             ? (move.toClass == SlotClass::Int ? Opcode::FloatToInt : Opcode::FloatToBool)
             : Opcode::IntToBool,
         move.to, move.from);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// Makes the frame's template, sends jumps to jumps to where they end, and makes targets relative.
void CodeBuilder::finish() {
  unsigned numScalars = registers->numScalars();
  code->numScalarSlots = numScalars;
  code->frameTemplate.resize(numScalars + registers->numValues());
  for (unsigned slot = 0; slot != numScalars; ++slot) {
    SlotClass kind = registers->scalarClass(slot);
    code->frameTemplate[slot] = kind == SlotClass::Int     ? IValue(int64_t{0})
                                : kind == SlotClass::Float ? IValue(0.0)
                                                           : IValue(false);
  }
  for (size_t i = 0; i != constantValues.size(); ++i) {
    const IValue &value = constantValues[i];
    if (value.isInt() || value.isDouble() || value.isBool())
      code->frameTemplate[constantSlots[i]] = value;
  }
  for (size_t i = 0; i != code->instructions.size(); ++i) {
    int32_t *target = targetField(code->opcodes[i], code->instructions[i]);
    if (!target)
      continue;
    for (unsigned hops = 0; hops != 8 && code->opcodes[*target] == Opcode::Jump && *target != static_cast<int32_t>(i);
         ++hops) {
      // A jump earlier in the code is relative already.
      int32_t next = code->instructions[*target].a + (*target < static_cast<int32_t>(i) ? *target : 0);
      *target = next;
    }
    *target -= static_cast<int32_t>(i);
  }
}
