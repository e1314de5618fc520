//===- Context.cpp - Owner of types, symbols, operators -------------------===//
#include "tsc/IR/Context.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/Source.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/Allocator.h"
#include <map>
#include <shared_mutex>
#include <unordered_map>
using namespace tsc;

namespace {
struct FactsHash {
  size_t operator()(const TensorFacts &f) const {
    auto hashDims = [](const auto &dims) {
      llvm::hash_code h = llvm::hash_value(dims.has_value());
      if (dims)
        for (Dimension d : *dims)
          h = llvm::hash_combine(h, d.value(), d.isKnown(), d.isSymbolic());
      return h;
    };
    return llvm::hash_combine(
        f.dtype ? int(*f.dtype) : -1, f.device ? int(f.device->kind) * 64 + f.device->index : -100,
        f.requiresGrad ? int(*f.requiresGrad) : 2, hashDims(f.sizes), hashDims(f.strides), f.undefined, f.inferred);
  }
};
using TypeList = std::vector<const Type *>;
} // namespace

struct Context::Impl {
  std::recursive_mutex mutex;
  llvm::BumpPtrAllocator strings;
  llvm::DenseMap<StringRef, const detail::SymbolEntry *> symbols;
  std::vector<std::unique_ptr<detail::SymbolEntry>> ownSymbols;

  llvm::DenseMap<const Type *, std::unique_ptr<ListType>> lists;
  llvm::DenseMap<const Type *, std::unique_ptr<OptionalType>> optionals;
  llvm::DenseMap<const Type *, std::unique_ptr<FutureType>> futures;
  llvm::DenseMap<const Type *, std::unique_ptr<AwaitType>> awaits;
  llvm::DenseMap<const Type *, std::unique_ptr<RRefType>> rrefs;
  llvm::DenseMap<std::pair<const Type *, const Type *>, std::unique_ptr<DictType>> dicts;
  llvm::DenseMap<const Function *, std::unique_ptr<FunctionType>> functions;
  std::map<TypeList, std::unique_ptr<TupleType>> tuples;
  std::map<TypeList, std::unique_ptr<UnionType>> unions;
  std::unordered_map<TensorFacts, std::unique_ptr<TensorType>, FactsHash> tensors;
  llvm::StringMap<std::unique_ptr<VarType>> variables;
  llvm::StringMap<std::unique_ptr<ClassType>> classes;
  llvm::StringMap<std::unique_ptr<InterfaceType>> interfaces;
  llvm::StringMap<std::unique_ptr<EnumType>> enums;
  llvm::StringMap<std::vector<std::unique_ptr<TupleType>>> namedTuples; ///< Several of one name where fields differ.
};

struct Context::Extensions {
  std::mutex mutex;
  llvm::DenseMap<const void *, std::unique_ptr<ContextExtension>> byKey;
};
ContextExtension::~ContextExtension() = default;

ContextExtension &Context::extension(const void *key, MakeExtension make) {
  std::lock_guard lock(extensions->mutex);
  std::unique_ptr<ContextExtension> &found = extensions->byKey[key];
  if (!found)
    found = make(*this);
  return *found;
}

Context::Context()
    : impl(std::make_unique<Impl>()), sourceManager(std::make_unique<SourceManager>()),
      extensions(std::make_unique<Extensions>()) {
  impl->symbols.reserve(2 * static_cast<unsigned>(SymbolId::NumBuiltin));
  for (unsigned i = 1; i != static_cast<unsigned>(SymbolId::NumBuiltin); ++i)
    impl->symbols[detail::builtinSymbols[i].qualified] = &detail::builtinSymbols[i];
  operatorTable = std::make_unique<OperatorTable>(*this);
}
Context::~Context() = default;

Symbol Context::symbol(StringRef qualified) {
  std::lock_guard lock(impl->mutex);
  if (const detail::SymbolEntry *known = impl->symbols.lookup(qualified))
    return Symbol(known);
  size_t colons = qualified.find("::");
  assert(colons != StringRef::npos && colons < UINT16_MAX && "a symbol is ns::name");
  // With a zero behind it: call sites name operators by C strings.
  char *copy = impl->strings.Allocate<char>(qualified.size() + 1);
  llvm::copy(qualified, copy);
  copy[qualified.size()] = '\0';
  StringRef text(copy, qualified.size());
  auto &entry = impl->ownSymbols.emplace_back(
      std::make_unique<detail::SymbolEntry>(text, static_cast<uint16_t>(colons), SymbolId::Other));
  impl->symbols[text] = entry.get();
  return Symbol(entry.get());
}

Symbol Context::symbol(StringRef ns, StringRef name) { return symbol((ns + "::" + name).str()); }

/// The entry of `key`, made by `make` when it is new.
template <typename Map, typename Key, typename Make> static auto *unique(Map &map, Key &&key, Make &&make) {
  if (auto known = map.find(key); known != map.end() && known->second)
    return known->second.get();
  auto made = make();
  return (map[key] = std::move(made)).get();
}

