//===- DifferentiateCalls.cpp - torch.autograd.grad as plain nodes --------===//
//
// Purpose: energy and forces in one graph, which is optimized and fused as any
//          other, without a tape.
// Better:  captures are values of the graph; what forward and backward have in
//          common is computed once.
// Cost:    linear in the nodes between inputs and outputs.
// Limits:  through dicts, tuples in loops, calls that are not inlined and writes to
//          tensors there is no way: such calls of grad stay, and so do those that
//          would fail.
//
// Before:
//   graph(%x : Float(3, requires_grad=1)):
//     %none : NoneType = prim::Constant()
//     %no : bool = prim::Constant[value=0]()
//     %y : Float(3) = aten::sin(%x)
//     %s : Float() = aten::sum(%y, %none)
//     %outs : Tensor[] = prim::ListConstruct(%s)
//     %ins : Tensor[] = prim::ListConstruct(%x)
//     %g : Tensor?[] = aten::grad(%outs, %ins, %none, %none, %no, %no)
//     return (%g)
// After:
//   graph(%x : Float(3, requires_grad=1)):
//     %1 : NoneType = prim::Constant()
//     %2 : bool = prim::Constant[value=0]()
//     %3 : Float(3) = aten::sin(%x)
//     %4 : Float() = aten::sum(%3, %1)
//     %5 : Tensor[] = prim::ListConstruct(%4)
//     %6 : Tensor[] = prim::ListConstruct(%x)
//     %8 : NoneType = prim::Constant()
//     %9 : NoneType = prim::Constant()
//     %10 : NoneType = prim::Constant()
//     %11 : NoneType = prim::Constant()
//     %12 : NoneType = prim::Constant()
//     %13 : Float() = aten::ones_like(%4, %8, %9, %10, %11, %12)
//     %14 : int[] = prim::Constant[value=[3]]()
//     %15 : bool = prim::Constant[value=0]()
//     %16 : Float(3) = aten::expand(%13, %14, %15)
//     %17 : Tensor = aten::cos(%x)
//     %18 : Tensor = aten::conj(%17)
//     %19 : Float(3) = aten::mul(%16, %18)
//     %20 : Float(3) = aten::detach(%19)
//     %21 : Tensor?[] = prim::ListConstruct(%20)
//     return (%21)
//
//===----------------------------------------------------------------------===//
#include "ReverseMode.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/PassManager.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#define DEBUG_TYPE "differentiate-calls"
using namespace tsc;

TSC_STATISTIC(NumCalls, "Calls of grad made nodes of their graph");

bool tsc::asksForGradients(const Node &node) {
  OpKind op = node.opKind();
  return op == OpKind::Aten_grad || op == OpKind::Aten_backward || op == OpKind::Aten_backward_TensorList;
}

bool tsc::asksForGradients(const Graph &graph) {
  llvm::SmallPtrSet<const Graph *, 16> seen;
  llvm::SmallVector<const Graph *> pending{&graph};
  bool asks = false;
  while (!pending.empty() && !asks) {
    const Graph *next = pending.pop_back_val();
    if (!next || !seen.insert(next).second)
      continue;
    const_cast<Graph *>(next)->walk([&](Node &node) {
      asks |= asksForGradients(node);
      if (Function *callee = calleeOf(node); callee && succeeded(callee->ensureDefined()))
        pending.push_back(callee->graph());
    });
  }
  return asks;
}

namespace {

/// The operands of aten::grad.
struct GradientCall {
  enum Operand : unsigned { Outputs, Inputs, Weights, RetainGraph, CreateGraph, AllowUnused };
  ReverseRequest request;
  bool keepsGraph = false, allowsUnused = false;

