//===- Natives.cpp - Python's own functions, while loading ----------------===//
#include "../Emitter/FunctionEmitter.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <list>
#include <numeric>

using namespace tsc;
using namespace tsc::python;

static constexpr int64_t maxRange = 10'000'000;

bool Evaluator::isNative(StringRef name) {
  static constexpr StringRef names[] = {"print",    "len",        "range",   "zip",     "enumerate", "reversed",
                                        "list",     "tuple",      "dict",    "set",     "int",       "float",
                                        "bool",     "str",        "repr",    "min",     "max",       "sum",
                                        "abs",      "any",        "all",     "sorted",  "map",       "filter",
                                        "round",    "isinstance", "hasattr", "getattr", "setattr",   "type",
                                        "callable", "object",     "id",      "divmod",  "pow",       "next",
                                        "iter",     "issubclass", "super",   "format",  "field",     "NotImplemented",
                                        "chr",      "ord",        "hex",     "oct",     "bin",       "hash"};
  return llvm::is_contained(names, name);
}

AnyValue Evaluator::native(StringRef name) {
  auto *object = make<NativeObject>();
  object->name = name.str();
  return object;
}

/// chr, ord, hex, oct, bin, hash
Result Evaluator::callOnCharacter(StringRef name, const AnyValue &value, SourceRange range) {
  if (name == "hash") {
    if (std::optional<Result> own = callOwn("__hash__", value, {}, range))
      return *own;
    if (value.as<ListObject>() || value.as<DictObject>())
      return raise(range, "TypeError", "unhashable type: '" + typeName(value) + "'");
    if (value.isInt())
      return value;
    return AnyValue(IValue(static_cast<int64_t>(llvm::xxh3_64bits(repr(value)) >> 1)));
  }
  if (name == "ord") {
    const std::string text = value.isString() ? str(value) : "";
    auto *at = reinterpret_cast<const llvm::UTF8 *>(text.data()), *end = at + text.size();
    llvm::UTF32 point = 0;
    if (llvm::convertUTF8Sequence(&at, end, &point, llvm::strictConversion) != llvm::conversionOK || at != end)
      return raise(range, "TypeError", "ord() expected a character");
    return AnyValue(IValue(static_cast<int64_t>(point)));
  }
  if (!value.isInt())
    return raise(range, "TypeError", "'" + typeName(value) + "' object cannot be interpreted as an integer");
  const int64_t number = value.data.toInt();
  if (name == "chr") {
    std::string text;
    const auto point = static_cast<llvm::UTF32>(number);
    if (number < 0 || number > 0x10ffff || !llvm::convertUTF32ToUTF8String(llvm::ArrayRef(point), text))
      return raise(range, "ValueError", "chr() arg not in range(0x110000)");
    return AnyValue(IValue(text));
  }
  StatusOr<std::string> digits = host.format(IValue(number), name == "hex" ? "#x" : name == "oct" ? "#o" : "#b");
  return digits.ok() ? Result(IValue(*digits)) : raise(range, "ValueError", "a number is expected");
}

