//===- Callables.cpp - What can be called, and constants ------------------===//
//
// Operators, casts, functions, methods, classes and enumerations: their attributes
// and calls.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/ArchiveResolver.h"
#include "../Emitter/SizeLimits.h"
#include "../Emitter/SourceResolver.h"
#include "../Emitter/TypeExpressions.h"
#include "Values.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Support/NearestName.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;

//===-- Constants, operators, casts ----------------------------------------===//

Value *ConstantSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  if (holdsList(value)) {
    Value *made = e.madeAnew(value, type, range);
    e.sharedContainers.push_back({made, range.text().str(), /*isParameter=*/false});
    return made;
  }
  if (Graph::canBeConstant(value) || value.isObject()) { // frozen modules have objects among their constants
    Value *result = e.constant(value, range);
    return type && value.isInt() && !result->type()->isInt() ? result->setType(type) : result;
  }
  return e.error(range, diag::NotAValue, describe());
}

SugaredValue *ConstantSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  Value *plain = asValue(e, range);
  return plain ? SimpleValue(plain).attribute(e, range, name) : nullptr;
}

/// PyTorch's executor takes a constant without dimensions that is the second operand of arithmetic for a number, which
/// has no say in the result's dtype. Traces have such constants where the model had numbers.
static std::optional<NamedValue> asNumber(FunctionEmitter &e, Symbol name, ArrayRef<NamedValue> args,
                                          SourceRange range) {
  static constexpr StringRef names[] = {"aten::add", "aten::sub", "aten::mul", "aten::div"};
  const Resolver *archive = e.compiler.archive;
  if (archive != &e.resolver || args.size() < 2 || !args[1].value || !llvm::is_contained(names, name.qualified()))
    return std::nullopt;
  std::optional<IValue> value = constantValue(args[1].value);
  if (!value || !value->isTensor() || !value->asTensor().defined() || value->asTensor().dim() != 0)
    return std::nullopt;
  StatusOr<Scalar> number = value->asTensor().item();
  if (!number.ok())
    return std::nullopt;
  IValue scalar = number->isComplex()    ? IValue(number->toComplex())
                  : number->isFloating() ? IValue(number->toDouble())
                  : number->isBool()     ? IValue(number->toBool())
                                         : IValue(number->toInt());
  return NamedValue(e.constant(std::move(scalar), range));
}

/// Takes `requires_grad=` out of the keywords where PyTorch's function has it and the operator has not: of what makes
/// tensors, in pinned memory if need be. Null: it is not there.
static Value *takeRequiresGrad(FunctionEmitter &e, Symbol name, std::vector<NamedValue> &keywords) {
  auto given = llvm::find_if(keywords, [](const NamedValue &k) { return k.name == "requires_grad"; });
  auto makesTensors = [](const Operator *op) { return op->schema().argumentIndex("pin_memory").has_value(); };
  auto takesIt = [](const Operator *op) { return op->schema().argumentIndex("requires_grad").has_value(); };
  ArrayRef<const Operator *> overloads = e.context.operators().overloads(name);
  if (given == keywords.end() || !given->value || !given->value->type()->isBool() || !e.resolver.followsPython() ||
      llvm::none_of(overloads, makesTensors) || llvm::any_of(overloads, takesIt))
    return nullptr;
  Value *flag = given->value;
  keywords.erase(given);
  return flag;
}

static Function *methodOf(const Value *object, StringRef name) {
  auto *type = object ? llvm::dyn_cast<ClassType>(object->type()) : nullptr;
  return type ? type->findMethod(name) : nullptr;
}

/// Python's torch.autograd.grad takes a tensor for a list of one.
static std::vector<NamedValue> withTensorsAsLists(FunctionEmitter &e, ArrayRef<NamedValue> args, SourceRange range) {
  std::vector<NamedValue> lists(args.begin(), args.end());
  for (NamedValue &arg : lists)
    if (arg.value && arg.value->type()->isTensor())
      arg.value = e.makeList(Type::tensorType(), {arg.value}, range);
  return lists;
}

