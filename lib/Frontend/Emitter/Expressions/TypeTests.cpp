//===- TypeTests.cpp - isinstance(), type(x), and classes as values -------===//
#include "TypeTests.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Calls/Instances.h"
#include "../Expressions.h"
#include "../Forms/SpecialForms.h"
#include "../FunctionContext.h"
#include "../Refinement.h"
#include "../TypeExpressions.h"
#include "Conditions.h"
#include "Names.h"

using namespace tsc;

static std::optional<bool> moduleIsA(FunctionContext &fn, const ModuleInfo &module, const Tree *of);

/// The types of the second argument: one, or a tuple of them (nested tuples as Python allows).
static bool collectTypes(FunctionContext &fn, const Tree *tree, ArrayRef<const Type *> alternatives,
                         std::vector<const Type *> &types) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(tree)) {
    for (const Tree *element : tuple->elements())
      if (!collectTypes(fn, element, alternatives, types))
        return false;
    return true;
  }
  std::string name = fn.resolver.canonicalName(dottedName(tree));
  if (name == "list" || name == "List" || name == "typing.List")
    types.push_back(Type::anyListType());
  else if (name == "tuple" || name == "Tuple" || name == "typing.Tuple")
    types.push_back(Type::anyTupleType());
  else if ((name == "dict" || name == "Dict" || name == "typing.Dict") &&
           llvm::none_of(alternatives, [](const Type *type) { return type->isAny(); }))
    llvm::copy_if(alternatives, std::back_inserter(types), [](const Type *type) { return llvm::isa<DictType>(type); });
  else if (const Type *type = annotationType(fn, tree))
    types.push_back(type);
  else
    return false;
  return true;
}

static bool matchesAny(const Type *type, ArrayRef<const Type *> candidates) {
  return llvm::any_of(candidates, [&](const Type *candidate) {
    return type->isSubtypeOf(candidate) || (candidate->isAnyList() && llvm::isa<ListType>(type)) ||
           (candidate->isAnyTuple() && llvm::isa<TupleType>(type));
  });
}

/// Objects of classes that derive from one of these are of that one too.
static void addDerived(Compiler::Impl &compiler, std::vector<const Type *> &types) {
  for (size_t i = 0, count = types.size(); i != count; ++i) {
    auto base = compiler.classes.find(llvm::dyn_cast<ClassType>(types[i]));
    if (base == compiler.classes.end() || !base->second.tree || base->second.module)
      continue;
    std::vector<const ClassType *> derived;
    for (const auto &[type, info] : compiler.classes)
      if (type != types[i] && info.tree && !info.module && llvm::is_contained(info.order, base->second.tree) &&
          !llvm::is_contained(types, type))
        derived.push_back(type);
    llvm::sort(derived, [](const ClassType *a, const ClassType *b) { return a->name() < b->name(); });
    types.insert(types.end(), derived.begin(), derived.end());
  }
}

/// Whether the second operand of isinstance names `int`, which bool derives from, and bool not by itself.
static bool namesIntAlone(const Tree *types) {
  llvm::SmallVector<const Tree *> all{types};
  if (llvm::isa<TupleLiteral>(types))
    all.assign(types->children().begin(), types->children().end());
  auto names = [&](StringRef name) {
    return llvm::any_of(all, [&](const Tree *one) {
      auto *var = llvm::dyn_cast<Var>(one);
      return var && var->name() == name;
    });
  };
  return names("int") && !names("bool");
}

/// Whether a type that torch.jit.isinstance is asked for is a container without the types of its elements, after a
/// report. Python's isinstance asks for just that.
static bool lacksElements(FunctionContext &fn, const Tree *types) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(types))
    return llvm::any_of(tuple->elements(), [&](const Tree *one) { return lacksElements(fn, one); });
  const std::string name = fn.resolver.canonicalName(dottedName(types));
  const bool isContainer = llvm::is_contained({"typing.List", "typing.Tuple", "List", "Tuple"}, StringRef(name));
  return isContainer && !annotationType(fn, types);
}

Condition tsc::emitIsInstance(FunctionContext &fn, const Apply &tree, FormKind form) {
  const bool isTensor = form == FormKind::IsTensor;
  const bool isTaken = isTensor ? checkArity(fn, tree, "is_tensor", 1, 1) : checkArity(fn, tree, "isinstance", 2, 2);
  Value *object = isTaken ? emitExpr(fn, tree.args()[0]) : nullptr;
  if (object && fn.resolver.canonicalName(dottedName(tree.callee())) == "torch.jit.isinstance" &&
      lacksElements(fn, tree.args()[1]))
    return {};
  if (object && !isTensor && fn.resolver.followsPython() && namesIntAlone(tree.args()[1])) {
    if (object->type() == Type::boolType())
      return knownCondition(fn, true, tree.range());
    if (llvm::is_contained(alternativesOf(object->type()), Type::boolType())) {
      fn.error(tree.range(), diag::UnsupportedSyntax, "questions for int alone of what may be a bool");
      return {};
    }
  }
  return object ? emitIsInstance(fn, tree.args()[0], object, isTensor ? nullptr : tree.args()[1], tree.range())
                : Condition();
}

