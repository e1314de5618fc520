//===- Natives.cpp - Python's own functions, while loading ----------------===//
#include "../Emitter/FunctionEmitter.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/LibraryTable.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Sorting.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace tsc;
using namespace tsc::python;

bool Evaluator::isNative(StringRef name) {
  const library::BuiltinRow *row = library::findBuiltin(name);
  return row && (row->uses & library::Walked);
}

/// Functions and types of Python's that are not here; CPython runs what uses them.
bool Evaluator::isMissingNative(StringRef name) {
  const library::BuiltinRow *row = library::findBuiltin(name);
  return row && row->meaning == library::BuiltinRow::Meaning::Refused;
}

/// The keywords that a native takes here, one after the other with blanks between; what is missing is refused.
static StringRef keywordsOf(StringRef name) {
  return llvm::StringSwitch<StringRef>(name)
      .Case("print", "sep end flush file")
      .Case("zip", "strict")
      .Case("enumerate", "start")
      .Case("sorted", "key reverse")
      .Case("list.sort", "key reverse")
      .Cases("max", "min", "key default")
      .Case("sum", "start")
      .Case("int", "base")
      .Case("round", "ndigits")
      .Case("field", "default default_factory")
      .Default("");
}

bool Evaluator::knowsKeywords(StringRef name, const Arguments &arguments, SourceRange range) {
  llvm::SmallVector<StringRef> known;
  keywordsOf(name).split(known, ' ', -1, /*KeepEmpty=*/false);
  for (const KeywordValue &keyword : arguments.keywords)
    if (!llvm::is_contained(known, keyword.name)) {
      refuse(range, "calls of '" + name + "' with '" + keyword.name + "='");
      return false;
    }
  return true;
}

AnyValue Evaluator::native(StringRef name) {
  auto *object = make<NativeObject>();
  object->name = name.str();
  return object;
}

/// A tensor as Python's int or float makes a number of it ("int64_t", "double"): of one element that is not complex.
Result Evaluator::elementOf(const AnyValue &tensor, StringRef type, SourceRange range) {
  if (tensor.data.toTensor().numel() != 1)
    return raise(range, "ValueError", "only one element tensors can be converted to Python scalars");
  Result element = callTensorMethod(tensor, "item", {}, range);
  if (element && !element->object && element->data.isComplex())
    return raise(range, "RuntimeError", "value cannot be converted to type " + type + " without overflow");
  return element;
}

/// What `operator.index` gives: where Python wants a whole number, a float is none.
Result Evaluator::wholeNumber(const AnyValue &given, SourceRange range) {
  const AnyValue value = withoutEnum(given);
  if (value.isInt())
    return AnyValue(IValue(value.data.toInt()));
  if (std::optional<Result> own = callOwn("__index__", value, {}, range)) {
    if (*own && !(*own)->isInt())
      return raise(range, "TypeError", "__index__ returned non-int (type " + typeName(**own) + ")");
    return *own;
  }
  if (!value.isTensor())
    return raise(range, "TypeError", "'" + typeName(value) + "' object cannot be interpreted as an integer");
  if (!isIntegral(value.data.toTensor().dtype(), /*includeBool=*/true) || value.data.toTensor().numel() != 1)
    return raise(range, "TypeError", "only integer tensors of a single element can be converted to an index");
  Result element = callTensorMethod(value, "item", {}, range);
  return element ? Result(IValue(element->data.toInt())) : std::nullopt;
}

/// chr, ord, hex, oct, bin
Result Evaluator::callOnCharacter(StringRef name, const AnyValue &value, SourceRange range) {
  if (name == "ord") {
    if (!value.isString())
      return raise(range, "TypeError", "ord() expected string of length 1, but " + typeName(value) + " found");
    return valueOf(python::ord(value.data.toString()), range);
  }
  Result whole = wholeNumber(value, range);
  if (!whole)
    return std::nullopt;
  const int64_t number = whole->data.toInt();
  if (name == "chr")
    return valueOf(python::chr(number), range);
  return AnyValue(IValue(name == "hex"   ? python::hex(number)
                         : name == "oct" ? python::oct(number)
                                         : python::bin(number)));
}

/// Elements of a set in any order, for what doesn't depend on it; else those that a loop goes over.
bool Evaluator::elementsInAnyOrder(const AnyValue &iterable, SourceRange range, std::vector<AnyValue> &values) {
  if (auto *set = iterable.as<SetObject>()) {
    values = set->elements;
    return true;
  }
  return elements(iterable, range, values);
}

