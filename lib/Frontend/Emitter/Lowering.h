//===- Lowering.h - From emitted blocks to a graph in SSA form --*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_LOWERING_H
#define TSC_LIB_FRONTEND_LOWERING_H

#include "tsc/Support/Source.h"

namespace tsc {

class Graph;
class Type;

/// How deeply code may be nested by statements that may exit: see findDeepExit.
inline constexpr unsigned maxExitDepth = 1000;
/// Returns the place of the statement, of a body that was not lowered yet, behind which transformExits would nest
/// blocks more than `maxExitDepth` deep, or an invalid range where there is none.
SourceRange findDeepExit(const Graph &graph);

/// Load and Store become values, carried through the outputs of If and Loop; break and continue become
/// prim::LoopContinuation; the condition blocks of loops go.
void convertToSSA(Graph &graph);
/// Return and LoopContinuation statements become outputs: what follows one is guarded by a prim::If. The graph then
/// has one output, of `returnType`.
void transformExits(Graph &graph, const Type *returnType);
/// Drops tuples that are taken apart where they were made, pools constants, erases what was emitted and is not used.
void cleanUp(Graph &graph);
/// Makes a finished body a graph in SSA form that returns `result`: the three passes above, in order.
void lowerBody(Graph &body, const Type *result);

} // namespace tsc

#endif
