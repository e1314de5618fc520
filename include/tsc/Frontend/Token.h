//===- Token.h - The words of the language ----------------------*- C++ -*-===//
#ifndef TSC_FRONTEND_TOKEN_H
#define TSC_FRONTEND_TOKEN_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

/// The kinds of tokens (Tokens.def).
enum class TokenKind : uint8_t {
#define TOKEN(Kind, text) Kind,
#include "tsc/Frontend/Tokens.def"
};

/// Returns what messages call a kind of token: `+`, `def`, `NEWLINE`, `ident`.
llvm::StringRef tokenKindText(TokenKind kind);

/// A token, with its half-open range of bytes in the buffer. A Newline, Indent or Dedent covers the place where it was
/// noticed; a String covers its prefix and quotes.
struct Token {
  TokenKind kind = TokenKind::Eof;
  uint32_t begin = 0, end = 0;
};

} // namespace tsc

#endif
