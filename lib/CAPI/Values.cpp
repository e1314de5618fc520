//===- Values.cpp - Making values in C, and looking into them -------------===//
#include "Eager.h"
#include "tsc/IR/ClassType.h"
#include "tsc/Kernels/Copy.h"

using namespace tsc;
using namespace tsc::capi;

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

/// Whether a value may hold types, which a program owns.
static bool mayHoldTypes(const IValue &value) {
  switch (value.getTag()) {
  case IValue::Tag::None:
  case IValue::Tag::Bool:
  case IValue::Tag::Int:
  case IValue::Tag::Double:
  case IValue::Tag::Device:
  case IValue::Tag::Tensor:
  case IValue::Tag::Complex:
  case IValue::Tag::String:
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList: return false;
  default: return true;
  }
}

tsc_value *capi::newValue(IValue value, const Ref<tsc_program> &owner, bool isUnrecorded) {
  // Hosts read memory: a view that conjugates or negates lazily is computed. Without memory for that it stays one.
  if (value.isTensor() && value.asTensor().defined() && cpu::isLazy(value.asTensor()))
    if (StatusOr<Tensor> computed = resolved(value.asTensor()); computed.ok())
      value = IValue(*std::move(computed));
  const bool needsOwner = mayHoldTypes(value);
  return new tsc_value{std::move(value), needsOwner ? owner : nullptr, isUnrecorded};
}

/// A handle for a part of a value that the host has.
static tsc_value *partOf(const tsc_value *whole, IValue part) {
  return newValue(std::move(part), whole->owner, whole->isUnrecorded);
}

/// Whether one of these comes of a call that was not recorded.
static bool anyUnrecorded(tsc_value *const *handles, size_t count) {
  return llvm::any_of(llvm::ArrayRef(handles, count), [](const tsc_value *one) { return one->isUnrecorded; });
}

/// A value that the host makes; null when there is no memory.
template <typename F> static tsc_value *make(F &&value, const Ref<tsc_program> &owner = {}, bool isUnrecorded = false) {
  tsc_value *made = nullptr;
  const Status status = orMemoryError([&] {
    made = newValue(value(), owner, isUnrecorded);
    return okStatus();
  });
  return status.ok() ? made : nullptr;
}

tsc_value *tsc_value_new_none(void) {
  return make([] { return IValue(); });
}
tsc_value *tsc_value_new_bool(int value) {
  return make([&] { return IValue(value != 0); });
}
tsc_value *tsc_value_new_int(int64_t value) {
  return make([&] { return IValue(value); });
}
tsc_value *tsc_value_new_float(double value) {
  return make([&] { return IValue(value); });
}
tsc_value *tsc_value_new_complex(double real, double imaginary) {
  return make([&] { return IValue(std::complex<double>(real, imaginary)); });
}
tsc_value *tsc_value_new_string(const char *text, size_t length) {
  if ((!text && length != 0) || length > maxLength)
    return nullptr;
  return make([&] { return IValue(std::string(text ? text : "", length)); });
}
tsc_value *tsc_value_new_reference(const tsc_value *value) {
  return value ? make([&] { return value->value; }, value->owner, value->isUnrecorded) : nullptr;
}
void tsc_value_free(tsc_value *value) { delete value; }

//===----------------------------------------------------------------------===//
// Containers
//===----------------------------------------------------------------------===//

StatusOr<std::vector<IValue>> capi::valuesOf(tsc_value *const *handles, size_t count, const char *name) {
  if (count != 0)
    TSC_RETURN_IF_ERROR(checkNotNull({{handles, name}}));
  TSC_RETURN_IF_ERROR(checkLength(count, name));
  std::vector<IValue> values;
  values.reserve(count);
  for (size_t i = 0; i != count; ++i) {
    TSC_RETURN_IF_ERROR(checkNotNull({{handles[i], name}}));
    values.push_back(handles[i]->value);
  }
  return values;
}

/// The program whose types are in the values. InvalidArgument where there are two.
static StatusOr<Ref<tsc_program>> ownerOf(tsc_value *const *handles, size_t count, Ref<tsc_program> owner = {}) {
  for (size_t i = 0; i != count; ++i) {
    if (!handles[i]->owner)
      continue;
    if (owner && !owner->sharesTypesWith(*handles[i]->owner))
      return invalidArgument("a list, tuple or dict cannot hold values of two programs");
    owner = handles[i]->owner;
  }
  return owner;
}

