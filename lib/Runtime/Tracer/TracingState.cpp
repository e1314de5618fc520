//===- TracingState.cpp - The graph of what runs --------------------------===//
#include "tsc/Runtime/Tracer/TracingState.h"
#include "tsc/IR/Context.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/ADT/iterator_range.h"

using namespace tsc;

std::string tsc::placeOf(SourceRange range) {
  if (!range.isValid())
    return "";
  const LineColumn at = range.lineColumn();
  return (range.buffer()->name() + ":" + llvm::Twine(at.line) + ":" + llvm::Twine(at.column + 1) + ": ").str();
}

std::string TraceRemark::str() const { return placeOf(range) + message; }

TracingState::TracingState(Context &context) : context(context), made(std::make_unique<Graph>(context)) {}
TracingState::~TracingState() = default;

//===----------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------===//

static bool isFollowed(const IValue &value) { return value.isTensor() || value.isFuture(); }

/// Whether two tensors on one storage are the same view of it.
static bool areSameView(const TensorImpl &a, const TensorImpl &b) {
  return a.storage == b.storage && a.offset == b.offset && a.dtype == b.dtype && a.sizes == b.sizes &&
         a.strides == b.strides && a.conjugate == b.conjugate && a.negative == b.negative && a.companion == b.companion;
}

static const Storage *storageOf(const IValue &value) {
  return value.isTensor() ? value.asTensor().get()->storage.get() : nullptr;
}

void TracingState::setValueTrace(const IValue &value, Value *traced) {
  assert(isFollowed(value) && traced && &traced->graph() == made.get() && "a value of the graph computes a tensor");
  if (known.size() >= limit)
    dropUnused();
  auto [entry, isNew] = known.try_emplace(value.counted(), Entry{value, traced, storageOf(value)});
  entry->second.traced = traced;
  if (isNew && entry->second.storage)
    views[entry->second.storage].push_back(value.counted());
}

/// Drops the entries whose tensor only the map refers to. They are of no use to anybody, unless the storage has a
/// holder that is no entry: that may be a tensor over the same view, which is known by this one.
void TracingState::dropUnused() {
  llvm::SmallVector<const RefCounted *> unused;
  auto hasOtherHolder = [&](const Entry &entry) {
    const Storage *storage = storageOf(entry.keep);
    auto list = views.find(storage);
    return storage && list != views.end() && storage->useCount() > list->second.size();
  };
  for (const auto &[key, entry] : known)
    if (key->useCount() == 1 && !hasOtherHolder(entry))
      unused.push_back(key);
  for (const RefCounted *key : unused) {
    auto entry = known.find(key);
    if (entry->second.storage) {
      auto list = views.find(entry->second.storage);
      llvm::erase(list->second, key);
      if (list->second.empty())
        views.erase(list);
    }
    known.erase(entry);
  }
  limit = std::max<size_t>(256, size_t{2} * known.size());
}

Value *TracingState::findValueTrace(const IValue &value) const {
  if (!isFollowed(value))
    return nullptr;
  if (auto entry = known.find(value.counted()); entry != known.end())
    return entry->second.traced;
  const Storage *storage = storageOf(value);
  auto list = views.find(storage);
  if (!storage || list == views.end())
    return nullptr;
  for (const RefCounted *other : llvm::reverse(list->second)) {
    const Entry &entry = known.find(other)->second;
    if (areSameView(*entry.keep.asTensor().get(), *value.asTensor().get()))
      return entry.traced;
  }
  return nullptr;
}

/// Calls `visit` for the parts of a list, tuple or dict; keys of dicts are left out.
static void forEachPart(const IValue &value, llvm::function_ref<void(const IValue &)> visit) {
  if (value.isTensorList() || value.isGenericList())
    for (size_t i = 0; i != value.listSize(); ++i)
      visit(value.listElement(i));
  else if (value.isTuple())
    llvm::for_each(value.toTuple().elements, visit);
  else if (value.isDict())
    value.toDict().forEach([&](const IValue &, const IValue &item) { visit(item); });
}

