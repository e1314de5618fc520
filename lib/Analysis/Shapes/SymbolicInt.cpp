//===- SymbolicInt.cpp - Integers known up to symbols ---------------------===//
#include "tsc/Analysis/SymbolicInt.h"
#include "tsc/Support/IntegerArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tsc;

SymbolTable::SymbolTable() { terms.push_back({{}, SymbolRange::NonNegative}); } // number 0 is "no term"

SymbolicInt SymbolTable::make(int64_t offset, int64_t coefficient, uint32_t term) const {
  SymbolicInt result(offset);
  if (coefficient != 0) {
    result.coefficient = coefficient;
    result.term = term;
  }
  return result;
}

SymbolicInt SymbolTable::fresh(SymbolRange range) {
  auto number = static_cast<uint32_t>(terms.size());
  terms.push_back({{number}, range});
  termNumbers[{number}] = number;
  return make(0, 1, number);
}

SymbolicInt SymbolTable::symbolFor(const void *owner, uint64_t index, SymbolRange range) {
  SymbolicInt &symbol = ownedSymbols[{owner, index}];
  if (symbol.isUnknown())
    symbol = fresh(range);
  return symbol;
}

SymbolicInt SymbolTable::opaque(Opaque kind, SymbolicInt a, SymbolicInt b, SymbolRange range) {
  SymbolicInt &symbol = opaqueSymbols[{kind, a, b}];
  if (symbol.isUnknown())
    symbol = fresh(range);
  return symbol;
}

/// A symbol for a value. Of one that may be negative there are two: that of a product's factor, and that of a
/// dimension, which has the value only where the tensor exists.
SymbolicInt SymbolTable::asSymbol(SymbolicInt value, Opaque kindOfAny) {
  if (value.isUnknown() || value.isConstant() || (isPlainSymbol(value) && terms[value.term].factors.size() == 1))
    return value;
  const bool isNonNegative = lowerBound(value) >= 0;
  return opaque(isNonNegative ? Opaque::Alias : kindOfAny, value, SymbolicInt(0),
                isNonNegative || kindOfAny == Opaque::Size ? SymbolRange::NonNegative : SymbolRange::Any);
}

SymbolicInt SymbolTable::asSize(SymbolicInt value) { return asSymbol(value, Opaque::Size); }

uint32_t SymbolTable::termOf(std::vector<uint32_t> factors) {
  auto [at, isNew] = termNumbers.try_emplace(factors, static_cast<uint32_t>(terms.size()));
  if (isNew) {
    bool nonNegative = llvm::all_of(factors, [&](uint32_t f) { return terms[f].range == SymbolRange::NonNegative; });
    terms.push_back({std::move(factors), nonNegative ? SymbolRange::NonNegative : SymbolRange::Any});
  }
  return at->second;
}

SymbolicInt SymbolTable::add(SymbolicInt a, SymbolicInt b) {
  if (a.isUnknown() || b.isUnknown())
    return {};
  int64_t offset, coefficient;
  if (llvm::AddOverflow(a.offset, b.offset, offset))
    return {};
  if (a.term == b.term || a.isConstant() || b.isConstant()) {
    if (llvm::AddOverflow(a.coefficient, b.coefficient, coefficient))
      return {};
    return make(offset, coefficient, std::max(a.term, b.term));
  }
  // Two different terms: a symbol for their sum without the offsets, which stay in sight.
  SymbolicInt x = make(0, a.coefficient, a.term), y = make(0, b.coefficient, b.term);
  bool nonNegative = lowerBound(x) && lowerBound(y);
  SymbolicInt sum =
      opaque(Opaque::Sum, std::min(x, y), std::max(x, y), nonNegative ? SymbolRange::NonNegative : SymbolRange::Any);
  return make(offset, 1, sum.term);
}

SymbolicInt SymbolTable::negate(SymbolicInt a) {
  if (a.isUnknown() || a.offset == INT64_MIN || a.coefficient == INT64_MIN)
    return {};
  return make(-a.offset, -a.coefficient, a.term);
}

SymbolicInt SymbolTable::multiply(SymbolicInt a, SymbolicInt b) {
  if (a.isConstant(0) || b.isConstant(0))
    return SymbolicInt(0);
  if (a.isUnknown() || b.isUnknown())
    return {};
  if (a.isConstant())
    std::swap(a, b);
  int64_t offset, coefficient;
  if (b.isConstant()) {
    if (llvm::MulOverflow(a.offset, b.offset, offset) || llvm::MulOverflow(a.coefficient, b.offset, coefficient))
      return {};
    return make(offset, coefficient, a.term);
  }
  // (n + 2) * m: the sum becomes a symbol first.
  a = a.offset ? asSymbol(a, Opaque::Alias) : a;
  b = b.offset ? asSymbol(b, Opaque::Alias) : b;
  if (llvm::MulOverflow(a.coefficient, b.coefficient, coefficient))
    return {};
  std::vector<uint32_t> factors = terms[a.term].factors;
  llvm::append_range(factors, terms[b.term].factors);
  if (factors.size() > 16)
    return {};
  llvm::sort(factors);
  return make(0, coefficient, termOf(std::move(factors)));
}