Result Evaluator::callNative(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  StringRef name = callee.name;
  if (name.contains('.')) {
    if (name.consume_front("module."))
      return callModuleNative(name, *callee.self.as<InstanceObject>(), arguments, range);
    if (name == "exception.__init__") {
      auto *given = make<TupleObject>();
      given->elements = arguments.positional;
      callee.self.as<InstanceObject>()->slots["args"].value = given;
      return AnyValue();
    }
    if (name == "hook.remove") {
      const std::vector<AnyValue> &registered = callee.self.as<TupleObject>()->elements;
      for (auto *hooks : {&registered[0].as<InstanceObject>()->preHooks, &registered[0].as<InstanceObject>()->hooks})
        if (auto at = llvm::find(*hooks, registered[1].as<FunctionObject>()); at != hooks->end()) {
          hooks->erase(at);
          ++changes;
          break;
        }
      return AnyValue();
    }
    if (name.consume_front("math."))
      return callMath(name, arguments, range);
    return callContainer(callee, arguments, range);
  }
  const std::vector<AnyValue> &args = arguments.positional;
  auto arity = [&](size_t low, size_t high) {
    if (args.size() >= low && args.size() <= high)
      return true;
    raise(range, "TypeError",
          name + "() takes " + llvm::Twine(low) + " to " + llvm::Twine(high) + " arguments but " +
              llvm::Twine(args.size()) + " were given");
    return false;
  };
  auto keyword = [&](StringRef wanted) -> const AnyValue * {
    for (const KeywordValue &k : arguments.keywords)
      if (k.name == wanted)
        return &k.value;
    return nullptr;
  };
  if (name == "print") {
    std::string text;
    std::string between = " ", after = "\n";
    for (auto [wanted, part] : {std::pair("sep", &between), std::pair("end", &after)})
      if (const AnyValue *given = keyword(wanted); given && !given->isNone()) {
        if (!given->isString())
          return raise(range, "TypeError", llvm::Twine(wanted) + " must be None or a string, not " + typeName(*given));
        *part = given->data.toString();
      }
    for (auto [i, arg] : llvm::enumerate(args))
      text += (i ? between : "") + str(arg);
    host.print(text + after);
    return AnyValue();
  }
  if (name == "len") {
    if (!arity(1, 1))
      return std::nullopt;
    if (auto *instance = args[0].as<InstanceObject>())
      if (AnyValue *method = instance->type->find("__len__"); method && !instance->type->isLibrary) {
        Result bound = bindAttribute(*method, instance, instance->type, range);
        return bound ? call(*bound, {}, range) : std::nullopt;
      }
    std::vector<AnyValue> values;
    return elements(withoutEnum(args[0]), range, values) ? Result(IValue(static_cast<int64_t>(values.size())))
                                                         : std::nullopt;
  }
  if (name == "chr" || name == "ord" || name == "hex" || name == "oct" || name == "bin" || name == "hash")
    return arity(1, 1) ? callOnCharacter(name, args[0], range) : std::nullopt;
  if (name == "range") {
    if (!arity(1, 3) || !llvm::all_of(args, [](const AnyValue &v) { return v.isInt(); }))
      return args.empty() || args.size() > 3 ? std::nullopt : Result(raise(range, "TypeError", "range() takes ints"));
    int64_t begin = args.size() > 1 ? args[0].data.toInt() : 0, end = args[args.size() > 1].data.toInt();
    int64_t step = args.size() > 2 ? args[2].data.toInt() : 1;
    if (step == 0)
      return raise(range, "ValueError", "range() arg 3 must not be zero");
    auto *list = make<ListObject>();
    for (__int128 i = begin; step > 0 ? i < end : i > end; i += step) {
      if (list->elements.size() == static_cast<size_t>(maxRange))
        return raise(range, "MemoryError", "a range of more than " + llvm::Twine(maxRange) + " numbers");
      list->elements.push_back(IValue(static_cast<int64_t>(i)));
    }
    return AnyValue(list);
  }
  if (name == "zip" || name == "enumerate") {
    auto *list = make<ListObject>();
    std::vector<std::vector<AnyValue>> columns;
    int64_t start = 0;
    if (name == "enumerate") {
      if (!arity(1, 2))
        return std::nullopt;
      const AnyValue *first = args.size() > 1 ? &args[1] : keyword("start");
      start = first && first->isInt() ? first->data.toInt() : 0;
    }
    for (size_t i = 0; i != (name == "zip" ? args.size() : 1); ++i)
      if (!elements(args[i], range, columns.emplace_back()))
        return std::nullopt;
    size_t rows = columns.empty() ? 0 : SIZE_MAX;
    for (auto &column : columns)
      rows = std::min(rows, column.size());
    for (size_t row = 0; row != rows; ++row) {
      auto *tuple = make<TupleObject>();
      if (name == "enumerate")
        tuple->elements.push_back(IValue(start + static_cast<int64_t>(row)));
      for (auto &column : columns)
        tuple->elements.push_back(column[row]);
      list->elements.push_back(tuple);
    }
    return AnyValue(list);
  }
  if (name == "reversed" || name == "list" || name == "tuple" || name == "set" || name == "sorted" || name == "iter") {
    std::vector<AnyValue> values;
    if (!arity(name == "reversed" || name == "sorted" ? 1 : 0, 1) ||
        (!args.empty() && !elements(args[0], range, values)))
      return std::nullopt;
    if (name == "reversed")
      std::reverse(values.begin(), values.end());
    if (name == "sorted") {
      std::list<std::pair<AnyValue, AnyValue>> keyed;
      const AnyValue *key = keyword("key"), *reverse = keyword("reverse");
      for (const AnyValue &value : values) {
        Arguments one;
        one.positional = {value};
        Result by = key && !key->isNone() ? call(*key, one, range) : Result(value);
        if (!by)
          return std::nullopt;
        keyed.emplace_back(*by, value);
      }
      bool failed = false;
      auto isLess = [&](const std::pair<AnyValue, AnyValue> &a, const std::pair<AnyValue, AnyValue> &b) {
        Result less = failed ? std::nullopt : compare(TreeOp::Lt, a.first, b.first, range);
        failed |= !less;
        return less && less->data.isBool() && less->data.toBool();
      };
      keyed.sort(isLess);
      if (failed)
        return std::nullopt;
      for (auto [i, entry] : llvm::enumerate(keyed))
        values[i] = entry.second;
      if (reverse && truth(*reverse, range).value_or(false))
        std::reverse(values.begin(), values.end());
    }
    if (name == "tuple") {
      auto *tuple = make<TupleObject>();
      tuple->elements = values;
      return AnyValue(tuple);
    }
    if (name == "set") {
      auto *set = make<SetObject>();
      for (const AnyValue &value : values)
        if (llvm::none_of(set->elements, [&](const AnyValue &known) { return equal(known, value); }))
          set->elements.push_back(value);
      return AnyValue(set);
    }
    auto *list = make<ListObject>();
    list->elements = values;
    return AnyValue(list);
  }
  if (name == "dict") {
    auto *dict = make<DictObject>();
    if (!arity(0, 1))
      return std::nullopt;
    if (!args.empty()) {
      if (auto *other = args[0].as<DictObject>()) {
        dict->entries = other->entries;
      } else {
        std::vector<AnyValue> pairs;
        if (!elements(args[0], range, pairs))
          return std::nullopt;
        for (const AnyValue &pair : pairs) {
          std::vector<AnyValue> parts;
          if (!elements(pair, range, parts))
            return std::nullopt;
          if (parts.size() != 2)
            return raise(range, "ValueError", "dict() takes pairs");
          setItem(dict, parts[0], parts[1], range);
        }
      }
    }
    for (const KeywordValue &k : arguments.keywords)
      setItem(dict, IValue(k.name), k.value, range);
    return AnyValue(dict);
  }
  if (name == "int" || name == "float" || name == "bool" || name == "str" || name == "repr")
    return arity(0, 2) ? convert(name, arguments, range) : std::nullopt;
  if (name == "min" || name == "max")
    return extremum(name == "max", arguments, range);
  if (name == "any" || name == "all" || name == "sum") {
    std::vector<AnyValue> values;
    if (!arity(1, 2) || !elements(args[0], range, values))
      return std::nullopt;
    if (name == "sum") {
      Result total = args.size() > 1 ? args[1] : AnyValue(IValue(0));
      for (const AnyValue &value : values)
        total = total ? binary(TreeOp::Add, *total, value, range) : std::nullopt;
      return total;
    }
    for (const AnyValue &value : values) {
      std::optional<bool> holds = truth(value, range);
      if (!holds)
        return std::nullopt;
      if (*holds == (name == "any"))
        return AnyValue(IValue(*holds));
    }
    return AnyValue(IValue(name == "all"));
  }
  if (name == "abs" || name == "round" || name == "pow" || name == "divmod") {
    if (!arity(1, 2))
      return std::nullopt;
    if (name == "pow" || name == "divmod") {
      if (args.size() != 2)
        return raise(range, "TypeError", name + "() takes 2 arguments");
      if (name == "pow")
        return binary(TreeOp::Pow, args[0], args[1], range);
      auto *tuple = make<TupleObject>();
      Result quotient = binary(TreeOp::FloorDiv, args[0], args[1], range);
      Result rest = quotient ? binary(TreeOp::Mod, args[0], args[1], range) : std::nullopt;
      if (!rest)
        return std::nullopt;
      tuple->elements = {*quotient, *rest};
      return AnyValue(tuple);
    }
    if (std::optional<Result> own = callOwn(("__" + name + "__").str(), args[0], {args.begin() + 1, args.end()}, range))
      return *own;
    if (args[0].isTensor())
      return callTensorMethod(args[0], name, {}, range);
    if (!args[0].isNumber())
      return raise(range, "TypeError", name + "() takes a number, not '" + typeName(args[0]) + "'");
    if (name == "round" && args.size() == 2 && args[1].isInt()) {
      const StringRef rounding = args[0].isInt() ? "round_int" : "round_float";
      return runCompiled(rounding, arguments, range,
                         [&](FunctionEmitter &e, ArrayRef<NamedValue> given, ArrayRef<NamedValue>) -> SugaredValue * {
                           Value *rounded = e.callTemplate(range, rounding, {given[0].value, given[1].value});
                           return rounded ? e.simple(rounded) : nullptr;
                         });
    }
    if (args.size() == 2)
      return raise(range, "TypeError", name + "() takes one number, and round() a number of digits");
    if (args[0].isInt())
      return AnyValue(IValue(name == "abs" ? std::abs(args[0].data.toInt()) : args[0].data.toInt()));
    if (name == "abs")
      return AnyValue(IValue(std::fabs(args[0].toDouble())));
    return AnyValue(IValue(static_cast<int64_t>(std::nearbyint(args[0].toDouble()))));
  }
  if (name == "map" || name == "filter") {
    std::vector<AnyValue> values;
    if (!arity(2, 2) || !elements(args[1], range, values))
      return std::nullopt;
    auto *list = make<ListObject>();
    for (const AnyValue &value : values) {
      Arguments one;
      one.positional = {value};
      Result result = call(args[0], one, range);
      std::optional<bool> kept = !result ? std::nullopt : name == "map" ? std::optional(true) : truth(*result, range);
      if (!kept)
        return std::nullopt;
      if (*kept)
        list->elements.push_back(name == "map" ? *result : value);
    }
    return AnyValue(list);
  }
  if (name == "isinstance" || name == "issubclass") {
    if (!arity(2, 2))
      return std::nullopt;
    auto *type = args[0].as<ClassObject>(), *base = args[1].as<ClassObject>();
    if (name == "issubclass")
      return AnyValue(IValue(type && base && type->derivesFrom(base)));
    return isInstance(args[0], args[1], range);
  }
  if (name == "hasattr" || name == "getattr" || name == "setattr") {
    if (!arity(name == "setattr" ? 3 : 2, 3) || !args[1].isString())
      return std::nullopt;
    StringRef attributeName = args[1].data.toString();
    if (name == "setattr")
      return setAttribute(args[0], attributeName, args[2], range) ? Result(AnyValue()) : std::nullopt;
    auto *instance = args[0].as<InstanceObject>();
    bool mayLack = instance || args[0].as<ClassObject>();
    bool has = !mayLack || (instance && (instance->slots.find(attributeName) || instance->type->find(attributeName))) ||
               (!instance && args[0].as<ClassObject>()->find(attributeName));
    if (auto *tuple = args[0].as<TupleObject>(); tuple && tuple->type)
      has = llvm::is_contained(fieldsOf(*tuple->type), attributeName) || tuple->type->find(attributeName);
    if (name == "hasattr")
      return AnyValue(IValue(has));
    return has || args.size() == 2 ? attribute(args[0], attributeName, range) : Result(args[2]);
  }
  if (name == "type") {
    if (!arity(1, 1))
      return std::nullopt;
    if (auto *instance = args[0].as<InstanceObject>())
      return AnyValue(instance->type);
    if (auto *tuple = args[0].as<TupleObject>(); tuple && tuple->type)
      return AnyValue(tuple->type);
    return native(typeName(args[0]));
  }
  if (name == "callable")
    return AnyValue(IValue(!args.empty() && args[0].object && !args[0].as<ListObject>() && !args[0].as<TupleObject>() &&
                           !args[0].as<DictObject>() && !args[0].as<SetObject>()));
  if (name == "next") {
    std::vector<AnyValue> values;
    if (!arity(1, 2) || !elements(args[0], range, values))
      return std::nullopt;
    if (values.empty())
      return args.size() > 1 ? Result(args[1]) : raise(range, "StopIteration", "");
    return values.front();
  }
  if (name == "format")
    if (auto text = arity(1, 2) ? formatOne(args[0], args.size() > 1 ? str(args[1]) : "", range) : std::nullopt)
      return AnyValue(IValue(*text));
  if (name == "field") {
    if (const AnyValue *factory = keyword("default_factory")) {
      auto *partial = make<PartialObject>();
      partial->function = *factory;
      return AnyValue(partial);
    }
    const AnyValue *value = keyword("default");
    return value ? Result(*value) : Result(AnyValue());
  }
  return raise(range, "TypeError", "'" + name + "' cannot be called here");
}

