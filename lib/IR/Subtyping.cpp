//===- Subtyping.cpp - Which type may stand where another is expected -----===//
//
// Containers that can be written to (list, dict) are invariant, but for what is
// known of tensors: Float(2)[] may stand for Tensor[]. Tuples, futures and
// optionals are covariant. Interfaces are structural.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/MeetFacts.h"
#include "tsc/IR/Type.h"
using namespace tsc;

/// Everything `super` knows, `sub` knows as well.
static bool refines(const TensorFacts &sub, const TensorFacts &super) {
  if (super.dtype && sub.dtype != super.dtype)
    return false;
  if (super.device && sub.device != super.device)
    return false;
  if (super.requiresGrad && sub.requiresGrad != super.requiresGrad)
    return false;
  if (super.undefined && !sub.undefined)
    return false;
  auto covers = [](const auto &have, const auto &want) {
    if (!want)
      return true;
    if (!have || have->size() != want->size())
      return false;
    for (auto [h, w] : llvm::zip(*have, *want))
      if (!w.isUnknown() && h != w)
        return false;
    return true;
  };
  return covers(sub.sizes, super.sizes) && covers(sub.strides, super.strides);
}

/// Equal, but for what is known of tensors.
static bool isSameContent(const Type *a, const Type *b) {
  if (a == b)
    return true;
  if (a->isTensor() && b->isTensor())
    return a->isSubtypeOf(b);
  if (a->kind() != b->kind() || a->contained().size() != b->contained().size() || a->contained().empty())
    return false;
  if (auto *tuple = dyn_cast<TupleType>(a))
    if (tuple->name() != cast<TupleType>(b)->name())
      return false;
  for (auto [x, y] : llvm::zip(a->contained(), b->contained()))
    if (!isSameContent(x, y))
      return false;
  return true;
}

/// Whether a method may be called through an interface's declaration of it: `self` aside, arguments contravariant,
/// results covariant.
static bool implements(const FunctionSchema &method, const FunctionSchema &declared) {
  if (method.arguments().size() != declared.arguments().size() || method.returns().size() != declared.returns().size())
    return false;
  for (size_t i = 1; i < method.arguments().size(); ++i)
    if (method.arguments()[i].name != declared.arguments()[i].name ||
        !declared.arguments()[i].type->isSubtypeOf(method.arguments()[i].type))
      return false;
  for (auto [m, d] : llvm::zip(method.returns(), declared.returns()))
    if (!m.type->isSubtypeOf(d.type))
      return false;
  return true;
}

static bool implementsInterface(const Type *sub, const InterfaceType *interface, std::string *why) {
  auto lacks = [&](StringRef name, const FunctionSchema &method) {
    if (why)
      *why = ("'" + sub->annotation() + "' does not have method '" + method.name() + "' of interface '" + name + "'")
                 .str();
    return false;
  };
  auto differs = [&](StringRef name, const FunctionSchema &method) {
    if (why)
      *why = ("Method '" + method.name() + "' of '" + sub->annotation() + "' is not compatible with interface '" +
              name + "': it has another signature")
                 .str();
    return false;
  };
  if (auto *cls = dyn_cast<ClassType>(sub)) {
    if (interface->isModule() && !cls->isModule()) {
      if (why)
        *why = ("Interface '" + interface->name() + "' is a module interface, and '" + cls->name() +
                "' is not a module: only a ScriptModule class can be subtype of module interface")
                   .str();
      return false;
    }
    for (const FunctionSchema &declared : interface->methods()) {
      Function *method = cls->findMethod(declared.name());
      if (!method || !method->hasSchema())
        return lacks(interface->name(), declared);
      if (!implements(method->schema(), declared))
        return differs(interface->name(), declared);
    }
    return true;
  }
  if (auto *other = dyn_cast<InterfaceType>(sub)) {
    for (const FunctionSchema &declared : interface->methods()) {
      const FunctionSchema *method = other->findMethod(declared.name());
      if (!method)
        return lacks(interface->name(), declared);
      if (!implements(*method, declared))
        return differs(interface->name(), declared);
    }
    return true;
  }
  return false;
}

