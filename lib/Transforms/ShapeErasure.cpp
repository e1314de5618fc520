//===- ShapeErasure.cpp - Forget what types say of tensors ----------------===//
//
// Purpose: makes every tensor type plain Tensor, also in lists, tuples and other
//   containers, and in subgraphs. For graphs that are to be specialized anew, and
//   for text that is to be compared.
//
// Cost:   linear.
// Limits: attributes of classes keep their types. So do the results of prim::Guard
//   and prim::BailOut, whose types are what the nodes look for.
//
// Before:
//   graph(%x : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)):
//     %1 : Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu) = aten::relu(%x)
//     %2 : Float(2, 3)[] = prim::ListConstruct(%x, %1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %1 : Tensor = aten::relu(%x)
//     %2 : Tensor[] = prim::ListConstruct(%x, %1)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Transforms/Passes/Types.h"
using namespace tsc;

/// Types nest as deep as the parser lets them.
const Type *tsc::withoutTensorFacts(Context &context, const Type *type) {
  if (const auto *tensor = llvm::dyn_cast<TensorType>(type))
    return tensor->facts().inferred ? type : Type::tensorType();
  if (const auto *tuple = llvm::dyn_cast<TupleType>(type); tuple && tuple->isNamed())
    return type; // its definition says what its fields are
  return context.mapContained(type, [&](const Type *part) { return withoutTensorFacts(context, part); });
}

static bool erase(Value &value) {
  const Type *plain = withoutTensorFacts(value.graph().context(), value.type());
  const bool changed = plain != value.type();
  value.setType(plain);
  return changed;
}

bool tsc::eraseTensorFacts(Graph &graph) {
  bool changed = false;
  for (Value *input : graph.inputs())
    changed |= erase(*input);
  graph.walk([&](Node &node) {
    if (node.kind() != prim::Guard && node.kind() != prim::BailOut)
      for (Value *output : node.outputs())
        changed |= erase(*output);
    for (Block &block : node.blocks())
      for (Value *parameter : block.inputs())
        changed |= erase(*parameter);
    for (const NamedAttribute &attribute : node.attributes())
      if (const auto *subgraph = std::get_if<std::shared_ptr<Graph>>(&attribute.value))
        changed |= eraseTensorFacts(**subgraph);
  });
  return changed;
}

PreservedAnalyses ShapeErasure::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(eraseTensorFacts(graph));
}
