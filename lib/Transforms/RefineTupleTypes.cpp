//===- RefineTupleTypes.cpp - Types of tuples by their elements -----------===//
//
// Purpose: a tuple has the types that its elements have learned: shapes and dtypes
//   after propagate-shapes, and what a tuple within it has learned. What takes it
//   apart learns them too.
//
// Cost:   linear.
// Limits: a named tuple keeps its declared types; so do tuples that blocks and
//   calls hand on, and lists of tuples.
//
// Before:
//   graph(%x : Float(2, 3)):
//     %1 : (Tensor, Tensor) = prim::TupleConstruct(%x, %x)
//     %2 : Tensor, %3 : Tensor = prim::TupleUnpack(%1)
//     return (%1, %3)
// After:
//   graph(%x : Float(2, 3)):
//     %1 : (Float(2, 3), Float(2, 3)) = prim::TupleConstruct(%x, %x)
//     %2 : Float(2, 3), %3 : Float(2, 3) = prim::TupleUnpack(%1)
//     return (%1, %3)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Types.h"
#define DEBUG_TYPE "refine-tuple-types"
using namespace tsc;

TSC_STATISTIC(NumRefined, "Values whose type says more now");

/// Gives the value a type that says more than its own.
static bool refine(Value *value, const Type *type) {
  if (value->type() == type || !type->isSubtypeOf(value->type()) || !TSC_OPT_ALLOWED)
    return false;
  value->setType(type);
  ++NumRefined;
  return true;
}

static const TupleType *plainTuple(const Value *value) {
  const auto *type = llvm::dyn_cast<TupleType>(value->type());
  return type && !type->isNamed() ? type : nullptr;
}

static bool refineConstruct(Node &node) {
  const TupleType *type = plainTuple(node.output());
  if (!type || type->elements().size() != node.numInputs())
    return false;
  llvm::SmallVector<const Type *> elements;
  for (const Value *input : node.inputs())
    elements.push_back(input->type());
  return refine(node.output(), node.graph().context().tupleOf(elements));
}

static bool refineUnpack(Node &node) {
  const auto *type = llvm::dyn_cast<TupleType>(node.input(0)->type());
  if (!type || type->elements().size() != node.numOutputs())
    return false;
  bool changed = false;
  for (auto [output, element] : llvm::zip(node.outputs(), type->elements()))
    changed |= refine(output, element);
  return changed;
}

static bool refineIndex(Node &node) {
  const auto *type = llvm::dyn_cast<TupleType>(node.input(0)->type());
  std::optional<IValue> index = node.numInputs() == 2 ? constantValue(node.input(1)) : std::nullopt;
  if (!type || !index || !index->isInt())
    return false;
  const auto count = static_cast<int64_t>(type->elements().size());
  const int64_t at = index->toInt() < 0 ? index->toInt() + count : index->toInt();
  return at >= 0 && at < count && refine(node.output(), type->elements()[at]);
}

PreservedAnalyses RefineTupleTypes::run(Graph &graph, AnalysisManager &) {
  bool changed = false;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::TupleConstruct)
      changed |= refineConstruct(node);
    else if (node.kind() == prim::TupleUnpack)
      changed |= refineUnpack(node);
    else if (node.kind() == prim::TupleIndex)
      changed |= refineIndex(node);
  });
  return PreservedAnalyses::allUnless(changed);
}
