//===- Operators.cpp - Arithmetic, comparison and text of values ----------===//
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tsc;
using namespace tsc::python;

//===-- Arithmetic ---------------------------------------------------------===//

static int64_t floorDivided(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

/// Of ints; nothing where the result is no int of 64 bits, or the operator is none of ints.
static std::optional<IValue> ofInts(TreeOp op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case TreeOp::Add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(IValue(result));
  case TreeOp::Sub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(IValue(result));
  case TreeOp::Mul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(IValue(result));
  case TreeOp::FloorDiv: return b == 0 || b == -1 ? std::nullopt : std::optional(IValue(floorDivided(a, b)));
  case TreeOp::Mod: return b == 0 || b == -1 ? std::nullopt : std::optional(IValue(a - floorDivided(a, b) * b));
  case TreeOp::BitAnd: return IValue(a & b);
  case TreeOp::BitOr: return IValue(a | b);
  case TreeOp::BitXor: return IValue(a ^ b);
  case TreeOp::ShiftLeft:
    return b < 0 || b > 62 || std::abs(a) >> (62 - b) ? std::nullopt : std::optional(IValue(a << b));
  case TreeOp::ShiftRight: return b < 0 ? std::nullopt : std::optional(IValue(a >> std::min<int64_t>(b, 63)));
  case TreeOp::Pow: {
    if (b < 0)
      return IValue(std::pow(static_cast<double>(a), static_cast<double>(b)));
    result = 1;
    if (a >= -1 && a <= 1)
      return IValue(a == 0 ? int64_t{b == 0} : a == 1 || b % 2 == 0 ? int64_t{1} : int64_t{-1});
    for (int64_t i = 0; i != b; ++i)
      if (__builtin_mul_overflow(result, a, &result))
        return std::nullopt;
    return IValue(result);
  }
  default: return std::nullopt;
  }
}

