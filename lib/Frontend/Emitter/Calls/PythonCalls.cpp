//===- PythonCalls.cpp - What Python's builtins take ----------------------===//
//
// Calls that no operator of PyTorch has an overload for: `sorted` with a key, `any` of a
// generator, `int` with a base. Most are templates of Prelude/python.py.
//
//===----------------------------------------------------------------------===//
#include "PythonCalls.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Expressions.h"
#include "../Expressions/Comprehensions.h"
#include "../Expressions/Conditions.h"
#include "../Expressions/Names.h"
#include "../Expressions/PythonOperators.h"
#include "../Forms/ContainerForms.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../Statements/Branches.h"
#include "../Statements/Returns.h"
#include "Instances.h"

using namespace tsc;

static const Tree *keywordOf(const Apply &tree, StringRef name) {
  for (const Tree *keyword : tree.keywords())
    if (auto *named = llvm::dyn_cast<Keyword>(keyword); named && named->name() == name)
      return named->value();
  return nullptr;
}

/// any(…) and all(…) of a generator, which stop where the answer is known.
static Value *emitQuantifier(FunctionContext &fn, const GeneratorExpr &generator, bool isAny, SourceRange range) {
  return callInline(fn, range, isAny ? "any" : "all", [&](FunctionContext &fn) {
    bool ok = emitComprehensionLoops(fn, generator.loops(), [&] {
      Condition condition = emitCondition(fn, generator.element());
      auto answer = [&] {
        fn.returns.merged = Type::boolType();
        return finishReturn(fn, fn.constant(isAny, range), range);
      };
      auto goOn = [] { return true; };
      if (!condition)
        return false;
      condition.known.reset();
      return isAny ? emitIfBlocks(fn, range, condition, answer, goOn)
                   : emitIfBlocks(fn, range, condition, goOn, answer);
    });
    fn.returns.merged = Type::boolType();
    if (ok && !fn.isLeft())
      ok = finishReturn(fn, fn.constant(!isAny, range), range);
    return ok;
  });
}

namespace {
/// A call of a builtin of Python. Each part emits one builtin, and gives nothing where its plain overloads will do,
/// null after a report.
class PythonCall {
public:
  using Result = std::optional<SugaredValue *>;
  PythonCall(FunctionContext &fn, const Apply &tree) : fn(fn), tree(tree), range(tree.range()), args(tree.args()) {}

  Result emit(SugaredValue &callee) {
    if (llvm::any_of(args, [](const Tree *arg) { return llvm::isa<Starred>(arg); }))
      return std::nullopt;
    if (auto *cast = llvm::dyn_cast<CastFunction>(&callee))
      return emitIntWithBase(*cast);
    if (auto *closure = llvm::dyn_cast<ClosureSugar>(&callee))
      return emitReprOfException(*closure);
    builtin = dynamic_cast<BuiltinFunction *>(&callee); // conversions of tensors are of the same kind
    if (!builtin)
      return std::nullopt;
    name = builtin->name.name();
    key = keywordOf(tree, "key");
    reverse = keywordOf(tree, "reverse");
    if (builtin->self)
      return emitSort();
    if (!builtin->isOfPython || args.empty())
      return std::nullopt;
    struct Handler {
      StringRef name;
      Result (PythonCall::*emit)();
    };
    static constexpr Handler handlers[] = {{"all", &PythonCall::emitAnyOrAll},  {"any", &PythonCall::emitAnyOrAll},
                                           {"max", &PythonCall::emitMinOrMax},  {"min", &PythonCall::emitMinOrMax},
                                           {"pow", &PythonCall::emitPow},       {"round", &PythonCall::emitRound},
                                           {"sorted", &PythonCall::emitSorted}, {"sum", &PythonCall::emitSum}};
    for (const Handler &handler : handlers)
      if (handler.name == name)
        return (this->*handler.emit)();
    return std::nullopt;
  }

private:
  SugaredValue *result(Value *value) { return fn.simple(value); }
  SugaredValue *callTemplateOf(StringRef function, ArrayRef<SugaredValue *> values) {
    return result(callTemplate(fn, range, function, values));
  }
  /// Calls the builtin's own operator.
  SugaredValue *callPlain(Value *value) { return result(callBuiltin(fn, range, builtin->name, {value})); }

