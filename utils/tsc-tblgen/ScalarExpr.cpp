//===- ScalarExpr.cpp - Scalar bodies of point-wise operators -------------===//
#include "ScalarExpr.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace tsc::tblgen;

namespace {
struct Function {
  StringRef operands;
  char result;
};

const StringMap<Function> &functions() {
  static const StringMap<Function> table = {
#define FUNCTION(NAME, OPERANDS, RESULT, COST) {#NAME, {OPERANDS, RESULT}},
#include "ScalarFunctions.def"
  };
  return table;
}

/// A subexpression: C++ text and kind. `known` is set when a comparison with a literal in quotes decided it.
struct Operand {
  std::string code;
  char kind = 'v';
  std::optional<bool> known;
};

struct BinaryOperator {
  StringRef text;
  int precedence;
  StringRef builder;
  char operands, result;
};
// Longer spellings first.
constexpr BinaryOperator binaryOperators[] = {
    {"||", 2, "maskOr", 'm', 'm'},    {"&&", 3, "maskAnd", 'm', 'm'},    {"==", 7, "eq", 'v', 'm'},
    {"!=", 7, "ne", 'v', 'm'},        {"<=", 8, "le", 'v', 'm'},         {">=", 8, "ge", 'v', 'm'},
    {"<<", 9, "shiftLeft", 'v', 'v'}, {">>", 9, "shiftRight", 'v', 'v'}, {"<", 8, "lt", 'v', 'm'},
    {">", 8, "gt", 'v', 'm'},         {"|", 4, "bitOr", 'v', 'v'},       {"^", 5, "bitXor", 'v', 'v'},
    {"&", 6, "bitAnd", 'v', 'v'},     {"+", 10, "add", 'v', 'v'},        {"-", 10, "sub", 'v', 'v'},
    {"*", 11, "mul", 'v', 'v'},       {"/", 11, "div", 'v', 'v'},
};
constexpr int ternaryPrecedence = 1;
constexpr unsigned maxDepth = 100;

class ExprParser {
public:
  ExprParser(StringRef text, const ScalarScope &scope) : text(text), scope(scope) {}
  std::string error;
  size_t position = 0;

  std::optional<ScalarBody> parse() {
    while (std::optional<StringRef> name = takeBindingName()) {
      std::optional<Operand> value = parseExpr(0);
      if (!value)
        return std::nullopt;
      if (!consume(";"))
        return fail("expected ';' after the binding");
      locals[*name] = {value->code, value->kind};
    }
    std::optional<Operand> value = parseExpr(0);
    if (!value)
      return std::nullopt;
    skip();
    if (position != text.size())
      return fail("expected an operator");
    return ScalarBody{statements + "    return " + value->code + ";\n", value->kind};
  }

private:
  /// `name =` that is not `name ==`.
  std::optional<StringRef> takeBindingName() {
    skip();
    size_t at = position;
    StringRef name = takeName();
    skip();
    if (!name.empty() && position + 1 < text.size() && text[position] == '=' && text[position + 1] != '=') {
      ++position;
      return name;
    }
    position = at;
    return std::nullopt;
  }

  std::optional<Operand> parseExpr(int minPrecedence) {
    if (++depth > maxDepth)
      return fail("expression is nested too deeply");
    std::optional<Operand> left = parseUnary();
    while (left) {
      skip();
      if (minPrecedence <= ternaryPrecedence && peek() == '?') {
        ++position;
        left = parseTernary(*left);
        continue;
      }
      const BinaryOperator *op = peekBinary();
      if (!op || op->precedence < minPrecedence)
        break;
      position += op->text.size();
      skip();
      if (left->kind == 's' || (peek() == '"' && scope.texts.count(left->code))) {
        left = parseTextComparison(*left, *op);
        continue;
      }
      std::optional<Operand> right = parseExpr(op->precedence + 1);
      if (!right)
        return std::nullopt;
      if (op->operands == 'm' && (left->known || right->known)) {
        left = foldLogical(*op, *left, *right);
        continue;
      }
      left = emit(op->builder, {coerce(*left, op->operands), coerce(*right, op->operands)}, op->result);
    }
    --depth;
    return left;
  }

