//===- Containers.cpp - Methods of lists, dicts, strings and modules ------===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/PercentFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace tsc;
using namespace tsc::python;

//===-- Format -------------------------------------------------------------===//

std::optional<std::string> Evaluator::formatOne(const AnyValue &given, StringRef spec, SourceRange range) {
  lastStep = range;
  if (std::optional<Result> own = callOwn("__format__", given, {AnyValue(IValue(spec))}, range))
    return *own ? std::optional(str(**own)) : std::nullopt;
  if (given.isTensor() && !given.isParameter && given.data.toTensor().sizes().empty()) { // as its number
    Result item = callTensorMethod(given, "item", {}, range);
    return item ? formatOne(*item, spec, range) : std::nullopt;
  }
  if (spec.empty())
    return str(given);
  AnyValue value = withoutEnum(given);
  if (value.object || value.isTensor() || value.isNone() || value.isDType || value.data.isDevice())
    return raise(range, "TypeError", "unsupported format string passed to " + typeName(value) + ".__format__"),
           std::nullopt;
  StatusOr<std::string> text = host.format(value.data, spec);
  if (text.ok())
    return *text;
  auto [type, message] = StringRef(messageOf(text.status())).split(": ");
  return raise(range, type, message), std::nullopt;
}

/// `"%5.2f of %s" % values`: each conversion is a format specification of the value, or of its text.
Result Evaluator::percentFormatted(StringRef text, const AnyValue &given, SourceRange range) {
  std::vector<AnyValue> values{given};
  if (auto *tuple = given.as<TupleObject>())
    values = tuple->elements;
  auto *dict = given.as<DictObject>();
  size_t next = 0;
  std::string result;
  while (auto one = takeConversion(text)) {
    result += one->before;
    const char conversion = one->letter;
    if (!conversion)
      return raise(range, "ValueError", "incomplete format");
    if (conversion == '%') {
      result += '%';
      continue;
    }
    std::optional<AnyValue> named;
    if (one->key) {
      if (!dict)
        return raise(range, "TypeError", "format requires a mapping");
      Result found = subscript(given, AnyValue(IValue(*one->key)), range);
      if (!found)
        return std::nullopt;
      named = *found;
    }
    std::string flags = one->options.take_while([](char c) { return StringRef("-+ #0").contains(c); }).str(), size;
    for (char option : one->options.drop_front(flags.size())) {
      if (option != '*') {
        size += option;
        continue;
      }
      if (next == values.size() || !values[next].isInt())
        return raise(range, "TypeError", "* wants int");
      const int64_t number = values[next++].data.toInt();
      const bool isWidth = size.empty();
      if (number < 0 && isWidth)
        flags += '-';
      size += std::to_string(isWidth ? std::abs(number) : std::max<int64_t>(0, number));
    }
    if (!named && next == values.size())
      return raise(range, "TypeError", "not enough arguments for format string");
    AnyValue value = named ? *named : values[next++];
    const bool isText = conversion == 's' || conversion == 'r' || conversion == 'a' || conversion == 'c';
    std::string spec = StringRef(flags).contains('-') ? "<" : isText ? ">" : "";
    if (conversion == 'c') {
      if (value.isInt()) {
        if (value.data.toInt() < 0 || value.data.toInt() > 0x10ffff)
          return raise(range, "OverflowError", "%c arg not in range(0x110000)");
        Result character = callOnCharacter("chr", value, range);
        if (!character)
          return std::nullopt;
        value = *character;
      }
      if (!value.isString() || characters(value.data.toString()).size() != 1)
        return raise(range, "TypeError", "%c requires int or char");
      spec += size;
    } else if (conversion == 'a') {
      return refuse(range, "conversions by '%a'");
    } else if (isText) {
      value = AnyValue(IValue(conversion == 's' ? str(value) : repr(value)));
      if (isRefused || isRaisedInside)
        return std::nullopt;
      spec += size;
    } else if (StringRef("diuxXoeEfFgG").contains(conversion)) {
      for (char flag : {'+', ' ', '#', '0'})
        if (StringRef(flags).contains(flag) && (flag != '0' || !StringRef(flags).contains('-')))
          spec += flag;
      const bool isWhole = StringRef("diuxXo").contains(conversion);
      const bool isDecimal = StringRef("diu").contains(conversion);
      value = withoutEnum(value);
      if (value.isTensor()) {
        Result item = callTensorMethod(value, "item", {}, range);
        if (!item)
          return std::nullopt;
        value = *item;
      }
      if (!value.isNumber() || (isWhole && !isDecimal && !value.isInt())) {
        if (value.as<InstanceObject>())
          return refuse(range, "objects as numbers of '%'");
        if (isWhole)
          return raise(range, "TypeError",
                       llvm::Twine("%") + llvm::Twine(conversion) + " format: " +
                           (isDecimal ? "a real number" : "an integer") + " is required, not " + typeName(value));
        return raise(range, "TypeError", "must be real number, not " + typeName(value));
      }
      if (isWhole && !value.isInt()) {
        Arguments one;
        one.positional = {value};
        Result number = convert("int", one, range);
        if (!number)
          return std::nullopt;
        value = *number;
      }
      spec += size + (conversion == 'i' || conversion == 'u' ? 'd' : conversion);
    } else {
      return raise(range, "ValueError", llvm::Twine("unsupported format character '") + llvm::Twine(conversion) + "'");
    }
    std::optional<std::string> shown = formatOne(value, spec == ">" || spec == "<" ? "" : spec, range);
    if (!shown)
      return std::nullopt;
    result += *shown;
  }
  result += text;
  if (!dict && next != values.size())
    return raise(range, "TypeError", "not all arguments converted during string formatting");
  return AnyValue(IValue(result));
}

