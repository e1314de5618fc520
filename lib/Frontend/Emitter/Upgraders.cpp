//===- Upgraders.cpp - Operators of old archives --------------------------===//
//
// Some operators changed their meaning while archives that call them were in the
// world. The version of an archive's format tells which meaning it was written
// for; where that is an old one, a function of the prelude stands for the operator.
// What changed a signature alone (linspace, logspace: steps had a default) is done
// while names are resolved, and gelu's new parameter has the old meaning as default.
//
//===----------------------------------------------------------------------===//
#include "Upgraders.h"
#include "CompilerImpl.h"
#include "SourceResolver.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"

using namespace tsc;

namespace {
struct Upgrader {
  StringRef op, overload;
  int64_t version; ///< The first one with today's meaning.
  const char *function;
  const char *functionForInt = nullptr; ///< Where the second argument is an int, and nothing else is open.
};
} // namespace

static constexpr Upgrader upgraders[] = {
    {"aten::div", "Tensor", 4, "div_Tensor_4"},   {"aten::div", "Scalar", 4, "div_Scalar_4", "div_int_4"},
    {"aten::div_", "Tensor", 4, "div__Tensor_4"}, {"aten::div_", "Scalar", 4, "div__Scalar_4", "div__int_4"},
    {"aten::div", "out", 4, "div_out_4"},         {"aten::full", "", 5, "full__5", "full_int_5"},
};

/// Whether the types and constants that a node has make the old meaning today's.
static bool isUnchanged(const Node &node, const Upgrader &upgrader) {
  if (upgrader.overload == "Scalar")
    return node.input(1)->type()->isFloat();
  if (upgrader.op != "aten::full")
    return false;
  std::optional<IValue> dtype = constantValue(node.input(2));
  return node.input(1)->type()->isFloat() || (dtype && !dtype->isNone());
}

/// The function of the prelude that does what the node did; null where that is what it does.
static const char *upgraderOf(const Node &node, int64_t version) {
  for (const Upgrader &upgrader : upgraders) {
    if (version >= upgrader.version || node.kind().qualified() != upgrader.op || !node.schema() ||
        node.schema()->overloadName() != upgrader.overload)
      continue;
    if (isUnchanged(node, upgrader))
      return nullptr;
    const bool decides = upgrader.functionForInt && node.input(1)->type()->isInt() &&
                         (upgrader.op != "aten::full" || constantValue(node.input(2)));
    return decides ? upgrader.functionForInt : upgrader.function;
  }
  return nullptr;
}

void tsc::upgradeOperators(Compiler::Impl &compiler, Graph &graph, int64_t version) {
  if (llvm::all_of(upgraders, [&](const Upgrader &upgrader) { return version >= upgrader.version; }))
    return;
  std::vector<std::pair<Node *, const char *>> old;
  graph.walk([&](Node &node) {
    if (const char *upgrader = upgraderOf(node, version))
      old.emplace_back(&node, upgrader);
    if (node.kind() == prim::fork || node.kind() == prim::awaitable)
      upgradeOperators(compiler, *node.get<std::shared_ptr<Graph>>(attr::Subgraph), version);
  });
  for (auto [node, upgrader] : old) {
    Function *function = compiler.prelude(upgradersPrelude)->function(upgrader);
    if (!function || failed(function->ensureDefined()))
      continue; // the prelude's mistake was reported
    InsertPointGuard guard(graph);
    graph.setInsertPoint(node);
    llvm::SmallVector<Value *, 6> operands(node->inputs().begin(), node->inputs().end());
    std::vector<Value *> results = function->graph()->inlineInto(graph, operands);
    node->output()->replaceAllUsesWith(results[0]);
    node->erase();
  }
}
