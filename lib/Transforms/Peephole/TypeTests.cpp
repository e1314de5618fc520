//===- TypeTests.cpp - Rules for what types decide ------------------------===//
#include "Peephole.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
using namespace tsc;

/// Whether a value of this type is surely not None.
static bool isNeverNone(const Type *type) {
  switch (type->kind()) {
  case TypeKind::None:
  case TypeKind::Optional:
  case TypeKind::Any:
  case TypeKind::Var:
  case TypeKind::PyObject:
  case TypeKind::Capsule: return false;
  case TypeKind::Union:
    return llvm::all_of(cast<UnionType>(type)->members(), [](const Type *member) { return isNeverNone(member); });
  default: return true;
  }
}

/// Whether a value of type Tensor may be an undefined one, which is None to a program: `.grad`, also handed on.
static bool mayBeUndefined(const Value *value, llvm::SmallPtrSetImpl<const Value *> &seen) {
  if (!value->type()->isTensor() || !seen.insert(value).second)
    return false;
  Node *node = value->node();
  const unsigned offset = static_cast<unsigned>(value->offset());
  auto returned = [&](Block &block, unsigned number) { return mayBeUndefined(block.returnNode().input(number), seen); };
  if (!value->definingNode()) { // a parameter of a block
    Node *loop = node->parentNode();
    return loop && loop->kind() == prim::Loop && offset > 0 &&
           (mayBeUndefined(loop->input(offset + 1), seen) || returned(loop->block(0), offset));
  }
  if (node->kind() == prim::If)
    return llvm::any_of(node->blocks(), [&](Block &block) { return returned(block, offset); });
  if (node->kind() == prim::Loop)
    return mayBeUndefined(node->input(offset + 2), seen) || returned(node->block(0), offset + 1);
  return node->opKind() == OpKind::Prim_grad;
}

static bool isNeverNone(const Value *value) {
  llvm::SmallPtrSet<const Value *, 8> seen;
  return isNeverNone(value->type()) && !mayBeUndefined(value, seen);
}

/// Whether a value of this type has no other type that an instance test could find: neither a union of types nor one
/// that has subtypes.
static bool isExact(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Int:
  case TypeKind::Float:
  case TypeKind::Complex:
  case TypeKind::Bool:
  case TypeKind::String:
  case TypeKind::None:
  case TypeKind::Device: return true;
  case TypeKind::Tensor: return true;
  case TypeKind::List: return isExact(cast<ListType>(type)->element());
  case TypeKind::Dict: return llvm::all_of(cast<DictType>(type)->both(), isExact);
  case TypeKind::Tuple: return llvm::all_of(cast<TupleType>(type)->elements(), isExact);
  default: return false;
  }
}

static std::optional<bool> decideInstanceTest(const Node &node) {
  const AttributeValue *attribute = node.attribute(attr::types);
  const auto *types = attribute ? std::get_if<std::vector<const Type *>>(attribute) : nullptr;
  if (!types)
    return std::nullopt;
  const Type *type = node.input(0)->type();
  if (llvm::any_of(*types, [&](const Type *t) { return type->isSubtypeOf(t); }))
    return true;
  if (isExact(type) && llvm::none_of(*types, [&](const Type *t) { return t->isSubtypeOf(type) || !isExact(t); }))
    return false;
  return std::nullopt;
}

/// `a is b` where one of both is None: the other one is, too, or surely is not.
bool PeepholeRewriter::decideIdentity(Node &node) {
  const bool isIs = node.opKind() == OpKind::Aten___is__;
  if (!isIs && node.opKind() != OpKind::Aten___isnot__)
    return false;
  const Value *left = node.input(0), *right = node.input(1);
  if (left->type()->isNone() && right->type()->isNone())
    return replaceWithConstant(node, isIs);
  if ((left->type()->isNone() && isNeverNone(right)) || (right->type()->isNone() && isNeverNone(left)))
    return replaceWithConstant(node, !isIs);
  return false;
}

/// Whether the operator gives its operand, which is not None.
static bool unwraps(const Node &node) {
  return node.opKind() == OpKind::Aten__unwrap_optional || node.opKind() == OpKind::Prim_unchecked_unwrap_optional;
}

bool PeepholeRewriter::simplifyTypeTests(Node &node) {
  if (node.numOutputs() != 1)
    return false;
  if (node.kind() == prim::isinstance && node.numInputs() == 1) {
    auto answer = decideInstanceTest(node);
    return answer && replaceWithConstant(node, *answer);
  }
  if (node.kind() == prim::unchecked_cast && node.numInputs() == 1)
    return replace(node, node.input(0)); // when its type is narrow enough already
  if (decideIdentity(node))
    return true;
  if (unwraps(node))
    return isNeverNone(node.input(0)) && replace(node, node.input(0));
  // What can only be None is None.
  const bool isPlain = node.kind() == prim::GetAttr || (node.hasTrait(Trait::Pure) && node.numBlocks() == 0);
  return isPlain && node.kind() != prim::Constant && node.output()->type()->isNone() &&
         replaceWithConstant(node, IValue());
}
