//===- Displays.cpp - Lists, tuples, dicts and comprehensions -------------===//
//
// `[a, *b]`, `(a, b)`, `{k: v, **d}`, and comprehensions, which become loops.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SizeLimits.h"
#include "TypeExpressions.h"
#include "tsc/IR/PythonMeaning.h"

using namespace tsc;

//===-- Containers ---------------------------------------------------------===//

bool FunctionEmitter::emitElements(TreeList<Expr> trees, llvm::SmallVectorImpl<Value *> &values, const Type *hint) {
  for (const Tree *tree : trees) {
    if (auto *starred = llvm::dyn_cast<Starred>(tree)) {
      SugaredValue *whole = emitSugared(starred->value());
      auto parts = whole ? whole->asTuple(*this, tree->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts) {
        Value *value = part->asValue(*this, tree->range());
        if (!value)
          return false;
        values.push_back(value);
      }
      continue;
    }
    Value *value = emitExpr(tree, hint);
    if (!value)
      return false;
    values.push_back(value);
  }
  return true;
}

/// The member of `hint` (perhaps Optional or Union) that is of the class `T`; null when there is none or several.
template <typename T> static const T *hintOf(const Type *hint) {
  if (!hint)
    return nullptr;
  const T *found = nullptr;
  for (const Type *member : alternativesOf(hint))
    if (auto *match = llvm::dyn_cast<T>(member)) {
      if (found)
        return nullptr;
      found = match;
    }
  return found;
}

/// The type that all values share, a Union when nothing less will do.
static const Type *unifyAll(Context &context, ArrayRef<Value *> values) {
  const Type *type = values.front()->type();
  for (Value *value : values.drop_front())
    type = context.unify(type, value->type(), /*allowUnion=*/true);
  return type;
}

Value *FunctionEmitter::joinLists(ArrayRef<Value *> lists, SourceRange range) {
  Value *whole = lists.front();
  for (Value *list : lists.drop_front())
    if (whole)
      whole = callBuiltin(range, aten::add, {whole, list});
  return whole;
}

/// `[a, *rest, b]`: lists of what stands between the stars, added up.
Value *FunctionEmitter::emitStarredList(const ListLiteral &tree, const Type *element) {
  SourceRange range = tree.range();
  llvm::SmallVector<Value *, 8> open, lists;
  auto flush = [&](const Type *following) {
    if (open.empty() && !lists.empty())
      return true;
    if (!element)
      element = open.empty() ? following : unifyAll(context, open);
    for (Value *&value : open) {
      value = convertTo(value, element, range, /*allowConversions=*/!value->type()->isTensor());
      if (!value->type()->isSubtypeOf(element))
        return static_cast<bool>(
            error(range, diag::ListElementType, element->annotation(), value->type()->annotation()));
    }
    lists.push_back(makeList(element, open, range));
    open.clear();
    return true;
  };
  for (const Tree *part : tree.elements()) {
    auto *starred = llvm::dyn_cast<Starred>(part);
    SugaredValue *given = emitSugared(starred ? starred->value() : part, std::nullopt, starred ? nullptr : element);
    if (given && starred && llvm::isa<RangeSugar, IterableTree>(given))
      given = listByLoop(given, part->range());
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
      auto all = given->asTuple(*this, part->range(), std::nullopt);
      if (!all)
        return nullptr;
      parts = std::move(*all);
    }
    for (SugaredValue *one : parts) {
      Value *value = one->asValue(*this, part->range());
      if (!value)
        return nullptr;
      open.push_back(value);
    }
  }
  return flush(Type::tensorType()) ? joinLists(lists, range) : nullptr;
}

Value *FunctionEmitter::emitListLiteral(const ListLiteral &tree, const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  const Type *element = listHint ? listHint->element() : nullptr;
  if (hint && !element && tree.elements().empty()) {
    if (llvm::count_if(alternativesOf(hint), [](const Type *t) { return llvm::isa<ListType>(t); }) > 1)
      return error(tree.range(), diag::AmbiguousEmptyList, hint->annotation());
  }
  if (llvm::any_of(tree.elements(), [](const Tree *part) { return llvm::isa<Starred>(part); }))
    return emitStarredList(tree, element);
  llvm::SmallVector<Value *, 8> values;
  if (!emitElements(tree.elements(), values, element))
    return nullptr;
  if (element) {
    for (Value *&value : values) {
      value = convertTo(value, element, tree.range(), /*allowConversions=*/!value->type()->isTensor());
      if (!value->type()->isSubtypeOf(element))
        return error(tree.range(), diag::ListElementType, element->annotation(), value->type()->annotation());
    }
  } else {
    element = values.empty() ? Type::tensorType() : unifyAll(context, values);
  }
  return makeList(element, values, tree.range());
}

