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

/// Returns the function that a call surely runs, which the types of its inputs tell. Returns null when they do not, or
/// when the node is no call.
Function *calleeOf(const Node &call);

/// Whether the operators that a callee does not use (UnusedOperators.h) are inlined with its body.
enum class Unused { Kept, Erased };

/// Replaces calls by the bodies of their callees, and so on with the calls in these. `findCallee` is called once for
/// every node, in execution order (for a node with blocks after the nodes in them), and returns the function to inline,
/// or null to leave the node. Recursive calls stay, as do those nested too deeply and those beyond a limit on the size.
/// Returns whether the graph changed.
bool inlineCalls(Graph &graph, llvm::function_ref<Function *(Node &)> findCallee, const Remarks &remarks,
                 Unused unused = Unused::Kept);

/// Inserts at the insertion point of `into` what `callee` runs for these arguments, and returns its results. Branches
/// and loops that constants and the arguments' types decide are followed; other branches stay. Where a loop is not
/// decided, inserts nothing and returns nullopt.
std::optional<std::vector<Value *>> inlineDecided(const Graph &callee, llvm::ArrayRef<Value *> arguments, Graph &into);

} // namespace tsc

#endif
