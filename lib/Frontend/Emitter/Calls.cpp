//===- Calls.cpp - Calls of functions, methods and operators --------------===//
#include "../SugaredValues/Values.h"
#include "FunctionEmitter.h"
#include "TypeExpressions.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Python/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tsc;

/// Operators whose overloads are for numbers of one kind each, with a number of unknown kind: as the kind would have
/// it, and not converted to that of the first overload. Null for other calls, and after a report.
static Value *callOnNumber(FunctionEmitter &e, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                           ArrayRef<NamedValue> kwargs) {
  bool isOnNumber =
      llvm::any_of(args, [](const NamedValue &arg) { return arg.value && arg.value->type()->isNumber(); });
  if (!isOnNumber)
    return nullptr;
  if (name == aten::Bool && args.size() == 1)
    return e.callBuiltin(range, aten::ne, {args[0].value, e.constant(int64_t{0}, range)});
  if (name == aten::tensor) {
    std::vector<NamedValue> listed(args.begin(), args.end());
    listed[0].value = e.makeList(Type::numberType(), {args[0].value}, range);
    Value *one = e.callBuiltin(range, name, listed, kwargs);
    Value *zero = e.constant(int64_t{0}, range);
    return one ? e.callBuiltin(range, aten::select, {one, zero, zero}) : nullptr;
  }
  if (name.qualified() == "aten::divmod" && args.size() == 2 && args[0].value && args[1].value) {
    Value *quotient = e.callBuiltin(range, aten::floordiv, {args[0].value, args[1].value});
    Value *rest = quotient ? e.callBuiltin(range, aten::remainder, {args[0].value, args[1].value}) : nullptr;
    return rest ? e.makeTuple({quotient, rest}, range) : nullptr;
  }
  return nullptr;
}

/// min or max of two floats: Python gives the first of a NaN and a number, PyTorch the second.
static bool prefersSecond(Symbol name, ArrayRef<NamedValue> args) {
  return (name == prim::min || name == prim::max) && args.size() == 2 && args[0].value && args[1].value &&
         (args[0].value->type()->isFloat() || args[1].value->type()->isFloat());
}

/// Whether an overload of an operator has a parameter of a name.
static bool hasParameter(Context &context, Symbol name, StringRef parameter) {
  return llvm::any_of(context.operators().overloads(name), [&](const Operator *op) {
    return llvm::any_of(op->schema().arguments(), [&](const Argument &argument) { return argument.name == parameter; });
  });
}

/// PyTorch's name of a parameter that its functions know by NumPy's name as well; empty for others.
static StringRef nameOfNumpys(StringRef name) {
  return llvm::StringSwitch<StringRef>(name).Case("axis", "dim").Case("keepdims", "keepdim").Default("");
}

static bool isOfType(const NamedValue &arg, bool (Type::*isSuch)() const) {
  return arg.value && (arg.value->type()->*isSuch)();
}

