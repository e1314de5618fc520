//===- Containers.cpp - Methods of lists, dicts, strings and modules ------===//
#include "Evaluator.h"
#include "NativeTable.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Python/Format.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Repr.h"
#include "tsc/Python/Slices.h"
#include "llvm/ADT/StringExtras.h"
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

/// Methods of lists; those that do not change it are methods of tuples, too.
struct Evaluator::ListMethods {
  static std::vector<AnyValue> &elementsOf(const NativeCall &call) {
    auto *list = call.self.as<ListObject>();
    return list ? list->elements : call.object<TupleObject>().elements;
  }
  static Result count(Evaluator &e, const NativeCall &call);
  static Result index(Evaluator &e, const NativeCall &call);
  static Result numel(Evaluator &e, const NativeCall &call);
  /// Does what a row says with the elements, counts that as a change, and returns None.
  template <auto change> static Result changed(Evaluator &e, const NativeCall &call) {
    ++e.changes;
    change(elementsOf(call), call);
    return AnyValue();
  }
  static void append(std::vector<AnyValue> &elements, const NativeCall &call) { elements.push_back(call.args[0]); }
  static void reverse(std::vector<AnyValue> &elements, const NativeCall &) {
    std::reverse(elements.begin(), elements.end());
  }
  static void clear(std::vector<AnyValue> &elements, const NativeCall &) { elements.clear(); }
  static Result extend(Evaluator &e, const NativeCall &call);
  static Result insert(Evaluator &e, const NativeCall &call);
  static Result pop(Evaluator &e, const NativeCall &call);
  static Result remove(Evaluator &e, const NativeCall &call);
  static Result copy(Evaluator &e, const NativeCall &call);
  static Result sort(Evaluator &e, const NativeCall &call);

  static llvm::ArrayRef<NativeFunction> ofTuples() {
    static constexpr NativeFunction rows[] = {
        {"count", count, 1, 1, ""}, {"index", index, 1, 3, "", ".ii"}, {"numel", numel, 0, 0, ""}};
    return rows;
  }
  static llvm::ArrayRef<NativeFunction> ofLists() {
    static constexpr NativeFunction rows[] = {{"append", changed<append>, 1, 1, ""},
                                              {"clear", changed<clear>, 0, 0, ""},
                                              {"copy", copy, 0, 0, ""},
                                              {"count", count, 1, 1, ""},
                                              {"extend", extend, 1, 1, ""},
                                              {"index", index, 1, 3, "", ".ii"},
                                              {"insert", insert, 2, 2, ""},
                                              {"pop", pop, 0, 1, ""},
                                              {"remove", remove, 1, 1, ""},
                                              {"reverse", changed<reverse>, 0, 0, ""},
                                              {"sort", sort, 0, 0, "key reverse"}};
    return rows;
  }
};

Result Evaluator::ListMethods::count(Evaluator &e, const NativeCall &call) {
  // Asks the elements, which may change the list.
  return AnyValue(IValue(static_cast<int64_t>(llvm::count_if(
      std::vector(elementsOf(call)), [&](const AnyValue &value) { return e.equal(value, call.args[0]); }))));
}

Result Evaluator::ListMethods::index(Evaluator &e, const NativeCall &call) {
  const std::vector<AnyValue> &args = call.args, &values = elementsOf(call);
  const auto size = static_cast<int64_t>(values.size());
  auto place = [&](size_t i, int64_t otherwise) {
    const int64_t at = i < args.size() ? args[i].data.toInt() : otherwise;
    return static_cast<size_t>(insertionPlace(at, size));
  };
  const size_t stop = place(2, size);
  size_t at = place(1, 0);
  while (at < std::min(stop, values.size()) && !e.equal(AnyValue(values[at]), args[0]))
    ++at;
  if (at < std::min(stop, values.size()))
    return AnyValue(IValue(static_cast<int64_t>(at)));
  return e.isRefused || e.isRaisedInside ? std::nullopt
                                         : e.raise(call.range, "ValueError",
                                                   call.self.as<TupleObject>() ? "tuple.index(x): x not in tuple"
                                                                               : e.repr(args[0]) + " is not in list");
}

/// The number of elements of tensors of a torch.Size.
Result Evaluator::ListMethods::numel(Evaluator &e, const NativeCall &call) {
  if (!call.object<TupleObject>().isSize)
    return e.refuseArguments(call);
  int64_t count = 1;
  for (const AnyValue &size : elementsOf(call))
    count *= size.data.toInt();
  return AnyValue(IValue(count));
}

