//===- Frames.h - Pushing frames, ending a run with a failure -------------===//
#ifndef TSC_RUNTIME_INTERPRETER_FRAMES_H
#define TSC_RUNTIME_INTERPRETER_FRAMES_H

#include "Instruction.h"

namespace tsc {

/// A fresh frame for `code`, which becomes the machine's current code. `call` is the caller's instruction.
char *pushFrame(Machine *m, const CodeImpl &code, const Instruction *call);

} // namespace tsc

#endif
