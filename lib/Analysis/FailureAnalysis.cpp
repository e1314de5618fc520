//===- FailureAnalysis.cpp - Which nodes may raise ------------------------===//
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/NodeFacts.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

bool FailureAnalysis::mayFail(const Node &node) {
  if (hasFact(node.kind(), NodeFact::CannotFail) || node.hasTrait(Trait::Speculatable) || node.hasTrait(Trait::Answers))
    return false;
  if (!node.record() && node.kind() != prim::ListUnpack)
    return true;
  if (!shapes)
    shapes.emplace(graph, rules);
  return !shapes->surelySucceeds(node);
}

bool FailureAnalysis::mayFailWithin(const Node &node) {
  return mayFail(node) || llvm::any_of(node.blocks(), [&](const Block &block) {
           return llvm::any_of(block.nodes(), [&](const Node &inner) { return mayFailWithin(inner); });
         });
}
