//===- Callables.cpp - What can be called, and constants ------------------===//
//
// Operators, casts, functions, methods, classes and enumerations: their attributes
// and calls.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/ArchiveResolver.h"
#include "../Emitter/Calls.h"
#include "../Emitter/Calls/FunctionCalls.h"
#include "../Emitter/Calls/Instances.h"
#include "../Emitter/Conversions.h"
#include "../Emitter/Expressions/Conditions.h"
#include "../Emitter/Expressions/Operations.h"
#include "../Emitter/Forms/Printing.h"
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
  FunctionContext &fn = emitterOf(context);
  if (holdsList(value)) {
    Value *made = madeAnew(fn, value, type, range);
    fn.containers.shared.push_back({made, range.text().str(), /*isParameter=*/false});
    return made;
  }
  if (Graph::canBeConstant(value) || value.isObject()) { // frozen modules have objects among their constants
    Value *result = fn.constant(value, range);
    return type && value.isInt() && !result->type()->isInt() ? result->setType(type) : result;
  }
  return fn.error(range, diag::NotAValue, describe());
}

SugaredValue *ConstantSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  Value *plain = asValue(fn, range);
  return plain ? SimpleValue(plain).attribute(fn, range, name) : nullptr;
}

/// PyTorch's executor takes a constant without dimensions that is the second operand of arithmetic for a number, which
/// has no say in the result's dtype. Traces have such constants where the model had numbers.
static std::optional<NamedValue> asNumber(FunctionContext &fn, Symbol name, ArrayRef<NamedValue> args,
                                          SourceRange range) {
  static constexpr StringRef names[] = {"aten::add", "aten::sub", "aten::mul", "aten::div"};
  const Resolver *archive = fn.compiler.archive;
  if (archive != &fn.resolver || args.size() < 2 || !args[1].value || !llvm::is_contained(names, name.qualified()))
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
  return NamedValue(fn.constant(scalar, range));
}

