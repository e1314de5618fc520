//===- Operators.cpp - Arithmetic of values -------------------------------===//
#include "../Emitter/Expressions/Operations.h"
#include "../SugaredValues/Values.h"
#include "Evaluator.h"
#include "tsc/Python/Numbers.h"
#include "tsc/Python/Text.h"

using namespace tsc;
using namespace tsc::python;

/// Of ints; nothing where the operator makes floats of them, or is none of numbers.
static std::optional<StatusOr<int64_t>> ofInts(TreeOp op, int64_t a, int64_t b) {
  switch (op) {
  case TreeOp::Add: return add(a, b);
  case TreeOp::Sub: return subtract(a, b);
  case TreeOp::Mul: return multiply(a, b);
  case TreeOp::FloorDiv: return floorDivide(a, b);
  case TreeOp::Mod: return modulo(a, b);
  case TreeOp::BitAnd: return a & b;
  case TreeOp::BitOr: return a | b;
  case TreeOp::BitXor: return a ^ b;
  case TreeOp::ShiftLeft: return shiftLeft(a, b);
  case TreeOp::ShiftRight: return shiftRight(a, b);
  case TreeOp::Pow: return b < 0 ? std::nullopt : std::optional(power(a, b));
  default: return std::nullopt;
  }
}

static std::optional<StatusOr<double>> ofFloats(TreeOp op, double a, double b) {
  switch (op) {
  case TreeOp::Add: return a + b;
  case TreeOp::Sub: return a - b;
  case TreeOp::Mul: return a * b;
  case TreeOp::Div: return divide(a, b);
  case TreeOp::FloorDiv: return floorDivide(a, b);
  case TreeOp::Mod: return modulo(a, b);
  case TreeOp::Pow: return power(a, b);
  default: return std::nullopt;
  }
}

Result Evaluator::ofNumbers(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  const bool areInts = lhs.isInt() && rhs.isInt();
  const bool isOfBits = op == TreeOp::BitAnd || op == TreeOp::BitOr || op == TreeOp::BitXor;
  if (areInts && isOfBits && lhs.data.isBool() && rhs.data.isBool())
    return AnyValue(IValue(**ofInts(op, lhs.data.toInt(), rhs.data.toInt()) != 0));
  if (areInts && op == TreeOp::Div)
    return valueOf(divide(lhs.data.toInt(), rhs.data.toInt()), range);
  if (areInts)
    if (std::optional<StatusOr<int64_t>> result = ofInts(op, lhs.data.toInt(), rhs.data.toInt()))
      return valueOf(*std::move(result), range);
  std::optional<StatusOr<double>> result = ofFloats(op, lhs.toDouble(), rhs.toDouble());
  return result ? valueOf(*std::move(result), range) : noOperator(op, lhs, rhs, range);
}