bool TracingState::isTraced(const IValue &value) const {
  if (isFollowed(value))
    return findValueTrace(value);
  bool found = false;
  forEachPart(value, [&](const IValue &part) { found = found || isTraced(part); });
  return found;
}

//===----------------------------------------------------------------------===//
// Values that the graph computes
//===----------------------------------------------------------------------===//

Node *TracingState::insert(Node *node) {
  node->setRange(location());
  return made->insertNodeHere(node);
}

StatusOr<Value *> TracingState::getValueTrace(const IValue &value, const Type *type) {
  if (Value *traced = findValueTrace(value))
    return traced;
  if (isTraced(value))
    return construct(value, type);
  return constant(value);
}

/// Puts a container together that holds tensors of the trace.
StatusOr<Value *> TracingState::construct(const IValue &value, const Type *type) {
  llvm::SmallVector<Value *, 8> parts;
  Symbol kind = prim::ListConstruct;
  Status status;
  auto add = [&](const IValue &part) {
    if (!status.ok())
      return;
    StatusOr<Value *> traced = getValueTrace(part);
    if (traced.ok())
      parts.push_back(*traced);
    else
      status = traced.status();
  };
  const Type *own = value.dynamicType(context);
  if (value.isTuple()) {
    kind = prim::TupleConstruct;
    llvm::for_each(value.toTuple().elements, add);
  } else if (value.isDict()) {
    kind = prim::DictConstruct;
    value.toDict().forEach([&](const IValue &key, const IValue &item) {
      add(key);
      add(item);
    });
  } else {
    forEachPart(value, add);
  }
  TSC_RETURN_IF_ERROR(status);
  // An argument of type Tensor?[] takes such a list, whatever its elements are.
  if (type && type->kind() == TypeKind::Optional)
    type = type->contained()[0];
  const bool fits = type && value.isList() && type->kind() == TypeKind::List && !type->hasFreeVariables();
  Node *node = made->create(kind, parts, 1);
  node->output()->setType(fits ? type : own ? own : context.listOf(Type::tensorType()));
  return insert(node)->output();
}

/// Returns the bits of a number; nothing for other values. (0.0 and -0.0 are two.)
static std::optional<uint64_t> bitsOf(const IValue &value) {
  if (value.isDouble())
    return llvm::bit_cast<uint64_t>(value.toDouble());
  if (value.isInt() || value.isBool())
    return static_cast<uint64_t>(value.toInt());
  return std::nullopt;
}

/// Returns a hash that is equal for constants that areSameConstant().
static size_t hashOf(const IValue &value) {
  if (value.isIntList())
    return llvm::hash_combine_range(value.toIntList().elements.begin(), value.toIntList().elements.end());
  if (value.isString())
    return llvm::hash_value(llvm::StringRef(value.toString()));
  const RefCounted *identity = value.isComplex() ? nullptr : value.counted(); // complex numbers are compared by value
  return llvm::hash_combine(static_cast<unsigned>(value.getTag()), identity);
}

/// Whether two constants that are no numbers are one. Tensors of equal elements are one only where they are the same: a
/// write to one must not be seen in another.
static bool areSameConstant(const IValue &a, const IValue &b) {
  if (a.getTag() != b.getTag())
    return false;
  if (a.isIntList())
    return a.toIntList().elements == b.toIntList().elements;
  return a.isString() ? a.toString() == b.toString() : a.isSameAs(b);
}

