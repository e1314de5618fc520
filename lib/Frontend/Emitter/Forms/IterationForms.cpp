//===- IterationForms.cpp - range(), zip() and what else loops go over ----===//
#include "IterationForms.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/CallExpressions.h"
#include "../Calls/FunctionCalls.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../FunctionContext.h"
#include "ContainerForms.h"
#include "SpecialForms.h"

using namespace tsc;

static SugaredValue *zipOf(FunctionContext &fn, const Apply &tree, size_t count, SugaredValue *counter = nullptr);

SugaredValue *tsc::emitReversed(FunctionContext &fn, const Apply &tree) {
  SugaredValue *object = checkArity(fn, tree, "reversed", 1, 1) ? emitSugared(fn, tree.args()[0]) : nullptr;
  if (object && llvm::isa<RangeSugar, IterableTree>(object))
    object = listByLoop(fn, object, tree.range());
  Value *value = object ? object->asValue(fn, tree.range()) : nullptr;
  if (TupleSugar *modules = value ? moduleElements(fn, tree.range(), value) : nullptr) {
    std::reverse(modules->elements.begin(), modules->elements.end());
    return modules;
  }
  Value *copy = value ? callBuiltin(fn, tree.range(), aten::list, {value}) : nullptr;
  return copy && callBuiltin(fn, tree.range(), aten::reverse, {copy}) ? fn.simple(copy) : nullptr;
}

Value *tsc::emitLen(FunctionContext &fn, const Apply &tree) {
  SugaredValue *object = checkArity(fn, tree, "len", 1, 1) ? emitSugared(fn, tree.args()[0]) : nullptr;
  if (!object)
    return nullptr;
  if (auto *plain = llvm::dyn_cast<SimpleValue>(object)) {
    if (auto *tuple = llvm::dyn_cast<TupleType>(plain->get()->type()))
      return fn.constant(static_cast<int64_t>(tuple->elements().size()), tree.range());
    if (ModuleInfo *module = fn.compiler.moduleInfo(plain->get()->type());
        module && (module->isList || module->isDict)) {
      auto *type = llvm::cast<ClassType>(plain->get()->type());
      std::optional<ModuleMethod> own = module->type->findMethod("__len__", nullptr);
      if (own && own->owner && !own->owner->isLibrary)
        if (Function *method = fn.compiler.moduleMethod(type, "__len__"))
          return callMethod(fn, tree.range(), plain->get(), method, {}, {});
      return fn.constant(static_cast<int64_t>(module->children.size()), tree.range());
    }
    return callMagic(fn, tree.range(), "__len__", aten::len, {plain->get()});
  }
  if (llvm::isa<ConstantSugar>(object)) {
    Value *value = object->asValue(fn, tree.range());
    return value ? callMagic(fn, tree.range(), "__len__", aten::len, {value}) : nullptr;
  }
  if (std::optional<unsigned> known = object->staticLength())
    return fn.constant(static_cast<int64_t>(*known), tree.range());
  return object->length(fn, tree.range());
}

SugaredValue *tsc::emitRange(FunctionContext &fn, const Apply &tree) {
  SourceRange range = tree.range();
  std::vector<NamedValue> args, kwargs;
  if (!checkArity(fn, tree, "range", 1, 3) || !emitArguments(fn, tree, args, kwargs))
    return nullptr;
  if (args.empty() || args.size() > 3) // a starred argument may be any number of them
    return arityError(fn, range, "range", 1, 3, args.size());
  Value *values[3] = {nullptr, nullptr, nullptr};
  for (size_t i = 0; i != args.size(); ++i) {
    values[i] = convertTo(fn, args[i].value, Type::intType(), range, true);
    if (!values[i]->type()->isInt())
      return fn.error(range, diag::RangeArgument, values[i]->type()->annotation());
  }
  if (args.size() == 1)
    return fn.make<RangeSugar>(fn.constant(int64_t{0}, range), values[0], fn.constant(int64_t{1}, range), true);
  return fn.make<RangeSugar>(values[0], values[1], values[2] ? values[2] : fn.constant(int64_t{1}, range), false);
}

