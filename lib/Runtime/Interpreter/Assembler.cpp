//===- Assembler.cpp - From a routine to instructions ---------------------===//
//
// Gives slots and constants their offsets in the frame, chooses the instruction of
// each step by how its operands are held, and finds out about operators and callees
// what their calls need.
//
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/Ops/LinearAlgebra.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"

using namespace tsc;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static Opcode opcodeOf(ScalarOp op) {
  static constexpr Opcode opcodes[] = {
#define SCALAR_ROW1(NAME, RESULT, FAILURE, A) Opcode::NAME,
#define SCALAR_ROW2(NAME, RESULT, FAILURE, A, B) Opcode::NAME,
#define SCALAR_ROW3(NAME, RESULT, FAILURE, A, B, C) Opcode::NAME,
#include "tsc/Runtime/Lowering/ScalarOps.def"
  };
  return opcodes[static_cast<size_t>(op)];
}

namespace {
/// The jump that is taken when a comparison has some outcome; `swap` exchanges the operands.
struct ComparisonJump {
  Opcode op;
  bool swap;
};

/// The instruction of a family for what a list holds.
struct ListFamily {
  Opcode ofInt, ofFloat, ofBool, ofTensor, ofAny;
  Opcode of(ElementKind kind) const {
    switch (kind) {
    case ElementKind::Int: return ofInt;
    case ElementKind::Float: return ofFloat;
    case ElementKind::Bool: return ofBool;
    case ElementKind::Tensor: return ofTensor;
    case ElementKind::Value: break;
    }
    return ofAny;
  }
};
constexpr ListFamily newList{Opcode::NewListI, Opcode::NewListF, Opcode::NewListB, Opcode::NewListT, Opcode::NewListG};
constexpr ListFamily getItem{Opcode::GetItemI, Opcode::GetItemF, Opcode::GetItemB, Opcode::GetItemT, Opcode::GetItemG};
constexpr ListFamily setItem{Opcode::SetItemI, Opcode::SetItemF, Opcode::SetItemB, Opcode::SetItemT, Opcode::SetItemG};
constexpr ListFamily appendItem{Opcode::AppendI, Opcode::AppendF, Opcode::AppendB, Opcode::AppendT, Opcode::AppendG};
} // namespace

static ComparisonJump jumpOf(ScalarOp compare, bool outcome) {
  switch (compare) {
  case ScalarOp::LtI: return outcome ? ComparisonJump{Opcode::JumpLtI, false} : ComparisonJump{Opcode::JumpLeI, true};
  case ScalarOp::LeI: return outcome ? ComparisonJump{Opcode::JumpLeI, false} : ComparisonJump{Opcode::JumpLtI, true};
  case ScalarOp::EqI:
  case ScalarOp::EqB: return {outcome ? Opcode::JumpEqI : Opcode::JumpNeI, false};
  case ScalarOp::NeI:
  case ScalarOp::NeB: return {outcome ? Opcode::JumpNeI : Opcode::JumpEqI, false};
  // Not less is not the same as greater or equal: a NaN is neither.
  case ScalarOp::LtF: return {outcome ? Opcode::JumpLtF : Opcode::JumpNotLtF, false};
  case ScalarOp::LeF: return {outcome ? Opcode::JumpLeF : Opcode::JumpNotLeF, false};
  case ScalarOp::EqF: return {outcome ? Opcode::JumpEqF : Opcode::JumpNeF, false};
  case ScalarOp::NeF: return {outcome ? Opcode::JumpNeF : Opcode::JumpEqF, false};
  case ScalarOp::EqS: return {outcome ? Opcode::JumpEqS : Opcode::JumpNeS, false};
  case ScalarOp::NeS: return {outcome ? Opcode::JumpNeS : Opcode::JumpEqS, false};
  default: break;
  }
  assert(false && "a comparison of ScalarOps.def has jumps");
  return {Opcode::JumpEqI, false};
}

/// The instruction that moves a value between slots, converting it where they hold it in different ways.
static Opcode moveBetween(SlotClass from, SlotClass to, bool isLastUse) {
  if (from == SlotClass::Value && to == SlotClass::Value)
    return isLastUse ? Opcode::Move : Opcode::Copy;
  if (to == SlotClass::Value)
    return Opcode::BoxS;
  if (from == SlotClass::Value)
    return to == SlotClass::Int ? Opcode::UnboxI : to == SlotClass::Float ? Opcode::UnboxF : Opcode::UnboxB;
  if (from == to || (from == SlotClass::Bool && to == SlotClass::Int))
    return Opcode::MoveS;
  if (to == SlotClass::Float)
    return Opcode::IntToFloat;
  if (from == SlotClass::Float)
    return to == SlotClass::Int ? Opcode::FloatToInt : Opcode::FloatToBool;
  return Opcode::IntToBool;
}

