//===- LowerTuples.cpp - Tuples as their elements -------------------------===//
//
// Purpose: lower-simple-tuples lets the users of a tuple's elements take the values
//   the tuple was made of, so that tuples which are only taken apart again vanish.
//   lower-tuples also passes elements instead of tuples into and out of blocks and
//   the graph itself, nested tuples included; it changes what the graph takes and
//   returns.
//
// Better: a slice of a tuple, and an element of a slice, are seen through.
// Cost:   linear in nodes and in the elements of tuples.
// Limits: a tuple that an operator takes whole (print, a list's element, a call)
//   stays, and is made again just before where it crossed a border. A graph with a
//   prim::BailOut, which returns what the graph does, keeps its results.
//
// Before (lower-simple-tuples):
//   graph(%x : Tensor, %y : Tensor):
//     %2 : (Tensor, Tensor) = prim::TupleConstruct(%x, %y)
//     %3 : Tensor, %4 : Tensor = prim::TupleUnpack(%2)
//     %5 : Tensor = aten::sub(%4, %3)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %y : Tensor):
//     %5 : Tensor = aten::sub(%y, %x)
//     return (%5)
//
// Before (lower-tuples):
//   graph(%p : (Tensor, Tensor), %c : bool):
//     %2 : Tensor, %3 : Tensor = prim::TupleUnpack(%p)
//     %4 : (Tensor, Tensor) = prim::If(%c)
//       block0():
//         -> (%p)
//       block1():
//         %5 : (Tensor, Tensor) = prim::TupleConstruct(%3, %2)
//         -> (%5)
//     return (%4)
// After:
//   graph(%p.1 : Tensor,
//         %p.2 : Tensor,
//         %c : bool):
//     %10 : Tensor, %11 : Tensor = prim::If(%c)
//       block0():
//         -> (%p.1, %p.2)
//       block1():
//         -> (%p.2, %p.1)
//     return (%10, %11)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Subgraph.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "lower-tuples"
using namespace tsc;

TSC_STATISTIC(NumForwarded, "Elements taken from where their tuple was made");
TSC_STATISTIC(NumErased, "Tuples that are never made");
TSC_STATISTIC(NumFlattened, "Tuples passed as elements");

//===----------------------------------------------------------------------===//
// Elements of tuples whose making is in sight
//===----------------------------------------------------------------------===//

/// The values a tuple is made of; empty when that is not known.
static llvm::SmallVector<Value *, 4> elementsOf(const Value *tuple) {
  const Node *node = tuple->node();
  return node->kind() == prim::TupleConstruct ? node->inputVector() : llvm::SmallVector<Value *, 4>();
}

/// A Python index into `size` elements; nullopt when it is unknown or out of range.
static std::optional<size_t> constantIndex(const Value *index, size_t size) {
  auto value = constantValue(index);
  if (!value || !value->isInt())
    return std::nullopt;
  int64_t at = value->toInt() < 0 ? value->toInt() + static_cast<int64_t>(size) : value->toInt();
  return at >= 0 && at < static_cast<int64_t>(size) ? std::optional<size_t>(at) : std::nullopt;
}

/// Replaces a node that takes a tuple apart; false when the tuple's elements are not in sight.
static bool forward(Node &node) {
  if (node.numInputs() == 0)
    return false;
  llvm::SmallVector<Value *, 4> elements = elementsOf(node.input(0));
  if (node.input(0)->node()->kind() != prim::TupleConstruct)
    return false;
  switch (node.kind().id()) {
  case SymbolId::prim_TupleUnpack:
    if (elements.size() != node.numOutputs() || !TSC_OPT_ALLOWED)
      return false;
    for (auto [output, element] : llvm::zip(node.outputs(), elements))
      output->replaceAllUsesWith(element);
    break;
  case SymbolId::prim_TupleIndex: {
    auto index = node.numInputs() == 2 ? constantIndex(node.input(1), elements.size()) : std::nullopt;
    if (!index || !elements[*index]->type()->isSubtypeOf(node.output()->type()) || !TSC_OPT_ALLOWED)
      return false;
    node.output()->replaceAllUsesWith(elements[*index]);
    break;
  }
  case SymbolId::prim_TupleSlice: {
    const auto *begin = node.attribute(attr::beg), *end = node.attribute(attr::end);
    if (!begin || !end || !std::holds_alternative<int64_t>(*begin) || !std::holds_alternative<int64_t>(*end))
      return false;
    int64_t first = std::get<int64_t>(*begin), last = std::get<int64_t>(*end);
    if (first < 0 || last < first || last > static_cast<int64_t>(elements.size()) || !TSC_OPT_ALLOWED)
      return false;
    Node *slice =
        node.graph().create(prim::TupleConstruct, llvm::ArrayRef<Value *>(elements).slice(first, last - first));
    slice->insertBefore(&node);
    slice->setRange(node.range());
    slice->output()->setType(node.output()->type());
    node.output()->replaceAllUsesWith(slice->output());
    break;
  }
  default: return false;
  }
  node.erase();
  ++NumForwarded;
  return true;
}

