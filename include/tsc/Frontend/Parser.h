//===- Parser.h - TorchScript source to syntax trees ------------*- C++ -*-===//
//
// Accepts Python's statements and expressions (what TorchScript lacks among them
// becomes an unsupported node, see Trees.def) and all that PyTorch writes into
// an archive's code. A syntax error is reported and ends the parse. Time and memory are
// linear in the text; nesting deeper than SyntaxTree::MaxDepth is an error.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_PARSER_H
#define TSC_FRONTEND_PARSER_H

#include "tsc/Frontend/Tree.h"
#include "tsc/Support/Diagnostics.h"

namespace tsc {

/// A file: definitions, classes, imports, other statements. Text that is indented as a whole (a method cut out of
/// its class) is accepted.
llvm::FailureOr<SyntaxTree> parseSource(const SourceBuffer &buffer, DiagnosticEngine &diags);

/// One expression, or several between commas (then a TupleLiteral): the argument of --args.
llvm::FailureOr<SyntaxTree> parseExpression(const SourceBuffer &buffer, DiagnosticEngine &diags);

} // namespace tsc

#endif