/// Calls of PyTorch's operators with bools where numbers stand, as Python allows: a tensor of one beside tensors, which
/// has a bool's part in the result's dtype, and a number beside numbers. Null where that does not fit either.
static Value *callWithBools(FunctionEmitter &e, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                            ArrayRef<NamedValue> kwargs, Value *receiver) {
  auto attempt = [&](ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
    DiagnosticEngine unheard;
    return insertCall(e.graph, range, name, args, kwargs, unheard, receiver);
  };
  if (Value *asGiven = attempt(args, kwargs))
    return asGiven;
  auto isTensor = [](const NamedValue &arg) { return isOfType(arg, &Type::isTensor); };
  const bool isOnTensors =
      (receiver && receiver->type()->isTensor()) || llvm::any_of(args, isTensor) || llvm::any_of(kwargs, isTensor) ||
      llvm::all_of(e.context.operators().overloads(name), [](const Operator *op) {
        return llvm::all_of(op->schema().returns(), [](const Argument &result) { return result.type->isTensor(); });
      });
  llvm::SmallVector<Value *, 2> tensors;
  auto convert = [&](std::vector<NamedValue> &values) {
    for (NamedValue &arg : values)
      if (isOfType(arg, &Type::isBool)) {
        arg.value = e.callBuiltin(range, isOnTensors ? aten::tensor : aten::Int, {arg.value});
        if (isOnTensors)
          tensors.push_back(arg.value);
      }
  };
  std::vector<NamedValue> positional(args.begin(), args.end()), named(kwargs.begin(), kwargs.end());
  convert(positional);
  Value *result = attempt(positional, kwargs);
  if (!result) {
    convert(named);
    result = attempt(positional, named);
  }
  // PyTorch takes no bool for a dimension or another int.
  auto isMadeInt = [](Value *tensor) {
    return llvm::any_of(tensor->uses(), [](const Use &use) { return use.user()->kind() == aten::IntImplicit; });
  };
  return llvm::any_of(tensors, isMadeInt) ? nullptr : result;
}

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                                    ArrayRef<NamedValue> kwargs, Value *receiver) {
  const Value *holder = receiver ? receiver : !args.empty() ? args[0].value : nullptr;
  if (auto *dict = llvm::dyn_cast_or_null<DictType>(holder ? holder->type() : nullptr);
      dict && llvm::isa<EnumType, TupleType>(dict->key()) && name.ns() == "aten")
    name = context.symbol("tsc", ("dict_" + name.name()).str());
  if (!compiler.isLibrary && isMadeByPasses(compiler, name))
    return error(range, diag::MadeByPasses, name.qualified());
  // PyTorch's functions know their first argument as `input`, and its operators as `self`.
  if (!receiver && args.empty() && resolver.followsPython() && !kwargs.empty())
    if (auto *input = llvm::find_if(kwargs, [](const NamedValue &k) { return k.name == "input"; });
        input != kwargs.end() && !hasParameter(context, name, "input")) {
      std::vector<NamedValue> rest(kwargs.begin(), kwargs.end());
      rest.erase(rest.begin() + (input - kwargs.begin()));
      NamedValue first = *input;
      first.name.clear();
      return callBuiltin(range, name, {first}, rest);
    }
  if (resolver.followsPython() && !resolver.isPrinted())
    for (const NamedValue &given : kwargs)
      if (StringRef parameter = nameOfNumpys(given.name);
          !parameter.empty() && !hasParameter(context, name, given.name) && hasParameter(context, name, parameter)) {
        std::vector<NamedValue> renamed(kwargs.begin(), kwargs.end());
        renamed[&given - kwargs.begin()].name = parameter.str();
        return callBuiltin(range, name, args, renamed, receiver);
      }
  if (!receiver)
    if (Value *result = callOnNumber(*this, range, name, args, kwargs))
      return result;
  if (resolver.followsPython() && !resolver.isPrinted() && prefersSecond(name, args)) {
    NamedValue swapped[] = {args[1], args[0]};
    return insertCall(graph, range, name, swapped, kwargs, diags, receiver, spelling);
  }
  if (name == aten::format && !kwargs.empty() && resolver.followsPython())
    return callFormat(range, args, kwargs, receiver);
  auto isBool = [](const NamedValue &arg) { return isOfType(arg, &Type::isBool); };
  const bool hasBools =
      resolver.followsPython() && !resolver.isPrinted() && (llvm::any_of(args, isBool) || llvm::any_of(kwargs, isBool));
  Value *result = hasBools ? callWithBools(*this, range, name, args, kwargs, receiver) : nullptr;
  if (!result)
    result = insertCall(graph, range, name, args, kwargs, diags, receiver, spelling);
  if (!result || !resolver.followsPython())
    return result;
  Node *node = result->node();
  if (node->kind() == prim::TupleConstruct && node->numInputs()) // of the results of several
    node = node->input(0)->node();
  if (node->kind() == name)
    followPython(*node);
  return result;
}

/// Whether the text is one without braces but those of `{}`.
static bool hasPlainFields(StringRef text) {
  for (auto [before, after] = text.split("{}");; std::tie(before, after) = after.split("{}")) {
    if (before.find_first_of("{}") != StringRef::npos)
      return false;
    if (after.empty())
      return true;
  }
}

/// The text with the numbers of its fields in place of their names; `names` stand after `first` values.
static std::optional<std::string> numberFields(StringRef text, ArrayRef<NamedValue> names, size_t first,
                                               std::string &unknown) {
  std::string numbered;
  for (size_t i = 0; i < text.size();) {
    numbered += text[i];
    if (text[i++] != '{')
      continue;
    if (text.substr(i).starts_with("{")) {
      numbered += text[i++];
      continue;
    }
    StringRef name = text.substr(i, text.find_first_of("!:{}", i) - i);
    i += name.size();
    if (name.empty() || llvm::all_of(name, llvm::isDigit)) {
      numbered += name;
      continue;
    }
    const NamedValue *known = llvm::find_if(names, [&](const NamedValue &value) { return value.name == name; });
    if (known == names.end()) {
      unknown = name.str();
      return std::nullopt;
    }
    numbered += std::to_string(first + (known - names.begin()));
  }
  return numbered;
}

