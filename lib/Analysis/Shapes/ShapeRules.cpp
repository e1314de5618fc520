//===- ShapeRules.cpp - The records' columns for propagation --------------===//
#include "tsc/Analysis/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using llvm::StringRef;

namespace {
/// Texts by where they begin.
struct Row {
  uint16_t shape, dtype, strides;
  uint8_t computeTypes;
  uint32_t promoting;
};
} // namespace

#define TSC_SHAPE_ROWS
static constexpr Row table[] = {
#include "tsc/Analysis/ShapeColumns.inc"
};
#undef TSC_SHAPE_ROWS

#define TSC_SHAPE_TEXTS
static constexpr char texts[] =
#include "tsc/Analysis/ShapeColumns.inc"
    ;
#undef TSC_SHAPE_TEXTS

ShapeColumns tsc::shapeColumns(OpKind kind) {
  assert(static_cast<size_t>(kind) < std::size(table) && "only operators with a record have columns");
  const Row &row = table[static_cast<size_t>(kind)];
  return {texts + row.shape, texts + row.dtype, texts + row.strides, row.promoting, row.computeTypes};
}

namespace {

/// result (';' result)*, where a result is name, name.strides, name.dtypes, name(result, …), [result, …] or a literal.
class ColumnParser {
public:
  explicit ColumnParser(StringRef text) : rest(text.ltrim()) {}

  std::vector<RuleExpr> parse() {
    std::vector<RuleExpr> results;
    do
      results.push_back(parseExpr(0));
    while (eat(';'));
    if (!rest.empty())
      fail("expected ';' or the end");
    return error.empty() ? results : std::vector<RuleExpr>();
  }
  std::string error;

private:
  static constexpr unsigned maxDepth = 16;

  void fail(StringRef what) {
    if (error.empty())
      error = (what + " before '" + rest + "'").str();
  }
  bool eat(char c) {
    if (rest.empty() || rest.front() != c)
      return false;
    rest = rest.drop_front().ltrim();
    return true;
  }
  StringRef take(size_t length) {
    StringRef taken = rest.take_front(length);
    rest = rest.drop_front(length).ltrim();
    return taken;
  }

  void parseList(RuleExpr &into, char close, unsigned depth) {
    if (eat(close))
      return;
    do
      into.arguments.push_back(parseExpr(depth + 1));
    while (eat(',') && error.empty());
    if (!eat(close))
      fail("expected ','");
  }

  RuleExpr parseExpr(unsigned depth) {
    RuleExpr expr;
    if (depth > maxDepth) {
      fail("nested too deeply");
      return expr;
    }
    if (eat('[')) {
      expr.kind = RuleExpr::Kind::List;
      parseList(expr, ']', depth);
      return expr;
    }
    if (rest.starts_with("\"")) {
      expr.kind = RuleExpr::Kind::Literal;
      expr.name = take(rest.drop_front().find('"') + 2).str();
      return expr;
    }
    size_t length = rest.find_if([](char c) { return !llvm::isAlnum(c) && c != '_' && c != '-'; });
    expr.name = take(std::min(length, rest.size())).str();
    StringRef name = expr.name;
    if (name.empty()) {
      // An entry may be empty: nothing is known of that result.
      if (!rest.empty() && rest.front() != ';')
        fail("expected a name");
      return expr;
    }
    int64_t number;
    if (!name.getAsInteger(10, number) || name == "True" || name == "False" || name == "None") {
      expr.kind = RuleExpr::Kind::Literal;
    } else if (eat('.')) {
      bool isStrides = rest.starts_with("strides");
      expr.kind = isStrides ? RuleExpr::Kind::Strides : RuleExpr::Kind::DTypes;
      if (take(isStrides ? 7 : 6) != (isStrides ? "strides" : "dtypes"))
        fail("expected 'strides' or 'dtypes'");
    } else if (eat('(')) {
      expr.kind = RuleExpr::Kind::Call;
      parseList(expr, ')', depth);
    } else {
      expr.isBare = true; // an operand, or a rule: the schema decides
    }
    return expr;
  }

  StringRef rest;
};

} // namespace

std::vector<RuleExpr> tsc::parseRuleColumn(StringRef text, std::string &why) {
  ColumnParser parser(text);
  std::vector<RuleExpr> results = parser.parse();
  why = parser.error;
  return results;
}
