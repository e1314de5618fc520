//===- ParserImpl.h - The parser's state and rules --------------*- C++ -*-===//
//
// One method per rule; a rule that fails has reported why and returns null. The
// rules are spread over ParseExpressions, ParseStatements and ParseDefinitions.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_LIB_FRONTEND_PARSERIMPL_H
#define TSC_LIB_FRONTEND_PARSERIMPL_H

#include "tsc/Frontend/Diagnostics.h"
#include "tsc/Frontend/Lexer.h"
#include "tsc/Frontend/Tree.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/SmallVector.h"

namespace tsc {

/// Nodes of one list, before the tree takes them over.
using Trees = llvm::SmallVector<const Tree *, 8>;

/// A recursive-descent parser of Python's syntax, from tokens to a SyntaxTree. It is used once. Borrows the tree and
/// the diagnostics.
class Parser {
public:
  Parser(SyntaxTree &tree, TokenStream stream, DiagnosticEngine &diags)
      : tree(tree), buffer(tree.buffer()), stream(std::move(stream)), diags(diags) {}

  /// Parses a whole file, whose statements become `tree`'s top. Fails after reports.
  llvm::LogicalResult parseFile();
  /// Parses one expression, a tuple without brackets included, which becomes `tree`'s top. Fails after reports, also
  /// where something follows.
  llvm::LogicalResult parseWholeExpression();

private:
  /// How deep rules may call each other; each level of brackets takes two to three.
  static constexpr unsigned maxNesting = 600;

  //===-- Tokens -----------------------------------------------------------===//
  const Token &cur() const { return stream.tokens[at]; }
  const Token &peek(unsigned ahead = 1) const {
    return stream.tokens[std::min<size_t>(at + ahead, stream.tokens.size() - 1)];
  }
  bool is(TokenKind kind) const { return cur().kind == kind; }
  /// An identifier or a keyword.
  static bool isWord(const Token &token) { return token.kind == TokenKind::Ident || token.kind >= TokenKind::KwAnd; }
  StringRef textOf(const Token &token) const { return buffer.text().slice(token.begin, token.end); }
  SourceRange rangeOf(const Token &token) const { return {buffer, token.begin, token.end}; }
  void advance() {
    if (!is(TokenKind::Eof))
      ++at;
  }
  bool accept(TokenKind kind) { return is(kind) && (advance(), true); }
  bool expect(TokenKind kind);
  template <typename... Args> std::nullptr_t fail(SourceRange range, const DiagnosticKind &kind, Args &&...args) {
    (void)diags.report(range, kind, std::forward<Args>(args)...);
    return nullptr;
  }
  std::nullptr_t unexpected(StringRef wanted);
  /// Returns the range from the offset `begin` to the end of the last token consumed.
  SourceRange rangeFrom(uint32_t begin) const {
    return {buffer, begin, std::max(begin, at ? stream.tokens[at - 1].end : begin)};
  }

  /// Counts one more level while it lives; converts to false, having reported, when that is too many.
  class Level {
  public:
    explicit Level(Parser &parser) : parser(parser), fits(++parser.nesting <= maxNesting && mayRecurse()) {
      if (!fits)
        parser.reportTooDeep();
    }
    ~Level() { --parser.nesting; }
    explicit operator bool() const { return fits; }

  private:
    Parser &parser;
    bool fits;
  };
  void reportTooDeep();
  /// Whether `node` may be walked by recursion in a reasonable time; reports if not.
  bool checkSize(const Tree *node);

  //===-- Nodes ------------------------------------------------------------===//
  template <typename T> T *node(uint32_t begin, ArrayRef<const Tree *> children = {}) {
    return tree.make<T>(rangeFrom(begin), children);
  }
  /// A List whose range is that of its elements.
  const List *list(ArrayRef<const Tree *> elements);
  template <typename T>
  const Tree *opNode(TreeOp op, const Token &opToken, uint32_t begin, ArrayRef<const Tree *> children) {
    T *result = node<T>(begin, children);
    SyntaxTree::setOp(*result, op);
    SyntaxTree::setPoint(*result, rangeOf(opToken));
    return result;
  }
  template <typename T>
  const Tree *namedNode(StringRef name, SourceRange point, uint32_t begin, ArrayRef<const Tree *> children = {}) {
    T *result = node<T>(begin, children);
    SyntaxTree::setName(*result, name);
    SyntaxTree::setPoint(*result, point);
    return result;
  }