/// `text.format(…)`
Result Evaluator::formatted(StringRef text, const Arguments &arguments, SourceRange range) {
  std::string result;
  size_t next = 0;
  while (!text.empty()) {
    if (text.consume_front("{{") || text.consume_front("}}")) {
      result += text.data()[-1];
      continue;
    }
    if (text[0] != '{' && text[0] != '}') {
      result += text[0];
      text = text.drop_front();
      continue;
    }
    auto [field, after] = text.drop_front().split('}');
    if (field.size() + 1 == text.size() || text[0] != '{')
      return raise(range, "ValueError",
                   text[0] != '{'  ? "Single '}' encountered in format string"
                   : field.empty() ? "Single '{' encountered in format string"
                                   : "expected '}' before end of string");
    text = after;
    if (field.contains('{') || field.contains('[') || field.contains("!a"))
      return refuse(range, "fields of texts to format that hold '{', '[' or '!a'");
    auto [path, spec] = field.split(':');
    bool asRepr = path.consume_back("!r"), asText = path.consume_back("!s");
    auto [name, rest] = path.split('.');
    size_t index = next;
    const AnyValue *value = nullptr;
    if (name.empty() || !name.getAsInteger(10, index)) {
      value = index < arguments.positional.size() ? &arguments.positional[index] : nullptr;
      next += name.empty();
    } else {
      for (const KeywordValue &keyword : arguments.keywords)
        if (keyword.name == name)
          value = &keyword.value;
    }
    if (!value && (name.empty() || llvm::isDigit(name[0])))
      return raise(range, "IndexError",
                   "Replacement index " + llvm::Twine(index) + " out of range for positional args tuple");
    if (!value)
      return raiseKeyError(range, AnyValue(IValue(name)));
    AnyValue shown = *value;
    for (StringRef part; !rest.empty();) {
      std::tie(part, rest) = rest.split('.');
      Result inner = attribute(shown, part, range);
      if (!inner)
        return std::nullopt;
      shown = *inner;
    }
    if (asRepr || asText)
      shown = IValue(asRepr ? repr(shown) : str(shown));
    std::optional<std::string> one = formatOne(shown, spec, range);
    if (!one)
      return std::nullopt;
    result += *one;
  }
  return AnyValue(IValue(result));
}

