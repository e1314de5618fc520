//===- ReverseGradients.cpp - Gradients of values, and their shapes -------===//
#include "ReverseScope.h"
#include "tsc/IR/FunctionSchema.h"
#include "llvm/ADT/Twine.h"
using namespace tsc;

//===----------------------------------------------------------------------===//
// Gradients of values
//===----------------------------------------------------------------------===//

/// What is known of the gradient of a value.
const Type *tsc::gradientType(const Value *value) {
  const TensorFacts *facts = factsOf(value);
  if (!facts)
    return value->type();
  TensorFacts known = *facts;
  known.strides = std::nullopt;
  known.requiresGrad = std::nullopt;
  known.inferred = false;
  return value->graph().context().tensor(known);
}

/// visible(), and null also for what may be None: a gradient is made for a tensor.
Value *ReverseMode::visibleTensor(Scope &scope, Value *value) {
  return value->type()->isTensor() ? visible(scope, value) : nullptr;
}

/// They are contiguous, as most gradients that are added to them: the weight of a layer is often a transposed view.
Value *ReverseMode::zerosLike(Scope &scope, Value *value) {
  Value *like = visibleTensor(scope, value);
  if (!like)
    return nullptr;
  const int64_t contiguous = 0;
  return graph.insert(aten::zeros_like, {like}, {NamedValue("memory_format", contiguous)})
      ->setType(gradientType(value));
}

/// What has arrived so far, with what was written in parts; null: nothing.
Value *ReverseMode::gradientOf(Scope &scope, Value *value) {
  Value *gradient = scope.gradients.lookup(value);
  auto buffer = scope.buffers.find(value);
  if (buffer == scope.buffers.end())
    return gradient;
  Value *sum = gradient ? graph.insert(aten::add, {buffer->second, gradient}) : buffer->second;
  scope.buffers.erase(buffer);
  sum->setType(gradientType(value));
  return scope.gradients[value] = sum;
}

/// The same, within a branch or a trip: of a value outside, what arrived before.
Value *ReverseMode::ensureGradient(Scope &scope, Value *value) {
  if (Value *known = gradientOf(scope, value))
    return known;
  if (!isOutside(scope, value))
    return nullptr;
  InsertPointGuard guard(graph);
  graph.setInsertPoint(scope.reverse);
  Value *arrived = ensureGradient(*scope.parent, value);
  if (scope.owner->kind() == prim::If)
    return arrived;
  // A loop hands the sum from trip to trip.
  if (!arrived && !(arrived = zerosLike(*scope.parent, value)))
    return nullptr;
  scope.reverse->addInput(arrived);
  Value *parameter = scope.emitted->addInput("", gradientType(value));
  scope.carried.push_back(value);
  return scope.gradients[value] = parameter;
}

void ReverseMode::add(Scope &scope, Value *value, Value *gradient) {
  if (!isActive(value) || !gradient)
    return;
  Value *known = ensureGradient(scope, value);
  Value *sum = gradient;
  if (known && request.mayBeAbsent)
    sum = graph.insertNodeHere(graph.create(prim::AutogradAdd, {known, gradient}))->output();
  else if (known)
    sum = graph.insert(aten::add, {known, gradient});
  if (known)
    sum->setType(gradientType(value));
  scope.gradients[value] = sum;
}

/// A tensor of zeros for the gradient of a value, which is written in parts. It stands outside of the loops that do.
Value *ReverseMode::bufferOf(Scope &scope, Value *value) {
  if (isOutside(scope, value)) {
    InsertPointGuard guard(graph);
    graph.setInsertPoint(scope.reverse);
    return bufferOf(*scope.parent, value);
  }
  Value *&buffer = scope.buffers[value];
  if (buffer)
    return buffer;
  auto arrived = scope.gradients.find(value);
  Value *made;
  if (arrived != scope.gradients.end() && arrived->second) {
    made = graph.insert(graph.context().symbol("aten::clone"), {arrived->second});
    scope.gradients.erase(arrived);
  } else if (!(made = zerosLike(scope, value))) {
    return nullptr;
  }
  made->setType(gradientType(value));
  return scope.buffers[value] = made;
}

Value *ReverseMode::listGradientOf(Scope &scope, Value *list) {
  for (Scope *at = &scope; at; at = at->parent)
    if (Value *known = at->lists.lookup(list))
      return known;
  return nullptr;
}

bool ReverseMode::addList(Scope &scope, Value *list, Value *gradients) {
  if (!isActive(list))
    return true;
  if (isOutside(scope, list) || scope.lists.count(list))
    return fail("a list is read twice");
  // What was appended is taken from the end again.
  bool isEdited = llvm::any_of(list->uses(), [](const Use &use) { return isAppend(*use.user()); });
  if (isEdited)
    markStack(*(gradients = graph.insert(aten::list, {gradients}))->node());
  scope.lists[list] = gradients;
  return true;
}

