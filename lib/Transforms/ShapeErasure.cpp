//===- ShapeErasure.cpp - Forget what types say of tensors ----------------===//
//
// Purpose: makes every tensor type plain Tensor, also in lists, tuples and other
//   containers, and in subgraphs. For graphs that are to be specialized anew, and
//   for text that is to be compared.
//
// Cost:   linear.
// Limits: attributes of classes keep their types.
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

namespace {

class Eraser {
public:
  explicit Eraser(Context &context) : context(context) {}

  bool erase(Graph &graph) {
    bool changed = false;
    for (Value *input : graph.inputs())
      changed |= erase(*input);
    graph.walk([&](Node &node) {
      for (Value *output : node.outputs())
        changed |= erase(*output);
      for (Block &block : node.blocks())
        for (Value *parameter : block.inputs())
          changed |= erase(*parameter);
      for (const NamedAttribute &attribute : node.attributes())
        if (const auto *subgraph = std::get_if<std::shared_ptr<Graph>>(&attribute.value))
          changed |= erase(**subgraph);
    });
    return changed;
  }

private:
  bool erase(Value &value) {
    const Type *plain = plainType(value.type());
    bool changed = plain != value.type();
    value.setType(plain);
    return changed;
  }

  /// Types nest as deep as the parser lets them.
  const Type *plainType(const Type *type) {
    switch (type->kind()) {
    case TypeKind::Tensor: return llvm::cast<TensorType>(type)->facts().inferred ? type : Type::tensorType();
    case TypeKind::List: return context.listOf(elementOf(type));
    case TypeKind::Optional: return context.optionalOf(elementOf(type));
    case TypeKind::Future: return context.futureOf(elementOf(type));
    case TypeKind::Await: return context.awaitOf(elementOf(type));
    case TypeKind::RRef: return context.rrefOf(elementOf(type));
    case TypeKind::Dict: {
      const auto *dict = llvm::cast<DictType>(type);
      return context.dictOf(plainType(dict->key()), plainType(dict->value()));
    }
    case TypeKind::Tuple: {
      const auto *tuple = llvm::cast<TupleType>(type);
      if (tuple->isNamed())
        return type;
      llvm::SmallVector<const Type *, 4> elements;
      for (const Type *element : tuple->elements())
        elements.push_back(plainType(element));
      return context.tupleOf(elements);
    }
    default: return type;
    }
  }
  const Type *elementOf(const Type *type) { return plainType(llvm::cast<ElementType>(type)->element()); }

  Context &context;
};

} // namespace

PreservedAnalyses ShapeErasure::run(Graph &graph, AnalysisManager &) {
  return PreservedAnalyses::allUnless(Eraser(graph.context()).erase(graph));
}
