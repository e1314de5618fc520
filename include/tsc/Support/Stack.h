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

/// What must be left for loading, compiling and saving to begin, in bytes: enough for programs as people write them.
inline constexpr size_t stackToCompile = 96 << 10;
/// The same of a call whose code is there.
inline constexpr size_t stackToCall = 32 << 10;
/// What a recursion over input leaves untouched: its leaves, messages and destructors have their frames there.
inline constexpr size_t stackForLeaves = 32 << 10;

/// How many bytes of stack are left to the calling thread below this call. The largest number where that is unknown:
/// on a stack that a host made itself, as those of fibers.
size_t stackLeft();

/// Whether a recursion may take one more step down.
inline bool mayRecurse() { return stackLeft() > stackForLeaves; }
/// The same for recursions that have no error to return: throws StackExhausted where it may not.
inline void requireStack() {
  if (!mayRecurse()) [[unlikely]]
    throw StackExhausted();
}

/// ResourceExhausted, which says how large the stack must be, where fewer than `bytes` are left to `what`.
Status checkStack(size_t bytes, llvm::StringRef what);

} // namespace tsc

#endif
