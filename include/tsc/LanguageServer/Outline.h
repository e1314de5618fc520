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

/// A definition, variable, attribute, parameter or import in a text.
struct OutlineSymbol {
  /// What kind of name a symbol is.
  enum class Kind : uint8_t { Function, Class, Variable, Attribute, Parameter, Import };
  Kind kind;
  std::string name;
  Span at;    ///< The place of its name.
  Span whole; ///< The place of the whole statement, with the body of a definition.
  /// The head of a definition without its colon (`def f(x: int) -> int`); for others the first line of the statement.
  std::string head;
  std::string documentation;
  /// The whole path that an Import stands for, or the annotation of a Variable or Parameter; empty for others.
  std::string detail;
  std::string value;              ///< The text of what a Variable or Attribute is first set to.
  std::vector<std::string> bases; ///< The bases of a Class.
  size_t reach = 0;               ///< Where the next statement outside of a definition begins; 0 for others.
  int parent = -1; ///< The index of the definition around it, or of an Attribute's class; -1 at the top level.
  int indent = 0;
};

/// The names of a text, found line by line, so that a text which does not parse has them too. Symbols are numbered in
/// the order of the text.
class Outline {
public:
  /// Finds the names of a text, and keeps no reference to it.
  explicit Outline(llvm::StringRef text);
  llvm::ArrayRef<OutlineSymbol> symbols() const { return found; }
  /// Returns the innermost definition whose head or body holds the place, or -1 at the top level.
  int scopeAt(size_t offset) const;
  /// Returns what a name means at the place `before` in a scope: its nearest binding before that place, else its first
  /// one, in this scope, then in those around it; -1 when nothing binds it. The names of a class are seen from its own
  /// body alone.
  int find(llvm::StringRef name, int scope, size_t before) const;
  /// Returns the first attribute, method or class-level name of a class that has the name, without its bases; -1 when
  /// there is none.
  int findMember(int classSymbol, llvm::StringRef name) const;
  /// Returns the last class of the name, wherever it is defined, or -1.
  int findClass(llvm::StringRef name) const;
  /// Returns the innermost class around a scope, or -1. In a method of it, `self` becomes the name of the method's
  /// first parameter.
  int classAround(int scope, std::string &self) const;

private:
  friend class OutlineBuilder;
  std::vector<OutlineSymbol> found;
};

/// A dotted name around a place, such as `self.layer.weight`.
struct Chain {
  /// One of the names, with its place.
  struct Part {
    std::string name;
    Span at;
  };
  std::vector<Part> parts;
  /// Whether an expression that is no name stands before the first dot, as in `f(x).shape`; it ends at `receiverEnd`.
  bool hasReceiver = false;
  size_t receiverEnd = 0;
};
/// Returns the chain whose last part holds `offset` or ends there, or nothing where no name is, in a comment, or in a
/// string.
std::optional<Chain> chainAt(llvm::StringRef text, size_t offset);
/// Returns the chain that ends at `offset`: what stands before the last dot, and the part of a name behind it, which
/// may be empty. Returns nothing where there is no dot.
std::optional<Chain> chainBefore(llvm::StringRef text, size_t offset);
/// Whether a place lies in a comment or within quotes.
bool isInStringOrComment(llvm::StringRef text, size_t offset);

} // namespace tsc::lsp

#endif
