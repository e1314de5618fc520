//===- ParseStatements.cpp - Files, blocks, statements --------------------===//
//
// Statements end where their line or indented block does, so a file is parsed by
// the lexer's tokens Newline, Indent and Dedent. The first failure is reported
// and ends the parse.
//
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "tsc/Frontend/Parser.h"

using namespace tsc;

bool Parser::expect(TokenKind kind) {
  if (accept(kind))
    return true;
  if (kind == TokenKind::Eof && is(TokenKind::Eof))
    return true;
  unexpected(tokenKindText(kind));
  return false;
}

std::nullptr_t Parser::unexpected(StringRef wanted) {
  fail(rangeOf(cur()), diag::ExpectedToken, wanted, ("'" + tokenKindText(cur().kind) + "'").str());
  return nullptr;
}

void Parser::reportTooDeep() {
  if (nesting > maxNesting)
    fail(rangeOf(cur()), diag::NestedTooDeeply, maxNesting);
  else
    fail(rangeOf(cur()), diag::NestedForStack);
}

/// Where a tree becomes too deep: what the outermost node that is adds to the deepest one that is not.
static SourceRange tooDeepPart(const Tree *node) {
  const Tree *inner = node;
  while (inner->depth() > SyntaxTree::maxDepth) {
    node = inner;
    inner = *std::max_element(node->children().begin(), node->children().end(),
                              [](const Tree *a, const Tree *b) { return (a ? a->depth() : 0) < (b ? b->depth() : 0); });
  }
  SourceRange outer = node->range(), part = inner->range();
  return part.end() < outer.end() ? SourceRange(*outer.buffer(), part.end(), outer.end())
                                  : SourceRange(*outer.buffer(), outer.begin(), part.begin());
}

bool Parser::checkSize(const Tree *node) {
  if (node->depth() > SyntaxTree::maxDepth)
    return fail(tooDeepPart(node), diag::NestedTooDeeply, SyntaxTree::maxDepth), false;
  if (node->weight() > 1000 + 32 * stream.tokens.size())
    return fail(node->range(), diag::ComparisonsTooNested), false;
  return true;
}

const List *Parser::list(ArrayRef<const Tree *> elements) {
  if (elements.empty())
    return tree.make<List>(SourceRange(buffer, cur().begin, cur().begin));
  uint32_t begin = elements.front()->range().begin();
  return tree.make<List>(SourceRange(buffer, begin, std::max(begin, elements.back()->range().end())), elements);
}

llvm::LogicalResult Parser::parseFile() {
  Trees statements;
  while (!is(TokenKind::Eof))
    if (!parseStatement(statements))
      return llvm::failure();
  tree.setTop(list(statements));
  return llvm::success();
}

llvm::LogicalResult Parser::parseWholeExpression() {
  const Expr *value = is(TokenKind::Eof) ? node<TupleLiteral>(cur().begin) : parseTestList(/*allowStars=*/true);
  if (!value || !expect(TokenKind::Eof) || !checkSize(value))
    return llvm::failure();
  tree.setTop(list({value}));
  return llvm::success();
}

bool Parser::parseStatement(Trees &out) {
  Level level(*this);
  if (!level)
    return false;
  size_t first = out.size();
  if (is(TokenKind::Indent))
    return fail(rangeOf(cur()), diag::UnexpectedIndent), false;
  switch (cur().kind) {
  case TokenKind::KwDef:
  case TokenKind::KwClass:
  case TokenKind::At:
  case TokenKind::KwIf:
  case TokenKind::KwFor:
  case TokenKind::KwWhile:
  case TokenKind::KwWith:
  case TokenKind::KwTry:
  case TokenKind::KwAsync: {
    const Stmt *stmt = parseCompound();
    if (!stmt)
      return false;
    out.push_back(stmt);
    break;
  }
  default:
    if (isMatch()) {
      out.push_back(parseMatch());
      if (!out.back())
        return false;
      break;
    }
    if (!parseSimpleLine(out))
      return false;
  }
  for (size_t i = first; i != out.size(); ++i)
    if (!checkSize(out[i]))
      return false;
  return true;
}

