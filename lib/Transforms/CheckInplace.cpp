//===- CheckInplace.cpp - Refuse what cannot be compiled in place ---------===//
//
// Purpose: fails on a Python operator that works in place (prim::PythonOp with
//   inplace=1): nobody can tell what it writes. Changes nothing.
//
// Cost:   linear.
// Limits: operators with a schema say what they write, and are fine.
//
// Before:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu_(%x)
//     return (%1)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu_(%x)
//     return (%1)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Mutation.h"
using namespace tsc;

static bool isInPlacePythonOp(const Node &node) {
  const AttributeValue *inplace = node.kind() == prim::PythonOp ? node.attribute(attr::inplace) : nullptr;
  const auto *flag = inplace ? std::get_if<int64_t>(inplace) : nullptr;
  return flag && *flag != 0;
}

static std::string nameOf(const Node &node) {
  const AttributeValue *name = node.attribute(attr::name);
  const auto *text = name ? std::get_if<std::string>(name) : nullptr;
  return text ? *text : "PythonOp";
}

PreservedAnalyses CheckInplace::run(Graph &graph, AnalysisManager &) {
  Status status = okStatus();
  graph.walk([&](Node &node) {
    if (status.ok() && isInPlacePythonOp(node))
      status = invalidArgument("inplace " + nameOf(node) + " not supported in the JIT");
  });
  return status.ok() ? PreservedAnalyses::all() : PreservedAnalyses::failure(status);
}
