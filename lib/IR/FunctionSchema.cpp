//===- FunctionSchema.cpp - Signatures: parsing and printing --------------===//
//
// The text is PyTorch's, with alias annotations, lengths of lists and defaults;
// printing gives it back in one canonical form. Types are TypeParser's, whose
// members for defaults, arguments and results stand here.
//
//===----------------------------------------------------------------------===//
#include "tsc/IR/FunctionSchema.h"
#include "TypeParser.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;
using llvm::dyn_cast;

std::optional<unsigned> FunctionSchema::argumentIndex(StringRef name) const {
  for (unsigned i = 0; i != args.size(); ++i)
    if (args[i].name == name)
      return i;
  return std::nullopt;
}

static bool isDeviceOrNone(const Argument &argument) {
  const auto *optional = llvm::dyn_cast<OptionalType>(argument.type);
  return (optional ? optional->element() : argument.type)->kind() == TypeKind::Device;
}
std::optional<unsigned> FunctionSchema::deviceArgument() const {
  if (llvm::none_of(rets, [](const Argument &result) { return llvm::isa<TensorType>(result.type); }))
    return std::nullopt;
  for (unsigned i = 0; i != args.size(); ++i)
    if (isDeviceOrNone(args[i]))
      return i;
  return std::nullopt;
}

static bool writes(const AliasInfo &alias) { return alias.isWrite || llvm::any_of(alias.contained, writes); }
bool FunctionSchema::isMutating() const {
  return llvm::any_of(args, [](const Argument &a) { return a.alias && writes(*a.alias); });
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool TypeParser::parseQuoted(std::string &value) {
  char quote = text[at++];
  while (at < text.size() && text[at] != quote) {
    char c = text[at++];
    if (c == '\\' && at < text.size()) {
      c = text[at++];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'f' ? '\f' : c == 'v' ? '\v' : c == 'r' ? '\r' : c;
    }
    value += c;
  }
  return expect(quote);
}

/// What names stand for in defaults: numbers of PyTorch's enumerations.
static std::optional<int64_t> namedConstant(StringRef name) {
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("Mean", 1)
      .Case("Sum", 2)
      .Cases("contiguous_format", "strided", 0)
      .Case("preserve_format", 1)
      .Case("channels_last", 2)
      .Case("long", static_cast<int64_t>(DType::Int64))
      .Case("float", static_cast<int64_t>(DType::Float))
      .Default(std::nullopt);
}

/// Whether a default is one of `type`. None stands for what is not there, also where the type does not say so.
static bool fitsDefault(const IValue &value, const Type *type) {
  if (type->kind() == TypeKind::Optional)
    type = type->contained()[0];
  if (value.isNone())
    return true;
  switch (type->kind()) {
  case TypeKind::Int: return value.isInt();
  case TypeKind::Float: return value.isDouble();
  case TypeKind::Bool: return value.isBool();
  case TypeKind::Number: return value.isScalar();
  case TypeKind::String: return value.isString();
  case TypeKind::Device: return value.isDevice();
  case TypeKind::List: return value.isList();
  case TypeKind::Tensor:
  case TypeKind::None: return false;
  default: return true;
  }
}

bool TypeParser::parseDefaultElement(const Type *type, IValue &value, unsigned depth) {
  skipSpace();
  if (depth > 8)
    return fail("the default is nested too deeply");
  if (type->kind() == TypeKind::Optional)
    type = type->contained()[0];
  char c = peek();
  if (c == '"' || c == '\'') {
    std::string string;
    if (!parseQuoted(string))
      return false;
    value = type->isDevice() && Device::parse(string) ? IValue(*Device::parse(string)) : IValue(std::move(string));
    return true;
  }
  if (take('[')) {
    const Type *element = type->kind() == TypeKind::List ? type->contained()[0] : Type::intType();
    value = makeList(element->hasFreeVariables() ? Type::anyType() : element);
    while (!take(']')) {
      IValue item;
      if (!parseDefaultElement(element, item, depth + 1))
        return false;
      if ((item.isNone() && element->kind() != TypeKind::Optional) || !fitsDefault(item, element))
        return fail("a default of another type");
      appendToList(value, std::move(item));
      if (!take(',') && peek() != ']')
        return fail("expected ',' here");
    }
    return true;
  }
  if (llvm::isDigit(c) || c == '-' || c == '.' || text.substr(at).starts_with("inf")) {
    size_t begin = at++;
    while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '.' ||
                                ((text[at] == '-' || text[at] == '+') && (text[at - 1] == 'e'))))
      ++at;
    StringRef digits = text.slice(begin, at);
    int64_t integer;
    double number;
    if (!digits.getAsInteger(10, integer))
      value = type->isFloat() ? IValue(static_cast<double>(integer)) : IValue(integer);
    else if (!digits.getAsDouble(number))
      value = IValue(number);
    else
      return fail("expected a number");
    return true;
  }
  StringRef name = takeName();
  if (name == "None")
    value = IValue();
  else if (name == "True" || name == "False")
    value = IValue(name == "True");
  else if (auto number = namedConstant(name))
    value = IValue(*number);
  else if (name == "cpu")
    value = IValue(Device());
  else
    return fail("expected a default value");
  return true;
}

