//===- Sets.cpp - Sets and counters, as classes of the prelude ------------===//
//
// TorchScript has no type of sets, nor of counters. Each type of elements has a
// class of its own, made of the text in Prelude/set.py or counter.py, over a dict
// whose keys are the elements.
//
//===----------------------------------------------------------------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "SourceResolver.h"
#include "UnpackPrelude.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;

static bool canBeElement(const Type *type) {
  if (auto *tuple = llvm::dyn_cast<TupleType>(type))
    return !tuple->isNamed() && llvm::all_of(tuple->elements(), canBeElement);
  return type->isInt() || type->isFloat() || type->isBool() || type->isString() || type->isComplex();
}

static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from.data(), at, from.size())) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to.data(), to.size());
}

/// The class that a text of the prelude is for a type of elements; null where they cannot be keys.
static const Type *containerOf(Compiler::Impl &compiler, std::string_view packed, StringRef kind, const Type *element) {
  if (!canBeElement(element))
    return nullptr;
  std::string annotation = element->annotation(), name;
  for (char c : annotation)
    if (llvm::isAlnum(c))
      name += c;
  name = (kind + "_" + name).str();
  std::string text = unpackPrelude(packed);
  replaceAll(text, (kind + "_NAME").str(), name);
  replaceAll(text, "List[T]", "List[" + annotation + "]");
  replaceAll(text, "Dict[T,", "Dict[" + annotation + ",");
  replaceAll(text, "Tuple[T,", "Tuple[" + annotation + ",");
  replaceAll(text, ": T)", ": " + annotation + ")");
  replaceAll(text, ": T,", ": " + annotation + ",");
  replaceAll(text, "-> T:", "-> " + annotation + ":");
  auto owned = std::make_unique<SourceResolver>(compiler, "__torch__.python");
  SourceResolver *file = owned.get();
  compiler.resolvers.push_back(std::move(owned));
  const SyntaxTree *tree = compiler.parse(compiler.context.sources().add((kind.lower() + ".py"), text));
  if (!tree)
    return nullptr;
  file->add(*tree);
  file->setIsUsers();
  return file->classNamed(name);
}

const Type *Compiler::Impl::setOf(const Type *element) {
  if (const Type *known = setTypes.lookup(element))
    return known;
  const Type *type = containerOf(*this, setTemplate, "Set", element);
  if (type) {
    setTypes[element] = type;
    setElements[type] = element;
  }
  return type;
}

const Type *Compiler::Impl::counterOf(const Type *element) {
  if (const Type *known = counterTypes.lookup(element))
    return known;
  const Type *type = containerOf(*this, counterTemplate, "Counter", element);
  if (type) {
    counterTypes[element] = type;
    counterElements[type] = element;
  }
  return type;
}

/// The set of the elements of a list.
Value *FunctionEmitter::makeSet(Value *list, SourceRange range) {
  const Type *element = llvm::cast<ListType>(list->type())->element();
  const Type *type = compiler.setOf(element);
  if (!type)
    return error(range, diag::SetElement, element->annotation());
  SugaredValue *set = sugarForType(compiler.arena, type)->call(*this, range, {NamedValue(list)}, {});
  return set ? set->asValue(*this, range) : nullptr;
}

Value *FunctionEmitter::emitSetLiteral(const SetLiteral &tree, const Type *hint) {
  const Type *wanted = hint ? compiler.elementOfSet(hint) : nullptr;
  llvm::SmallVector<Value *, 8> values;
  if (!emitElements(tree.elements(), values, wanted))
    return nullptr;
  const Type *element = wanted ? wanted : values.front()->type();
  for (Value *&value : values) {
    if (wanted)
      value = convertTo(value, wanted, tree.range(), /*allowConversions=*/true);
    else
      element = context.unify(element, value->type(), /*allowUnion=*/true);
    if (!value->type()->isSubtypeOf(element))
      return error(tree.range(), diag::SetElement, value->type()->annotation());
  }
  return makeSet(makeList(element, values, tree.range()), tree.range());
}

Value *FunctionEmitter::emitSetComp(const SetComp &tree, const Type *) {
  Value *list = emitComprehension(tree.element(), tree.loops(), tree.range(), nullptr);
  return list ? makeSet(list, tree.range()) : nullptr;
}

/// set(), set(xs)
SugaredValue *FunctionEmitter::emitSetForm(const Apply &tree, const Type *hint) {
  if (!takes(tree, "set", 0, 1))
    return nullptr;
  if (!tree.args().empty()) {
    SugaredValue *list = emitListForm(tree, nullptr);
    Value *values = list ? list->asValue(*this, tree.range()) : nullptr;
    return values ? simple(makeSet(values, tree.range())) : nullptr;
  }
  const Type *element = hint ? compiler.elementOfSet(hint) : nullptr;
  if (!element)
    return error(tree.range(), diag::EmptySetHint);
  return simple(makeSet(makeList(element, {}, tree.range()), tree.range()));
}

/// The counter of the elements of a list.
Value *FunctionEmitter::makeCounter(Value *list, SourceRange range) {
  const Type *element = llvm::cast<ListType>(list->type())->element();
  const Type *type = compiler.counterOf(element);
  if (!type)
    return error(range, diag::SetElement, element->annotation());
  SugaredValue *counter = sugarForType(compiler.arena, type)->call(*this, range, {NamedValue(list)}, {});
  return counter ? counter->asValue(*this, range) : nullptr;
}

/// Counter(), Counter(xs), Counter({x: count}), Counter(counter)
SugaredValue *FunctionEmitter::emitCounterForm(const Apply &tree, const Type *hint) {
  if (!takes(tree, "Counter", 0, 1))
    return nullptr;
  SourceRange range = tree.range();
  if (tree.args().empty()) {
    const Type *element = hint ? compiler.counterElements.lookup(hint) : nullptr;
    if (!element)
      return error(range, diag::EmptyCounterHint);
    return simple(makeCounter(makeList(element, {}, range), range));
  }
  SugaredValue *argument = emitSugared(tree.args()[0]);
  if (!argument)
    return nullptr;
  auto *plain = llvm::dyn_cast<SimpleValue>(argument);
  const Type *given = plain ? plain->get()->type() : nullptr;
  if (given && compiler.counterElements.contains(given))
    return simple(callMethod(range, plain->get(), llvm::cast<ClassType>(given)->findMethod("copy"), {}, {}));
  if (auto *dict = llvm::dyn_cast_or_null<DictType>(given)) {
    if (!dict->value()->isInt())
      return error(range, diag::CounterOfDict, dict->value()->annotation());
    Value *counter = makeCounter(makeList(dict->key(), {}, range), range);
    Function *add = counter ? llvm::cast<ClassType>(counter->type())->findMethod("_add") : nullptr;
    return add && callMethod(range, counter, add, {NamedValue(plain->get())}, {}) ? simple(counter) : nullptr;
  }
  SugaredValue *list = listCopy(argument, range);
  Value *values = list ? list->asValue(*this, range) : nullptr;
  return values ? simple(makeCounter(values, range)) : nullptr;
}
