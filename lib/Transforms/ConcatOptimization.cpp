//===- ConcatOptimization.cpp - Fewer and larger concatenations -----------===//
//
// Purpose: a concatenation of concatenations along the same dimension copies once;
//          a concatenation that begins like an earlier one takes that one's result;
//          a point-wise operator that runs on every part runs once on the whole.
// Cost:    linear in the parts.
// Limits:  parts, lists and results that somebody writes stay as they are. The
//          operator runs on the whole only where all parts are known to have one
//          dtype, and not with hoist=false: a fuser makes one kernel of the
//          parts. Chunks with constant arguments are canonicalize-fuser-ops'
//          work.
//
// Before:
//   graph(%a : Float(2, 3), %b : Float(2, 3), %c : Tensor):
//     %3 : int = prim::Constant[value=0]()
//     %4 : Tensor = aten::relu(%a)
//     %5 : Tensor = aten::relu(%b)
//     %6 : Tensor[] = prim::ListConstruct(%4, %5)
//     %7 : Tensor = aten::cat(%6, %3)
//     %8 : Tensor[] = prim::ListConstruct(%7, %c)
//     %9 : Tensor = aten::cat(%8, %3)
//     return (%9)
// After:
//   graph(%a : Float(2, 3),
//         %b : Float(2, 3),
//         %c : Tensor):
//     %3 : int = prim::Constant[value=0]()
//     %6 : Tensor[] = prim::ListConstruct(%a, %b)
//     %7 : Tensor = aten::cat(%6, %3)
//     %10 : Tensor = aten::relu(%7)
//     %8 : Tensor[] = prim::ListConstruct(%10, %c)
//     %9 : Tensor = aten::cat(%8, %3)
//     return (%9)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "llvm/ADT/Hashing.h"
#define DEBUG_TYPE "concat-opt"
using namespace tsc;

TSC_STATISTIC(NumFlattened, "Concatenations that became part of another");
TSC_STATISTIC(NumShared, "Concatenations that take the result of an earlier one");
TSC_STATISTIC(NumHoisted, "Point-wise operators moved behind a concatenation");

namespace {

/// aten::cat of a list that is made for it, along a constant dimension.
struct Concat {
  CatOp *cat = nullptr;
  Node *list = nullptr;
  int64_t dim = 0;
  explicit operator bool() const { return cat; }
  Value *output() const { return cat->output(); }
};

class ConcatOptimizer {
public:
  ConcatOptimizer(Graph &graph, const AliasAnalysis &aliases, bool hoists)
      : graph(graph), aliases(aliases), hoists(hoists) {}
  void visit(Block &block);
  bool changed = false;

private:
  Concat concatAt(Node &node) const;
  bool isReadOnly(const Concat &concat) const;
  void flatten(const Concat &concat);
  void hoist(const Concat &concat);
  Node *commonOperator(const Concat &concat) const;
  void share(const Concat &concat);

  Graph &graph;
  const AliasAnalysis &aliases;
  bool hoists;
  llvm::DenseMap<size_t, llvm::SmallVector<Concat, 1>> byParts; ///< Of the block: hash of dimension and parts.
};

} // namespace

Concat ConcatOptimizer::concatAt(Node &node) const {
  auto *cat = dyn_cast<CatOp>(&node);
  if (!cat)
    return {};
  Node *list = cat->tensors()->node();
  auto dim = constantValue(cat->dim());
  if (list->kind() != prim::ListConstruct || list->block() != node.block() || !list->output()->hasOneUse() || !dim ||
      !dim->isInt())
    return {};
  return {cat, list, dim->toInt()};
}

/// Whether the parts may as well be read later, and the result shared.
bool ConcatOptimizer::isReadOnly(const Concat &concat) const {
  return !aliases.hasWriters(*concat.cat) && !aliases.hasWriters(*concat.list) &&
         llvm::none_of(concat.list->inputs(), [&](const Value *part) { return aliases.hasWriters(part); });
}

/// cat([a, cat([b, c], d)], d) is cat([a, b, c], d). Parts were flattened when they were visited.
void ConcatOptimizer::flatten(const Concat &concat) {
  llvm::SmallVector<Value *> parts;
  llvm::SmallVector<Concat> merged;
  for (Value *part : concat.list->inputs()) {
    Concat inner = part->node()->block() == concat.cat->block() ? concatAt(*part->node()) : Concat();
    if (!inner || inner.dim != concat.dim || !part->hasOneUse() || !isReadOnly(inner) || !TSC_OPT_ALLOWED) {
      parts.push_back(part);
      continue;
    }
    llvm::append_range(parts, inner.list->inputs());
    merged.push_back(inner);
  }
  if (merged.empty())
    return;
  TSC_GRAPH_UPDATE("flattening " << merged.size() << " parts of a concatenation");
  concat.list->eraseAllInputs();
  for (Value *part : parts)
    concat.list->addInput(part);
  for (const Concat &inner : merged) {
    inner.cat->erase();
    inner.list->erase();
  }
  NumFlattened += merged.size();
  changed = true;
}

