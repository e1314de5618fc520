//===- Natives.cpp - Python's own functions, while loading ----------------===//
#include "../Emitter/Calls/Instances.h"
#include "../Emitter/TypeExpressions.h"
#include "../SugaredValues/LibraryTable.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Math.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Sorting.h"
#include "tsc/Python/Text.h"
#include "llvm/ADT/StringExtras.h"
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
                       [&](FunctionContext &e, ArrayRef<NamedValue> given, ArrayRef<NamedValue>) -> SugaredValue * {
                         Value *rounded = callTemplate(e, range, rounding, {given[0].value, given[1].value});
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

//===-- The table ----------------------------------------------------------===//

/// Python's own functions.
struct Evaluator::Natives {
  // Input and output, and what objects are.
  static Result print(Evaluator &e, const NativeCall &call);
  static Result typeOf(Evaluator &e, const NativeCall &call);
  static Result callable(Evaluator &e, const NativeCall &call);
  static Result identity(Evaluator &e, const NativeCall &call);
  static Result emptyObject(Evaluator &e, const NativeCall &call);
  static Result field(Evaluator &e, const NativeCall &call);
  // Attributes.
  static std::optional<StringRef> attributeName(Evaluator &e, const NativeCall &call);
  static Result hasAttribute(Evaluator &e, const NativeCall &call);
  static Result getAttribute(Evaluator &e, const NativeCall &call);
  static Result setAttribute(Evaluator &e, const NativeCall &call);
  // Iterators.
  static Result range(Evaluator &e, const NativeCall &call);
  static Result zip(Evaluator &e, const NativeCall &call);
  static Result mapOrFilter(Evaluator &e, const NativeCall &call);
  static Result enumerate(Evaluator &e, const NativeCall &call);
  static Result iter(Evaluator &e, const NativeCall &call);
  static Result next(Evaluator &e, const NativeCall &call);
  static Result reversed(Evaluator &e, const NativeCall &call);
  // Containers, and what goes over them.
  static Result listOrTuple(Evaluator &e, const NativeCall &call);
  static Result set(Evaluator &e, const NativeCall &call);
  static Result slice(Evaluator &e, const NativeCall &call);
  static Result sorted(Evaluator &e, const NativeCall &call);
  static Result anyOrAll(Evaluator &e, const NativeCall &call);
  static Result sum(Evaluator &e, const NativeCall &call);
  // Numbers and text.
  static Result complex(Evaluator &e, const NativeCall &call);
  static Result format(Evaluator &e, const NativeCall &call);

  static Result refuseAll(Evaluator &e, const NativeCall &call) {
    return e.refuse(call.range, "calls of '" + call.name + "'");
  }
  static Result ofCharacter(Evaluator &e, const NativeCall &call) {
    return e.callOnCharacter(call.name, e.withoutEnum(call.args[0]), call.range);
  }
  static Result extremum(Evaluator &e, const NativeCall &call) {
    return e.extremum(call.name == "max", call.arguments, call.range);
  }

  static llvm::ArrayRef<NativeFunction> table();
};

Result Evaluator::Natives::print(Evaluator &e, const NativeCall &call) {
  std::string text;
  std::string between = " ", after = "\n";
  for (auto [wanted, part] : {std::pair("sep", &between), std::pair("end", &after)})
    if (const AnyValue *given = call.keyword(wanted); given && !given->isNone()) {
      if (!given->isString())
        return e.raise(call.range, "TypeError",
                       llvm::Twine(wanted) + " must be None or a string, not " + e.typeName(*given));
      *part = given->data.toString();
    }
  for (auto [i, arg] : llvm::enumerate(call.args))
    text += (i ? between : "") + e.str(arg);
  if (e.isRefused || e.isRaisedInside)
    return std::nullopt;
  const AnyValue *file = call.keyword("file");
  auto *stream = file ? file->as<LibraryObject>() : nullptr;
  if (file && !file->isNone() && !(stream && (stream->path == "sys.stderr" || stream->path == "sys.stdout")))
    return e.refuse(call.range, "calls of 'print' with a file");
  if (stream && stream->path == "sys.stderr")
    llvm::errs() << text << after; // where warnings go, too
  else
    e.outside([&] { e.host.print(text + after); });
  return AnyValue();
}

Result Evaluator::Natives::typeOf(Evaluator &e, const NativeCall &call) {
  const AnyValue &value = call.args[0];
  if (auto *instance = value.as<InstanceObject>())
    return e.classOf(*instance);
  if (auto *tuple = value.as<TupleObject>(); tuple && tuple->type)
    return AnyValue(tuple->type);
  if (value.as<TupleObject>() && !value.as<TupleObject>()->resultNames.empty())
    return e.refuse(call.range, "types of what operators return");
  if (!value.object && value.data.isEnum())
    return e.refuse(call.range, "types of members of enumerations");
  if (auto *dict = value.as<DictObject>(); dict && dict->flavor != DictObject::Flavor::Plain)
    return e.library("collections." + e.typeName(value), call.range);
  if (value.as<DequeObject>())
    return e.library("collections.deque", call.range);
  if (auto *types = value.as<TupleObject>(); types && types->isUnion)
    return e.refuse(call.range, "types of unions of types");
  if (value.isTensor() || value.isDType || (!value.object && value.data.isDevice()))
    return e.library(value.isParameter ? "torch.nn.Parameter" : "torch." + e.typeName(value), call.range);
  return e.native(e.typeName(value));
}

Result Evaluator::Natives::callable(Evaluator &e, const NativeCall &call) {
  const AnyValue &value = call.args[0];
  auto *instance = value.as<InstanceObject>();
  const bool isFunction = value.as<FunctionObject>() || value.as<BoundObject>() || value.as<PartialObject>() ||
                          value.as<ClassObject>() || value.as<TensorMethodObject>() ||
                          (value.as<NativeObject>() && !isNotImplemented(value));
  if (auto *library = value.as<LibraryObject>()) {
    if (!StringRef(library->path).contains('.'))
      return AnyValue(IValue(false));
    SugaredValue *known = libraryValue(e.compiler, e.compiler.arena, library->path);
    if (!known && !libraryClass(e.compiler, library->path) && !StringRef(library->path).starts_with("builtins."))
      return e.refuse(call.range, "names like '" + library->path + "'");
    return AnyValue(IValue(!llvm::isa_and_nonnull<NamespaceSugar>(known)));
  }
  return AnyValue(IValue(isFunction || (instance && (instance->type->isModule || instance->type->find("__call__")))));
}

Result Evaluator::Natives::identity(Evaluator &e, const NativeCall &call) {
  return e.refuse(call.range, "identities of objects as numbers");
}

Result Evaluator::Natives::emptyObject(Evaluator &e, const NativeCall &call) {
  if (!call.args.empty())
    return refuseAll(e, call);
  auto *instance = e.make<InstanceObject>();
  instance->type = e.recordClass("object", {});
  return AnyValue(instance);
}

Result Evaluator::Natives::field(Evaluator &e, const NativeCall &call) {
  if (const AnyValue *factory = call.keyword("default_factory")) {
    auto *partial = e.make<PartialObject>();
    partial->function = *factory;
    return AnyValue(partial);
  }
  const AnyValue *value = call.keyword("default");
  return value ? Result(*value) : e.refuse(call.range, "fields without a default made by field()");
}

/// The second argument of hasattr, getattr and setattr; nothing after a report.
std::optional<StringRef> Evaluator::Natives::attributeName(Evaluator &e, const NativeCall &call) {
  const AnyValue &name = call.args[1];
  if (name.isString())
    return StringRef(name.data.toString());
  e.raise(call.range, "TypeError", "attribute name must be string, not '" + e.typeName(name) + "'");
  return std::nullopt;
}

Result Evaluator::Natives::hasAttribute(Evaluator &e, const NativeCall &call) {
  const std::optional<StringRef> name = attributeName(e, call);
  if (!name)
    return std::nullopt;
  if (auto *library = call.args[0].as<LibraryObject>(); library && !e.knowsMember(*library, *name))
    return e.refuse(call.range, "names like '" + library->path + "." + *name + "'");
  bool has = false;
  return e.attributeIfAny(call.args[0], *name, has, call.range) ? Result(IValue(has)) : std::nullopt;
}

Result Evaluator::Natives::getAttribute(Evaluator &e, const NativeCall &call) {
  const std::optional<StringRef> name = attributeName(e, call);
  if (!name)
    return std::nullopt;
  if (call.args.size() == 2)
    return e.attribute(call.args[0], *name, call.range);
  if (auto *library = call.args[0].as<LibraryObject>(); library && !e.knowsMember(*library, *name))
    return e.refuse(call.range, "names like '" + library->path + "." + *name + "'");
  bool has = false;
  Result value = e.attributeIfAny(call.args[0], *name, has, call.range);
  return !value || has ? value : Result(call.args[2]);
}

Result Evaluator::Natives::setAttribute(Evaluator &e, const NativeCall &call) {
  const std::optional<StringRef> name = attributeName(e, call);
  return name && e.setAttribute(call.args[0], *name, call.args[2], call.range) ? Result(AnyValue()) : std::nullopt;
}

Result Evaluator::Natives::range(Evaluator &e, const NativeCall &call) {
  auto *numbers = e.make<RangeObject>();
  int64_t given[3] = {0, 0, 1};
  for (auto [i, arg] : llvm::enumerate(call.args)) {
    Result number = e.wholeNumber(arg, call.range);
    if (!number)
      return std::nullopt;
    given[call.args.size() == 1 ? 1 : i] = number->data.toInt();
  }
  std::tie(numbers->start, numbers->stop, numbers->step) = std::tie(given[0], given[1], given[2]);
  if (numbers->step == 0)
    return e.raise(call.range, "ValueError", "range() arg 3 must not be zero");
  return AnyValue(numbers);
}

Result Evaluator::Natives::zip(Evaluator &e, const NativeCall &call) {
  IteratorObject *iterator = e.makeIterator(IteratorObject::Step::Zip, call.name, call.args, call.range);
  const AnyValue *strict = call.keyword("strict");
  std::optional<bool> isStrict = iterator && strict ? e.truth(*strict, call.range) : std::optional(false);
  if (!iterator || !isStrict)
    return std::nullopt;
  iterator->isStrict = *isStrict;
  return Result(iterator);
}

Result Evaluator::Natives::mapOrFilter(Evaluator &e, const NativeCall &call) {
  const auto step = call.name == "map" ? IteratorObject::Step::Map : IteratorObject::Step::Filter;
  IteratorObject *iterator = e.makeIterator(step, call.name, llvm::ArrayRef(call.args).drop_front(), call.range);
  if (iterator)
    iterator->source = call.args[0];
  return iterator ? Result(iterator) : std::nullopt;
}

Result Evaluator::Natives::enumerate(Evaluator &e, const NativeCall &call) {
  IteratorObject *iterator =
      e.makeIterator(IteratorObject::Step::Enumerate, call.name, llvm::ArrayRef(call.args).take_front(), call.range);
  if (const AnyValue *start = call.argument(1, "start")) {
    if (!start->isInt())
      return e.raise(call.range, "TypeError",
                     "'" + e.typeName(*start) + "' object cannot be interpreted as an integer");
    if (iterator)
      iterator->start = start->data.toInt();
  }
  return iterator ? Result(iterator) : std::nullopt;
}

/// `iter(x)`: what an object gives as its iterator is that object itself.
Result Evaluator::Natives::iter(Evaluator &e, const NativeCall &call) {
  if (call.args.size() == 2)
    return e.refuse(call.range, "iterators of calls");
  IteratorObject *iterator = e.checkArity(1, 1, call) ? e.iterate(call.args[0], call.range) : nullptr;
  return !iterator                                     ? std::nullopt
         : iterator->step == IteratorObject::Step::Own ? Result(iterator->source)
                                                       : Result(iterator);
}

Result Evaluator::Natives::next(Evaluator &e, const NativeCall &call) {
  std::optional<AnyValue> value;
  auto *iterator = call.args[0].as<IteratorObject>();
  if (auto *own = call.args[0].as<InstanceObject>(); own && own->type->find("__next__"))
    iterator = e.makeOwnIterator(call.args[0]);
  if (!iterator)
    return e.raise(call.range, "TypeError", "'" + e.typeName(call.args[0]) + "' object is not an iterator");
  if (!e.advance(*iterator, call.range, value))
    return std::nullopt;
  return value ? value : call.args.size() > 1 ? Result(call.args[1]) : e.raiseArgs(call.range, "StopIteration", {});
}

Result Evaluator::Natives::reversed(Evaluator &e, const NativeCall &call) {
  const AnyValue &value = call.args[0];
  if (std::optional<Result> own = e.callOwn("__reversed__", value, {}, call.range))
    return *own;
  auto *instance = value.as<InstanceObject>();
  const bool isSequence = value.as<DequeObject>() || value.as<ListObject>() || value.as<TupleObject>() ||
                          value.as<RangeObject>() || value.isString() || value.as<DictObject>() ||
                          value.as<ViewObject>() || (instance && isModuleContainer(*instance->type));
  if (!isSequence)
    return e.raise(call.range, "TypeError", "'" + e.typeName(value) + "' object is not reversible");
  auto *iterator = e.make<IteratorObject>();
  iterator->name = value.as<ListObject>() ? "list_reverseiterator" : "reversed";
  if (!e.elements(value, call.range, iterator->elements))
    return std::nullopt;
  std::reverse(iterator->elements.begin(), iterator->elements.end());
  return AnyValue(iterator);
}

Result Evaluator::Natives::listOrTuple(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> values;
  if (!call.args.empty() && !e.elements(call.args[0], call.range, values))
    return std::nullopt;
  if (call.name == "list") {
    auto *list = e.make<ListObject>();
    list->elements = std::move(values);
    return AnyValue(list);
  }
  auto *tuple = e.make<TupleObject>();
  tuple->elements = std::move(values);
  return AnyValue(tuple);
}

Result Evaluator::Natives::set(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> values;
  if (!call.args.empty() && !e.elementsInAnyOrder(call.args[0], call.range, values))
    return std::nullopt;
  Result set = e.makeSet(values, call.range);
  if (set)
    set->as<SetObject>()->isFrozen = call.name == "frozenset";
  return set;
}

Result Evaluator::Natives::slice(Evaluator &e, const NativeCall &call) {
  const std::vector<AnyValue> &args = call.args;
  auto *slice = e.make<SliceObject>();
  slice->start = args.size() > 1 ? args[0] : AnyValue();
  slice->stop = args[args.size() > 1];
  slice->step = args.size() > 2 ? args[2] : AnyValue();
  return AnyValue(slice);
}

Result Evaluator::Natives::sorted(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> values;
  if (!e.elementsInAnyOrder(call.args[0], call.range, values))
    return std::nullopt;
  const AnyValue *key = call.keyword("key"), *reverse = call.keyword("reverse");
  std::optional<bool> isReverse = reverse ? e.truth(*reverse, call.range) : std::optional(false);
  return isReverse ? e.sorted(std::move(values), key ? *key : AnyValue(), *isReverse, call.range) : std::nullopt;
}

/// any, all: they go no further than the answer.
Result Evaluator::Natives::anyOrAll(Evaluator &e, const NativeCall &call) {
  IteratorObject *iterator = e.iterate(call.args[0], call.range);
  if (!iterator)
    return std::nullopt;
  const bool isAny = call.name == "any";
  for (;;) {
    std::optional<AnyValue> next;
    if (!e.advance(*iterator, call.range, next))
      return std::nullopt;
    std::optional<bool> holds = next ? e.truth(*next, call.range) : std::optional(!isAny);
    if (!holds)
      return std::nullopt;
    if (!next || *holds == isAny)
      return AnyValue(IValue(*holds));
  }
}

Result Evaluator::Natives::sum(Evaluator &e, const NativeCall &call) {
  std::vector<AnyValue> values;
  if (!e.elementsInAnyOrder(call.args[0], call.range, values))
    return std::nullopt;
  const AnyValue *start = call.argument(1, "start");
  Result total = start ? *start : AnyValue(IValue(0));
  if (total->isString())
    return e.raise(call.range, "TypeError", "sum() can't sum strings [use ''.join(seq) instead]");
  for (const AnyValue &value : values)
    total = total ? e.binary(TreeOp::Add, *total, value, call.range) : std::nullopt;
  return total;
}

Result Evaluator::Natives::complex(Evaluator &e, const NativeCall &call) {
  double parts[2] = {};
  for (auto [i, part] : llvm::enumerate(call.args)) {
    if (!part.isNumber() || i > 1)
      return e.refuse(call.range, "calls of 'complex' with these arguments");
    parts[i] = part.toDouble();
  }
  return AnyValue(IValue(std::complex<double>(parts[0], parts[1])));
}

Result Evaluator::Natives::format(Evaluator &e, const NativeCall &call) {
  auto text = e.formatOne(call.args[0], call.args.size() > 1 ? e.str(call.args[1]) : "", call.range);
  return text ? Result(IValue(*text)) : std::nullopt;
}

llvm::ArrayRef<NativeFunction> Evaluator::Natives::table() {
  static constexpr size_t any = NativeFunction::any;
  static constexpr auto arithmetic = Forward<&Evaluator::callArithmetic>::call,
                        convert = Forward<&Evaluator::convert>::call;
  static constexpr NativeFunction rows[] = {
      {"NotImplemented", refuseAll, 0, any, ""},
      {"abs", arithmetic, 1, 2, ""},
      {"all", anyOrAll, 1, 1, ""},
      {"any", anyOrAll, 1, 1, ""},
      {"bin", ofCharacter, 1, 1, ""},
      {"bool", convert, 0, 1, ""},
      {"callable", callable, 1, 1, ""},
      {"chr", ofCharacter, 1, 1, ""},
      {"complex", complex, 0, any, ""},
      {"dict", Forward<&Evaluator::makeDict>::call, 0, 1, "*"},
      {"divmod", arithmetic, 1, 2, ""},
      {"enumerate", enumerate, 1, 2, "start"},
      {"field", field, 0, any, "default default_factory"},
      {"filter", mapOrFilter, 2, 2, ""},
      {"float", convert, 0, 1, ""},
      {"format", format, 1, 2, ""},
      {"frozenset", set, 0, 1, ""},
      {"getattr", getAttribute, 2, 3, ""},
      {"hasattr", hasAttribute, 2, 2, ""},
      {"hash", Forward<&Evaluator::hash>::call, 1, 1, ""},
      {"hex", ofCharacter, 1, 1, ""},
      {"id", identity, 0, any, ""},
      {"int", convert, 0, 2, "base"},
      {"isinstance", Forward<&Evaluator::isInstance>::call, 2, 2, ""},
      {"issubclass", Forward<&Evaluator::isSubclass>::call, 2, 2, ""},
      {"iter", iter, 0, any, ""},
      {"len", Forward<&Evaluator::length>::call, 1, 1, ""},
      {"list", listOrTuple, 0, 1, ""},
      {"map", mapOrFilter, 2, any, ""},
      {"max", extremum, 0, any, "key default"},
      {"min", extremum, 0, any, "key default"},
      {"next", next, 1, 2, ""},
      {"object", emptyObject, 0, any, ""},
      {"oct", ofCharacter, 1, 1, ""},
      {"ord", ofCharacter, 1, 1, ""},
      {"pow", arithmetic, 1, 3, ""},
      {"print", print, 0, any, "sep end flush file"},
      {"property", Forward<&Evaluator::makeProperty>::call, 0, any, ""},
      {"range", range, 1, 3, ""},
      {"repr", convert, 0, 1, ""},
      {"reversed", reversed, 1, 1, ""},
      {"round", arithmetic, 1, 2, "ndigits"},
      {"set", set, 0, 1, ""},
      {"setattr", setAttribute, 3, 3, ""},
      {"slice", slice, 1, 3, ""},
      {"sorted", sorted, 1, 1, "key reverse"},
      {"str", convert, 0, 1, ""},
      {"sum", sum, 1, 2, "start"},
      {"super", refuseAll, 0, any, ""},
      {"tuple", listOrTuple, 0, 1, ""},
      {"type", typeOf, 1, 1, ""},
      {"zip", zip, 0, any, "strict"},
  };
  using namespace library;
  static constexpr WalkedName names[] = {
#define BUILTIN_FORM(name, form, uses) {#name, ((uses) & Walked) != 0},
#define BUILTIN_CAST(name, type, op, uses) {#name, ((uses) & Walked) != 0},
#define BUILTIN_OPERATOR(name, op, uses) {#name, ((uses) & Walked) != 0},
#define BUILTIN_TEXT(name, uses) {#name, ((uses) & Walked) != 0},
#define BUILTIN_WALKED(name, uses) {#name, ((uses) & Walked) != 0},
#include "../Library.def"
  };
  static_assert(haveRows(names, rows), "Library.def and this table disagree");
  return rows;
}

//===-- Calls by a table ---------------------------------------------------===//

/// Whether a call has as many arguments as are taken by position; reports in CPython's words where it has not.
bool Evaluator::checkArity(size_t least, size_t most, const NativeCall &call) {
  const size_t given = call.args.size();
  if (given >= least && given <= most)
    return true;
  if (least == most)
    raise(call.range, "TypeError",
          call.name + "() takes exactly " +
              (least == 1 ? llvm::Twine("one argument") : llvm::Twine(least) + " arguments") + " (" +
              llvm::Twine(given) + " given)");
  else
    raise(call.range, "TypeError",
          call.name + " expected at " + (given < least ? "least " : "most ") +
              llvm::Twine(given < least ? least : most) + " argument" +
              ((given < least ? least : most) == 1 ? "" : "s") + ", got " + llvm::Twine(given));
  return false;
}

/// Whether a call names only arguments that are known here; others are refused. `known` is as in a NativeFunction.
bool Evaluator::knowsKeywords(StringRef known, const NativeCall &call) {
  llvm::SmallVector<StringRef> names;
  known.split(names, ' ', -1, /*KeepEmpty=*/false);
  for (const KeywordValue &keyword : call.arguments.keywords)
    if (known != "*" && !llvm::is_contained(names, keyword.name)) {
      refuse(call.range, "calls of '" + call.shown + "' with '" + keyword.name + "='");
      return false;
    }
  return true;
}

Result Evaluator::callRow(llvm::ArrayRef<NativeFunction> table, const NativeCall &call, WrongCall whenWrong) {
  const NativeFunction *row = findNative(table, call.name);
  if (whenWrong == WrongCall::Raised) {
    if (!knowsKeywords(row ? StringRef(row->keywords) : "", call))
      return std::nullopt;
    if (!row)
      return refuse(call.range, "calls of '" + call.name + "'");
    if (!checkArity(row->least, row->most, call))
      return std::nullopt;
  } else if (!row || call.args.size() < row->least || call.args.size() > row->most ||
             (row->keywords.empty() && !call.arguments.keywords.empty())) {
    return refuseArguments(call);
  } else if (!knowsKeywords(row->keywords, call)) {
    return std::nullopt;
  }
  return row->takesKinds(call.args) ? row->run(*this, call) : refuseArguments(call);
}

std::nullopt_t Evaluator::refuseArguments(const NativeCall &call) {
  return refuse(call.range, "calls of '" + call.shown + "' with these arguments");
}

/// Takes away a hook that a module's register_forward_hook() registered, by its handle.
Result Evaluator::removeHook(const NativeObject &handle) {
  const std::vector<AnyValue> &registered = handle.self.as<TupleObject>()->elements;
  auto *module = registered[0].as<InstanceObject>();
  for (auto *hooks : {&module->preHooks, &module->hooks})
    if (auto at = llvm::find(*hooks, registered[1].as<FunctionObject>()); at != hooks->end()) {
      hooks->erase(at);
      ++changes;
      break;
    }
  return AnyValue();
}

/// Calls a method, or a function of a module of Python's.
Result Evaluator::callQualified(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  StringRef name = callee.name;
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
  if (name == "hook.remove")
    return removeHook(callee);
  if (name.consume_front("math."))
    return callMath(name, arguments, range);
  if (name.starts_with("operator."))
    return callGetter(callee, arguments, range);
  return callContainer(callee, arguments, range);
}

Result Evaluator::callNative(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  lastStep = range;
  const StringRef name = callee.name;
  if (name.contains('.'))
    return callQualified(callee, arguments, range);
  return callRow(Natives::table(), {name, name, callee.self, arguments, range}, WrongCall::Raised);
}
