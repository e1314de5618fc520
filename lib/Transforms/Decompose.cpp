//===- Decompose.cpp - Composite operators as what they are made of -------===//
//
// Purpose: puts the definition of a composite operator (addmm, linear, layer_norm,
//          losses), which is TorchScript in the operator's record, in the place of
//          the operator, so that fusion and differentiation see through it.
//          constprop then takes the branches that constant arguments decide.
//          fuse-linear and fuse-addmm go the other way.
// Options: only=NAME: the one operator, without aten::, that is decomposed.
// Better:  PyTorch knows addmm, layer_norm and batch_norm by heart.
// Cost:    linear in the size of the result.
// Limits:  an operator without a definition in its record stays; so do in-place and
//          out= forms.
//
// Before:
//   graph(%x : Tensor, %w : Tensor):
//     %2 : NoneType = prim::Constant()
//     %3 : Tensor = aten::linear(%x, %w, %2)
//     return (%3)
// After:
//   graph(%x : Tensor,
//         %w : Tensor):
//     %2 : NoneType = prim::Constant()
//     %4 : int = prim::Constant[value=1]()
//     %5 : NoneType = prim::Constant()
//     %6 : Tensor = aten::t(%w)
//     %7 : Tensor = aten::matmul(%x, %6)
//     %8 : bool = aten::__isnot__(%2, %5)
//     %9 : Tensor?, %10 : Tensor = prim::If(%8)
//       block0():
//         %11 : Tensor = prim::unchecked_cast(%2)
//         %12 : Tensor = aten::add(%7, %11, %4)
//         -> (%11, %12)
//       block1():
//         %13 : NoneType = prim::unchecked_cast(%2)
//         -> (%13, %7)
//     return (%10)
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/Logging.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Transforms/Passes/Kernels.h"
#define DEBUG_TYPE "decompose"
using namespace tsc;

TSC_STATISTIC(NumDecomposed, "Operators replaced by their definition");

namespace {

/// The definitions in the records, compiled when they are first asked for.
class Definitions {
public:
  explicit Definitions(Context &context) : context(context), unit(context), compiler(unit, diags) {}

  /// Null when the record has none.
  const Graph *find(OpKind kind) {
    auto [known, isNew] = graphs.try_emplace(static_cast<unsigned>(kind), nullptr);
    if (isNew)
      if (llvm::StringRef source = sourceOf(kind); !source.empty())
        known->second = compile(source);
    return known->second;
  }

private:
  static llvm::StringRef sourceOf(OpKind kind) {
    switch (kind) {
#define OP(KIND, SOURCE)                                                                                               \
  case OpKind::KIND: return SOURCE;
#include "tsc/IR/OpDecompositions.inc"
#undef OP
    default: return "";
    }
  }
  const Graph *compile(llvm::StringRef source) {
    const SourceBuffer &buffer = context.sources().add("<decomposition>", source.str());
    std::string prefix = ("__torch__.decomposition" + llvm::Twine(graphs.size())).str();
    if (failed(compiler.addSource(buffer, prefix)) || failed(compiler.sourceFunctions().back()->ensureDefined())) {
      assert(false && "a definition in a record compiles");
      return nullptr;
    }
    return compiler.sourceFunctions().back()->graph();
  }

  Context &context;
  CompilationUnit unit;
  DiagnosticEngine diags;
  Compiler compiler;
  llvm::DenseMap<unsigned, const Graph *> graphs;
};

} // namespace

/// Copies the definition to where the node is and erases it.
static void replaceByDefinition(Node &node, const Graph &definition) {
  Graph &graph = node.graph();
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  Node *before = node.previous();
  std::vector<Value *> results = definition.inlineInto(graph, node.inputVector());
  auto adopt = [&](Node &fresh, auto &adoptAll) -> void {
    fresh.setRange(node.range());
    fresh.setScope(node.scope());
    for (Value *output : fresh.outputs())
      output->setName("");
    for (Block &block : fresh.blocks())
      for (Node &inner : block.nodes())
        adoptAll(inner, adoptAll);
  };
  for (Node *fresh = before ? before->next() : &node.block()->nodes().front(); fresh != &node; fresh = fresh->next())
    adopt(*fresh, adopt);
  node.output()->replaceAllUsesWith(results[0]);
  node.erase();
}

Status Decompose::configure(const PassOptions &options) {
  TSC_RETURN_IF_ERROR(rejectOptionsBut({"only"}, options));
  if (auto at = options.find("only"); at != options.end())
    only = at->second;
  return okStatus();
}

PreservedAnalyses Decompose::run(Graph &graph, AnalysisManager &) {
  Definitions definitions(graph.context());
  llvm::SmallVector<std::pair<Node *, const Graph *>> found;
  graph.walk([&](Node &node) {
    if (node.numOutputs() != 1 || node.numBlocks() || (!only.empty() && node.kind().name() != only))
      return;
    const Graph *definition = definitions.find(node.opKind());
    if (definition && definition->inputs().size() == node.numInputs() && definition->block().numOutputs() == 1 &&
        TSC_OPT_ALLOWED)
      found.push_back({&node, definition});
  });
  for (auto [node, definition] : found) {
    TSC_GRAPH_UPDATE("decomposing " << node->kind().qualified());
    replaceByDefinition(*node, *definition);
    ++NumDecomposed;
  }
  return PreservedAnalyses::allUnless(!found.empty());
}
