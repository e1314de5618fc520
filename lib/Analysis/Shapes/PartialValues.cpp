//===- PartialValues.cpp - Operators on numbers and lists, known in part --===//
//
// The records' column `partial` names these functions. One meaning serves the rules
// for shapes and the graphs that are analyzed. Overloads need not be told apart: the
// operands show what they are.
//
//===----------------------------------------------------------------------===//
#include "tsc/Analysis/PartialValues.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace tsc;

using Operands = ArrayRef<AbstractValue>;

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

static std::optional<bool> sameValue(const AbstractValue &a, const AbstractValue &b, const SymbolTable &symbols) {
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
      auto same = sameValue(p, q, symbols);
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
static AbstractValue extremum(bool wantMax, Operands operands, SymbolTable &symbols) {
  if (operands.size() == 1 && operands[0].asList() && !operands[0].asList()->elements.empty()) {
    Operands elements = operands[0].asList()->elements;
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
static AbstractValue elementAt(Operands elements, const AbstractValue &index) {
  auto at = index.asInt().value();
  auto size = static_cast<int64_t>(elements.size());
  if (!at || *at < -size || *at >= size)
    return {};
  return elements[*at < 0 ? *at + size : *at];
}

/// What the elements, all of them tensors, have in common.
static AbstractValue anyOf(Operands elements) {
  AbstractValue common = AbstractValue::nothing();
  for (const AbstractValue &element : elements) {
    if (!element.asTensor())
      return {};
    common = join(common, element);
  }
  return common.isNothing() ? AbstractValue() : common;
}

static AbstractValue sliceOf(const AbstractValue::List &list, Operands bounds) {
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

static AbstractValue joined(const AbstractValue::List &a, const AbstractValue::List &b) {
  if (a.elements.size() + b.elements.size() > maxListLength)
    return {};
  std::vector<AbstractValue> both = a.elements;
  llvm::append_range(both, b.elements);
  return AbstractValue::list(std::move(both));
}

static AbstractValue repeated(const AbstractValue::List &list, const AbstractValue &count) {
  auto n = count.asInt().value();
  if (!n || *n > static_cast<int64_t>(maxListLength) || std::max<int64_t>(*n, 0) * list.elements.size() > maxListLength)
    return {};
  std::vector<AbstractValue> out;
  for (int64_t i = 0; i < *n; ++i)
    llvm::append_range(out, list.elements);
  return AbstractValue::list(std::move(out));
}

static AbstractValue holds(const AbstractValue::List &list, const AbstractValue &what, const SymbolTable &symbols) {
  std::optional<bool> found = false;
  for (const AbstractValue &element : list.elements) {
    auto same = sameValue(element, what, symbols);
    if (same == true)
      return true;
    found = same ? found : std::nullopt;
  }
  return fromBool(found);
}

/// `a is b`, where one of them is None.
static std::optional<bool> areBothNone(const AbstractValue &a, const AbstractValue &b) {
  if (a.isNone() && b.isNone())
    return true;
  if (a.isUnknown() || b.isUnknown() || (!a.isNone() && !b.isNone()))
    return std::nullopt;
  return false;
}

/// One of two bools decides when it is `absorbing`.
static AbstractValue decided(bool absorbing, Operands v) {
  const bool *x = v[0].asBool(), *y = v[1].asBool();
  if ((x && *x == absorbing) || (y && *y == absorbing))
    return absorbing;
  return x && y ? AbstractValue(!absorbing) : AbstractValue();
}

/// On floats where one operand is, else on ints.
static AbstractValue onNumbers(Operands v, SymbolTable &symbols, double (*onFloats)(double, double),
                               SymbolicInt (SymbolTable::*onInts)(SymbolicInt, SymbolicInt)) {
  if (!v[0].asFloat() && !v[1].asFloat())
    return (symbols.*onInts)(v[0].asInt(), v[1].asInt());
  auto x = asNumber(v[0]), y = asNumber(v[1]);
  return x && y && onFloats ? AbstractValue(onFloats(*x, *y)) : AbstractValue();
}

//===----------------------------------------------------------------------===//
// The functions that records name
//===----------------------------------------------------------------------===//

namespace {
namespace partial {

AbstractValue add(Operands v, SymbolTable &symbols) {
  return onNumbers(v, symbols, [](double x, double y) { return x + y; }, &SymbolTable::add);
}
AbstractValue subtract(Operands v, SymbolTable &symbols) {
  return onNumbers(v, symbols, [](double x, double y) { return x - y; }, &SymbolTable::subtract);
}
AbstractValue multiply(Operands v, SymbolTable &symbols) {
  return onNumbers(v, symbols, [](double x, double y) { return x * y; }, &SymbolTable::multiply);
}
AbstractValue floorDivide(Operands v, SymbolTable &symbols) {
  return onNumbers(v, symbols, nullptr, &SymbolTable::floorDivide);
}
AbstractValue modulo(Operands v, SymbolTable &symbols) { return onNumbers(v, symbols, nullptr, &SymbolTable::modulo); }
AbstractValue divide(Operands v, SymbolTable &) {
  auto x = asNumber(v[0]), y = asNumber(v[1]);
  return x && y && *y != 0 ? AbstractValue(*x / *y) : AbstractValue();
}
AbstractValue negate(Operands v, SymbolTable &symbols) {
  return v[0].asFloat() ? AbstractValue(-*v[0].asFloat()) : AbstractValue(symbols.negate(v[0].asInt()));
}
AbstractValue absolute(Operands v, SymbolTable &) {
  auto number = v[0].asInt().value();
  return number ? AbstractValue(arithmetic::absolute(*number)) : AbstractValue();
}
AbstractValue minimum(Operands v, SymbolTable &symbols) { return extremum(false, v, symbols); }
AbstractValue maximum(Operands v, SymbolTable &symbols) { return extremum(true, v, symbols); }
AbstractValue floor(Operands v, SymbolTable &) {
  return v[0].asFloat() ? toInt(std::floor(*v[0].asFloat())) : AbstractValue(v[0].asInt());
}
AbstractValue ceil(Operands v, SymbolTable &) {
  return v[0].asFloat() ? toInt(std::ceil(*v[0].asFloat())) : AbstractValue(v[0].asInt());
}

AbstractValue isEqual(Operands v, SymbolTable &symbols) { return fromBool(sameValue(v[0], v[1], symbols)); }
AbstractValue differs(Operands v, SymbolTable &symbols) { return fromBool(negated(sameValue(v[0], v[1], symbols))); }
AbstractValue isLess(Operands v, SymbolTable &symbols) { return fromBool(less(v[0], v[1], symbols)); }
AbstractValue isGreater(Operands v, SymbolTable &symbols) { return fromBool(less(v[1], v[0], symbols)); }
AbstractValue isAtMost(Operands v, SymbolTable &symbols) { return fromBool(negated(less(v[1], v[0], symbols))); }
AbstractValue isAtLeast(Operands v, SymbolTable &symbols) { return fromBool(negated(less(v[0], v[1], symbols))); }
AbstractValue isSame(Operands v, SymbolTable &) { return fromBool(areBothNone(v[0], v[1])); }
AbstractValue isNotSame(Operands v, SymbolTable &) { return fromBool(negated(areBothNone(v[0], v[1]))); }
AbstractValue logicalAnd(Operands v, SymbolTable &) { return decided(false, v); }
AbstractValue logicalOr(Operands v, SymbolTable &) { return decided(true, v); }
AbstractValue logicalNot(Operands v, SymbolTable &) {
  return v[0].asBool() ? AbstractValue(!*v[0].asBool()) : AbstractValue();
}

AbstractValue toBool(Operands v, SymbolTable &symbols) {
  return v[0].asBool() ? v[0] : fromBool(negated(symbols.isEqual(v[0].asInt(), SymbolicInt(0))));
}
AbstractValue toInt(Operands v, SymbolTable &) {
  return v[0].asFloat() ? ::toInt(*v[0].asFloat()) : AbstractValue(v[0].asInt());
}
AbstractValue toFloat(Operands v, SymbolTable &) {
  auto number = asNumber(v[0]);
  return number ? AbstractValue(*number) : AbstractValue();
}
AbstractValue unwrap(Operands v, SymbolTable &) { return v[0].isNone() ? AbstractValue() : v[0]; }

AbstractValue length(Operands v, SymbolTable &) {
  if (v[0].asTuple())
    return static_cast<int64_t>(v[0].asTuple()->elements.size());
  return v[0].asList() ? AbstractValue(static_cast<int64_t>(v[0].asList()->elements.size())) : AbstractValue();
}
AbstractValue element(Operands v, SymbolTable &) {
  if (v[0].asTuple())
    return elementAt(v[0].asTuple()->elements, v[1]);
  if (!v[0].asList())
    return {};
  return v[1].asInt().value() ? elementAt(v[0].asList()->elements, v[1]) : anyOf(v[0].asList()->elements);
}
AbstractValue slice(Operands v, SymbolTable &) {
  return v[0].asList() ? sliceOf(*v[0].asList(), v.drop_front()) : AbstractValue();
}
AbstractValue copy(Operands v, SymbolTable &) {
  return v[0].asList() ? AbstractValue::list(v[0].asList()->elements) : AbstractValue();
}
AbstractValue concatenate(Operands v, SymbolTable &) {
  return v[0].asList() && v[1].asList() ? joined(*v[0].asList(), *v[1].asList()) : AbstractValue();
}
AbstractValue repeat(Operands v, SymbolTable &) {
  if (v[0].asList())
    return repeated(*v[0].asList(), v[1]);
  return v[1].asList() ? repeated(*v[1].asList(), v[0]) : AbstractValue();
}
AbstractValue contains(Operands v, SymbolTable &symbols) {
  return v[0].asList() ? holds(*v[0].asList(), v[1], symbols) : AbstractValue();
}

/// How often `for i in range(start, end, step)` runs.
AbstractValue rangeLength(Operands v, SymbolTable &symbols) {
  SymbolicInt start = v[0].asInt(), end = v[1].asInt(), step = v[2].asInt();
  if (!step.isConstant() || step.constant() == 0)
    return {};
  if (start.isConstant() && end.isConstant())
    return arithmetic::rangeLength(start.constant(), end.constant(), step.constant());
  SymbolicInt distance = step.constant() > 0 ? symbols.subtract(end, start) : symbols.subtract(start, end);
  auto empty = symbols.isLess(distance, SymbolicInt(0));
  if (!empty)
    return {};
  if (*empty)
    return int64_t{0};
  SymbolicInt magnitude = step.constant() > 0 ? step : symbols.negate(step);
  return symbols.negate(symbols.floorDivide(symbols.negate(distance), magnitude));
}
AbstractValue deriveIndex(Operands v, SymbolTable &symbols) {
  return symbols.add(v[1].asInt(), symbols.multiply(v[0].asInt(), v[2].asInt()));
}

} // namespace partial
} // namespace

/// What makes or hands on values; these nodes have no record.
static AbstractValue evaluateStructure(Symbol kind, Operands operands) {
  if (kind == prim::ListConstruct)
    return AbstractValue::list(std::vector<AbstractValue>(operands.begin(), operands.end()));
  if (kind == prim::TupleConstruct)
    return AbstractValue::tuple(std::vector<AbstractValue>(operands.begin(), operands.end()));
  if (kind == prim::unchecked_cast)
    return operands[0].isNone() ? AbstractValue() : operands[0];
  return {};
}

AbstractValue tsc::elementOf(const AbstractValue &list, const AbstractValue &index) {
  return list.asList() ? elementAt(list.asList()->elements, index) : AbstractValue();
}

AbstractValue tsc::evaluatePartially(const Node &node, Operands operands, SymbolTable &symbols) {
  const FunctionSchema *schema = node.record() ? node.schema() : nullptr;
  if (!schema || operands.size() != schema->arguments().size())
    return evaluateStructure(node.kind(), operands);
  switch (node.opKind()) {
#define PARTIAL(OP, FUNCTION)                                                                                          \
  case OpKind::OP: return partial::FUNCTION(operands, symbols);
#include "tsc/IR/OpFacts.inc"
  default: return {};
  }
}
