//===- Mutation.cpp - What writes do to what is known ---------------------===//
#include "Mutation.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

Mutation::Mutation(const Graph &graph) : effects(graph) { scan(graph); }

/// Whether a tensor of this type, or inside of it, may require a gradient.
static bool mayRequireGrad(const Type *type) {
  if (const auto *tensor = llvm::dyn_cast<TensorType>(type)) {
    const TensorFacts &facts = tensor->facts();
    return facts.requiresGrad != false && !(facts.dtype && isIntegral(*facts.dtype, true));
  }
  switch (type->kind()) {
  case TypeKind::Any: case TypeKind::AnyList: case TypeKind::AnyTuple: case TypeKind::AnyClass: case TypeKind::PyObject:
  case TypeKind::Class: case TypeKind::Interface:
    return true;
  default: return llvm::any_of(type->contained(), mayRequireGrad);
  }
}

void Mutation::scan(const Graph &graph) {
  somethingRequiresGrad = llvm::any_of(graph.inputs(), [](const Value *input) { return mayRequireGrad(input->type()); });
  const_cast<Graph &>(graph).walk([&](Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_Enter: case SymbolId::prim_Exit: case SymbolId::aten_set_grad_enabled:
      gradModeSwitched = true;
      break;
    case SymbolId::prim_GetAttr: case SymbolId::prim_CallFunction: case SymbolId::prim_CallMethod: case SymbolId::prim_Constant:
      somethingRequiresGrad |= llvm::any_of(node.outputs(), [](const Value *output) { return mayRequireGrad(output->type()); });
      break;
    default:
      if (const FunctionSchema *schema = node.schema())
        somethingRequiresGrad |= schema->argumentIndex("requires_grad").has_value();
      else if (!node.numBlocks() && node.kind().ns() != "prim")
        somethingRequiresGrad = true;
    }
  });
}

const Mutation::Summary &Mutation::summaryOf(const Value *value) {
  llvm::ArrayRef<Node *> writers = effects.writers(value);
  auto [at, isNew] = summaries.try_emplace(writers.empty() ? nullptr : writers.data());
  Summary &summary = at->second;
  if (!isNew || writers.empty())
    return summary;
  for (const Node *writer : writers) {
    const FunctionSchema *schema = writer->schema();
    if (!schema) { // a call, an unknown operator, an attribute store: anything may happen
      summary = {true, writer->kind() != prim::SetAttr, true};
      if (summary.geometry)
        break;
      continue;
    }
    for (const Argument &argument : schema->arguments()) {
      if (!argument.alias || !argument.alias->isWrite)
        continue;
      summary.list |= !argument.type->isTensor();
      summary.tensor |= argument.type->isTensor();
    }
    summary.geometry |= writer->hasTrait(Trait::Geometry) || writer->hasTrait(Trait::OutForm);
  }
  return summary;
}
