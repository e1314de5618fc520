//===- Derivatives.cpp - The records' formulas as graphs ------------------===//
//
// A formula is lines `operand = expression`. They are simultaneous: an operand's name
// means its value in all of them. A line for another name is a local, for the lines
// after it. `operand = None`: there is no gradient to compute. Functions are operators: `sum` is torch.sum;
// `backward.name` is a function of lib/Frontend/Prelude/gradients/.
//
//===----------------------------------------------------------------------===//
#include "tsc/Autodiff/Derivatives.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/IR/Operator.h"
#include "tsc/Support/PackedTexts.h"
#include "tsc/Transforms/Pass.h"
#include "tsc/Transforms/Passes/Calls.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>
#include <mutex>

using namespace tsc;
using llvm::StringRef;

#include "tsc/IR/OpDerivativesPacked.inc"

static StringRef formulaOf(OpKind kind) { return packedTexts().find(static_cast<unsigned>(kind)); }

/// A type of a schema as source spells it.
static std::string annotation(const Type *type) {
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

namespace {

/// The lines of a column.
struct Formula {
  struct Line {
    StringRef name, expression;
    int operand; ///< -1: a local.
  };
  std::vector<Line> lines;

  Formula(StringRef text, const FunctionSchema &schema) {
    llvm::SmallVector<StringRef> rows;
    text.split(rows, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef row : rows) {
      auto [name, expression] = row.split('=');
      if (name = name.trim(); !name.empty())
        lines.push_back({name, expression.trim(), static_cast<int>(schema.argumentIndex(name).value_or(-1))});
    }
  }
};

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether the word stands in the expression, and not as a member.
bool mentions(StringRef expression, StringRef word) {
  for (size_t at = expression.find(word); at != StringRef::npos; at = expression.find(word, at + 1)) {
    bool begins = at == 0 || (!isWordCharacter(expression[at - 1]) && expression[at - 1] != '.');
    size_t end = at + word.size();
    if (begins && (end == expression.size() || !isWordCharacter(expression[end])))
      return true;
  }
  return false;
}

/// The expression with `torch.` before the functions that are operators.
std::string qualified(StringRef expression) {
  static constexpr StringRef builtins[] = {"len", "range", "int", "float", "bool", "str", "list", "zip", "enumerate"};
  std::string out;
  for (size_t i = 0; i != expression.size();) {
    if (!isWordCharacter(expression[i])) {
      out += expression[i++];
      continue;
    }
    StringRef word = expression.drop_front(i).take_while(isWordCharacter);
    const bool isMember = i != 0 && expression[i - 1] == '.',
               isCall = expression.drop_front(i + word.size()).starts_with("(");
    if (!isMember && word == "backward")
      out += "torch._gradients";
    else
      out += (isCall && !isMember && !llvm::is_contained(builtins, word) && !llvm::isDigit(word[0]) ? "torch." : "") +
             word.str();
    i += word.size();
  }
  return out;
}

/// Returns the operands that have a formula, and from bit 32 on those whose gradients are zero.
uint64_t operandsWithFormulas(Context &context, OpKind op) {
  StringRef text = formulaOf(op);
  if (text.empty())
    return 0;
  uint64_t found = 0;
  FunctionSchema schema = parseKnownSchema(context, opRecord(op).schema);
  for (const Formula::Line &line : Formula(text, schema).lines)
    if (line.operand >= 0)
      found |= uint64_t(1) << (line.operand + (line.expression == "None" ? 32 : 0));
  return found;
}

/// Whether a node asks for a tensor's sizes, layout or dtype, and reads no element. Views and casts whose gradient for
/// another tensor is zero do so of that; other operators may choose by its elements.
bool onlyMeasures(const Use &use) {
  const Node &node = *use.user();
  const OpKind op = node.opKind();
  if (use.index() == 0)
    return tensorQuery(op) || node.hasTrait(Trait::SizeQuery) || node.hasTrait(Trait::Fill) ||
           node.hasTrait(Trait::ReadsGeometry);
  return (node.hasTrait(Trait::View) || node.hasTrait(Trait::Cast)) && use.index() < 32 &&
         operandsWithFormulas(node.graph().context(), op) >> (32 + use.index()) & 1;
}

/// Whether that is all that happens to the tensor, or to the tensors of a list.
bool isOnlyMeasured(const Value &value) {
  if (value.type()->isTensor())
    return llvm::all_of(value.uses(), onlyMeasures);
  const auto *list = llvm::dyn_cast<ListType>(value.type());
  return list && list->element()->isTensor() && llvm::all_of(value.uses(), [](const Use &use) {
           const Node &user = *use.user();
           const std::optional<ContainerQuery> query = containerQuery(user.opKind());
           return query == ContainerQuery::Length ||
                  (query == ContainerQuery::Element && isOnlyMeasured(*user.output()));
         });
}

} // namespace

struct Derivatives::Impl {
  static constexpr uint64_t unknownBits = ~uint64_t(0);

  explicit Impl(Context &context) : context(context), unit(context), compiler(unit, diags, prelude()) {
    compiler.setIsLibrary();
    bits = std::make_unique<std::atomic<uint64_t>[]>(allOpRecords().size());
    for (size_t i = 0; i != allOpRecords().size(); ++i)
      bits[i].store(unknownBits, std::memory_order_relaxed);
    diags.setHandler([this](const Diagnostic &diagnostic) { problems += diagnostic.message + "\n"; });
  }

  std::unique_ptr<Derivative> compile(OpKind op, uint32_t wanted);
  /// The operands that have a formula, and from bit 32 on those whose gradients are zero.
  uint64_t operandBits(OpKind op);

  std::mutex lock;
  Context &context;
  CompilationUnit unit;
  DiagnosticEngine diags;
  Compiler compiler;
  llvm::DenseMap<std::pair<unsigned, uint32_t>, std::unique_ptr<Derivative>> known;
  std::string problems;
  std::unique_ptr<std::atomic<uint64_t>[]> bits; ///< By operator.
};

std::unique_ptr<Derivative> Derivatives::Impl::compile(OpKind op, uint32_t wanted) {
  FunctionSchema schema = parseKnownSchema(context, opRecord(op).schema);
  Formula formula(formulaOf(op), schema);
  auto derivative = std::make_unique<Derivative>();
  std::vector<std::string> parameters;
  llvm::SmallVector<Derivative::Capture, 8> captures;
  for (auto [i, argument] : llvm::enumerate(schema.arguments())) {
    const bool isKeyword = argument.name == "from";
    parameters.push_back(argument.name + (isKeyword ? "_: " : ": ") + annotation(argument.type));
    captures.push_back({Derivative::Capture::Operand, static_cast<unsigned>(i)});
  }
  // Results by name; without names by number.
  std::vector<std::string> gradients;
  const bool isSingle = schema.returns().size() == 1;
  for (auto [i, result] : llvm::enumerate(schema.returns())) {
    std::string suffix = result.name.empty() ? std::to_string(i) : "_" + result.name;
    std::string name = isSingle ? "result" : result.name.empty() ? "result" + std::to_string(i) : result.name;
    if (!schema.argumentIndex(name)) {
      parameters.push_back(name + ": " + annotation(result.type));
      captures.push_back({Derivative::Capture::Result, static_cast<unsigned>(i)});
    }
    gradients.push_back(isSingle ? "grad" : "grad" + suffix);
  }
  auto isRead = [&](StringRef gradient) {
    return llvm::any_of(formula.lines, [&](const Formula::Line &line) { return mentions(line.expression, gradient); });
  };
  const bool mayBeNone = llvm::count_if(gradients, isRead) > 1;
  for (auto [i, gradient] : llvm::enumerate(gradients))
    if (isRead(gradient)) {
      std::string type = annotation(schema.returns()[i].type);
      parameters.push_back(gradient + ": " + (mayBeNone ? "Optional[" + type + "]" : type));
      captures.push_back({Derivative::Capture::Gradient, static_cast<unsigned>(i), mayBeNone});
    }
  std::string text =
      "import torch\nimport math\nfrom torch import Tensor\nfrom typing import List, Optional, Tuple\n\n";
  text += "def derivative(" + llvm::join(parameters, ", ") + "):\n";
  std::vector<std::string> results;
  for (unsigned i = 0; i != schema.arguments().size(); ++i)
    if (wanted >> i & 1)
      derivative->operands.push_back(i);
  for (const Formula::Line &line : formula.lines) {
    if (line.operand >= 0 && !(wanted >> line.operand & 1))
      continue;
    if (line.operand < 0) {
      text += ("    " + line.name + " = ").str() + qualified(line.expression) + "\n";
      continue;
    }
    const Type *type = schema.arguments()[line.operand].type;
    if (const auto *optional = llvm::dyn_cast<OptionalType>(type))
      type = optional->element();
    text +=
        ("    gradient_of_" + line.name + ": ").str() + annotation(type) + " = " + qualified(line.expression) + "\n";
  }
  for (unsigned operand : derivative->operands)
    results.push_back("gradient_of_" + schema.arguments()[operand].name);
  text += "    return " + llvm::join(results, ", ") + "\n";

  problems.clear();
  std::string prefix = ("__torch__.derivative" + llvm::Twine(known.size())).str();
  const SourceBuffer &buffer = context.sources().add("<derivative>", text);
  if (failed(compiler.addSource(buffer, prefix)) || failed(compiler.sourceFunctions().back()->ensureDefined())) {
    problems += text;
    return nullptr;
  }
  derivative->graph = compiler.sourceFunctions().back()->graph()->clone();
  Graph &graph = *derivative->graph;
  AnalysisManager analyses;
  Inline().run(graph, analyses);
  analyses.invalidate();
  // Several gradients as results of their own.
  if (results.size() > 1) {
    Node *tuple = (*graph.outputs().begin())->node();
    if (tuple->kind() != prim::TupleConstruct) {
      problems = "several gradients are one tuple\n" + text;
      return nullptr;
    }
    std::vector<Value *> parts(tuple->inputs().begin(), tuple->inputs().end());
    graph.block().eraseOutput(0);
    for (Value *part : parts)
      graph.addOutput(part);
  }
  DeadCodeElimination(/*keepsFailing=*/false).run(graph, analyses);
  for (size_t i = captures.size(); i-- != 0;)
    if (!graph.inputs()[i]->hasUses())
      graph.block().eraseInput(i), captures.erase(captures.begin() + i);
  for (auto [capture, input] : llvm::zip(captures, graph.inputs()))
    capture.isOnlyMeasured = isOnlyMeasured(*input);
  derivative->captures.assign(captures.begin(), captures.end());
  return derivative;
}

Derivatives::Derivatives(Context &context) : impl(std::make_unique<Impl>(context)) {}
Derivatives::~Derivatives() = default;

uint64_t Derivatives::Impl::operandBits(OpKind op) {
  std::atomic<uint64_t> &known = bits[static_cast<size_t>(op)];
  if (uint64_t found = known.load(std::memory_order_relaxed); found != unknownBits)
    return found;
  const uint64_t found = operandsWithFormulas(context, op);
  known.store(found, std::memory_order_relaxed);
  return found;
}

uint32_t Derivatives::operands(OpKind op) {
  return op == OpKind::Unknown ? 0 : static_cast<uint32_t>(impl->operandBits(op));
}

uint32_t Derivatives::inertOperands(OpKind op) {
  return op == OpKind::Unknown ? 0 : static_cast<uint32_t>(impl->operandBits(op) >> 32);
}

const Derivative *Derivatives::find(OpKind op, uint32_t wanted) {
  if (!wanted || !packedTexts().has(static_cast<unsigned>(op)))
    return nullptr;
  std::lock_guard guard(impl->lock);
  auto [entry, isNew] = impl->known.try_emplace({static_cast<unsigned>(op), wanted});
  if (isNew)
    entry->second = impl->compile(op, wanted);
  return entry->second.get();
}

std::string Derivatives::problem() const {
  std::lock_guard guard(impl->lock);
  return impl->problems;
}