/// Statements between semicolons, and the end of the line.
bool Parser::parseSimpleLine(Trees &out) {
  do {
    if (is(TokenKind::Newline))
      break;
    out.push_back(parseSimple());
    if (!out.back())
      return false;
  } while (accept(TokenKind::Semicolon));
  return expect(TokenKind::Newline);
}

template <typename T> const Stmt *Parser::parseKeywordAlone() {
  uint32_t begin = cur().begin;
  advance();
  return node<T>(begin);
}

template <typename T> const Stmt *Parser::parseNames() {
  uint32_t begin = cur().begin;
  do {
    advance();
    if (!is(TokenKind::Ident))
      return unexpected("ident");
    advance();
  } while (is(TokenKind::Comma));
  return node<T>(begin);
}

const Stmt *Parser::parseSimple() {
  switch (cur().kind) {
  case TokenKind::KwPass: return parseKeywordAlone<Pass>();
  case TokenKind::KwBreak: return parseKeywordAlone<Break>();
  case TokenKind::KwContinue: return parseKeywordAlone<Continue>();
  case TokenKind::KwReturn: return parseReturn();
  case TokenKind::KwRaise: return parseRaise();
  case TokenKind::KwAssert: return parseAssert();
  case TokenKind::KwDel: return parseDelete();
  case TokenKind::KwImport: return parseImport();
  case TokenKind::KwFrom: return parseFromImport();
  case TokenKind::KwGlobal: return parseNames<Global>();
  case TokenKind::KwNonlocal: return parseNames<Nonlocal>();
  default: return parseExpressionStatement();
  }
}

const Stmt *Parser::parseCompound() {
  uint32_t begin = cur().begin;
  switch (cur().kind) {
  case TokenKind::At: return parseDecorated();
  case TokenKind::KwDef: return parseDef(list({}), begin);
  case TokenKind::KwClass: return parseClass(list({}), begin);
  case TokenKind::KwIf: return parseIf();
  case TokenKind::KwFor: return parseFor();
  case TokenKind::KwWhile: return parseWhile();
  case TokenKind::KwWith: return parseWith();
  case TokenKind::KwTry: return parseTry();
  default: break;
  }
  advance(); // async
  if (!is(TokenKind::KwDef) && !is(TokenKind::KwFor) && !is(TokenKind::KwWith))
    return unexpected("def");
  const Stmt *inner = parseCompound();
  return inner ? node<AsyncStmt>(begin, {inner}) : nullptr;
}

const List *Parser::parseBlock(StringRef after) {
  Trees body;
  if (!is(TokenKind::Newline)) {
    if (!parseSimpleLine(body))
      return nullptr;
    return list(body);
  }
  advance();
  if (!is(TokenKind::Indent))
    return fail(rangeOf(cur()), diag::ExpectedIndent, after);
  advance();
  while (!is(TokenKind::Dedent) && !is(TokenKind::Eof))
    if (!parseStatement(body))
      return nullptr;
  return expect(TokenKind::Dedent) ? list(body) : nullptr;
}

/// `if` or `elif` here. A loop, so that a long chain of elif does not recurse; the nodes are made last first.
const Stmt *Parser::parseIf() {
  struct Branch {
    uint32_t begin;
    const Expr *condition;
    const List *body;
  };
  llvm::SmallVector<Branch, 4> branches;
  do {
    uint32_t begin = cur().begin;
    advance();
    const Expr *condition = parseStarOrTest(/*namedAllowed=*/true);
    if (!condition || !expect(TokenKind::Colon))
      return nullptr;
    const List *body = parseBlock("if");
    if (!body)
      return nullptr;
    branches.push_back({begin, condition, body});
  } while (is(TokenKind::KwElif));
  const List *otherwise;
  if (accept(TokenKind::KwElse)) {
    if (!expect(TokenKind::Colon) || !(otherwise = parseBlock("else")))
      return nullptr;
  } else {
    otherwise = list({});
  }
  for (;; branches.pop_back()) {
    const Branch &last = branches.back();
    uint32_t end = std::max(last.body->range().end(), otherwise->children().empty() ? 0 : otherwise->range().end());
    const Tree *stmt = tree.make<If>(SourceRange(buffer, last.begin, end), {last.condition, last.body, otherwise});
    if (branches.size() == 1)
      return stmt;
    otherwise = list({stmt});
  }
}

