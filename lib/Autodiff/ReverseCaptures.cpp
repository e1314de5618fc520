//===- ReverseCaptures.cpp - What the way back needs of the way forth -----===//
#include "ReverseScope.h"
using namespace tsc;

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
  assert(scope.owner && scope.owner->kind() == prim::If && scope.parent && "the scope is a branch");
  assert(&value->block() == scope.forward && "a value of the branch itself");
  const unsigned branch = &scope.owner->block(0) == scope.forward ? 0 : 1;
  Value *output = scope.owner->addOutput(value->type());
  InsertPointGuard guard(graph);
  Block &other = scope.owner->block(1 - branch);
  scope.forward->addOutput(value);
  graph.setInsertPoint(other);
  other.addOutput(insertAbsent(value->type()));
  return visible(*scope.parent, output);
}

/// Inserts a node at the head of a trip backwards, behind those that are there.
Value *ReverseMode::insertAtHead(Scope &scope, Node *node) {
  scope.lastPop ? node->insertAfter(scope.lastPop) : scope.emitted->prepend(node);
  scope.lastPop = node;
  return node->output();
}

/// The number that the trip had on the way forth: the last one comes first.
Value *ReverseMode::tripNumber(Scope &scope) {
  Node *one = graph.createConstant(IValue(int64_t{1}));
  insertAtHead(scope, one);
  Node *last = graph.create(aten::sub, {scope.trips, one->output()});
  last->output()->setType(Type::intType());
  insertAtHead(scope, last);
  Node *index = graph.create(aten::sub, {last->output(), scope.emitted->inputs()[0]});
  index->output()->setType(Type::intType());
  return insertAtHead(scope, index);
}

/// A value of each trip, last first.
Value *ReverseMode::captureFromTrip(Scope &scope, Value *value) {
  assert(scope.owner && scope.owner->kind() == prim::Loop && scope.parent && "the scope is a trip of a loop");
  assert(&value->block() == scope.forward && "a value of the trip itself");
  InsertPointGuard guard(graph);
  if (value == scope.forward->inputs()[0] && scope.trips)
    return tripNumber(scope);
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
    return insertAtHead(scope, again);
  }
  if (isa<ListType>(value->type()) && !isStack(*value) && llvm::any_of(value->uses(), [](const Use &use) {
        return use.index() == 0 && listEdit(use.user()->opKind()).has_value();
      })) {
    fail("a list is kept that is written");
    return nullptr;
  }
  return keepOnStack(scope, value);
}

/// Pushes the value of each trip on a list, from which the trips backwards pop it.
Value *ReverseMode::keepOnStack(Scope &scope, Value *value) {
  const Type *kept = value->type()->isTensor() ? Type::tensorType() : value->type();
  Node *stack = graph.create(prim::ListConstruct);
  stack->output()->setType(graph.context().listOf(kept));
  markStack(*stack);
  stack->insertBefore(scope.owner);
  Node *push = graph.create(aten::append, {stack->output(), value});
  push->output()->setType(stack->output()->type());
  scope.forward->append(push); // behind all that is computed, which it does not keep apart
  Value *from = visible(*scope.parent, stack->output());
  if (!from)
    return nullptr;
  Node *top = graph.createConstant(IValue(int64_t{-1}));
  insertAtHead(scope, top);
  Node *pop = graph.create(aten::pop, {from, top->output()});
  pop->output()->setType(value->type());
  return insertAtHead(scope, pop);
}