/// Takes `requires_grad=` out of the keywords where PyTorch's function has it and the operator has not: of what makes
/// tensors, in pinned memory if need be. Null: it is not there.
static Value *takeRequiresGrad(FunctionContext &fn, Symbol name, std::vector<NamedValue> &keywords) {
  auto given = llvm::find_if(keywords, [](const NamedValue &k) { return k.name == "requires_grad"; });
  auto makesTensors = [](const Operator *op) { return op->schema().argumentIndex("pin_memory").has_value(); };
  auto takesIt = [](const Operator *op) { return op->schema().argumentIndex("requires_grad").has_value(); };
  ArrayRef<const Operator *> overloads = fn.context().operators().overloads(name);
  if (given == keywords.end() || !given->value || !given->value->type()->isBool() || !fn.resolver.followsPython() ||
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
static std::vector<NamedValue> withTensorsAsLists(FunctionContext &fn, ArrayRef<NamedValue> args, SourceRange range) {
  std::vector<NamedValue> lists(args.begin(), args.end());
  for (NamedValue &arg : lists)
    if (arg.value && arg.value->type()->isTensor())
      arg.value = fn.makeList(Type::tensorType(), {arg.value}, range);
  return lists;
}

SugaredValue *BuiltinFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  std::vector<NamedValue> keywords(kwargs.begin(), kwargs.end());
  std::vector<NamedValue> lists;
  if (fn.resolver.followsPython() && !fn.resolver.isPrinted()) {
    if (Function *own =
            name.qualified() == "prim::abs" && args.size() == 1 ? methodOf(args[0].value, "__abs__") : nullptr)
      return fn.simple(callMethod(fn, range, args[0].value, own, {}, {}));
    if (name.qualified() == "aten::format" && self) { // objects, sizes and dtypes as they show themselves
      lists.assign(args.begin(), args.end());
      for (NamedValue &arg : lists)
        if (arg.value && !(arg.value = textOfObject(fn, arg.value, range)))
          return nullptr;
      args = lists;
    }
    if (name.qualified() == "aten::grad")
      args = lists = withTensorsAsLists(fn, args, range);
    if (isOfReals) {
      lists.assign(args.begin(), args.end());
      for (NamedValue &arg : lists) {
        if (arg.value && arg.value->type()->isComplex())
          return fn.error(range, diag::NoRealNumber, "math." + name.name());
        if (arg.value && arg.value->type()->isTensor())
          arg.value = callBuiltin(fn, range, aten::Float, {arg.value});
      }
      args = lists;
    }
  }
  if (Value *flag = takeRequiresGrad(fn, name, keywords)) {
    SugaredValue *made = call(fn, range, args, keywords);
    Value *tensor = made ? made->asValue(fn, range) : nullptr;
    std::optional<IValue> known = constantValue(flag);
    if (!tensor || (known && !known->toBool()))
      return made;
    return fn.simple(callBuiltin(fn, range, fn.context().symbol("aten::requires_grad_"), {tensor, flag}));
  }
  std::vector<NamedValue> withNumber;
  if (std::optional<NamedValue> number = self ? std::nullopt : asNumber(fn, name, args, range)) {
    withNumber.assign(args.begin(), args.end());
    withNumber[1] = std::move(*number);
    args = withNumber;
  }
  if (lateDefault && args.size() + (self != nullptr) <= lateDefault->position &&
      llvm::none_of(kwargs, [&](const NamedValue &k) { return k.name == lateDefault->argument; }))
    keywords.emplace_back(lateDefault->argument.str(), NamedValue(fn.constant(lateDefault->value, range)));
  if (name.qualified() == "aten::device" && args.empty() && keywords.size() == 1 && keywords[0].name == "type")
    keywords[0].name = "a"; // as the overload without an index calls it
  std::vector<NamedValue> converted;
  if (numbers) {
    converted.assign(args.begin(), args.end());
    for (NamedValue &number : converted)
      if (number.value &&
          (number.value->type()->isInt() || (number.value->type()->isFloat() && numbers != aten::Float)))
        number.value = callBuiltin(fn, range, numbers, {number.value});
    args = converted;
  }
  if (name == aten::pow && (isOfPython || (fn.resolver.followsPython() && fn.resolver.isPrinted())))
    if (Value *power = callBuiltin(fn, range, name, args, keywords))
      return fn.simple(asPythonPower(fn, power));
  return fn.simple(callBuiltin(fn, range, name, args, keywords, self));
}

SugaredValue *BuiltinFunction::attribute(EmitterContext &context, SourceRange range, StringRef overload) {
  FunctionContext &fn = emitterOf(context);
  if (fn.context().operators().find(name.qualified(), overload == "default" ? "" : overload))
    return this;
  return SugaredValue::attribute(fn, range, overload);
}

SugaredValue *CastFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                 ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (args.empty() && kwargs.empty()) {
    if (type->isString())
      return fn.simple(fn.constant(IValue(""), range));
    IValue zero = type->isFloat()  ? IValue(0.0)
                  : type->isBool() ? IValue(false)
                  : type->isInt()  ? IValue(int64_t{0})
                                   : IValue(std::complex<double>());
    return fn.simple(fn.constant(zero, range));
  }
  if (args.size() == 1 && kwargs.empty() && args[0].value) {
    Value *value = args[0].value;
    if (value->type()->isSubtypeOf(type))
      return fn.simple(value);
    if (value->type()->isComplex() && (type->isFloat() || type->isInt()) && fn.resolver.followsPython() &&
        !fn.resolver.isPrinted())
      return fn.error(range, diag::NoRealNumber, type->annotation());
    if (auto *member = llvm::dyn_cast<EnumType>(value->type());
        member && fn.compiler.intEnums.contains(member) && !type->isString()) {
      std::vector<NamedValue> number{fn.insertValue(prim::EnumValue, {value}, member->valueType(), range)};
      return call(fn, range, number, kwargs);
    }
    if (type->isBool() && hasLength(value->type()))
      return fn.simple(toBool(fn, value, range));
    if (type->isString() && !llvm::isa<ClassType>(value->type()))
      if (Value *text = textOfObject(fn, value, range); text != value)
        return fn.simple(text && !text->type()->isString() ? callBuiltin(fn, range, symbol, {text}) : text);
    if (llvm::isa<ClassType>(value->type())) {
      StringRef magic = type->isInt()      ? "__int__"
                        : type->isFloat()  ? "__float__"
                        : type->isBool()   ? "__bool__"
                        : type->isString() ? "__str__"
                                           : "__complex__";
      auto *classType = llvm::cast<ClassType>(value->type());
      if (type->isString() && !classType->findMethod("__str__") && classType->findMethod("__repr__"))
        magic = "__repr__";
      return fn.simple(type->isBool() ? toBool(fn, value, range) : callMagic(fn, range, magic, symbol, {value}));
    }
  }
  return fn.simple(callBuiltin(fn, range, symbol, args, kwargs));
}