static std::optional<IValue> ofFloats(TreeOp op, double a, double b) {
  switch (op) {
  case TreeOp::Add: return IValue(a + b);
  case TreeOp::Sub: return IValue(a - b);
  case TreeOp::Mul: return IValue(a * b);
  case TreeOp::Div: return IValue(a / b);
  case TreeOp::FloorDiv: return IValue(std::floor(a / b));
  case TreeOp::Mod: {
    double rest = std::fmod(a, b);
    return IValue(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
  }
  case TreeOp::Pow: return IValue(std::pow(a, b));
  default: return std::nullopt;
  }
}

AnyValue Evaluator::withoutEnum(const AnyValue &value) const {
  if (value.object || !value.data.isEnum() || !compiler.intEnums.contains(value.data.toEnum().type))
    return value;
  return AnyValue(value.data.toEnum().value);
}

Result Evaluator::binary(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range) {
  const AnyValue lhs = withoutEnum(first), rhs = withoutEnum(second);
  if (std::optional<Result> own = callOwn(treeOpMethod(op), lhs, {rhs}, range))
    return *own;
  if (std::optional<Result> own = callOwn(reflectedMethod(op), rhs, {lhs}, range))
    return *own;
  if (lhs.isNumber() && rhs.isNumber()) {
    bool divides = op == TreeOp::Div || op == TreeOp::FloorDiv || op == TreeOp::Mod;
    if (divides && rhs.toDouble() == 0)
      return raise(range, "ZeroDivisionError", "division by zero");
    bool areInts = lhs.isInt() && rhs.isInt() && op != TreeOp::Div;
    if (areInts && rhs.data.toInt() == -1 && op == TreeOp::FloorDiv)
      return binary(TreeOp::Sub, IValue(0), lhs, range);
    if (areInts && rhs.data.toInt() == -1 && op == TreeOp::Mod)
      return AnyValue(IValue(0));
    if (std::optional<IValue> result =
            areInts ? ofInts(op, lhs.data.toInt(), rhs.data.toInt()) : ofFloats(op, lhs.toDouble(), rhs.toDouble()))
      return AnyValue(std::move(*result));
    if (areInts)
      return raise(range, "OverflowError", "the result of '" + treeOpSpelling(op) + "' does not fit in 64 bits");
  }
  auto repeat = [&](auto &elements, const AnyValue &times) {
    if (!countElements(static_cast<int64_t>(elements.size()), times.data.toInt(), range))
      return false;
    auto copy = elements;
    elements.clear();
    for (int64_t i = 0; i < times.data.toInt() && !copy.empty(); ++i)
      elements.insert(elements.end(), copy.begin(), copy.end());
    return true;
  };
  if (op == TreeOp::Add && lhs.isString() && rhs.isString()) {
    const std::string &first = lhs.data.toString(), &second = rhs.data.toString();
    if (!countElements(static_cast<int64_t>(first.size() + second.size()) / 8, 1, range))
      return std::nullopt;
    return AnyValue(IValue(first + second));
  }
  if (op == TreeOp::Mul && lhs.isString() && rhs.isInt()) {
    std::string text = lhs.data.toString();
    return repeat(text, rhs) ? Result(IValue(text)) : std::nullopt;
  }
  if (op == TreeOp::Mod && lhs.isString())
    return percentFormatted(lhs.data.toString(), rhs, range);
  if (auto *list = lhs.as<ListObject>()) {
    auto *result = make<ListObject>();
    result->elements = list->elements;
    if (auto *other = rhs.as<ListObject>(); other && op == TreeOp::Add) {
      if (!countElements(static_cast<int64_t>(result->elements.size() + other->elements.size()), 1, range))
        return std::nullopt;
      result->elements.insert(result->elements.end(), other->elements.begin(), other->elements.end());
      return AnyValue(result);
    }
    if (op == TreeOp::Mul && rhs.isInt()) {
      return repeat(result->elements, rhs) ? Result(result) : std::nullopt;
    }
  }
  if (auto *tuple = lhs.as<TupleObject>()) {
    auto *result = make<TupleObject>();
    result->elements = tuple->elements;
    if (auto *other = rhs.as<TupleObject>(); other && op == TreeOp::Add) {
      if (!countElements(static_cast<int64_t>(result->elements.size() + other->elements.size()), 1, range))
        return std::nullopt;
      result->elements.insert(result->elements.end(), other->elements.begin(), other->elements.end());
      return AnyValue(result);
    }
    if (op == TreeOp::Mul && rhs.isInt()) {
      return repeat(result->elements, rhs) ? Result(result) : std::nullopt;
    }
  }
  if (op == TreeOp::Mul && lhs.isInt() && (rhs.isString() || rhs.as<ListObject>() || rhs.as<TupleObject>()))
    return binary(op, rhs, lhs, range);
  auto *left = lhs.as<DictObject>(), *right = rhs.as<DictObject>();
  if (op == TreeOp::BitOr && left && right) {
    auto *result = make<DictObject>();
    result->entries = left->entries;
    for (auto &[key, value] : right->entries)
      if (!setItem(result, key, value, range))
        return std::nullopt;
    return AnyValue(result);
  }
  if (!lhs.object && !rhs.object &&
      (lhs.isTensor() || rhs.isTensor() || lhs.data.isComplex() || rhs.data.isComplex())) {
    Arguments arguments;
    arguments.positional = {lhs, rhs};
    return runCompiled(treeOpSpelling(op), arguments, range,
                       [&](FunctionEmitter &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                         return e.simple(e.emitBinaryOn(op, args[0].value, args[1].value, range));
                       });
  }
  return raise(range, "TypeError",
               "unsupported operand types for " + treeOpSpelling(op) + ": '" + typeName(lhs) + "' and '" +
                   typeName(rhs) + "'");
}

//===-- Comparison ---------------------------------------------------------===//

bool Evaluator::equal(const AnyValue &first, const AnyValue &second) {
  // Two members of one class are the same or not; beside another value a member is its value.
  const bool areMembers = !first.object && !second.object && first.data.isEnum() && second.data.isEnum() &&
                          first.data.toEnum().type == second.data.toEnum().type;
  const AnyValue a = areMembers ? first : withoutEnum(first), b = areMembers ? second : withoutEnum(second);
  if (a.isNumber() && b.isNumber())
    return a.toDouble() == b.toDouble();
  if (a.object == b.object && a.object)
    return true;
  if (!a.object && !b.object)
    return valuesEqual(a.data, b.data);
  if (!a.object || !b.object || a.object->kind != b.object->kind)
    return false;
  Nesting nesting(*this);
  if (!nesting.isAllowed())
    return false;
  auto areEqual = [&](const std::vector<AnyValue> &x, const std::vector<AnyValue> &y) {
    return x.size() == y.size() &&
           llvm::all_of(llvm::zip(x, y), [&](auto pair) { return equal(std::get<0>(pair), std::get<1>(pair)); });
  };
  if (auto *list = a.as<ListObject>())
    return areEqual(list->elements, b.as<ListObject>()->elements);
  if (auto *tuple = a.as<TupleObject>())
    return areEqual(tuple->elements, b.as<TupleObject>()->elements);
  if (auto *set = a.as<SetObject>()) {
    const std::vector<AnyValue> &others = b.as<SetObject>()->elements;
    return set->elements.size() == others.size() && llvm::all_of(set->elements, [&](const AnyValue &one) {
             return llvm::any_of(others, [&](const AnyValue &other) { return equal(one, other); });
           });
  }
  if (auto *dict = a.as<DictObject>()) {
    const auto &others = b.as<DictObject>()->entries;
    return dict->entries.size() == others.size() && llvm::all_of(dict->entries, [&](const auto &one) {
             return llvm::any_of(others, [&](const auto &other) {
               return equal(one.first, other.first) && equal(one.second, other.second);
             });
           });
  }
  auto *one = a.as<InstanceObject>(), *other = b.as<InstanceObject>();
  if (one && other && one->type == other->type && one->type->isDataclass)
    return llvm::all_of(one->slots, [&](auto &entry) {
      const Slot *slot = other->slots.find(entry.first);
      return slot && equal(entry.second.value, slot->value);
    });
  return isSameThing(a, b);
}

bool Evaluator::isSameThing(const AnyValue &a, const AnyValue &b) {
  if (!a.object || !b.object)
    return !a.object && !b.object && a.data.isSameAs(b.data);
  auto *first = a.as<LibraryObject>(), *second = b.as<LibraryObject>();
  if (first && second)
    return first->path == second->path;
  auto *one = a.as<NativeObject>(), *other = b.as<NativeObject>();
  if (one && other)
    return one->name == other->name && one->name.find('.') == std::string::npos;
  return a.object == b.object;
}

std::optional<Result> Evaluator::callOwn(StringRef method, const AnyValue &self, std::vector<AnyValue> operands,
                                         SourceRange range) {
  auto *instance = self.as<InstanceObject>();
  AnyValue *found = instance && !method.empty() ? instance->type->find(method) : nullptr;
  if (!found || !found->as<FunctionObject>())
    return std::nullopt;
  Result bound = instanceAttribute(*instance, method, range);
  Arguments arguments;
  arguments.positional = std::move(operands);
  return bound ? call(*bound, arguments, range) : std::nullopt;
}

Result Evaluator::compare(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range) {
  const bool isOrder = op == TreeOp::Lt || op == TreeOp::Le || op == TreeOp::Gt || op == TreeOp::Ge;
  const AnyValue lhs = isOrder ? withoutEnum(first) : first, rhs = isOrder ? withoutEnum(second) : second;
  if (std::optional<Result> own = callOwn(treeOpMethod(op), lhs, {rhs}, range))
    return *own;
  if (isOrder) { // a > b is b < a
    if (std::optional<Result> other = callOwn(treeOpMethod(mirroredOp(op)), rhs, {lhs}, range))
      return *other;
  }
  if (op == TreeOp::Ne)
    if (std::optional<Result> areSame = callOwn("__eq__", lhs, {rhs}, range)) {
      std::optional<bool> isTrue = *areSame ? truth(**areSame, range) : std::nullopt;
      return isTrue ? Result(IValue(!*isTrue)) : std::nullopt;
    }
  if (op == TreeOp::Is || op == TreeOp::IsNot)
    return AnyValue(IValue(isSameThing(lhs, rhs) == (op == TreeOp::Is)));
  if (op == TreeOp::In || op == TreeOp::NotIn) {
    std::optional<bool> found = contains(rhs, lhs, range);
    return found ? Result(IValue(*found == (op == TreeOp::In))) : std::nullopt;
  }
  if (!lhs.object && !rhs.object && (lhs.isTensor() || rhs.isTensor()) && !lhs.isNone() && !rhs.isNone()) {
    Arguments arguments;
    arguments.positional = {lhs, rhs};
    return runCompiled(treeOpSpelling(op), arguments, range,
                       [&](FunctionEmitter &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                         return e.simple(e.emitBinaryOn(op, args[0].value, args[1].value, range));
                       });
  }
  if (op == TreeOp::Eq || op == TreeOp::Ne) {
    lastStep = range;
    const bool areSame = equal(lhs, rhs);
    return isNestingReported ? std::nullopt : Result(IValue(areSame == (op == TreeOp::Eq)));
  }
  auto holds = [&](auto a, auto b) {
    return AnyValue(IValue(op == TreeOp::Lt ? a < b : op == TreeOp::Le ? a <= b : op == TreeOp::Gt ? a > b : a >= b));
  };
  if (lhs.isInt() && rhs.isInt())
    return holds(lhs.data.toInt(), rhs.data.toInt());
  if (lhs.isNumber() && rhs.isNumber())
    return holds(lhs.toDouble(), rhs.toDouble());
  if (lhs.isString() && rhs.isString())
    return holds(lhs.data.toString(), rhs.data.toString());
  auto byElements = [&](const auto *a, const auto *b) { // the first difference decides
    for (auto [x, y] : llvm::zip(a->elements, b->elements))
      if (!equal(x, y))
        return isNestingReported ? Result() : compare(op, x, y, range);
    return Result(holds(a->elements.size(), b->elements.size()));
  };
  if (auto *a = lhs.as<TupleObject>(), *b = rhs.as<TupleObject>(); a && b)
    return byElements(a, b);
  if (auto *a = lhs.as<ListObject>(), *b = rhs.as<ListObject>(); a && b)
    return byElements(a, b);
  return raise(range, "TypeError",
               "'" + treeOpSpelling(op) + "' not supported between instances of '" + typeName(lhs) + "' and '" +
                   typeName(rhs) + "'");
}

std::optional<bool> Evaluator::truth(const AnyValue &value, SourceRange range) {
  if (auto *list = value.as<ListObject>())
    return !list->elements.empty();
  if (auto *tuple = value.as<TupleObject>())
    return !tuple->elements.empty();
  if (auto *dict = value.as<DictObject>())
    return !dict->entries.empty();
  if (auto *set = value.as<SetObject>())
    return !set->elements.empty();
  if (std::optional<Result> own = callOwn("__bool__", value, {}, range))
    return *own ? truth(**own, range) : std::nullopt;
  if (auto *instance = value.as<InstanceObject>(); instance && instance->type->find("__len__")) {
    NativeObject length;
    length.name = "len";
    Arguments arguments;
    arguments.positional = {value};
    Result size = callNative(length, arguments, range);
    return size ? std::optional(size->isInt() && size->data.toInt() != 0) : std::nullopt;
  }
  if (value.object)
    return true;
  if (value.isNone())
    return false;
  if (value.isNumber())
    return value.toDouble() != 0;
  if (value.isString())
    return !value.data.toString().empty();
  if (value.isTensor()) {
    Result item = callTensorMethod(value, "item", {}, range);
    return item ? truth(*item, range) : std::nullopt;
  }
  return true;
}

std::optional<bool> Evaluator::contains(const AnyValue &container, const AnyValue &element, SourceRange range) {
  if (container.isString() && element.isString())
    return container.data.toString().find(element.data.toString()) != std::string::npos;
  auto *instance = container.as<InstanceObject>();
  if (instance && instance->type->isModule && element.isString())
    return instance->slots.find(element.data.toString()) != nullptr;
  if (std::optional<Result> own = callOwn("__contains__", container, {element}, range))
    return *own ? truth(**own, range) : std::nullopt;
  std::vector<AnyValue> values;
  if (!elements(container, range, values))
    return std::nullopt;
  return llvm::any_of(values, [&](const AnyValue &value) { return equal(value, element); });
}

bool Evaluator::elements(const AnyValue &iterable, SourceRange range, std::vector<AnyValue> &result) {
  auto append = [&](const std::vector<AnyValue> &values) {
    if (!countElements(static_cast<int64_t>(values.size()), 1, range))
      return false;
    result.insert(result.end(), values.begin(), values.end());
    return true;
  };
  if (auto *list = iterable.as<ListObject>())
    return append(list->elements);
  if (auto *type = iterable.as<ClassObject>(); type && type->members) {
    for (auto &[name, value] : type->members->members())
      result.push_back(*type->find(name));
    return true;
  }
  if (auto *tuple = iterable.as<TupleObject>())
    return append(tuple->elements);
  if (auto *set = iterable.as<SetObject>())
    return append(set->elements);
  if (auto *dict = iterable.as<DictObject>()) {
    for (auto &[key, value] : dict->entries)
      result.push_back(key);
    return true;
  }
  if (iterable.isString()) {
    for (char c : iterable.data.toString())
      result.push_back(IValue(std::string(1, c)));
    return true;
  }
  if (iterable.isTensor()) {
    Result parts = callTensorMethod(iterable, "unbind", {}, range);
    return parts && elements(*parts, range, result);
  }
  if (auto *instance = iterable.as<InstanceObject>()) {
    bool isDict = instance->type->derivesFrom("ModuleDict") || instance->type->derivesFrom("ParameterDict");
    bool isList = instance->type->derivesFrom("ModuleList") || instance->type->derivesFrom("Sequential") ||
                  instance->type->derivesFrom("ParameterList");
    if (isDict || isList) {
      for (auto &[name, slot] : instance->slots)
        if (slot.kind != SlotKind::Regular)
          result.push_back(isDict ? AnyValue(IValue(name)) : slot.value);
      return true;
    }
    if (AnyValue *iterate = instance->type->find("__iter__")) {
      Result method = bindAttribute(*iterate, instance, instance->type, range);
      Result values = method ? call(*method, {}, range) : std::nullopt;
      return values && elements(*values, range, result);
    }
  }
  raise(range, "TypeError", "'" + typeName(iterable) + "' object is not iterable");
  return false;
}

//===-- Text ---------------------------------------------------------------===//

std::string Evaluator::typeName(const AnyValue &value) {
  if (!value.object) {
    if (value.isParameter)
      return "Parameter";
    if (value.isDType)
      return "dtype";
    const Type *type = value.data.dynamicType(compiler.context);
    return value.isNone() ? "NoneType" : type ? type->annotation() : "object";
  }
  switch (value.object->kind) {
  case ObjectKind::List: return "list";
  case ObjectKind::Tuple: {
    const ClassObject *type = llvm::cast<TupleObject>(value.object)->type;
    return type ? type->name : "tuple";
  }
  case ObjectKind::Dict: return "dict";
  case ObjectKind::Set: return "set";
  case ObjectKind::Function: return "function";
  case ObjectKind::Bound: return "method";
  case ObjectKind::Native:
  case ObjectKind::TensorMethod: return "builtin_function_or_method";
  case ObjectKind::Partial: return "functools.partial";
  case ObjectKind::Library: return llvm::cast<LibraryObject>(value.object)->path;
  case ObjectKind::File: return "module";
  case ObjectKind::Class: return "type";
  case ObjectKind::Instance: return llvm::cast<InstanceObject>(value.object)->type->name;
  case ObjectKind::Super: return "super";
  }
  return "object";
}

std::string Evaluator::repr(const AnyValue &value) {
  Nesting nesting(*this);
  if (value.object && !nesting.isAllowed())
    return "...";
  std::string text;
  auto list = [&](const std::vector<AnyValue> &values, StringRef open, StringRef close) {
    text += open;
    for (auto [i, element] : llvm::enumerate(values))
      text += (i ? ", " : "") + repr(element);
    text += close;
  };
  if (auto *object = value.as<ListObject>())
    list(object->elements, "[", "]");
  else if (auto *size = value.as<TupleObject>(); size && size->isSize)
    list(size->elements, "torch.Size([", "])");
  else if (auto *named = value.as<TupleObject>(); named && named->type) {
    if (AnyValue *method = named->type->find("__repr__"))
      if (Result bound = bindAttribute(*method, value, named->type, {}), shown = bound ? call(*bound, {}, {}) : bound;
          shown && shown->isString())
        return shown->data.toString();
    const bool areAllEmpty = llvm::all_of(named->elements, [](const AnyValue &each) {
      auto *list = each.as<ListObject>();
      return list && list->elements.empty();
    });
    if (named->type->isLibrary && areAllEmpty)
      return "<All keys matched successfully>";
    text = named->type->name + "(";
    for (auto [i, field] : llvm::enumerate(fieldsOf(*named->type)))
      text += (i ? ", " : "") + field + "=" + repr(named->elements[i]);
    text += ")";
  } else if (auto *tuple = value.as<TupleObject>())
    list(tuple->elements, "(", tuple->elements.size() == 1 ? ",)" : ")");
  else if (auto *set = value.as<SetObject>())
    list(set->elements, "{", "}");
  else if (auto *dict = value.as<DictObject>()) {
    text = "{";
    for (auto [i, entry] : llvm::enumerate(dict->entries))
      text += (i ? ", " : "") + repr(entry.first) + ": " + repr(entry.second);
    text += "}";
  } else if (auto *instance = value.as<InstanceObject>()) {
    if (instance->type->isModule)
      return reprModule(*instance);
    if (instance->type->exceptionBase.empty() || instance->type->find("__repr__"))
      return str(value);
    Slot *args = instance->slots.find("args");
    std::string given = args ? repr(args->value) : "()";
    if (StringRef(given).ends_with(",)"))
      given.erase(given.size() - 2, 1);
    return instance->type->name + given;
  } else if (auto *function = value.as<FunctionObject>()) {
    auto *def = llvm::dyn_cast<Def>(function->tree);
    return "<function " + (def ? def->name().str() : "<lambda>") + ">";
  } else if (auto *type = value.as<ClassObject>()) {
    return "<class '" + type->name + "'>";
  } else if (value.object) {
    return "<" + typeName(value) + ">";
  } else if (value.isDType && value.data.isInt()) {
    return "torch." + pythonName(static_cast<DType>(value.data.toInt())).str();
  } else {
    llvm::raw_string_ostream os(text);
    if (value.isParameter)
      os << "Parameter containing:\n";
    reprValue(os, value.data);
  }
  return text;
}

std::string Evaluator::str(const AnyValue &value) {
  if (value.isString())
    return value.data.toString();
  if (!value.object && value.data.isEnum() && compiler.shownAsValues.contains(value.data.toEnum().type))
    return str(AnyValue(value.data.toEnum().value));
  if (!value.object && value.data.isEnum())
    return (StringRef(value.data.toEnum().type->name()).rsplit('.').second + "." + value.data.toEnum().name).str();
  if (auto *tuple = value.as<TupleObject>(); tuple && tuple->type)
    if (AnyValue *method = tuple->type->find("__str__"))
      if (Result bound = bindAttribute(*method, value, tuple->type, {}), shown = bound ? call(*bound, {}, {}) : bound;
          shown && shown->isString())
        return shown->data.toString();
  if (auto *instance = value.as<InstanceObject>(); instance && !instance->type->isModule) {
    for (StringRef name : {"__str__", "__repr__"})
      if (AnyValue *method = instance->type->find(name)) {
        Result bound = bindAttribute(*method, instance, instance->type, {});
        Result text = bound ? call(*bound, {}, {}) : std::nullopt;
        return text && text->isString() ? text->data.toString() : "";
      }
    if (!instance->type->exceptionBase.empty())
      return exceptionText(*instance);
    std::string text = instance->type->name + "(";
    bool first = true;
    for (auto &[name, slot] : instance->slots) {
      text += (first ? "" : ", ") + name + "=" + repr(slot.value);
      first = false;
    }
    return text + ")";
  }
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
    if (auto *child = slot.kind == SlotKind::Module ? slot.value.as<InstanceObject>() : nullptr) {
      lines.push_back("(" + name + "): " + indented(reprModule(*child)));
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
