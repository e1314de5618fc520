//===- ReverseMode.cpp - Gradients as nodes of the graph ------------------===//
#include "ReverseMode.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/IR/OpFacts.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
using namespace tsc;

/// A block that is gone through backwards, and where that happens.
struct ReverseMode::Scope {
  Scope *parent = nullptr;
  Node *owner = nullptr;                  ///< The If or Loop; null: the nodes before the request's.
  Block *forward = nullptr;               ///< Null as `owner`.
  Node *reverse = nullptr;                ///< What stands for the owner.
  Block *emitted;                         ///< Into which gradients go,
  Node *before = nullptr;                 ///< before this node; null: at the end.
  Node *lastPop = nullptr;                ///< At the head of `emitted`.
  Value *trips = nullptr;                 ///< Of a loop, in the parent.
  llvm::DenseMap<Value *, Value *> local; ///< Values of `forward` here.
  llvm::MapVector<Value *, Value *> gradients, lists;
  llvm::MapVector<Value *, Value *> buffers; ///< Gradients that are written in parts.
  llvm::SmallVector<Value *, 4> carried;     ///< Outer values whose gradients a loop hands on.
};

ReverseMode::ReverseMode(Graph &graph, const ReverseRequest &request)
    : graph(graph), request(request), derivatives(graph.context().extension<Derivatives>()),
      definitions(graph.context().extension<Definitions>()) {}

bool ReverseMode::fail(const llvm::Twine &message) {
  if (why.empty())
    why = message.str();
  return false;
}

static const TensorFacts *factsOf(const Value *value) {
  const auto *tensor = dyn_cast<TensorType>(value->type());
  return tensor ? &tensor->facts() : nullptr;
}

/// What is known of the gradient of a value.
static const Type *gradientType(const Value *value) {
  const TensorFacts *facts = factsOf(value);
  if (!facts)
    return value->type();
  TensorFacts known = *facts;
  known.strides = std::nullopt;
  known.requiresGrad = std::nullopt;
  known.inferred = false;
  return value->graph().context().tensor(known);
}

static bool isTensorList(const Type *type) {
  const auto *list = dyn_cast<ListType>(type);
  return list && list->element()->isTensor();
}

/// One tensor of a list that nobody edits.
static bool isElement(const Node &node) {
  return node.kind() == aten::__getitem__ && isTensorList(node.input(0)->type()) &&
         llvm::none_of(node.input(0)->uses(),
                       [](const Use &use) { return listEdit(use.user()->opKind()).has_value(); });
}

bool tsc::encloses(const Block *outer, const Block *inner) {
  for (;; inner = inner->owner()->block()) {
    if (inner == outer)
      return true;
    if (!inner->owner())
      return false;
  }
}

bool tsc::dominates(const Node &first, const Node &second) {
  return encloses(first.block(), second.block()) && first.isBefore(&second);
}

static bool isAppend(const Node &node) { return listEdit(node.opKind()) == ListEdit::Append; }

/// Marks a list of which all is popped that is pushed.
static void markStack(Node &list) { list.setAttribute(attr::name, std::string("stack")); }
static bool isStack(const Value &list) { return list.node()->hasAttribute(attr::name); }

/// Whether the node pops a tensor from a list that an earlier differentiation has made.
static bool isPop(const Node &node) {
  return node.kind() == aten::pop && isTensorList(node.input(0)->type()) && isStack(*node.input(0));
}

//===----------------------------------------------------------------------===//
// What depends on the inputs
//===----------------------------------------------------------------------===//

bool ReverseMode::activate(Value *value) {
  const TensorFacts *facts = factsOf(value);
  if (facts && facts->dtype && !isFloating(*facts->dtype) && !isComplex(*facts->dtype))
    return false;
  return active.insert(value).second;
}

/// Whether the value may have a gradient.
static bool isDifferentiable(const Value *value) {
  if (isTensorList(value->type()))
    return true;
  std::optional<DType> dtype = knownDType(value);
  return value->type()->isTensor() && (!dtype || isFloating(*dtype) || isComplex(*dtype));
}

uint32_t ReverseMode::wantedOperands(const Node &node) const {
  if (!node.record() || !node.schema() || llvm::none_of(node.outputs(), isDifferentiable))
    return 0;
  uint32_t wanted = 0, candidates = gradientOperands(*node.record(), *node.schema());
  for (unsigned i = 0; i != std::min(node.numInputs(), 32u); ++i)
    if (candidates >> i & 1 && isActive(node.input(i)))
      wanted |= uint32_t(1) << i;
  return wanted ? wanted & ~derivatives.inertOperands(node.opKind()) : 0;
}

static bool writesTensor(const Node &node) {
  const FunctionSchema *schema = node.record() ? node.schema() : nullptr;
  return schema && llvm::any_of(schema->arguments(), [](const Argument &argument) {
           return argument.alias && argument.alias->isWrite && argument.type->isTensor();
         });
}

/// Composites that are taken apart at most: a definition may name its own operator in a branch.
static constexpr unsigned maxExpanded = 500, maxNesting = 16;

