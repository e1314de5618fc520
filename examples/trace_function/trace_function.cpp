//===- trace_function.cpp - Traces a function and runs the trace ----------===//
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Runtime/Tracer/Tracer.h"
#include "llvm/Support/raw_ostream.h"
using namespace tsc;

/// Rows of `x` as one vector each, scaled by their number and clamped at zero.
static StatusOr<IValue> block(CallContext &call, llvm::ArrayRef<IValue> inputs) {
  const IValue &x = inputs[0];
  TSC_ASSIGN_OR_RETURN(TracedInt rows, Tracer::size(call, x.asTensor(), 0));
  TSC_ASSIGN_OR_RETURN(auto flat, Tracer::call(call, "aten::reshape", {x, std::vector<TracedInt>{rows, -1}}));
  TSC_ASSIGN_OR_RETURN(auto scaled, Tracer::call(call, "aten::mul", {flat[0], rows}));
  TSC_ASSIGN_OR_RETURN(auto result, callOperator(call, "aten::relu", scaled));
  return result[0];
}

static Status traceAndRun() {
  Context context;
  installOperatorServices(context);
  CallContext call(context);
  TSC_ASSIGN_OR_RETURN(Tensor example, Tensor::full({2, 3, 2}, 0.5, DType::Float));
  TSC_ASSIGN_OR_RETURN(TracedGraph traced, Tracer::trace(call, block, {example}));
  llvm::outs() << traced.graph->str();
  TSC_ASSIGN_OR_RETURN(Tensor other, Tensor::full({3, 2, 1}, 1.0, DType::Float));
  GraphExecutor executor;
  std::vector<IValue> args{other}, results;
  TSC_RETURN_IF_ERROR(executor.call(*traced.graph, "block", call, args, results));
  llvm::outs() << toPythonString(results[0].asTensor()) << '\n';
  return okStatus();
}

int main() {
  Status status = traceAndRun();
  if (!status.ok())
    llvm::errs() << messageOf(status) << '\n';
  return status.ok() ? 0 : 1;
}
