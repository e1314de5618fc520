//===- ReverseControlFlow.cpp - Branches and loops backwards --------------===//
#include "ReverseScope.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include <array>
using namespace tsc;

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

void tsc::hoistTranspositions(Node &loop) {
  for (Node &node : llvm::make_early_inc_range(loop.block(0).nodes())) {
    if (viewKind(node.opKind()) != ViewKind::Permutation)
      continue;
    const TensorFacts *facts = factsOf(node.input(0));
    auto isOutside = [&](Value *input) { return !encloses(&loop.block(0), &input->block()); };
    if (facts && facts->sizes && llvm::all_of(node.inputs(), isOutside))
      node.moveBefore(&loop);
  }
}