/// The operator that makes every part, with the same further operands; null when there is none.
Node *ConcatOptimizer::commonOperator(const Concat &concat) const {
  if (concat.list->numInputs() < 2)
    return nullptr;
  Node *first = concat.list->input(0)->node();
  auto dtypeOf = [](const Value *value) -> std::optional<DType> {
    const auto *type = dyn_cast<TensorType>(value->type());
    return type ? type->facts().dtype : std::nullopt;
  };
  if (!first->hasTrait(Trait::Pointwise) || !first->hasTrait(Trait::Pure) || !dtypeOf(first->input(0)))
    return nullptr;
  for (const Value *part : concat.list->inputs()) {
    Node *node = part->node();
    if (node->op() != first->op() || node->block() != concat.cat->block() || !part->hasOneUse() ||
        node->numOutputs() != 1 || dtypeOf(node->input(0)) != dtypeOf(first->input(0)) || aliases.hasWriters(*node))
      return nullptr;
    for (unsigned i = 1; i < node->numInputs(); ++i)
      if (node->input(i) != first->input(i) || AliasAnalysis::isMutable(node->input(i)))
        return nullptr;
  }
  return first;
}

/// cat([f(a), f(b)]) is f(cat([a, b])).
void ConcatOptimizer::hoist(const Concat &concat) {
  Node *first = commonOperator(concat);
  if (!first || !TSC_OPT_ALLOWED)
    return;
  TSC_GRAPH_UPDATE("moving " << first->kind().qualified() << " behind a concatenation");
  llvm::SmallVector<Node *> operators;
  for (unsigned i = 0; i != concat.list->numInputs(); ++i) {
    operators.push_back(concat.list->input(i)->node());
    concat.list->setInput(i, operators.back()->input(0));
  }
  Node *whole = graph.create(first->kind(), {concat.output()});
  for (unsigned i = 1; i < first->numInputs(); ++i)
    whole->addInput(first->input(i));
  whole->insertAfter(concat.cat);
  whole->setRange(first->range());
  whole->setScope(first->scope());
  whole->output()->setType(concat.output()->type());
  concat.output()->setType(Type::tensorType());
  concat.output()->replaceAllUsesWith(whole->output());
  whole->setInput(0, concat.output());
  for (Node *node : operators)
    node->erase();
  NumHoisted += operators.size();
  changed = true;
}

/// cat([a, b, c]) after cat([a, b]) begins with that.
void ConcatOptimizer::share(const Concat &concat) {
  llvm::SmallVector<Value *> parts(concat.list->inputs());
  llvm::SmallVector<size_t> hashes; // of the first i + 1 parts
  size_t hash = llvm::hash_value(concat.dim);
  for (Value *part : parts)
    hashes.push_back(hash = llvm::hash_combine(hash, part));
  auto beginsLike = [&](const Concat &earlier, size_t count) {
    return earlier.dim == concat.dim && earlier.list->numInputs() == count &&
           llvm::equal(earlier.list->inputs(), ArrayRef<Value *>(parts).take_front(count));
  };
  for (size_t count = parts.size() - 1; count >= 2; --count) {
    auto known = byParts.find(hashes[count - 1]);
    if (known == byParts.end())
      continue;
    auto earlier = llvm::find_if(known->second, [&](const Concat &other) { return beginsLike(other, count); });
    if (earlier == known->second.end() || !TSC_OPT_ALLOWED)
      continue;
    TSC_GRAPH_UPDATE("taking " << count << " parts from an earlier concatenation");
    concat.list->eraseAllInputs();
    concat.list->addInput(earlier->output());
    for (Value *part : ArrayRef<Value *>(parts).drop_front(count))
      concat.list->addInput(part);
    ++NumShared;
    changed = true;
    return;
  }
  byParts[hashes.back()].push_back(concat);
}

void ConcatOptimizer::visit(Block &block) {
  for (Node &node : llvm::make_early_inc_range(block.nodes())) // parts come before the whole, so they are flat already
    if (Concat concat = concatAt(node); concat && isReadOnly(concat)) {
      flatten(concat);
      if (hoists)
        hoist(concat);
    }
  byParts.clear();
  for (Node &node : block.nodes())
    if (Concat concat = concatAt(node); concat && isReadOnly(concat))
      share(concat);
  for (Node &node : block.nodes())
    for (Block &inner : node.blocks())
      visit(inner);
}

Status ConcatOptimization::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"hoist"}, options));
  return readOption(options, "hoist", hoists);
}

PreservedAnalyses ConcatOptimization::run(Graph &graph, AnalysisManager &analyses) {
  ConcatOptimizer optimizer(graph, analyses.get<AliasAnalysis>(graph), hoists);
  optimizer.visit(graph.block());
  return PreservedAnalyses::allUnless(optimizer.changed);
}