//===----------------------------------------------------------------------===//
// Shapes and dtypes of gradients
//===----------------------------------------------------------------------===//

bool tsc::areSizesKnown(const TensorFacts *facts) {
  return facts && facts->sizes && llvm::none_of(*facts->sizes, [](Dimension d) { return d.isUnknown(); });
}

namespace {
/// The dimensions over which a gradient is summed; `keeps`: they have the size 1 then, and go else.
struct SummedDims {
  std::vector<int64_t> dims;
  bool keeps = false;
};
} // namespace

/// Returns the dimensions that broadcasting gave what has the sizes of `wide`; none where both have the same sizes.
/// Nullopt where the types do not say which they are, or some of them stay and others go.
static std::optional<SummedDims> summedDims(const TensorFacts *wide, const TensorFacts *narrow) {
  if (!areSizesKnown(wide) || !areSizesKnown(narrow))
    return std::nullopt;
  const int64_t leading = wide->sizes->size() - narrow->sizes->size();
  SummedDims summed;
  bool isDecided = leading >= 0;
  for (int64_t i = 0; i < static_cast<int64_t>(wide->sizes->size()) && isDecided; ++i) {
    if (i < leading) {
      summed.dims.push_back(i);
      continue;
    }
    Dimension a = (*wide->sizes)[i], b = (*narrow->sizes)[i - leading];
    if (a == b)
      continue;
    isDecided = isOne(b);
    summed.keeps = true;
    summed.dims.push_back(i);
  }
  return isDecided && !(leading && summed.keeps) ? std::optional(std::move(summed)) : std::nullopt;
}

/// Sums what has the sizes of `from` over the dimensions that broadcasting gave it.
Value *ReverseMode::sumTo(Scope &scope, Value *operand, const Type *from, Value *gradient) {
  assert(gradient && "a gradient has arrived");
  if (auto summed = summedDims(from ? &cast<TensorType>(from)->facts() : nullptr, factsOf(operand)))
    return summed->dims.empty() ? gradient : graph.insert(aten::sum, {gradient, summed->dims, summed->keeps});
  return sumToSizesOf(scope, operand, gradient);
}

/// The same where the sizes are known only when the graph runs.
Value *ReverseMode::sumToSizesOf(Scope &scope, Value *operand, Value *gradient) {
  Value *like = visibleTensor(scope, operand);
  return like ? graph.insert(aten::sum_to_size, {gradient, graph.insert(aten::size, {like})}) : nullptr;
}

/// Converts a gradient of one dtype to another.
Value *ReverseMode::convert(Value *gradient, DType given, DType wanted) {
  if (isComplex(given) && !isComplex(wanted))
    gradient = graph.insert(graph.context().symbol("aten::real"), {gradient});
  return graph.insert(aten::to, {gradient, static_cast<int64_t>(wanted), false, false, IValue()});
}

/// Gives a gradient the sizes and dtype of the operand. `node` is the operator that reads the operand.
Value *ReverseMode::conform(Scope &scope, const Node &node, Value *operand, Value *gradient) {
  const unsigned tensors = llvm::count_if(
      node.inputs(), [](const Value *input) { return input->type()->isTensor() || isTensorList(input->type()); });
  if (tensors > 1) {
    const Type *from = node.hasTrait(Trait::Pointwise) && node.numOutputs() == 1 ? node.output()->type() : nullptr;
    gradient = sumTo(scope, operand, from, gradient);
  }
  std::optional<DType> wanted = knownDType(operand);
  std::optional<DType> given = node.numOutputs() ? knownDType(node.output(0)) : std::nullopt;
  if (gradient && (!wanted || !given)) {
    Value *like = visibleTensor(scope, operand);
    gradient = like ? graph.insert(aten::type_as, {gradient, like}) : nullptr;
  } else if (gradient && (wanted != given || (*wanted == DType::Half ||
                                              *wanted == DType::BFloat16))) { // formulas may round once, at the end
    gradient = convert(gradient, *given, *wanted);
  }
  if (gradient && gradient->node()->kind() != prim::Constant && gradient != operand && !gradient->hasUses() &&
      gradient->definingNode())
    gradient->setType(gradientType(operand));
  return gradient;
}

bool ReverseMode::handOn(Scope &scope, const Node &node, unsigned index, Value *gradient) {
  Value *operand = node.input(index);
  if (!isActive(operand))
    return true;
  if (isTensorList(operand->type()))
    return addList(scope, operand, gradient);
  Value *fitting = conform(scope, node, operand, gradient);
  if (!fitting)
    return fail("the gradient of %" + operand->displayName() + " cannot be given its sizes");
  add(scope, operand, fitting);
  return true;
}