Value *FunctionEmitter::emitTupleLiteral(const TupleLiteral &tree, const Type *hint) {
  auto *tupleHint = hintOf<TupleType>(hint);
  bool starred = llvm::any_of(tree.elements(), [](const Tree *t) { return llvm::isa<Starred>(t); });
  llvm::SmallVector<Value *, 8> values;
  if (!tupleHint || starred || tupleHint->elements().size() != tree.elements().size()) {
    if (!emitElements(tree.elements(), values))
      return nullptr;
    return makeTuple(values, tree.range());
  }
  for (size_t i = 0; i != tree.elements().size(); ++i) {
    Value *value = emitExpr(tree.elements()[i], tupleHint->elements()[i]);
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  return makeTuple(values, tree.range());
}

static bool isDictKey(const Type *type) {
  return type->isInt() || type->isBool() || type->isFloat() || type->isComplex() || type->isString() ||
         type->isTensor() || type->isDevice() || llvm::isa<EnumType, TupleType>(type);
}

/// A dict of the types of `hint`, or, without one, of what the keys and the values have in common.
Value *FunctionEmitter::makeDict(ArrayRef<Value *> keys, ArrayRef<Value *> values, const DictType *hint,
                                 SourceRange range) {
  const Type *keyType = hint ? hint->key() : Type::stringType();
  const Type *valueType = hint ? hint->value() : Type::tensorType();
  if (!hint && !keys.empty()) {
    keyType = unifyAll(context, keys);
    valueType = unifyAll(context, values);
    if (!isDictKey(keyType))
      return error(range, diag::DictKeyType, keyType->annotation());
  }
  const Type *type = context.dictOf(keyType, valueType);
  llvm::SmallVector<Value *, 8> entries;
  for (auto [givenKey, givenValue] : llvm::zip_equal(keys, values)) {
    Value *key = convertTo(givenKey, keyType, range, !givenKey->type()->isTensor());
    Value *value = convertTo(givenValue, valueType, range, !givenValue->type()->isTensor());
    if (!key->type()->isSubtypeOf(keyType))
      return error(range, diag::DictEntryType, type->annotation(), "keys", key->type()->annotation());
    if (!value->type()->isSubtypeOf(valueType))
      return error(range, diag::DictEntryType, type->annotation(), "values", value->type()->annotation());
    entries.push_back(key);
    entries.push_back(value);
  }
  return insertValue(prim::DictConstruct, entries, type, range);
}

Value *FunctionEmitter::emitDictLiteral(const DictLiteral &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  llvm::SmallVector<Value *, 8> keys, values;
  Value *whole = nullptr; // of what stands before, where a `**dict` does
  auto append = [&] {
    if (keys.empty())
      return true;
    Value *part = makeDict(keys, values, whole ? llvm::cast<DictType>(whole->type()) : dictHint, tree.range());
    keys.clear();
    values.clear();
    if (whole)
      return part && callBuiltin(tree.range(), context.symbol("aten::update"), {whole, part});
    whole = part;
    return part != nullptr;
  };
  for (size_t i = 0; i != tree.keys().size(); ++i) {
    const Tree *key = tree.keys()[i];
    if (auto *starred = llvm::dyn_cast<DoubleStarred>(key)) {
      Value *other = emitExpr(starred->value(), dictHint);
      auto *type = other ? llvm::dyn_cast<DictType>(other->type()) : nullptr;
      if (!other || !append())
        return nullptr;
      if (!type)
        return error(key->range(), diag::NotADict, other->type()->annotation());
      if (!whole && !(whole = makeDict({}, {}, type, tree.range())))
        return nullptr;
      if (!callBuiltin(key->range(), context.symbol("aten::update"), {whole, other}))
        return nullptr;
      continue;
    }
    Value *keyValue = emitExpr(key, dictHint ? dictHint->key() : nullptr);
    Value *value = keyValue ? emitExpr(tree.values()[i], dictHint ? dictHint->value() : nullptr) : nullptr;
    if (!value)
      return nullptr;
    keys.push_back(keyValue);
    values.push_back(value);
  }
  if (!whole)
    return makeDict(keys, values, dictHint, tree.range());
  return append() ? whole : nullptr;
}

//===-- Comprehensions -----------------------------------------------------===//

/// The dotted name that an expression reads, with the variable as it is called here; empty for other expressions.
std::string FunctionEmitter::placeOf(const Tree *tree) const {
  std::string name = dottedName(tree);
  StringRef root = StringRef(name).split('.').first;
  std::string here = nameHere(root);
  return here == root ? name : here + name.substr(root.size());
}

/// Targets of a comprehension are its own: variables of these names around it stay as they are.
void FunctionEmitter::hideTargets(const Tree *target) {
  if (auto *var = llvm::dyn_cast<Var>(target)) {
    std::string name = var->name().str();
    if (env.typeOf(name) || env.sugaredOf(name))
      renamed[name] = compiler.hiddenName(name);
  } else if (llvm::isa<TupleLiteral, ListLiteral, Starred>(target)) {
    for (const Tree *part : target->children())
      hideTargets(part);
  }
}

/// Runs `innermost` in the loops of a comprehension, conditions included.
static bool emitLoops(FunctionEmitter &e, TreeList<Comprehension> loops, size_t depth,
                      llvm::function_ref<bool()> innermost) {
  if (depth == loops.size())
    return innermost();
  const Comprehension *loop = loops[depth];
  SugaredValue *source = e.emitSugared(loop->iterable());
  SugaredValue *iterable = source ? source->iterable(e, loop->iterable()->range()) : nullptr;
  if (!iterable)
    return false;
  e.hideTargets(loop->target());
  return e.emitForLoop(loop->target(), iterable, loop->range(), [&] {
    std::function<bool(size_t)> guarded = [&](size_t i) -> bool {
      if (i == loop->conditions().size())
        return emitLoops(e, loops, depth + 1, innermost);
      Condition condition = e.emitCondition(loop->conditions()[i]);
      return condition && e.emitIfBlocks(loop->range(), condition, [&] { return guarded(i + 1); }, [] { return true; });
    };
    return guarded(0);
  });
}

bool FunctionEmitter::emitComprehensionLoops(TreeList<Comprehension> loops, llvm::function_ref<bool()> innermost) {
  auto around = renamed;
  bool ok = emitLoops(*this, loops, 0, innermost);
  renamed = std::move(around);
  return ok;
}

Value *FunctionEmitter::emitListComp(const ListComp &tree, const Type *hint) {
  return emitComprehension(tree.element(), tree.loops(), tree.range(), hint);
}

/// Of a list and of what has been appended to it so far, which gives the list.
static void setTypeOfList(Value &list, const Type *type) {
  list.setType(type);
  for (const Use &use : list.uses())
    if (use.user()->kind() == aten::append)
      use.user()->output()->setType(type);
}

Value *FunctionEmitter::emitComprehension(const Tree *elementTree, TreeList<Comprehension> loops, SourceRange range,
                                          const Type *hint) {
  auto *listHint = hintOf<ListType>(hint);
  if (hint && !listHint && !hint->isAny())
    return error(range, diag::ListCompHint, hint->annotation());
  Value *list = makeList(listHint ? listHint->element() : Type::tensorType(), {}, range);
  bool typed = listHint;
  bool ok = emitComprehensionLoops(loops, [&] {
    Value *element = emitExpr(elementTree, listHint ? listHint->element() : nullptr);
    if (!element)
      return false;
    if (!typed)
      list->setType(context.listOf(element->type()));
    else if (const Type *known = llvm::cast<ListType>(list->type())->element(); !listHint && element->type() != known)
      if (const Type *both = context.unify(known, element->type())) // of a tuple's elements, each of which has its type
        setTypeOfList(*list, context.listOf(both));
    typed = true;
    return callBuiltin(range, aten::append, {list, element}) != nullptr;
  });
  return ok ? list : nullptr;
}

Value *FunctionEmitter::emitDictComp(const DictComp &tree, const Type *hint) {
  auto *dictHint = hintOf<DictType>(hint);
  const Type *type = dictHint ? dictHint : context.dictOf(Type::stringType(), Type::tensorType());
  Value *dict = insertValue(prim::DictConstruct, {}, type, tree.range());
  bool typed = dictHint;
  bool ok = emitComprehensionLoops(tree.loops(), [&] {
    Value *key = emitExpr(tree.key());
    Value *value = key ? emitExpr(tree.value()) : nullptr;
    if (!value)
      return false;
    if (!typed)
      dict->setType(context.dictOf(key->type(), value->type()));
    typed = true;
    return callBuiltin(tree.range(), aten::_set_item, {dict, key, value}) != nullptr;
  });
  return ok ? dict : nullptr;
}
