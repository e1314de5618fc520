//===- Arguments.cpp - Crossing the boundary into a program ---------------===//
//
// A value from outside is matched with the type of a parameter, converted where
// TorchScript converts (an int for a float, a tuple for a list), and refused in
// PyTorch's words otherwise. Containers that need no conversion are passed as
// they are, so that their owner sees writes.
//
//===----------------------------------------------------------------------===//
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/IR/ArgumentWalk.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tsc;

static constexpr unsigned maxDepth = 200;

std::string tsc::pythonTypeName(const IValue &value) {
  switch (value.getTag()) {
  case IValue::Tag::None: return "NoneType";
  case IValue::Tag::Bool: return "bool";
  case IValue::Tag::Int: return "int";
  case IValue::Tag::Double: return "float";
  case IValue::Tag::Complex: return "complex";
  case IValue::Tag::String: return "str";
  case IValue::Tag::Tensor: return "Tensor";
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList: return "list";
  case IValue::Tag::Tuple: return "tuple";
  case IValue::Tag::Dict: return "dict";
  case IValue::Tag::Device: return "device";
  case IValue::Tag::Generator: return "Generator";
  case IValue::Tag::Future: return "Future";
  case IValue::Tag::Function: return "function";
  case IValue::Tag::Object: return value.toObject().type->name().rsplit('.').second.str();
  case IValue::Tag::Enum: return "enum";
  case IValue::Tag::Capsule: return "capsule";
  }
  return "object";
}

namespace {
class Converter {
public:
  explicit Converter(Context &context) : context(context) {}

