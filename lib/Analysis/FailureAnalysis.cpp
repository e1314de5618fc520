//===- FailureAnalysis.cpp - Which nodes may raise ------------------------===//
#include "tsc/Analysis/FailureAnalysis.h"
#include "tsc/IR/Graph.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

/// What graphs are made of, and cannot fail where types are right.
static bool isStructure(const Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_Constant:
  case SymbolId::prim_Uninitialized:
  case SymbolId::prim_If:
  case SymbolId::prim_Loop:
  case SymbolId::prim_TupleConstruct:
  case SymbolId::prim_NamedTupleConstruct:
  case SymbolId::prim_TupleUnpack:
  case SymbolId::prim_TupleIndex:
  case SymbolId::prim_TupleSlice:
  case SymbolId::prim_ListConstruct:
  case SymbolId::prim_GetAttr:
  case SymbolId::prim_HasAttr:
  case SymbolId::prim_CreateObject:
  case SymbolId::prim_isinstance:
  case SymbolId::prim_annotate:
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_IfThenElse:
  case SymbolId::prim_NumToTensor: return true;
  default: return false;
  }
}

/// Questions that have an answer for every value that the program computes. (They are not Speculatable: where a branch
/// is not taken, there may be no value to ask.)
static bool asksForWhatIsThere(const Node &node) {
  switch (node.kind().id()) {
  case SymbolId::prim_dtype:
  case SymbolId::prim_device:
  case SymbolId::prim_data:
  case SymbolId::prim_layout:
  case SymbolId::prim_is_cuda:
  case SymbolId::prim_shape:
  case SymbolId::aten_dim:
  case SymbolId::aten_numel: return true;
  case SymbolId::aten_len: return !node.input(0)->type()->isTensor();
  default: return false;
  }
}

bool FailureAnalysis::mayFail(const Node &node) {
  if (isStructure(node) || asksForWhatIsThere(node))
    return false;
  if (!node.record() && node.kind() != prim::ListUnpack)
    return true;
  if (node.hasTrait(Trait::Speculatable))
    return false;
  if (!shapes)
    shapes.emplace(graph, rules);
  return !shapes->surelySucceeds(node);
}

bool FailureAnalysis::mayFailWithin(const Node &node) {
  return mayFail(node) || llvm::any_of(node.blocks(), [&](const Block &block) {
           return llvm::any_of(block.nodes(), [&](const Node &inner) { return mayFailWithin(inner); });
         });
}
