//===- OperatorPolicy.h - Which operators a program may use -----*- C++ -*-===//
#ifndef TSC_ENGINE_OPERATORPOLICY_H
#define TSC_ENGINE_OPERATORPOLICY_H

#include "tsc/Support/Status.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace tsc {

class DiagnosticEngine;
class Graph;

/// The operators that a program may use, by patterns: "aten::add" (all overloads of an operator), "aten::add.Tensor"
/// (one overload; "aten::add." is the one without a name), "aten::*" (a namespace), "aten::_*" (all names that begin
/// so). Operators of `prim::` are the language (control flow, containers, calls, print); they can be denied, and need
/// not be allowed.
struct OperatorPolicy {
  std::vector<std::string> allowed; ///< Where it is empty, all operators are allowed.
  std::vector<std::string> denied;  ///< Takes precedence over `allowed`.

  /// Whether it restricts anything.
  bool isSet() const { return !allowed.empty() || !denied.empty(); }
  /// Whether a program may use overload `overload` of the operator `name`, "aten::add".
  bool allows(llvm::StringRef name, llvm::StringRef overload) const;
  /// Whether all operators of the graph are allowed. Reports each node whose operator is not, also in nested blocks and
  /// subgraphs.
  bool allows(const Graph &graph, DiagnosticEngine &diags) const;
};

/// Splits a text into patterns, which commas, spaces and line ends separate; '#' begins a comment. InvalidArgument
/// where a word is no pattern.
StatusOr<std::vector<std::string>> parseOperatorPatterns(llvm::StringRef text);

} // namespace tsc

#endif
