//===- CallExpressions.cpp - f(x, key=y) ----------------------------------===//
//
// Works out the callee, and the arguments in the order in which they are written;
// what is called then decides how.
//
//===----------------------------------------------------------------------===//
#include "CallExpressions.h"
#include "../../SugaredValues/Values.h"
#include "../Expressions.h"
#include "../Expressions/Displays.h"
#include "../Forms/ContainerForms.h"
#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "../Observation.h"
#include "Partials.h"
#include "PythonCalls.h"
#include "PythonMethods.h"
#include "SugaredArguments.h"
#include "Variadics.h"

using namespace tsc;

/// What a literal argument is to be, where the callee is known: the type of its parameter.
static const Type *parameterHint(FunctionContext &fn, SugaredValue &callee, size_t position, StringRef keyword) {
  if (auto *named = llvm::dyn_cast<NamedTupleSugar>(&callee)) {
    auto fields = named->type->fieldNames();
    if (!keyword.empty())
      position = llvm::find(fields, keyword.str()) - fields.begin();
    return position < fields.size() ? named->type->elements()[position] : nullptr;
  }
  Function *function = nullptr;
  size_t skip = 0;
  if (auto *plain = llvm::dyn_cast<FunctionSugar>(&callee)) {
    function = plain->functions.size() == 1 ? plain->functions[0] : nullptr;
  } else if (auto *method = dynamic_cast<MethodSugar *>(&callee)) {
    function = method->methods.size() == 1 ? method->methods[0] : nullptr;
    skip = 1;
  } else if (auto *type = llvm::dyn_cast<ClassSugar>(&callee)) {
    function = type->type->findMethod("__init__");
    skip = 1;
  }
  if (!function || !function->hasSchema())
    return nullptr;
  const FunctionSchema &schema = function->schema();
  std::optional<size_t> at = position + skip;
  if (!keyword.empty())
    at = schema.argumentIndex(keyword);
  if (!at || *at >= schema.arguments().size())
    return nullptr;
  const Type *type = schema.arguments()[*at].type;
  return type->hasFreeVariables() ? nullptr : type;
}

/// `zeros(n, *sizes)` with a list, whose length only running shows: sizes that are written one by one are one list.
static Value *sizesWithList(FunctionContext &fn, ArrayRef<NamedValue> args, SourceRange range) {
  llvm::SmallVector<Value *, 4> lists;
  for (const NamedValue &arg : args)
    lists.push_back(llvm::isa<ListType>(arg.value->type()) ? arg.value
                                                           : fn.makeList(Type::intType(), {arg.value}, range));
  return joinLists(fn, lists, range);
}

static bool isIntOrInts(const Type *type) {
  auto *list = llvm::dyn_cast<ListType>(type);
  return (list ? list->element() : type)->isInt();
}

