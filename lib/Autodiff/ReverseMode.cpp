//===- ReverseMode.cpp - Gradients as nodes of the graph ------------------===//
#include "ReverseScope.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "llvm/ADT/Twine.h"
using namespace tsc;

ReverseMode::ReverseMode(Graph &graph, const ReverseRequest &request)
    : graph(graph), request(request), derivatives(graph.context().extension<Derivatives>()),
      definitions(graph.context().extension<Definitions>()) {
  assert(request.before && request.before->block() && &request.before->graph() == &graph &&
         "gradients are inserted before a node of the graph");
  assert(request.weights.size() == request.outputs.size() && "one weight for each output");
}

bool ReverseMode::fail(const llvm::Twine &message) {
  if (why.empty())
    why = message.str();
  return false;
}

bool tsc::encloses(const Block *outer, const Block *inner) {
  assert(outer && inner && "blocks that stand in a graph");
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
      return fail("%" + llvm::Twine(node->kindName()) + " is not followed");
  }
  return true;
}

bool ReverseMode::reverse(Scope &scope, Node &node) {
  scope.before ? graph.setInsertPoint(scope.before) : graph.setInsertPoint(*scope.emitted);
  if (request.mayBeAbsent && node.numBlocks())
    return fail("branches and loops whose gradients may be absent");
  switch (node.kind().id()) {
  case SymbolId::prim_If: return reverseIf(scope, node);
  case SymbolId::prim_Loop: return reverseLoop(scope, node);
  case SymbolId::prim_ListConstruct: return reverseListConstruct(scope, node);
  case SymbolId::prim_ListUnpack: return reverseListUnpack(scope, node);
  default: break;
  }
  if (copiesList(node) || (passesThrough(node) && isa<ListType>(node.output()->type())))
    return addList(scope, node.input(), scope.lists.lookup(node.output()));
  if (passesThrough(node)) {
    add(scope, node.input(), gradientOf(scope, node.output()));
    return true;
  }
  if (isAppend(node))
    return reverseAppend(scope, node);
  if (isPop(node))
    return reversePop(scope, node);
  if (takesTensor(node))
    return reverseElement(scope, node);
  return reverseOperator(scope, node);
}

/// Whether the node reads a part of its operand, or several one by one. What reads a list of them reads all.
static bool readsParts(const Node &node) {
  if (!isPart(node.opKind()))
    return false;
  return node.output()->type()->isTensor() ||
         llvm::all_of(node.output()->uses(), [](const Use &use) { return takesTensor(*use.user()); });
}

