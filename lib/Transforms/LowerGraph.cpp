//===- LowerGraph.cpp - Make a module's tensors inputs of its graph -------===//
//
// Purpose: turns the method of a module into a function of tensors: each tensor
//          that it reads from an attribute of `self`, at whatever depth, becomes a
//          further input that bears the attribute's path. The caller passes the
//          module's tensors in the order of the new inputs.
// Cost:    linear.
// Limits:  a module of which more is used than its tensors (a method called, an
//          attribute set, a list read) stays an input; inline calls first, and
//          freeze what is no tensor.
//
// Before:
//   graph(%self : __torch__.M, %x : Tensor):
//     %2 : __torch__.Linear = prim::GetAttr[name="layer"](%self)
//     %3 : Tensor = prim::GetAttr[name="weight"](%2)
//     %4 : Tensor = aten::matmul(%x, %3)
//     return (%4)
// After:
//   graph(%x : Tensor,
//         %layer.weight : Tensor):
//     %4 : Tensor = aten::matmul(%x, %layer.weight)
//     return (%4)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "llvm/ADT/StringMap.h"
#define DEBUG_TYPE "lower-graph"
using namespace tsc;

TSC_STATISTIC(NumLowered, "Attributes made inputs");

static bool isAttributeRead(const Node &node) {
  const AttributeValue *name = node.kind() == prim::GetAttr ? node.attribute(attr::name) : nullptr;
  return name && std::holds_alternative<std::string>(*name) && node.numInputs() == 1 && node.numOutputs() == 1;
}

namespace {

/// The reads of tensors under one object, by path, in the order of the program. A path that is read twice is one input.
class AttributeReads {
public:
  /// False when the object, or one in it, is used in another way.
  bool collect(Graph &graph, Value *object) {
    llvm::DenseMap<const Value *, std::string> paths{{object, ""}}; // of objects
    bool onlyReads = true;
    auto isRead = [](const Use &use) { return isAttributeRead(*use.user()); };
    graph.walk([&](Node &node) {
      auto owner = isAttributeRead(node) ? paths.find(node.input()) : paths.end();
      if (owner == paths.end())
        return;
      std::string path = owner->second + (owner->second.empty() ? "" : ".") + node.get<std::string>(attr::name);
      Value *read = node.output();
      nodes.push_back(&node);
      if (isa<ClassType>(read->type()))
        paths[read] = path;
      else if (read->type()->isTensor())
        add(path, read);
      else
        onlyReads = false;
    });
    return onlyReads &&
           llvm::all_of(paths, [&](const auto &known) { return llvm::all_of(known.first->uses(), isRead); });
  }
  struct Tensor {
    std::string path;
    llvm::SmallVector<Value *, 1> reads;
  };
  std::vector<Tensor> tensors;
  llvm::SmallVector<Node *> nodes; ///< Owners before what is read from them.

private:
  void add(const std::string &path, Value *read) {
    auto [position, isNew] = positions.try_emplace(path, tensors.size());
    if (isNew)
      tensors.push_back({path, {}});
    tensors[position->second].reads.push_back(read);
  }
  llvm::StringMap<unsigned> positions; ///< In `tensors`, by path.
};

} // namespace

PreservedAnalyses LowerGraph::run(Graph &graph, AnalysisManager &) {
  if (graph.inputs().empty() || !isa<ClassType>(graph.inputs()[0]->type()))
    return PreservedAnalyses::all();
  AttributeReads reads;
  if (!reads.collect(graph, graph.inputs()[0]) || !TSC_OPT_ALLOWED)
    return PreservedAnalyses::all();
  for (auto &[path, values] : reads.tensors) {
    TSC_GRAPH_UPDATE("making attribute " << path << " an input");
    Value *input = graph.addInput(path, values.front()->type());
    for (Value *value : values)
      value->replaceAllUsesWith(input);
    ++NumLowered;
  }
  for (Node *node : llvm::reverse(reads.nodes))
    node->erase();
  graph.block().eraseInput(0);
  return PreservedAnalyses::none();
}