/// `"{name}".format(name=value)`
Value *FunctionEmitter::callFormat(SourceRange range, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                                   Value *receiver) {
  std::vector<NamedValue> values(args.begin(), args.end());
  if (receiver)
    values.insert(values.begin(), receiver);
  auto text = values.empty() || !values[0].value ? std::nullopt : constantValue(values[0].value);
  if (!text || !text->isString())
    return error(range, diag::FormatNames);
  std::string unknown;
  std::optional<std::string> numbered = numberFields(text->toString(), kwargs, values.size() - 1, unknown);
  if (!numbered)
    return error(range, diag::FormatUnknownName, unknown);
  values[0] = constant(IValue(*numbered), range);
  for (const NamedValue &value : kwargs) {
    values.push_back(value.value);
    values.back().range = value.range;
  }
  return callBuiltin(range, aten::format, values);
}

/// Whether str() writes a value of the type alike in Python and in PyTorch.
static bool isWrittenAlike(const Type *type) {
  return type->isString() || type->isInt() || type->isBool() || type->isNone();
}

/// Whether `text % values` has a `%s` for each value, or a `%d` for an int: what else there is may fail, and
/// differently.
static bool hasPlainConversions(const Node &node) {
  auto text = constantValue(node.input(0));
  if (!text)
    return false;
  unsigned used = 1;
  StringRef rest = text->toString();
  while (auto conversion = python::takeConversion(rest)) {
    const bool isPlain = !conversion->key && conversion->options.empty();
    if (isPlain && conversion->letter == '%')
      continue;
    const bool isOfInt = conversion->letter == 'd';
    if (!isPlain || (!isOfInt && conversion->letter != 's') || used == node.numInputs() ||
        (isOfInt && !node.input(used)->type()->isInt()))
      return false;
    ++used;
  }
  return used == node.numInputs();
}

static bool isAsciiConstant(const Value *value) {
  auto text = value->type()->isString() ? constantValue(value) : std::nullopt;
  return text && text->isString() && llvm::isASCII(StringRef(text->toString()));
}

static bool isNonZeroConstant(const Value *value) {
  auto number = constantValue(value);
  return number && number->isScalar() && !number->isComplex() && number->toScalar().toDouble() != 0;
}

/// Whether the operands show that Python and PyTorch give the same.
static bool isAlike(const Node &node, PythonAgreement agrees) {
  auto areWrittenAlike = [&] {
    return llvm::all_of(node.inputs(), [](const Value *value) { return isWrittenAlike(value->type()); });
  };
  switch (agrees) {
  case PythonAgreement::Never: return false;
  case PythonAgreement::Chosen: return true; // asPythonPower() chooses
  case PythonAgreement::NonZeroDivisor: return isNonZeroConstant(node.input(1));
  case PythonAgreement::AsciiText: return isAsciiConstant(node.input(0));
  case PythonAgreement::SameText: return areWrittenAlike();
  case PythonAgreement::PlainConversions: return hasPlainConversions(node) && areWrittenAlike();
  case PythonAgreement::PlainFields: {
    auto text = constantValue(node.input(0));
    return text && hasPlainFields(text->toString()) && hasPlainConversions(node) && areWrittenAlike();
  }
  }
  llvm_unreachable("every agreement is handled");
}

/// Makes a node of the user's source mean what Python means where that is another meaning than PyTorch's, as far as one
/// can tell.
void FunctionEmitter::followPython(Node &node) {
  std::optional<PythonMeaning> meaning = pythonMeaningOf(node.opKind());
  if (node.kind() == prim::Print ? !isAlike(node, PythonAgreement::SameText)
                                 : meaning && !isAlike(node, meaning->agrees))
    setMeansPython(node);
}

Value *FunctionEmitter::callBuiltin(SourceRange range, Symbol name, std::initializer_list<Value *> args) {
  std::vector<NamedValue> values;
  for (Value *value : args) {
    if (!value)
      return nullptr;
    values.push_back(value);
    values.back().range = range;
  }
  return callBuiltin(range, name, values);
}

