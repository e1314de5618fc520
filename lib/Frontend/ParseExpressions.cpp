//===- ParseExpressions.cpp - Operators, calls, subscripts ----------------===//
//
// Pratt's method: every infix operator has a binding power, and an operand
// takes all operators that bind at least as tightly as it is asked to.
//
//===----------------------------------------------------------------------===//
#include "ParserImpl.h"
#include "llvm/ADT/StringSet.h"

using namespace tsc;

/// Binding powers, loosest first.
enum Power : unsigned {
  PowOr = 1,
  PowAnd,
  PowNot,
  PowCompare,
  PowBitOr,
  PowBitXor,
  PowBitAnd,
  PowShift,
  PowSum,
  PowProduct,
  PowUnary,
  PowPower
};

namespace {
struct InfixOp {
  unsigned power = 0; ///< 0: not an infix operator.
  TreeOp op = TreeOp::None;
};
} // namespace

static InfixOp infixOf(TokenKind kind) {
  switch (kind) {
  case TokenKind::KwOr: return {PowOr, TreeOp::Or};
  case TokenKind::KwAnd: return {PowAnd, TreeOp::And};
  case TokenKind::EqualEqual: return {PowCompare, TreeOp::Eq};
  case TokenKind::NotEqual: return {PowCompare, TreeOp::Ne};
  case TokenKind::Less: return {PowCompare, TreeOp::Lt};
  case TokenKind::LessEqual: return {PowCompare, TreeOp::Le};
  case TokenKind::Greater: return {PowCompare, TreeOp::Gt};
  case TokenKind::GreaterEqual: return {PowCompare, TreeOp::Ge};
  case TokenKind::KwIn: return {PowCompare, TreeOp::In};
  case TokenKind::KwIs: return {PowCompare, TreeOp::Is};
  case TokenKind::KwNot: return {PowCompare, TreeOp::NotIn};
  case TokenKind::Pipe: return {PowBitOr, TreeOp::BitOr};
  case TokenKind::Caret: return {PowBitXor, TreeOp::BitXor};
  case TokenKind::Amp: return {PowBitAnd, TreeOp::BitAnd};
  case TokenKind::LessLess: return {PowShift, TreeOp::ShiftLeft};
  case TokenKind::GreaterGreater: return {PowShift, TreeOp::ShiftRight};
  case TokenKind::Plus: return {PowSum, TreeOp::Add};
  case TokenKind::Minus: return {PowSum, TreeOp::Sub};
  case TokenKind::Star: return {PowProduct, TreeOp::Mul};
  case TokenKind::Slash: return {PowProduct, TreeOp::Div};
  case TokenKind::SlashSlash: return {PowProduct, TreeOp::FloorDiv};
  case TokenKind::Percent: return {PowProduct, TreeOp::Mod};
  case TokenKind::At: return {PowProduct, TreeOp::MatMul};
  case TokenKind::StarStar: return {PowPower, TreeOp::Pow};
  default: return {};
  }
}

/// Whether nothing that starts an expression can stand here: after a trailing comma, say.
bool Parser::atExpressionEnd() const {
  switch (cur().kind) {
  case TokenKind::Eof:
  case TokenKind::Newline:
  case TokenKind::Semicolon:
  case TokenKind::Colon:
  case TokenKind::Equal:
  case TokenKind::RightParen:
  case TokenKind::RightBracket:
  case TokenKind::RightBrace:
  case TokenKind::KwIn:
  case TokenKind::PlusEqual:
  case TokenKind::MinusEqual: return true;
  default: return false;
  }
}

const Expr *Parser::parseTest() {
  Level level(*this);
  if (!level)
    return nullptr;
  uint32_t begin = cur().begin;
  if (is(TokenKind::KwLambda))
    return parseLambda();
  const Expr *value = parseExpr(PowOr);
  if (!value || !accept(TokenKind::KwIf))
    return value;
  const Expr *condition = parseExpr(PowOr);
  if (!condition || !expect(TokenKind::KwElse))
    return nullptr;
  const Expr *otherwise = parseTest();
  if (!otherwise)
    return nullptr;
  return node<Ternary>(begin, {condition, value, otherwise});
}

