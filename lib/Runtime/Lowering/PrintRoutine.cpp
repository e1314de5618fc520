//===- PrintRoutine.cpp - The text of a routine ---------------------------===//
//
// docs/Routines.md describes the text. Nothing reads it back.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Lowering/FailureEdges.h"
#include "tsc/Runtime/Lowering/SlotAliases.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

namespace {
class RoutinePrinter {
public:
  RoutinePrinter(llvm::raw_ostream &os, const Routine &routine, bool withRanges)
      : os(os), routine(routine), withRanges(withRanges) {}
  void print();

private:
  // Pieces.
  void printSlots();
  void printEffects();
  void printOperand(Operand operand);
  void printList(llvm::ArrayRef<Operand> list);
  void printConstant(unsigned number);
  void printTarget(const Step &step) { os << "to " << step.target; }
  void printCondition(const Step &step);
  void printResults(const Step &step);
  void printStep(const Step &step);
  void printMove(const Step &step);
  void printCall(const Step &step);
  void printCallee(const Step &step);
  void printNotes(uint32_t number, const FailureEdge *edge);
  /// `name(a, b, c)`.
  void printUse(llvm::StringRef name, const Step &step);
  const TypeEntry &typeOf(const Step &step) const { return routine.types[step.type]; }

  llvm::raw_ostream &os;
  const Routine &routine;
  const bool withRanges;
};
} // namespace

void RoutinePrinter::printConstant(unsigned number) {
  const IValue &value = routine.constants[number].value;
  if (value.isNone() || value.isBool() || value.isInt() || value.isDouble() || value.isString() || value.isDevice())
    reprValue(os, value);
  else
    os << 'c' << number << ':' << value.dynamicType(routine.graph->context())->str();
}

void RoutinePrinter::printOperand(Operand operand) {
  if (operand.isAbsent())
    os << '_';
  else if (operand.isConstant())
    printConstant(operand.number());
  else
    os << 's' << operand.number() << (operand.isLastUse() ? "!" : "");
}

void RoutinePrinter::printList(llvm::ArrayRef<Operand> list) {
  os << '(';
  llvm::interleaveComma(list, os, [&](Operand operand) { printOperand(operand); });
  os << ')';
}

void RoutinePrinter::printResults(const Step &step) {
  if (step.results.count) {
    printList(routine.listOf(step.results));
    os << " = ";
  } else if (!step.result.isAbsent()) {
    printOperand(step.result);
    os << " = ";
  }
}

void RoutinePrinter::printUse(llvm::StringRef name, const Step &step) {
  os << name;
  llvm::SmallVector<Operand, 3> operands;
  for (Operand operand : {step.a, step.b, step.c})
    if (!operand.isAbsent())
      operands.push_back(operand);
  printList(operands);
}

void RoutinePrinter::printCondition(const Step &step) {
  os << (step.sense ? " if " : " unless ");
  if (step.kind == StepKind::BranchCompare) {
    printUse(signatureOf(step.scalarOp).name, step);
    return;
  }
  printOperand(step.a);
  if (step.kind == StepKind::BranchNone)
    os << " is None";
}

void RoutinePrinter::printMove(const Step &step) {
  const SlotClass from = routine.classOf(step.a), to = routine.classOf(step.result);
  os << (to == SlotClass::Value && from != SlotClass::Value   ? "box "
         : from == SlotClass::Value && to != SlotClass::Value ? "unbox "
         : from != to                                         ? "convert "
         : from == SlotClass::Value && !step.a.isLastUse()    ? "copy "
                                                              : "move ");
  printOperand(step.a);
}

void RoutinePrinter::printCallee(const Step &step) {
  const Callee &callee = routine.callees[step.callee];
  if (callee.function)
    os << '@' << callee.function->qualifiedName();
  else if (callee.subgraph)
    os << "graph";
  else
    os << callee.methodName;
}

void RoutinePrinter::printCall(const Step &step) {
  switch (step.kind) {
  case StepKind::CallOperator:
    os << step.node->kind().qualified();
    if (const FunctionSchema *schema = step.node->schema(); schema && !schema->overloadName().empty())
      os << '.' << schema->overloadName();
    break;
  case StepKind::CallInserted: os << step.node->kind().qualified(); break;
  case StepKind::CallFunction:
    os << "call ";
    printCallee(step);
    break;
  case StepKind::CallMethod:
    os << "call method ";
    printCallee(step);
    break;
  case StepKind::CallGroup: os << "call fusion group"; break;
  case StepKind::CallDifferentiable: os << "call differentiable graph"; break;
  case StepKind::Fork: os << (routine.callees[step.callee].mayRunLater ? "fork later" : "fork now"); break;
  default: os << "print"; break;
  }
  printList(routine.listOf(step.list));
}

