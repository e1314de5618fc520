//===- ConstantPropagation.cpp - Compute what is known --------------------===//
//
// Purpose: finds the values that are one constant whenever they are computed, by
//   running pure nodes on constants through the host's evaluator, and puts the
//   constants in their place. An If whose condition is known becomes the branch it
//   takes; a Loop that never runs, its initial values. Lists, dicts and tensors take
//   part where nobody writes them and the caller cannot tell them apart;
//   constprop-immutable leaves them alone altogether.
//
// Options: keep-failing=false: whether what has become unused stays where it may raise, as dce has it.
//          share-results=false: whether tensors, lists and dicts that the caller gets are computed, too. All calls
//          then give one and the same, as with PyTorch's pass.
// Better: sparse and conditional: code that cannot run does not spoil what can; a
//   value that a loop carries unchanged, and what both branches of an If give alike,
//   are constants; the length and the elements of a list that the caller will see
//   fold too.
// Cost:   linear: each node is computed at most once.
// Limits: results of more than 2^20 elements are not kept unless an operand was as
//   large; a node that fails is left to fail when the program runs.
//
// Before:
//   graph(%x : Tensor, %n : int):
//     %2 : int = prim::Constant[value=2]()
//     %3 : bool = prim::Constant[value=1]()
//     %4 : int, %5 : Tensor = prim::Loop(%n, %3, %2, %x)
//       block0(%6 : int, %7 : int, %8 : Tensor):
//         %9 : bool = aten::eq(%7, %2)
//         %10 : int, %11 : Tensor = prim::If(%9)
//           block0():
//             %12 : Tensor = aten::relu(%8)
//             -> (%7, %12)
//           block1():
//             -> (%6, %8)
//         -> (%3, %10, %11)
//     %13 : int = aten::mul(%4, %4)
//     %14 : Tensor = aten::add(%5, %13, %2)
//     return (%14)
// After:
//   graph(%x : Tensor,
//         %n : int):
//     %2 : int = prim::Constant[value=2]()
//     %3 : bool = prim::Constant[value=1]()
//     %5 : Tensor = prim::Loop(%n, %3, %x)
//       block0(%6 : int, %8 : Tensor):
//         %12 : Tensor = aten::relu(%8)
//         -> (%3, %12)
//     %16 : int = prim::Constant[value=4]()
//     %14 : Tensor = aten::add(%5, %16, %2)
//     return (%14)
//
//===----------------------------------------------------------------------===//
#include "ConstantLattice.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FactsOfTensor.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "constprop"
using namespace tsc;

TSC_STATISTIC(NumFolded, "Values computed while compiling");
TSC_STATISTIC(NumBranches, "Branches taken while compiling");

/// The type of a tensor with all that a constant shows.
static const Type *typeOfTensor(Context &context, const Tensor &tensor) {
  TensorFacts facts = factsOfTensor(tensor);
  if (!facts.dtype) // sparse and nested
    return Type::tensorType();
  facts.requiresGrad = tensor.requiresGrad();
  return context.tensor(facts);
}

namespace {

/// Writes what the lattice knows into the graph.
class Folder {
public:
  Folder(Graph &graph, const AliasAnalysis &aliases, const ConstantLattice &lattice, bool sharesResults)
      : graph(graph), aliases(aliases), lattice(lattice), sharesResults(sharesResults) {}

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(), *next; node; node = next) {
      next = node->next();
      if (node->kind() == prim::If && takeBranch(*node, next)) {
        changed = true; // `next` is now the first node of the taken block
        continue;
      }
      if (node->kind() == prim::Loop && dropLoop(*node)) {
        changed = true;
        continue;
      }
      if (isFolded(*node))
        folded.push_back(node);
      else
        changed |= replaceOperands(*node);
      for (Block &inner : node->blocks())
        if (lattice.canRun(inner)) // of what cannot run nothing is known
          changed |= visit(inner);
    }
    return replaceOperands(block.returnNode()) | changed;
  }

  /// Erases what has been computed and is not needed any more: it did not fail.
  void eraseFolded() {
    for (Node *node : llvm::reverse(folded))
      if (llvm::none_of(node->outputs(), [](const Value *output) { return output->hasUses(); }))
        node->erase();
  }