Condition tsc::emitIsInstance(FunctionContext &fn, const Tree *tested, Value *object, const Tree *of,
                              SourceRange range) {
  if (ModuleInfo *module = of ? fn.compiler.moduleInfo(object->type()) : nullptr)
    if (std::optional<bool> isOne = moduleIsA(fn, *module, of))
      return knownCondition(fn, *isOne, range);
  std::vector<const Type *> types;
  if (!of)
    types.push_back(Type::tensorType());
  else if (!collectTypes(fn, of, alternativesOf(object->type()), types))
    return {};
  addDerived(fn.compiler, types);
  // What the object may be, split by the answer. Any, and a supertype of a candidate, may be both.
  std::vector<const Type *> yes, no;
  bool open = false;
  for (const Type *alternative : alternativesOf(object->type())) {
    if (matchesAny(alternative, types)) {
      yes.push_back(alternative);
      continue;
    }
    no.push_back(alternative);
    for (const Type *candidate : types)
      if (candidate->isSubtypeOf(alternative)) {
        open = true;
        yes.push_back(candidate);
      }
  }
  if (no.empty() || yes.empty())
    return knownCondition(fn, no.empty(), range);
  Condition result;
  Node *node = fn.insertNode(prim::isinstance, {object}, 1, range);
  node->setAttribute(attr::types, types);
  result.value = node->output()->setType(Type::boolType());
  Refinement place = testedPlace(fn, tested, object);
  if (auto *var = llvm::dyn_cast<Var>(tested); var && fn.env.typeOf(fn.env.nameHere(var->name()))) // Any too
    place.name = fn.env.nameHere(var->name());
  if (!place.name.empty()) {
    result.refinements.whenTrue = {{place.name, yes.size() == 1 ? yes[0] : fn.context().unionOf(yes)}};
    if (!open || no.size() < alternativesOf(object->type()).size())
      result.refinements.whenFalse = {{place.name, no.size() == 1 ? no[0] : fn.context().unionOf(no)}};
  }
  return result;
}

/// The name that Python has for the class of a value of the type; empty where only running tells.
static std::string className(FunctionContext &fn, const Type *type) {
  if (ModuleInfo *module = fn.compiler.moduleInfo(type))
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
  FunctionContext &fn = emitterOf(context);
  if (!type || fn.compiler.moduleInfo(type) || llvm::isa<ClassType, EnumType>(type))
    return SugaredValue::asValue(fn, range);
  const std::string module = type->isTensor() ? "torch." : "";
  return fn.constant(IValue("<class '" + module + className(fn, type) + "'>"), range);
}

SugaredValue *TypeOfSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (name == "__name__" || name == "__qualname__")
    return fn.simple(type ? fn.constant(IValue(className(fn, type)), range) : nameWhenRun);
  auto *object = llvm::dyn_cast_or_null<ClassType>(type);
  if (object && !fn.compiler.moduleInfo(type))
    return ClassSugar(const_cast<ClassType *>(object)).attribute(fn, range, name);
  return SugaredValue::attribute(fn, range, name);
}

SugaredValue *TypeOfSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  SugaredValue *made = type && !fn.compiler.moduleInfo(type) ? sugarForType(fn.compiler.arena, type) : nullptr;
  return made && !llvm::isa<TypeSugar>(made) ? made->call(fn, range, args, kwargs)
                                             : SugaredValue::call(fn, range, args, kwargs);
}

