//===- Conversions.cpp - int(), max(), isinstance() and math, while loading ===//
#include "../Emitter/FunctionContext.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace tsc;
using namespace tsc::python;

Result Evaluator::hash(const AnyValue &value, SourceRange range) {
  if (std::optional<Result> own = callOwn("__hash__", value, {}, range))
    return *own;
  if (!isHashable(value, range))
    return std::nullopt;
  constexpr int64_t modulus = (int64_t{1} << 61) - 1; // the hash of an int is its remainder
  if (value.isInt() && std::abs(value.data.toInt() / 2) < modulus / 2)
    return AnyValue(IValue(value.data.toInt() == -1 ? int64_t{-2} : value.data.toInt()));
  if (value.isNumber())
    return refuse(range, "hashes of floats and of large ints");
  return AnyValue(IValue(static_cast<int64_t>(llvm::xxh3_64bits(repr(value)) >> 1)));
}

Result Evaluator::makeSet(llvm::ArrayRef<AnyValue> values, SourceRange range) {
  auto *set = make<SetObject>();
  for (const AnyValue &value : values) {
    if (!isHashable(value, range))
      return std::nullopt;
    if (!hasKey(set->elements, value))
      set->elements.push_back(value);
  }
  return AnyValue(set);
}

Result Evaluator::convert(StringRef type, const Arguments &arguments, SourceRange range) {
  std::vector<AnyValue> args = arguments.positional;
  for (const KeywordValue &keyword : arguments.keywords) // int(text, base=16)
    args.push_back(keyword.value);
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
  AnyValue number = withoutEnum(args[0]);
  if (std::optional<Result> own = callOwn(type == "int" ? "__int__" : "__float__", number, {}, range))
    return *own;
  if (number.isTensor()) {
    Result item = elementOf(number, type == "int" ? "int64_t" : "double", range);
    if (!item)
      return std::nullopt;
    number = *item;
  }
  if (number.isString()) {
    const StringRef text = number.data.toString();
    if (type == "float")
      return valueOf(python::parseFloat(text), range);
    return valueOf(python::parseInt(text, args.size() > 1 && args[1].isInt() ? args[1].data.toInt() : 10), range);
  }
  if (args.size() > 1)
    return raise(range, "TypeError", "int() can't convert non-string with explicit base");
  if (!number.isNumber())
    return raise(range, "TypeError",
                 type + "() argument must be a string" +
                     (type == "int" ? ", a bytes-like object or a real number" : " or a real number") + ", not '" +
                     typeName(number) + "'");
  if (type == "float")
    return AnyValue(IValue(number.toDouble()));
  return number.isInt() ? Result(IValue(number.data.toInt())) : valueOf(python::toInt(number.toDouble()), range);
}

Result Evaluator::extremum(bool isMax, const Arguments &arguments, SourceRange range) {
  std::vector<AnyValue> values = arguments.positional;
  const StringRef name = isMax ? "max" : "min";
  const AnyValue *key = nullptr, *otherwise = nullptr;
  for (const KeywordValue &keyword : arguments.keywords)
    (keyword.name == "key" ? key : otherwise) = &keyword.value;
  if (values.empty())
    return raise(range, "TypeError", name + " expected at least 1 argument, got 0");
  if (values.size() > 1 && otherwise)
    return raise(range, "TypeError", "Cannot specify a default for " + name + "() with multiple positional arguments");
  if (values.size() == 1) {
    AnyValue iterable = values[0];
    values.clear();
    if (!elementsInAnyOrder(iterable, range, values))
      return std::nullopt;
  }
  if (values.empty())
    return otherwise ? Result(*otherwise) : raise(range, "ValueError", name + "() arg is an empty sequence");
  Result best, bestKey;
  for (const AnyValue &value : values) {
    Arguments one;
    one.positional = {value};
    Result by = key && !key->isNone() ? call(*key, one, range) : Result(value);
    Result better = !by    ? std::nullopt
                    : best ? compare(isMax ? TreeOp::Gt : TreeOp::Lt, *by, *bestKey, range)
                           : Result(IValue(true));
    std::optional<bool> holds = better ? truth(*better, range) : std::nullopt;
    if (!holds)
      return std::nullopt;
    if (*holds) {
      best = value;
      bestKey = by;
    }
  }
  return best;
}

