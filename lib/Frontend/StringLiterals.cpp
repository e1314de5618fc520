//===- StringLiterals.cpp - What a string token stands for ----------------===//
#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"

using namespace tsc;
using llvm::StringRef;

StringParts tsc::splitString(const SourceBuffer &buffer, const Token &token) {
  StringRef text = buffer.text().slice(token.begin, token.end);
  StringParts parts{token.begin, token.end};
  while (text.front() != '"' && text.front() != '\'') {
    char c = llvm::toLower(text.front());
    parts.raw |= c == 'r';
    parts.bytes |= c == 'b';
    parts.format |= c == 'f';
    text = text.drop_front();
    ++parts.bodyBegin;
  }
  bool triple = text.size() >= 6 && text[1] == text[0] && text[2] == text[0];
  parts.bodyBegin += triple ? 3 : 1;
  parts.bodyEnd -= triple ? 3 : 1;
  return parts;
}

static void appendCodePoint(std::string &out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | c >> 18);
    out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

/// The character a one-letter escape means, or -1.
static int simpleEscape(char c) {
  switch (c) {
  case '\\':
  case '\'':
  case '"': return c;
  case 'a': return '\a';
  case 'b': return '\b';
  case 'f': return '\f';
  case 'n': return '\n';
  case 'r': return '\r';
  case 't': return '\t';
  case 'v': return '\v';
  default: return -1;
  }
}

static unsigned hexDigits(char escape) { return escape == 'x' ? 2 : escape == 'u' ? 4 : escape == 'U' ? 8 : 0; }

llvm::FailureOr<std::string> tsc::unescape(const SourceBuffer &buffer, uint32_t begin, uint32_t end,
                                           const StringParts &parts, DiagnosticEngine &diags) {
  StringRef text = buffer.text().slice(begin, end);
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (parts.format && (c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      out += c;
      i += 2;
      continue;
    }
    if (c == '\r') { // line ends read as one '\n'
      out += '\n';
      i += i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
      continue;
    }
    if (c != '\\' || parts.raw || i + 1 == text.size()) {
      out += c;
      ++i;
      continue;
    }
    char e = text[i + 1];
    if (e == '\n' || e == '\r') {
      i += e == '\r' && i + 2 < text.size() && text[i + 2] == '\n' ? 3 : 2;
    } else if (int simple = simpleEscape(e); simple >= 0) {
      out += static_cast<char>(simple);
      i += 2;
    } else if (e >= '0' && e <= '7') {
      unsigned value = 0, n = 0;
      for (; n < 3 && i + 1 + n < text.size() && text[i + 1 + n] >= '0' && text[i + 1 + n] <= '7'; ++n)
        value = value * 8 + (text[i + 1 + n] - '0');
      out += static_cast<char>(value);
      i += 1 + n;
    } else if (unsigned count = hexDigits(e); count && (e == 'x' || !parts.bytes)) {
      StringRef digits = text.substr(i + 2, count);
      uint32_t value = 0;
      if (digits.size() != count || digits.getAsInteger(16, value) || value > 0x10FFFF ||
          (value >= 0xD800 && value < 0xE000))
        return diags.report(
            {buffer, static_cast<uint32_t>(begin + i), static_cast<uint32_t>(begin + i + 2 + digits.size())},
            diag::InvalidEscape, text.substr(i, 2 + count));
      if (parts.bytes)
        out += static_cast<char>(value);
      else
        appendCodePoint(out, value);
      i += 2 + count;
    } else if (e == 'N' && !parts.bytes) { // \N{NAME}
      size_t close = text.find('}', i + 2);
      StringRef name = text.substr(i + 2, 1) == "{" && close != StringRef::npos ? text.slice(i + 3, close) : "";
      std::optional<char32_t> character = llvm::sys::unicode::nameToCodepointStrict(name.upper());
      if (!character)
        return diags.report({buffer, static_cast<uint32_t>(begin + i), static_cast<uint32_t>(begin + i + 2)},
                            diag::InvalidEscape, "\\N");
      appendCodePoint(out, *character);
      i = close + 1;
    } else { // Python keeps what it does not know
      out += c;
      ++i;
    }
  }
  return out;
}