Result Evaluator::ListMethods::extend(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  std::vector<AnyValue> more;
  if (!e.elements(call.args[0], call.range, more))
    return std::nullopt;
  elementsOf(call).insert(elementsOf(call).end(), more.begin(), more.end());
  return AnyValue();
}

Result Evaluator::ListMethods::insert(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  std::vector<AnyValue> &values = elementsOf(call);
  const AnyValue &place = call.args[0];
  if (!place.isInt())
    return e.raise(call.range, "TypeError", "'" + e.typeName(place) + "' object cannot be interpreted as an integer");
  const auto size = static_cast<int64_t>(values.size());
  values.insert(values.begin() + insertionPlace(place.data.toInt(), size), call.args[1]);
  return AnyValue();
}

Result Evaluator::ListMethods::pop(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  std::vector<AnyValue> &values = elementsOf(call);
  const AnyValue place = call.args.empty() ? AnyValue(IValue(-1)) : call.args[0];
  if (!place.isInt())
    return e.raise(call.range, "TypeError", "'" + e.typeName(place) + "' object cannot be interpreted as an integer");
  const auto size = static_cast<int64_t>(values.size());
  if (size == 0)
    return e.raise(call.range, "IndexError", "pop from empty list");
  const std::optional<int64_t> at = elementPlace(place.data.toInt(), size);
  if (!at)
    return e.raise(call.range, "IndexError", "pop index out of range");
  AnyValue popped = values[*at];
  values.erase(values.begin() + *at);
  return popped;
}

Result Evaluator::ListMethods::remove(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  std::vector<AnyValue> &values = elementsOf(call);
  size_t at = 0; // The elements are asked, which may change the list.
  while (at < values.size() && !e.equal(AnyValue(values[at]), call.args[0]))
    ++at;
  if (e.isRefused || e.isRaisedInside)
    return std::nullopt;
  if (at >= values.size())
    return e.raise(call.range, "ValueError", "list.remove(x): x not in list");
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(at));
  return AnyValue();
}

Result Evaluator::ListMethods::copy(Evaluator &e, const NativeCall &call) {
  auto *copy = e.make<ListObject>();
  copy->elements = elementsOf(call);
  return AnyValue(copy);
}

Result Evaluator::ListMethods::sort(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  const AnyValue *key = call.keyword("key"), *reverse = call.keyword("reverse");
  std::optional<bool> isReverse = reverse ? e.truth(*reverse, call.range) : std::optional(false);
  Result result =
      isReverse ? e.sorted(elementsOf(call), key ? *key : AnyValue(), *isReverse, call.range) : std::nullopt;
  if (!result)
    return std::nullopt;
  elementsOf(call) = result->as<ListObject>()->elements;
  return AnyValue();
}

/// Methods of dicts, those of an OrderedDict among them.
struct Evaluator::DictMethods {
  static DictObject &dict(const NativeCall &call) { return call.object<DictObject>(); }
  static Result moveToEnd(Evaluator &e, const NativeCall &call);
  static Result update(Evaluator &e, const NativeCall &call) {
    return e.update(dict(call), call.arguments, call.range) ? Result(AnyValue()) : std::nullopt;
  }
  template <ViewObject::Part part> static Result view(Evaluator &e, const NativeCall &call) {
    auto *view = e.make<ViewObject>();
    view->dict = &dict(call);
    view->part = part;
    return AnyValue(view);
  }
  static Result entry(Evaluator &e, const NativeCall &call);
  static Result copy(Evaluator &e, const NativeCall &call) { return AnyValue(e.make<DictObject>(dict(call))); }
  static Result clear(Evaluator &e, const NativeCall &call);
  static Result popItem(Evaluator &e, const NativeCall &call);

  static llvm::ArrayRef<NativeFunction> table() {
    using Part = ViewObject::Part;
    static constexpr NativeFunction rows[] = {{"clear", clear, 0, 0, ""},
                                              {"copy", copy, 0, 0, ""},
                                              {"get", entry, 1, 2, ""},
                                              {"items", view<Part::Items>, 0, 0, ""},
                                              {"keys", view<Part::Keys>, 0, 0, ""},
                                              {"move_to_end", moveToEnd, 1, 1, ""},
                                              {"pop", entry, 1, 2, ""},
                                              {"popitem", popItem, 0, 0, ""},
                                              {"setdefault", entry, 1, 2, ""},
                                              {"update", update, 0, 1, "*"},
                                              {"values", view<Part::Values>, 0, 0, ""}};
    return rows;
  }
};