/// issubclass where one of the two is a type of Python's own; nothing where that isn't known.
std::optional<bool> Evaluator::isNativeSubclass(const AnyValue &type, const AnyValue &of) {
  static constexpr StringRef known[] = {"int",  "float", "bool", "str",       "list",    "tuple",
                                        "dict", "set",   "type", "frozenset", "complex", "object"};
  auto nameOf = [](const AnyValue &value) {
    auto *native = value.as<NativeObject>();
    return native && llvm::is_contained(known, native->name) ? StringRef(native->name) : StringRef();
  };
  const StringRef one = nameOf(type), other = nameOf(of);
  auto *own = type.as<ClassObject>(), *base = of.as<ClassObject>();
  if (other == "object" && (own || !one.empty()))
    return true;
  if (!one.empty() && (!other.empty() || base))
    return one == other || (one == "bool" && other == "int");
  const bool isPlain = own && !own->members && !own->isNamedTuple && own->exceptionBase.empty();
  return isPlain && !other.empty() ? std::optional(false) : std::nullopt;
}

Result Evaluator::isSubclass(const AnyValue &type, const AnyValue &of, SourceRange range) {
  if (auto *tuple = of.as<TupleObject>()) {
    for (const AnyValue &one : tuple->elements) {
      Result is = isSubclass(type, one, range);
      if (!is || is->data.toBool())
        return is;
    }
    return AnyValue(IValue(false));
  }
  auto *own = type.as<ClassObject>(), *base = of.as<ClassObject>();
  if (own && base)
    return AnyValue(IValue(own->derivesFrom(base)));
  if (std::optional<bool> is = isNativeSubclass(type, of))
    return AnyValue(IValue(*is));
  auto nameOf = [](const AnyValue &value) {
    auto *library = value.as<LibraryObject>();
    StringRef name = library ? StringRef(library->path) : "";
    return name.consume_front("builtins.") ? name : StringRef();
  };
  StringRef exception = own ? StringRef(own->exceptionBase) : nameOf(type), ancestor = nameOf(of);
  if (!ancestor.empty() && (own || !exception.empty()))
    return AnyValue(IValue(!exception.empty() && isExceptionBelow(exception, ancestor)));
  return refuse(range, "calls of 'issubclass' for classes of Python or of libraries");
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
  const bool isSequence = object.as<ListObject>() || object.as<TupleObject>() || object.as<RangeObject>();
  auto hasFlavor = [&](DictObject::Flavor flavor) {
    return object.as<DictObject>() && object.as<DictObject>()->flavor == flavor;
  };
  const bool isFunction = object.as<FunctionObject>() || object.as<BoundObject>() || object.as<NativeObject>();
  std::optional<bool> is =
      llvm::StringSwitch<std::optional<bool>>(name)
          .Cases("int", "numbers.Integral", withoutEnum(object).isInt())
          .Case("float", !object.object && object.data.isDouble())
          .Case("complex", !object.object && object.data.isComplex())
          .Case("NoneType", object.isNone())
          .Case("range", object.as<RangeObject>() != nullptr)
          .Case("type", object.as<ClassObject>() || (object.as<NativeObject>() && typeName(object) == "type"))
          .Cases("torch.dtype", "dtype", object.isDType)
          .Cases("torch.device", "device", !object.object && object.data.isDevice())
          .Cases("torch.Size", "Size", object.as<TupleObject>() && object.as<TupleObject>()->isSize)
          .Cases("typing.Callable", "collections.abc.Callable", isFunction)
          .Cases("numbers.Number", "numbers.Real", object.isNumber())
          .Case("bool", !object.object && object.data.isBool())
          .Case("str", withoutEnum(object).isString())
          .Cases("list", "typing.List", object.as<ListObject>() != nullptr)
          .Cases("tuple", "typing.Tuple", object.as<TupleObject>() != nullptr)
          .Cases("dict", "typing.Dict", "collections.abc.Mapping",
                 object.as<DictObject>() != nullptr || object.as<StateObject>() != nullptr)
          .Case("set", object.as<SetObject>() && !object.as<SetObject>()->isFrozen)
          .Case("frozenset", object.as<SetObject>() && object.as<SetObject>()->isFrozen)
          .Case("slice", object.as<SliceObject>() != nullptr)
          .Case("collections.deque", object.as<DequeObject>() != nullptr)
          .Case("collections.OrderedDict", hasFlavor(DictObject::Flavor::Ordered))
          .Case("collections.defaultdict", hasFlavor(DictObject::Flavor::Default))
          .Case("collections.Counter", hasFlavor(DictObject::Flavor::Counter))
          .Case("torch.Tensor", object.isTensor())
          .Cases("torch.nn.Parameter", "torch.nn.parameter.Parameter", object.isParameter)
          .Cases("collections.abc.Sequence", "typing.Sequence", isSequence || object.isString())
          .Cases("collections.abc.Iterable", "typing.Iterable", "container_abcs.Iterable",
                 isSequence || object.isString() || object.as<DictObject>() || object.as<SetObject>())
          .Case("object", true)
          .Default(std::nullopt);
  if (!is && type.as<LibraryObject>() && libraryClass(compiler, name)) // an optimizer
    return AnyValue(IValue(!object.object && object.data.isObject() &&
                           object.data.dynamicType(compiler.context) == libraryClass(compiler, name)));
  if (!is && (type.isNumber() || type.isNone() || type.isString()))
    return raise(range, "TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
  return is ? Result(IValue(*is)) : refuse(range, "calls of 'isinstance' for " + repr(type));
}

Result Evaluator::callMath(StringRef name, const Arguments &arguments, SourceRange range) {
  const bool ofWhole = name == "gcd";
  std::vector<AnyValue> args = arguments.positional;
  std::vector<double> numbers;
  for (AnyValue &value : args) {
    Result number = value;
    if (ofWhole)
      number = wholeNumber(value, range);
    else if (std::optional<Result> own = callOwn("__float__", value, {}, range))
      number = *own;
    else if (value.isTensor() && name != "prod")
      number = elementOf(value, "double", range);
    if (!number)
      return std::nullopt;
    if (!number->isNumber())
      break;
    value = *number;
    numbers.push_back(value.toDouble());
  }
  size_t count = numbers.size();
  if (!arguments.keywords.empty())
    return refuse(range, "calls of 'math." + name + "' with keywords");
  if (count != args.size() && name != "prod")
    return raise(range, "TypeError", "must be real number, not " + typeName(args[count]));
  // CPython's gamma functions are its own, and no others have the same last digits.
  std::optional<python::MathFunction> function = python::findMathFunction(name, count);
  if (function && count == args.size() && name != "gamma" && name != "lgamma" && name != "ldexp")
    return valueOf(python::callMath(*function, numbers), range);
  if ((name == "ceil" || name == "floor" || name == "trunc") && count == 1) {
    if (args[0].isInt())
      return AnyValue(IValue(args[0].data.toInt()));
    return valueOf(name == "ceil"    ? python::ceilToInt(numbers[0])
                   : name == "floor" ? python::floorToInt(numbers[0])
                                     : python::toInt(numbers[0]),
                   range);
  }
  if ((name == "frexp" || name == "modf") && count == 1) {
    auto *parts = make<TupleObject>();
    auto set = [&](const auto &two) { parts->elements = {IValue(std::get<0>(two)), IValue(std::get<1>(two))}; };
    name == "frexp" ? set(splitExponent(numbers[0])) : set(splitFraction(numbers[0]));
    return AnyValue(parts);
  }
  if (name == "gcd") {
    StatusOr<int64_t> divisor = 0;
    for (const AnyValue &value : args)
      if (divisor.ok())
        divisor = python::greatestCommonDivisor(*divisor, value.data.toInt());
    return valueOf(divisor, range);
  }
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
  return refuse(range, "calls of 'math." + name + "' with these arguments");
}
