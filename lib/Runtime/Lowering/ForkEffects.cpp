//===- ForkEffects.cpp - Which forks may run later -------------------------===//
//
// A fork may run at any time up to the end of the function that forks when nobody
// can tell the difference: its graph has no effect that is seen outside, draws no
// random numbers, and nothing in the function writes what the fork is given.
//
// What the fork does is looked at when it first runs, for which its functions are
// compiled; what the function around it does, when that is.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Lowering/ForkEffects.h"
#include "RoutineBuilder.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Function.h"
#include <functional>

namespace tsc {

static constexpr unsigned maxCalls = 20; ///< One inside the other.

static Function *calledFunction(const Node &node) {
  if (node.kind() == prim::CallFunction && node.numInputs()) {
    auto callee = constantValue(node.input(0));
    return callee && callee->isFunction() ? callee->toFunction() : nullptr;
  }
  auto *type =
      node.kind() == prim::CallMethod && node.numInputs() ? llvm::dyn_cast<ClassType>(node.input(0)->type()) : nullptr;
  return type ? type->findMethod(node.get<std::string>(attr::name)) : nullptr;
}

static bool isUnseen(const Block &block, const AliasAnalysis &aliases, unsigned depth);

static bool isUnseen(const Graph &graph, unsigned depth) {
  return depth < maxCalls && isUnseen(graph.block(), AliasAnalysis(graph), depth);
}

static bool isUnseen(const Block &block, const AliasAnalysis &aliases, unsigned depth) {
  return llvm::all_of(block.nodes(), [&](const Node &node) {
    if (changesGenerator(node) || node.kind() == prim::Enter || node.kind() == aten::set_grad_enabled)
      return false;
    if (Function *callee = calledFunction(node))
      return succeeded(callee->ensureDefined()) && callee->graph() && isUnseen(*callee->graph(), depth + 1);
    if (node.kind() == prim::fork || node.kind() == aten::wait) {
      const AttributeValue *attribute = node.attribute(attr::Subgraph);
      const auto *forked = attribute ? std::get_if<std::shared_ptr<Graph>>(attribute) : nullptr;
      return node.kind() == aten::wait || (forked && *forked && isUnseen(**forked, depth + 1));
    }
    if (!node.numBlocks() && node.kind() != prim::RaiseException && aliases.isObservable(node))
      return false;
    return llvm::all_of(node.blocks(), [&](const Block &inner) { return isUnseen(inner, aliases, depth); });
  });
}

static bool holdsFuture(const Type *type) {
  if (type->kind() == TypeKind::Future || type->isAny())
    return true;
  if (auto *list = llvm::dyn_cast<ListType>(type))
    return holdsFuture(list->element());
  if (auto *optional = llvm::dyn_cast<OptionalType>(type))
    return holdsFuture(optional->element());
  if (auto *dict = llvm::dyn_cast<DictType>(type))
    return holdsFuture(dict->value());
  if (auto *tuple = llvm::dyn_cast<TupleType>(type))
    return llvm::any_of(tuple->elements(), holdsFuture);
  auto *either = llvm::dyn_cast<UnionType>(type);
  return either && llvm::any_of(either->members(), holdsFuture);
}

bool hasSeenEffects(const Graph &forked) { return !isUnseen(forked, 0); }

bool hasSeenEffects(Function &function) {
  return failed(function.ensureDefined()) || !function.graph() || hasSeenEffects(*function.graph());
}

bool RoutineBuilder::mayRunLater(const Node &fork, Callee &callee) {
  for (const Value *input : fork.inputs())
    if (holdsFuture(input->type()))
      return false;
  for (const Use &use : fork.output()->uses())
    if (use.user()->opKind() == OpKind::Tsc_failure)
      return false;
  if (!forkAliases)
    forkAliases = std::make_unique<AliasAnalysis>(graph);
  llvm::SmallVector<const Value *, 8> given(fork.inputs().begin(), fork.inputs().end());
  /// Whether a node may write what the fork is given. What calls may do is found out later.
  auto writes = [&](const Node &node) {
    // A wait runs nothing but forks that may run later.
    if (&node == &fork || node.numBlocks() || node.kind() == aten::wait || !forkAliases->writesTo(node, given))
      return false;
    if (node.kind() == prim::fork)
      if (const AttributeValue *attribute = node.attribute(attr::Subgraph))
        if (const auto *other = std::get_if<std::shared_ptr<Graph>>(attribute); other && *other)
          return callee.otherGraphs.push_back(other->get()), false;
    Function *called = calledFunction(node);
    if (called)
      callee.otherFunctions.push_back(called);
    return !called;
  };
  std::function<bool(const Block &)> anyWrites = [&](const Block &block) {
    return llvm::any_of(block.nodes(),
                        [&](const Node &node) { return writes(node) || llvm::any_of(node.blocks(), anyWrites); });
  };
  return !anyWrites(graph.block());
}

} // namespace tsc
