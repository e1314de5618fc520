//===- LibraryKernels.cpp - Match several nodes to one kernel -------------===//
//
// Purpose: finds what one kernel of the library does at once: x @ w.t() + b as
//          aten::linear (fuse-linear), a @ b + c as aten::addmm (fuse-addmm), a
//          sum and a relu as aten::_add_relu (fuse-add-relu), the same of quantized
//          tensors as quantized::add_relu (fuse-quantized-add-relu).
// Better:  x @ w.t() + b becomes linear only where the bias is known to be one row,
//          so that no broadcast is lost.
// Cost:    linear.
// Limits:  what must be known of shapes and dtypes must stand in the types, or in
//          constants; the decomposition of such kernels is done by decompose.
//
// Before (fuse-linear):
//   graph(%x : Tensor, %w : Tensor):
//     %2 : Tensor = aten::t(%w)
//     %3 : Tensor = aten::matmul(%x, %2)
//     return (%3)
// After:
//   graph(%x : Tensor,
//         %w : Tensor):
//     %4 : NoneType = prim::Constant()
//     %5 : Tensor = aten::linear(%x, %w, %4)
//     return (%5)
//
// Before (fuse-addmm):
//   graph(%a : Float(2, 3), %b : Float(3, 4), %c : Float(4)):
//     %3 : int = prim::Constant[value=1]()
//     %4 : Tensor = aten::mm(%a, %b)
//     %5 : Tensor = aten::add(%4, %c, %3)
//     return (%5)
// After:
//   graph(%a : Float(2, 3),
//         %b : Float(3, 4),
//         %c : Float(4)):
//     %3 : int = prim::Constant[value=1]()
//     %6 : int = prim::Constant[value=1]()
//     %7 : Tensor = aten::addmm(%c, %a, %b, %6, %6)
//     return (%7)
//
// Before (fuse-add-relu):
//   graph(%a : Tensor, %b : Tensor, %o : Tensor):
//     %3 : int = prim::Constant[value=1]()
//     %4 : Tensor = aten::add(%a, %b, %3)
//     %5 : Tensor = aten::relu_(%4)
//     %6 : Tensor = aten::add(%5, %b, %3, %o)
//     %7 : Tensor = aten::relu_(%6)
//     return (%7)
// After:
//   graph(%a : Tensor,
//         %b : Tensor,
//         %o : Tensor):
//     %3 : int = prim::Constant[value=1]()
//     %8 : Tensor = aten::_add_relu(%a, %b, %3)
//     %9 : Tensor = aten::_add_relu(%8, %b, %3, %o)
//     return (%9)
//
// Before (fuse-quantized-add-relu):
//   graph(%a : Tensor, %b : Tensor, %scale : float, %zero : int):
//     %4 : Tensor = quantized::add(%a, %b, %scale, %zero)
//     %5 : Tensor = aten::relu(%4)
//     return (%5)
// After:
//   graph(%a : Tensor,
//         %b : Tensor,
//         %scale : float,
//         %zero : int):
//     %6 : Tensor = quantized::add_relu(%a, %b, %scale, %zero)
//     return (%6)
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/AliasAnalysis.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "tsc/Transforms/SubgraphRewriter.h"
using namespace tsc;

namespace {
/// A rule as text: what stands between the inputs and the return of the two graphs.
struct TextRule {
  const char *inputs, *pattern, *replacement;
};
} // namespace

