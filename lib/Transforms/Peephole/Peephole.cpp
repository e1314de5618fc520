//===- Peephole.cpp - Simplify what a node and its operands show ----------===//
//
// Purpose: local rules, tried once on each node, operands before users. Numbers: x + 0,
//   x * 1, x == x, double negation, logic with a constant. Tensors: dtype, device,
//   rank and sizes from the type; a number that went through a tensor and back;
//   operators that give their operand. Containers: length, elements, slices and
//   sums of lists whose making is in sight, lookups in dicts, parts of tuples.
//   Types: None tests, casts and instance tests that types decide. Ifs that choose
//   between True and False.
//
// Options: disable-shapes: do not rely on sizes, dtypes and devices in types;
//   keep-failing=false: whether what has become unused stays where it may raise, as dce has it;
//   keep-operators=false: whether operators on tensors stay, for what differentiates them.
// Better: looks through writes by alias facts where PyTorch gives up on a graph with
//   any; keys and values of dicts; the rank of a convolution is that of its input.
// Cost:   linear.
// Limits: one step at a time: constprop computes, cse compares.
//
// Before:
//   graph(%x : Float(2, 3), %n : int):
//     %2 : int = prim::Constant[value=0]()
//     %3 : int = aten::dim(%x)
//     %4 : int = aten::add(%n, %2)
//     %5 : int[] = prim::ListConstruct(%3, %4)
//     %6 : int = aten::__getitem__(%5, %2)
//     %7 : int = aten::len(%5)
//     %8 : int = aten::mul(%6, %7)
//     return (%8, %4)
// After:
//   graph(%x : Float(2, 3),
//         %n : int):
//     %9 : int = prim::Constant[value=2]()
//     %10 : int = prim::Constant[value=2]()
//     %8 : int = aten::mul(%9, %10)
//     return (%8, %n)
//
//===----------------------------------------------------------------------===//
#include "Peephole.h"
#include "../NodeEquality.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "peephole"
using namespace tsc;

TSC_STATISTIC(NumSimplified, "Nodes simplified");

std::optional<size_t> tsc::pythonIndex(int64_t index, size_t size) {
  if (index < 0)
    index += static_cast<int64_t>(size);
  return index >= 0 && index < static_cast<int64_t>(size) ? std::optional<size_t>(index) : std::nullopt;
}

bool PeepholeRewriter::mayShare(const Value *result, const Value *operand) const {
  return isUnwritten(result) && isUnwritten(operand) && !(escapes(result) && escapes(operand)) &&
         !isComparedByIdentity(*result);
}

const TensorFacts *PeepholeRewriter::factsOf(const Value *value) const {
  const auto *type = usesShapes ? dyn_cast<TensorType>(value->type()) : nullptr;
  return type ? &type->facts() : nullptr;
}

std::optional<std::vector<int64_t>> PeepholeRewriter::sizesOf(const Value *value) const {
  const TensorFacts *facts = factsOf(value);
  auto keepsSizes = [](const Node *writer) { return writer->opKind() == OpKind::Aten_requires_grad_; };
  const bool isFixed =
      isUnwritten(value) || (aliases.unknownWriters().empty() && llvm::all_of(aliases.writers(value), keepsSizes));
  if (!facts || !facts->sizes || !isFixed || !llvm::all_of(*facts->sizes, [](Dimension d) { return d.isKnown(); }))
    return std::nullopt;
  std::vector<int64_t> sizes;
  for (Dimension dimension : *facts->sizes)
    sizes.push_back(dimension.value());
  return sizes;
}

bool PeepholeRewriter::replace(Node &node, Value *by) {
  Value *output = node.output();
  if (by == output || !by->type()->isSubtypeOf(output->type()) || !TSC_OPT_ALLOWED)
    return false;
  TSC_GRAPH_UPDATE("simplifying a " << node.kindName() << " node");
  if (aliases.escapes(output))
    escapesNow.insert(by);
  output->replaceAllUsesWith(by);
  ++NumSimplified;
  return true;
}

bool PeepholeRewriter::replaceWithConstant(Node &node, const IValue &value) {
  if (!Graph::canBeConstant(value))
    return false;
  Node *constant = graph.createConstant(value);
  constant->setRange(node.range());
  constant->insertBefore(&node);
  if (replace(node, constant->output()))
    return true;
  constant->erase();
  return false;
}

Value *PeepholeRewriter::insertBefore(Node &node, Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type) {
  Node *made = graph.create(kind, inputs);
  made->setRange(node.range());
  made->setScope(node.scope());
  made->insertBefore(&node);
  return made->output()->setType(type);
}

static bool visit(Block &block, PeepholeRewriter &rewriter) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= visit(inner, rewriter);
    if (llvm::none_of(node.outputs(), [](Value *v) { return v->hasUses(); }))
      continue;
    changed |= rewriter.simplifyContainers(node) || rewriter.simplifyTypeTests(node) ||
               rewriter.simplifyScalars(node) || rewriter.simplifyTensors(node);
  }
  return changed;
}

Status Peephole::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"disable-shapes", "keep-failing", "keep-operators"}, options));
  TSC_RETURN_IF_ERROR(readOption(options, "keep-operators", keepsOperators));
  TSC_RETURN_IF_ERROR(readOption(options, "keep-failing", keepsFailing));
  return readOption(options, "disable-shapes", disableShapes);
}

PreservedAnalyses Peephole::run(Graph &graph, AnalysisManager &analyses) {
  PeepholeRewriter rewriter(graph, analyses.get<AliasAnalysis>(graph), !disableShapes, keepsOperators);
  if (!visit(graph.block(), rewriter))
    return PreservedAnalyses::all();
  analyses.invalidate();
  DeadCodeElimination(keepsFailing).run(graph, analyses);
  return PreservedAnalyses::none();
}