  static bool isOneNumber(SugaredValue *value) {
    auto *plain = llvm::dyn_cast_or_null<SimpleValue>(value);
    return plain && (isPlainNumber(plain->get()->type()) || plain->get()->type()->isComplex());
  }
  /// The list that a sugared value is, or null.
  static const ListType *listTypeOf(SugaredValue *value) {
    auto *plain = llvm::dyn_cast<SimpleValue>(value);
    return plain ? llvm::dyn_cast<ListType>(plain->get()->type()) : nullptr;
  }

  /// int(text, base)
  Result emitIntWithBase(const CastFunction &cast) {
    const Tree *base = args.size() == 2 ? args[1] : keywordOf(tree, "base");
    if (!cast.type->isInt() || !base)
      return std::nullopt;
    Value *text = emitExpr(fn, args[0]), *radix = text ? emitExpr(fn, base) : nullptr;
    return result(radix ? callTemplate(fn, range, "int_of_text", {text, radix}) : nullptr);
  }

  /// repr(error)
  Result emitReprOfException(const ClosureSugar &closure) {
    if (args.size() != 1 || closure.name() != "repr" || closure.definer)
      return std::nullopt;
    auto *exception = llvm::dyn_cast_or_null<ExceptionSugar>(emitSugared(fn, args[0]));
    if (!exception)
      return std::nullopt;
    Value *className = lookUp(fn, exception->className, range)->asValue(fn, range);
    return result(callTemplate(fn, range, "exception_text", {className, exception->asValue(fn, range)}));
  }

  /// list.sort(key=…, reverse=…)
  Result emitSort() {
    auto *list = llvm::dyn_cast<ListType>(builtin->self->type());
    if (!list || name != "sort" || !args.empty() || (!key && !llvm::isa<ListType, EnumType>(list->element())))
      return std::nullopt;
    SugaredValue *order = key ? emitSugared(fn, key) : nullptr;
    Value *down = reverse ? emitExpr(fn, reverse) : fn.constant(false, range);
    if ((key && !order) || !down)
      return nullptr;
    if (key)
      return callTemplateOf("sort_by", {fn.simple(builtin->self), order, fn.simple(down)});
    return result(callTemplate(fn, range, "sort_plain", {builtin->self, down}));
  }

  /// any(values), all(values)
  Result emitAnyOrAll() {
    if (args.size() != 1)
      return std::nullopt;
    const bool isAny = name == "any";
    if (auto *generator = llvm::dyn_cast<GeneratorExpr>(args[0]))
      return result(emitQuantifier(fn, *generator, isAny, range));
    if (!tree.keywords().empty())
      return std::nullopt;
    SugaredValue *given = emitSugared(fn, args[0]);
    if (auto *plain = llvm::dyn_cast_or_null<SimpleValue>(given);
        plain && llvm::isa<ClassType, DictType>(plain->get()->type()))
      given = listOf(fn, given, range);
    if (isOneNumber(given))
      return given->iterable(fn, range);
    Value *values = given ? given->asValue(fn, range) : nullptr;
    if (!values)
      return nullptr;
    if (values->type()->isTensor())
      return result(callTemplate(fn, range, isAny ? "any_of_rows" : "all_of_rows", {values}));
    auto *list = llvm::dyn_cast<ListType>(values->type());
    if (list && !isPlainNumber(list->element()) && !list->element()->isTensor())
      return result(callTemplate(fn, range, isAny ? "any_of" : "all_of", {values}));
    return callPlain(values);
  }

  /// sorted(values, key=…, reverse=…)
  Result emitSorted() {
    SugaredValue *values = emitSugared(fn, args[0]);
    SugaredValue *order = values && key ? emitSugared(fn, key) : nullptr;
    Value *down = !values || (key && !order) ? nullptr : reverse ? emitExpr(fn, reverse) : fn.constant(false, range);
    if (!down)
      return nullptr;
    if (key)
      return callTemplateOf("sorted_by", {values, order, fn.simple(down)});
    const ListType *list = listTypeOf(values);
    if (list && !llvm::isa<ListType, EnumType>(list->element()) && !reverse)
      return callPlain(llvm::cast<SimpleValue>(values)->get());
    return callTemplateOf("sorted_plain", {values, fn.simple(down)});
  }

  Result emitMinOrMax() {
    if (args.size() == 1)
      return emitExtremeOf();
    return tree.keywords().empty() ? emitExtremeOfArguments() : Result();
  }

