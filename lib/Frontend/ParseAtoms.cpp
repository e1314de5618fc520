//===- ParseAtoms.cpp - Names, literals, brackets, f-strings --------------===//
//
// What an expression starts with: names, numbers, strings (adjacent ones joined),
// f-strings with expressions inside, brackets, and the comprehensions in them.
//
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "tsc/Python/Numbers.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;

const Expr *Parser::parseAtom() {
  Token token = cur();
  switch (token.kind) {
  case TokenKind::Ident: advance(); return namedNode<Var>(textOf(token), rangeOf(token), token.begin);
  case TokenKind::Number: return parseNumber(/*negative=*/false);
  case TokenKind::String: return parseStrings();
  case TokenKind::LeftParen: return parseParens();
  case TokenKind::LeftBracket: return parseBrackets();
  case TokenKind::LeftBrace: return parseBraces();
  case TokenKind::Dots: advance(); return node<Dots>(token.begin);
  case TokenKind::KwNone: advance(); return node<NoneLiteral>(token.begin);
  case TokenKind::KwTrue:
  case TokenKind::KwFalse: {
    advance();
    auto *literal = node<BoolLiteral>(token.begin);
    SyntaxTree::setInt(*literal, token.kind == TokenKind::KwTrue);
    return literal;
  }
  default: return unexpected("ident");
  }
}

/// The lexer has found that these are the digits of a float.
static double parseReal(const std::string &digits) { return python::parseFloat(digits).value_or(0); }

/// `negative`: a minus came before it, whose range is part of the literal's.
const Expr *Parser::parseNumber(bool negative) {
  Token token = cur();
  uint32_t begin = negative ? stream.tokens[at - 1].begin : token.begin;
  advance();
  std::string digits = textOf(token).str();
  llvm::erase(digits, '_');
  StringRef text = digits;
  bool prefixed =
      text.starts_with_insensitive("0x") || text.starts_with_insensitive("0o") || text.starts_with_insensitive("0b");
  if (!prefixed && text.find_first_of(".eEjJ") != StringRef::npos) {
    bool imaginary = text.ends_with_insensitive("j");
    if (imaginary)
      digits.pop_back();
    double value = negative ? -parseReal(digits) : parseReal(digits);
    Tree *literal = imaginary ? static_cast<Tree *>(node<ComplexLiteral>(begin)) : node<FloatLiteral>(begin);
    SyntaxTree::setReal(*literal, value);
    return literal;
  }
  unsigned radix = 10;
  if (prefixed) {
    char base = llvm::toLower(text[1]);
    radix = base == 'x' ? 16 : base == 'o' ? 8 : 2;
    text = text.drop_front(2);
  }
  bool malformed = text.empty() || llvm::any_of(text, [&](char c) { return llvm::hexDigitValue(c) >= radix; });
  if (malformed)
    return fail(rangeOf(token), diag::InvalidNumber, textOf(token));
  uint64_t magnitude = 0, limit = uint64_t(INT64_MAX) + negative;
  if (text.getAsInteger(radix, magnitude) || magnitude > limit)
    return fail(rangeOf(token), diag::IntegerTooLarge, textOf(token));
  auto *literal = node<IntLiteral>(begin);
  SyntaxTree::setInt(*literal, static_cast<int64_t>(negative ? 0 - magnitude : magnitude));
  return literal;
}

/// Adjacent literals are one; any f-string among them makes the whole a FormatString.
const Expr *Parser::parseStrings() {
  uint32_t begin = cur().begin;
  Trees parts;
  std::string pending;
  bool bytes = splitString(buffer, cur()).bytes, anyFormat = false;
  uint32_t pendingBegin = begin;
  auto flush = [&] {
    if (pending.empty())
      return;
    auto *literal = tree.make<StringLiteral>(SourceRange(buffer, pendingBegin, std::max(pendingBegin, cur().end)));
    SyntaxTree::setName(*literal, tree.save(pending));
    parts.push_back(literal);
    pending.clear();
  };
  for (; is(TokenKind::String); advance()) {
    Token token = cur();
    StringParts split = splitString(buffer, token);
    if (split.bytes != bytes)
      return fail(rangeOf(token), diag::MixedBytes);
    if (!split.format) {
      auto text = unescape(buffer, split.bodyBegin, split.bodyEnd, split, diags);
      if (failed(text))
        return nullptr;
      pending += *text;
      continue;
    }
    anyFormat = true;
    flush();
    if (!parseFormatString(token, split, parts))
      return nullptr;
    pendingBegin = token.end;
  }
  if (anyFormat) {
    flush();
    return node<FormatString>(begin, parts);
  }
  auto *literal = node<StringLiteral>(begin);
  SyntaxTree::setName(*literal, tree.save(pending));
  SyntaxTree::setFlags(*literal, bytes);
  return literal;
}

