//===- Lexer.cpp - Characters to tokens -----------------------------------===//
//
// One pass over the text. Indentation is worked out at the start of each
// logical line; open brackets are kept on a stack, which also tells whether a
// line end counts.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Lexer.h"
#include "tsc/Frontend/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace tsc;
using llvm::StringRef;

/// Far beyond any program; offsets in a source are 32 bits, and a tree is many times its text.
static constexpr size_t maxSourceBytes = size_t(64) << 20;

static constexpr StringRef kindTexts[] = {
#define TOKEN(Kind, text) text,
#include "tsc/Frontend/Tokens.def"
};

StringRef tsc::tokenKindText(TokenKind kind) { return kindTexts[static_cast<size_t>(kind)]; }

static bool isIdentStart(char c) { return llvm::isAlpha(c) || c == '_' || (c & 0x80); }
bool tsc::isIdentPart(char c) { return isIdentStart(c) || llvm::isDigit(c); }

static TokenKind classifyWord(StringRef word) {
  static const auto *keywords = [] {
    auto *map = new llvm::StringMap<TokenKind>();
#define KEYWORD(Kind, text) (*map)[text] = TokenKind::Kind;
#include "tsc/Frontend/Tokens.def"
    return map;
  }();
  auto found = keywords->find(word);
  return found == keywords->end() ? TokenKind::Ident : found->second;
}

namespace {

class Lexer {
public:
  Lexer(const SourceBuffer &buffer, uint32_t begin, uint32_t end, LexMode mode, DiagnosticEngine &diags)
      : buffer(buffer), text(buffer.text().substr(0, end)), diags(diags), mode(mode), at(begin) {}

  llvm::FailureOr<TokenStream> run();

private:
  struct Bracket {
    char open;
    uint32_t offset;
  };

  char peek(uint32_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  bool atEnd() const { return at >= text.size(); }
  bool atLineEnd() const { return peek() == '\n' || peek() == '\r'; }
  SourceRange rangeFrom(uint32_t begin) const { return {buffer, begin, at}; }
  void add(TokenKind kind, uint32_t begin) { out.tokens.push_back({kind, begin, at}); }
  bool joinsLines() const { return mode == LexMode::Expression || !brackets.empty(); }

  void skipLineEnd();
  void skipComment();
  llvm::LogicalResult skipSpace();
  llvm::LogicalResult startLine();
  llvm::LogicalResult lexToken();
  llvm::LogicalResult lexNumber();
  llvm::LogicalResult lexString(uint32_t begin);
  llvm::LogicalResult lexPunctuation();
  llvm::LogicalResult trackBracket(char c, uint32_t offset);
  void endLine();

  const SourceBuffer &buffer;
  StringRef text;
  DiagnosticEngine &diags;
  LexMode mode;
  uint32_t at;
  std::vector<Bracket> brackets;
  std::vector<unsigned> indents;
  TokenStream out;
};

} // namespace

void Lexer::skipLineEnd() {
  if (peek() == '\r' && peek(1) == '\n')
    ++at;
  ++at;
}

/// Skips to the end of the line and remembers what stands behind `# type:`.
void Lexer::skipComment() {
  uint32_t begin = at;
  while (!atEnd() && !atLineEnd())
    ++at;
  StringRef body = text.slice(begin, at);
  StringRef rest = body.drop_front().ltrim(" \t#");
  if (!rest.consume_front("type:"))
    return;
  rest = rest.trim(" \t");
  if (rest.empty() || rest.starts_with("ignore"))
    return;
  uint32_t first = rest.data() - text.data();
  out.typeComments.push_back(
      {first, first + static_cast<uint32_t>(rest.size()), static_cast<uint32_t>(out.tokens.size())});
}

/// Skips what separates tokens of one logical line.
llvm::LogicalResult Lexer::skipSpace() {
  for (; !atEnd();) {
    char c = peek();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++at;
    } else if (c == '#') {
      skipComment();
    } else if (c == '\\') {
      uint32_t begin = at++;
      if (!atLineEnd())
        return diags.report({buffer, begin, begin + 1}, diag::StrayBackslash);
      skipLineEnd();
    } else if (atLineEnd() && joinsLines()) {
      skipLineEnd();
    } else {
      break;
    }
  }
  return llvm::success();
}