  std::optional<IValue> convert(const IValue &value, const Type *type, unsigned depth = 0) {
    if (depth > maxDepth)
      return std::nullopt;
    switch (type->kind()) {
    case TypeKind::Any: return normalized(value, depth);
    case TypeKind::Tensor: return value.isTensor() ? std::optional(value) : std::nullopt;
    case TypeKind::None: return value.isNone() ? std::optional(value) : std::nullopt;
    case TypeKind::Int:
    case TypeKind::SymInt:
    case TypeKind::ScalarType:
    case TypeKind::Layout:
    case TypeKind::MemoryFormat:
      if (value.isTensor())
        return onlyElement(value.asTensor(), /*integral=*/true);
      return value.isInt()    ? std::optional(value)
             : value.isBool() ? std::optional(IValue(int64_t{value.toBool()}))
                              : std::nullopt;
    case TypeKind::Float:
      if (value.isTensor())
        return convertElement(value.asTensor(), type, depth);
      return value.isDouble()                  ? std::optional(value)
             : value.isInt() || value.isBool() ? std::optional(IValue(static_cast<double>(value.toInt())))
                                               : std::nullopt;
    case TypeKind::Bool: return value.isBool() ? std::optional(value) : std::nullopt;
    case TypeKind::Complex:
      if (value.isTensor())
        return convertElement(value.asTensor(), type, depth);
      return value.isComplex()  ? std::optional(value)
             : value.isScalar() ? std::optional(IValue(value.toScalar().toComplex()))
                                : std::nullopt;
    case TypeKind::Number: return value.isScalar() ? std::optional(value) : std::nullopt;
    case TypeKind::String: return value.isString() ? std::optional(value) : std::nullopt;
    case TypeKind::Device:
      if (value.isString())
        if (auto device = Device::parse(value.toString()))
          return IValue(*device);
      return value.isDevice() ? std::optional(value) : std::nullopt;
    case TypeKind::Generator: return value.isGenerator() ? std::optional(value) : std::nullopt;
    case TypeKind::Optional:
      return value.isNone() ? std::optional(value) : convert(value, type->contained()[0], depth + 1);
    case TypeKind::Union: return toMember(value, type, depth);
    case TypeKind::List: return toList(value, type, depth);
    case TypeKind::AnyList: return value.isList() ? normalized(value, depth) : std::nullopt;
    case TypeKind::AnyTuple: return value.isTuple() ? std::optional(value) : std::nullopt;
    case TypeKind::Tuple: return toTuple(value, llvm::cast<TupleType>(type), depth);
    case TypeKind::Dict: return toDict(value, type, depth);
    case TypeKind::Future: return value.isFuture() ? std::optional(value) : std::nullopt;
    case TypeKind::Class:
      return value.isObject() && value.toObject().type == type ? std::optional(value) : std::nullopt;
    case TypeKind::Interface:
      if (value.isObject() && static_cast<const Type *>(value.toObject().type)->isSubtypeOf(type))
        return value;
      return std::nullopt;
    case TypeKind::Enum:
      if (value.isEnum())
        return value.toEnum().type == type ? std::optional(value) : std::nullopt;
      for (auto &[name, member] : llvm::cast<EnumType>(type)->members()) // by value, as files hold them
        if (valuesEqual(member, value) && member.getTag() == value.getTag())
          return IValue(makeRef<tsc::EnumValue>(llvm::cast<EnumType>(type), name, member));
      return std::nullopt;
    case TypeKind::AnyClass: return value.isObject() ? std::optional(value) : std::nullopt;
    case TypeKind::AnyEnum: return value.isEnum() ? std::optional(value) : std::nullopt;
    default: return value;
    }
  }

private:
  /// A tensor of one element stands for the number, as Python's int(), float() and complex() see it.
  /// Where an int is wanted, a float has to be a whole one.
  static std::optional<IValue> onlyElement(const Tensor &tensor, bool integral = false) {
    if (!tensor.defined() || tensor.numel() != 1)
      return std::nullopt;
    Scalar element = tensor.at(0);
    if (!integral)
      return IValue(element);
    if (isIntegral(tensor.dtype(), true))
      return IValue(element.toInt());
    constexpr double limit = 0x1p63;
    const double number = element.isComplex() ? std::nan("") : element.toDouble();
    if (!(number >= -limit && number < limit) || std::trunc(number) != number)
      return std::nullopt;
    return IValue(static_cast<int64_t>(number));
  }
  std::optional<IValue> convertElement(const Tensor &tensor, const Type *type, unsigned depth) {
    std::optional<IValue> element = onlyElement(tensor);
    return element ? convert(*element, type, depth + 1) : std::nullopt;
  }
  static IValue elementOf(const IValue &sequence, size_t i) {
    return sequence.isTuple() ? sequence.toTuple().elements[i] : sequence.listElement(i);
  }
  static bool hasRepresentationOf(const IValue &value, const Type *element) {
    switch (element->kind()) {
    case TypeKind::Int: return value.isIntList();
    case TypeKind::Float: return value.isDoubleList();
    case TypeKind::Bool: return value.isBoolList();
    case TypeKind::Tensor: return value.isTensorList();
    default: return false;
    }
  }
  std::optional<IValue> toList(const IValue &value, const Type *type, unsigned depth) {
    const Type *element = type->contained()[0];
    if (hasRepresentationOf(value, element))
      return value;
    if (!value.isList() && !value.isTuple())
      return std::nullopt;
    size_t size = value.isTuple() ? value.toTuple().elements.size() : value.listSize();
    // The caller's own list is kept where nothing in it needs converting, so that writes show.
    bool same = value.isGenericList() && value.toGenericList().elementType == element;
    IValue made = makeList(element, size);
    for (size_t i = 0; i != size; ++i) {
      IValue old = elementOf(value, i);
      // Inside a list, what Python calls true or false is a bool.
      bool isTruth = element->isBool() && (old.isInt() || old.isDouble());
      std::optional<IValue> item = isTruth ? IValue(old.toScalar().toBool()) : convert(old, element, depth + 1);
      if (!item)
        return std::nullopt;
      same &= item->isSameAs(old);
      appendToList(made, std::move(*item));
    }
    return same ? value : made;
  }
  std::optional<IValue> toTuple(const IValue &value, const TupleType *type, unsigned depth) {
    if (!value.isTuple() || value.toTuple().elements.size() != type->elements().size())
      return std::nullopt;
    bool same = !type->isNamed() || value.toTuple().type == type;
    std::vector<IValue> made;
    for (size_t i = 0; i != type->elements().size(); ++i) {
      const IValue &old = value.toTuple().elements[i];
      std::optional<IValue> item = convert(old, type->elements()[i], depth + 1);
      if (!item)
        return std::nullopt;
      same &= item->isSameAs(old);
      made.push_back(std::move(*item));
    }
    return same ? value : makeTuple(std::move(made), type->isNamed() ? type : nullptr);
  }
  std::optional<IValue> toDict(const IValue &value, const Type *type, unsigned depth) {
    if (!value.isDict())
      return std::nullopt;
    const Type *key = type->contained()[0], *element = type->contained()[1];
    const DictValue &dict = value.toDict();
    bool good = true, same = dict.keyType == key && dict.valueType == element;
    auto made = makeRef<DictValue>(key, element);
    dict.forEach([&](const IValue &k, const IValue &v) {
      if (!good)
        return;
      auto newKey = convert(k, key, depth + 1), newValue = convert(v, element, depth + 1);
      good = newKey && newValue;
      if (!good)
        return;
      same &= newKey->isSameAs(k) && newValue->isSameAs(v);
      made->set(std::move(*newKey), std::move(*newValue));
    });
    if (!good)
      return std::nullopt;
    return same ? value : IValue(std::move(made));
  }
  /// The member the value is already of, before one it can become.
  std::optional<IValue> toMember(const IValue &value, const Type *type, unsigned depth) {
    for (const Type *member : type->contained())
      if (auto converted = convert(value, member, depth + 1);
          converted && converted->getTag() == value.getTag() && converted->isSameAs(value))
        return converted;
    for (const Type *member : type->contained())
      if (!llvm::isa<EnumType>(member)) // a number among other members is no enum's
        if (auto converted = convert(value, member, depth + 1))
          return converted;
    return std::nullopt;
  }

