//===- RemoveMutation.cpp - Values in the place of writes -----------------===//
//
// Purpose: replaces in-place operators on tensors that only this code can see by
//   their functional forms, and makes lists that are built by append, extend,
//   insert, assignment, pop, del, reverse and clear in one go, so that the passes
//   that fear writes see none. Readers between two changes get the list, or the
//   tensor, as it is there. What self may be unable to hold is checked as in place.
//
// Options: lists: of lists alone.
// Better: PyTorch knows append only, and an in-place operator with a tensor of
//   another shape or dtype gives a result that the tensor never has, where it fails
//   without the pass.
// Cost:   linear in uses, n log n in the uses of one value.
// Limits: tensors and lists that come from outside, are aliased before the last
//   write, or are written inside an inner block, stay as they are.
//
// Before:
//   graph(%x : Float(*), %n : int):
//     %2 : Float(*) = aten::exp(%x)
//     %3 : Float(*) = aten::mul_(%2, %n)
//     %4 : Tensor[] = prim::ListConstruct(%x)
//     %5 : Tensor[] = aten::append(%4, %2)
//     %6 : Tensor = aten::cat(%4, %n)
//     return (%6)
// After:
//   graph(%x : Float(*),
//         %n : int):
//     %2 : Float(*) = aten::exp(%x)
//     %8 : Float(*) = aten::mul(%2, %n)
//     %7 : Tensor[] = prim::ListConstruct(%x, %8)
//     %6 : Tensor = aten::cat(%7, %n)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "ListMutation.h"
#include "TensorMutation.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Mutation.h"
using namespace tsc;

Status RemoveMutation::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"lists"}, options));
  return readOption(options, "lists", onlyLists);
}

PreservedAnalyses RemoveMutation::run(Graph &graph, AnalysisManager &) {
  // Lists first: a list that was seen to change is one that a tensor escapes into earlier.
  bool changed = removeListMutation(graph);
  if (!onlyLists)
    changed |=
        removeTensorMutation(graph, [&](const Node &node) { return !accepts || accepts(node); }, reach == Reach::Wide);
  return PreservedAnalyses::allUnless(changed);
}