/// a / b where the factors of b are among those of a and the numbers divide; b is taken not to be zero.
std::optional<SymbolicInt> SymbolTable::divideExactly(SymbolicInt a, SymbolicInt b) {
  if (a.offset != 0 || b.offset != 0 || b.coefficient == 0 || a.coefficient % b.coefficient != 0)
    return std::nullopt;
  std::vector<uint32_t> rest;
  const std::vector<uint32_t> &from = terms[a.term].factors, &divisor = terms[b.term].factors;
  std::set_difference(from.begin(), from.end(), divisor.begin(), divisor.end(), std::back_inserter(rest));
  if (rest.size() + divisor.size() != from.size())
    return std::nullopt;
  int64_t quotient = a.coefficient / b.coefficient;
  return rest.empty() ? SymbolicInt(quotient) : make(0, quotient, termOf(std::move(rest)));
}

SymbolicInt SymbolTable::floorDivide(SymbolicInt a, SymbolicInt b) {
  if (a.isUnknown() || b.isUnknown() || b.isConstant(0) || b.isConstant(-1))
    return b.isConstant(-1) ? negate(a) : SymbolicInt();
  if (b.isConstant() && b.offset > 0 && a.coefficient % b.offset == 0)
    return make(arithmetic::floorQuotient(a.offset, b.offset), a.coefficient / b.offset, a.term);
  if (a.isConstant() && b.isConstant())
    return SymbolicInt(arithmetic::floorQuotient(a.offset, b.offset));
  if (auto exact = divideExactly(a, b))
    return *exact;
  if (b.isConstant() && b.offset > 0) {
    // The part of the offset that divides stays in sight: (n + 3) // 2 is (n + 1) // 2 + 1.
    int64_t whole = arithmetic::floorQuotient(a.offset, b.offset);
    SymbolicInt rest = make(a.offset - whole * b.offset, a.coefficient, a.term);
    SymbolicInt quotient = opaque(Opaque::Quotient, rest, b,
                                  lowerBound(rest).value_or(-1) >= 0 ? SymbolRange::NonNegative : SymbolRange::Any);
    return make(whole, 1, quotient.term);
  }
  bool nonNegative = lowerBound(a).value_or(-1) >= 0 && lowerBound(b).value_or(-1) >= 0;
  return opaque(Opaque::Quotient, a, b, nonNegative ? SymbolRange::NonNegative : SymbolRange::Any);
}

SymbolicInt SymbolTable::modulo(SymbolicInt a, SymbolicInt b) {
  if (a.isUnknown() || b.isUnknown() || b.isConstant(0))
    return {};
  if (b.isConstant(1) || b.isConstant(-1))
    return SymbolicInt(0);
  if (b.isConstant() && b.offset > 0 && a.coefficient % b.offset == 0)
    return SymbolicInt(arithmetic::floorRemainder(a.offset, b.offset));
  if (a.isConstant() && b.isConstant())
    return SymbolicInt(arithmetic::floorRemainder(a.offset, b.offset));
  if (divideExactly(a, b))
    return SymbolicInt(0);
  return opaque(Opaque::Remainder, a, b, lowerBound(b).value_or(-1) >= 0 ? SymbolRange::NonNegative : SymbolRange::Any);
}

std::optional<int64_t> SymbolTable::lowerBound(SymbolicInt a) const {
  if (a.isUnknown())
    return std::nullopt;
  if (a.isConstant() || (a.coefficient > 0 && terms[a.term].range == SymbolRange::NonNegative))
    return a.offset;
  return std::nullopt;
}

std::optional<bool> SymbolTable::isEqual(SymbolicInt a, SymbolicInt b) const {
  if (a.isUnknown() || b.isUnknown())
    return std::nullopt;
  if (a.term == b.term && a.coefficient == b.coefficient)
    return a.offset == b.offset;
  if (isLess(a, b).value_or(false) || isLess(b, a).value_or(false))
    return false;
  return std::nullopt;
}

std::optional<bool> SymbolTable::isLess(SymbolicInt a, SymbolicInt b) const {
  if (a.isUnknown() || b.isUnknown())
    return std::nullopt;
  if (a.term == b.term && a.coefficient == b.coefficient)
    return a.offset < b.offset;
  // a < b when the least b exceeds a number a; not a < b when the least a is at least a number b.
  if (auto low = lowerBound(b); low && a.isConstant() && a.offset < *low)
    return true;
  if (auto low = lowerBound(a); low && b.isConstant() && *low >= b.offset)
    return false;
  // The same term with offsets apart and a coefficient that only widens the gap.
  if (a.term == b.term && !a.isConstant() && terms[a.term].range == SymbolRange::NonNegative) {
    if (a.coefficient <= b.coefficient && a.offset < b.offset)
      return true;
    if (a.coefficient >= b.coefficient && a.offset >= b.offset)
      return false;
  }
  return std::nullopt;
}
