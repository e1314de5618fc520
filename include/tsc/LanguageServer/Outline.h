//===- Outline.h - The names of a text that may not parse -------*- C++ -*-===//
//
// Definitions, assignments and imports, found line by line: a text in which
// somebody is typing has them although it has no syntax tree. Time is linear in
// the text.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LANGUAGESERVER_OUTLINE_H
#define TSC_LANGUAGESERVER_OUTLINE_H

#include "tsc/LanguageServer/Text.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace tsc::lsp {

struct OutlineSymbol {
  enum class Kind : uint8_t { Function, Class, Variable, Attribute, Parameter, Import };
  Kind kind;
  std::string name;
  Span at;    ///< The name.
  Span whole; ///< All of it, with the body.
  /// Of a definition, its head without the colon: `def f(x: int) -> int`; of others the statement's first line.
  std::string head;
  std::string documentation;
  /// Of an import the whole path it stands for; of variables and parameters their annotation.
  std::string detail;
  std::string value;              ///< What a variable or attribute was first set to.
  std::vector<std::string> bases; ///< Of a class.
  size_t reach = 0;               ///< Of a definition: where the next statement outside of it begins.
  int parent = -1;                ///< The definition around it; of an attribute the class.
  int indent = 0;
};

class Outline {
public:
  explicit Outline(llvm::StringRef text);
  llvm::ArrayRef<OutlineSymbol> symbols() const { return found; }
  /// The innermost definition whose body or head holds the place; -1 for the top level.
  int scopeAt(size_t offset) const;
  /// What a name means at a place of a scope: the nearest binding before it, in this scope, then in those around it
  /// (classes' names are seen from their own bodies alone); -1 when nothing binds it.
  int find(llvm::StringRef name, int scope, size_t before) const;
  /// An attribute, method or class-level name of a class itself.
  int findMember(int classSymbol, llvm::StringRef name) const;
  /// The class of that name at the top level.
  int findClass(llvm::StringRef name) const;
  /// The class in whose method a scope stands, and the name that its first parameter has there.
  int classAround(int scope, std::string &self) const;

private:
  friend class OutlineBuilder;
  std::vector<OutlineSymbol> found;
};

/// A dotted name around a place: `self.layer.weight`.
struct Chain {
  struct Part {
    std::string name;
    Span at;
  };
  std::vector<Part> parts;
  /// Whether an expression that is no name stands before the first dot: `f(x).shape`. It ends at `receiverEnd`.
  bool hasReceiver = false;
  size_t receiverEnd = 0;
};
/// The chain whose last part holds `offset` or ends there; nothing where no name is, in a comment or in a string.
std::optional<Chain> chainAt(llvm::StringRef text, size_t offset);
/// The chain that ends with the dot before `offset` and what is typed of the name behind it, which may be empty.
/// Nothing where there is no dot.
std::optional<Chain> chainBefore(llvm::StringRef text, size_t offset);
/// Whether a place lies in a comment or within quotes.
bool isInStringOrComment(llvm::StringRef text, size_t offset);

} // namespace tsc::lsp

#endif