SugaredValue *BuiltinFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  std::vector<NamedValue> keywords(kwargs.begin(), kwargs.end());
  std::vector<NamedValue> lists;
  if (e.resolver.followsPython() && !e.resolver.isPrinted()) {
    if (Function *own =
            name.qualified() == "prim::abs" && args.size() == 1 ? methodOf(args[0].value, "__abs__") : nullptr)
      return e.simple(e.callMethod(range, args[0].value, own, {}, {}));
    if (name.qualified() == "aten::format" && self) { // objects, sizes and dtypes as they show themselves
      lists.assign(args.begin(), args.end());
      for (NamedValue &arg : lists)
        if (arg.value && !(arg.value = e.textOfObject(arg.value, range)))
          return nullptr;
      args = lists;
    }
    if (name.qualified() == "aten::grad")
      args = lists = withTensorsAsLists(e, args, range);
    if (isOfReals) {
      lists.assign(args.begin(), args.end());
      for (NamedValue &arg : lists) {
        if (arg.value && arg.value->type()->isComplex())
          return e.error(range, diag::NoRealNumber, "math." + name.name());
        if (arg.value && arg.value->type()->isTensor())
          arg.value = e.callBuiltin(range, aten::Float, {arg.value});
      }
      args = lists;
    }
  }
  if (Value *flag = takeRequiresGrad(e, name, keywords)) {
    SugaredValue *made = call(e, range, args, keywords);
    Value *tensor = made ? made->asValue(e, range) : nullptr;
    std::optional<IValue> known = constantValue(flag);
    if (!tensor || (known && !known->toBool()))
      return made;
    return e.simple(e.callBuiltin(range, e.context.symbol("aten::requires_grad_"), {tensor, flag}));
  }
  std::vector<NamedValue> withNumber;
  if (std::optional<NamedValue> number = self ? std::nullopt : asNumber(e, name, args, range)) {
    withNumber.assign(args.begin(), args.end());
    withNumber[1] = std::move(*number);
    args = withNumber;
  }
  if (lateDefault && args.size() + (self != nullptr) <= lateDefault->position &&
      llvm::none_of(kwargs, [&](const NamedValue &k) { return k.name == lateDefault->argument; }))
    keywords.emplace_back(lateDefault->argument.str(), NamedValue(e.constant(lateDefault->value, range)));
  std::vector<NamedValue> converted;
  if (numbers) {
    converted.assign(args.begin(), args.end());
    for (NamedValue &number : converted)
      if (number.value &&
          (number.value->type()->isInt() || (number.value->type()->isFloat() && numbers != aten::Float)))
        number.value = e.callBuiltin(range, numbers, {number.value});
    args = converted;
  }
  if (name == aten::pow && (isOfPython || (e.resolver.followsPython() && e.resolver.isPrinted())))
    if (Value *power = e.callBuiltin(range, name, args, keywords))
      return e.simple(e.asPythonPower(power));
  return e.simple(e.callBuiltin(range, name, args, keywords, self));
}

SugaredValue *BuiltinFunction::attribute(EmitterContext &context, SourceRange range, StringRef overload) {
  FunctionEmitter &e = emitterOf(context);
  if (e.context.operators().find(name.qualified(), overload == "default" ? "" : overload))
    return this;
  return SugaredValue::attribute(e, range, overload);
}

