//===- Stack.h - How much stack a thread has left ---------------*- C++ -*-===//
//
// Work on nested input goes down by recursion, and hosts choose how large the
// stacks of their threads are. What nests is counted by those who read it, with
// limits that fit into the 8 MB of a usual thread; in a smaller one the stack ends
// first, and is asked before each step down.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_STACK_H
#define TSC_SUPPORT_STACK_H

#include "tsc/Support/MemoryErrors.h"
#include <cstddef>

namespace tsc {

/// The bytes of stack that must be left for loading, compiling and saving to begin: enough for programs as people write
/// them.
inline constexpr size_t stackToCompile = 96 << 10;
/// The bytes of stack that must be left for a call of code that is already compiled to begin.
inline constexpr size_t stackToCall = 32 << 10;
/// The bytes of stack that a recursion over input leaves untouched, for the frames of its leaves, messages and
/// destructors.
inline constexpr size_t stackForLeaves = 32 << 10;

/// Returns how many bytes of stack are left to the calling thread below this call, or the largest number where that is
/// unknown: on a stack that a host made itself, as those of fibers.
size_t stackLeft();

/// Whether a recursion may take one more step down.
inline bool mayRecurse() { return stackLeft() > stackForLeaves; }
/// Throws StackExhausted where mayRecurse() is false: for recursions that have no error to return.
inline void requireStack() {
  if (!mayRecurse()) [[unlikely]]
    throw StackExhausted();
}

/// Returns ResourceExhausted, which says how much stack `what` needs, where fewer than `bytes` are left.
Status checkStack(size_t bytes, llvm::StringRef what);

} // namespace tsc

#endif
