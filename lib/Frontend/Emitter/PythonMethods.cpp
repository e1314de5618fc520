//===- PythonMethods.cpp - What Python's objects have and operators lack ---===//
//
// Methods of strings, complex numbers, NamedTuples and sizes that no operator of
// PyTorch is for, and questions for types: `type(x) == T`, `type(e).__name__`.
//
//===----------------------------------------------------------------------===//
#include "../Evaluator/Evaluator.h"
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"
#include "tsc/Tensor/Scalar.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;

//===-- Types as values ------------------------------------------------------===//

/// The name that Python has for the class of a value of the type; empty where only running tells.
static std::string className(FunctionEmitter &e, const Type *type) {
  if (ModuleInfo *module = e.compiler.moduleInfo(type))
    return module->type->name;
  if (type->isInt() || type->isFloat() || type->isBool() || type->isComplex() || type->isTensor() || type->isNone())
    return type->isNone() ? "NoneType" : type->isTensor() ? "Tensor" : type->annotation();
  if (type->isString())
    return "str";
  if (auto *tuple = llvm::dyn_cast<TupleType>(type))
    return tuple->isNamed() ? tuple->name().rsplit('.').second.str() : "tuple";
  if (llvm::isa<ListType>(type))
    return "list";
  if (llvm::isa<DictType>(type))
    return "dict";
  if (auto *object = llvm::dyn_cast<ClassType>(type))
    return object->name().rsplit('.').second.str();
  if (auto *members = llvm::dyn_cast<EnumType>(type))
    return members->name().rsplit('.').second.str();
  return "";
}

std::string TypeOfSugar::describe() const { return "type of a value"; }

Value *TypeOfSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  if (!type || e.compiler.moduleInfo(type) || llvm::isa<ClassType, EnumType>(type))
    return SugaredValue::asValue(e, range);
  const std::string module = type->isTensor() ? "torch." : "";
  return e.constant(IValue("<class '" + module + className(e, type) + "'>"), range);
}

SugaredValue *TypeOfSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (name == "__name__" || name == "__qualname__")
    return e.simple(type ? e.constant(IValue(className(e, type)), range) : nameWhenRun);
  auto *object = llvm::dyn_cast_or_null<ClassType>(type);
  if (object && !e.compiler.moduleInfo(type))
    return ClassSugar(const_cast<ClassType *>(object)).attribute(e, range, name);
  return SugaredValue::attribute(e, range, name);
}

SugaredValue *TypeOfSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  SugaredValue *made = type && !e.compiler.moduleInfo(type) ? sugarForType(e.compiler.arena, type) : nullptr;
  return made && !llvm::isa<TypeSugar>(made) ? made->call(e, range, args, kwargs)
                                             : SugaredValue::call(e, range, args, kwargs);
}

/// Whether a module's class is, or derives from, one of the classes that a value stands for; nothing for another value.
static std::optional<bool> moduleIsOneOf(const ModuleInfo &module, const python::AnyValue &of, bool isExact) {
  if (auto *tuple = of.as<python::TupleObject>()) {
    for (const python::AnyValue &element : tuple->elements)
      if (std::optional<bool> one = moduleIsOneOf(module, element, isExact); !one || *one)
        return one;
    return false;
  }
  auto *type = of.as<python::ClassObject>();
  if (!type)
    return std::nullopt;
  if (isExact)
    return module.type == type;
  return (type->isLibrary && type->name == "Module") || module.type == type || module.type->derivesFrom(type);
}

