//===- Containers.cpp - Methods of lists, dicts, strings and modules ------===//
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Format.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "tsc/Python/Slices.h"
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
  if (!value.isString() && !value.isNumber())
    return refuse(range, "formats of '" + typeName(value) + "'"), std::nullopt;
  StatusOr<std::string> text = value.isString() ? python::format(StringRef(value.data.toString()), spec)
                               : value.isInt()  ? python::format(value.data.toInt(), spec)
                                                : python::format(value.toDouble(), spec);
  if (text.ok())
    return *text;
  return raiseStatus(range, text.status()), std::nullopt;
}

/// What was said already ends what tsc/Python is about.
static Status reported() { return cancelled("reported"); }

/// `"%5.2f of %s" % values`
Result Evaluator::percentFormatted(StringRef text, const AnyValue &given, SourceRange range) {
  class Values final : public PercentValues {
  public:
    Values(Evaluator &evaluator, const AnyValue &given, SourceRange range)
        : evaluator(evaluator), given(given), range(range) {
      auto *tuple = given.as<TupleObject>();
      values = tuple ? tuple->elements : std::vector<AnyValue>{given};
    }
    bool isMapping() const override { return given.as<DictObject>() || given.as<ListObject>(); }
    bool hasNext() const override { return used != values.size(); }
    StatusOr<PercentValue> take(std::optional<StringRef> key, char letter) override {
      Result taken = key ? evaluator.subscript(given, AnyValue(IValue(*key)), range) : Result(values[used++]);
      return taken ? evaluator.percentValue(*taken, letter, range) : reported();
    }

  private:
    Evaluator &evaluator;
    const AnyValue &given;
    SourceRange range;
    std::vector<AnyValue> values;
    size_t used = 0;
  };
  Values values(*this, given, range);
  return valueOf(formatPercent(text, values), range);
}

StatusOr<PercentValue> Evaluator::percentValue(const AnyValue &given, char letter, SourceRange range) {
  if (letter == 's' || letter == 'r' || letter == 'a') {
    std::string text = letter == 's' ? str(given) : repr(given);
    text = letter == 'a' ? asciiOf(text) : text;
    return isRefused || isRaisedInside ? StatusOr<PercentValue>(reported()) : PercentValue{std::move(text), "str"};
  }
  Result value = withoutEnum(given);
  if (value->isTensor())
    value = callTensorMethod(*value, "item", {}, range);
  else if (value->as<InstanceObject>())
    value = refuse(range, "objects as numbers of '%'");
  if (!value)
    return reported();
  PercentValue result{{}, typeName(*value)};
  if (value->isInt())
    result.value = value->data.toInt();
  else if (value->isNumber())
    result.value = value->toDouble();
  else if (value->isString())
    result.value = value->data.toString();
  return result;
}

/// `text.format(…)`
Result Evaluator::formatted(StringRef text, const Arguments &arguments, SourceRange range) {
  auto valueOfName = [&](const FormatField &field) -> Result {
    for (const KeywordValue &keyword : arguments.keywords)
      if (keyword.name == field.name)
        return keyword.value;
    if (!field.name.empty())
      return raiseKeyError(range, AnyValue(IValue(field.name)));
    if (field.number < arguments.positional.size())
      return arguments.positional[field.number];
    return raise(range, "IndexError",
                 "Replacement index " + llvm::Twine(field.number) + " out of range for positional args tuple");
  };
  auto show = [&](const FormatField &field) -> StatusOr<std::string> {
    Result shown = valueOfName(field);
    for (StringRef path = field.path; shown && !path.empty();) { // .attribute and [index]
      if (path.consume_front("[")) {
        StringRef index;
        std::tie(index, path) = path.split(']');
        int64_t number;
        shown = subscript(*shown, index.getAsInteger(10, number) ? IValue(index) : IValue(number), range);
        continue;
      }
      path.consume_front(".");
      const StringRef name = path.take_until([](char c) { return c == '.' || c == '['; });
      path = path.drop_front(name.size());
      shown = attribute(*shown, name, range);
    }
    if (shown && field.conversion)
      shown = AnyValue(IValue(field.conversion == 's'   ? str(*shown)
                              : field.conversion == 'r' ? repr(*shown)
                                                        : asciiOf(repr(*shown))));
    std::optional<std::string> one = shown ? formatOne(*shown, field.specification, range) : std::nullopt;
    return one && !isRefused && !isRaisedInside ? StatusOr<std::string>(*one) : reported();
  };
  return valueOf(formatFields(text, Numbering::AllOrNone, show), range);
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
      return static_cast<size_t>(insertionPlace(at, size));
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
    values.insert(values.begin() + insertionPlace(at, size), args[1]);
    return AnyValue();
  }
  if (name == "pop" && args.size() <= 1) {
    if (!args.empty() && !args[0].isInt())
      return raise(range, "TypeError", "'" + typeName(args[0]) + "' object cannot be interpreted as an integer");
    const int64_t size = static_cast<int64_t>(values.size());
    if (size == 0)
      return raise(range, "IndexError", "pop from empty list");
    const std::optional<int64_t> at = elementPlace(args.empty() ? -1 : args[0].data.toInt(), size);
    if (!at)
      return raise(range, "IndexError", "pop index out of range");
    AnyValue popped = values[*at];
    values.erase(values.begin() + *at);
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
    const NativeCall call{name, callee.name, callee.self, arguments, range};
    if (!knowsKeywords("key reverse", call))
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
    return AnyValue(IValue(isWhole(callee.self.toDouble())));
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
  if (value.as<StateObject>() || isOfOptim(value))
    refuseLater("copies of optimizers, of schedulers and of their states");
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
