//===- Representations.cpp - Values as text, and the names of their types -===//
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Text.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using namespace tsc::python;

std::string Evaluator::typeName(const AnyValue &value) {
  if (!value.object) {
    if (value.isParameter)
      return "Parameter";
    if (value.isDType)
      return "dtype";
    if (!value.constantName.empty())
      return value.constantName == "strided" || value.constantName.starts_with("sparse_") ? "layout" : "memory_format";
    if (value.data.isDevice())
      return "device";
    const Type *type = value.data.dynamicType(compiler.context);
    return value.isNone() ? "NoneType" : type ? type->annotation() : "object";
  }
  switch (value.object->kind) {
  case ObjectKind::List: return "list";
  case ObjectKind::Tuple: {
    auto *tuple = llvm::cast<TupleObject>(value.object);
    return tuple->type ? tuple->type->name : tuple->isSize ? "Size" : tuple->isUnion ? "types.UnionType" : "tuple";
  }
  case ObjectKind::Dict:
    switch (llvm::cast<DictObject>(value.object)->flavor) {
    case DictObject::Flavor::Plain: return "dict";
    case DictObject::Flavor::Ordered: return "OrderedDict";
    case DictObject::Flavor::Default: return "defaultdict";
    case DictObject::Flavor::Counter: return "Counter";
    }
    break;
  case ObjectKind::Set: return llvm::cast<SetObject>(value.object)->isFrozen ? "frozenset" : "set";
  case ObjectKind::Slice: return "slice";
  case ObjectKind::Deque: return "deque";
  case ObjectKind::Cached: return "functools._lru_cache_wrapper";
  case ObjectKind::Range: return "range";
  case ObjectKind::View: {
    const ViewObject::Part part = llvm::cast<ViewObject>(value.object)->part;
    return part == ViewObject::Part::Keys     ? "dict_keys"
           : part == ViewObject::Part::Values ? "dict_values"
                                              : "dict_items";
  }
  case ObjectKind::Iterator: return llvm::cast<IteratorObject>(value.object)->name;
  case ObjectKind::Function: return "function";
  case ObjectKind::Bound: return "method";
  case ObjectKind::Native:
    return isTypeName(llvm::cast<NativeObject>(value.object)->name) ? "type" : "builtin_function_or_method";
  case ObjectKind::TensorMethod: return "builtin_function_or_method";
  case ObjectKind::Partial: return "functools.partial";
  case ObjectKind::Library: return llvm::cast<LibraryObject>(value.object)->path;
  case ObjectKind::File: return "module";
  case ObjectKind::Class: return "type";
  case ObjectKind::Instance: return llvm::cast<InstanceObject>(value.object)->type->name;
  case ObjectKind::Super: return "super";
  case ObjectKind::State: return "dict";
  }
  return "object";
}

/// Whether a name among the natives is a type of Python's or of torch's.
bool Evaluator::isTypeName(StringRef name) {
  static constexpr StringRef names[] = {"int",           "float",
                                        "bool",          "str",
                                        "list",          "tuple",
                                        "dict",          "set",
                                        "frozenset",     "slice",
                                        "property",      "object",
                                        "type",          "range",
                                        "zip",           "enumerate",
                                        "map",           "filter",
                                        "reversed",      "complex",
                                        "NoneType",      "super",
                                        "dict_keys",     "dict_values",
                                        "dict_items",    "function",
                                        "method",        "Tensor",
                                        "Parameter",     "dtype",
                                        "device",        "Size",
                                        "list_iterator", "builtin_function_or_method",
                                        "module"};
  return llvm::is_contained(names, name);
}

/// `<class '__main__.Net'>`
std::string Evaluator::reprType(StringRef name) {
  StringRef module = llvm::StringSwitch<StringRef>(name)
                         .Cases("Tensor", "dtype", "device", "Size", "torch.")
                         .Case("Parameter", "torch.nn.parameter.")
                         .Default("");
  return ("<class '" + module + name + "'>").str();
}

