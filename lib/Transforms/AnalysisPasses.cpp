//===- AnalysisPasses.cpp - Analyses as passes ----------------------------===//
//
// Purpose: `print<alias>` prints to stderr what alias analysis knows, for tests
//   and for people: what each value may refer to, and what each node writes.
//   `require<alias>` only makes the analysis, for timing and for whoever wants it
//   to be there.
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
// Before (require<alias>):
//   graph(%x : Tensor):
//     return (%x)
// After:
//   graph(%x : Tensor):
//     return (%x)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Transforms/Passes/Analyses.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

Status PrintAnalyses::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"alias"}, options));
  return readOption(options, "alias", aliases);
}

PreservedAnalyses PrintAnalyses::run(Graph &graph, AnalysisManager &analyses) {
  if (aliases)
    analyses.get<AliasAnalysis>(graph).print(llvm::errs());
  return PreservedAnalyses::all();
}

Status RequireAnalyses::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"alias"}, options));
  return readOption(options, "alias", aliases);
}

PreservedAnalyses RequireAnalyses::run(Graph &graph, AnalysisManager &analyses) {
  if (aliases)
    analyses.get<AliasAnalysis>(graph);
  return PreservedAnalyses::all();
}
