//===- PlainOperators.cpp - Operators on numbers and lists ----------------===//
//
// One meaning serves the rules for shapes and the graphs that are analyzed.
// Overloads need not be told apart: the operands show what they are.
//
//===----------------------------------------------------------------------===//
#include "PlainOperators.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tsc;

/// Lists longer than this are not followed.
static constexpr size_t maxListLength = 1 << 16;

static AbstractValue fromBool(std::optional<bool> value) { return value ? AbstractValue(*value) : AbstractValue(); }

static std::optional<double> asNumber(const AbstractValue &v) {
  if (const double *d = v.asFloat())
    return *d;
  auto i = v.asInt().value();
  return i ? std::optional(static_cast<double>(*i)) : std::nullopt;
}

/// A float that converts to int without overflow.
static AbstractValue toInt(double v) {
  return std::abs(v) < 9e18 ? AbstractValue(static_cast<int64_t>(v)) : AbstractValue();
}

static AbstractValue arithmetic(SymbolId op, const AbstractValue &a, const AbstractValue &b, SymbolTable &symbols) {
  if (a.asFloat() || b.asFloat()) {
    auto x = asNumber(a), y = asNumber(b);
    if (!x || !y)
      return {};
    switch (op) {
    case SymbolId::aten_add: return *x + *y;
    case SymbolId::aten_sub: return *x - *y;
    case SymbolId::aten_mul: return *x * *y;
    case SymbolId::aten_div: return *y != 0 ? AbstractValue(*x / *y) : AbstractValue();
    default: return {};
    }
  }
  SymbolicInt x = a.asInt(), y = b.asInt();
  switch (op) {
  case SymbolId::aten_add: return symbols.add(x, y);
  case SymbolId::aten_sub: return symbols.subtract(x, y);
  case SymbolId::aten_mul: return symbols.multiply(x, y);
  case SymbolId::aten_floordiv: return symbols.floorDivide(x, y);
  case SymbolId::aten_remainder: return symbols.modulo(x, y);
  case SymbolId::aten_div:
    return x.value() && y.value().value_or(0) != 0
               ? AbstractValue(static_cast<double>(*x.value()) / static_cast<double>(*y.value()))
               : AbstractValue();
  default: return {};
  }
}

static std::optional<bool> equal(const AbstractValue &a, const AbstractValue &b, const SymbolTable &symbols) {
  if (a.asString() && b.asString())
    return *a.asString() == *b.asString();
  if (const auto *x = a.asList()) {
    const auto *y = b.asList();
    if (!y)
      return std::nullopt;
    if (x->elements.size() != y->elements.size())
      return false;
    std::optional<bool> all = true;
    for (auto [p, q] : llvm::zip(x->elements, y->elements)) {
      auto same = equal(p, q, symbols);
      if (same == false)
        return false;
      all = same ? all : std::nullopt;
    }
    return all;
  }
  if (a.asFloat() || b.asFloat()) {
    auto x = asNumber(a), y = asNumber(b);
    return x && y ? std::optional(*x == *y) : std::nullopt;
  }
  return symbols.isEqual(a.asInt(), b.asInt());
}

static std::optional<bool> less(const AbstractValue &a, const AbstractValue &b, const SymbolTable &symbols) {
  if (a.asFloat() || b.asFloat()) {
    auto x = asNumber(a), y = asNumber(b);
    return x && y ? std::optional(*x < *y) : std::nullopt;
  }
  return symbols.isLess(a.asInt(), b.asInt());
}

static std::optional<bool> negated(std::optional<bool> v) { return v ? std::optional(!*v) : std::nullopt; }

/// max or min of numbers; of a list.
static AbstractValue extremum(bool wantMax, ArrayRef<AbstractValue> operands, SymbolTable &symbols) {
  if (operands.size() == 1 && operands[0].asList() && !operands[0].asList()->elements.empty()) {
    ArrayRef<AbstractValue> elements = operands[0].asList()->elements;
    AbstractValue best = elements[0];
    for (const AbstractValue &element : elements.drop_front())
      best = extremum(wantMax, {best, element}, symbols);
    return best;
  }
  if (operands.size() != 2)
    return {};
  auto isLess = less(operands[0], operands[1], symbols);
  if (!isLess)
    return operands[0].asInt().isSame(operands[1].asInt()) ? operands[0] : AbstractValue();
  return *isLess == wantMax ? operands[1] : operands[0];
}