//===-- Lists, tuples, dicts, sets -----------------------------------------===//

/// The methods that Python's types have, here or not: what else is asked for is an AttributeError.
bool Evaluator::hasMember(StringRef group, StringRef name) {
  static constexpr StringRef lists = "append clear copy count extend index insert pop remove reverse sort";
  static constexpr StringRef dicts = "clear copy fromkeys get items keys pop popitem setdefault update values";
  static constexpr StringRef sets =
      "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset "
      "issuperset pop remove symmetric_difference symmetric_difference_update union update";
  static constexpr StringRef strings =
      "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha "
      "isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower "
      "lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split "
      "splitlines startswith strip swapcase title translate upper zfill";
  llvm::SmallVector<StringRef> known;
  static constexpr StringRef frozenSets =
      "copy difference intersection isdisjoint issubset issuperset symmetric_difference union";
  static constexpr StringRef deques =
      "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate";
  if ((group == "OrderedDict" && name == "move_to_end") || (group == "defaultdict" && name == "default_factory") ||
      (group == "Counter" && (name == "most_common" || name == "elements" || name == "subtract" || name == "total")))
    return true;
  (group == "list"                                                                             ? lists
   : group == "dict" || group == "OrderedDict" || group == "defaultdict" || group == "Counter" ? dicts
   : group == "set"                                                                            ? sets
   : group == "frozenset"                                                                      ? frozenSets
   : group == "deque"                                                                          ? deques
   : group == "slice"      ? StringRef("indices start step stop")
   : group == "complex"    ? StringRef("conjugate imag real")
   : group == "str"        ? strings
   : group == "tuple"      ? StringRef("count index")
   : group == "torch.Size" ? StringRef("count index numel")
   : group == "dict_keys"  ? StringRef("isdisjoint mapping")
   : group == "int" || group == "bool"
       ? StringRef(
             "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes")
   : group == "float" ? StringRef("as_integer_ratio conjugate fromhex hex imag is_integer real")
   : group == "range" ? StringRef("count index start step stop")
                      : StringRef())
      .split(known, ' ', -1, /*KeepEmpty=*/false);
  return llvm::is_contained(known, name);
}

