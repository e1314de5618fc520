//===- VerifyRoutine.cpp - What must hold of a routine --------------------===//
#include "SlotStates.h"
#include "llvm/ADT/Twine.h"

using namespace tsc;

static std::string at(uint32_t step, const llvm::Twine &what) {
  return ("step " + llvm::Twine(step) + ": " + what).str();
}

/// What is wrong with one step, whatever came before it.
static std::string findMistakeOf(const Routine &routine, uint32_t number) {
  const Step &step = routine.steps[number];
  if (isJump(step.kind)) {
    if (step.target < 0 || static_cast<size_t>(step.target) >= routine.steps.size())
      return at(number, "a target that is no step");
    const bool goesBack = static_cast<uint32_t>(step.target) <= number;
    if (goesBack != (step.kind == StepKind::JumpBack || step.kind == StepKind::LoopNext))
      return at(number, "a target on the wrong side");
  }
  for (Operand operand : routine.readBy(step))
    if (operand.number() >= (operand.isSlot() ? routine.slots.size() : routine.constants.size()))
      return at(number, "an operand that there is not");
  for (Operand result : routine.writtenBy(step))
    if (!result.isSlot() || result.number() >= routine.slots.size())
      return at(number, "a result that is no slot");
  if (step.type >= static_cast<int32_t>(routine.types.size()) && step.kind != StepKind::TupleRange)
    return at(number, "a type that there is not");
  if (!isTerminator(step.kind) && number + 1 == routine.steps.size())
    return at(number, "the end is not reached by a return");
  return {};
}

/// What is wrong with a step in a state: what it reads must be there, and where it writes must be nothing.
static std::string findMistakeIn(const Routine &routine, uint32_t number, const SlotState &state) {
  const Step &step = routine.steps[number];
  llvm::SmallVector<uint32_t, 4> emptied;
  for (Operand operand : routine.readBy(step)) {
    if (!operand.isSlot() || routine.classOf(operand) != SlotClass::Value)
      continue;
    if (!state.full.test(operand.number()))
      return at(number, "reads s" + llvm::Twine(operand.number()) + ", which is empty");
    if (operand.isLastUse())
      emptied.push_back(operand.number());
  }
  for (Operand result : routine.writtenBy(step)) {
    if (routine.classOf(result) != SlotClass::Value)
      continue;
    const uint32_t place = routine.slots[result.number()].place;
    auto isHere = [&](uint32_t slot) { return routine.slots[slot].place == place; };
    // A place holds one value, so that there is none other than one that the step takes out. The slots are looked
    // through for the message alone: there may be a hundred thousand.
    if (!state.places.test(place) || llvm::any_of(emptied, isHere))
      continue;
    for (unsigned slot : state.full.set_bits())
      if (isHere(slot))
        return at(number, "writes s" + llvm::Twine(result.number()) + ", where s" + llvm::Twine(slot) + " is");
  }
  if (step.kind != StepKind::Return)
    return {};
  for (unsigned slot : state.full.set_bits())
    if (!llvm::is_contained(emptied, slot))
      return at(number, "leaves s" + llvm::Twine(slot) + " behind");
  return {};
}

std::string tsc::findMistake(const Routine &routine) {
  for (uint32_t number = 0; number != routine.steps.size(); ++number)
    if (std::string mistake = findMistakeOf(routine, number); !mistake.empty())
      return mistake;
  std::string mistake;
  SlotStates(routine).walk(
      [&](uint32_t number, const SlotState &state) {
        mistake = findMistakeIn(routine, number, state);
        return mistake.empty();
      },
      [&](uint32_t number) {
        mistake = at(number, "what slots hold depends on the way here");
        return false;
      });
  return mistake;
}