bool tsc::emitArguments(FunctionContext &fn, const Apply &tree, std::vector<NamedValue> &args,
                        std::vector<NamedValue> &kwargs, unsigned skip, bool takesSizes, SugaredValue *callee) {
  auto hintFor = [&](const Tree *argument, size_t position, StringRef keyword) {
    const bool isLiteral = llvm::isa<ListLiteral, DictLiteral, ListComp, DictComp>(argument);
    return callee && isLiteral ? parameterHint(fn, *callee, position, keyword) : nullptr;
  };
  bool hasList = false;
  for (size_t i = skip; i < tree.args().size(); ++i) {
    llvm::SmallVector<Value *, 4> values;
    if (auto *starred = llvm::dyn_cast<Starred>(tree.args()[i])) {
      SugaredValue *whole = emitSugared(fn, starred->value());
      if (auto *plain = llvm::dyn_cast_or_null<SimpleValue>(whole);
          plain && takesSizes && llvm::isa<ListType>(plain->get()->type()) && isIntOrInts(plain->get()->type()) &&
          llvm::all_of(args, [](const NamedValue &arg) { return isIntOrInts(arg.value->type()); })) {
        args.push_back(plain->get());
        args.back().range = starred->range();
        hasList = true;
        continue;
      }
      auto parts = whole ? whole->asTuple(fn, starred->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts)
        values.push_back(part->asValue(fn, starred->range()));
    } else {
      values.push_back(emitExpr(fn, tree.args()[i], hintFor(tree.args()[i], args.size(), "")));
    }
    for (Value *value : values) {
      if (!value)
        return false;
      args.push_back(value);
      args.back().range = tree.args()[i]->range();
    }
  }
  if (hasList && llvm::all_of(args, [](const NamedValue &arg) { return isIntOrInts(arg.value->type()); })) {
    Value *sizes = sizesWithList(fn, args, tree.range());
    if (!sizes)
      return false;
    args.assign({NamedValue(sizes)});
    args.back().range = tree.range();
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named) {
      std::vector<SugaredArgument> known;
      if (!emitKeywords(fn, *llvm::cast<DoubleStarred>(keyword), known))
        return false;
      for (const SugaredArgument &one : known) {
        Value *value = one.value->asValue(fn, one.range);
        if (!value)
          return false;
        kwargs.emplace_back(one.name, NamedValue(value));
        kwargs.back().range = one.range;
      }
      continue;
    }
    Value *value = emitExpr(fn, named->value(), hintFor(named->value(), 0, named->name()));
    if (!value)
      return false;
    kwargs.emplace_back(named->name().str(), NamedValue(value));
    kwargs.back().range = keyword->range();
  }
  return true;
}

SugaredValue *tsc::emitApply(FunctionContext &fn, const Apply &tree, NumBinders binders, const Type *hint) {
  const bool isPython = fn.resolver.followsPython() && !fn.resolver.isPrinted();
  SugaredValue *callee = nullptr;
  if (auto *select = llvm::dyn_cast<Select>(tree.callee()); select && isPython && isPythonMethod(select->name())) {
    SugaredValue *object = emitSugared(fn, select->value());
    if (std::optional<SugaredValue *> result = object ? emitPythonMethod(fn, object, *select, tree) : nullptr)
      return *result;
    callee = object->attribute(fn, select->range(), select->name());
    if (callee && fn.compiler.observer)
      tellOf(fn, *select, *callee);
  } else {
    callee = emitSugared(fn, tree.callee());
  }
  if (!callee)
    return nullptr;
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    if (form->self)
      return form->form == FormKind::ToList ? fn.simple(emitToList(fn, form->self, hint, tree.range()))
                                            : fn.error(tree.range(), diag::CannotCall, form->describe());
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    return emitForm(fn, form->form, tree, binders, hint);
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(callee))
    if (isPython && tree.args().size() == 1 && closure->name() == "repr")
      if (std::optional<SugaredValue *> result = emitPythonCall(fn, *callee, tree))
        return *result;
  if (llvm::isa<ClosureSugar, PartialSugar>(callee)) {
    std::vector<SugaredArgument> given;
    return emitSugaredArguments(fn, tree, given) ? callSugared(fn, *callee, tree.range(), given) : nullptr;
  }
  if (auto *function = llvm::dyn_cast<FunctionSugar>(callee);
      function && function->functions.size() == 1 && variadicInfo(fn, function->functions[0]))
    return emitVariadicCall(fn, nullptr, function->functions[0], tree);
  if (auto *method = dynamic_cast<MethodSugar *>(callee);
      method && method->methods.size() == 1 && variadicInfo(fn, method->methods[0]))
    return emitVariadicCall(fn, method->self, method->methods[0], tree);
  if (isPython)
    if (std::optional<SugaredValue *> result = emitPythonCall(fn, *callee, tree))
      return *result;
  std::vector<NamedValue> args, kwargs;
  auto *builtin = dynamic_cast<BuiltinFunction *>(callee);
  const bool takesSizes = builtin && !builtin->isOfPython && fn.resolver.followsPython() &&
                          (!builtin->self || builtin->self->type()->isTensor());
  if (!emitArguments(fn, tree, args, kwargs, 0, takesSizes, isPython ? callee : nullptr))
    return nullptr;
  return callee->call(fn, tree.range(), args, kwargs);
}