SugaredValue *CastFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  if (args.empty() && kwargs.empty()) {
    if (type->isString())
      return e.simple(e.constant(IValue(""), range));
    IValue zero = type->isFloat()  ? IValue(0.0)
                  : type->isBool() ? IValue(false)
                  : type->isInt()  ? IValue(int64_t{0})
                                   : IValue(std::complex<double>());
    return e.simple(e.constant(zero, range));
  }
  if (args.size() == 1 && kwargs.empty() && args[0].value) {
    Value *value = args[0].value;
    if (value->type()->isSubtypeOf(type))
      return e.simple(value);
    if (value->type()->isComplex() && (type->isFloat() || type->isInt()) && e.resolver.followsPython() &&
        !e.resolver.isPrinted())
      return e.error(range, diag::NoRealNumber, type->annotation());
    if (auto *member = llvm::dyn_cast<EnumType>(value->type());
        member && e.compiler.intEnums.contains(member) && !type->isString()) {
      std::vector<NamedValue> number{e.insertValue(prim::EnumValue, {value}, member->valueType(), range)};
      return call(e, range, number, kwargs);
    }
    if (type->isBool() && FunctionEmitter::hasLength(value->type()))
      return e.simple(e.toBool(value, range));
    if (type->isString() && !llvm::isa<ClassType>(value->type()))
      if (Value *text = e.textOfObject(value, range); text != value)
        return e.simple(text && !text->type()->isString() ? e.callBuiltin(range, symbol, {text}) : text);
    if (llvm::isa<ClassType>(value->type())) {
      StringRef magic = type->isInt()      ? "__int__"
                        : type->isFloat()  ? "__float__"
                        : type->isBool()   ? "__bool__"
                        : type->isString() ? "__str__"
                                           : "__complex__";
      auto *classType = llvm::cast<ClassType>(value->type());
      if (type->isString() && !classType->findMethod("__str__") && classType->findMethod("__repr__"))
        magic = "__repr__";
      return e.simple(type->isBool() ? e.toBool(value, range) : e.callMagic(range, magic, symbol, {value}));
    }
  }
  return e.simple(e.callBuiltin(range, symbol, args, kwargs));
}

SugaredValue *LegacyConstructor::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                      ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  auto isInt = [](const NamedValue &arg) { return arg.value && arg.value->type()->isInt(); };
  std::vector<NamedValue> keywords;
  for (const NamedValue &given : kwargs) {
    if (given.name != "device")
      return e.error(range, diag::LegacyConstructor, name, "'" + given.name + "' is none of its arguments");
    keywords.push_back(given);
  }
  keywords.emplace_back("dtype", NamedValue(e.constant(static_cast<int64_t>(dtype), range)));
  if (!llvm::all_of(args, isInt)) {
    if (args.size() != 1)
      return e.error(range, diag::LegacyConstructor, name, "and several positional arguments have to be sizes");
    return e.simple(e.callBuiltin(range, e.context.symbol("aten::tensor"), args, keywords));
  }
  llvm::SmallVector<Value *, 4> sizes;
  for (const NamedValue &arg : args)
    sizes.push_back(arg.value);
  if (sizes.empty())
    sizes.push_back(e.constant(int64_t{0}, range));
  std::vector<NamedValue> given{e.makeList(Type::intType(), sizes, range)};
  return e.simple(e.callBuiltin(range, e.context.symbol("aten::empty"), given, keywords));
}

SugaredValue *TensorCast::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  if (!args.empty() || !kwargs.empty())
    return e.error(range, diag::CastArguments);
  Value *no = e.constant(false, range);
  return e.simple(
      e.callBuiltin(range, aten::to, {self, e.constant(static_cast<int64_t>(dtype), range), no, no, e.none(range)}));
}

//===-- Functions, methods, classes ----------------------------------------===//

/// The only function, or the first overload that the arguments fit; null after a report.
static Function *pickOverload(FunctionEmitter &e, SourceRange range, ArrayRef<Function *> functions,
                              ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  if (functions.size() == 1)
    return functions[0];
  std::vector<const FunctionSchema *> schemas;
  for (Function *function : functions) {
    if (!e.ensureSchema(range, function))
      return nullptr;
    schemas.push_back(&function->schema());
  }
  auto matched = matchSchemas(schemas, e.graph, range, args, kwargs, e.diags);
  return matched ? functions[matched->first] : nullptr;
}

Value *FunctionSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  return e.constant(IValue(functions[0]), range);
}

SugaredValue *FunctionSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                  ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  Function *function = pickOverload(e, range, functions, args, kwargs);
  return function ? e.simple(e.callFunction(range, function, args, kwargs)) : nullptr;
}

