//===- Displays.cpp - Lists, tuples and dicts -----------------------------===//
//
// `[a, *b]`, `(a, b)`, `{k: v, **d}`.
//
//===----------------------------------------------------------------------===//
#include "Displays.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Forms/ContainerForms.h"
#include "../FunctionContext.h"
#include "../Refinement.h"

using namespace tsc;

bool tsc::emitElements(FunctionContext &fn, TreeList<Expr> trees, llvm::SmallVectorImpl<Value *> &values,
                       const Type *hint) {
  for (const Tree *tree : trees) {
    if (auto *starred = llvm::dyn_cast<Starred>(tree)) {
      SugaredValue *whole = emitSugared(fn, starred->value());
      auto parts = whole ? whole->asTuple(fn, tree->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts) {
        Value *value = part->asValue(fn, tree->range());
        if (!value)
          return false;
        values.push_back(value);
      }
      continue;
    }
    Value *value = emitExpr(fn, tree, hint);
    if (!value)
      return false;
    values.push_back(value);
  }
  return true;
}

/// The type that all values share, a Union when nothing less will do.
static const Type *unifyAll(Context &context, ArrayRef<Value *> values) {
  const Type *type = values.front()->type();
  for (Value *value : values.drop_front())
    type = context.unify(type, value->type(), /*allowUnion=*/true);
  return type;
}

Value *tsc::joinLists(FunctionContext &fn, ArrayRef<Value *> lists, SourceRange range) {
  Value *whole = lists.front();
  for (Value *list : lists.drop_front())
    if (whole)
      whole = callBuiltin(fn, range, aten::add, {whole, list});
  return whole;
}

/// `[a, *rest, b]`: lists of what stands between the stars, added up.
static Value *emitStarredList(FunctionContext &fn, const ListLiteral &tree, const Type *element) {
  SourceRange range = tree.range();
  llvm::SmallVector<Value *, 8> open, lists;
  auto flush = [&](const Type *following) {
    if (open.empty() && !lists.empty())
      return true;
    if (!element)
      element = open.empty() ? following : unifyAll(fn.context(), open);
    for (Value *&value : open) {
      value = convertTo(fn, value, element, range, /*allowConversions=*/!value->type()->isTensor());
      if (!value->type()->isSubtypeOf(element))
        return static_cast<bool>(
            fn.error(range, diag::ListElementType, element->annotation(), value->type()->annotation()));
    }
    lists.push_back(fn.makeList(element, open, range));
    open.clear();
    return true;
  };
  for (const Tree *part : tree.elements()) {
    auto *starred = llvm::dyn_cast<Starred>(part);
    SugaredValue *given = emitSugared(fn, starred ? starred->value() : part, std::nullopt, starred ? nullptr : element);
    if (given && starred && llvm::isa<RangeSugar, IterableTree>(given))
      given = listByLoop(fn, given, part->range());
    if (!given)
      return nullptr;
    auto *plain = llvm::dyn_cast<SimpleValue>(given);
    if (auto *list = starred && plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr) {
      if (!flush(list->element()))
        return nullptr;
      lists.push_back(plain->get());
      continue;
    }
    llvm::SmallVector<SugaredValue *, 4> parts{given};
    if (starred) {
      auto all = given->asTuple(fn, part->range(), std::nullopt);
      if (!all)
        return nullptr;
      parts = std::move(*all);
    }
    for (SugaredValue *one : parts) {
      Value *value = one->asValue(fn, part->range());
      if (!value)
        return nullptr;
      open.push_back(value);
    }
  }
  return flush(Type::tensorType()) ? joinLists(fn, lists, range) : nullptr;
}

Value *tsc::emitListLiteral(FunctionContext &fn, const ListLiteral &tree, const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  const Type *element = listHint ? listHint->element() : nullptr;
  if (hint && !element && tree.elements().empty()) {
    if (llvm::count_if(alternativesOf(hint), [](const Type *t) { return llvm::isa<ListType>(t); }) > 1)
      return fn.error(tree.range(), diag::AmbiguousEmptyList, hint->annotation());
  }
  if (llvm::any_of(tree.elements(), [](const Tree *part) { return llvm::isa<Starred>(part); }))
    return emitStarredList(fn, tree, element);
  llvm::SmallVector<Value *, 8> values;
  if (!emitElements(fn, tree.elements(), values, element))
    return nullptr;
  if (element) {
    for (Value *&value : values) {
      value = convertTo(fn, value, element, tree.range(), /*allowConversions=*/!value->type()->isTensor());
      if (!value->type()->isSubtypeOf(element))
        return fn.error(tree.range(), diag::ListElementType, element->annotation(), value->type()->annotation());
    }
  } else {
    element = values.empty() ? Type::tensorType() : unifyAll(fn.context(), values);
  }
  return fn.makeList(element, values, tree.range());
}

