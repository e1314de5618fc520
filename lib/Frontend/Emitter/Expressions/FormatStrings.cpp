//===- FormatStrings.cpp - f"{x}" -----------------------------------------===//
#include "FormatStrings.h"
#include "../../SugaredValues/Values.h"
#include "../Calls.h"
#include "../Expressions.h"
#include "../Forms/Printing.h"
#include "../FunctionContext.h"

using namespace tsc;

/// The text of the literal in a text to format.
static std::string withDoubledBraces(StringRef literal) {
  std::string text;
  for (char c : literal)
    text += c == '{' || c == '}' ? std::string(2, c) : std::string(1, c);
  return text;
}

/// A specification with `{}` where it holds an expression.
static std::string withPlainFields(StringRef spec) {
  std::string text;
  unsigned depth = 0;
  for (char c : spec) {
    depth -= c == '}';
    if (depth == 0)
      text += c;
    depth += c == '{';
  }
  return text;
}

Value *tsc::emitFormatString(FunctionContext &fn, const FormatString &tree) {
  std::string format;
  std::vector<NamedValue> args;
  for (const Tree *part : tree.parts()) {
    if (auto *text = llvm::dyn_cast<StringLiteral>(part)) {
      StringRef literal = text->value();
      if (fn.resolver.followsPython()) {
        format += withDoubledBraces(literal);
        continue;
      }
      // aten::format knows no escape: what it would take for a place to fill goes there itself.
      if (literal.contains("{}") || (StringRef(format).ends_with("{") && literal.starts_with("}"))) {
        args.push_back(fn.constant(IValue(literal), text->range()));
        literal = "{}";
      }
      format += literal;
      continue;
    }
    auto *value = llvm::cast<FormatValue>(part);
    bool isKnown = fn.resolver.followsPython() && (value->conversion() == 'r' || value->conversion() == 's');
    if (value->conversion() && !isKnown)
      return fn.error(part->range(), diag::FStringConversion, std::string(1, value->conversion()));
    if (!value->spec().empty() && !fn.resolver.followsPython())
      return fn.error(part->range(), diag::UnsupportedSyntax, "format specifications of f-strings");
    // The value, and those in its specification; what an object says of itself is converted already.
    bool isText = false;
    for (const Tree *each : value->children()) {
      Value *emitted = emitExpr(fn, each);
      Value *argument =
          emitted ? textOfObject(fn, emitted, each->range(), each == value->value() && value->conversion() == 'r')
                  : nullptr;
      if (!argument)
        return nullptr;
      isText |= each == value->value() && argument != emitted;
      args.push_back(argument);
    }
    format += '{';
    if (value->conversion() && !isText)
      format += {'!', value->conversion()};
    if (!value->spec().empty())
      format += ":" + withPlainFields(value->spec());
    format += '}';
  }
  Value *text = fn.constant(IValue(format), tree.range());
  args.insert(args.begin(), text);
  return callBuiltin(fn, tree.range(), aten::format, args);
}