/// The element that an index means; unknown when that is not known, or outside.
static AbstractValue elementAt(ArrayRef<AbstractValue> elements, const AbstractValue &index) {
  auto at = index.asInt().value();
  auto size = static_cast<int64_t>(elements.size());
  if (!at || *at < -size || *at >= size)
    return {};
  return elements[*at < 0 ? *at + size : *at];
}

static AbstractValue slice(const AbstractValue::List &list, ArrayRef<AbstractValue> bounds) {
  auto size = static_cast<int64_t>(list.elements.size());
  auto bound = [&](size_t i, int64_t absent) -> std::optional<int64_t> {
    if (i >= bounds.size() || bounds[i].isNone())
      return absent;
    auto at = bounds[i].asInt().value();
    return at ? std::optional(std::clamp<int64_t>(*at < 0 ? std::max(*at, -size) + size : *at, 0, size)) : std::nullopt;
  };
  auto start = bound(0, 0), end = bound(1, size);
  int64_t step = 1;
  if (bounds.size() > 2)
    step = bounds[2].asInt().value().value_or(0);
  if (!start || !end || step <= 0)
    return {};
  std::vector<AbstractValue> taken;
  for (int64_t i = *start; i < *end; i += std::min(step, size))
    taken.push_back(list.elements[i]);
  return AbstractValue::list(std::move(taken));
}

static AbstractValue concatenate(const AbstractValue::List &a, const AbstractValue::List &b) {
  if (a.elements.size() + b.elements.size() > maxListLength)
    return {};
  std::vector<AbstractValue> both = a.elements;
  llvm::append_range(both, b.elements);
  return AbstractValue::list(std::move(both));
}

static AbstractValue repeat(const AbstractValue::List &list, const AbstractValue &count) {
  auto n = count.asInt().value();
  if (!n || *n > static_cast<int64_t>(maxListLength) || std::max<int64_t>(*n, 0) * list.elements.size() > maxListLength)
    return {};
  std::vector<AbstractValue> out;
  for (int64_t i = 0; i < *n; ++i)
    llvm::append_range(out, list.elements);
  return AbstractValue::list(std::move(out));
}

static AbstractValue contains(const AbstractValue::List &list, const AbstractValue &what, const SymbolTable &symbols) {
  std::optional<bool> found = false;
  for (const AbstractValue &element : list.elements) {
    auto same = equal(element, what, symbols);
    if (same == true)
      return true;
    found = same ? found : std::nullopt;
  }
  return fromBool(found);
}

/// `a is b`, where one of them is None.
static std::optional<bool> isNone(const AbstractValue &a, const AbstractValue &b) {
  if (a.isNone() && b.isNone())
    return true;
  if (a.isUnknown() || b.isUnknown() || (!a.isNone() && !b.isNone()))
    return std::nullopt;
  return false;
}

static AbstractValue logical(SymbolId op, const AbstractValue &a, const AbstractValue &b) {
  const bool *x = a.asBool(), *y = b.asBool();
  bool absorbing = op == SymbolId::aten___or__;
  if ((x && *x == absorbing) || (y && *y == absorbing))
    return absorbing;
  return x && y ? AbstractValue(!absorbing) : AbstractValue();
}

/// How often `for i in range(start, end, step)` runs.
static AbstractValue rangeLength(ArrayRef<AbstractValue> operands, SymbolTable &symbols) {
  SymbolicInt start = operands[0].asInt(), end = operands[1].asInt(), step = operands[2].asInt();
  if (!step.isConstant() || step.constant() == 0)
    return {};
  SymbolicInt distance = step.constant() > 0 ? symbols.subtract(end, start) : symbols.subtract(start, end);
  auto empty = symbols.isLess(distance, SymbolicInt(0));
  if (!empty)
    return {};
  if (*empty)
    return int64_t{0};
  SymbolicInt magnitude = step.constant() > 0 ? step : symbols.negate(step);
  return symbols.negate(symbols.floorDivide(symbols.negate(distance), magnitude));
}