/// Puts what a composite is made of in its place.
bool ReverseMode::expand(Node &node) {
  const Graph *definition = definitions.find(node.opKind());
  unsigned nesting = 0;
  for (Node *outer = node.parentNode(); outer; outer = outer->parentNode())
    ++nesting;
  if (++numExpanded > maxExpanded || nesting > maxNesting)
    return fail("composites that are not decided");
  if (!definition)
    return fail("derivative for " + llvm::Twine(node.record()->qualified) + " is not implemented");
  InsertPointGuard guard(graph);
  graph.setInsertPoint(&node);
  auto results = inlineDecided(*definition, node.inputVector(), graph);
  if (!results)
    results = definition->inlineInto(graph, node.inputVector());
  if (results->size() == 1 && node.numOutputs() > 1) {
    Node *tuple = results->front()->node();
    if (tuple->kind() != prim::TupleConstruct)
      return fail("a definition that returns no tuple in sight");
    results->assign(tuple->inputs().begin(), tuple->inputs().end());
  }
  for (auto [output, result] : llvm::zip(node.outputs(), *results)) {
    if (result->type()->isTensor() && output->type()->isTensor() && result->node()->kind() != prim::Constant)
      result->setType(output->type());
    output->replaceAllUsesWith(result);
  }
  return true;
}

/// Goes through a block up to the request's node. False: it cannot be done, or the end is reached.
bool ReverseMode::findActive(Block &block) {
  for (Node *node = block.empty() ? nullptr : &block.nodes().front(); node;) {
    if (node == request.before)
      return false;
    Node *next = node->next();
    uint32_t wanted = node->numBlocks() ? 0 : wantedOperands(*node);
    if (wanted && writesTensor(*node))
      return fail("a tensor is written in place by " + llvm::Twine(node->kind().qualified()));
    if (wanted & ~derivatives.operands(node->opKind())) {
      Node *previous = node->previous();
      if (!expand(*node))
        return false;
      node->erase();
      node = previous ? previous->next() : &block.nodes().front();
      continue;
    }
    if (!findActiveIn(*node))
      return false;
    node = next;
  }
  return true;
}

/// requires_grad_, after which an input of the request has one name: what it returns.
bool ReverseMode::findStart(Node &node) {
  const Value *tensor = node.input(0);
  if (isActive(tensor) && constantBool(node.input(1)) != true)
    return fail("requires_grad_ of a tensor that is differentiated");
  if (isActive(tensor))
    activate(node.output());
  if (!llvm::is_contained(request.inputs, node.output()) || constantBool(node.input(1)) != true)
    return true;
  const bool isLate = tensor->node()->block() != node.block() || llvm::any_of(tensor->uses(), [&](const Use &use) {
                        return use.user() != &node && !use.user()->isBefore(&node);
                      });
  if (isLate)
    return fail("requires_grad_ in a branch or loop of its own");
  activate(node.output());
  return true;
}

bool ReverseMode::findActiveIn(Node &node) {
  if (node.opKind() == OpKind::Aten_requires_grad_)
    return findStart(node);
  switch (node.kind().id()) {
  case SymbolId::prim_Loop: return findActiveInLoop(node);
  case SymbolId::prim_If:
    for (Block &block : node.blocks())
      if (!findActive(block))
        return false;
    for (auto [i, output] : llvm::enumerate(node.outputs()))
      if (isActive(node.block(0).returnNode().input(i)) || isActive(node.block(1).returnNode().input(i)))
        activate(output);
    return true;
  case SymbolId::aten_list:
  case SymbolId::prim_ListConstruct:
  case SymbolId::prim_ListUnpack:
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_unchecked_unwrap_optional:
    if (llvm::any_of(node.inputs(), [&](Value *input) { return isActive(input); }))
      for (Value *output : node.outputs())
        activate(output);
    return true;
  default: break;
  }
  if (isAppend(node)) {
    if (isActive(node.input(1)) && activate(node.input(0)) && node.input(0)->node()->kind() != prim::ListConstruct)
      return fail("a list that was not made in sight is appended to");
    for (Value *output : node.outputs())
      if (output->hasUses())
        return fail("what append returns is used");
    return true;
  }
  if ((node.kind() == aten::__getitem__ && isTensorList(node.input(0)->type())) || isPop(node)) {
    if (isActive(node.input(0)))
      activate(node.output());
    return true;
  }
  bool readsActive = llvm::any_of(node.inputs(), [&](Value *input) { return isActive(input); });
  if (node.kind() == prim::CallFunction || node.kind() == prim::CallMethod)
    return fail("a call that is not inlined"); // it may switch grad mode
  if (writesTensor(node)) {
    if (readsActive || node.hasTrait(Trait::Geometry))
      return fail("a tensor is written in place by " + llvm::Twine(node.kind().qualified()));
    writesTensors = true;
  }
  if (!readsActive)
    return true;
  if (listEdit(node.opKind()) || node.kind() == prim::SetAttr || node.kind() == prim::TupleConstruct ||
      node.kind() == prim::DictConstruct || node.kind() == aten::_set_item || node.opKind() == OpKind::Aten_grad)
    return fail("gradients through " + llvm::Twine(node.kind().qualified()) + " are not followed");
  if (!wantedOperands(node)) {
    bool isInert = node.record() &&
                   (gradientOperands(*node.record(), *node.schema()) == 0 || derivatives.inertOperands(node.opKind()));
    if (isInert || llvm::none_of(node.outputs(), [](Value *output) {
          return output->type()->isMutable() && (!output->type()->isTensor() || isDifferentiable(output));
        }))
      return true;
    return fail("gradients through " + llvm::Twine(node.kind().qualified()) + " are not followed");
  }
  for (Value *output : node.outputs())
    if (output->type()->isTensor() || isTensorList(output->type()))
      activate(output);
  return true;
}