SugaredValue *LegacyConstructor::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                      ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  auto isInt = [](const NamedValue &arg) { return arg.value && arg.value->type()->isInt(); };
  std::vector<NamedValue> keywords;
  for (const NamedValue &given : kwargs) {
    if (given.name != "device")
      return fn.error(range, diag::LegacyConstructor, name, "'" + given.name + "' is none of its arguments");
    keywords.push_back(given);
  }
  keywords.emplace_back("dtype", NamedValue(fn.constant(static_cast<int64_t>(dtype), range)));
  if (!llvm::all_of(args, isInt)) {
    if (args.size() != 1)
      return fn.error(range, diag::LegacyConstructor, name,
                      "and there are multiple positional arguments that were not all integers");
    return fn.simple(callBuiltin(fn, range, fn.context().symbol("aten::tensor"), args, keywords));
  }
  llvm::SmallVector<Value *, 4> sizes;
  for (const NamedValue &arg : args)
    sizes.push_back(arg.value);
  if (sizes.empty())
    sizes.push_back(fn.constant(int64_t{0}, range));
  std::vector<NamedValue> given{fn.makeList(Type::intType(), sizes, range)};
  return fn.simple(callBuiltin(fn, range, fn.context().symbol("aten::empty"), given, keywords));
}

SugaredValue *TensorCast::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (!args.empty() || !kwargs.empty())
    return fn.error(range, diag::CastArguments);
  Value *no = fn.constant(false, range);
  return fn.simple(callBuiltin(fn, range, aten::to,
                               {self, fn.constant(static_cast<int64_t>(dtype), range), no, no, fn.none(range)}));
}

SugaredValue *TensorGetItem::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                  ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (args.size() != 1 || !kwargs.empty())
    return fn.error(range, diag::GetItemArguments, "__getitem__", args.size() + kwargs.size());
  Value *index = args[0].value ? args[0].value : fn.constant(args[0].constant, range);
  if (index->type()->isInt())
    return fn.simple(callBuiltin(fn, range, aten::select, {self, fn.constant(int64_t{0}, range), index}));
  if (!index->type()->isTensor())
    return fn.error(range, diag::GetItemArguments, "__getitem__", "a value of type " + index->type()->annotation());
  Value *indices = fn.makeList(fn.context().optionalOf(Type::tensorType()), {index}, range);
  return fn.simple(callBuiltin(fn, range, aten::index, {self, indices}));
}

//===-- Functions, methods, classes ----------------------------------------===//

/// The only function, or the first overload that the arguments fit; null after a report.
static Function *pickOverload(FunctionContext &fn, SourceRange range, ArrayRef<Function *> functions,
                              ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  if (functions.size() == 1)
    return functions[0];
  std::vector<const FunctionSchema *> schemas;
  for (Function *function : functions) {
    if (!ensureSchema(fn, range, function))
      return nullptr;
    schemas.push_back(&function->schema());
  }
  auto matched = matchSchemas(schemas, fn.graph(), range, args, kwargs, fn.diagnostics());
  return matched ? functions[matched->first] : nullptr;
}

Value *FunctionSugar::asValue(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  return fn.constant(IValue(functions[0]), range);
}

SugaredValue *FunctionSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                  ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  Function *function = pickOverload(fn, range, functions, args, kwargs);
  return function ? fn.simple(callFunction(fn, range, function, args, kwargs)) : nullptr;
}

