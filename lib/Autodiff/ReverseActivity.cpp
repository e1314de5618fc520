//===- ReverseActivity.cpp - What depends on what is differentiated -------===//
//
// Activity analysis (Griewank and Walther, 2008, section 6.2), forwards: values that
// depend on an input, through operators that have derivatives.
//
//===----------------------------------------------------------------------===//
#include "ReverseScope.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/FunctionSchema.h"
#include "tsc/Transforms/Definitions.h"
#include "tsc/Transforms/Inlining.h"
#include "tsc/Transforms/Passes/Loops.h"
#include "tsc/Transforms/Passes/Mutation.h"
#include "tsc/Transforms/Passes/Redundancy.h"
#include "tsc/Transforms/Passes/Simplification.h"
#include "tsc/Transforms/Passes/Types.h"
#include "llvm/ADT/Twine.h"
using namespace tsc;

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

/// Puts a copy of the definition at the insertion point that knows the types of the operands, numbers that are
/// constant, and which tensors a list has, so that loops over these are gone.
static std::vector<Value *> inlineSpecialized(const Graph &definition, const Node &node, Graph &into) {
  std::unique_ptr<Graph> special = definition.clone();
  std::vector<Value *> arguments;
  const unsigned numOperands = special->inputs().size();
  for (unsigned i = 0; i != numOperands; ++i) {
    Value *input = special->inputs()[i], *operand = node.input(i);
    const bool isKnownList =
        isTensorList(operand->type()) && operand->node()->kind() == prim::ListConstruct &&
        llvm::none_of(operand->uses(), [](const Use &use) { return listEdit(use.user()->opKind()); });
    if (isKnownList) {
      Node *list = special->create(prim::ListConstruct);
      for (Value *element : operand->node()->inputs()) {
        list->addInput(special->addInput("", element->type()));
        arguments.push_back(element);
      }
      list->output()->setType(operand->type());
      special->block().prepend(list);
      input->replaceAllUsesWith(list->output());
    } else if (auto constant = constantValue(operand); constant && Graph::canBeConstant(*constant)) {
      Node *known = special->createConstant(*constant);
      special->block().prepend(known);
      input->replaceAllUsesWith(known->output());
    } else {
      input->replaceAllUsesWith(special->addInput("", operand->type()));
      arguments.push_back(operand);
    }
  }
  for (unsigned i = 0; i != numOperands; ++i)
    special->block().eraseInput(0);
  AnalysisManager analyses;
  auto run = [&](Pass &&pass) {
    pass.run(*special, analyses);
    analyses.invalidate();
  };
  run(ShapePropagation());
  run(Peephole());
  LoopUnrolling unrolling;
  PassOptions options;
  options["appending"] = "true";
  if (unrolling.configure(options).ok())
    run(std::move(unrolling));
  run(RemoveMutation());
  run(Peephole());
  run(ShapePropagation());
  run(Peephole());
  run(SimplifyConditionals());
  run(DeadCodeElimination());
  return special->inlineInto(into, arguments);
}

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
    results = inlineSpecialized(*definition, node, graph);
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
      return fail("a tensor is written in place by " + llvm::Twine(node->kindName()));
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

/// Whether nobody takes the value out of the container before the gradients are computed.
static bool isUnread(const Value *container, const Node &before, llvm::function_ref<bool(const Node &)> readsOther,
                     unsigned depth = 0) {
  static constexpr unsigned maxDepth = 8;
  return depth != maxDepth && llvm::all_of(container->uses(), [&](const Use &use) {
           const Node &user = *use.user();
           if (user.kind() == prim::Return)
             return !user.parentNode();
           if (before.isBefore(&user))
             return true;
           if (user.kind() == prim::TupleConstruct)
             return isUnread(user.output(), before, [](const Node &) { return false; }, depth + 1);
           const bool mayRaise = isDictLoad(user) || isDictRemoval(user);
           const bool isIdle = mayRaise && llvm::none_of(user.outputs(), [](const Value *o) { return o->hasUses(); });
           return use.index() == 0 &&
                  (isDictStore(user) || user.kind() == aten::__contains__ || isIdle || readsOther(user));
         });
}