/// Moves transpositions of what is outside of a loop ahead of it: their gradients are summed as they come, and
/// transposed once. They fail for no tensor of a rank that is known.
static void hoistTranspositions(Node &loop) {
  for (Node &node : llvm::make_early_inc_range(loop.block(0).nodes())) {
    OpKind kind = node.opKind();
    if (kind != OpKind::Aten_t && kind != OpKind::Aten_transpose_int && kind != OpKind::Aten_permute)
      continue;
    const TensorFacts *facts = factsOf(node.input(0));
    auto isOutside = [&](Value *input) { return !encloses(&loop.block(0), &input->block()); };
    if (facts && facts->sizes && llvm::all_of(node.inputs(), isOutside))
      node.moveBefore(&loop);
  }
}

bool ReverseMode::findActiveInLoop(Node &loop) {
  Block &body = loop.block(0);
  for (size_t before = ~size_t(0); before != active.size();) {
    before = active.size();
    for (unsigned i = 0; i != loop.numOutputs(); ++i)
      if (isActive(loop.input(i + 2)) || isActive(body.returnNode().input(i + 1))) {
        activate(body.inputs()[i + 1]);
        activate(loop.output(i));
      }
    if (!findActive(body)) {
      if (why.empty())
        fail("gradients within a loop of what is outside");
      return false;
    }
  }
  return true;
}

/// Whether the value may be written once the node has run, which the tape would notice.
bool ReverseMode::isWrittenLater(const Node &node, const Value *value) const {
  if (!aliases || !aliases->hasWriters(value))
    return false;
  auto shareLoop = [&](const Node *other) {
    for (const Node *outer = node.parentNode(); outer; outer = outer->parentNode())
      if (outer->kind() == prim::Loop && encloses(&const_cast<Node *>(outer)->block(0), other->block()))
        return true;
    return false;
  };
  return llvm::any_of(aliases->writers(value), [&](const Node *writer) {
    return writer->opKind() != OpKind::Aten_requires_grad_ && (!writer->isBefore(&node) || shareLoop(writer));
  });
}

//===----------------------------------------------------------------------===//
// Values of the way forth
//===----------------------------------------------------------------------===//

bool ReverseMode::isOutside(const Scope &scope, const Value *value) const {
  return scope.forward && !encloses(scope.forward, &value->block());
}

/// The value of the way forth where the scope's gradients are computed; null: it cannot be had.
Value *ReverseMode::visible(Scope &scope, Value *value) {
  if (encloses(&value->block(), scope.emitted))
    return value;
  Value *&known = scope.local[value];
  if (known)
    return known;
  Value *found = nullptr;
  if (auto constant = constantValue(value)) {
    InsertPointGuard guard(graph);
    Node *node = graph.createConstant(*constant);
    node->output()->setType(value->type());
    scope.emitted->prepend(node);
    found = node->output();
  } else if (&value->block() != scope.forward) {
    found = scope.parent ? visible(*scope.parent, value) : nullptr;
  } else if (scope.owner->kind() == prim::If) {
    found = captureFromBranch(scope, value);
  } else {
    found = captureFromTrip(scope, value);
  }
  return scope.local[value] = found;
}

/// What stands for a value where nobody reads it.
Value *ReverseMode::insertAbsent(const Type *type) {
  return graph.insertNodeHere(graph.create(prim::Uninitialized))->output()->setType(type);
}

Value *ReverseMode::captureFromBranch(Scope &scope, Value *value) {
  const unsigned branch = &scope.owner->block(0) == scope.forward ? 0 : 1;
  Value *output = scope.owner->addOutput(value->type());
  InsertPointGuard guard(graph);
  Block &other = scope.owner->block(1 - branch);
  scope.forward->addOutput(value);
  graph.setInsertPoint(other);
  other.addOutput(insertAbsent(value->type()));
  return visible(*scope.parent, output);
}

