//===- Lowering.h - From emitted blocks to a graph in SSA form ----*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_LOWERING_H
#define TSC_LIB_FRONTEND_LOWERING_H

namespace tsc {

class Graph;
class Type;

/// Load and Store become values, carried through the outputs of If and Loop; break and continue become
/// prim::LoopContinuation; the condition blocks of loops go.
void convertToSSA(Graph &graph);
/// Return and LoopContinuation statements become outputs: what follows one is guarded by a prim::If. The graph then
/// has one output, of `returnType`.
void transformExits(Graph &graph, const Type *returnType);
/// Drops tuples that are taken apart where they were made, pools constants, erases what was emitted and is not used.
void cleanUp(Graph &graph);

} // namespace tsc

#endif
