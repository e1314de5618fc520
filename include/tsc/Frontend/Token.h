//===- Token.h - The words of the language ----------------------*- C++ -*-===//
#ifndef TSC_FRONTEND_TOKEN_H
#define TSC_FRONTEND_TOKEN_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tsc {

enum class TokenKind : uint8_t {
#define TOKEN(Kind, text) Kind,
#include "tsc/Frontend/Tokens.def"
};

/// `+`, `def`, `NEWLINE`, `ident`: as messages say it.
llvm::StringRef tokenKindText(TokenKind kind);

/// A half-open range of the buffer. A Newline, Indent or Dedent covers the place where it was noticed; a String
/// covers prefix and quotes.
struct Token {
  TokenKind kind = TokenKind::Eof;
  uint32_t begin = 0, end = 0;
};

} // namespace tsc

#endif