/// What a method of the value's own class says of it; nothing where it has no such method.
std::optional<std::string> Evaluator::ownText(StringRef method, const AnyValue &value) {
  auto *tuple = value.as<TupleObject>();
  auto *instance = value.as<InstanceObject>();
  ClassObject *type = instance ? instance->type : tuple ? tuple->type : nullptr;
  AnyValue *found = type ? type->find(method) : nullptr;
  if (!found || !found->as<FunctionObject>())
    return std::nullopt;
  if (isRaisedInside)
    return "";
  Result bound = bindAttribute(*found, value, type, lastStep), text = bound ? call(*bound, {}, lastStep) : std::nullopt;
  if (text && !text->isString())
    text = raise(lastStep, "TypeError", method + " returned non-string (type " + typeName(*text) + ")");
  isRaisedInside |= !text;
  return text ? text->data.toString() : std::string();
}

std::string Evaluator::repr(const AnyValue &value) {
  Nesting nesting(*this);
  if (value.object && !nesting.isAllowed())
    return "...";
  if (std::optional<std::string> own = ownText("__repr__", value))
    return *own;
  return value.object ? reprObject(value) : reprData(value);
}

std::string Evaluator::reprElements(llvm::ArrayRef<AnyValue> values, StringRef open, StringRef close) {
  std::string text = open.str();
  for (auto [i, element] : llvm::enumerate(values))
    text += (i ? ", " : "") + repr(element);
  return text += close;
}

std::string Evaluator::reprFields(llvm::ArrayRef<std::string> names, llvm::ArrayRef<AnyValue> values,
                                  StringRef between) {
  std::string text;
  for (auto [i, name] : llvm::enumerate(names))
    text += (i ? between.str() : "") + name + "=" + repr(values[i]);
  return text;
}

std::string Evaluator::reprTuple(const TupleObject &tuple) {
  if (tuple.isUnion) {
    refuseLater("texts of unions of types");
    return "";
  }
  if (tuple.isSize)
    return reprElements(tuple.elements, "torch.Size([", "])");
  if (!tuple.resultNames.empty()) {
    if (const TupleType *type = tuple.compiledType)
      return type->name().rsplit('.').second.str() + "(" + reprFields(tuple.resultNames, tuple.elements, ", ") + ")";
    return "torch.return_types." + tuple.operatorName + "(\n" + reprFields(tuple.resultNames, tuple.elements, ",\n") +
           ")";
  }
  if (!tuple.type)
    return reprElements(tuple.elements, "(", tuple.elements.size() == 1 ? ",)" : ")");
  const bool areAllEmpty = llvm::all_of(tuple.elements, [](const AnyValue &each) {
    auto *list = each.as<ListObject>();
    return list && list->elements.empty();
  });
  if (tuple.type->isLibrary && areAllEmpty)
    return "<All keys matched successfully>";
  return tuple.type->name + "(" + reprFields(fieldsOf(*tuple.type), tuple.elements, ", ") + ")";
}

std::string Evaluator::reprSet(const SetObject &set) {
  std::vector<AnyValue> ordered;
  if (!orderedElements(set, ordered))
    refuseLater("texts of sets of numbers in an order that only CPython knows");
  if (ordered.empty())
    return set.isFrozen ? "frozenset()" : "set()";
  return set.isFrozen ? reprElements(ordered, "frozenset({", "})") : reprElements(ordered, "{", "}");
}

std::string Evaluator::reprInstance(InstanceObject &instance, const AnyValue &value) {
  const ClassObject &type = *instance.type;
  if (type.isModule)
    return reprModule(instance);
  if (!type.exceptionBase.empty()) {
    Slot *args = instance.slots.find("args");
    std::string given = args ? repr(args->value) : "()";
    if (StringRef(given).ends_with(",)"))
      given.erase(given.size() - 2, 1);
    return type.name + given;
  }
  if (!type.isDataclass)
    return addressed(llvm::Twine("__main__.") + type.name + " object", value);
  std::string text = type.name + "(";
  for (auto [i, field] : llvm::enumerate(fieldsOf(type)))
    if (Slot *slot = instance.slots.find(field))
      text += (i ? ", " : "") + field + "=" + repr(slot->value);
  return text + ")";
}

