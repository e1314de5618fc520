//===- PythonMethods.cpp - Methods that Python has and operators lack -----===//
#include "PythonMethods.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Conversions.h"
#include "../Expressions.h"
#include "../Expressions/Displays.h"
#include "../FunctionContext.h"
#include "../TypeExpressions.h"
#include "CallExpressions.h"
#include "Instances.h"
#include "tsc/Tensor/Scalar.h"

using namespace tsc;

bool tsc::isPythonMethod(StringRef name) {
  static constexpr StringRef names[] = {"_asdict",
                                        "_replace",
                                        "bit_count",
                                        "bit_length",
                                        "casefold",
                                        "conjugate",
                                        "count",
                                        "endswith",
                                        "index",
                                        "is_integer",
                                        "join",
                                        "numel",
                                        "remove",
                                        "removeprefix",
                                        "removesuffix",
                                        "rsplit",
                                        "startswith",
                                        "unique",
                                        "unique_consecutive",
                                        "view"};
  return llvm::is_contained(names, name);
}

/// Whether an expression is a dtype by its form: `torch.int32`, `x.dtype`.
static bool namesDType(FunctionContext &fn, const Tree *tree) {
  if (auto *select = llvm::dyn_cast<Select>(tree); select && select->name() == "dtype")
    return true;
  std::string path = fn.resolver.canonicalName(dottedName(tree));
  StringRef name = path;
  return name.consume_front("torch.") && dtypeFromPythonName(name);
}

/// `point._replace(x=1)`
static SugaredValue *replaceFields(FunctionContext &fn, Value *value, const Apply &tree) {
  auto *type = llvm::cast<TupleType>(value->type());
  std::vector<NamedValue> args, kwargs;
  if (!emitArguments(fn, tree, args, kwargs))
    return nullptr;
  if (!args.empty())
    return fn.error(tree.range(), diag::CannotCall, "_replace with positional arguments");
  llvm::SmallVector<Value *, 4> fields;
  for (auto [i, element] : llvm::enumerate(type->elements())) {
    auto given = llvm::find_if(kwargs, [&](const NamedValue &k) { return k.name == type->fieldNames()[i]; });
    Value *field = given == kwargs.end() ? tupleIndex(fn, value, element, static_cast<int64_t>(i), tree.range())
                                         : convertTo(fn, given->value, element, given->range, true);
    if (!field->type()->isSubtypeOf(element))
      return fn.error(given->range, diag::AttributeType, given->name, element->annotation(),
                      field->type()->annotation());
    fields.push_back(field);
  }
  for (const NamedValue &given : kwargs)
    if (!llvm::is_contained(type->fieldNames(), given.name))
      return fn.error(given.range, diag::UnknownKeyword, "_replace", given.name);
  return fn.simple(fn.insertValue(prim::TupleConstruct, fields, type, tree.range()));
}

namespace {
/// A call of a method of an object. Each part is about objects of one type, and gives nothing for methods that are
/// operators, null after a report.
class PythonMethod {
public:
  using Result = std::optional<SugaredValue *>;
  PythonMethod(FunctionContext &fn, Value *value, const Select &callee, const Apply &tree)
      : fn(fn), value(value), callee(callee), tree(tree), range(tree.range()), name(callee.name()), args(tree.args()),
        isPlain(tree.keywords().empty()) {}

  Result emit() {
    const Type *type = value->type();
    if (auto *tuple = llvm::dyn_cast<TupleType>(type))
      return tuple->isNamed() ? ofNamedTuple(*tuple) : Result();
    if (auto *list = llvm::dyn_cast<ListType>(type))
      return ofList(*list);
    if (type->isString())
      return ofText();
    if (type->isTensor())
      return ofTensor();
    return ofNumber(type);
  }

private:
  SugaredValue *result(Value *found) { return fn.simple(found); }

  Result ofNamedTuple(const TupleType &tuple) {
    if (name == "_replace")
      return replaceFields(fn, value, tree);
    const bool isUniform = llvm::all_of(tuple.elements(), [&](auto *t) { return t == tuple.elements()[0]; });
    if (name != "_asdict" || !args.empty() || !isPlain || !isUniform || tuple.elements().empty())
      return std::nullopt;
    llvm::SmallVector<Value *, 8> keys, values;
    for (auto [i, field] : llvm::enumerate(tuple.fieldNames())) {
      keys.push_back(fn.constant(IValue(field), range));
      values.push_back(tupleIndex(fn, value, tuple.elements()[i], static_cast<int64_t>(i), range));
    }
    return result(makeDict(fn, keys, values, nullptr, range));
  }