/// Skips blank lines, then compares the indentation of the next one with the blocks around it.
llvm::LogicalResult Lexer::startLine() {
  unsigned column = 0;
  uint32_t begin = at;
  for (; !atEnd();) {
    char c = peek();
    if (c == ' ') {
      ++column, ++at;
    } else if (c == '\t') {
      column = column / 8 * 8 + 8, ++at;
    } else if (c == '\f') {
      column = 0, ++at;
    } else if (c == '#') {
      skipComment();
    } else if (atLineEnd()) {
      skipLineEnd();
      column = 0, begin = at;
    } else {
      break;
    }
  }
  if (atEnd())
    return llvm::success();
  if (indents.empty())
    indents.push_back(column); // text may be indented as a whole
  if (column > indents.back()) {
    indents.push_back(column);
    add(TokenKind::Indent, begin);
    return llvm::success();
  }
  while (column < indents.back()) {
    if (indents.size() == 1 || column > indents[indents.size() - 2])
      return diags.report(rangeFrom(begin), diag::InconsistentDedent);
    indents.pop_back();
    add(TokenKind::Dedent, at);
  }
  return llvm::success();
}

void Lexer::endLine() {
  if (!out.tokens.empty() && out.tokens.back().kind != TokenKind::Newline)
    add(TokenKind::Newline, at);
}

llvm::LogicalResult Lexer::trackBracket(char c, uint32_t offset) {
  if (c == '(' || c == '[' || c == '{') {
    brackets.push_back({c, offset});
    return llvm::success();
  }
  if (brackets.empty())
    return diags.report(rangeFrom(offset), diag::UnmatchedBracket, StringRef(&c, 1));
  Bracket open = brackets.back();
  char wanted = open.open == '(' ? ')' : open.open == '[' ? ']' : '}';
  if (c != wanted)
    return diags.report(rangeFrom(offset), diag::MismatchedBracket, StringRef(&c, 1), StringRef(&open.open, 1))
        .note({buffer, open.offset, open.offset + 1}, diag::OpenedHere);
  brackets.pop_back();
  return llvm::success();
}

llvm::LogicalResult Lexer::lexPunctuation() {
  uint32_t begin = at;
  StringRef rest = text.drop_front(at);
#define PUNCTUATION(Kind, spelling)                                                                                    \
  if (rest.starts_with(spelling)) {                                                                                    \
    at += StringRef(spelling).size();                                                                                  \
    add(TokenKind::Kind, begin);                                                                                       \
    return StringRef("()[]{}").contains(rest[0]) ? trackBracket(rest[0], begin) : llvm::success();                     \
  }
#include "tsc/Frontend/Tokens.def"
  ++at;
  std::string shown;
  if (llvm::isPrint(rest[0]))
    shown = "'" + rest.substr(0, 1).str() + "'";
  else
    shown = "'\\x" + llvm::utohexstr(static_cast<unsigned char>(rest[0]), /*LowerCase=*/true, 2) + "'";
  return diags.report(rangeFrom(begin), diag::InvalidCharacter, shown);
}

/// Finds where a number ends; the parser reads its value.
llvm::LogicalResult Lexer::lexNumber() {
  uint32_t begin = at;
  auto digits = [&](auto accepts) {
    while (accepts(peek()) || peek() == '_')
      ++at;
  };
  char base = llvm::toLower(peek(1));
  if (peek() == '0' && (base == 'x' || base == 'o' || base == 'b')) {
    at += 2;
    digits([](char c) { return llvm::isHexDigit(c); });
  } else {
    digits(llvm::isDigit);
    if (peek() == '.') {
      ++at;
      digits(llvm::isDigit);
    }
    if (llvm::toLower(peek()) == 'e' &&
        (llvm::isDigit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && llvm::isDigit(peek(2))))) {
      at += 2;
      digits(llvm::isDigit);
    }
    if (llvm::toLower(peek()) == 'j')
      ++at;
  }
  if (isIdentPart(peek())) {
    // `1if x else y` is legal; `1abc` is not.
    uint32_t wordEnd = at;
    while (wordEnd < text.size() && isIdentPart(text[wordEnd]))
      ++wordEnd;
    if (classifyWord(text.slice(at, wordEnd)) == TokenKind::Ident) {
      at = wordEnd;
      return diags.report(rangeFrom(begin), diag::InvalidNumber, text.slice(begin, at));
    }
  }
  add(TokenKind::Number, begin);
  return llvm::success();
}

