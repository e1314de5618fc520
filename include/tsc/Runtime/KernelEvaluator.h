//===- KernelEvaluator.h - Constant folding through kernels -----*- C++ -*-===//
#ifndef TSC_RUNTIME_KERNELEVALUATOR_H
#define TSC_RUNTIME_KERNELEVALUATOR_H

#include "tsc/Runtime/CallContext.h"
#include "tsc/Transforms/ConstantEvaluator.h"

namespace tsc {

/// Evaluates a node by calling its operator's kernel: what constant propagation asks. Results are as at run time. Never
/// prints and never draws random numbers (the passes ask for pure nodes only).
class KernelEvaluator final : public ConstantEvaluator {
public:
  explicit KernelEvaluator(Context &context);
  std::optional<std::vector<IValue>> evaluate(const Node &node, llvm::ArrayRef<IValue> operands) override;

private:
  CallContext call;
};

} // namespace tsc

#endif