std::string Evaluator::reprClass(const ClassObject &type) {
  if (type.isLibrary || type.name.find('.') != std::string::npos)
    refuseLater("texts of classes of libraries");
  const bool isOfPython = !type.file;
  return reprType((isOfPython ? "" : type.file->name + ".") + type.name);
}

std::string Evaluator::reprNative(const NativeObject &native) {
  if (native.name == "NotImplemented")
    return native.name;
  if (isTypeName(native.name))
    return reprType(native.name);
  return "<built-in function " + native.name + ">";
}

std::string Evaluator::reprObject(const AnyValue &value) {
  if (auto *list = value.as<ListObject>())
    return reprElements(list->elements, "[", "]");
  if (auto *tuple = value.as<TupleObject>())
    return reprTuple(*tuple);
  if (auto *deque = value.as<DequeObject>())
    return reprElements(deque->elements, "deque([",
                        deque->limit ? "], maxlen=" + std::to_string(*deque->limit) + ")" : "])");
  if (auto *slice = value.as<SliceObject>())
    return "slice(" + repr(slice->start) + ", " + repr(slice->stop) + ", " + repr(slice->step) + ")";
  if (auto *set = value.as<SetObject>())
    return reprSet(*set);
  if (auto *dict = value.as<DictObject>())
    return reprDict(*dict);
  if (auto *numbers = value.as<RangeObject>())
    return "range(" + std::to_string(numbers->start) + ", " + std::to_string(numbers->stop) +
           (numbers->step == 1 ? ")" : ", " + std::to_string(numbers->step) + ")");
  if (auto *view = value.as<ViewObject>())
    return reprElements(viewed(*view), typeName(value) + "([", "])");
  if (auto *instance = value.as<InstanceObject>())
    return reprInstance(*instance, value);
  if (auto *function = value.as<FunctionObject>()) {
    auto *def = llvm::dyn_cast<Def>(function->tree);
    return addressed("function " + (def ? def->name().str() : "<lambda>"), value);
  }
  if (auto *type = value.as<ClassObject>())
    return reprClass(*type);
  if (auto *native = value.as<NativeObject>())
    return reprNative(*native);
  if (auto *library = value.as<LibraryObject>()) {
    StringRef path = library->path;
    if (path.consume_front("builtins."))
      return reprType(path);
    refuseLater("texts of names of libraries");
    return "";
  }
  if (value.as<StateObject>()) {
    refuseLater("texts of optimizers, of schedulers and of their states");
    return "";
  }
  return addressed(typeName(value) + " object", value);
}

/// How Python shows what compiled code has a type for, too.
std::string Evaluator::reprData(const AnyValue &value) {
  if (isOfOptim(value)) {
    refuseLater("texts of optimizers, of schedulers and of their states");
    return "";
  }
  if (!value.constantName.empty())
    return "torch." + value.constantName.str();
  if (value.isDType && value.data.isInt())
    return "torch." + pythonName(static_cast<DType>(value.data.toInt())).str();
  if (value.data.isDevice()) {
    const std::string device = value.data.toDevice().str();
    auto [kind, index] = StringRef(device).split(':');
    return ("device(type='" + kind + "'" + (index.empty() ? "" : ", index=") + index + ")").str();
  }
  if (value.isTensor() && !hasPythonString(value.data.asTensor()))
    refuseLater("texts of tensors of which no table says what made them (grad_fn=<…>; that of a detach() is known)");
  std::string text;
  llvm::raw_string_ostream os(text);
  if (value.isParameter)
    os << "Parameter containing:\n";
  reprValue(os, value.data);
  return text;
}

