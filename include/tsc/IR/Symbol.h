//===- Symbol.h - Interned qualified names ----------------------*- C++ -*-===//
//
// A Symbol is an interned name `ns::name` (prim::If, aten::add, attr::value).
// Those of Symbols.def are constant data; all others belong to a Context, which
// frees them when it is destroyed. Symbols are compared by pointer.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_IR_SYMBOL_H
#define TSC_IR_SYMBOL_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <cstdint>

namespace tsc {

/// Numbers the names that are known when tsc is built, for use in a switch. `Other` is every other name.
enum class SymbolId : uint16_t {
  Other,
#define TSC_SYMBOL(NS, NAME) NS##_##NAME,
#include "tsc/IR/Symbols.def"
  NumBuiltin
};

namespace detail {
/// The interned text that a Symbol points to.
struct SymbolEntry {
  llvm::StringRef qualified; ///< The whole name, such as "prim::If".
  uint16_t nsLength;         ///< The length of the namespace: 4 for "prim::If".
  SymbolId id;
  constexpr SymbolEntry(llvm::StringRef q, uint16_t n, SymbolId i) : qualified(q), nsLength(n), id(i) {}
};
extern const SymbolEntry builtinSymbols[static_cast<unsigned>(SymbolId::NumBuiltin)];
} // namespace detail

/// An interned qualified name. Borrows its text; false (null) when default-constructed, and then has no name.
class Symbol {
public:
  constexpr Symbol() = default;
  constexpr explicit Symbol(const detail::SymbolEntry *entry) : entry(entry) {}

  /// Returns the whole name: "aten::add". Here and below the symbol is not null.
  llvm::StringRef qualified() const {
    assert(entry && "the null symbol has no name");
    return entry->qualified;
  }
  llvm::StringRef ns() const { return qualified().take_front(entry->nsLength); }       ///< Returns "aten".
  llvm::StringRef name() const { return qualified().drop_front(entry->nsLength + 2); } ///< Returns "add".
  SymbolId id() const {
    assert(entry && "the null symbol has no name");
    return entry->id;
  }
  constexpr explicit operator bool() const { return entry; }
  constexpr bool operator==(const Symbol &) const = default;
  const detail::SymbolEntry *get() const { return entry; }

private:
  const detail::SymbolEntry *entry = nullptr;
};

#define TSC_SYMBOL(NS, NAME)                                                                                           \
  namespace NS {                                                                                                       \
  inline constexpr Symbol NAME(&::tsc::detail::builtinSymbols[static_cast<unsigned>(SymbolId::NS##_##NAME)]);          \
  }
#include "tsc/IR/Symbols.def"

} // namespace tsc

template <> struct llvm::DenseMapInfo<tsc::Symbol> {
  using Ptr = DenseMapInfo<const tsc::detail::SymbolEntry *>;
  static tsc::Symbol getEmptyKey() { return tsc::Symbol(Ptr::getEmptyKey()); }
  static tsc::Symbol getTombstoneKey() { return tsc::Symbol(Ptr::getTombstoneKey()); }
  static unsigned getHashValue(tsc::Symbol s) { return Ptr::getHashValue(s.get()); }
  static bool isEqual(tsc::Symbol a, tsc::Symbol b) { return a == b; }
};

#endif
