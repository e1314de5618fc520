//===- Containers.cpp - Methods of lists, dicts, strings and modules ------===//
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Support/PercentFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;
using namespace tsc::python;

//===-- Format -------------------------------------------------------------===//

std::optional<std::string> Evaluator::formatOne(const AnyValue &given, StringRef spec, SourceRange range) {
  if (spec.empty())
    return str(given);
  AnyValue value = withoutEnum(given);
  if (value.object) {
    if (std::optional<Result> own = callOwn("__format__", value, {AnyValue(IValue(spec))}, range))
      return *own ? std::optional(str(**own)) : std::nullopt;
    return raise(range, "TypeError", "unsupported format string passed to " + typeName(value) + ".__format__"),
           std::nullopt;
  }
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
    if (isText) {
      value = AnyValue(IValue(conversion == 's' || (conversion == 'c' && value.isString()) ? str(value) : repr(value)));
      spec += size;
    } else if (StringRef("diuxXoeEfFgG").contains(conversion)) {
      for (char flag : {'+', ' ', '#', '0'})
        if (StringRef(flags).contains(flag) && (flag != '0' || !StringRef(flags).contains('-')))
          spec += flag;
      const bool isWhole = StringRef("diuxXo").contains(conversion);
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
    if (text[0] != '{') {
      result += text[0];
      text = text.drop_front();
      continue;
    }
    auto [field, after] = text.drop_front().split('}');
    text = after;
    auto [path, spec] = field.split(':');
    bool asRepr = path.consume_back("!r");
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
    if (!value)
      return raise(range, name.empty() ? "IndexError" : "KeyError", "no argument for '{" + field + "}'");
    AnyValue shown = *value;
    for (StringRef part; !rest.empty();) {
      std::tie(part, rest) = rest.split('.');
      Result inner = attribute(shown, part, range);
      if (!inner)
        return std::nullopt;
      shown = *inner;
    }
    if (asRepr)
      shown = IValue(repr(shown));
    std::optional<std::string> one = formatOne(shown, spec, range);
    if (!one)
      return std::nullopt;
    result += *one;
  }
  return AnyValue(IValue(result));
}

//===-- Lists, dicts, strings ----------------------------------------------===//

