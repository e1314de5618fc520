//===- PythonLibraries.cpp - collections, functools, operator, while loading ===//
//
// What is here of Python's own libraries. Each does what CPython's does, or is not
// in the tables below and so is refused.
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <chrono>
#include <cmath>

using namespace tsc;
using namespace tsc::python;

//===-- collections --------------------------------------------------------===//

/// `defaultdict(list, …)`, `OrderedDict(…)`, `Counter(…)`
Result Evaluator::makeSpecialDict(DictObject::Flavor flavor, Arguments arguments, SourceRange range) {
  auto *dict = make<DictObject>();
  dict->flavor = flavor;
  if (flavor == DictObject::Flavor::Default && !arguments.positional.empty()) {
    dict->factory = arguments.positional[0];
    arguments.positional.erase(arguments.positional.begin());
  }
  if (arguments.positional.size() > 1)
    return raise(range, "TypeError",
                 typeName(AnyValue(dict)) + " expected at most 1 argument, got " +
                     llvm::Twine(arguments.positional.size()));
  const bool counts = flavor == DictObject::Flavor::Counter && !arguments.positional.empty() &&
                      !arguments.positional[0].as<DictObject>() && !arguments.positional[0].isNone();
  if (!counts) {
    if (flavor == DictObject::Flavor::Counter && !arguments.positional.empty() && arguments.positional[0].isNone())
      arguments.positional.clear();
    return update(*dict, arguments, range) ? Result(dict) : std::nullopt;
  }
  if (!countAll(*dict, arguments.positional[0], 1, range))
    return std::nullopt;
  arguments.positional.clear();
  return update(*dict, arguments, range) ? Result(dict) : std::nullopt;
}

/// Adds `sign` to the count of each element.
bool Evaluator::countAll(DictObject &counter, const AnyValue &iterable, int64_t sign, SourceRange range) {
  std::vector<AnyValue> values;
  auto add = [&](const AnyValue &key, const AnyValue &count) {
    Result known = subscript(AnyValue(&counter), key, range);
    Result sum = known ? binary(sign > 0 ? TreeOp::Add : TreeOp::Sub, *known, count, range) : std::nullopt;
    return sum && setItem(AnyValue(&counter), key, *sum, range);
  };
  if (auto *other = iterable.as<DictObject>())
    return llvm::all_of(std::vector(other->entries), [&](const auto &entry) { return add(entry.first, entry.second); });
  return elements(iterable, range, values) &&
         llvm::all_of(values, [&](const AnyValue &value) { return add(value, AnyValue(IValue(1))); });
}

/// What Counters have besides the methods of dicts; nothing for those.
std::optional<Result> Evaluator::callCounter(DictObject &counter, StringRef name, const Arguments &arguments,
                                             SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  if (name != "most_common" && name != "elements" && name != "update" && name != "subtract" && name != "total" &&
      name != "copy")
    return std::nullopt;
  if (!arguments.keywords.empty() || args.size() > 1)
    return refuse(range, "calls of 'Counter." + name + "' with these arguments");
  if (name == "copy") {
    auto *copy = make<DictObject>(counter);
    return Result(copy);
  }
  if (name == "update" || name == "subtract")
    return args.empty() || countAll(counter, args[0], name == "update" ? 1 : -1, range) ? Result(AnyValue()) : Result();
  if (name == "total") {
    Result sum = AnyValue(IValue(0));
    for (auto &entry : counter.entries)
      sum = sum ? binary(TreeOp::Add, *sum, entry.second, range) : std::nullopt;
    return sum;
  }
  if (name == "elements") {
    auto *all = make<IteratorObject>();
    all->name = "itertools.chain";
    for (auto &[key, count] : counter.entries) {
      if (!count.isInt())
        return refuse(range, "elements of Counters whose counts are no ints");
      if (!countElements(1, count.data.toInt(), range))
        return Result();
      for (int64_t i = 0; i < count.data.toInt(); ++i)
        all->elements.push_back(key);
    }
    return Result(all);
  }
  std::vector<AnyValue> pairs;
  for (auto &[key, count] : counter.entries)
    pairs.push_back(entryOf(ViewObject::Part::Items, key, count));
  auto *second = native("operator.itemgetter").as<NativeObject>();
  auto *wanted = make<TupleObject>();
  wanted->elements = {AnyValue(IValue(1))};
  second->self = AnyValue(wanted);
  Result ordered = sorted(std::move(pairs), AnyValue(second), /*isReverse=*/true, range);
  if (ordered && !args.empty() && !args[0].isNone()) {
    if (!args[0].isInt())
      return refuse(range, "calls of 'Counter.most_common' with these arguments");
    auto &all = ordered->as<ListObject>()->elements;
    all.resize(std::min<size_t>(all.size(), static_cast<size_t>(std::max<int64_t>(0, args[0].data.toInt()))));
  }
  return ordered;
}

