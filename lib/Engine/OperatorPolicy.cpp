//===- OperatorPolicy.cpp - Which operators a program may use -------------===//
#include "tsc/Engine/OperatorPolicy.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using llvm::StringRef;

static constexpr DiagnosticKind notAllowed{Severity::Error, "OperatorNotAllowed",
                                           "operator '{0}' is not allowed to this program"};

/// "aten::add.Tensor"; the overload without name is "aten::add.".
static bool matches(StringRef pattern, StringRef name, StringRef overload) {
  if (pattern.consume_back("*"))
    return (name.str() + "." + overload.str()).starts_with(pattern.str());
  auto [wanted, wantedOverload] = pattern.split('.');
  return wanted == name && (!pattern.contains('.') || wantedOverload == overload);
}

bool OperatorPolicy::allows(StringRef name, StringRef overload) const {
  auto isIn = [&](const std::vector<std::string> &patterns) {
    return llvm::any_of(patterns, [&](StringRef pattern) { return matches(pattern, name, overload); });
  };
  return !isIn(denied) && (allowed.empty() || name.starts_with("prim::") || isIn(allowed));
}

static std::pair<StringRef, StringRef> nameOf(const Node &node) {
  const Operator *op = node.op();
  StringRef overload = !op            ? StringRef()
                       : op->record() ? StringRef(op->record()->overload)
                                      : op->schema().overloadName();
  return {node.kindName(), overload};
}

bool OperatorPolicy::allows(const Graph &graph, DiagnosticEngine &diags) const {
  bool good = true;
  std::vector<const Graph *> pending{&graph};
  while (!pending.empty()) {
    const Graph *next = pending.back();
    pending.pop_back();
    const_cast<Graph *>(next)->walk([&](Node &node) {
      if (const Graph *inner = subgraphOf(node))
        pending.push_back(inner);
      auto [name, overload] = nameOf(node);
      if (allows(name, overload))
        return;
      good = false;
      std::string full = name.str() + (overload.empty() ? "" : "." + overload.str());
      (void)diags.report(node.range(), notAllowed, full);
    });
  }
  return good;
}

static bool isPattern(StringRef text) {
  text.consume_back("*");
  return !text.empty() && text.contains("::") &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == ':' || c == '.'; });
}

StatusOr<std::vector<std::string>> tsc::parseOperatorPatterns(StringRef text) {
  std::vector<std::string> patterns;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(line.split('#').first, words, ", \t\r");
    for (StringRef word : words) {
      if (!isPattern(word))
        return invalidArgument("'" + word + "' names no operators: write aten::add, aten::add.Tensor or aten::*");
      patterns.push_back(word.str());
    }
  }
  return patterns;
}
