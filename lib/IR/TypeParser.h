//===- TypeParser.h - Types and schemas from text -------------------------===//
#ifndef TSC_LIB_IR_TYPEPARSER_H
#define TSC_LIB_IR_TYPEPARSER_H

#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/Twine.h"

namespace tsc {

/// Whether `Tensor(` begins facts (`Tensor(requires_grad=0)`) or an alias annotation (`Tensor(a!)`).
enum class TypeSpelling { IR, Schema };

/// A type with what a schema says about aliasing, and the length of `int[2]`.
struct AnnotatedType {
  const Type *type = nullptr;
  std::optional<AliasInfo> alias;
  std::optional<int32_t> fixedLength;
};

/// Recursive descent over one text. After a failure `error` and `at` say what and where.
class TypeParser {
public:
  TypeParser(Context &context, StringRef text, TypeSpelling spelling)
      : context(context), text(text), spelling(spelling) {}

  /// Parses a type with its annotations. Returns false where it is wrong.
  bool parse(AnnotatedType &result, unsigned depth = 0);
  /// Parses a whole schema. Returns false where it is wrong.
  bool parseSchema(FunctionSchema &schema);

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
      ++at;
  }
  /// Skips blanks. Returns whether nothing is left.
  bool atEnd() {
    skipSpace();
    return at == text.size();
  }
  /// Keeps what is wrong, unless something was before, and returns false.
  bool fail(const llvm::Twine &message);

  std::string error;
  size_t at = 0;

private:
  char peek(size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }
  bool take(char c);
  bool expect(char c);
  StringRef takeName();
  bool parseBase(AnnotatedType &result, unsigned depth);
  bool parseNamed(StringRef name, AnnotatedType &result, unsigned depth);
  bool parseParameters(char close, llvm::SmallVectorImpl<AnnotatedType> &result, unsigned depth);
  bool parseNamedTuple(AnnotatedType &result, unsigned depth);
  bool parseTensorFacts(TensorFacts &facts);
  bool parseDimension(Dimension &result);
  bool parseDimensions(llvm::SmallVector<Dimension, 4> &dimensions, char close);
  bool parseAlias(AliasInfo &alias);
  bool parseArguments(std::vector<Argument> &arguments, bool &isVararg);
  bool parseReturns(std::vector<Argument> &returns, bool &isVarret);
  bool parseDefault(const Argument &argument, IValue &value);
  bool parseDefaultElement(const Type *type, IValue &value, unsigned depth);
  bool parseQuoted(std::string &value);

  Context &context;
  StringRef text;
  TypeSpelling spelling;
};

} // namespace tsc

#endif