Result Evaluator::convert(StringRef type, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  if (type == "str")
    return AnyValue(IValue(args.empty() ? "" : str(args[0])));
  if (args.empty())
    return AnyValue(type == "int" ? IValue(0) : type == "float" ? IValue(0.0) : IValue(false));
  if (type == "repr")
    return AnyValue(IValue(repr(args[0])));
  if (type == "bool") {
    std::optional<bool> holds = truth(args[0], range);
    return holds ? Result(IValue(*holds)) : std::nullopt;
  }
  AnyValue number = args[0];
  if (number.isTensor()) {
    Result item = callTensorMethod(number, "item", {}, range);
    if (!item)
      return std::nullopt;
    number = *item;
  }
  if (number.isString()) {
    StringRef text = StringRef(number.data.toString()).trim();
    int64_t whole = 0;
    double real = 0;
    if (type == "int" && !text.getAsInteger(args.size() > 1 && args[1].isInt() ? args[1].data.toInt() : 10, whole))
      return AnyValue(IValue(whole));
    if (type == "float") {
      if (text == "inf" || text == "-inf" || text == "nan")
        return AnyValue(IValue(text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL));
      if (!text.getAsDouble(real))
        return AnyValue(IValue(real));
    }
    return raise(range, "ValueError", "could not convert string to " + type + ": " + repr(number));
  }
  if (!number.isNumber())
    return raise(range, "TypeError", type + "() takes a number or a string, not '" + typeName(number) + "'");
  if (type == "float")
    return AnyValue(IValue(number.toDouble()));
  if (number.isInt())
    return AnyValue(IValue(number.data.toInt()));
  if (!(std::fabs(number.toDouble()) < 0x1p63))
    return raise(range, "OverflowError", "cannot convert " + repr(number) + " to an int of 64 bits");
  return AnyValue(IValue(static_cast<int64_t>(number.toDouble())));
}

