//===- Calls.cpp - Calls of operators -------------------------------------===//
#include "Calls.h"
#include "../SugaredValues/Values.h"
#include "FunctionContext.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/PythonMeaning.h"
#include "tsc/IR/SchemaMatching.h"
#include "tsc/Python/Format.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;

static Value *callFormat(FunctionContext &fn, SourceRange range, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                         Value *receiver);

/// Operators whose overloads are for numbers of one kind each, with a number of unknown kind: as the kind would have
/// it, and not converted to that of the first overload. Null for other calls, and after a report.
static Value *callOnNumber(FunctionContext &fn, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                           ArrayRef<NamedValue> kwargs) {
  bool isOnNumber =
      llvm::any_of(args, [](const NamedValue &arg) { return arg.value && arg.value->type()->isNumber(); });
  if (!isOnNumber)
    return nullptr;
  if (name == aten::Bool && args.size() == 1)
    return callBuiltin(fn, range, aten::ne, {args[0].value, fn.constant(int64_t{0}, range)});
  if (name == aten::tensor) {
    std::vector<NamedValue> listed(args.begin(), args.end());
    listed[0].value = fn.makeList(Type::numberType(), {args[0].value}, range);
    Value *one = callBuiltin(fn, range, name, listed, kwargs);
    Value *zero = fn.constant(int64_t{0}, range);
    return one ? callBuiltin(fn, range, aten::select, {one, zero, zero}) : nullptr;
  }
  if (name.qualified() == "aten::divmod" && args.size() == 2 && args[0].value && args[1].value) {
    Value *quotient = callBuiltin(fn, range, aten::floordiv, {args[0].value, args[1].value});
    Value *rest = quotient ? callBuiltin(fn, range, aten::remainder, {args[0].value, args[1].value}) : nullptr;
    return rest ? fn.makeTuple({quotient, rest}, range) : nullptr;
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
static Value *callWithBools(FunctionContext &fn, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                            ArrayRef<NamedValue> kwargs, Value *receiver) {
  auto attempt = [&](ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs) {
    DiagnosticEngine unheard;
    return insertCall(fn.graph(), range, name, args, kwargs, unheard, receiver);
  };
  if (Value *asGiven = attempt(args, kwargs))
    return asGiven;
  auto isTensor = [](const NamedValue &arg) { return isOfType(arg, &Type::isTensor); };
  const bool isOnTensors =
      (receiver && receiver->type()->isTensor()) || llvm::any_of(args, isTensor) || llvm::any_of(kwargs, isTensor) ||
      llvm::all_of(fn.context().operators().overloads(name), [](const Operator *op) {
        return llvm::all_of(op->schema().returns(), [](const Argument &result) { return result.type->isTensor(); });
      });
  llvm::SmallVector<Value *, 2> tensors;
  auto convert = [&](std::vector<NamedValue> &values) {
    for (NamedValue &arg : values)
      if (isOfType(arg, &Type::isBool)) {
        arg.value = callBuiltin(fn, range, isOnTensors ? aten::tensor : aten::Int, {arg.value});
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
    return llvm::any_of(tensor->uses(), [](const Use &use) {
      const Node &user = *use.user();
      return conversionKind(user.opKind()) == ConversionKind::Implicit && user.output()->type()->isInt();
    });
  };
  return llvm::any_of(tensors, isMadeInt) ? nullptr : result;
}

Value *tsc::callBuiltin(FunctionContext &fn, SourceRange range, Symbol name, ArrayRef<NamedValue> args,
                        ArrayRef<NamedValue> kwargs, Value *receiver) {
  const Value *holder = receiver ? receiver : !args.empty() ? args[0].value : nullptr;
  if (auto *dict = llvm::dyn_cast_or_null<DictType>(holder ? holder->type() : nullptr);
      dict && llvm::isa<EnumType, TupleType>(dict->key()) && name.ns() == "aten")
    name = fn.context().symbol("tsc", ("dict_" + name.name()).str());
  if (!fn.compiler.isLibrary && isMadeByPasses(fn.compiler, name))
    return fn.error(range, diag::MadeByPasses, name.qualified());
  // PyTorch's functions know their first argument as `input`, and its operators as `self`.
  if (!receiver && args.empty() && fn.resolver.followsPython() && !kwargs.empty())
    if (auto *input = llvm::find_if(kwargs, [](const NamedValue &k) { return k.name == "input"; });
        input != kwargs.end() && !hasParameter(fn.context(), name, "input")) {
      std::vector<NamedValue> rest(kwargs.begin(), kwargs.end());
      rest.erase(rest.begin() + (input - kwargs.begin()));
      NamedValue first = *input;
      first.name.clear();
      return callBuiltin(fn, range, name, {first}, rest);
    }
  if (fn.resolver.followsPython() && !fn.resolver.isPrinted())
    for (const NamedValue &given : kwargs)
      if (StringRef parameter = nameOfNumpys(given.name); !parameter.empty() &&
                                                          !hasParameter(fn.context(), name, given.name) &&
                                                          hasParameter(fn.context(), name, parameter)) {
        std::vector<NamedValue> renamed(kwargs.begin(), kwargs.end());
        renamed[&given - kwargs.begin()].name = parameter.str();
        return callBuiltin(fn, range, name, args, renamed, receiver);
      }
  if (!receiver)
    if (Value *result = callOnNumber(fn, range, name, args, kwargs))
      return result;
  if (fn.resolver.followsPython() && !fn.resolver.isPrinted() && prefersSecond(name, args)) {
    NamedValue swapped[] = {args[1], args[0]};
    return insertCall(fn.graph(), range, name, swapped, kwargs, fn.diagnostics(), receiver, fn.spelling);
  }
  if (name == aten::format && !kwargs.empty() && fn.resolver.followsPython())
    return callFormat(fn, range, args, kwargs, receiver);
  auto isBool = [](const NamedValue &arg) { return isOfType(arg, &Type::isBool); };
  const bool hasBools = fn.resolver.followsPython() && !fn.resolver.isPrinted() &&
                        (llvm::any_of(args, isBool) || llvm::any_of(kwargs, isBool));
  Value *result = hasBools ? callWithBools(fn, range, name, args, kwargs, receiver) : nullptr;
  if (!result)
    result = insertCall(fn.graph(), range, name, args, kwargs, fn.diagnostics(), receiver, fn.spelling);
  if (!result || !fn.resolver.followsPython())
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
static Value *callFormat(FunctionContext &fn, SourceRange range, ArrayRef<NamedValue> args, ArrayRef<NamedValue> kwargs,
                         Value *receiver) {
  std::vector<NamedValue> values(args.begin(), args.end());
  if (receiver)
    values.insert(values.begin(), receiver);
  auto text = values.empty() || !values[0].value ? std::nullopt : constantValue(values[0].value);
  if (!text || !text->isString())
    return fn.error(range, diag::FormatNames);
  std::string unknown;
  std::optional<std::string> numbered = numberFields(text->toString(), kwargs, values.size() - 1, unknown);
  if (!numbered)
    return fn.error(range, diag::FormatUnknownName, unknown);
  values[0] = fn.constant(IValue(*numbered), range);
  for (const NamedValue &value : kwargs) {
    values.push_back(value.value);
    values.back().range = value.range;
  }
  return callBuiltin(fn, range, aten::format, values);
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
void tsc::followPython(Node &node) {
  std::optional<PythonMeaning> meaning = pythonMeaningOf(node.opKind());
  if (node.kind() == prim::Print ? !isAlike(node, PythonAgreement::SameText)
                                 : meaning && !isAlike(node, meaning->agrees))
    setMeansPython(node);
}

Value *tsc::callBuiltin(FunctionContext &fn, SourceRange range, Symbol name, std::initializer_list<Value *> args) {
  std::vector<NamedValue> values;
  for (Value *value : args) {
    if (!value)
      return nullptr;
    values.push_back(value);
    values.back().range = range;
  }
  return callBuiltin(fn, range, name, values);
}
