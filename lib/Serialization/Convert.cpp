//===- Convert.cpp - Untyped values to declared types ---------------------===//
//
// Values come from the unpickler, which bounds their depth and their size with
// sharing unfolded; so both functions recurse. A union's members are tried one
// after the other, and their parts may be unions that do the same: what was tried
// once is not tried again.
//
//===----------------------------------------------------------------------===//
#include "tsc/Serialization/Convert.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;
using llvm::cast;
using llvm::dyn_cast;

/// Whether lists of `element` have the representation `tag`.
static IValue::Tag listTag(const Type *element) {
  switch (element->kind()) {
  case TypeKind::Int: return IValue::Tag::IntList;
  case TypeKind::Float: return IValue::Tag::DoubleList;
  case TypeKind::Bool: return IValue::Tag::BoolList;
  case TypeKind::Tensor: return IValue::Tag::TensorList;
  default: return IValue::Tag::GenericList;
  }
}

namespace {
class Conversion {
public:
  explicit Conversion(Context &context) : context(context) {}
  StatusOr<IValue> convert(const IValue &value, const Type *type);

private:
  StatusOr<IValue> convertWhole(const IValue &value, const Type *type);
  StatusOr<IValue> convertList(const IValue &value, const Type *type);
  StatusOr<IValue> convertDict(const IValue &value, const DictType *type);
  StatusOr<IValue> convertTuple(const IValue &value, const TupleType *type);
  StatusOr<IValue> convertUnion(const IValue &value, const UnionType *type);
  std::optional<IValue> convertToMember(const IValue &value, const UnionType *type);
  Status mismatch(const IValue &value, const Type *type);

  Context &context;
  bool isTrying = false; ///< Whether a member of a union is being tried, so that nobody reads why it does not fit.
  /// What containers came to when they were tried for a union; nothing where they do not fit.
  llvm::DenseMap<std::pair<const RefCounted *, const Type *>, std::optional<IValue>> tried;
};
} // namespace

Status Conversion::mismatch(const IValue &value, const Type *type) {
  if (isTrying)
    return invalidArgument("it does not fit");
  return invalidArgument("expected a value of type '" + type->annotation() + "' but found '" +
                         value.dynamicType(context)->annotation() + "'");
}

StatusOr<IValue> Conversion::convertList(const IValue &value, const Type *type) {
  requireStack();
  const Type *element = cast<ListType>(type)->element();
  IValue::Tag wanted = listTag(element);
  if (value.getTag() == wanted && (wanted != IValue::Tag::GenericList || value.toGenericList().elementType == element))
    return value;
  if (!value.isList() && !value.isTuple())
    return mismatch(value, type);
  size_t size = value.isTuple() ? value.toTuple().elements.size() : value.listSize();
  IValue list = makeList(element, size);
  for (size_t i = 0; i != size; ++i) {
    TSC_ASSIGN_OR_RETURN(IValue converted,
                         convert(value.isTuple() ? value.toTuple().elements[i] : value.listElement(i), element));
    appendToList(list, std::move(converted));
  }
  return list;
}

StatusOr<IValue> Conversion::convertDict(const IValue &value, const DictType *type) {
  requireStack();
  if (!value.isDict())
    return mismatch(value, type);
  DictValue &dict = value.toDict();
  if (dict.keyType == type->key() && dict.valueType == type->value())
    return value;
  auto result = makeRef<DictValue>(type->key(), type->value());
  Status status;
  dict.forEach([&](const IValue &key, const IValue &entry) {
    if (!status.ok())
      return;
    auto newKey = convert(key, type->key());
    auto newEntry = convert(entry, type->value());
    status = newKey.ok() ? newEntry.status() : newKey.status();
    if (status.ok())
      result->set(*std::move(newKey), *std::move(newEntry));
  });
  TSC_RETURN_IF_ERROR(status);
  return IValue(std::move(result));
}

StatusOr<IValue> Conversion::convertTuple(const IValue &value, const TupleType *type) {
  requireStack();
  if (!value.isTuple() || value.toTuple().elements.size() != type->elements().size())
    return mismatch(value, type);
  TupleValue &tuple = value.toTuple();
  std::vector<IValue> elements;
  bool same = tuple.type == (type->isNamed() ? type : nullptr);
  for (auto [element, elementType] : llvm::zip(tuple.elements, type->elements())) {
    TSC_ASSIGN_OR_RETURN(IValue converted, convert(element, elementType));
    same &= converted.isSameAs(element);
    elements.push_back(std::move(converted));
  }
  return same ? value : makeTuple(std::move(elements), type->isNamed() ? type : nullptr);
}

StatusOr<IValue> Conversion::convertUnion(const IValue &value, const UnionType *type) {
  for (const Type *member : type->members())
    if (isInstanceOf(value, member))
      return value;
  if (std::optional<IValue> converted = convertToMember(value, type))
    return *std::move(converted);
  return mismatch(value, type);
}