  /// False: the operands are not in sight.
  bool read(Node &node) {
    auto create = constantBool(node.input(CreateGraph)), allow = constantBool(node.input(AllowUnused));
    auto retain = constantValue(node.input(RetainGraph));
    if (!create || !allow || !retain || !elements(node.input(Outputs), request.outputs) ||
        !elements(node.input(Inputs), request.inputs))
      return false;
    request.before = &node;
    request.createGraph = *create;
    keepsGraph = retain->isBool() ? retain->toBool() : *create;
    allowsUnused = *allow;
    if (auto none = constantValue(node.input(Weights)); none && none->isNone()) {
      request.weights.assign(request.outputs.size(), nullptr);
      return true;
    }
    return elements(node.input(Weights), request.weights) && request.weights.size() == request.outputs.size();
  }

private:
  static bool elements(Value *list, llvm::SmallVectorImpl<Value *> &into) {
    if (list->node()->kind() != prim::ListConstruct || !list->hasOneUse())
      return false;
    for (Value *element : list->node()->inputs()) {
      auto constant = constantValue(element);
      into.push_back(constant && constant->isNone() ? nullptr : element);
    }
    return true;
  }
};

class CallDifferentiator {
public:
  CallDifferentiator(Graph &graph, AnalysisManager &analyses)
      : graph(graph), analyses(analyses), remarks(analyses.remarks()) {}

  bool run() {
    joinNames();
    llvm::SmallVector<Node *> calls;
    graph.walk([&](Node &node) {
      if (node.opKind() == OpKind::Aten_grad)
        calls.push_back(&node);
    });
    for (Node *call : calls) {
      if (call != calls.front()) // which may differentiate what was made for the one before
        refineTypes();
      if (!replace(*call))
        break; // what comes after may depend on it
    }
    return changed;
  }

private:
  /// A tensor that is made to require a gradient is the same tensor.
  void joinNames() {
    graph.walk([&](Node &node) {
      if (node.opKind() == OpKind::Aten_requires_grad_ && node.output()->hasUses()) {
        node.output()->replaceAllUsesWith(node.input(0));
        changed = true;
      }
    });
  }

  void refineTypes() {
    analyses.invalidate();
    ShapePropagation().run(graph, analyses);
    analyses.invalidate();
  }

  bool replace(Node &node) {
    GradientCall call;
    if (!call.read(node))
      return miss(node, "its operands are not in sight");
    changed = true; // dead nodes stay where it fails
    ReverseMode reverse(graph, call.request);
    auto gradients = reverse.run([&] { refineTypes(); });
    if (!gradients)
      return miss(node, reverse.problem());
    if (!call.allowsUnused && llvm::is_contained(*gradients, nullptr))
      return miss(node, "an input has no influence");
    for (Node *visited : reverse.reversed())
      if (released.contains(visited))
        return miss(node, "what it reads was given up by an earlier call");
    if (!call.keepsGraph)
      released.insert(reverse.reversed().begin(), reverse.reversed().end());
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    for (Value *&gradient : *gradients)
      if (!gradient)
        gradient = graph.insertConstant(IValue());
      else if (!call.request.createGraph)
        gradient = graph.insert(graph.context().symbol("aten::detach"), {gradient})->setType(gradient->type());
    Node *list = graph.insertNodeHere(graph.create(prim::ListConstruct, *gradients));
    list->output()->setType(node.output()->type());
    list->setRange(node.range());
    node.output()->replaceAllUsesWith(list->output());
    node.erase();
    ++NumCalls;
    return true;
  }

  bool miss(const Node &node, const llvm::Twine &why) {
    remarks.missed(node, "a tape computes these gradients: " + why);
    return false;
  }

  Graph &graph;
  AnalysisManager &analyses;
  const Remarks &remarks;
  llvm::DenseSet<Node *> released;
  bool changed = false;
};

} // namespace

PreservedAnalyses DifferentiateCalls::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(CallDifferentiator(graph, analyses).run());
}

void tsc::registerAutodiffPasses(PassRegistry &registry) {
#define GRAPH_PASS(NAME, PYTORCH_NAME, CLASS, DESCRIPTION)                                                             \
  registry.add(                                                                                                        \
      {NAME, PYTORCH_NAME, DESCRIPTION, []() -> std::unique_ptr<Pass> { return std::make_unique<CLASS>(); }, #CLASS});
#include "tsc/Autodiff/Passes.def"
  registry.addPipeline(
      {"gradients", "",
       "inline<erase-unused>,lower-simple-tuples,constprop<keep-failing>,propagate-shapes,"
       "peephole<keep-failing;keep-operators>,constprop<keep-failing>,simplify-conditionals,remove-mutation,"
       "propagate-shapes,differentiate-calls,lower-simple-tuples,constprop<keep-failing>,"
       "propagate-shapes,peephole<keep-failing>,remove-expands",
       "Gradients that a program asks for as nodes of its graph, with what makes them visible"});
}