Result Evaluator::makeDeque(const Arguments &arguments, SourceRange range) {
  auto *deque = make<DequeObject>();
  const std::vector<AnyValue> &args = arguments.positional;
  const AnyValue *limit = args.size() > 1 ? &args[1] : nullptr;
  for (const KeywordValue &keyword : arguments.keywords) {
    if (keyword.name != "maxlen")
      return refuse(range, "calls of 'collections.deque' with '" + keyword.name + "='");
    limit = &keyword.value;
  }
  if (args.size() > 2)
    return raise(range, "TypeError", "deque() takes at most 2 arguments (" + llvm::Twine(args.size()) + " given)");
  if (limit && !limit->isNone()) {
    if (!limit->isInt())
      return raise(range, "TypeError", "an integer is required");
    if (limit->data.toInt() < 0)
      return raise(range, "ValueError", "maxlen must be non-negative");
    deque->limit = static_cast<size_t>(limit->data.toInt());
  }
  if (!args.empty() && !elements(args[0], range, deque->elements))
    return std::nullopt;
  trim(*deque, /*fromLeft=*/true);
  return AnyValue(deque);
}

/// Drops what is more than a deque holds.
void Evaluator::trim(DequeObject &deque, bool fromLeft) {
  if (!deque.limit || deque.elements.size() <= *deque.limit)
    return;
  const auto more = static_cast<std::ptrdiff_t>(deque.elements.size() - *deque.limit);
  if (fromLeft)
    deque.elements.erase(deque.elements.begin(), deque.elements.begin() + more);
  else
    deque.elements.resize(*deque.limit);
}

Result Evaluator::callDeque(DequeObject &deque, StringRef name, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  std::vector<AnyValue> &values = deque.elements;
  auto unknown = [&] { return refuse(range, "calls of 'deque." + name + "' with these arguments"); };
  if (!arguments.keywords.empty())
    return unknown();
  const bool isLeft = name.ends_with("left");
  if ((name == "append" || name == "appendleft" || name == "extend" || name == "extendleft") && args.size() == 1) {
    std::vector<AnyValue> more;
    if (name.starts_with("append"))
      more = args;
    else if (!elements(args[0], range, more))
      return std::nullopt;
    if (isLeft)
      std::reverse(more.begin(), more.end());
    values.insert(isLeft ? values.begin() : values.end(), more.begin(), more.end());
    trim(deque, !isLeft);
    return AnyValue();
  }
  if ((name == "pop" || name == "popleft") && args.empty()) {
    if (values.empty())
      return raise(range, "IndexError", "pop from an empty deque");
    AnyValue popped = isLeft ? values.front() : values.back();
    values.erase(isLeft ? values.begin() : values.end() - 1);
    return popped;
  }
  if (name == "rotate" && args.size() <= 1 && (args.empty() || args[0].isInt())) {
    const auto size = static_cast<int64_t>(values.size());
    const int64_t by = args.empty() ? 1 : args[0].data.toInt();
    if (size)
      std::rotate(values.begin(), values.begin() + ((size - by % size) % size), values.end());
    return AnyValue();
  }
  if (name == "clear" && args.empty())
    return values.clear(), AnyValue();
  if (name == "reverse" && args.empty())
    return std::reverse(values.begin(), values.end()), AnyValue();
  if (name == "copy" && args.empty())
    return AnyValue(make<DequeObject>(deque));
  if (name == "count" && args.size() == 1)
    return AnyValue(IValue(static_cast<int64_t>(
        llvm::count_if(std::vector(values), [&](const AnyValue &value) { return equal(value, args[0]); }))));
  return unknown();
}

//===-- functools ----------------------------------------------------------===//

Result Evaluator::reduce(const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  if (args.size() < 2 || args.size() > 3 || !arguments.keywords.empty())
    return raise(range, "TypeError",
                 "reduce expected at " + llvm::Twine(args.size() < 2 ? "least 2" : "most 3") + " arguments, got " +
                     llvm::Twine(args.size()));
  IteratorObject *iterator = iterate(args[1], range);
  Result result = args.size() == 3 ? Result(args[2]) : std::nullopt;
  for (std::optional<AnyValue> next; iterator;) {
    if (!advance(*iterator, range, next))
      return std::nullopt;
    if (!next)
      return result ? result : Result(raise(range, "TypeError", "reduce() of empty iterable with no initial value"));
    Arguments both;
    if (result)
      both.positional = {*result, *next};
    result = result ? call(args[0], both, range) : Result(*next);
    if (!result)
      return std::nullopt;
  }
  return std::nullopt;
}