/// Gives the host the value that `body` makes.
template <typename F> static tsc_error *makeValue(tsc_value **value, F &&body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    return body();
  });
}

/// A list of numbers, copied.
template <typename T> static tsc_error *makeNumbers(const T *elements, size_t size, tsc_value **value) {
  return makeValue(value, [&]() -> Status {
    if (size != 0)
      TSC_RETURN_IF_ERROR(checkNotNull({{elements, "elements"}}));
    TSC_RETURN_IF_ERROR(checkLength(size, "elements"));
    std::vector<T> copy(elements, elements + size);
    if constexpr (std::is_same_v<T, uint8_t>)
      for (uint8_t &element : copy)
        element = element != 0;
    *value = newValue(IValue(makeRef<ListValue<T>>(std::move(copy))), nullptr);
    return okStatus();
  });
}

tsc_error *tsc_value_new_int_list(const int64_t *elements, size_t size, tsc_value **value) {
  return makeNumbers(elements, size, value);
}
tsc_error *tsc_value_new_float_list(const double *elements, size_t size, tsc_value **value) {
  return makeNumbers(elements, size, value);
}
tsc_error *tsc_value_new_bool_list(const uint8_t *elements, size_t size, tsc_value **value) {
  return makeNumbers(elements, size, value);
}

tsc_error *tsc_value_new_tensor_list(tsc_value *const *elements, size_t size, tsc_value **value) {
  return makeValue(value, [&]() -> Status {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, valuesOf(elements, size, "elements"));
    std::vector<Tensor> tensors;
    for (size_t i = 0; i != size; ++i) {
      if (!values[i].isTensor())
        return wrongKind(elements[i], "a tensor");
      tensors.push_back(values[i].toTensor());
    }
    *value = newValue(IValue(std::move(tensors)), nullptr, anyUnrecorded(elements, size));
    return okStatus();
  });
}

tsc_error *tsc_value_new_list(tsc_value *const *elements, size_t size, tsc_value **value) {
  return makeValue(value, [&]() -> Status {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, valuesOf(elements, size, "elements"));
    TSC_ASSIGN_OR_RETURN(Ref<tsc_program> owner, ownerOf(elements, size));
    *value = newValue(IValue(makeRef<GenericList>(Type::anyType(), std::move(values))), owner,
                      anyUnrecorded(elements, size));
    return okStatus();
  });
}

tsc_error *tsc_value_new_tuple(tsc_value *const *elements, size_t size, tsc_value **value) {
  return makeValue(value, [&]() -> Status {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> values, valuesOf(elements, size, "elements"));
    TSC_ASSIGN_OR_RETURN(Ref<tsc_program> owner, ownerOf(elements, size));
    *value = newValue(makeTuple(std::move(values)), owner, anyUnrecorded(elements, size));
    return okStatus();
  });
}

static bool mayBeKey(const IValue &value) { return value.isScalar() || value.isString() || value.isTensor(); }

