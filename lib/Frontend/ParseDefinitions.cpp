//===- ParseDefinitions.cpp - def, class, parameters, type comments -------===//
#include "ParserImpl.h"
#include "llvm/ADT/StringSet.h"

using namespace tsc;

const Stmt *Parser::parseDecorated() {
  uint32_t begin = cur().begin;
  Trees decorators;
  while (accept(TokenKind::At)) {
    decorators.push_back(parseStarOrTest(/*namedAllowed=*/true));
    if (!decorators.back() || !expect(TokenKind::Newline))
      return nullptr;
  }
  const List *decoratorList = list(decorators);
  if (is(TokenKind::KwClass))
    return parseClass(decoratorList, begin);
  if (is(TokenKind::KwAsync) && peek().kind == TokenKind::KwDef) {
    advance();
    const Stmt *def = parseDef(decoratorList, begin);
    return def ? tree.make<AsyncStmt>(def->range(), {def}) : nullptr;
  }
  return is(TokenKind::KwDef) ? parseDef(decoratorList, begin) : unexpected("def");
}

bool Parser::parseParam(bool annotations, ParamSpec &param) {
  param.begin = cur().begin;
  if (accept(TokenKind::StarStar))
    param.flags |= Param::VarKeywords;
  else if (accept(TokenKind::Star))
    param.flags |= Param::VarArgs;
  if (!is(TokenKind::Ident))
    return unexpected("ident"), false;
  param.name = textOf(cur());
  param.nameRange = rangeOf(cur());
  advance();
  if (annotations && accept(TokenKind::Colon) && !(param.type = parseStarOrTest(/*namedAllowed=*/false)))
    return false;
  if (accept(TokenKind::Equal) && !(param.defaultValue = parseTest()))
    return false;
  param.end = std::max(param.begin, stream.tokens[at - 1].end);
  param.endToken = at;
  return true;
}