std::string Evaluator::reprDict(DictObject &dict) {
  std::string text = "{";
  auto entries = dict.entries;
  if (dict.flavor == DictObject::Flavor::Counter && !entries.empty()) { // the most common ones first
    Result ordered = *callCounter(dict, "most_common", {}, lastStep);
    if (!ordered)
      return isRaisedInside = true, "";
    entries.clear();
    for (const AnyValue &pair : ordered->as<ListObject>()->elements)
      entries.emplace_back(pair.as<TupleObject>()->elements[0], pair.as<TupleObject>()->elements[1]);
  }
  const bool isOrdered = dict.flavor == DictObject::Flavor::Ordered;
  for (auto [i, entry] : llvm::enumerate(entries)) {
    text += (i ? ", " : "") + std::string(isOrdered ? "(" : "") + repr(entry.first) + (isOrdered ? ", " : ": ") +
            repr(entry.second) + (isOrdered ? ")" : "");
  }
  switch (dict.flavor) {
  case DictObject::Flavor::Plain: return text + "}";
  case DictObject::Flavor::Default: return "defaultdict(" + repr(dict.factory) + ", " + text + "})";
  case DictObject::Flavor::Counter: return entries.empty() ? "Counter()" : "Counter(" + text + "})";
  case DictObject::Flavor::Ordered: break;
  }
  return entries.empty() ? "OrderedDict()" : "OrderedDict([" + text.substr(1) + "])";
}

/// `<Point object at 0x7f…>`: another one each time, as in Python.
std::string Evaluator::addressed(const llvm::Twine &what, const AnyValue &value) {
  return ("<" + what + " at 0x" + llvm::utohexstr(reinterpret_cast<uintptr_t>(value.object), /*LowerCase=*/true) + ">")
      .str();
}

std::string Evaluator::str(const AnyValue &value) {
  if (value.isString())
    return value.data.toString();
  if (!value.object && value.data.isEnum() && compiler.shownAsValues.contains(value.data.toEnum().type))
    return str(AnyValue(value.data.toEnum().value));
  if (!value.object && value.data.isEnum())
    return (StringRef(value.data.toEnum().type->name()).rsplit('.').second + "." + value.data.toEnum().name).str();
  if (!value.object && value.data.isDevice())
    return value.data.toDevice().str();
  if (std::optional<std::string> own = ownText("__str__", value))
    return *own;
  if (auto *instance = value.as<InstanceObject>())
    if (!instance->type->exceptionBase.empty() && !instance->type->find("__repr__"))
      return exceptionText(*instance);
  return repr(value);
}

/// `print(module)`, as PyTorch lays it out.
std::string Evaluator::reprModule(InstanceObject &module) {
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return "...";
  auto indented = [](StringRef text) {
    std::string result;
    for (char c : text)
      result += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return result;
  };
  std::string extra;
  if (AnyValue *method = module.type->find("extra_repr")) {
    Result bound = bindAttribute(*method, &module, module.type, {});
    Result text = bound ? call(*bound, {}, {}) : std::nullopt;
    extra = text ? str(*text) : "";
  }
  std::vector<std::string> lines;
  if (StringRef(extra).contains('\n')) {
    llvm::SmallVector<StringRef> parts;
    StringRef(extra).split(parts, '\n');
    for (StringRef part : parts)
      lines.push_back(part.str());
  }
  const bool isOneLine = lines.empty();
  bool hasChildren = false;
  for (auto &[name, slot] : module.slots)
    if (slot.kind == SlotKind::Module && slot.value.as<InstanceObject>()) {
      lines.push_back("(" + name + "): " + indented(repr(slot.value)));
      hasChildren = true;
    }
  std::string text = module.type->name + "(";
  if (lines.empty())
    return text + extra + ")";
  if (isOneLine && !extra.empty() && !hasChildren)
    return text + extra + ")";
  if (isOneLine && !extra.empty())
    lines.insert(lines.begin(), extra);
  for (const std::string &line : lines)
    text += "\n  " + line;
  return text + "\n)";
}