Value *tsc::emitTupleLiteral(FunctionContext &fn, const TupleLiteral &tree, const Type *hint) {
  auto *tupleHint = hintOf<TupleType>(hint);
  bool starred = llvm::any_of(tree.elements(), [](const Tree *t) { return llvm::isa<Starred>(t); });
  llvm::SmallVector<Value *, 8> values;
  if (!tupleHint || starred || tupleHint->elements().size() != tree.elements().size()) {
    if (!emitElements(fn, tree.elements(), values))
      return nullptr;
    return fn.makeTuple(values, tree.range());
  }
  for (size_t i = 0; i != tree.elements().size(); ++i) {
    Value *value = emitExpr(fn, tree.elements()[i], tupleHint->elements()[i]);
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  return fn.makeTuple(values, tree.range());
}

static bool isDictKey(const Type *type) {
  return type->isInt() || type->isBool() || type->isFloat() || type->isComplex() || type->isString() ||
         type->isTensor() || type->isDevice() || llvm::isa<EnumType, TupleType>(type);
}

Value *tsc::makeDict(FunctionContext &fn, ArrayRef<Value *> keys, ArrayRef<Value *> values, const DictType *hint,
                     SourceRange range) {
  const Type *keyType = hint ? hint->key() : Type::stringType();
  const Type *valueType = hint ? hint->value() : Type::tensorType();
  if (!hint && !keys.empty()) {
    keyType = unifyAll(fn.context(), keys);
    valueType = unifyAll(fn.context(), values);
    if (!isDictKey(keyType))
      return fn.error(range, diag::DictKeyType, keyType->annotation());
  }
  const Type *type = fn.context().dictOf(keyType, valueType);
  llvm::SmallVector<Value *, 8> entries;
  for (auto [givenKey, givenValue] : llvm::zip_equal(keys, values)) {
    Value *key = convertTo(fn, givenKey, keyType, range, !givenKey->type()->isTensor());
    Value *value = convertTo(fn, givenValue, valueType, range, !givenValue->type()->isTensor());
    if (!key->type()->isSubtypeOf(keyType))
      return fn.error(range, diag::DictEntryType, type->annotation(), "keys", key->type()->annotation());
    if (!value->type()->isSubtypeOf(valueType))
      return fn.error(range, diag::DictEntryType, type->annotation(), "values", value->type()->annotation());
    entries.push_back(key);
    entries.push_back(value);
  }
  return fn.insertValue(prim::DictConstruct, entries, type, range);
}

Value *tsc::emitDictLiteral(FunctionContext &fn, const DictLiteral &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  llvm::SmallVector<Value *, 8> keys, values;
  Value *whole = nullptr; // of what stands before, where a `**dict` does
  auto append = [&] {
    if (keys.empty())
      return true;
    Value *part = makeDict(fn, keys, values, whole ? llvm::cast<DictType>(whole->type()) : dictHint, tree.range());
    keys.clear();
    values.clear();
    if (whole)
      return part && callBuiltin(fn, tree.range(), fn.context().symbol("aten::update"), {whole, part});
    whole = part;
    return part != nullptr;
  };
  for (size_t i = 0; i != tree.keys().size(); ++i) {
    const Tree *key = tree.keys()[i];
    if (auto *starred = llvm::dyn_cast<DoubleStarred>(key)) {
      Value *other = emitExpr(fn, starred->value(), dictHint);
      auto *type = other ? llvm::dyn_cast<DictType>(other->type()) : nullptr;
      if (!other || !append())
        return nullptr;
      if (!type)
        return fn.error(key->range(), diag::NotADict, other->type()->annotation());
      if (!whole && !(whole = makeDict(fn, {}, {}, type, tree.range())))
        return nullptr;
      if (!callBuiltin(fn, key->range(), fn.context().symbol("aten::update"), {whole, other}))
        return nullptr;
      continue;
    }
    Value *keyValue = emitExpr(fn, key, dictHint ? dictHint->key() : nullptr);
    Value *value = keyValue ? emitExpr(fn, tree.values()[i], dictHint ? dictHint->value() : nullptr) : nullptr;
    if (!value)
      return nullptr;
    keys.push_back(keyValue);
    values.push_back(value);
  }
  if (!whole)
    return makeDict(fn, keys, values, dictHint, tree.range());
  return append() ? whole : nullptr;
}
