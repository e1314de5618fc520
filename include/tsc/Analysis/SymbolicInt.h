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

/// An integer known up to symbols: offset + coefficient * (product of the symbols of `term`), or unknown. A plain
/// value, which means something only with the SymbolTable that made its term.
class SymbolicInt {
public:
  SymbolicInt() = default; ///< Makes an unknown integer.
  SymbolicInt(int64_t value) : offset(value), term(noTerm) {}
  bool isUnknown() const { return term == unknownTerm; }
  bool isConstant() const { return term == noTerm; }
  bool isConstant(int64_t value) const { return isConstant() && offset == value; }
  /// Returns the number of a constant, which this must be.
  int64_t constant() const {
    assert(isConstant() && "what is no constant has no number");
    return offset;
  }
  /// Returns the number of a constant, or nullopt.
  std::optional<int64_t> value() const { return isConstant() ? std::optional(offset) : std::nullopt; }
  /// Whether both are known and surely equal. (operator== compares forms, and calls two unknowns equal.)
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

/// Owns the symbols and terms of one analysis, and computes with them. A result that would overflow int64 is unknown.
/// For one thread at a time.
class SymbolTable {
public:
  SymbolTable();
  /// Makes a new symbol, which is known to equal no other.
  SymbolicInt fresh(SymbolRange range);
  /// Returns the symbol of a key (`owner`, `index`), made with `range` on first use.
  SymbolicInt symbolFor(const void *owner, uint64_t index, SymbolRange range);
  /// Returns the size of a dimension as a plain symbol or number: n + 2 gets a symbol of its own, always the same. That
  /// symbol counts as nonnegative, as sizes are.
  SymbolicInt asSize(SymbolicInt value);
  /// Returns the number of a plain symbol, which identifies it in this table.
  uint32_t idOf(SymbolicInt symbol) const {
    assert(isPlainSymbol(symbol) && "only a plain symbol is identified by its term");
    return symbol.term;
  }
  /// Whether the value is a symbol, or a product of symbols, without offset or coefficient.
  static bool isPlainSymbol(SymbolicInt value) {
    return !value.isUnknown() && !value.isConstant() && value.offset == 0 && value.coefficient == 1;
  }

  /// Returns `a + b`, with a symbol of its own where the two have different terms. Unknown where an operand is, or
  /// where a part of the sum has no room in 64 bits.
  SymbolicInt add(SymbolicInt a, SymbolicInt b);
  /// Returns `-a`. Unknown where `a` is, or where a part has no room in 64 bits.
  SymbolicInt negate(SymbolicInt a);
  SymbolicInt subtract(SymbolicInt a, SymbolicInt b) { return add(a, negate(b)); }
  /// Returns `a * b`; 0 where either is 0. Unknown where an operand is, where a part has no room in 64 bits, and for a
  /// product of more than 16 symbols.
  SymbolicInt multiply(SymbolicInt a, SymbolicInt b);
  /// Returns `a // b` as in Python. Unknown where `b` is 0; a `b` that is not a number is taken to be nonzero.
  SymbolicInt floorDivide(SymbolicInt a, SymbolicInt b);
  /// Returns `a % b` as in Python. Unknown where `b` is 0; a `b` that is not a number is taken to be nonzero.
  SymbolicInt modulo(SymbolicInt a, SymbolicInt b);

  /// Whether the two are surely equal, or surely different; nullopt where neither is known.
  std::optional<bool> isEqual(SymbolicInt a, SymbolicInt b) const;
  /// Whether `a` is surely less than `b`, or surely not; nullopt where neither is known.
  std::optional<bool> isLess(SymbolicInt a, SymbolicInt b) const;
  /// Returns a number that the value is surely not less than, or nullopt where none is known.
  std::optional<int64_t> lowerBound(SymbolicInt a) const;

private:
  /// A product of symbols, whose numbers are in ascending order.
  struct Term {
    std::vector<uint32_t> factors;
    SymbolRange range;
  };
  enum class Opaque : uint8_t { Sum, Quotient, Remainder, Alias, Size };
  SymbolicInt make(int64_t offset, int64_t coefficient, uint32_t term) const;
  SymbolicInt opaque(Opaque kind, SymbolicInt a, SymbolicInt b, SymbolRange range);
  uint32_t termOf(std::vector<uint32_t> factors);
  SymbolicInt asSymbol(SymbolicInt value, Opaque kindOfAny);
  std::optional<SymbolicInt> divideExactly(SymbolicInt a, SymbolicInt b);

  std::vector<Term> terms;
  std::map<std::vector<uint32_t>, uint32_t> termNumbers;
  std::map<std::tuple<Opaque, SymbolicInt, SymbolicInt>, SymbolicInt> opaqueSymbols;
  std::map<std::pair<const void *, uint64_t>, SymbolicInt> ownedSymbols;
};

} // namespace tsc

#endif