  Result ofList(const ListType &list) {
    const Type *element = list.element();
    if (args.size() == 1 && isPlain && (name == "index" || name == "count" || name == "remove")) {
      const bool hasOperator = element->isInt() || element->isFloat() || element->isBool() || element->isString() ||
                               element->isTensor() || element->isComplex();
      if (hasOperator)
        return std::nullopt;
      Value *wanted = emitExpr(fn, args[0], element);
      return result(wanted ? callTemplate(fn, range, ("list_" + name).str(), {value, wanted}) : nullptr);
    }
    if (name == "index" && (args.size() == 2 || args.size() == 3) && isPlain) {
      Value *wanted = emitExpr(fn, args[0], element), *start = wanted ? emitExpr(fn, args[1]) : nullptr;
      Value *stop = !start             ? nullptr
                    : args.size() == 3 ? emitExpr(fn, args[2])
                                       : fn.constant(std::numeric_limits<int64_t>::max(), range);
      return result(stop ? callTemplate(fn, range, "list_index_within", {value, wanted, start, stop}) : nullptr);
    }
    if (element->isInt() && name == "numel" && args.empty())
      return result(callTemplate(fn, range, "math_prod", {value}));
    return std::nullopt;
  }

  Result ofText() {
    if (name == "join" && args.size() == 1 && isPlain)
      return joined();
    if (name == "rsplit" && (args.empty() || llvm::isa<NoneLiteral>(args[0])) && args.size() <= 2)
      return lastWords();
    if (args.size() == 1 && isPlain && (name == "removeprefix" || name == "removesuffix")) {
      Value *part = emitExpr(fn, args[0]);
      StringRef function = name == "removeprefix" ? "remove_prefix" : "remove_suffix";
      return result(part ? callTemplate(fn, range, function, {value, part}) : nullptr);
    }
    auto *options = args.size() == 1 && isPlain ? llvm::dyn_cast<TupleLiteral>(args[0]) : nullptr;
    if (options && (name == "startswith" || name == "endswith"))
      return oneOf(*options);
    if (name == "casefold" && args.empty()) // the letters of ASCII
      return result(callBuiltin(fn, range, fn.context().symbol("aten::lower"), {value}));
    return std::nullopt;
  }

  Result joined() {
    Value *parts = emitExpr(fn, args[0]);
    if (parts && parts->type()->isString()) // its letters
      parts = callBuiltin(fn, range, aten::list, {parts});
    return result(parts ? callBuiltin(fn, range, fn.context().symbol("aten::join"), {value, parts}) : nullptr);
  }

  /// rsplit() at white space, rsplit(maxsplit=n)
  Result lastWords() {
    const Tree *most = args.size() == 2 ? args[1] : nullptr;
    for (const Tree *keyword : tree.keywords())
      if (llvm::cast<Keyword>(keyword)->name() == "maxsplit" && !most)
        most = llvm::cast<Keyword>(keyword)->value();
      else
        return std::nullopt;
    Value *limit = most ? emitExpr(fn, most) : fn.constant(int64_t{-1}, range);
    return result(limit ? callTemplate(fn, range, "last_words", {value, limit}) : nullptr);
  }

  /// startswith((a, b)), endswith((a, b))
  Result oneOf(const TupleLiteral &options) {
    Value *any = fn.constant(false, range);
    for (const Tree *option : options.elements()) {
      Value *text = emitExpr(fn, option);
      Value *found = text ? callBuiltin(fn, range, fn.context().symbol("aten", name), {value, text}) : nullptr;
      any = found ? callBuiltin(fn, range, fn.context().symbol("aten::__or__"), {any, found}) : nullptr;
      if (!any)
        return nullptr;
    }
    return fn.simple(any);
  }

  Result ofNumber(const Type *type) {
    if (!args.empty())
      return std::nullopt;
    const bool isOfNumber = (type->isInt() && (name == "bit_length" || name == "bit_count")) ||
                            ((type->isInt() || type->isFloat()) && name == "is_integer");
    if (isOfNumber && isPlain)
      return result(callTemplate(fn, range, name, {value}));
    if (type->isComplex() && name == "conjugate")
      return result(callTemplate(fn, range, "conjugated", {value}));
    return std::nullopt;
  }

  Result ofTensor() {
    if (name == "view" && args.size() == 1 && isPlain && namesDType(fn, args[0])) {
      Value *dtype = emitExpr(fn, args[0]);
      std::vector<NamedValue> kwargs;
      kwargs.emplace_back("dtype", NamedValue(dtype));
      kwargs.back().range = range;
      return result(dtype ? callBuiltin(fn, range, aten::view, {}, kwargs, value) : nullptr);
    }
    if (name != "unique" && name != "unique_consecutive")
      return std::nullopt;
    std::vector<NamedValue> given, kwargs;
    if (!emitArguments(fn, tree, given, kwargs))
      return nullptr;
    given.insert(given.begin(), NamedValue(value));
    given.front().range = callee.value()->range();
    SugaredValue *function = libraryValue(fn.compiler, fn.compiler.arena, ("torch." + name).str());
    return function->call(fn, range, given, kwargs);
  }

  FunctionContext &fn;
  Value *value;
  const Select &callee;
  const Apply &tree;
  SourceRange range;
  StringRef name;
  TreeList<Expr> args;
  bool isPlain; ///< Whether no keywords are given.
};
} // namespace

std::optional<SugaredValue *> tsc::emitPythonMethod(FunctionContext &fn, SugaredValue *object, const Select &callee,
                                                    const Apply &tree) {
  auto *plain = llvm::dyn_cast<SimpleValue>(object);
  return plain && plain->get() ? PythonMethod(fn, plain->get(), callee, tree).emit() : std::nullopt;
}