bool TypeParser::parseDefault(const Argument &argument, IValue &value) {
  if (!parseDefaultElement(argument.type, value, 0))
    return false;
  // `int[2] stride=1` stands for [1, 1]; `int[1] x=2` for [2].
  const Type *type = argument.type->kind() == TypeKind::Optional ? argument.type->contained()[0] : argument.type;
  if (argument.fixedLength && type->kind() == TypeKind::List && value.isScalar()) {
    IValue element = std::move(value);
    const Type *elementType = type->contained()[0];
    if (!fitsDefault(element, elementType))
      return fail("a default of another type");
    value = makeList(elementType);
    for (int32_t i = 0; i < *argument.fixedLength; ++i)
      appendToList(value, element);
  }
  return fitsDefault(value, type) || fail("a default of another type");
}

bool TypeParser::parseArguments(std::vector<Argument> &arguments, bool &isVararg) {
  if (!expect('('))
    return false;
  bool keywordOnly = false;
  if (take(')'))
    return true;
  do {
    skipSpace();
    if (isVararg)
      return fail("'...' must be last");
    if (text.substr(at).starts_with("...")) {
      at += 3;
      isVararg = true;
      continue;
    }
    if (take('*')) {
      if (keywordOnly)
        return fail("a second '*'");
      keywordOnly = true;
      continue;
    }
    AnnotatedType type;
    if (!parse(type))
      return false;
    Argument argument;
    argument.type = type.type;
    argument.alias = std::move(type.alias);
    argument.fixedLength = type.fixedLength;
    argument.keywordOnly = keywordOnly;
    argument.name = takeName().str();
    if (argument.name.empty())
      return fail("expected the argument's name");
    if (take('=')) {
      IValue value;
      if (!parseDefault(argument, value))
        return false;
      argument.defaultValue = std::move(value);
    }
    arguments.push_back(std::move(argument));
  } while (take(','));
  return expect(')');
}

bool TypeParser::parseReturns(std::vector<Argument> &returns, bool &isVarret) {
  skipSpace();
  if (!text.substr(at).starts_with("->"))
    return fail("expected '->' here");
  at += 2;
  auto parseOne = [&] {
    AnnotatedType type;
    if (!parse(type))
      return false;
    Argument result;
    result.type = type.type;
    result.alias = std::move(type.alias);
    result.fixedLength = type.fixedLength;
    if (skipSpace(); at < text.size() && (llvm::isAlpha(text[at]) || text[at] == '_'))
      result.name = takeName().str();
    returns.push_back(std::move(result));
    return true;
  };
  skipSpace();
  if (text.substr(at).starts_with("...")) {
    at += 3;
    isVarret = true;
    return true;
  }
  if (!take('('))
    return parseOne();
  if (take(')'))
    return true;
  do {
    skipSpace();
    if (text.substr(at).starts_with("...")) {
      at += 3;
      isVarret = true;
      break;
    }
    if (!parseOne())
      return false;
  } while (take(','));
  return expect(')');
}

bool TypeParser::parseSchema(FunctionSchema &schema) {
  skipSpace();
  size_t begin = at;
  while (at < text.size() &&
         (llvm::isAlnum(text[at]) || text[at] == '_' || text[at] == ':' || text[at] == '<' || text[at] == '>'))
    ++at;
  std::string name = text.slice(begin, at).str(), overload;
  if (name.empty())
    return fail("expected the operator's name");
  if (take('.'))
    overload = takeName().str();
  std::vector<Argument> arguments, returns;
  bool isVararg = false, isVarret = false;
  if (!parseArguments(arguments, isVararg) || !parseReturns(returns, isVarret))
    return false;
  if (!atEnd())
    return fail("unexpected text after the schema");
  schema = FunctionSchema(std::move(name), std::move(overload), std::move(arguments), std::move(returns), isVararg,
                          isVarret);
  return true;
}