Result Evaluator::callCached(CachedObject &cached, const Arguments &arguments, SourceRange range) {
  auto *key = make<TupleObject>();
  key->elements = arguments.positional;
  for (const KeywordValue &keyword : arguments.keywords) {
    key->elements.push_back(AnyValue(&cached)); // tells names from values
    key->elements.push_back(AnyValue(IValue(keyword.name)));
    key->elements.push_back(keyword.value);
  }
  if (!isHashable(AnyValue(key), range))
    return std::nullopt;
  auto known = llvm::find_if(cached.results, [&](auto &entry) { return isSameKey(entry.first, AnyValue(key)); });
  if (isRefused || isRaisedInside)
    return std::nullopt;
  if (known != cached.results.end()) {
    std::rotate(known, known + 1, cached.results.end());
    return cached.results.back().second;
  }
  if (!countElements(static_cast<int64_t>(cached.results.size()), 1, range)) // what looking for it took
    return std::nullopt;
  Result result = call(cached.function, arguments, range);
  if (result && cached.limit != 0)
    cached.results.emplace_back(AnyValue(key), *result);
  if (cached.limit && cached.results.size() > *cached.limit)
    cached.results.erase(cached.results.begin());
  return result;
}

/// `@lru_cache`, `@lru_cache(maxsize=…)`, `@cache`
Result Evaluator::makeCached(StringRef path, const AnyValue &function, const Arguments *options, SourceRange range) {
  auto *cached = make<CachedObject>();
  cached->function = function;
  cached->limit = path == "functools.cache" ? std::nullopt : std::optional<size_t>(128);
  const AnyValue *limit = options && !options->positional.empty() ? &options->positional[0] : nullptr;
  for (const KeywordValue &keyword : options ? llvm::ArrayRef(options->keywords) : llvm::ArrayRef<KeywordValue>()) {
    if (keyword.name != "maxsize")
      return refuse(range, "caches with '" + keyword.name + "='");
    limit = &keyword.value;
  }
  if (limit && !limit->isNone() && !limit->isInt())
    return raise(range, "TypeError", "Expected first argument to be an integer, a callable, or None");
  if (limit)
    cached->limit = limit->isNone()
                        ? std::nullopt
                        : std::optional<size_t>(static_cast<size_t>(std::max<int64_t>(0, limit->data.toInt())));
  return AnyValue(cached);
}

//===-- operator -----------------------------------------------------------===//

static std::optional<TreeOp> operatorNamed(StringRef name) {
  return llvm::StringSwitch<std::optional<TreeOp>>(name)
      .Case("add", TreeOp::Add)
      .Case("sub", TreeOp::Sub)
      .Case("mul", TreeOp::Mul)
      .Case("truediv", TreeOp::Div)
      .Case("floordiv", TreeOp::FloorDiv)
      .Case("mod", TreeOp::Mod)
      .Case("pow", TreeOp::Pow)
      .Case("matmul", TreeOp::MatMul)
      .Case("and_", TreeOp::BitAnd)
      .Case("or_", TreeOp::BitOr)
      .Case("xor", TreeOp::BitXor)
      .Case("lshift", TreeOp::ShiftLeft)
      .Case("rshift", TreeOp::ShiftRight)
      .Case("eq", TreeOp::Eq)
      .Case("ne", TreeOp::Ne)
      .Case("lt", TreeOp::Lt)
      .Case("le", TreeOp::Le)
      .Case("gt", TreeOp::Gt)
      .Case("ge", TreeOp::Ge)
      .Case("is_", TreeOp::Is)
      .Case("is_not", TreeOp::IsNot)
      .Default(std::nullopt);
}

/// What itemgetter and attrgetter made, called with an object.
Result Evaluator::callGetter(const NativeObject &getter, const Arguments &arguments, SourceRange range) {
  if (arguments.positional.size() != 1 || !arguments.keywords.empty())
    return raise(range, "TypeError",
                 StringRef(getter.name).drop_front(9) + " expected 1 argument, got " +
                     llvm::Twine(arguments.positional.size()));
  const bool ofItems = getter.name == "operator.itemgetter";
  auto *all = make<TupleObject>();
  for (const AnyValue &wanted : getter.self.as<TupleObject>()->elements) {
    Result value = ofItems ? subscript(arguments.positional[0], wanted, range) : Result(arguments.positional[0]);
    StringRef path = ofItems ? StringRef() : StringRef(wanted.data.toString());
    for (StringRef part; value && !path.empty();) {
      std::tie(part, path) = path.split('.');
      value = attribute(*value, part, range);
    }
    if (!value)
      return std::nullopt;
    all->elements.push_back(*value);
  }
  return all->elements.size() == 1 ? Result(all->elements[0]) : Result(all);
}