SugaredValue *FlaggedFunction::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  std::string variant = name;
  for (const Flag &flag : flags) {
    const NamedValue *given = flag.position < args.size()
                                  ? &args[flag.position]
                                  : llvm::find_if(kwargs, [&](const NamedValue &k) { return k.name == flag.name; });
    if (given == kwargs.end())
      continue;
    std::optional<IValue> known = given->value ? constantValue(given->value) : std::optional<IValue>(given->constant);
    if (!known || !known->isBool())
      return fn.error(range, diag::FlagNotConstant, flag.name);
    if (known->toBool())
      variant += "_" + flag.name.str();
  }
  SugaredValue *function = fn.compiler.prelude(module)->resolveValue(variant, range);
  return function ? function->call(fn, range, args, kwargs) : nullptr;
}

SugaredValue *MethodSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  std::vector<NamedValue> all{self};
  all.insert(all.end(), args.begin(), args.end());
  Function *method = pickOverload(fn, range, methods, all, kwargs);
  return method ? fn.simple(callMethod(fn, range, self, method, args, kwargs)) : nullptr;
}

SugaredValue *InterfaceMethod::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  return fn.simple(callSchema(fn, range, self, *schema,
                              StringRef(schema->name()).rsplit('.').second.empty()
                                  ? schema->name()
                                  : StringRef(schema->name()).rsplit('.').second,
                              args, kwargs, prim::CallMethod));
}

SugaredValue *ClassSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                               ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  Value *object = fn.insertValue(prim::CreateObject, {}, type, range);
  if (auto info = fn.compiler.classes.find(type); info != fn.compiler.classes.end() && fn.resolver.followsPython())
    for (auto &[name, value] : info->second.constants)
      if (auto slot = type->findAttribute(name)) {
        const Type *declared = type->attribute(*slot).type;
        Value *given = convertTo(fn, madeAnew(fn, value, declared, range), declared, range, /*allowConversions=*/true);
        if (given->type()->isSubtypeOf(declared))
          fn.insertNode(prim::SetAttr, {object, given}, 0, range)->setAttribute(attr::name, name.str());
      }
  Function *init = type->findMethod("__init__");
  if (!init) {
    if (!args.empty() || !kwargs.empty())
      return fn.error(range, diag::NoConstructor, type->annotation());
    return fn.simple(object);
  }
  return callMethod(fn, range, object, init, args, kwargs) ? fn.simple(object) : nullptr;
}

SugaredValue *ClassSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (name == "__new__")
    return fn.make<SpecialForm>(FormKind::NewObject, "__new__");
  if (Function *method = type->findStaticMethod(name))
    return fn.make<FunctionSugar>(std::vector<Function *>{method});
  if (auto info = fn.compiler.classes.find(type); info != fn.compiler.classes.end())
    if (auto it = info->second.constants.find(name); it != info->second.constants.end())
      return fn.make<ConstantSugar>(it->second);
  if (const IValue *constant = type->findConstant(name)) // of a class that a host made
    return fn.make<ConstantSugar>(*constant);
  if (SugaredValue *method = classMethod(fn, type, name))
    return method;
  if (Function *method = type->findMethod(name)) // called with `self` given, as hooks are
    return fn.make<FunctionSugar>(std::vector<Function *>{method});
  return SugaredValue::attribute(fn, range, name);
}

SugaredValue *NamedTupleSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  std::vector<Argument> arguments;
  const NamedTupleInfo &info = fn.compiler.namedTuples[type];
  for (auto [i, field] : llvm::enumerate(type->fieldNames())) {
    Argument argument;
    argument.name = field;
    argument.type = type->elements()[i];
    if (i < info.defaults.size())
      argument.defaultValue = info.defaults[i];
    arguments.push_back(std::move(argument));
  }
  FunctionSchema schema(type->name().str(), "", std::move(arguments), {});
  auto matched = matchSchema(schema, fn.graph(), range, args, kwargs, fn.diagnostics());
  if (!matched)
    return nullptr;
  makeDefaultsAnew(fn, matched->inputs, range);
  return fn.simple(fn.insertValue(prim::TupleConstruct, matched->inputs, type, range));
}