#define TSC_ELEMENT_TYPE(FUNCTION, TABLE, NAME)                                                                        \
  const Type *Context::FUNCTION(const Type *element) {                                                                 \
    assert(element && "elements have a type");                                                                         \
    std::lock_guard lock(impl->mutex);                                                                                 \
    return unique(impl->TABLE, element, [&] { return std::make_unique<NAME##Type>(element); });                        \
  }
TSC_ELEMENT_TYPE(listOf, lists, List)
TSC_ELEMENT_TYPE(futureOf, futures, Future)
TSC_ELEMENT_TYPE(awaitOf, awaits, Await)
TSC_ELEMENT_TYPE(rrefOf, rrefs, RRef)
#undef TSC_ELEMENT_TYPE

const Type *Context::optionalOf(const Type *element) {
  assert(element && "the value may be something");
  // Any has None among its values, but Optional[Any] is a type of its own: PyTorch takes `x is not None` as true
  // where x is an Any.
  if (isa<OptionalType>(element) || element->isNone())
    return element;
  if (isa<UnionType>(element)) {
    llvm::SmallVector<const Type *, 4> members(element->contained());
    members.push_back(Type::noneType());
    return unionOf(members);
  }
  std::lock_guard lock(impl->mutex);
  return unique(impl->optionals, element, [&] { return std::make_unique<OptionalType>(element); });
}

const Type *Context::dictOf(const Type *key, const Type *value) {
  assert(key && value && "keys and values have types");
  std::lock_guard lock(impl->mutex);
  return unique(impl->dicts, std::pair(key, value), [&] { return std::make_unique<DictType>(key, value); });
}

const TupleType *Context::tupleOf(ArrayRef<const Type *> elements) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->tuples, elements.vec(), [&] {
    return std::make_unique<TupleType>(llvm::SmallVector<const Type *, 4>(elements), "", std::vector<std::string>());
  });
}

const TupleType *Context::namedTuple(StringRef name, ArrayRef<std::string> fields, ArrayRef<const Type *> types) {
  assert(fields.size() == types.size() && "a name for each element");
  std::lock_guard lock(impl->mutex);
  if (auto known = impl->namedTuples.find(name); known != impl->namedTuples.end())
    for (auto &tuple : known->second)
      if (tuple->fieldNames() == fields && tuple->elements() == types)
        return tuple.get();
  auto made = std::make_unique<TupleType>(llvm::SmallVector<const Type *, 4>(types), name.str(), fields.vec());
  return impl->namedTuples[name].emplace_back(std::move(made)).get();
}

const TupleType *Context::findNamedTuple(StringRef name) {
  std::lock_guard lock(impl->mutex);
  auto it = impl->namedTuples.find(name);
  return it == impl->namedTuples.end() || it->second.empty() ? nullptr : it->second.front().get();
}

/// Adds a member to a union: nested unions are flattened, and of two where one is a subtype of the other the wider
/// stays.
static void addMember(llvm::SmallVectorImpl<const Type *> &members, const Type *type) {
  if (isa<UnionType>(type)) {
    for (const Type *inner : type->contained())
      addMember(members, inner);
    return;
  }
  if (auto *optional = dyn_cast<OptionalType>(type)) {
    addMember(members, optional->element());
    addMember(members, Type::noneType());
    return;
  }
  for (const Type *&member : members) {
    if (type->isSubtypeOf(member))
      return;
    if (member->isSubtypeOf(type)) {
      member = type;
      return;
    }
  }
  members.push_back(type);
}

/// The place of types of a kind among the members of a union, which is PyTorch's. Kinds that are not listed come last.
static size_t placeInUnion(TypeKind kind) {
  static constexpr TypeKind order[] = {
      TypeKind::Any,      TypeKind::Enum,        TypeKind::AnyEnum,   TypeKind::Tensor,   TypeKind::Storage,
      TypeKind::Tuple,    TypeKind::List,        TypeKind::Dict,      TypeKind::Number,   TypeKind::Float,
      TypeKind::Complex,  TypeKind::Future,      TypeKind::RRef,      TypeKind::Int,      TypeKind::None,
      TypeKind::String,   TypeKind::Generator,   TypeKind::Quantizer, TypeKind::Bool,     TypeKind::Optional,
      TypeKind::Var,      TypeKind::Device,      TypeKind::Stream,    TypeKind::Function, TypeKind::Class,
      TypeKind::PyObject, TypeKind::Capsule,     TypeKind::Interface, TypeKind::QScheme,  TypeKind::ScalarType,
      TypeKind::Layout,   TypeKind::MemoryFormat};
  return llvm::find(order, kind) - std::begin(order);
}