bool Parser::parseFormatString(const Token &token, const StringParts &parts, Trees &out) {
  StringRef text = buffer.text();
  auto literal = [&](uint32_t begin, uint32_t end) {
    if (begin == end)
      return true;
    auto value = unescape(buffer, begin, end, parts, diags);
    if (failed(value))
      return false;
    auto *piece = tree.make<StringLiteral>(SourceRange(buffer, begin, end));
    SyntaxTree::setName(*piece, tree.save(*value));
    out.push_back(piece);
    return true;
  };
  uint32_t pieceBegin = parts.bodyBegin;
  for (uint32_t i = parts.bodyBegin; i < parts.bodyEnd;) {
    char c = text[i];
    if (c == '\\' && !parts.raw && text.substr(i, 3) == "\\N{") { // the braces of a character's name
      i = std::min<size_t>(text.find('}', i), parts.bodyEnd - 1) + 1;
      continue;
    }
    if (c != '{' && c != '}') {
      // `\{` aside, a backslash takes the next character with it.
      i += c == '\\' && !parts.raw && i + 1 < parts.bodyEnd && text[i + 1] != '{' && text[i + 1] != '}' ? 2 : 1;
      continue;
    }
    if (i + 1 < parts.bodyEnd && text[i + 1] == c) {
      i += 2;
      continue;
    }
    if (c == '}')
      return fail({buffer, i, i + 1}, diag::FStringSyntax, "single '}' is not allowed"), false;
    if (!literal(pieceBegin, i))
      return false;
    if (!parseFormatValue(i, parts.bodyEnd, out))
      return false;
    pieceBegin = i;
  }
  return literal(pieceBegin, parts.bodyEnd);
}

/// Where the expression that starts at `i` ends: before `!r`, `:` or `}` outside of brackets and strings.
static uint32_t findExpressionEnd(StringRef text, uint32_t i, uint32_t end) {
  unsigned brackets = 0;
  char quote = 0;
  for (; i < end; ++i) {
    char c = text[i];
    if (quote) {
      if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++brackets;
    } else if (brackets) {
      if (c == ')' || c == ']' || c == '}')
        --brackets;
    } else if (c == '}' || c == ':' || (c == '!' && i + 1 < end && text[i + 1] != '=')) {
      return i;
    } else if (c == '!') {
      ++i;
    }
  }
  return end;
}

/// `pos` stands on the opening brace, and is left after the closing one.
bool Parser::parseFormatValue(uint32_t &pos, uint32_t end, Trees &out) {
  StringRef text = buffer.text();
  uint32_t begin = pos;
  uint32_t exprEnd = findExpressionEnd(text, pos + 1, end);
  auto unclosed = [&] { return fail({buffer, begin, begin + 1}, diag::FStringSyntax, "expecting '}'"), false; };
  if (exprEnd == end)
    return unclosed();
  if (text.slice(pos + 1, exprEnd).trim().empty())
    return fail({buffer, begin, exprEnd + 1}, diag::FStringSyntax, "empty expression not allowed"), false;
  // `{x=}` is the text of the expression and its value.
  StringRef written = text.slice(pos + 1, exprEnd);
  StringRef core = written.rtrim();
  const bool isShown = core.size() > 1 && core.back() == '=' && !StringRef("=!<>").contains(core.drop_back().back());
  if (isShown) {
    auto *literal = tree.make<StringLiteral>(SourceRange(buffer, pos + 1, exprEnd));
    SyntaxTree::setName(*literal, written);
    out.push_back(literal);
    core = core.drop_back();
  }
  const Expr *value = parsePart(pos + 1, isShown ? pos + 1 + core.size() : exprEnd, diags);
  if (!value)
    return false;
  pos = exprEnd;
  char conversion = 0;
  if (text[pos] == '!') {
    conversion = pos + 1 < end ? text[pos + 1] : 0;
    if (conversion != 'r' && conversion != 's' && conversion != 'a')
      return fail({buffer, pos, pos + 1}, diag::FStringSyntax,
                  "invalid conversion character: expected 's', 'r', or 'a'"),
             false;
    pos += 2;
  }
  StringRef spec;
  std::vector<const Tree *> children{value};
  if (pos < end && text[pos] == ':') {
    uint32_t specBegin = ++pos;
    while (pos < end && text[pos] != '}') {
      if (text[pos++] != '{')
        continue;
      uint32_t innerEnd = findExpressionEnd(text, pos, end); // a value in the specification
      if (innerEnd == end || text[innerEnd] != '}')
        return unclosed();
      const Expr *inner = parsePart(pos, innerEnd, diags);
      if (!inner)
        return false;
      children.push_back(inner);
      pos = innerEnd + 1;
    }
    spec = text.slice(specBegin, pos);
  } else if (isShown && !conversion) {
    conversion = 'r';
  }
  if (pos >= end || text[pos] != '}')
    return unclosed();
  ++pos;
  auto *result = tree.make<FormatValue>(SourceRange(buffer, begin, pos), children);
  SyntaxTree::setName(*result, spec);
  SyntaxTree::setInt(*result, conversion);
  out.push_back(result);
  return true;
}