tsc_error *tsc_value_new_dict(tsc_value *const *keys, tsc_value *const *values, size_t size, tsc_value **value) {
  return makeValue(value, [&]() -> Status {
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> names, valuesOf(keys, size, "keys"));
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> elements, valuesOf(values, size, "values"));
    TSC_ASSIGN_OR_RETURN(Ref<tsc_program> owner, ownerOf(values, size));
    auto dict = makeRef<DictValue>(Type::anyType(), Type::anyType());
    for (size_t i = 0; i != size; ++i) {
      if (!mayBeKey(names[i]))
        return wrongKind(keys[i], "a string, a number or a tensor as key of a dict");
      dict->set(std::move(names[i]), std::move(elements[i]));
    }
    *value = newValue(IValue(std::move(dict)), owner, anyUnrecorded(values, size));
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// What a value is
//===----------------------------------------------------------------------===//

tsc_kind tsc_value_kind(const tsc_value *value) {
  if (!value)
    return TSC_KIND_INVALID;
  switch (value->value.getTag()) {
  case IValue::Tag::None: return TSC_KIND_NONE;
  case IValue::Tag::Bool: return TSC_KIND_BOOL;
  case IValue::Tag::Int: return TSC_KIND_INT;
  case IValue::Tag::Double: return TSC_KIND_FLOAT;
  case IValue::Tag::Complex: return TSC_KIND_COMPLEX;
  case IValue::Tag::String: return TSC_KIND_STRING;
  case IValue::Tag::Tensor: return TSC_KIND_TENSOR;
  case IValue::Tag::IntList:
  case IValue::Tag::DoubleList:
  case IValue::Tag::BoolList:
  case IValue::Tag::TensorList:
  case IValue::Tag::GenericList: return TSC_KIND_LIST;
  case IValue::Tag::Tuple: return TSC_KIND_TUPLE;
  case IValue::Tag::Dict: return TSC_KIND_DICT;
  case IValue::Tag::Object: return TSC_KIND_OBJECT;
  case IValue::Tag::Enum: return TSC_KIND_ENUM;
  case IValue::Tag::Device: return TSC_KIND_DEVICE;
  case IValue::Tag::Function:
  case IValue::Tag::Future:
  case IValue::Tag::Generator:
  case IValue::Tag::Capsule: return TSC_KIND_OTHER;
  }
  return TSC_KIND_OTHER;
}

const char *tsc_value_type_name(const tsc_value *value) {
  switch (tsc_value_kind(value)) {
  case TSC_KIND_NONE: return "NoneType";
  case TSC_KIND_BOOL: return "bool";
  case TSC_KIND_INT: return "int";
  case TSC_KIND_FLOAT: return "float";
  case TSC_KIND_COMPLEX: return "complex";
  case TSC_KIND_STRING: return "str";
  case TSC_KIND_TENSOR: return "Tensor";
  case TSC_KIND_LIST: return "list";
  case TSC_KIND_TUPLE: return "tuple";
  case TSC_KIND_DICT: return "dict";
  case TSC_KIND_OBJECT: return value->value.toObject().type->name().data(); // all of a string, which ends in a zero
  case TSC_KIND_ENUM: return value->value.toEnum().type->name().data();
  case TSC_KIND_DEVICE: return "device";
  case TSC_KIND_OTHER: return "object";
  case TSC_KIND_INVALID: return "";
  }
  return "";
}

Status capi::wrongKind(const tsc_value *value, const char *expected) {
  return invalidArgument("expected " + llvm::Twine(expected) + ", but the value is a '" + tsc_value_type_name(value) +
                         "'");
}

/// Reads something of a value that is there into an output that is.
template <typename Out, typename F> static tsc_error *read(const tsc_value *value, Out *out, F &&body) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{out, "result"}}));
    *out = Out();
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    return body(value->value);
  });
}

tsc_error *tsc_value_get_bool(const tsc_value *value, int *result) {
  return read(value, result, [&](const IValue &held) {
    if (!held.isBool())
      return wrongKind(value, "a bool");
    *result = held.toBool();
    return okStatus();
  });
}

tsc_error *tsc_value_get_int(const tsc_value *value, int64_t *result) {
  return read(value, result, [&](const IValue &held) {
    if (!held.isInt())
      return wrongKind(value, "an int");
    *result = held.toInt();
    return okStatus();
  });
}

tsc_error *tsc_value_get_float(const tsc_value *value, double *result) {
  return read(value, result, [&](const IValue &held) {
    if (!held.isDouble() && !held.isInt())
      return wrongKind(value, "a float");
    *result = held.isInt() ? static_cast<double>(held.toInt()) : held.toDouble();
    return okStatus();
  });
}

tsc_error *tsc_value_get_complex(const tsc_value *value, double *real, double *imaginary) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{real, "real"}, {imaginary, "imaginary"}}));
    *real = *imaginary = 0;
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    if (!value->value.isScalar())
      return wrongKind(value, "a number");
    std::complex<double> number = value->value.toScalar().toComplex();
    *real = number.real();
    *imaginary = number.imag();
    return okStatus();
  });
}

tsc_error *tsc_value_get_string(const tsc_value *value, const char **text, size_t *length) {
  if (length)
    *length = 0;
  return read(value, text, [&](const IValue &held) {
    if (!held.isString())
      return wrongKind(value, "a string");
    *text = held.toString().c_str();
    if (length)
      *length = held.toString().size();
    return okStatus();
  });
}

//===----------------------------------------------------------------------===//
// What is in it
//===----------------------------------------------------------------------===//

static StatusOr<size_t> sizeOf(const tsc_value *value) {
  const IValue &held = value->value;
  if (held.isList())
    return held.listSize();
  if (held.isTuple())
    return held.toTuple().elements.size();
  if (held.isDict())
    return held.toDict().size();
  return wrongKind(value, "a list, tuple or dict");
}

tsc_error *tsc_value_size(const tsc_value *value, size_t *size) {
  return read(value, size, [&](const IValue &) -> Status {
    TSC_ASSIGN_OR_RETURN(*size, sizeOf(value));
    return okStatus();
  });
}