/// The same of the classes that a tree names; `isExact` leaves out those that the module's class derives from.
static std::optional<bool> moduleIsOneOf(FunctionEmitter &e, const ModuleInfo &module, const Tree *of, bool isExact) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(of)) {
    for (const Tree *element : tuple->elements())
      if (std::optional<bool> one = moduleIsOneOf(e, module, element, isExact); !one || *one)
        return one;
    return false;
  }
  const std::string dotted = dottedName(of), path = e.resolver.canonicalName(dotted);
  if (path.empty())
    return std::nullopt;
  const python::ClassObject *own = module.type;
  StringRef name = StringRef(path).contains('.') ? StringRef(path).rsplit('.').second : StringRef(path);
  if (isLibraryModule(e.compiler, path) || path == "torch.nn.Module") {
    if (isExact)
      return own->isLibrary && own->name == name;
    return path == "torch.nn.Module" || own->derivesFrom(name);
  }
  if (e.compiler.evaluator) // the file's classes, and other names of classes
    if (const python::AnyValue *value = e.compiler.evaluator->globalOf(of, e.resolver))
      if (std::optional<bool> known = moduleIsOneOf(module, *value, isExact))
        return known;
  auto hasName = [&](const python::ClassObject *one) { return !one->isLibrary && one->name == name; };
  if (hasName(own) || (!isExact && llvm::any_of(own->order, hasName)))
    return true;
  if (e.resolver.classDefinition(dotted) || tryTypeFromExpression(e.context, e.resolver, of))
    return false;
  return std::nullopt; // misspelt, or no class
}

/// What `type(x)` or `x.__class__` asks for; null for another expression.
static const Tree *askedForType(FunctionEmitter &e, const Tree *tree) {
  if (auto *select = llvm::dyn_cast<Select>(tree))
    return select->name() == "__class__" ? select->value() : nullptr;
  auto *apply = llvm::dyn_cast<Apply>(tree);
  auto *callee = apply ? llvm::dyn_cast<Var>(apply->callee()) : nullptr;
  const bool isType = callee && callee->name() == "type" && !e.env.isDefined("type") && !e.resolver.defines("type");
  return isType && apply->args().size() == 1 && apply->keywords().empty() ? apply->args()[0] : nullptr;
}

std::optional<Condition> FunctionEmitter::emitTypeComparison(const Compare &tree) {
  const bool isNot = tree.op() == TreeOp::Ne || tree.op() == TreeOp::IsNot;
  if (!isNot && tree.op() != TreeOp::Eq && tree.op() != TreeOp::Is)
    return std::nullopt;
  const Tree *tested = askedForType(*this, tree.lhs()), *of = tree.rhs();
  if (!tested) {
    tested = askedForType(*this, tree.rhs());
    of = tree.lhs();
  }
  if (!tested || !resolver.followsPython() || resolver.isPrinted())
    return std::nullopt;
  Value *object = emitExpr(tested);
  if (!object)
    return Condition();
  Condition result;
  if (const Tree *other = askedForType(*this, of)) {
    Value *second = emitExpr(other);
    if (!second)
      return Condition();
    const std::string a = className(*this, object->type()), b = className(*this, second->type());
    if (a.empty() || b.empty())
      return error(tree.range(), diag::UnsupportedSyntax, "types of values that are known only when the program runs"),
             Condition();
    result = knownCondition(a == b, tree.range());
  } else {
    ModuleInfo *module = compiler.moduleInfo(object->type());
    std::optional<bool> isOne = module ? moduleIsOneOf(*this, *module, of, true) : std::nullopt;
    result = isOne ? knownCondition(*isOne, tree.range()) : emitIsInstance(tested, object, of, tree.range());
  }
  if (!isNot || !result)
    return result;
  result.value = callBuiltin(tree.range(), aten::__not__, {result.value});
  if (result.known)
    result.known = !*result.known;
  std::swap(result.refinements.whenTrue, result.refinements.whenFalse);
  return result;
}

SugaredValue *FunctionEmitter::emitTypeOf(const Apply &tree) {
  SugaredValue *object = takes(tree, "type", 1, 1) ? emitSugared(tree.args()[0]) : nullptr;
  if (auto *exception = llvm::dyn_cast_or_null<ExceptionSugar>(object)) {
    Value *name = lookUp(exception->className, tree.range())->asValue(*this, tree.range());
    return make<TypeOfSugar>(nullptr, callTemplate(tree.range(), "last_part", {name}));
  }
  Value *value = object ? object->asValue(*this, tree.range()) : nullptr;
  if (!value)
    return nullptr;
  if (className(*this, value->type()).empty())
    return error(tree.range(), diag::UnsupportedSyntax, "types of values that are known only when the program runs");
  return make<TypeOfSugar>(value->type(), nullptr);
}