bool Type::isSubtypeOf(const Type *super, std::string *why) const {
  if (this == super || super->isAny())
    return true;
  if (auto *u = dyn_cast<UnionType>(this))
    return llvm::all_of(u->members(), [&](const Type *m) { return m->isSubtypeOf(super, why); });
  if (auto *o = dyn_cast<OptionalType>(this)) {
    if (isa<OptionalType, UnionType>(super))
      return noneType()->isSubtypeOf(super, why) && o->element()->isSubtypeOf(super, why);
    return false;
  }
  switch (super->typeKind) {
  case TypeKind::Optional: return isNone() || isSubtypeOf(cast<OptionalType>(super)->element(), why);
  case TypeKind::Union:
    return llvm::any_of(cast<UnionType>(super)->members(), [&](const Type *m) { return isSubtypeOf(m, why); });
  case TypeKind::Number: return isInt() || isFloat() || isComplex();
  case TypeKind::Int:
  case TypeKind::SymInt:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat: { // all of them are ints when a program runs
    auto isIntLike = [](TypeKind k) {
      return k == TypeKind::Int || k == TypeKind::SymInt || k == TypeKind::ScalarType || k == TypeKind::Layout ||
             k == TypeKind::MemoryFormat;
    };
    return isIntLike(typeKind);
  }
  case TypeKind::Tensor:
    return isTensor() && refines(cast<TensorType>(this)->facts(), cast<TensorType>(super)->facts());
  case TypeKind::AnyList: return isa<ListType>(this);
  case TypeKind::AnyTuple: return isa<TupleType>(this);
  case TypeKind::AnyClass: return isa<ClassType>(this);
  case TypeKind::AnyEnum: return isa<EnumType>(this);
  case TypeKind::List:
  case TypeKind::Dict: return isSameContent(this, super);
  case TypeKind::Future:
  case TypeKind::Await:
  case TypeKind::RRef:
    return typeKind == super->typeKind &&
           cast<ElementType>(this)->element()->isSubtypeOf(cast<ElementType>(super)->element(), why);
  case TypeKind::Tuple: {
    auto *sub = dyn_cast<TupleType>(this);
    auto *want = cast<TupleType>(super);
    if (!sub || sub->elements().size() != want->elements().size() || (want->isNamed() && sub->name() != want->name()))
      return false;
    for (auto [s, w] : llvm::zip(sub->elements(), want->elements()))
      if (!s->isSubtypeOf(w, why))
        return false;
    return true;
  }
  case TypeKind::Interface: return implementsInterface(this, cast<InterfaceType>(super), why);
  default: return false;
  }
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

const Type *Context::unshaped(const Type *type) {
  if (type->isTensor())
    return Type::tensorType();
  if (const auto *tuple = dyn_cast<TupleType>(type); tuple && tuple->isNamed())
    return type; // its definition says what its fields are
  return mapContained(type, [&](const Type *part) { return unshaped(part); });
}

const Type *Context::unify(const Type *a, const Type *b, bool allowUnion) {
  if (a == b)
    return a;
  if (a->isTensor() && b->isTensor())
    return tensor(meetFacts(cast<TensorType>(a)->facts(), cast<TensorType>(b)->facts()));
  if (a->isSubtypeOf(b))
    return b;
  if (b->isSubtypeOf(a))
    return a;
  if (a->isNone())
    return optionalOf(b);
  if (b->isNone())
    return optionalOf(a);
  if (isa<OptionalType>(a) || isa<OptionalType>(b)) {
    auto strip = [](const Type *t) { return isa<OptionalType>(t) ? cast<OptionalType>(t)->element() : t; };
    if (const Type *inner = unify(strip(a), strip(b)))
      return optionalOf(inner);
  }
  auto *ta = dyn_cast<TupleType>(a), *tb = dyn_cast<TupleType>(b);
  if (ta && tb && ta->elements().size() == tb->elements().size()) {
    llvm::SmallVector<const Type *, 4> parts;
    for (auto [x, y] : llvm::zip(ta->elements(), tb->elements()))
      if (const Type *part = unify(x, y, allowUnion))
        parts.push_back(part);
    if (parts.size() == ta->elements().size())
      return tupleOf(parts);
  }
  if (isa<FutureType>(a) && isa<FutureType>(b))
    if (const Type *inner = unify(cast<FutureType>(a)->element(), cast<FutureType>(b)->element(), allowUnion))
      return futureOf(inner);
  const Type *ua = unshaped(a), *ub = unshaped(b);
  if (ua->isSubtypeOf(ub))
    return ub;
  if (ub->isSubtypeOf(ua))
    return ua;
  return allowUnion ? unionOf({a, b}) : nullptr;
}
