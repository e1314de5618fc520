//===- HoistProducts.cpp - Products of a sequence's steps in one ----------===//
//
// Purpose: where a loop multiplies each step of a sequence with a matrix that stays
//          the same, as recurrent layers do with their inputs, computes the
//          products of all steps before the loop, in one. Each trip takes the
//          product of its step from there, or computes it as before where the
//          operator before the loop found nothing to be gained (or not the same
//          bits): too few steps, many rows in each, large results.
// Better:  PyTorch has no such pass: its layers written out multiply step by step.
// Cost:    linear.
// Limits:  loops that only a trip count ends, products that every trip reaches, and
//          steps taken from a list or along one dimension, all of memory that
//          nobody writes. Graphs that switch grad mode are left alone.
//
// Before:
//   graph(%seq : Tensor,
//         %h : Tensor,
//         %w : Tensor,
//         %n : int):
//     %4 : int = prim::Constant[value=0]()
//     %5 : int = prim::Constant[value=1]()
//     %6 : bool = prim::Constant[value=1]()
//     %7 : Tensor = prim::Loop(%n, %6, %h)
//       block0(%i : int, %9 : Tensor):
//         %10 : Tensor = aten::select(%seq, %4, %i)
//         %11 : Tensor = aten::mm(%10, %w)
//         %12 : Tensor = aten::add(%9, %11, %5)
//         -> (%6, %12)
//     return (%7)
// After:
//   graph(%seq : Tensor,
//         %h : Tensor,
//         %w : Tensor,
//         %n : int):
//     %4 : int = prim::Constant[value=0]()
//     %5 : int = prim::Constant[value=1]()
//     %6 : bool = prim::Constant[value=1]()
//     %13 : NoneType = prim::Constant()
//     %14 : bool = prim::Constant[value=0]()
//     %15 : Tensor = tsc::step_products(%seq, %4, %w, %13, %14, %n)
//     %16 : int = aten::numel(%15)
//     %17 : bool = aten::Bool(%16)
//     %7 : Tensor = prim::Loop(%n, %6, %h)
//       block0(%i : int, %9 : Tensor):
//         %10 : Tensor = aten::select(%seq, %4, %i)
//         %18 : Tensor = prim::If(%17)
//           block0():
//             %19 : Tensor = tsc::step_product(%15, %i)
//             -> (%19)
//           block1():
//             %11 : Tensor = aten::mm(%10, %w)
//             -> (%11)
//         %12 : Tensor = aten::add(%9, %18, %5)
//         -> (%6, %12)
//     return (%7)
//
//===----------------------------------------------------------------------===//
#include "Loop.h"
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/GraphTable.h"
#include "tsc/IR/IValue.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Loops.h"
#define DEBUG_TYPE "hoist-products"
using namespace tsc;

TSC_STATISTIC(NumHoisted, "Products of a loop's steps that are computed before it");

namespace {
/// A product of a loop's body: of a step, with a k x n matrix or a transposed one, and a bias or none.
struct Product {
  Node *node;
  Value *step, *weight, *bias = nullptr;
  bool isTransposed = false;
  Node *transposition = nullptr; ///< In the loop, of the weight.
};

/// Where a step comes from: an element of a list, or what select takes from a tensor.
struct Source {
  Node *node;
  Value *index;
  bool isList;
};

class Hoister {
public:
  Hoister(Graph &graph, const AliasAnalysis &aliases, const Remarks &remarks)
      : graph(graph), aliases(aliases), remarks(remarks), depthOf(graph) {}

  /// `depth` blocks are around this one.
  void visit(Block &block, unsigned depth) {
    for (Value *parameter : block.inputs())
      depthOf[parameter] = depth;
    for (Node &node : block.nodes()) {
      for (Block &inner : node.blocks())
        visit(inner, depth + 1);
      for (Value *output : node.outputs())
        depthOf[output] = depth;
      if (node.kind() == prim::Loop)
        hoistFrom(Loop(node), depth);
    }
  }
  bool changed = false;

private:
  void hoistFrom(const Loop &loop, unsigned depth);
  std::optional<Source> sourceOf(const Product &product, unsigned depth) const;
  void lookThroughTransposition(Product &product, const Source &source, unsigned depth) const;
  void rewrite(const Loop &loop, const Product &product, const Source &source);
  bool isFixed(const Value *value, unsigned depth) const {
    return depthOf.lookup(value) <= depth && !aliases.hasWriters(value);
  }

  Graph &graph;
  const AliasAnalysis &aliases;
  const Remarks &remarks;
  GraphTable<Value, unsigned> depthOf; ///< Blocks around the one in which a value is defined.
};
} // namespace

static std::optional<Product> productOf(Node &node) {
  const ProductSignature *signature = productSignature(node.opKind());
  auto isOne = [&](int operand) { return operand < 0 || constantInt(node.input(operand)) == 1; };
  if (!signature || signature->isLeftTransposed || !isOne(signature->beta) || !isOne(signature->alpha))
    return std::nullopt;
  return Product{&node, node.input(signature->left), node.input(signature->right),
                 signature->bias < 0 ? nullptr : node.input(signature->bias), signature->isRightTransposed};
}