/// An expression; inside a pattern perhaps `part as name`, which is read as `name := part`.
const Expr *Parser::parseNamedPart() {
  uint32_t begin = cur().begin;
  const Expr *part = parseTest();
  if (!part || !isInPattern || !accept(TokenKind::KwAs))
    return part;
  const Token name = cur();
  if (!expect(TokenKind::Ident))
    return nullptr;
  Tree *target = tree.make<Var>(rangeOf(name));
  SyntaxTree::setName(*target, textOf(name));
  return node<NamedExpr>(begin, {target, part});
}

const Expr *Parser::parseStarOrTest(bool namedAllowed) {
  uint32_t begin = cur().begin;
  if (accept(TokenKind::Star)) {
    const Expr *value = parseExpr(PowBitOr);
    return value ? node<Starred>(begin, {value}) : nullptr;
  }
  const Expr *value = parseNamedPart();
  if (!value || !namedAllowed || !is(TokenKind::ColonEqual) || !llvm::isa<Var>(value))
    return value;
  advance();
  const Expr *assigned = parseTest();
  return assigned ? node<NamedExpr>(begin, {value, assigned}) : nullptr;
}

const Expr *Parser::parseTestList(bool allowStars) {
  uint32_t begin = cur().begin;
  auto element = [&] { return allowStars ? parseStarOrTest(/*namedAllowed=*/true) : parseTest(); };
  const Expr *first = element();
  if (!first || !is(TokenKind::Comma))
    return first;
  Trees elements{first};
  while (accept(TokenKind::Comma) && !atExpressionEnd()) {
    elements.push_back(element());
    if (!elements.back())
      return nullptr;
  }
  return node<TupleLiteral>(begin, elements);
}

/// Up to `in` or `if`, which operators of this strength leave alone.
const Expr *Parser::parseParts(bool areTargets) {
  uint32_t begin = cur().begin;
  Trees elements;
  bool comma = false;
  do {
    if (comma && atExpressionEnd())
      break;
    uint32_t elementBegin = cur().begin;
    bool star = accept(TokenKind::Star);
    const Expr *element = parseExpr(PowBitOr);
    if (element && star)
      element = node<Starred>(elementBegin, {element});
    if (!element || (areTargets && !checkTarget(element)))
      return nullptr;
    elements.push_back(element);
    comma = is(TokenKind::Comma);
  } while (accept(TokenKind::Comma));
  return elements.size() == 1 && !comma ? elements[0] : node<TupleLiteral>(begin, elements);
}

const Expr *Parser::parseTargetList() { return parseParts(/*areTargets=*/true); }
const Expr *Parser::parsePattern() {
  const bool was = std::exchange(isInPattern, true);
  const Expr *pattern = parseParts(/*areTargets=*/false);
  isInPattern = was;
  return pattern;
}

const Expr *Parser::parseExpr(unsigned minPower) {
  Level level(*this);
  if (!level)
    return nullptr;
  const Expr *lhs = parsePrefix();
  while (lhs) {
    unsigned power = infixOf(cur().kind).power;
    if (!power || power < minPower || (is(TokenKind::KwNot) && peek().kind != TokenKind::KwIn))
      break;
    lhs = power == PowCompare ? parseComparison(lhs) : parseInfix(lhs, power);
  }
  return lhs;
}

const Expr *Parser::parseInfix(const Expr *lhs, unsigned power) {
  Token opToken = cur();
  TreeOp op = infixOf(opToken.kind).op;
  uint32_t begin = lhs->range().begin();
  advance();
  // `**` groups to the right, and its right side may start with a minus.
  const Expr *rhs = parseExpr(power == PowPower ? unsigned(PowUnary) : power + 1);
  if (!rhs)
    return nullptr;
  if (op == TreeOp::And || op == TreeOp::Or)
    return opNode<BoolOp>(op, opToken, begin, {lhs, rhs});
  return opNode<BinOp>(op, opToken, begin, {lhs, rhs});
}