const Stmt *Parser::parseFor() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *target = parseTargetList();
  if (!target || !expect(TokenKind::KwIn))
    return nullptr;
  const Expr *iterable = parseTestList(/*allowStars=*/true);
  size_t colon = at;
  if (!iterable || !expect(TokenKind::Colon))
    return nullptr;
  const Expr *type = typeFromComment(colon, colon + 1);
  const List *body = parseBlock("for"), *otherwise = nullptr;
  if (!body)
    return nullptr;
  if (accept(TokenKind::KwElse) && (!expect(TokenKind::Colon) || !(otherwise = parseBlock("else"))))
    return nullptr;
  return tree.make<For>(SourceRange(buffer, begin, (otherwise ? otherwise : body)->range().end()),
                        {target, iterable, body, type, otherwise});
}

const Stmt *Parser::parseWhile() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *condition = parseStarOrTest(/*namedAllowed=*/true);
  if (!condition || !expect(TokenKind::Colon))
    return nullptr;
  const List *body = parseBlock("while"), *otherwise = nullptr;
  if (!body)
    return nullptr;
  if (accept(TokenKind::KwElse) && (!expect(TokenKind::Colon) || !(otherwise = parseBlock("else"))))
    return nullptr;
  return tree.make<While>(SourceRange(buffer, begin, (otherwise ? otherwise : body)->range().end()),
                          {condition, body, otherwise});
}

/// Whether `(…):` follows with items in it, and not an expression.
bool Parser::isParenthesizedWith() const {
  if (!is(TokenKind::LeftParen))
    return false;
  unsigned depth = 0;
  bool hasItems = false;
  for (size_t i = at; i != stream.tokens.size(); ++i) {
    const TokenKind kind = stream.tokens[i].kind;
    if (kind == TokenKind::LeftParen || kind == TokenKind::LeftBracket || kind == TokenKind::LeftBrace)
      ++depth;
    else if (kind == TokenKind::RightParen || kind == TokenKind::RightBracket || kind == TokenKind::RightBrace)
      --depth;
    hasItems |= depth == 1 && (kind == TokenKind::KwAs || kind == TokenKind::Comma);
    if (depth == 0)
      return hasItems && i + 1 != stream.tokens.size() && stream.tokens[i + 1].kind == TokenKind::Colon;
  }
  return false;
}

const Stmt *Parser::parseWith() {
  uint32_t begin = cur().begin;
  advance();
  Trees items;
  const bool hasParentheses = isParenthesizedWith() && accept(TokenKind::LeftParen);
  do {
    if (hasParentheses && is(TokenKind::RightParen))
      break;
    uint32_t itemBegin = cur().begin;
    const Expr *value = parseTest(), *target = nullptr;
    if (!value)
      return nullptr;
    if (accept(TokenKind::KwAs)) {
      target = parsePostfix();
      if (!target || !checkTarget(target))
        return nullptr;
    }
    items.push_back(node<WithItem>(itemBegin, {value, target}));
  } while (accept(TokenKind::Comma));
  const List *itemList = list(items);
  if ((hasParentheses && !expect(TokenKind::RightParen)) || !expect(TokenKind::Colon))
    return nullptr;
  const List *body = parseBlock("with");
  return body ? tree.make<With>(SourceRange(buffer, begin, body->range().end()), {itemList, body}) : nullptr;
}

const Stmt *Parser::parseReturn() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *value = nullptr;
  if (!atExpressionEnd() && !(value = parseTestList(/*allowStars=*/true)))
    return nullptr;
  return node<Return>(begin, {value});
}

