//===- ConstantEvaluator.h - Runs an operator while compiling ---*- C++ -*-===//
//
// Constant folding needs the operators' kernels, which Transforms does not link:
// Runtime implements this interface with them, and the program hands it in.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_TRANSFORMS_CONSTANTEVALUATOR_H
#define TSC_TRANSFORMS_CONSTANTEVALUATOR_H

#include "tsc/IR/IValue.h"
#include <optional>
#include <vector>

namespace tsc {

class Node;

/// Runs operators while a graph is compiled.
class ConstantEvaluator {
public:
  virtual ~ConstantEvaluator() = default;
  /// Returns the results of `node` for these operands, or nullopt when the node has no kernel or fails, as it will
  /// again at run time.
  virtual std::optional<std::vector<IValue>> evaluate(const Node &node, llvm::ArrayRef<IValue> operands) = 0;
};

} // namespace tsc

#endif