void RoutinePrinter::printStep(const Step &step) {
  printResults(step);
  switch (step.kind) {
  case StepKind::Jump: os << "jump "; return printTarget(step);
  case StepKind::JumpBack: os << "jump back "; return printTarget(step);
  case StepKind::Branch:
  case StepKind::BranchCompare:
  case StepKind::BranchNone:
    os << "branch ";
    printTarget(step);
    return printCondition(step);
  case StepKind::LoopEnter:
    os << "0; ";
    printTarget(step);
    os << " unless below ";
    return printOperand(step.a);
  case StepKind::LoopNext:
    os << "next; ";
    printTarget(step);
    os << " if below ";
    return printOperand(step.a);
  case StepKind::Return: os << "return "; return printList(routine.listOf(step.list));
  case StepKind::Fail:
    os << "fail \"";
    llvm::printEscapedString(typeOf(step).name, os);
    os << '"';
    return;
  case StepKind::Move: return printMove(step);
  case StepKind::Scalar: return printUse(signatureOf(step.scalarOp).name, step);
  case StepKind::Drop: return printUse("drop", step);
  case StepKind::IsNone: return printUse(step.sense ? "is None" : "is not None", step);
  case StepKind::NewList:
  case StepKind::NewTuple:
  case StepKind::NewDict: os << nameOf(step.kind); return printList(routine.listOf(step.list));
  case StepKind::CheckType:
  case StepKind::Guard:
    printUse(nameOf(step.kind), step);
    os << " is " << typeOf(step).type->str();
    return;
  case StepKind::Profile:
    printUse(nameOf(step.kind), step);
    os << " as " << step.index;
    return;
  case StepKind::BailOut:
    os << nameOf(step.kind);
    printList(routine.listOf(step.list));
    os << " unless " << typeOf(step).type->str();
    return;
  case StepKind::TupleItem:
    printUse(nameOf(step.kind), step);
    os << '[' << step.index << ']';
    return;
  case StepKind::TupleRange:
    printUse(nameOf(step.kind), step);
    os << '[' << step.index << ':' << step.end << ']';
    return;
  case StepKind::NewObject: os << nameOf(step.kind) << ' ' << typeOf(step).type->str(); return;
  case StepKind::GetAttribute:
  case StepKind::SetAttribute:
    printUse(nameOf(step.kind), step);
    os << " ." << typeOf(step).name;
    return;
  case StepKind::IsInstance:
    printUse(nameOf(step.kind), step);
    os << " of ";
    llvm::interleaveComma(typeOf(step).choices, os, [&](const Type *type) { os << type->str(); });
    return;
  case StepKind::CallOperator:
  case StepKind::CallInserted:
  case StepKind::CallFunction:
  case StepKind::CallMethod:
  case StepKind::CallGroup:
  case StepKind::CallDifferentiable:
  case StepKind::Fork:
  case StepKind::Print: return printCall(step);
  default: return printUse(nameOf(step.kind), step);
  }
}

/// What follows a step behind `#`: its effects, what happens where it fails, its place in the source.
void RoutinePrinter::printNotes(uint32_t number, const FailureEdge *edge) {
  const Step &step = routine.steps[number];
  llvm::SmallVector<std::string, 4> notes;
  const StepEffects effects = routine.effectsOf(step);
  for (auto [holds, name] :
       {std::pair(effects.writes, "writes"), std::pair(effects.draws, "draws"),
        std::pair(effects.runsCode, "runs code"), std::pair(effects.hasSideEffects, "side effect")})
    if (holds)
      notes.push_back(name);
  if (!edge) {
    notes.push_back("never reached");
  } else if (routine.mayFail(step)) {
    std::string &note = notes.emplace_back("fails:");
    if (!edge->released.empty())
      note += " release";
    for (uint32_t slot : edge->released)
      note += " s" + std::to_string(slot);
    for (uint32_t with : llvm::reverse(edge->exited))
      note += " exit " + std::to_string(with);
    if (edge->released.empty() && edge->exited.empty())
      note += " leave";
  }
  const SourceRange range = routine.ranges[number];
  if (withRanges && range.isValid()) {
    const LineColumn place = range.lineColumn();
    notes.push_back(range.buffer()->name().str() + ":" + std::to_string(place.line) + ":" +
                    std::to_string(place.column));
  }
  if (!notes.empty())
    os << " # " << llvm::join(notes, "; ");
}

void RoutinePrinter::printSlots() {
  const SlotAliases aliases(routine);
  os << "  slots:\n";
  for (uint32_t i = 0; i != routine.slots.size(); ++i) {
    const Slot &slot = routine.slots[i];
    os << "    s" << i << " : " << slot.type->str() << " in " << (slot.kind == SlotClass::Value ? "value " : "scalar ")
       << slot.place;
    if (slot.isScratch)
      os << ", scratch";
    if (!aliases.memoryOf(i).empty())
      os << ", memory";
    for (uint32_t memory : aliases.memoryOf(i))
      os << ' ' << memory;
    os << '\n';
  }
}

void RoutinePrinter::printEffects() {
  if (!routine.mayDraw && !routine.asksForGradients)
    return;
  os << "  effects:" << (routine.mayDraw ? " draws" : "") << (routine.asksForGradients ? " gradients" : "") << '\n';
}

void RoutinePrinter::print() {
  os << "routine";
  if (!routine.graph->name().empty())
    os << " @" << routine.graph->name();
  os << '(';
  llvm::interleaveComma(routine.inputs, os, [&](uint32_t slot) { os << 's' << slot; });
  os << "):\n";
  printSlots();
  printEffects();
  os << "  steps:\n";
  uint32_t next = 0;
  auto printOne = [&](const FailureEdge *edge) {
    os << "    " << next << ": ";
    printStep(routine.steps[next]);
    printNotes(next++, edge);
    os << '\n';
  };
  walkFailureEdges(routine, [&](uint32_t number, const FailureEdge &edge) {
    while (next != number)
      printOne(nullptr);
    printOne(&edge);
    return true;
  });
  while (next != routine.steps.size())
    printOne(nullptr);
}

void Routine::print(llvm::raw_ostream &os, bool withRanges) const { RoutinePrinter(os, *this, withRanges).print(); }
