//===- ContainerForms.cpp - list(), dict(), tuple() and x.tolist() --------===//
#include "ContainerForms.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/FunctionCalls.h"
#include "../Calls/Instances.h"
#include "../Expressions.h"
#include "../Expressions/Comprehensions.h"
#include "../Expressions/Displays.h"
#include "../FunctionContext.h"
#include "SpecialForms.h"

using namespace tsc;

Value *tsc::emitToList(FunctionContext &fn, Value *tensor, const Type *hint, SourceRange range) {
  if ((!hint || hint->isAny()) && fn.resolver.followsPython() && !fn.resolver.isPrinted())
    return callTemplate(fn, range, "nested_list", {tensor});
  auto *list = llvm::dyn_cast_or_null<ListType>(hint);
  if (!hint || (!list && !hint->isInt() && !hint->isFloat() && !hint->isBool() && !hint->isComplex()))
    return fn.error(range, diag::ToListHint);
  int64_t depth = 0;
  const Type *element = hint;
  for (; auto *inner = llvm::dyn_cast<ListType>(element); element = inner->element())
    ++depth;
  int64_t number = element->isInt()       ? 0
                   : element->isFloat()   ? 1
                   : element->isComplex() ? 2
                   : element->isBool()    ? 3
                                          : -1;
  if (number < 0)
    return fn.error(range, diag::ToListHint);
  // PyTorch's numbers of element types: int 0, float 1, bool 2 (complex 3).
  if (element->isBool())
    number = 2;
  else if (element->isComplex())
    number = 3;
  return fn.insertValue(prim::tolist, {tensor, fn.constant(depth, range), fn.constant(number, range)}, hint, range);
}

/// The list of what `iterable` unrolls to, `count` elements.
static SugaredValue *listUnrolled(FunctionContext &fn, SugaredValue *iterable, unsigned count, SourceRange range) {
  llvm::SmallVector<Value *, 4> values;
  for (unsigned i = 0; i != count; ++i) {
    SugaredValue *element = iterable->element(fn, range, fn.constant(static_cast<int64_t>(i), range));
    Value *value = element ? element->asValue(fn, range) : nullptr;
    if (!value)
      return nullptr;
    values.push_back(value);
  }
  const Type *type = values.empty() ? Type::tensorType() : values[0]->type();
  for (Value *value : values)
    if (const Type *common = fn.context().unify(type, value->type()))
      type = common;
    else
      return fn.error(range, diag::MixedList, type->annotation(),
                      fn.context().unionOf({type, value->type()})->annotation());
  return fn.simple(fn.makeList(type, values, range));
}

SugaredValue *tsc::listByLoop(FunctionContext &fn, SugaredValue *iterable, SourceRange range) {
  Value *list = fn.makeList(Type::tensorType(), {}, range);
  Value *length = iterable->length(fn, range);
  if (!length)
    return nullptr;
  Node *loop = fn.insertNode(prim::Loop, {length, fn.constant(true, range)}, 0, range);
  Block &body = loop->addBlock();
  Value *index = body.addInput("", Type::intType());
  InsertPointGuard guard(fn.graph());
  fn.graph().setInsertPoint(body);
  SugaredValue *element = iterable->element(fn, range, index);
  Value *value = element ? element->asValue(fn, range) : nullptr;
  if (!value)
    return nullptr;
  list->setType(fn.context().listOf(value->type()));
  if (!callBuiltin(fn, range, aten::append, {list, value}))
    return nullptr;
  body.addOutput(fn.constant(true, range));
  return fn.simple(list);
}

SugaredValue *tsc::emitListForm(FunctionContext &fn, const Apply &tree, const Type *hint) {
  if (!checkArity(fn, tree, "list", 0, 1))
    return nullptr;
  if (tree.args().empty()) {
    auto *list = llvm::dyn_cast_or_null<ListType>(hint);
    return fn.simple(fn.makeList(list ? list->element() : Type::tensorType(), {}, tree.range()));
  }
  SugaredValue *argument = emitSugared(fn, tree.args()[0]);
  return argument ? listCopy(fn, argument, tree.range()) : nullptr;
}

SugaredValue *tsc::listCopy(FunctionContext &fn, SugaredValue *values, SourceRange range) {
  auto *plain = llvm::dyn_cast<SimpleValue>(values);
  if (plain && (llvm::isa<ListType>(plain->get()->type()) || plain->get()->type()->isString()))
    return fn.simple(callBuiltin(fn, range, aten::list, {plain->get()}));
  return listOf(fn, values, range);
}