Result Evaluator::extremum(bool isMax, const Arguments &arguments, SourceRange range) {
  std::vector<AnyValue> values = arguments.positional;
  if (values.size() == 1) {
    AnyValue iterable = values[0];
    values.clear();
    if (!elements(iterable, range, values))
      return std::nullopt;
  }
  if (values.empty())
    return raise(range, "ValueError", llvm::Twine(isMax ? "max" : "min") + "() arg is an empty sequence");
  AnyValue best = values[0];
  for (const AnyValue &value : llvm::drop_begin(values)) {
    Result better = compare(isMax ? TreeOp::Gt : TreeOp::Lt, value, best, range);
    std::optional<bool> holds = better ? truth(*better, range) : std::nullopt;
    if (!holds)
      return std::nullopt;
    if (*holds)
      best = value;
  }
  return best;
}

Result Evaluator::isInstance(const AnyValue &object, const AnyValue &type, SourceRange range) {
  if (auto *tuple = type.as<TupleObject>()) {
    for (const AnyValue &one : tuple->elements) {
      Result is = isInstance(object, one, range);
      if (!is || is->data.toBool())
        return is;
    }
    return AnyValue(IValue(false));
  }
  if (auto *base = type.as<ClassObject>()) {
    auto *instance = object.as<InstanceObject>();
    auto *tuple = object.as<TupleObject>();
    if (!object.object && object.data.isEnum())
      return AnyValue(IValue(object.data.toEnum().type == base->members));
    return AnyValue(IValue((instance && instance->type->derivesFrom(base)) ||
                           (tuple && tuple->type && tuple->type->derivesFrom(base))));
  }
  StringRef name = type.as<NativeObject>()    ? StringRef(type.as<NativeObject>()->name)
                   : type.as<LibraryObject>() ? StringRef(type.as<LibraryObject>()->path)
                                              : "";
  if (StringRef exception = name; exception.consume_front("builtins.")) {
    auto *instance = object.as<InstanceObject>();
    return AnyValue(IValue(instance && isExceptionBelow(instance->type->exceptionBase, exception)));
  }
  if (StringRef tensors = name; tensors.consume_front("torch."))
    if (std::optional<DType> dtype = legacyDType(tensors))
      return AnyValue(IValue(object.isTensor() && object.data.asTensor().dtype() == *dtype));
  bool isSequence = object.as<ListObject>() || object.as<TupleObject>();
  return AnyValue(IValue(
      llvm::StringSwitch<bool>(name)
          .Cases("int", "numbers.Integral", object.isInt())
          .Case("float", !object.object && object.data.isDouble())
          .Cases("numbers.Number", "numbers.Real", object.isNumber())
          .Case("bool", !object.object && object.data.isBool())
          .Case("str", object.isString())
          .Cases("list", "typing.List", object.as<ListObject>())
          .Cases("tuple", "typing.Tuple", object.as<TupleObject>())
          .Cases("dict", "typing.Dict", "collections.OrderedDict", "collections.abc.Mapping", object.as<DictObject>())
          .Case("set", object.as<SetObject>())
          .Case("torch.Tensor", object.isTensor())
          .Cases("torch.nn.Parameter", "torch.nn.parameter.Parameter", object.isParameter)
          .Cases("collections.abc.Sequence", "typing.Sequence", isSequence || object.isString())
          .Cases("collections.abc.Iterable", "typing.Iterable", "container_abcs.Iterable",
                 isSequence || object.isString() || object.as<DictObject>() || object.as<SetObject>())
          .Case("object", true)
          .Default(false)));
}