SugaredValue *NamedTupleSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  if (name == "_fields")
    return fn.simple(fieldNames(fn, range, *type));
  SugaredValue *method = textMethod(fn, range, type, name, nullptr);
  return method ? method : SugaredValue::attribute(fn, range, name);
}

SugaredValue *EnumSugar::attribute(EmitterContext &context, SourceRange range, StringRef name) {
  FunctionContext &fn = emitterOf(context);
  for (auto &[member, value] : type->members())
    if (member == name)
      return fn.make<ConstantSugar>(IValue(makeRef<EnumValue>(type, member, value)), type);
  if (SugaredValue *method = textMethod(fn, range, type, name, nullptr))
    return method;
  return SugaredValue::attribute(fn, range, name);
}

SugaredValue *EnumSugar::iterable(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<Value *, 4> values;
  for (auto &[member, value] : type->members())
    values.push_back(fn.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
  return fn.simple(fn.makeList(type, values, range));
}

Value *EnumSugar::length(EmitterContext &context, SourceRange range) {
  FunctionContext &fn = emitterOf(context);
  return fn.constant(static_cast<int64_t>(type->members().size()), range);
}

/// `Color(2)`: the member with that value.
SugaredValue *EnumSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue> args,
                              ArrayRef<NamedValue> kwargs) {
  FunctionContext &fn = emitterOf(context);
  if (args.size() != 1 || !kwargs.empty() || !args[0].value)
    return SugaredValue::call(fn, range, args, kwargs);
  if (args[0].value->type() == type)
    return fn.simple(args[0].value);
  llvm::SmallVector<Value *, 4> members, values;
  for (auto &[member, value] : type->members()) {
    members.push_back(fn.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
    values.push_back(fn.constant(value, range));
  }
  Value *name = fn.constant(IValue(type->name().rsplit('.').second), range);
  Value *found = callTemplate(
      fn, range, "member_of",
      {fn.makeList(type, members, range), fn.makeList(type->valueType(), values, range), args[0].value, name});
  return found ? fn.simple(found) : nullptr;
}

/// `Color["RED"]`
SugaredValue *EnumSugar::element(EmitterContext &context, SourceRange range, Value *index, const Type *) {
  FunctionContext &fn = emitterOf(context);
  llvm::SmallVector<Value *, 4> members, names;
  for (auto &[member, value] : type->members()) {
    members.push_back(fn.constant(IValue(makeRef<EnumValue>(type, member, value)), range));
    names.push_back(fn.constant(IValue(member), range));
  }
  Value *found =
      callTemplate(fn, range, "member_named",
                   {fn.makeList(type, members, range), fn.makeList(Type::stringType(), names, range), index});
  return found ? fn.simple(found) : nullptr;
}

/// In a class of the file: the method of the next class behind that of the text which has one.
static Function *methodBehind(FunctionContext &fn, const ClassType *type, const ClassDef *text, StringRef name) {
  auto info = fn.compiler.classes.find(type);
  if (!text || info == fn.compiler.classes.end())
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
  FunctionContext &fn = emitterOf(context);
  if (auto *type = self ? llvm::dyn_cast<ClassType>(self->type()) : nullptr; type && text)
    if (Function *method = methodBehind(fn, type, text, name)) {
      // What the base's __init__ sets is there from this line on, also where its annotation says what it returns.
      if (name == "__init__" && failed(method->ensureDefined()))
        return nullptr;
      return fn.make<MethodSugar>(self, std::vector<Function *>{method});
    }
  if (name == "__init__")
    return this;
  auto *type = self ? llvm::dyn_cast<ClassType>(self->type()) : nullptr;
  Function *method = type && after ? fn.compiler.moduleMethod(type, name, after) : nullptr;
  if (!method)
    return SugaredValue::attribute(fn, range, name);
  return fn.make<MethodSugar>(self, std::vector<Function *>{method});
}

SugaredValue *SuperSugar::call(EmitterContext &context, SourceRange range, ArrayRef<NamedValue>, ArrayRef<NamedValue>) {
  FunctionContext &fn = emitterOf(context);
  return fn.simple(fn.none(range));
}