/// Whether the loops around the node, as far as the value is outside of them, read parts of it alone. What reads all of
/// it adds to a sum of its own, and the order of the additions would not be that of the trips.
bool ReverseMode::isReadInParts(const Value *value, Node &node) const {
  Node *outermost = &node;
  while (outermost && outermost->block() != &value->block())
    outermost = outermost->parentNode();
  return outermost && llvm::all_of(value->uses(), [&](const Use &use) {
           const Node &user = *use.user();
           const bool isInside =
               llvm::any_of(outermost->blocks(), [&](const Block &block) { return encloses(&block, user.block()); });
           return !isInside || readsParts(user) || (user.record() && user.blocks().empty() && !wantedOperands(user));
         });
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

/// Whether values of the type are tensors, or lists of such, which may be optional.
static bool containsTensor(const Type *type) {
  return type->isTensor() || llvm::any_of(type->contained(), containsTensor);
}

bool ReverseMode::reverseOperator(Scope &scope, Node &node) {
  uint32_t wanted = inBuffers.contains(&node) ? 0 : wantedOperands(node);
  if (!wanted)
    return true;
  const bool isInLoop = scope.forward && isOutside(scope, node.input(0));
  if (isInLoop && !request.createGraph && node.numOutputs() == 1 && node.output()->type()->isTensor() &&
      isPart(node.opKind()) && isReadInParts(node.input(0), node))
    return reverseIntoBuffer(scope, node, gradientOf(scope, node.output()));
  const Derivative *derivative = derivatives.find(node.opKind(), wanted);
  if (!derivative)
    return fail("derivative for " + llvm::Twine(node.record()->qualified) + " is not implemented");
  visited.push_back(&node);
  bool readsElements = false;
  llvm::SmallVector<Value *, 8> arguments;
  for (const Derivative::Capture &capture : derivative->captures) {
    Value *argument = nullptr;
    Value *kept = capture.kind == Derivative::Capture::Operand  ? node.input(capture.index)
                  : capture.kind == Derivative::Capture::Result ? node.output(capture.index)
                                                                : nullptr;
    if (kept && !capture.isOnlyMeasured && isWrittenLater(node, kept))
      return fail("what the derivative of " + llvm::Twine(node.record()->qualified) + " reads is written in place");
    if (kept && !capture.isOnlyMeasured) {
      elementsRead.push_back(kept);
      readsElements |= containsTensor(kept->type());
    }
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
  if (readsElements)
    reading.push_back(&node);
  if (request.mayBeAbsent)
    return reverseGuarded(scope, node, *derivative, arguments);
  for (auto [operand, gradient] : llvm::zip(derivative->operands, inlineFormula(*derivative, arguments)))
    if (!handOn(scope, node, operand, gradient))
      return false;
  return true;
}

/// Decides what the formula asks about grad mode as a tape would: by whether its results are differentiated in turn.
/// Null: it asks nothing.
static std::unique_ptr<Graph> withGradMode(Graph &formula, bool isEnabled) {
  auto asks = [](Node &node) { return node.opKind() == OpKind::Aten_is_grad_enabled; };
  bool isAsked = false;
  formula.walk([&](Node &node) { isAsked |= asks(node); });
  if (!isAsked)
    return nullptr;
  std::unique_ptr<Graph> decided = formula.clone();
  llvm::SmallVector<Node *, 2> questions;
  decided->walk([&](Node &node) {
    if (asks(node))
      questions.push_back(&node);
  });
  for (Node *question : questions) {
    Node *answer = decided->createConstant(IValue(isEnabled));
    answer->insertBefore(question);
    question->output()->replaceAllUsesWith(answer->output());
    question->erase();
  }
  return decided;
}

std::vector<Value *> ReverseMode::inlineFormula(const Derivative &derivative, llvm::ArrayRef<Value *> arguments) {
  assert(arguments.size() == derivative.captures.size() && "one argument for each value that the formulas read");
  std::unique_ptr<Graph> decided;
  if (!request.isWhole)
    decided = withGradMode(*derivative.graph, request.createGraph);
  const Graph &formula = decided ? *decided : *derivative.graph;
  auto gradients = inlineDecided(formula, arguments, graph);
  return gradients ? *gradients : formula.inlineInto(graph, arguments);
}

/// The formula in a region that does not run where the gradients that it reads are absent.
bool ReverseMode::reverseGuarded(Scope &scope, Node &node, const Derivative &derivative,
                                 llvm::ArrayRef<Value *> arguments) {
  assert(request.mayBeAbsent && scope.before && "only gradients of whole graphs may be absent");
  Node *region = graph.create(prim::GradOf, 0);
  for (auto [capture, argument] : llvm::zip(derivative.captures, arguments))
    if (capture.kind == Derivative::Capture::Gradient && !isConstant(argument))
      region->addInput(argument);
  region->setAttribute(attr::name, node.record()->qualified.str());
  graph.insertNodeHere(region);
  Block &body = region->addBlock();
  InsertPointGuard guard(graph);
  graph.setInsertPoint(body);
  llvm::SmallVector<std::pair<Value *, Value *>, 2> found;
  for (auto [number, gradient] : llvm::zip(derivative.operands, inlineFormula(derivative, arguments))) {
    Value *operand = node.input(number);
    if (isTensorList(operand->type()))
      return fail("lists of tensors whose gradients may be absent");
    Value *fitting = conform(scope, node, operand, gradient);
    if (!fitting)
      return fail("the gradient of %" + operand->displayName() + " cannot be given its sizes");
    body.addOutput(fitting);
    found.push_back({operand, region->addOutput(gradientType(operand))});
  }
  graph.setInsertPoint(scope.before);
  for (auto [operand, gradient] : found)
    add(scope, operand, gradient);
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Whether the value is read from a dict that the graph gets, once, and before another is stored in its place.
static bool isEntryOfArgument(const Value *value, const Graph &graph) {
  const Node &load = *value->node();
  auto keyOf = [](const Node &node) { return constantValue(node.input(1)); };
  if (!isDictLoad(load) || load.block() != &graph.block() || !keyOf(load))
    return false;
  const Value *dict = load.input(0);
  if (dict->definingNode() || &dict->block() != &graph.block())
    return false;
  return llvm::all_of(dict->uses(), [&](const Use &use) {
    const Node &user = *use.user();
    if (&user == &load || user.kind() == prim::Return || user.kind() == aten::__contains__)
      return true;
    const bool isEdit = isDictStore(user) || isDictRemoval(user);
    if (use.index() != 0 || !(isDictLoad(user) || isEdit) || !keyOf(user))
      return false;
    return !valuesEqual(*keyOf(user), *keyOf(load)) || (isEdit && load.isBefore(&user));
  });
}

/// Whether the tensor requires a gradient in any case: in grad mode an operator has computed it of one that does.
bool ReverseMode::requiresGradient(const Value *value) const {
  llvm::SmallPtrSet<const Value *, 16> seen;
  return requiresGradient(value, seen);
}

bool ReverseMode::requiresGradient(const Value *value, llvm::SmallPtrSetImpl<const Value *> &seen) const {
  static constexpr unsigned mostSeen = 256; // nothing is known of what depends on more
  if (seen.size() == mostSeen || !seen.insert(value).second)
    return false;
  if (const TensorFacts *facts = factsOf(value); facts && facts->requiresGrad)
    return *facts->requiresGrad;
  const Node *maker = value->definingNode();
  if (!maker || maker->numBlocks())
    return false;
  if (maker->kind() == prim::ListConstruct)
    return llvm::any_of(maker->inputs(), [&](const Value *element) { return requiresGradient(element, seen); });
  if (maker->opKind() == OpKind::Aten_requires_grad_)
    return constantBool(maker->input(1)) == true;
  auto isNumber = [](const Value *v) {
    const std::optional<DType> dtype = knownDType(v);
    return dtype && (isFloating(*dtype) || isComplex(*dtype));
  };
  const OpRecord *record = maker->record();
  if (!record || !maker->schema() || record->has(Trait::Writes) || !isNumber(value))
    return false;
  const uint32_t operands = gradientOperands(*record, *maker->schema()) & ~derivatives.inertOperands(maker->opKind());
  for (unsigned i = 0; i != std::min(maker->numInputs(), 32u); ++i)
    if (operands >> i & 1 && (isTensorList(maker->input(i)->type()) || isNumber(maker->input(i))) &&
        requiresGradient(maker->input(i), seen))
      return true;
  return false;
}

/// Whether it is known from where on the input requires a gradient, and that no other value is the same tensor. (The
/// arguments of a call that gets a plan are different tensors.)
bool ReverseMode::checkInput(const Value *input) {
  const Node &maker = *input->node();
  const bool isStart = maker.opKind() == OpKind::Aten_requires_grad_;
  const Value *tensor = isStart ? maker.input(0) : input;
  if (!isStart && !requiresGradient(input))
    return fail("%" + input->displayName() + " is not known to require a gradient");
  const bool isArgument = !tensor->definingNode() && &tensor->block() == &graph.block();
  if (!isArgument && !isNewTensor(tensor) && !isEntryOfArgument(tensor, graph))
    return fail("%" + input->displayName() + " may have another name");
  if (!isStart)
    active.insert(input);
  return true;
}

/// Whether a tensor has the sizes and the dtype of the other one by the way in which it was made (`ones_like`).
static bool isLike(const Value *value, const Value *other) {
  const Node *maker = value->definingNode();
  if (!maker || !maker->hasTrait(Trait::Fill) || !maker->schema() || maker->input(0) != other)
    return false;
  const std::optional<unsigned> dtype = maker->schema()->argumentIndex("dtype");
  const std::optional<IValue> given = dtype ? constantValue(maker->input(*dtype)) : std::nullopt;
  return given && given->isNone();
}

std::optional<llvm::SmallVector<Value *, 2>> ReverseMode::run(llvm::function_ref<void()> refineTypes) {
  InsertPointGuard guard(graph);
  if (switchesGradMode(graph) && !fail("grad mode is switched"))
    return std::nullopt;
  for (const Value *input : request.inputs) {
    if (request.isWhole)
      active.insert(input);
    else if (!checkInput(input))
      return std::nullopt;
  }
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
    if (!isActive(output) && request.isWhole)
      continue;
    if (!isActive(output)) {
      fail("%" + output->displayName() + " does not depend on what is differentiated");
      return std::nullopt;
    }
    const TensorFacts *facts = factsOf(output), *given = weight ? factsOf(weight) : nullptr;
    if (weight && !request.isWhole && !isLike(weight, output) &&
        !(areSizesKnown(facts) && areSizesKnown(given) && *facts->sizes == *given->sizes && facts->dtype &&
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