private:
  /// The constant that may stand for `value`: a fresh list or tensor that the caller sees must be one of its own, in a
  /// list, too. What is read from an object is not fresh.
  const IValue *foldedConstant(const Value *value) const {
    const IValue *constant = isConstant(value) ? nullptr : lattice.constant(value);
    const bool isFresh = !sharesResults && value->type()->isMutable() && value->node()->kind() != prim::GetAttr;
    return constant && !(isFresh && aliases.reachesEscaping(value)) ? constant : nullptr;
  }

  /// Whether nobody will need the node: its users take constants.
  bool isFolded(const Node &node) const {
    return node.numOutputs() && node.numBlocks() == 0 && node.kind() != prim::Constant &&
           llvm::all_of(node.outputs(), [&](const Value *v) { return foldedConstant(v); });
  }

  bool replaceOperands(Node &node) {
    bool changed = false;
    for (unsigned i = 0; i != node.numInputs(); ++i)
      if (Value *constant = materialize(node.input(i))) {
        node.setInput(i, constant);
        changed = true;
      }
    return changed;
  }

  /// The node for the constant that `value` is; it stands where the value is defined. Null when there is none.
  Value *materialize(Value *value) {
    const IValue *constant = foldedConstant(value);
    if (!constant)
      return nullptr;
    Value *&made = constants[value];
    if (made || !TSC_OPT_ALLOWED)
      return made;
    TSC_GRAPH_UPDATE("%" << value->displayName() << " is a constant");
    Node *node = graph.createConstant(*constant);
    Node *definition = value->node();
    node->setRange(definition->range());
    if (definition->kind() == prim::Param)
      definition->block()->prepend(node);
    else
      node->insertBefore(definition);
    made = node->output();
    setTypeOf(*made, *constant, value->type());
    if (value->hasName()) {
      std::string name = value->name().str();
      value->setName("");
      made->setName(name);
    }
    ++NumFolded;
    return made;
  }

  /// A constant's own type says most, but a container's element type is as declared.
  void setTypeOf(Value &made, const IValue &constant, const Type *declared) {
    if (constant.isTensor())
      made.setType(typeOfTensor(graph.context(), constant.asTensor()));
    else if (made.type() != declared && (constant.isList() || constant.isTuple() || constant.isDict()) &&
             made.type()->kind() == declared->kind())
      made.setType(declared);
  }

  /// Moves the nodes of the known branch before the If; `next` becomes the first of them.
  bool takeBranch(Node &node, Node *&next) {
    auto condition = constantValue(node.input(0)); // which may have just become one, where an erased value was
    if (const IValue *known = condition ? nullptr : lattice.constant(node.input(0)))
      condition = *known;
    if (!condition || !condition->isBool() || !TSC_OPT_ALLOWED)
      return false;
    Block &taken = node.block(condition->toBool() ? 0 : 1);
    if (!taken.empty())
      next = &taken.nodes().front();
    for (Node &inner : llvm::make_early_inc_range(taken.nodes()))
      inner.moveBefore(&node);
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      replaceOutput(node.output(i), taken.returnNode().input(i));
    node.erase();
    ++NumBranches;
    return true;
  }

  bool dropLoop(Node &node) {
    if (lattice.canRun(node.block(0)) || !TSC_OPT_ALLOWED)
      return false;
    for (unsigned i = 0; i != node.numOutputs(); ++i)
      replaceOutput(node.output(i), node.input(i + 2));
    node.erase();
    ++NumBranches;
    return true;
  }

  void replaceOutput(Value *output, Value *by) {
    if (Value *constant = materialize(output))
      by = constant;
    output->replaceAllUsesWith(by);
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  const ConstantLattice &lattice;
  const bool sharesResults;
  std::vector<Node *> folded; ///< In the order of the program.
  llvm::DenseMap<const Value *, Value *> constants;
};

} // namespace

static PreservedAnalyses propagate(Graph &graph, AnalysisManager &analyses, FoldedTypes types,
                                   bool keepsFailing = false, bool sharesResults = false) {
  const AliasAnalysis &aliases = analyses.get<AliasAnalysis>(graph);
  bool changed = false;
  {
    ConstantLattice lattice(graph, aliases, analyses.constantEvaluator(), types);
    Folder folder(graph, aliases, lattice, sharesResults);
    changed = folder.visit(graph.block());
    if (changed)
      folder.eraseFolded();
  }
  if (!changed)
    return PreservedAnalyses::all();
  analyses.invalidate();
  DeadCodeElimination(keepsFailing).run(graph, analyses);
  return PreservedAnalyses::none();
}

Status ConstantPropagation::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"keep-failing", "share-results"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "share-results", sharesResults));
  return readOption(options, "keep-failing", keepsFailing);
}

PreservedAnalyses ConstantPropagation::run(Graph &graph, AnalysisManager &analyses) {
  return propagate(graph, analyses, FoldedTypes::All, keepsFailing, sharesResults);
}

PreservedAnalyses ConstantPropagationImmutableTypes::run(Graph &graph, AnalysisManager &analyses) {
  return propagate(graph, analyses, FoldedTypes::Immutable);
}
