//===- OperatorGroup.cpp - One operator as a kernel of a device -----------===//
//
// The operator becomes a graph of one node, of which the device's fuser makes a group.
// Tensors are its inputs, and so are the numbers of point-wise operators, so that
// another number is no other kernel; what else an operator takes stands in the graph.
//
//===----------------------------------------------------------------------===//
#include "OperatorGroup.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/Accelerator.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/OperatorServices.h"
#include "tsc/Support/WorkMeter.h"
#include "llvm/Support/raw_ostream.h"

using namespace tsc;

static bool isInputNumber(const OpRecord &record, const IValue &value) {
  return record.has(Trait::Pointwise) && (value.isInt() || value.isDouble() || value.isBool());
}

/// A text that is the same for calls that run the same group.
static std::string keyOf(const OpRecord &record, llvm::ArrayRef<const IValue *> args) {
  work::MeterScope uncounted(nullptr); // the key is whole, whatever becomes of the call
  std::string key;
  llvm::raw_string_ostream os(key);
  os << record.qualified << '.' << record.overload;
  for (const IValue *arg : args) {
    os << ',';
    if (arg->isTensor())
      os << 'T';
    else if (arg->isTensorList())
      os << 'L' << arg->toTensorList().elements.size();
    else if (isInputNumber(record, *arg))
      os << (arg->isInt() ? 'i' : arg->isDouble() ? 'f' : 'b');
    else
      reprValue(os << '=', *arg);
  }
  return key;
}

static const Type *typeOfNumber(const IValue &value) {
  return value.isInt() ? Type::intType() : value.isDouble() ? Type::floatType() : Type::boolType();
}

/// Null where it is nothing that groups are made of.
static std::unique_ptr<Graph> graphOf(Context &context, const OpRecord &record, llvm::ArrayRef<const IValue *> args) {
  auto graph = std::make_unique<Graph>(context);
  llvm::SmallVector<Value *, 8> operands;
  for (const IValue *arg : args) {
    if (arg->isTensor()) {
      operands.push_back(graph->addInput());
    } else if (arg->isTensorList()) {
      llvm::SmallVector<Value *, 8> elements;
      for (size_t i = 0; i != arg->toTensorList().elements.size(); ++i)
        elements.push_back(graph->addInput());
      Node *list = graph->create(prim::ListConstruct, elements);
      list->output()->setType(context.listOf(Type::tensorType()));
      operands.push_back(graph->insertNodeHere(list)->output());
    } else if (isInputNumber(record, *arg)) {
      operands.push_back(graph->addInput("", typeOfNumber(*arg)));
    } else {
      operands.push_back(graph->insertConstant(*arg));
    }
  }
  Node *node = graph->insertNodeHere(graph->create(context.symbol(record.qualified), operands));
  node->output()->setType(Type::tensorType());
  graph->addOutput(node->output());
  OperatorServices *services = servicesOf(context);
  const bool isKernel = node->opKind() == record.kind && services && services->mayBeKernel(*node);
  return isKernel ? std::move(graph) : nullptr;
}

StatusOr<bool> tsc::runOperatorGroup(CallContext &context, Accelerator &accelerator, Device device,
                                     const OpRecord &record, llvm::ArrayRef<const IValue *> args, IValue &result) {
  if (!record.has(Trait::Pointwise) && !record.has(Trait::Reduction) && !record.has(Trait::Concatenation) &&
      !record.has(Trait::AlongRows) && !record.has(Trait::Cast) && record.kind != OpKind::Aten_contiguous)
    return false;
  for (const IValue *arg : args) // what a text tells fully
    if (!arg->isTensor() && !arg->isTensorList() && !arg->isScalar() && !arg->isNone() && !arg->isIntList() &&
        !arg->isString())
      return false;
  std::shared_ptr<FusedGroup> group =
      accelerator.groupOf(device, keyOf(record, args), [&] { return graphOf(context.context(), record, args); });
  if (!group)
    return false;
  llvm::SmallVector<IValue, 4> elements;
  llvm::SmallVector<const IValue *, 8> inputs;
  for (const IValue *arg : args)
    if (arg->isTensorList())
      for (const Tensor &element : arg->toTensorList().elements)
        elements.emplace_back(element);
  size_t next = 0;
  for (const IValue *arg : args) {
    if (arg->isTensor() || isInputNumber(record, *arg))
      inputs.push_back(arg);
    for (size_t i = 0; arg->isTensorList() && i != arg->toTensorList().elements.size(); ++i)
      inputs.push_back(&elements[next++]);
  }
  for (const IValue *input : inputs)
    if (input->isTensor() && !input->asTensor().defined())
      return false;
  return group->run(context, inputs, &result);
}