  Operand foldLogical(const BinaryOperator &op, const Operand &left, const Operand &right) {
    const Operand &decided = left.known ? left : right, &other = left.known ? right : left;
    bool absorbing = op.text == "||";
    return *decided.known == absorbing ? decided : other;
  }

  std::optional<Operand> parseTextComparison(const Operand &name, const BinaryOperator &op) {
    skip();
    if (op.text != "==" && op.text != "!=")
      return fail("a string can only be compared with == and !=");
    if (peek() != '"')
      return fail("expected a string literal");
    size_t close = text.find('"', position + 1);
    if (close == StringRef::npos)
      return fail("unterminated string literal");
    StringRef literal = text.slice(position + 1, close);
    position = close + 1;
    const std::optional<std::string> &chosen = scope.texts.find(name.code)->second;
    bool equal = chosen && *chosen == literal;
    return Operand{"", 'm', equal == (op.text == "==")};
  }

  /// What is not taken computes nothing.
  std::optional<Operand> parseBranch(int minPrecedence, bool isTaken) {
    size_t before = statements.size();
    std::optional<Operand> value = parseExpr(minPrecedence);
    if (!isTaken)
      statements.resize(before);
    return value;
  }

  std::optional<Operand> parseTernary(const Operand &condition) {
    std::optional<Operand> yes = parseBranch(0, condition.known.value_or(true));
    if (!yes)
      return std::nullopt;
    if (!consume(":"))
      return fail("expected ':'");
    std::optional<Operand> no = parseBranch(ternaryPrecedence, !condition.known.value_or(false));
    if (!no)
      return std::nullopt;
    if (condition.known)
      return *condition.known ? yes : no;
    return emit("where", {coerce(condition, 'm'), coerce(*yes, 'v'), coerce(*no, 'v')}, 'v');
  }

  std::optional<Operand> parseUnary() {
    skip();
    char c = peek();
    if (c == '-' || c == '!' || c == '~') {
      ++position;
      std::optional<Operand> operand = parseExpr(12);
      if (!operand)
        return std::nullopt;
      if (c == '!')
        return operand->known ? Operand{"", 'm', !*operand->known} : emit("maskNot", {coerce(*operand, 'm')}, 'm');
      return emit(c == '-' ? "neg" : "bitNot", {coerce(*operand, 'v')}, 'v');
    }
    if (c == '(') {
      ++position;
      std::optional<Operand> inner = parseExpr(0);
      if (inner && !consume(")"))
        return fail("expected ')'");
      return inner;
    }
    if (isDigit(c))
      return parseNumber();
    size_t at = position;
    StringRef name = takeName();
    if (name.empty())
      return fail("expected an expression");
    skip();
    if (peek() == '(')
      return parseCall(name, at);
    if (auto it = locals.find(name); it != locals.end())
      return Operand{it->second.code, it->second.kind, {}};
    if (auto it = scope.names.find(name); it != scope.names.end())
      return Operand{it->second.code, it->second.kind, {}};
    if (name == "inf" || name == "nan" || name == "pi" || name == "largest")
      return emit((name + "()").str(), {}, 'v');
    position = at;
    return fail("unknown name '" + name + "'");
  }

  std::optional<Operand> parseNumber() {
    size_t start = position;
    while (position < text.size() && (isAlnum(text[position]) || text[position] == '.' ||
                                      ((text[position] == '-' || text[position] == '+') &&
                                       (text[position - 1] == 'e' || text[position - 1] == 'E'))))
      ++position;
    double value;
    if (text.slice(start, position).getAsDouble(value)) {
      position = start;
      return fail("not a number");
    }
    return emit(("constant(" + text.slice(start, position) + ")").str(), {}, 'v');
  }