const Stmt *Parser::parseRaise() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *value = nullptr, *cause = nullptr;
  if (!atExpressionEnd() && !(value = parseTest()))
    return nullptr;
  if (value && accept(TokenKind::KwFrom) && !(cause = parseTest()))
    return nullptr;
  return node<Raise>(begin, {value, cause});
}

const Stmt *Parser::parseAssert() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *condition = parseTest(), *message = nullptr;
  if (!condition || (accept(TokenKind::Comma) && !(message = parseTest())))
    return nullptr;
  return node<Assert>(begin, {condition, message});
}

const Stmt *Parser::parseDelete() {
  uint32_t begin = cur().begin;
  advance();
  Trees targets;
  do {
    if (!targets.empty() && atExpressionEnd())
      break;
    targets.push_back(parseTest());
    if (!targets.back() || !checkTarget(targets.back()))
      return nullptr;
  } while (accept(TokenKind::Comma));
  const List *targetList = list(targets);
  return node<Delete>(begin, {targetList});
}

const Tree *Parser::parseAlias(bool dotted) {
  uint32_t begin = cur().begin;
  do {
    if (!is(TokenKind::Ident))
      return unexpected("ident");
    advance();
  } while (dotted && accept(TokenKind::Dot));
  SourceRange path = rangeFrom(begin);
  const Tree *alias = nullptr;
  if (accept(TokenKind::KwAs)) {
    if (!is(TokenKind::Ident))
      return unexpected("ident");
    Token name = cur();
    advance();
    alias = namedNode<Var>(textOf(name), rangeOf(name), name.begin);
  }
  return namedNode<Alias>(path.text(), path, begin, {alias});
}

const Stmt *Parser::parseImport() {
  uint32_t begin = cur().begin;
  Trees names;
  do {
    advance();
    names.push_back(parseAlias(/*dotted=*/true));
    if (!names.back())
      return nullptr;
  } while (is(TokenKind::Comma));
  const List *nameList = list(names);
  return node<Import>(begin, {nameList});
}

const Stmt *Parser::parseFromImport() {
  uint32_t begin = cur().begin;
  advance();
  uint32_t moduleBegin = cur().begin;
  while (is(TokenKind::Dot) || is(TokenKind::Dots))
    advance();
  while (accept(TokenKind::Ident) && accept(TokenKind::Dot))
    ;
  StringRef module = rangeFrom(moduleBegin).text();
  if (!expect(TokenKind::KwImport))
    return nullptr;
  Trees names;
  if (is(TokenKind::Star)) {
    Token star = cur();
    advance();
    names.push_back(namedNode<Alias>("*", rangeOf(star), star.begin, {nullptr}));
  } else {
    bool parens = accept(TokenKind::LeftParen);
    do {
      if (parens && is(TokenKind::RightParen))
        break;
      names.push_back(parseAlias(/*dotted=*/false));
      if (!names.back())
        return nullptr;
    } while (accept(TokenKind::Comma));
    if (parens && !expect(TokenKind::RightParen))
      return nullptr;
  }
  const List *nameList = list(names);
  auto *import = node<Import>(begin, {nameList});
  SyntaxTree::setName(*import, module);
  SyntaxTree::setFlags(*import, 1);
  return import;
}

static TreeOp augmentedOp(TokenKind kind) {
  switch (kind) {
  case TokenKind::PlusEqual: return TreeOp::Add;
  case TokenKind::MinusEqual: return TreeOp::Sub;
  case TokenKind::StarEqual: return TreeOp::Mul;
  case TokenKind::SlashEqual: return TreeOp::Div;
  case TokenKind::SlashSlashEqual: return TreeOp::FloorDiv;
  case TokenKind::PercentEqual: return TreeOp::Mod;
  case TokenKind::StarStarEqual: return TreeOp::Pow;
  case TokenKind::AtEqual: return TreeOp::MatMul;
  case TokenKind::AmpEqual: return TreeOp::BitAnd;
  case TokenKind::PipeEqual: return TreeOp::BitOr;
  case TokenKind::CaretEqual: return TreeOp::BitXor;
  case TokenKind::LessLessEqual: return TreeOp::ShiftLeft;
  case TokenKind::GreaterGreaterEqual: return TreeOp::ShiftRight;
  default: return TreeOp::None;
  }
}

