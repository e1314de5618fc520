//===- Remarks.cpp - What passes tell the user of their work --------------===//
#include "tsc/Transforms/Remarks.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Diagnostics.h"
#include "llvm/Support/Regex.h"
#include <optional>
using namespace tsc;

struct Remarks::Filters {
  std::optional<llvm::Regex> done, missed;
};

Remarks::Remarks() : filters(std::make_unique<Filters>()) {}
Remarks::~Remarks() = default;

static Status compile(llvm::StringRef pattern, std::optional<llvm::Regex> &regex) {
  if (pattern.empty())
    return okStatus();
  regex.emplace(pattern);
  std::string error;
  if (!regex->isValid(error))
    return invalidArgument("'" + pattern + "' is not a regular expression: " + error);
  return okStatus();
}

Status Remarks::enable(llvm::StringRef donePasses, llvm::StringRef missedPasses) {
  TSC_RETURN_IF_ERROR(compile(donePasses, filters->done));
  return compile(missedPasses, filters->missed);
}

void Remarks::setPass(llvm::StringRef name) {
  pass = name.str();
  showsDone = engine && filters->done && filters->done->match(name);
  showsMissed = engine && filters->missed && filters->missed->match(name);
}

void Remarks::emit(const Node &node, const llvm::Twine &what, Outcome outcome) const {
  const DiagnosticKind &kind = outcome == Outcome::Done ? diag::OptimizationDone : diag::OptimizationMissed;
  (void)engine->report(node.range(), kind, node.kindName(), what.str(), pass);
}