Result Evaluator::callSequence(NativeObject &callee, StringRef name, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  auto *object = callee.self.as<ListObject>();
  auto *tuple = callee.self.as<TupleObject>();
  std::vector<AnyValue> &values = object ? object->elements : tuple->elements;
  if (tuple && tuple->type)
    if (std::optional<Result> own = callNamedTuple(*tuple, name, arguments, range))
      return *own;
  auto unknown = [&] { return refuse(range, "calls of '" + callee.name + "' with these arguments"); };
  if (!arguments.keywords.empty() && name != "sort")
    return unknown();
  auto find = [&] { // asks the elements, which may change the list
    for (size_t i = 0; i < values.size(); ++i)
      if (equal(AnyValue(values[i]), args[0]))
        return i;
    return values.size();
  };
  if (name == "count" && args.size() == 1)
    return AnyValue(IValue(static_cast<int64_t>(
        llvm::count_if(std::vector(values), [&](const AnyValue &value) { return equal(value, args[0]); }))));
  if (name == "index" && args.size() >= 1 && args.size() <= 3 &&
      llvm::all_of(llvm::drop_begin(args), [](const AnyValue &bound) { return bound.isInt(); })) {
    const auto size = static_cast<int64_t>(values.size());
    auto place = [&](size_t i, int64_t otherwise) {
      const int64_t at = i < args.size() ? args[i].data.toInt() : otherwise;
      return static_cast<size_t>(std::clamp<int64_t>(at < 0 ? at + size : at, 0, size));
    };
    const size_t stop = place(2, size);
    size_t at = place(1, 0);
    while (at < std::min(stop, values.size()) && !equal(AnyValue(values[at]), args[0]))
      ++at;
    if (at < std::min(stop, values.size()))
      return AnyValue(IValue(static_cast<int64_t>(at)));
    return isRefused || isRaisedInside
               ? std::nullopt
               : raise(range, "ValueError",
                       tuple ? "tuple.index(x): x not in tuple" : repr(args[0]) + " is not in list");
  }
  if (name == "numel" && tuple && tuple->isSize && args.empty()) {
    int64_t count = 1;
    for (const AnyValue &size : values)
      count *= size.data.toInt();
    return AnyValue(IValue(count));
  }
  if (!object)
    return unknown();
  ++changes;
  if (name == "append" && args.size() == 1)
    return values.push_back(args[0]), AnyValue();
  if (name == "extend" && args.size() == 1) {
    std::vector<AnyValue> more;
    if (!elements(args[0], range, more))
      return std::nullopt;
    values.insert(values.end(), more.begin(), more.end());
    return AnyValue();
  }
  if (name == "insert" && args.size() == 2) {
    if (!args[0].isInt())
      return raise(range, "TypeError", "'" + typeName(args[0]) + "' object cannot be interpreted as an integer");
    int64_t size = static_cast<int64_t>(values.size()), at = args[0].data.toInt();
    values.insert(values.begin() + std::clamp<int64_t>(at < 0 ? at + size : at, 0, size), args[1]);
    return AnyValue();
  }
  if (name == "pop" && args.size() <= 1) {
    if (!args.empty() && !args[0].isInt())
      return raise(range, "TypeError", "'" + typeName(args[0]) + "' object cannot be interpreted as an integer");
    int64_t size = static_cast<int64_t>(values.size()), at = args.empty() ? -1 : args[0].data.toInt();
    if (size == 0)
      return raise(range, "IndexError", "pop from empty list");
    at += at < 0 ? size : 0;
    if (at < 0 || at >= size)
      return raise(range, "IndexError", "pop index out of range");
    AnyValue popped = values[at];
    values.erase(values.begin() + at);
    return popped;
  }
  if (name == "remove" && args.size() == 1) {
    const size_t at = find();
    if (isRefused || isRaisedInside)
      return std::nullopt;
    if (at >= values.size())
      return raise(range, "ValueError", "list.remove(x): x not in list");
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
    return AnyValue();
  }
  if (name == "reverse" && args.empty())
    return std::reverse(values.begin(), values.end()), AnyValue();
  if (name == "clear" && args.empty())
    return values.clear(), AnyValue();
  if (name == "copy" && args.empty()) {
    auto *copy = make<ListObject>();
    copy->elements = values;
    return AnyValue(copy);
  }
  if (name == "sort" && args.empty()) {
    if (!knowsKeywords("list.sort", arguments, range))
      return std::nullopt;
    AnyValue key, reverse = IValue(false);
    for (const KeywordValue &keyword : arguments.keywords)
      (keyword.name == "key" ? key : reverse) = keyword.value;
    std::optional<bool> isReverse = truth(reverse, range);
    Result result = isReverse ? sorted(values, key, *isReverse, range) : std::nullopt;
    if (!result)
      return std::nullopt;
    values = result->as<ListObject>()->elements;
    return AnyValue();
  }
  return unknown();
}

