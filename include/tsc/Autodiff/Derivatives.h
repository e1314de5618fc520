//===- Derivatives.h - The records' formulas as graphs ----------*- C++ -*-===//
//
// The column `derivative` of a record states the gradients of an operator's operands.
// All that differentiates, be it graphs or operators as they run, takes the formulas
// from here.
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

/// How an operator's gradients with respect to some operands are computed from those of its results.
///
/// Shapes:  a gradient has the shape and dtype that its formula gives; where an operand was broadcast or promoted, the
///          caller sums and converts it. An operand that is a list of tensors has a list of gradients.
struct Derivative {
  /// What an input of the graph stands for.
  struct Capture {
    /// Whether it is an operand of the operator, a result of it, or the gradient of a result.
    enum Kind : uint8_t { Operand, Result, Gradient } kind;
    unsigned index;              ///< Its position among the operands; among the results for a result or gradient.
    bool mayBeNone = false;      ///< Whether it is a gradient that is None where the result has none.
    bool isOnlyMeasured = false; ///< Whether the formulas read its sizes and dtype only, and no element.
  };
  std::unique_ptr<Graph> graph;            ///< Computes the gradients.
  llvm::SmallVector<Capture, 4> captures;  ///< One for each input of the graph, which is read by a formula.
  llvm::SmallVector<unsigned, 2> operands; ///< The operand of each output of the graph; ascending.
};

/// All formulas of a context, each compiled when it is first asked for. `context.extension<Derivatives>()` gives it.
///
/// Threads:  every function may be called from many threads at once.
class Derivatives final : public ContextExtension {
public:
  explicit Derivatives(Context &context);
  ~Derivatives() override;

  /// Returns the operands that have a formula, one bit each.
  uint32_t operands(OpKind op);
  /// Returns the operands whose gradients are zero (`operand = None`), one bit each: they decide sizes or dtypes of
  /// results alone, or choose between values.
  uint32_t inertOperands(OpKind op);
  /// Returns the derivative with respect to the operands in `wanted`, one bit each, which all have a formula. Valid as
  /// long as the context. Returns null where `wanted` is empty or the operator has no formulas, and where a formula
  /// does not compile, which the tests of the records exclude.
  const Derivative *find(OpKind op, uint32_t wanted);
  /// Returns why the formula that was compiled last does not compile; empty where it does.
  std::string problem() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tsc

#endif
