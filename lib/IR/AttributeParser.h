//===- AttributeParser.h - Scanning textual IR ----------------------------===//
#ifndef TSC_LIB_IR_ATTRIBUTEPARSER_H
#define TSC_LIB_IR_ATTRIBUTEPARSER_H

#include "tsc/IR/Graph.h"
#include "tsc/Support/Diagnostics.h"

namespace tsc {

/// A position in IR text, with what can be taken there: words, names, types, attribute values, comments.
class IRText {
public:
  IRText(Context &context, const SourceBuffer &buffer, DiagnosticEngine &diags);

  bool atEnd() const { return at == text.size(); }
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  uint32_t position() const { return static_cast<uint32_t>(at); }
  SourceRange range(uint32_t begin) const { return {buffer, begin, static_cast<uint32_t>(at)}; }

  void skipSpace();            ///< Skips blanks of this line.
  void skipSpaceAndComments(); ///< Skips blanks, ends of lines, and `#` comments.
  /// Takes the character if it is next. Returns whether it was.
  bool take(char c);
  /// Takes the character, or reports that something else is there.
  llvm::LogicalResult expect(char c);
  bool startsWith(llvm::StringRef prefix) const { return text.substr(at).starts_with(prefix); }
  /// Whether the word is next and ends there.
  bool atWord(llvm::StringRef word) const;
  /// Takes the word if it is next and ends there. Returns whether it did.
  bool takeWord(llvm::StringRef word);
  /// Takes `->` if it is next. Returns whether it was.
  bool takeArrow();
  bool atBlock() const;            ///< Whether a block begins here, as in `block0(`.
  llvm::StringRef takeName();      ///< Takes letters, digits, `_` and `.`.
  llvm::StringRef takeValueName(); ///< Takes names with `::` between them.
  llvm::StringRef takeSymbol();    ///< Takes a name that may hold `::`.
  /// Takes the text up to one of the characters of `stops`, or to the end.
  llvm::StringRef takeUntil(llvm::StringRef stops);
  llvm::LogicalResult skipBrackets(); ///< Skips from an opening bracket to the one that closes it.
  bool bracketIsFollowedByAnother() const;
  /// Whether a `with NAME = graph(…)` of the text defines a graph of that name.
  bool definesSubgraph(llvm::StringRef name) const;

  /// Takes the type here, which ends before `,`, `)`, `=`, `]` or the end of the line, outside of brackets. Null after
  /// a report.
  const Type *takeType();
  /// Takes `# file:line:col`. Returns no valid range for another comment.
  SourceRange takeRangeComment();
  /// Takes what follows `name=`. `hint` is the type of the constant it is the value of, if it is one.
  llvm::FailureOr<AttributeValue> parseAttribute(Symbol name, const Type *hint);

  /// Reports what is wrong with the text from `begin` to here, or with one character where nothing was taken.
  template <typename... Args> llvm::LogicalResult fail(uint32_t begin, const DiagnosticKind &kind, Args &&...args) {
    uint32_t end = std::max<uint32_t>(begin + 1, position());
    return diags.report(SourceRange(buffer, begin, std::min<uint32_t>(end, text.size())), kind,
                        std::forward<Args>(args)...);
  }
  llvm::LogicalResult fail(const DiagnosticKind &kind) { return fail(position(), kind); }

private:
  llvm::FailureOr<IValue> parseLiteral(const Type *hint, unsigned depth);
  bool skipTensorLines();
  llvm::FailureOr<IValue> parseNumber();
  llvm::FailureOr<IValue> parseSequence(char close, const Type *hint, unsigned depth);
  llvm::FailureOr<IValue> parseBraces(const Type *hint, unsigned depth);
  llvm::FailureOr<IValue> parseString();
  llvm::FailureOr<std::vector<const Type *>> parseTypes();

  Context &context;
  const SourceBuffer &buffer;
  DiagnosticEngine &diags;
  llvm::StringRef text;
  size_t at = 0;
  llvm::StringMap<const Type *> knownTypes; ///< Most types of a file are a few texts over and over.
  llvm::StringMap<bool> subgraphs;          ///< Names after `with`.
};

} // namespace tsc

#endif
