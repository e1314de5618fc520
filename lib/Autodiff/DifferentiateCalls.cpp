//===- DifferentiateCalls.cpp - torch.autograd.grad as plain nodes --------===//
//
// Purpose: energy and forces in one graph, which is optimized and fused as any
//          other, without a tape.
// Better:  captures are values of the graph; what forward and backward have in
//          common is computed once.
// Cost:    linear in the nodes between inputs and outputs.
// Limits:  through dicts that are not known, tuples in loops, calls that are not inlined, a grad mode
//          that is switched and writes that cannot become values there is no way:
//          such calls of grad stay, and so do those that would fail.
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
//     %3 : Float(3, requires_grad=1) = aten::sin(%x)
//     %4 : Float(requires_grad=1) = aten::sum(%3, %1)
//     %5 : Tensor[] = prim::ListConstruct(%4)
//     %6 : Tensor[] = prim::ListConstruct(%x)
//     %8 : NoneType = prim::Constant()
//     %9 : NoneType = prim::Constant()
//     %10 : NoneType = prim::Constant()
//     %11 : NoneType = prim::Constant()
//     %12 : NoneType = prim::Constant()
//     %13 : NoneType = prim::Constant()
//     %14 : Float() = aten::ones_like(%4, %9, %10, %11, %12, %13)
//     %15 : int[] = prim::Constant[value=[3]]()
//     %16 : bool = prim::Constant[value=0]()
//     %17 : Float(3) = aten::expand(%14, %15, %16)
//     %18 : Tensor = aten::cos(%x)
//     %19 : Tensor = aten::conj(%18)
//     %20 : Float(3) = aten::mul(%17, %19)
//     %21 : Float(3) = aten::detach(%20)
//     %22 : Tensor?[] = prim::ListConstruct(%21)
//     return (%22)
//
//===----------------------------------------------------------------------===//
#include "ReverseMode.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/Autodiff/Passes.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/PassManager.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#define DEBUG_TYPE "differentiate-calls"
using namespace tsc;

TSC_STATISTIC(NumCalls, "Calls of grad made nodes of their graph");

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
      pending.push_back(subgraphOf(node)); // of a fork, or what is tried
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
  Value *createFlag = nullptr; ///< Where it is not known whether the gradients are differentiated in turn.

  /// False: the operands are not in sight.
  bool read(Node &node) {
    auto create = constantBool(node.input(CreateGraph)), allow = constantBool(node.input(AllowUnused));
    auto retain = constantValue(node.input(RetainGraph));
    if (!allow || !elements(node.input(Outputs), request.outputs) || !elements(node.input(Inputs), request.inputs))
      return false;
    request.before = &node;
    request.createGraph = create.value_or(true);
    createFlag = create ? nullptr : node.input(CreateGraph);
    keepsGraph = retain && (retain->isBool() ? retain->toBool() : create.value_or(false));
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
    llvm::SmallVector<Node *> calls;
    bool needsTape = false;
    graph.walk([&](Node &node) {
      needsTape |= asksTape(node);
      if (node.opKind() == OpKind::Aten_grad)
        calls.push_back(&node);
    });
    if (calls.empty() || needsTape)
      return false;
    nameLeaves();
    const Node &last = *calls.back();
    RemoveMutation(
        [&](const Node &write) {
          const bool isCheap = write.hasTrait(Trait::InPlaceForm) || !functionalNameOf(write.opKind()).empty();
          return (isCheap || write.isBefore(&last)) && !overwritesCapture(write);
        },
        RemoveMutation::Reach::Wide)
        .run(graph, analyses);
    readKnownLists();
    refineTypes();
    for (Node *call : calls) {
      if (call != calls.front()) // which may differentiate what was made for the one before
        refineTypes();
      if (!replace(*call))
        break; // what comes after may depend on it
    }
    return changed;
  }