  /// The type of the elements where they agree, as type inference from a Python value finds it.
  const Type *commonType(llvm::ArrayRef<IValue> elements) {
    const Type *common = nullptr;
    for (const IValue &element : elements) {
      const Type *type = element.dynamicType(context);
      common = common ? context.unify(common, type) : type;
      if (!common)
        return nullptr;
    }
    return common;
  }
  /// For Any: lists and dicts that came untyped get the types their elements show.
  std::optional<IValue> normalized(const IValue &value, unsigned depth) {
    if (depth > maxDepth)
      return std::nullopt;
    if (value.isGenericList() && value.toGenericList().elementType->isAny()) {
      std::vector<IValue> elements;
      for (const IValue &element : value.toGenericList().elements)
        elements.push_back(normalized(element, depth + 1).value_or(element));
      const Type *common = elements.empty() ? Type::tensorType() : commonType(elements);
      if (!common || common->isAny())
        return value;
      IValue made = makeList(common, elements.size());
      for (IValue &element : elements)
        appendToList(made, std::move(element));
      return made;
    }
    if (value.isTuple()) {
      std::vector<IValue> elements;
      bool same = true;
      for (const IValue &element : value.toTuple().elements) {
        elements.push_back(normalized(element, depth + 1).value_or(element));
        same &= elements.back().isSameAs(element);
      }
      return same ? value : makeTuple(std::move(elements), value.toTuple().type);
    }
    if (value.isDict() && value.toDict().valueType->isAny() && value.toDict().size()) {
      std::vector<IValue> keys, values;
      value.toDict().forEach([&](const IValue &k, const IValue &v) {
        keys.push_back(k);
        values.push_back(normalized(v, depth + 1).value_or(v));
      });
      const Type *key = commonType(keys), *element = commonType(values);
      if (!key || !element)
        return value;
      auto made = makeRef<DictValue>(key, element);
      for (size_t i = 0; i != keys.size(); ++i)
        made->set(std::move(keys[i]), std::move(values[i]));
      return IValue(std::move(made));
    }
    return value;
  }

  Context &context;
};
} // namespace

std::optional<IValue> tsc::convertTo(Context &context, const IValue &value, const Type *type) {
  return Converter(context).convert(value, type);
}

std::optional<IValue> tsc::repeatedArgument(Context &context, const Argument &formal, const IValue &value) {
  const auto *list =
      formal.fixedLength ? llvm::dyn_cast<ListType>(ArgumentWalk::withoutOptional(formal.type)) : nullptr;
  if (!list || !value.isScalar() || !(list->element()->isInt() || list->element()->isFloat()))
    return std::nullopt;
  std::optional<IValue> item = convertTo(context, value, list->element());
  if (!item)
    return std::nullopt;
  IValue all = makeList(list->element(), static_cast<size_t>(*formal.fixedLength));
  for (int32_t i = 0; i != *formal.fixedLength; ++i)
    appendToList(all, *item);
  return all;
}

std::optional<IValue> tsc::convertToArgument(Context &context, const Argument &formal, const IValue &value) {
  std::optional<IValue> all = repeatedArgument(context, formal, value);
  return all ? std::move(all) : convertTo(context, value, formal.type);
}

static std::string reprOf(const IValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  reprValue(os, value);
  if (text.size() > 400)
    text = text.substr(0, 400) + "…";
  return text;
}

/// A parameter's type as messages write it, with what its author may not know of it.
static std::string shown(const Type &type) {
  if (&type == Type::inferredTensorType())
    return "Tensor (inferred)";
  auto *tuple = llvm::dyn_cast<TupleType>(&type);
  std::string text = type.annotation();
  return tuple && tuple->isNamed() ? text + " (aka NamedTuple(" + llvm::join(tuple->fieldNames(), ", ") + "))" : text;
}