IteratorObject *Evaluator::makeIterator(IteratorObject::Step step, StringRef name, llvm::ArrayRef<AnyValue> sources,
                                        SourceRange range) {
  auto *iterator = make<IteratorObject>();
  iterator->step = step;
  iterator->name = name.str();
  for (const AnyValue &source : sources) {
    IteratorObject *inner = iterate(source, range);
    if (!inner)
      return nullptr;
    iterator->elements.push_back(AnyValue(inner));
  }
  return iterator;
}

IteratorObject *Evaluator::makeOwnIterator(const AnyValue &object) {
  auto *iterator = make<IteratorObject>();
  iterator->step = IteratorObject::Step::Own;
  iterator->name = typeName(object);
  iterator->source = object;
  return iterator;
}

bool Evaluator::isModuleContainer(const ClassObject &type) {
  static constexpr StringRef names[] = {"ModuleDict", "ParameterDict", "ModuleList", "Sequential", "ParameterList"};
  return llvm::any_of(names, [&](StringRef name) { return type.derivesFrom(name); });
}

bool Evaluator::knowsMember(const LibraryObject &library, StringRef name) {
  const std::string path = library.path + "." + name.str();
  return libraryValue(compiler, compiler.arena, path) || libraryClass(compiler, path) || pythonConstant(path) ||
         isLibraryModule(compiler, path);
}

Result Evaluator::length(const AnyValue &given, SourceRange range) {
  const AnyValue value = withoutEnum(given);
  auto whole = [](uint64_t size) { return AnyValue(IValue(static_cast<int64_t>(size))); };
  if (auto *instance = value.as<InstanceObject>())
    if (AnyValue *method = instance->type->find("__len__"); method && !instance->type->isLibrary) {
      Result bound = bindAttribute(*method, instance, instance->type, range);
      return bound ? call(*bound, {}, range) : std::nullopt;
    }
  if (auto *list = value.as<ListObject>())
    return whole(list->elements.size());
  if (auto *tuple = value.as<TupleObject>())
    return whole(tuple->elements.size());
  if (auto *set = value.as<SetObject>())
    return whole(set->elements.size());
  if (auto *dict = value.as<DictObject>())
    return whole(dict->entries.size());
  if (auto *deque = value.as<DequeObject>())
    return whole(deque->elements.size());
  if (auto *view = value.as<ViewObject>())
    return whole(view->dict->entries.size());
  if (auto *numbers = value.as<RangeObject>())
    return whole(numbers->size());
  if (value.isString())
    return whole(static_cast<uint64_t>(countLetters(value.data.toString())));
  if (value.isTensor() && value.data.toTensor().sizes().empty())
    return raise(range, "TypeError", "len() of a 0-d tensor");
  if (value.isTensor())
    return whole(value.data.toTensor().sizes()[0]);
  if (value.as<StateObject>())
    return refuse(range, "lengths of states of optimizers");
  auto *instance = value.as<InstanceObject>();
  auto *type = value.as<ClassObject>();
  if ((instance && instance->type->isModule) || (type && type->members)) {
    std::vector<AnyValue> parts;
    if (instance && !isModuleContainer(*instance->type))
      return raise(range, "TypeError", "object of type '" + typeName(value) + "' has no len()");
    return elements(value, range, parts) ? Result(whole(parts.size())) : std::nullopt;
  }
  return raise(range, "TypeError", "object of type '" + typeName(value) + "' has no len()");
}

Result Evaluator::sorted(std::vector<AnyValue> values, const AnyValue &key, bool isReverse, SourceRange range) {
  struct Keyed {
    AnyValue key, value;
  };
  std::vector<Keyed> keyed;
  for (const AnyValue &value : values) {
    Arguments one;
    one.positional = {value};
    Result by = key.isNone() ? Result(value) : call(key, one, range);
    if (!by)
      return std::nullopt;
    keyed.push_back({*by, value});
  }
  auto isLess = [&](const Keyed &a, const Keyed &b) -> StatusOr<bool> {
    Result less = compare(TreeOp::Lt, a.key, b.key, range);
    std::optional<bool> holds = less ? truth(*less, range) : std::nullopt;
    return holds ? StatusOr<bool>(*holds) : cancelled("reported");
  };
  const auto order = isReverse ? python::SortOrder::Descending : python::SortOrder::Ascending;
  if (Status status = python::stableSort(keyed, order, isLess); !status.ok())
    return raiseStatus(range, status);
  auto *list = make<ListObject>();
  for (Keyed &entry : keyed)
    list->elements.push_back(entry.value);
  return AnyValue(list);
}