/// `zeros(n, *sizes)` with a list, whose length only running shows: sizes that are written one by one are one list.
static Value *sizesWithList(FunctionEmitter &e, ArrayRef<NamedValue> args, SourceRange range) {
  llvm::SmallVector<Value *, 4> lists;
  for (const NamedValue &arg : args)
    lists.push_back(llvm::isa<ListType>(arg.value->type()) ? arg.value
                                                           : e.makeList(Type::intType(), {arg.value}, range));
  return e.joinLists(lists, range);
}

static bool isIntOrInts(const Type *type) {
  auto *list = llvm::dyn_cast<ListType>(type);
  return (list ? list->element() : type)->isInt();
}

bool FunctionEmitter::emitArguments(const Apply &tree, std::vector<NamedValue> &args, std::vector<NamedValue> &kwargs,
                                    unsigned skip, bool takesSizes, SugaredValue *callee) {
  auto hintFor = [&](const Tree *argument, size_t position, StringRef keyword) {
    const bool isLiteral = llvm::isa<ListLiteral, DictLiteral, ListComp, DictComp>(argument);
    return callee && isLiteral ? parameterHint(*callee, position, keyword) : nullptr;
  };
  bool hasList = false;
  for (size_t i = skip; i < tree.args().size(); ++i) {
    llvm::SmallVector<Value *, 4> values;
    if (auto *starred = llvm::dyn_cast<Starred>(tree.args()[i])) {
      SugaredValue *whole = emitSugared(starred->value());
      if (auto *plain = llvm::dyn_cast_or_null<SimpleValue>(whole);
          plain && takesSizes && llvm::isa<ListType>(plain->get()->type()) && isIntOrInts(plain->get()->type()) &&
          llvm::all_of(args, [](const NamedValue &arg) { return isIntOrInts(arg.value->type()); })) {
        args.push_back(plain->get());
        args.back().range = starred->range();
        hasList = true;
        continue;
      }
      auto parts = whole ? whole->asTuple(*this, starred->range(), std::nullopt) : std::nullopt;
      if (!parts)
        return false;
      for (SugaredValue *part : *parts)
        values.push_back(part->asValue(*this, starred->range()));
    } else {
      values.push_back(emitExpr(tree.args()[i], hintFor(tree.args()[i], args.size(), "")));
    }
    for (Value *value : values) {
      if (!value)
        return false;
      args.push_back(value);
      args.back().range = tree.args()[i]->range();
    }
  }
  if (hasList && llvm::all_of(args, [](const NamedValue &arg) { return isIntOrInts(arg.value->type()); })) {
    Value *sizes = sizesWithList(*this, args, tree.range());
    if (!sizes)
      return false;
    args.assign({NamedValue(sizes)});
    args.back().range = tree.range();
  }
  for (const Tree *keyword : tree.keywords()) {
    auto *named = llvm::dyn_cast<Keyword>(keyword);
    if (!named) {
      std::vector<SugaredArgument> known;
      if (!emitKeywords(*llvm::cast<DoubleStarred>(keyword), known))
        return false;
      for (const SugaredArgument &one : known) {
        Value *value = one.value->asValue(*this, one.range);
        if (!value)
          return false;
        kwargs.emplace_back(one.name, NamedValue(value));
        kwargs.back().range = one.range;
      }
      continue;
    }
    Value *value = emitExpr(named->value(), hintFor(named->value(), 0, named->name()));
    if (!value)
      return false;
    kwargs.emplace_back(named->name().str(), NamedValue(value));
    kwargs.back().range = keyword->range();
  }
  return true;
}

