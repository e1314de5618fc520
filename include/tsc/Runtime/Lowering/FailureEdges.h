//===- FailureEdges.h - What happens where a step fails ---------*- C++ -*-===//
//
// A failure ends the routine: it releases what slots hold, runs __exit__ of the
// objects whose `with` statements are open, innermost first, and goes on in the
// caller. Both sets follow from the steps before, so that a routine need not store
// them for each step: a walk gives them in the order of the steps.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_LOWERING_FAILUREEDGES_H
#define TSC_RUNTIME_LOWERING_FAILUREEDGES_H

#include "tsc/Runtime/Lowering/Routine.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tsc {

/// What is to be done where a step fails, before the routine is left for its caller.
struct FailureEdge {
  /// The slots of class Value that hold something, in increasing order. A step's operands are still in their slots when
  /// it fails, but for a call of code or a fork, which has handed on those that it used last.
  llvm::ArrayRef<uint32_t> released;
  /// The open `with` statements, outermost first, as the numbers of their WithEntered steps. The object is the one of
  /// the WithEnter step two before.
  llvm::ArrayRef<uint32_t> exited;
};

/// Calls `visit` with each step that can be reached and its edge, which is valid during the call. The edge is that of
/// a failure in the step, whether or not the step may fail. Stops where `visit` returns false.
void walkFailureEdges(const Routine &routine, llvm::function_ref<bool(uint32_t step, const FailureEdge &edge)> visit);

} // namespace tsc

#endif
