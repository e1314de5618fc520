//===- DifferentiableRunner.cpp - Graphs that a tape takes as one ---------===//
#include "DifferentiableRunner.h"
#include "../Fusion/GroupRunner.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/Runtime/Code.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Tape.h"
#include "tsc/Support/Trace.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
using namespace tsc;

//===----------------------------------------------------------------------===//
// Code for arguments of some types
//===----------------------------------------------------------------------===//

StatusOr<std::shared_ptr<TapedCode>> TapedCode::make(const Graph &graph, CodeCache &codes, llvm::StringRef name) {
  auto made = std::make_shared<TapedCode>();
  TSC_ASSIGN_OR_RETURN(made->taped, TapedGraph::make(graph));
  made->codes = &codes;
  made->name = name.str();
  if (made->taped->tracked().none())
    return unimplemented("no result of a graph requires a gradient");
  llvm::SmallBitVector operands(made->taped->operands().size(), true);
  TSC_ASSIGN_OR_RETURN(TapedGraph::Backward whole, made->taped->backward(made->taped->tracked(), operands));
  made->allOperators = whole.operators;
  made->recomputed = whole.numRecomputed;
  auto keep = [&](const TapedGraph::Source &source) {
    if (source.kind != TapedGraph::Source::Gradient && !llvm::is_contained(made->keptTensors, source))
      made->keptTensors.push_back(source);
  };
  llvm::for_each(whole.captures, keep);
  for (const TapedGraph::Read &read : whole.checked)
    keep(read.source);
  TSC_ASSIGN_OR_RETURN(made->forwardCode, codes.add(made->taped->forward().clone(), name));
  return made;
}

int TapedCode::numberOf(TapedGraph::Source source) const {
  const auto *at = llvm::find(keptTensors, source);
  return at == keptTensors.end() ? -1 : static_cast<int>(at - keptTensors.begin());
}

StatusOr<const TapedCode::Backward *> TapedCode::backward(const llvm::SmallBitVector &arrived,
                                                          const llvm::SmallBitVector &wanted) {
  std::vector<unsigned> key(arrived.set_bits_begin(), arrived.set_bits_end());
  key.push_back(~0u);
  key.insert(key.end(), wanted.set_bits_begin(), wanted.set_bits_end());
  std::lock_guard guard(lock);
  std::unique_ptr<Backward> &known = backwards[key];
  if (known)
    return known.get();
  auto made = std::make_unique<Backward>();
  TSC_ASSIGN_OR_RETURN(made->how, taped->backward(arrived, wanted));
  TSC_ASSIGN_OR_RETURN(made->code, codes->add(std::move(made->how.graph), name));
  known = std::move(made);
  return known.get();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

DifferentiableRunner::DifferentiableRunner(const Graph &graph, CodeCache &codes, unsigned callsBefore)
    : graph(graph), codes(codes), callsBefore(callsBefore) {}

/// Whether graphs are compiled for such an argument.
static bool isPlain(const IValue &value) {
  if (!value.isTensor())
    return true;
  const Tensor &tensor = value.asTensor();
  return !tensor.defined() || (tensor.dtype() != DType::Opaque && !isQuantized(tensor.dtype()) &&
                               tensor.get()->storage && tensor.device().kind == DeviceKind::CPU);
}

/// Plans for all sizes; the others are for those of their calls.
static constexpr unsigned maxExactPlans = 2, maxPlans = 6;

std::shared_ptr<TapedCode> DifferentiableRunner::codeFor(llvm::ArrayRef<IValue> args) {
  std::lock_guard guard(lock);
  if (calls < callsBefore) {
    ++calls;
    return nullptr;
  }
  const ArgumentSpec exact(args, /*gradMode=*/true, SizeDetail::Exact), equal(args, true, SizeDetail::Equality);
  for (const Plan &plan : plans)
    if (plan.spec == (plan.spec.sizeDetail() == SizeDetail::Exact ? exact : equal))
      return plan.code;
  if (plans.size() == maxPlans)
    return nullptr;
  const SizeDetail detail = plans.size() < maxExactPlans ? SizeDetail::Exact : SizeDetail::Equality;
  std::unique_ptr<Graph> typed = graph.clone();
  SizeFacts sizes(detail);
  for (auto [input, value] : llvm::zip(typed->inputs(), args))
    input->setType(specializedType(typed->context(), input->type(), value, true, sizes));
  StatusOr<std::shared_ptr<TapedCode>> made = TapedCode::make(*typed, codes, "prim::DifferentiableGraph");
  plans.push_back({detail == SizeDetail::Exact ? exact : equal, made.ok() ? *made : nullptr});
  return plans.back().code;
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
  std::shared_ptr<TapedCode> code = isTaped ? codeFor(args) : nullptr;
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
