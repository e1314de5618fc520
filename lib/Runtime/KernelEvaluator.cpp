//===- KernelEvaluator.cpp - Constant folding through kernels -------------===//
#include "tsc/Runtime/KernelEvaluator.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/CallOperator.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Lowering/Representation.h"
#include "tsc/Support/WorkMeter.h"

using namespace tsc;

/// A constant is not worth more memory than this beyond what its operands have; a program that asks for more does so
/// when it runs, under the limits of its call.
static constexpr size_t maxBytes = size_t{64} << 20;
/// Nor is it worth more steps than this, beyond some for each part of its operands.
static constexpr size_t mostStepsOfNode = 4096;

static size_t bytesOf(llvm::ArrayRef<IValue> operands) {
  size_t bytes = 0;
  for (const IValue &operand : operands)
    if (operand.isTensor() && operand.asTensor().defined() && operand.asTensor().get()->storage)
      bytes += operand.asTensor().get()->storage->size(); // an expanded one may claim to be larger
  return bytes;
}

/// Kernels are the processor's.
static bool isOnDevice(const IValue &value) {
  auto is = [](const Tensor &tensor) { return tensor.defined() && tensor.device().kind != DeviceKind::CPU; };
  return value.isTensor() ? is(value.asTensor())
                          : value.isTensorList() && llvm::any_of(value.toTensorList().elements, is);
}

KernelEvaluator::KernelEvaluator(Context &context) : call(context) {
  installOperatorServices(context);
  call.setWarningHandler(nullptr);
}

std::optional<std::vector<IValue>> KernelEvaluator::evaluate(const Node &node, llvm::ArrayRef<IValue> operands) {
  const Operator *op = node.op();
  if (!op || !op->record())
    return std::nullopt;
  OperatorCall described = describeCall(call.context(), *op);
  const FunctionSchema &schema = op->schema();
  if (!described.hasKernel() || (!schema.isVararg() && operands.size() > schema.arguments().size()))
    return std::nullopt;
  // A kernel may hand an operand back, which then is two constants: a list would be one that can grow under the other.
  // Tensors may share: who asks has made sure that nobody writes them, and weights are too large to copy for every
  // look.
  std::vector<IValue> values;
  for (auto [operand, input] : llvm::zip(operands, node.inputs())) {
    if (!hasRepresentationOf(operand, input->type()))
      return std::nullopt; // what is wrong with it, the run will say
    values.push_back(operand.isTensor() ? operand : deepCopy(operand));
  }
  for (size_t i = values.size(); i < schema.arguments().size() && !schema.isVararg(); ++i) {
    if (!schema.arguments()[i].defaultValue)
      return std::nullopt;
    values.push_back(*schema.arguments()[i].defaultValue);
  }
  std::vector<const IValue *> args;
  for (const IValue &value : values) {
    if (isOnDevice(value))
      return std::nullopt;
    if (isQuantizedArgument(value) || isLazy(value))
      return std::nullopt; // of tensors of small integers, and of lazy conjugates, the run takes care
    args.push_back(&value);
  }
  if (!areDefined(described.tensorOperands, described.tensorLists, args.data()))
    return std::nullopt;
  CallSite &site = described.site;
  site.numArgs = args.size();
  site.numResults = std::max<size_t>(node.numOutputs(), schema.returns().size());
  site.resultType = node.numOutputs() ? node.output(0)->type() : nullptr;
  call.site = &site;
  std::vector<IValue> results(site.numResults);
  memory::Account account;
  account.setLimit(maxBytes + 2 * std::min(bytesOf(operands), SIZE_MAX / 4));
  std::atomic<bool> alarm = false;
  work::Meter meter(alarm);
  meter.setLimit(mostStepsOfNode + 4 * (bytesOf(operands) / work::operationsInStep));
  Status status;
  {
    memory::AccountScope counting(&account);
    work::MeterScope working(&meter);
    // What the first steps of a call look at has been declined, and a constant gets no mark of its own.
    status = orMemoryError([&] { return callOnHost(call, described, args, results.data()); });
  }
  call.site = nullptr;
  if (!status.ok() || account.wasExceeded() || !meter.mayGoOn())
    return std::nullopt;
  results.resize(node.numOutputs());
  return results;
}