/// Sorts members, so that unions of the same types are one type, however they were written. An int, a float and a
/// complex become a number.
static void standardize(llvm::SmallVectorImpl<const Type *> &members) {
  const Type *numbers[] = {Type::intType(), Type::floatType(), Type::complexType()};
  const bool hasAll = llvm::all_of(numbers, [&](const Type *one) { return llvm::is_contained(members, one); });
  const size_t others = members.size() - std::size(numbers) - llvm::is_contained(members, Type::noneType());
  if (hasAll && others == 0) { // beside further types PyTorch leaves the three apart
    llvm::erase_if(members, [&](const Type *one) { return llvm::is_contained(numbers, one); });
    members.push_back(Type::numberType());
  }
  llvm::stable_sort(members, [](const Type *a, const Type *b) {
    const size_t first = placeInUnion(a->kind()), second = placeInUnion(b->kind());
    return first != second ? first < second : a != b && a->str() < b->str();
  });
}

const Type *Context::unionOf(ArrayRef<const Type *> given) {
  assert(!given.empty() && "a union of something");
  llvm::SmallVector<const Type *, 4> members;
  for (const Type *type : given)
    addMember(members, type);
  standardize(members);
  if (members.size() == 1)
    return members.front();
  if (members.size() == 2) {
    if (members[0]->isNone())
      return optionalOf(members[1]);
    if (members[1]->isNone())
      return optionalOf(members[0]);
  }
  std::lock_guard lock(impl->mutex);
  return unique(impl->unions, ArrayRef(members).vec(), [&] { return std::make_unique<UnionType>(members); });
}

const Type *Context::withContained(const Type *type, ArrayRef<const Type *> parts) {
  assert(parts.size() == type->contained().size() && "as many as there were");
  if (parts == type->contained())
    return type;
  switch (type->kind()) {
  case TypeKind::List: return listOf(parts[0]);
  case TypeKind::Optional: return optionalOf(parts[0]);
  case TypeKind::Future: return futureOf(parts[0]);
  case TypeKind::Await: return awaitOf(parts[0]);
  case TypeKind::RRef: return rrefOf(parts[0]);
  case TypeKind::Dict: return dictOf(parts[0], parts[1]);
  case TypeKind::Union: return unionOf(parts);
  case TypeKind::Tuple: {
    const auto *tuple = cast<TupleType>(type);
    return tuple->isNamed() ? namedTuple(tuple->name(), tuple->fieldNames(), parts) : tupleOf(parts);
  }
  default: llvm_unreachable("other types contain none");
  }
}

const Type *Context::mapContained(const Type *type, llvm::function_ref<const Type *(const Type *)> map) {
  llvm::SmallVector<const Type *, 4> parts;
  for (const Type *part : type->contained())
    if (const Type *mapped = map(part))
      parts.push_back(mapped);
    else
      return nullptr;
  return withContained(type, parts);
}

const Type *Context::typeVariable(StringRef name) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->variables, name, [&] { return std::make_unique<VarType>(name.str()); });
}

const TensorType *Context::tensor(const TensorFacts &facts) {
  if (facts == TensorFacts())
    return cast<TensorType>(Type::tensorType());
  if (facts == cast<TensorType>(Type::inferredTensorType())->facts())
    return cast<TensorType>(Type::inferredTensorType());
  std::lock_guard lock(impl->mutex);
  return unique(impl->tensors, facts, [&] { return std::make_unique<TensorType>(facts); });
}

const Type *Context::functionType(const Function *function) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->functions, function, [&] { return std::make_unique<FunctionType>(function); });
}

ClassType *Context::classType(StringRef name) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->classes, name, [&] { return std::make_unique<ClassType>(name.str(), false); });
}

InterfaceType *Context::createInterface(StringRef name, bool isModule) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->interfaces, name, [&] { return std::make_unique<InterfaceType>(name.str(), isModule); });
}

EnumType *Context::createEnum(StringRef name, const Type *valueType) {
  std::lock_guard lock(impl->mutex);
  return unique(impl->enums, name, [&] { return std::make_unique<EnumType>(name.str(), valueType); });
}

/// The type of that name in a table, or null.
template <typename Table> static auto *find(Table &table, StringRef name) {
  auto it = table.find(name);
  return it == table.end() ? nullptr : it->second.get();
}

ClassType *Context::findClass(StringRef name) {
  std::lock_guard lock(impl->mutex);
  return find(impl->classes, name);
}
InterfaceType *Context::findInterface(StringRef name) {
  std::lock_guard lock(impl->mutex);
  return find(impl->interfaces, name);
}
EnumType *Context::findEnum(StringRef name) {
  std::lock_guard lock(impl->mutex);
  return find(impl->enums, name);
}

const Type *Context::findNamed(StringRef name) {
  std::lock_guard lock(impl->mutex);
  if (const Type *type = findInterface(name))
    return type;
  if (const Type *type = findEnum(name))
    return type;
  if (const Type *type = findNamedTuple(name))
    return type;
  return findClass(name);
}
