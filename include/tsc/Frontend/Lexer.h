//===- Lexer.h - Characters to tokens ---------------------------*- C++ -*-===//
//
// Python's lexical rules: indentation (a tab goes to the next multiple of 8),
// lines joined inside brackets and by backslash, comments, strings with all
// prefixes, numbers. `# type:` comments are kept beside the tokens.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_LEXER_H
#define TSC_FRONTEND_LEXER_H

#include "tsc/Frontend/Token.h"
#include "tsc/Support/Diagnostics.h"
#include <vector>

namespace tsc {

/// The text that follows `# type:` up to the end of the line, as a range of bytes.
struct TypeComment {
  uint32_t begin, end;
  uint32_t nextToken; ///< The index of the first token behind the comment.
};

/// The tokens of a text, and beside them its type comments.
struct TokenStream {
  std::vector<Token> tokens; ///< Ends with one Eof.
  std::vector<TypeComment> typeComments;
};

/// Whether the text is a file or an expression.
enum class LexMode {
  File,       ///< Lines and indentation matter.
  Expression, ///< Line ends are blanks, as inside brackets.
};

/// Whether a byte can stand inside a name; any byte of a character beyond ASCII can.
bool isIdentPart(char c);

/// Splits [begin, end) of a buffer into tokens, in linear time. Reports the first error and returns failure.
llvm::FailureOr<TokenStream> lex(const SourceBuffer &buffer, uint32_t begin, uint32_t end, LexMode mode,
                                 DiagnosticEngine &diags);

/// Whether a text that somebody types is complete, or how it goes on.
enum class TextEnd {
  Whole,       ///< The text is complete.
  InsideLine,  ///< A bracket or a long string is open, or a backslash joins the next line.
  InsideBlock, ///< Lines of a block may follow, or the definition that a decorator is for.
};
/// Returns how a text ends. One that is wrong in another way than being cut off counts as whole, or as inside a block
/// when its last line is indented.
TextEnd endOfText(llvm::StringRef text);

/// Where the characters of a String token are, in bytes of the buffer, and what its prefix says.
struct StringParts {
  uint32_t bodyBegin, bodyEnd;
  bool raw = false, bytes = false, format = false;
};
/// Separates the prefix and the quotes of a String token from its characters.
StringParts splitString(const SourceBuffer &buffer, const Token &token);

/// Returns the characters of [begin, end) with escapes resolved as `parts` says, in UTF-8. An octal escape is one byte,
/// as PyTorch writes and reads archives; `\x`, `\u` and `\U` are code points (`\x` in a bytes literal: a byte). With
/// `format`, `{{` and `}}` are one brace. Reports a malformed escape and returns failure.
llvm::FailureOr<std::string> unescape(const SourceBuffer &buffer, uint32_t begin, uint32_t end,
                                      const StringParts &parts, DiagnosticEngine &diags);

} // namespace tsc

#endif
