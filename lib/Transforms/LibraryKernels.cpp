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
/// The passes, of which each has some of the rules.
enum class KernelPass : uint8_t { Linear, LinearWithoutBias, Addmm, AddRelu, QuantizedAddRelu };

/// A rule as text: what stands between the inputs and the return of the two graphs.
struct TextRule {
  KernelPass pass;
  const char *inputs, *pattern, *replacement;
};
} // namespace

static constexpr TextRule rules[] = {
    {KernelPass::Linear, "%x : Tensor, %w : Tensor, %b : Tensor",
     R"(%one : int = prim::Constant[value=1]()
        %t : Tensor = aten::t(%w)
        %y : Tensor = aten::matmul(%x, %t)
        %r : Tensor = aten::add(%y, %b, %one))",
     R"(%r : Tensor = aten::linear(%x, %w, %b))"},
    {KernelPass::Linear, "%x : Tensor, %w : Tensor, %b : Tensor",
     R"(%one : int = prim::Constant[value=1]()
        %t : Tensor = aten::t(%w)
        %y : Tensor = aten::matmul(%x, %t)
        %r : Tensor = aten::add_(%y, %b, %one))",
     R"(%r : Tensor = aten::linear(%x, %w, %b))"},
    {KernelPass::Linear, "%x : Tensor, %w : Tensor, %b : Tensor",
     R"(%one : int = prim::Constant[value=1]()
        %t : Tensor = aten::t(%w)
        %r : Tensor = aten::addmm(%b, %x, %t, %one, %one))",
     R"(%r : Tensor = aten::linear(%x, %w, %b))"},
    {KernelPass::LinearWithoutBias, "%x : Tensor, %w : Tensor",
     R"(%t : Tensor = aten::t(%w)
        %r : Tensor = aten::matmul(%x, %t))",
     R"(%none : NoneType = prim::Constant()
        %r : Tensor = aten::linear(%x, %w, %none))"},

    {KernelPass::Addmm, "%a : Tensor, %b : Tensor, %c : Tensor",
     R"(%one : int = prim::Constant[value=1]()
        %p : Tensor = aten::mm(%a, %b)
        %r : Tensor = aten::add(%p, %c, %one))",
     R"(%one : int = prim::Constant[value=1]()
        %r : Tensor = aten::addmm(%c, %a, %b, %one, %one))"},
    {KernelPass::Addmm, "%a : Tensor, %b : Tensor, %c : Tensor",
     R"(%one : int = prim::Constant[value=1]()
        %p : Tensor = aten::mm(%a, %b)
        %r : Tensor = aten::add(%c, %p, %one))",
     R"(%one : int = prim::Constant[value=1]()
        %r : Tensor = aten::addmm(%c, %a, %b, %one, %one))"},

    // relu of a sum in place leaves the sum in memory that others may see: only relu_ may take it over.
    {KernelPass::AddRelu, "%a : Tensor, %b : Tensor, %alpha : Scalar",
     R"(%s : Tensor = aten::add(%a, %b, %alpha)
        %r : Tensor = aten::relu(%s))",
     R"(%r : Tensor = aten::_add_relu(%a, %b, %alpha))"},
    {KernelPass::AddRelu, "%a : Tensor, %b : Tensor, %alpha : Scalar",
     R"(%s : Tensor = aten::add(%a, %b, %alpha)
        %r : Tensor = aten::relu_(%s))",
     R"(%r : Tensor = aten::_add_relu(%a, %b, %alpha))"},
    {KernelPass::AddRelu, "%a : Tensor, %b : Tensor, %alpha : Scalar",
     R"(%s : Tensor = aten::add_(%a, %b, %alpha)
        %r : Tensor = aten::relu_(%s))",
     R"(%r : Tensor = aten::_add_relu_(%a, %b, %alpha))"},
    {KernelPass::AddRelu, "%a : Tensor, %b : Tensor, %alpha : Scalar, %o : Tensor",
     R"(%s : Tensor = aten::add(%a, %b, %alpha, %o)
        %r : Tensor = aten::relu_(%s))",
     R"(%r : Tensor = aten::_add_relu(%a, %b, %alpha, %o))"},

    {KernelPass::QuantizedAddRelu, "%a : Tensor, %b : Tensor, %scale : float, %zero : int",
     R"(%s : Tensor = quantized::add(%a, %b, %scale, %zero)
        %r : Tensor = aten::relu(%s))",
     R"(%r : Tensor = quantized::add_relu(%a, %b, %scale, %zero))"},
    {KernelPass::QuantizedAddRelu, "%a : Tensor, %b : Tensor, %scale : float, %zero : int",
     R"(%s : Tensor = quantized::add(%a, %b, %scale, %zero)
        %r : Tensor = aten::relu_(%s))",
     R"(%r : Tensor = quantized::add_relu(%a, %b, %scale, %zero))"},
};

/// Applies the rules of a pass, in their order, where `filter` holds for what they match.
static bool applyRules(Graph &graph, AnalysisManager &analyses, KernelPass pass,
                       SubgraphRewriter::Filter filter = nullptr) {
  SubgraphRewriter rewriter(graph.context());
  auto text = [](const char *inputs, const char *body) {
    return (llvm::Twine("graph(") + inputs + "):\n  " + body + "\n  return (%r)\n").str();
  };
  for (const TextRule &rule : rules) {
    if (rule.pass != pass)
      continue;
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
  bool changed = applyRules(graph, analyses, KernelPass::Linear, isLinearLayer);
  if (changed)
    analyses.invalidate();
  changed |= applyRules(graph, analyses, KernelPass::LinearWithoutBias);
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
  return PreservedAnalyses::allUnless(applyRules(graph, analyses, KernelPass::Addmm, isAddmm));
}

PreservedAnalyses AddReluFusion::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(applyRules(graph, analyses, KernelPass::AddRelu));
}

PreservedAnalyses QuantizedAddReluFusion::run(Graph &graph, AnalysisManager &analyses) {
  return PreservedAnalyses::allUnless(applyRules(graph, analyses, KernelPass::QuantizedAddRelu));
}