Result Evaluator::callDict(DictObject &dict, StringRef name, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  auto &entries = dict.entries;
  auto unknown = [&] { return refuse(range, "calls of 'dict." + name + "' with these arguments"); };
  if (dict.flavor == DictObject::Flavor::Counter)
    if (std::optional<Result> result = callCounter(dict, name, arguments, range))
      return *result;
  if (dict.flavor == DictObject::Flavor::Ordered && name == "move_to_end" && args.size() == 1 &&
      arguments.keywords.empty()) {
    auto at = llvm::find_if(entries, [&](auto &entry) { return isSameKey(entry.first, args[0]); });
    if (at == entries.end())
      return raiseKeyError(range, args[0]);
    std::rotate(at, at + 1, entries.end());
    return AnyValue();
  }
  if (name == "update")
    return args.size() > 1 ? unknown() : update(dict, arguments, range) ? Result(AnyValue()) : std::nullopt;
  if (!arguments.keywords.empty())
    return unknown();
  if ((name == "keys" || name == "values" || name == "items") && args.empty()) {
    auto *view = make<ViewObject>();
    view->dict = &dict;
    view->part = name == "keys"     ? ViewObject::Part::Keys
                 : name == "values" ? ViewObject::Part::Values
                                    : ViewObject::Part::Items;
    return AnyValue(view);
  }
  if ((name == "get" || name == "pop" || name == "setdefault") && !args.empty() && args.size() <= 2) {
    if (!isHashable(args[0], range))
      return std::nullopt;
    auto at = llvm::find_if(entries, [&](auto &entry) { return isSameKey(entry.first, args[0]); });
    if (isRefused || isRaisedInside)
      return std::nullopt;
    if (at == entries.end()) {
      if (name == "pop" && args.size() == 1)
        return raiseKeyError(range, args[0]);
      AnyValue value = args.size() > 1 ? args[1] : AnyValue();
      if (name == "setdefault") {
        ++changes;
        entries.emplace_back(args[0], value);
      }
      return value;
    }
    AnyValue value = at->second;
    if (name == "pop") {
      ++changes;
      entries.erase(at);
    }
    return value;
  }
  if (name == "copy" && args.empty()) {
    return AnyValue(make<DictObject>(dict));
  }
  if (name == "clear" && args.empty()) {
    ++changes;
    entries.clear();
    return AnyValue();
  }
  if (name == "popitem" && args.empty()) {
    if (entries.empty())
      return raiseKeyError(range, AnyValue(IValue("popitem(): dictionary is empty")));
    ++changes;
    AnyValue last = entryOf(ViewObject::Part::Items, entries.back().first, entries.back().second);
    entries.pop_back();
    return last;
  }
  return unknown();
}

Result Evaluator::callSet(SetObject &set, StringRef name, const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  auto unknown = [&] { return refuse(range, "calls of 'set." + name + "' with these arguments"); };
  if (!arguments.keywords.empty())
    return unknown();
  if ((name == "add" || name == "remove" || name == "discard") && args.size() == 1) {
    if (!isHashable(args[0], range))
      return std::nullopt;
    auto at = llvm::find_if(set.elements, [&](const AnyValue &value) { return isSameKey(value, args[0]); });
    if (isRefused || isRaisedInside)
      return std::nullopt;
    const bool has = at != set.elements.end();
    if (name == "add" && !has)
      set.elements.push_back(args[0]);
    if (name == "remove" && !has)
      return raiseKeyError(range, args[0]);
    if (name != "add" && has)
      set.elements.erase(at);
    return AnyValue();
  }
  if ((name == "copy" || name == "clear") && args.empty()) {
    auto *copy = make<SetObject>();
    copy->elements = set.elements;
    if (name == "clear")
      set.elements.clear();
    return name == "copy" ? AnyValue(copy) : AnyValue();
  }
  if (args.size() != 1)
    return unknown();
  std::vector<AnyValue> values;
  Result other = elementsInAnyOrder(args[0], range, values) ? makeSet(values, range) : std::nullopt;
  if (!other)
    return std::nullopt;
  const SetObject &given = *other->as<SetObject>();
  if (name == "issubset" || name == "issuperset")
    return compare(name == "issubset" ? TreeOp::Le : TreeOp::Ge, AnyValue(&set), *other, range);
  if (name == "isdisjoint")
    return AnyValue(
        IValue(llvm::none_of(set.elements, [&](const AnyValue &value) { return hasKey(given.elements, value); })));
  std::optional<TreeOp> op = llvm::StringSwitch<std::optional<TreeOp>>(name)
                                 .Cases("union", "update", TreeOp::BitOr)
                                 .Cases("intersection", "intersection_update", TreeOp::BitAnd)
                                 .Cases("difference", "difference_update", TreeOp::Sub)
                                 .Cases("symmetric_difference", "symmetric_difference_update", TreeOp::BitXor)
                                 .Default(std::nullopt);
  if (!op)
    return unknown();
  Result result = *ofSets(*op, set, given);
  if (!name.ends_with("update"))
    return result;
  set.elements = result->as<SetObject>()->elements;
  return AnyValue();
}