Result Evaluator::callContainer(NativeObject &callee, const Arguments &arguments, SourceRange range) {
  auto [group, name] = StringRef(callee.name).split('.');
  const std::vector<AnyValue> &args = arguments.positional;
  auto unknown = [&] {
    return raise(range, "AttributeError",
                 "'" + group + "." + name + "' cannot be called so while the program is loaded");
  };
  auto list = [&](std::vector<AnyValue> values) {
    auto *result = make<ListObject>();
    result->elements = std::move(values);
    return AnyValue(result);
  };
  if (group == "list" || group == "tuple") {
    auto *object = callee.self.as<ListObject>();
    std::vector<AnyValue> &values = object ? object->elements : callee.self.as<TupleObject>()->elements;
    if ((name == "index" || name == "count") && args.size() == 1) {
      auto is = [&](const AnyValue &value) { return equal(value, args[0]); };
      if (name == "count")
        return AnyValue(IValue(static_cast<int64_t>(llvm::count_if(values, is))));
      auto at = llvm::find_if(values, is);
      return at == values.end() ? raise(range, "ValueError", repr(args[0]) + " is not in list")
                                : Result(IValue(static_cast<int64_t>(at - values.begin())));
    }
    if (auto *tuple = callee.self.as<TupleObject>(); tuple && tuple->type)
      if (std::optional<Result> own = callNamedTuple(*tuple, name, arguments, range))
        return *own;
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
    if (name == "insert" && args.size() == 2 && args[0].isInt()) {
      int64_t size = static_cast<int64_t>(values.size()), at = args[0].data.toInt();
      values.insert(values.begin() + std::clamp<int64_t>(at < 0 ? at + size : at, 0, size), args[1]);
      return AnyValue();
    }
    if (name == "pop" && args.size() <= 1) {
      int64_t size = static_cast<int64_t>(values.size()), at = args.empty()      ? -1
                                                               : args[0].isInt() ? args[0].data.toInt()
                                                                                 : size;
      at += at < 0 ? size : 0;
      if (at < 0 || at >= size)
        return raise(range, "IndexError", "pop index out of range");
      AnyValue popped = values[at];
      values.erase(values.begin() + at);
      return popped;
    }
    if (name == "reverse" && args.empty())
      return std::reverse(values.begin(), values.end()), AnyValue();
    if (name == "clear" && args.empty())
      return values.clear(), AnyValue();
    if (name == "copy" && args.empty())
      return list(values);
    if (name == "sort") {
      Arguments sorting = arguments;
      sorting.positional = {callee.self};
      NativeObject sorted;
      sorted.name = "sorted";
      Result result = callNative(sorted, sorting, range);
      if (!result)
        return std::nullopt;
      values = result->as<ListObject>()->elements;
      return AnyValue();
    }
    return unknown();
  }
  if (group == "dict") {
    auto &entries = callee.self.as<DictObject>()->entries;
    auto find = [&](const AnyValue &key) {
      return llvm::find_if(entries, [&](auto &entry) { return equal(entry.first, key); });
    };
    std::vector<AnyValue> values;
    if (name == "keys" || name == "values" || name == "items") {
      for (auto &[key, value] : entries) {
        auto *pair = make<TupleObject>();
        pair->elements = {key, value};
        values.push_back(name == "keys" ? key : name == "values" ? value : AnyValue(pair));
      }
      return list(std::move(values));
    }
    if ((name == "get" || name == "pop" || name == "setdefault") && !args.empty() && args.size() <= 2) {
      auto at = find(args[0]);
      if (at == entries.end()) {
        if (name == "pop" && args.size() == 1)
          return raise(range, "KeyError", repr(args[0]));
        AnyValue value = args.size() > 1 ? args[1] : AnyValue();
        if (name == "setdefault")
          entries.emplace_back(args[0], value);
        return value;
      }
      AnyValue value = at->second;
      if (name == "pop")
        entries.erase(at);
      return value;
    }
    if (name == "update" && args.size() <= 1) {
      if (auto *other = args.empty() ? nullptr : args[0].as<DictObject>())
        for (auto &[key, value] : std::vector(other->entries))
          setItem(callee.self, key, value, range);
      for (const KeywordValue &keyword : arguments.keywords)
        setItem(callee.self, IValue(keyword.name), keyword.value, range);
      return AnyValue();
    }
    if (name == "copy" && args.empty()) {
      auto *copy = make<DictObject>();
      copy->entries = entries;
      return AnyValue(copy);
    }
    return unknown();
  }
  if (group == "set" && args.size() == 1) {
    auto &values = callee.self.as<SetObject>()->elements;
    bool has = llvm::any_of(values, [&](const AnyValue &value) { return equal(value, args[0]); });
    if (name == "add")
      return has ? AnyValue() : (values.push_back(args[0]), AnyValue());
    return unknown();
  }
  if (group != "str")
    return unknown();
  StringRef text = callee.self.data.toString();
  StringRef first = !args.empty() && args[0].isString() ? StringRef(args[0].data.toString()) : StringRef();
  if (name == "format")
    return formatted(text, arguments, range);
  if (name == "join" && args.size() == 1) {
    std::vector<AnyValue> parts;
    if (!elements(args[0], range, parts))
      return std::nullopt;
    std::string joined;
    for (auto [i, part] : llvm::enumerate(parts))
      joined += (i ? text.str() : "") + str(part);
    return AnyValue(IValue(joined));
  }
  if (name == "split") {
    std::vector<AnyValue> parts;
    llvm::SmallVector<StringRef> pieces;
    if (args.empty())
      llvm::SplitString(text, pieces);
    else
      text.split(pieces, first);
    for (StringRef piece : pieces)
      parts.push_back(IValue(piece));
    return list(std::move(parts));
  }
  if (name == "lower" || name == "upper")
    return AnyValue(IValue(name == "lower" ? text.lower() : text.upper()));
  if (name == "strip" || name == "lstrip" || name == "rstrip") {
    StringRef what = args.empty() ? StringRef(" \t\n\r\v\f") : first;
    return AnyValue(IValue(name == "strip" ? text.trim(what) : name == "lstrip" ? text.ltrim(what) : text.rtrim(what)));
  }
  if ((name == "startswith" || name == "endswith") && args.size() == 1)
    return AnyValue(IValue(name == "startswith" ? text.starts_with(first) : text.ends_with(first)));
  if (name == "replace" && args.size() == 2) {
    std::string result = text.str(), by = str(args[1]);
    for (size_t at = 0; !first.empty() && (at = result.find(first.str(), at)) != std::string::npos; at += by.size())
      result.replace(at, first.size(), by);
    return AnyValue(IValue(result));
  }
  if (name == "isdigit" && args.empty())
    return AnyValue(IValue(!text.empty() && llvm::all_of(text, llvm::isDigit)));
  if (name == "find" && args.size() == 1)
    return AnyValue(IValue(text.contains(first) ? static_cast<int64_t>(text.find(first)) : int64_t{-1}));
  if (name == "count" && args.size() == 1)
    return AnyValue(IValue(static_cast<int64_t>(text.count(first))));
  return unknown();
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
  if (auto *dict = value.as<DictObject>()) {
    auto *copy = make<DictObject>();
    copies[dict] = copy;
    for (auto &[key, entry] : dict->entries)
      copy->entries.emplace_back(copyOf(key, copies, tensors), copyOf(entry, copies, tensors));
    return AnyValue(copy);
  }
  auto *instance = value.as<InstanceObject>();
  if (!instance)
    return value;
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
