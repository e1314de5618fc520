//===- OperatorInference.cpp - One operator's results from its operands ---===//
//
// Parses the columns of a record once, and evaluates them for each call: shapes
// and strides by rules, dtypes by alternatives. What a column does not say is
// unknown, never an error.
//
//===----------------------------------------------------------------------===//
#include "OperatorInference.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Tensor/Promotion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tsc;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

const AbstractValue *InferredCall::operand(StringRef name) const {
  auto index = schema.argumentIndex(name);
  return index && *index < operands.size() ? &operands[*index] : nullptr;
}

const Type *InferredCall::typeOf(StringRef name) const {
  auto index = schema.argumentIndex(name);
  return index && *index < types.size() ? types[*index] : nullptr;
}

llvm::SmallVector<const AbstractTensor *, 4> InferredCall::tensors() const {
  llvm::SmallVector<const AbstractTensor *, 4> all;
  for (const AbstractValue &operand : operands) {
    if (operand.asTensor())
      all.push_back(operand.asTensor());
    if (const auto *list = operand.asList())
      for (const AbstractValue &element : list->elements)
        if (element.asTensor())
          all.push_back(element.asTensor());
  }
  return all;
}

bool InferredCall::hasUnknownTensor() const {
  for (auto [argument, operand] : llvm::zip(schema.arguments(), operands)) {
    if (!holdsTensors(argument.type) || operand.isNone() || operand.asTensor())
      continue;
    const auto *list = operand.asList();
    if (!list || llvm::any_of(list->elements, [](const AbstractValue &e) { return !e.asTensor() && !e.isNone(); }))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

SymbolicDims tsc::contiguousStrides(const SymbolicDims &sizes, SymbolTable &symbols) {
  SymbolicDims strides(sizes.size());
  SymbolicInt next(1);
  for (size_t d = sizes.size(); d-- > 0;) {
    strides[d] = next;
    // An empty dimension counts as 1; so a size that may be 0 leaves the strides before it unknown.
    if (sizes[d].isConstant())
      next = symbols.multiply(next, std::max<int64_t>(sizes[d].constant(), 1));
    else
      next = SymbolicInt();
  }
  return strides;
}

static bool isRowMajor(const AbstractTensor &tensor) {
  if (!tensor.sizes || !tensor.strides || tensor.sizes->size() != tensor.strides->size())
    return false;
  int64_t next = 1;
  for (size_t d = tensor.sizes->size(); d-- > 0;) {
    SymbolicInt size = (*tensor.sizes)[d];
    if (!(*tensor.strides)[d].isConstant(next))
      return false;
    if (d != 0 && (!size.isConstant() || llvm::MulOverflow(next, std::max<int64_t>(size.constant(), 1), next)))
      return false;
  }
  return true;
}

bool tsc::operandsAreContiguous(const InferredCall &call) {
  return !call.hasUnknownTensor() &&
         llvm::all_of(call.tensors(), [](const AbstractTensor *t) { return isRowMajor(*t); });
}

/// Known numbers only.
static std::optional<Dims> numbersOf(const std::optional<SymbolicDims> &dims) {
  if (!dims || !llvm::all_of(*dims, [](SymbolicInt d) { return d.isConstant(); }))
    return std::nullopt;
  Dims numbers;
  for (SymbolicInt d : *dims)
    numbers.push_back(d.constant());
  return numbers;
}

std::optional<SymbolicDims> tsc::elementwiseStrides(const InferredCall &call, const SymbolicDims &sizes) {
  auto shape = numbersOf(sizes);
  if (!shape || call.hasUnknownTensor())
    return std::nullopt;
  std::vector<std::pair<Dims, Dims>> owned;
  for (const AbstractTensor *tensor : call.tensors()) {
    auto operandSizes = numbersOf(tensor->sizes), operandStrides = numbersOf(tensor->strides);
    if (!operandSizes || !operandStrides || operandSizes->size() > shape->size())
      return std::nullopt;
    owned.emplace_back(std::move(*operandSizes), std::move(*operandStrides));
  }
  std::vector<StridedShape> operands;
  for (const auto &[operandSizes, operandStrides] : owned)
    operands.push_back({operandSizes, operandStrides});
  Dims strides = pointwiseStrides(*shape, operands);
  return SymbolicDims(strides.begin(), strides.end());
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

namespace {

/// A record's columns, parsed.
struct OperatorRules {
  std::vector<RuleExpr> shape, strides;
};

/// Evaluates shape and strides columns for one call.
class ColumnEvaluator {
public:
  ColumnEvaluator(const InferredCall &call, RuleEvaluator &evaluator, ShapeRuleSource &rules)
      : call(call), evaluator(evaluator), rules(rules) {}

  /// `result` is what strides rules may ask for; null for shapes.
  AbstractValue evaluate(const RuleExpr &expr, const SymbolicDims *result = nullptr) {
    resultSizes = result;
    return evaluateExpr(expr);
  }
  /// Whether all rules that were applied so far hold, whatever the unknown numbers are.
  bool surelyHolds() const { return !inDoubt; }

private:
  AbstractValue evaluateExpr(const RuleExpr &expr) {
    switch (expr.kind) {
    case RuleExpr::Kind::Operand:
      if (expr.name == "result" && resultSizes)
        return AbstractValue::ints(*resultSizes);
      if (const AbstractValue *operand = call.operand(expr.name))
        return operandValue(*operand, call.schema.arguments()[*call.schema.argumentIndex(expr.name)]);
      return expr.isBare && !expr.name.empty() ? applyToTensors(expr.name) : AbstractValue();
    case RuleExpr::Kind::Strides: {
      const AbstractValue *operand = call.operand(expr.name);
      const AbstractTensor *tensor = operand ? operand->asTensor() : nullptr;
      return tensor && tensor->strides ? AbstractValue::ints(*tensor->strides) : AbstractValue();
    }
    case RuleExpr::Kind::DTypes: return dtypesOf(call.operand(expr.name));
    case RuleExpr::Kind::Literal: return literal(expr.name);
    case RuleExpr::Kind::List: return AbstractValue::list(evaluateAll(expr.arguments));
    case RuleExpr::Kind::Call: return apply(expr.name, expr.arguments);
    }
    return {};
  }

  std::vector<AbstractValue> evaluateAll(ArrayRef<RuleExpr> exprs) {
    std::vector<AbstractValue> values;
    for (const RuleExpr &expr : exprs)
      values.push_back(evaluateExpr(expr));
    return values;
  }

  static AbstractValue dtypesOf(const AbstractValue *operand) {
    const auto *list = operand ? operand->asList() : nullptr;
    std::vector<AbstractValue> dtypes;
    if (!list)
      return {};
    for (const AbstractValue &element : list->elements) {
      const AbstractTensor *tensor = element.asTensor();
      dtypes.push_back(tensor && tensor->dtype ? AbstractValue(static_cast<int64_t>(*tensor->dtype)) : AbstractValue());
    }
    return AbstractValue::list(std::move(dtypes));
  }

  static AbstractValue literal(StringRef text) {
    int64_t number;
    if (!text.getAsInteger(10, number))
      return number;
    if (text.starts_with("\""))
      return AbstractValue(text.drop_front().drop_back().str());
    return text == "None" ? AbstractValue::none() : AbstractValue(text == "True");
  }

  /// A rule sees a tensor as its sizes, and an int given for int[2] as two.
  static AbstractValue operandValue(const AbstractValue &operand, const Argument &argument) {
    if (const AbstractTensor *tensor = operand.asTensor())
      return tensor->sizes ? AbstractValue::ints(*tensor->sizes) : AbstractValue();
    if (const auto *list = operand.asList()) {
      std::vector<AbstractValue> elements; // rules must not see the caller's list itself
      for (const AbstractValue &element : list->elements)
        elements.push_back(element.asTensor() ? operandValue(element, argument) : element);
      return AbstractValue::list(std::move(elements));
    }
    if (argument.fixedLength && !operand.asInt().isUnknown())
      return AbstractValue::list(std::vector<AbstractValue>(*argument.fixedLength, operand));
    return operand;
  }

  /// `broadcast`: the rule takes a list of the sizes of all tensors.
  AbstractValue applyToTensors(StringRef name) {
    std::vector<AbstractValue> sizes;
    for (auto [argument, operand] : llvm::zip(call.schema.arguments(), call.operands))
      if (holdsTensors(argument.type) && !operand.isNone() && !isOutArgument(argument))
        sizes.push_back(operandValue(operand, argument));
    return applyRule(name, {AbstractValue::list(std::move(sizes))});
  }
  bool isOutArgument(const Argument &argument) const {
    return call.has(Trait::OutForm) && argument.alias && argument.alias->isWrite;
  }

  AbstractValue apply(StringRef name, ArrayRef<RuleExpr> arguments) {
    if (name == "nested_sizes") {
      const AbstractValue *data = call.operand(arguments.front().name);
      return data ? nestedSizes(*data, call.typeOf(arguments.front().name)) : AbstractValue();
    }
    return applyRule(name, evaluateAll(arguments));
  }

  /// The sizes of a list of lists, as torch.tensor sees it; its type shows the rank where the lists are not known.
  static AbstractValue nestedSizes(const AbstractValue &data, const Type *type) {
    SymbolicDims sizes;
    const AbstractValue *level = &data;
    for (const Type *t = type; t && llvm::isa<ListType>(t); t = llvm::cast<ListType>(t)->element()) {
      const auto *list = level ? level->asList() : nullptr;
      sizes.push_back(list ? SymbolicInt(static_cast<int64_t>(list->elements.size())) : SymbolicInt());
      level = list && !list->elements.empty() ? &list->elements.front() : nullptr;
    }
    bool ofTensors = type && holdsTensors(type);
    return type && !ofTensors ? AbstractValue::ints(sizes) : AbstractValue();
  }

  AbstractValue applyRule(StringRef name, std::vector<AbstractValue> arguments) {
    Function *rule = rules.rule(name);
    if (!rule) {
      inDoubt = true;
      return {};
    }
    auto result = evaluator.call(*rule, std::move(arguments));
    inDoubt |= !evaluator.surelyReturned();
    return result ? *result : AbstractValue();
  }

  const InferredCall &call;
  RuleEvaluator &evaluator;
  ShapeRuleSource &rules;
  const SymbolicDims *resultSizes = nullptr;
  bool inDoubt = false;
};

} // namespace

struct OperatorInference::Impl {
  Impl(SymbolTable &symbols, ShapeRuleSource &rules) : symbols(symbols), rules(rules), evaluator(symbols) {}

  const OperatorRules &rulesOf(OpKind kind) {
    auto [at, isNew] = parsed.try_emplace(static_cast<unsigned>(kind));
    if (isNew) {
      std::string why; // a text that does not parse says nothing; a test parses all
      at->second = std::make_unique<OperatorRules>();
      at->second->shape = parseRuleColumn(shapeColumns(kind).shape, why);
      at->second->strides = parseRuleColumn(shapeColumns(kind).strides, why);
    }
    return *at->second;
  }

  /// Sizes that no tensor can have say nothing.
  static std::optional<SymbolicDims> plausible(std::optional<SymbolicDims> sizes) {
    if (sizes && llvm::any_of(*sizes, [](SymbolicInt d) { return d.isConstant() && d.constant() < 0; }))
      return std::nullopt;
    return sizes;
  }

  std::optional<SymbolicDims> stridesOf(const InferredCall &call, const RuleExpr &expr, const SymbolicDims &sizes,
                                        ColumnEvaluator &columns) {
    if (sizes.empty())
      return SymbolicDims();
    if (expr.isBare && !call.operand(expr.name)) {
      if (expr.name == "contiguous" || (expr.name == "dense" && operandsAreContiguous(call)))
        return contiguousStrides(sizes, symbols);
      return expr.name == "elementwise" ? elementwiseStrides(call, sizes) : std::nullopt;
    }
    auto strides = columns.evaluate(expr, &sizes).asDims();
    return strides && strides->size() == sizes.size() ? strides : std::nullopt;
  }

  /// What each result's entry of a column gives; an only entry that is a tuple stands for all.
  static std::vector<AbstractValue> spread(std::vector<AbstractValue> values, size_t count) {
    if (values.size() == 1 && count > 1) {
      AbstractValue only = values.front();
      values.clear();
      if (const auto *tuple = only.asTuple())
        values = tuple->elements;
    }
    values.resize(count);
    return values;
  }

  AbstractTensor tensorResult(const InferredCall &call, const AbstractValue &sizes, unsigned index,
                              const OperatorRules &entries, ColumnEvaluator &columns) {
    AbstractTensor tensor;
    tensor.sizes = plausible(sizes.asDims());
    tensor.dtype = inferDType(call, shapeColumns(call.record.kind).dtype, index);
    tensor.device = inferDevice(call);
    tensor.requiresGrad = inferRequiresGrad(call, tensor.dtype);
    if (tensor.sizes && !entries.strides.empty())
      tensor.strides =
          stridesOf(call, entries.strides[std::min<size_t>(index, entries.strides.size() - 1)], *tensor.sizes, columns);
    return tensor;
  }

  AbstractValue result(const InferredCall &call, const AbstractValue &sizes, unsigned index,
                       const OperatorRules &entries, ColumnEvaluator &columns) {
    const Type *type = call.schema.returns()[index].type;
    if (type->isTensor())
      return tensorResult(call, sizes, index, entries, columns);
    const auto *list = llvm::dyn_cast<ListType>(type);
    const auto *many = sizes.asList();
    if (!list || !list->element()->isTensor() || !many)
      return {};
    std::vector<AbstractValue> tensors;
    for (const AbstractValue &each : many->elements)
      tensors.push_back(tensorResult(call, each, index, entries, columns));
    return AbstractValue::list(std::move(tensors));
  }

  SymbolTable &symbols;
  ShapeRuleSource &rules;
  RuleEvaluator evaluator;
  llvm::DenseMap<unsigned, std::unique_ptr<OperatorRules>> parsed;
};

OperatorInference::OperatorInference(SymbolTable &symbols, ShapeRuleSource &rules)
    : impl(std::make_unique<Impl>(symbols, rules)) {}
OperatorInference::~OperatorInference() = default;

std::vector<AbstractValue> OperatorInference::infer(const OpRecord &record, const FunctionSchema &schema,
                                                    ArrayRef<AbstractValue> operands, ArrayRef<const Type *> types,
                                                    bool gradModeKnown) {
  assert(operands.size() == schema.arguments().size() && types.size() == operands.size() &&
         "operands and types stand for all arguments of the schema");
  InferredCall call{record, schema, operands, types, gradModeKnown};
  const OperatorRules &entries = impl->rulesOf(record.kind);
  ColumnEvaluator columns(call, impl->evaluator, impl->rules);
  std::vector<AbstractValue> sizes;
  for (const RuleExpr &expr : entries.shape)
    sizes.push_back(columns.evaluate(expr));
  sizes = Impl::spread(std::move(sizes), schema.returns().size());
  std::vector<AbstractValue> results;
  for (unsigned i = 0; i != schema.returns().size(); ++i)
    results.push_back(impl->result(call, sizes[i], i, entries, columns));
  return results;
}

bool OperatorInference::sizesSurelyFit(const OpRecord &record, const FunctionSchema &schema,
                                       ArrayRef<AbstractValue> operands, ArrayRef<const Type *> types) {
  assert(operands.size() == schema.arguments().size() && types.size() == operands.size() &&
         "operands and types stand for all arguments of the schema");
  InferredCall call{record, schema, operands, types, /*gradModeKnown=*/true};
  const OperatorRules &entries = impl->rulesOf(record.kind);
  ColumnEvaluator columns(call, impl->evaluator, impl->rules);
  bool areKnown = llvm::all_of(entries.shape, [&](const RuleExpr &expr) {
    AbstractValue sizes = columns.evaluate(expr);
    return sizes.asList() || sizes.asTuple();
  });
  return areKnown && !entries.shape.empty() && columns.surelyHolds();
}
