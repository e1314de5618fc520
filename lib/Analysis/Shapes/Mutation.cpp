//===- Mutation.cpp - What writes do to what is known ---------------------===//
#include "Mutation.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;

Mutation::Mutation(const Graph &graph) : aliases(graph) { scan(graph); }

/// Whether a tensor of this type, or inside of it, may require a gradient.
static bool mayRequireGrad(const Type *type) {
  if (const auto *tensor = llvm::dyn_cast<TensorType>(type)) {
    const TensorFacts &facts = tensor->facts();
    return facts.requiresGrad != false && !(facts.dtype && isIntegral(*facts.dtype, true));
  }
  switch (type->kind()) {
  case TypeKind::Any:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::AnyClass:
  case TypeKind::PyObject:
  case TypeKind::Class:
  case TypeKind::Interface: return true;
  default: return llvm::any_of(type->contained(), mayRequireGrad);
  }
}

void Mutation::scan(const Graph &graph) {
  somethingRequiresGrad =
      llvm::any_of(graph.inputs(), [](const Value *input) { return mayRequireGrad(input->type()); });
  const_cast<Graph &>(graph).walk([&](Node &node) {
    switch (node.kind().id()) {
    case SymbolId::prim_Enter:
    case SymbolId::prim_Exit:
    case SymbolId::aten_set_grad_enabled: gradModeSwitched = true; break;
    case SymbolId::prim_GetAttr:
    case SymbolId::prim_CallFunction:
    case SymbolId::prim_CallMethod:
    case SymbolId::prim_Constant:
      somethingRequiresGrad |=
          llvm::any_of(node.outputs(), [](const Value *output) { return mayRequireGrad(output->type()); });
      break;
    default:
      if (const FunctionSchema *schema = node.schema())
        somethingRequiresGrad |= schema->argumentIndex("requires_grad").has_value();
      else if (!node.numBlocks() && node.kind().ns() != "prim")
        somethingRequiresGrad = true;
    }
  });
}

Mutation::Writes Mutation::writesTo(const Value *value) {
  auto [at, isNew] = ofValues.try_emplace(value);
  if (!isNew || !AliasAnalysis::isMutable(value))
    return at->second;
  Writes writes;
  for (Location location : aliases.locations(value))
    writes.add(writesTo(location));
  return ofValues[value] = writes;
}

Mutation::Writes Mutation::writesTo(Location location) {
  auto [at, isNew] = ofLocations.try_emplace(static_cast<unsigned>(location));
  Writes &writes = at->second;
  if (!isNew)
    return writes;
  // What the graph of a bailout writes, no node behind it sees.
  auto isSeen = [](const Node *writer) { return writer->kind() != prim::BailOut; };
  if (aliases.isVisibleOutside(location) && llvm::any_of(aliases.unknownWriters(), isSeen))
    writes = {true, true, true};
  for (const Node *writer : llvm::make_filter_range(aliases.writersOf(location), isSeen)) {
    // Code that is not seen may do anything; an attribute store changes an object, and no tensor in it.
    // requires_grad_ touches neither sizes nor strides.
    const bool isRequest = writer->opKind() == OpKind::Aten_requires_grad_;
    bool changesGeometry = writer->schema()
                               ? (writer->hasTrait(Trait::Geometry) && !isRequest) || writer->hasTrait(Trait::OutForm)
                               : writer->kind() != prim::SetAttr;
    writes.add({true, changesGeometry, changesGeometry || isRequest});
    if (writes.detaches && writes.geometry)
      break;
  }
  return writes;
}
