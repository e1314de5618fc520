//===- Guards.h - What passes over guards share -----------------*- C++ -*-===//
#ifndef TSC_LIB_TRANSFORMS_PROFILING_GUARDS_H
#define TSC_LIB_TRANSFORMS_PROFILING_GUARDS_H

#include "tsc/IR/Graph.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace tsc {

/// Returns what a prim::Guard lets pass: what the type of its result says of tensors.
const TensorFacts &factsOfGuard(const Node &guard);
/// Returns the graph's prim::Guard nodes, those in its blocks among them, in the order in which they run.
llvm::SmallVector<Node *, 0> guardsOf(Graph &graph);
/// Returns the value that a guard, or several in a row, looked at; `value` itself where no guard gave it.
Value *valueBehindGuards(Value *value);
/// Returns all that `a` and `b` say of a tensor, or nullopt where no tensor can be both.
std::optional<TensorFacts> joinFacts(TensorFacts a, const TensorFacts &b);
/// Gives the users of each guard in the graph the value that it looked at, and erases the guard.
void eraseGuards(Graph &graph);

} // namespace tsc

#endif