const Stmt *Parser::parseExpressionStatement() {
  uint32_t begin = cur().begin;
  const Expr *first = is(TokenKind::KwYield) ? parseYield() : parseTestList(/*allowStars=*/true);
  if (!first)
    return nullptr;
  if (is(TokenKind::Equal) || is(TokenKind::Colon))
    return parseAssignment(first, begin);
  TreeOp op = augmentedOp(cur().kind);
  if (op == TreeOp::None)
    return node<ExprStmt>(begin, {first});
  Token opToken = cur();
  advance();
  if (!checkTarget(first))
    return nullptr;
  if (llvm::isa<TupleLiteral, ListLiteral, Starred>(first)) {
    fail(first->range(), diag::SeveralAugmented);
    return nullptr;
  }
  const Expr *value = parseTestList(/*allowStars=*/false);
  return value ? opNode<AugAssign>(op, opToken, begin, {first, value}) : nullptr;
}

const Stmt *Parser::parseAssignment(const Expr *first, uint32_t begin) {
  if (!checkTarget(first))
    return nullptr;
  Trees targets{first};
  const Expr *type = nullptr, *value = nullptr;
  if (accept(TokenKind::Colon)) {
    type = parseTest();
    if (!type)
      return nullptr;
  }
  while (accept(TokenKind::Equal)) {
    if (value) {
      if (type || !checkTarget(value))
        return type ? unexpected("NEWLINE") : nullptr;
      targets.push_back(value);
    }
    value = is(TokenKind::KwYield) ? parseYield() : parseTestList(/*allowStars=*/true);
    if (!value)
      return nullptr;
  }
  if (!type)
    type = typeFromComment(at - 1, at);
  const List *targetList = list(targets);
  return node<Assign>(begin, {targetList, value, type});
}

bool Parser::checkTarget(const Expr *target) {
  // The tree is as deep as the rules that made it, so this ends.
  switch (target->kind()) {
  case TreeKind::Var:
  case TreeKind::Select:
  case TreeKind::Subscript: return true;
  case TreeKind::Starred: {
    const Expr *packed = llvm::cast<Starred>(target)->value();
    if (llvm::isa<Var, Select, Subscript, TupleLiteral, ListLiteral>(packed))
      return checkTarget(packed);
    fail(packed->range(), diag::StarredTarget, packed->spelling());
    return false;
  }
  case TreeKind::TupleLiteral:
  case TreeKind::ListLiteral:
    return llvm::all_of(target->children(), [&](const Tree *element) { return checkTarget(element); });
  default: fail(target->range(), diag::InvalidTarget, "'" + target->spelling().str() + "'"); return false;
  }
}

llvm::FailureOr<SyntaxTree> tsc::parseSource(const SourceBuffer &buffer, DiagnosticEngine &diags) {
  auto tokens = lex(buffer, 0, buffer.text().size(), LexMode::File, diags);
  if (failed(tokens))
    return llvm::failure();
  SyntaxTree tree(buffer);
  if (failed(Parser(tree, *std::move(tokens), diags).parseFile()))
    return llvm::failure();
  return tree;
}

llvm::FailureOr<SyntaxTree> tsc::parseExpression(const SourceBuffer &buffer, DiagnosticEngine &diags) {
  auto tokens = lex(buffer, 0, buffer.text().size(), LexMode::Expression, diags);
  if (failed(tokens))
    return llvm::failure();
  SyntaxTree tree(buffer);
  if (failed(Parser(tree, *std::move(tokens), diags).parseWholeExpression()))
    return llvm::failure();
  return tree;
}