  //===-- Expressions (ParseExpressions.cpp, ParseAtoms.cpp) ----------------===//
  const Expr *parseTest();                    ///< A full expression without top-level commas.
  const Expr *parseTestList(bool allowStars); ///< Commas make a tuple.
  const Expr *parseParts(bool areTargets);
  const Expr *parsePattern();    ///< What stands behind `case`.
  const Expr *parseTargetList(); ///< What stands between `for` and `in`.
  const Expr *parseExpr(unsigned minPower);
  const Expr *parsePrefix();
  const Expr *parseInfix(const Expr *lhs, unsigned power);
  const Expr *parseComparison(const Expr *lhs);
  TreeOp comparisonAt(Token &op);
  const Expr *parsePostfix();
  const Expr *parseCall(const Expr *callee);
  bool parseCallArguments(Trees &args, Trees &keywords);
  const Expr *parseSubscript(const Expr *value);
  const Expr *parseSubscriptItem();
  const Expr *parseAtom();
  const Expr *parseNumber(bool negative);
  const Expr *parseStrings();
  bool parseFormatString(const Token &token, const StringParts &parts, Trees &out);
  /// Appends the pieces of what stands in braces.
  bool parseFormatValue(uint32_t &pos, uint32_t end, Trees &out);
  const Expr *parsePart(uint32_t begin, uint32_t end,
                        DiagnosticEngine &to); ///< An expression within a string or comment.
  const Expr *parseParens();
  const Expr *parseBrackets();
  const Expr *parseBraces();
  const Expr *parseNamedPart();
  const Expr *parseStarOrTest(bool namedAllowed);
  bool parseElements(TokenKind close, Trees &elements);
  const List *parseComprehensions();
  const Expr *parseLambda();
  const Expr *parseYield();
  bool atExpressionEnd() const;

  //===-- Statements (ParseStatements.cpp) ----------------------------------===//
  bool parseStatement(Trees &out);
  bool parseSimpleLine(Trees &out);
  const Stmt *parseSimple();
  const Stmt *parseCompound();
  const Stmt *parseExpressionStatement();
  const Stmt *parseAssignment(const Expr *first, uint32_t begin);
  bool checkTarget(const Expr *target);
  const List *parseBlock(StringRef after);
  const Stmt *parseIf();
  const Stmt *parseFor();
  const Stmt *parseWhile();
  bool isParenthesizedWith() const;
  const Stmt *parseWith();
  const Stmt *parseTry();
  const Tree *parseHandler();
  bool isMatch() const;
  const Stmt *parseMatch();
  const Tree *parseCase();
  const Stmt *parseReturn();
  const Stmt *parseRaise();
  const Stmt *parseAssert();
  const Stmt *parseDelete();
  const Stmt *parseImport();
  const Stmt *parseFromImport();
  const Tree *parseAlias(bool dotted);
  template <typename T> const Stmt *parseNames();
  template <typename T> const Stmt *parseKeywordAlone();

  //===-- Definitions (ParseDefinitions.cpp) --------------------------------===//
  struct ParamSpec {
    StringRef name;
    SourceRange nameRange;
    const Expr *type = nullptr, *defaultValue = nullptr;
    uint8_t flags = 0;
    uint32_t begin = 0, end = 0; ///< Bytes.
    size_t endToken = 0;         ///< Index of the token after it.
  };
  const Stmt *parseDecorated();
  const Stmt *parseDef(const List *decorators, uint32_t begin);
  const Stmt *parseClass(const List *decorators, uint32_t begin);
  bool parseParams(TokenKind close, bool annotations, llvm::SmallVectorImpl<ParamSpec> &params);
  bool parseParam(bool annotations, ParamSpec &param);
  void takeParamTypeComments(llvm::SmallVectorImpl<ParamSpec> &params);
  bool applyTypeComment(const TypeComment &comment, SourceRange head, llvm::SmallVectorImpl<ParamSpec> &params,
                        const Expr *&returnType);
  const List *makeParams(ArrayRef<ParamSpec> params);
  /// The comment with first < nextToken <= last, if any.
  const TypeComment *findTypeComment(size_t first, size_t last) const;
  /// The type in such a comment, or null (an unreadable comment is only a comment).
  const Expr *typeFromComment(size_t first, size_t last);

  SyntaxTree &tree;
  const SourceBuffer &buffer;
  TokenStream stream;
  DiagnosticEngine &diags;
  size_t at = 0;
  unsigned nesting = 0;
  bool isInPattern = false; ///< Where `part as name` names a part.
};

} // namespace tsc

#endif
