//===- Sets.cpp - Sets, as classes of the prelude -------------------------===//
//
// TorchScript has no type of sets. Each type of elements has a class of its own,
// made of the text in Prelude/set.py, over a dict whose keys are the elements.
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

const Type *Compiler::Impl::setOf(const Type *element) {
  if (const Type *known = setTypes.lookup(element))
    return known;
  if (!canBeElement(element))
    return nullptr;
  std::string annotation = element->annotation(), name;
  for (char c : annotation)
    if (llvm::isAlnum(c))
      name += c;
  std::string text = unpackPrelude(setTemplate);
  replaceAll(text, "Set_NAME", "Set_" + name);
  replaceAll(text, "List[T]", "List[" + annotation + "]");
  replaceAll(text, "Dict[T,", "Dict[" + annotation + ",");
  replaceAll(text, ": T)", ": " + annotation + ")");
  replaceAll(text, "-> T:", "-> " + annotation + ":");
  replaceAll(text, "import Dict, List", "import Dict, List, Tuple");
  auto owned = std::make_unique<SourceResolver>(*this, "__torch__.python");
  SourceResolver *file = owned.get();
  resolvers.push_back(std::move(owned));
  const SyntaxTree *tree = parse(context.sources().add("set.py", text));
  if (!tree)
    return nullptr;
  file->add(*tree);
  file->setIsUsers();
  const Type *type = file->classNamed("Set_" + name);
  setTypes[element] = type;
  setElements[type] = element;
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
