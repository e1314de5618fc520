//===- AccumulateProducts.cpp - Sums of products where they lie -----------===//
//
// Purpose: where a loop hands a sum of matrix products from trip to trip, as the
//          gradient of a recurrence's weight is, adds each product to the sum in
//          its memory, as it is computed. The product is not stored, and the sum
//          is read and written once; products of few terms, which take less than
//          that, wait until some can be added at once, in their order.
// Better:  PyTorch's autograd stores the products, and adds each in a second pass.
// Cost:    linear.
// Limits:  sums on the processor that begin as zeros made for them beside the loop: what
//          stands outside of a loop around it is begun once; sizes have to be known, since
//          the bits are those of a product and an addition only where the kernel
//          adds up a product before it looks at what is there: for up to 128 terms
//          of two rows and columns or more.
//
// Before:
//   graph(%a : Float(4, 8, device=cpu),
//         %b : Float(8, 5, device=cpu),
//         %like : Float(4, 5, device=cpu),
//         %n : int):
//     %4 : int = prim::Constant[value=0]()
//     %5 : NoneType = prim::Constant()
//     %6 : bool = prim::Constant[value=1]()
//     %7 : int = prim::Constant[value=1]()
//     %8 : Float(4, 5, device=cpu) = aten::zeros_like(%like, %5, %5, %5, %5, %4)
//     %9 : Float(4, 5, device=cpu) = prim::Loop(%n, %6, %8)
//       block0(%i : int, %11 : Float(4, 5, device=cpu)):
//         %12 : Float(4, 5, device=cpu) = aten::mm(%a, %b)
//         %13 : Float(4, 5, device=cpu) = aten::add(%11, %12, %7)
//         -> (%6, %13)
//     return (%9)
// After:
//   graph(%a : Float(4, 8, device=cpu),
//         %b : Float(8, 5, device=cpu),
//         %like : Float(4, 5, device=cpu),
//         %n : int):
//     %4 : int = prim::Constant[value=0]()
//     %5 : NoneType = prim::Constant()
//     %6 : bool = prim::Constant[value=1]()
//     %7 : int = prim::Constant[value=1]()
//     %8 : Float(4, 5, device=cpu) = aten::zeros_like(%like, %5, %5, %5, %5, %4)
//      = prim::Loop(%n, %6)
//       block0(%i : int):
//         %14 : Float(4, 5, device=cpu) = aten::addmm_(%8, %a, %b, %7, %7)
//         -> (%6)
//     return (%8)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#define DEBUG_TYPE "accumulate-products"
using namespace tsc;

TSC_STATISTIC(NumAccumulated, "Products that are added to a sum where it lies");

namespace {
/// An addition of a trip, and which of its operands the product is.
struct Addition {
  Node *node;
  unsigned product;
};

/// A sum that a loop hands on, and its additions, the last first.
struct Sum {
  Node &loop;
  unsigned index;
  llvm::SmallVector<Addition, 2> additions;
};
} // namespace

static bool hasOneUse(const Value *value) {
  return value->hasUses() && std::next(value->uses().begin()) == value->uses().end();
}

static bool isMadeOfZeros(const Value *value) {
  const Node *maker = const_cast<Value *>(value)->definingNode();
  if (!maker)
    return false;
  constexpr int64_t contiguous = 0;
  return maker->opKind() == OpKind::Aten_zeros ||
         (maker->opKind() == OpKind::Aten_zeros_like && constantInt(maker->input(5)) == contiguous);
}

/// The sizes of a matrix, where both are known.
static std::optional<std::pair<int64_t, int64_t>> matrixSizes(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  if (!type || !type->facts().sizes || type->facts().sizes->size() != 2)
    return std::nullopt;
  const Dimension rows = (*type->facts().sizes)[0], columns = (*type->facts().sizes)[1];
  return rows.isKnown() && columns.isKnown() ? std::optional(std::pair(rows.value(), columns.value())) : std::nullopt;
}

static bool isOnProcessor(const Value *value) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type && type->facts().device && type->facts().device->kind == DeviceKind::CPU;
}

/// Whether the node is a product of the sum's sizes and dtype that nobody else wants, of terms that a kernel adds up
/// before it adds them to what is there.
static bool isFittingProduct(Value *value, const Value *sum, const Block &body, const AliasAnalysis &aliases) {
  constexpr int64_t mostTerms = 128;
  Node *node = value->definingNode();
  if (!node || node->opKind() != OpKind::Aten_mm || node->block() != &body || !hasOneUse(value))
    return false;
  if (aliases.hasWriters(node->input(0)) || aliases.hasWriters(node->input(1)))
    return false;
  auto sizes = matrixSizes(sum), left = matrixSizes(node->input(0)), right = matrixSizes(node->input(1));
  auto dtype = knownDType(sum);
  if (!sizes || !left || !right || (dtype != DType::Float && dtype != DType::Double))
    return false;
  return knownDType(node->input(0)) == dtype && knownDType(node->input(1)) == dtype && sizes->first == left->first &&
         sizes->second == right->second && sizes->first > 1 && sizes->second > 1 && left->second <= mostTerms;
}