SugaredValue *tsc::listOf(FunctionContext &fn, SugaredValue *values, SourceRange range) {
  SugaredValue *iterable = values->iterable(fn, range);
  if (!iterable)
    return nullptr;
  std::optional<unsigned> count = iterable->staticLength();
  return count ? listUnrolled(fn, iterable, *count, range) : listByLoop(fn, iterable, range);
}

SugaredValue *tsc::emitDictForm(FunctionContext &fn, const Apply &tree, const Type *hint) {
  if (tree.args().size() > 1)
    return arityError(fn, tree.range(), "dict", 0, 1, tree.args().size());
  SourceRange range = tree.range();
  auto *dictHint = llvm::dyn_cast_or_null<DictType>(hint);
  llvm::SmallVector<Value *, 8> keys, values;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return fn.error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    Value *value = emitExpr(fn, named->value(), dictHint ? dictHint->value() : nullptr);
    if (!value)
      return nullptr;
    keys.push_back(fn.constant(IValue(named->name()), keyword->range()));
    values.push_back(value);
  }
  const Tree *source = tree.args().empty() ? nullptr : tree.args()[0];
  if (auto *literal = llvm::dyn_cast_or_null<ListLiteral>(source); !source || (literal && literal->elements().empty()))
    return fn.simple(makeDict(fn, keys, values, dictHint, range));
  Value *dict = nullptr;
  if (auto *comp = llvm::dyn_cast<DictComp>(source))
    dict = emitDictComp(fn, *comp, hint);
  else if (auto *literal = llvm::dyn_cast<DictLiteral>(source))
    dict = emitDictLiteral(fn, *literal, hint);
  else if (SugaredValue *given = emitSugared(fn, source)) {
    if (llvm::isa<IterableTree>(given)) // dict(zip(names, values))
      given = listByLoop(fn, given, range);
    Value *pairs = given ? given->asValue(fn, range) : nullptr;
    auto *type = pairs ? llvm::dyn_cast<ClassType>(pairs->type()) : nullptr;
    if (Function *items = type ? type->findMethod("items") : nullptr)
      pairs = callMethod(fn, range, pairs, items, {}, {});
    dict = pairs ? callBuiltin(fn, range, aten::dict, {pairs}) : nullptr;
  }
  for (auto [key, value] : llvm::zip_equal(keys, values))
    if (!dict || !callBuiltin(fn, range, aten::_set_item, {dict, key, value}))
      return nullptr;
  return fn.simple(dict);
}

SugaredValue *tsc::emitTupleForm(FunctionContext &fn, const Apply &tree, NumBinders binders) {
  if (!checkArity(fn, tree, "tuple", 0, 1))
    return nullptr;
  if (tree.args().empty())
    return fn.simple(fn.makeTuple({}, tree.range()));
  const Tree *argument = tree.args()[0];
  const bool isPython = fn.resolver.followsPython() && !fn.resolver.isPrinted();
  if (auto *literal = llvm::dyn_cast<ListLiteral>(argument);
      literal && isPython &&
      llvm::none_of(literal->elements(), [](const Tree *part) { return llvm::isa<Starred>(part); })) {
    llvm::SmallVector<SugaredValue *, 4> elements;
    for (const Tree *part : literal->elements())
      if (!elements.emplace_back(fn.simple(emitExpr(fn, part))))
        return nullptr;
    return fn.make<TupleSugar>(elements);
  }
  // tuple(f(x) for x in pair): as long as what it goes over, where that is known.
  if (auto *generator = llvm::dyn_cast<GeneratorExpr>(argument);
      generator && isPython && generator->loops().size() == 1) {
    llvm::SmallVector<SugaredValue *, 4> elements;
    const Block *home = &fn.graph().insertPointBlock();
    bool ok = emitComprehensionLoops(fn, generator->loops(), [&] {
      if (&fn.graph().insertPointBlock() != home)
        return static_cast<bool>(fn.error(tree.range(), diag::UnknownLength));
      Value *element = emitExpr(fn, generator->element());
      elements.push_back(element ? fn.simple(element) : nullptr);
      return element != nullptr;
    });
    return ok ? fn.make<TupleSugar>(elements) : nullptr;
  }
  SugaredValue *source = emitSugared(fn, argument);
  auto parts =
      source ? source->asTuple(fn, tree.range(), binders && *binders > 1 ? binders : NumBinders()) : std::nullopt;
  return parts ? fn.make<TupleSugar>(*parts) : nullptr;
}