SugaredValue *FlaggedFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  std::string variant = name;
  for (const Flag &flag : flags) {
    const NamedValue *given = flag.position < args.size()
                                  ? &args[flag.position]
                                  : llvm::find_if(kwargs, [&](const NamedValue &k) { return k.name == flag.name; });
    if (given == kwargs.end())
      continue;
    std::optional<IValue> known = given->value ? constantValue(given->value) : std::optional<IValue>(given->constant);
    if (!known || !known->isBool())
      return e.error(range, diag::FlagNotConstant, flag.name);
    if (known->toBool())
      variant += "_" + flag.name.str();
  }
  SugaredValue *function = e.compiler.prelude(module)->resolveValue(variant, range);
  return function ? function->call(e, range, args, kwargs) : nullptr;
}

SugaredValue *MethodSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  std::vector<NamedValue> all{self};
  all.insert(all.end(), args.begin(), args.end());
  Function *method = pickOverload(e, range, methods, all, kwargs);
  return method ? e.simple(e.callMethod(range, self, method, args, kwargs)) : nullptr;
}

SugaredValue *InterfaceMethod::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  return e.simple(e.callSchema(range, self, *schema,
                               StringRef(schema->name()).rsplit('.').second.empty()
                                   ? schema->name()
                                   : StringRef(schema->name()).rsplit('.').second,
                               args, kwargs, prim::CallMethod));
}

SugaredValue *ClassSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  Value *object = e.insertValue(prim::CreateObject, {}, type, range);
  if (auto info = e.compiler.classes.find(type); info != e.compiler.classes.end() && e.resolver.followsPython())
    for (auto &[name, value] : info->second.constants)
      if (auto slot = type->findAttribute(name)) {
        const Type *declared = type->attribute(*slot).type;
        Value *given = e.convertTo(e.madeAnew(value, declared, range), declared, range, /*allowConversions=*/true);
        if (given->type()->isSubtypeOf(declared))
          e.insertNode(prim::SetAttr, {object, given}, 0, range)->setAttribute(attr::name, name.str());
      }
  Function *init = type->findMethod("__init__");
  if (!init) {
    if (!args.empty() || !kwargs.empty())
      return e.error(range, diag::NoConstructor, type->annotation());
    return e.simple(object);
  }
  return e.callMethod(range, object, init, args, kwargs) ? e.simple(object) : nullptr;
}

SugaredValue *ClassSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (name == "__new__")
    return e.make<SpecialForm>(FormKind::NewObject, "__new__");
  auto info = e.compiler.classes.find(type);
  if (info != e.compiler.classes.end()) {
    if (auto it = info->second.staticMethods.find(name); it != info->second.staticMethods.end())
      return e.make<FunctionSugar>(std::vector<Function *>{it->second});
    if (auto it = info->second.constants.find(name); it != info->second.constants.end())
      return e.make<ConstantSugar>(it->second);
  }
  if (SugaredValue *method = classMethod(e, type, name))
    return method;
  if (Function *method = type->findMethod(name)) // called with `self` given, as hooks are
    return e.make<FunctionSugar>(std::vector<Function *>{method});
  return SugaredValue::attribute(e, range, name);
}

SugaredValue *NamedTupleSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  std::vector<Argument> arguments;
  const NamedTupleInfo &info = e.compiler.namedTuples[type];
  for (auto [i, field] : llvm::enumerate(type->fieldNames())) {
    Argument argument;
    argument.name = field;
    argument.type = type->elements()[i];
    if (i < info.defaults.size())
      argument.defaultValue = info.defaults[i];
    arguments.push_back(std::move(argument));
  }
  FunctionSchema schema(type->name().str(), "", std::move(arguments), {});
  auto matched = matchSchema(schema, e.graph, range, args, kwargs, e.diags);
  if (!matched)
    return nullptr;
  e.makeDefaultsAnew(matched->inputs, range);
  return e.simple(e.insertValue(prim::TupleConstruct, matched->inputs, type, range));
}

SugaredValue *NamedTupleSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (name == "_fields")
    return e.simple(fieldNames(e, range, *type));
  SugaredValue *method = textMethod(e, range, type, name, nullptr);
  return method ? method : SugaredValue::attribute(e, range, name);
}