Result Evaluator::callMath(StringRef name, const Arguments &arguments, SourceRange range) {
  std::vector<double> numbers;
  for (const AnyValue &value : arguments.positional) {
    if (!value.isNumber())
      break;
    numbers.push_back(value.toDouble());
  }
  using Unary = double (*)(double);
  Unary unary = llvm::StringSwitch<Unary>(name)
                    .Case("sqrt", std::sqrt)
                    .Case("exp", std::exp)
                    .Case("log2", std::log2)
                    .Case("log10", std::log10)
                    .Case("log1p", std::log1p)
                    .Case("sin", std::sin)
                    .Case("cos", std::cos)
                    .Case("tan", std::tan)
                    .Case("tanh", std::tanh)
                    .Case("atan", std::atan)
                    .Case("erf", std::erf)
                    .Case("fabs", std::fabs)
                    .Case("radians", [](double x) { return x * (3.14159265358979323846 / 180); })
                    .Default(nullptr);
  size_t count = numbers.size();
  if (count != arguments.positional.size() && name != "prod")
    return raise(range, "TypeError", "math." + name + "() takes numbers");
  if ((name == "sqrt" && count && numbers[0] < 0) ||
      (name.starts_with("log") && count && numbers[0] <= (name == "log1p" ? -1 : 0)))
    return raise(range, "ValueError", "math domain error");
  if (unary && count == 1)
    return AnyValue(IValue(unary(numbers[0])));
  if (name == "log" && (count == 1 || count == 2))
    return AnyValue(IValue(count == 1 ? std::log(numbers[0]) : std::log(numbers[0]) / std::log(numbers[1])));
  if (name == "pow" && count == 2)
    return AnyValue(IValue(std::pow(numbers[0], numbers[1])));
  if ((name == "ceil" || name == "floor" || name == "trunc") && count == 1)
    return AnyValue(IValue(static_cast<int64_t>(name == "ceil"    ? std::ceil(numbers[0])
                                                : name == "floor" ? std::floor(numbers[0])
                                                                  : std::trunc(numbers[0]))));
  if (name == "gcd" && count == 2)
    return AnyValue(
        IValue(static_cast<int64_t>(std::gcd(static_cast<int64_t>(numbers[0]), static_cast<int64_t>(numbers[1])))));
  if ((name == "isnan" || name == "isinf" || name == "isfinite") && count == 1)
    return AnyValue(IValue(name == "isnan"   ? std::isnan(numbers[0])
                           : name == "isinf" ? std::isinf(numbers[0])
                                             : std::isfinite(numbers[0])));
  if (name == "prod" && arguments.positional.size() == 1) {
    std::vector<AnyValue> values;
    if (!elements(arguments.positional[0], range, values))
      return std::nullopt;
    Result product = AnyValue(IValue(1));
    for (const AnyValue &value : values)
      product = product ? binary(TreeOp::Mul, *product, value, range) : std::nullopt;
    return product;
  }
  return raise(range, "AttributeError", "math." + name + " cannot be called so while the program is loaded");
}