SugaredValue *FunctionEmitter::emitApply(const Apply &tree, NumBinders binders, const Type *hint) {
  const bool isPython = resolver.followsPython() && !resolver.isPrinted();
  SugaredValue *callee = nullptr;
  if (auto *select = llvm::dyn_cast<Select>(tree.callee()); select && isPython && isPythonMethod(select->name())) {
    SugaredValue *object = emitSugared(select->value());
    if (std::optional<SugaredValue *> result = object ? emitPythonMethod(object, *select, tree) : nullptr)
      return *result;
    callee = object->attribute(*this, select->range(), select->name());
    if (callee && compiler.observer)
      tellOf(*select, *callee);
  } else {
    callee = emitSugared(tree.callee());
  }
  if (!callee)
    return nullptr;
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    if (form->self)
      return form->form == FormKind::ToList ? simple(emitToList(form->self, hint, tree.range()))
                                            : error(tree.range(), diag::CannotCall, form->describe());
  if (auto *form = llvm::dyn_cast<SpecialForm>(callee))
    return emitForm(form->form, tree, binders, hint);
  if (auto *closure = llvm::dyn_cast<ClosureSugar>(callee))
    if (isPython && tree.args().size() == 1 && closure->name() == "repr")
      if (std::optional<SugaredValue *> result = emitPythonCall(*callee, tree))
        return *result;
  if (llvm::isa<ClosureSugar, PartialSugar>(callee)) {
    std::vector<SugaredArgument> given;
    return emitSugaredArguments(tree, given) ? callSugared(*callee, tree.range(), given) : nullptr;
  }
  if (auto *function = llvm::dyn_cast<FunctionSugar>(callee);
      function && function->functions.size() == 1 && variadicInfo(function->functions[0]))
    return emitVariadicCall(nullptr, function->functions[0], tree);
  if (auto *method = dynamic_cast<MethodSugar *>(callee);
      method && method->methods.size() == 1 && variadicInfo(method->methods[0]))
    return emitVariadicCall(method->self, method->methods[0], tree);
  if (isPython)
    if (std::optional<SugaredValue *> result = emitPythonCall(*callee, tree))
      return *result;
  std::vector<NamedValue> args, kwargs;
  auto *builtin = dynamic_cast<BuiltinFunction *>(callee);
  const bool takesSizes = builtin && !builtin->isOfPython && resolver.followsPython() &&
                          (!builtin->self || builtin->self->type()->isTensor());
  if (!emitArguments(tree, args, kwargs, 0, takesSizes, isPython ? callee : nullptr))
    return nullptr;
  return callee->call(*this, tree.range(), args, kwargs);
}

//===-- Functions and methods ----------------------------------------------===//

bool FunctionEmitter::ensureSchema(SourceRange range, Function *function) {
  if (function->hasSchema() && !function->schema().returns().empty())
    return true;
  if (function->isBeingDefined())
    return error(range, diag::UnannotatedRecursion, function->name());
  if (compiler.bodyDepth > 200)
    return error(range, diag::NestedTooDeeply, 200);
  return succeeded(function->ensureDefined()) && !function->schema().returns().empty();
}

Value *FunctionEmitter::asFloatFor(Value *value, const Type *wanted, SourceRange range) {
  const bool isFloat = withoutNone(context, wanted)->isFloat();
  return value && isFloat && value->type()->isInt() ? callBuiltin(range, aten::Float, {value}) : value;
}

Value *FunctionEmitter::callSchema(SourceRange range, Value *self, const FunctionSchema &schema, StringRef methodName,
                                   ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs, Symbol kind) {
  std::vector<NamedValue> all;
  if (self && kind == prim::CallMethod)
    all.push_back(self);
  all.insert(all.end(), args.begin(), args.end());
  std::vector<NamedValue> named(kwargs.begin(), kwargs.end());
  if (resolver.followsPython() && !resolver.isPrinted()) { // an int will do where a float is wanted
    for (auto [given, argument] : llvm::zip(all, schema.arguments()))
      given.value = asFloatFor(given.value, argument.type, range);
    for (NamedValue &given : named)
      for (const Argument &argument : schema.arguments())
        if (argument.name == given.name)
          given.value = asFloatFor(given.value, argument.type, range);
  }
  auto matched = matchSchema(schema, graph, range, all, named, diags);
  if (!matched)
    return nullptr;
  std::vector<Value *> inputs(matched->inputs.begin(), matched->inputs.end());
  makeDefaultsAnew(inputs, range);
  if (kind == prim::CallFunction)
    inputs.insert(inputs.begin(), self);
  env.forgetPaths();
  Node *node = insertNode(kind, inputs, 1, range);
  if (kind == prim::CallMethod)
    node->setAttribute(attr::name, methodName.str());
  return node->output()->setType(matched->returnTypes.empty() ? Type::noneType() : matched->returnTypes[0]);
}

bool FunctionEmitter::checkPositionalOnly(SourceRange range, const Function &function, ArrayRef<NamedValue> kwargs) {
  auto found = compiler.positionalOnly.find(&function);
  if (found == compiler.positionalOnly.end())
    return true;
  for (const Argument &argument : function.schema().arguments().take_front(found->second))
    if (llvm::any_of(kwargs, [&](const NamedValue &given) { return given.name == argument.name; }))
      return error(range, diag::PositionalOnly, function.name(), argument.name);
  return true;
}

