//===- SimplifyConditionals.cpp - Ifs that say less than they could -------===//
//
// Purpose: inside a branch the condition is known; a negated condition exchanges
//   the branches; an If that chooses between True and False is its condition; two
//   Ifs on one condition with nothing between them are one; an If without effects
//   and results goes.
//
// Better: PyTorch knows the condition inside a branch only for None checks.
// Cost:   linear.
// Limits: takes known branches only when constprop runs after it; if-conversion
//   turns short branches into selects.
//
// Before:
//   graph(%x : Tensor, %c : bool):
//     %2 : bool = aten::__not__(%c)
//     %3 : Tensor = prim::If(%2)
//       block0():
//         %4 : Tensor = aten::relu(%x)
//         -> (%4)
//       block1():
//         -> (%x)
//     %5 : Tensor = prim::If(%c)
//       block0():
//         -> (%3)
//       block1():
//         %6 : Tensor = aten::neg(%3)
//         -> (%6)
//     return (%5)
// After:
//   graph(%x : Tensor,
//         %c : bool):
//     %2 : bool = aten::__not__(%c)
//     %3 : Tensor, %7 : Tensor = prim::If(%c)
//       block0():
//         -> (%x, %x)
//       block1():
//         %4 : Tensor = aten::relu(%x)
//         %6 : Tensor = aten::neg(%4)
//         -> (%4, %6)
//     return (%7)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/OpViews.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#define DEBUG_TYPE "simplify-conditionals"
using namespace tsc;

TSC_STATISTIC(NumKnown, "Uses of a condition inside its branches");
TSC_STATISTIC(NumNegated, "Negated conditions");
TSC_STATISTIC(NumAnswers, "Ifs that only choose between True and False");
TSC_STATISTIC(NumMerged, "Ifs merged into the one before");
TSC_STATISTIC(NumErased, "Ifs without effect");

namespace {

class Simplifier {
public:
  explicit Simplifier(Graph &graph) : graph(graph) {}

  bool visit(Block &block) {
    bool changed = false;
    for (Node *node = block.empty() ? nullptr : &block.nodes().front(), *next; node; node = next) {
      changed |= substitute(*node);
      if (node->kind() == prim::If && node->numBlocks() == 2) {
        changed |= simplifyBranches(*node);
        next = node->next();
        changed |= answerByCondition(*node);
        changed |= eraseEmpty(*node);
        continue;
      }
      for (Block &inner : node->blocks())
        changed |= visit(inner);
      next = node->next();
    }
    return substitute(block.returnNode()) | changed;
  }

private:
  /// What a condition is in the branch that is being visited.
  struct KnownCondition {
    Block *branch;
    bool value;
    Value *constant = nullptr; ///< Made at the head of the branch when first asked for.
  };

  /// What a branch returns, as it is when it is asked for: Ifs that merge within it change that.
  struct Returned {
    Block *branch;
    unsigned index;
  };

  bool simplifyBranches(Node &node) {
    bool changed = stripNegation(node);
    changed |= mergeFollowing(node);
    Value *condition = node.input(0);
    const bool isNews = !isConstant(condition) && !conditions.contains(condition);
    for (unsigned b = 0; b != 2; ++b) {
      if (isNews)
        conditions[condition] = {&node.block(b), b == 0};
      // A merged branch may still name the first If's outputs: there, they are what the branch returns.
      for (unsigned i = 0; i != node.numOutputs(); ++i)
        replacements[node.output(i)] = {&node.block(b), i};
      changed |= visit(node.block(b));
    }
    for (Value *output : node.outputs())
      replacements.erase(output);
    if (isNews)
      conditions.erase(condition);
    return changed;
  }

  bool substitute(Node &node) {
    bool changed = false;
    for (unsigned i = 0; i != node.numInputs(); ++i) {
      Value *value = node.input(i), *by = value;
      for (auto at = replacements.find(by); at != replacements.end(); at = replacements.find(by))
        by = at->second.branch->returnNode().input(at->second.index);
      if (auto at = conditions.find(by); at != conditions.end() && TSC_OPT_ALLOWED) {
        by = constantFor(at->second, node.range());
        ++NumKnown;
      }
      if (by == value)
        continue;
      node.setInput(i, by);
      changed = true;
    }
    return changed;
  }

