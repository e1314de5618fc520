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

  void skipSpace();            ///< Blanks of this line.
  void skipSpaceAndComments(); ///< And of further lines, with `#` comments.
  bool take(char c);
  llvm::LogicalResult expect(char c);
  bool startsWith(llvm::StringRef prefix) const { return text.substr(at).starts_with(prefix); }
  bool atWord(llvm::StringRef word) const;
  bool takeWord(llvm::StringRef word);
  bool takeArrow();
  bool atBlock() const;            ///< `block0(`
  llvm::StringRef takeName();      ///< Letters, digits, `_`, `.`.
  llvm::StringRef takeValueName(); ///< Names with `::` between them.
  llvm::StringRef takeSymbol();    ///< A name that may hold `::`.
  llvm::StringRef takeUntil(llvm::StringRef stops);
  llvm::LogicalResult skipBrackets(); ///< From an opening bracket to the one that closes it.
  bool bracketIsFollowedByAnother() const;
  bool definesSubgraph(llvm::StringRef name) const;

  /// The type here, which ends before `,`, `)`, `=`, `]` or the end of the line, outside of brackets. Null after a
  /// report.
  const Type *takeType();
  /// `# file:line:col`; invalid for another comment.
  SourceRange takeRangeComment();
  /// What follows `name=`. `hint` is the type of the constant it is the value of, if it is one.
  llvm::FailureOr<AttributeValue> parseAttribute(Symbol name, const Type *hint);

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