/// move_to_end of an OrderedDict.
Result Evaluator::DictMethods::moveToEnd(Evaluator &e, const NativeCall &call) {
  if (dict(call).flavor != DictObject::Flavor::Ordered)
    return e.refuseArguments(call);
  auto &entries = dict(call).entries;
  auto at = llvm::find_if(entries, [&](auto &entry) { return e.isSameKey(entry.first, call.args[0]); });
  if (at == entries.end())
    return e.raiseKeyError(call.range, call.args[0]);
  std::rotate(at, at + 1, entries.end());
  return AnyValue();
}

/// get, pop, setdefault
Result Evaluator::DictMethods::entry(Evaluator &e, const NativeCall &call) {
  const std::vector<AnyValue> &args = call.args;
  auto &entries = dict(call).entries;
  if (!e.isHashable(args[0], call.range))
    return std::nullopt;
  auto at = llvm::find_if(entries, [&](auto &entry) { return e.isSameKey(entry.first, args[0]); });
  if (e.isRefused || e.isRaisedInside)
    return std::nullopt;
  if (at == entries.end()) {
    if (call.name == "pop" && args.size() == 1)
      return e.raiseKeyError(call.range, args[0]);
    AnyValue value = args.size() > 1 ? args[1] : AnyValue();
    if (call.name == "setdefault") {
      ++e.changes;
      entries.emplace_back(args[0], value);
    }
    return value;
  }
  AnyValue value = at->second;
  if (call.name == "pop") {
    ++e.changes;
    entries.erase(at);
  }
  return value;
}

Result Evaluator::DictMethods::clear(Evaluator &e, const NativeCall &call) {
  ++e.changes;
  dict(call).entries.clear();
  return AnyValue();
}

Result Evaluator::DictMethods::popItem(Evaluator &e, const NativeCall &call) {
  auto &entries = dict(call).entries;
  if (entries.empty())
    return e.raiseKeyError(call.range, AnyValue(IValue("popitem(): dictionary is empty")));
  ++e.changes;
  AnyValue last = e.entryOf(ViewObject::Part::Items, entries.back().first, entries.back().second);
  entries.pop_back();
  return last;
}

/// Methods of sets.
struct Evaluator::SetMethods {
  static SetObject &set(const NativeCall &call) { return call.object<SetObject>(); }
  /// Returns the set of what the argument holds; null after a report.
  static SetObject *other(Evaluator &e, const NativeCall &call) {
    std::vector<AnyValue> values;
    Result other =
        e.elementsInAnyOrder(call.args[0], call.range, values) ? e.makeSet(values, call.range) : std::nullopt;
    return other ? other->as<SetObject>() : nullptr;
  }
  static Result changeElement(Evaluator &e, const NativeCall &call);
  static Result clear(Evaluator &e, const NativeCall &call);
  static Result copy(Evaluator &e, const NativeCall &call);
  static Result isDisjoint(Evaluator &e, const NativeCall &call);
  template <TreeOp op> static Result compare(Evaluator &e, const NativeCall &call) {
    SetObject *given = other(e, call);
    return given ? e.compare(op, call.self, AnyValue(given), call.range) : std::nullopt;
  }
  template <TreeOp op> static Result combine(Evaluator &e, const NativeCall &call) {
    SetObject *given = other(e, call);
    return given ? *e.ofSets(op, set(call), *given) : std::nullopt;
  }
  template <TreeOp op> static Result update(Evaluator &e, const NativeCall &call) {
    Result result = combine<op>(e, call);
    if (!result)
      return std::nullopt;
    set(call).elements = result->as<SetObject>()->elements;
    return AnyValue();
  }

