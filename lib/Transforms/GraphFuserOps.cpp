//===- GraphFuserOps.cpp - Operators in the form a fuser wants ------------===//
//
// Purpose: arithmetic with a constant 0-dimensional tensor takes the number itself,
//   and a chunk whose count and dimension are constants and whose list is only
//   taken apart becomes prim::ConstantChunk with one output a piece.
//
// Cost:   linear.
// Limits: a number takes part in dtype promotion less than a 0-dimensional tensor
//   of a higher kind does, so only tensors of the default kind of their class
//   (int64, float) are replaced, where the other operand is known to be floating.
//
// Before:
//   graph(%x : Float(4, 6)):
//     %1 : int = prim::Constant[value=2]()
//     %2 : int = prim::Constant[value=1]()
//     %3 : Tensor[] = aten::chunk(%x, %1, %2)
//     %4 : Tensor, %5 : Tensor = prim::ListUnpack(%3)
//     %6 : Tensor = aten::mul(%4, %5)
//     return (%6)
// After:
//   graph(%x : Float(4, 6)):
//     %1 : int = prim::Constant[value=2]()
//     %2 : int = prim::Constant[value=1]()
//     %7 : Tensor, %8 : Tensor = prim::ConstantChunk[chunks=2, dim=1](%x)
//     %6 : Tensor = aten::mul(%7, %8)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "canonicalize-fuser-ops"
using namespace tsc;

TSC_STATISTIC(NumNumbers, "Tensors replaced by numbers");
TSC_STATISTIC(NumChunks, "Chunks with constant arguments");

/// The number in a constant 0-dimensional tensor that promotes as the number itself does.
static std::optional<IValue> numberOf(const Value *value) {
  auto constant = constantValue(value);
  if (!constant || !constant->isTensor())
    return std::nullopt;
  const Tensor &tensor = constant->asTensor();
  if (tensor.dim() != 0 || tensor.device().kind != DeviceKind::CPU)
    return std::nullopt;
  if (tensor.dtype() == DType::Int64)
    return IValue(*tensor.data<int64_t>());
  if (tensor.dtype() == DType::Float)
    return IValue(static_cast<double>(*tensor.data<float>()));
  return std::nullopt;
}

static bool takeNumber(Graph &graph, Node &node) {
  if (!arithmeticKind(node.opKind()))
    return false;
  auto dtype = knownDType(node.input(0));
  auto number = dtype && isFloating(*dtype) ? numberOf(node.input(1)) : std::nullopt;
  if (!number || !TSC_OPT_ALLOWED)
    return false;
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  node.setInput(1, graph.insertConstant(*number, node.range()));
  ++NumNumbers;
  return true;
}

/// The value that takes each piece of a list, by index; nullopt when the list is used in another way.
static std::optional<llvm::SmallVector<std::pair<Value *, int64_t>>> piecesOf(const Value *list, int64_t count) {
  llvm::SmallVector<std::pair<Value *, int64_t>> pieces;
  for (const Use &use : list->uses()) {
    Node *user = use.user();
    if (user->kind() == prim::ListUnpack && user->numOutputs() == count) {
      for (Value *output : user->outputs())
        pieces.emplace_back(output, output->offset());
    } else if (user->opKind() == OpKind::Aten___getitem___t) {
      auto index = constantValue(user->input(1));
      int64_t at = index && index->isInt() ? (index->toInt() < 0 ? index->toInt() + count : index->toInt()) : -1;
      if (at < 0 || at >= count)
        return std::nullopt;
      pieces.emplace_back(user->output(), at);
    } else {
      return std::nullopt;
    }
  }
  return pieces;
}

static bool splitChunk(Graph &graph, Node &node, const AliasAnalysis &aliases) {
  auto *chunk = dyn_cast<ChunkOp>(&node);
  if (!chunk)
    return false;
  auto count = constantValue(chunk->chunks()), dim = constantValue(chunk->dim());
  const auto *type = dyn_cast<TensorType>(chunk->self()->type());
  if (!count || !count->isInt() || !dim || !dim->isInt() || !type || !type->facts().sizes ||
      aliases.hasWriters(node.output()))
    return false;
  // chunk may give fewer pieces than asked for.
  const auto &sizes = *type->facts().sizes;
  int64_t axis = dim->toInt() < 0 ? dim->toInt() + static_cast<int64_t>(sizes.size()) : dim->toInt(),
          number = count->toInt();
  if (axis < 0 || axis >= static_cast<int64_t>(sizes.size()) || !sizes[axis].isKnown() || number <= 0 ||
      sizes[axis].value() % number != 0)
    return false;
  auto pieces = piecesOf(node.output(), number);
  if (!pieces || !TSC_OPT_ALLOWED)
    return false;
  Node *split = graph.create(prim::ConstantChunk, {chunk->self()}, static_cast<unsigned>(number));
  split->setAttribute(attr::chunks, number);
  split->setAttribute(attr::dim, dim->toInt());
  split->setRange(node.range());
  split->insertBefore(&node);
  for (auto [value, index] : *pieces) {
    split->output(index)->setType(value->type());
    value->replaceAllUsesWith(split->output(index));
  }
  while (node.output()->hasUses())
    node.output()->uses().begin()->user()->erase();
  node.erase();
  ++NumChunks;
  return true;
}

static bool visit(Graph &graph, Block &block, const AliasAnalysis &aliases) {
  bool changed = false;
  // Last first: what takes a chunk apart comes after it and may go with it.
  for (Node *node = block.empty() ? nullptr : &block.nodes().back(), *previous; node; node = previous) {
    for (Block &inner : node->blocks())
      changed |= visit(graph, inner, aliases);
    previous = node->previous();
    changed |= takeNumber(graph, *node) || splitChunk(graph, *node, aliases);
  }
  return changed;
}

PreservedAnalyses CanonicalizeGraphFuserOps::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(visit(graph, graph.block(), analyses.get<AliasAnalysis>(graph)));
}
