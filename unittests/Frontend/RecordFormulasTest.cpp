//===- RecordFormulasTest.cpp - The TorchScript in operators' records -----===//
//
// Compiles the decomposition of every record. tsc-tblgen copies it as text; without
// this test a formula would be read when somebody first needs it. (Derivatives:
// unittests/Runtime/DerivativesTest.cpp.)
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>

using namespace tsc;
using llvm::StringRef;

namespace {

struct Formula {
  OpKind kind;
  StringRef text;
};

const Formula decompositions[] = {
#define OP(KIND, SOURCE) {OpKind::KIND, SOURCE},
#include "tsc/IR/OpDecompositions.inc"
#undef OP
};

/// A type of a schema as source spells it.
std::string annotation(const Type *type) {
  if (const auto *optional = llvm::dyn_cast<OptionalType>(type))
    return "Optional[" + annotation(optional->element()) + "]";
  if (const auto *list = llvm::dyn_cast<ListType>(type))
    return "List[" + annotation(list->element()) + "]";
  switch (type->kind()) {
  case TypeKind::Tensor: return "Tensor";
  case TypeKind::Number: return "number";
  case TypeKind::Float: return "float";
  case TypeKind::Bool: return "bool";
  case TypeKind::String: return "str";
  default: return "int"; // numbers that stand for dtypes, layouts and the like are ints
  }
}

/// Compiles source, once it compiled what it needs.
class Source {
public:
  explicit Source(std::string text)
      : buffer("formula.py", std::move(text)), unit(context), compiler(unit, diags, prelude()) {
    if (succeeded(compiler.addSource(buffer, "__torch__")) && succeeded(compiler.defineAll()) &&
        !compiler.sourceFunctions().empty())
      function = compiler.sourceFunctions().back();
  }
  /// Null when the source is wrong.
  const Function *function = nullptr;
  std::string problem() const { return diags.str(); }

private:
  Context context;
  SourceBuffer buffer;
  DiagnosticEngine diags;
  CompilationUnit unit;
  Compiler compiler;
};

/// What is wrong with a column `decomposition`.
std::string problemOfDecomposition(StringRef schemaText, StringRef column) {
  Context context;
  FunctionSchema schema = parseKnownSchema(context, schemaText);
  Source source(column.str());
  if (!source.function)
    return source.problem();
  const FunctionSchema &made = source.function->schema();
  auto types = [](ArrayRef<Argument> arguments) {
    std::string text;
    for (const Argument &argument : arguments)
      text += annotation(argument.type) + ", ";
    return text;
  };
  if (types(made.arguments()) != types(schema.arguments()))
    return "its parameters are " + types(made.arguments()) + "the schema's " + types(schema.arguments());
  // Several results are one tuple.
  std::string results = types(made.returns());
  if (made.returns().size() == 1)
    if (const auto *tuple = llvm::dyn_cast<TupleType>(made.returns().front().type)) {
      results.clear();
      for (const Type *element : tuple->elements())
        results += annotation(element) + ", ";
    }
  // None stands for no result, and for a tensor that was not asked for, as kernels leave it undefined.
  if (schema.returns().empty() && made.returns().size() == 1 && made.returns().front().type->isNone())
    return "";
  std::string allDefined = results;
  for (size_t at; (at = allDefined.find("Optional[Tensor]")) != std::string::npos;)
    allDefined.replace(at, StringRef("Optional[Tensor]").size(), "Tensor");
  if (results != types(schema.returns()) && allDefined != types(schema.returns()))
    return "its results are " + results + "the schema's " + types(schema.returns());
  return "";
}

} // namespace

TEST_CASE("the decomposition of every record compiles, to a function of its schema") {
  for (const Formula &formula : decompositions) {
    const OpRecord &record = opRecord(formula.kind);
    INFO(record.qualified.str() << "." << record.overload.str());
    CHECK(problemOfDecomposition(record.schema, formula.text) == "");
  }
}

TEST_CASE("formulas that are wrong are found") {
  const char *schema = "aten::hypot(Tensor self, Tensor other, Scalar alpha) -> Tensor";
  CHECK_FALSE(problemOfDecomposition(schema, "def hypot(self: Tensor) -> Tensor:\n    return self\n") == "");
  CHECK_FALSE(problemOfDecomposition(schema, "def hypot(self: Tensor, other: Tensor, alpha: number) -> Tensor:\n"
                                             "    return torch.nosuch(self)\n") == "");
}
