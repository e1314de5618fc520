//===- EraseNumberTypes.cpp - Numbers as 0-dimensional tensors ------------===//
//
// Purpose: gives int, float, bool and number values the tensor types that exporters
//   of old want: constants become 0-dimensional tensors (int64, double, bool) and
//   results take the matching type. The operators are left as they are.
//
// Cost:   linear.
// Limits: lists of numbers stay lists; complex numbers stay, and so do the numbers
//   that loops and branches go by. The graph is for export and does not run. One
//   with a prim::BailOut, which no exporter knows, stays as it is.
//
// Before:
//   graph(%x : Tensor):
//     %1 : int = prim::Constant[value=3]()
//     %2 : int = aten::size(%x, %1)
//     return (%2)
// After:
//   graph(%x : Tensor):
//     %1 : LongTensor(device=cpu) = prim::Constant[value={3}]()
//     %2 : LongTensor(device=cpu) = aten::size(%x, %1)
//     return (%2)
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/Support/Statistic.h"
#include "tsc/Tensor/Tensor.h"
#include "tsc/Transforms/Passes/Types.h"
#include "tsc/Transforms/Subgraph.h"
#define DEBUG_TYPE "erase-number-types"
using namespace tsc;

TSC_STATISTIC(NumErased, "Values that are tensors now");

/// The tensor type that stands for a number type; null for all other types.
static const Type *tensorTypeFor(Context &context, const Type *type) {
  TensorFacts facts;
  facts.device = Device();
  switch (type->kind()) {
  case TypeKind::Int: facts.dtype = DType::Int64; break;
  case TypeKind::Float: facts.dtype = DType::Double; break;
  case TypeKind::Bool: facts.dtype = DType::Bool; break;
  case TypeKind::Number: return Type::tensorType();
  default: return nullptr;
  }
  return context.tensor(facts);
}

/// Whether a loop counts by the value, or a loop or branch goes by it: such a number stays one.
static bool steersControl(const Value *value) {
  const Node *definer = value->definingNode();
  if (definer && definer->kind() == prim::Loop && &value->block() == &definer->block(0) && value->offset() == 0)
    return true;
  return llvm::any_of(value->uses(), [](const Use &use) {
    const Node &user = *use.user();
    if (user.kind() == prim::Loop)
      return use.index() < 2;
    if (user.kind() == prim::Return && use.index() == 0) {
      const Node *holder = user.parentNode();
      return holder && holder->kind() == prim::Loop;
    }
    return user.kind() == prim::If;
  });
}

static bool retype(Context &context, llvm::ArrayRef<Value *> values) {
  bool changed = false;
  for (Value *value : values)
    if (const Type *type = tensorTypeFor(context, value->type()); type && !steersControl(value)) {
      value->setType(type);
      ++NumErased;
      changed = true;
    }
  return changed;
}

/// Puts a tensor in the place of a number.
static bool eraseConstant(Node &node, const Type *type) {
  std::optional<IValue> value = constantValue(node.output());
  if (!value || !value->isScalar())
    return false;
  StatusOr<Tensor> tensor = Tensor::full({}, value->toScalar(), *cast<TensorType>(type)->facts().dtype);
  if (!tensor.ok())
    return false;
  node.setAttribute(attr::value, *tensor);
  node.output()->setType(type);
  ++NumErased;
  return true;
}

static bool visit(Context &context, Block &block) {
  bool changed = retype(context, block.inputs());
  for (Node &node : block.nodes()) {
    for (Block &inner : node.blocks())
      changed |= visit(context, inner);
    if (node.kind() != prim::Constant)
      changed |= retype(context, node.outputs());
    else if (const Type *type = tensorTypeFor(context, node.output()->type()); type && !steersControl(node.output()))
      changed |= eraseConstant(node, type);
  }
  return changed;
}

PreservedAnalyses EraseNumberTypes::run(Graph &graph, AnalysisManager &) {
  if (hasBailOuts(graph) || !visit(graph.context(), graph.block()))
    return PreservedAnalyses::all();
  // An overload that took a number does not take the tensor: none of them may run with it. Of tensors, an operator with
  // Python's meaning has no overload, because PyTorch's operator means the same.
  graph.walk([&](Node &node) {
    node.setKind(node.kind());
    if (meansPython(node) && !node.op())
      node.setKind(graph.context().symbol(node.kindName()));
  });
  return PreservedAnalyses::none();
}
