//===- Representation.cpp - How values of a type are held -----------------===//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Lowering/Representation.h"
#include "tsc/IR/ClassType.h"

using namespace tsc;

SlotClass tsc::classOfType(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Int:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat:
  case TypeKind::SymInt: return SlotClass::Int;
  case TypeKind::Float: return SlotClass::Float;
  case TypeKind::Bool: return SlotClass::Bool;
  default: return SlotClass::Value;
  }
}

static bool isListOf(const IValue &value, const Type *element) {
  if (!value.isList())
    return false;
  switch (element->kind()) {
  case TypeKind::Any: return true;
  case TypeKind::Int: return value.isIntList() || value.listSize() == 0;
  case TypeKind::Float: return value.isDoubleList() || value.listSize() == 0;
  case TypeKind::Bool: return value.isBoolList() || value.listSize() == 0;
  case TypeKind::Tensor: return value.isTensorList() || value.listSize() == 0;
  default: break;
  }
  if (!value.isGenericList())
    return value.listSize() == 0;
  const GenericList &list = value.toGenericList();
  return list.elementType == element ||
         llvm::all_of(list.elements, [&](const IValue &e) { return hasRepresentationOf(e, element); });
}

static bool isDictOf(const DictValue &dict, const DictType &type) {
  if (dict.keyType == type.key() && dict.valueType == type.value())
    return true;
  bool fits = true;
  dict.forEach([&](const IValue &key, const IValue &value) {
    fits = fits && hasRepresentationOf(key, type.key()) && hasRepresentationOf(value, type.value());
  });
  return fits;
}

static bool isTupleOf(const TupleValue &tuple, llvm::ArrayRef<const Type *> types) {
  if (tuple.elements.size() != types.size())
    return false;
  for (size_t i = 0; i != types.size(); ++i)
    if (!hasRepresentationOf(tuple.elements[i], types[i]))
      return false;
  return true;
}

bool tsc::hasRepresentationOf(const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::Tensor: return value.isTensor() || value.isNone(); // None is the undefined tensor
  case TypeKind::Int: return value.isInt() || value.isBool();
  case TypeKind::Float: return value.isDouble() || value.isInt();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::Number: return value.isScalar();
  case TypeKind::Complex: return value.isComplex();
  case TypeKind::String: return value.isString();
  case TypeKind::Device: return value.isDevice();
  case TypeKind::List: return isListOf(value, llvm::cast<ListType>(type)->element());
  case TypeKind::Dict: return value.isDict() && isDictOf(value.toDict(), *llvm::cast<DictType>(type));
  case TypeKind::Tuple: return value.isTuple() && isTupleOf(value.toTuple(), type->contained());
  case TypeKind::Optional: return value.isNone() || hasRepresentationOf(value, type->contained()[0]);
  case TypeKind::Union:
    return llvm::any_of(type->contained(), [&](const Type *member) { return hasRepresentationOf(value, member); });
  case TypeKind::Class: return value.isObject() && value.toObject().type == type;
  case TypeKind::Enum: return value.isEnum();
  case TypeKind::Future: return value.isFuture();
  default: return true; // read nowhere without a look
  }
}

IValue tsc::placeholderFor(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Int: return int64_t{0};
  case TypeKind::Float: return 0.0;
  case TypeKind::Bool: return false;
  case TypeKind::Number: return int64_t{0};
  case TypeKind::Complex: return std::complex<double>();
  case TypeKind::String: return "";
  case TypeKind::Device: return Device();
  case TypeKind::List: return makeList(llvm::cast<ListType>(type)->element());
  case TypeKind::Dict:
    return IValue(makeRef<DictValue>(llvm::cast<DictType>(type)->key(), llvm::cast<DictType>(type)->value()));
  case TypeKind::Tuple: {
    std::vector<IValue> elements;
    for (const Type *element : type->contained())
      elements.push_back(placeholderFor(element));
    return makeTuple(std::move(elements),
                     llvm::cast<TupleType>(type)->isNamed() ? llvm::cast<TupleType>(type) : nullptr);
  }
  default: return IValue();
  }
}
