//===- ReverseLists.cpp - Gradients of lists of tensors -------------------===//
#include "ReverseScope.h"
#include "llvm/ADT/Twine.h"
using namespace tsc;

/// One tensor of a list that nobody edits.
bool tsc::isElement(const Node &node) {
  return takesTensor(node) && llvm::none_of(node.input(0)->uses(),
                                            [](const Use &use) { return listEdit(use.user()->opKind()).has_value(); });
}

/// Whether the node pops a tensor from a list that an earlier differentiation has made.
bool tsc::isPop(const Node &node) {
  return node.kind() == aten::pop && isTensorList(node.input(0)->type()) && isStack(*node.input(0));
}

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
  if (!isReadInParts(parts->input(0), node))
    return fail("a tensor is read whole beside its parts");
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
