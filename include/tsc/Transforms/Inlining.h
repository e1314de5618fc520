//===- Inlining.h - Bodies in the place of calls ----------------*- C++ -*-===//
#ifndef TSC_TRANSFORMS_INLINING_H
#define TSC_TRANSFORMS_INLINING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace tsc {

class Function;
class Graph;
class Node;
class Remarks;
class Value;

/// The function that a call runs for sure, going by the types of its inputs; null when it is not known, or the node is
/// no call.
Function *calleeOf(const Node &call);

/// What becomes of operators that a callee does not use (UnusedOperators.h).
enum class Unused { Kept, Erased };

/// Replaces calls by the bodies of their callees, and so on with the calls in these. `findCallee` sees every node once,
/// in execution order (a node with blocks after what is in them), and gives the function a call runs; null leaves the
/// node. Recursive calls stay, as do those nested too deeply and those beyond a limit on the size. Returns whether the
/// graph changed.
bool inlineCalls(Graph &graph, llvm::function_ref<Function *(Node &)> findCallee, const Remarks &remarks,
                 Unused unused = Unused::Kept);

/// Inserts at the insertion point of `into` what `callee` runs for these arguments: branches and loops are followed
/// that constants and the types of the arguments decide; other branches stay. Returns its results. nullopt, and nothing
/// inserted, where a loop is not decided.
std::optional<std::vector<Value *>> inlineDecided(const Graph &callee, llvm::ArrayRef<Value *> arguments, Graph &into);

} // namespace tsc

#endif