Result Evaluator::callContainer(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  auto [group, name] = StringRef(callee.name).rsplit('.');
  if (callee.self.as<ListObject>() || callee.self.as<TupleObject>())
    return callSequence(callee, name, arguments, range);
  if (auto *dict = callee.self.as<DictObject>())
    return callDict(*dict, name, arguments, range);
  if (auto *set = callee.self.as<SetObject>())
    return callSet(*set, name, arguments, range);
  if (auto *deque = callee.self.as<DequeObject>())
    return callDeque(*deque, name, arguments, range);
  if (group == "complex" && name == "conjugate" && arguments.positional.empty() && arguments.keywords.empty())
    return AnyValue(IValue(std::conj(callee.self.data.toComplex())));
  if (callee.self.isString())
    return callString(name, callee.self.data.toString(), arguments, range);
  const std::vector<AnyValue> &args = arguments.positional;
  if (group == "float" && name == "is_integer" && args.empty()) {
    const double number = callee.self.toDouble();
    return AnyValue(IValue(std::isfinite(number) && number == std::floor(number)));
  }
  if ((group == "int" || group == "bool") && name == "bit_length" && args.empty()) {
    const int64_t number = callee.self.data.toInt();
    const uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    return AnyValue(IValue(static_cast<int64_t>(llvm::bit_width(size))));
  }
  return refuse(range, "calls of '" + callee.name + "' with these arguments");
}

//===-- Copies -------------------------------------------------------------===//

AnyValue Evaluator::copyOf(const AnyValue &value, std::map<const Object *, Object *> &copies,
                           std::map<const void *, AnyValue> &tensors) {
  if (!value.object) {
    if (!value.data.isTensor())
      return value;
    auto [known, isNew] = tensors.try_emplace(value.data.counted());
    if (isNew)
      known->second = AnyValue(tsc::deepCopy(value.data), value.isParameter);
    return known->second;
  }
  if (auto known = copies.find(value.object); known != copies.end())
    return known->second;
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return value;
  auto copyAll = [&](auto *object) {
    auto *copy = make<std::remove_pointer_t<decltype(object)>>(*object);
    copies[object] = copy;
    for (AnyValue &element : copy->elements)
      element = copyOf(element, copies, tensors);
    return AnyValue(copy);
  };
  if (auto *list = value.as<ListObject>())
    return copyAll(list);
  if (auto *tuple = value.as<TupleObject>())
    return copyAll(tuple);
  if (auto *set = value.as<SetObject>())
    return copyAll(set);
  if (auto *deque = value.as<DequeObject>())
    return copyAll(deque);
  if (auto *dict = value.as<DictObject>()) {
    auto *copy = make<DictObject>();
    copy->flavor = dict->flavor;
    copy->factory = dict->factory;
    copies[dict] = copy;
    for (auto &[key, entry] : dict->entries)
      copy->entries.emplace_back(copyOf(key, copies, tensors), copyOf(entry, copies, tensors));
    return AnyValue(copy);
  }
  if (value.as<IteratorObject>() || value.as<ViewObject>())
    refuseLater("copies of iterators and of views of dicts");
  auto *instance = value.as<InstanceObject>();
  if (!instance)
    return value;
  if (instance->type->find("__deepcopy__"))
    refuseLater("copies of objects that have '__deepcopy__'");
  auto *copy = make<InstanceObject>();
  copies[instance] = copy;
  copy->type = instance->type;
  for (auto &[name, slot] : instance->slots) {
    copy->slots[name] = slot;
    copy->slots[name].value = copyOf(slot.value, copies, tensors);
  }
  return AnyValue(copy);
}

Result Evaluator::deepCopy(const AnyValue &value, SourceRange range) {
  std::map<const Object *, Object *> copies;
  std::map<const void *, AnyValue> tensors;
  return copyOf(value, copies, tensors);
}
