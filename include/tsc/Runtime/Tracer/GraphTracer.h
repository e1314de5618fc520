//===- GraphTracer.h - Straight-line graphs of programs ---------*- C++ -*-===//
//
//   StatusOr<TracedGraph> traced = traceGraph(call, *function.graph(), "forward", {module, x});
//
// A function of a program is run node by node, and each node that runs becomes a node of
// the trace: loops are unrolled, and of branches the trace has the one that was taken.
// Calls of functions stay as they are, with the control flow in them. A call of a method of
// a module becomes a prim::TracedModuleForward, whose subgraph is the trace of that call.
//
// The graph of a function names what numbers and lists are computed from, so that such a
// trace holds them: sizes and arithmetic on them, elements that `.item()` reads, lists
// that grow. What it cannot hold is a decision: a branch, or how often a loop runs, that
// other inputs may change. The tracer follows for each value what it depends on.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TRACER_GRAPHTRACER_H
#define TSC_RUNTIME_TRACER_GRAPHTRACER_H

#include "tsc/Runtime/Tracer/Tracer.h"

namespace tsc {

/// Runs a graph, as a function's frontend made it, with `args`, one for each of its inputs and of its type, and returns
/// the trace, a graph with the same inputs and outputs. The graph may read and write all that it could in a call: the
/// trace does so, too.
///
/// A decision that depends on sizes, on elements of tensors, on numbers or texts among the arguments, or on attributes
/// that the code assigns is refused (TraceOptions::warnsOnly). One that depends on ranks, dtypes, devices, on whether
/// an argument is None, or on other attributes, such as `training`, leaves an assumption among the remarks.
///
/// A method of a module is traced as the graph itself is: what holds for `args` holds for its arguments. Where a
/// decision in it would be refused, its calls stay prim::CallMethod, and a remark says why
/// (TraceRemark::Kind::Written). tracedModule() of a Program makes methods of the traced calls, and inlineTracedCalls()
/// a graph that can run.
///
/// Errors: those of the call; InvalidArgument, with the line, for a decision that is refused; Unimplemented for nodes
/// with blocks other than branches and loops; ResourceExhausted for a trace of more than a million nodes. The context's
/// grad mode and observer are then as before, and blocks that `with` statements opened are left.
StatusOr<TracedGraph> traceGraph(CallContext &context, const Graph &graph, llvm::StringRef name,
                                 std::vector<IValue> args, TraceOptions options = {});

} // namespace tsc

#endif
