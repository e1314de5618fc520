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

/// Parses every graph of a file (`graph(…)`, or `graph @name(…)`) and verifies each.
llvm::FailureOr<std::vector<std::unique_ptr<Graph>>> parseGraphs(Context &context, const SourceBuffer &text,
                                                                 DiagnosticEngine &diags);
/// Checks what every graph must satisfy: dominance, use lists, blocks of If and Loop, schemas' argument counts and
/// types.
llvm::LogicalResult verify(const Graph &graph, DiagnosticEngine &diags);

} // namespace tsc

#endif
