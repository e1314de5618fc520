//===- SymbolicInt.h - Integers known up to symbols -------------*- C++ -*-===//
//
// The arithmetic behind symbolic dimensions: a number, a monomial over symbols
// with an offset (2 * a * b + 1), or unknown. Forms are canonical, so that equal
// expressions compare equal: view(n, -1) of (n, 64, 7, 7) gives (n, 3136).
//
//===----------------------------------------------------------------------===//
#ifndef TSC_ANALYSIS_SYMBOLICINT_H
#define TSC_ANALYSIS_SYMBOLICINT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace tsc {

/// offset + coefficient * (product of the symbols of `term`), or unknown. Only a SymbolTable makes terms.
class SymbolicInt {
public:
  SymbolicInt() = default; ///< Unknown.
  SymbolicInt(int64_t value) : offset(value), term(noTerm) {}
  bool isUnknown() const { return term == unknownTerm; }
  bool isConstant() const { return term == noTerm; }
  bool isConstant(int64_t value) const { return isConstant() && offset == value; }
  int64_t constant() const { return offset; }
  /// The number, when it is known.
  std::optional<int64_t> value() const { return isConstant() ? std::optional(offset) : std::nullopt; }
  /// Equal forms; two unknowns are not known to be equal.
  bool isSame(const SymbolicInt &other) const { return !isUnknown() && *this == other; }
  bool operator==(const SymbolicInt &) const = default;
  auto operator<=>(const SymbolicInt &) const = default;

private:
  friend class SymbolTable;
  static constexpr uint32_t noTerm = 0, unknownTerm = UINT32_MAX;
  int64_t offset = 0, coefficient = 0;
  uint32_t term = unknownTerm;
};

/// Whether a symbol may be any int or is the size of a dimension.
enum class SymbolRange : uint8_t { Any, NonNegative };

/// Owns the symbols and terms of one analysis.
class SymbolTable {
public:
  SymbolTable();
  /// A symbol that is like no other.
  SymbolicInt fresh(SymbolRange range);
  /// One symbol for each key, made on first question.
  SymbolicInt symbolFor(const void *owner, uint64_t index, SymbolRange range);
  /// The same value as a plain symbol (or number): a dimension n + 2 gets a symbol of its own, always the same one.
  SymbolicInt asSymbol(SymbolicInt value);
  /// The number of a plain symbol.
  uint32_t idOf(SymbolicInt symbol) const { return symbol.term; }
  static bool isPlainSymbol(SymbolicInt value) {
    return !value.isUnknown() && !value.isConstant() && value.offset == 0 && value.coefficient == 1;
  }

  SymbolicInt add(SymbolicInt a, SymbolicInt b);
  SymbolicInt negate(SymbolicInt a);
  SymbolicInt subtract(SymbolicInt a, SymbolicInt b) { return add(a, negate(b)); }
  SymbolicInt multiply(SymbolicInt a, SymbolicInt b);
  /// Python's //; unknown where it may divide by zero.
  SymbolicInt floorDivide(SymbolicInt a, SymbolicInt b);
  /// Python's %.
  SymbolicInt modulo(SymbolicInt a, SymbolicInt b);

  std::optional<bool> isEqual(SymbolicInt a, SymbolicInt b) const;
  std::optional<bool> isLess(SymbolicInt a, SymbolicInt b) const;
  /// The least value it may have, when there is a bound.
  std::optional<int64_t> lowerBound(SymbolicInt a) const;

private:
  /// Factors are the numbers of plain symbols, in ascending order.
  struct Term {
    std::vector<uint32_t> factors;
    SymbolRange range;
  };
  enum class Opaque : uint8_t { Sum, Quotient, Remainder, Alias };
  SymbolicInt make(int64_t offset, int64_t coefficient, uint32_t term) const;
  SymbolicInt opaque(Opaque kind, SymbolicInt a, SymbolicInt b, SymbolRange range);
  uint32_t termOf(std::vector<uint32_t> factors);
  std::optional<SymbolicInt> divideExactly(SymbolicInt a, SymbolicInt b);

  std::vector<Term> terms;
  std::map<std::vector<uint32_t>, uint32_t> termNumbers;
  std::map<std::tuple<Opaque, SymbolicInt, SymbolicInt>, SymbolicInt> opaqueSymbols;
  std::map<std::pair<const void *, uint64_t>, SymbolicInt> ownedSymbols;
};

} // namespace tsc

#endif
