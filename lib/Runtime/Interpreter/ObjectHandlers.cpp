//===- ObjectHandlers.cpp - Objects, enums, isinstance, with --------------===//
#include "Instruction.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Function.h"
#include "tsc/IR/Graph.h"

namespace tsc {

static Status noAttributeOf(const IValue &object, llvm::StringRef name) {
  std::string type = object.isObject() ? object.toObject().type->name().str() : "value";
  return notFound("'" + type + "' object has no attribute '" + name + "'");
}

TSC_FAILURE(nothingToGet, noAttributeOf(operandAt(ip->b, regs, m), m->code->types[ip->d].name))
TSC_FAILURE(nothingToSet, noAttributeOf(operandAt(ip->a, regs, m), m->code->types[ip->d].name))
TSC_FAILURE(readBeforeSet,
            invalidArgument("attribute '" + llvm::Twine(m->code->types[ip->d].name) + "' was read before it was set"))
TSC_FAILURE(notAnEnum, invalidArgument("expected an enum here"))

TSC_HANDLER(NewObject) {
  const auto *type = static_cast<const ClassType *>(m->code->types[ip->b].type);
  putValue(regs, ip->a, IValue(makeRef<ObjectValue>(type, type->numAttributes())));
  TSC_NEXT;
}

static constexpr size_t noSlot = ~size_t{0};

/// The number of the attribute's slot: the one known at compile time when the object is of the class it was compiled
/// for, else looked up by name. `noSlot` when there is none.
static size_t slotOf(const ObjectValue &object, int32_t slot, const TypeEntry &entry) {
  if (object.type == entry.type) [[likely]]
    return slot;
  auto found = object.type->findAttribute(entry.name);
  return found ? *found : noSlot;
}
/// What the slot holds. An attribute that was added after the object was made has no slot yet: reading makes none,
/// since other threads may read too.
static const IValue &held(const ObjectValue &object, size_t slot) {
  if (slot < object.slots.size()) [[likely]]
    return object.slots[slot];
  static const IValue none;
  return none;
}
/// Whether an attribute that holds None, as all do at first, may be read: its type says so, or its readers ask.
static bool mayHoldNone(const ObjectValue &object, size_t slot) {
  switch (object.type->attribute(slot).type->kind()) {
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Tuple:
  case TypeKind::String:
  case TypeKind::Complex:
  case TypeKind::Device:
  case TypeKind::Enum:
  case TypeKind::Future:
  case TypeKind::Await:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple: return false;
  default: return true;
  }
}
TSC_HANDLER(GetSlot) {
  IValue &v = operandAt(ip->b, regs, m);
  const size_t slot = v.isObject() ? slotOf(v.toObject(), ip->c, m->code->types[ip->d]) : noSlot;
  if (slot == noSlot) [[unlikely]]
    TSC_FAIL(nothingToGet);
  const IValue &now = held(v.toObject(), slot);
  if (now.isNone() && !mayHoldNone(v.toObject(), slot)) [[unlikely]]
    TSC_FAIL(readBeforeSet);
  {
    IValue item = now;
    finishOperand(ip->b, regs);
    putValue(regs, ip->a, std::move(item));
  }
  TSC_NEXT;
}
TSC_HANDLER(GetSlotS) {
  IValue &v = operandAt(ip->b, regs, m);
  const size_t slot = v.isObject() ? slotOf(v.toObject(), ip->c, m->code->types[ip->d]) : noSlot;
  if (slot == noSlot) [[unlikely]]
    TSC_FAIL(nothingToGet);
  if (!putChecked(regs, ip->a, IValue(held(v.toObject(), slot)))) [[unlikely]]
    TSC_FAIL(readBeforeSet);
  finishOperand(ip->b, regs);
  TSC_NEXT;
}
TSC_HANDLER(SetSlot) {
  IValue &v = operandAt(ip->a, regs, m);
  const size_t slot = v.isObject() ? slotOf(v.toObject(), ip->c, m->code->types[ip->d]) : noSlot;
  if (slot == noSlot) [[unlikely]]
    TSC_FAIL(nothingToSet);
  ObjectValue &object = v.toObject();
  if (slot >= object.slots.size()) [[unlikely]]
    object.slots.resize(object.type->numAttributes());
  object.slots[slot] = takeOperand(ip->b, regs, m);
  finishOperand(ip->a, regs);
  TSC_NEXT;
}

TSC_HANDLER(EnumName) {
  {
    IValue v = takeOperand(ip->b, regs, m);
    putValue(regs, ip->a, v.isEnum() ? IValue(v.toEnum().name) : IValue());
  }
  TSC_NEXT;
}
TSC_HANDLER(EnumValue) {
  bool fits;
  {
    IValue v = takeOperand(ip->b, regs, m);
    fits = v.isEnum() && putChecked(regs, ip->a, IValue(v.toEnum().value));
  }
  if (!fits) [[unlikely]]
    TSC_FAIL(notAnEnum);
  TSC_NEXT;
}

/// Whether a value is of a type at run time. Lists, dicts and tuples are looked at through their declared element
/// types.
static bool isInstance(const IValue &value, const Type *type, Context &context) {
  switch (type->kind()) {
  case TypeKind::Any: return true;
  case TypeKind::None: return value.isNone();
  case TypeKind::Int: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::Complex: return value.isComplex();
  case TypeKind::Number: return value.isInt() || value.isDouble() || value.isComplex();
  case TypeKind::String: return value.isString();
  case TypeKind::Tensor: return value.isTensor();
  case TypeKind::AnyList: return value.isList();
  case TypeKind::AnyTuple: return value.isTuple();
  case TypeKind::AnyClass: return value.isObject();
  case TypeKind::AnyEnum: return value.isEnum();
  case TypeKind::Optional: return value.isNone() || isInstance(value, type->contained()[0], context);
  case TypeKind::Union:
    return llvm::any_of(type->contained(), [&](const Type *member) { return isInstance(value, member, context); });
  case TypeKind::Class: return value.isObject() && value.toObject().type == type;
  case TypeKind::Tuple:
    if (value.isTuple()) {
      const TupleValue &tuple = value.toTuple();
      ArrayRef<const Type *> parts = type->contained();
      if (tuple.elements.size() != parts.size() || (llvm::cast<TupleType>(type)->isNamed() && tuple.type != type))
        return false;
      for (size_t i = 0; i != parts.size(); ++i)
        if (!isInstance(tuple.elements[i], parts[i], context))
          return false;
      return true;
    }
    return false;
  default: {
    const Type *dynamic = value.dynamicType(context);
    return dynamic && dynamic->isSubtypeOf(type);
  }
  }
}
TSC_HANDLER(IsInstance) {
  bool result;
  {
    IValue v = takeOperand(ip->b, regs, m);
    result = llvm::any_of(m->code->types[ip->c].choices,
                          [&](const Type *type) { return isInstance(v, type, m->ctx.context()); });
  }
  intAt(regs, ip->a) = result;
  TSC_NEXT;
}

/// unchecked_cast promises what only a value can show.
TSC_FAILURE(wrongCast, invalidArgument("expected a value of type '" + m->code->types[ip->c].type->annotation() +
                                       "' here, but found '" +
                                       operandAt(ip->b, regs, m).dynamicType(m->ctx.context())->annotation() + "'"))
TSC_HANDLER(CheckCast) {
  if (!hasRepresentationOf(operandAt(ip->b, regs, m), m->code->types[ip->c].type)) [[unlikely]]
    TSC_FAIL(wrongCast);
  putValue(regs, ip->a, takeOperand(ip->b, regs, m));
  TSC_NEXT;
}

// with: the calls of __enter__ and __exit__ are in the graph; these keep what must be exited when the body fails.
TSC_HANDLER(Exit) {
  if (!m->entered.empty())
    m->entered.pop_back();
  TSC_NEXT;
}

} // namespace tsc