const Expr *Parser::parsePart(uint32_t begin, uint32_t end, DiagnosticEngine &to) {
  Level level(*this);
  if (!level)
    return nullptr;
  auto tokens = lex(buffer, begin, end, LexMode::Expression, to);
  if (failed(tokens))
    return nullptr;
  Parser inner(tree, *std::move(tokens), to);
  inner.nesting = nesting;
  const Expr *value = inner.is(TokenKind::KwYield) ? inner.parseYield() : inner.parseTestList(/*allowStars=*/true);
  return value && inner.expect(TokenKind::Eof) ? value : nullptr;
}

/// Elements up to the closing bracket, which stays. A trailing comma is fine.
bool Parser::parseElements(TokenKind close, Trees &elements) {
  while (!is(close)) {
    elements.push_back(parseStarOrTest(/*namedAllowed=*/true));
    if (!elements.back())
      return false;
    if (!accept(TokenKind::Comma))
      break;
  }
  return true;
}

const Expr *Parser::parseParens() {
  uint32_t begin = cur().begin;
  advance();
  if (accept(TokenKind::RightParen))
    return node<TupleLiteral>(begin);
  if (is(TokenKind::KwYield)) {
    const Expr *value = parseYield();
    return value && expect(TokenKind::RightParen) ? value : nullptr;
  }
  const Expr *first = parseStarOrTest(/*namedAllowed=*/true);
  if (!first)
    return nullptr;
  if (is(TokenKind::KwFor) || is(TokenKind::KwAsync)) {
    const List *loops = parseComprehensions();
    return loops && expect(TokenKind::RightParen) ? node<GeneratorExpr>(begin, {first, loops}) : nullptr;
  }
  if (!is(TokenKind::Comma))
    return expect(TokenKind::RightParen) ? first : nullptr;
  advance();
  Trees elements{first};
  if (!parseElements(TokenKind::RightParen, elements) || !expect(TokenKind::RightParen))
    return nullptr;
  return node<TupleLiteral>(begin, elements);
}

const Expr *Parser::parseBrackets() {
  uint32_t begin = cur().begin;
  advance();
  Trees elements;
  if (is(TokenKind::RightBracket)) {
    advance();
    return node<ListLiteral>(begin);
  }
  const Expr *first = parseStarOrTest(/*namedAllowed=*/true);
  if (!first)
    return nullptr;
  if (is(TokenKind::KwFor) || is(TokenKind::KwAsync)) {
    const List *loops = parseComprehensions();
    return loops && expect(TokenKind::RightBracket) ? node<ListComp>(begin, {first, loops}) : nullptr;
  }
  elements.push_back(first);
  if (accept(TokenKind::Comma) && !parseElements(TokenKind::RightBracket, elements))
    return nullptr;
  return expect(TokenKind::RightBracket) ? node<ListLiteral>(begin, elements) : nullptr;
}

/// A dict, a set, or a comprehension of either.
const Expr *Parser::parseBraces() {
  uint32_t begin = cur().begin;
  advance();
  Trees keys, values;
  bool isSet = false, first = true;
  for (; !is(TokenKind::RightBrace); first = false) {
    uint32_t entryBegin = cur().begin;
    if (!isSet && accept(TokenKind::StarStar)) {
      const Expr *unpacked = parseExpr(1);
      if (!unpacked)
        return nullptr;
      keys.push_back(node<DoubleStarred>(entryBegin, {unpacked}));
      values.push_back(keys.back());
    } else {
      const Expr *key = parseStarOrTest(/*namedAllowed=*/true);
      if (!key)
        return nullptr;
      if (first)
        isSet = !is(TokenKind::Colon);
      const Expr *value = nullptr;
      if (!isSet) {
        if (!expect(TokenKind::Colon) || !(value = parseNamedPart()))
          return nullptr;
      }
      if (first && (is(TokenKind::KwFor) || is(TokenKind::KwAsync))) {
        const List *loops = parseComprehensions();
        if (!loops || !expect(TokenKind::RightBrace))
          return nullptr;
        if (isSet)
          return node<SetComp>(begin, {key, loops});
        return node<DictComp>(begin, {key, value, loops});
      }
      keys.push_back(key);
      if (!isSet)
        values.push_back(value);
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  const List *keyList = list(keys), *valueList = list(values);
  if (!expect(TokenKind::RightBrace))
    return nullptr;
  if (isSet)
    return node<SetLiteral>(begin, keys);
  return node<DictLiteral>(begin, {keyList, valueList});
}
