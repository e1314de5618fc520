//===- Records.cpp - NamedTuples and dataclasses --------------------------===//
//
// A NamedTuple is a tuple that knows its class: what tuples do it does, its fields
// and methods are attributes. Compiled code gets and gives tuples of the type that
// the class has there.
//
//===----------------------------------------------------------------------===//
#include "../Emitter/SourceResolver.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/IR/Context.h"

using namespace tsc;
using namespace tsc::python;

std::vector<std::string> Evaluator::fieldsOf(const ClassObject &type) {
  if (!type.fields.empty())
    return type.fields;
  std::vector<std::string> fields;
  for (const ClassObject *one : llvm::reverse(type.order))
    for (const Tree *statement : one->tree ? one->tree->body() : TreeList<Stmt>())
      if (auto *field = llvm::dyn_cast<Assign>(statement); field && field->type())
        if (auto *var = llvm::dyn_cast<Var>(field->targets()[0]); var && !llvm::is_contained(fields, var->name().str()))
          fields.push_back(var->name().str());
  return fields;
}

ClassObject *Evaluator::recordClass(StringRef name, std::vector<std::string> fields) {
  ClassObject *&type = recordClasses[name];
  if (!type) {
    type = make<ClassObject>();
    type->name = name.str();
    type->order = {type};
    type->isLibrary = true;
    type->isNamedTuple = !fields.empty();
    type->fields = std::move(fields);
  }
  return type;
}

//===-- NamedTuples ----------------------------------------------------------===//

Result Evaluator::makeNamedTuple(ClassObject &type, const Arguments &arguments, SourceRange range) {
  InstanceObject fields; // whose values become the elements
  fields.type = &type;
  if (!initializeFields(fields, arguments, range))
    return std::nullopt;
  auto *tuple = make<TupleObject>();
  tuple->type = &type;
  for (const std::string &field : fieldsOf(type))
    tuple->elements.push_back(fields.slots[field].value);
  return AnyValue(tuple);
}

/// `Point = namedtuple("Point", ["x", "y"], defaults=[0])`, also with the names in one string.
Result Evaluator::makeNamedTupleClass(const Arguments &arguments, SourceRange range) {
  const std::vector<AnyValue> &args = arguments.positional;
  if (args.size() < 2 || !args[0].isString())
    return raise(range, "TypeError", "namedtuple() takes the name of a class and the names of its fields");
  auto *type = make<ClassObject>();
  type->name = args[0].data.toString();
  type->order = {type};
  type->file = user;
  type->isNamedTuple = true;
  if (args[1].isString()) {
    std::string names = args[1].data.toString();
    std::replace(names.begin(), names.end(), ',', ' ');
    llvm::SmallVector<StringRef> parts;
    StringRef(names).split(parts, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef part : parts)
      type->fields.push_back(part.trim().str());
  } else {
    std::vector<AnyValue> names;
    if (!elements(args[1], range, names))
      return std::nullopt;
    for (const AnyValue &name : names)
      type->fields.push_back(str(name));
  }
  for (const KeywordValue &keyword : arguments.keywords) {
    std::vector<AnyValue> defaults;
    if (keyword.name != "defaults" || keyword.value.isNone())
      continue;
    if (!elements(keyword.value, range, defaults))
      return std::nullopt;
    if (defaults.size() > type->fields.size())
      return raise(range, "TypeError", "Got more default values than field names");
    const size_t first = type->fields.size() - defaults.size();
    for (size_t i = 0; i != defaults.size(); ++i)
      type->attributes[type->fields[first + i]] = defaults[i];
  }
  namedTupleClasses.push_back(type);
  return AnyValue(type);
}

std::optional<Result> Evaluator::namedTupleAttribute(TupleObject &tuple, StringRef name, SourceRange range) {
  const std::vector<std::string> fields = fieldsOf(*tuple.type);
  if (auto at = llvm::find(fields, name); at != fields.end())
    return tuple.elements[at - fields.begin()];
  if (name == "_fields") {
    auto *names = make<TupleObject>();
    for (const std::string &field : fields)
      names->elements.push_back(AnyValue(IValue(field)));
    return AnyValue(names);
  }
  if (name == "__class__")
    return AnyValue(tuple.type);
  if (AnyValue *found = tuple.type->find(name))
    return bindAttribute(*found, AnyValue(&tuple), tuple.type, range);
  return std::nullopt;
}

/// `point._replace(x=1)`, `point._asdict()`; nothing for another method.
std::optional<Result> Evaluator::callNamedTuple(TupleObject &tuple, StringRef name, const Arguments &arguments,
                                                SourceRange range) {
  const std::vector<std::string> fields = fieldsOf(*tuple.type);
  if (name == "_asdict" && arguments.positional.empty() && arguments.keywords.empty()) {
    auto *dict = make<DictObject>();
    for (auto [field, value] : llvm::zip_equal(fields, tuple.elements))
      dict->entries.emplace_back(AnyValue(IValue(field)), value);
    return AnyValue(dict);
  }
  if (name != "_replace" || !arguments.positional.empty())
    return std::nullopt;
  auto *copy = make<TupleObject>();
  copy->type = tuple.type;
  copy->elements = tuple.elements;
  for (const KeywordValue &keyword : arguments.keywords) {
    auto at = llvm::find(fields, keyword.name);
    if (at == fields.end())
      return raise(range, "ValueError", "Got unexpected field names: ['" + keyword.name + "']");
    copy->elements[at - fields.begin()] = keyword.value;
  }
  return AnyValue(copy);
}