Value *FunctionEmitter::callFunction(SourceRange range, Function *function, ArrayRef<NamedValue> args,
                                     ArrayRef<NamedValue> kwargs) {
  if (variadicInfo(function))
    return callVariadic(range, nullptr, function, args, kwargs);
  if (!ensureSchema(range, function) || !checkPositionalOnly(range, *function, kwargs))
    return nullptr;
  Value *target = constant(IValue(function), range);
  return callSchema(range, target, function->schema(), "", args, kwargs, prim::CallFunction);
}

Value *FunctionEmitter::callMethod(SourceRange range, Value *self, Function *method, ArrayRef<NamedValue> args,
                                   ArrayRef<NamedValue> kwargs) {
  if (variadicInfo(method))
    return callVariadic(range, self, method, args, kwargs);
  if (!ensureSchema(range, method) || !checkPositionalOnly(range, *method, kwargs))
    return nullptr;
  return callSchema(range, self, method->schema(), method->name(), args, kwargs, prim::CallMethod);
}

SugaredValue *FunctionEmitter::callHooked(SourceRange range, Value *module, Function *forward,
                                          ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
  const ForwardHooks &hooks = llvm::cast<ClassType>(module->type())->forwardHooks();
  auto results = [&](Value *value) { return value ? simple(value) : nullptr; };
  if (hooks.empty())
    return results(callMethod(range, module, forward, args, kwargs));
  llvm::SmallVector<Value *, 4> inputs;
  for (const NamedValue &arg : args)
    inputs.push_back(arg.value ? arg.value : constant(arg.constant, range));
  auto run = [&](StringRef hook, std::initializer_list<Value *> given) {
    std::vector<NamedValue> values(given.begin(), given.end());
    for (NamedValue &value : values)
      value.range = range;
    return callMethod(range, module, llvm::cast<ClassType>(module->type())->findMethod(hook), values, {});
  };
  for (const std::string &hook : hooks.before) {
    Value *changed = run(hook, {makeTuple(inputs, range)});
    if (!changed)
      return nullptr;
    if (changed->type()->isNone())
      continue;
    auto *tuple = llvm::dyn_cast<TupleType>(changed->type());
    inputs.assign(tuple ? 0 : 1, changed);
    Node *unpack = tuple ? insertNode(prim::TupleUnpack, {changed}, 0, range) : nullptr;
    for (const Type *element : tuple ? tuple->elements() : ArrayRef<const Type *>())
      inputs.push_back(unpack->addOutput(element));
  }
  std::vector<NamedValue> passed(inputs.begin(), inputs.end());
  for (NamedValue &value : passed)
    value.range = range;
  Value *result = callMethod(range, module, forward, passed, kwargs);
  for (const std::string &hook : hooks.after) {
    Value *changed = result ? run(hook, {makeTuple(inputs, range), result}) : nullptr;
    if (!changed)
      return nullptr;
    if (!changed->type()->isNone())
      result = changed;
  }
  return results(result);
}

Value *FunctionEmitter::callMagic(SourceRange range, StringRef magic, Symbol fallback, ArrayRef<Value *> given) {
  llvm::SmallVector<Value *, 4> args(given.begin(), given.end());
  const bool isOfOne = args.size() == 1 || magic == "__getitem__"; // members are compared as they are
  if (auto *members = llvm::dyn_cast<EnumType>(args[0]->type());
      members && isOfOne && compiler.intEnums.contains(members))
    args[0] = insertValue(prim::EnumValue, {args[0]}, members->valueType(), range);
  if (auto *type = llvm::dyn_cast<ClassType>(args[0]->type()); type && !magic.empty()) {
    Function *method = type->findMethod(magic);
    if (!method)
      return error(range, diag::NoMagicMethod, type->annotation(), magic);
    std::vector<NamedValue> rest(args.begin() + 1, args.end());
    return callMethod(range, args[0], method, rest, {});
  }
  llvm::SaveAndRestore<StringRef> spelled(spelling, magic.ends_with("item__") ? "[]" : spelling);
  std::vector<NamedValue> values(args.begin(), args.end());
  for (NamedValue &value : values)
    value.range = range;
  if (magic == "__getitem__" && llvm::isa<ListType>(args[0]->type()) && args[1]->type()->isBool() &&
      resolver.followsPython())
    values[1].value = callBuiltin(range, aten::Int, {args[1]});
  return callBuiltin(range, fallback, values);
}