/// The comparison operator here, consumed; None when there is none. `op` gets its range.
TreeOp Parser::comparisonAt(Token &op) {
  InfixOp infix = infixOf(cur().kind);
  if (infix.power != PowCompare || (is(TokenKind::KwNot) && peek().kind != TokenKind::KwIn))
    return TreeOp::None;
  op = cur();
  advance();
  if (infix.op == TreeOp::NotIn || (infix.op == TreeOp::Is && is(TokenKind::KwNot))) {
    op.end = cur().end;
    advance();
    return infix.op == TreeOp::Is ? TreeOp::IsNot : TreeOp::NotIn;
  }
  return infix.op;
}

/// `a < b < c < d` becomes `a < b and (b < c and c < d)`, where one tree is both operands: it is worked out once.
const Expr *Parser::parseComparison(const Expr *lhs) {
  llvm::SmallVector<std::pair<const Tree *, Token>, 2> links;
  const Expr *left = lhs;
  Token opToken;
  for (TreeOp op; (op = comparisonAt(opToken)) != TreeOp::None;) {
    const Expr *right = parseExpr(PowBitOr);
    if (!right)
      return nullptr;
    const Tree *link = opNode<Compare>(op, opToken, left->range().begin(), {left, right});
    if (!checkSize(link))
      return nullptr;
    links.emplace_back(link, opToken);
    left = right;
  }
  if (links.empty())
    return nullptr;
  const Tree *result = links.back().first;
  for (const auto &[link, token] : llvm::reverse(llvm::ArrayRef(links).drop_back())) {
    result = opNode<BoolOp>(TreeOp::And, token, link->range().begin(), {link, result});
    if (!checkSize(result))
      return nullptr;
  }
  return result;
}

const Expr *Parser::parsePrefix() {
  uint32_t begin = cur().begin;
  Token opToken = cur();
  auto unary = [&](TreeOp op, unsigned power) -> const Expr * {
    advance();
    const Expr *operand = parseExpr(power);
    return operand ? opNode<UnaryOp>(op, opToken, begin, {operand}) : nullptr;
  };
  switch (cur().kind) {
  case TokenKind::KwNot: return unary(TreeOp::Not, PowNot);
  case TokenKind::Plus: return unary(TreeOp::Plus, PowUnary);
  case TokenKind::Tilde: return unary(TreeOp::Invert, PowUnary);
  case TokenKind::Minus: {
    TokenKind after = peek(2).kind;
    // An imaginary number's real part gets a sign, too: -2j is (-0-2j).
    bool isLiteral = peek().kind == TokenKind::Number && !textOf(peek()).ends_with_insensitive("j") &&
                     after != TokenKind::StarStar && after != TokenKind::Dot && after != TokenKind::LeftBracket;
    return isLiteral ? (advance(), parseNumber(/*negative=*/true)) : unary(TreeOp::Neg, PowUnary);
  }
  case TokenKind::KwAwait: {
    advance();
    const Expr *value = parsePostfix();
    return value ? node<Await>(begin, {value}) : nullptr;
  }
  default: return parsePostfix();
  }
}

const Expr *Parser::parsePostfix() {
  const Expr *value = parseAtom();
  while (value) {
    uint32_t begin = value->range().begin();
    if (accept(TokenKind::Dot)) {
      // A keyword may be an attribute's name in an archive.
      StringRef name = textOf(cur());
      if (!isWord(cur()))
        return unexpected("ident");
      SourceRange nameRange = rangeOf(cur());
      advance();
      value = namedNode<Select>(name, nameRange, begin, {value});
    } else if (is(TokenKind::LeftParen)) {
      value = parseCall(value);
    } else if (is(TokenKind::LeftBracket)) {
      value = parseSubscript(value);
    } else {
      break;
    }
  }
  return value;
}

const Expr *Parser::parseCall(const Expr *callee) {
  advance();
  Trees args, keywords;
  if (!parseCallArguments(args, keywords))
    return nullptr;
  const List *argList = list(args), *keywordList = list(keywords);
  if (!expect(TokenKind::RightParen))
    return nullptr;
  auto *call = node<Apply>(callee->range().begin(), {callee, argList, keywordList});
  SyntaxTree::setPoint(*call, callee->range());
  return call;
}