/// Whether the type leaves it open that the value is of a type that can be computed ahead.
static bool mayBeFloating(const Value *value) {
  const auto dtype = knownDType(value);
  return isa<TensorType>(value->type()) && (!dtype || dtype == DType::Float || dtype == DType::Double);
}

std::optional<Source> Hoister::sourceOf(const Product &product, unsigned depth) const {
  Node *node = product.step->definingNode();
  if (!node || node->numBlocks() || depthOf.lookup(product.step) <= depth)
    return std::nullopt;
  const bool isList = node->opKind() == OpKind::Aten___getitem___t,
             isSelect = node->opKind() == OpKind::Aten_select_int;
  if ((!isList && !isSelect) || !isFixed(node->input(0), depth))
    return std::nullopt;
  if (isSelect && depthOf.lookup(node->input(1)) > depth)
    return std::nullopt;
  Value *index = node->input(isList ? 1 : 2);
  if (depthOf.lookup(index) <= depth)
    return std::nullopt;
  return Source{node, index, isList};
}

static bool hasRank(const Value *value, size_t rank) {
  const auto *type = dyn_cast<TensorType>(value->type());
  return type && type->facts().sizes && type->facts().sizes->size() == rank;
}

/// A weight of unknown rank is transposed in the loop, where that may fail. Steps that are known to be matrices have
/// the same products with the weight itself, where it is one; what is ahead of the loop looks.
void Hoister::lookThroughTransposition(Product &product, const Source &source, unsigned depth) const {
  Node *made = product.weight->definingNode();
  if (product.isTransposed || !made || made->opKind() != OpKind::Aten_t || depthOf.lookup(product.weight) <= depth)
    return;
  const Node *list = source.isList ? source.node->input(0)->definingNode() : nullptr;
  const bool hasMatrices =
      list ? list->opKind() == OpKind::Aten_unbind_int && hasRank(list->input(0), 3) : hasRank(product.step, 2);
  if (!hasMatrices)
    return;
  product.weight = made->input();
  product.isTransposed = true;
  product.transposition = made;
}

void Hoister::rewrite(const Loop &loop, const Product &product, const Source &source) {
  Node &node = *product.node;
  Context &context = graph.context();
  auto insert = [&](Node *made, const Type *type) {
    made->setRange(node.range());
    made->setScope(node.scope());
    made->output()->setType(type);
    return made->output();
  };
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&loop.node());
  Value *none = product.bias ? product.bias : graph.insertConstant(IValue(), node.range());
  Value *isTransposed = graph.insertConstant(IValue(product.isTransposed), node.range());
  Node *steps = graph.create(context.symbol("tsc::step_products"), {source.node->input(0)});
  if (!source.isList)
    steps->addInput(source.node->input(1));
  for (Value *input : {product.weight, none, isTransposed, loop.maxTrips()})
    steps->addInput(input);
  Value *products = insert(graph.insertNodeHere(steps), Type::tensorType());
  Value *count = insert(graph.insertNodeHere(graph.create(aten::numel, {products})), Type::intType());
  Value *isThere = insert(graph.insertNodeHere(graph.create(aten::Bool, {count})), Type::boolType());

  Node *choice = graph.create(prim::If, {isThere})->insertBefore(&node);
  Value *result = insert(choice, node.output()->type());
  node.output()->replaceAllUsesWith(result);
  Node *taken = choice->addBlock().append(graph.create(context.symbol("tsc::step_product"), {products, source.index}));
  choice->block(0).addOutput(insert(taken, node.output()->type()));
  Block &otherwise = choice->addBlock();
  otherwise.addOutput(node.output());
  node.moveBefore(&otherwise.returnNode());
  if (Node *made = product.transposition; made && made->next() == choice && made->output()->hasOneUse())
    made->moveBefore(&node);
}

void Hoister::hoistFrom(const Loop &loop, unsigned depth) {
  constexpr int64_t leastTrips = 4; // as the kernel has it
  if (!loop.isCounted() || loop.constantMaxTrips().value_or(leastTrips) < leastTrips)
    return;
  for (Node &node : llvm::make_early_inc_range(loop.body().nodes())) {
    std::optional<Product> product = productOf(node);
    if (!product || !mayBeFloating(product->step) || !mayBeFloating(product->weight))
      continue;
    const std::optional<Source> source = sourceOf(*product, depth);
    if (!source)
      continue;
    lookThroughTransposition(*product, *source, depth);
    if (!isFixed(product->weight, depth) || (product->bias && !isFixed(product->bias, depth))) {
      remarks.missed(node, "not computed before the loop: its weight or bias may change in it");
      continue;
    }
    if (!TSC_OPT_ALLOWED)
      continue;
    TSC_GRAPH_UPDATE("computing %" << product->node->output()->displayName() << " of all steps before the loop");
    remarks.done(node, "computed for all steps before the loop");
    rewrite(loop, *product, *source);
    ++NumHoisted;
    changed = true;
  }
}

PreservedAnalyses HoistProducts::run(Graph &graph, AnalysisManager &analyses) {
  if (switchesGradMode(graph))
    return PreservedAnalyses::all();
  Hoister hoister(graph, analyses.get<AliasAnalysis>(graph), analyses.remarks());
  hoister.visit(graph.block(), 0);
  return PreservedAnalyses::allUnless(hoister.changed);
}