AbstractValue tsc::evaluatePlainOperator(Symbol kind, ArrayRef<AbstractValue> operands, SymbolTable &symbols) {
  SymbolId op = kind.id();
  const AbstractValue nothing;
  const AbstractValue &a = !operands.empty() ? operands[0] : nothing, &b = operands.size() > 1 ? operands[1] : nothing;
  switch (op) {
  case SymbolId::aten_add:
    if (a.asList() && b.asList())
      return concatenate(*a.asList(), *b.asList());
    [[fallthrough]];
  case SymbolId::aten_sub:
  case SymbolId::aten_div:
  case SymbolId::aten_floordiv:
  case SymbolId::aten_remainder: return operands.size() == 2 ? arithmetic(op, a, b, symbols) : AbstractValue();
  case SymbolId::aten_mul:
    if (a.asList() || b.asList())
      return a.asList() ? repeat(*a.asList(), b) : repeat(*b.asList(), a);
    return arithmetic(op, a, b, symbols);
  case SymbolId::aten_neg: return a.asFloat() ? AbstractValue(-*a.asFloat()) : AbstractValue(symbols.negate(a.asInt()));
  case SymbolId::prim_abs:
    return a.asInt().value() ? AbstractValue(symbols.lowerBound(a.asInt()) >= 0 ? a.asInt() : symbols.negate(a.asInt()))
                             : AbstractValue();
  case SymbolId::aten_eq: return fromBool(equal(a, b, symbols));
  case SymbolId::aten_ne: return fromBool(negated(equal(a, b, symbols)));
  case SymbolId::aten_lt: return fromBool(less(a, b, symbols));
  case SymbolId::aten_gt: return fromBool(less(b, a, symbols));
  case SymbolId::aten_le: return fromBool(negated(less(b, a, symbols)));
  case SymbolId::aten_ge: return fromBool(negated(less(a, b, symbols)));
  case SymbolId::prim_max: return extremum(true, operands, symbols);
  case SymbolId::prim_min: return extremum(false, operands, symbols);
  case SymbolId::aten___and__:
  case SymbolId::aten___or__: return logical(op, a, b);
  case SymbolId::aten___not__: return a.asBool() ? AbstractValue(!*a.asBool()) : AbstractValue();
  case SymbolId::aten___is__: return fromBool(isNone(a, b));
  case SymbolId::aten___isnot__: return fromBool(negated(isNone(a, b)));
  case SymbolId::aten_Bool: return a.asBool() ? a : fromBool(negated(symbols.isEqual(a.asInt(), SymbolicInt(0))));
  case SymbolId::aten_Int: return a.asFloat() ? toInt(*a.asFloat()) : AbstractValue(a.asInt());
  case SymbolId::aten_Float: return asNumber(a) ? AbstractValue(*asNumber(a)) : AbstractValue();
  case SymbolId::aten_ceil: return a.asFloat() ? toInt(std::ceil(*a.asFloat())) : AbstractValue(a.asInt());
  case SymbolId::aten_floor: return a.asFloat() ? toInt(std::floor(*a.asFloat())) : AbstractValue(a.asInt());
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_unchecked_unwrap_optional:
  case SymbolId::aten__unwrap_optional: return a.isNone() ? AbstractValue() : a;
  case SymbolId::aten_len:
    if (a.asTuple())
      return static_cast<int64_t>(a.asTuple()->elements.size());
    return a.asList() ? AbstractValue(static_cast<int64_t>(a.asList()->elements.size())) : AbstractValue();
  case SymbolId::aten___getitem__:
  case SymbolId::aten_select: return a.asList() ? elementAt(a.asList()->elements, b) : AbstractValue();
  case SymbolId::aten_slice: return a.asList() ? slice(*a.asList(), operands.drop_front()) : AbstractValue();
  case SymbolId::aten_list:
  case SymbolId::aten_copy: return a.asList() ? AbstractValue::list(a.asList()->elements) : AbstractValue();
  case SymbolId::aten___contains__: return a.asList() ? contains(*a.asList(), b, symbols) : AbstractValue();
  case SymbolId::aten___range_length: return operands.size() == 3 ? rangeLength(operands, symbols) : AbstractValue();
  case SymbolId::aten___derive_index:
    return operands.size() == 3
               ? AbstractValue(symbols.add(b.asInt(), symbols.multiply(a.asInt(), operands[2].asInt())))
               : AbstractValue();
  case SymbolId::prim_ListConstruct:
    return AbstractValue::list(std::vector<AbstractValue>(operands.begin(), operands.end()));
  case SymbolId::prim_TupleConstruct:
    return AbstractValue::tuple(std::vector<AbstractValue>(operands.begin(), operands.end()));
  case SymbolId::prim_TupleIndex: return a.asTuple() ? elementAt(a.asTuple()->elements, b) : AbstractValue();
  default: return {};
  }
}