const TupleType *Evaluator::compiledNamedTuple(const ClassObject &type) {
  if (!type.isNamedTuple || type.isLibrary || !type.file || !type.file->resolver)
    return nullptr;
  return llvm::dyn_cast_or_null<TupleType>(type.file->resolver->classNamed(type.name));
}

ClassObject *Evaluator::classOfNamedTuple(const TupleType &type) {
  for (ClassObject *known : namedTupleClasses) {
    StringRef path = known->file && known->file->resolver ? known->file->resolver->modulePath() : "";
    if (type.name() == "__torch__." + (path.empty() ? "" : path.str() + ".") + known->name)
      return known;
  }
  return nullptr;
}

std::optional<IValue> Evaluator::toDataOf(const AnyValue &value, const Type *type, SourceRange range) {
  if (auto *optional = llvm::dyn_cast<OptionalType>(type))
    return value.isNone() ? IValue() : toDataOf(value, optional->element(), range);
  if (type->isFloat() && value.isInt())
    return IValue(value.toDouble());
  auto *elements = value.as<ListObject>();
  if (auto *list = llvm::dyn_cast<ListType>(type); list && elements) {
    IValue result = makeList(list->element());
    for (const AnyValue &element : elements->elements) {
      std::optional<IValue> part = toDataOf(element, list->element(), range);
      if (!part)
        return std::nullopt;
      appendToList(result, std::move(*part));
    }
    return result;
  }
  auto *entries = value.as<DictObject>();
  if (auto *dict = llvm::dyn_cast<DictType>(type); dict && entries) {
    auto result = makeRef<DictValue>(dict->key(), dict->value());
    for (auto &[key, entry] : entries->entries) {
      std::optional<IValue> first = toDataOf(key, dict->key(), range),
                            second = first ? toDataOf(entry, dict->value(), range) : std::nullopt;
      if (!second)
        return std::nullopt;
      result->set(std::move(*first), std::move(*second));
    }
    return IValue(std::move(result));
  }
  auto *given = value.as<TupleObject>();
  if (auto *tuple = llvm::dyn_cast<TupleType>(type);
      tuple && given && given->elements.size() == tuple->elements().size()) {
    std::vector<IValue> parts;
    for (auto [element, part] : llvm::zip_equal(given->elements, tuple->elements())) {
      std::optional<IValue> data = toDataOf(element, part, range);
      if (!data)
        return std::nullopt;
      parts.push_back(std::move(*data));
    }
    return makeTuple(std::move(parts), tuple->isNamed() ? tuple : nullptr);
  }
  std::optional<IValue> data = toData(value, range);
  if (!data || isInstanceOf(*data, type))
    return data;
  raise(range, "TypeError", "a value of type '" + type->annotation() + "' is wanted here, and this is " + repr(value));
  return std::nullopt;
}

//===-- Dataclasses ----------------------------------------------------------===//

Result Evaluator::replaceFields(const AnyValue &object, const Arguments &changes, SourceRange range) {
  auto *instance = object.as<InstanceObject>();
  if (!instance || !instance->type->isDataclass)
    return raise(range, "TypeError", "replace() should be called on dataclass instances");
  Arguments all = changes;
  all.positional.clear();
  for (const std::string &field : fieldsOf(*instance->type)) {
    const bool isGiven = llvm::any_of(all.keywords, [&](const KeywordValue &known) { return known.name == field; });
    Result value = isGiven ? std::nullopt : instanceAttribute(*instance, field, range);
    if (!isGiven && !value)
      return std::nullopt;
    if (!isGiven)
      all.keywords.push_back({field, *value});
  }
  return construct(*instance->type, all, range);
}

/// What `dataclasses.asdict` and `astuple` make of a value: dataclasses within it too.
Result Evaluator::asPlain(const AnyValue &value, bool asTuple, SourceRange range) {
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return std::nullopt;
  auto copyAll = [&](auto *from) -> Result {
    auto *copy = make<std::remove_pointer_t<decltype(from)>>(*from);
    for (AnyValue &element : copy->elements) {
      Result part = asPlain(element, asTuple, range);
      if (!part)
        return std::nullopt;
      element = *part;
    }
    return AnyValue(copy);
  };
  if (auto *list = value.as<ListObject>())
    return copyAll(list);
  if (auto *tuple = value.as<TupleObject>())
    return copyAll(tuple);
  if (auto *dict = value.as<DictObject>()) {
    auto *copy = make<DictObject>();
    for (auto &[key, entry] : dict->entries) {
      Result part = asPlain(entry, asTuple, range);
      if (!part)
        return std::nullopt;
      copy->entries.emplace_back(key, *part);
    }
    return AnyValue(copy);
  }
  auto *instance = value.as<InstanceObject>();
  if (!instance || !instance->type->isDataclass)
    return value;
  auto *dict = make<DictObject>();
  auto *tuple = make<TupleObject>();
  for (const std::string &field : fieldsOf(*instance->type)) {
    Result own = instanceAttribute(*instance, field, range), part = own ? asPlain(*own, asTuple, range) : std::nullopt;
    if (!part)
      return std::nullopt;
    dict->entries.emplace_back(AnyValue(IValue(field)), *part);
    tuple->elements.push_back(*part);
  }
  return asTuple ? AnyValue(tuple) : AnyValue(dict);
}
