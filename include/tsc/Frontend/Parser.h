//===- Parser.h - TorchScript source to syntax trees ------------*- C++ -*-===//
//
// Accepts Python's statements and expressions (what TorchScript lacks among them
// becomes an unsupported node, see Trees.def) and all that PyTorch writes into
// an archive's code. A syntax error is reported and ends the parse. Time and memory are
// linear in the text; nesting deeper than SyntaxTree::maxDepth is an error.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_PARSER_H
#define TSC_FRONTEND_PARSER_H

#include "tsc/Frontend/Tree.h"
#include "tsc/Support/Diagnostics.h"

namespace tsc {

/// Parses a file: definitions, classes, imports and other statements. The text may be indented as a whole, like a
/// method cut out of its class. Reports the first error and returns failure. The tree borrows the buffer.
llvm::FailureOr<SyntaxTree> parseSource(const SourceBuffer &buffer, DiagnosticEngine &diags);

/// Parses one expression, or several between commas, which become a TupleLiteral, such as the argument of --args.
llvm::FailureOr<SyntaxTree> parseExpression(const SourceBuffer &buffer, DiagnosticEngine &diags);

} // namespace tsc

#endif
