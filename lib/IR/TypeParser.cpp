//===- TypeParser.cpp - Types from text -----------------------------------===//
//
// Recursive descent with a bounded depth over types as the IR, schemas and
// annotations spell them: `Tensor(a!)[]`, `Dict(str, int)`, `Float(2, *,
// device=cpu)`.
//
//===----------------------------------------------------------------------===//
#include "TypeParser.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Diagnostics.h"
#include "tsc/Support/Stack.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tsc;

static constexpr unsigned maxDepth = 128;
static constexpr int32_t maxFixedLength = 64; // of `int[N]`; the largest in use is 6.

bool TypeParser::fail(const llvm::Twine &message) {
  if (error.empty())
    error = message.str();
  return false;
}

bool TypeParser::take(char c) {
  skipSpace();
  if (peek() != c || at >= text.size())
    return false;
  ++at;
  return true;
}

bool TypeParser::expect(char c) { return take(c) || fail("expected '" + llvm::Twine(c) + "' here"); }

StringRef TypeParser::takeName() {
  skipSpace();
  size_t begin = at;
  while (at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_' || text[at] == '.'))
    ++at;
  // `...` is no part of a name.
  while (at > begin && text[at - 1] == '.')
    --at;
  return text.slice(begin, at);
}

static const Type *simpleType(StringRef name) {
  return llvm::StringSwitch<const Type *>(name)
      .Case("Tensor", Type::tensorType())
      .Case("int", Type::intType())
      .Case("float", Type::floatType())
      .Case("bool", Type::boolType())
      .Case("str", Type::stringType())
      .Case("complex", Type::complexType())
      .Cases("Scalar", "number", Type::numberType())
      .Cases("NoneType", "None", Type::noneType())
      .Case("Any", Type::anyType())
      .Case("Device", Type::deviceType())
      .Case("ScalarType", Type::scalarTypeType())
      .Case("Layout", Type::layoutType())
      .Case("MemoryFormat", Type::memoryFormatType())
      .Case("Generator", Type::generatorType())
      .Case("Stream", Type::streamType())
      .Case("Storage", Type::storageType())
      .Case("Quantizer", Type::quantizerType())
      .Case("QScheme", Type::qschemeType())
      .Case("Capsule", Type::capsuleType())
      .Case("PyObject", Type::pyObjectType())
      .Cases("list", "AnyListType", Type::anyListType())
      .Cases("tuple", "AnyTupleType", Type::anyTupleType())
      .Case("AnyClassType", Type::anyClassType())
      .Case("AnyEnumType", Type::anyEnumType())
      .Cases("Dimname", "DimVector", Type::stringType())
      .Case("SymInt", Type::symIntType())
      .Default(nullptr);
}

/// `(a! -> b|*)`, after the parenthesis.
bool TypeParser::parseAlias(AliasInfo &alias) {
  auto parseSets = [&](llvm::SmallVectorImpl<std::string> &sets) {
    do {
      skipSpace();
      if (take('*')) {
        sets.push_back("*");
        continue;
      }
      StringRef name = takeName();
      if (name.empty())
        return fail("expected the name of an alias set");
      sets.push_back(name.str());
    } while (take('|'));
    return true;
  };
  if (!parseSets(alias.before))
    return false;
  alias.isWrite = take('!');
  skipSpace();
  if (peek() == '-' && peek(1) == '>') {
    at += 2;
    if (!parseSets(alias.after))
      return false;
  } else {
    alias.after = alias.before;
  }
  return expect(')');
}

bool TypeParser::parse(AnnotatedType &result, unsigned depth) {
  if (depth > maxDepth || !mayRecurse())
    return fail("the type is nested too deeply");
  if (!parseBase(result, depth))
    return false;
  for (unsigned suffixes = 0;; ++suffixes) {
    if (suffixes > maxDepth)
      return fail("the type is nested too deeply");
    if (spelling == TypeSpelling::Schema && peek() == '(') {
      ++at;
      AliasInfo alias;
      if (result.alias)
        alias.contained = std::move(result.alias->contained);
      if (!parseAlias(alias))
        return false;
      result.alias = std::move(alias);
    } else if (peek() == '?') {
      ++at;
      result.type = context.optionalOf(result.type);
    } else if (peek() == '[') {
      ++at;
      StringRef length = takeName();
      if (!length.empty()) {
        int32_t number;
        if (length.getAsInteger(10, number) || number < 0 || number > maxFixedLength)
          return fail("expected the length of the list");
        result.fixedLength = number;
      }
      if (!expect(']'))
        return false;
      result.type = context.listOf(result.type);
      if (result.alias) {
        AliasInfo outer;
        outer.contained.push_back(std::move(*result.alias));
        result.alias = std::move(outer);
      }
    } else {
      return true;
    }
  }
}

bool TypeParser::parseParameters(char close, llvm::SmallVectorImpl<AnnotatedType> &result, unsigned depth) {
  if (take(close))
    return true;
  do {
    if (!parse(result.emplace_back(), depth + 1))
      return false;
  } while (take(','));
  return expect(close);
}

bool TypeParser::parseBase(AnnotatedType &result, unsigned depth) {
  if (take('(')) {
    llvm::SmallVector<AnnotatedType, 4> parts;
    if (!parseParameters(')', parts, depth))
      return false;
    llvm::SmallVector<const Type *, 4> types;
    for (const AnnotatedType &part : parts)
      types.push_back(part.type);
    result.type = context.tupleOf(types);
    return true;
  }
  StringRef name = takeName();
  if (name.empty())
    return fail("expected a type");
  return parseNamed(name, result, depth);
}

bool TypeParser::parseNamed(StringRef name, AnnotatedType &result, unsigned depth) {
  skipSpace();
  bool schema = spelling == TypeSpelling::Schema;
  if (name == "Dict" || name == "Union" || name == "Future" || name == "Await" || name == "RRef" ||
      name == "Optional" || name == "List" || name == "Tuple") {
    char close = peek() == '(' ? ')' : ']';
    if (!take('(') && !take('['))
      return fail("expected the parameters of " + name);
    llvm::SmallVector<AnnotatedType, 4> parts;
    if (!parseParameters(close, parts, depth))
      return false;
    llvm::SmallVector<const Type *, 4> types;
    for (const AnnotatedType &part : parts)
      types.push_back(part.type);
    if (name == "Tuple") {
      result.type = context.tupleOf(types);
      return true;
    }
    if (types.size() != (name == "Dict" ? 2u : 1u) && (name != "Union" || types.empty()))
      return fail("wrong number of parameters of " + name);
    if (name == "Dict")
      result.type = context.dictOf(types[0], types[1]);
    else if (name == "Union")
      result.type = context.unionOf(types);
    else if (name == "Future")
      result.type = context.futureOf(types[0]);
    else if (name == "Await")
      result.type = context.awaitOf(types[0]);
    else if (name == "RRef")
      result.type = context.rrefOf(types[0]);
    else
      result.type = name == "List" ? context.listOf(types[0]) : context.optionalOf(types[0]);
    return result.type || fail("these types have no " + name);
  }
  if (name == "NamedTuple" && take('('))
    return parseNamedTuple(result, depth);
  if ((name == "Enum" || name == "InterfaceType") && take('<')) {
    StringRef inner = takeName();
    if (inner.empty() || !expect('>'))
      return fail("expected a name");
    result.type = context.findNamed(inner);
    if (!result.type)
      result.type = name == "Enum" ? static_cast<const Type *>(context.createEnum(inner, Type::anyType()))
                                   : context.createInterface(inner, /*isModule=*/false);
    return true;
  }
  if (name == "Function") {
    result.type = context.functionType(nullptr);
    return true;
  }
  if (name == "Tensor" && !schema && peek() == '(') {
    ++at;
    TensorFacts facts;
    bool isZeroDim = peek() == ')'; // `Tensor()`; without sizes, Tensor(device=cpu) leaves the rank open
    if (!parseTensorFacts(facts))
      return false;
    if (isZeroDim)
      facts.sizes.emplace();
    result.type = context.tensor(facts);
    return true;
  }
  if ((result.type = simpleType(name)))
    return true;
  // Float(2, 3), FloatTensor.
  StringRef dtypeName = name;
  bool rankUnknown = dtypeName.consume_back("Tensor");
  if (auto dtype = dtypeFromIRName(dtypeName)) {
    TensorFacts facts;
    if (peek() == '(' && !schema) {
      ++at;
      if (!parseTensorFacts(facts))
        return false;
      if (!facts.sizes)
        facts.sizes.emplace();
    }
    if (rankUnknown)
      facts.sizes.reset();
    facts.dtype = *dtype;
    result.type = context.tensor(facts);
    return true;
  }
  if (name.contains('.')) { // a class, known or opaque
    const Type *known = context.findNamed(name);
    result.type = known ? known : context.classType(name);
    return true;
  }
  if (schema && llvm::isLower(name.front())) {
    result.type = context.typeVariable(name);
    return true;
  }
  return fail("unknown type '" + name + "'");
}

/// `NamedTuple(a : int, b : int = 2)`, after the parenthesis: known by its fields alone.
bool TypeParser::parseNamedTuple(AnnotatedType &result, unsigned depth) {
  std::vector<std::string> fields;
  llvm::SmallVector<const Type *, 4> types;
  std::string unique = "NamedTuple(";
  if (!take(')')) {
    do {
      StringRef field = takeName();
      AnnotatedType type;
      if (field.empty() || !expect(':'))
        return fail("expected a field of the NamedTuple");
      skipSpace();
      if (!parse(type, depth + 1))
        return false;
      fields.push_back(field.str());
      types.push_back(type.type);
      unique += field.str() + ":" + type.type->str() + ",";
      if (take('=')) // a default; it belongs to the definition
        while (at < text.size() && text[at] != ',' && text[at] != ')')
          ++at;
    } while (take(','));
    if (!expect(')'))
      return false;
  }
  result.type = context.namedTuple(unique + ")", fields, types);
  return result.type || fail("another NamedTuple has this name");
}

/// `3`, `*` or `SS(-2)`.
bool TypeParser::parseDimension(Dimension &result) {
  if (take('*')) {
    result = Dimension();
    return true;
  }
  bool symbolic = text.substr(at).starts_with("SS(");
  if (symbolic)
    at += 3;
  size_t begin = at;
  if (peek() == '-')
    ++at;
  while (llvm::isDigit(peek()))
    ++at;
  int64_t number;
  if (text.slice(begin, at).getAsInteger(10, number))
    return fail("expected a size");
  result = symbolic ? Dimension::symbolic(number) : Dimension::known(number);
  return !symbolic || expect(')');
}

bool TypeParser::parseDimensions(llvm::SmallVector<Dimension, 4> &dimensions, char close) {
  while (!take(close)) {
    if (!parseDimension(dimensions.emplace_back()))
      return false;
    skipSpace();
    if (!take(',') && peek() != close)
      return fail("expected ',' here");
  }
  return true;
}

/// What stands in the parentheses of `Float(2, *, strides=[3, 1], requires_grad=0, device=cpu)`.
bool TypeParser::parseTensorFacts(TensorFacts &facts) {
  while (!take(')')) {
    skipSpace();
    if (llvm::isAlpha(peek()) && !text.substr(at).starts_with("SS(")) {
      StringRef key = takeName();
      if (!expect('='))
        return false;
      if (key == "strides") {
        if (!expect('[') || !parseDimensions(facts.strides.emplace(), ']'))
          return false;
      } else if (key == "requires_grad") {
        StringRef value = takeName();
        facts.requiresGrad = value == "1" || value == "True";
      } else if (key == "device") {
        skipSpace();
        size_t begin = at;
        while (at < text.size() && text[at] != ',' && text[at] != ')')
          ++at;
        facts.device = Device::parse(text.slice(begin, at).trim());
        if (!facts.device)
          return fail("unknown device");
      } else {
        return fail("'" + key + "' is nothing that a tensor type says");
      }
    } else {
      if (!facts.sizes)
        facts.sizes.emplace();
      Dimension size;
      if (!parseDimension(size))
        return false;
      facts.sizes->push_back(size);
    }
    skipSpace();
    if (!take(',') && peek() != ')')
      return fail("expected ',' here");
  }
  if (facts.strides && (!facts.sizes || facts.strides->size() != facts.sizes->size()))
    return fail("as many strides as sizes are needed");
  return true;
}

llvm::FailureOr<const Type *> tsc::parseType(Context &context, const SourceBuffer &text, DiagnosticEngine &diags) {
  TypeParser parser(context, text.text(), TypeSpelling::IR);
  AnnotatedType result;
  if (parser.parse(result) && (parser.atEnd() || parser.fail("unexpected text after the type")))
    return result.type;
  uint32_t begin = std::min<uint32_t>(parser.at, text.text().size());
  return diags.report(SourceRange(text, begin, std::min<uint32_t>(begin + 1, text.text().size())), diag::InvalidSchema,
                      parser.error);
}