/// Follows the sum from what a trip hands on back to what it was given.
static bool collectAdditions(Sum &sum, const AliasAnalysis &aliases) {
  Block &body = sum.loop.block(0);
  Value *start = sum.loop.input(sum.index + 2), *parameter = body.inputs()[sum.index + 1];
  Value *at = body.returnNode().input(sum.index + 1);
  if (!hasOneUse(start) || !hasOneUse(parameter) || start->node()->block() != sum.loop.block() || !isOnProcessor(start))
    return false;
  while (at != parameter) {
    Node *node = at->definingNode();
    if (!node || node->opKind() != OpKind::Aten_add_Tensor || node->block() != &body || !hasOneUse(at) ||
        constantInt(node->input(2)) != 1)
      return false;
    const unsigned product = isFittingProduct(node->input(1), start, body, aliases) ? 1 : 0;
    if (!isFittingProduct(node->input(product), start, body, aliases))
      return false;
    sum.additions.push_back({node, product});
    at = node->input(1 - product);
  }
  return !sum.additions.empty();
}

/// Whether the factors are so much smaller than the sum that they had better wait for others.
static bool hasFewTerms(const Addition &addition) {
  constexpr int64_t mostTerms = 4, leastElements = 4096;
  const Node *product = addition.node->input(addition.product)->node();
  auto left = matrixSizes(product->input(0)), right = matrixSizes(product->input(1));
  return left->second <= mostTerms && left->first * right->second >= leastElements;
}

/// Inserts a list of factors before the loop, whose products are added to `start` behind it.
static Value *insertPending(Graph &graph, Node &loop, Value *start) {
  Node *list = graph.create(prim::ListConstruct, ArrayRef<Value *>())->insertBefore(&loop);
  list->output()->setType(graph.context().listOf(Type::tensorType()));
  Node *rest = graph.create(graph.context().symbol("tsc::add_pending_"), {start, list->output()}, 0);
  rest->insertAfter(&loop);
  rest->setRange(loop.range());
  return list->output();
}

static void rewrite(Graph &graph, Sum &sum) {
  Block &body = sum.loop.block(0);
  Value *start = sum.loop.input(sum.index + 2);
  body.eraseOutput(sum.index + 1);
  Value *pending = llvm::all_of(sum.additions, hasFewTerms) ? insertPending(graph, sum.loop, start) : nullptr;
  for (auto [addition, product] : sum.additions) {
    Node *multiplication = addition->input(product)->node();
    Value *one = addition->input(2), *left = multiplication->input(0), *right = multiplication->input(1);
    Node *written = pending
                        ? graph.create(graph.context().symbol("tsc::addmm_later_"), {start, pending, left, right}, 0)
                        : graph.create(graph.context().symbol("aten::addmm_"), {start, left, right, one, one});
    if (!pending)
      written->output()->setType(start->type());
    written->insertBefore(addition);
    written->setRange(multiplication->range());
    written->setScope(multiplication->scope());
    addition->erase();
    multiplication->erase();
    ++NumAccumulated;
  }
  sum.loop.output(sum.index)->replaceAllUsesWith(start);
  sum.loop.eraseInput(sum.index + 2);
  body.eraseInput(sum.index + 1);
  sum.loop.eraseOutput(sum.index);
}

static bool visit(Graph &graph, Block &block, AnalysisManager &analyses) {
  bool changed = false;
  for (Node &node : block.nodes()) {
    for (Block &inner : node.blocks())
      changed |= visit(graph, inner, analyses);
    if (node.kind() != prim::Loop)
      continue;
    for (unsigned i = node.numOutputs(); i-- > 0;) {
      // What is written here are tensors that nothing else names, so that the analysis holds for the next sum.
      Sum sum{node, i, {}};
      if (!isMadeOfZeros(node.input(i + 2)) || !collectAdditions(sum, analyses.get<AliasAnalysis>(graph)) ||
          !TSC_OPT_ALLOWED)
        continue;
      TSC_GRAPH_UPDATE("adding products to %" << node.input(i + 2)->displayName() << " where it lies");
      rewrite(graph, sum);
      changed = true;
    }
  }
  return changed;
}

PreservedAnalyses AccumulateProducts::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(visit(graph, graph.block(), analyses));
}