/// Whether a module's class is, or derives from, one of the classes that a tree names; nothing where that names no
/// class. `isExact` leaves out those that the module's class derives from.
static std::optional<bool> moduleIsOneOf(FunctionContext &fn, const ModuleInfo &module, const Tree *of, bool isExact) {
  if (auto *tuple = llvm::dyn_cast<TupleLiteral>(of)) {
    for (const Tree *element : tuple->elements())
      if (std::optional<bool> one = moduleIsOneOf(fn, module, element, isExact); !one || *one)
        return one;
    return false;
  }
  const std::string dotted = dottedName(of), path = fn.resolver.canonicalName(dotted);
  if (path.empty())
    return std::nullopt;
  const ModuleClass *own = module.type;
  StringRef name = StringRef(path).contains('.') ? StringRef(path).rsplit('.').second : StringRef(path);
  if (isLibraryModule(fn.compiler, path) || path == "torch.nn.Module") {
    if (isExact)
      return own->isLibrary && own->name == name;
    return path == "torch.nn.Module" || own->derivesFrom(name);
  }
  if (fn.compiler.evaluator) // the file's classes, and other names of classes
    if (std::optional<bool> known = fn.compiler.evaluator->isOneOf(*own, of, fn.resolver, isExact))
      return known;
  if ((!own->isLibrary && own->name == name) || (!isExact && own->derivesFromUsers(name)))
    return true;
  if (fn.resolver.classDefinition(dotted) || tryTypeFromExpression(fn.context(), fn.resolver, of))
    return false;
  return std::nullopt; // misspelt, or no class
}

/// What `type(x)` or `x.__class__` asks for; null for another expression.
static const Tree *askedForType(FunctionContext &fn, const Tree *tree) {
  if (auto *select = llvm::dyn_cast<Select>(tree))
    return select->name() == "__class__" ? select->value() : nullptr;
  auto *apply = llvm::dyn_cast<Apply>(tree);
  auto *callee = apply ? llvm::dyn_cast<Var>(apply->callee()) : nullptr;
  const bool isType = callee && callee->name() == "type" && !fn.env.isDefined("type") && !fn.resolver.defines("type");
  return isType && apply->args().size() == 1 && apply->keywords().empty() ? apply->args()[0] : nullptr;
}

std::optional<Condition> tsc::emitTypeComparison(FunctionContext &fn, const Compare &tree) {
  const bool isNot = tree.op() == TreeOp::Ne || tree.op() == TreeOp::IsNot;
  if (!isNot && tree.op() != TreeOp::Eq && tree.op() != TreeOp::Is)
    return std::nullopt;
  const Tree *tested = askedForType(fn, tree.lhs()), *of = tree.rhs();
  if (!tested) {
    tested = askedForType(fn, tree.rhs());
    of = tree.lhs();
  }
  if (!tested || !fn.resolver.followsPython() || fn.resolver.isPrinted())
    return std::nullopt;
  Value *object = emitExpr(fn, tested);
  if (!object)
    return Condition();
  Condition result;
  if (const Tree *other = askedForType(fn, of)) {
    Value *second = emitExpr(fn, other);
    if (!second)
      return Condition();
    const std::string a = className(fn, object->type()), b = className(fn, second->type());
    if (a.empty() || b.empty())
      return fn.error(tree.range(), diag::UnsupportedSyntax,
                      "types of values that are known only when the program runs"),
             Condition();
    result = knownCondition(fn, a == b, tree.range());
  } else {
    ModuleInfo *module = fn.compiler.moduleInfo(object->type());
    std::optional<bool> isOne = module ? moduleIsOneOf(fn, *module, of, true) : std::nullopt;
    result = isOne ? knownCondition(fn, *isOne, tree.range()) : emitIsInstance(fn, tested, object, of, tree.range());
  }
  if (!isNot || !result)
    return result;
  result.value = callBuiltin(fn, tree.range(), aten::__not__, {result.value});
  if (result.known)
    result.known = !*result.known;
  std::swap(result.refinements.whenTrue, result.refinements.whenFalse);
  return result;
}

SugaredValue *tsc::emitTypeOf(FunctionContext &fn, const Apply &tree) {
  SugaredValue *object = checkArity(fn, tree, "type", 1, 1) ? emitSugared(fn, tree.args()[0]) : nullptr;
  if (auto *exception = llvm::dyn_cast_or_null<ExceptionSugar>(object)) {
    Value *name = lookUp(fn, exception->className, tree.range())->asValue(fn, tree.range());
    return fn.make<TypeOfSugar>(nullptr, callTemplate(fn, tree.range(), "last_part", {name}));
  }
  Value *value = object ? object->asValue(fn, tree.range()) : nullptr;
  if (!value)
    return nullptr;
  if (className(fn, value->type()).empty())
    return fn.error(tree.range(), diag::UnsupportedSyntax, "types of values that are known only when the program runs");
  return fn.make<TypeOfSugar>(value->type(), nullptr);
}

/// Whether a module's class is, or derives from, one of those that a tree names; nothing where that names no class.
static std::optional<bool> moduleIsA(FunctionContext &fn, const ModuleInfo &module, const Tree *of) {
  return moduleIsOneOf(fn, module, of, false);
}