SugaredValue *tsc::emitEnumerate(FunctionContext &fn, const Apply &tree) {
  size_t count = tree.args().size();
  if (count < 1 || count > 2)
    return arityError(fn, tree.range(), "enumerate", 1, 2, count);
  const Tree *startTree = count == 2 ? tree.args()[1] : nullptr;
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named)
      return fn.error(keyword->range(), diag::UnsupportedSyntax, unsupportedWords(keyword->kind()));
    if (named->name() != "start" || startTree)
      return fn.error(keyword->range(), diag::UnknownKeyword, "enumerate", named->name());
    startTree = named->value();
  }
  Value *start = startTree ? emitExpr(fn, startTree) : fn.constant(int64_t{0}, tree.range());
  if (!start)
    return nullptr;
  return zipOf(fn, tree, 1, fn.make<RangeSugar>(start, nullptr, fn.constant(int64_t{1}, tree.range()), !startTree));
}

SugaredValue *tsc::emitZip(FunctionContext &fn, const Apply &tree) {
  return checkArity(fn, tree, "zip", 1, SIZE_MAX) ? zipOf(fn, tree, tree.args().size()) : nullptr;
}

/// A tuple of values of one type, as a value; null for other sources.
static Value *tupleOfOneType(FunctionContext &fn, SugaredValue *source, SourceRange range) {
  auto isPlain = [](SugaredValue *element) { return llvm::isa<SimpleValue, ConstantSugar>(element); };
  auto *literal = llvm::dyn_cast<TupleSugar>(source);
  if (!llvm::isa<SimpleValue>(source) && !(literal && llvm::all_of(literal->elements, isPlain)))
    return nullptr;
  Value *value = source->asValue(fn, range);
  auto *tuple = value ? llvm::dyn_cast<TupleType>(value->type()) : nullptr;
  return tuple && !tuple->elements().empty() && llvm::all_equal(tuple->elements()) ? value : nullptr;
}

/// The first `count` arguments side by side, after `counter` when there is one.
static SugaredValue *zipOf(FunctionContext &fn, const Apply &tree, size_t count, SugaredValue *counter) {
  llvm::SmallVector<SugaredValue *, 4> children;
  if (counter)
    children.push_back(counter);
  for (size_t i = 0; i != count; ++i) {
    SugaredValue *source = emitSugared(fn, tree.args()[i]);
    SugaredValue *iterable = source ? source->iterable(fn, tree.args()[i]->range()) : nullptr;
    if (!iterable)
      return nullptr;
    children.push_back(iterable);
  }
  auto unrolls = [](SugaredValue *child) { return child->staticLength().has_value(); };
  auto isEndless = [](SugaredValue *child) {
    auto *range = llvm::dyn_cast<RangeSugar>(child);
    return range && !range->end;
  };
  // Beside what has a length at run time a tuple of one type is a list.
  const bool isMixed = llvm::any_of(children, unrolls) &&
                       !llvm::all_of(children, [&](SugaredValue *child) { return unrolls(child) || isEndless(child); });
  if (isMixed && fn.resolver.followsPython())
    for (SugaredValue *&child : children)
      if (Value *tuple = unrolls(child) ? tupleOfOneType(fn, child, tree.range()) : nullptr) {
        SugaredValue *list = listOf(fn, fn.simple(tuple), tree.range());
        child = list ? list->iterable(fn, tree.range()) : nullptr;
        if (!child)
          return nullptr;
      }
  if (llvm::any_of(children, unrolls) &&
      !llvm::all_of(children, [&](SugaredValue *child) { return unrolls(child) || isEndless(child); }))
    return fn.error(tree.range(), diag::MixedLengths);
  return fn.make<IterableTree>(children);
}