private:
  /// Whether only a tape answers: the node keeps the gradient of an intermediate result, which a call of grad adds to,
  /// or asks which tensor has no history.
  static bool asksTape(const Node &node) {
    return node.opKind() == OpKind::Aten_retain_grad ||
           (node.opKind() == OpKind::Aten_is_leaf && node.input(0)->definingNode());
  }

  /// A tensor that is made to require a gradient has one name from then on.
  void nameLeaves() {
    graph.walk([&](Node &node) {
      if (node.opKind() != OpKind::Aten_requires_grad_)
        return;
      llvm::SmallVector<Use *> later;
      for (Use &use : node.input(0)->uses())
        if (dominates(node, *use.user()))
          later.push_back(&use);
      for (Use *use : later)
        use->set(node.output());
    });
    changed = true;
  }

  /// The operator whose formula counts: of a write, the functional one.
  const OpRecord *writtenForm(const OpRecord &record) const {
    if (record.has(Trait::InPlaceForm))
      return functionalFormOf(record);
    const OpRecord *namesake = record.has(Trait::Writes) ? functionalNamesake(graph.context(), record) : nullptr;
    return namesake ? namesake : &record;
  }
  bool isWrite(const Node &node) const { return node.record() && writtenForm(*node.record()) != node.record(); }

  static bool isView(const Node &node) {
    return node.record() && node.hasTrait(Trait::View) && node.numInputs() != 0 && node.numOutputs() == 1 &&
           node.input(0)->type()->isTensor() && node.output()->type()->isTensor();
  }

  /// Elements of lists that were built by appending, where these are lists of known elements now.
  void readKnownLists() {
    Peephole peephole;
    PassOptions options;
    options["keep-failing"] = options["keep-operators"] = "true";
    analyses.invalidate();
    if (peephole.configure(options).ok())
      peephole.run(graph, analyses);
  }

  /// Whether the formula of the node reads the value, or may do so.
  bool captures(const Node &node, const Value *value) const {
    const OpRecord *record = node.record();
    const FunctionSchema *schema = node.schema();
    if (!record || !schema || gradientOperands(*record, *schema) == 0)
      return false;
    const OpRecord *functional = writtenForm(*record);
    if (functional && functional->kind == OpKind::Aten_copy)
      return false; // made of others, which read sizes and dtypes alone
    const uint32_t operands = functional ? derivatives.operands(functional->kind) : 0;
    const Derivative *derivative = operands ? derivatives.find(functional->kind, operands) : nullptr;
    return !derivative || llvm::any_of(derivative->captures, [&](const Derivative::Capture &capture) {
      if (capture.isOnlyMeasured)
        return false;
      if (capture.kind == Derivative::Capture::Operand) // what it writes itself, it keeps a copy of
        return node.input(capture.index) == value && !(capture.index == 0 && functional != record);
      return capture.kind == Derivative::Capture::Result && node.output(capture.index) == value;
    });
  }

  /// Whether the operator writes over what a formula reads: a tape refuses such a program, and a new value in the place
  /// of the tensor would hide it. A tensor and its views are written together.
  bool overwritesCapture(const Node &write) const {
    llvm::SmallVector<Value *, 4> names{write.input(0)};
    while (isWrite(*names.back()->node()) || isView(*names.back()->node()))
      names.push_back(names.back()->node()->input(0));
    if (names.back()->definingNode() && captures(*names.back()->node(), names.back()))
      return true;
    for (unsigned i = 0; i != names.size(); ++i)
      for (const Use &use : names[i]->uses()) {
        const Node &user = *use.user();
        if (!user.isBefore(&write))
          continue;
        const bool writes = isWrite(user) && use.index() == 0;
        if (captures(user, names[i]) || (writes && captures(user, user.output())))
          return true;
        const bool isAlias = writes || (isView(user) && use.index() == 0);
        if (isAlias && !llvm::is_contained(names, user.output()))
          names.push_back(const_cast<Value *>(user.output()));
      }
    return false;
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
    changed = true;                                                    // dead nodes stay where it fails
    Node *start = graph.createConstant(IValue())->insertBefore(&node); // what is inserted comes behind it
    ReverseMode reverse(graph, call.request);
    auto gradients = reverse.run([&] { refineTypes(); });
    if (!gradients)
      return miss(node, reverse.problem());
    if (!call.allowsUnused && llvm::is_contained(*gradients, nullptr))
      return miss(node, "an input has no influence");
    for (Node *reader : reverse.keepers())
      if (released.contains(reader))
        return miss(node, "what it reads was given up by an earlier call");
    if (!call.keepsGraph)
      released.insert(reverse.keepers().begin(), reverse.keepers().end());
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    for (Value *&gradient : *gradients)
      if (!gradient)
        gradient = graph.insertConstant(IValue());
      else if (call.createFlag)
        gradient = detachUnless(*call.createFlag, *gradient);
      else if (!call.request.createGraph)
        gradient = graph.insert(graph.context().symbol("aten::detach"), {gradient})->setType(gradient->type());
    Node *list = graph.insertNodeHere(graph.create(prim::ListConstruct, *gradients));
    list->output()->setType(node.output()->type());
    list->setRange(node.range());
    node.output()->replaceAllUsesWith(list->output());
    explain(node, *start, reverse.reversed().size());
    node.erase();
    forwardElements(*list);
    ++NumCalls;
    return true;
  }

  Value *detachUnless(Value &flag, Value &gradient) {
    Node *choice = graph.insertNodeHere(graph.create(prim::If, {&flag}, 0));
    choice->addBlock().addOutput(&gradient);
    Block &otherwise = choice->addBlock();
    InsertPointGuard guard(graph);
    graph.setInsertPoint(otherwise);
    otherwise.addOutput(graph.insert(graph.context().symbol("aten::detach"), {&gradient})->setType(gradient.type()));
    return choice->addOutput(gradient.type());
  }

  /// Says what the gradients of a call keep alive.
  void explain(const Node &call, Node &start, size_t numReversed) const {
    llvm::SmallPtrSet<const Value *, 32> kept;
    uint64_t bytes = 0, unsized = 0;
    auto read = [&](const Value *value) {
      const auto *type = dyn_cast<TensorType>(value->type());
      if (!type || isConstant(value) || start.isBefore(value->node()) || !kept.insert(value).second)
        return;
      const TensorFacts &facts = type->facts();
      uint64_t size = facts.dtype ? itemSize(*facts.dtype) : 0;
      for (size_t i = 0; facts.sizes && i != facts.sizes->size(); ++i)
        size *= (*facts.sizes)[i].isKnown() ? (*facts.sizes)[i].value() : 0;
      bytes += size;
      unsized += !facts.sizes || !facts.dtype || llvm::any_of(*facts.sizes, [](Dimension d) { return !d.isKnown(); });
    };
    for (Node *node = start.next(); node != &call; node = node->next())
      readBy(*node, read);
    std::string sizes = std::to_string(bytes) + " bytes";
    if (unsized)
      sizes += " and " + std::to_string(unsized) + " of unknown size";
    remarks.done(call, "computed in the graph: " + llvm::Twine(numReversed) + " operators backwards read " +
                           llvm::Twine(kept.size()) + " tensors of the way forth, " + sizes);
  }

  static void readBy(Node &node, llvm::function_ref<void(const Value *)> read) {
    for (const Value *input : node.inputs())
      read(input);
    for (Block &block : node.blocks()) {
      for (Node &inner : block.nodes())
        readBy(inner, read);
      for (const Value *output : block.outputs())
        read(output);
    }
  }

  /// Who takes one gradient from the list takes that value: a later request finds what it came from.
  static void forwardElements(Node &list) {
    llvm::SmallVector<Node *> readers;
    for (const Use &use : list.output()->uses())
      readers.push_back(use.user());
    const bool isEdited = llvm::any_of(readers, [](Node *reader) { return listEdit(reader->opKind()).has_value(); });
    for (Node *reader : readers) {
      const auto size = static_cast<int64_t>(list.numInputs());
      std::optional<int64_t> index;
      if (reader->kind() == aten::__getitem__ && !isEdited)
        index = constantInt(reader->input(1));
      if (index && *index < 0)
        *index += size;
      if (index && *index >= 0 && *index < size) {
        reader->output()->replaceAllUsesWith(list.input(static_cast<unsigned>(*index)));
        reader->erase();
      } else if (reader->kind() == prim::ListUnpack && !isEdited && reader->numOutputs() == list.numInputs()) {
        for (auto [part, gradient] : llvm::zip(reader->outputs(), list.inputs()))
          part->replaceAllUsesWith(gradient);
        reader->erase();
      }
    }
  }

  bool miss(const Node &node, const llvm::Twine &why) {
    remarks.missed(node, "a tape computes these gradients: " + why);
    return false;
  }

  Graph &graph;
  AnalysisManager &analyses;
  Derivatives &derivatives = graph.context().extension<Derivatives>();
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
  registry.addPipeline({"gradients", "",
                        "inline<erase-unused>,lower-simple-tuples,constprop<keep-failing>,propagate-shapes,"
                        "peephole<keep-failing;keep-operators>,constprop<keep-failing>,simplify-conditionals,"
                        "unroll<max-trip=8;max-size=128;appending>,remove-mutation<lists>,forward-dict-entries,"
                        "peephole<keep-failing;keep-operators>,constprop<keep-failing>,"
                        "unroll<max-trip=8;max-size=128;appending>,forward-dict-entries,"
                        "peephole<keep-failing;keep-operators>,lower-simple-tuples,propagate-shapes,"
                        "peephole<keep-failing;keep-operators>,constprop<keep-failing>,simplify-conditionals,"
                        "forward-dict-entries,remove-mutation<lists>,propagate-shapes,"
                        "peephole<keep-failing;keep-operators>,constprop<keep-failing>,simplify-conditionals,"
                        "differentiate-calls,lower-simple-tuples,constprop<keep-failing>,"
                        "propagate-shapes,peephole<keep-failing>,remove-expands",
                        "Gradients that a program asks for as nodes of its graph, with what makes them visible"});
}
