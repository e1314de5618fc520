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

/// Patterns of operators: "aten::add" (all overloads), "aten::add.Tensor" (that one; "aten::add." for the one without
/// name), "aten::*" (a namespace), "aten::_*" (all that begin so). What is neither on an empty list of allowed ones nor
/// denied is allowed; `prim::` is the language (control flow, containers, calls, print) and needs no allowance.
struct OperatorPolicy {
  std::vector<std::string> allowed; ///< Empty: all.
  std::vector<std::string> denied;  ///< Also of those allowed.

  bool isSet() const { return !allowed.empty() || !denied.empty(); }
  bool allows(llvm::StringRef name, llvm::StringRef overload) const;
  /// Reports every node of the graph, nested blocks and subgraphs included, whose operator is not allowed.
  bool allows(const Graph &graph, DiagnosticEngine &diags) const;
};

/// The patterns of a text: between commas, spaces and line ends; '#' begins a comment. InvalidArgument for what is
/// none.
StatusOr<std::vector<std::string>> parseOperatorPatterns(llvm::StringRef text);

} // namespace tsc

#endif