static Status wrongType(Context &context, const FunctionSchema &schema, const Argument &parameter, size_t position,
                        const IValue &value) {
  const bool isInferred = parameter.type == Type::inferredTensorType();
  std::string text =
      (schema.name() + "() Expected a value of type '" + shown(*parameter.type) + "' for argument '" + parameter.name +
       "' but instead found type '" + pythonTypeName(value) + "'." +
       (isInferred ? "\nInferred '" + parameter.name +
                         "' to be of type 'Tensor' because it was not annotated with an explicit type."
                   : "") +
       "\nPosition: " + llvm::Twine(position) + "\nValue: " + reprOf(value) + "\nDeclaration: " + schema.str())
          .str();
  if (parameter.type->kind() == TypeKind::Union) {
    IValue inferred = convertTo(context, value, Type::anyType()).value_or(value);
    const Type *found = inferred.dynamicType(context);
    text += "\nCast error details: Expected a member of " + parameter.type->annotation() + " but instead found type " +
            (found ? found->annotation() : pythonTypeName(value));
  }
  if (parameter.type->isDevice() && value.isString()) {
    if (StatusOr<Device> device = ops::parseDevice(value.toString()); !device.ok())
      text += "\nCast error details: " + messageOf(device.status()).str();
  }
  if (auto *wanted = llvm::dyn_cast<ClassType>(parameter.type))
    if (!value.isObject() && !wanted->isModule() && wanted->numAttributes() != 0)
      text += "\nCast error details: Tried to cast object to type " + wanted->annotation() +
              " but object was missing attribute " + wanted->attribute(0).name;
  if (parameter.type->kind() == TypeKind::Interface && value.isObject()) {
    const Type *given = value.toObject().type;
    std::string why;
    (void)given->isSubtypeOf(parameter.type, &why);
    text += "\nCast error details: Object of type " + given->annotation() + " is not compatible with interface " +
            parameter.type->annotation() + "\n" + why;
  }
  return invalidArgument(text);
}

/// Whether a value is of a type, and needs no conversion, where its tag tells. False where one has to look further.
static bool hasTypeByTag(const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::Tensor: return value.isTensor();
  case TypeKind::Int: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::Class: return value.isObject() && value.toObject().type == type;
  default: return false;
  }
}

/// Binds arguments of which some are given by name, or are defaults.
static StatusOr<std::vector<IValue>> bindByName(Context &context, const FunctionSchema &schema, ArrayRef<IValue> args,
                                                const KeywordArguments &kwargs) {
  ArrayRef<Argument> parameters = schema.arguments();
  auto declaration = [&] { return " Declaration: " + schema.str(); }; // printing a signature costs more than a call
  if (args.size() > parameters.size())
    return invalidArgument(schema.name() + "() expected at most " + llvm::Twine(parameters.size()) +
                           " argument(s) but received " + llvm::Twine(args.size()) + " argument(s)." + declaration());
  llvm::SmallBitVector used(kwargs.size());
  std::vector<IValue> bound;
  bound.reserve(parameters.size());
  for (size_t i = 0; i != parameters.size(); ++i) {
    const Argument &parameter = parameters[i];
    size_t named = 0;
    while (named != kwargs.size() && kwargs[named].first != parameter.name)
      ++named;
    const IValue *given = i < args.size() ? &args[i] : named != kwargs.size() ? &kwargs[named].second : nullptr;
    if (named != kwargs.size()) {
      if (i < args.size())
        return invalidArgument("Argument '" + llvm::Twine(parameter.name) +
                               "' specified both as positional and keyword argument. Schema: " + schema.str());
      used.set(named);
    }
    if (!given) {
      if (!parameter.defaultValue)
        return invalidArgument(schema.name() + "() is missing value for argument '" + parameter.name + "'." +
                               declaration());
      bound.push_back(deepCopy(*parameter.defaultValue));
      continue;
    }
    std::optional<IValue> value = convertToArgument(context, parameter, *given);
    if (!value)
      return wrongType(context, schema, parameter, i, *given);
    bound.push_back(std::move(*value));
  }
  for (size_t i = 0; i != kwargs.size(); ++i)
    if (!used.test(i))
      return invalidArgument("Unknown keyword argument '" + llvm::Twine(kwargs[i].first) + "' for operator '" +
                             schema.name() + "'. Schema: " + schema.str());
  return bound;
}

Status tsc::bindArguments(Context &context, const FunctionSchema &schema, std::vector<IValue> &args,
                          const KeywordArguments &kwargs) {
  ArrayRef<Argument> parameters = schema.arguments();
  if (!kwargs.empty() || args.size() != parameters.size()) {
    TSC_ASSIGN_OR_RETURN(args, bindByName(context, schema, args, kwargs));
    return okStatus();
  }
  for (size_t i = 0; i != args.size(); ++i) { // the usual call: they are converted where they are
    if (hasTypeByTag(args[i], parameters[i].type))
      continue;
    std::optional<IValue> value = convertToArgument(context, parameters[i], args[i]);
    if (!value)
      return wrongType(context, schema, parameters[i], i, args[i]);
    args[i] = std::move(*value);
  }
  return okStatus();
}