/// The field of an instruction that holds its jump target; null when it does not jump.
static int32_t *targetField(Opcode op, Instruction &instruction) {
  llvm::StringRef operands = opcodeOperands(op);
  int32_t *fields[] = {&instruction.a, &instruction.b, &instruction.c, &instruction.d};
  size_t at = operands.find('t');
  return at == llvm::StringRef::npos ? nullptr : fields[at];
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
class Assembler {
public:
  Assembler(Routine routine, llvm::StringRef name, CodeCache &cache);
  std::unique_ptr<CodeImpl> run();

private:
  Context &context() const { return routine.graph->context(); }
  SlotClass classOf(Operand operand) const { return routine.classOf(operand); }
  bool isValue(Operand operand) const { return classOf(operand) == SlotClass::Value; }
  void makeFrame();
  int32_t offsetOf(unsigned slot) const;
  int32_t constant(unsigned number);
  int32_t read(Operand operand);
  int32_t written(Operand operand) const { return operand.isAbsent() ? noOperand : offsetOf(operand.number()); }
  /// Adds a list of operands, each at its `place`, and returns where it begins.
  int32_t listOf(OperandList list, llvm::function_ref<int32_t(Operand)> place);
  int32_t readList(OperandList list) {
    return listOf(list, [this](Operand operand) { return read(operand); });
  }
  int32_t writtenList(OperandList list) {
    return listOf(list, [this](Operand operand) { return written(operand); });
  }

  void emit(Opcode op, int32_t a = 0, int32_t b = 0, int32_t c = 0, int32_t d = 0);
  void assemble(const Step &step);
  void assembleBranch(const Step &step);
  void assembleOperator(const Step &step);
  void assembleInserted(const Step &step);
  void assembleDifferentiable(const Step &step);
  void emitOperatorCall(const Step &step, PlacedCall call);
  void emitFailure(const llvm::Twine &message);
  void assembleBailOut(const Step &step);
  int32_t functionCall(const Step &step, bool isPlain = false);
  void linkJumps();

  Routine routine;
  CodeCache &cache;
  std::unique_ptr<CodeImpl> code = std::make_unique<CodeImpl>();
  unsigned numScalars = 0;
  std::vector<int32_t> constantOffsets; ///< The operand of each constant; noOperand until it is needed.
};
} // namespace

Assembler::Assembler(Routine lowered, llvm::StringRef name, CodeCache &cache)
    : routine(std::move(lowered)), cache(cache), constantOffsets(routine.constants.size(), noOperand) {
  code->name = name.str();
  code->cache = &cache;
  code->accelerator = acceleratorOf(context());
  if (code->accelerator)
    code->number = Accelerator::numberOfCode();
  code->mayDraw = routine.mayDraw;
  code->asksForGradients = routine.asksForGradients;
  code->numOutputs = routine.numOutputs;
  code->types = std::move(routine.types);
}

/// Makes the frame's template: scalars, the constants that are read as such, and behind them all other values.
void Assembler::makeFrame() {
  numScalars = routine.numScalarPlaces;
  for (size_t i = 0; i != routine.constants.size(); ++i)
    if (const RoutineConstant &constant = routine.constants[i]; constant.isUsed && constant.kind != SlotClass::Value)
      constantOffsets[i] = static_cast<int32_t>(numScalars++) * slotSize;
  code->numScalarSlots = numScalars;
  code->frameTemplate.resize(numScalars + routine.numValuePlaces);
  for (const Slot &slot : routine.slots)
    if (slot.kind != SlotClass::Value)
      code->frameTemplate[slot.place] = slot.kind == SlotClass::Int     ? IValue(int64_t{0})
                                        : slot.kind == SlotClass::Float ? IValue(0.0)
                                                                        : IValue(false);
  for (size_t i = 0; i != constantOffsets.size(); ++i)
    if (constantOffsets[i] != noOperand)
      code->frameTemplate[constantOffsets[i] / slotSize] = std::move(routine.constants[i].value);
}

int32_t Assembler::offsetOf(unsigned number) const {
  const Slot &slot = routine.slots[number];
  return static_cast<int32_t>(slot.kind == SlotClass::Value ? numScalars + slot.place : slot.place) * slotSize;
}