/// A TypeError in Python's words.
std::nullopt_t Evaluator::noOperator(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  // Python has operators on these that are not here.
  auto isPlain = [](const AnyValue &value) {
    return value.isNumber() || value.isNone() || value.isString() || value.as<InstanceObject>() ||
           value.as<ListObject>() || value.as<TupleObject>() || value.as<DictObject>() || value.as<SetObject>();
  };
  if (!isPlain(lhs) || !isPlain(rhs))
    return refuse(range,
                  "operands of '" + treeOpSpelling(op) + "' like '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  const bool isSequence = lhs.isString() || lhs.as<ListObject>() || lhs.as<TupleObject>();
  if (op == TreeOp::Add && isSequence)
    return raise(range, "TypeError",
                 "can only concatenate " + typeName(lhs) + " (not \"" + typeName(rhs) + "\") to " + typeName(lhs));
  const bool isOther = rhs.isString() || rhs.as<ListObject>() || rhs.as<TupleObject>();
  if (op == TreeOp::Mul && (isSequence || isOther))
    return raise(range, "TypeError",
                 "can't multiply sequence by non-int of type '" + typeName(isSequence ? rhs : lhs) + "'");
  const StringRef both = op == TreeOp::Pow ? " or pow()" : "";
  return raise(range, "TypeError",
               "unsupported operand type(s) for " + treeOpSpelling(op) + both + ": '" + typeName(lhs) + "' and '" +
                   typeName(rhs) + "'");
}

AnyValue Evaluator::withoutEnum(const AnyValue &value) const {
  if (value.object || !value.data.isEnum() || !compiler.intEnums.contains(value.data.toEnum().type))
    return value;
  return AnyValue(value.data.toEnum().value);
}

template <typename Sequence>
std::optional<Result> Evaluator::ofElements(TreeOp op, const Sequence &sequence, const AnyValue &rhs,
                                            SourceRange range) {
  const std::vector<AnyValue> &elements = sequence.elements;
  if (auto *other = rhs.as<Sequence>(); other && op == TreeOp::Add) {
    if (!countElements(static_cast<int64_t>(elements.size() + other->elements.size()), 1, range))
      return Result();
    auto *sum = make<Sequence>();
    sum->elements = elements;
    llvm::append_range(sum->elements, other->elements);
    return Result(sum);
  }
  if (op != TreeOp::Mul || !rhs.isInt())
    return std::nullopt;
  const int64_t times = rhs.data.toInt();
  if (!countElements(static_cast<int64_t>(elements.size()), times, range))
    return Result();
  auto *repeated = make<Sequence>();
  for (int64_t i = 0; i < times && !elements.empty(); ++i)
    llvm::append_range(repeated->elements, elements);
  return Result(repeated);
}

std::optional<Result> Evaluator::ofSequences(TreeOp op, const AnyValue &lhs, const AnyValue &rhs, SourceRange range) {
  if (op == TreeOp::Add && lhs.isString() && rhs.isString()) {
    const std::string &first = lhs.data.toString(), &second = rhs.data.toString();
    if (!countElements(static_cast<int64_t>(first.size() + second.size()) / 8, 1, range))
      return Result();
    return Result(IValue(first + second));
  }
  if (op == TreeOp::Mul && lhs.isString() && rhs.isInt()) {
    const std::string &text = lhs.data.toString();
    if (!countElements(static_cast<int64_t>(text.size()), rhs.data.toInt(), range))
      return Result();
    return valueOf(python::repeat(text, rhs.data.toInt()), range);
  }
  if (op == TreeOp::Mod && lhs.isString())
    return percentFormatted(lhs.data.toString(), rhs, range);
  if (auto *list = lhs.as<ListObject>())
    return ofElements(op, *list, rhs, range);
  if (auto *tuple = lhs.as<TupleObject>())
    return ofElements(op, *tuple, rhs, range);
  if (op == TreeOp::Mul && lhs.isInt() && (rhs.isString() || rhs.as<ListObject>() || rhs.as<TupleObject>()))
    return binary(op, rhs, lhs, range);
  return std::nullopt;
}

Result Evaluator::unionOfTypes(const AnyValue &lhs, const AnyValue &rhs) {
  auto *types = make<TupleObject>();
  for (const AnyValue &one : {lhs, rhs})
    if (auto *several = one.as<TupleObject>())
      llvm::append_range(types->elements, several->elements);
    else
      types->elements.push_back(one.isNone() ? native("NoneType") : one);
  types->isUnion = true;
  return AnyValue(types);
}

Result Evaluator::merged(const DictObject &left, const DictObject &right, SourceRange range) {
  auto *result = make<DictObject>();
  result->entries = left.entries;
  for (auto &[key, value] : right.entries)
    if (!setItem(result, key, value, range))
      return std::nullopt;
  return AnyValue(result);
}

Result Evaluator::binary(TreeOp op, const AnyValue &first, const AnyValue &second, SourceRange range) {
  const AnyValue lhs = withoutEnum(first), rhs = withoutEnum(second);
  if (std::optional<Result> own = callEither(treeOpMethod(op), reflectedMethod(op), lhs, rhs, range))
    return *own;
  if (lhs.isNumber() && rhs.isNumber())
    return ofNumbers(op, lhs, rhs, range);
  if (std::optional<Result> sequence = ofSequences(op, lhs, rhs, range))
    return *sequence;
  auto *left = lhs.as<DictObject>(), *right = rhs.as<DictObject>();
  if ((left && left->flavor != DictObject::Flavor::Plain) || (right && right->flavor != DictObject::Flavor::Plain) ||
      lhs.as<DequeObject>() || rhs.as<DequeObject>())
    return refuse(range,
                  "operands of '" + treeOpSpelling(op) + "' like '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  if (op == TreeOp::BitOr && isType(lhs) && (isType(rhs) || rhs.isNone()))
    return unionOfTypes(lhs, rhs);
  if (op == TreeOp::BitOr && left && right)
    return merged(*left, *right, range);
  if (op == TreeOp::MatMul && !lhs.object && !rhs.object && !(lhs.isTensor() && rhs.isTensor()))
    return raise(range, "TypeError",
                 "unsupported operand type(s) for @: '" + typeName(lhs) + "' and '" + typeName(rhs) + "'");
  if (!lhs.object && !rhs.object &&
      (lhs.isTensor() || rhs.isTensor() || lhs.data.isComplex() || rhs.data.isComplex())) {
    Arguments arguments;
    arguments.positional = {lhs, rhs};
    return runCompiled(treeOpSpelling(op), arguments, range,
                       [&](FunctionContext &e, ArrayRef<NamedValue> args, ArrayRef<NamedValue>) {
                         return e.simple(emitBinaryOn(e, op, args[0].value, args[1].value, range));
                       });
  }
  auto *some = lhs.as<SetObject>(), *others = rhs.as<SetObject>();
  if (some && others)
    if (std::optional<Result> result = ofSets(op, *some, *others))
      return *result;
  return noOperator(op, lhs, rhs, range);
}

/// Whether a value is a class, a type of Python's, or a union of such.
bool Evaluator::isType(const AnyValue &value) {
  auto *native = value.as<NativeObject>();
  auto *types = value.as<TupleObject>();
  auto *type = value.as<ClassObject>();
  return (type && !type->members) || (native && isTypeName(native->name)) || (types && types->isUnion);
}

/// Union, intersection and differences; nothing for another operator.
std::optional<Result> Evaluator::ofSets(TreeOp op, const SetObject &a, const SetObject &b) {
  auto *result = make<SetObject>();
  result->isFrozen = a.isFrozen;
  auto take = [&](const SetObject &from, const SetObject &other, bool isIn) {
    for (const AnyValue &value : from.elements)
      if (hasKey(other.elements, value) == isIn)
        result->elements.push_back(value);
  };
  switch (op) {
  case TreeOp::BitOr:
    result->elements = a.elements;
    take(b, a, false);
    break;
  case TreeOp::BitAnd: take(a, b, true); break;
  case TreeOp::Sub: take(a, b, false); break;
  case TreeOp::BitXor:
    take(a, b, false);
    take(b, a, false);
    break;
  default: return std::nullopt;
  }
  return AnyValue(result);
}