static bool forwardElements(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= forwardElements(inner);
    changed |= forward(node);
  }
  return changed;
}

/// Erases constants and tuples that lost their last use: users first.
static bool eraseUnused(Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(llvm::reverse(block.nodes()))) {
    for (Block &inner : node.blocks())
      changed |= eraseUnused(inner);
    bool goes = (node.kind() == prim::TupleConstruct || node.kind() == prim::TupleUnpack ||
                 node.kind() == prim::TupleSlice || node.kind() == prim::Constant) &&
                llvm::none_of(node.outputs(), [](Value *v) { return v->hasUses(); });
    if (!goes)
      continue;
    NumErased += node.kind() == prim::TupleConstruct;
    node.erase();
    changed = true;
  }
  return changed;
}

static bool lowerSimpleTuples(Graph &graph) {
  if (!forwardElements(graph.block()))
    return false;
  eraseUnused(graph.block());
  return true;
}

PreservedAnalyses LowerSimpleTuples::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(lowerSimpleTuples(graph));
}

//===----------------------------------------------------------------------===//
// Tuples across the borders of blocks
//===----------------------------------------------------------------------===//

namespace {

/// Replaces tuples among the operands and results of If, Loop, blocks and the graph by their elements. What is a tuple
/// inside is made, and taken apart, at the border; lowerSimpleTuples() does the rest.
class Flattener {
public:
  explicit Flattener(Graph &graph) : graph(graph), keepsResults(hasBailOuts(graph)) {}

  bool visit(Block &block) {
    bool changed = false;
    const Node *owner = block.owner();
    if (!owner)
      changed |= flattenParameters(block);
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node; node = node->next()) {
      if (node->kind() == prim::If) {
        changed |= flattenOutputs(*node);
      } else if (node->kind() == prim::Loop) {
        changed |= flattenOperands(*node, 2);
        changed |= flattenParameters(node->block(0));
        changed |= flattenOutputs(*node);
      }
      for (Block &inner : node->blocks())
        changed |= visit(inner);
    }
    if (owner ? owner->kind() == prim::If || owner->kind() == prim::Loop : !keepsResults)
      changed |= flattenOperands(block.returnNode(), 0);
    return changed;
  }

private:
  static const TupleType *tupleType(const Value *value) { return dyn_cast<TupleType>(value->type()); }

  /// The new elements may be tuples themselves: the same place is looked at again.
  bool flattenOperands(Node &node, unsigned first) {
    bool changed = false;
    for (unsigned i = first; i < node.numInputs();) {
      Value *tuple = node.input(i);
      const TupleType *type = tupleType(tuple);
      if (!type) {
        ++i;
        continue;
      }
      llvm::SmallVector<Value *, 4> elements = elementsOf(tuple);
      if (tuple->node()->kind() == prim::Uninitialized)
        elements = uninitialized(*type, node);
      else if (tuple->node()->kind() != prim::TupleConstruct)
        elements = unpack(tuple, *type, node);
      node.eraseInput(i);
      for (auto [offset, element] : llvm::enumerate(elements))
        node.insertInput(i + offset, element);
      changed = true;
    }
    return changed;
  }

  llvm::SmallVector<Value *, 4> unpack(Value *tuple, const TupleType &type, Node &before) {
    Node *node = graph.create(prim::TupleUnpack, {tuple}, 0);
    node->setRange(before.range());
    for (const Type *element : type.elements())
      node->addOutput(element);
    node->insertBefore(&before);
    return llvm::to_vector<4>(node->outputs());
  }