Result Evaluator::callOperator(StringRef name, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  auto unknown = [&] { return refuse(range, "calls of 'operator." + name + "' with these arguments"); };
  if (!arguments.keywords.empty())
    return unknown();
  if ((name == "itemgetter" || name == "attrgetter") && !args.empty()) {
    if (name == "attrgetter" && !llvm::all_of(args, [](const AnyValue &value) { return value.isString(); }))
      return raise(range, "TypeError", "attribute name must be a string");
    auto *getter = make<NativeObject>();
    auto *wanted = make<TupleObject>();
    wanted->elements = args;
    getter->name = ("operator." + name).str();
    getter->self = AnyValue(wanted);
    return AnyValue(getter);
  }
  if (std::optional<TreeOp> op = operatorNamed(name); op && args.size() == 2) {
    const bool compares = *op == TreeOp::Eq || *op == TreeOp::Ne || *op == TreeOp::Lt || *op == TreeOp::Le ||
                          *op == TreeOp::Gt || *op == TreeOp::Ge || *op == TreeOp::Is || *op == TreeOp::IsNot;
    return compares ? compare(*op, args[0], args[1], range) : binary(*op, args[0], args[1], range);
  }
  if (name == "getitem" && args.size() == 2)
    return subscript(args[0], args[1], range);
  if (name == "contains" && args.size() == 2) {
    std::optional<bool> found = contains(args[0], args[1], range);
    return found ? Result(IValue(*found)) : std::nullopt;
  }
  if ((name == "not_" || name == "truth") && args.size() == 1) {
    std::optional<bool> holds = truth(args[0], range);
    return holds ? Result(IValue(*holds == (name == "truth"))) : std::nullopt;
  }
  return unknown();
}

//===-- copy, time ---------------------------------------------------------===//

/// `copy.copy(value)`
Result Evaluator::shallowCopy(const AnyValue &value, SourceRange range) {
  if (auto *list = value.as<ListObject>())
    return AnyValue(make<ListObject>(*list));
  if (auto *dict = value.as<DictObject>())
    return AnyValue(make<DictObject>(*dict));
  if (auto *set = value.as<SetObject>())
    return AnyValue(set->isFrozen ? set : make<SetObject>(*set));
  if (auto *deque = value.as<DequeObject>())
    return AnyValue(make<DequeObject>(*deque));
  auto *instance = value.as<InstanceObject>();
  if (instance && !instance->type->isModule && !instance->type->isLibrary && instance->type->exceptionBase.empty()) {
    auto *copy = make<InstanceObject>();
    copy->type = instance->type;
    copy->slots = instance->slots;
    return AnyValue(copy);
  }
  const bool isUnchangeable = value.isNumber() || value.isString() || value.isNone() || value.as<FunctionObject>() ||
                              value.as<ClassObject>() || value.as<TupleObject>();
  return isUnchangeable ? Result(value) : refuse(range, "copies of '" + typeName(value) + "'");
}

std::optional<Result> Evaluator::callPythonLibrary(StringRef path, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  if (path == "collections.deque")
    return makeDeque(arguments, range);
  if (path == "collections.defaultdict" && !args.empty() && !args[0].as<DictObject>())
    return makeSpecialDict(DictObject::Flavor::Default, arguments, range);
  if (path == "collections.Counter")
    return makeSpecialDict(DictObject::Flavor::Counter, arguments, range);
  if (path == "collections.OrderedDict")
    return makeSpecialDict(DictObject::Flavor::Ordered, arguments, range);
  if (path == "functools.reduce")
    return reduce(arguments, range);
  const bool makesCache = path == "functools.lru_cache" || path == "functools.cache";
  if (makesCache && args.size() == 1 && args[0].as<FunctionObject>())
    return makeCached(path, args[0], nullptr, range);
  if (path.consume_front("operator."))
    return callOperator(path, arguments, range);
  if (path == "copy.copy" && args.size() == 1)
    return shallowCopy(args[0], range);
  if (path == "typing.TypeVar" && !args.empty() && args[0].isString()) {
    auto *variable = make<LibraryObject>();
    variable->path = "typing.TypeVar." + args[0].data.toString();
    return Result(variable);
  }
  const auto seconds = [](auto since) { return std::chrono::duration<double>(since).count(); };
  if (path == "time.time" && args.empty())
    return Result(IValue(seconds(std::chrono::system_clock::now().time_since_epoch())));
  if ((path == "time.perf_counter" || path == "time.monotonic") && args.empty())
    return Result(IValue(seconds(std::chrono::steady_clock::now().time_since_epoch())));
  return std::nullopt;
}
