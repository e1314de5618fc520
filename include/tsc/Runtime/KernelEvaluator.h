//===- KernelEvaluator.h - Constant folding through kernels -----*- C++ -*-===//
#ifndef TSC_RUNTIME_KERNELEVALUATOR_H
#define TSC_RUNTIME_KERNELEVALUATOR_H

#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Transforms/ConstantEvaluator.h"

namespace tsc {

/// Evaluates nodes for constant propagation by calling their operators' kernels, so that results are those of a run. It
/// declines operands on devices and results that take much memory or work. It must not be asked for nodes that are not
/// pure.
class KernelEvaluator final : public ConstantEvaluator {
public:
  explicit KernelEvaluator(Context &context);
  std::optional<std::vector<IValue>> evaluate(const Node &node, llvm::ArrayRef<IValue> operands) override;

private:
  CallContext call;
};

} // namespace tsc

#endif
