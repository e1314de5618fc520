//===- Inliner.cpp - Bodies in the place of calls -------------------------===//
//
// Purpose: replaces calls of functions and methods by the bodies of their callees,
//   and so on with the calls in these. A callee is known when its function came
//   with the program (source or archive); in IR read from text it is not, and the
//   call stays. Stack traces of errors show the calls as if they were still there.
//
// Options: erase-unused=false: whether bodies come in without the operators that they do not use, as the functions run
//   when they are called.
// Cost:   linear in the nodes that come in.
// Limits: a recursive call stays, as do calls nested deeper than 200, calls through
//   an interface, calls of what has a prim::BailOut, which would end the caller,
//   and all that would come after 60,000 nodes were brought in.
//
// Before:
//   graph(%self : __torch__.Net, %x : Tensor):
//     %2 : Tensor = prim::CallMethod[name="forward"](%self, %x)
//     return (%2)
// After:
//   graph(%self : __torch__.Net,
//         %x : Tensor):
//     %2 : Tensor = prim::CallMethod[name="forward"](%self, %x)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Remarks.h"
#include "tsc/Transforms/Subgraph.h"
#include "tsc/Transforms/UnusedOperators.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "inline"
using namespace tsc;

TSC_STATISTIC(NumInlined, "Calls inlined");

static constexpr size_t maxCallDepth = 200, maxNodes = 60000;

Function *tsc::calleeOf(const Node &call) {
  if (call.numInputs() == 0 || call.numOutputs() != 1)
    return nullptr;
  const Type *type = call.input(0)->type();
  if (call.kind() == prim::CallFunction) {
    const auto *functionType = dyn_cast<FunctionType>(type);
    return functionType ? const_cast<Function *>(functionType->function()) : nullptr;
  }
  const auto *classType = dyn_cast<ClassType>(type);
  const AttributeValue *name = call.kind() == prim::CallMethod && classType ? call.attribute(attr::name) : nullptr;
  const auto *text = name ? std::get_if<std::string>(name) : nullptr;
  return text ? classType->findMethod(*text) : nullptr;
}

namespace {

class Inliner {
public:
  Inliner(Graph &graph, llvm::function_ref<Function *(Node &)> findCallee, const Remarks &remarks, Unused unused)
      : graph(graph), findCallee(findCallee), remarks(remarks), unused(unused) {}

  bool visit(Block &block) { return block.empty() ? false : visit(&block.nodes().front(), nullptr); }

private:
  /// Visits the nodes of one block from `node` up to `end`.
  bool visit(Node *node, const Node *end) {
    bool changed = false;
    while (node != end) {
      Node *next = node->next();
      for (Block &inner : node->blocks())
        changed |= visit(inner);
      if (Function *callee = findCallee(*node))
        changed |= inlineCall(*node, *callee);
      else if (node->kind() == prim::CallFunction || node->kind() == prim::CallMethod ||
               node->kind() == prim::InterfaceCall)
        remarks.missed(*node, "not inlined: which function it runs is not known before it runs");
      node = next;
    }
    return changed;
  }

  /// Why the callee's body cannot come in; null when it can.
  const char *whyNot(Function &callee) const {
    if (llvm::is_contained(active, &callee))
      return "it calls itself";
    if (active.size() >= maxCallDepth)
      return "the calls are nested too deeply";
    if (numNodes >= maxNodes)
      return "the graph is too large already";
    // Another thread may be at the callee's body until this one has asked for it.
    if (failed(callee.ensureDefined()) || !callee.graph())
      return "it has no graph";
    if (hasBailOuts(*callee.graph()))
      return "it has bailouts, which end the graph around them";
    return callee.graph() == &graph ? "it calls itself" : nullptr;
  }

  /// What is brought in of a callee.
  Graph &bodyOf(Function &callee) {
    Graph &whole = *callee.graph();
    if (unused == Unused::Kept)
      return whole;
    auto [entry, isNew] = reduced.try_emplace(&whole);
    if (isNew && hasUnusedOperators(whole)) {
      entry->second = whole.clone();
      eraseUnusedOperators(*entry->second);
    }
    return entry->second ? *entry->second : whole;
  }

  bool inlineCall(Node &call, Function &callee) {
    if (const char *obstacle = whyNot(callee)) {
      remarks.missed(call, llvm::Twine("'") + callee.qualifiedName() + "' not inlined: " + obstacle);
      return false;
    }
    Graph &body = bodyOf(callee);
    llvm::SmallVector<Value *, 4> arguments = call.inputVector();
    if (call.kind() == prim::CallFunction)
      arguments.erase(arguments.begin());
    if (arguments.size() != body.inputs().size() || body.block().numOutputs() != 1 || !TSC_OPT_ALLOWED)
      return false;
    TSC_GRAPH_UPDATE("inlining a call of " << callee.qualifiedName());
    remarks.done(call, llvm::Twine("'") + callee.qualifiedName() + "' inlined");
    body.walk([&](Node &) { ++numNodes; });
    Node *before = call.previous();
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&call);
    Value *result = body.inlineInto(graph, arguments).front();
    if (call.output()->hasName() && !result->hasName() && !llvm::is_contained(arguments, result))
      result->setName(call.output()->name());
    call.output()->replaceAllUsesWith(result);

    Node *first = before ? before->next() : &call.block()->nodes().front();
    CallChains chains;
    for (Node *node = first; node != &call; node = node->next())
      rememberCall(*node, call, callee, chains);
    active.push_back(&callee);
    visit(first, &call);
    active.pop_back();
    eraseCall(call);
    ++NumInlined;
    return true;
  }

  /// The calls that code of a callee was inlined through before, and as they are seen from the caller.
  using CallChains = llvm::SmallDenseMap<const InlinedCall *, const InlinedCall *, 4>;

  /// An error in the node shows the call in its stack trace, as if it had not been inlined.
  void rememberCall(Node &node, const Node &call, const Function &callee, CallChains &chains) {
    auto [chain, isNew] = chains.try_emplace(node.range().inlinedCall());
    if (isNew)
      chain->second = graph.context().sources().addInlinedCall(chain->first, call.range(), callee.qualifiedName());
    node.setRange(node.range().inCall(chain->second));
    for (Block &inner : node.blocks())
      for (Node &innerNode : inner.nodes())
        rememberCall(innerNode, call, callee, chains);
  }

  /// With the constant that named the function, when this was its last call.
  static void eraseCall(Node &call) {
    Node *named = call.kind() == prim::CallFunction ? call.input(0)->node() : nullptr;
    call.erase();
    if (named && named->kind() == prim::Constant && !named->output()->hasUses())
      named->erase();
  }

  Graph &graph;
  llvm::function_ref<Function *(Node &)> findCallee;
  const Remarks &remarks;
  const Unused unused;
  llvm::DenseMap<const Graph *, std::unique_ptr<Graph>> reduced; ///< Null where nothing is unused.
  llvm::SmallVector<Function *> active; ///< Whose bodies are being brought in, outermost first.
  size_t numNodes = 0;
};

} // namespace

bool tsc::inlineCalls(Graph &graph, llvm::function_ref<Function *(Node &)> findCallee, const Remarks &remarks,
                      Unused unused) {
  return Inliner(graph, findCallee, remarks, unused).visit(graph.block());
}

Status Inline::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"erase-unused"}, options));
  return readOption(options, "erase-unused", erasesUnused);
}

PreservedAnalyses Inline::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(inlineCalls(
      graph, [](Node &node) { return calleeOf(node); }, analyses.remarks(),
      erasesUnused ? Unused::Erased : Unused::Kept));
}
