//===- Sets.cpp - Sets and counters, as classes of the prelude ------------===//
//
// TorchScript has no type of sets, nor of counters. Each type of elements has a
// class of its own, made of the text in Prelude/set.py or counter.py, over a dict
// whose keys are the elements.
//
//===----------------------------------------------------------------------===//
#include "Sets.h"
#include "../../SugaredValues/Values.h"
#include "../Calls/FunctionCalls.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Forms/ContainerForms.h"
#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "../SourceResolver.h"
#include "Comprehensions.h"
#include "Displays.h"
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
  std::string text = compiler.texts.containerClass(container);
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
static Value *makeContainer(FunctionContext &fn, ContainerKind kind, Value *list, SourceRange range) {
  const Type *element = llvm::cast<ListType>(list->type())->element();
  const Type *type = fn.compiler.containerOf(kind, element);
  if (!type)
    return fn.error(range, diag::SetElement, element->annotation());
  SugaredValue *made = sugarForType(fn.compiler.arena, type)->call(fn, range, {NamedValue(list)}, {});
  return made ? made->asValue(fn, range) : nullptr;
}

/// An empty container of the type that is wanted.
static Value *makeEmpty(FunctionContext &fn, ContainerKind kind, const Type *hint, SourceRange range) {
  const Type *element = hint ? fn.compiler.elementOf(kind, hint) : nullptr;
  if (!element)
    return fn.error(range, kind == ContainerKind::Set ? diag::EmptySetHint : diag::EmptyCounterHint);
  return makeContainer(fn, kind, fn.makeList(element, {}, range), range);
}

Value *tsc::emitSetLiteral(FunctionContext &fn, const SetLiteral &tree, const Type *hint) {
  const Type *wanted = hint ? fn.compiler.elementOf(ContainerKind::Set, hint) : nullptr;
  llvm::SmallVector<Value *, 8> values;
  if (!emitElements(fn, tree.elements(), values, wanted))
    return nullptr;
  const Type *element = wanted ? wanted : values.front()->type();
  for (Value *&value : values) {
    if (wanted)
      value = convertTo(fn, value, wanted, tree.range(), /*allowConversions=*/true);
    else
      element = fn.context().unify(element, value->type(), /*allowUnion=*/true);
    if (!value->type()->isSubtypeOf(element))
      return fn.error(tree.range(), diag::SetElement, value->type()->annotation());
  }
  return makeContainer(fn, ContainerKind::Set, fn.makeList(element, values, tree.range()), tree.range());
}

Value *tsc::emitSetComp(FunctionContext &fn, const SetComp &tree, const Type *) {
  Value *list = emitComprehension(fn, tree.element(), tree.loops(), tree.range(), nullptr);
  return list ? makeContainer(fn, ContainerKind::Set, list, tree.range()) : nullptr;
}

SugaredValue *tsc::emitSetForm(FunctionContext &fn, const Apply &tree, const Type *hint) {
  if (!checkArity(fn, tree, "set", 0, 1))
    return nullptr;
  if (!tree.args().empty()) {
    SugaredValue *list = emitListForm(fn, tree, nullptr);
    Value *values = list ? list->asValue(fn, tree.range()) : nullptr;
    return values ? fn.simple(makeContainer(fn, ContainerKind::Set, values, tree.range())) : nullptr;
  }
  return fn.simple(makeEmpty(fn, ContainerKind::Set, hint, tree.range()));
}

SugaredValue *tsc::emitCounterForm(FunctionContext &fn, const Apply &tree, const Type *hint) {
  if (!checkArity(fn, tree, "Counter", 0, 1))
    return nullptr;
  SourceRange range = tree.range();
  if (tree.args().empty())
    return fn.simple(makeEmpty(fn, ContainerKind::Counter, hint, range));
  SugaredValue *argument = emitSugared(fn, tree.args()[0]);
  if (!argument)
    return nullptr;
  auto *plain = llvm::dyn_cast<SimpleValue>(argument);
  const Type *given = plain ? plain->get()->type() : nullptr;
  if (given && fn.compiler.elementOf(ContainerKind::Counter, given))
    return fn.simple(callMethod(fn, range, plain->get(), llvm::cast<ClassType>(given)->findMethod("copy"), {}, {}));
  if (auto *dict = llvm::dyn_cast_or_null<DictType>(given)) {
    if (!dict->value()->isInt())
      return fn.error(range, diag::CounterOfDict, dict->value()->annotation());
    Value *counter = makeContainer(fn, ContainerKind::Counter, fn.makeList(dict->key(), {}, range), range);
    Function *add = counter ? llvm::cast<ClassType>(counter->type())->findMethod("_add") : nullptr;
    return add && callMethod(fn, range, counter, add, {NamedValue(plain->get())}, {}) ? fn.simple(counter) : nullptr;
  }
  SugaredValue *list = listCopy(fn, argument, range);
  Value *values = list ? list->asValue(fn, range) : nullptr;
  return values ? fn.simple(makeContainer(fn, ContainerKind::Counter, values, range)) : nullptr;
}