  Value *constantFor(KnownCondition &condition, SourceRange range) {
    if (!condition.constant) {
      Node *node = graph.createConstant(condition.value);
      node->setRange(range);
      condition.constant = condition.branch->prepend(node)->output();
    }
    return condition.constant;
  }

  bool stripNegation(Node &node) {
    bool changed = false;
    while (node.input(0)->node()->opKind() == OpKind::Aten___not__ && TSC_OPT_ALLOWED) {
      node.setInput(0, node.input(0)->node()->input(0));
      swapBlocks(node);
      ++NumNegated;
      changed = true;
    }
    return changed;
  }

  /// Exchanges what the two blocks hold and return.
  static void swapBlocks(Node &node) {
    Block &first = node.block(0), &second = node.block(1);
    llvm::SmallVector<Node *> nodes;
    for (Node &inner : llvm::make_early_inc_range(first.nodes())) {
      inner.removeFromBlock();
      nodes.push_back(&inner);
    }
    for (Node &inner : llvm::make_early_inc_range(second.nodes())) {
      inner.removeFromBlock();
      first.append(&inner);
    }
    for (Node *inner : nodes)
      second.append(inner);
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      Value *value = first.returnNode().input(i);
      first.returnNode().setInput(i, second.returnNode().input(i));
      second.returnNode().setInput(i, value);
    }
  }

  /// Appends the branches of the Ifs that follow at once on the same condition to this one's.
  bool mergeFollowing(Node &node) {
    bool changed = false;
    for (Node *following; (following = node.next()) && following->kind() == prim::If && following->numBlocks() == 2;) {
      stripNegation(*following);
      if (following->input(0) != node.input(0) || !TSC_OPT_ALLOWED)
        break;
      merge(node, *following);
      ++NumMerged;
      changed = true;
    }
    return changed;
  }
  static void merge(Node &node, Node &following) {
    for (unsigned b = 0; b != 2; ++b) {
      Block &to = node.block(b), &from = following.block(b);
      for (Node &inner : llvm::make_early_inc_range(from.nodes())) {
        inner.removeFromBlock();
        to.append(&inner);
      }
      for (Value *output : from.outputs())
        to.addOutput(output);
    }
    for (Value *output : following.outputs()) {
      Value *merged = node.addOutput(output->type());
      output->replaceAllUsesWith(merged);
      if (!output->hasName())
        continue;
      std::string name = output->name().str();
      output->setName("");
      merged->setName(name);
    }
    following.erase();
  }

  bool answerByCondition(Node &node) {
    bool changed = false;
    for (unsigned i = 0; i != node.numOutputs(); ++i) {
      Value *first = node.block(0).returnNode().input(i), *second = node.block(1).returnNode().input(i);
      bool isCondition = constantBool(first) == true && constantBool(second) == false;
      bool isNegated = constantBool(first) == false && constantBool(second) == true;
      if ((!isCondition && !isNegated) || !node.output(i)->hasUses() || !TSC_OPT_ALLOWED)
        continue;
      Value *answer = node.input(0);
      if (isNegated) {
        Node *negation = graph.create(aten::__not__, {answer});
        negation->output()->setType(Type::boolType());
        negation->setRange(node.range());
        negation->insertBefore(&node);
        answer = negation->output();
      }
      node.output(i)->replaceAllUsesWith(answer);
      ++NumAnswers;
      changed = true;
    }
    return changed;
  }

  static bool eraseEmpty(Node &node) {
    auto isTrivial = [](Block &block) {
      return llvm::all_of(block.nodes(), [](Node &inner) { return inner.kind() == prim::Constant; });
    };
    bool isUnused = llvm::none_of(node.outputs(), [](Value *v) { return v->hasUses(); });
    if (!isUnused || !llvm::all_of(node.blocks(), isTrivial) || !TSC_OPT_ALLOWED)
      return false;
    node.erase();
    ++NumErased;
    return true;
  }

  Graph &graph;
  llvm::DenseMap<Value *, KnownCondition> conditions;
  llvm::DenseMap<Value *, Returned> replacements;
};

} // namespace

PreservedAnalyses SimplifyConditionals::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Simplifier(graph).visit(graph.block()));
}