  std::optional<Operand> parseCall(StringRef name, size_t at) {
    consume("(");
    if (name == "has") {
      skip();
      StringRef operand = takeName();
      auto it = scope.presence.find(operand);
      if (it == scope.presence.end())
        return fail("has() takes an optional operand");
      if (!consume(")"))
        return fail("expected ')'");
      return emit("truth", {it->second}, 'm');
    }
    auto it = functions().find(name);
    if (it == functions().end()) {
      position = at;
      return fail("unknown function '" + name + "'");
    }
    const Function &function = it->second;
    std::vector<std::string> operands;
    while (!consume(")")) {
      if (operands.size() == function.operands.size() || (!operands.empty() && !consume(",")))
        return fail("'" + name + "' takes " + Twine(function.operands.size()) + " operands");
      std::optional<Operand> operand = parseExpr(0);
      if (!operand)
        return std::nullopt;
      operands.push_back(coerce(*operand, function.operands[operands.size()]));
    }
    if (operands.size() != function.operands.size())
      return fail("'" + name + "' takes " + Twine(function.operands.size()) + " operands");
    return emit(name, operands, function.result);
  }

  /// Makes a value of a truth value and the reverse.
  std::string coerce(const Operand &operand, char kind) {
    if (operand.known)
      return coerce(emit(*operand.known ? "constant(1)" : "constant(0)", {}, 'v'), kind);
    if (operand.kind == kind)
      return operand.code;
    return emit(kind == 'm' ? "truth" : "fromMask", {operand.code}, kind).code;
  }

  /// One call on the builder, into a fresh variable. `builder` may already have its parentheses.
  Operand emit(StringRef builder, const std::vector<std::string> &operands, char kind) {
    std::string name = "x" + std::to_string(count++);
    statements += "    [[maybe_unused]] auto " + name + " = b." + builder.str();
    if (!builder.ends_with(")"))
      statements += "(" + join(operands, ", ") + ")";
    statements += ";\n";
    return {name, kind, {}};
  }

  const BinaryOperator *peekBinary() const {
    for (const BinaryOperator &op : binaryOperators)
      if (text.substr(position).starts_with(op.text))
        return &op;
    return nullptr;
  }
  StringRef takeName() {
    size_t start = position;
    while (position < text.size() && (isAlnum(text[position]) || text[position] == '_'))
      ++position;
    return text.slice(start, position);
  }
  char peek() const { return position < text.size() ? text[position] : '\0'; }
  bool consume(StringRef token) {
    skip();
    return text.substr(position).starts_with(token) && (position += token.size());
  }
  void skip() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
  }
  std::nullopt_t fail(const Twine &message) { return error = message.str(), std::nullopt; }

  StringRef text;
  const ScalarScope &scope;
  StringMap<ScalarScope::Name> locals;
  std::string statements;
  unsigned count = 0, depth = 0;
};
} // namespace

std::optional<ScalarBody> tsc::tblgen::compileScalarBody(StringRef text, const ScalarScope &scope, std::string &error,
                                                         size_t &errorOffset) {
  ExprParser parser(text, scope);
  std::optional<ScalarBody> body = parser.parse();
  error = parser.error;
  errorOffset = parser.position;
  return body;
}

std::vector<std::string> tsc::tblgen::literalsComparedWith(StringRef text, StringRef name) {
  std::vector<std::string> found;
  for (size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
    StringRef rest = text.substr(at + name.size()).ltrim();
    if (!rest.consume_front("==") && !rest.consume_front("!="))
      continue;
    rest = rest.ltrim();
    if (!rest.consume_front("\""))
      continue;
    std::string literal = rest.take_until([](char c) { return c == '"'; }).str();
    if (!is_contained(found, literal))
      found.push_back(literal);
  }
  return found;
}