/// A value of each trip, last first.
Value *ReverseMode::captureFromTrip(Scope &scope, Value *value) {
  Context &context = graph.context();
  InsertPointGuard guard(graph);
  auto atHead = [&](Node *node) {
    scope.lastPop ? node->insertAfter(scope.lastPop) : scope.emitted->prepend(node);
    scope.lastPop = node;
    return node->output();
  };
  if (value == scope.forward->inputs()[0] && scope.trips) {
    Node *one = graph.createConstant(IValue(int64_t{1}));
    atHead(one);
    Node *last = graph.create(aten::sub, {scope.trips, one->output()});
    last->output()->setType(Type::intType());
    atHead(last);
    Node *index = graph.create(aten::sub, {last->output(), scope.emitted->inputs()[0]});
    index->output()->setType(Type::intType());
    return atHead(index);
  }
  // A view of what is outside of the loop is made again.
  Node *definition = value->definingNode();
  auto isReached = [&](Value *operand) {
    return encloses(&operand->block(), scope.emitted) || operand == scope.forward->inputs()[0] || isConstant(operand);
  };
  if (definition && definition != scope.owner && definition->numOutputs() == 1 &&
      (definition->hasTrait(Trait::View) || isElement(*definition)) && llvm::all_of(definition->inputs(), isReached)) {
    llvm::SmallVector<Value *, 4> operands;
    for (Value *operand : definition->inputs())
      operands.push_back(visible(scope, operand));
    Node *again = graph.create(definition->kind(), operands);
    again->output()->setType(value->type());
    return atHead(again);
  }
  if (isa<ListType>(value->type()) && !isStack(*value) && llvm::any_of(value->uses(), [](const Use &use) {
        return use.index() == 0 && listEdit(use.user()->opKind()).has_value();
      })) {
    fail("a list is kept that is written");
    return nullptr;
  }
  const Type *kept = value->type()->isTensor() ? Type::tensorType() : value->type();
  Node *stack = graph.create(prim::ListConstruct);
  stack->output()->setType(context.listOf(kept));
  markStack(*stack);
  stack->insertBefore(scope.owner);
  Node *push = graph.create(aten::append, {stack->output(), value});
  push->output()->setType(stack->output()->type());
  scope.forward->append(push); // behind all that is computed, which it does not keep apart
  Value *from = visible(*scope.parent, stack->output());
  if (!from)
    return nullptr;
  Node *top = graph.createConstant(IValue(int64_t{-1}));
  atHead(top);
  Node *pop = graph.create(aten::pop, {from, top->output()});
  pop->output()->setType(value->type());
  return atHead(pop);
}

//===----------------------------------------------------------------------===//
// Gradients of values
//===----------------------------------------------------------------------===//

/// visible(), and null also for what may be None: a gradient is made for a tensor.
Value *ReverseMode::visibleTensor(Scope &scope, Value *value) {
  return value->type()->isTensor() ? visible(scope, value) : nullptr;
}

Value *ReverseMode::zerosLike(Scope &scope, Value *value) {
  Value *like = visibleTensor(scope, value);
  return like ? graph.insert(aten::zeros_like, {like})->setType(gradientType(value)) : nullptr;
}

/// What has arrived so far; null: nothing.
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
  if (Value *known = scope.gradients.lookup(value))
    return known;
  if (!isOutside(scope, value))
    return nullptr;
  Value *arrived = ensureGradient(*scope.parent, value);
  if (scope.owner->kind() == prim::If)
    return arrived;
  // A loop hands the sum from trip to trip.
  InsertPointGuard guard(graph);
  graph.setInsertPoint(scope.reverse);
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
  gradientOf(scope, value); // with what was written in parts
  Value *known = ensureGradient(scope, value);
  Value *sum = known ? graph.insert(aten::add, {known, gradient}) : gradient;
  if (known)
    sum->setType(gradientType(value));
  scope.gradients[value] = sum;
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

static bool areSizesKnown(const TensorFacts *facts) {
  return facts && facts->sizes && llvm::none_of(*facts->sizes, [](Dimension d) { return d.isUnknown(); });
}

static bool isOne(Dimension dimension) { return dimension.isKnown() && dimension.value() == 1; }