  static llvm::ArrayRef<NativeFunction> table() {
    static constexpr NativeFunction rows[] = {
        {"add", changeElement, 1, 1, ""},
        {"clear", clear, 0, 0, ""},
        {"copy", copy, 0, 0, ""},
        {"difference", combine<TreeOp::Sub>, 1, 1, ""},
        {"difference_update", update<TreeOp::Sub>, 1, 1, ""},
        {"discard", changeElement, 1, 1, ""},
        {"intersection", combine<TreeOp::BitAnd>, 1, 1, ""},
        {"intersection_update", update<TreeOp::BitAnd>, 1, 1, ""},
        {"isdisjoint", isDisjoint, 1, 1, ""},
        {"issubset", compare<TreeOp::Le>, 1, 1, ""},
        {"issuperset", compare<TreeOp::Ge>, 1, 1, ""},
        {"remove", changeElement, 1, 1, ""},
        {"symmetric_difference", combine<TreeOp::BitXor>, 1, 1, ""},
        {"symmetric_difference_update", update<TreeOp::BitXor>, 1, 1, ""},
        {"union", combine<TreeOp::BitOr>, 1, 1, ""},
        {"update", update<TreeOp::BitOr>, 1, 1, ""},
    };
    return rows;
  }
};

/// add, remove, discard
Result Evaluator::SetMethods::changeElement(Evaluator &e, const NativeCall &call) {
  const AnyValue &element = call.args[0];
  std::vector<AnyValue> &elements = set(call).elements;
  if (!e.isHashable(element, call.range))
    return std::nullopt;
  auto at = llvm::find_if(elements, [&](const AnyValue &value) { return e.isSameKey(value, element); });
  if (e.isRefused || e.isRaisedInside)
    return std::nullopt;
  const bool has = at != elements.end();
  if (call.name == "add" && !has)
    elements.push_back(element);
  if (call.name == "remove" && !has)
    return e.raiseKeyError(call.range, element);
  if (call.name != "add" && has)
    elements.erase(at);
  return AnyValue();
}

Result Evaluator::SetMethods::clear(Evaluator &, const NativeCall &call) {
  set(call).elements.clear();
  return AnyValue();
}

Result Evaluator::SetMethods::copy(Evaluator &e, const NativeCall &call) {
  auto *copy = e.make<SetObject>();
  copy->elements = set(call).elements;
  return AnyValue(copy);
}

Result Evaluator::SetMethods::isDisjoint(Evaluator &e, const NativeCall &call) {
  SetObject *given = other(e, call);
  if (!given)
    return std::nullopt;
  return AnyValue(IValue(
      llvm::none_of(set(call).elements, [&](const AnyValue &value) { return e.hasKey(given->elements, value); })));
}

/// Calls a method of a list or of a tuple.
Result Evaluator::callSequence(NativeObject &callee, StringRef name, const Arguments &arguments, SourceRange range) {
  auto *tuple = callee.self.as<TupleObject>();
  if (tuple && tuple->type)
    if (std::optional<Result> own = callNamedTuple(*tuple, name, arguments, range))
      return *own;
  return callRow(tuple ? ListMethods::ofTuples() : ListMethods::ofLists(),
                 {name, callee.name, callee.self, arguments, range}, WrongCall::Refused);
}

Result Evaluator::callDict(DictObject &dict, StringRef name, const Arguments &arguments, SourceRange range) {
  if (dict.flavor == DictObject::Flavor::Counter)
    if (std::optional<Result> result = callCounter(dict, name, arguments, range))
      return *result;
  const std::string shown = ("dict." + name).str();
  return callRow(DictMethods::table(), {name, shown, AnyValue(&dict), arguments, range}, WrongCall::Refused);
}

Result Evaluator::callSet(SetObject &set, StringRef name, const Arguments &arguments, SourceRange range) {
  const std::string shown = ("set." + name).str();
  return callRow(SetMethods::table(), {name, shown, AnyValue(&set), arguments, range}, WrongCall::Refused);
}

/// Methods of numbers; what has none of the name is refused.
Result Evaluator::callOfNumber(const NativeCall &call, StringRef group) {
  const IValue &number = call.self.data;
  if (!call.args.empty())
    return refuseArguments(call);
  if (group == "complex" && call.name == "conjugate" && call.arguments.keywords.empty())
    return AnyValue(IValue(std::conj(number.toComplex())));
  if (group == "float" && call.name == "is_integer")
    return AnyValue(IValue(isWhole(call.self.toDouble())));
  if ((group == "int" || group == "bool") && call.name == "bit_length") {
    const int64_t value = number.toInt();
    const uint64_t size = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    return AnyValue(IValue(static_cast<int64_t>(llvm::bit_width(size))));
  }
  return refuseArguments(call);
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
  if (callee.self.isString())
    return callString({name, ("str." + name).str(), callee.self, arguments, range});
  return callOfNumber({name, callee.name, callee.self, arguments, range}, group);
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
