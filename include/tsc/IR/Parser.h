//===- Parser.h - Textual IR ------------------------------------*- C++ -*-===//
#ifndef TSC_IR_PARSER_H
#define TSC_IR_PARSER_H

#include "llvm/Support/LogicalResult.h"
#include <memory>
#include <vector>

namespace tsc {

class Context;
class DiagnosticEngine;
class Graph;
class SourceBuffer;

/// Parses and verifies every graph of a file of textual IR (`graph(…)`, or `graph @name(…)`). Reports the first error,
/// and then returns no graph.
llvm::FailureOr<std::vector<std::unique_ptr<Graph>>> parseGraphs(Context &context, const SourceBuffer &text,
                                                                 DiagnosticEngine &diags);
/// Checks that a graph is well-formed: definitions dominate their uses, use lists are consistent, If and Loop have the
/// right blocks, and operands fit a schema in number and type. Reports what is wrong.
llvm::LogicalResult verify(const Graph &graph, DiagnosticEngine &diags);

} // namespace tsc

#endif
