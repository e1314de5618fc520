//===- PrintAnalyses.cpp - Analyses as text -------------------------------===//
//
// Purpose: prints to stderr what an analysis knows, for tests and for people:
//   `print<alias>` what each value may refer to and what each node writes.
//
// Cost:   that of the analysis.
// Limits: changes nothing.
//
// Before (print<alias>):
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x)
//     return (%1)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x)
//     return (%1)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

Status PrintAnalyses::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"alias"}, options));
  return readOption(options, "alias", printAlias);
}

PreservedAnalyses PrintAnalyses::run(Graph &graph, AnalysisManager &analyses) {
  if (printAlias)
    analyses.get<AliasAnalysis>(graph).print(llvm::errs());
  return PreservedAnalyses::all();
}