Result Evaluator::makeDict(const Arguments &arguments, SourceRange range) {
  auto *dict = make<DictObject>();
  return update(*dict, arguments, range) ? Result(dict) : std::nullopt;
}

/// As dict() and update() take them: another dict, or pairs, and keywords.
bool Evaluator::update(DictObject &dict, const Arguments &arguments, SourceRange range) {
  const AnyValue *given = arguments.positional.empty() ? nullptr : &arguments.positional[0];
  if (auto *other = given ? given->as<DictObject>() : nullptr) {
    for (auto &[key, value] : std::vector(other->entries))
      if (!setItem(&dict, key, value, range))
        return false;
  } else if (given) {
    if (given->as<InstanceObject>() && given->as<InstanceObject>()->type->isModule) {
      Result items = attribute(*given, "items", range), entries = items ? call(*items, {}, range) : std::nullopt;
      Arguments one;
      if (entries)
        one.positional = {*entries};
      return entries && update(dict, one, range);
    }
    std::vector<AnyValue> pairs;
    if (!elements(*given, range, pairs))
      return false;
    for (auto [i, pair] : llvm::enumerate(pairs)) {
      std::vector<AnyValue> parts;
      if (pair.isNumber() || pair.isNone()) {
        raise(range, "TypeError",
              "cannot convert dictionary update sequence element #" + llvm::Twine(i) + " to a sequence");
        return false;
      }
      if (!elements(pair, range, parts))
        return false;
      if (parts.size() != 2) {
        raise(range, "ValueError",
              "dictionary update sequence element #" + llvm::Twine(i) + " has length " + llvm::Twine(parts.size()) +
                  "; 2 is required");
        return false;
      }
      if (!setItem(&dict, parts[0], parts[1], range))
        return false;
    }
  }
  for (const KeywordValue &keyword : arguments.keywords)
    if (!setItem(&dict, IValue(keyword.name), keyword.value, range))
      return false;
  return true;
}