SugaredValue *EnumSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  for (auto &[member, value] : type->members())
    if (member == name)
      return e.make<ConstantSugar>(IValue(makeRef<EnumValue>(type, member, value)), type);
  if (SugaredValue *method = textMethod(e, range, type, name, nullptr))
    return method;
  return SugaredValue::attribute(e, range, name);
}

SugaredValue *EnumSugar::iterable(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  llvm::SmallVector<Value *, 4> values;
  for (auto &[member, value] : type->members())
    values.push_back(e.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
  return e.simple(e.makeList(type, values, range));
}

Value *EnumSugar::length(EmitterContext &context, SourceRange range) {
  FunctionEmitter &e = emitterOf(context);
  return e.constant(static_cast<int64_t>(type->members().size()), range);
}

/// `Color(2)`: the member with that value.
SugaredValue *EnumSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                              ArrayRef<NamedValue> kwargs) {
  FunctionEmitter &e = emitterOf(context);
  if (args.size() != 1 || !kwargs.empty() || !args[0].value)
    return SugaredValue::call(e, range, args, kwargs);
  if (args[0].value->type() == type)
    return e.simple(args[0].value);
  llvm::SmallVector<Value *, 4> members, values;
  for (auto &[member, value] : type->members()) {
    members.push_back(e.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
    values.push_back(e.constant(value, range));
  }
  Value *name = e.constant(IValue(type->name().rsplit('.').second), range);
  Value *found = e.callTemplate(
      range, "member_of",
      {e.makeList(type, members, range), e.makeList(type->valueType(), values, range), args[0].value, name});
  return found ? e.simple(found) : nullptr;
}

/// `Color["RED"]`
SugaredValue *EnumSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionEmitter &e = emitterOf(context);
  llvm::SmallVector<Value *, 4> members, names;
  for (auto &[member, value] : type->members()) {
    members.push_back(e.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
    names.push_back(e.constant(IValue(member), range));
  }
  Value *found = e.callTemplate(
      range, "member_named", {e.makeList(type, members, range), e.makeList(Type::stringType(), names, range), index});
  return found ? e.simple(found) : nullptr;
}

/// In a class of the file: the method of the next class behind that of the text which has one.
static Function *methodBehind(FunctionEmitter &e, const ClassType *type, const ClassDef *text, StringRef name) {
  auto info = e.compiler.classes.find(type);
  if (!text || info == e.compiler.classes.end())
    return nullptr;
  bool isBehind = false;
  for (const ClassDef *each : info->second.order) {
    bool hasMethod = llvm::any_of(each->body(), [&](const Tree *statement) {
      auto *def = llvm::dyn_cast<Def>(statement);
      return def && def->name() == name;
    });
    if (isBehind && hasMethod) {
      auto overridden = info->second.overridden.find({each, name.str()});
      return overridden != info->second.overridden.end() ? overridden->second : type->findMethod(name);
    }
    isBehind |= each == text;
  }
  return nullptr;
}

SugaredValue *SuperSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionEmitter &e = emitterOf(context);
  if (auto *type = self ? llvm::dyn_cast<ClassType>(self->type()) : nullptr; type && text)
    if (Function *method = methodBehind(e, type, text, name)) {
      // What the base's __init__ sets is there from this line on, also where its annotation says what it returns.
      if (name == "__init__" && failed(method->ensureDefined()))
        return nullptr;
      return e.make<MethodSugar>(self, std::vector<Function *>{method});
    }
  if (name == "__init__")
    return this;
  auto *type = self ? llvm::dyn_cast<ClassType>(self->type()) : nullptr;
  Function *method = type && after ? e.compiler.moduleMethod(type, name, after) : nullptr;
  if (!method)
    return SugaredValue::attribute(e, range, name);
  return e.make<MethodSugar>(self, std::vector<Function *>{method});
}

SugaredValue *SuperSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue>, ArrayRef<NamedValue>) {
  FunctionEmitter &e = emitterOf(context);
  return e.simple(e.none(range));
}
