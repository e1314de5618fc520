//===- ParseAlternatives.cpp - try and match ------------------------------===//
#include "ParserImpl.h"

using namespace tsc;

/// `except type as name:` and its block.
const Tree *Parser::parseHandler() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *type = nullptr;
  StringRef name;
  if (!is(TokenKind::Colon)) {
    if (!(type = parseTestList(/*allowStars=*/false)))
      return nullptr;
    if (accept(TokenKind::KwAs)) {
      name = textOf(cur());
      if (!expect(TokenKind::Ident))
        return nullptr;
    }
  }
  SourceRange head = rangeFrom(begin);
  const List *body = expect(TokenKind::Colon) ? parseBlock("except") : nullptr;
  if (!body)
    return nullptr;
  Tree *handler =
      tree.make<ExceptHandler>(SourceRange(buffer, begin, std::max(begin, body->range().end())), {type, body});
  SyntaxTree::setName(*handler, name);
  SyntaxTree::setPoint(*handler, head);
  return handler;
}

const Stmt *Parser::parseTry() {
  uint32_t begin = cur().begin;
  auto block = [&](StringRef after) { return expect(TokenKind::Colon) ? parseBlock(after) : nullptr; };
  advance();
  const List *body = block("try"), *otherwise = nullptr, *last = nullptr;
  if (!body)
    return nullptr;
  Trees handlers;
  while (is(TokenKind::KwExcept)) {
    handlers.push_back(parseHandler());
    if (!handlers.back())
      return nullptr;
  }
  if (handlers.empty() && !is(TokenKind::KwFinally))
    return unexpected("except");
  if (accept(TokenKind::KwElse) && !(otherwise = block("else")))
    return nullptr;
  if (accept(TokenKind::KwFinally) && !(last = block("finally")))
    return nullptr;
  uint32_t end = body->range().end();
  for (const Tree *part : {handlers.empty() ? nullptr : handlers.back(), static_cast<const Tree *>(otherwise),
                           static_cast<const Tree *>(last)})
    if (part)
      end = std::max(end, part->range().end());
  const List *handlerList = list(handlers);
  return tree.make<Try>(SourceRange(buffer, begin, std::max(begin, end)), {body, handlerList, otherwise, last});
}

/// Whether a statement begins here that reads `match …:` and has cases: `match` is a name like others elsewhere.
bool Parser::isMatch() const {
  if (!is(TokenKind::Ident) || textOf(cur()) != "match")
    return false;
  size_t end = at + 1;
  while (stream.tokens[end].kind != TokenKind::Newline && stream.tokens[end].kind != TokenKind::Eof)
    ++end;
  return end + 2 < stream.tokens.size() && end > at + 1 && stream.tokens[end - 1].kind == TokenKind::Colon &&
         stream.tokens[end + 1].kind == TokenKind::Indent && stream.tokens[end + 2].kind == TokenKind::Ident &&
         textOf(stream.tokens[end + 2]) == "case";
}

const Tree *Parser::parseCase() {
  uint32_t begin = cur().begin;
  if (!is(TokenKind::Ident) || textOf(cur()) != "case")
    return unexpected("case");
  advance();
  const Expr *pattern = parsePattern(), *guard = nullptr;
  StringRef name;
  if (pattern && accept(TokenKind::KwAs)) {
    name = textOf(cur());
    if (!expect(TokenKind::Ident))
      return nullptr;
  }
  if (!pattern || (accept(TokenKind::KwIf) && !(guard = parseStarOrTest(/*namedAllowed=*/true))) ||
      !expect(TokenKind::Colon))
    return nullptr;
  const List *body = parseBlock("case");
  if (!body)
    return nullptr;
  Tree *result =
      tree.make<MatchCase>(SourceRange(buffer, begin, std::max(begin, body->range().end())), {pattern, guard, body});
  SyntaxTree::setName(*result, name);
  return result;
}

const Stmt *Parser::parseMatch() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *subject = parseTestList(/*allowStars=*/true);
  if (!subject || !expect(TokenKind::Colon) || !expect(TokenKind::Newline) || !expect(TokenKind::Indent))
    return nullptr;
  Trees cases;
  while (!is(TokenKind::Dedent) && !is(TokenKind::Eof)) {
    cases.push_back(parseCase());
    if (!cases.back())
      return nullptr;
  }
  const List *caseList = list(cases);
  return expect(TokenKind::Dedent)
             ? tree.make<Match>(SourceRange(buffer, begin, std::max(begin, caseList->range().end())),
                                {subject, caseList})
             : nullptr;
}
