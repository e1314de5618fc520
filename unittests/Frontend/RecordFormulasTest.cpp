//===- RecordFormulasTest.cpp - The TorchScript in operators' records -----===//
//
// Compiles the derivative and the decomposition of every record. tsc-tblgen copies
// them as text; without this test a formula would be read when somebody first needs it.
//
//===----------------------------------------------------------------------===//
#include "tsc/Frontend/Compiler.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <catch2/catch.hpp>
#include <regex>

using namespace tsc;
using llvm::StringRef;

namespace {

struct Formula {
  OpKind kind;
  StringRef text;
};

const Formula derivatives[] = {
#define OP(KIND, SOURCE) {OpKind::KIND, SOURCE},
#include "tsc/IR/OpDerivatives.inc"
#undef OP
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
  explicit Source(std::string text) : buffer("formula.py", std::move(text)), unit(context), compiler(unit, diags) {
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

/// What is wrong with a column `derivative` of an operator with this schema; empty when nothing is.
std::string problemOfDerivative(StringRef schemaText, StringRef column) {
  Context context;
  FunctionSchema schema = parseKnownSchema(context, schemaText);
  llvm::SmallVector<std::string> parameters, names, gradients;
  for (const Argument &argument : schema.arguments())
    parameters.push_back(argument.name + ": " + annotation(argument.type));
  parameters.push_back("grad: Tensor");
  parameters.push_back("result: Tensor");
  llvm::SmallVector<StringRef> lines;
  column.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [name, formula] = line.split('=');
    name = name.trim();
    if (name.empty())
      continue;
    auto index = schema.argumentIndex(name);
    if (!index)
      return ("'" + name + "' is no operand").str();
    if (!llvm::StringRef(annotation(schema.arguments()[*index].type)).contains("Tensor"))
      return ("'" + name + "' is no tensor").str();
    if (llvm::is_contained(names, name))
      return ("'" + name + "' has two gradients").str();
    names.push_back(name.str());
    // Functions are operators: `sum` is torch.sum here, not Python's.
    static const std::regex call(R"((^|[^.\w])([A-Za-z_]\w*)(?=\())");
    gradients.push_back(std::regex_replace(formula.trim().str(), call, "$1torch.$2"));
  }
  if (names.empty())
    return "there is no gradient";
  std::string text = "import torch\nfrom torch import Tensor\nfrom typing import List, Optional\n\n";
  text += llvm::formatv("def derivative({0}):\n", llvm::join(parameters, ", ")).str();
  for (const auto &[name, gradient] : llvm::zip(names, gradients))
    text += llvm::formatv("    gradient_of_{0}: Tensor = {1}\n", name, gradient).str();
  text += "    return " + llvm::join(llvm::map_range(names, [](auto &name) { return "gradient_of_" + name; }), ", ");
  Source source(text + "\n");
  return source.function ? "" : source.problem() + "\n" + text;
}

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
  if (results != types(schema.returns()))
    return "its results are " + results + "the schema's " + types(schema.returns());
  return "";
}

} // namespace

TEST_CASE("the derivative of every record compiles") {
  for (const Formula &formula : derivatives) {
    const OpRecord &record = opRecord(formula.kind);
    INFO(record.qualified.str() << "." << record.overload.str() << ": " << formula.text.str());
    CHECK(problemOfDerivative(record.schema, formula.text) == "");
  }
}

TEST_CASE("the decomposition of every record compiles, to a function of its schema") {
  for (const Formula &formula : decompositions) {
    const OpRecord &record = opRecord(formula.kind);
    INFO(record.qualified.str() << "." << record.overload.str());
    CHECK(problemOfDecomposition(record.schema, formula.text) == "");
  }
}

TEST_CASE("formulas that are wrong are found") {
  const char *schema = "aten::hypot(Tensor self, Tensor other, Scalar alpha) -> Tensor";
  CHECK(problemOfDerivative(schema, " self = grad * self / result\n  other = grad * alpha ") == "");
  CHECK(problemOfDerivative(schema, "selff = grad") == "'selff' is no operand");
  CHECK(problemOfDerivative(schema, "alpha = grad") == "'alpha' is no tensor");
  CHECK(problemOfDerivative(schema, "self = grad\nself = grad") == "'self' has two gradients");
  CHECK(problemOfDerivative(schema, "") == "there is no gradient");
  CHECK_FALSE(problemOfDerivative(schema, "self = nosuch(grad)") == "");
  CHECK_FALSE(problemOfDerivative(schema, "self = grad **") == "");
  CHECK_FALSE(problemOfDerivative(schema, "self = gradd") == "");
  CHECK_FALSE(problemOfDerivative(schema, "self = alpha") == "");
  CHECK_FALSE(problemOfDerivative(schema, "self = grad.size()") == "");
  CHECK_FALSE(problemOfDecomposition(schema, "def hypot(self: Tensor) -> Tensor:\n    return self\n") == "");
  CHECK_FALSE(problemOfDecomposition(schema, "def hypot(self: Tensor, other: Tensor, alpha: number) -> Tensor:\n"
                                             "    return torch.nosuch(self)\n") == "");
}
