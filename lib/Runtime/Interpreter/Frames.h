//===- Frames.h - Pushing frames, ending a run with a failure -------------===//
#ifndef TSC_RUNTIME_INTERPRETER_FRAMES_H
#define TSC_RUNTIME_INTERPRETER_FRAMES_H

#include "Instruction.h"

namespace tsc {

/// A fresh frame for `code`, which becomes the machine's current code. `call` is the caller's instruction.
char *pushFrame(Machine *m, const CodeImpl &code, const Instruction *call);
/// Takes the uppermost frame away, values and all.
void dropFrame(Machine *m);
/// Where a run goes on; no instruction at its end.
struct Resumption {
  const Instruction *ip;
  char *regs;
};
/// The code that a call runs; null on failure, with the status in the machine.
const Code *resolveCall(const FunctionCall &call, char *regs, Machine *m);

// Forks.cpp.

/// Runs what is pending of the frame `frame` and of those above it.
void runPending(Machine *m, size_t frame);
/// The end of a fork's frame: its results are the future's.
Resumption leaveFork(const int32_t *list, int32_t count, char *regs, Machine *m);
/// Gives the machine's failure to the innermost fork that runs in a frame, whose frames are gone then.
Resumption failFork(Machine *m);
/// Runs __exit__ of the open `with` statements above the first `keep`, innermost first.
void exitEntered(Machine *m, CodeCache *cache, size_t keep);

} // namespace tsc

#endif