static bool applyRules(Graph &graph, AnalysisManager &analyses, ArrayRef<TextRule> rules,
                       SubgraphRewriter::Filter filter = nullptr) {
  SubgraphRewriter rewriter(graph.context());
  auto text = [](const char *inputs, const char *body) {
    return (llvm::Twine("graph(") + inputs + "):\n" + body + "  return (%r)\n").str();
  };
  for (const TextRule &rule : rules) {
    Status status = rewriter.addPattern(text(rule.inputs, rule.pattern), text(rule.inputs, rule.replacement), filter);
    assert(status.ok() && "a rule that is built in");
    (void)status;
  }
  return rewriter.run(graph, analyses.get<AliasAnalysis>(graph));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {
struct KnownShape {
  std::optional<DType> dtype;
  llvm::SmallVector<int64_t, 4> sizes; ///< -1 for a size that is not known.
};
} // namespace

/// From the type or the constant; nullopt when the rank is not known.
static std::optional<KnownShape> shapeOf(const Value *value) {
  if (auto constant = constantValue(value); constant && constant->isTensor() && constant->asTensor().defined())
    return KnownShape{constant->asTensor().dtype(), llvm::SmallVector<int64_t, 4>(constant->asTensor().sizes())};
  const auto *type = dyn_cast<TensorType>(value->type());
  if (!type || !type->facts().sizes)
    return std::nullopt;
  KnownShape shape{type->facts().dtype, {}};
  for (Dimension dimension : *type->facts().sizes)
    shape.sizes.push_back(dimension.isKnown() ? dimension.value() : -1);
  return shape;
}

//===----------------------------------------------------------------------===//
// The passes
//===----------------------------------------------------------------------===//

/// The weight is a matrix, and the bias has one number for each of its rows.
static bool isLinearLayer(const Match &match) {
  auto weight = shapeOf(match["w"]), bias = shapeOf(match["b"]);
  return weight && bias && weight->sizes.size() == 2 && bias->sizes.size() == 1 && bias->sizes[0] >= 0 &&
         bias->sizes[0] == weight->sizes[0];
}

PreservedAnalyses LinearFusion::run(Graph &graph, AnalysisManager &analyses) {
  static constexpr char product[] = "  %t : Tensor = aten::t(%w)\n"
                                    "  %y : Tensor = aten::matmul(%x, %t)\n";
  static constexpr char linear[] = "  %r : Tensor = aten::linear(%x, %w, %b)\n";
  std::string sum = std::string("  %one : int = prim::Constant[value=1]()\n") + product, inPlace = sum;
  sum += "  %r : Tensor = aten::add(%y, %b, %one)\n";
  inPlace += "  %r : Tensor = aten::add_(%y, %b, %one)\n";
  bool changed = applyRules(graph, analyses,
                            {{"%x : Tensor, %w : Tensor, %b : Tensor", sum.c_str(), linear},
                             {"%x : Tensor, %w : Tensor, %b : Tensor", inPlace.c_str(), linear},
                             {"%x : Tensor, %w : Tensor, %b : Tensor",
                              "  %one : int = prim::Constant[value=1]()\n"
                              "  %t : Tensor = aten::t(%w)\n"
                              "  %r : Tensor = aten::addmm(%b, %x, %t, %one, %one)\n",
                              linear}},
                            isLinearLayer);
  if (changed)
    analyses.invalidate();
  changed |= applyRules(graph, analyses,
                        {{"%x : Tensor, %w : Tensor",
                          "  %t : Tensor = aten::t(%w)\n"
                          "  %r : Tensor = aten::matmul(%x, %t)\n",
                          "  %none : NoneType = prim::Constant()\n"
                          "  %r : Tensor = aten::linear(%x, %w, %none)\n"}});
  return PreservedAnalyses::allUnless(changed);
}

/// All three of one floating dtype, and the summand expands to the shape of the product.
static bool isAddmm(const Match &match) {
  auto a = shapeOf(match["a"]), b = shapeOf(match["b"]), c = shapeOf(match["c"]);
  if (!a || !b || !c || !a->dtype || a->dtype != b->dtype || a->dtype != c->dtype || !isFloating(*a->dtype) ||
      a->sizes.size() != 2 || b->sizes.size() != 2 || c->sizes.size() > 2)
    return false;
  int64_t product[2] = {a->sizes[0], b->sizes[1]};
  size_t missing = 2 - c->sizes.size();
  for (size_t i = missing; i != 2; ++i)
    if (int64_t size = c->sizes[i - missing]; size != 1 && (size < 0 || size != product[i]))
      return false;
  return true;
}

PreservedAnalyses AddmmFusion::run(Graph &graph, AnalysisManager &analyses) {
  static constexpr char inputs[] = "%a : Tensor, %b : Tensor, %c : Tensor";
  static constexpr char addmm[] = "  %one : int = prim::Constant[value=1]()\n"
                                  "  %r : Tensor = aten::addmm(%c, %a, %b, %one, %one)\n";
  return PreservedAnalyses::allUnless(applyRules(graph, analyses,
                                                 {{inputs,
                                                   "  %one : int = prim::Constant[value=1]()\n"
                                                   "  %p : Tensor = aten::mm(%a, %b)\n"
                                                   "  %r : Tensor = aten::add(%p, %c, %one)\n",
                                                   addmm},
                                                  {inputs,
                                                   "  %one : int = prim::Constant[value=1]()\n"
                                                   "  %p : Tensor = aten::mm(%a, %b)\n"
                                                   "  %r : Tensor = aten::add(%c, %p, %one)\n",
                                                   addmm}},
                                                 isAddmm));
}

PreservedAnalyses AddReluFusion::run(Graph &graph, AnalysisManager &analyses) {
  static constexpr char inputs[] = "%a : Tensor, %b : Tensor, %alpha : Scalar";
  static constexpr char inputsAndOut[] = "%a : Tensor, %b : Tensor, %alpha : Scalar, %o : Tensor";
  static constexpr char sum[] = "  %s : Tensor = aten::add(%a, %b, %alpha)\n",
                        sumInPlace[] = "  %s : Tensor = aten::add_(%a, %b, %alpha)\n",
                        sumInto[] = "  %s : Tensor = aten::add(%a, %b, %alpha, %o)\n",
                        relu[] = "  %r : Tensor = aten::relu(%s)\n",
                        reluInPlace[] = "  %r : Tensor = aten::relu_(%s)\n",
                        fused[] = "  %r : Tensor = aten::_add_relu(%a, %b, %alpha)\n",
                        fusedInPlace[] = "  %r : Tensor = aten::_add_relu_(%a, %b, %alpha)\n",
                        fusedInto[] = "  %r : Tensor = aten::_add_relu(%a, %b, %alpha, %o)\n";
  // relu of a sum in place leaves the sum in memory that others may see: only relu_ may take it over.
  const std::string plain = std::string(sum) + relu, overwritten = std::string(sum) + reluInPlace,
                    inPlace = std::string(sumInPlace) + reluInPlace, into = std::string(sumInto) + reluInPlace;
  return PreservedAnalyses::allUnless(applyRules(graph, analyses,
                                                 {{inputs, plain.c_str(), fused},
                                                  {inputs, overwritten.c_str(), fused},
                                                  {inputs, inPlace.c_str(), fusedInPlace},
                                                  {inputsAndOut, into.c_str(), fusedInto}}));
}

PreservedAnalyses QuantizedAddReluFusion::run(Graph &graph, AnalysisManager &analyses) {
  static constexpr char inputs[] = "%a : Tensor, %b : Tensor, %scale : float, %zero : int";
  static constexpr char fused[] = "  %r : Tensor = quantized::add_relu(%a, %b, %scale, %zero)\n";
  return PreservedAnalyses::allUnless(applyRules(graph, analyses,
                                                 {{inputs,
                                                   "  %s : Tensor = quantized::add(%a, %b, %scale, %zero)\n"
                                                   "  %r : Tensor = aten::relu(%s)\n",
                                                   fused},
                                                  {inputs,
                                                   "  %s : Tensor = quantized::add(%a, %b, %scale, %zero)\n"
                                                   "  %r : Tensor = aten::relu_(%s)\n",
                                                   fused}}));
}
