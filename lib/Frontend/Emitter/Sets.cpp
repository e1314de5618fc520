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

/// The class that a text of the prelude is for a type of elements.
static const Type *declare(Compiler::Impl &compiler, ContainerKind container, const Type *element) {
  const bool isSet = container == ContainerKind::Set;
  const StringRef kind = isSet ? "Set" : "Counter";
  std::string annotation = element->annotation(), name;
  for (char c : annotation)
    if (llvm::isAlnum(c))
      name += c;
  name = (kind + "_" + name).str();
  std::string text = unpackPrelude(isSet ? setTemplate : counterTemplate);
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

const Type *Compiler::Impl::containerOf(ContainerKind kind, const Type *element) {
  Containers &known = containers[static_cast<size_t>(kind)];
  if (const Type *type = known.types.lookup(element))
    return type;
  const Type *type = canBeElement(element) ? declare(*this, kind, element) : nullptr;
  if (type) {
    known.types[element] = type;
    known.elements[type] = element;
  }
  return type;
}

/// The container of the elements of a list.
Value *FunctionEmitter::makeContainer(ContainerKind kind, Value *list, SourceRange range) {
  const Type *element = llvm::cast<ListType>(list->type())->element();
  const Type *type = compiler.containerOf(kind, element);
  if (!type)
    return error(range, diag::SetElement, element->annotation());
  SugaredValue *made = sugarForType(compiler.arena, type)->call(*this, range, {NamedValue(list)}, {});
  return made ? made->asValue(*this, range) : nullptr;
}

/// An empty container of the type that is wanted.
Value *FunctionEmitter::makeEmpty(ContainerKind kind, const Type *hint, SourceRange range) {
  const Type *element = hint ? compiler.elementOf(kind, hint) : nullptr;
  if (!element)
    return error(range, kind == ContainerKind::Set ? diag::EmptySetHint : diag::EmptyCounterHint);
  return makeContainer(kind, makeList(element, {}, range), range);
}

Value *FunctionEmitter::emitSetLiteral(const SetLiteral &tree, const Type *hint) {
  const Type *wanted = hint ? compiler.elementOf(ContainerKind::Set, hint) : nullptr;
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
  return makeContainer(ContainerKind::Set, makeList(element, values, tree.range()), tree.range());
}

Value *FunctionEmitter::emitSetComp(const SetComp &tree, const Type *) {
  Value *list = emitComprehension(tree.element(), tree.loops(), tree.range(), nullptr);
  return list ? makeContainer(ContainerKind::Set, list, tree.range()) : nullptr;
}

/// set(), set(xs)
SugaredValue *FunctionEmitter::emitSetForm(const Apply &tree, const Type *hint) {
  if (!takes(tree, "set", 0, 1))
    return nullptr;
  if (!tree.args().empty()) {
    SugaredValue *list = emitListForm(tree, nullptr);
    Value *values = list ? list->asValue(*this, tree.range()) : nullptr;
    return values ? simple(makeContainer(ContainerKind::Set, values, tree.range())) : nullptr;
  }
  return simple(makeEmpty(ContainerKind::Set, hint, tree.range()));
}

/// Counter(), Counter(xs), Counter({x: count}), Counter(counter)
SugaredValue *FunctionEmitter::emitCounterForm(const Apply &tree, const Type *hint) {
  if (!takes(tree, "Counter", 0, 1))
    return nullptr;
  SourceRange range = tree.range();
  if (tree.args().empty())
    return simple(makeEmpty(ContainerKind::Counter, hint, range));
  SugaredValue *argument = emitSugared(tree.args()[0]);
  if (!argument)
    return nullptr;
  auto *plain = llvm::dyn_cast<SimpleValue>(argument);
  const Type *given = plain ? plain->get()->type() : nullptr;
  if (given && compiler.elementOf(ContainerKind::Counter, given))
    return simple(callMethod(range, plain->get(), llvm::cast<ClassType>(given)->findMethod("copy"), {}, {}));
  if (auto *dict = llvm::dyn_cast_or_null<DictType>(given)) {
    if (!dict->value()->isInt())
      return error(range, diag::CounterOfDict, dict->value()->annotation());
    Value *counter = makeContainer(ContainerKind::Counter, makeList(dict->key(), {}, range), range);
    Function *add = counter ? llvm::cast<ClassType>(counter->type())->findMethod("_add") : nullptr;
    return add && callMethod(range, counter, add, {NamedValue(plain->get())}, {}) ? simple(counter) : nullptr;
  }
  SugaredValue *list = listCopy(argument, range);
  Value *values = list ? list->asValue(*this, range) : nullptr;
  return values ? simple(makeContainer(ContainerKind::Counter, values, range)) : nullptr;
}
