//===- IValue.cpp - A value of any TorchScript type -----------------------===//
#include "tsc/IR/IValue.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Copies.h"
#include "tsc/Support/Stack.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/ADT/DenseMap.h"

using namespace tsc;
using llvm::cast;

IValue::IValue(const tsc::Scalar &v) : IValue() {
  switch (v.kind()) {
  case Scalar::Kind::Bool: *this = IValue(v.toBool()); break;
  case Scalar::Kind::Int: *this = IValue(v.toInt()); break;
  case Scalar::Kind::Double: *this = IValue(v.toDouble()); break;
  case Scalar::Kind::Complex: *this = IValue(v.toComplex()); break;
  }
}

IValue::IValue(Ref<GenericList> v) : IValue(Tag::GenericList, v.take()) {}
IValue::IValue(Ref<TupleValue> v) : IValue(Tag::Tuple, v.take()) {}
IValue::IValue(Ref<DictValue> v) : IValue(Tag::Dict, v.take()) {}
IValue::IValue(Ref<ObjectValue> v) : IValue(Tag::Object, v.take()) {}
IValue::IValue(Ref<EnumValue> v) : IValue(Tag::Enum, v.take()) {}
IValue::IValue(Ref<FutureValue> v) : IValue(Tag::Future, v.take()) {}
IValue::IValue(Ref<GeneratorValue> v) : IValue(Tag::Generator, v.take()) {}