int32_t Assembler::constant(unsigned number) {
  int32_t &known = constantOffsets[number];
  if (known != noOperand)
    return known;
  IValue &value = routine.constants[number].value;
  if (value.isTensor() && value.asTensor().defined() && value.asTensor().dim() >= 2) // may be weights
    code->weights.add(value.asTensor());
  code->constants.push_back(std::move(value));
  return known = static_cast<int32_t>(code->constants.size() - 1) * slotSize | constantBit;
}

int32_t Assembler::read(Operand operand) {
  if (operand.isAbsent())
    return noOperand;
  if (operand.isConstant())
    return constant(operand.number());
  return offsetOf(operand.number()) | (operand.isLastUse() ? lastUse : 0);
}

int32_t Assembler::listOf(OperandList list, llvm::function_ref<int32_t(Operand)> place) {
  const auto header = static_cast<int32_t>(code->operands.size());
  code->operands.push_back(static_cast<int32_t>(list.count));
  for (Operand operand : routine.listOf(list))
    code->operands.push_back(place(operand));
  return header;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Assembler::emit(Opcode op, int32_t a, int32_t b, int32_t c, int32_t d) {
  code->instructions.push_back({handlerOf(op), a, b, c, d});
  code->opcodes.push_back(op);
}

void Assembler::emitFailure(const llvm::Twine &message) {
  TypeEntry entry;
  entry.name = message.str();
  code->types.push_back(std::move(entry));
  emit(Opcode::Fail, static_cast<int32_t>(code->types.size() - 1));
}

/// What a call of code needs; the number of the call.
int32_t Assembler::functionCall(const Step &step, bool isPlain) {
  Callee &callee = routine.callees[step.callee];
  auto call = std::make_unique<FunctionCall>();
  call->function = callee.function;
  call->subgraph = callee.subgraph;
  call->methodName = std::move(callee.methodName);
  call->isPlain = isPlain;
  call->mayRunLater = callee.mayRunLater;
  call->otherGraphs = std::move(callee.otherGraphs);
  call->otherFunctions = std::move(callee.otherFunctions);
  call->args = readList(step.list);
  call->results = writtenList(step.results);
  code->functionCalls.push_back(std::move(call));
  return static_cast<int32_t>(code->functionCalls.size() - 1);
}

void Assembler::emitOperatorCall(const Step &step, PlacedCall call) {
  call.args = readList(step.list);
  call.site.numArgs = step.list.count;
  code->maxArgs = std::max(code->maxArgs, step.list.count);
  const bool isCustom = call.custom;
  const auto index = static_cast<int32_t>(code->operatorCalls.size());
  const Node &node = *step.node;
  const bool isSingle =
      !isCustom && step.kind == StepKind::CallOperator && node.numOutputs() == 1 && call.site.numResults == 1;
  code->operatorCalls.push_back(std::move(call));
  if (!isSingle)
    emit(isCustom ? Opcode::CallCustom : Opcode::CallOpN, writtenList(step.results), index);
  else
    emit(step.result.isAbsent() || isValue(step.result) ? Opcode::CallOp : Opcode::CallOpS, written(step.result),
         index);
}

void Assembler::assembleOperator(const Step &step) {
  const Node &node = *step.node;
  const Operator &op = *node.op();
  PlacedCall call = describeCall(context(), op);
  if (op.record())
    call.gradientOperands = gradientOperands(node); // types may say that some require none
  if (op.kernelMaker()) {
    StatusOr<CustomKernel> made = op.kernelMaker()(node);
    if (!made.ok())
      return emitFailure("operator " + llvm::Twine(call.name) + ": " + messageOf(made.status()));
    call.ownKernel = std::make_unique<const CustomKernel>(*std::move(made));
    call.custom = call.ownKernel.get();
  }
  if (!call.hasKernel())
    return emitFailure("operator " + llvm::Twine(call.name) + " has no kernel in this build");
  call.site.numResults = std::max<size_t>(node.numOutputs(), op.schema().returns().size());
  call.site.resultType = node.numOutputs() ? node.output(0)->type() : nullptr;
  call.site.codes = &cache;
  emitOperatorCall(step, std::move(call));
}

/// The kernel of an operator that a pass inserts and that no record describes.
static BoxedKernel insertedKernel(const Node &node) {
  switch (node.kind().id()) {
#define INSERTED_OP(NAME, KERNEL, ...)                                                                                 \
  case SymbolId::prim_##NAME: return ops::KERNEL;
#include "tsc/Runtime/Lowering/InsertedOps.def"
  default: return nullptr;
  }
}

void Assembler::assembleInserted(const Step &step) {
  const Node &node = *step.node;
  const BoxedKernel kernel = insertedKernel(node);
  assert(kernel && "an operator that a pass inserts has a kernel");
  PlacedCall call = describeCall(context(), node.kind().qualified(), kernel, node.numInputs());
  call.gradientOperands = gradientOperands(node);
  call.site.numResults = node.numOutputs();
  emitOperatorCall(step, std::move(call));
}

/// A graph that a tape may take down as one operator; where no tape does so, it is called as any other.
void Assembler::assembleDifferentiable(const Step &step) {
  std::unique_ptr<SubgraphRunner> runner = cache.makeSubgraphRunner(*routine.callees[step.callee].subgraph);
  if (!runner)
    return emit(Opcode::Call, functionCall(step));
  code->differentiable.push_back(std::move(runner));
  emit(Opcode::CallDifferentiable, functionCall(step, /*isPlain=*/true),
       static_cast<int32_t>(code->differentiable.size() - 1));
}

void Assembler::assembleBailOut(const Step &step) {
  const AttributeValue *index = step.node->attribute(attr::index);
  const auto *number = index ? std::get_if<int64_t>(index) : nullptr;
  const bool hasNumber = number && *number >= 0 && *number <= INT32_MAX;
  const int32_t call = functionCall(step);
  code->functionCalls[call]->isRest = true;
  emit(Opcode::BailOut, written(step.result), call, step.type, hasNumber ? static_cast<int32_t>(*number) : -1);
}

void Assembler::assembleBranch(const Step &step) {
  switch (step.kind) {
  case StepKind::Branch: return emit(step.sense ? Opcode::JumpIf : Opcode::JumpIfNot, read(step.a), step.target);
  case StepKind::BranchNone:
    return emit(step.sense ? Opcode::JumpNone : Opcode::JumpNotNone, read(step.a), step.target);
  default: break;
  }
  const ComparisonJump jump = jumpOf(step.scalarOp, step.sense);
  const Operand first = jump.swap ? step.b : step.a, second = jump.swap ? step.a : step.b;
  const int32_t a = read(first), b = read(second);
  emit(jump.op, a, b, step.target);
}

void Assembler::assemble(const Step &step) {
  const int32_t result = written(step.result);
  // Operands are read where the instruction has them, so that each is looked at once.
  auto a = [&] { return read(step.a); };
  auto b = [&] { return read(step.b); };
  auto c = [&] { return read(step.c); };
  auto byResult = [&](Opcode value, Opcode scalar) { return isValue(step.result) ? value : scalar; };
  switch (step.kind) {
  case StepKind::Jump: return emit(Opcode::Jump, step.target);
  case StepKind::JumpBack: return emit(Opcode::JumpBack, step.target);
  case StepKind::Branch:
  case StepKind::BranchCompare:
  case StepKind::BranchNone: return assembleBranch(step);
  case StepKind::LoopEnter: return emit(Opcode::ForEnter, result, a(), step.target);
  case StepKind::LoopNext: return emit(Opcode::ForNext, result, a(), step.target);
  case StepKind::Return:
    if (step.list.count == 1)
      return emit(Opcode::Return1, read(routine.operands[step.list.begin]));
    return emit(Opcode::Return, readList(step.list));
  case StepKind::Fail: return emit(Opcode::Fail, step.type);
  case StepKind::Raise: return emit(Opcode::Raise, a(), b());
  case StepKind::Observe: return emit(Opcode::Observed);
  case StepKind::Move: return emit(moveBetween(classOf(step.a), classOf(step.result), step.a.isLastUse()), result, a());
  case StepKind::Drop: return emit(Opcode::Drop, offsetOf(step.a.number()));
  case StepKind::CheckNotNone: return emit(Opcode::CheckNotNone, result, a());
  case StepKind::CheckType: return emit(Opcode::CheckCast, result, a(), step.type);
  case StepKind::Profile: return emit(Opcode::Profile, result, a(), step.index);
  case StepKind::Guard: return emit(Opcode::Guard, result, a(), step.type);
  case StepKind::IsNone: return emit(step.sense ? Opcode::IsNone : Opcode::IsNotNone, result, a());
  case StepKind::Scalar:
    return emit(opcodeOf(step.scalarOp), result, a(), step.b.isAbsent() ? 0 : b(), step.c.isAbsent() ? 0 : c());
  case StepKind::NewList: return emit(newList.of(step.elements), result, readList(step.list), std::max(step.type, 0));
  case StepKind::GetItem: return emit(getItem.of(step.elements), result, a(), b());
  case StepKind::SetItem: return emit(setItem.of(step.elements), result, a(), b(), c());
  case StepKind::Append: return emit(appendItem.of(step.elements), result, a(), b());
  case StepKind::ConcatText: return emit(Opcode::ConcatText, result, a(), b());
  case StepKind::Length: return emit(Opcode::Length, result, a());
  case StepKind::CharAt: return emit(Opcode::CharAt, result, a(), b());
  case StepKind::NewTuple: return emit(Opcode::NewTuple, result, readList(step.list), step.type);
  case StepKind::TupleItem: return emit(byResult(Opcode::TupleItem, Opcode::TupleItemS), result, a(), step.index);
  case StepKind::TupleRange: return emit(Opcode::TupleRange, result, a(), step.index, step.end);
  case StepKind::Unpack: {
    const int32_t whole = a();
    return emit(Opcode::Unpack, whole, writtenList(step.results));
  }
  case StepKind::NewDict: return emit(Opcode::NewDict, result, readList(step.list), step.type);
  case StepKind::DictGet: return emit(byResult(Opcode::DictGet, Opcode::DictGetS), result, a(), b());
  case StepKind::DictSet: return emit(Opcode::DictSet, a(), b(), c());
  case StepKind::DictHas: return emit(Opcode::DictHas, result, a(), b());
  case StepKind::NewObject: return emit(Opcode::NewObject, result, step.type);
  case StepKind::GetAttribute:
    return emit(byResult(Opcode::GetSlot, Opcode::GetSlotS), result, a(), step.index, step.type);
  case StepKind::SetAttribute: return emit(Opcode::SetSlot, a(), b(), step.index, step.type);
  case StepKind::IsInstance: return emit(Opcode::IsInstance, result, a(), step.type);
  case StepKind::EnumName: return emit(Opcode::EnumName, result, a());
  case StepKind::EnumValue: return emit(Opcode::EnumValue, result, a());
  case StepKind::WithEnter: return emit(Opcode::Enter, a());
  case StepKind::WithEntered: return emit(Opcode::Entered);
  case StepKind::WithExit: return emit(Opcode::Exit);
  case StepKind::CallOperator: return assembleOperator(step);
  case StepKind::CallInserted: return assembleInserted(step);
  case StepKind::CallFunction: return emit(Opcode::Call, functionCall(step));
  case StepKind::CallMethod: return emit(Opcode::CallByName, functionCall(step));
  case StepKind::CallGroup:
    // Its plain nodes are called, where no faster tier takes the inputs.
    code->maxArgs = std::max(code->maxArgs, step.list.count);
    code->groups.push_back(
        std::make_unique<GroupRunner>(*routine.callees[step.callee].subgraph, cache.fuserRegistry()));
    return emit(Opcode::CallGroup, functionCall(step, /*isPlain=*/true), static_cast<int32_t>(code->groups.size() - 1));
  case StepKind::CallDifferentiable: return assembleDifferentiable(step);
  case StepKind::BailOut: return assembleBailOut(step);
  case StepKind::Fork: return emit(Opcode::Fork, result, functionCall(step));
  case StepKind::Wait: return emit(Opcode::Wait, result, a());
  case StepKind::Print: return emit(meansPython(*step.node) ? Opcode::PythonPrint : Opcode::Print, readList(step.list));
  }
}

/// Sends jumps to jumps to where they end, and makes targets relative.
void Assembler::linkJumps() {
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

std::unique_ptr<CodeImpl> Assembler::run() {
  makeFrame();
  for (uint32_t input : routine.inputs)
    code->inputSlots.push_back(offsetOf(input));
  code->instructions.reserve(routine.steps.size());
  code->opcodes.reserve(routine.steps.size());
  for (const Step &step : routine.steps)
    assemble(step);
  assert(code->instructions.size() == routine.steps.size() && "a step is one instruction");
  code->ranges = std::move(routine.ranges);
  linkJumps();
  return std::move(code);
}

std::unique_ptr<CodeImpl> tsc::assemble(Routine routine, llvm::StringRef name, CodeCache &cache) {
  installOperatorServices(routine.graph->context());
  return Assembler(std::move(routine), name, cache).run();
}