std::optional<IValue> Conversion::convertToMember(const IValue &value, const UnionType *type) {
  llvm::SaveAndRestore trying(isTrying, true);
  for (const Type *member : type->members())
    if (auto converted = convert(value, member); converted.ok())
      return *std::move(converted);
  return std::nullopt;
}

StatusOr<IValue> Conversion::convertWhole(const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::Optional:
    return value.isNone() ? StatusOr<IValue>(value) : convert(value, cast<OptionalType>(type)->element());
  case TypeKind::Tensor:
    if (value.isTensor())
      return value;
    break;
  case TypeKind::Float:
    if (value.isInt())
      return IValue(static_cast<double>(value.toInt()));
    break;
  case TypeKind::Complex:
    if (value.isInt() || value.isDouble())
      return IValue(std::complex<double>(value.isInt() ? static_cast<double>(value.toInt()) : value.toDouble()));
    break;
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat:
  case TypeKind::QScheme:
    if (value.isInt())
      return value;
    break;
  case TypeKind::List: return convertList(value, type);
  case TypeKind::Dict: return convertDict(value, cast<DictType>(type));
  case TypeKind::Tuple: return convertTuple(value, cast<TupleType>(type));
  case TypeKind::Union: return convertUnion(value, cast<UnionType>(type));
  case TypeKind::Interface:
    if (value.isObject())
      return value;
    break;
  case TypeKind::Any: return inferTypes(value, context);
  default: break;
  }
  return isInstanceOf(value, type) ? StatusOr<IValue>(value) : mismatch(value, type);
}

StatusOr<IValue> Conversion::convert(const IValue &value, const Type *type) {
  if (!isTrying || !value.isCounted() || type->contained().empty())
    return convertWhole(value, type);
  const std::pair<const RefCounted *, const Type *> key(value.counted(), type);
  if (auto known = tried.find(key); known != tried.end())
    return known->second ? StatusOr<IValue>(*known->second) : mismatch(value, type);
  StatusOr<IValue> converted = convertWhole(value, type);
  tried[key] = converted.ok() ? std::optional(*converted) : std::nullopt;
  return converted;
}

StatusOr<IValue> tsc::convertTo(const IValue &value, const Type *type, Context &context) {
  assert(type && "a value is converted to a type");
  return Conversion(context).convert(value, type);
}

namespace {
class Inference {
public:
  explicit Inference(Context &context) : context(context) {}
  IValue visit(const IValue &value);

private:
  IValue visitList(const GenericList &list);
  IValue visitDict(const DictValue &dict);
  /// The common type of what was seen; null before anything was, Any when nothing else will do.
  const Type *join(const Type *so_far, const IValue &value) {
    const Type *type = value.dynamicType(context);
    if (!so_far)
      return type;
    const Type *joined = context.unify(so_far, type);
    return joined ? joined : Type::anyType();
  }
  const Type *orAny(const Type *type) { return type ? type : Type::anyType(); }

  Context &context;
  llvm::DenseMap<RefCounted *, IValue> done;
};
} // namespace

IValue Inference::visitList(const GenericList &list) {
  std::vector<IValue> elements;
  const Type *type = nullptr;
  for (const IValue &element : list.elements) {
    elements.push_back(visit(element));
    type = join(type, elements.back());
  }
  IValue result = makeList(orAny(type), elements.size());
  for (IValue &element : elements)
    appendToList(result, std::move(element));
  return result;
}

IValue Inference::visitDict(const DictValue &dict) {
  std::vector<std::pair<IValue, IValue>> entries;
  const Type *keyType = nullptr, *valueType = nullptr;
  dict.forEach([&](const IValue &key, const IValue &value) {
    entries.emplace_back(key, visit(value));
    keyType = join(keyType, key);
    valueType = join(valueType, entries.back().second);
  });
  auto result = makeRef<DictValue>(orAny(keyType), orAny(valueType));
  for (auto &[key, value] : entries)
    result->set(std::move(key), std::move(value));
  return IValue(std::move(result));
}

IValue Inference::visit(const IValue &value) {
  bool untypedList = value.isGenericList() && value.toGenericList().elementType->isAny();
  bool untypedDict = value.isDict() && value.toDict().keyType->isAny();
  if (!untypedList && !untypedDict && !value.isTuple())
    return value;
  if (auto found = done.find(value.counted()); found != done.end())
    return found->second;
  requireStack();
  IValue result;
  if (untypedList) {
    result = visitList(value.toGenericList());
  } else if (untypedDict) {
    result = visitDict(value.toDict());
  } else {
    std::vector<IValue> elements;
    bool same = true;
    for (const IValue &element : value.toTuple().elements) {
      elements.push_back(visit(element));
      same &= elements.back().isSameAs(element);
    }
    result = same ? value : makeTuple(std::move(elements), value.toTuple().type);
  }
  done[value.counted()] = result;
  return result;
}

IValue tsc::inferTypes(const IValue &value, Context &context) { return Inference(context).visit(value); }