/// Up to the closing parenthesis, which stays.
bool Parser::parseCallArguments(Trees &args, Trees &keywords) {
  llvm::StringSet<> seen;
  while (!is(TokenKind::RightParen)) {
    uint32_t begin = cur().begin;
    if (accept(TokenKind::StarStar)) {
      const Expr *value = parseTest();
      if (!value)
        return false;
      keywords.push_back(node<DoubleStarred>(begin, {value}));
    } else if (peek().kind == TokenKind::Equal && isWord(cur())) {
      Token name = cur();
      advance(), advance();
      const Expr *value = parseTest();
      if (!value)
        return false;
      if (!seen.insert(textOf(name)).second)
        return fail(rangeOf(name), diag::DuplicateKeyword, textOf(name)), false;
      keywords.push_back(namedNode<Keyword>(textOf(name), rangeOf(name), begin, {value}));
    } else {
      const Expr *value = parseStarOrTest(/*namedAllowed=*/true);
      if (!value)
        return false;
      if (is(TokenKind::KwFor) || is(TokenKind::KwAsync)) {
        const List *loops = parseComprehensions();
        if (!loops)
          return false;
        value = node<GeneratorExpr>(begin, {value, loops});
      }
      if (!keywords.empty() && !llvm::isa<Starred>(value))
        return fail(value->range(), diag::PositionalAfterKeyword), false;
      args.push_back(value);
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  return true;
}

const Expr *Parser::parseSubscript(const Expr *value) {
  advance();
  Trees indices;
  do {
    if (!indices.empty() && is(TokenKind::RightBracket))
      break;
    indices.push_back(parseSubscriptItem());
    if (!indices.back())
      return nullptr;
  } while (accept(TokenKind::Comma));
  const List *indexList = list(indices);
  if (!expect(TokenKind::RightBracket))
    return nullptr;
  return node<Subscript>(value->range().begin(), {value, indexList});
}

const Expr *Parser::parseSubscriptItem() {
  uint32_t begin = cur().begin;
  const Expr *parts[3] = {};
  if (!is(TokenKind::Colon)) {
    parts[0] = parseStarOrTest(/*namedAllowed=*/true);
    if (!parts[0] || !is(TokenKind::Colon))
      return parts[0];
  }
  for (unsigned i = 1; i != 3 && accept(TokenKind::Colon); ++i) {
    if (is(TokenKind::Colon) || is(TokenKind::Comma) || is(TokenKind::RightBracket))
      continue;
    parts[i] = parseTest();
    if (!parts[i])
      return nullptr;
  }
  return node<Slice>(begin, parts);
}

/// One or more `for target in iterable [if condition]...`.
const List *Parser::parseComprehensions() {
  Trees loops;
  while (is(TokenKind::KwFor) || is(TokenKind::KwAsync)) {
    uint32_t begin = cur().begin;
    accept(TokenKind::KwAsync);
    if (!expect(TokenKind::KwFor))
      return nullptr;
    const Expr *target = parseTargetList();
    if (!target || !expect(TokenKind::KwIn))
      return nullptr;
    const Expr *iterable = parseExpr(PowOr);
    if (!iterable)
      return nullptr;
    Trees conditions;
    while (accept(TokenKind::KwIf)) {
      conditions.push_back(parseExpr(PowOr));
      if (!conditions.back())
        return nullptr;
    }
    const List *conditionList = list(conditions);
    loops.push_back(node<Comprehension>(begin, {target, iterable, conditionList}));
  }
  return list(loops);
}

const Expr *Parser::parseLambda() {
  uint32_t begin = cur().begin;
  advance();
  llvm::SmallVector<ParamSpec, 4> params;
  if (!parseParams(TokenKind::Colon, /*annotations=*/false, params))
    return nullptr;
  const List *paramList = makeParams(params);
  if (!expect(TokenKind::Colon))
    return nullptr;
  const Expr *body = parseTest();
  return body ? node<Lambda>(begin, {paramList, body}) : nullptr;
}

const Expr *Parser::parseYield() {
  uint32_t begin = cur().begin;
  advance();
  const Expr *value = nullptr;
  if (accept(TokenKind::KwFrom) || !atExpressionEnd()) {
    value = parseTestList(/*allowStars=*/true);
    if (!value)
      return nullptr;
  }
  return node<Yield>(begin, {value});
}