/// Up to `close`, which stays.
bool Parser::parseParams(TokenKind close, bool annotations, llvm::SmallVectorImpl<ParamSpec> &params) {
  llvm::StringSet<> names;
  bool keywordOnly = false, anyDefault = false;
  while (!is(close)) {
    if (is(TokenKind::Slash)) {
      if (params.empty())
        return unexpected("ident"), false;
      for (ParamSpec &before : params)
        before.flags |= Param::PositionalOnly;
      advance();
    } else if (is(TokenKind::Star) && (peek().kind == TokenKind::Comma || peek().kind == close)) {
      if (keywordOnly || peek().kind == close)
        return fail(rangeOf(cur()), diag::BadParameterList, "named arguments must follow bare *"), false;
      keywordOnly = true;
      advance();
    } else {
      ParamSpec param;
      if (!parseParam(annotations, param))
        return false;
      if (!names.insert(param.name).second)
        return fail(param.nameRange, diag::DuplicateParameter, param.name), false;
      if (!params.empty() && (params.back().flags & Param::VarKeywords))
        return fail(param.nameRange, diag::BadParameterList, "no parameter may follow **" + params.back().name.str()),
               false;
      if (keywordOnly && !(param.flags & Param::VarKeywords))
        param.flags |= Param::KeywordOnly;
      if (param.flags & Param::VarArgs)
        keywordOnly = true;
      bool positional = !(param.flags & (Param::KeywordOnly | Param::VarArgs | Param::VarKeywords));
      if (positional && anyDefault && !param.defaultValue)
        return fail(param.nameRange, diag::NoDefaultAfterDefault), false;
      anyDefault |= positional && param.defaultValue;
      params.push_back(param);
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  return true;
}

const List *Parser::makeParams(ArrayRef<ParamSpec> params) {
  Trees nodes;
  for (const ParamSpec &spec : params) {
    auto *param = tree.make<Param>(SourceRange(buffer, spec.begin, spec.end), {spec.type, spec.defaultValue});
    SyntaxTree::setName(*param, spec.name);
    SyntaxTree::setFlags(*param, spec.flags);
    SyntaxTree::setPoint(*param, spec.nameRange);
    nodes.push_back(param);
  }
  return list(nodes);
}

const TypeComment *Parser::findTypeComment(size_t first, size_t last) const {
  auto found = llvm::partition_point(stream.typeComments, [&](const TypeComment &c) { return c.nextToken <= first; });
  return found != stream.typeComments.end() && found->nextToken <= last ? &*found : nullptr;
}

const Expr *Parser::typeFromComment(size_t first, size_t last) {
  const TypeComment *comment = findTypeComment(first, last);
  if (!comment)
    return nullptr;
  DiagnosticEngine unheard;
  return parsePart(comment->begin, comment->end, unheard);
}

/// A comment at the end of a parameter's line gives its type.
void Parser::takeParamTypeComments(llvm::SmallVectorImpl<ParamSpec> &params) {
  if (stream.typeComments.empty())
    return;
  for (ParamSpec &param : params) {
    bool comma = stream.tokens[param.endToken].kind == TokenKind::Comma;
    if (!param.type)
      param.type = typeFromComment(param.endToken - 1, param.endToken + comma);
  }
}

/// `(T1, T2) -> R`, `(T1, T2)`, or `(...) -> R` when the parameters have theirs. One type fewer than parameters leaves
/// out self. `head` is the definition up to its colon.
bool Parser::applyTypeComment(const TypeComment &comment, SourceRange head, llvm::SmallVectorImpl<ParamSpec> &params,
                              const Expr *&returnType) {
  SourceRange range(buffer, comment.begin, comment.end);
  if (!range.text().starts_with("("))
    return true; // a comment of another kind
  auto tokens = lex(buffer, comment.begin, comment.end, LexMode::Expression, diags);
  if (failed(tokens))
    return false;
  Parser inner(tree, *std::move(tokens), diags);
  inner.nesting = nesting;
  inner.advance();
  Trees types;
  while (!inner.is(TokenKind::RightParen)) {
    if (!inner.accept(TokenKind::StarStar))
      inner.accept(TokenKind::Star);
    types.push_back(inner.parseTest());
    if (!types.back())
      return false;
    if (!inner.accept(TokenKind::Comma))
      break;
  }
  if (!inner.expect(TokenKind::RightParen))
    return false;
  const bool hasResult = inner.accept(TokenKind::Arrow); // PyTorch lets it be left out
  if (!hasResult && !inner.is(TokenKind::Eof))
    return fail(range, diag::BadTypeComment), false;
  const Expr *result = hasResult ? inner.parseTest() : nullptr;
  if (hasResult && (!result || !inner.expect(TokenKind::Eof)))
    return false;
  if (!returnType)
    returnType = result;
  if (types.size() == 1 && llvm::isa<Dots>(types[0]))
    return true;
  bool omitsSelf = types.size() + 1 == params.size() && params.front().name == "self";
  if (types.size() != params.size() && !omitsSelf)
    return fail(head, diag::TypeCommentArity, types.size(), params.size()), false;
  size_t skipped = params.size() - types.size();
  for (size_t i = 0; i != types.size(); ++i)
    if (!params[i + skipped].type)
      params[i + skipped].type = types[i];
  return true;
}

const Stmt *Parser::parseDef(const List *decorators, uint32_t begin) {
  const uint32_t keyword = cur().begin;
  advance();
  Token name = cur();
  if (!isWord(name))
    return unexpected("ident");
  advance();
  if (!expect(TokenKind::LeftParen))
    return nullptr;
  llvm::SmallVector<ParamSpec, 8> params;
  if (!parseParams(TokenKind::RightParen, /*annotations=*/true, params) || !expect(TokenKind::RightParen))
    return nullptr;
  const Expr *returnType = nullptr;
  if (accept(TokenKind::Arrow) && !(returnType = parseTest()))
    return nullptr;
  size_t colon = at;
  if (!expect(TokenKind::Colon))
    return nullptr;
  takeParamTypeComments(params);
  // The comment stands behind the colon or on a line of its own: before NEWLINE or before INDENT (on a line of its
  // own).
  size_t bodyToken = is(TokenKind::Newline) && peek().kind == TokenKind::Indent ? at + 1 : at;
  if (const TypeComment *comment = findTypeComment(colon, bodyToken))
    if (!applyTypeComment(*comment, SourceRange(buffer, keyword, stream.tokens[colon].end), params, returnType))
      return nullptr;
  const List *paramList = makeParams(params);
  const List *body = parseBlock("def");
  if (!body)
    return nullptr;
  Tree *def = tree.make<Def>(SourceRange(buffer, begin, std::max(begin, body->range().end())),
                             {decorators, paramList, returnType, body});
  SyntaxTree::setName(*def, textOf(name));
  SyntaxTree::setPoint(*def, rangeOf(name));
  return def;
}

const Stmt *Parser::parseClass(const List *decorators, uint32_t begin) {
  advance();
  Token name = cur();
  if (!is(TokenKind::Ident))
    return unexpected("ident");
  advance();
  Trees bases, keywords;
  if (accept(TokenKind::LeftParen) && (!parseCallArguments(bases, keywords) || !expect(TokenKind::RightParen)))
    return nullptr;
  const List *baseList = list(bases), *keywordList = list(keywords);
  if (!expect(TokenKind::Colon))
    return nullptr;
  const List *body = parseBlock("class");
  if (!body)
    return nullptr;
  Tree *result = tree.make<ClassDef>(SourceRange(buffer, begin, std::max(begin, body->range().end())),
                                     {decorators, baseList, keywordList, body});
  SyntaxTree::setName(*result, textOf(name));
  SyntaxTree::setPoint(*result, rangeOf(name));
  return result;
}
