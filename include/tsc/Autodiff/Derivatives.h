//===- Derivatives.h - The records' formulas as graphs ----------*- C++ -*-===//
//
// The column `derivative` says for operands of an operator what their gradients are.
// Whoever differentiates (whole graphs, or operators as they run) takes the formulas
// from here, so that there is one for all.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_AUTODIFF_DERIVATIVES_H
#define TSC_AUTODIFF_DERIVATIVES_H

#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <string>

namespace tsc {

class Graph;

/// How gradients of some operands are computed from those of the results.
///
/// A gradient has the shape and dtype that the formula gives it: where an operand was broadcast or promoted, whoever
/// asks sums and converts to the operand's. A list of tensors has a list of gradients.
struct Derivative {
  /// What an input of the graph stands for.
  struct Capture {
    enum Kind : uint8_t { Operand, Result, Gradient } kind;
    unsigned index;              ///< Among the operands, or among the results.
    bool mayBeNone = false;      ///< A gradient that formulas take as absent where the result has none.
    bool isOnlyMeasured = false; ///< The formulas ask for its sizes and dtype, and read no element.
  };
  std::unique_ptr<Graph> graph;
  llvm::SmallVector<Capture, 4> captures;  ///< One for each input; nothing that the formulas do not read.
  llvm::SmallVector<unsigned, 2> operands; ///< One for each output, in ascending order.
};

/// All formulas of a context, each compiled when it is first asked for: `context.extension<Derivatives>()`.
///
/// Threads: every function may be called from any thread.
class Derivatives final : public ContextExtension {
public:
  explicit Derivatives(Context &context);
  ~Derivatives() override;

  /// The operands that have a formula, one bit each.
  uint32_t operands(OpKind op);
  /// The operands that have no influence on elements of results: nobody needs their gradients.
  uint32_t inertOperands(OpKind op);
  /// For the operands in `wanted`, which have one. Valid as long as the context. Null where a formula does not compile,
  /// which the tests of the records exclude; problem() tells.
  const Derivative *find(OpKind op, uint32_t wanted);
  std::string problem() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
