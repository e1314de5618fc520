//===- Lowering.h - From a graph to a routine -------------------*- C++ -*-===//
//
// Flattens control flow, places values in slots, finds where they die, and chooses
// a step for each node. What the interpreter and a compiler to native code decide
// by themselves (which kernel an operator has, what code a callee has) is left to
// them.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_LOWERING_LOWERING_H
#define TSC_RUNTIME_LOWERING_LOWERING_H

#include "tsc/Runtime/Lowering/Routine.h"
#include "tsc/Support/Status.h"

namespace tsc {

/// What lower() has to know of those who will run the routine.
struct LoweringOptions {
  /// Whether a call may have to be repeated as long as nobody outside has seen its effects: an Observe step comes
  /// before the first of these.
  bool notesEffects = false;
  /// Whether it runs with a tape, so that gradients that are added up are effects to be seen.
  bool isForTape = false;
};

/// Lowers a graph, in time that is nearly linear in its size. An operator that nobody knows becomes a step that fails,
/// so that a program with such a node in a branch that is not taken still runs. Returns InvalidArgument for blocks that
/// are no control flow of TorchScript's and for a constant that its type contradicts, and ResourceExhausted for blocks
/// that are nested too deeply.
StatusOr<Routine> lower(const Graph &graph, const LoweringOptions &options = {});

} // namespace tsc

#endif
