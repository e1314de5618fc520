//===- DifferentiableRunner.cpp - Graphs that a tape takes as one ---------===//
#include "DifferentiableRunner.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Tape/GradientListeners.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
using namespace tsc;

/// Whether graphs are compiled for such an argument.
static bool isPlain(const IValue &value) {
  if (!value.isTensor())
    return true;
  const Tensor &tensor = value.asTensor();
  return !tensor.defined() || (tensor.dtype() != DType::Opaque && !isQuantized(tensor.dtype()) &&
                               tensor.get()->storage && tensor.device().kind == DeviceKind::CPU);
}

std::shared_ptr<TapedCode> DifferentiableRunner::codeFor(llvm::ArrayRef<IValue> args) {
  if (calls.load(std::memory_order_relaxed) < callsBefore &&
      calls.fetch_add(1, std::memory_order_relaxed) < callsBefore)
    return nullptr;
  ArgumentSpecs specs(args, /*gradMode=*/true);
  auto isFor = [&](const Plan &plan) { return specs.match(plan.spec); };
  auto make = [&](size_t size) -> std::unique_ptr<const Plan> {
    const std::optional<SizeDetail> detail = TierPolicy::detailOfGraph(size);
    if (!detail)
      return nullptr;
    std::unique_ptr<Graph> typed = graph.clone();
    SizeFacts sizes(*detail);
    for (auto [input, value] : llvm::zip(typed->inputs(), args))
      input->setType(specializedType(typed->context(), input->type(), value, true, sizes));
    StatusOr<std::shared_ptr<TapedCode>> made = TapedCode::make(*typed, codes, "prim::DifferentiableGraph");
    return std::unique_ptr<const Plan>(new Plan{specs.of(*detail), made.ok() ? *made : nullptr});
  };
  const Plan *plan = plans.isFull() ? plans.find(isFor) : plans.findOrAdd(isFor, make);
  return plan ? plan->code : nullptr;
}

/// What a call keeps until its gradients have been computed.
static uint64_t bytesKept(const TapedCode &code, llvm::ArrayRef<IValue> args, llvm::ArrayRef<IValue> results) {
  uint64_t bytes = 0;
  for (const TapedGraph::Source &source : code.kept()) {
    const IValue &value = source.kind == TapedGraph::Source::Input ? args[source.index] : results[source.index];
    if (value.isTensor() && value.asTensor().defined())
      bytes += value.asTensor().numel() * itemSize(value.asTensor().dtype());
  }
  return bytes;
}

bool DifferentiableRunner::run(CallContext &context, llvm::ArrayRef<const IValue *> operands,
                               llvm::MutableArrayRef<IValue> results) {
  Tape *tape = Tape::of(context);
  if (!tape || !context.gradMode)
    return false;
  Tape::refresh(operands);
  bool isTaped = false;
  std::vector<IValue> args;
  for (const IValue *operand : operands) {
    if (!isPlain(*operand))
      return false;
    isTaped |= operand->isTensor() && operand->asTensor().defined() && operand->asTensor().requiresGrad();
    args.push_back(*operand);
  }
  std::shared_ptr<TapedCode> code = isTaped && !haveSeveralListeners(args) ? codeFor(args) : nullptr;
  if (!code)
    return false;
  const auto start = TraceRecorder::Clock::now();
  StatusOr<std::vector<IValue>> made = [&] {
    llvm::SaveAndRestore<OperatorObserver *> unobserved(context.observer, nullptr);
    llvm::SaveAndRestore<bool> detached(context.gradMode, false);
    return code->forward().run(context, args);
  }();
  if (!made.ok()) // the operators say why, in their words
    return false;
  // What an optimization found to be an operand would get another history.
  for (const IValue &result : llvm::ArrayRef(*made).take_front(results.size()))
    for (const IValue &arg : args)
      if (result.isTensor() && arg.isTensor() && arg.asTensor().defined() &&
          arg.asTensor().sharesStorageWith(result.asTensor()))
        return false;
  tape->recordGraph(context, code, args, *made);
  if (context.trace)
    context.trace->add("differentiable graph", describeOperators(graph), std::to_string(code->numRecomputed()),
                       bytesKept(*code, args, *made), start, TraceRecorder::Clock::now());
  std::move(made->begin(), made->begin() + results.size(), results.begin());
  return true;
}
