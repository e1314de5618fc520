//===- Containers.cpp - Types of values, and writing to lists and dicts ---===//
#include "Eager.h"
#include "Handles.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/Support/Diagnostics.h"

using namespace tsc;
using namespace tsc::capi;

/// Gives the host a value that `body` makes.
static tsc_error *give(tsc_value **out, llvm::function_ref<StatusOr<tsc_value *>()> body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{out, "value"}}));
    *out = nullptr;
    TSC_ASSIGN_OR_RETURN(*out, body());
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

tsc_error *tsc_value_new_device(int kind, int index, tsc_value **value) {
  return give(value, [&]() -> StatusOr<tsc_value *> {
    if (index < -1 || index > INT16_MAX)
      return invalidArgument("there is no device with the index " + llvm::Twine(index));
    switch (kind) {
#define DEVICE_KIND(ENUMERATOR, NUMBER, NAME, TYPE_NAME, ABSENT) case NUMBER:
#include "tsc/Tensor/DeviceKinds.def"
      return newValue(IValue(Device{static_cast<DeviceKind>(kind), static_cast<int16_t>(index)}), nullptr);
    default: return invalidArgument("there is no kind of device " + llvm::Twine(kind));
    }
  });
}

tsc_error *tsc_value_get_device(const tsc_value *value, int *kind, int *index) {
  return guarded([&]() -> Status {
    if (kind)
      *kind = 0;
    if (index)
      *index = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    if (!value->value.isDevice())
      return wrongKind(value, "a device");
    if (kind)
      *kind = static_cast<int>(value->value.toDevice().kind);
    if (index)
      *index = value->value.toDevice().index;
    return okStatus();
  });
}

/// Whether a type names a class, an interface or an enumeration: these belong to programs.
static bool namesClasses(const Type &type) {
  switch (type.kind()) {
  case TypeKind::Class:
  case TypeKind::Interface:
  case TypeKind::Enum: return true;
  default: return llvm::any_of(type.contained(), [](const Type *part) { return namesClasses(*part); });
  }
}

static bool mayBeKeys(const Type &type) {
  return type.isInt() || type.isFloat() || type.isTensor() || type.kind() == TypeKind::String ||
         type.kind() == TypeKind::Bool || type.kind() == TypeKind::Complex;
}

tsc_error *tsc_value_new_container(const char *type, tsc_value **value) {
  return give(value, [&]() -> StatusOr<tsc_value *> {
    TSC_RETURN_IF_ERROR(checkNotNull({{type, "type"}}));
    DiagnosticEngine diags;
    SourceBuffer text("type", type);
    llvm::FailureOr<const Type *> parsed = parseType(eagerContext(), text, diags);
    if (failed(parsed))
      return invalidArgument(diags.str());
    const bool isDict = (*parsed)->kind() == TypeKind::Dict;
    if (namesClasses(**parsed) || (!isDict && (*parsed)->kind() != TypeKind::List) ||
        (isDict && !mayBeKeys(*(*parsed)->contained()[0])))
      return invalidArgument("'" + llvm::Twine(type) + "' is no type of a list or dict that belongs to no program");
    if (isDict)
      return newValue(IValue(makeRef<DictValue>((*parsed)->contained()[0], (*parsed)->contained()[1])), nullptr);
    return newValue(makeList((*parsed)->contained()[0]), nullptr);
  });
}

tsc_error *tsc_value_copy(const tsc_value *value, tsc_value **copy) {
  return give(copy, [&]() -> StatusOr<tsc_value *> {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    IValue copied;
    auto read = [&] { copied = deepCopy(value->value); };
    if (value->owner)
      TSC_RETURN_IF_ERROR(value->owner->program.readState(read));
    else
      read();
    return newValue(std::move(copied), value->owner, value->isUnrecorded);
  });
}

tsc_error *tsc_value_get_type(const tsc_value *value, tsc_value **type) {
  return give(type, [&]() -> StatusOr<tsc_value *> {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    Context &context = value->owner ? value->owner->program.context() : eagerContext();
    return newValue(IValue(value->value.dynamicType(context)->annotation()), nullptr);
  });
}

tsc_error *tsc_value_field_name(const tsc_value *value, size_t index, const char **name) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    *name = nullptr;
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    const IValue &held = value->value;
    if (!held.isObject() && !held.isTuple())
      return wrongKind(value, "an object or a tuple");
    const size_t size = held.isObject() ? held.toObject().type->numAttributes() : held.toTuple().elements.size();
    if (index >= size)
      return invalidArgument("there is no field " + llvm::Twine(index) + ": the " + tsc_value_type_name(value) +
                             " has " + llvm::Twine(size));
    if (held.isObject())
      *name = held.toObject().type->attribute(index).name.c_str();
    else if (const TupleType *type = held.toTuple().type; type && index < type->fieldNames().size())
      *name = type->fieldNames()[index].c_str();
    return okStatus();
  });
}

int tsc_value_is_same(const tsc_value *value, const tsc_value *other) {
  return value && other && value->value.isSameAs(other->value);
}