/// `at` stands on the quote; `begin` on the prefix.
llvm::LogicalResult Lexer::lexString(uint32_t begin) {
  char quote = peek();
  bool triple = peek(1) == quote && peek(2) == quote;
  at += triple ? 3 : 1;
  for (;; ++at) {
    if (atEnd() || (!triple && atLineEnd()))
      return diags.report({buffer, begin, std::min<uint32_t>(at, text.size())}, diag::UnterminatedString,
                          StringRef(&quote, 1));
    if (peek() == '\\' && at + 1 < text.size()) {
      if (peek(1) == '\r' && peek(2) == '\n')
        ++at;
      ++at;
      continue;
    }
    if (peek() == quote && (!triple || (peek(1) == quote && peek(2) == quote)))
      break;
  }
  at += triple ? 3 : 1;
  add(TokenKind::String, begin);
  return llvm::success();
}

static bool isStringPrefix(StringRef word) {
  std::string lower = word.lower();
  return llvm::is_contained({"r", "b", "f", "u", "rb", "br", "rf", "fr"}, lower);
}

llvm::LogicalResult Lexer::lexToken() {
  char c = peek();
  uint32_t begin = at;
  if (isIdentStart(c)) {
    while (isIdentPart(peek()) && !atEnd())
      ++at;
    StringRef word = text.slice(begin, at);
    if ((peek() == '"' || peek() == '\'') && isStringPrefix(word))
      return lexString(begin);
    add(classifyWord(word), begin);
    return llvm::success();
  }
  if (llvm::isDigit(c) || (c == '.' && llvm::isDigit(peek(1))))
    return lexNumber();
  if (c == '"' || c == '\'')
    return lexString(begin);
  return lexPunctuation();
}

llvm::FailureOr<TokenStream> Lexer::run() {
  if (text.drop_front(at).starts_with("\xEF\xBB\xBF"))
    at += 3;
  if (mode == LexMode::File && failed(startLine()))
    return llvm::failure();
  while (true) {
    if (failed(skipSpace()))
      return llvm::failure();
    if (atEnd())
      break;
    if (atLineEnd()) {
      endLine();
      skipLineEnd();
      if (failed(startLine()))
        return llvm::failure();
      continue;
    }
    if (failed(lexToken()))
      return llvm::failure();
  }
  if (!brackets.empty()) {
    Bracket open = brackets.back();
    return diags.report({buffer, open.offset, open.offset + 1}, diag::NeverClosed, StringRef(&open.open, 1));
  }
  if (mode == LexMode::File) {
    endLine();
    for (; indents.size() > 1; indents.pop_back())
      add(TokenKind::Dedent, at);
  }
  add(TokenKind::Eof, at);
  return std::move(out);
}

llvm::FailureOr<TokenStream> tsc::lex(const SourceBuffer &buffer, uint32_t begin, uint32_t end, LexMode mode,
                                      DiagnosticEngine &diags) {
  if (buffer.text().size() > maxSourceBytes)
    return diags.report({}, diag::FileTooLarge, maxSourceBytes);
  return Lexer(buffer, begin, end, mode, diags).run();
}

/// Where a text that is no tokens goes wrong at its end because it is not all there.
static bool isCutOff(const Diagnostic &error, StringRef text) {
  if (error.kind == &diag::NeverClosed)
    return true;
  if (error.range.end() != text.size())
    return false;
  StringRef quoted = error.range.text().ltrim("rRbBuUfF");
  return error.kind == &diag::StrayBackslash ||
         (error.kind == &diag::UnterminatedString && (quoted.starts_with("\"\"\"") || quoted.starts_with("'''")));
}

TextEnd tsc::endOfText(StringRef text) {
  SourceBuffer buffer("", text.str());
  DiagnosticEngine diags;
  llvm::FailureOr<TokenStream> lexed = lex(buffer, 0, static_cast<uint32_t>(text.size()), LexMode::File, diags);
  if (failed(lexed)) {
    if (isCutOff(diags.all().front(), text))
      return TextEnd::InsideLine;
    // The compiler says what is wrong, once the block is whole that it stands in.
    StringRef line = text.rtrim('\n').rsplit('\n').second;
    return line.starts_with(" ") || line.starts_with("\t") ? TextEnd::InsideBlock : TextEnd::Whole;
  }
  const std::vector<Token> &tokens = lexed->tokens;
  for (auto [i, token] : llvm::enumerate(tokens)) {
    const bool beginsLine =
        i == 0 || llvm::is_contained({TokenKind::Newline, TokenKind::Indent, TokenKind::Dedent}, tokens[i - 1].kind);
    if ((token.kind == TokenKind::At && beginsLine) ||
        (token.kind == TokenKind::Newline && tokens[i - 1].kind == TokenKind::Colon))
      return TextEnd::InsideBlock;
  }
  // The line after a backslash is there, and empty.
  return text.ends_with("\\\n") && !tokens.empty() ? TextEnd::InsideLine : TextEnd::Whole;
}
