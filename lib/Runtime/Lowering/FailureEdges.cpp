//===- FailureEdges.cpp - What happens where a step fails -----------------===//
#include "tsc/Runtime/Lowering/FailureEdges.h"
#include "SlotStates.h"

using namespace tsc;

/// Whether the step hands on what it uses last before anything in it can fail.
static bool handsOperandsOn(StepKind kind) {
  switch (kind) {
  case StepKind::CallFunction:
  case StepKind::CallMethod:
  case StepKind::Fork: return true;
  default: return false;
  }
}

void tsc::walkFailureEdges(const Routine &routine,
                           llvm::function_ref<bool(uint32_t step, const FailureEdge &edge)> visit) {
  llvm::SmallVector<uint32_t, 16> released;
  SlotStates(routine).walk(
      [&](uint32_t number, const SlotState &state) {
        const Step &step = routine.steps[number];
        released.clear();
        for (unsigned slot : state.full.set_bits())
          released.push_back(slot);
        if (handsOperandsOn(step.kind))
          for (Operand operand : routine.readBy(step))
            if (operand.isLastUse())
              llvm::erase(released, operand.number());
        return visit(number, {released, state.open});
      },
      [](uint32_t) { return true; });
}