llvm::FailureOr<FunctionSchema> tsc::parseSchema(Context &context, const SourceBuffer &text, DiagnosticEngine &diags) {
  TypeParser parser(context, text.text(), TypeSpelling::Schema);
  FunctionSchema schema;
  if (parser.parseSchema(schema))
    return schema;
  uint32_t begin = std::min<uint32_t>(parser.at, text.text().size());
  return diags.report(SourceRange(text, begin, std::min<uint32_t>(begin + 1, text.text().size())), diag::InvalidSchema,
                      parser.error);
}

FunctionSchema tsc::parseKnownSchema(Context &context, StringRef text) {
  TypeParser parser(context, text, TypeSpelling::Schema);
  FunctionSchema schema;
  [[maybe_unused]] bool good = parser.parseSchema(schema);
#ifndef NDEBUG
  if (!good)
    llvm::errs() << "schema: " << text << "\n  at " << parser.at << ": " << parser.error << '\n';
#endif
  assert(good && "a record's schema does not parse");
  return schema;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printAlias(llvm::raw_ostream &os, const AliasInfo &alias) {
  if (alias.before.empty() && alias.after.empty())
    return;
  os << '(' << llvm::join(alias.before, "|") << (alias.isWrite ? "!" : "");
  if (alias.after != alias.before)
    os << " -> " << llvm::join(alias.after, "|");
  os << ')';
}

/// The type with its annotations at their places: `Tensor(a!)[]`, `int[2]?`.
static void printAnnotated(llvm::raw_ostream &os, const Type *type, const AliasInfo *alias,
                           std::optional<int32_t> length) {
  if (type->kind() == TypeKind::Optional) {
    printAnnotated(os, type->contained()[0], alias, length);
    os << '?';
    return;
  }
  if (type->kind() == TypeKind::List) {
    bool inner = alias && !alias->contained.empty();
    printAnnotated(os, type->contained()[0], inner ? &alias->contained[0] : nullptr, std::nullopt);
    os << '[';
    if (length)
      os << *length;
    os << ']';
  } else {
    os << type->str();
  }
  if (alias)
    printAlias(os, *alias);
}

static void printDefault(llvm::raw_ostream &os, const Argument &argument) {
  const IValue &value = *argument.defaultValue;
  if (value.isString()) {
    os << '"';
    for (char c : value.toString())
      switch (c) {
      case '"': os << "\\\""; break;
      case '\'': os << "\\'"; break;
      case '\\': os << "\\\\"; break;
      case '\n': os << "\\n"; break;
      case '\t': os << "\\t"; break;
      case '\f': os << "\\f"; break;
      case '\v': os << "\\v"; break;
      default: os << c;
      }
    os << '"';
    return;
  }
  if (value.isIntList() && argument.fixedLength) { // one number stands for that many
    ArrayRef<int64_t> elements = value.toIntList().elements;
    if (!elements.empty() && elements.size() == size_t(*argument.fixedLength) && llvm::all_equal(elements)) {
      os << elements.front();
      return;
    }
  }
  printValue(os, value);
}

static void printArgument(llvm::raw_ostream &os, const Argument &argument) {
  printAnnotated(os, argument.type, argument.alias ? &*argument.alias : nullptr, argument.fixedLength);
  if (!argument.name.empty())
    os << ' ' << argument.name;
  if (argument.defaultValue) {
    os << '=';
    printDefault(os, argument);
  }
}

std::string FunctionSchema::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << qualified;
  if (!overload.empty())
    os << '.' << overload;
  os << '(';
  llvm::ListSeparator comma;
  bool keywordOnly = false;
  for (const Argument &argument : args) {
    if (argument.keywordOnly && !keywordOnly) {
      os << comma << '*';
      keywordOnly = true;
    }
    os << comma;
    printArgument(os, argument);
  }
  if (vararg)
    os << comma << "...";
  os << ") -> ";
  std::string returns;
  llvm::raw_string_ostream results(returns);
  llvm::ListSeparator between;
  for (const Argument &result : rets) {
    results << between;
    printArgument(results, result);
  }
  if (varret)
    results << between << "...";
  bool parentheses = !(rets.size() == 1 && !varret) && !(rets.empty() && varret);
  if (parentheses || (!returns.empty() && returns.front() == '('))
    os << '(' << returns << ')';
  else
    os << returns;
  return text;
}