tsc_error *tsc_value_format(const tsc_value *value, tsc_text_style style, tsc_value **text) {
  return give(text, [&]() -> StatusOr<tsc_value *> {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    std::string written;
    llvm::raw_string_ostream os(written);
    switch (static_cast<int>(style)) {
    case TSC_TEXT_PYTHON: reprValue(os, value->value); break;
    case TSC_TEXT_CPP: printValue(os, value->value); break;
    default: return invalidArgument("there is no style " + llvm::Twine(static_cast<int>(style)));
    }
    return newValue(IValue(std::move(written)), nullptr);
  });
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

/// A value that goes into a list or dict, converted to a type of it.
static StatusOr<IValue> elementFor(const tsc_value *container, const tsc_value *given, const Type *type,
                                   const char *name) {
  const tsc_program *program = container->owner.get();
  TSC_ASSIGN_OR_RETURN(IValue value, valueFor(given, program, name));
  Context &context = program ? program->program.context() : eagerContext();
  std::optional<IValue> converted = convertTo(context, value, type);
  if (!converted)
    return invalidArgument("'" + llvm::Twine(name) + "' has to be of the type " + type->annotation() +
                           ", and a value of type " + pythonTypeName(value) + " was given");
  if (given->isUnrecorded)
    return recordable(*converted);
  return *std::move(converted);
}

/// The type of the elements of a list.
static const Type *elementType(const IValue &list) {
  switch (list.getTag()) {
  case IValue::Tag::IntList: return Type::intType();
  case IValue::Tag::DoubleList: return Type::floatType();
  case IValue::Tag::BoolList: return Type::boolType();
  case IValue::Tag::TensorList: return Type::tensorType();
  default: return list.toGenericList().elementType;
  }
}

/// Does something with a list.
static tsc_error *withList(const tsc_value *list, llvm::function_ref<Status(const IValue &)> body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{list, "list"}}));
    if (!list->value.isList())
      return wrongKind(list, "a list");
    return body(list->value);
  });
}

/// Calls `body` with the elements of a list, a vector of what it holds, and notes how many there are then.
template <typename F> static void withElements(const IValue &list, F &&body) {
  auto change = [&](auto &held) {
    body(held.elements);
    held.noteSize();
  };
  switch (list.getTag()) {
  case IValue::Tag::IntList: return change(list.toIntList());
  case IValue::Tag::DoubleList: return change(list.toDoubleList());
  case IValue::Tag::BoolList: return change(list.toBoolList());
  case IValue::Tag::TensorList: return change(list.toTensorList());
  default: return body(list.toGenericList().elements);
  }
}

static Status noElement(const IValue &list, size_t index) {
  return invalidArgument("there is no element " + llvm::Twine(index) + ": the list has " +
                         llvm::Twine(list.listSize()));
}

tsc_error *tsc_list_append(const tsc_value *list, const tsc_value *element) {
  return withList(list, [&](const IValue &held) -> Status {
    TSC_ASSIGN_OR_RETURN(IValue value, elementFor(list, element, elementType(held), "element"));
    appendToList(held, std::move(value));
    return okStatus();
  });
}

tsc_error *tsc_list_set(const tsc_value *list, size_t index, const tsc_value *element) {
  return withList(list, [&](const IValue &held) -> Status {
    TSC_ASSIGN_OR_RETURN(IValue value, elementFor(list, element, elementType(held), "element"));
    if (index >= held.listSize())
      return noElement(held, index);
    switch (held.getTag()) {
    case IValue::Tag::IntList: held.toIntList().elements[index] = value.toInt(); break;
    case IValue::Tag::DoubleList: held.toDoubleList().elements[index] = value.toDouble(); break;
    case IValue::Tag::BoolList: held.toBoolList().elements[index] = value.toBool(); break;
    case IValue::Tag::TensorList: held.toTensorList().elements[index] = value.toTensor(); break;
    default: held.toGenericList().elements[index] = std::move(value);
    }
    return okStatus();
  });
}

tsc_error *tsc_list_truncate(const tsc_value *list, size_t size) {
  return withList(list, [&](const IValue &held) -> Status {
    if (size > held.listSize())
      return noElement(held, size);
    withElements(held, [&](auto &elements) { elements.erase(elements.begin() + size, elements.end()); });
    return okStatus();
  });
}

/// Does something with a dict.
static tsc_error *withDict(const tsc_value *dict, llvm::function_ref<Status(DictValue &)> body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{dict, "dict"}}));
    if (!dict->value.isDict())
      return wrongKind(dict, "a dict");
    return body(dict->value.toDict());
  });
}

/// A key of a dict, of its type.
static StatusOr<IValue> keyFor(const tsc_value *dict, const tsc_value *key) {
  TSC_RETURN_IF_ERROR(checkNotNull({{key, "key"}}));
  if (!key->value.isScalar() && !key->value.isString() && !key->value.isTensor())
    return wrongKind(key, "a string, a number or a tensor as key of a dict");
  return elementFor(dict, key, dict->value.toDict().keyType, "key");
}

tsc_error *tsc_dict_set(const tsc_value *dict, const tsc_value *key, const tsc_value *value) {
  return withDict(dict, [&](DictValue &held) -> Status {
    TSC_ASSIGN_OR_RETURN(IValue name, keyFor(dict, key));
    TSC_ASSIGN_OR_RETURN(IValue given, elementFor(dict, value, held.valueType, "value"));
    held.set(std::move(name), std::move(given));
    return okStatus();
  });
}

tsc_error *tsc_dict_remove(const tsc_value *dict, const tsc_value *key) {
  return withDict(dict, [&](DictValue &held) -> Status {
    TSC_ASSIGN_OR_RETURN(IValue name, keyFor(dict, key));
    if (held.erase(name))
      return okStatus();
    std::string text;
    llvm::raw_string_ostream os(text);
    reprValue(os, name);
    return notFound("the dict has no key " + text);
  });
}

tsc_error *tsc_dict_clear(const tsc_value *dict) {
  return withDict(dict, [&](DictValue &held) {
    held.clear();
    return okStatus();
  });
}
