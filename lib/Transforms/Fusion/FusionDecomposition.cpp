//===- FusionDecomposition.cpp - Composites inside fusion groups ----------===//
//
// Purpose: composites (softmax, layer_norm, batch_norm, losses, variances, norms, …) as
//   the reductions and point-wise operators that their definitions are made of, so that
//   a kernel can hold them with what stands before and behind. A group keeps the
//   composites, and runs their own kernels where no machine code is; the fuser
//   decomposes a copy.
// Options: none.
// Cost:    linear in nodes.
// Limits:  where constants decide what the definition runs. For floats and doubles,
//   row-major where the result's layout shows it: what must hold at run time is told
//   to the fuser.
//
// Before:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=-1]()
//     %2 : NoneType = prim::Constant()
//     %3 : Tensor = aten::softmax(%x, %1, %2)
//     return (%3)
// After:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=-1]()
//     %2 : NoneType = prim::Constant()
//     %4 : int = prim::Constant[value=0]()
//     %5 : Tensor = aten::contiguous(%x, %4)
//     %7 : int[] = prim::Constant[value=[-1]]()
//     %8 : bool = prim::Constant[value=1]()
//     %9 : Tensor = aten::amax(%5, %7, %8)
//     %10 : int = prim::Constant[value=1]()
//     %11 : Tensor = aten::sub(%5, %9, %10)
//     %12 : Tensor = aten::exp(%11)
//     %13 : int[] = prim::Constant[value=[-1]]()
//     %14 : NoneType = prim::Constant()
//     %15 : Tensor = aten::sum(%12, %13, %8, %14)
//     %16 : Tensor = aten::reciprocal(%15)
//     %17 : Tensor = aten::mul(%12, %16)
//     return (%17)
//
//===----------------------------------------------------------------------===//
#include "tsc/Transforms/FusionDecomposition.h"
#include "../DefinitionInliner.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/FusionRoles.h"
#include "tsc/Transforms/Passes/Kernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#define DEBUG_TYPE "decompose-for-fusion"
using namespace tsc;

TSC_STATISTIC(NumDecomposed, "Composites replaced by what a kernel can hold");

/// All that decides whether the definition can be inlined: the operator, which results are used, and of the operands
/// constants, ranks and types.
static std::string describe(const Node &node) {
  work::MeterScope uncounted(nullptr); // the text is whole, whatever becomes of the call
  std::string text;
  llvm::raw_string_ostream os(text);
  os << static_cast<unsigned>(node.opKind());
  for (const Value *output : node.outputs())
    os << (output->hasUses() ? '+' : '-');
  for (const Value *input : node.inputs()) {
    const auto *tensor = dyn_cast<TensorType>(input->type());
    auto constant = tensor ? std::nullopt : constantValue(input);
    os << ' ';
    if (constant)
      reprValue(os, *constant);
    else if (tensor)
      os << "rank " << (tensor->facts().sizes ? static_cast<int64_t>(tensor->facts().sizes->size()) : -1);
    else
      os << input->type();
  }
  return text;
}

/// Whether its definition, inlined in a graph of its own, is what a group can hold.
static bool isMadeOfFusible(const Node &node) {
  Graph graph(node.graph().context());
  std::vector<Value *> operands;
  for (const Value *input : node.inputs()) {
    auto constant = input->type()->isTensor() ? std::nullopt : constantValue(input);
    operands.push_back(constant ? graph.insertConstant(*constant) : graph.addInput("", input->type()));
  }
  auto inlined = inlineDefinition(node, operands, graph);
  return inlined &&
         llvm::all_of(inlined->nodes, [](const Node *made) { return fusionRole(*made) != FusionRole::None; });
}

/// What a group holds as it is, whatever its definition says: it takes more dtypes so.
static bool isHeldAsItIs(const Node &node) {
  return node.hasTrait(Trait::Pointwise) || node.hasTrait(Trait::Cast) || node.hasTrait(Trait::IndexMap) ||
         node.hasTrait(Trait::Reshape) || node.hasTrait(Trait::Fill) || foldSignature(node.opKind());
}

bool tsc::hasFusionDecomposition(const Node &node) {
  auto &definitions = node.graph().context().extension<Definitions>();
  return definitions.has(node.opKind()) && !isHeldAsItIs(node) &&
         definitions.answer(describe(node), [&] { return isMadeOfFusible(node); });
}

std::vector<FusionRequirement> tsc::decomposeForFusion(Graph &graph) {
  std::vector<FusionRequirement> requirements;
  for (Node &node : llvm::make_early_inc_range(graph.block().nodes())) {
    if (!hasFusionDecomposition(node))
      continue;
    InsertPointGuard guard(graph);
    graph.setInsertPoint(&node);
    auto inlined = inlineDefinition(node, node.inputVector(), graph);
    if (!inlined)
      continue;
    for (auto [output, result] : llvm::zip(node.outputs(), inlined->results))
      if (result) {
        result->setType(output->type());
        output->replaceAllUsesWith(result);
      }
    llvm::append_range(requirements, inlined->requirements);
    node.erase();
    ++NumDecomposed;
  }
  return requirements;
}

PreservedAnalyses DecomposeForFusion::run(Graph &graph, AnalysisManager &) {
  const bool mayChange = llvm::any_of(graph.block().nodes(), hasFusionDecomposition);
  decomposeForFusion(graph);
  return PreservedAnalyses::allUnless(mayChange);
}
