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

/// What follows `# type:` up to the end of the line.
struct TypeComment {
  uint32_t begin, end;
  uint32_t nextToken; ///< Index of the token that comes after the comment.
};

struct TokenStream {
  std::vector<Token> tokens; ///< Ends with one Eof.
  std::vector<TypeComment> typeComments;
};

enum class LexMode {
  File,       ///< Lines and indentation matter.
  Expression, ///< As inside brackets.
};

/// Whether a name goes on with the character.
bool isIdentPart(char c);

/// The tokens of a part of a buffer; linear in its length.
llvm::FailureOr<TokenStream> lex(const SourceBuffer &buffer, uint32_t begin, uint32_t end, LexMode mode,
                                 DiagnosticEngine &diags);

/// How a text that somebody types goes on.
enum class TextEnd {
  Whole,
  InsideLine,  ///< A bracket or a long string is open, or a backslash joins what comes.
  InsideBlock, ///< Lines of a block may follow, or what a decorator stands above.
};
TextEnd endOfText(llvm::StringRef text);

/// What a String token says, quotes and prefix apart.
struct StringParts {
  uint32_t bodyBegin, bodyEnd;
  bool raw = false, bytes = false, format = false;
};
StringParts splitString(const SourceBuffer &buffer, const Token &token);

/// Resolves escapes in [begin, end). An octal escape is a byte, as PyTorch writes and reads archives; `\x`, `\u` and
/// `\U` are code points (bytes in a bytes literal). With `format`, `{{` and `}}` are one brace.
llvm::FailureOr<std::string> unescape(const SourceBuffer &buffer, uint32_t begin, uint32_t end,
                                      const StringParts &parts, DiagnosticEngine &diags);

} // namespace tsc

#endif
