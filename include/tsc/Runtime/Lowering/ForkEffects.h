//===- ForkEffects.h - Whether others can tell that code ran ----*- C++ -*-===//
#ifndef TSC_RUNTIME_LOWERING_FORKEFFECTS_H
#define TSC_RUNTIME_LOWERING_FORKEFFECTS_H

namespace tsc {

class Function;
class Graph;

/// Whether somebody outside can see that the graph has run, other than by its results: it writes what it was given,
/// prints, draws random numbers, switches grad mode, or calls what does. Compiles the functions that it calls.
bool hasSeenEffects(const Graph &graph);
/// Whether the same holds for a function, or its body does not compile.
bool hasSeenEffects(Function &function);

} // namespace tsc

#endif
