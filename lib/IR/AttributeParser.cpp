//===- AttributeParser.cpp - Scanning textual IR --------------------------===//
//
// The words of textual IR, and the values that attributes and constants hold.
// What a literal means may depend on the type beside it: `[]` is a list of what
// the type says. Nesting is bounded; a failure is reported where it stands.
//
//===----------------------------------------------------------------------===//
#include "AttributeParser.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Diagnostics.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/StringExtras.h"
#include <limits>

using namespace tsc;
using llvm::failed;
using llvm::failure;
using llvm::FailureOr;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;

static constexpr unsigned maxDepth = 100;
static bool isNameCharacter(char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; }

IRText::IRText(Context &context, const SourceBuffer &buffer, DiagnosticEngine &diags)
    : context(context), buffer(buffer), diags(diags), text(buffer.text()) {
  for (size_t found = text.find("\nwith "); found != StringRef::npos; found = text.find("\nwith ", found + 1))
    subgraphs[text.substr(found + 6).split(' ').first] = true;
}

bool IRText::definesSubgraph(StringRef name) const { return subgraphs.contains(name); }

//===----------------------------------------------------------------------===//
// Characters and words
//===----------------------------------------------------------------------===//

void IRText::skipSpace() {
  while (!atEnd() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'))
    ++at;
}

void IRText::skipSpaceAndComments() {
  for (;;) {
    while (!atEnd() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
      ++at;
    if (peek() != '#')
      return;
    at = std::min(text.find('\n', at), text.size());
  }
}

bool IRText::take(char c) {
  if (peek() != c || atEnd())
    return false;
  ++at;
  return true;
}

LogicalResult IRText::expect(char c) {
  if (take(c))
    return success();
  return fail(position(), diag::ExpectedCharacter, std::string(1, c));
}

bool IRText::atWord(StringRef word) const { return startsWith(word) && !isNameCharacter(peek(word.size())); }

bool IRText::takeWord(StringRef word) {
  if (!atWord(word))
    return false;
  at += word.size();
  return true;
}

bool IRText::takeArrow() {
  if (!startsWith("->"))
    return false;
  at += 2;
  return true;
}

bool IRText::atBlock() const {
  if (!startsWith("block") || !llvm::isDigit(peek(5)))
    return false;
  size_t end = at + 5;
  while (end < text.size() && llvm::isDigit(text[end]))
    ++end;
  return end < text.size() && text[end] == '(';
}

StringRef IRText::takeName() {
  size_t begin = at;
  while (!atEnd() && isNameCharacter(text[at]))
    ++at;
  return text.slice(begin, at);
}

StringRef IRText::takeValueName() {
  size_t begin = at;
  takeName();
  while (startsWith("::") && isNameCharacter(peek(2))) { // exporters call values onnx::Neg_0
    at += 2;
    takeName();
  }
  return text.slice(begin, at);
}

StringRef IRText::takeSymbol() {
  size_t begin = at;
  while (!atEnd() && (isNameCharacter(text[at]) || text[at] == ':') && !(text[at] == ':' && text[begin] == '@'))
    ++at;
  // A graph's name is followed by its parameters; a colon at the end belongs to what follows.
  while (at > begin && text[at - 1] == ':')
    --at;
  return text.slice(begin, at);
}

StringRef IRText::takeUntil(StringRef stops) {
  size_t begin = at;
  at = std::min(text.find_first_of(stops, at), text.size());
  return text.slice(begin, at);
}

LogicalResult IRText::skipBrackets() {
  uint32_t begin = position();
  unsigned depth = 0;
  for (; !atEnd(); ++at) {
    char c = text[at];
    if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if ((c == ')' || c == ']' || c == '}') && --depth == 0) {
      ++at;
      return success();
    } else if (c == '"') {
      for (++at; !atEnd() && text[at] != '"'; ++at)
        if (text[at] == '\\')
          ++at;
      if (at >= text.size()) {
        at = text.size();
        break;
      }
    }
  }
  return fail(begin, diag::UnclosedBracket);
}

bool IRText::bracketIsFollowedByAnother() const {
  unsigned depth = 0;
  for (size_t i = at; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '"') { // brackets in a string are text
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      continue;
    }
    if (text[i] == '(')
      ++depth;
    else if (text[i] == ')' && --depth == 0)
      return i + 1 < text.size() && text[i + 1] == '(';
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Types and comments
//===----------------------------------------------------------------------===//

const Type *IRText::takeType() {
  size_t begin = at;
  unsigned depth = 0;
  for (; !atEnd(); ++at) {
    char c = text[at];
    if (c == '(' || c == '[' || c == '{' || c == '<')
      ++depth;
    else if (c == ')' || c == ']' || c == '}' || c == '>') {
      if (depth == 0)
        break;
      --depth;
    } else if (depth == 0 && (c == ',' || c == '=' || c == '\n' || (c == ' ' && peek(1) == '=')))
      break;
  }
  StringRef spelled = text.slice(begin, at).rtrim();
  auto [known, isNew] = knownTypes.try_emplace(spelled, nullptr);
  if (!isNew && known->second)
    return known->second;
  // The type parser reports in its own buffer; say here where that text stands.
  DiagnosticEngine inner;
  const SourceBuffer &piece = context.sources().add(buffer.name().str(), spelled.str());
  FailureOr<const Type *> type = parseType(context, piece, inner);
  if (failed(type)) {
    std::string why = inner.all().empty() ? "" : ": " + inner.all().front().message;
    (void)fail(static_cast<uint32_t>(begin), diag::InvalidIRType, spelled, why);
    return nullptr;
  }
  return knownTypes[spelled] = *type;
}

SourceRange IRText::takeRangeComment() {
  take('#');
  StringRef comment = takeUntil("\n").trim();
  auto [rest, column] = comment.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned lineNumber, columnNumber;
  if (line.getAsInteger(10, lineNumber) || column.getAsInteger(10, columnNumber))
    return {};
  return SourceRange::atLine(context.sources().addNameOnly(file), {lineNumber, columnNumber});
}

//===----------------------------------------------------------------------===//
// Attribute values
//===----------------------------------------------------------------------===//

FailureOr<std::vector<const Type *>> IRText::parseTypes() {
  std::vector<const Type *> types;
  take('[');
  skipSpace();
  if (take(']'))
    return types;
  do {
    skipSpace();
    types.push_back(takeType());
    if (!types.back())
      return failure();
    skipSpace();
  } while (take(','));
  if (failed(expect(']')))
    return failure();
  return types;
}

/// Lists of one plain kind have attribute kinds of their own; every other value is kept as it is.
static AttributeValue attributeFrom(IValue value, const Type *hint) {
  switch (value.getTag()) {
  case IValue::Tag::Int:
    return hint && hint->isFloat() ? AttributeValue(static_cast<double>(value.toInt())) : AttributeValue(value.toInt());
  case IValue::Tag::Bool: return static_cast<int64_t>(value.toBool());
  case IValue::Tag::Double: return value.toDouble();
  case IValue::Tag::Complex: return value.toComplex();
  case IValue::Tag::String: return value.toString();
  case IValue::Tag::Tensor: return value.toTensor();
  case IValue::Tag::IntList:
    if (!hint)
      return value.toIntList().elements;
    break;
  case IValue::Tag::DoubleList:
    if (!hint)
      return value.toDoubleList().elements;
    break;
  case IValue::Tag::GenericList:
    if (!hint && value.toGenericList().elementType->kind() == TypeKind::String) {
      std::vector<std::string> strings;
      for (const IValue &element : value.toGenericList().elements)
        strings.push_back(element.toString());
      return strings;
    }
    break;
  default: break;
  }
  return value;
}

FailureOr<AttributeValue> IRText::parseAttribute(Symbol name, const Type *hint) {
  if (name.name() == "types" || name.name() == "profiled_types") {
    auto types = parseTypes();
    if (failed(types))
      return failure();
    return AttributeValue(std::move(*types));
  }
  if (name.name() == "profiled_type") {
    const Type *type = takeType();
    if (!type)
      return failure();
    return AttributeValue(type);
  }
  if (hint && hint->isTensor() && skipTensorLines())
    return AttributeValue(Tensor());
  skipSpace();
  if (startsWith("<Tensor>")) {
    at += 8;
    return AttributeValue(Tensor());
  }
  auto value = parseLiteral(hint, 0);
  if (failed(value))
    return failure();
  return attributeFrom(std::move(*value), hint);
}

/// Skips a tensor in LibTorch's form, over several lines: ` 1  2 [ CPULongType{2} ]`. Its numbers are rounded: nobody
/// reads them.
bool IRText::skipTensorLines() {
  StringRef rest = text.drop_front(at);
  size_t numbers = rest.find_first_not_of(" \n0123456789+-.,*()einfaj");
  if (numbers == 0 || numbers == StringRef::npos || !rest.drop_front(numbers).starts_with("[ CPU"))
    return false;
  size_t end = rest.find("} ]", numbers);
  if (end == StringRef::npos)
    return false;
  at += end + 3;
  return true;
}

static const Type *elementOf(const Type *hint) {
  if (!hint)
    return nullptr;
  if (hint->kind() == TypeKind::Optional)
    hint = hint->contained()[0];
  return hint->kind() == TypeKind::List ? hint->contained()[0] : nullptr;
}

FailureOr<IValue> IRText::parseLiteral(const Type *hint, unsigned depth) {
  if (depth > maxDepth || !mayRecurse()) {
    (void)fail(diag::IRTooDeep);
    return failure();
  }
  skipSpaceAndComments();
  char c = peek();
  if (c == '"' || c == '\'')
    return parseString();
  if (c == '[' || c == '(') {
    ++at;
    return parseSequence(c == '[' ? ']' : ')', hint, depth);
  }
  if (c == '{')
    return parseBraces(hint, depth);
  if (takeWord("True") || takeWord("true"))
    return IValue(true);
  if (takeWord("False") || takeWord("false"))
    return IValue(false);
  if (takeWord("None"))
    return IValue();
  if (startsWith("annotate(")) {
    // annotate(List[int], []): the type says what an empty container holds; the constant's own type says it too.
    at += 9;
    size_t begin = at;
    unsigned nesting = 0;
    while (!atEnd() && (nesting || text[at] != ',')) {
      nesting += text[at] == '[' || text[at] == '(';
      nesting -= nesting && (text[at] == ']' || text[at] == ')');
      ++at;
    }
    (void)begin;
    if (failed(expect(',')))
      return failure();
    auto value = parseLiteral(hint, depth + 1);
    skipSpaceAndComments();
    if (failed(value) || failed(expect(')')))
      return failure();
    return value;
  }
  if (llvm::isDigit(c) || c == '-' || c == '+' || c == '.' || atWord("inf") || atWord("nan"))
    return parseNumber();
  (void)fail(diag::ExpectedAttributeValue);
  return failure();
}

/// `1`, `-2.5`, `2.`, `1e-05`, `inf`, `-inf`, `nan`, `2.j`
FailureOr<IValue> IRText::parseNumber() {
  uint32_t begin = position();
  if (peek() == '-' || peek() == '+')
    ++at;
  if (takeWord("inf"))
    return IValue((text[begin] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity());
  if (takeWord("nan"))
    return IValue(std::numeric_limits<double>::quiet_NaN());
  bool isFloat = false;
  while (!atEnd() && (llvm::isDigit(text[at]) || text[at] == '.' || text[at] == 'e' || text[at] == 'E' ||
                      ((text[at] == '-' || text[at] == '+') && (text[at - 1] == 'e' || text[at - 1] == 'E')))) {
    isFloat |= !llvm::isDigit(text[at]);
    ++at;
  }
  StringRef digits = text.slice(begin, at);
  int64_t integer;
  double number;
  if (!isFloat && !digits.ltrim('+').getAsInteger(10, integer)) {
    if (take('j'))
      return IValue(std::complex<double>(0, static_cast<double>(integer)));
    return IValue(integer);
  }
  if (digits.getAsDouble(number)) {
    (void)fail(begin, diag::ExpectedAttributeValue);
    return failure();
  }
  if (take('j'))
    return IValue(std::complex<double>(0, number));
  // PyTorch prints 1+2j as `1.+2.j`.
  if ((peek() == '+' || peek() == '-') && (llvm::isDigit(peek(1)) || peek(1) == '.')) {
    size_t before = at;
    auto imaginary = parseNumber();
    if (succeeded(imaginary) && imaginary->isComplex())
      return IValue(std::complex<double>(number, imaginary->toComplex().imag()));
    at = before;
  }
  return IValue(number);
}

FailureOr<IValue> IRText::parseString() {
  uint32_t begin = position();
  char quote = text[at++];
  std::string value;
  while (!atEnd() && text[at] != quote) {
    char c = text[at++];
    if (c != '\\') {
      value += c;
      continue;
    }
    c = peek();
    ++at;
    switch (c) {
    case 'n': value += '\n'; break;
    case 't': value += '\t'; break;
    case 'r': value += '\r'; break;
    case 'a': value += '\a'; break;
    case 'b': value += '\b'; break;
    case 'f': value += '\f'; break;
    case 'v': value += '\v'; break;
    case 'x': {
      unsigned code;
      if (text.substr(at, 2).getAsInteger(16, code))
        break;
      value += static_cast<char>(code);
      at += 2;
      break;
    }
    case '\0': break;
    default:
      if (c >= '0' && c <= '7') { // octal, up to three digits
        unsigned code = 0, length = 1;
        while (length < 3 && peek(length - 1) >= '0' && peek(length - 1) <= '7')
          ++length;
        text.substr(at - 1, length).getAsInteger(8, code);
        at += length - 1;
        value += static_cast<char>(code);
      } else {
        value += c;
      }
    }
    at = std::min(at, text.size());
  }
  if (!take(quote)) {
    (void)fail(begin, diag::UnclosedString);
    return failure();
  }
  return IValue(std::move(value));
}

/// The rest of a list or a tuple.
FailureOr<IValue> IRText::parseSequence(char close, const Type *hint, unsigned depth) {
  std::vector<IValue> elements;
  bool placeholder = false;
  for (skipSpaceAndComments(); peek() != close; skipSpaceAndComments()) {
    if (startsWith("<Tensor>") || startsWith("<Tensors>")) {
      at = text.find('>', at) + 1;
      placeholder = true;
      elements.push_back(IValue());
    } else {
      const Type *element = close == ']' ? elementOf(hint) : nullptr;
      if (hint && hint->kind() == TypeKind::Tuple && elements.size() < hint->contained().size())
        element = hint->contained()[elements.size()];
      auto value = parseLiteral(element, depth + 1);
      if (failed(value))
        return failure();
      elements.push_back(std::move(*value));
    }
    skipSpaceAndComments();
    if (!take(','))
      break;
  }
  if (failed(expect(close)))
    return failure();
  if (close == ')') {
    const auto *type = hint ? llvm::dyn_cast<TupleType>(hint) : nullptr;
    return makeTuple(std::move(elements), type && type->isNamed() ? type : nullptr);
  }
  if (placeholder)
    return IValue(std::vector<Tensor>(elements.size()));
  const Type *element = elementOf(hint);
  if (!element || element->isAny()) {
    // Without a type the elements show it: ints, floats where one is, strings; else whatever they are.
    auto all = [&](auto is) { return !elements.empty() && llvm::all_of(elements, is); };
    element = all([](const IValue &v) { return v.isInt(); })                   ? Type::intType()
              : all([](const IValue &v) { return v.isInt() || v.isDouble(); }) ? Type::floatType()
              : all([](const IValue &v) { return v.isBool(); })                ? Type::boolType()
              : all([](const IValue &v) { return v.isString(); })              ? Type::stringType()
              : elements.empty()                                               ? Type::intType()
                                                                               : Type::anyType();
  }
  IValue list = makeList(element, elements.size());
  for (IValue &value : elements) {
    if (element->isFloat() && value.isInt())
      value = IValue(static_cast<double>(value.toInt()));
    if (element->isBool() && value.isInt())
      value = IValue(value.toInt() != 0);
    bool fits = element->isInt()     ? value.isInt()
                : element->isFloat() ? value.isDouble()
                : element->isBool()  ? value.isBool()
                                     : !element->isTensor() || value.isTensor() || value.isNone();
    if (!fits) {
      (void)fail(diag::ExpectedAttributeValue);
      return failure();
    }
    appendToList(list, std::move(value));
  }
  return list;
}

/// `{1.5}`, a 0-dimensional tensor, or `{"a": 1}`, a dict.
FailureOr<IValue> IRText::parseBraces(const Type *hint, unsigned depth) {
  take('{');
  skipSpaceAndComments();
  const auto *dictType = hint ? llvm::dyn_cast<DictType>(hint) : nullptr;
  if (peek() == '}' || dictType) {
    auto dict = dictType ? makeRef<DictValue>(dictType->key(), dictType->value())
                         : makeRef<DictValue>(Type::stringType(), Type::anyType());
    while (peek() != '}') {
      auto key = parseLiteral(dictType ? dictType->key() : nullptr, depth + 1);
      skipSpaceAndComments();
      if (failed(key) || failed(expect(':')))
        return failure();
      bool validKey = key->isString() || key->isInt() || key->isDouble() || key->isBool() || key->isComplex();
      if (!validKey) {
        (void)fail(diag::ExpectedAttributeValue);
        return failure();
      }
      auto value = parseLiteral(dictType ? dictType->value() : nullptr, depth + 1);
      if (failed(value))
        return failure();
      dict->set(std::move(*key), std::move(*value));
      skipSpaceAndComments();
      if (!take(','))
        break;
      skipSpaceAndComments();
    }
    if (failed(expect('}')))
      return failure();
    return IValue(std::move(dict));
  }
  auto number = parseLiteral(nullptr, depth + 1); // or a pair: {(1,2)} is complex
  if (failed(number))
    return failure();
  skipSpaceAndComments();
  if (failed(expect('}')))
    return failure();
  DType dtype = number->isInt()      ? DType::Int64
                : number->isBool()   ? DType::Bool
                : number->isDouble() ? DType::Float
                                     : DType::ComplexFloat;
  if (const auto *tensorType = hint ? llvm::dyn_cast<TensorType>(hint) : nullptr;
      tensorType && tensorType->facts().dtype)
    dtype = *tensorType->facts().dtype;
  Scalar scalar(int64_t{0});
  if (number->isTuple() && number->toTuple().elements.size() == 2 && number->toTuple().elements[0].isScalar() &&
      number->toTuple().elements[1].isScalar()) {
    scalar = Scalar(std::complex<double>(number->toTuple().elements[0].toScalar().toDouble(),
                                         number->toTuple().elements[1].toScalar().toDouble()));
    if (!isComplex(dtype))
      dtype = DType::ComplexFloat;
  } else if (number->isScalar()) {
    scalar = number->toScalar();
  } else {
    (void)fail(diag::ExpectedAttributeValue);
    return failure();
  }
  auto tensor = Tensor::scalar(scalar, dtype);
  if (!tensor.ok()) {
    (void)fail(diag::ExpectedAttributeValue);
    return failure();
  }
  return IValue(*std::move(tensor));
}
