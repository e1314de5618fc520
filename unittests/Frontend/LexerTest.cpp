//===- LexerTest.cpp - Tokens, indentation, strings -----------------------===//
#include "tsc/Frontend/Lexer.h"
#include "tsc/Frontend/Diagnostics.h"
#include <catch2/catch.hpp>

using namespace tsc;

/// Token kinds with spaces between; `!` and the message on failure.
static std::string lexed(std::string text) {
  SourceBuffer buffer("t.py", std::move(text));
  DiagnosticEngine diags;
  auto stream = lex(buffer, 0, buffer.text().size(), LexMode::File, diags);
  if (failed(stream))
    return "!" + diags.all().front().message;
  std::string out;
  for (const Token &token : stream->tokens)
    out += (out.empty() ? "" : " ") + tokenKindText(token.kind).str();
  return out;
}

static std::string stringValue(std::string text) {
  SourceBuffer buffer("t.py", std::move(text));
  DiagnosticEngine diags;
  auto stream = lex(buffer, 0, buffer.text().size(), LexMode::Expression, diags);
  REQUIRE(succeeded(stream));
  StringParts parts = splitString(buffer, stream->tokens[0]);
  auto value = unescape(buffer, parts.bodyBegin, parts.bodyEnd, parts, diags);
  return succeeded(value) ? *value : "!" + diags.all().front().message;
}

TEST_CASE("indentation opens and closes blocks") {
  CHECK(lexed("if a:\n  b\n\n  # note\nc") ==
        "if ident : NEWLINE INDENT ident NEWLINE DEDENT ident NEWLINE end of file");
  CHECK(lexed("if a:\n\tb\n        c\n") == "if ident : NEWLINE INDENT ident NEWLINE ident NEWLINE DEDENT end of file");
  CHECK(lexed("if a:\n    b\n  c\n") == "!invalid indent level: it matches no outer block");
  CHECK(lexed("  a\n  b\n") == "ident NEWLINE ident NEWLINE end of file");
  CHECK(lexed("") == "end of file");
  CHECK(lexed("a\r\nb\rc") == "ident NEWLINE ident NEWLINE ident NEWLINE end of file");
}

TEST_CASE("lines join inside brackets and after a backslash") {
  CHECK(lexed("f(a,\n   b)") == "ident ( ident , ident ) NEWLINE end of file");
  CHECK(lexed("a = \\\n  b") == "ident = ident NEWLINE end of file");
  CHECK(lexed("a \\ b") == "!unexpected character after line continuation character");
}

TEST_CASE("brackets match") {
  CHECK(lexed("f(a") == "!'(' was never closed");
  CHECK(lexed("f)") == "!unmatched ')'");
  CHECK(lexed("(]") == "!closing ']' does not match opening '('");
  CHECK(lexed("a ? b") == "!invalid character '?'");
  CHECK(lexed(std::string("a \x01", 3)) == "!invalid character '\\x01'");
}

TEST_CASE("numbers end where they should") {
  CHECK(lexed("1.5e-05 0x1F 1_000 2j .5 1.") == "number number number number number number NEWLINE end of file");
  CHECK(lexed("1if x else 2") == "number if ident else number NEWLINE end of file");
  CHECK(lexed("1abc") == "!invalid number '1abc'");
  CHECK(lexed("1...2") == "number . number NEWLINE end of file");
}

TEST_CASE("strings") {
  CHECK(stringValue(R"('a\n\x41\101\\\q')") == "a\nAA\\\\q");
  CHECK(stringValue(R"(r'a\n')") == "a\\n");
  CHECK(stringValue("'''a\nb'''") == "a\nb");
  CHECK(stringValue("'a\\\nb'") == "ab");
  CHECK(stringValue(R"("\u00e9\xe9")") == "\xC3\xA9\xC3\xA9");
  CHECK(stringValue(R"("\303\251")") == "\xC3\xA9"); // bytes, as PyTorch writes them
  CHECK(stringValue(R"("\ud800")") == "!invalid escape sequence '\\ud800'");
  CHECK(lexed("'abc") == "!expected a valid token but found ''' here: the string has no end");
  CHECK(lexed("'abc\\") == "!expected a valid token but found ''' here: the string has no end");
}

TEST_CASE("type comments are kept beside the tokens") {
  SourceBuffer buffer("t.py", "def f(a):\n    # type: (int) -> int\n    return a  # type: ignore\n");
  DiagnosticEngine diags;
  auto stream = lex(buffer, 0, buffer.text().size(), LexMode::File, diags);
  REQUIRE(succeeded(stream));
  REQUIRE(stream->typeComments.size() == 1);
  const TypeComment &comment = stream->typeComments[0];
  CHECK(buffer.text().slice(comment.begin, comment.end) == "(int) -> int");
  CHECK(stream->tokens[comment.nextToken].kind == TokenKind::Indent);
}