tsc_error *tsc_value_element(const tsc_value *value, size_t index, tsc_value **element) {
  return read(value, element, [&](const IValue &held) -> Status {
    TSC_ASSIGN_OR_RETURN(size_t size, sizeOf(value));
    if (index >= size)
      return invalidArgument("there is no element " + llvm::Twine(index) + ": the " + tsc_value_type_name(value) +
                             " has " + llvm::Twine(size));
    IValue found;
    if (held.isDict()) {
      size_t position = 0;
      held.toDict().forEach([&](const IValue &key, const IValue &entry) {
        if (position++ == index)
          found = makeTuple({key, entry});
      });
    } else {
      found = held.isTuple() ? held.toTuple().elements[index] : held.listElement(index);
    }
    *element = partOf(value, std::move(found));
    return okStatus();
  });
}

tsc_error *tsc_value_items(const tsc_value *value, tsc_value **items) {
  return read(value, items, [&](const IValue &held) {
    if (!held.isDict())
      return wrongKind(value, "a dict");
    std::vector<IValue> entries;
    held.toDict().forEach([&](const IValue &key, const IValue &entry) { entries.push_back(makeTuple({key, entry})); });
    *items = partOf(value, makeTuple(std::move(entries)));
    return okStatus();
  });
}

static std::string textOf(const IValue &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  reprValue(os, value);
  return text;
}

tsc_error *tsc_value_lookup(const tsc_value *value, const tsc_value *key, tsc_value **found) {
  return read(value, found, [&](const IValue &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{key, "key"}}));
    if (!held.isDict())
      return wrongKind(value, "a dict");
    if (!mayBeKey(key->value))
      return wrongKind(key, "a string, a number or a tensor as key of a dict");
    const IValue *entry = held.toDict().find(key->value);
    if (!entry)
      return notFound("the dict has no key " + textOf(key->value));
    *found = partOf(value, *entry);
    return okStatus();
  });
}

/// A part of a value by its name; null when there is none.
static const IValue *findPart(const IValue &value, llvm::StringRef name, IValue &scratch) {
  if (value.isObject()) {
    const ObjectValue &object = value.toObject();
    auto slot = object.type->findAttribute(name);
    return slot && *slot < object.slots.size() ? &object.slots[*slot] : nullptr;
  }
  if (value.isEnum()) {
    if (name == "name")
      return &(scratch = IValue(value.toEnum().name));
    return name == "value" ? &value.toEnum().value : nullptr;
  }
  const TupleValue &tuple = value.toTuple();
  if (tuple.type)
    for (size_t i = 0; i != std::min(tuple.type->fieldNames().size(), tuple.elements.size()); ++i)
      if (tuple.type->fieldNames()[i] == name)
        return &tuple.elements[i];
  return nullptr;
}

tsc_error *tsc_value_attribute(const tsc_value *value, const char *name, tsc_value **attribute) {
  return read(value, attribute, [&](const IValue &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{name, "name"}}));
    if (!held.isObject() && !held.isTuple() && !held.isEnum())
      return wrongKind(value, "an object, a NamedTuple or a member of an enumeration");
    IValue scratch;
    const IValue *part = findPart(held, name, scratch);
    if (!part)
      return notFound("the value, a '" + llvm::Twine(tsc_value_type_name(value)) + "', has no attribute '" + name +
                      "'");
    *attribute = partOf(value, *part);
    return okStatus();
  });
}

tsc_error *tsc_value_get_int_list(const tsc_value *value, const int64_t **elements, size_t *size) {
  if (size)
    *size = 0;
  return read(value, elements, [&](const IValue &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{size, "size"}}));
    if (!held.isIntList())
      return wrongKind(value, "a List[int]");
    *elements = held.toIntList().elements.data();
    *size = held.toIntList().elements.size();
    return okStatus();
  });
}

tsc_error *tsc_value_get_float_list(const tsc_value *value, const double **elements, size_t *size) {
  if (size)
    *size = 0;
  return read(value, elements, [&](const IValue &held) -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{size, "size"}}));
    if (!held.isDoubleList())
      return wrongKind(value, "a List[float]");
    *elements = held.toDoubleList().elements.data();
    *size = held.toDoubleList().elements.size();
    return okStatus();
  });
}

tsc_error *tsc_value_print(const tsc_value *value, tsc_value **text) {
  return read(value, text, [&](const IValue &held) {
    *text = newValue(IValue(textOf(held)), nullptr);
    return okStatus();
  });
}