/// abs, round, pow, divmod
Result Evaluator::callArithmetic(StringRef name, const Arguments &arguments, SourceRange range) {
  std::vector<AnyValue> args = arguments.positional;
  for (const KeywordValue &keyword : arguments.keywords) // round(x, ndigits=2)
    args.push_back(keyword.value);
  if (name == "pow" || name == "divmod") {
    if (args.size() == 3)
      return refuse(range, "powers with a modulus");
    if (args.size() != 2)
      return raise(range, "TypeError", name + " expected 2 arguments, got " + llvm::Twine(args.size()));
    if (name == "pow")
      return binary(TreeOp::Pow, args[0], args[1], range);
    auto hasDivmod = [](const AnyValue &value) {
      return value.object || !(value.isTensor() || value.data.isComplex());
    };
    if (!hasDivmod(args[0]) || !hasDivmod(args[1]))
      return raise(range, "TypeError",
                   "unsupported operand type(s) for divmod(): '" + typeName(args[0]) + "' and '" + typeName(args[1]) +
                       "'");
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
  const AnyValue value = withoutEnum(args[0]);
  if (value.isTensor() && name == "abs" && args.size() == 1)
    return callTensorMethod(value, name, {}, range);
  if (!value.object && value.data.isComplex()) {
    if (name != "abs" || args.size() != 1)
      return refuse(range, "'" + name + "' of complex numbers");
    return valueOf(python::absolute(value.data.toComplex()), range);
  }
  if (!value.isNumber())
    return raise(range, "TypeError",
                 name == "abs" ? "bad operand type for abs(): '" + typeName(value) + "'"
                               : "type " + typeName(value) + " doesn't define __round__ method");
  if (name == "abs" && args.size() == 2)
    return raise(range, "TypeError", "abs() takes exactly one argument (2 given)");
  if (name == "abs")
    return value.isInt() ? valueOf(python::absolute(value.data.toInt()), range)
                         : Result(IValue(std::fabs(value.toDouble())));
  if (args.size() == 2 && !args[1].isNone()) {
    if (!args[1].isInt())
      return raise(range, "TypeError", "'" + typeName(args[1]) + "' object cannot be interpreted as an integer");
    const StringRef rounding = value.isInt() ? "round_int" : "round_float";
    Arguments both;
    both.positional = {value.isInt() ? AnyValue(IValue(value.data.toInt())) : value, args[1]};
    return runCompiled(rounding, both, range,
                       [&](FunctionEmitter &e, ArrayRef<NamedValue> given, ArrayRef<NamedValue>) -> SugaredValue * {
                         Value *rounded = e.callTemplate(range, rounding, {given[0].value, given[1].value});
                         return rounded ? e.simple(rounded) : nullptr;
                       });
  }
  return value.isInt() ? Result(IValue(value.data.toInt())) : valueOf(python::roundToInt(value.toDouble()), range);
}

/// `property(fget, fset)`
Result Evaluator::makeProperty(const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  FunctionObject *functions[2] = {};
  for (auto [i, given] : llvm::enumerate(args))
    if (i < 2 && !given.isNone() && !(functions[i] = given.as<FunctionObject>()))
      return refuse(range, "properties of anything but functions");
  if (!functions[0] || args.size() > 2 || !arguments.keywords.empty())
    return refuse(range, "calls of 'property' with these arguments");
  auto *property = make<FunctionObject>(*functions[0]);
  property->binding = FunctionObject::Binding::Property;
  property->setter = functions[1];
  return AnyValue(property);
}

/// hasattr, getattr: an AttributeError, and no other, says that there is none.
Result Evaluator::attributeIfAny(const AnyValue &object, StringRef name, bool &has, SourceRange range) {
  ++numTries;
  Result value = attribute(object, name, range);
  --numTries;
  has = value.has_value();
  if (value || !pending)
    return value;
  std::optional<Thrown> thrown = std::exchange(pending, std::nullopt);
  auto *instance = thrown->value.as<InstanceObject>();
  if (!isExceptionBelow(instance ? StringRef(instance->type->exceptionBase) : StringRef(thrown->type),
                        "AttributeError")) {
    throwAgain(std::move(*thrown));
    return std::nullopt;
  }
  isRaisedInside = false;
  return AnyValue();
}

/// Calls a method of an object's class; `isStopped` where it raises the exception that says that there is no more.
Result Evaluator::callUntil(StringRef stop, StringRef method, const AnyValue &object, std::vector<AnyValue> operands,
                            SourceRange range, bool &isStopped) {
  ++numTries;
  std::optional<Result> value = callOwn(method, object, std::move(operands), range);
  --numTries;
  if (value && *value)
    return *value;
  std::optional<Thrown> thrown = std::exchange(pending, std::nullopt);
  isStopped = thrown && thrown->type == stop;
  if (isStopped)
    isRaisedInside = false;
  else if (thrown)
    throwAgain(std::move(*thrown));
  return std::nullopt;
}

Result Evaluator::callNative(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  StringRef name = callee.name;
  lastStep = range;
  if (name.contains('.')) {
    if (name.consume_front("module."))
      return callModuleNative(name, *callee.self.as<InstanceObject>(), arguments, range);
    if (name == "exception.__init__") {
      auto *given = make<TupleObject>();
      given->elements = arguments.positional;
      callee.self.as<InstanceObject>()->slots["args"].value = given;
      return AnyValue();
    }
    if (name == "object.__init__")
      return AnyValue();
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
    if (name.starts_with("operator."))
      return callGetter(callee, arguments, range);
    return callContainer(callee, arguments, range);
  }
  const std::vector<AnyValue> &args = arguments.positional;
  if (name != "dict" && !knowsKeywords(name, arguments, range))
    return std::nullopt;
  auto arity = [&](size_t low, size_t high) {
    if (args.size() >= low && args.size() <= high)
      return true;
    if (low == high)
      raise(range, "TypeError",
            name + "() takes exactly " + (low == 1 ? llvm::Twine("one argument") : llvm::Twine(low) + " arguments") +
                " (" + llvm::Twine(args.size()) + " given)");
    else
      raise(range, "TypeError",
            name + " expected at " + (args.size() < low ? "least " : "most ") +
                llvm::Twine(args.size() < low ? low : high) + " argument" +
                ((args.size() < low ? low : high) == 1 ? "" : "s") + ", got " + llvm::Twine(args.size()));
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
    if (isRefused || isRaisedInside)
      return std::nullopt;
    const AnyValue *file = keyword("file");
    auto *stream = file ? file->as<LibraryObject>() : nullptr;
    if (file && !file->isNone() && !(stream && (stream->path == "sys.stderr" || stream->path == "sys.stdout")))
      return refuse(range, "calls of 'print' with a file");
    if (stream && stream->path == "sys.stderr")
      llvm::errs() << text << after; // where warnings go, too
    else
      host.print(text + after);
    return AnyValue();
  }
  if (name == "len")
    return arity(1, 1) ? length(args[0], range) : std::nullopt;
  if (name == "hash")
    return arity(1, 1) ? hash(args[0], range) : std::nullopt;
  if (name == "id")
    return refuse(range, "identities of objects as numbers");
  if (name == "chr" || name == "ord" || name == "hex" || name == "oct" || name == "bin")
    return arity(1, 1) ? callOnCharacter(name, withoutEnum(args[0]), range) : std::nullopt;
  if (name == "range") {
    if (!arity(1, 3))
      return std::nullopt;
    auto *numbers = make<RangeObject>();
    int64_t given[3] = {0, 0, 1};
    for (auto [i, arg] : llvm::enumerate(args)) {
      Result number = wholeNumber(arg, range);
      if (!number)
        return std::nullopt;
      given[args.size() == 1 ? 1 : i] = number->data.toInt();
    }
    std::tie(numbers->start, numbers->stop, numbers->step) = std::tie(given[0], given[1], given[2]);
    if (numbers->step == 0)
      return raise(range, "ValueError", "range() arg 3 must not be zero");
    return AnyValue(numbers);
  }
  if (name == "zip" || name == "map" || name == "filter" || name == "enumerate") {
    using Step = IteratorObject::Step;
    const bool isZip = name == "zip", takesFunction = name == "map" || name == "filter";
    if (!arity(isZip ? 0 : takesFunction ? 2 : 1, name == "filter" || name == "enumerate" ? 2 : SIZE_MAX))
      return std::nullopt;
    auto sources = llvm::ArrayRef(args).drop_front(takesFunction);
    if (name == "enumerate")
      sources = sources.take_front(1);
    IteratorObject *iterator = makeIterator(isZip              ? Step::Zip
                                            : name == "map"    ? Step::Map
                                            : name == "filter" ? Step::Filter
                                                               : Step::Enumerate,
                                            name, sources, range);
    if (iterator && takesFunction)
      iterator->source = args[0];
    if (const AnyValue *strict = isZip ? keyword("strict") : nullptr; iterator && strict) {
      std::optional<bool> isStrict = truth(*strict, range);
      if (!isStrict)
        return std::nullopt;
      iterator->isStrict = *isStrict;
    }
    const AnyValue *start = args.size() > 1 ? &args[1] : keyword("start");
    if (name == "enumerate" && start) {
      if (!start->isInt())
        return raise(range, "TypeError", "'" + typeName(*start) + "' object cannot be interpreted as an integer");
      if (iterator)
        iterator->start = start->data.toInt();
    }
    return iterator ? Result(iterator) : std::nullopt;
  }
  if (name == "iter") {
    if (args.size() == 2)
      return refuse(range, "iterators of calls");
    IteratorObject *iterator = arity(1, 1) ? iterate(args[0], range) : nullptr;
    // What an object gives as its iterator is that object itself.
    return !iterator                                     ? std::nullopt
           : iterator->step == IteratorObject::Step::Own ? Result(iterator->source)
                                                         : Result(iterator);
  }
  if (name == "reversed") {
    if (!arity(1, 1))
      return std::nullopt;
    if (std::optional<Result> own = callOwn("__reversed__", args[0], {}, range))
      return *own;
    auto *instance = args[0].as<InstanceObject>();
    const bool isSequence = args[0].as<DequeObject>() || args[0].as<ListObject>() || args[0].as<TupleObject>() ||
                            args[0].as<RangeObject>() || args[0].isString() || args[0].as<DictObject>() ||
                            args[0].as<ViewObject>() || (instance && isModuleContainer(*instance->type));
    if (!isSequence)
      return raise(range, "TypeError", "'" + typeName(args[0]) + "' object is not reversible");
    auto *iterator = make<IteratorObject>();
    iterator->name = args[0].as<ListObject>() ? "list_reverseiterator" : "reversed";
    if (!elements(args[0], range, iterator->elements))
      return std::nullopt;
    std::reverse(iterator->elements.begin(), iterator->elements.end());
    return AnyValue(iterator);
  }
  if (name == "sorted" || name == "list" || name == "tuple" || name == "set" || name == "frozenset") {
    std::vector<AnyValue> values;
    if (!arity(name == "sorted" ? 1 : 0, 1))
      return std::nullopt;
    const bool isOrdered = name == "list" || name == "tuple";
    if (!args.empty() && !(isOrdered ? elements(args[0], range, values) : elementsInAnyOrder(args[0], range, values)))
      return std::nullopt;
    if (name == "sorted") {
      const AnyValue *key = keyword("key"), *reverse = keyword("reverse");
      std::optional<bool> isReverse = reverse ? truth(*reverse, range) : std::optional(false);
      return isReverse ? sorted(std::move(values), key ? *key : AnyValue(), *isReverse, range) : std::nullopt;
    }
    if (name == "tuple") {
      auto *tuple = make<TupleObject>();
      tuple->elements = values;
      return AnyValue(tuple);
    }
    if (name == "set" || name == "frozenset") {
      Result set = makeSet(values, range);
      if (set)
        set->as<SetObject>()->isFrozen = name == "frozenset";
      return set;
    }
    auto *list = make<ListObject>();
    list->elements = values;
    return AnyValue(list);
  }
  if (name == "slice") {
    if (!arity(1, 3))
      return std::nullopt;
    auto *slice = make<SliceObject>();
    slice->start = args.size() > 1 ? args[0] : AnyValue();
    slice->stop = args[args.size() > 1];
    slice->step = args.size() > 2 ? args[2] : AnyValue();
    return AnyValue(slice);
  }
  if (name == "property")
    return makeProperty(arguments, range);
  if (name == "complex") {
    double parts[2] = {};
    for (auto [i, part] : llvm::enumerate(args)) {
      if (!part.isNumber() || i > 1)
        return refuse(range, "calls of 'complex' with these arguments");
      parts[i] = part.toDouble();
    }
    return AnyValue(IValue(std::complex<double>(parts[0], parts[1])));
  }
  if (name == "dict")
    return arity(0, 1) ? makeDict(arguments, range) : std::nullopt;
  if (name == "int" || name == "float" || name == "bool" || name == "str" || name == "repr")
    return arity(0, name == "int" ? 2 : 1) ? convert(name, arguments, range) : std::nullopt;
  if (name == "min" || name == "max")
    return extremum(name == "max", arguments, range);
  if (name == "any" || name == "all") {
    IteratorObject *iterator = arity(1, 1) ? iterate(args[0], range) : nullptr;
    if (!iterator)
      return std::nullopt;
    for (;;) { // no further than the answer
      std::optional<AnyValue> next;
      if (!advance(*iterator, range, next))
        return std::nullopt;
      std::optional<bool> holds = next ? truth(*next, range) : std::optional(name == "all");
      if (!holds)
        return std::nullopt;
      if (!next || *holds == (name == "any"))
        return AnyValue(IValue(*holds));
    }
  }
  if (name == "sum") {
    std::vector<AnyValue> values;
    if (!arity(1, 2) || !elementsInAnyOrder(args[0], range, values))
      return std::nullopt;
    const AnyValue *start = args.size() > 1 ? &args[1] : keyword("start");
    Result total = start ? *start : AnyValue(IValue(0));
    if (total->isString())
      return raise(range, "TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
    for (const AnyValue &value : values)
      total = total ? binary(TreeOp::Add, *total, value, range) : std::nullopt;
    return total;
  }
  if (name == "abs" || name == "round" || name == "pow" || name == "divmod")
    return arity(1, name == "pow" ? 3 : 2) ? callArithmetic(name, arguments, range) : std::nullopt;
  if (name == "isinstance" || name == "issubclass") {
    if (!arity(2, 2))
      return std::nullopt;
    return name == "issubclass" ? isSubclass(args[0], args[1], range) : isInstance(args[0], args[1], range);
  }
  if (name == "hasattr" || name == "getattr" || name == "setattr") {
    if (!arity(name == "getattr" ? 2 : name == "setattr" ? 3 : 2, name == "hasattr" ? 2 : 3))
      return std::nullopt;
    if (!args[1].isString())
      return raise(range, "TypeError", "attribute name must be string, not '" + typeName(args[1]) + "'");
    StringRef attributeName = args[1].data.toString();
    if (name == "setattr")
      return setAttribute(args[0], attributeName, args[2], range) ? Result(AnyValue()) : std::nullopt;
    if (name == "getattr" && args.size() == 2)
      return attribute(args[0], attributeName, range);
    if (auto *library = args[0].as<LibraryObject>(); library && !knowsMember(*library, attributeName))
      return refuse(range, "names like '" + library->path + "." + attributeName + "'");
    bool has = false;
    Result value = attributeIfAny(args[0], attributeName, has, range);
    return !value ? std::nullopt : name == "hasattr" ? Result(IValue(has)) : has ? value : Result(args[2]);
  }
  if (name == "type") {
    if (!arity(1, 1))
      return std::nullopt;
    if (auto *instance = args[0].as<InstanceObject>())
      return classOf(*instance);
    if (auto *tuple = args[0].as<TupleObject>(); tuple && tuple->type)
      return AnyValue(tuple->type);
    if (args[0].as<TupleObject>() && !args[0].as<TupleObject>()->resultNames.empty())
      return refuse(range, "types of what operators return");
    if (!args[0].object && args[0].data.isEnum())
      return refuse(range, "types of members of enumerations");
    if (auto *dict = args[0].as<DictObject>(); dict && dict->flavor != DictObject::Flavor::Plain)
      return library("collections." + typeName(args[0]), range);
    if (args[0].as<DequeObject>())
      return library("collections.deque", range);
    if (auto *types = args[0].as<TupleObject>(); types && types->isUnion)
      return refuse(range, "types of unions of types");
    if (args[0].isTensor() || args[0].isDType || (!args[0].object && args[0].data.isDevice()))
      return library(args[0].isParameter ? "torch.nn.Parameter" : "torch." + typeName(args[0]), range);
    return native(typeName(args[0]));
  }
  if (name == "callable") {
    if (!arity(1, 1))
      return std::nullopt;
    auto *instance = args[0].as<InstanceObject>();
    const bool isFunction = args[0].as<FunctionObject>() || args[0].as<BoundObject>() || args[0].as<PartialObject>() ||
                            args[0].as<ClassObject>() || args[0].as<TensorMethodObject>() ||
                            (args[0].as<NativeObject>() && !isNotImplemented(args[0]));
    if (auto *library = args[0].as<LibraryObject>()) {
      if (!StringRef(library->path).contains('.'))
        return AnyValue(IValue(false));
      SugaredValue *value = libraryValue(compiler, compiler.arena, library->path);
      if (!value && !libraryClass(compiler, library->path) && !StringRef(library->path).starts_with("builtins."))
        return refuse(range, "names like '" + library->path + "'");
      return AnyValue(IValue(!llvm::isa_and_nonnull<NamespaceSugar>(value)));
    }
    return AnyValue(IValue(isFunction || (instance && (instance->type->isModule || instance->type->find("__call__")))));
  }
  if (name == "next") {
    if (!arity(1, 2))
      return std::nullopt;
    std::optional<AnyValue> value;
    auto *iterator = args[0].as<IteratorObject>();
    if (auto *own = args[0].as<InstanceObject>(); own && own->type->find("__next__"))
      iterator = makeOwnIterator(args[0]);
    if (!iterator)
      return raise(range, "TypeError", "'" + typeName(args[0]) + "' object is not an iterator");
    if (!advance(*iterator, range, value))
      return std::nullopt;
    return value ? Result(*value) : args.size() > 1 ? Result(args[1]) : raiseArgs(range, "StopIteration", {});
  }
  if (name == "format") {
    if (!arity(1, 2))
      return std::nullopt;
    auto text = formatOne(args[0], args.size() > 1 ? str(args[1]) : "", range);
    return text ? Result(IValue(*text)) : std::nullopt;
  }
  if (name == "field") {
    if (const AnyValue *factory = keyword("default_factory")) {
      auto *partial = make<PartialObject>();
      partial->function = *factory;
      return AnyValue(partial);
    }
    const AnyValue *value = keyword("default");
    return value ? Result(*value) : refuse(range, "fields without a default made by field()");
  }
  if (name == "object" && args.empty()) {
    auto *instance = make<InstanceObject>();
    instance->type = recordClass("object", {});
    return AnyValue(instance);
  }
  return refuse(range, "calls of '" + name + "'");
}