/// Whether a module's class is, or derives from, one of those that a tree names; nothing where that names no class.
std::optional<bool> tsc::moduleIsA(FunctionEmitter &e, const ModuleInfo &module, const Tree *of) {
  return moduleIsOneOf(e, module, of, false);
}

//===-- Methods --------------------------------------------------------------===//

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
static bool namesDType(FunctionEmitter &e, const Tree *tree) {
  if (auto *select = llvm::dyn_cast<Select>(tree); select && select->name() == "dtype")
    return true;
  std::string path = e.resolver.canonicalName(dottedName(tree));
  StringRef name = path;
  return name.consume_front("torch.") && dtypeFromPythonName(name);
}

/// `point._replace(x=1)`
static SugaredValue *replaceFields(FunctionEmitter &e, Value *value, const Apply &tree) {
  auto *type = llvm::cast<TupleType>(value->type());
  std::vector<NamedValue> args, kwargs;
  if (!e.emitArguments(tree, args, kwargs))
    return nullptr;
  if (!args.empty())
    return e.error(tree.range(), diag::CannotCall, "_replace with positional arguments");
  llvm::SmallVector<Value *, 4> fields;
  for (auto [i, element] : llvm::enumerate(type->elements())) {
    auto given = llvm::find_if(kwargs, [&](const NamedValue &k) { return k.name == type->fieldNames()[i]; });
    Value *field = given == kwargs.end() ? e.tupleIndex(value, element, static_cast<int64_t>(i), tree.range())
                                         : e.convertTo(given->value, element, given->range, true);
    if (!field->type()->isSubtypeOf(element))
      return e.error(given->range, diag::AttributeType, given->name, element->annotation(),
                     field->type()->annotation());
    fields.push_back(field);
  }
  for (const NamedValue &given : kwargs)
    if (!llvm::is_contained(type->fieldNames(), given.name))
      return e.error(given.range, diag::UnknownKeyword, "_replace", given.name);
  return e.simple(e.insertValue(prim::TupleConstruct, fields, type, tree.range()));
}