StatusOr<Value *> TracingState::constant(const IValue &value) {
  const std::optional<uint64_t> bits = bitsOf(value);
  if (bits) {
    if (Value *known = numbers.lookup({static_cast<unsigned>(value.getTag()), *bits}))
      return known;
  } else {
    for (const auto &[hash, known] : llvm::make_range(constants.equal_range(hashOf(value))))
      if (areSameConstant(known.first, value))
        return known.second;
  }
  if (value.isTensor() && value.asTensor().requiresGrad())
    return invalidArgument("the trace would hold a tensor that requires a gradient as a constant; make it an input of "
                           "the traced function, or detach it");
  if (value.isObject() || value.isFuture() || value.isDict() || !Graph::canBeConstant(value))
    return invalidArgument("the trace cannot hold a constant of type " +
                           llvm::Twine(value.isObject()   ? "object"
                                       : value.isFuture() ? "Future"
                                       : value.isDict()   ? "dict"
                                                          : "that kind") +
                           "; make it an input of the traced function");
  Node *node = made->createConstant(value);
  node->setRange(location());
  if (lastConstant)
    node->insertAfter(lastConstant);
  else
    made->block().prepend(node);
  lastConstant = node;
  if (bits)
    numbers[{static_cast<unsigned>(value.getTag()), *bits}] = node->output();
  else
    constants.emplace(hashOf(value), std::pair(value, node->output()));
  if (const Storage *storage = storageOf(value))
    constantStorages.insert(storage);
  return node->output();
}

bool TracingState::sharesConstant(const IValue &tensor) const {
  return tensor.isTensor() && constantStorages.contains(storageOf(tensor));
}

void TracingState::setPartTraces(const IValue &value, Value *traced, llvm::function_ref<void(Value *)> onNumber) {
  if (traced->type()->kind() == TypeKind::Optional && !value.isNone()) {
    Node *cast = made->create(prim::unchecked_cast, {traced}, 1);
    cast->output()->setType(traced->type()->contained()[0]);
    traced = insert(cast)->output();
  }
  if (isFollowed(value))
    return setValueTrace(value, traced);
  if (value.isScalar())
    return onNumber(traced);
  if (value.isDict()) {
    value.toDict().forEach([&](const IValue &key, const IValue &item) {
      StatusOr<Value *> name = constant(key);
      if (!name.ok()) // a tensor, which nobody looks up but by identity
        return onNumber(traced);
      Node *get = made->create(aten::__getitem__, {traced, *name}, 1);
      get->output()->setType(value.toDict().valueType);
      setPartTraces(item, insert(get)->output(), onNumber);
    });
    return;
  }
  if (value.isIntList() || value.isDoubleList() || value.isBoolList()) {
    if (value.listSize())
      onNumber(traced);
    return;
  }
  llvm::SmallVector<IValue, 8> parts;
  forEachPart(value, [&](const IValue &part) { parts.push_back(part); });
  if (parts.empty())
    return;
  const Type *type = traced->type();
  const bool isUnpackable = value.isTuple()
                                ? type->kind() == TypeKind::Tuple && type->contained().size() == parts.size()
                                : type->kind() == TypeKind::List;
  if (!isUnpackable)
    return onNumber(traced); // a Union or Any, whose parts no node names
  Node *unpack = made->create(value.isTuple() ? prim::TupleUnpack : prim::ListUnpack, {traced}, parts.size());
  for (unsigned i = 0; i != parts.size(); ++i)
    unpack->output(i)->setType(type->contained()[value.isTuple() ? i : 0]);
  insert(unpack);
  for (auto [part, output] : llvm::zip(parts, unpack->outputs()))
    setPartTraces(part, output, onNumber);
}

//===----------------------------------------------------------------------===//
// Scopes and remarks
//===----------------------------------------------------------------------===//

void TracingState::enterScope(llvm::StringRef name) {
  scopes.push_back(made->currentScope);
  made->currentScope = made->scope(made->currentScope, name);
}

void TracingState::leaveScope() {
  assert(!scopes.empty() && "a scope was entered");
  made->currentScope = scopes.pop_back_val();
}

void TracingState::remark(TraceRemark::Kind kind, SourceRange range, const llvm::Twine &message) {
  TraceRemark made{kind, range, message.str()};
  if (llvm::none_of(remarks, [&](const TraceRemark &other) {
        return other.kind == made.kind && other.range == made.range && other.message == made.message;
      }))
    remarks.push_back(std::move(made));
}
