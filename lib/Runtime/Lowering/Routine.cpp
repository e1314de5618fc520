//===- Routine.cpp - A graph, lowered to steps over slots -----------------===//
#include "tsc/Runtime/Lowering/Routine.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/FunctionSchema.h"
#include <iterator>

using namespace tsc;

llvm::StringRef tsc::nameOf(StepKind kind) {
  static constexpr llvm::StringLiteral names[] = {
#define STEP(NAME, FAILS, DOC) #NAME,
#include "tsc/Runtime/Lowering/Steps.def"
  };
  assert(static_cast<size_t>(kind) < std::size(names) && "a kind of Steps.def");
  return names[static_cast<size_t>(kind)];
}

bool tsc::isJump(StepKind kind) {
  switch (kind) {
  case StepKind::Jump:
  case StepKind::JumpBack:
  case StepKind::Branch:
  case StepKind::BranchCompare:
  case StepKind::BranchNone:
  case StepKind::LoopEnter:
  case StepKind::LoopNext: return true;
  default: return false;
  }
}

bool tsc::isTerminator(StepKind kind) {
  switch (kind) {
  case StepKind::Jump:
  case StepKind::JumpBack:
  case StepKind::Return:
  case StepKind::Fail:
  case StepKind::Raise: return true;
  default: return false;
  }
}

llvm::SmallVector<Operand, 4> Routine::writtenBy(const Step &step) const {
  llvm::SmallVector<Operand, 4> written;
  if (!step.result.isAbsent())
    written.push_back(step.result);
  for (Operand result : listOf(step.results))
    if (!result.isAbsent())
      written.push_back(result);
  return written;
}

llvm::SmallVector<Operand, 8> Routine::readBy(const Step &step) const {
  llvm::SmallVector<Operand, 8> read;
  for (Operand operand : {step.a, step.b, step.c})
    if (!operand.isAbsent())
      read.push_back(operand);
  read.append(listOf(step.list).begin(), listOf(step.list).end());
  return read;
}

bool Routine::mayFail(const Step &step) const {
  enum class Fails { Never, May, Depends };
  static constexpr Fails byKind[] = {
#define STEP(NAME, FAILS, DOC) Fails::FAILS,
#include "tsc/Runtime/Lowering/Steps.def"
  };
  switch (byKind[static_cast<size_t>(step.kind)]) {
  case Fails::Never: return false;
  case Fails::May: return true;
  case Fails::Depends: break;
  }
  if (step.kind == StepKind::Scalar)
    return signatureOf(step.scalarOp).failure != ScalarFailure::None;
  assert(step.kind == StepKind::Move && "the other kind that it depends for");
  const SlotClass from = classOf(step.a), to = classOf(step.result);
  return to != from && (from == SlotClass::Value || (from == SlotClass::Float && to == SlotClass::Int));
}

StepEffects Routine::effectsOf(const Step &step) const {
  StepEffects effects;
  switch (step.kind) {
  case StepKind::SetItem:
  case StepKind::Append:
  case StepKind::DictSet:
  case StepKind::SetAttribute: effects.writes = true; break;
  case StepKind::Print:
  case StepKind::WithEnter:
  case StepKind::WithEntered:
  case StepKind::WithExit: effects.hasSideEffects = true; break;
  case StepKind::CallFunction:
  case StepKind::CallMethod:
  case StepKind::CallGroup:
  case StepKind::CallDifferentiable:
  case StepKind::BailOut:
  case StepKind::Fork:
  case StepKind::Wait: effects.runsCode = true; break;
  case StepKind::CallOperator:
    effects.writes = step.node->schema() && step.node->schema()->isMutating();
    effects.draws = changesGenerator(*step.node);
    effects.hasSideEffects = !effects.draws && step.node->hasSideEffects();
    break;
  default: break;
  }
  return effects;
}
