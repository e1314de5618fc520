//===- Schema.cpp - Just enough of a schema parser for tsc-tblgen ---------===//
//
// Types stay text. Only the structure (arguments, annotations, defaults) is
// taken apart; lib/IR has the real parser.
//
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tsc::tblgen;

namespace {
class SchemaParser {
public:
  SchemaParser(StringRef text) : text(text) {}
  std::string error;
  size_t position = 0;

  bool parse(Schema &s) {
    std::string name = takeName();
    size_t colons = name.find("::");
    if (colons == std::string::npos)
      return fail("expected 'namespace::name'");
    s.ns = name.substr(0, colons);
    s.name = name.substr(colons + 2);
    if (consume('.'))
      s.overload = takeName();
    if (!consume('('))
      return fail("expected '('");
    bool keywordOnly = false;
    while (!consume(')')) {
      if (consume('*')) {
        keywordOnly = true;
      } else if (consumeText("...")) {
        s.varargs = true;
      } else {
        SchemaArg arg;
        if (!parseTyped(arg, /*needName=*/true))
          return false;
        arg.keywordOnly = keywordOnly;
        if (consume('='))
          arg.defaultValue = takeDefault();
        s.args.push_back(std::move(arg));
      }
      if (!consume(',') && peek() != ')')
        return fail("expected ',' or ')'");
    }
    if (!consumeText("->"))
      return fail("expected '->'");
    return parseReturns(s);
  }

private:
  bool parseReturns(Schema &s) {
    if (consumeText("..."))
      return s.varreturns = true;
    if (peek() == '(' && !isTupleType()) {
      s.parenthesizedReturns = true;
      consume('(');
      while (!consume(')')) {
        if (consumeText("...")) {
          s.varreturns = true;
        } else {
          SchemaArg result;
          if (!parseTyped(result, /*needName=*/false))
            return false;
          s.returns.push_back(std::move(result));
        }
        if (!consume(',') && peek() != ')')
          return fail("expected ',' or ')'");
      }
    } else {
      SchemaArg result;
      if (!parseTyped(result, /*needName=*/false))
        return false;
      s.returns.push_back(std::move(result));
    }
    skip();
    return position == text.size() || fail("text after the schema");
  }

  /// `(Tensor, int)[]`: a tuple type as the only result, not a list of results.
  bool isTupleType() {
    skip();
    int depth = 0;
    for (size_t i = position; i < text.size(); ++i) {
      if (text[i] == '(')
        ++depth;
      else if (text[i] == ')' && --depth == 0)
        return i + 1 < text.size() && (text[i + 1] == '[' || text[i + 1] == '?');
    }
    return false;
  }

  bool parseTyped(SchemaArg &arg, bool needName) {
    skip();
    size_t start = position;
    if (!takeType(arg))
      return false;
    arg.annotated = text.slice(start, position).str();
    skip();
    if (isAlpha(peek()) || peek() == '_')
      arg.name = takeName();
    return !needName || !arg.name.empty() || fail("expected an argument name");
  }

  /// Collects the type's text without annotations: a parenthesis right after a name other than Dict, Future… .
  bool takeType(SchemaArg &arg) {
    if (peek() == '(') { // a tuple
      if (!takeBracketed(arg.type))
        return false;
    } else {
      std::string name = takeName();
      if (name.empty())
        return fail("expected a type");
      while (position < text.size() && text[position] == '.') // __torch__.A.B
        name += "." + (++position, takeName());
      arg.type += name;
      if (position < text.size() && text[position] == '(') {
        if (StringRef(name) == "Dict" || StringRef(name) == "Future" || StringRef(name) == "Tuple" ||
            StringRef(name) == "RRef" || StringRef(name) == "Await") {
          if (!takeBracketed(arg.type))
            return false;
        }
      }
    }
    while (position < text.size()) {
      char c = text[position];
      if (c == '?') {
        arg.type += c, ++position;
      } else if (c == '[') {
        size_t close = text.find(']', position);
        if (close == StringRef::npos)
          return fail("expected ']'");
        arg.type += text.slice(position, close + 1);
        position = close + 1;
      } else if (c == '(') {
        size_t close = text.find(')', position);
        if (close == StringRef::npos)
          return fail("expected ')'");
        StringRef annotation = text.slice(position + 1, close);
        arg.aliases = true;
        arg.writes |= annotation.contains('!');
        position = close + 1;
      } else {
        break;
      }
    }
    return true;
  }

  bool takeBracketed(std::string &into) {
    int depth = 0;
    skip();
    for (; position < text.size(); ++position) {
      into += text[position];
      if (text[position] == '(')
        ++depth;
      else if (text[position] == ')' && --depth == 0)
        return ++position, true;
    }
    return fail("expected ')'");
  }

  std::string takeDefault() {
    skip();
    size_t start = position;
    int depth = 0;
    bool quoted = false;
    for (; position < text.size(); ++position) {
      char c = text[position];
      if (c == '"' || c == '\'')
        quoted = !quoted;
      if (quoted)
        continue;
      if (c == '[' || c == '(')
        ++depth;
      else if (c == ']' || (c == ')' && depth))
        --depth;
      else if ((c == ',' || c == ')') && depth == 0)
        break;
    }
    return text.slice(start, position).rtrim().str();
  }

  std::string takeName() {
    skip();
    size_t start = position;
    while (position < text.size() && (isAlnum(text[position]) || text[position] == '_' ||
                                      (text[position] == ':' && text.substr(position).starts_with("::") && ++position)))
      ++position;
    return text.slice(start, position).str();
  }

  void skip() {
    while (position < text.size() && isSpace(text[position]))
      ++position;
  }
  char peek() { return skip(), position < text.size() ? text[position] : '\0'; }
  bool consume(char c) { return peek() == c && ++position; }
  bool consumeText(StringRef s) {
    skip();
    return text.substr(position).starts_with(s) && (position += s.size());
  }
  bool fail(StringRef message) { return error = message.str(), false; }

  StringRef text;
};
} // namespace

std::optional<Schema> tsc::tblgen::parseSchema(StringRef text, std::string &error, size_t &errorOffset) {
  SchemaParser parser(text);
  Schema schema;
  if (parser.parse(schema))
    return schema;
  error = parser.error;
  errorOffset = parser.position;
  return std::nullopt;
}

std::string Schema::str() const {
  std::string out = qualified();
  if (!overload.empty())
    out += "." + overload;
  out += "(";
  bool first = true, inKeywords = false;
  auto separate = [&] { out += first ? "" : ", ", first = false; };
  for (const SchemaArg &arg : args) {
    separate();
    if (arg.keywordOnly && !inKeywords)
      out += "*, ", inKeywords = true;
    out += arg.annotated + " " + arg.name;
    if (!arg.defaultValue.empty())
      out += "=" + arg.defaultValue;
  }
  if (varargs)
    separate(), out += "...";
  out += ") -> ";
  bool brackets = returns.size() != 1 || parenthesizedReturns;
  if (varreturns && returns.empty())
    return out + "...";
  out += brackets ? "(" : "";
  first = true;
  for (const SchemaArg &result : returns) {
    separate();
    out += result.annotated + (result.name.empty() ? "" : " " + result.name);
  }
  return out + (brackets ? ")" : "");
}