void tsc::releaseElements(std::vector<IValue> &elements) {
  constexpr unsigned maxDepth = 256;
  static thread_local unsigned depth = 0;
  static thread_local std::vector<IValue> *waiting = nullptr; // of the outermost container
  if (elements.empty())
    return;
  if (depth == maxDepth || (depth % 8 == 7 && !mayRecurse())) {
    memory::AccountScope uncounted(nullptr); // a destructor must not fail
    try {
      waiting->reserve(waiting->size() + elements.size());
    } catch (const std::bad_alloc &) { // what cannot wait is never released
      alignas(std::vector<IValue>) char kept[sizeof(std::vector<IValue>)];
      new (kept) std::vector<IValue>(std::move(elements));
      return;
    }
    waiting->insert(waiting->end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
    return elements.clear();
  }
  std::vector<IValue> outermost;
  if (depth++ == 0)
    waiting = &outermost;
  elements.clear();
  while (!outermost.empty()) { // filled only where depth was 0
    IValue next = std::move(outermost.back());
    outermost.pop_back();
  }
  --depth;
}

tsc::Scalar IValue::toScalar() const {
  assert(isScalar());
  switch (tag) {
  case Tag::Bool: return toBool();
  case Tag::Int: return toInt();
  case Tag::Double: return toDouble();
  default: return toComplex();
  }
}

GenericList &IValue::toGenericList() const {
  assert(isGenericList());
  return *static_cast<GenericList *>(payload.p);
}
TupleValue &IValue::toTuple() const {
  assert(isTuple());
  return *static_cast<TupleValue *>(payload.p);
}
DictValue &IValue::toDict() const {
  assert(isDict());
  return *static_cast<DictValue *>(payload.p);
}
ObjectValue &IValue::toObject() const {
  assert(isObject());
  return *static_cast<ObjectValue *>(payload.p);
}
EnumValue &IValue::toEnum() const {
  assert(isEnum());
  return *static_cast<EnumValue *>(payload.p);
}
FutureValue &IValue::toFuture() const {
  assert(isFuture());
  return *static_cast<FutureValue *>(payload.p);
}
GeneratorValue &IValue::toGenerator() const {
  assert(isGenerator());
  return *static_cast<GeneratorValue *>(payload.p);
}

size_t IValue::listSize() const {
  assert(isList() && "a list has a size");
  switch (tag) {
  case Tag::IntList: return toIntList().elements.size();
  case Tag::DoubleList: return toDoubleList().elements.size();
  case Tag::BoolList: return toBoolList().elements.size();
  case Tag::TensorList: return toTensorList().elements.size();
  default: return toGenericList().elements.size();
  }
}

IValue IValue::listElement(size_t index) const {
  assert(isList() && index < listSize() && "an element of the list");
  switch (tag) {
  case Tag::IntList: return toIntList().elements[index];
  case Tag::DoubleList: return toDoubleList().elements[index];
  case Tag::BoolList: return toBoolList().elements[index] != 0;
  case Tag::TensorList: return toTensorList().elements[index];
  default: return toGenericList().elements[index];
  }
}

bool IValue::isSameAs(const IValue &other) const {
  if (tag != other.tag)
    return false;
  switch (tag) {
  case Tag::None: return true;
  case Tag::Double: return payload.d == other.payload.d;
  case Tag::Complex: return toComplex() == other.toComplex();
  case Tag::Device: return toDevice() == other.toDevice();
  case Tag::Function: return payload.f == other.payload.f;
  case Tag::Bool:
  case Tag::Int: return payload.i == other.payload.i;
  default: return payload.p == other.payload.p;
  }
}

const Type *IValue::dynamicType(Context &context) const {
  switch (tag) {
  case Tag::None: return Type::noneType();
  case Tag::Bool: return Type::boolType();
  case Tag::Int: return Type::intType();
  case Tag::Double: return Type::floatType();
  case Tag::Device: return Type::deviceType();
  case Tag::Function: return context.functionType(payload.f);
  case Tag::Tensor: return Type::tensorType();
  case Tag::Complex: return Type::complexType();
  case Tag::String: return Type::stringType();
  case Tag::IntList: return context.listOf(Type::intType());
  case Tag::DoubleList: return context.listOf(Type::floatType());
  case Tag::BoolList: return context.listOf(Type::boolType());
  case Tag::TensorList: return context.listOf(Type::tensorType());
  case Tag::GenericList: return context.listOf(toGenericList().elementType);
  case Tag::Tuple: {
    const TupleValue &tuple = toTuple();
    if (tuple.type)
      return tuple.type;
    llvm::SmallVector<const Type *, 4> types;
    for (const IValue &element : tuple.elements)
      types.push_back(element.dynamicType(context));
    return context.tupleOf(types);
  }
  case Tag::Dict: return context.dictOf(toDict().keyType, toDict().valueType);
  case Tag::Object: return toObject().type;
  case Tag::Enum: return toEnum().type;
  case Tag::Future: return context.futureOf(toFuture().value.dynamicType(context));
  case Tag::Generator: return Type::generatorType();
  case Tag::Capsule: return Type::capsuleType();
  }
  return Type::anyType();
}

IValue tsc::makeList(const Type *elementType, size_t reserve) {
  assert(elementType && "a list knows its element type");
  auto make = [&](auto list) {
    list->elements.reserve(reserve);
    return IValue(std::move(list));
  };
  switch (elementType->kind()) {
  case TypeKind::Int: return make(makeRef<IntList>());
  case TypeKind::Float: return make(makeRef<DoubleList>());
  case TypeKind::Bool: return make(makeRef<BoolList>());
  case TypeKind::Tensor: return make(makeRef<TensorList>());
  default: return make(makeRef<GenericList>(elementType));
  }
}

void tsc::appendToList(const IValue &list, IValue element) {
  assert(list.isList() && "elements go to lists");
  switch (list.getTag()) {
  case IValue::Tag::IntList:
    list.toIntList().elements.push_back(element.toInt());
    list.toIntList().noteSize();
    break;
  case IValue::Tag::DoubleList:
    list.toDoubleList().elements.push_back(element.toDouble());
    list.toDoubleList().noteSize();
    break;
  case IValue::Tag::BoolList:
    list.toBoolList().elements.push_back(element.toBool());
    list.toBoolList().noteSize();
    break;
  case IValue::Tag::TensorList:
    list.toTensorList().elements.push_back(element.toTensor());
    list.toTensorList().noteSize();
    break;
  default: list.toGenericList().elements.push_back(std::move(element)); break;
  }
}

IValue tsc::makeTuple(std::vector<IValue> elements, const TupleType *type) {
  return IValue(makeRef<TupleValue>(std::move(elements), type));
}

//===-- Copies -----------------------------------------------------------------===//

namespace {
/// Copies a value and what it holds, but for what stays shared, keeping sharing inside it.
class DeepCopier {
public:
  explicit DeepCopier(llvm::function_ref<bool(const IValue &)> staysShared = nullptr) : staysShared(staysShared) {}

  IValue copy(const IValue &value) {
    if (!value.isCounted() || (staysShared && staysShared(value)))
      return value;
    if (auto found = done.find(value.counted()); found != done.end())
      return found->second;
    IValue result = make(value);
    done[value.counted()] = result;
    return result;
  }

private:
  std::vector<IValue> copyAll(const std::vector<IValue> &values) {
    std::vector<IValue> out;
    out.reserve(values.size());
    for (const IValue &value : values)
      out.push_back(copy(value));
    return out;
  }
  /// The same view of a copy of the whole storage, which views share as before. A tensor that cannot be copied (no
  /// memory) stays shared.
  Tensor copyTensor(const Tensor &tensor) {
    if (!tensor.defined() || !tensor.get()->storage)
      return tensor;
    Ref<Storage> &copied = storages[tensor.get()->storage.get()];
    if (!copied) {
      auto cloned = tensor.get()->storage->clone();
      if (!cloned.ok())
        return tensor;
      copied = *std::move(cloned);
    }
    Tensor result = tensor.alias(tensor.sizes(), tensor.strides(), tensor.storageOffset());
    result.get()->storage = copied;
    return result;
  }
  IValue make(const IValue &value);

  const llvm::function_ref<bool(const IValue &)> staysShared;
  llvm::DenseMap<RefCounted *, IValue> done;
  llvm::DenseMap<const Storage *, Ref<Storage>> storages;
};
} // namespace

IValue DeepCopier::make(const IValue &value) {
  requireStack();
  switch (value.getTag()) {
  case IValue::Tag::Tensor: return copyTensor(value.toTensor());
  case IValue::Tag::IntList: return makeRef<IntList>(value.toIntList().elements);
  case IValue::Tag::DoubleList: return makeRef<DoubleList>(value.toDoubleList().elements);
  case IValue::Tag::BoolList: return makeRef<BoolList>(value.toBoolList().elements);
  case IValue::Tag::TensorList: {
    auto list = makeRef<TensorList>();
    for (const Tensor &tensor : value.toTensorList().elements)
      list->elements.push_back(copy(IValue(tensor)).toTensor());
    return list;
  }
  case IValue::Tag::GenericList:
    return makeRef<GenericList>(value.toGenericList().elementType, copyAll(value.toGenericList().elements));
  case IValue::Tag::Tuple: return makeTuple(copyAll(value.toTuple().elements), value.toTuple().type);
  case IValue::Tag::Dict: {
    auto dict = makeRef<DictValue>(value.toDict().keyType, value.toDict().valueType);
    value.toDict().forEach([&](const IValue &key, const IValue &entry) { dict->set(copy(key), copy(entry)); });
    return dict;
  }
  case IValue::Tag::Object: {
    const ObjectValue &object = value.toObject();
    auto result = makeRef<ObjectValue>(object.type, object.slots.size());
    done[value.counted()] = IValue(result); // an object may refer to itself
    for (size_t i = 0; i != object.slots.size(); ++i)
      result->slots[i] = copy(object.slots[i]);
    return result;
  }
  default: return value; // immutable, or an identity
  }
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

void ObjectValue::setSlot(size_t slot, IValue value) {
  if (slot >= slots.size())
    slots.resize(slot + 1);
  slots[slot] = std::move(value);
}
void ObjectValue::unsafeRemoveSlot(size_t slot) {
  assert(slot < slots.size() && "the object has the slot");
  slots.erase(slots.begin() + slot);
}
const IValue *ObjectValue::findAttribute(llvm::StringRef name) const {
  std::optional<unsigned> slot = type->findAttribute(name);
  return slot && *slot < slots.size() ? &slots[*slot] : nullptr;
}
void ObjectValue::setAttribute(llvm::StringRef name, IValue value) {
  std::optional<unsigned> slot = type->findAttribute(name);
  assert(slot && "the class has the attribute");
  setSlot(*slot, std::move(value));
}
void ObjectValue::unsafeRemoveAttribute(llvm::StringRef name) {
  std::optional<unsigned> slot = type->findAttribute(name);
  assert(slot && "the class has the attribute");
  unsafeRemoveSlot(*slot);
}
llvm::StringRef ObjectValue::name() const { return type->name(); }
Ref<ObjectValue> ObjectValue::copy() const {
  auto made = makeRef<ObjectValue>(type, 0);
  made->slots = slots;
  return made;
}

IValue tsc::deepCopy(const IValue &value) { return DeepCopier().copy(value); }

IValue tsc::copyUnless(const IValue &value, llvm::function_ref<bool(const IValue &)> shared) {
  return DeepCopier(shared).copy(value);
}

IValue tsc::copyContainers(const IValue &value) {
  return copyUnless(value, [](const IValue &v) { return !v.isList() && !v.isTuple() && !v.isDict(); });
}

//===-- Comparison ---------------------------------------------------------------===//
//
// Containers may share what is in them, so that a comparison may take any time: one of a call that is to end says
// false.

static bool equalLists(const IValue &a, const IValue &b) {
  requireStack();
  size_t size = a.listSize();
  if (size != b.listSize())
    return false;
  for (size_t i = 0; i != size; ++i)
    if (!valuesEqual(a.listElement(i), b.listElement(i)))
      return false;
  return true;
}

static bool equalDicts(const DictValue &a, const DictValue &b) {
  requireStack();
  bool equal = a.size() == b.size();
  a.forEach([&](const IValue &key, const IValue &value) {
    const IValue *other = equal ? b.find(key) : nullptr;
    equal = other && valuesEqual(value, *other);
  });
  return equal;
}

static bool equalTexts(const std::string &a, const std::string &b) {
  constexpr size_t bytesAtOnce = 64;
  work::LongLoop turns(static_cast<int64_t>(std::min(a.size(), b.size()) / bytesAtOnce));
  return a.size() == b.size() && turns.goOn() && a == b;
}

bool tsc::valuesEqual(const IValue &a, const IValue &b) {
  if (a.isScalar() && b.isScalar()) {
    if (a.isComplex() || b.isComplex())
      return a.toScalar().toComplex() == b.toScalar().toComplex();
    if (a.isDouble() || b.isDouble())
      return a.toScalar().toDouble() == b.toScalar().toDouble();
    return a.toScalar().toInt() == b.toScalar().toInt();
  }
  if (!work::LongLoop().goOn())
    return false;
  if (a.isList() && b.isList())
    return equalLists(a, b);
  if (a.getTag() != b.getTag())
    return false;
  switch (a.getTag()) {
  case IValue::Tag::String: return equalTexts(a.toString(), b.toString());
  case IValue::Tag::Tuple: {
    requireStack();
    const auto &left = a.toTuple().elements, &right = b.toTuple().elements;
    return left.size() == right.size() && llvm::all_of(llvm::zip(left, right), [](auto pair) {
             return valuesEqual(std::get<0>(pair), std::get<1>(pair));
           });
  }
  case IValue::Tag::Dict: return equalDicts(a.toDict(), b.toDict());
  case IValue::Tag::Enum: return a.toEnum().type == b.toEnum().type && a.toEnum().name == b.toEnum().name;
  default: return a.isSameAs(b);
  }
}

static bool isContainer(TypeKind kind) {
  return kind == TypeKind::List || kind == TypeKind::Dict || kind == TypeKind::Tuple || kind == TypeKind::Optional ||
         kind == TypeKind::Union;
}

static bool isPlainInstanceOf(const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::Any: return true;
  case TypeKind::Number: return value.isScalar();
  case TypeKind::Int:
  case TypeKind::SymInt:
  case TypeKind::ScalarType:
  case TypeKind::Layout:
  case TypeKind::MemoryFormat:
  case TypeKind::QScheme: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Complex: return value.isComplex();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::String: return value.isString();
  case TypeKind::None: return value.isNone();
  case TypeKind::Device: return value.isDevice();
  case TypeKind::Generator: return value.isGenerator();
  case TypeKind::Capsule: return value.isCapsule();
  case TypeKind::AnyList: return value.isList();
  case TypeKind::AnyTuple: return value.isTuple();
  case TypeKind::AnyClass: return value.isObject();
  case TypeKind::AnyEnum: return value.isEnum();
  case TypeKind::Tensor: return value.isTensor();
  case TypeKind::List:
  case TypeKind::Dict:
  case TypeKind::Tuple:
  case TypeKind::Optional:
  case TypeKind::Union: break; // InstanceCheck
  case TypeKind::Future:
  case TypeKind::Await: return value.isFuture();
  case TypeKind::Function: return value.isFunction() && cast<FunctionType>(type)->function() == value.toFunction();
  case TypeKind::Class: return value.isObject() && value.toObject().type == type;
  case TypeKind::Interface: return value.isObject() && value.toObject().type->isSubtypeOf(type);
  case TypeKind::Enum: return value.isEnum() && value.toEnum().type == type;
  case TypeKind::Stream:
  case TypeKind::Storage:
  case TypeKind::Quantizer:
  case TypeKind::PyObject:
  case TypeKind::RRef:
  case TypeKind::Var: return false;
  }
  assert(false && "a container");
  return false;
}

namespace {
/// Answers isInstanceOf for one value. Values may hold a part twice that holds another one twice, and so may types that
/// are named, so that the ways through them double with each step; a walk that turns out to be long looks at each pair
/// of a value and a type once.
class InstanceCheck {
public:
  bool check(const IValue &value, const Type *type);

private:
  bool isContainerOf(const IValue &value, const Type *type);
  bool isListOf(const IValue &value, const Type *element);
  bool isDictOf(const DictValue &dict, const DictType *type);
  bool isTupleOf(const TupleValue &tuple, const TupleType *type);

  static constexpr unsigned maxUnmarked = 1000; ///< Steps of a walk that remembers nothing.
  unsigned steps = 0;
  std::optional<llvm::DenseMap<std::pair<const RefCounted *, const Type *>, bool>> known;
};
} // namespace

bool InstanceCheck::isListOf(const IValue &value, const Type *element) {
  switch (value.getTag()) {
  case IValue::Tag::IntList: return element->isInt();
  case IValue::Tag::DoubleList: return element->isFloat();
  case IValue::Tag::BoolList: return element->isBool();
  case IValue::Tag::TensorList: return element->isTensor();
  case IValue::Tag::GenericList: break;
  default: return false;
  }
  const GenericList &list = value.toGenericList();
  if (list.elementType == element || list.elementType->isSubtypeOf(element))
    return true;
  return list.elementType->isAny() && llvm::all_of(list.elements, [&](const IValue &e) { return check(e, element); });
}

bool InstanceCheck::isDictOf(const DictValue &dict, const DictType *type) {
  if (dict.keyType == type->key() && dict.valueType->isSubtypeOf(type->value()))
    return true;
  bool fits = dict.keyType->isAny() || dict.valueType->isAny();
  dict.forEach([&](const IValue &key, const IValue &value) {
    fits = fits && check(key, type->key()) && check(value, type->value());
  });
  return fits;
}

bool InstanceCheck::isTupleOf(const TupleValue &tuple, const TupleType *type) {
  if (type->isNamed() && tuple.type != type)
    return false;
  return tuple.elements.size() == type->elements().size() &&
         llvm::all_of(llvm::zip(tuple.elements, type->elements()),
                      [this](auto pair) { return check(std::get<0>(pair), std::get<1>(pair)); });
}

bool InstanceCheck::isContainerOf(const IValue &value, const Type *type) {
  switch (type->kind()) {
  case TypeKind::List: return isListOf(value, cast<ListType>(type)->element());
  case TypeKind::Dict: return value.isDict() && isDictOf(value.toDict(), cast<DictType>(type));
  case TypeKind::Tuple: return value.isTuple() && isTupleOf(value.toTuple(), cast<TupleType>(type));
  case TypeKind::Optional: return value.isNone() || check(value, cast<OptionalType>(type)->element());
  default:
    return llvm::any_of(cast<UnionType>(type)->members(), [&](const Type *member) { return check(value, member); });
  }
}

bool InstanceCheck::check(const IValue &value, const Type *type) {
  if (!isContainer(type->kind()))
    return isPlainInstanceOf(value, type);
  if (!value.isCounted() || ++steps <= maxUnmarked)
    return isContainerOf(value, type);
  if (!known)
    known.emplace();
  const std::pair<const RefCounted *, const Type *> key(value.counted(), type);
  if (auto found = known->find(key); found != known->end())
    return found->second;
  const bool is = isContainerOf(value, type);
  known->insert({key, is});
  return is;
}

bool tsc::isInstanceOf(const IValue &value, const Type *type) {
  return isContainer(type->kind()) ? InstanceCheck().check(value, type) : isPlainInstanceOf(value, type);
}
