//===- SlotStates.h - What slots hold at each step --------------*- C++ -*-===//
#ifndef TSC_LIB_RUNTIME_LOWERING_SLOTSTATES_H
#define TSC_LIB_RUNTIME_LOWERING_SLOTSTATES_H

#include "tsc/Runtime/Lowering/Routine.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <optional>

namespace tsc {

/// What is known where a step begins.
struct SlotState {
  llvm::BitVector full;                ///< The slots of class Value that hold something.
  llvm::BitVector places;              ///< The places of these slots.
  llvm::SmallVector<uint32_t, 2> open; ///< The WithEntered steps of open `with` statements, outermost first.
};

/// Walks over the steps of a routine in their order. As control flow is that of structured programs, one walk suffices:
/// a loop's head is reached from before the loop, in the state that its end has too.
class SlotStates {
public:
  explicit SlotStates(const Routine &routine) : routine(routine) {}
  /// Calls `visit(number, state)` before each step that can be reached, and `differ(number)` for a step that is reached
  /// in states which differ in what slots hold. Either returns false to stop.
  template <typename Visit, typename Differ> void walk(Visit &&visit, Differ &&differ);

private:
  void apply(uint32_t number);
  void fill(uint32_t slot) {
    state->full.set(slot);
    state->places.set(routine.slots[slot].place);
  }
  /// Notes that `target` is reached in the current state. False where it is reached in another one, too.
  bool reach(uint32_t target);

  const Routine &routine;
  std::optional<SlotState> state;                ///< None where no way leads to the current step.
  llvm::DenseMap<uint32_t, SlotState> atTargets; ///< The states at the targets of jumps.
};

template <typename Visit, typename Differ> void SlotStates::walk(Visit &&visit, Differ &&differ) {
  llvm::BitVector isTarget(routine.steps.size() + 1);
  for (const Step &step : routine.steps)
    if (isJump(step.kind) && step.target >= 0 && static_cast<size_t>(step.target) < routine.steps.size())
      isTarget.set(step.target);
  state.emplace();
  state->full.resize(routine.slots.size());
  state->places.resize(routine.numValuePlaces);
  for (uint32_t input : routine.inputs)
    if (routine.slots[input].kind == SlotClass::Value)
      fill(input);
  for (uint32_t i = 0; i != routine.steps.size(); ++i) {
    if (isTarget.test(i)) {
      if (state && !reach(i) && !differ(i))
        return;
      if (auto known = atTargets.find(i); known != atTargets.end())
        state = known->second;
    }
    if (!state)
      continue;
    if (!visit(i, *state))
      return;
    apply(i);
    const Step &step = routine.steps[i];
    if (isJump(step.kind) && !reach(step.target) && !differ(step.target))
      return;
    if (isTerminator(step.kind))
      state.reset();
  }
}

inline bool SlotStates::reach(uint32_t target) {
  auto [known, isNew] = atTargets.try_emplace(target, *state);
  if (isNew)
    return true;
  // Text may open a `with` on one way alone: only those open on every way are known.
  auto &open = known->second.open;
  auto [first, second] = std::mismatch(open.begin(), open.end(), state->open.begin(), state->open.end());
  open.erase(first, open.end());
  return known->second.full == state->full;
}

inline void SlotStates::apply(uint32_t number) {
  const Step &step = routine.steps[number];
  for (Operand operand : routine.readBy(step))
    if (operand.isLastUse()) {
      state->full.reset(operand.number());
      state->places.reset(routine.slots[operand.number()].place);
    }
  for (Operand result : routine.writtenBy(step))
    if (routine.classOf(result) == SlotClass::Value)
      fill(result.number());
  if (step.kind == StepKind::WithEntered)
    state->open.push_back(number);
  else if (step.kind == StepKind::WithExit && !state->open.empty())
    state->open.pop_back();
}

} // namespace tsc

#endif