/// Whether the node puts what it reads into a tuple or a dict from which nobody takes it before the gradients are
/// computed.
static bool isKeptOnly(const Node &node, const Node &before) {
  if (node.kind() == prim::TupleConstruct)
    return isUnread(node.output(), before, [](const Node &) { return false; });
  const bool isStore = isDictStore(node);
  if (!isStore && node.kind() != prim::DictConstruct)
    return false;
  const auto stored = isStore ? constantValue(node.input(1)) : std::nullopt;
  bool isOnce = true; // what stands before it in a loop reads it in the next trip
  for (const Node *outer = node.parentNode(); outer; outer = outer->parentNode())
    isOnce &= outer->kind() != prim::Loop;
  return isUnread(isStore ? node.input(0) : node.output(), before, [&](const Node &user) {
    const auto key = isDictLoad(user) ? constantValue(user.input(1)) : std::nullopt;
    if (isStore && isOnce && key && user.isBefore(&node))
      return true;
    return stored && key && !valuesEqual(*stored, *key);
  });
}

/// Whether values of the type may be tensors, or have some in them.
static bool mayHoldTensors(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Tensor:
  case TypeKind::Any:
  case TypeKind::AnyList:
  case TypeKind::AnyTuple:
  case TypeKind::AnyClass:
  case TypeKind::Class:
  case TypeKind::Interface: return true;
  default: return llvm::any_of(type->contained(), mayHoldTensors);
  }
}

/// Whether the operator gives containers of whatever it is given, so that its schema speaks of no tensor.
static bool handsTensorsOn(const Node &node) {
  return llvm::any_of(node.outputs(),
                      [](const Value *o) { return !o->type()->isTensor() && mayHoldTensors(o->type()); }) &&
         llvm::none_of(node.schema()->returns(), [](const Argument &result) {
           return result.type->kind() != TypeKind::Any && mayHoldTensors(result.type);
         });
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
  default: break;
  }
  const bool readsActive = llvm::any_of(node.inputs(), [&](Value *input) { return isActive(input); });
  if (node.kind() == prim::ListConstruct || node.kind() == prim::ListUnpack || copiesList(node) ||
      passesThrough(node)) {
    if (readsActive)
      for (Value *output : node.outputs())
        activate(output);
    return true;
  }
  if (isAppend(node)) {
    if (isActive(node.input(1)) && activate(node.input(0)) && node.input(0)->node()->kind() != prim::ListConstruct)
      return fail("a list that was not made in sight is appended to");
    for (Value *output : node.outputs())
      if (output->hasUses())
        return fail("what append returns is used");
    return true;
  }
  if (takesTensor(node) || isPop(node)) {
    if (isActive(node.input(0)))
      activate(node.output());
    return true;
  }
  if (node.kind() == prim::CallFunction || node.kind() == prim::CallMethod)
    return fail("a call that is not inlined"); // it may switch grad mode
  if (writesTensor(node)) {
    if (readsActive || node.hasTrait(Trait::Geometry))
      return fail("a tensor is written in place by " + llvm::Twine(node.kindName()));
    writesTensors = true;
  }
  if (!readsActive)
    return true;
  if (isKeptOnly(node, *request.before))
    return true;
  if (node.hasTrait(Trait::Writes) || node.kind() == prim::SetAttr || node.kind() == prim::TupleConstruct ||
      node.kind() == prim::DictConstruct || node.opKind() == OpKind::Aten_grad)
    return fail("gradients through " + llvm::Twine(node.kindName()) + " are not followed");
  if (!wantedOperands(node)) {
    bool isInert = node.record() && !handsTensorsOn(node) &&
                   (gradientOperands(*node.record(), *node.schema()) == 0 || derivatives.inertOperands(node.opKind()));
    if (isInert || llvm::none_of(node.outputs(), [](Value *output) {
          return output->type()->isMutable() && (!output->type()->isTensor() || isDifferentiable(output));
        }))
      return true;
    return fail("gradients through " + llvm::Twine(node.kindName()) + " are not followed");
  }
  for (Value *output : node.outputs())
    if (output->type()->isTensor() || isTensorList(output->type()))
      activate(output);
  return true;
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