std::optional<SugaredValue *> FunctionEmitter::emitPythonMethod(SugaredValue *object, const Select &callee,
                                                                const Apply &tree) {
  auto *plain = llvm::dyn_cast<SimpleValue>(object);
  Value *value = plain ? plain->get() : nullptr;
  if (!value)
    return std::nullopt;
  SourceRange range = tree.range();
  StringRef name = callee.name();
  const Type *type = value->type();
  const size_t count = tree.args().size();
  const bool isPlain = tree.keywords().empty();
  auto results = [&](Value *result) { return result ? simple(result) : nullptr; };
  if (auto *tuple = llvm::dyn_cast<TupleType>(type); tuple && tuple->isNamed()) {
    if (name == "_replace")
      return replaceFields(*this, value, tree);
    const bool isUniform = llvm::all_of(tuple->elements(), [&](auto *t) { return t == tuple->elements()[0]; });
    if (name == "_asdict" && count == 0 && isPlain && isUniform && !tuple->elements().empty()) {
      llvm::SmallVector<Value *, 8> keys, values;
      for (auto [i, field] : llvm::enumerate(tuple->fieldNames())) {
        keys.push_back(constant(IValue(field), range));
        values.push_back(tupleIndex(value, tuple->elements()[i], static_cast<int64_t>(i), range));
      }
      return results(makeDict(keys, values, nullptr, range));
    }
  }
  if (auto *list = llvm::dyn_cast<ListType>(type);
      list && count == 1 && isPlain && (name == "index" || name == "count" || name == "remove")) {
    const Type *element = list->element();
    const bool hasOperator = element->isInt() || element->isFloat() || element->isBool() || element->isString() ||
                             element->isTensor() || element->isComplex();
    if (hasOperator)
      return std::nullopt;
    Value *wanted = emitExpr(tree.args()[0], element);
    return results(wanted ? callTemplate(range, ("list_" + name).str(), {value, wanted}) : nullptr);
  }
  if (auto *list = llvm::dyn_cast<ListType>(type); list && name == "index" && (count == 2 || count == 3) && isPlain) {
    Value *wanted = emitExpr(tree.args()[0], list->element()), *start = wanted ? emitExpr(tree.args()[1]) : nullptr;
    Value *stop = !start       ? nullptr
                  : count == 3 ? emitExpr(tree.args()[2])
                               : constant(std::numeric_limits<int64_t>::max(), range);
    return results(stop ? callTemplate(range, "list_index_within", {value, wanted, start, stop}) : nullptr);
  }
  if (type->isString() && name == "join" && count == 1 && isPlain) {
    Value *parts = emitExpr(tree.args()[0]);
    if (parts && parts->type()->isString()) // its letters
      parts = callBuiltin(range, aten::list, {parts});
    return results(parts ? callBuiltin(range, context.symbol("aten::join"), {value, parts}) : nullptr);
  }
  if (type->isString() && name == "rsplit" && (count == 0 || llvm::isa<NoneLiteral>(tree.args()[0])) && count <= 2) {
    const Tree *most = count == 2 ? tree.args()[1] : nullptr;
    for (const Tree *keyword : tree.keywords())
      if (llvm::cast<Keyword>(keyword)->name() == "maxsplit" && !most)
        most = llvm::cast<Keyword>(keyword)->value();
      else
        return std::nullopt;
    Value *limit = most ? emitExpr(most) : constant(int64_t{-1}, range);
    return results(limit ? callTemplate(range, "last_words", {value, limit}) : nullptr);
  }
  if (type->isString() && count == 1 && isPlain) {
    if (name == "removeprefix" || name == "removesuffix") {
      Value *part = emitExpr(tree.args()[0]);
      return results(
          part ? callTemplate(range, name == "removeprefix" ? "remove_prefix" : "remove_suffix", {value, part})
               : nullptr);
    }
    auto *options = llvm::dyn_cast<TupleLiteral>(tree.args()[0]);
    if (options && (name == "startswith" || name == "endswith")) {
      Value *any = constant(false, range);
      for (const Tree *option : options->elements()) {
        Value *text = emitExpr(option);
        Value *found = text ? callBuiltin(range, context.symbol("aten", name), {value, text}) : nullptr;
        any = found ? callBuiltin(range, context.symbol("aten::__or__"), {any, found}) : nullptr;
        if (!any)
          return nullptr;
      }
      return simple(any);
    }
  }
  if (type->isString() && name == "casefold" && count == 0) // the letters of ASCII
    return results(callBuiltin(range, context.symbol("aten::lower"), {value}));
  const bool isOfNumber = (type->isInt() && (name == "bit_length" || name == "bit_count")) ||
                          ((type->isInt() || type->isFloat()) && name == "is_integer");
  if (isOfNumber && count == 0 && isPlain)
    return results(callTemplate(range, name, {value}));
  if (type->isComplex() && name == "conjugate" && count == 0)
    return results(callTemplate(range, "conjugated", {value}));
  if (auto *list = llvm::dyn_cast<ListType>(type); list && list->element()->isInt() && name == "numel" && count == 0)
    return results(callTemplate(range, "math_prod", {value}));
  if (!type->isTensor())
    return std::nullopt;
  if (name == "view" && count == 1 && isPlain && namesDType(*this, tree.args()[0])) {
    Value *dtype = emitExpr(tree.args()[0]);
    std::vector<NamedValue> kwargs;
    kwargs.emplace_back("dtype", NamedValue(dtype));
    kwargs.back().range = range;
    return results(dtype ? callBuiltin(range, aten::view, {}, kwargs, value) : nullptr);
  }
  if (name == "unique" || name == "unique_consecutive") {
    std::vector<NamedValue> args, kwargs;
    if (!emitArguments(tree, args, kwargs))
      return nullptr;
    args.insert(args.begin(), NamedValue(value));
    args.front().range = callee.value()->range();
    SugaredValue *function = libraryValue(compiler, compiler.arena, ("torch." + name).str());
    return function->call(*this, range, args, kwargs);
  }
  return std::nullopt;
}

//===-- Hints ----------------------------------------------------------------===//

const Type *FunctionEmitter::parameterHint(SugaredValue &callee, size_t position, StringRef keyword) {
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