  /// min(values, key=…), max(values, key=…)
  Result emitExtremeOf() {
    SugaredValue *values = emitSugared(fn, args[0]);
    SugaredValue *order = values && key ? emitSugared(fn, key) : nullptr;
    if (!values || (key && !order))
      return nullptr;
    if (isOneNumber(values))
      return values->iterable(fn, range);
    if (auto *set = llvm::dyn_cast<SimpleValue>(values);
        set && fn.compiler.elementOf(ContainerKind::Set, set->get()->type()))
      values = listOf(fn, values, range);
    if (!values)
      return nullptr;
    if (key)
      return callTemplateOf(name == "max" ? "greatest_by" : "least_by", {values, order});
    const ListType *list = listTypeOf(values);
    if (list && isPlainNumber(list->element()))
      return callPlain(llvm::cast<SimpleValue>(values)->get());
    return callTemplateOf(name == "max" ? "greatest" : "least", {values});
  }

  /// min(a, b, …), max(a, b, …)
  Result emitExtremeOfArguments() {
    llvm::SmallVector<Value *, 4> values;
    for (const Tree *arg : args)
      if (!values.emplace_back(emitExpr(fn, arg)))
        return nullptr;
    const Type *type = values[0]->type();
    const bool isOrdered = type->isString() || isSequence(type) || llvm::isa<ClassType, EnumType>(type);
    if (isOrdered && llvm::all_of(values, [&](Value *value) { return value->type() == type; }))
      return result(callTemplate(fn, range, name == "max" ? "greatest" : "least", {fn.makeList(type, values, range)}));
    Value *best = values[0];
    for (Value *value : llvm::drop_begin(values))
      if (!(best = callBuiltin(fn, range, builtin->name, {best, value})))
        return nullptr;
    return fn.simple(best);
  }

  /// sum(values), sum(values, start)
  Result emitSum() {
    const Tree *start = args.size() == 2 ? args[1] : keywordOf(tree, "start");
    if (start)
      return emitSumFrom(start);
    if (args.size() != 1 || !tree.keywords().empty())
      return std::nullopt;
    SugaredValue *values = emitSugared(fn, args[0]);
    auto *plain = llvm::dyn_cast_or_null<SimpleValue>(values);
    if (values && (llvm::isa<RangeSugar>(values) || (plain && llvm::isa<ClassType, DictType>(plain->get()->type()))))
      values = listOf(fn, values, range);
    if (isOneNumber(values))
      return values->iterable(fn, range);
    Value *value = values ? values->asValue(fn, range) : nullptr;
    if (!value)
      return nullptr;
    if (value->type()->isTensor())
      return result(callTemplate(fn, range, "sum_of_rows", {value}));
    auto *list = llvm::dyn_cast<ListType>(value->type());
    if (list && list->element()->isTensor())
      return result(callTemplate(fn, range, "sum_of", {value}));
    return callPlain(value);
  }

  Result emitSumFrom(const Tree *startTree) {
    SugaredValue *values = emitSugared(fn, args[0]);
    auto *plain = llvm::dyn_cast_or_null<SimpleValue>(values);
    if (!values || (plain && plain->get()->type()->isTensor()))
      return values ? std::nullopt : Result(nullptr);
    const ListType *list = listTypeOf(values);
    Value *start = emitExpr(fn, startTree, list ? list->element() : nullptr);
    return start ? callTemplateOf("sum_from", {values, fn.simple(start)}) : nullptr;
  }

  /// pow(base, exponent, modulus)
  Result emitPow() {
    if (args.size() != 3 || !tree.keywords().empty())
      return std::nullopt;
    Value *base = emitExpr(fn, args[0]), *exponent = base ? emitExpr(fn, args[1]) : nullptr;
    Value *modulus = exponent ? emitExpr(fn, args[2]) : nullptr;
    return result(modulus ? callTemplate(fn, range, "power_modulo", {base, exponent, modulus}) : nullptr);
  }

  /// round(number, digits)
  Result emitRound() {
    if (args.size() != 2)
      return std::nullopt;
    Value *number = emitExpr(fn, args[0]), *digits = number ? emitExpr(fn, args[1]) : nullptr;
    if (!digits || number->type()->isTensor())
      return digits ? std::nullopt : Result(nullptr);
    return result(callTemplate(fn, range, number->type()->isInt() ? "round_int" : "round_float", {number, digits}));
  }

  FunctionContext &fn;
  const Apply &tree;
  SourceRange range;
  TreeList<Expr> args;
  BuiltinFunction *builtin = nullptr;
  StringRef name;
  const Tree *key = nullptr, *reverse = nullptr; ///< The keywords of these names.
};
} // namespace

std::optional<SugaredValue *> tsc::emitPythonCall(FunctionContext &fn, SugaredValue &callee, const Apply &tree) {
  return PythonCall(fn, tree).emit(callee);
}