/// Sums what has the sizes of `from` over the dimensions that broadcasting gave it.
Value *ReverseMode::sumTo(Scope &scope, Value *operand, const Type *from, Value *gradient) {
  const TensorFacts *wide = from ? &cast<TensorType>(from)->facts() : nullptr, *narrow = factsOf(operand);
  if (areSizesKnown(wide) && areSizesKnown(narrow)) {
    if (*wide->sizes == *narrow->sizes)
      return gradient;
    const int64_t leading = wide->sizes->size() - narrow->sizes->size();
    std::vector<int64_t> dims;
    bool isDecided = leading >= 0, keeps = false;
    for (int64_t i = 0; i < static_cast<int64_t>(wide->sizes->size()) && isDecided; ++i) {
      if (i < leading) {
        dims.push_back(i);
        continue;
      }
      Dimension a = (*wide->sizes)[i], b = (*narrow->sizes)[i - leading];
      if (a == b)
        continue;
      isDecided = isOne(b);
      keeps = true;
      dims.push_back(i);
    }
    if (isDecided && !(leading && keeps))
      return graph.insert(aten::sum, {gradient, dims, keeps});
  }
  Value *like = visibleTensor(scope, operand);
  return like ? graph.insert(aten::sum_to_size, {gradient, graph.insert(aten::size, {like})}) : nullptr;
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
    if (isComplex(*given) && !isComplex(*wanted))
      gradient = graph.insert(graph.context().symbol("aten::real"), {gradient});
    gradient = graph.insert(aten::to, {gradient, static_cast<int64_t>(*wanted), false, false, IValue()});
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

//===----------------------------------------------------------------------===//
// Nodes backwards
//===----------------------------------------------------------------------===//

bool ReverseMode::hasGradients(Scope &scope, Node &node) {
  for (Value *output : node.outputs())
    if (scope.gradients.lookup(output) || scope.lists.lookup(output) || scope.buffers.count(output))
      return true;
  if (isAppend(node) && isActive(node.input(0)) && listGradientOf(scope, node.input(0)))
    return true;
  return llvm::any_of(node.blocks(), [&](Block &block) {
    return llvm::any_of(block.nodes(), [&](Node &inner) {
      return (isAppend(inner) || inner.numBlocks()) && hasGradients(scope, inner);
    });
  });
}

bool ReverseMode::reverseBefore(Scope &scope, Node *end) {
  for (Node *node = end; node; node = node->previous()) {
    if (!hasGradients(scope, *node))
      continue;
    if (!reverse(scope, *node))
      return fail("%" + llvm::Twine(node->kind().qualified()) + " is not followed");
  }
  return true;
}

bool ReverseMode::reverse(Scope &scope, Node &node) {
  scope.before ? graph.setInsertPoint(scope.before) : graph.setInsertPoint(*scope.emitted);
  switch (node.kind().id()) {
  case SymbolId::prim_If: return reverseIf(scope, node);
  case SymbolId::prim_Loop: return reverseLoop(scope, node);
  case SymbolId::aten_list: return addList(scope, node.input(), scope.lists.lookup(node.output()));
  case SymbolId::prim_ListConstruct: return reverseListConstruct(scope, node);
  case SymbolId::prim_ListUnpack: return reverseListUnpack(scope, node);
  case SymbolId::prim_unchecked_cast:
  case SymbolId::prim_unchecked_unwrap_optional:
    add(scope, node.input(), gradientOf(scope, node.output()));
    return true;
  default: break;
  }
  if (isAppend(node))
    return reverseAppend(scope, node);
  if (isPop(node))
    return reversePop(scope, node);
  if (node.kind() == aten::__getitem__ && isTensorList(node.input(0)->type()))
    return reverseElement(scope, node);
  return reverseOperator(scope, node);
}

/// Views that say which elements they have by sizes alone, and not by strides.
static bool isPart(OpKind kind) {
  switch (kind) {
  case OpKind::Aten_select_int:
  case OpKind::Aten_slice_Tensor:
  case OpKind::Aten_narrow:
  case OpKind::Aten_unbind_int: return true;
  default: return false;
  }
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

/// The gradient of a part of what is outside of the loop: each trip writes its own place.
bool ReverseMode::reverseIntoBuffer(Scope &scope, Node &node, Value *gradient) {
  Value *buffer = bufferOf(scope, node.input(0));
  if (!buffer)
    return fail("no place for the parts of a gradient");
  llvm::SmallVector<Value *, 4> operands{buffer};
  for (Value *operand : llvm::drop_begin(node.inputs())) {
    Value *here = visible(scope, operand);
    if (!here)
      return false;
    operands.push_back(here);
  }
  Node *part = graph.insertNodeHere(graph.create(node.kind(), operands));
  part->output()->setType(node.output()->type());
  graph.insert(aten::add_, {part->output(), gradient});
  return true;
}

bool ReverseMode::reverseOperator(Scope &scope, Node &node) {
  uint32_t wanted = inBuffers.contains(&node) ? 0 : wantedOperands(node);
  if (!wanted)
    return true;
  const bool isInLoop = scope.forward && isOutside(scope, node.input(0));
  if (isInLoop && !request.createGraph && node.numOutputs() == 1 && node.output()->type()->isTensor() &&
      isPart(node.opKind()))
    return reverseIntoBuffer(scope, node, gradientOf(scope, node.output()));
  const Derivative *derivative = derivatives.find(node.opKind(), wanted);
  if (!derivative)
    return fail("derivative for " + llvm::Twine(node.record()->qualified) + " is not implemented");
  visited.push_back(&node);
  llvm::SmallVector<Value *, 8> arguments;
  for (const Derivative::Capture &capture : derivative->captures) {
    Value *argument = nullptr;
    const Value *kept = capture.kind == Derivative::Capture::Operand  ? node.input(capture.index)
                        : capture.kind == Derivative::Capture::Result ? node.output(capture.index)
                                                                      : nullptr;
    if (kept && !capture.isOnlyMeasured && isWrittenLater(node, kept))
      return fail("what the derivative of " + llvm::Twine(node.record()->qualified) + " reads is written in place");
    if (capture.kind == Derivative::Capture::Operand) {
      argument = visible(scope, node.input(capture.index));
    } else if (capture.kind == Derivative::Capture::Result) {
      argument = visible(scope, node.output(capture.index));
    } else {
      Value *result = node.output(capture.index);
      argument = isTensorList(result->type()) ? scope.lists.lookup(result) : gradientOf(scope, result);
      if (!argument && isTensorList(result->type()))
        return fail("the gradient of a list is not known");
      if (!argument && capture.mayBeNone)
        argument = graph.insertConstant(IValue());
      else if (!argument)
        argument = zerosLike(scope, result);
    }
    if (!argument)
      return fail("what the derivative of " + llvm::Twine(node.record()->qualified) + " reads cannot be kept");
    arguments.push_back(argument);
  }
  auto gradients = inlineDecided(*derivative->graph, arguments, graph);
  if (!gradients)
    gradients = derivative->graph->inlineInto(graph, arguments);
  for (auto [operand, gradient] : llvm::zip(derivative->operands, *gradients))
    if (!handOn(scope, node, operand, gradient))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static Value *elementOf(Graph &graph, Value *list, unsigned index) {
  if (list->node()->kind() == prim::ListConstruct && index < list->node()->numInputs())
    return list->node()->input(index);
  return graph.insert(aten::__getitem__, {list, static_cast<int64_t>(index)});
}

bool ReverseMode::reverseListConstruct(Scope &scope, Node &node) {
  Value *gradients = scope.lists.lookup(node.output());
  for (auto [i, element] : llvm::enumerate(node.inputs()))
    if (isActive(element)) {
      Value *gradient = ofElementsDtype(scope, *node.output(), element, elementOf(graph, gradients, i));
      if (!gradient)
        return false;
      if (gradient->type()->isTensor() && !factsOf(gradient)->sizes && gradient->node()->kind() == aten::__getitem__)
        gradient->setType(gradientType(element));
      add(scope, element, gradient);
    }
  return true;
}

/// Gradients of a list that an operator joins have the dtype of the result, to which elements of several dtypes
/// promote.
Value *ReverseMode::ofElementsDtype(Scope &scope, const Value &list, Value *element, Value *gradient) {
  const std::optional<DType> wanted = knownDType(element);
  auto hasThat = [&](const Value *other) { return wanted && knownDType(other) == wanted; };
  const bool areEqual = llvm::all_of(list.node()->inputs(), hasThat) && llvm::all_of(list.uses(), [&](const Use &use) {
                          return !isAppend(*use.user()) || hasThat(use.user()->input(1));
                        });
  if (areEqual || isStack(list)) // a stack gives what was pushed
    return gradient;
  Value *like = visibleTensor(scope, element);
  return like ? graph.insert(aten::type_as, {gradient, like}) : nullptr;
}

bool ReverseMode::reverseListUnpack(Scope &scope, Node &node) {
  llvm::SmallVector<Value *, 4> parts;
  for (Value *output : node.outputs()) {
    Value *gradient = gradientOf(scope, output);
    if (!gradient && !(gradient = zerosLike(scope, output)))
      return false;
    parts.push_back(gradient);
  }
  Node *list = graph.insertNodeHere(graph.create(prim::ListConstruct, parts));
  list->output()->setType(graph.context().listOf(Type::tensorType()));
  return addList(scope, node.input(), list->output());
}

/// One tensor of a list: of what an operator gave as parts of a tensor, its place in that one's gradient.
bool ReverseMode::reverseElement(Scope &scope, Node &node) {
  Value *list = node.input(0);
  Value *gradient = gradientOf(scope, node.output());
  Node *parts = list->node();
  if (!gradient)
    return true;
  if (request.createGraph || !isPart(parts->opKind()))
    return fail("one tensor of a list");
  // The scope to which the operator belongs holds the parts of the buffer.
  Scope *home = &scope;
  while (isOutside(*home, list))
    home = home->parent;
  Value *places = listGradientOf(scope, list);
  if (!places) {
    InsertPointGuard guard(graph);
    if (home != &scope) {
      Scope *inner = &scope;
      while (inner->parent != home)
        inner = inner->parent;
      graph.setInsertPoint(inner->reverse);
    }
    Value *buffer = bufferOf(*home, parts->input(0));
    llvm::SmallVector<Value *, 4> operands{buffer};
    for (Value *operand : llvm::drop_begin(parts->inputs())) {
      Value *here = visible(*home, operand);
      if (!here || !buffer)
        return false;
      operands.push_back(here);
    }
    Node *copy = graph.insertNodeHere(graph.create(parts->kind(), operands));
    copy->output()->setType(list->type());
    places = copy->output();
    home->lists[list] = places;
    inBuffers.insert(parts); // whose gradient is the buffer
  }
  Value *index = visible(scope, node.input(1));
  if (!index)
    return false;
  Value *place = graph.insert(aten::__getitem__, {places, index});
  graph.insert(aten::add_, {place, gradient});
  return true;
}

bool ReverseMode::reverseAppend(Scope &scope, Node &node) {
  Value *gradients = listGradientOf(scope, node.input(0));
  if (!gradients)
    return true;
  Value *popped = graph.insert(aten::pop, {gradients, int64_t{-1}});
  Value *gradient = ofElementsDtype(scope, *node.input(0), node.input(1), popped);
  if (!gradient)
    return false;
  if (gradient == popped)
    gradient->setType(gradientType(node.input(1)));
  add(scope, node.input(1), gradient);
  return true;
}

/// What was popped last was pushed first: its gradient goes where the push, backwards, takes it from.
bool ReverseMode::reversePop(Scope &scope, Node &node) {
  Value *stack = node.input(0);
  Value *gradients = listGradientOf(scope, stack);
  if (!gradients) {
    Scope *home = &scope, *inner = nullptr;
    for (; isOutside(*home, stack); home = home->parent)
      inner = home;
    Node *list = graph.create(prim::ListConstruct);
    list->output()->setType(graph.context().listOf(Type::tensorType()));
    markStack(*list);
    inner ? list->insertBefore(inner->reverse) : graph.insertNodeHere(list);
    gradients = home->lists[stack] = list->output();
  }
  Value *gradient = gradientOf(scope, node.output());
  graph.insert(aten::append, {gradients, gradient});
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Whether the value comes from a branch, and is read only where that one was taken.
static bool mayBeAbsent(const Value *value) {
  Node *maker = const_cast<Value *>(value)->definingNode();
  if (!maker)
    return false;
  if (maker->kind() == prim::If)
    return llvm::any_of(maker->blocks(),
                        [&](Block &block) { return mayBeAbsent(block.returnNode().input(value->offset())); });
  if (isPop(*maker)) // of what was pushed in each trip
    return llvm::any_of(maker->input(0)->uses(),
                        [](const Use &use) { return isAppend(*use.user()) && mayBeAbsent(use.user()->input(1)); });
  return maker->kind() == prim::Uninitialized;
}

bool ReverseMode::reverseIf(Scope &scope, Node &node) {
  Value *condition = visible(scope, node.input());
  if (!condition)
    return false;
  llvm::SmallVector<Value *, 4> arrived;
  for (Value *output : node.outputs()) {
    if (scope.lists.count(output))
      return fail("a branch gives a list of tensors");
    arrived.push_back(gradientOf(scope, output));
  }
  Node *reverse = graph.insertNodeHere(graph.create(prim::If, {condition}, 0));
  auto eraser = llvm::make_scope_exit([&] { reverse->erase(); });
  std::array<Scope, 2> inner;
  llvm::MapVector<Value *, unsigned> outer;
  for (unsigned branch = 0; branch != 2; ++branch) {
    Scope &at = inner[branch];
    at.parent = &scope;
    at.owner = &node;
    at.forward = &node.block(branch);
    at.reverse = reverse;
    at.emitted = &reverse->addBlock();
    graph.setInsertPoint(*at.emitted);
    for (auto [i, gradient] : llvm::enumerate(arrived))
      if (gradient)
        add(at, at.forward->returnNode().input(i), gradient);
    if (!at.forward->empty() && !reverseBefore(at, &at.forward->nodes().back()))
      return false;
    for (auto &[value, gradient] : at.gradients)
      if (isOutside(at, value))
        outer.insert({value, 0});
  }
  scope.before ? graph.setInsertPoint(scope.before) : graph.setInsertPoint(*scope.emitted);
  for (auto &[value, unused] : outer) {
    for (Scope &at : inner) {
      graph.setInsertPoint(*at.emitted);
      Value *gradient = at.gradients.lookup(value);
      if (!gradient && !(gradient = ensureGradient(at, value)))
        gradient = mayBeAbsent(value) ? insertAbsent(value->type()) : zerosLike(at, value);
      if (!gradient)
        return false;
      at.emitted->addOutput(gradient);
    }
    Value *output = reverse->addOutput(gradientType(value));
    scope.gradients[value] = output;
  }
  eraser.release();
  return true;
}

static bool isTrue(const Value *value) { return constantBool(value) == true; }

bool ReverseMode::reverseLoop(Scope &scope, Node &node) {
  Block &body = node.block(0);
  Scope inner;
  inner.parent = &scope;
  inner.owner = &node;
  inner.forward = &body;
  const bool isCounted = isTrue(node.input(1)) && isTrue(*body.outputs().begin());
  if (isCounted) {
    inner.trips = visible(scope, node.input(0));
  } else { // as many as there were
    InsertPointGuard guard(graph);
    Node *stack = graph.create(prim::ListConstruct);
    stack->output()->setType(graph.context().listOf(Type::intType()));
    stack->insertBefore(&node);
    Node *push = graph.create(aten::append, {stack->output(), body.inputs()[0]});
    push->output()->setType(stack->output()->type());
    body.prepend(push);
    graph.setInsertPoint(&node);
    Value *indices = visible(scope, stack->output());
    scope.before ? graph.setInsertPoint(scope.before) : graph.setInsertPoint(*scope.emitted);
    inner.trips = indices ? graph.insert(aten::len, {indices}) : nullptr;
  }
  if (!inner.trips)
    return false;
  // The gradients that the trips hand on: first of what the loop gives, at last of what it was given.
  llvm::SmallVector<unsigned, 4> handed;
  llvm::SmallVector<Value *, 4> operands{inner.trips, graph.insertConstant(IValue(true))};
  for (auto [i, output] : llvm::enumerate(node.outputs())) {
    if (!isActive(body.inputs()[i + 1]) && !isActive(body.returnNode().input(i + 1)))
      continue;
    if (!output->type()->isTensor())
      return fail("a loop hands on what is no tensor");
    Value *gradient = gradientOf(scope, output);
    if (!gradient && !(gradient = zerosLike(scope, output)))
      return false;
    operands.push_back(gradient);
    handed.push_back(i);
  }
  Node *reverse = graph.insertNodeHere(graph.create(prim::Loop, operands, 0));
  auto eraser = llvm::make_scope_exit([&] { reverse->erase(); });
  inner.reverse = reverse;
  inner.emitted = &reverse->addBlock();
  inner.emitted->addInput("", Type::intType());
  graph.setInsertPoint(*inner.emitted);
  for (unsigned i : handed)
    inner.emitted->addInput("", gradientType(node.output(i)));
  for (auto [k, i] : llvm::enumerate(handed))
    add(inner, body.returnNode().input(i + 1), inner.emitted->inputs()[k + 1]);
  if (!body.empty() && !reverseBefore(inner, &body.nodes().back()))
    return false;
  graph.setInsertPoint(*inner.emitted);
  inner.emitted->addOutput(graph.insertConstant(IValue(true)));
  for (unsigned i : handed) {
    Value *parameter = body.inputs()[i + 1];
    Value *gradient = gradientOf(inner, parameter);
    if (!gradient && !(gradient = zerosLike(inner, parameter)))
      return false;
    inner.emitted->addOutput(gradient);
    reverse->addOutput(gradientType(node.output(i)));
  }
  for (Value *value : inner.carried) {
    inner.emitted->addOutput(inner.gradients.lookup(value));
    scope.gradients[value] = reverse->addOutput(gradientType(value));
  }
  scope.before ? graph.setInsertPoint(scope.before) : graph.setInsertPoint(*scope.emitted);
  eraser.release();
  for (auto [k, i] : llvm::enumerate(handed))
    add(scope, node.input(i + 2), reverse->output(k));
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Whether it is known from where on the input requires a gradient, and that no other value is the same tensor. (The
/// arguments of a call that gets a plan are different tensors.)
bool ReverseMode::checkInput(const Value *input) {
  const Node &maker = *input->node();
  const bool isStart = maker.opKind() == OpKind::Aten_requires_grad_;
  const Value *tensor = isStart ? maker.input(0) : input;
  const TensorFacts *facts = factsOf(input);
  if (!isStart && (!facts || facts->requiresGrad != true))
    return fail("%" + input->displayName() + " is not known to require a gradient");
  const bool isArgument = !tensor->definingNode() && &tensor->block() == &graph.block();
  if (!isArgument && !isNewTensor(tensor))
    return fail("%" + input->displayName() + " may have another name");
  if (!isStart)
    active.insert(input);
  return true;
}

std::optional<llvm::SmallVector<Value *, 2>> ReverseMode::run(llvm::function_ref<void()> refineTypes) {
  InsertPointGuard guard(graph);
  if (switchesGradMode(graph) && !fail("grad mode is switched"))
    return std::nullopt;
  for (const Value *input : request.inputs)
    if (!checkInput(input))
      return std::nullopt;
  llvm::SmallVector<Node *> loops;
  graph.walk([&](Node &node) {
    if (node.kind() == prim::Loop)
      loops.push_back(&node);
  });
  for (Node *loop : llvm::reverse(loops)) // inner ones first
    hoistTranspositions(*loop);
  // Composites are taken apart until all their parts have types, which decide what takes part.
  static constexpr unsigned maxRounds = 8;
  const llvm::DenseSet<const Value *> known = active;
  for (unsigned round = 0, expanded = ~0u; expanded != numExpanded; ++round) {
    expanded = numExpanded;
    active = known;
    why.clear();
    findActive(graph.block());
    if (expanded != numExpanded)
      refineTypes();
    if (round == maxRounds)
      break;
  }
  if (!why.empty())
    return std::nullopt;
  if (writesTensors)
    aliases.emplace(graph);
  Scope scope;
  scope.emitted = request.before->block();
  scope.before = request.before;
  graph.setInsertPoint(request.before);
  for (auto [output, weight] : llvm::zip(request.outputs, request.weights)) {
    if (!isActive(output)) {
      fail("%" + output->displayName() + " does not depend on what is differentiated");
      return std::nullopt;
    }
    const TensorFacts *facts = factsOf(output), *given = weight ? factsOf(weight) : nullptr;
    if (weight && !(areSizesKnown(facts) && areSizesKnown(given) && *facts->sizes == *given->sizes && facts->dtype &&
                    facts->dtype == given->dtype)) {
      fail("the gradient of %" + output->displayName() + " may have other sizes");
      return std::nullopt;
    }
    bool isNumber = facts && facts->sizes && llvm::all_of(*facts->sizes, isOne);
    if (!weight && !isNumber) {
      fail("%" + output->displayName() + " may be more than one number");
      return std::nullopt;
    }
    Value *seed =
        weight ? weight
               : graph.insert(graph.context().symbol("aten::ones_like"), {output})->setType(gradientType(output));
    add(scope, output, seed);
  }
  // From the request's block outwards; what is before a branch is before what is in it.
  for (Node *end = request.before; end; end = end->parentNode())
    if (!reverseBefore(scope, end->previous()))
      return std::nullopt;
  llvm::SmallVector<Value *, 2> found;
  graph.setInsertPoint(request.before);
  for (Value *input : request.inputs)
    found.push_back(gradientOf(scope, input));
  return found;
}
