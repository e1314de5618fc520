//===- Traces.h - The steps from a trace to methods -------------*- C++ -*-===//
//
// What the passes over traces of modules do, for fixup-trace-scopes, which takes
// all steps in a row. The steps rely on a graph that verifies.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_TRANSFORMS_TRACEDMODULES_TRACES_H
#define TSC_LIB_TRANSFORMS_TRACEDMODULES_TRACES_H

#include "tsc/IR/Graph.h"
#include "tsc/Support/Status.h"
#include <vector>

namespace tsc {

class ClassType;
class CompilationUnit;
class Function;
class FunctionSchema;

/// Whether the node is a call of a module in a trace.
inline bool isTracedCall(const Node &node) { return node.kind() == prim::TracedModuleForward; }
/// Whether the node is a traced call or fork whose nodes are still in its block.
inline bool hasTracedBlock(const Node &node) {
  return (isTracedCall(node) || node.kind() == prim::TracedFork) && node.numBlocks() == 1;
}
/// Whether some node of the graph, or of the subgraphs of its calls and forks, is of a kind that only traces have.
bool isTrace(Graph &graph);

/// Returns InvalidArgument where convertTracedAttrs() would not know what to read.
Status checkTracedAttrs(Graph &graph);
/// Does what convert-traced-attrs does to a graph that checkTracedAttrs() accepts. Returns whether it changed.
bool convertTracedAttrs(Graph &graph);
/// Does what defs-dominate-uses does. Returns whether the graph changed.
bool makeDefsDominateUses(Graph &graph);
/// Does what returns-to-tuples does. Returns whether the block, or one in it, changed.
bool convertReturnsToTuples(Block &block);
/// Does what inline-scopes does. Returns whether the block, or one in it, changed.
bool inlineScopes(Block &block);
/// Does what lambda-lift does to a graph in which definitions dominate uses. Returns whether the block changed.
bool lambdaLift(Block &block);
/// Does what create-method-calls does to a graph whose calls are lifted, each with a module and one result. Returns the
/// methods, callees before their callers.
std::vector<Function *> createMethodCalls(Graph &graph, CompilationUnit &unit);

/// Gives a class that has no definition, and that several modules of the trace have, to the first of them; the others
/// get classes of their own.
void separateOpaqueClasses(Graph &graph);
/// Makes a method of the class of a graph with one result, whose first input is an object of the class.
Function *defineMethod(CompilationUnit &unit, ClassType &type, StringRef name, std::unique_ptr<Graph> graph);

} // namespace tsc

#endif