  /// A value that nobody reads has no elements to take apart.
  llvm::SmallVector<Value *, 4> uninitialized(const TupleType &type, Node &before) {
    llvm::SmallVector<Value *, 4> elements;
    for (const Type *element : type.elements()) {
      Node *node = graph.create(prim::Uninitialized);
      node->insertBefore(&before);
      elements.push_back(node->output()->setType(element));
    }
    return elements;
  }

  /// Makes a tuple of new values that `insert(place, type)` gives, before `at`, for the users of `tuple`.
  template <typename Insert> Node *remake(Value *tuple, unsigned place, Insert &&insert) {
    Node *construct = graph.create(prim::TupleConstruct, 1);
    construct->output()->setType(tuple->type());
    for (auto [offset, type] : llvm::enumerate(tupleType(tuple)->elements()))
      construct->addInput(insert(place + offset, type));
    tuple->replaceAllUsesWith(construct->output());
    ++NumFlattened;
    return construct;
  }

  bool flattenParameters(Block &block) {
    bool changed = false;
    for (unsigned i = 0; i < block.inputs().size();) {
      Value *tuple = block.inputs()[i];
      if (!tupleType(tuple)) {
        ++i;
        continue;
      }
      std::string name = tuple->name().str();
      Node *construct = remake(tuple, i + 1, [&](unsigned place, const Type *type) {
        Value *element = block.insertInput(place, type);
        return name.empty() ? element : element->setName(name);
      });
      // A tuple inside a tuple is made before it.
      block.prepend(construct);
      construct->setRange(block.owner() ? block.owner()->range() : SourceRange());
      block.eraseInput(i);
      changed = true;
    }
    return changed;
  }

  bool flattenOutputs(Node &node) {
    bool changed = false;
    for (unsigned i = 0; i < node.numOutputs();) {
      Value *tuple = node.output(i);
      if (!tupleType(tuple)) {
        ++i;
        continue;
      }
      Node *construct =
          remake(tuple, i + 1, [&](unsigned place, const Type *type) { return node.insertOutput(place, type); });
      construct->insertAfter(&node);
      construct->setRange(node.range());
      node.eraseOutput(i);
      changed = true;
    }
    return changed;
  }

  Graph &graph;
  const bool keepsResults; ///< Whether the graph returns tuples as they are.
};

} // namespace

/// Takes elements of constant tuples from constants of their own.
static bool unpackConstants(Graph &graph, Block &block) {
  bool changed = false;
  for (Node &node : llvm::make_early_inc_range(block.nodes())) {
    for (Block &inner : node.blocks())
      changed |= unpackConstants(graph, inner);
    auto tuple = node.kind() == prim::TupleUnpack ? constantValue(node.input(0)) : std::nullopt;
    if (!tuple || !tuple->isTuple() || tuple->toTuple().elements.size() != node.numOutputs() ||
        !llvm::all_of(tuple->toTuple().elements, Graph::canBeConstant) || !TSC_OPT_ALLOWED)
      continue;
    for (auto [output, element] : llvm::zip(node.outputs(), tuple->toTuple().elements)) {
      Node *constant = graph.createConstant(element);
      constant->setRange(node.range());
      constant->insertBefore(&node);
      if (constant->output()->type()->isSubtypeOf(output->type()))
        output->replaceAllUsesWith(constant->output());
      else
        constant->erase();
    }
    changed = true;
    if (llvm::any_of(node.outputs(), [](const Value *output) { return output->hasUses(); }))
      continue;
    node.erase();
    ++NumForwarded;
  }
  return changed;
}

PreservedAnalyses LowerTuples::run(Graph &graph, AnalysisManager &analyses) {
  bool changed = Flattener(graph).visit(graph.block());
  changed |= lowerSimpleTuples(graph);
  changed |= unpackConstants(graph, graph.block());
  if (!changed)
    return PreservedAnalyses::all();
  analyses.invalidate(); // what only went into a tuple is dead now
  DeadCodeElimination().run(graph, analyses);
  return PreservedAnalyses::none();
}
